import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { supplierNamed, supplyFacts } from '#test/support/market-life.ts';
import { berlinDay, earliestStart } from '../calendar.ts';
import { statusOf, transition } from '../subscription/lifecycle.ts';
import {
  CANCELLATION_CODES,
  DEREGISTRATION_CODES,
  DIRECT_REGISTRATION_CODES,
  IDENTIFICATION_CODES,
  INQUIRY_CODES,
  PROCESSABILITY_CODES,
  REGISTRATION_CODES,
} from './codes.ts';
import type { InboundMessage, OutboundMessage } from './messages.ts';
import { isRevoking } from './revocations.ts';
import { midnight } from './instants.ts';
import { isAwaited, silenceOf, visibleAction } from './state.ts';
import type { Correctable, SupplyState, TakenBack } from './state.ts';
import { beginSupply, decide, type Decision, type SupplyInput } from './supply.ts';

const start = Temporal.Instant.from('2026-12-17T10:00:00Z');
const LIVES = 10_000;

/** A throw of the dice: what happens, and numbers that choose the details. */
interface Throw {
  readonly what: number;
  readonly which: number;
  readonly days: number;
}
const anyThrow: fc.Arbitrary<Throw> = fc.record({
  what: fc.nat(99),
  which: fc.nat(9999),
  days: fc.integer({ min: -3, max: 60 }),
});

interface Life {
  now: Temporal.Instant;
  last: Decision;
  readonly sent: OutboundMessage[];
  readonly received: InboundMessage[];
  /** Kinds of questions that were answered when asked again, after nobody had answered them. */
  readonly heard: Set<string>;
}

