/** Ends that the grid operator has confirmed already, by his answer to something else: none is forgotten, and none a dead end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  advance,
  askFor,
  beginLife,
  ending,
  give,
  hear,
  instant,
  MALO,
  newest,
  quiet,
  sentOf,
  shown,
  type Life,
} from '#test/support/market-life.ts';
import type { OutboundMessage } from './messages.ts';
import { visibleAction } from './state.ts';

const confirmedFor = (end: string) => ({ kind: 'deregistration_confirmation', code: 'A11', end }) as const;
const alreadyConfirmed = (confirmedEnd?: string) =>
  ({
    kind: 'deregistration_rejection',
    code: 'A09',
    ...(confirmedEnd === undefined ? {} : { confirmedEnd }),
  }) as const;

/** An end on 2027-02-01 that the grid operator has not answered, and the withdrawal that asks for 2026-12-04 instead. */
function withdrawn(): { readonly life: Life; readonly first: OutboundMessage } {
  const life = ending();
  const first = newest(life, 'deregistration');
  give(life, askFor('withdrawal'));
  life.deliveries = [];
  return { life, first };
}

function assertEndsLate(life: Life, day: string): void {
  advance(life, instant(`${day}T09:00:00Z`));
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
}

test('a withdrawn supply ends on the later day that the grid operator names when he refuses the earlier one', () => {
  const { life } = withdrawn();
  hear(life, alreadyConfirmed('2027-02-01'), newest(life, 'deregistration'));
  assert.deepEqual([shown(life)[0], life.last.state.stage], ['deregistration_refused', 'ending']);
  advance(life, instant('2026-12-05T09:00:00Z'));
  assert.equal(life.last.state.endAt, '2027-01-31T23:00:00Z');
  assertEndsLate(life, '2027-02-01');
});

test('the grid operator’s confirmation of an end that a withdrawal has replaced is the last day at most', () => {
  for (const isBefore of [true, false]) {
    const { life, first } = withdrawn();
    const confirm = (): void => assert.equal(hear(life, confirmedFor('2027-02-01'), first).outcome.kind, 'done');
    if (isBefore) confirm();
    hear(life, alreadyConfirmed(), newest(life, 'deregistration'));
    if (!isBefore) confirm();
    assert.equal(shown(life)[0], 'deregistration_refused');
    assertEndsLate(life, '2027-02-01');
  }
});

test('an end that was handed over unseen before a withdrawal replaced it is the last day at most, too, once it is confirmed', () => {
  const life = quiet({ transport: 'manual' });
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, newest(life, 'registration'));
  advance(life, instant('2026-12-01T11:00:00Z'));
  give(life, askFor('ordinary', '2027-02-01'));
  advance(life, instant('2026-12-02T01:00:00Z'));
  const first = newest(life, 'deregistration');
  give(life, askFor('withdrawal'));
  assert.equal(hear(life, confirmedFor('2027-02-01'), first).outcome.kind, 'done');
  hear(life, alreadyConfirmed(), newest(life, 'deregistration'));
  advance(life, instant('2026-12-05T09:00:00Z'));
  assert.equal(life.last.state.endAt, '2027-01-31T23:00:00Z');
  assertEndsLate(life, '2027-02-01');
});

