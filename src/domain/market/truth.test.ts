/**
 * Whatever is handed over unseen, recorded late or out of order: once all is recorded and quiet, we show supply on exactly
 * the days on which the grid operator has us supply. He is the one who knows (`true-market.ts`).
 *
 * Left as it is, and therefore not thrown:
 * - an end that is recorded only after the life has ended is ignored, so all is recorded before (`pass`);
 * - of several previous suppliers one who says that his contract is over counts: there is one only, and the days between his
 *   end and our start, also of one who is removed unanswered, are not compared;
 * - what a partner confirms after he has agreed to forget it (55005 after 55023): none contradicts himself;
 * - an end confirmed that overtakes the confirmation of another start there may have come before that start (`record`);
 * - a start to be cleared up that ends with another one there: the operator records that end before he accepts it (`clearUp`);
 * - a start that is revoked for another supplier and confirmed anew for the same day: the revocation does not say which it means;
 * - a wish to take a termination back that is never answered: at last everything is;
 * - reductions of the grid fee: nobody orders any.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { beginLife, give, instant, MALO, OTHER_MALO, type Life } from '#test/support/market-life.ts';
import { act, beginMarket, handOver, hearSilence, isAssigned, PREVIOUS } from '#test/support/true-market.ts';
import { repeatEnd, rivalRegisters, shutDown, type Mood, type TrueMarket } from '#test/support/true-market.ts';
import { berlinDay, berlinDayText } from '../calendar.ts';
import { isSupply } from '../subscription/lifecycle.ts';
import type { InboundMessage, OutboundMessage } from './messages.ts';
import { isRevoking } from './revocations.ts';
import { isReached } from './instants.ts';
import { visibleAction, type Correctable } from './state.ts';

/** A few seconds; `TRUE_LIVES=100000` makes a long run, and `TRUE_SEED` another one. */
const LIVES = Number(process.env['TRUE_LIVES'] ?? 2_000);
const SEED = Number(process.env['TRUE_SEED'] ?? 20_261_121);

/** A throw of the dice: what happens after so many hours, and numbers that choose the details. */
interface Throw extends Mood {
  readonly what: number;
  readonly hours: number;
}
const anyThrow: fc.Arbitrary<Throw> = fc.record({
  what: fc.nat(99),
  which: fc.nat(9999),
  days: fc.nat(40),
  hours: fc.oneof(fc.constant(0), fc.nat(4), fc.nat(40)),
});

interface World {
  /** How partners decide when all comes to rest: they confirm what the rules permit. */
  readonly mood: Mood;
  readonly life: Life;
  readonly market: TrueMarket;
}

const pick = <Each>(values: readonly Each[], which: number): Each | undefined => values[which % values.length];

// ---------------------------------------------------------------------------------------------------------------
// The operator, who carries the messages

/** What waits to be handed over, as the operator sees it. */
function waiting({ life, market }: World): readonly OutboundMessage[] {
  const { untransmitted } = life.last.state;
  return life.sent.filter(
    ({ documentNumber }) => untransmitted.includes(documentNumber) && !market.handedOver.has(documentNumber),
  );
}

function transmitted({ life }: World, documentNumber: string): void {
  if (life.last.state.untransmitted.includes(documentNumber)) give(life, { type: 'transmitted', documentNumber });
}

/** Records what a partner sent; an answer says that the message was transmitted. */
function record(world: World, message: InboundMessage): void {
  const { life, market } = world;
  if (message.kind === 'deregistration_confirmation') {
    const before = market.inbox.slice(0, market.inbox.indexOf(message));
    for (const each of before.filter(({ kind }) => kind === 'registration_confirmation')) record(world, each);
  }
  market.inbox = market.inbox.filter((each) => each !== message);
  const asked = life.sent.find(({ processNumber }) => processNumber === message.answers);
  if (asked !== undefined) transmitted(world, asked.documentNumber);
  give(life, { type: 'received', message });
}

/** Everything that partners have is acted on, and what they said is recorded; false when there was nothing. */
function catchUp(world: World): boolean {
  const { life, market } = world;
  let isAny = false;
  for (;;) {
    const [received] = market.pending;
    const [message] = market.inbox;
    if (message !== undefined) record(world, message);
    else if (received !== undefined) act(market, received, life.now, world.mood);
    else return isAny;
    isAny = true;
  }
}

