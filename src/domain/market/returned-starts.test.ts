/** A sign-up that comes back to a place where a start that nobody wanted is being taken back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  advance,
  askFor,
  give,
  hear,
  instant,
  MALO,
  newest,
  OTHER_MALO,
  quiet,
  sentOf,
  shown,
  type Life,
} from '#test/support/market-life.ts';
import type { OutboundMessage } from './messages.ts';

const confirmedFor = (start: string) => ({ kind: 'registration_confirmation', code: 'A51', start }) as const;
const hand = (life: Life, message: OutboundMessage): void => {
  give(life, { type: 'transmitted', documentNumber: message.documentNumber });
};

/**
 * Registered for 2026-11-27, put elsewhere before anybody had said so, and confirmed: that start is taken back, which is
 * handed over or not. Signed up there again for 2026-12-04.
 */
function returned(at: string, isHandedOver = true): Life {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-27', transport: 'manual' });
  const first = newest(life, 'registration');
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO, intendedStartDate: '2026-12-04' } });
  life.now = instant(at);
  hear(life, { ...confirmedFor('2026-11-27'), receivedAt: '2026-11-24T09:00:00Z' }, first);
  if (isHandedOver) hand(life, newest(life, 'deregistration'));
  give(life, { type: 'corrected', changes: { marketLocation: MALO } });
  hand(life, newest(life, 'registration'));
  return life;
}

