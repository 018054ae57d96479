/** What an operator has to transmit, what he records late, and what he is asked to clear up. */
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
import { berlinDay } from '../calendar.ts';
import { earliestContractEnd } from './cancellation.ts';
import { mustSayReceipt } from './duties.ts';
import type { InboundMessage, OutboundMessage } from './messages.ts';
import { heldLocations, staleOf, visibleAction, type Question, type SupplyFacts } from './state.ts';

/** In supply in a live project since 2026-11-24, nothing open. */
function supplyingByHand(): Life {
  const life = quiet({ transport: 'manual' });
  const registration = newest(life, 'registration');
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-25' }, registration);
  life.now = instant('2026-12-01T11:00:00Z');
  give(life, { type: 'due' });
  assert.deepEqual([life.last.state.stage, visibleAction(life.last.state)], ['supplying', null]);
  return life;
}

const transmit = (life: Life, message: OutboundMessage): void =>
  void give(life, { type: 'transmitted', documentNumber: message.documentNumber });
/** Lets the next thing happen that is due by itself. */
function wait(life: Life): void {
  life.now = instant(life.last.dueAt ?? '');
  give(life, { type: 'due' });
}

test('a start confirmed in time is promised, however late that is recorded', () => {
  const life = quiet({ transport: 'manual', intendedStartDate: '2026-11-26', nextPossibleStart: false });
  const registration = newest(life, 'registration');
  give(life, { type: 'transmitted', documentNumber: registration.documentNumber });
  life.now = instant('2026-11-30T08:00:00Z');
  const confirmation = { kind: 'registration_confirmation', code: 'A51', start: '2026-11-26' } as const;
  const { state } = hear(life, { ...confirmation, receivedAt: '2026-11-25T10:00:00Z' }, registration);
  assert.deepEqual([state.stage, state.startAt, visibleAction(state)], ['confirmed', '2026-11-25T23:00:00Z', null]);
  give(life, { type: 'due' });
  assert.equal(life.last.state.stage, 'supplying');
});

test('a confirmation that reached us on the first day or later promises nothing, nor one from the future', () => {
  for (const receivedAt of ['2026-11-25T23:00:00Z', '2026-11-27T10:00:00Z', '2027-11-25T10:00:00Z']) {
    const life = quiet({ transport: 'manual', intendedStartDate: '2026-11-26', nextPossibleStart: false });
    const registration = newest(life, 'registration');
    give(life, { type: 'transmitted', documentNumber: registration.documentNumber });
    life.now = instant('2026-11-30T08:00:00Z');
    const confirmation = { kind: 'registration_confirmation', code: 'A51', start: '2026-11-26' } as const;
    hear(life, { ...confirmation, receivedAt }, registration);
    assert.equal(visibleAction(life.last.state)?.code, 'confirmed_too_late', receivedAt);
  }
});

test('a cancellation can wait to be transmitted for as long as it leaves no day without a supplier', () => {
  for (let day = Temporal.PlainDate.from('2026-11-25'); day.year < 2028; day = day.add({ days: 1 })) {
    const question = { kind: 'cancellation', day: day.toString() } as Question;
    const stale = berlinDay(instant(staleOf(question) ?? ''));
    assert.ok(earliestContractEnd(stale.subtract({ days: 1 })) <= day.toString(), `${day.toString()}: the day before`);
    assert.ok(earliestContractEnd(stale) > day.toString(), `${day.toString()}: the day itself`);
  }
});

test('a search that is repeated waits to be transmitted, and is seen to', () => {
  const life = quiet({ transport: 'manual', marketLocation: null });
  transmit(life, newest(life, 'identification_request'));
  wait(life);
  assert.equal(sentOf(life, 'identification_request'), 2);
  assert.deepEqual(shown(life), ['transmit_message', 'operator', null]);
  transmit(life, newest(life, 'identification_request'));
  assert.equal(visibleAction(life.last.state), null);
  wait(life);
  assert.deepEqual(shown(life).slice(0, 2), ['identification_unanswered', 'grid_operator']);
});

