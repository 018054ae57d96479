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
  supplierNamed,
  type Life,
} from '#test/support/market-life.ts';
import type { MessageKind } from './messages.ts';
import { identifierOf, MASTER_DATA_IDENTIFIERS } from './messages.ts';
import { visibleAction } from './state.ts';
import { decide, type Decision } from './supply.ts';

// Messages and wishes that cross each other, come late, or contradict each other.

/** Confirmed for 2026-12-15. */
function confirmed(): Life {
  const life = beginLife({ nextPossibleStart: false, intendedStartDate: '2026-12-15' });
  advance(life, instant('2026-11-24T10:00:00Z'));
  life.deliveries = [];
  assert.equal(life.last.state.stage, 'confirmed');
  return life;
}

test('supply and an end that was planned before it come in two steps, and the end is told once', () => {
  const life = confirmed();
  const asked = give(life, askFor('ordinary', '2027-02-01'));
  assert.deepEqual(
    asked.events.map(({ type }) => type),
    ['subscription.terminated'],
  );
  life.now = instant('2026-12-14T23:00:00Z');
  while (life.last.state.stage === 'confirmed') give(life, { type: 'due' });
  assert.equal(life.last.stageEvent?.event, 'supply_started');
  assert.equal(life.last.dueAt, '2026-12-14T23:00:00Z');
  const next = give(life, { type: 'due' });
  assert.equal(next.stageEvent?.event, 'end_scheduled');
  assert.deepEqual(
    next.events.map(({ type }) => type),
    ['subscription.updated'],
  );
});

test('a revocation that nobody answered before the start is followed by an end, and may still be confirmed', () => {
  const life = confirmed();
  give(life, askFor('withdrawal'));
  const revocation = newest(life, 'deregistration');
  life.deliveries = [];
  advance(life, instant('2026-12-15T08:00:00Z'));
  life.deliveries = [];
  assert.equal(life.last.state.stage, 'ending');
  const end = newest(life, 'deregistration');
  assert.ok(end.kind === 'deregistration' && end.reason === 'ZT5' && end.end === '2026-12-17');
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-15' }, revocation);
  const { stage, endReason, startAt, endAt } = life.last.state;
  assert.deepEqual([stage, endReason, startAt, endAt], ['ended', 'withdrawn', null, '2026-12-15T08:00:00Z']);
});

test('a withdrawal puts an end to the wish to take a termination back', () => {
  const life = confirmed();
  give(life, askFor('ordinary', '2027-02-01'));
  advance(life, instant('2026-11-25T00:00:00Z'));
  give(life, { type: 'termination_undone' });
  assert.equal(life.last.state.afterReversal, 'undo');
  give(life, askFor('withdrawal'));
  assert.equal(life.last.state.afterReversal, null);
  assert.deepEqual(
    life.last.state.questions.map(({ kind }) => kind),
    ['deregistration'],
  );
});

test('an operator who retries does not send twice what waits to be transmitted', () => {
  const life = quiet({ transport: 'manual' });
  give(life, { type: 'transmitted', documentNumber: newest(life, 'registration').documentNumber });
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, newest(life, 'registration'));
  give(life, askFor('withdrawal'));
  hear(life, { kind: 'processing_error', code: 'Z29' }, newest(life, 'deregistration'));
  give(life, { type: 'operator_retry' });
  assert.equal(sentOf(life, 'deregistration'), 2);
  assert.equal(life.last.state.untransmitted.length, 1);
});

test('an earlier end of ours that is on its way is not put off by a later one of the grid operator', () => {
  for (const kind of ['end_notice', 'grid_operator_end'] as const) {
    const life = ending();
    hear(life, { kind, marketLocation: MALO, end: '2027-03-01' });
    assert.equal(life.last.state.endAt, '2027-01-31T23:00:00Z', kind);
    const asked = newest(life, 'deregistration');
    const { state } = hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2027-02-01' }, asked);
    assert.ok(state.end?.confirmed);
  }
});

