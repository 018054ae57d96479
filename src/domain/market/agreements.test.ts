/** What partners were told and hold us to, and what they have agreed to that a later wish contradicts. */
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
  OTHER_MALO,
  quiet,
  sentOf,
  shown,
  supplierNamed,
  type Life,
} from '#test/support/market-life.ts';
import type { OutboundMessage } from './messages.ts';
import type { SupplyFacts } from './state.ts';
import type { Decision } from './supply.ts';

const inquiry = {
  kind: 'end_inquiry',
  marketLocation: MALO,
  reason: 'E03',
  registeredOn: '2026-12-02',
  customerName: 'Max Muster',
} as const;
const cancellation = { kind: 'cancellation', marketLocation: MALO, supplier: null } as const;

/** The answers among the messages of a decision: kind, code and the day that each names. */
function answersOf({ messages }: Decision): unknown[] {
  return messages
    .filter(({ answers }) => answers !== null)
    .map((message) => {
      const { kind, code, end, nextPossibleEnd } = message as unknown as Record<string, unknown>;
      return [kind, code, end ?? nextPossibleEnd];
    });
}

/** The days of the deregistrations among the messages of a decision. */
function deregisteredBy({ messages }: Decision): string[] {
  return messages.flatMap((message) => (message.kind === 'deregistration' ? [message.end] : []));
}

/** In supply, with an end on 2027-02-01 that the grid operator has refused for a reason that a person has to clear up. */
function refusedEnd(): Life {
  const life = ending();
  hear(life, { kind: 'deregistration_rejection', code: 'A99' }, newest(life, 'deregistration'));
  return life;
}

test('consent to an inquiry names the end of a deregistration only while that is pending', () => {
  const pending = ending();
  const asked = { ...inquiry, end: '2027-02-10' };
  assert.deepEqual(answersOf(hear(pending, asked)), [['end_inquiry_consent', 'A31', '2027-02-01']]);

  const refused = refusedEnd();
  assert.deepEqual(answersOf(hear(refused, asked)), [['end_inquiry_consent', 'A36', '2027-02-10']]);

  const unanswered = ending();
  advance(unanswered, instant('2027-02-02T09:00:00Z'));
  const late = { ...asked, registeredOn: '2027-02-02' };
  assert.deepEqual(answersOf(hear(unanswered, late)), [['end_inquiry_consent', 'A36', '2027-02-10']]);
});

test('a deregistration that an inquiry hastens and the answer to it name the same day', () => {
  const life = ending('2026-12-01T12:00:00Z');
  const decision = hear(life, { ...inquiry, end: '2027-02-10', registeredOn: '2026-12-01' });
  assert.deepEqual(deregisteredBy(decision), ['2027-02-01']);
  assert.deepEqual(answersOf(decision), [['end_inquiry_consent', 'A31', '2027-02-01']]);
});

test('a cancellation for the next possible day is never confirmed for a day that has passed', () => {
  for (const life of [ending(), refusedEnd()]) {
    const open = { ...life, sent: [...life.sent], trace: [...life.trace] };
    assert.deepEqual(answersOf(hear(open, { ...cancellation, end: null })), [
      ['cancellation_confirmation', 'A03', '2027-02-01'],
    ]);
    advance(life, instant('2027-02-02T09:00:00Z'));
    assert.deepEqual(answersOf(hear(life, { ...cancellation, end: null })), [
      ['cancellation_rejection', 'A04', undefined],
    ]);
  }
});

/** A switch on 2026-12-15 in a live project, whose cancellation is with the old supplier; then the start is put off. */
function putOff(): { readonly life: Life; readonly first: OutboundMessage; readonly second: OutboundMessage } {
  const wish = { nextPossibleStart: false, intendedStartDate: '2026-12-15' } as const;
  const life = quiet({ ...wish, transport: 'manual', previousSupplier: supplierNamed('Previous Supplier') });
  const first = newest(life, 'cancellation');
  give(life, { type: 'transmitted', documentNumber: first.documentNumber });
  give(life, { type: 'corrected', changes: { intendedStartDate: '2027-02-01' } });
  for (const kind of ['reversal', 'cancellation'] as const) {
    give(life, { type: 'transmitted', documentNumber: newest(life, kind).documentNumber });
  }
  return { life, first, second: newest(life, 'cancellation') };
}

