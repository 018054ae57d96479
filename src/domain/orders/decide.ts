/**
 * The orders of one subscription as a pure machine: what is remembered, something that happens, how the supply stands
 * and the time give what is remembered next, and every step of every order on the way. The market can be asked once the
 * grid operator has confirmed the supply: before, nobody there knows us as the supplier of that location.
 */
import { addWorkingDays, berlinDay, deadlineFor, startOfBerlinDay } from '../calendar.ts';
import { earliest, isReached, latest, midnight } from '../market/state.ts';
import type { DayText, InstantText } from '../market/messages.ts';
import type { Stage } from '../subscription/lifecycle.ts';
import { blockedBy, type BlockedCode } from './blocked.ts';
import { isOpenMeterOrder, isOpenReduction, meterOrderStep, reductionStep } from './lifecycle.ts';
import type { MeterOrderStep, ReductionStep } from './lifecycle.ts';
import type { MeterOrder, OrderChange, OrderReport, OrdersDecision, OrdersInput, OrdersState } from './state.ts';
import type { Reduction, ReductionEndReason, SupplySight } from './state.ts';

/**
 * How long, in working days, the metering operator has before his silence is somebody's task. The rules name no
 * deadline for the order of a smart meter by a supplier (market-rules.md §1.9): these are ours.
 */
const APPOINTMENT_MONTHS = 12;
const APPOINTMENT_WORKING_DAYS = 10;
const REPORT_WORKING_DAYS = 1;
const CONNECTION_WORKING_DAYS = 5;

interface Draft {
  state: { -readonly [Member in keyof OrdersState]: OrdersState[Member] };
  readonly supply: SupplySight;
  readonly now: Temporal.Instant;
  readonly changes: OrderChange[];
}

/** Decides. Neither reads a clock nor keeps anything; `now` is a whole second. */
export function decideOrders(
  state: OrdersState,
  input: OrdersInput,
  supply: SupplySight,
  now: Temporal.Instant,
): OrdersDecision {
  const draft: Draft = { state: { ...state }, supply, now, changes: [] };
  if (!apply(draft, input)) return { state, outcome: 'refused', changes: [] };
  settle(draft);
  return { state: draft.state, outcome: 'done', changes: draft.changes };
}

/** The next instant at which something happens to an order by itself; null when nothing does. */
export function dueAtOfOrders(state: OrdersState, supply: SupplySight): InstantText | null {
  return earliest(timersOf(state, supply).map(({ at }) => at));
}

