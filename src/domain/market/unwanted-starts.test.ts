/** Starts that nobody wants, and that the grid operator does not take back: somebody is told until they are over. */
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
  revokedIn,
} from '#test/support/market-life.ts';
import type { OutboundMessage } from './messages.ts';
import { visibleAction } from './state.ts';

const CONFIRMED_AT = '2026-11-23T10:00:00Z';

/** Ended by a withdrawal, and by an operator's message; the start on 2026-12-15 was confirmed after that. */
function unwanted(): Life {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15', transport: 'manual' });
  const asked = newest(life, 'registration');
  give(life, askFor('withdrawal'));
  life.now = instant(CONFIRMED_AT);
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, asked);
  assert.equal(life.last.state.stage, 'ended');
  return life;
}

/** The same, once the revocation is with the grid operator, who has until 06:00 of the next working day. */
function revoked(): Life {
  const life = unwanted();
  give(life, { type: 'transmitted', documentNumber: newest(life, 'deregistration').documentNumber });
  return life;
}

const types = (life: Life): string[] => life.last.events.map(({ type }) => type);
const revocation = (life: Life): [string, string] => {
  const { reason, end } = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  return [reason, end];
};
const REFUSED = { kind: 'deregistration_rejection', code: 'A99' } as const;
const TAKEN_BACK = { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-15' } as const;

test('a revocation that waits for an operator is shown until it is transmitted, with the last day on which it can be', () => {
  const life = unwanted();
  assert.deepEqual(shown(life), ['transmit_message', 'operator', '2026-12-13T23:00:00Z']);
  assert.deepEqual(types(life), ['subscription.action_required']);
  give(life, { type: 'transmitted', documentNumber: newest(life, 'deregistration').documentNumber });
  assert.deepEqual([shown(life)[0], life.last.dueAt], [undefined, '2026-11-24T05:00:00Z']);
  assert.deepEqual(types(life), ['subscription.action_resolved']);
});

test('a revocation that nobody transmits in time is replaced by an end of the supply that begins', () => {
  const life = unwanted();
  const first = newest(life, 'deregistration');
  advance(life, instant('2026-12-13T23:00:00Z'));
  const second = newest(life, 'deregistration');
  assert.deepEqual([sentOf(life, 'deregistration'), second.replaces], [2, first.documentNumber]);
  assert.deepEqual(revocation(life), ['ZT5', '2026-12-16']);
  assert.deepEqual(life.last.state.untransmitted, [second.documentNumber]);
  // It had been handed over all the same.
  assert.equal(hear(life, TAKEN_BACK, first).outcome.kind, 'done');
  assert.deepEqual([visibleAction(life.last.state), life.last.dueAt, life.last.state.untransmitted], [null, null, []]);
});

test('silence on a revocation is told, and becomes the operator’s task', () => {
  const life = revoked();
  advance(life, instant('2026-11-24T05:00:00Z'));
  assert.deepEqual(shown(life), ['revocation_unanswered', 'grid_operator', '2026-12-01T23:00:00Z']);
  assert.deepEqual(types(life), ['subscription.action_required']);
  advance(life, instant('2026-12-01T23:00:00Z'));
  assert.deepEqual(shown(life), ['revocation_unanswered', 'operator', null]);
  assert.equal(visibleAction(life.last.state)?.resolve?.method, 'POST');
});

test('a revocation that the grid operator refuses is told as the operator’s task', () => {
  for (const answer of [
    REFUSED,
    { kind: 'deregistration_rejection', code: 'A06' },
    // Another end than the one that was asked for: until then the customer is ours.
    { kind: 'deregistration_rejection', code: 'A09', confirmedEnd: '2027-06-01' },
  ] as const) {
    const life = revoked();
    assert.equal(hear(life, answer, newest(life, 'deregistration')).outcome.kind, 'done');
    assert.deepEqual(shown(life), ['revocation_refused', 'operator', null]);
    assert.deepEqual([types(life), sentOf(life, 'deregistration')], [['subscription.action_required'], 1]);
  }
});

test('a start that is taken back, or unknown to the grid operator, is nobody’s task any more', () => {
  for (const answer of [
    TAKEN_BACK,
    { kind: 'processing_error', code: 'Z14' },
    { kind: 'processing_error', code: 'Z17' },
    { kind: 'deregistration_rejection', code: 'A09', confirmedEnd: '2026-12-15' },
  ] as const) {
    const life = revoked();
    const asked = newest(life, 'deregistration');
    advance(life, instant('2026-11-24T05:00:00Z'));
    assert.equal(hear(life, answer, asked).outcome.kind, 'done');
    assert.deepEqual([visibleAction(life.last.state), life.last.dueAt], [null, null]);
    assert.deepEqual(types(life), ['subscription.action_resolved']);
  }
});

test('the grid operator’s time for a revocation runs from its receipt, also where it seemed to have passed', () => {
  const life = revoked();
  const asked = newest(life, 'deregistration');
  advance(life, instant('2026-11-24T05:00:00Z'));
  hear(life, { kind: 'acknowledgement', receivedAt: '2026-11-24T01:00:00Z' }, asked);
  assert.deepEqual([visibleAction(life.last.state), life.last.dueAt], [null, '2026-11-25T05:00:00Z']);
});

test('an operator’s retry takes an unwanted start back anew, also once the life has ended', () => {
  const life = revoked();
  const first = newest(life, 'deregistration');
  hear(life, REFUSED, first);
  const { outcome, events } = give(life, { type: 'operator_retry' });
  assert.deepEqual(
    [outcome.kind, sentOf(life, 'deregistration'), revocation(life)],
    ['done', 2, ['ZH2', '2026-12-15']],
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ['subscription.action_resolved', 'subscription.action_required'],
  );
  assert.equal(shown(life)[0], 'transmit_message');
  // Nothing is asked twice, and an answer to the first that came late is not one to the second.
  assert.equal(give(life, { type: 'operator_retry' }).outcome.kind, 'ignored');
  assert.equal(hear(life, REFUSED, first).outcome.kind, 'ignored');
  give(life, { type: 'transmitted', documentNumber: newest(life, 'deregistration').documentNumber });
  hear(life, TAKEN_BACK, newest(life, 'deregistration'));
  assert.deepEqual([visibleAction(life.last.state), life.last.dueAt], [null, null]);
  assert.equal(give(life, { type: 'operator_retry' }).outcome.kind, 'refused');
});

test('a confirmation of a revocation that was repeated since counts, and what waits is not sent', () => {
  const life = revoked();
  const first = newest(life, 'deregistration');
  hear(life, REFUSED, first);
  give(life, { type: 'operator_retry' });
  hear(life, TAKEN_BACK, first);
  assert.deepEqual([visibleAction(life.last.state), life.last.dueAt, life.last.state.untransmitted], [null, null, []]);
});

test('a revocation is repeated by itself three times at most, then a person looks', () => {
  const life = revoked();
  for (const count of [2, 3, 3]) {
    hear(life, { kind: 'processing_error', code: 'Z29' }, newest(life, 'deregistration'));
    assert.equal(sentOf(life, 'deregistration'), count);
  }
  assert.deepEqual(shown(life), ['revocation_refused', 'operator', null]);
});

test('an unwanted start elsewhere is told beside a sign-up that goes on, and hinders it in nothing', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15', transport: 'manual' });
  const first = newest(life, 'registration');
  give(life, { type: 'corrected', changes: { marketLocation: '41373559241' } });
  const second = newest(life, 'registration');
  give(life, { type: 'transmitted', documentNumber: second.documentNumber });
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, first);
  const taken = newest(life, 'deregistration');
  give(life, { type: 'transmitted', documentNumber: taken.documentNumber });
  hear(life, REFUSED, taken);
  assert.equal(shown(life)[0], 'revocation_refused');
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, second);
  assert.deepEqual([life.last.state.stage, shown(life)[0]], ['confirmed', 'revocation_refused']);
  assert.deepEqual(types(life), ['subscription.confirmed']);
});