/** Lets the time pass until an instant, and what is due happen at its own. */
function pass(world: World, until: Temporal.Instant): void {
  const { life, market } = world;
  for (let count = 0; life.last.dueAt !== null && isReached(life.last.dueAt, until); count += 1) {
    assert.ok(count < 200, `never comes to rest: ${JSON.stringify(life.last.state)}`);
    const due = instant(life.last.dueAt);
    if (Temporal.Instant.compare(due, life.now) > 0) life.now = due;
    hearSilence(market, life.now);
    const { stage, endAt } = life.last.state;
    // What is said of an end only after it, too late for everybody, is ignored: it is heard before.
    if (stage === 'ending' && endAt !== null && isReached(endAt, life.now)) catchUp(world);
    give(life, { type: 'due' });
  }
  life.now = until;
  hearSilence(market, life.now);
}

// ---------------------------------------------------------------------------------------------------------------
// What happens

/** What may happen now; what is likelier stands there more than once. */
function possible(world: World): readonly ((dice: Throw) => void)[] {
  const { life, market } = world;
  const { stage, end, withdrawn } = life.last.state;
  const [message] = waiting(world);
  const unseen = life.last.state.untransmitted.find((each) => market.handedOver.has(each));
  const hand = ({ which }: Throw): void => {
    if (message === undefined) return;
    handOver(market, message, life.now, which % 7 === 0);
    if (which % 2 === 0) transmitted(world, message.documentNumber);
  };
  const answer = (dice: Throw): void => {
    const received = dice.which % 4 === 0 ? pick(market.pending, dice.which) : market.pending[0];
    if (received !== undefined) act(market, received, life.now, dice);
  };
  const hear = ({ which }: Throw): void => {
    const found = which % 2 === 0 ? pick(market.inbox, which) : market.inbox[0];
    if (found !== undefined) record(world, found);
  };
  const correct = (dice: Throw): void => void give(life, { type: 'corrected', changes: changes(world, dice) });
  const undo = (): void => void give(life, { type: 'termination_undone' });
  const rival = (dice: Throw): void => rivalRegisters(market, ...placeAndDay(world, dice), life.now);
  const close = (dice: Throw): void => shutDown(market, ...placeAndDay(world, dice), life.now);
  const retry = ({ which }: Throw): void => void give(life, { type: which % 5 === 0 ? 'given_up' : 'operator_retry' });
  const wait = (): void => undefined;
  const isTerminable = isSupply(stage) && end === null;
  const times = <Each>(count: number, each: Each): Each[] => Array.from({ length: count }, () => each);
  return [
    wait,
    retry,
    ...times(message === undefined ? 0 : 5, hand),
    ...times(unseen === undefined ? 0 : 1, (): void => transmitted(world, unseen ?? '')),
    ...times(market.pending.length === 0 ? 0 : 5, answer),
    ...times(market.inbox.length === 0 ? 0 : 5, hear),
    ...times(isSupply(stage) || stage === 'ended' || withdrawn ? 0 : 4, correct),
    ...times(stage === 'ended' || withdrawn ? 0 : 1, (): void => terminate(world, 'withdrawal')),
    ...times(isTerminable ? 3 : 0, ({ which, days }: Throw): void =>
      terminate(world, 'ordinary', which % 3 === 0 ? null : dayIn(world, days)),
    ),
    ...times(end?.canBeUndone === true ? 1 : 0, undo),
    ...times(market.assignments.length === 0 ? 0 : 1, rival),
    ...times(market.assignments.length === 0 ? 0 : 1, close),
  ];
}

/** A place that is ours, and a day, mostly around the start there. */
function placeAndDay(world: World, { which, days }: Throw): readonly [string, string] {
  const { marketLocation = MALO, start = '' } = pick(world.market.assignments, which) ?? {};
  const around = Temporal.PlainDate.from(start)
    .add({ days: (days % 6) - 2 })
    .toString();
  return [marketLocation, which % 3 === 0 ? dayIn(world, days) : around];
}
const dayIn = ({ life }: World, days: number): string => berlinDay(life.now).add({ days }).toString();