test('an end that another supplier relies on is told at once and cannot be taken back', () => {
  const cancellation = { kind: 'cancellation', supplier: null, end: '2027-02-01' } as const;
  const customerName = 'Erika Mustermann';
  const inquiry = {
    kind: 'end_inquiry',
    end: '2027-02-01',
    reason: 'E03',
    registeredOn: '2026-12-01',
    customerName,
  } as const;
  for (const content of [cancellation, inquiry]) {
    const life = ending('2026-12-01T12:00:00Z');
    const { messages } = hear(life, { ...content, marketLocation: MALO });
    assert.ok(messages.some(({ kind }) => kind === 'deregistration'));
    const undone = give(life, { type: 'termination_undone' }).outcome;
    assert.deepEqual(undone, { kind: 'refused', code: 'not_in_this_stage', earliest: null });
  }
});

test('what concerns another market location changes nothing', () => {
  const life = ending();
  const before = life.last.state.end;
  for (const kind of ['end_notice', 'start_revocation'] as const) {
    const { outcome } = hear(life, { kind, marketLocation: OTHER_MALO, end: '2026-12-10', start: '2026-11-24' });
    assert.deepEqual(outcome, { kind: 'ignored', reason: 'not_in_this_stage' });
  }
  assert.deepEqual(life.last.state.end, before);
  const early = quiet();
  hear(early, { kind: 'start_revocation', marketLocation: OTHER_MALO, start: '2026-11-24' });
  hear(early, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, newest(early, 'registration'));
  assert.equal(early.last.state.stage, 'confirmed');
});

test('a correction outlives the refusal of its reversal: what is refused later is not asked again as it was', () => {
  const life = quiet();
  const first = newest(life, 'registration');
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  hear(life, { kind: 'reversal_rejection', reverses: first.processNumber }, newest(life, 'reversal'));
  hear(life, { kind: 'registration_rejection', code: 'A02' }, first);
  const second = newest(life, 'registration');
  assert.ok(second.kind === 'registration' && second.marketLocation === OTHER_MALO);
  assert.equal(visibleAction(life.last.state), null);
});

test('only a field that an action names resolves it: a new name is no consent to a later start', () => {
  const life = beginLife({ previousSupplier: supplierNamed('Sandbox Supplier – bound') });
  advance(life, instant('2026-11-24T00:00:00Z'));
  give(life, { type: 'corrected', changes: { customerName: 'Erika Muster' } });
  assert.equal(visibleAction(life.last.state)?.code, 'previous_contract_bound');
  give(life, { type: 'corrected', changes: { intendedStartDate: '2027-02-23' } });
  assert.equal(visibleAction(life.last.state), null);
});

test('the old contract does not end before the first start that is possible after its cancellation', () => {
  const soon = { nextPossibleStart: false, intendedStartDate: '2026-11-23' } as const;
  const life = beginLife({ ...soon, previousSupplier: supplierNamed('Previous Supplier') });
  const [asked] = life.sent;
  assert.ok(asked?.kind === 'cancellation' && asked.end === '2026-11-25');
  assert.deepEqual(life.last.events, [], 'the sign-up showed it already');
  advance(life, instant('2026-11-26T00:00:00Z'));
  const { startAt, requestedStart, moveReason } = life.last.state;
  assert.deepEqual([startAt, requestedStart, moveReason], ['2026-11-24T23:00:00Z', '2026-11-25', 'lead_time']);
});

test('a market location that another subscription has is not taken, and another leads on', () => {
  const life = quiet({ marketLocation: null });
  const answers = newest(life, 'identification_request').processNumber;
  const head = { documentNumber: 'match', processNumber: 'match', answers };
  const message = { kind: 'identification_match', ...head, marketLocation: MALO } as const;
  const { state } = give(life, { type: 'received', message, isTaken: true });
  const action = visibleAction(state);
  assert.deepEqual([action?.code, action?.actor], ['market_location_taken', 'partner']);
  assert.deepEqual(action?.fields, ['/meter/malo', '/meter/number', '/address']);
  assert.deepEqual([state.stage, state.facts.marketLocation, sentOf(life, 'registration')], ['identifying', null, 0]);
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  assert.deepEqual([life.last.state.stage, sentOf(life, 'registration')], ['registering', 1]);
  const left = quiet({ marketLocation: null });
  const leftAnswers = newest(left, 'identification_request').processNumber;
  give(left, { type: 'received', message: { ...message, answers: leftAnswers }, isTaken: true });
  left.deliveries = [];
  advance(left, instant('2027-02-01T00:00:00Z'));
  assert.deepEqual([left.last.state.stage, left.last.state.endReason], ['ended', 'rejected']);
});