/** Confirmed when its day had come; the operator asked anew without having cleared it up, and was refused. */
function retriedInVain(): Life {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-27' });
  life.now = instant('2026-11-27T10:00:00Z');
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-27' }, newest(life, 'registration'));
  assert.equal(shown(life)[0], 'confirmed_too_late');
  give(life, { type: 'operator_retry' });
  hear(life, { kind: 'registration_rejection', code: 'A99' }, newest(life, 'registration'));
  assert.equal(shown(life)[0], 'registration_refused');
  return life;
}

test('a start for which an operator has asked anew in vain is taken back when he gives up', () => {
  const life = retriedInVain();
  give(life, { type: 'given_up' });
  const asked = newest(life, 'deregistration');
  assert.ok(asked.kind === 'deregistration');
  assert.deepEqual([life.last.state.stage, asked.marketLocation, asked.reason], ['ended', MALO, 'ZT5']);
  assert.ok(life.last.dueAt !== null);
  hear(life, { kind: 'processing_error', code: 'Z18' }, asked);
  assert.deepEqual([life.last.dueAt, shown(life)[0]], [null, undefined]);
});

test('it is taken back when we supply at another place, and not when it has an end, or we supply from another day', () => {
  const moved = retriedInVain();
  give(moved, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  const start = '2026-12-05';
  hear(moved, { kind: 'registration_confirmation', code: 'A51', start }, newest(moved, 'registration'));
  const asked = newest(moved, 'deregistration');
  assert.ok(asked.kind === 'deregistration');
  assert.deepEqual([moved.last.state.stage, asked.marketLocation], ['confirmed', MALO]);

  const ended = retriedInVain();
  hear(ended, { kind: 'end_notice', marketLocation: MALO, end: '2026-12-03' });
  give(ended, { type: 'given_up' });
  assert.deepEqual([ended.last.state.stage, sentOf(ended, 'deregistration')], ['ended', 0]);

  const again = retriedInVain();
  give(again, { type: 'operator_retry' });
  hear(again, { kind: 'registration_confirmation', code: 'A51', start }, newest(again, 'registration'));
  assert.deepEqual([again.last.state.stage, sentOf(again, 'deregistration')], ['confirmed', 0]);
});

/** Two starts of one sign-up, both confirmed when their days had come: the operator had asked anew after the first. */
function tooLateTwice(): Life {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-27' });
  for (const at of ['2026-11-27T10:00:00Z', '2026-12-09T10:00:00Z']) {
    const asked = newest(life, 'registration') as OutboundMessage<'registration'>;
    life.now = instant(at);
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: asked.start }, asked);
    assert.equal(shown(life)[0], 'confirmed_too_late');
    give(life, { type: 'operator_retry' });
  }
  return life;
}

