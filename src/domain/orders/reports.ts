/** What partners say and do about orders, and what follows for these. */
import { berlinDay, deadlineFor, endOfWorkingDay } from '../calendar.ts';
import type { DayText } from '../market/messages.ts';
import { isReached, latest } from '../market/instants.ts';
import { isSupply } from '../subscription/lifecycle.ts';
import { blocked, cancelledNow, dayOf, earliestEffect, endedNow, endsAt, isCancelling, isEnding } from './draft.ts';
import { keptEnd, reductionOf, stepMeterOrder, stepReduction, type Draft } from './draft.ts';
import type { OrderReport, Reduction } from './state.ts';

/** What a partner says of a day further away than this, from now or from the start of supply, is a slip of the pen. */
const MONTHS_AHEAD = 12;

/**
 * How long, in working days, the metering operator has before his silence is somebody's task. The rules name no
 * deadline for the order of a smart meter by a supplier (market-rules.md §1.9): these are ours.
 */
const APPOINTMENT_WORKING_DAYS = 10;
const REPORT_WORKING_DAYS = 1;
const CONNECTION_WORKING_DAYS = 5;

/** Takes in what a partner says or does; false when the status of the order, or the day, does not permit it. */
export function report(draft: Draft, id: string, said: OrderReport): boolean {
  // Whom the market does not know as the supplier there asks for nothing, and is granted nothing.
  if ((said.kind === 'handed_over' || said.kind === 'confirmed') && !isSupply(draft.supply.stage)) return false;
  const reduction = reductionOf(draft, id);
  if (reduction !== undefined) return reportOnReduction(draft, reduction, said);
  return draft.state.meter_order?.id === id && reportOnMeterOrder(draft, said);
}