test('a reversal of what was not answered in time waits to be transmitted, also when it is asked for again', () => {
  const life = quiet({ transport: 'manual' });
  transmit(life, newest(life, 'registration'));
  wait(life);
  assert.equal(shown(life)[0], 'registration_unanswered');
  give(life, askFor('withdrawal'));
  assert.deepEqual(shown(life), ['transmit_message', 'operator', null]);
  transmit(life, newest(life, 'reversal'));
  assert.equal(visibleAction(life.last.state), null);
  wait(life);
  assert.equal(shown(life)[0], 'reversal_unanswered');
  give(life, { type: 'operator_retry' });
  assert.deepEqual(shown(life), ['transmit_message', 'operator', null]);
});

test('a reversal that is not answered stays whose task it is when something else is corrected', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2027-02-01' });
  wait(life);
  assert.equal(shown(life)[0], 'registration_unanswered');
  give(life, { type: 'corrected', changes: { intendedStartDate: '2027-03-01' } });
  wait(life);
  assert.deepEqual(shown(life).slice(0, 2), ['reversal_unanswered', 'grid_operator']);
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  assert.deepEqual(shown(life).slice(0, 2), ['reversal_unanswered', 'grid_operator']);
  wait(life);
  assert.deepEqual(shown(life), ['reversal_unanswered', 'operator', null]);
  give(life, { type: 'corrected', changes: { marketLocation: MALO } });
  assert.deepEqual(shown(life), ['reversal_unanswered', 'operator', null]);
});

test('the end after a start that could not be revoked waits to be transmitted', () => {
  const life = quiet({ transport: 'manual', nextPossibleStart: false, intendedStartDate: '2026-12-02' });
  const confirmation = { kind: 'registration_confirmation', code: 'A51', start: '2026-12-02' } as const;
  hear(life, confirmation, newest(life, 'registration'));
  give(life, askFor('withdrawal'));
  transmit(life, newest(life, 'deregistration'));
  while (life.last.state.stage !== 'ending') wait(life);
  assert.equal(sentOf(life, 'deregistration'), 2);
  const [code, actor, dueAt] = shown(life);
  assert.deepEqual([code, actor, typeof dueAt], ['transmit_message', 'operator', 'string']);
  transmit(life, newest(life, 'deregistration'));
  assert.equal(visibleAction(life.last.state), null);
});

test('an end that waited to be transmitted is asked for again when it comes too late, as one sent at once is', () => {
  const life = supplyingByHand();
  give(life, askFor('ordinary', '2027-02-01'));
  wait(life);
  for (let day = 0; day < 3; day += 1) wait(life);
  assert.equal(sentOf(life, 'deregistration'), 4);
  for (const attempts of [5, 6]) {
    const deregistration = newest(life, 'deregistration');
    transmit(life, deregistration);
    hear(life, { kind: 'deregistration_rejection', code: 'A02' }, deregistration);
    assert.deepEqual([sentOf(life, 'deregistration'), shown(life)[0]], [attempts, 'transmit_message']);
  }
  const last = newest(life, 'deregistration');
  transmit(life, last);
  hear(life, { kind: 'deregistration_rejection', code: 'A02' }, last);
  assert.equal(shown(life)[0], 'deregistration_refused');
});

test('an answer of ours shows by when it is to be transmitted, whatever else waits', () => {
  const inquiry = { kind: 'end_inquiry', marketLocation: MALO, end: '2026-12-04', reason: 'E03' } as const;
  const asked = { ...inquiry, registeredOn: '2026-12-01', customerName: 'Erika Mustermann' };
  const life = supplyingByHand();
  give(life, askFor('ordinary', '2027-02-01'));
  wait(life);
  hear(life, { kind: 'deregistration_rejection', code: 'A99' }, newest(life, 'deregistration'));
  assert.equal(shown(life)[0], 'deregistration_refused');
  hear(life, asked);
  assert.deepEqual(shown(life), ['transmit_message', 'operator', '2026-12-02T08:00:00Z']);
  transmit(life, newest(life, 'end_inquiry_refusal'));
  assert.equal(shown(life)[0], 'deregistration_refused');

  const others: [Parameters<typeof hear>[1], string][] = [
    [{ kind: 'cancellation', marketLocation: MALO, end: null, supplier: null }, '2026-12-02T23:00:00Z'],
    [{ kind: 'grid_operator_end', marketLocation: MALO, end: '2026-12-20' }, '2026-12-02T04:00:00Z'],
    [{ kind: 'grid_operator_end', marketLocation: OTHER_MALO, end: '2026-12-20' }, '2026-12-01T11:45:00Z'],
  ];
  for (const [message, by] of others) {
    const other = supplyingByHand();
    hear(other, message);
    assert.deepEqual(shown(other), ['transmit_message', 'operator', by], JSON.stringify(message));
  }
});

