/** Starts that nobody wants, and that are taken back once the grid operator confirms them all the same. */
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
  quiet,
  sentOf,
  type Life,
  revokedIn,
} from '#test/support/market-life.ts';
import type { OutboundMessage } from './messages.ts';

/** Withdrawn while the registration waited, which had been handed over; its start on 2026-12-15 was confirmed after that. */
function revoked(confirmedAt = '2026-11-23T10:00:00Z'): Life {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15', transport: 'manual' });
  const asked = newest(life, 'registration');
  give(life, askFor('withdrawal'));
  life.now = instant(confirmedAt);
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, asked);
  assert.deepEqual([life.last.state.stage, sentOf(life, 'deregistration')], ['ended', 1]);
  return life;
}

const deregistered = (life: Life): OutboundMessage<'deregistration'> =>
  newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
const TOO_LATE = { kind: 'deregistration_rejection', code: 'A02' } as const;

test('a start that nobody wants is taken back anew, or ended, where the grid operator heard of it too late', () => {
  for (const [confirmedAt, refusedAt, reason, end] of [
    ['2026-11-23T10:00:00Z', '2026-11-24T05:00:00Z', 'ZH2', '2026-12-15'],
    ['2026-11-23T10:00:00Z', '2026-12-15T05:00:00Z', 'ZT5', '2026-12-17'],
    ['2026-12-16T10:00:00Z', '2026-12-18T05:00:00Z', 'ZT5', '2026-12-22'],
  ] as const) {
    const life = revoked(confirmedAt);
    for (const count of [2, 3]) {
      life.now = instant(refusedAt);
      assert.equal(hear(life, TOO_LATE, deregistered(life)).outcome.kind, 'done');
      const { marketLocation, reason: why, end: day, documentNumber } = deregistered(life);
      assert.deepEqual([sentOf(life, 'deregistration'), marketLocation, why, day], [count, MALO, reason, end]);
      assert.ok(life.last.state.untransmitted.includes(documentNumber));
    }
  }
});

test('a start that nobody wants is taken back anew where the grid operator could not process that', () => {
  for (const error of [
    { kind: 'processing_error', code: 'Z29' },
    { kind: 'syntax_error', detail: 'UNT' },
  ] as const) {
    const life = revoked();
    const asked = deregistered(life);
    assert.equal(hear(life, error, asked).outcome.kind, 'done');
    const { reason, end, processNumber } = deregistered(life);
    assert.deepEqual([sentOf(life, 'deregistration'), reason, end], [2, 'ZH2', '2026-12-15']);
    assert.notEqual(processNumber, asked.processNumber);
  }
});

test('a start that is taken back, or refused to be for another reason than the day, is not taken back anew', () => {
  for (const answer of [
    { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-15' },
    { kind: 'deregistration_rejection', code: 'A06' },
    // He knows of no supply of ours there.
    { kind: 'processing_error', code: 'Z14' },
    { kind: 'processing_error', code: 'Z17' },
    { kind: 'deregistration_rejection', code: 'A09', confirmedEnd: '2026-12-15' },
  ] as const) {
    const life = revoked();
    const asked = deregistered(life);
    assert.deepEqual([hear(life, answer, asked).outcome.kind, sentOf(life, 'deregistration')], ['done', 1]);
  }
});

/** Registered twice for 2026-12-15, the second time after silence; another supplier has taken that start since. */
function superseded(): { readonly life: Life; readonly second: OutboundMessage } {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15' });
  advance(life, instant('2026-11-24T11:00:00Z'));
  give(life, { type: 'operator_retry' });
  life.deliveries = [];
  const [first, second] = life.sent.filter(({ kind }) => kind === 'registration');
  assert.ok(second !== undefined);
  hear(life, { kind: 'start_revocation', marketLocation: MALO, start: '2026-12-15' });
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, first);
  assert.deepEqual([life.last.state.endReason, sentOf(life, 'reversal')], ['superseded', 1]);
  return { life, second };
}

test('a start that is confirmed although its registration was to be forgotten is taken back once the life has ended', () => {
  const { life, second } = superseded();
  const received = { kind: 'acknowledgement', receivedAt: '2026-11-24T11:00:00Z' } as const;
  assert.deepEqual([hear(life, received, second).outcome.kind, sentOf(life, 'reversal')], ['ignored', 1]);
  const { outcome } = hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, second);
  const { marketLocation, reason, end } = deregistered(life);
  assert.deepEqual([outcome.kind, marketLocation, reason, end], ['done', MALO, 'ZH2', '2026-12-15']);
});

test('the start of a registration that was to be forgotten, where we supply by another one, is not taken back', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15' });
  advance(life, instant('2026-11-24T11:00:00Z'));
  give(life, { type: 'operator_retry' });
  life.deliveries = [];
  const [first, second] = life.sent.filter(({ kind }) => kind === 'registration');
  const confirmation = { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' } as const;
  hear(life, confirmation, first);
  assert.deepEqual([hear(life, confirmation, second).outcome.kind, sentOf(life, 'deregistration')], ['ignored', 0]);
  assert.equal(life.last.state.stage, 'confirmed');
});