test('an answer of ours that was not processed is an operator’s task', () => {
  const life = beginLife();
  advance(life, instant('2026-12-01T11:00:00Z'));
  const inquiry = { kind: 'end_inquiry', marketLocation: MALO, end: '2026-12-03', reason: 'E03' } as const;
  hear(life, { ...inquiry, registeredOn: '2026-12-01', customerName: 'Erika Mustermann' });
  hear(life, { kind: 'processing_error', code: 'Z29' }, newest(life, 'end_inquiry_refusal'));
  const action = visibleAction(life.last.state);
  assert.deepEqual([action?.code, action?.resolve?.method], ['message_not_processed', 'POST']);
  give(life, { type: 'operator_retry' });
  assert.equal(visibleAction(life.last.state), null);
});

test('the receipt that a partner names is never later than now, and a whole second', () => {
  const life = quiet({ marketLocation: null });
  const request = newest(life, 'identification_request');
  hear(life, { kind: 'acknowledgement', receivedAt: '2026-11-21T08:59:59.5Z' }, request);
  assert.equal(life.last.dueAt, '2026-11-21T10:59:59Z');
  hear(life, { kind: 'acknowledgement', receivedAt: '2036-11-21T09:00:00Z' }, request);
  assert.equal(life.last.dueAt, '2026-11-21T11:00:00Z');
});

test('master data is remembered and changes nothing', () => {
  const life = quiet();
  for (const identifier of MASTER_DATA_IDENTIFIERS) {
    const before = life.last.state;
    const { outcome, events, state } = hear(life, { kind: 'master_data', identifier });
    assert.deepEqual([outcome, events], [{ kind: 'ignored', reason: 'no_change' }, []]);
    assert.deepEqual({ ...state, received: [] }, { ...before, received: [] });
    assert.equal(state.received.length, before.received.length + 1);
  }
  const head = { documentNumber: 'one', processNumber: 'one', answers: null };
  assert.equal(identifierOf({ kind: 'master_data', ...head, identifier: '55691' }), '55691');
  assert.equal(identifierOf({ kind: 'end_notice', ...head, marketLocation: MALO, end: '2026-12-01' }), '55037');
});

test('only a company is asked to correct its company name', () => {
  for (const customerType of ['person', 'company'] as const) {
    const life = quiet({ marketLocation: null, customerType });
    hear(life, { kind: 'identification_failure', code: 'A02' }, newest(life, 'identification_request'));
    const fields = visibleAction(life.last.state)?.fields ?? [];
    assert.equal(fields.includes('/customer/company_name'), customerType === 'company');
  }
});

test('while supply has begun and its planned end not yet come into sight, the end is told once and nothing late is asked', () => {
  const told = confirmed();
  give(told, askFor('ordinary', '2027-02-01'));
  const revoked = confirmed();
  give(revoked, askFor('withdrawal'));
  hear(revoked, { kind: 'deregistration_rejection', code: 'A06' }, newest(revoked, 'deregistration'));
  for (const life of [told, revoked]) {
    life.now = instant('2026-12-15T08:00:00Z');
    while (life.last.state.stage === 'confirmed') give(life, { type: 'due' });
  }
  const notice = { kind: 'grid_operator_end', marketLocation: MALO, end: '2026-12-20' } as const;
  const { events } = hear(told, notice);
  assert.ok(events.every(({ type }) => type === 'subscription.updated'));
  assert.deepEqual(give(revoked, { type: 'operator_retry' }).messages, []);
  advance(revoked, instant('2026-12-15T09:00:00Z'));
  const asked = newest(revoked, 'deregistration');
  assert.ok(asked.kind === 'deregistration' && asked.end === '2026-12-17');
});