test('an inquiry, an end and a cancellation are answered as of when they reached us', () => {
  const inquiry = { kind: 'end_inquiry', marketLocation: MALO, end: '2026-12-04', reason: 'E03' } as const;
  const asked = { ...inquiry, registeredOn: '2026-12-01', customerName: 'Erika Mustermann' };
  const recordedAt = instant('2026-12-02T07:30:00Z');
  const cases: [Parameters<typeof hear>[1], string, string][] = [
    [asked, 'A35', 'A43'],
    [{ kind: 'grid_operator_end', marketLocation: MALO, end: '2026-12-03' }, 'A10', 'A03'],
    [{ kind: 'cancellation', marketLocation: MALO, end: '2026-12-02', supplier: null }, 'A06', 'A01'],
  ];
  for (const [message, inTime, late] of cases) {
    for (const [receivedAt, code] of [
      ['2026-12-01T10:00:00Z', inTime],
      ['2026-12-02T07:15:00Z', late],
      [undefined, late],
    ]) {
      const life = supplyingByHand();
      life.now = recordedAt;
      const full = receivedAt === undefined ? message : { ...message, receivedAt };
      assert.equal(
        mustSayReceipt(life.last.state, full as unknown as InboundMessage, life.now),
        receivedAt === undefined,
      );
      const { messages } = hear(life, full);
      assert.equal((messages[0] as unknown as { code: string }).code, code, JSON.stringify(full));
    }
  }
});

test('the notice of a cancellation that is recorded later runs from when it reached us', () => {
  const cancellation = { kind: 'cancellation', marketLocation: MALO, supplier: null } as const;
  const cases: [string | null, string | undefined, string, string | undefined][] = [
    ['2027-01-02', '2026-12-01T10:00:00Z', 'A09', '2027-01-02'],
    ['2027-01-01', '2026-12-01T10:00:00Z', 'A06', undefined],
    [null, '2026-12-01T10:00:00Z', 'A09', '2027-01-02'],
    [null, undefined, 'A09', '2027-01-04'],
    ['2027-01-03', undefined, 'A06', undefined],
  ];
  for (const [end, receivedAt, code, confirmed] of cases) {
    const life = supplyingByHand();
    life.now = instant('2026-12-03T10:00:00Z');
    const { messages } = hear(life, { ...cancellation, end, ...(receivedAt === undefined ? {} : { receivedAt }) });
    const { code: answered, end: answeredEnd } = messages[0] as unknown as { code: string; end?: string };
    assert.deepEqual([answered, answeredEnd], [code, confirmed], JSON.stringify([end, receivedAt]));
  }
});

test('when a cancellation came is asked for where a receipt that can yet be answered in time decides', () => {
  const life = supplyingByHand();
  life.now = instant('2026-12-03T10:00:00Z');
  const head = { documentNumber: 'one', processNumber: 'one', answers: null } as const;
  const cases: [string | null, boolean][] = [
    ['2027-01-02', false],
    ['2027-01-03', true],
    ['2027-01-04', false],
    [null, false],
  ];
  for (const [end, expected] of cases) {
    const message: InboundMessage = { kind: 'cancellation', ...head, marketLocation: MALO, supplier: null, end };
    assert.equal(mustSayReceipt(life.last.state, message, life.now), expected, String(end));
  }
});

