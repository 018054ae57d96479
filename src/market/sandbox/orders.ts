/**
 * What the simulated market says about meter orders and grid-fee reductions, and when in project time. The zips stand
 * beside those of interface.md §9; the durations are the sandbox's own, modelled on the nearest rules that there are
 * (market-rules.md §1.9: a metering operator answers in 3 working days, and has 15 for his work; §1.1: ORDERS 17133 is
 * answered by the second working day).
 */
import { addWorkingDays, berlinDay, berlinTime, nextWorkingDay, type TimeOfDay } from '#domain/calendar.ts';
import type { OrderReport } from '#domain/orders/state.ts';
import type { OrderDelivery } from '../gateway.ts';

/** Here the metering operator has no connection for a gateway. */
const NO_COVERAGE_ZIP = '99910';
/** Here the fitter is not let in at first. */
const NOT_LET_IN_ZIP = '99911';
/** Here the grid operator grants no module. */
const NO_MODULE_ZIP = '99912';
/** Here neither of them ever answers an order. */
const SILENT_ZIP = '99919';

const NAMED_AFTER_WORKING_DAYS = 3;
const FITTED_AFTER_WORKING_DAYS = 15;
const NEXT_FITTED_AFTER_WORKING_DAYS = 10;
const MODULE_AFTER_WORKING_DAYS = 2;

/** Everything that will be said about an order placed at an instant, in the order of its delivery. */
export function sandboxReports(
  { kind, id }: { readonly kind: 'meter_order' | 'grid_fee_reduction'; readonly id: string },
  zip: string,
  placedAt: Temporal.Instant,
): readonly OrderDelivery[] {
  if (zip === SILENT_ZIP) return [];
  const today = berlinDay(placedAt);
  const said = (day: Temporal.PlainDate, time: TimeOfDay, report: OrderReport): OrderDelivery => ({
    at: berlinTime(day, time).toString(),
    order: id,
    report,
  });
  if (kind === 'grid_fee_reduction') {
    const answer: OrderReport =
      zip === NO_MODULE_ZIP
        ? { kind: 'rejected', code: 'module_not_possible' }
        : { kind: 'confirmed', effective_from: null };
    return [said(addWorkingDays(today, MODULE_AFTER_WORKING_DAYS), '10:00', answer)];
  }
  const namedOn = addWorkingDays(today, NAMED_AFTER_WORKING_DAYS);
  if (zip === NO_COVERAGE_ZIP)
    return [said(namedOn, '10:00', { kind: 'fitting_refused', code: 'no_gateway_coverage' })];
  const visitOn = addWorkingDays(today, FITTED_AFTER_WORKING_DAYS);
  const appointment = (day: Temporal.PlainDate): OrderReport => ({
    kind: 'appointment_made',
    appointment_at: berlinTime(day, '09:00').toString(),
  });
  const fitting = (day: Temporal.PlainDate): OrderDelivery[] => [
    said(day, '10:00', { kind: 'fitted' }),
    said(nextWorkingDay(day), '12:00', { kind: 'connected' }),
  ];
  if (zip !== NOT_LET_IN_ZIP) return [said(namedOn, '10:00', appointment(visitOn)), ...fitting(visitOn)];
  const nextVisitOn = addWorkingDays(visitOn, NEXT_FITTED_AFTER_WORKING_DAYS);
  return [
    said(namedOn, '10:00', appointment(visitOn)),
    said(visitOn, '10:00', { kind: 'appointment_missed' }),
    said(nextWorkingDay(visitOn), '10:00', appointment(nextVisitOn)),
    ...fitting(nextVisitOn),
  ];
}
