/**
 * One decision about orders in the making, and the few ways in which it changes them. It works on a draft: a copy of the
 * state that lives for one decision only, so that every decision stays a pure function.
 */
import { berlinDay, berlinDayText, changedAt, deadlineFor } from '../calendar.ts';
import type { DayText, InstantText } from '../market/messages.ts';
import { latest, midnight } from '../market/instants.ts';
import { blockedBy, type BlockedCode } from './blocked.ts';
import { isOpenMeterOrder, isOpenReduction, meterOrderStep, reductionStep } from './lifecycle.ts';
import type { MeterOrderStep, ReductionStep } from './lifecycle.ts';
import type { MeterOrder, OrderChange, OrdersState, Reduction, ReductionEndReason, SupplySight } from './state.ts';

/** One decision in the making; its changes are in the order in which they came about. */
export interface Draft {
  state: { -readonly [Member in keyof OrdersState]: OrdersState[Member] };
  readonly supply: SupplySight;
  readonly now: Temporal.Instant;
  readonly changes: OrderChange[];
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

/** Takes a step of the meter order; false when its table lacks it. What held it up, and was awaited, is over. */
export function stepMeterOrder(draft: Draft, step: MeterOrderStep, changes: Partial<MeterOrder>): boolean {
  const before = draft.state.meter_order;
  const found = before === null ? undefined : meterOrderStep(before.status, step);
  if (before === null || found === undefined) return false;
  const after: MeterOrder = { ...before, ...stepped(draft, before), ...changes, status: found.to };
  draft.state.meter_order = isOpenMeterOrder(after.status) ? after : null;
  if (after.status === 'activated') draft.state.has_smart_meter = true;
  draft.changes.push({ kind: 'meter_order', before, after, announces: found.announces });
  return true;
}

/** The same of a reduction. */
export function stepReduction(
  draft: Draft,
  before: Reduction,
  step: ReductionStep,
  changes: Partial<Reduction>,
): boolean {
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

function stepped({ now }: Draft, { revision, created_at: createdAt }: MeterOrder | Reduction): Common {
  return { revision: revision + 1, blocked: null, due_at: null, updated_at: changedAt(createdAt, now.toString()) };
}

/** What says that it is held up from now on. */
export function blocked({ now }: Draft, code: BlockedCode): Pick<Common, 'blocked'> {
  return { blocked: blockedBy(code, now.toString()) };
}

/** What a meter order is left with that is cancelled now. */
export function cancelledNow({ now }: Draft): Pick<MeterOrder, 'cancelled_at'> {
  return { cancelled_at: now.toString() };
}

/** The first day for a reduction, or for its end, that is told today: after the day by whose end he must have answered. */
export function earliestEffect({ now }: Draft): DayText {
  // The deadline is 00:00 of the day after the second working day: never retroactive.
  return berlinDay(deadlineFor('billing_data_order_answer', now)).toString();
}

// ---------------------------------------------------------------------------------------------------------------
// How things stand

/** Whether nobody talks to the market for us, so that an operator has to. */
export function isManual({ state }: Draft): boolean {
  return state.transport === 'manual';
}

/** The reduction of that id, while something can still happen to it. */
export function reductionOf({ state }: Draft, id: string): Reduction | undefined {
  return state.reductions.find((each) => each.id === id);
}

/** The day of an instant in Europe/Berlin. */
export function dayOf(instant: InstantText | null): DayText | null {
  return instant === null ? null : berlinDayText(instant);
}

/** Whether the metering operator has the order, and is still to be told that it is cancelled. */
export function isCancelling(order: MeterOrder | null): boolean {
  return order !== null && order.placed_at !== null && order.blocked?.code === 'transmit_order';
}

/** Whether its end is asked for. */
export function isEnding({ effective_until: until }: Reduction): boolean {
  return until !== null;
}

/** When it ends by itself: with the midnight of the day asked for, unless somebody is awaited for that. */
export function endsAt({ effective_until: until, blocked: obstacle, due_at: due }: Reduction): InstantText | null {
  return until === null || obstacle !== null || due !== null ? null : midnight(until);
}

/** What is awaited for the end of a reduction stays so through its other steps. */
export function keptEnd(reduction: Reduction): Partial<Reduction> {
  return isEnding(reduction) ? { blocked: reduction.blocked, due_at: reduction.due_at } : {};
}

/**
 * What ends with the supply ends on its last day, however late that is known: no reduction outlasts the supply. Where that never
 * was, neither was the reduction.
 */
export function endedNow(
  draft: Draft,
  { status, effective_from: from, effective_until: until }: Reduction,
  reason: ReductionEndReason,
): Partial<Reduction> {
  // What was never in force has no days.
  if (status !== 'activated') return { end_reason: reason, effective_from: null, effective_until: null };
  const today = berlinDay(draft.now).toString();
  const { startAt, endAt } = draft.supply;
  const lastOfSupply = startAt === null ? from : dayOf(endAt);
  const last = (reason === 'supply_ended' ? lastOfSupply : null) ?? today;
  return { end_reason: reason, effective_until: latest(from, until !== null && until <= last ? until : last) };
}