test('a start that is put off while the old supplier confirms the earlier one leaves no days without supply unseen', () => {
  const { life, first, second } = putOff();
  assert.deepEqual([sentOf(life, 'cancellation'), sentOf(life, 'reversal')], [2, 1]);
  assert.equal(
    hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-12-15' }, first).outcome.kind,
    'done',
  );
  hear(life, { kind: 'cancellation_rejection', code: 'A04' }, second);
  assert.deepEqual(shown(life), ['cancelled_too_early', 'operator', null]);
  assert.equal(sentOf(life, 'registration'), 0);
  give(life, { type: 'corrected', changes: { intendedStartDate: '2026-12-15' } });
  hear(life, { kind: 'cancellation_confirmation', code: 'A03', end: '2026-12-15' }, newest(life, 'cancellation'));
  assert.equal((newest(life, 'registration') as OutboundMessage<'registration'>).start, '2026-12-15');
});

test('a contract that has ended long ago does not keep a start from being put off', () => {
  const { life, first, second } = putOff();
  hear(life, { kind: 'cancellation_rejection', code: 'A04' }, first);
  hear(life, { kind: 'cancellation_rejection', code: 'A04' }, second);
  assert.equal((newest(life, 'registration') as OutboundMessage<'registration'>).start, '2027-02-01');
});

test('what one supplier has confirmed says nothing of another', () => {
  const { life, first } = putOff();
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-12-15' }, first);
  give(life, { type: 'corrected', changes: { previousSupplier: supplierNamed('Another Supplier') } });
  hear(life, { kind: 'cancellation_rejection', code: 'A04' }, newest(life, 'cancellation'));
  assert.equal((newest(life, 'registration') as OutboundMessage<'registration'>).start, '2027-02-01');
});

/** The customer is bound until 2027-03-01, and has been asked for a day. */
function bound(facts: Partial<SupplyFacts> = {}): Life {
  const life = quiet({ previousSupplier: supplierNamed('Previous Supplier'), ...facts });
  const rejection = { kind: 'cancellation_rejection', code: 'A06', nextPossibleEnd: '2027-03-01' } as const;
  hear(life, rejection, newest(life, 'cancellation'));
  assert.equal(shown(life)[0], 'previous_contract_bound');
  return life;
}

test('who is asked for a day from which on he is no longer bound cannot name an earlier one', () => {
  const wished = { nextPossibleStart: false, intendedStartDate: '2027-01-15' };
  const previousSupplier = supplierNamed('Previous Supplier');
  for (const facts of [{}, wished]) {
    // An earlier one, the one that he wished before, and the same beside a supplier who is no other.
    for (const changes of [
      { intendedStartDate: '2027-02-28' },
      { intendedStartDate: '2027-01-15' },
      { intendedStartDate: '2027-02-28', previousSupplier },
    ]) {
      const life = bound(facts);
      const before = life.last.state;
      const { outcome, state } = give(life, { type: 'corrected', changes });
      assert.deepEqual(outcome, { kind: 'refused', code: 'start_date_too_early', earliest: '2027-03-01' });
      assert.deepEqual(state, before);
    }
    for (const changes of [
      { intendedStartDate: '2027-03-01' },
      { intendedStartDate: '2027-03-15', previousSupplier },
      { intendedStartDate: '2027-01-15', previousSupplier: null },
      { intendedStartDate: '2027-01-15', previousSupplier: supplierNamed('Another Supplier') },
      { intendedStartDate: '2027-01-15', marketLocation: OTHER_MALO },
    ]) {
      const life = bound(facts);
      assert.equal(give(life, { type: 'corrected', changes }).outcome.kind, 'done');
    }
  }
});