function changes(world: World, { which, days }: Throw): Partial<Correctable> {
  const intendedStartDate = dayIn(world, Math.max(1, days));
  const { facts } = world.life.last.state;
  const elsewhere = facts.marketLocation === MALO ? OTHER_MALO : MALO;
  const previousSupplier = facts.previousSupplier === null ? PREVIOUS : null;
  const all = [
    { intendedStartDate },
    { marketLocation: elsewhere },
    { marketLocation: elsewhere, intendedStartDate },
    { previousSupplier },
  ];
  return pick(all, which) ?? {};
}

function terminate({ life }: World, reason: 'ordinary' | 'withdrawal', endDay: string | null = null): void {
  give(life, { type: 'termination_asked', request: { reason, endDay } });
}

// ---------------------------------------------------------------------------------------------------------------
// Quiet

/** Everything is handed over, answered, recorded and cleared up, and the time passes until nothing happens any more. */
function settle(world: World): void {
  const { life, market } = world;
  const retried = new Map<string, number>();
  for (let round = 0; round < 400; round += 1) {
    let isBusy = false;
    pass(world, life.now);
    for (const documentNumber of life.last.state.untransmitted) {
      const message = life.sent.find((each) => each.documentNumber === documentNumber);
      if (message !== undefined && !market.handedOver.has(documentNumber)) handOver(market, message, life.now);
      transmitted(world, documentNumber);
      isBusy = true;
    }
    if (catchUp(world) || isBusy || clearUp(world, retried)) continue;
    const { dueAt } = life.last;
    const [announced] = market.announced;
    if (dueAt === null && announced === undefined) return;
    // An end that is yet to be told him he has not confirmed; what he knows besides, he says then.
    const isToldAll = (life.last.state.end?.sendAt ?? null) === null;
    if (visibleAction(life.last.state) === null && announced === undefined && isToldAll) check(world);
    const silent = announced?.answerBy.add({ seconds: 1 });
    const due = dueAt === null ? undefined : instant(dueAt);
    const isSilence = silent !== undefined && (due === undefined || Temporal.Instant.compare(silent, due) < 0);
    const next = isSilence ? silent : due;
    if (next !== undefined) pass(world, Temporal.Instant.compare(next, life.now) < 0 ? life.now : next);
  }
  assert.fail(`asks for ever: ${JSON.stringify(life.last.state)}`);
}

/** How often the operator asks again for what he has cleared up. */
const RETRIES = 3;

/** The operator does what is asked of him, and finds out what the grid operator knows; false when nothing is. */
function clearUp(world: World, retried: Map<string, number>): boolean {
  const { life, market } = world;
  const { state } = life.last;
  const action = visibleAction(state);
  if (action === null || action.actor !== 'operator') return false;
  const { unclearStart = null } = state;
  const { code } = action;
  const count = (retried.get(code) ?? 0) + 1;
  retried.set(code, count);
  if (code === 'confirmed_too_late' || code === 'confirmed_too_early') {
    const standing = market.assignments.find(
      ({ marketLocation, start, end }) =>
        marketLocation === unclearStart?.marketLocation && start === unclearStart.day && end !== start,
    );
    if (standing?.isEndedByUs === true && unclearStart?.noticedEnd !== standing.end) {
      // What took another start there back has ended this one, too: so the grid operator says when he is asked.
      return repeatEnd(market, standing.marketLocation);
    }
    if (standing !== undefined) return give(life, { type: 'start_accepted' }).outcome.kind === 'done';
  }
  if (code === 'ended_too_early' && count > 1) {
    // The grid operator stays with his end, which is recorded as his notice.
    return count <= RETRIES && repeatEnd(market, state.facts.marketLocation ?? '');
  }
  const unwanted = state.revocations?.find((each) => each.action === action);
  // The grid operator stays with the end of a start that nobody wants, too: that is recorded as his confirmation.
  if (unwanted !== undefined && count > 1 && repeatEnd(market, unwanted.marketLocation, unwanted)) return true;
  if (code === 'deregistration_refused' && count === RETRIES + 1) {
    // Of a supply that is over he has said that he knows none: asked by when, he names the day.
    return repeatEnd(market, state.facts.marketLocation ?? '');
  }
  return count <= RETRIES && give(life, { type: 'operator_retry' }).outcome.kind === 'done';
}