test('a revocation of the start that is recorded after it ends the supply', () => {
  const life = supplyingByHand();
  const start = '2026-11-25';
  const other = hear(life, { kind: 'start_revocation', marketLocation: MALO, start: '2026-11-24' });
  assert.deepEqual(other.outcome, { kind: 'ignored', reason: 'not_in_this_stage' });
  const { outcome, state } = hear(life, { kind: 'start_revocation', marketLocation: MALO, start });
  assert.deepEqual([outcome.kind, state.stage], ['done', 'ending']);
  const { state: over } = give(life, { type: 'due' });
  // Supply that has begun lasts a day at least.
  assert.deepEqual([over.stage, over.endReason, over.endAt], ['ended', 'superseded', '2026-11-25T23:00:00Z']);
});

test('an end that was confirmed before a withdrawal is not taken for the one that it asks for', () => {
  const life = ending();
  const first = newest(life, 'deregistration');
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2027-02-01' }, first);
  give(life, askFor('withdrawal'));
  const { endAt } = life.last.state;
  const refusal = { kind: 'deregistration_rejection', code: 'A10', confirmedEnd: '2027-02-01' } as const;
  hear(life, refusal, newest(life, 'deregistration'));
  assert.deepEqual([life.last.state.endAt, shown(life)[0]], [endAt, 'deregistration_refused']);
});

test('a market location found anew has its own contract to cancel', () => {
  const life = quiet({ transport: 'manual', previousSupplier: supplierNamed('Previous Supplier') });
  const cancellation = newest(life, 'cancellation');
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-12-01' }, cancellation);
  hear(life, { kind: 'processing_error', code: 'Z14' }, newest(life, 'registration'));
  hear(life, { kind: 'identification_match', marketLocation: OTHER_MALO }, newest(life, 'identification_request'));
  assert.equal(life.last.state.stage, 'cancelling');
  const again = newest(life, 'cancellation') as OutboundMessage<'cancellation'>;
  assert.equal(again.marketLocation, OTHER_MALO);
});

test('an end confirmed for a day before the one asked for ends nothing, and asks the operator', () => {
  const life = ending();
  const asked = newest(life, 'deregistration');
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-11-30' }, asked);
  assert.deepEqual([life.last.state.stage, life.last.state.end?.confirmed], ['ending', false]);
  assert.deepEqual(shown(life), ['ended_too_early', 'operator', null]);
  give(life, { type: 'operator_retry' });
  const again = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
  assert.deepEqual([again.end, sentOf(life, 'deregistration')], ['2027-02-01', 2]);
});

test('a withdrawal leaves an end as it is that the grid operator was asked for and that cannot come sooner', () => {
  const life = beginLife({ cancellationPeriod: 'P1D' });
  advance(life, instant('2026-11-30T11:00:00Z'));
  give(life, askFor('ordinary'));
  life.now = instant('2026-12-01T00:00:00Z');
  give(life, { type: 'due' });
  life.deliveries = [];
  const { endAt } = life.last.state;
  assert.equal(endAt, '2026-12-01T23:00:00Z');
  const { messages } = give(life, askFor('withdrawal'));
  assert.deepEqual([messages, life.last.state.endAt], [[], endAt]);
  const asked = newest(life, 'deregistration');
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2026-12-02' }, asked);
  wait(life);
  assert.deepEqual([life.last.state.stage, life.last.state.endReason], ['ended', 'withdrawn']);
});

test('an answer of ours that could not be processed is told of once what else was open is over', () => {
  const life = ending();
  hear(life, { kind: 'deregistration_rejection', code: 'A99' }, newest(life, 'deregistration'));
  const inquiry = { kind: 'end_inquiry', marketLocation: MALO, end: '2026-12-04', reason: 'E03' } as const;
  hear(life, { ...inquiry, registeredOn: '2026-12-01', customerName: 'Erika Mustermann' });
  hear(life, { kind: 'processing_error', code: 'Z29' }, newest(life, 'end_inquiry_refusal'));
  assert.equal(shown(life)[0], 'deregistration_refused');
  give(life, { type: 'operator_retry' });
  assert.equal(shown(life)[0], 'message_not_processed');
  give(life, { type: 'operator_retry' });
  assert.equal(visibleAction(life.last.state), null);
});