test('a start chosen because of one contract does not bind when another is cancelled', () => {
  const endOf = (life: Life): unknown => (newest(life, 'cancellation') as OutboundMessage<'cancellation'>).end;
  const previousSupplier = supplierNamed('Another Supplier');

  const life = bound();
  give(life, { type: 'corrected', changes: { intendedStartDate: '2027-03-15' } });
  assert.equal(endOf(life), '2027-03-15');
  give(life, { type: 'corrected', changes: { previousSupplier } });
  assert.equal(endOf(life), null);

  const both = bound();
  give(both, { type: 'corrected', changes: { intendedStartDate: '2027-03-15', previousSupplier } });
  assert.equal(endOf(both), '2027-03-15');
});

test('a supplier whose contract a cancellation does not concern is the customer’s to correct', () => {
  const life = quiet({ previousSupplier: supplierNamed('Previous Supplier') });
  hear(life, { kind: 'processing_error', code: 'Z18' }, newest(life, 'cancellation'));
  assert.deepEqual(shown(life).slice(0, 2), ['previous_supplier_unaware', 'customer']);
  const elsewhere = quiet();
  hear(elsewhere, { kind: 'processing_error', code: 'Z18' }, newest(elsewhere, 'registration'));
  assert.deepEqual(shown(elsewhere).slice(0, 2), ['registration_refused', 'operator']);
});

const PREVIOUS = supplierNamed('Previous Supplier');
const REMOVED = { type: 'corrected', changes: { previousSupplier: null } } as const;
const GIVEN_AGAIN = { type: 'corrected', changes: { previousSupplier: PREVIOUS } } as const;
const ANOTHER = { type: 'corrected', changes: { previousSupplier: supplierNamed('Another Supplier') } } as const;
const kindsOf = ({ messages }: Decision): string[] => messages.map(({ kind }) => kind);

/** The old supplier has confirmed an end, for which we have registered; the grid operator has not answered. */
function confirmedEnd(end: string, facts: Partial<SupplyFacts> = {}): Life {
  const life = quiet({ previousSupplier: PREVIOUS, ...facts });
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end }, newest(life, 'cancellation'));
  assert.equal((newest(life, 'registration') as OutboundMessage<'registration'>).start, end);
  return life;
}

test('a registration for the confirmed end of the old contract stays as it is when the supplier is removed or given again', () => {
  for (const facts of [{}, { nextPossibleStart: false, intendedStartDate: '2026-11-25' }]) {
    const life = confirmedEnd('2026-11-25', facts);
    const asked = newest(life, 'registration');
    life.now = instant('2026-11-24T05:00:00Z');
    for (const change of [REMOVED, GIVEN_AGAIN, REMOVED]) {
      const { outcome, messages } = give(life, change);
      assert.deepEqual([outcome.kind, messages], ['done', []]);
    }
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-25' }, asked);
    assert.equal(life.last.state.startAt, '2026-11-24T23:00:00Z');
  }
});

test('a registration after a contract that has ended long ago stays as it is when the supplier is removed or given again', () => {
  const life = quiet({ previousSupplier: PREVIOUS });
  hear(life, { kind: 'cancellation_rejection', code: 'A04' }, newest(life, 'cancellation'));
  assert.equal(sentOf(life, 'registration'), 1);
  for (const change of [REMOVED, GIVEN_AGAIN]) assert.deepEqual(kindsOf(give(life, change)), []);
});

test('whatever is registered anew after the removal of the supplier begins with the confirmed end, as a switch', () => {
  const refusals = [
    [{ kind: 'registration_rejection', code: 'A05' }, { type: 'operator_retry' }],
    [{ kind: 'registration_rejection', code: 'A50', supplierCode: 'A35' }, REMOVED],
    [{ kind: 'processing_error', code: 'Z14' }, { type: 'operator_retry' }],
  ] as const;
  for (const [refusal, next] of refusals) {
    const life = confirmedEnd('2027-04-11');
    hear(life, refusal, newest(life, 'registration'));
    give(life, REMOVED);
    if (next !== REMOVED) give(life, next);
    if (refusal.code === 'Z14') {
      hear(life, { kind: 'identification_match', marketLocation: MALO }, newest(life, 'identification_request'));
    }
    const { start, reason } = newest(life, 'registration') as OutboundMessage<'registration'>;
    assert.deepEqual([sentOf(life, 'registration'), start, reason], [2, '2027-04-11', 'E03'], refusal.code);
  }
});