test('a withdrawal in the moment of the start ends what was terminated before, and that is told once', () => {
  const life = beginLife({ nextPossibleStart: false, intendedStartDate: '2026-12-01' });
  advance(life, instant('2026-11-24T10:00:00Z'));
  give(life, askFor('ordinary', '2027-02-01'));
  life.deliveries = [];
  life.now = instant('2026-11-30T23:00:00Z');
  while (life.last.state.stage === 'confirmed') give(life, { type: 'due' });
  const { stageEvent, events } = give(life, askFor('withdrawal'));
  assert.deepEqual([stageEvent?.event, events[0]?.type], ['end_scheduled', 'subscription.updated']);
});

test('an operator who retries does not ask again what is awaited', () => {
  const life = ending();
  const inquiry = { kind: 'end_inquiry', marketLocation: MALO, end: '2026-12-04', reason: 'E03' } as const;
  hear(life, { ...inquiry, registeredOn: '2026-12-01', customerName: 'Erika Mustermann' });
  hear(life, { kind: 'processing_error', code: 'Z29' }, newest(life, 'end_inquiry_refusal'));
  assert.deepEqual(give(life, { type: 'operator_retry' }).messages, []);
});

test('a start confirmed for a day before the one asked for promises nothing, and asks the operator', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2027-03-01' });
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2027-02-01' }, newest(life, 'registration'));
  const { stage, startAt } = life.last.state;
  assert.deepEqual(
    [stage, startAt, visibleAction(life.last.state)?.code],
    ['registering', null, 'confirmed_too_early'],
  );
});

test('a start that was confirmed but not promised stays the operator’s task after a withdrawal, and is not corrected', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2027-03-01' });
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2027-02-01' }, newest(life, 'registration'));
  const corrected = give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  assert.deepEqual(corrected.outcome, { kind: 'refused', code: 'not_in_this_stage', earliest: null });
  const { events, state } = give(life, askFor('withdrawal'));
  assert.deepEqual(
    [events.map(({ type }) => type), state.stage, visibleAction(state)?.code],
    [['subscription.terminated'], 'registering', 'confirmed_too_early'],
  );
  give(life, { type: 'operator_retry' });
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

test('a later start is refused once the old contract is cancelled for an earlier day', () => {
  const wish = { nextPossibleStart: false, intendedStartDate: '2027-01-20' } as const;
  const life = beginLife({ ...wish, previousSupplier: supplierNamed('Previous Supplier') });
  advance(life, instant('2026-11-24T00:00:00Z'));
  assert.equal(life.last.state.stage, 'registering');
  const later = give(life, { type: 'corrected', changes: { intendedStartDate: '2027-03-01' } });
  assert.deepEqual(later.outcome, { kind: 'refused', code: 'leaves_gap', earliest: '2027-01-20' });
  const same = give(life, { type: 'corrected', changes: { intendedStartDate: '2027-01-20' } });
  assert.notEqual(same.outcome.kind, 'refused');
});

const RELIANCE = [
  { kind: 'cancellation', supplier: null, end: null },
  {
    kind: 'end_inquiry',
    end: '2027-02-01',
    reason: 'E03',
    registeredOn: '2026-12-02',
    customerName: 'Erika Mustermann',
  },
  { kind: 'end_notice', end: '2027-03-01' },
  { kind: 'grid_operator_end', end: '2027-03-01' },
] as const;
const kindsOf = ({ messages }: Decision): string[] => messages.map(({ kind }) => kind);

test('an end that somebody has come to rely on stands, although the grid operator agrees to forget it', () => {
  for (const content of RELIANCE) {
    const life = ending();
    give(life, { type: 'termination_undone' });
    const reversal = newest(life, 'reversal');
    hear(life, { ...content, marketLocation: MALO });
    const forgotten = hear(life, { kind: 'reversal_confirmation', reverses: 'ours' }, reversal);
    assert.deepEqual(kindsOf(forgotten), ['deregistration'], content.kind);
    assert.deepEqual([forgotten.state.stage, forgotten.state.endAt], ['ending', '2027-01-31T23:00:00Z']);
    assert.equal(give(life, { type: 'termination_undone' }).outcome.kind, 'refused');
    const inquired = hear(life, { ...RELIANCE[1], marketLocation: MALO });
    assert.deepEqual(kindsOf(inquired), ['end_inquiry_consent']);
    const asked = newest(life, 'deregistration');
    const { state } = hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2027-02-01' }, asked);
    assert.ok(state.end?.confirmed);
  }
});

test('an end that somebody has come to rely on is sent again when it is refused or unanswered, and not taken back', () => {
  for (const content of RELIANCE) {
    const [refused, silent] = [ending(), ending()];
    for (const life of [refused, silent]) {
      give(life, { type: 'termination_undone' });
      hear(life, { ...content, marketLocation: MALO });
    }
    const late = hear(refused, { kind: 'deregistration_rejection', code: 'A02' }, newest(refused, 'deregistration'));
    assert.deepEqual([kindsOf(late), late.state.stage], [['deregistration'], 'ending'], content.kind);
    advance(silent, instant('2026-12-03T12:00:00Z'));
    assert.equal(visibleAction(silent.last.state)?.actor, 'grid_operator');
    assert.deepEqual(kindsOf(give(silent, { type: 'operator_retry' })), ['deregistration']);
    assert.equal(visibleAction(silent.last.state), null);
  }
});

test('a reversal that still waits to be transmitted is dropped when somebody comes to rely on the end', () => {
  for (const content of RELIANCE) {
    const life = quiet({ transport: 'manual' });
    const transmit = (kind: MessageKind): Decision =>
      give(life, { type: 'transmitted', documentNumber: newest(life, kind).documentNumber });
    transmit('registration');
    hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, newest(life, 'registration'));
    advance(life, instant('2026-12-01T11:00:00Z'));
    give(life, askFor('ordinary', '2027-02-01'));
    advance(life, instant('2026-12-02T01:00:00Z'));
    transmit('deregistration');
    give(life, { type: 'termination_undone' });
    const reversal = newest(life, 'reversal').documentNumber;
    assert.deepEqual(life.last.state.untransmitted, [reversal]);
    const { state } = hear(life, { ...content, marketLocation: MALO });
    assert.equal(state.untransmitted.includes(reversal), false, content.kind);
    assert.deepEqual(
      state.questions.map(({ kind }) => kind),
      ['deregistration'],
    );
  }
});

