/**
 * The orders of one subscription as a pure machine: what is remembered, something that happens, how the supply stands
 * and the time give what is remembered next, and every step of every order on the way. The market can be asked once the
 * grid operator has confirmed the supply: before, nobody there knows us as the supplier of that location.
 */
import type { InstantText } from '../market/messages.ts';
import { earliest, isReached, latest, midnight } from '../market/instants.ts';
import { isSupply } from '../subscription/lifecycle.ts';
import type { BlockedCode } from './blocked.ts';
import { blocked, cancelledNow, earliestEffect, endedNow, endsAt, isCancelling, isEnding } from './draft.ts';
import { isManual, keptEnd, reductionOf, stepMeterOrder, stepReduction, type Draft } from './draft.ts';
import { meterOrderStep } from './lifecycle.ts';
import { ask, placeMeterOrder, report } from './reports.ts';
import type { OrdersDecision, OrdersInput, OrdersState, Reduction, SupplySight } from './state.ts';

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
      return cancelAsked(draft, input.id);
    case 'end_asked':
      return endAsked(draft, reductionOf(draft, input.id));
  }
}

// ---------------------------------------------------------------------------------------------------------------
// What the caller asks for

/** What nobody has is cancelled at once. The simulated market hears of it by itself; any other has to be told first. */
function cancelAsked(draft: Draft, id: string): boolean {
  const { meter_order: order } = draft.state;
  if (order?.id !== id || isCancelling(order)) return false;
  if (!isManual(draft) || order.placed_at === null) return stepMeterOrder(draft, 'cancelled', cancelledNow(draft));
  const isPossible = meterOrderStep(order.status, 'cancelled') !== undefined;
  return isPossible && stepMeterOrder(draft, 'held_up', blocked(draft, 'transmit_order'));
}

/**
 * What is in force ends when the grid operator can have acted, and so does what he was asked for where he has to be told
 * by an operator; everything else at once.
 */
function endAsked(draft: Draft, reduction: Reduction | undefined): boolean {
  if (reduction === undefined) return false;
  const { status, effective_from: from } = reduction;
  if (status === 'intended' || (status === 'ordered' && !isManual(draft))) {
    return stepReduction(draft, reduction, 'ended', endedNow(draft, reduction, 'requested'));
  }
  if (isEnding(reduction)) return false;
  return stepReduction(draft, reduction, 'end_scheduled', {
    effective_until: latest(from, earliestEffect(draft)),
    ...(isManual(draft) ? blocked(draft, 'transmit_order') : {}),
  });
}

// ---------------------------------------------------------------------------------------------------------------
// What follows from how things stand

/** Does what can be done now: nothing of it waits for anybody. */
function settle(draft: Draft): void {
  if (draft.supply.stage === 'ended') {
    stepMeterOrder(draft, 'supply_ended', cancelledNow(draft));
    for (const each of draft.state.reductions) {
      stepReduction(draft, each, 'ended', endedNow(draft, each, 'supply_ended'));
    }
    return;
  }
  const order = draft.state.meter_order;
  if (isSupply(draft.supply.stage) && order?.status === 'created' && order.blocked === null) {
    if (isManual(draft)) stepMeterOrder(draft, 'held_up', blocked(draft, 'transmit_order'));
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
function obstacleOf(draft: Draft, reduction: Reduction): 'none' | 'waits' | BlockedCode {
  const { state, supply } = draft;
  if (reduction.module_3 && !state.has_smart_meter) return state.meter_order === null ? 'smart_meter_missing' : 'waits';
  if (!isSupply(supply.stage)) return 'waits';
  return isManual(draft) ? 'transmit_order' : 'none';
}

// ---------------------------------------------------------------------------------------------------------------
// What comes by itself

interface Timer {
  readonly at: InstantText | null;
  readonly run: (draft: Draft) => void;
}

function timersOf({ meter_order: order, reductions }: OrdersState, supply: SupplySight): readonly Timer[] {
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
        at: endsAt(each),
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
  stepReduction(draft, reduction, 'came_into_force', keptEnd(reduction));
}