test('an end handed over unseen before it was taken back counts once it is confirmed, also where another is planned by then', () => {
  for (const [second, heard] of [
    ['2027-03-01', ['2027-01-31T23:00:00Z', true, null]],
    ['2027-02-01', ['2027-01-31T23:00:00Z', true, null]],
    // One that is wanted earlier is asked for at once, and his is the last day.
    ['2027-01-15', ['2027-01-14T23:00:00Z', false, null]],
  ] as const) {
    const life = quiet({ transport: 'manual' });
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, newest(life, 'registration'));
    advance(life, instant('2026-12-01T11:00:00Z'));
    give(life, askFor('ordinary', '2027-02-01'));
    advance(life, instant('2026-12-02T01:00:00Z'));
    const first = newest(life, 'deregistration');
    give(life, { type: 'termination_undone' });
    give(life, askFor('ordinary', second));
    assert.equal(hear(life, confirmedFor('2027-02-01'), first).outcome.kind, 'done');
    const { end, endAt } = life.last.state;
    assert.deepEqual([endAt, end?.confirmed, end?.sendAt], heard);
    assert.equal(give(life, { type: 'termination_undone' }).outcome.kind, 'refused');
    if (end?.confirmed === false) hear(life, alreadyConfirmed('2027-02-01'), newest(life, 'deregistration'));
    assert.deepEqual([life.last.state.endAt, shown(life)[0]], ['2027-01-31T23:00:00Z', undefined]);
    advance(life, instant('2027-02-01T09:00:00Z'));
    assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'terminated']);
  }
});

test('the earlier end that a withdrawal asks for counts although the one before it is confirmed, too', () => {
  const { life, first } = withdrawn();
  hear(life, confirmedFor('2027-02-01'), first);
  hear(life, confirmedFor('2026-12-04'), newest(life, 'deregistration'));
  assert.deepEqual([life.last.state.endAt, life.last.state.end?.confirmed], ['2026-12-03T23:00:00Z', true]);
  assertEndsLate(life, '2026-12-04');
});

test('a confirmation of an end that was replaced changes nothing once another end is confirmed', () => {
  const { life, first } = withdrawn();
  hear(life, confirmedFor('2026-12-04'), newest(life, 'deregistration'));
  const { outcome, state } = hear(life, confirmedFor('2027-02-01'), first);
  assert.deepEqual([outcome.kind, state.endAt], ['ignored', '2026-12-03T23:00:00Z']);
});

test('a start that is revoked after an end was asked for ends on that later day when the revocation is refused', () => {
  const life = beginLife({ nextPossibleStart: false, intendedStartDate: '2026-12-02' });
  advance(life, instant('2026-11-24T10:00:00Z'));
  give(life, askFor('ordinary', '2027-02-01'));
  advance(life, instant('2026-11-25T00:00:00Z'));
  life.deliveries = [];
  give(life, askFor('withdrawal'));
  hear(life, alreadyConfirmed('2027-02-01'), newest(life, 'deregistration'));
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['confirmed', 'deregistration_refused']);
  advance(life, instant('2026-12-02T01:00:00Z'));
  life.deliveries = [];
  hear(life, alreadyConfirmed('2027-02-01'), newest(life, 'deregistration'));
  assertEndsLate(life, '2027-02-01');
});

test('an end that is confirmed already is not taken back behind the grid operator’s back, by whatever he says so', () => {
  const table = [
    [alreadyConfirmed('2026-11-30'), 'ended_too_early'],
    [alreadyConfirmed('2027-01-15'), 'ended_too_early'],
    [alreadyConfirmed(), 'deregistration_refused'],
  ] as const;
  for (const [refusal, code] of table) {
    const life = ending();
    hear(life, refusal, newest(life, 'deregistration'));
    assert.equal(shown(life)[0], code);
    const { outcome, state } = give(life, { type: 'termination_undone' });
    assert.deepEqual([outcome.kind, state.stage, shown(life)[0]], ['refused', 'ending', code]);
  }
});

test('a wish to take an end back comes to nothing when it is confirmed already, and the operator is told', () => {
  const life = ending();
  const asked = newest(life, 'deregistration');
  give(life, { type: 'termination_undone' });
  hear(life, alreadyConfirmed(), asked);
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['ending', 'deregistration_refused']);
  hear(life, { kind: 'reversal_confirmation', reverses: asked.processNumber }, newest(life, 'reversal'));
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['ending', 'deregistration_refused']);
});