test('an end of ours that a later one of the grid operator follows is told at once and cannot be taken back', () => {
  for (const kind of ['end_notice', 'grid_operator_end'] as const) {
    const life = ending('2026-12-01T12:00:00Z');
    assert.equal(sentOf(life, 'deregistration'), 0);
    hear(life, { kind, marketLocation: MALO, end: '2027-03-01' });
    assert.equal(sentOf(life, 'deregistration'), 1, kind);
    const undone = give(life, { type: 'termination_undone' });
    assert.deepEqual(undone.outcome, { kind: 'refused', code: 'not_in_this_stage', earliest: null });
    assert.equal(undone.state.endAt, '2027-01-31T23:00:00Z');
  }
});

test('a withdrawal is told even where it moves no day', () => {
  const life = ending();
  hear(life, { kind: 'end_notice', marketLocation: MALO, end: '2026-12-04' });
  const { outcome, events, messages } = give(life, askFor('withdrawal'));
  assert.deepEqual([outcome.kind, messages], ['done', []]);
  assert.deepEqual(events, [{ type: 'subscription.updated', reason: 'withdrawal' }]);
});

test('a withdrawal after a termination is what ends the contract: its moment is shown, and the event says so', () => {
  const told = confirmed();
  give(told, askFor('ordinary', '2027-02-01'));
  const untold = ending('2026-12-01T12:00:00Z');
  const cancelled = quiet();
  hear(
    cancelled,
    { kind: 'registration_confirmation', code: 'A51', start: '2026-11-25' },
    newest(cancelled, 'registration'),
  );
  advance(cancelled, instant('2026-11-26T10:00:00Z'));
  hear(cancelled, { kind: 'cancellation', marketLocation: MALO, end: '2027-01-31', supplier: null });
  const noticed = ending();
  hear(noticed, { kind: 'end_notice', marketLocation: MALO, end: '2026-12-04' });
  for (const life of [told, untold, cancelled, noticed]) {
    const { stage, terminatedAt } = life.last.state;
    assert.ok(terminatedAt !== null, stage);
    // In the very second, and an hour later.
    for (const now of [Temporal.Instant.from(terminatedAt), life.now.add({ hours: 1 })]) {
      const { state, events } = decide(life.last.state, askFor('withdrawal'), now);
      assert.equal(state.terminatedAt, now.toString(), stage);
      assert.deepEqual(events[0], { type: 'subscription.updated', reason: 'withdrawal' }, stage);
    }
  }
  const { events } = give(confirmed(), askFor('withdrawal'));
  assert.deepEqual(events, [{ type: 'subscription.terminated', reason: 'withdrawal' }]);
});