const pick = <Each>(values: readonly Each[], which: number): Each => {
  const found = values[which % values.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
};
const keys = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[];

/** An answer to a message of ours that the market might give, right or not. */
function answerTo(message: OutboundMessage, { which, days }: Throw, number: string, today: Temporal.PlainDate) {
  const head = { documentNumber: number, processNumber: number, answers: message.processNumber };
  const day = today.add({ days }).toString();
  const positive = which % 3 !== 0;
  if (which % 17 === 0) {
    return { kind: 'processing_error' as const, ...head, code: pick(keys(PROCESSABILITY_CODES), which) };
  }
  if (which % 23 === 0) return { kind: 'syntax_error' as const, ...head, detail: 'UNH' };
  if (message.kind === 'identification_request')
    return positive
      ? { kind: 'identification_match' as const, ...head, marketLocation: '51238696781' }
      : {
          kind: 'identification_failure' as const,
          ...head,
          code: pick(keys(IDENTIFICATION_CODES), which),
          gridOperator: '9900000000002',
        };
  if (message.kind === 'cancellation')
    return positive
      ? { kind: 'cancellation_confirmation' as const, ...head, code: 'A09' as const, end: message.end ?? day }
      : {
          kind: 'cancellation_rejection' as const,
          ...head,
          code: pick(keys(CANCELLATION_CODES), which),
          nextPossibleEnd: day,
        };
  if (message.kind === 'registration') {
    if (positive) {
      const confirmed = which % 7 === 0 ? day : message.start;
      return { kind: 'registration_confirmation' as const, ...head, code: 'A51' as const, start: confirmed };
    }
    const codes = [...keys(DIRECT_REGISTRATION_CODES), ...keys(REGISTRATION_CODES), 'A50', 'A50'] as const;
    const supplierCode = pick(keys(INQUIRY_CODES), which + 1);
    return {
      kind: 'registration_rejection' as const,
      ...head,
      code: pick(codes, which),
      supplierCode,
      acceptedFrom: day,
    };
  }
  if (message.kind === 'deregistration')
    return positive
      ? {
          kind: 'deregistration_confirmation' as const,
          ...head,
          code: 'A11' as const,
          end: which % 7 === 0 ? day : message.end,
        }
      : {
          kind: 'deregistration_rejection' as const,
          ...head,
          code: pick(keys(DEREGISTRATION_CODES), which),
          confirmedEnd: day,
        };
  if (message.kind === 'reversal') {
    const kind = positive ? ('reversal_confirmation' as const) : ('reversal_rejection' as const);
    return { kind, ...head, reverses: message.reverses };
  }
  return { kind: 'acknowledgement' as const, ...head, receivedAt: start.toString() };
}

/** Something a partner sends of his own accord. */
function unasked(
  state: SupplyState,
  { which, days }: Throw,
  number: string,
  today: Temporal.PlainDate,
): InboundMessage {
  const marketLocation = which % 5 === 0 ? '41373559241' : (state.facts.marketLocation ?? '51238696781');
  const head = { documentNumber: number, processNumber: number, answers: null, marketLocation };
  const end = today.add({ days }).toString();
  const startDay =
    state.startAt === null || which % 2 === 0 ? end : berlinDay(Temporal.Instant.from(state.startAt)).toString();
  const customerName = which % 3 === 0 ? 'Erika Mustermann' : 'Max Muster';
  const registeredOn = today.subtract({ days: which % 3 }).toString();
  const reason = which % 2 === 0 ? ('E01' as const) : ('E03' as const);
  return pick<InboundMessage>(
    [
      { kind: 'cancellation', ...head, end: which % 4 === 0 ? null : end, supplier: null },
      { kind: 'end_inquiry', ...head, end, reason, registeredOn, customerName },
      { kind: 'end_notice', ...head, end: startDay },
      { kind: 'start_revocation', ...head, start: startDay },
      { kind: 'grid_operator_end', ...head, end },
      { kind: 'reversal', ...head, reverses: 'x' },
      { kind: 'existing_assignment', ...head },
      { kind: 'master_data', documentNumber: number, processNumber: number, answers: null, identifier: '55218' },
    ],
    which,
  );
}

/** Corrections that a customer might make, sensible or not. */
function changes({ which, days }: Throw, today: Temporal.PlainDate): Partial<Correctable> {
  const suppliers = [null, supplierNamed('other'), supplierNamed('previous')];
  return pick<Partial<Correctable>>(
    [
      { marketLocation: '41373559241' },
      { meterNumber: `M${which}` },
      { zip: '10117', address: 'Neue Straße 1' },
      { customerName: 'Erika Muster' },
      { previousSupplier: pick(suppliers, Math.floor(which / 7)) },
      { intendedStartDate: today.add({ days: Math.max(1, days) }).toString() },
      {},
    ],
    which,
  );
}

function inputFor(life: Life, dice: Throw, number: string): SupplyInput {
  const today = berlinDay(life.now);
  const { what, which } = dice;
  const day = today.add({ days: dice.days }).toString();
  if (what < 45 && life.sent.length > 0) {
    // Mostly the newest message is answered, sometimes an old one: late and out of order.
    const message = which % 4 === 0 ? pick(life.sent, which) : (life.sent.at(-1) ?? pick(life.sent, 0));
    return { type: 'received', message: answerTo(message, dice, number, today), isTaken: which % 11 === 0 };
  }
  if (what < 52 && life.received.length > 0) return { type: 'received', message: pick(life.received, which) };
  if (what < 62) return { type: 'received', message: unasked(life.last.state, dice, number, today) };
  if (what < 72) return { type: 'corrected', changes: changes(dice, today) };
  if (what === 75 && which % 4 === 0) return { type: 'given_up' };
  if (what === 75 && which % 4 === 1) return { type: 'start_accepted' };
  if (what < 76) return { type: 'operator_retry' };
  if (what < 80) {
    return { type: 'transmitted', documentNumber: life.sent.at(-1)?.documentNumber ?? '' };
  }
  if (what < 84) return { type: 'termination_undone' };
  const reason = pick(['ordinary', 'move_out', 'withdrawal'] as const, which);
  if (what < 89) {
    const noticeDay = which % 5 === 0 ? today.subtract({ days: dice.days }).toString() : undefined;
    return { type: 'termination_asked', request: { reason, endDay: which % 2 === 0 ? day : null, noticeDay } };
  }
  return { type: 'due' };
}

function give(life: Life, input: SupplyInput): void {
  const before = life.last.state;
  const decision = decide(before, input, life.now);
  // A crash before the commit: the decision is thrown away and made again from what is stored.
  const stored = JSON.parse(JSON.stringify(before)) as SupplyState;
  assert.deepEqual(decide(stored, input, life.now), decision);
  check(before, decision, input, life);
  life.last = decision;
  life.sent.push(...decision.messages);
  if (input.type === 'received') life.received.push(input.message);
}

function check(before: SupplyState, decision: Decision, input: SupplyInput, life: Life): void {
  const { state, events, stageEvent, messages } = decision;
  checkEvents(before, decision, input);
  if (input.type === 'received') checkHeard(before, decision, input.message, life);
  // Supply is promised by the grid operator's confirmation only, and never for a day that has come.
  if (input.type === 'start_accepted' && decision.outcome.kind === 'done') {
    // But by an operator's word, for the day that was confirmed.
    assert.ok(before.unclearStart !== null && before.unclearStart !== undefined);
    if (state.startAt !== null) assert.equal(state.startAt, midnight(before.unclearStart.day));
  } else if (state.startAt !== null && state.startAt !== before.startAt) {
    assert.ok(input.type === 'received' && input.message.kind === 'registration_confirmation');
    assert.ok(Temporal.Instant.compare(Temporal.Instant.from(state.startAt), life.now) > 0, 'a start in the past');
  }
  if (['identifying', 'cancelling', 'registering'].includes(state.stage)) assert.equal(state.startAt, null);
  if (['confirmed', 'supplying', 'ending'].includes(state.stage)) assert.notEqual(state.startAt, null);
  const event = stageEvent?.event;
  const isOver = event === 'supply_ended' && state.startAt !== null;
  const instant = event === 'supply_started' ? before.startAt : isOver ? before.endAt : null;
  if (instant !== null) assert.ok(Temporal.Instant.compare(Temporal.Instant.from(instant), life.now) <= 0);
  // Or it never was: a withdrawn one of which the start is revoked after all.
  if (event === 'supply_ended' && state.startAt !== null) assert.ok(before.end?.confirmed);
  else if (event === 'supply_ended') assert.ok(before.withdrawn && input.type === 'received');
  if (state.startAt !== null && state.endAt !== null) assert.ok(state.endAt > state.startAt, 'an end before the start');
  assert.equal(state.endReason !== null, state.stage === 'ended');
  // What is open is awaited: by a time or by somebody. Supply without an end awaits nothing.
  const isSettled = state.stage === 'supplying' && state.end === null;
  if (state.stage !== 'ended' && !isSettled) {
    assert.ok(decision.dueAt !== null || visibleAction(state) !== null, `forgotten: ${JSON.stringify(state)}`);
  }
  if (isRevoking(state))
    assert.ok(decision.dueAt !== null || visibleAction(state) !== null, 'an unwanted start forgotten');
  else if (state.stage === 'ended') assert.deepEqual([decision.dueAt, visibleAction(state)], [null, null]);
  if (input.type === 'given_up' && decision.outcome.kind === 'done') {
    const isAsked = before.questions.some(({ kind, transmitted }) => kind === 'registration' && transmitted);
    assert.deepEqual([isAsked, state.endReason, before.startAt], [false, 'rejected', null]);
  }
  checkMessages(messages, life);
  checkSettlement(before, decision, input);
  // What others have been told of our end is never taken back.
  if (life.sent.some(({ kind }) => RELIED_ON.has(kind))) {
    assert.ok(events.every(({ type }) => type !== 'subscription.termination_undone'));
  }
  if (decision.outcome.kind !== 'done') {
    assert.deepEqual([messages.length, events.length, seen(state)], [0, 0, seen(before)]);
  }
  if (input.type === 'received' && before.received.includes(input.message.documentNumber)) {
    assert.deepEqual(state, before);
    assert.deepEqual(decision.outcome, { kind: 'ignored', reason: 'duplicate' });
  }
}

/**
 * The answer to the newest open question of a kind is heard, also when an earlier one was never answered: nobody's silence
 * about it is left to clear up. What is being taken back waits for every answer.
 */
function checkHeard(before: SupplyState, { state, outcome }: Decision, message: InboundMessage, life: Life): void {
  const asked = before.questions.find(({ processNumber }) => processNumber === message.answers);
  if (asked === undefined || message.kind === 'acknowledgement' || outcome.kind !== 'done') return;
  const others = before.questions.filter((each) => each.kind === asked.kind && each !== asked);
  const isNewest = before.questions.findLast(({ kind }) => kind === asked.kind) === asked;
  if (!isNewest || others.some(isAwaited) || before.withdrawn || before.afterReversal !== null) return;
  assert.notEqual(state.action?.code, silenceOf(asked.kind));
  if (others.length > 0) life.heard.add(asked.kind);
}

const RELIED_ON = new Set<string>(['cancellation_confirmation', 'end_inquiry_consent', 'grid_operator_end_consent']);

/** What the API shows of a life beside `next_action`. */
const seen = (each: SupplyState): string =>
  JSON.stringify([
    [each.stage, each.startAt, each.endAt, each.terminatedAt, each.endReason],
    [each.requestedStart, each.moveReason, each.facts.marketLocation],
  ]);
const seenAction = (each: SupplyState): string => JSON.stringify(visibleAction(each));

/**
 * At most one step, which is in the table; and exactly what is seen to change is told, in one event and those of the
 * action. A withdrawal is told even where nothing is seen of it.
 */
function checkEvents(before: SupplyState, { state, outcome, events, stageEvent }: Decision, input: SupplyInput): void {
  assert.equal(stageEvent?.from ?? state.stage, before.stage);
  assert.equal(stageEvent?.to ?? before.stage, state.stage);
  const types = events.map(({ type }) => type);
  const main = types.filter((type) => !type.startsWith('subscription.action_'));
  const isWithdrawal = input.type === 'termination_asked' && input.request.reason === 'withdrawal';
  const isTold = seen(before) !== seen(state) || (isWithdrawal && outcome.kind === 'done');
  assert.equal(main.length, isTold ? 1 : 0, `${types.join()} ${seen(before)} ${seen(state)}`);
  const order = ['subscription.action_resolved', ...main, 'subscription.action_required'];
  assert.deepEqual(
    types,
    order.filter((type) => types.some((each) => each === type)),
  );
  assert.equal(types.length > main.length, seenAction(before) !== seenAction(state));
  for (const { type, reason } of events) assert.ok(reason === null || type === main[0]);
  if (stageEvent === null) return;
  const found = transition(stageEvent.from, stageEvent.event);
  assert.ok(found?.to === stageEvent.to);
  // An end planned before the start was told then.
  const wasTold = stageEvent.event === 'end_scheduled' && before.terminatedAt !== null;
  assert.equal(main[0], wasTold ? 'subscription.updated' : found.announces);
}

/** Nothing is asked for that the market must refuse as too late, and no number is used twice. */
function checkMessages(messages: readonly OutboundMessage[], life: Life): void {
  const today = berlinDay(life.now);
  for (const message of messages) {
    assert.ok(life.sent.every(({ processNumber }) => processNumber !== message.processNumber));
    if (message.kind === 'registration') assert.ok(message.start >= earliestStart(today).toString());
    if (message.kind === 'deregistration') assert.ok(message.end >= earliestStart(today).toString());
    if (message.kind === 'cancellation' && message.end !== null) assert.ok(message.end > today.toString());
  }
}

/**
 * What a supplier has confirmed outlives his removal, and that of others who were given after him; he is not asked again,
 * and no start is asked for before the end of his contract.
 */
function checkSettlement(before: SupplyState, { state, outcome, messages }: Decision, input: SupplyInput): void {
  const isRemoval = input.type === 'corrected' && input.changes.previousSupplier === null;
  if (isRemoval) {
    const { takenBack = [], facts } = before;
    const isHere = (each: TakenBack): boolean => each.end !== null && each.marketLocation === facts.marketLocation;
    const remembered = outcome.kind === 'done' ? takenBack.findLast(isHere) : undefined;
    const { supplier, end } = before.settled ?? remembered ?? {};
    assert.deepEqual([state.settled?.supplier, state.settled?.end], [supplier, end]);
  }
  for (const message of messages) {
    if (message.kind === 'registration') assert.ok(message.start >= (state.settled?.end ?? ''));
    if (message.kind === 'cancellation') assert.notEqual(message.supplier?.id, state.settled?.supplier ?? null);
  }
}

function live(facts: Parameters<typeof supplyFacts>[0], throws: readonly Throw[]): Life {
  const state = beginSupply(supplyFacts({ concludedAt: start.toString(), ...facts }));
  const nothing = { outcome: { kind: 'done' } as const, stageEvent: null, messages: [], events: [], dueAt: null };
  const life: Life = { now: start, last: { state, ...nothing }, sent: [], received: [], heard: new Set() };
  give(life, { type: 'started' });
  throws.forEach((dice, index) => {
    life.now = life.now.add({ hours: dice.which % 3 === 0 ? 0 : dice.which % 60 });
    if (dice.what % 2 === 0) catchUp(life);
    if (dice.what % 9 === 0 && life.last.dueAt !== null) {
      const due = Temporal.Instant.from(life.last.dueAt);
      if (Temporal.Instant.compare(due, life.now) > 0) life.now = due;
    }
    give(life, inputFor(life, dice, `in-${index}`));
  });
  catchUp(life);
  return life;
}

/** Does all that is due; it must come to rest. */
function catchUp(life: Life): void {
  for (let count = 0; life.last.dueAt !== null; count += 1) {
    if (Temporal.Instant.compare(Temporal.Instant.from(life.last.dueAt), life.now) > 0) return;
    assert.ok(count < 50, `never comes to rest: ${JSON.stringify(life.last.state)}`);
    give(life, { type: 'due' });
  }
}

const anyFacts = fc.record({
  transport: fc.constantFrom('automatic' as const, 'automatic' as const, 'manual' as const),
  marketLocation: fc.constantFrom(null, '57685676748'),
  previousSupplier: fc.constantFrom(null, supplierNamed('previous')),
  customerType: fc.constantFrom('person' as const, 'company' as const),
  nextPossibleStart: fc.boolean(),
  intendedStartDate: fc.constantFrom('2026-12-18', '2027-01-01', '2027-03-01'),
  cancellationPeriod: fc.constantFrom('P1M', 'P14D', 'P0D'),
});

test('however the market and the people behave, a life keeps its promises', () => {
  const reached = new Map<string, number>();
  const heard = new Set<string>();
  fc.assert(
    fc.property(anyFacts, fc.array(anyThrow, { minLength: 5, maxLength: 30, size: 'max' }), (facts, throws) => {
      const life = live(facts, throws);
      const { stage, endReason } = life.last.state;
      const place = `${statusOf(stage)} ${stage} ${endReason ?? ''}`;
      reached.set(place, (reached.get(place) ?? 0) + 1);
      for (const kind of life.heard) heard.add(kind);
      assert.deepEqual(JSON.parse(JSON.stringify(life.last.state)), life.last.state, 'the state is plain JSON');
    }),
    { numRuns: LIVES, seed: 20261121 },
  );
  // The dice reach everything worth reaching.
  for (const end of ['terminated', 'moved_out', 'withdrawn', 'rejected', 'superseded']) {
    assert.ok(reached.has(`ended ended ${end}`), `no life ended ${end}: ${JSON.stringify([...reached])}`);
  }
  assert.deepEqual([...heard].toSorted(), ['cancellation', 'deregistration', 'identification_request', 'registration']);
  assert.ok(reached.has('active supplying ') && reached.has('active ending '));
});