test('of two starts that were both confirmed too late each is taken back when nothing comes of the sign-up', () => {
  const life = tooLateTwice();
  hear(life, { kind: 'registration_rejection', code: 'A99' }, newest(life, 'registration'));
  give(life, { type: 'given_up' });
  assert.deepEqual(revokedIn(life), [
    [MALO, '2026-11-27'],
    [MALO, '2026-12-01'],
  ]);
  for (const { processNumber } of life.sent.filter(({ kind }) => kind === 'deregistration')) {
    hear(life, { kind: 'processing_error', code: 'Z18' }, { processNumber } as OutboundMessage);
  }
  assert.deepEqual([life.last.dueAt, shown(life)[0], revokedIn(life)], [null, undefined, []]);
});

test('of two starts that were both confirmed too late the older is taken back when we supply from the other at another place', () => {
  const life = retriedInVain();
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  const asked = newest(life, 'registration') as OutboundMessage<'registration'>;
  life.now = instant(`${asked.start}T10:00:00Z`);
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: asked.start }, asked);
  assert.deepEqual([shown(life)[0], revokedIn(life)], ['confirmed_too_late', []]);
  give(life, { type: 'start_accepted' });
  assert.deepEqual([life.last.state.stage, revokedIn(life)], ['confirmed', [[MALO, '2026-11-27']]]);
});

test('a start that was confirmed too late is not taken back once it has an end, or another there is supplied from', () => {
  const superseded = tooLateTwice();
  for (const start of ['2026-11-27', '2026-12-01'])
    hear(superseded, { kind: 'start_revocation', marketLocation: MALO, start });
  const ended = tooLateTwice();
  hear(ended, { kind: 'end_notice', marketLocation: MALO, end: '2026-12-20' });
  for (const life of [superseded, ended]) {
    hear(life, { kind: 'registration_rejection', code: 'A99' }, newest(life, 'registration'));
    give(life, { type: 'given_up' });
    assert.deepEqual([life.last.state.stage, sentOf(life, 'deregistration')], ['ended', 0]);
  }
  const supplied = tooLateTwice();
  const start = '2026-12-11';
  hear(supplied, { kind: 'registration_confirmation', code: 'A51', start }, newest(supplied, 'registration'));
  advance(supplied, instant('2026-12-20T10:00:00Z'));
  assert.deepEqual([supplied.last.state.stage, sentOf(supplied, 'deregistration')], ['supplying', 0]);
});