test('what counts as never received is somebody’s task where it was an answer of ours, and nothing where it was a question', () => {
  const life = ending();
  const asked = newest(life, 'deregistration');
  hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2027-02-01' }, asked);
  const { outcome } = hear(life, { kind: 'processing_error', code: 'Z29' }, asked);
  assert.deepEqual(
    [outcome, visibleAction(life.last.state)],
    [{ kind: 'ignored', reason: 'late_or_unknown_reference' }, null],
  );
  hear(life, { kind: 'reversal', reverses: 'theirs' });
  hear(life, { kind: 'processing_error', code: 'Z29' }, newest(life, 'reversal_rejection'));
  assert.equal(shown(life)[0], 'message_not_processed');
});

test('another day does not clear up what an operator or a document has to', () => {
  const wish = { nextPossibleStart: false, intendedStartDate: '2027-01-20' } as const;
  const life = quiet(wish);
  hear(life, { kind: 'registration_rejection', code: 'A05' }, newest(life, 'registration'));
  const { messages, state } = give(life, { type: 'corrected', changes: { intendedStartDate: '2027-01-21' } });
  assert.deepEqual([messages, shown(life)[0]], [[], 'balancing_group_authority_missing']);
  assert.equal(state.facts.intendedStartDate, '2027-01-21');
  give(life, { type: 'operator_retry' });
  assert.equal((newest(life, 'registration') as OutboundMessage<'registration'>).start, '2027-01-21');
});

test('a contract cancelled for a day before the start asks the operator, and a start on that day goes on', () => {
  const wish = { nextPossibleStart: false, intendedStartDate: '2027-02-01' } as const;
  const life = quiet({ ...wish, previousSupplier: supplierNamed('Previous Supplier') });
  const cancellation = newest(life, 'cancellation');
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-12-20' }, cancellation);
  assert.deepEqual(shown(life), ['cancelled_too_early', 'operator', null]);
  assert.equal(sentOf(life, 'registration'), 0);
  give(life, { type: 'corrected', changes: { intendedStartDate: '2026-12-20' } });
  const again = newest(life, 'cancellation') as OutboundMessage<'cancellation'>;
  assert.deepEqual([again.end, sentOf(life, 'cancellation')], ['2026-12-20', 2]);
});

test('an end that the grid operator has confirmed too early is not undone behind his back', () => {
  const early = { kind: 'deregistration_confirmation', code: 'A11', end: '2026-11-30' } as const;
  const asked = ending();
  hear(asked, early, newest(asked, 'deregistration'));
  assert.equal(give(asked, { type: 'termination_undone' }).outcome.kind, 'refused');
  const undoing = ending();
  give(undoing, { type: 'termination_undone' });
  const reversal = newest(undoing, 'reversal') as OutboundMessage<'reversal'>;
  hear(undoing, early, newest(undoing, 'deregistration'));
  hear(undoing, { kind: 'reversal_rejection', reverses: reversal.reverses }, reversal);
  for (const life of [asked, undoing]) assert.equal(shown(life)[0], 'ended_too_early');
});

test('what a customer is asked is told at once, also while a message waits that nobody has to answer', () => {
  const life = quiet({ transport: 'manual', previousSupplier: supplierNamed('Previous Supplier') });
  transmit(life, newest(life, 'cancellation'));
  give(life, { type: 'corrected', changes: { previousSupplier: supplierNamed('Another One') } });
  const second = newest(life, 'cancellation');
  transmit(life, second);
  assert.deepEqual([shown(life)[0], life.last.state.untransmitted.length], ['transmit_message', 1]);
  const { events } = hear(life, { kind: 'cancellation_rejection', code: 'A06', nextPossibleEnd: '2027-06-01' }, second);
  assert.equal(shown(life)[0], 'previous_contract_bound');
  assert.equal(events.at(-1)?.type, 'subscription.action_required');
});

test('a retry does nothing about what is hidden behind a message that waits', () => {
  const life = quiet({ transport: 'manual', nextPossibleStart: false, intendedStartDate: '2026-12-02' });
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-02' }, newest(life, 'registration'));
  give(life, askFor('withdrawal'));
  transmit(life, newest(life, 'deregistration'));
  while (life.last.state.stage !== 'ending') wait(life);
  const { outcome, messages } = give(life, { type: 'operator_retry' });
  assert.deepEqual([outcome.kind, messages], ['ignored', []]);
});