test('a market location that is given again stays, whatever is corrected with it', () => {
  const life = quiet();
  const changes = {
    marketLocation: MALO,
    meterNumber: '1EMH0099999999',
    zip: '10117',
    address: 'Neue Straße 1, Berlin',
  };
  const { state, messages } = give(life, { type: 'corrected', changes });
  assert.deepEqual([state.stage, messages], ['registering', []]);
  assert.deepEqual(state.facts, { ...state.facts, ...changes });
  const wish = { nextPossibleStart: false, intendedStartDate: '2027-01-20' } as const;
  const cancelled = beginLife({ ...wish, previousSupplier: supplierNamed('Previous Supplier') });
  advance(cancelled, instant('2026-11-24T00:00:00Z'));
  const later = give(cancelled, { type: 'corrected', changes: { ...changes, intendedStartDate: '2027-03-01' } });
  assert.deepEqual(later.outcome, { kind: 'refused', code: 'leaves_gap', earliest: '2027-01-20' });
  const elsewhere = { ...changes, marketLocation: OTHER_MALO, intendedStartDate: '2027-03-01' };
  assert.equal(give(cancelled, { type: 'corrected', changes: elsewhere }).outcome.kind, 'done');
});

test('a meter number in another spelling is no other meter', () => {
  const life = quiet();
  const { outcome, state } = give(life, { type: 'corrected', changes: { meterNumber: '1emh-0012 345678' } });
  assert.deepEqual(outcome, { kind: 'ignored', reason: 'no_change' });
  assert.equal(state.facts.marketLocation, MALO);
});

test('the removal of a previous supplier leaves a switch, but not at another place, nor where he knows of none', () => {
  const none = { previousSupplier: null } as const;
  const table = [
    [{ kind: 'cancellation_rejection', code: 'A08' }, none, 'E03'],
    [{ kind: 'cancellation_rejection', code: 'A08' }, { ...none, marketLocation: OTHER_MALO }, 'E01'],
    [{ kind: 'processing_error', code: 'Z14' }, none, 'E01'],
  ] as const;
  for (const [answer, changes, reason] of table) {
    const life = quiet({ previousSupplier: supplierNamed('Previous Supplier') });
    hear(life, answer, newest(life, 'cancellation'));
    give(life, { type: 'corrected', changes });
    const asked = newest(life, 'registration');
    assert.ok(asked.kind === 'registration' && asked.reason === reason, JSON.stringify([answer, changes]));
  }
});

test('a later start that we have asked for is taken, also once the old contract is cancelled', () => {
  const wish = { nextPossibleStart: false, intendedStartDate: '2027-01-20' } as const;
  const life = quiet({ ...wish, previousSupplier: supplierNamed('Previous Supplier') });
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2027-01-20' }, newest(life, 'cancellation'));
  hear(life, { kind: 'registration_rejection', code: 'A50', supplierCode: 'A35' }, newest(life, 'registration'));
  const action = visibleAction(life.last.state);
  assert.deepEqual(action?.fields, ['/previous_supplier', '/intended_start_date']);
  give(life, { type: 'corrected', changes: { intendedStartDate: '2027-03-01' } });
  const asked = newest(life, 'registration');
  assert.ok(asked.kind === 'registration' && asked.start === '2027-03-01');
});