function apply(draft: Draft, input: OrdersInput): boolean {
  switch (input.type) {
    case 'supply_changed':
      return true;
    case 'due':
      runDue(draft);
      return true;
    case 'meter_order_added':
      draft.state.meter_order = input.order;
      draft.changes.push({ kind: 'meter_order', before: null, after: input.order, announces: 'meter_order.created' });
      return true;
    case 'reduction_added': {
      const { reduction: after } = input;
      draft.state.reductions = [...draft.state.reductions, after];
      draft.changes.push({ kind: 'grid_fee_reduction', before: null, after, announces: 'grid_fee_reduction.created' });
      return true;
    }
    case 'reported':
      return report(draft, input.id, input.report);
    case 'cancel_asked':
      return draft.state.meter_order?.id === input.id && stepMeterOrder(draft, 'cancelled', cancelledNow(draft));
    case 'end_asked':
      return endAsked(draft, reductionOf(draft, input.id));
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

/** Takes a step of the meter order; false when its table lacks it. What held it up, and was awaited, is over. */
function stepMeterOrder(draft: Draft, step: MeterOrderStep, changes: Partial<MeterOrder>): boolean {
  const before = draft.state.meter_order;
  const found = before === null ? undefined : meterOrderStep(before.status, step);
  if (before === null || found === undefined) return false;
  const after: MeterOrder = { ...before, ...stepped(draft, before), ...changes, status: found.to };
  draft.state.meter_order = isOpenMeterOrder(after.status) ? after : null;
  if (after.status === 'activated') draft.state.has_smart_meter = true;
  draft.changes.push({ kind: 'meter_order', before, after, announces: found.announces });
  return true;
}

function stepReduction(draft: Draft, before: Reduction, step: ReductionStep, changes: Partial<Reduction>): boolean {
  const found = reductionStep(before.status, step);
  if (found === undefined) return false;
  const after: Reduction = { ...before, ...stepped(draft, before), ...changes, status: found.to };
  draft.state.reductions = draft.state.reductions
    .map((each) => (each.id === after.id ? after : each))
    .filter(({ status }) => isOpenReduction(status));
  draft.changes.push({ kind: 'grid_fee_reduction', before, after, announces: found.announces });
  return true;
}

type Common = Pick<MeterOrder, 'revision' | 'blocked' | 'due_at' | 'updated_at'>;

function stepped({ now }: Draft, { revision }: Common): Common {
  return { revision: revision + 1, blocked: null, due_at: null, updated_at: now.toString() };
}

function blocked({ now }: Draft, code: BlockedCode): Pick<Common, 'blocked'> {
  return { blocked: blockedBy(code, now.toString()) };
}

function cancelledNow({ now }: Draft): Pick<MeterOrder, 'cancelled_at'> {
  return { cancelled_at: now.toString() };
}

function endOfWorkingDay(day: Temporal.PlainDate, count: number): InstantText {
  return startOfBerlinDay(addWorkingDays(day, count).add({ days: 1 })).toString();
}

/** The first day for a reduction, or for its end, that is told today: after the day by whose end he must have answered. */
function earliestEffect({ now }: Draft): DayText {
  // The deadline is 00:00 of the day after the second working day: never retroactive.
  return berlinDay(deadlineFor('billing_data_order_answer', now)).toString();
}

// ---------------------------------------------------------------------------------------------------------------
// What partners say

function report(draft: Draft, id: string, said: OrderReport): boolean {
  if (said.kind === 'handed_over' && !isKnown(draft.supply)) return false;
  const reduction = reductionOf(draft, id);
  if (reduction !== undefined) return reportOnReduction(draft, reduction, said);
  return draft.state.meter_order?.id === id && reportOnMeterOrder(draft, said);
}

function reportOnMeterOrder(draft: Draft, said: OrderReport): boolean {
  const today = berlinDay(draft.now);
  switch (said.kind) {
    case 'handed_over':
      return placeMeterOrder(draft);
    case 'appointment_made': {
      const { appointment_at: at } = said;
      const day = berlinDay(Temporal.Instant.from(at));
      // Nobody comes before he was asked, nor is he expected in years; and said once more it is nothing new.
      const placed = dayOf(draft.state.meter_order?.placed_at ?? null);
      const isPossible =
        (placed === null || day.toString() >= placed) &&
        Temporal.PlainDate.compare(day, today.add({ months: APPOINTMENT_MONTHS })) <= 0;
      if (!isPossible || at === draft.state.meter_order?.appointment_at) return false;
      return stepMeterOrder(draft, 'appointment_made', {
        appointment_at: at,
        due_at: endOfWorkingDay(day, REPORT_WORKING_DAYS),
      });
    }
    case 'appointment_missed':
      return stepMeterOrder(draft, 'appointment_missed', {
        ...blocked(draft, 'fitter_not_let_in'),
        appointment_at: null,
        due_at: endOfWorkingDay(today, APPOINTMENT_WORKING_DAYS),
      });
    case 'fitting_refused':
      return stepMeterOrder(draft, 'held_up', blocked(draft, said.code));
    case 'fitted':
      return stepMeterOrder(draft, 'fitted', {
        installed_at: draft.now.toString(),
        due_at: endOfWorkingDay(today, CONNECTION_WORKING_DAYS),
      });
    case 'connected':
      return stepMeterOrder(draft, 'connected', { activated_at: draft.now.toString() });
    case 'confirmed':
    case 'rejected':
    case 'ended':
      return false;
  }
}

function reportOnReduction(draft: Draft, reduction: Reduction, said: OrderReport): boolean {
  if (said.kind === 'handed_over') return canBeAsked(draft, reduction) && ask(draft, reduction);
  if (said.kind === 'ended') return stepReduction(draft, reduction, 'ended', endedNow(draft, reduction, 'requested'));
  if (said.kind === 'rejected')
    return stepReduction(draft, reduction, 'refused', { rejection_code: said.code, effective_from: null });
  if (said.kind !== 'confirmed' || reduction.ordered_at === null) return false;
  const first = dayOf(draft.supply.startAt);
  const asked = dayOf(reduction.ordered_at);
  const tomorrow = berlinDay(draft.now).add({ days: 1 }).toString();
  // Never before the supply, nor before it was asked for.
  const from = latest(first, said.effective_from === null ? tomorrow : latest(asked, said.effective_from));
  // Said once more it is nothing new.
  if (from === reduction.effective_from) return false;
  return stepReduction(draft, reduction, 'confirmed', { effective_from: from });
}

function placeMeterOrder(draft: Draft): boolean {
  return stepMeterOrder(draft, 'handed_over', {
    placed_at: draft.now.toString(),
    due_at: endOfWorkingDay(berlinDay(draft.now), APPOINTMENT_WORKING_DAYS),
  });
}

function ask(draft: Draft, reduction: Reduction): boolean {
  return stepReduction(draft, reduction, 'asked', {
    ordered_at: draft.now.toString(),
    due_at: deadlineFor('billing_data_order_answer', draft.now).toString(),
  });
}

function canBeAsked({ state }: Draft, reduction: Reduction): boolean {
  return !reduction.module_3 || state.has_smart_meter;
}

/** What is in force ends when the grid operator can have acted; everything else at once. */
function endAsked(draft: Draft, reduction: Reduction | undefined): boolean {
  if (reduction === undefined) return false;
  if (reduction.status !== 'activated') {
    return stepReduction(draft, reduction, 'ended', endedNow(draft, reduction, 'requested'));
  }
  if (reduction.effective_until !== null) return false;
  const isManual = draft.state.transport === 'manual';
  return stepReduction(draft, reduction, 'end_scheduled', {
    effective_until: earliestEffect(draft),
    ...(isManual ? blocked(draft, 'transmit_order') : {}),
  });
}

/** What ends with the supply ends on its last day, however late that is known: no reduction outlasts the supply. */
function endedNow(
  draft: Draft,
  { status, effective_from: from, effective_until: until }: Reduction,
  reason: ReductionEndReason,
): Partial<Reduction> {
  // What was never in force has no days.
  if (status !== 'activated') return { end_reason: reason, effective_from: null, effective_until: null };
  const today = berlinDay(draft.now).toString();
  const last = (reason === 'supply_ended' ? dayOf(draft.supply.endAt) : null) ?? today;
  return { end_reason: reason, effective_until: latest(from, until !== null && until <= last ? until : last) };
}

function reductionOf({ state }: Draft, id: string): Reduction | undefined {
  return state.reductions.find((each) => each.id === id);
}

function dayOf(instant: InstantText | null): DayText | null {
  return instant === null ? null : berlinDay(Temporal.Instant.from(instant)).toString();
}

// ---------------------------------------------------------------------------------------------------------------
// What follows from how things stand

const KNOWN_STAGES: ReadonlySet<Stage> = new Set(['confirmed', 'supplying', 'ending']);

/** Whether the market knows us as the supplier there. */
function isKnown({ stage }: SupplySight): boolean {
  return KNOWN_STAGES.has(stage);
}

/** Does what can be done now: nothing of it waits for anybody. */
function settle(draft: Draft): void {
  if (draft.supply.stage === 'ended') {
    stepMeterOrder(draft, 'supply_ended', cancelledNow(draft));
    for (const each of draft.state.reductions) {
      stepReduction(draft, each, 'ended', endedNow(draft, each, 'supply_ended'));
    }
    return;
  }
  const isManual = draft.state.transport === 'manual';
  const order = draft.state.meter_order;
  if (isKnown(draft.supply) && order?.status === 'created' && order.blocked === null) {
    if (isManual) stepMeterOrder(draft, 'held_up', blocked(draft, 'transmit_order'));
    else placeMeterOrder(draft);
  }
  for (const each of draft.state.reductions.filter(({ status }) => status === 'intended')) {
    const wanted = obstacleOf(draft, each);
    if (wanted === 'none') ask(draft, each);
    else if (wanted === 'waits' && each.blocked !== null) stepReduction(draft, each, 'resumed', {});
    else if (wanted !== 'waits' && each.blocked?.code !== wanted) {
      stepReduction(draft, each, 'held_up', blocked(draft, wanted));
    }
  }
}

/** What keeps an intended reduction from being asked for: nothing, something that comes by itself, or somebody. */
function obstacleOf({ state, supply }: Draft, reduction: Reduction): 'none' | 'waits' | BlockedCode {
  if (reduction.module_3 && !state.has_smart_meter) return state.meter_order === null ? 'smart_meter_missing' : 'waits';
  if (!isKnown(supply)) return 'waits';
  return state.transport === 'manual' ? 'transmit_order' : 'none';
}

// ---------------------------------------------------------------------------------------------------------------
// What comes by itself

interface Timer {
  readonly at: InstantText | null;
  readonly run: (draft: Draft) => void;
}

function timersOf({ transport, meter_order: order, reductions }: OrdersState, supply: SupplySight): readonly Timer[] {
  if (supply.stage === 'ended') return [];
  const hasBegun = supply.stage === 'supplying' || supply.stage === 'ending';
  return [
    {
      at: order?.due_at ?? null,
      run: (draft) => stepMeterOrder(draft, 'held_up', blocked(draft, 'metering_operator_unanswered')),
    },
    ...reductions.flatMap((each): Timer[] => [
      {
        at: each.due_at,
        run: (draft) => stepReduction(draft, each, 'held_up', blocked(draft, 'grid_operator_unanswered')),
      },
      {
        at:
          each.status === 'ordered' && each.effective_from !== null && hasBegun ? midnight(each.effective_from) : null,
        run: (draft) => comeIntoForce(draft, each),
      },
      {
        // In a live project the operator says when it has ended.
        at: each.effective_until !== null && transport === 'automatic' ? midnight(each.effective_until) : null,
        run: (draft) => stepReduction(draft, each, 'ended', endedNow(draft, each, 'requested')),
      },
    ]),
  ];
}

function runDue(draft: Draft): void {
  const { state, supply, now } = draft;
  const at = dueAtOfOrders(state, supply);
  if (at === null || !isReached(at, now)) return;
  timersOf(state, supply)
    .find((timer) => timer.at !== null && earliest([timer.at]) === at)
    ?.run(draft);
}

/** The reduction that was in force until then ends with the same midnight: a change of modules leaves no gap. */
function comeIntoForce(draft: Draft, reduction: Reduction): void {
  for (const each of draft.state.reductions.filter(({ status }) => status === 'activated')) {
    stepReduction(draft, each, 'ended', {
      ...endedNow(draft, each, 'replaced'),
      effective_until: reduction.effective_from,
    });
  }
  stepReduction(draft, reduction, 'came_into_force', {});
}