test('a registration is taken back once another is confirmed, though the wish to forget it still waits', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15', transport: 'manual' });
  const [first] = life.sent;
  assert.ok(first !== undefined);
  give(life, { type: 'transmitted', documentNumber: first.documentNumber });
  advance(life, instant('2026-11-24T11:00:00Z'));
  give(life, { type: 'operator_retry' });
  const second = newest(life, 'registration');
  give(life, { type: 'transmitted', documentNumber: second.documentNumber });
  give(life, askFor('withdrawal'));
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, first);
  const waiting = life.sent.filter(({ documentNumber }) => life.last.state.untransmitted.includes(documentNumber));
  assert.deepEqual(
    waiting.flatMap((sent) => (sent.kind === 'reversal' ? [sent.reverses] : [])),
    [second.processNumber],
  );
});

test('a start by or after our end is none of the supply that ends there: it is taken back', () => {
  for (const [start, isOurs] of [
    ['2026-12-15', true],
    ['2026-12-17', false],
  ] as const) {
    const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15' });
    advance(life, instant('2026-11-24T11:00:00Z'));
    give(life, { type: 'operator_retry' });
    const [first, second] = life.sent.filter(({ kind }) => kind === 'registration');
    life.deliveries = [];
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, first);
    hear(life, { kind: 'end_notice', marketLocation: MALO, end: '2026-12-17' });
    hear(life, { kind: 'registration_confirmation', code: 'A51', start }, second);
    assert.equal(sentOf(life, 'deregistration'), isOurs ? 0 : 1);
    if (!isOurs) assert.deepEqual([deregistered(life).reason, deregistered(life).end], ['ZH2', start]);
  }
});

/** Registered for 2026-12-15 and, once more after silence, for the same; supplied from the first. The second is another day's. */
function withLaterStart(): Life {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15' });
  advance(life, instant('2026-11-24T11:00:00Z'));
  give(life, { type: 'operator_retry' });
  const [first, second] = life.sent.filter(({ kind }) => kind === 'registration');
  life.deliveries = [];
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, first);
  const { outcome } = hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2027-01-10' }, second);
  assert.deepEqual([outcome.kind, life.last.state.stage, sentOf(life, 'deregistration')], ['done', 'confirmed', 0]);
  return life;
}

test('a later start that was confirmed beside ours is taken back once ours is not to be, or ends before it', () => {
  const withdrawn = withLaterStart();
  give(withdrawn, askFor('withdrawal'));
  const superseded = withLaterStart();
  hear(superseded, { kind: 'start_revocation', marketLocation: MALO, start: '2026-12-15' });
  const ended = withLaterStart();
  ended.now = instant('2026-12-16T10:00:00Z');
  give(ended, { type: 'due' });
  hear(ended, { kind: 'end_notice', marketLocation: MALO, end: '2026-12-28' });
  for (const life of [withdrawn, superseded, ended]) {
    assert.deepEqual(revokedIn(life), [[MALO, '2027-01-10']]);
    const asked = life.sent.filter((sent) => sent.kind === 'deregistration' && sent.end === '2027-01-10');
    assert.deepEqual(
      asked.map((sent) => sent.kind === 'deregistration' && sent.reason),
      ['ZH2'],
    );
  }
});

test('a later start that was confirmed beside ours is a part of our supply where that ends after it', () => {
  const life = withLaterStart();
  advance(life, instant('2027-01-12T10:00:00Z'));
  hear(life, { kind: 'end_notice', marketLocation: MALO, end: '2027-01-28' });
  advance(life, instant('2027-01-28T10:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'superseded']);
  assert.deepEqual([revokedIn(life), sentOf(life, 'deregistration')], [[], 0]);
});

test('a start that is confirmed although the grid operator had agreed to forget its registration is taken back', () => {
  const [withdrawn, putOff] = [1, 2].map(() => quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15' }));
  assert.ok(withdrawn !== undefined && putOff !== undefined);
  give(withdrawn, askFor('withdrawal'));
  give(putOff, { type: 'corrected', changes: { intendedStartDate: '2027-01-10' } });
  for (const [life, stage] of [
    [withdrawn, 'ended'],
    [putOff, 'registering'],
  ] as const) {
    const asked = life.sent.find(({ kind }) => kind === 'registration');
    hear(life, { kind: 'reversal_confirmation', reverses: asked?.processNumber }, newest(life, 'reversal'));
    const { outcome } = hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, asked);
    assert.deepEqual([outcome.kind, life.last.state.stage], ['done', stage]);
    const { marketLocation, reason, end } = deregistered(life);
    assert.deepEqual([marketLocation, reason, end], [MALO, 'ZH2', '2026-12-15']);
  }
  // What was registered instead goes on.
  const other = newest(putOff, 'registration') as OutboundMessage<'registration'>;
  hear(putOff, { kind: 'registration_confirmation', code: 'A51', start: other.start }, other);
  assert.deepEqual([other.start, putOff.last.state.stage], ['2027-01-10', 'confirmed']);
});