function reportOnMeterOrder(draft: Draft, said: OrderReport): boolean {
  const today = berlinDay(draft.now);
  if (isCancelling(draft.state.meter_order)) {
    if (said.kind === 'handed_over') return stepMeterOrder(draft, 'cancelled', cancelledNow(draft));
    // He may come all the same; whatever else he says is over with the order.
    if (said.kind !== 'fitted' && said.kind !== 'appointment_made') return false;
  }
  switch (said.kind) {
    case 'handed_over':
      return placeMeterOrder(draft);
    case 'appointment_made': {
      const { appointment_at: at } = said;
      const day = berlinDay(Temporal.Instant.from(at));
      // Nobody comes before he was asked, nor is he expected in years; and said once more it is nothing new.
      const placed = dayOf(draft.state.meter_order?.placed_at ?? null);
      const isPossible = (placed === null || day.toString() >= placed) && !isTooFar(draft, day);
      if (!isPossible || at === draft.state.meter_order?.appointment_at) return false;
      return stepMeterOrder(draft, 'appointment_made', {
        appointment_at: at,
        ...(isCancelling(draft.state.meter_order)
          ? blocked(draft, 'transmit_order')
          : { due_at: endOfWorkingDay(day, REPORT_WORKING_DAYS).toString() }),
      });
    }
    case 'appointment_missed':
      return stepMeterOrder(draft, 'appointment_missed', {
        ...blocked(draft, 'fitter_not_let_in'),
        appointment_at: null,
        due_at: endOfWorkingDay(today, APPOINTMENT_WORKING_DAYS).toString(),
      });
    case 'fitting_refused':
      // Who was not asked refuses nothing; he is to be asked still. Nor does who has fitted it already.
      if (!['placed', 'scheduled'].includes(draft.state.meter_order?.status ?? '')) return false;
      return stepMeterOrder(draft, 'held_up', blocked(draft, said.code));
    case 'fitted':
      return stepMeterOrder(draft, 'fitted', {
        installed_at: draft.now.toString(),
        due_at: endOfWorkingDay(today, CONNECTION_WORKING_DAYS).toString(),
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
  switch (said.kind) {
    case 'handed_over':
      if (isEnding(reduction)) return handOverEnd(draft, reduction);
      return canBeAsked(draft, reduction) && ask(draft, reduction);
    case 'confirmed':
      return confirm(draft, reduction, said);
    case 'rejected':
      return stepReduction(draft, reduction, 'refused', {
        rejection_code: said.code,
        effective_from: null,
        effective_until: null,
      });
    case 'ended':
      return recordEnd(draft, reduction, said.effective_until);
    case 'appointment_made':
    case 'appointment_missed':
    case 'fitting_refused':
    case 'fitted':
    case 'connected':
      return false;
  }
}

function confirm(
  draft: Draft,
  reduction: Reduction,
  { effective_from: said, received_at: receivedAt }: Extract<OrderReport, { kind: 'confirmed' }>,
): boolean {
  const asked = dayOf(reduction.ordered_at);
  const received = receivedAt ?? draft.now.toString();
  const answered = berlinDay(Temporal.Instant.from(received));
  // He answers what he was asked, and nothing is recorded that has not happened.
  if (asked === null || answered.toString() < asked || !isReached(received, draft.now)) return false;
  const first = answered.add({ days: 1 }).toString();
  if (said !== null && (said < first || isTooFar(draft, Temporal.PlainDate.from(said)))) return false;
  // Never before the supply.
  const from = latest(dayOf(draft.supply.startAt), said ?? first);
  // Said once more it is nothing new.
  if (from === reduction.effective_from) return false;
  const { effective_until: until } = reduction;
  return stepReduction(draft, reduction, 'confirmed', {
    ...keptEnd(reduction),
    effective_from: from,
    effective_until: until === null ? null : latest(from, until),
  });
}

/** The grid operator's time runs from now, and the end is not before he can have acted. */
function handOverEnd(draft: Draft, reduction: Reduction): boolean {
  if (reduction.blocked?.code !== 'transmit_order') return false;
  return stepReduction(draft, reduction, 'end_scheduled', {
    effective_until: latest(reduction.effective_until, earliestEffect(draft)),
    due_at: deadlineFor('billing_data_order_answer', draft.now).toString(),
  });
}

/** A day to come is kept, and comes with its midnight; what the grid operator has not granted needs none. */
function recordEnd(draft: Draft, reduction: Reduction, said: DayText | null): boolean {
  const { effective_from: from, effective_until: asked } = reduction;
  if (from === null) {
    return said === null && stepReduction(draft, reduction, 'ended', endedNow(draft, reduction, 'requested'));
  }
  const today = berlinDay(draft.now).toString();
  const until = said ?? latest(asked ?? from, today);
  // He ends nothing before the day that he was asked for, nor before it began.
  if (until < (asked ?? from) || isTooFar(draft, Temporal.PlainDate.from(until))) return false;
  if (until <= latest(from, today)) {
    const agreed = { ...reduction, effective_until: until };
    return stepReduction(draft, reduction, 'ended', endedNow(draft, agreed, 'requested'));
  }
  // Said once more it is nothing new.
  if (until === asked && endsAt(reduction) !== null) return false;
  return stepReduction(draft, reduction, 'end_scheduled', { effective_until: until });
}

/** The metering operator has the order from now on. */
export function placeMeterOrder(draft: Draft): boolean {
  return stepMeterOrder(draft, 'handed_over', {
    placed_at: draft.now.toString(),
    due_at: endOfWorkingDay(berlinDay(draft.now), APPOINTMENT_WORKING_DAYS).toString(),
  });
}

/** The grid operator is asked for the reduction now. */
export function ask(draft: Draft, reduction: Reduction): boolean {
  return stepReduction(draft, reduction, 'asked', {
    ordered_at: draft.now.toString(),
    due_at: deadlineFor('billing_data_order_answer', draft.now).toString(),
  });
}

function canBeAsked({ state }: Draft, reduction: Reduction): boolean {
  return !reduction.module_3 || state.has_smart_meter;
}

function isTooFar({ now, supply }: Draft, day: Temporal.PlainDate): boolean {
  const from = latest(berlinDay(now).toString(), dayOf(supply.startAt));
  return Temporal.PlainDate.compare(day, Temporal.PlainDate.from(from).add({ months: MONTHS_AHEAD })) > 0;
}