test('an ended life leaves no question to transmit, but what is only told', () => {
  const life = quiet({ transport: 'manual', marketLocation: null });
  give(life, askFor('withdrawal'));
  assert.deepEqual([life.last.state.stage, life.last.state.untransmitted], ['ended', []]);
  const cancelling = quiet({ transport: 'manual', previousSupplier: supplierNamed('Previous Supplier') });
  give(cancelling, { type: 'transmitted', documentNumber: newest(cancelling, 'cancellation').documentNumber });
  give(cancelling, askFor('withdrawal'));
  const told = newest(cancelling, 'reversal').documentNumber;
  assert.deepEqual([cancelling.last.state.stage, cancelling.last.state.untransmitted], ['ended', [told]]);
});

test('a start that was revoked is promised when it is registered again and confirmed', () => {
  const life = quiet();
  const first = newest(life, 'registration');
  hear(life, { kind: 'start_revocation', marketLocation: MALO, start: '2026-11-24' });
  hear(life, { kind: 'registration_rejection', code: 'A07' }, first);
  const second = newest(life, 'registration');
  assert.ok(second.kind === 'registration' && second.start === '2026-11-24' && second !== first);
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, second);
  assert.equal(life.last.state.stage, 'confirmed');
});

test('the start that is shown as requested is the one that is confirmed, whichever of two registrations it was', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2026-11-27' });
  const first = newest(life, 'registration');
  advance(life, instant('2026-11-26T10:00:00Z'));
  give(life, { type: 'operator_retry' });
  assert.equal(life.last.state.requestedStart, '2026-11-28');
  const { state, events } = hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-27' }, first);
  assert.deepEqual([state.stage, state.requestedStart, state.moveReason], ['confirmed', '2026-11-27', null]);
  assert.ok(events.some(({ type }) => type === 'subscription.confirmed'));
});

test('a start that holds as it was registered, although another was wished meanwhile, says whose doing that is', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2027-03-01' });
  const asked = newest(life, 'registration');
  give(life, { type: 'corrected', changes: { intendedStartDate: '2027-02-01' } });
  hear(life, { kind: 'reversal_rejection', reverses: asked.processNumber }, newest(life, 'reversal'));
  const { state } = hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2027-03-01' }, asked);
  assert.deepEqual([state.requestedStart, state.moveReason], ['2027-03-01', 'grid_operator']);
});

test('a wish to take an end back is granted where the grid operator could not process the end at all', () => {
  for (const error of [
    { kind: 'processing_error', code: 'Z29' },
    { kind: 'syntax_error', detail: 'UNH' },
  ] as const) {
    const life = ending();
    const asked = newest(life, 'deregistration');
    give(life, { type: 'termination_undone' });
    const { state, events } = hear(life, error, asked);
    assert.deepEqual([state.stage, state.endAt, state.questions], ['supplying', null, []], error.kind);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['subscription.termination_undone'],
    );
  }
});

test('an end that could not be processed is nobody’s task while a later request for it is open', () => {
  const life = ending();
  const first = newest(life, 'deregistration');
  advance(life, instant('2026-12-03T12:00:00Z'));
  give(life, { type: 'operator_retry' });
  const { state } = hear(life, { kind: 'processing_error', code: 'Z29' }, first);
  assert.deepEqual([state.questions.length, visibleAction(state)], [1, null]);
});

test('a withdrawal asks for an end anew, and what a refusal of the one before asked for is done', () => {
  const refused = ending();
  hear(refused, { kind: 'deregistration_rejection', code: 'A99' }, newest(refused, 'deregistration'));
  const early = ending();
  hear(early, { kind: 'deregistration_confirmation', code: 'A11', end: '2027-01-15' }, newest(early, 'deregistration'));
  for (const life of [refused, early]) {
    assert.equal(visibleAction(life.last.state)?.actor, 'operator');
    const { state, messages } = give(life, askFor('withdrawal'));
    assert.deepEqual([messages.length, visibleAction(state)], [1, null]);
  }
});