test('the removal of a supplier who has confirmed leaves to the operator what he has to clear up', () => {
  const life = confirmedEnd('2027-04-11');
  hear(life, { kind: 'registration_rejection', code: 'A05' }, newest(life, 'registration'));
  assert.deepEqual(kindsOf(give(life, REMOVED)), []);
  assert.equal(shown(life)[0], 'balancing_group_authority_missing');
});

test('a start is not put off beyond the confirmed end by removing the supplier', () => {
  const wish = { nextPossibleStart: false, intendedStartDate: '2027-01-20' } as const;
  const later = { intendedStartDate: '2027-03-01' } as const;
  const refused = { kind: 'refused', code: 'leaves_gap', earliest: '2027-01-20' };
  const life = confirmedEnd('2027-01-20', wish);
  const both = { ...REMOVED.changes, ...later };
  assert.deepEqual(give(life, { type: 'corrected', changes: both }).outcome, refused);
  give(life, REMOVED);
  assert.deepEqual(give(life, { type: 'corrected', changes: later }).outcome, refused);
});

test('what else is corrected with the removal of the supplier is asked anew', () => {
  const wish = { nextPossibleStart: false, intendedStartDate: '2027-01-20' } as const;
  const life = confirmedEnd('2027-01-20', wish);
  const changes = { previousSupplier: null, intendedStartDate: '2027-01-10' };
  assert.deepEqual(kindsOf(give(life, { type: 'corrected', changes })), ['reversal']);
  hear(life, { kind: 'reversal_confirmation', reverses: 'ours' }, newest(life, 'reversal'));
  assert.equal((newest(life, 'registration') as OutboundMessage<'registration'>).start, '2027-01-20');
  const elsewhere = confirmedEnd('2027-01-20', wish);
  give(elsewhere, { type: 'corrected', changes: { ...changes, marketLocation: OTHER_MALO } });
  hear(elsewhere, { kind: 'reversal_confirmation', reverses: 'ours' }, newest(elsewhere, 'reversal'));
  const { start, reason } = newest(elsewhere, 'registration') as OutboundMessage<'registration'>;
  assert.deepEqual([start, reason], ['2027-01-10', 'E01']);
});

test('an end that a supplier has confirmed is not forgotten over another supplier who is given for a while', () => {
  const wish = { nextPossibleStart: false, intendedStartDate: '2026-12-15' } as const;
  for (const removal of [[], [REMOVED]]) {
    const life = confirmedEnd('2026-12-15', wish);
    for (const change of [...removal, ANOTHER]) give(life, change);
    hear(life, { kind: 'reversal_confirmation', reverses: 'ours' }, newest(life, 'reversal'));
    const { supplier } = newest(life, 'cancellation') as OutboundMessage<'cancellation'>;
    assert.deepEqual([supplier?.id, life.last.state.stage], [ANOTHER.changes.previousSupplier.id, 'cancelling']);
    give(life, { type: 'corrected', changes: { ...GIVEN_AGAIN.changes, intendedStartDate: '2027-02-01' } });
    hear(life, { kind: 'cancellation_rejection', code: 'A04' }, newest(life, 'cancellation'));
    assert.deepEqual(shown(life), ['cancelled_too_early', 'operator', null]);
    assert.equal(sentOf(life, 'registration'), 1);
  }
});

test('an end that a supplier has confirmed is not forgotten over another place that is given for a while', () => {
  const life = confirmedEnd('2026-12-15', { nextPossibleStart: false, intendedStartDate: '2026-12-15' });
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  hear(life, { kind: 'reversal_confirmation', reverses: 'ours' }, newest(life, 'reversal'));
  give(life, { type: 'corrected', changes: { marketLocation: MALO, intendedStartDate: '2027-02-01' } });
  hear(life, { kind: 'cancellation_rejection', code: 'A04' }, newest(life, 'cancellation'));
  assert.deepEqual(shown(life), ['cancelled_too_early', 'operator', null]);
});