test('a market location whose start was confirmed and not promised is held until that is cleared up', () => {
  const life = quiet({ nextPossibleStart: false, intendedStartDate: '2027-03-01' });
  const registration = newest(life, 'registration');
  give(life, { type: 'corrected', changes: { marketLocation: OTHER_MALO } });
  assert.deepEqual(heldLocations(life.last.state), [MALO]);
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2027-02-01' }, registration);
  assert.deepEqual([shown(life)[0], heldLocations(life.last.state)], ['confirmed_too_early', [MALO]]);
  give(life, { type: 'operator_retry' });
  assert.deepEqual(heldLocations(life.last.state), []);
});

test('nobody is asked when something came that means nothing', () => {
  const life = supplyingByHand();
  life.now = instant('2026-12-20T07:30:00Z');
  const answers = newest(life, 'registration').processNumber;
  const head = { documentNumber: 'D1', processNumber: 'D1' };
  const elsewhere = { ...head, answers: null, marketLocation: OTHER_MALO, end: '2026-12-04' };
  const messages = [
    { ...head, answers, kind: 'registration_confirmation', code: 'A51', start: '2026-11-25' },
    { ...elsewhere, kind: 'grid_operator_end' },
    { ...elsewhere, kind: 'end_inquiry', reason: 'E03', registeredOn: '2026-12-01', customerName: 'Erika' },
  ];
  for (const message of messages) {
    assert.equal(mustSayReceipt(life.last.state, message as unknown as InboundMessage, life.now), false, message.kind);
  }
});

test('what waits in vain is given up by the operator, and the previous supplier is told to forget it', () => {
  for (const transport of ['automatic', 'manual'] as const) {
    const life = quiet({ transport, previousSupplier: supplierNamed('previous') });
    const { messages, events, state } = give(life, { type: 'given_up' });
    // What he was never sent he need not forget.
    assert.deepEqual(
      messages.map(({ kind }) => kind),
      transport === 'automatic' ? ['reversal'] : [],
    );
    assert.deepEqual([state.stage, state.endReason, state.untransmitted], ['ended', 'rejected', []]);
    assert.equal(events.at(-1)?.type, 'subscription.ended');
    assert.equal(life.last.dueAt, null);
  }
});

test('nothing is given up that the grid operator has confirmed or may still confirm', () => {
  const refused = { kind: 'refused', code: 'not_in_this_stage', earliest: null };
  const life = quiet({});
  assert.deepEqual(give(life, { type: 'given_up' }).outcome, refused);
  const registration = newest(life, 'registration');
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-25' }, registration);
  assert.deepEqual([life.last.state.stage, give(life, { type: 'given_up' }).outcome], ['confirmed', refused]);
  const unclear = quiet({});
  const tooLate = { kind: 'registration_confirmation', code: 'A51', start: '2026-11-20' } as const;
  hear(unclear, tooLate, newest(unclear, 'registration'));
  assert.deepEqual([shown(unclear)[0], give(unclear, { type: 'given_up' }).outcome], ['confirmed_too_late', refused]);
  const silent = quiet({ transport: 'manual' });
  assert.equal(give(silent, { type: 'given_up' }).state.endReason, 'rejected');
  assert.deepEqual(give(silent, { type: 'given_up' }).outcome, refused);
});

test('an end said to be confirmed for an earlier day that has come ends no running supply: a person looks at it', () => {
  for (const day of ['2026-11-20', '2026-12-02']) {
    const life = ending();
    const refusal = { kind: 'deregistration_rejection', code: 'A09', confirmedEnd: day } as const;
    hear(life, refusal, newest(life, 'deregistration'));
    advance(life, instant('2026-12-03T02:00:00Z'));
    assert.deepEqual([life.last.state.stage, ...shown(life)], ['ending', 'ended_too_early', 'operator', null]);
  }
});