test('an earlier end said to be confirmed already is believed where the grid operator has told of it, or we asked for it', () => {
  const noticed = ending();
  hear(noticed, alreadyConfirmed('2027-01-15'), newest(noticed, 'deregistration'));
  assert.equal(shown(noticed)[0], 'ended_too_early');
  hear(noticed, { kind: 'end_notice', marketLocation: MALO, end: '2027-01-15' });
  assert.deepEqual([noticed.last.state.endAt, shown(noticed)[0]], ['2027-01-14T23:00:00Z', undefined]);
  const asked = ending();
  advance(asked, instant('2027-01-30T09:00:00Z'));
  give(asked, { type: 'operator_retry' });
  const again = newest(asked, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.ok(again.end > '2027-02-01');
  hear(asked, alreadyConfirmed('2027-02-01'), again);
  assert.deepEqual([asked.last.state.endAt, asked.last.state.end?.confirmed], ['2027-01-31T23:00:00Z', true]);
});

test('an end said to be confirmed already is believed where we asked for that day, though nobody had said that it was sent', () => {
  const life = beginLife({ transport: 'manual', cancellationPeriod: 'P0D' });
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, newest(life, 'registration'));
  life.now = instant('2026-12-01T10:00:00Z');
  while (life.last.state.stage !== 'supplying') give(life, { type: 'due' });
  give(life, askFor('ordinary', '2026-12-03'));
  advance(life, instant('2026-12-02T10:00:00Z'));
  const again = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual([again.end, sentOf(life, 'deregistration')], ['2026-12-04', 2]);
  give(life, { type: 'transmitted', documentNumber: again.documentNumber });
  hear(life, alreadyConfirmed('2026-12-03'), again);
  assert.deepEqual([life.last.state.endAt, life.last.state.end?.confirmed], ['2026-12-02T23:00:00Z', true]);
  assert.equal(shown(life)[0], undefined);
});

test('an end said to be confirmed already is believed where it lies between a day that we asked for and a later one', () => {
  const life = ending();
  advance(life, instant('2027-02-03T09:00:00Z'));
  give(life, { type: 'operator_retry' });
  const again = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.ok(again.end > '2027-02-02');
  hear(life, alreadyConfirmed('2027-02-02'), again);
  assert.deepEqual([life.last.state.endAt, life.last.state.end?.confirmed], ['2027-02-01T23:00:00Z', true]);
});

test('an earlier end said to be confirmed already ends no life before its start: a person looks at it', () => {
  const life = beginLife({ nextPossibleStart: false, intendedStartDate: '2026-12-02' });
  advance(life, instant('2026-11-24T10:00:00Z'));
  give(life, askFor('ordinary', '2027-02-01'));
  advance(life, instant('2026-11-25T00:00:00Z'));
  life.deliveries = [];
  hear(life, alreadyConfirmed('2026-12-01'), newest(life, 'deregistration'));
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['confirmed', 'ended_too_early']);
});

test('nothing is to be cleared up of a later end that has come as well by the time that it is named', () => {
  const { life } = withdrawn();
  const asked = newest(life, 'deregistration');
  advance(life, instant('2026-12-10T09:00:00Z'));
  const { events } = hear(life, alreadyConfirmed('2026-12-08'), asked);
  assert.deepEqual([life.last.state.end?.confirmed, shown(life)[0]], [true, undefined]);
  assert.ok(events.every(({ type }) => type !== 'subscription.action_required'));
  assertEndsLate(life, '2026-12-10');
});

test('of the ends that the grid operator has told the earliest holds, in whatever order they are heard', () => {
  const notice = (end: string) => ({ kind: 'end_notice', marketLocation: MALO, end }) as const;
  const told = ['2027-02-20', '2027-03-01'] as const;
  for (const [earlier, later] of [told, [told[1], told[0]] as const]) {
    for (const answer of [alreadyConfirmed('2027-03-01'), confirmedFor('2027-03-01')]) {
      const life = ending();
      hear(life, notice(earlier));
      hear(life, notice(later));
      hear(life, answer, newest(life, 'deregistration'));
      assert.equal(life.last.state.endAt, '2027-02-19T23:00:00Z', `${earlier} ${answer.kind}`);
      advance(life, instant('2027-02-20T09:00:00Z'));
      assert.equal(life.last.state.stage, 'ended');
    }
  }
});