test('a supplier given again who says that his contract has ended already is held to the end that he has confirmed', () => {
  const life = confirmedEnd('2027-04-11');
  give(life, ANOTHER);
  hear(life, { kind: 'reversal_confirmation', reverses: 'ours' }, newest(life, 'reversal'));
  give(life, GIVEN_AGAIN);
  hear(life, { kind: 'cancellation_rejection', code: 'A04' }, newest(life, 'cancellation'));
  assert.equal((newest(life, 'registration') as OutboundMessage<'registration'>).start, '2027-04-11');
});

const LATER_ENDS = [
  { kind: 'end_notice', marketLocation: MALO, end: '2027-03-01' },
  { kind: 'grid_operator_end', marketLocation: MALO, end: '2027-03-01' },
] as const;

test('an end that the grid operator has named stands when the earlier one that we asked for comes to nothing', () => {
  for (const later of LATER_ENDS) {
    const [refused, silent] = [ending(), ending()];
    hear(refused, later);
    hear(refused, { kind: 'deregistration_rejection', code: 'A99' }, newest(refused, 'deregistration'));
    assert.deepEqual([refused.last.state.endAt, shown(refused)[0]], ['2027-01-31T23:00:00Z', 'deregistration_refused']);
    hear(silent, later);
    for (const life of [refused, silent]) {
      advance(life, instant('2027-02-02T09:00:00Z'));
      assert.equal(life.last.state.endAt, '2027-02-28T23:00:00Z', later.kind);
      advance(life, instant('2027-03-01T09:00:00Z'));
      assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'terminated'], later.kind);
    }
  }
});

test('nothing is asked of the grid operator for a day on which he ends the supply himself', () => {
  const life = ending();
  hear(life, LATER_ENDS[0]);
  const asked = sentOf(life, 'deregistration');
  advance(life, instant('2027-02-27T09:00:00Z'));
  hear(life, { kind: 'deregistration_rejection', code: 'A02' }, newest(life, 'deregistration'));
  assert.deepEqual([sentOf(life, 'deregistration'), life.last.state.endAt], [asked, '2027-02-28T23:00:00Z']);
});