/** Switches to us on 2026-12-15 in a live project; nobody has transmitted anything. */
const untold = (given: Partial<SupplyFacts> = {}): Life =>
  quiet({ nextPossibleStart: false, intendedStartDate: '2026-12-15', transport: 'manual', ...given });
const PUT_OFF = { type: 'corrected', changes: { intendedStartDate: '2027-02-01' } } as const;
const ELSEWHERE = { type: 'corrected', changes: { marketLocation: OTHER_MALO } } as const;
const GIVEN_UP = { type: 'given_up' } as const;
const received = { kind: 'acknowledgement', receivedAt: '2026-11-21T09:10:00Z' } as const;

test('what was handed over before it was dropped is taken back once the partner says that he has it', () => {
  const previousSupplier = supplierNamed('Previous Supplier');
  for (const [facts, kind, dropping] of [
    [{}, 'registration', askFor('withdrawal')],
    [{}, 'registration', GIVEN_UP],
    [{}, 'registration', PUT_OFF],
    [{ previousSupplier }, 'cancellation', askFor('withdrawal')],
    [{ previousSupplier }, 'cancellation', PUT_OFF],
  ] as const) {
    const life = untold(facts);
    const asked = newest(life, kind);
    const { stage } = give(life, dropping).state;
    assert.equal(sentOf(life, 'reversal'), 0);
    assert.equal(hear(life, received, asked).outcome.kind, 'done');
    const { reverses, documentNumber } = newest(life, 'reversal') as OutboundMessage<'reversal'>;
    assert.deepEqual([sentOf(life, 'reversal'), reverses, life.last.state.stage], [1, asked.processNumber, stage]);
    assert.ok(life.last.state.untransmitted.includes(documentNumber));
  }
});

test('what was handed over before it was dropped, and refused, needs no taking back', () => {
  const life = untold();
  give(life, askFor('withdrawal'));
  const { outcome } = hear(life, { kind: 'registration_rejection', code: 'A05' }, newest(life, 'registration'));
  assert.deepEqual([outcome.kind, sentOf(life, 'reversal')], ['ignored', 0]);
});

test('a start that is confirmed though its registration was dropped is taken back, or ended as soon as it can be', () => {
  const confirmation = { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' } as const;
  for (const [dropping, at, reason, end] of [
    [askFor('withdrawal'), '2026-11-23T10:00:00Z', 'ZH2', '2026-12-15'],
    [GIVEN_UP, '2026-11-23T10:00:00Z', 'ZH2', '2026-12-15'],
    [ELSEWHERE, '2026-11-23T10:00:00Z', 'ZH2', '2026-12-15'],
    [askFor('withdrawal'), '2026-12-14T10:00:00Z', 'ZT5', '2026-12-16'],
    [askFor('withdrawal'), '2026-12-16T10:00:00Z', 'ZT5', '2026-12-18'],
  ] as const) {
    const life = untold();
    const asked = newest(life, 'registration');
    const { stage } = give(life, dropping).state;
    life.now = instant(at);
    hear(life, confirmation, asked);
    const told = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
    assert.deepEqual([told.marketLocation, told.reason, told.end], [MALO, reason, end]);
    assert.deepEqual([life.last.state.stage, life.last.state.startAt], [stage, null]);
  }
});

test('a start confirmed is taken back too where its registration had been replaced before all of it was dropped', () => {
  for (const dropping of [askFor('withdrawal'), GIVEN_UP]) {
    const life = untold({ intendedStartDate: '2026-11-24' });
    wait(life);
    const [first, second] = life.sent;
    assert.deepEqual([second?.replaces, sentOf(life, 'registration')], [first?.documentNumber, 2]);
    give(life, dropping);
    assert.equal(life.last.state.stage, 'ended');
    const { outcome } = hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, first);
    const told = newest(life, 'deregistration') as OutboundMessage<'deregistration'>;
    assert.deepEqual([outcome.kind, told.marketLocation, told.reason, told.end], ['done', MALO, 'ZT5', '2026-11-25']);
  }
});