/** Confirmed for Saturday 2026-11-28, with an end on the day after that the grid operator has not answered. */
function endingAtOnce(): { readonly life: Life; readonly asked: OutboundMessage } {
  const life = beginLife({ nextPossibleStart: false, intendedStartDate: '2026-11-28', cancellationPeriod: 'P0D' });
  advance(life, instant('2026-11-24T10:00:00Z'));
  give(life, askFor('ordinary', '2026-11-29'));
  advance(life, instant('2026-11-25T00:00:00Z'));
  life.deliveries = [];
  return { life, asked: newest(life, 'deregistration') };
}

test('a withdrawal that is too late to revoke the start puts no end off that the grid operator has been asked for', () => {
  for (const isAsked of [true, false]) {
    const { life, asked } = endingAtOnce();
    if (!isAsked) hear(life, confirmedFor('2026-11-29'), asked);
    advance(life, instant('2026-11-27T10:00:00Z'));
    give(life, askFor('withdrawal'));
    assert.deepEqual([newest(life, 'deregistration'), life.last.state.endAt], [asked, '2026-11-28T23:00:00Z']);
    if (isAsked) hear(life, confirmedFor('2026-11-29'), asked);
    assertEndsLate(life, '2026-11-29');
  }
});

test('an end before a start that can no longer be revoked is asked for again when nobody answers', () => {
  const { life } = endingAtOnce();
  advance(life, instant('2026-11-27T10:00:00Z'));
  give(life, askFor('withdrawal'));
  give(life, { type: 'operator_retry' });
  const again = newest(life, 'deregistration');
  assert.ok(again.kind === 'deregistration' && again.end === '2026-12-01');
  hear(life, confirmedFor('2026-12-01'), again);
  assertEndsLate(life, '2026-12-01');
});

test('the first of two revocations of a start counts when it is confirmed after all', () => {
  for (const isRefused of [true, false]) {
    const life = beginLife({ nextPossibleStart: false, intendedStartDate: '2026-12-15' });
    advance(life, instant('2026-11-24T10:00:00Z'));
    give(life, askFor('withdrawal'));
    const first = newest(life, 'deregistration');
    life.deliveries = [];
    advance(life, instant('2026-12-03T10:00:00Z'));
    give(life, { type: 'operator_retry' });
    life.deliveries = [];
    if (isRefused) hear(life, { kind: 'deregistration_rejection', code: 'A06' }, newest(life, 'deregistration'));
    hear(life, confirmedFor('2026-12-15'), first);
    assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
  }
});

test('a supply whose start is revoked only after it never was: it ends at once, without a day', () => {
  for (const wait of ['2026-12-15T09:00:00Z', '2026-12-16T09:00:00Z']) {
    for (const answer of [
      confirmedFor('2026-12-15'),
      { kind: 'end_notice', marketLocation: MALO, end: '2026-12-15' },
    ] as const) {
      const life = beginLife({ nextPossibleStart: false, intendedStartDate: '2026-12-15' });
      advance(life, instant('2026-11-24T10:00:00Z'));
      give(life, askFor('withdrawal'));
      const revocation = newest(life, 'deregistration');
      life.deliveries = [];
      advance(life, instant(wait));
      assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['ending', '2026-12-16T23:00:00Z']);
      const { state, events } = hear(life, answer, answer.kind === 'end_notice' ? undefined : revocation);
      assert.deepEqual([state.stage, state.endReason, state.startAt, state.endAt], ['ended', 'withdrawn', null, wait]);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['subscription.ended'],
      );
      assert.deepEqual([life.last.dueAt, visibleAction(state)], [null, null]);
    }
  }
});