/** The days from which and until which we show supply at the market location; null: none. */
function shown({ life }: World): { readonly start: string; readonly end: string | null } | null {
  const { stage, startAt, endAt, end, endsAtLatest = null } = life.last.state;
  if (startAt === null || !(isSupply(stage) || stage === 'ended')) return null;
  const start = berlinDayText(startAt);
  if (stage === 'ended') return { start, end: endAt === null ? null : berlinDayText(endAt) };
  return { start, end: end?.confirmed === true ? end.day : endsAtLatest };
}

/** Since our start, or from today on, we show what is true. */
function check(world: World): void {
  const { life, market } = world;
  const { state } = life.last;
  const supply = shown(world);
  const since = supply?.start ?? dayIn(world, 0);
  // A start that nobody wants and that was taken back too late has an end by now, and is shown nobody.
  const counting = market.assignments.filter(
    ({ marketLocation, start, end }) =>
      end === null || (marketLocation === state.facts.marketLocation && start === supply?.start),
  );
  const named = market.assignments.flatMap(({ start, end }) => [start, end ?? start]);
  // What has begun lasts a day at least, also where it is heard only then that the start had been revoked.
  const isRevoked = market.assignments.some(({ start, end }) => start === supply?.start && end === start);
  const days = [since, ...named, supply?.end ?? since].filter((day) => (isRevoked ? day > since : day >= since));
  for (const marketLocation of [MALO, OTHER_MALO]) {
    for (const day of days) {
      const isHere = supply !== null && marketLocation === state.facts.marketLocation;
      const isShown = isHere && supply.start <= day && (supply.end === null || day < supply.end);
      const about = (): string => `${marketLocation} on ${day}: ${JSON.stringify([supply, market.assignments])}`;
      if (isShown) assert.ok(isAssigned(market.assignments, marketLocation, day), `shown, not true: ${about()}`);
      else assert.ok(!isAssigned(counting, marketLocation, day), `true, not shown: ${about()}`);
    }
  }
}

/** Nothing is left that nobody is told of. */
function checkQuiet({ life }: World): void {
  const { state, dueAt } = life.last;
  assert.equal(dueAt, null);
  assert.deepEqual([state.stage === 'ended' || state.stage === 'supplying', isRevoking(state)], [true, false]);
  assert.deepEqual([visibleAction(state), state.questions], [null, []]);
}

const anySignUp = fc.record({
  facts: fc.record({
    marketLocation: fc.constantFrom(MALO, MALO, MALO, null),
    previousSupplier: fc.constantFrom(null, PREVIOUS),
    nextPossibleStart: fc.boolean(),
    intendedStartDate: fc.constantFrom('2026-11-25', '2026-11-27', '2026-12-04', '2026-12-15'),
    cancellationPeriod: fc.constantFrom('P1M', 'P14D', 'P0D'),
  }),
  // Who says the end that he has confirmed where he refuses another, and who does not.
  which: fc.constantFrom(25, 26),
  boundUntil: fc.constantFrom('2026-11-01', '2026-11-01', '2026-12-20'),
});

test('when all is recorded, we show supply on the days on which the grid operator has us supply', () => {
  fc.assert(
    fc.property(
      anySignUp,
      fc.array(anyThrow, { minLength: 3, maxLength: 40, size: 'max' }),
      ({ facts, boundUntil, which }, throws) => {
        const life = beginLife({ ...facts, transport: 'manual', concludedAt: '2026-11-23T09:00:00Z' });
        const world: World = { life, market: beginMarket(boundUntil), mood: { which, days: 0 } };
        for (const dice of throws) {
          pass(world, life.now.add({ hours: dice.hours }));
          pick(possible(world), dice.what)?.(dice);
        }
        settle(world);
        check(world);
        checkQuiet(world);
      },
    ),
    { numRuns: LIVES, seed: SEED },
  );
});