test('a start confirmed though its registration was dropped for another day there is promised', () => {
  const life = untold();
  const asked = newest(life, 'registration');
  give(life, PUT_OFF);
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-12-15' }, asked);
  assert.deepEqual([life.last.state.stage, life.last.state.startAt], ['confirmed', '2026-12-14T23:00:00Z']);
  assert.deepEqual([sentOf(life, 'deregistration'), life.last.state.untransmitted], [0, []]);
});

/** Cancelled on Monday for Friday, which is out of reach for a cancellation that is handed over on Wednesday. */
function cancelledTwice(): { readonly life: Life; readonly first: OutboundMessage; readonly second: OutboundMessage } {
  const life = quiet({
    concludedAt: '2026-11-23T09:00:00Z',
    nextPossibleStart: false,
    intendedStartDate: '2026-11-27',
    previousSupplier: supplierNamed('Previous Supplier'),
    transport: 'manual',
  });
  wait(life);
  const [first, second] = life.sent;
  assert.ok(first !== undefined && second?.kind === 'cancellation');
  assert.equal(second.replaces, first.documentNumber);
  return { life, first, second };
}

const cancelled = { kind: 'cancellation_confirmation', code: 'A09', end: '2026-11-27' } as const;

test('a cancellation that was replaced as not handed over, and is confirmed, counts: supply follows the old contract without a gap', () => {
  for (const isTransmitted of [false, true]) {
    const { life, first, second } = cancelledTwice();
    if (isTransmitted) transmit(life, second);
    assert.equal(hear(life, cancelled, first).outcome.kind, 'done');
    const registered = newest(life, 'registration') as OutboundMessage<'registration'>;
    assert.deepEqual([life.last.state.stage, registered.start], ['registering', '2026-11-27']);
    assert.deepEqual(life.last.state.untransmitted, [registered.documentNumber]);
  }
});

test('a cancellation that was replaced, and confirmed once nobody wants it any more, is taken back, or remembered', () => {
  const { life: withdrawn, first: unwanted } = cancelledTwice();
  give(withdrawn, askFor('withdrawal'));
  assert.equal(hear(withdrawn, cancelled, unwanted).outcome.kind, 'done');
  assert.equal((newest(withdrawn, 'reversal') as OutboundMessage<'reversal'>).reverses, unwanted.processNumber);
  const { life: other, first } = cancelledTwice();
  give(other, { type: 'corrected', changes: { previousSupplier: supplierNamed('Another Supplier') } });
  hear(other, cancelled, first);
  assert.deepEqual([other.last.state.stage, other.last.state.settled], ['cancelling', null]);
  give(other, { type: 'corrected', changes: { previousSupplier: null } });
  assert.equal(other.last.state.settled?.end, '2026-11-27');
});

test('a termination that was taken back after it had been handed over is reversed, or ends the supply if it is confirmed', () => {
  const life = supplyingByHand();
  give(life, askFor('ordinary', '2027-02-01'));
  life.now = instant('2026-12-02T09:00:00Z');
  give(life, { type: 'due' });
  const asked = newest(life, 'deregistration');
  give(life, { type: 'termination_undone' });
  assert.deepEqual([life.last.state.stage, sentOf(life, 'reversal')], ['supplying', 0]);
  hear(life, { ...received, receivedAt: '2026-12-02T08:55:00Z' }, asked);
  assert.equal((newest(life, 'reversal') as OutboundMessage<'reversal'>).reverses, asked.processNumber);
  const { events } = hear(life, { kind: 'deregistration_confirmation', code: 'A11', end: '2027-02-01' }, asked);
  assert.ok(events.some(({ type }) => type === 'subscription.terminated'));
  assert.deepEqual([life.last.state.stage, life.last.state.end?.confirmed], ['ending', true]);
});

test('a start that is put off while the old supplier confirms what was handed over unseen leaves no days without supply', () => {
  const life = untold({ previousSupplier: supplierNamed('Previous Supplier') });
  const first = newest(life, 'cancellation');
  give(life, PUT_OFF);
  const second = newest(life, 'cancellation');
  transmit(life, second);
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-12-15' }, first);
  hear(life, { kind: 'cancellation_rejection', code: 'A04' }, second);
  assert.equal(life.last.state.action?.code, 'cancelled_too_early');
});