test('a start that is confirmed where an earlier one is being taken back is not ended by asking for that again', () => {
  const life = returned('2026-11-24T10:00:00Z');
  advance(life, instant('2026-11-25T06:00:00Z'));
  hear(life, confirmedFor('2026-12-04'), newest(life, 'registration'));
  advance(life, instant('2026-12-03T10:00:00Z'));
  give(life, { type: 'operator_retry' });
  assert.deepEqual(
    [life.last.state.stage, shown(life)[0], sentOf(life, 'deregistration')],
    ['confirmed', undefined, 1],
  );
  advance(life, instant('2026-12-10T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, shown(life)[0], life.last.dueAt], ['supplying', undefined, null]);
});

test('an end of the earlier supply that waits is not sent any more, and one by our start does no harm', () => {
  for (const isHandedOver of [false, true]) {
    const life = returned('2026-12-01T10:00:00Z', isHandedOver);
    const asked = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
    assert.deepEqual([asked.reason, asked.end], ['ZT5', '2026-12-03']);
    hear(life, confirmedFor('2026-12-04'), newest(life, 'registration'));
    assert.deepEqual([life.last.state.stage, sentOf(life, 'deregistration')], ['confirmed', 1]);
    assert.deepEqual(life.last.state.untransmitted, []);
    advance(life, instant('2026-12-10T10:00:00Z'));
    assert.deepEqual([life.last.state.stage, life.last.state.end, shown(life)[0]], ['supplying', null, undefined]);
  }
});

/** The same, where the first supply is asked to end on a day of ours, and the grid operator has that message. */
function crossed(): { readonly life: Life; readonly asked: OutboundMessage } {
  const life = returned('2026-11-24T10:00:00Z');
  const registered = newest(life, 'registration');
  life.now = instant('2026-12-03T10:00:00Z');
  hear(life, { kind: 'deregistration_rejection', code: 'A02' }, newest(life, 'deregistration'));
  const asked = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual([asked.reason, asked.end], ['ZT5', '2026-12-05']);
  hand(life, asked);
  hear(life, confirmedFor('2026-12-04'), registered);
  return { life, asked };
}

test('an end of the earlier supply that the grid operator has is to be forgotten where it would end ours', () => {
  const { life, asked } = crossed();
  const reversal = newest(life, 'reversal') as OutboundMessage<'reversal'>;
  assert.deepEqual([life.last.state.stage, reversal.reverses], ['confirmed', asked.processNumber]);
});

test('an end of the earlier supply that the grid operator confirms all the same is the end of ours', () => {
  const { life, asked } = crossed();
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-05' }, asked);
  advance(life, instant('2026-12-06T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['ended', '2026-12-04T23:00:00Z']);
});

test('an end of the earlier supply that the grid operator has beside one he has confirmed may be the end of ours, too', () => {
  const life = returned('2026-12-01T10:00:00Z', false);
  const registered = newest(life, 'registration');
  const first = newest(life, 'deregistration');
  advance(life, instant('2026-12-02T23:00:00Z'));
  const asked = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual([asked.reason, asked.end], ['ZT5', '2026-12-05']);
  hand(life, asked);
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-03' }, first);
  hear(life, confirmedFor('2026-12-04'), registered);
  assert.deepEqual([life.last.state.stage, life.last.state.end], ['confirmed', null]);
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-05' }, asked);
  advance(life, instant('2026-12-06T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['ended', '2026-12-04T23:00:00Z']);
});

test('the earlier start is taken back again when ours is not to be', () => {
  const life = returned('2026-11-24T10:00:00Z');
  hear(life, confirmedFor('2026-12-04'), newest(life, 'registration'));
  give(life, askFor('withdrawal'));
  const asked = life.sent.flatMap((sent) => (sent.kind === 'deregistration' ? [[sent.reason, sent.end]] : []));
  assert.deepEqual(asked, [
    ['ZH2', '2026-11-27'],
    ['ZH2', '2026-12-04'],
    ['ZH2', '2026-11-27'],
  ]);
});

test('the earlier start is not taken back again once the grid operator has confirmed the end of its supply', () => {
  const life = returned('2026-12-01T10:00:00Z');
  const asked = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual([asked.reason, asked.end], ['ZT5', '2026-12-03']);
  hear(life, confirmedFor('2026-12-04'), newest(life, 'registration'));
  const { outcome } = hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-03' }, asked);
  assert.deepEqual([outcome.kind, life.last.state.stage, life.last.state.end], ['done', 'confirmed', null]);
  give(life, askFor('withdrawal'));
  const ends = life.last.messages.map((sent) => (sent.kind === 'deregistration' ? [sent.reason, sent.end] : sent.kind));
  assert.deepEqual(ends, [['ZH2', '2026-12-04']]);
});

test('the end of the supply from an earlier start is that of a withdrawn one, and nobody asks to forget it', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-25', transport: 'manual' });
  const first = newest(life, 'registration');
  advance(life, instant('2026-11-24T10:00:00Z'));
  const second = newest(life, 'registration');
  hand(life, second);
  hear(life, confirmedFor('2026-11-27'), first);
  give(life, askFor('withdrawal'));
  const revocation = newest(life, 'deregistration');
  hand(life, revocation);
  hear(life, { kind: 'deregistration_rejection', code: 'A06' }, revocation);
  life.now = instant('2026-11-26T10:00:00Z');
  hear(life, { ...confirmedFor('2026-11-26'), receivedAt: '2026-11-24T20:00:00Z' }, second);
  const asked = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual([asked.reason, asked.end], ['ZT5', '2026-11-28']);
  hand(life, asked);
  advance(life, instant('2026-11-27T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, sentOf(life, 'reversal')], ['ending', 1]);
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-11-28' }, asked);
  advance(life, instant('2026-11-28T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['ended', '2026-11-27T23:00:00Z']);
  assert.deepEqual([life.last.state.endReason, shown(life)[0]], ['withdrawn', undefined]);
});

test('the end of the supply from an earlier start by the day of a withdrawn one is not the end of that', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-25', transport: 'manual' });
  const first = newest(life, 'registration');
  advance(life, instant('2026-11-23T23:00:00Z'));
  const second = newest(life, 'registration');
  hand(life, second);
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  life.now = instant('2026-11-24T01:00:00Z');
  hear(life, confirmedFor('2026-11-25'), first);
  const asked = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual([asked.reason, asked.end], ['ZT5', '2026-11-26']);
  hand(life, asked);
  give(life, askFor('withdrawal'));
  life.now = instant('2026-11-24T23:00:00Z');
  hear(life, { ...confirmedFor('2026-11-26'), receivedAt: '2026-11-23T23:00:00Z' }, second);
  assert.deepEqual([life.last.state.stage, life.last.state.end?.day], ['confirmed', '2026-11-27']);
  assert.equal(
    hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-11-26' }, asked).outcome.kind,
    'done',
  );
  const { stage, end, untransmitted } = life.last.state;
  const waiting = newest(life, 'deregistration').documentNumber;
  assert.deepEqual([stage, end?.day, end?.confirmed], ['confirmed', '2026-11-27', false]);
  assert.ok(untransmitted.includes(waiting));
});

test('a later start that is taken back twice is over with the first of it, and is not the end of a withdrawn one before it', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15', transport: 'manual' });
  const first = newest(life, 'registration');
  give(life, { type: 'corrected', changes: { intendedStartDate: '2026-11-27' } });
  const second = newest(life, 'registration');
  hand(life, second);
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  hear(life, confirmedFor('2026-12-15'), first);
  const asked = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  hand(life, asked);
  hear(life, confirmedFor('2026-11-27'), second);
  give(life, askFor('withdrawal'));
  const again = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual(
    [asked, again].map(({ reason, end }) => `${reason} ${end}`),
    ['ZH2 2026-12-15', 'ZH2 2026-12-15'],
  );
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-15' }, asked);
  const { untransmitted, endsAtLatest = null, end } = life.last.state;
  assert.deepEqual([untransmitted.includes(again.documentNumber), endsAtLatest, end?.day], [false, null, '2026-11-27']);
});

test('the revocation of an earlier start on the same day is that of a withdrawn one, too, before it and after', () => {
  for (const at of ['2026-11-25T10:00:00Z', '2026-11-28T10:00:00Z']) {
    const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-27', transport: 'manual' });
    const first = newest(life, 'registration');
    give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
    life.now = instant('2026-11-24T10:00:00Z');
    hear(life, confirmedFor('2026-11-27'), first);
    const asked = newest(life, 'deregistration');
    hand(life, asked);
    give(life, { type: 'corrected', changes: { marketLocation: MALO } });
    hear(life, confirmedFor('2026-11-27'), newest(life, 'registration'));
    give(life, askFor('withdrawal'));
    hear(life, { kind: 'deregistration_rejection', code: 'A06' }, newest(life, 'deregistration'));
    assert.deepEqual([life.last.state.stage, shown(life)[0]], ['confirmed', 'deregistration_refused']);
    advance(life, instant(at));
    hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-11-27' }, asked);
    const { stage, startAt, endReason } = life.last.state;
    assert.deepEqual([stage, startAt, endReason], ['ended', null, 'withdrawn']);
  }
});

test('the end of the supply from an earlier start is not the revocation of another one on its day', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-25', transport: 'manual' });
  const first = newest(life, 'registration');
  advance(life, instant('2026-11-24T00:00:00Z'));
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  hear(life, { ...confirmedFor('2026-11-25'), receivedAt: '2026-11-23T10:00:00Z' }, first);
  const firstEnd = newest(life, 'deregistration');
  give(life, { type: 'corrected', changes: { marketLocation: MALO } });
  advance(life, instant('2026-11-25T00:00:00Z'));
  const second = newest(life, 'registration');
  advance(life, instant('2026-11-26T00:00:00Z'));
  const third = newest(life, 'registration');
  hand(life, third);
  const ended = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  hand(life, ended);
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-11-26' }, firstEnd);
  give(life, askFor('withdrawal'));
  hear(life, confirmedFor('2026-11-27'), second);
  hear(life, confirmedFor('2026-11-28'), third);
  const revoked = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual(
    [ended, revoked].map(({ reason, end }) => `${reason} ${end}`),
    ['ZT5 2026-11-28', 'ZH2 2026-11-28'],
  );
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-11-28' }, ended);
  assert.ok(life.last.state.untransmitted.includes(revoked.documentNumber));
});