test('a withdrawal asks for an earlier end although the grid operator has named one', () => {
  const life = beginLife();
  advance(life, instant('2026-12-01T11:00:00Z'));
  life.deliveries = [];
  hear(life, { ...LATER_ENDS[0], end: '2026-12-20' });
  give(life, askFor('withdrawal'));
  assert.equal(life.last.state.endAt, '2026-12-02T23:00:00Z');
  hear(life, { kind: 'deregistration_rejection', code: 'A99' }, newest(life, 'deregistration'));
  assert.equal(shown(life)[0], 'deregistration_refused');
  advance(life, instant('2026-12-03T09:00:00Z'));
  assert.equal(life.last.state.endAt, '2026-12-19T23:00:00Z');
  advance(life, instant('2026-12-20T09:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

/** In supply since 2026-11-24, withdrawn on 2026-12-01, of which the grid operator knows: to end on 2026-12-03. */
function withdrawing(): Life {
  const life = beginLife();
  advance(life, instant('2026-12-01T11:00:00Z'));
  give(life, askFor('withdrawal'));
  life.deliveries = [];
  return life;
}

test('a withdrawal that was refused stays somebody’s task when a later end becomes known, and can be asked anew', () => {
  for (const later of LATER_ENDS) {
    const life = withdrawing();
    hear(life, { kind: 'deregistration_rejection', code: 'A99' }, newest(life, 'deregistration'));
    hear(life, later);
    assert.deepEqual([shown(life)[0], life.last.state.endAt], ['deregistration_refused', '2026-12-02T23:00:00Z']);
    advance(life, instant('2026-12-04T09:00:00Z'));
    assert.deepEqual([shown(life)[0], life.last.state.endAt], ['deregistration_refused', '2027-02-28T23:00:00Z']);
    give(life, { type: 'operator_retry' });
    life.deliveries = [];
    hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-08' }, newest(life, 'deregistration'));
    advance(life, instant('2026-12-08T09:00:00Z'));
    assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn'], later.kind);
  }
});

test('a withdrawal that the grid operator answers late counts although a later end has become known', () => {
  for (const later of LATER_ENDS) {
    const life = withdrawing();
    advance(life, instant('2026-12-04T09:00:00Z'));
    assert.deepEqual([shown(life)[0], life.last.state.endAt], ['deregistration_unanswered', null]);
    hear(life, later);
    assert.deepEqual([shown(life)[0], life.last.state.endAt], ['deregistration_unanswered', '2027-02-28T23:00:00Z']);
    hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-03' }, newest(life, 'deregistration'));
    advance(life, instant('2026-12-04T10:00:00Z'));
    assert.deepEqual([life.last.state.stage, life.last.state.endAt], ['ended', '2026-12-02T23:00:00Z'], later.kind);
  }
});

test('a later end that becomes known ends a withdrawn supply when nothing else does', () => {
  const life = withdrawing();
  advance(life, instant('2026-12-04T09:00:00Z'));
  hear(life, LATER_ENDS[0]);
  hear(life, { ...LATER_ENDS[0], end: '2026-12-20' });
  hear(life, LATER_ENDS[1]);
  assert.equal(life.last.state.endAt, '2026-12-19T23:00:00Z');
  advance(life, instant('2026-12-20T09:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

test('a start whose revocation was refused is ended as soon as it can be, although a later end has become known', () => {
  for (const later of LATER_ENDS) {
    const wish = { nextPossibleStart: false, intendedStartDate: '2026-12-15' };
    const life = beginLife({ concludedAt: '2026-12-01T09:00:00Z', ...wish });
    advance(life, instant('2026-12-05T10:00:00Z'));
    give(life, askFor('withdrawal'));
    life.deliveries = [];
    hear(life, { kind: 'deregistration_rejection', code: 'A06' }, newest(life, 'deregistration'));
    hear(life, later);
    advance(life, instant('2026-12-14T23:00:00Z'));
    const asked = newest(life, 'deregistration');
    assert.deepEqual(
      [asked.kind === 'deregistration' && [asked.reason, asked.end]],
      [['ZT5', '2026-12-17']],
      later.kind,
    );
  }
});

test('a notice for another market location is no end of ours', () => {
  const life = ending();
  hear(life, { ...LATER_ENDS[0], marketLocation: OTHER_MALO });
  hear(life, { kind: 'deregistration_rejection', code: 'A99' }, newest(life, 'deregistration'));
  assert.equal(shown(life)[0], 'deregistration_refused');
});

test('an end that overtakes the confirmation of our start is told once that is known, and ends the supply', () => {
  const life = quiet();
  const first = newest(life, 'registration');
  const overtaking = hear(life, { ...LATER_ENDS[0], end: '2026-12-20' });
  assert.deepEqual([overtaking.outcome.kind, overtaking.state.stage], ['done', 'registering']);
  const { events } = hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, first);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['subscription.confirmed'],
  );
  life.now = life.now.add({ seconds: 1 });
  const told = give(life, { type: 'due' });
  assert.deepEqual(
    told.events.map(({ type }) => type),
    ['subscription.terminated'],
  );
  assert.equal(life.last.state.endAt, '2026-12-19T23:00:00Z');
  advance(life, instant('2026-12-20T09:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'superseded']);
});

test('an end on the day of our start that overtakes its confirmation is another supplier’s start; one before is none of ours', () => {
  for (const [end, stage] of [
    ['2026-11-24', 'ended'],
    ['2026-11-23', 'confirmed'],
  ] as const) {
    const life = quiet();
    hear(life, { ...LATER_ENDS[0], end });
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, newest(life, 'registration'));
    advance(life, life.now);
    assert.equal(life.last.state.stage, stage);
    assert.equal(life.last.state.end, null);
  }
});

test('an end that was told of before a registration says nothing of the one after it', () => {
  const life = quiet();
  hear(life, { ...LATER_ENDS[0], end: '2026-12-20' });
  hear(life, { kind: 'registration_rejection', code: 'A07' }, newest(life, 'registration'));
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, newest(life, 'registration'));
  advance(life, instant('2026-11-25T09:00:00Z'));
  assert.deepEqual([life.last.state.stage, life.last.state.end], ['supplying', null]);
});

test('what overtakes the confirmation of a start counts, also where its registration was replaced and the next one refused', () => {
  for (const [told, stage, end] of [
    [{ kind: 'start_revocation', start: '2026-11-24' }, 'ended', null],
    [{ kind: 'end_notice', end: '2026-12-10' }, 'confirmed', '2026-12-10'],
  ] as const) {
    const life = quiet({ transport: 'manual' });
    advance(life, instant('2026-11-23T09:30:00Z'));
    const [first, second] = life.sent;
    hear(life, { kind: 'processing_error', code: 'Z29' }, second);
    assert.equal(hear(life, { marketLocation: MALO, ...told }).outcome.kind, 'done');
    give(life, { type: 'operator_retry' });
    hear(life, { kind: 'registration_rejection', code: 'A99' }, newest(life, 'registration'));
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, first);
    advance(life, life.now);
    assert.deepEqual([life.last.state.stage, life.last.state.end?.day ?? null], [stage, end]);
  }
});

test('what is told of a place that was dropped says nothing of a start elsewhere', () => {
  const life = quiet({ transport: 'manual' });
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  hear(life, { kind: 'end_notice', marketLocation: MALO, end: '2026-12-10' });
  hear(life, { kind: 'start_revocation', marketLocation: MALO, start: '2026-11-24' });
  const elsewhere = newest(life, 'registration');
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, elsewhere);
  advance(life, life.now);
  assert.deepEqual([life.last.state.stage, life.last.state.end], ['confirmed', null]);
});

test('an end that overtakes the confirmation of a start that was withdrawn meanwhile leaves its revocation under way', () => {
  const life = quiet();
  const first = newest(life, 'registration');
  hear(life, { ...LATER_ENDS[0], end: '2026-12-20' });
  give(life, askFor('withdrawal'));
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, first);
  life.deliveries = [];
  advance(life, life.now);
  const asked = newest(life, 'deregistration');
  assert.ok(asked.kind === 'deregistration' && asked.reason === 'ZH2');
  assert.equal(life.last.state.end?.confirmed, false);
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-11-24' }, asked);
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

test('a partner’s time runs from the receipt that he names, also where it seemed to have passed', () => {
  const life = quiet({ concludedAt: '2026-11-20T09:00:00Z' });
  const asked = newest(life, 'registration');
  advance(life, instant('2026-11-23T11:00:00Z'));
  assert.equal(shown(life)[0], 'registration_unanswered');
  hear(life, { kind: 'acknowledgement', receivedAt: '2026-11-20T09:30:00Z' }, asked);
  assert.equal(shown(life)[0], 'registration_unanswered');
  hear(life, { kind: 'acknowledgement', receivedAt: '2026-11-23T08:00:00Z' }, asked);
  assert.equal(life.last.dueAt, life.last.state.questions[0]?.answerBy);
  assert.equal(shown(life)[0], undefined);
  advance(life, instant('2026-11-24T12:00:00Z'));
  assert.equal(shown(life)[0], 'registration_unanswered');
});

test('a search that is passed on from one grid operator to another takes none of the attempts to register', () => {
  const passedOn = { kind: 'identification_failure', code: 'A07', gridOperator: '9900000000001' } as const;
  const life = quiet({ marketLocation: null });
  for (const _ of [1, 2]) hear(life, passedOn, newest(life, 'identification_request'));
  hear(life, { kind: 'identification_match', marketLocation: MALO }, newest(life, 'identification_request'));
  hear(life, { kind: 'registration_rejection', code: 'A07' }, newest(life, 'registration'));
  assert.deepEqual([sentOf(life, 'registration'), shown(life)[0]], [2, undefined]);
  const lost = quiet({ marketLocation: null });
  for (const _ of [1, 2, 3]) hear(lost, passedOn, newest(lost, 'identification_request'));
  assert.deepEqual([sentOf(lost, 'identification_request'), shown(lost)[0]], [3, 'identification_refused']);
});
