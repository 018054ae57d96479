import type { GridFeeModules } from './sign-up.ts';

/** A remark on a member of a sign-up that is no refusal; `field` is a JSON Pointer. */
export interface Advice {
  readonly field: string;
  readonly code:
    | 'start_will_move'
    | 'start_date_ignored'
    | 'smart_meter_due'
    | 'separate_meter_needed'
    | 'market_location_missing'
    | 'previous_supplier_missing'
    | 'earlier_start_possible';
  readonly message: string;
}

/** What advice looks at; null is what is not known, because it is absent or wrong. */
export interface AdviceFacts {
  readonly nextPossibleStart: boolean | null;
  /** `YYYY-MM-DD` */
  readonly intendedStart: string | null;
  /** The first day that the market can be asked for, `YYYY-MM-DD`. */
  readonly earliestStart: string | null;
  readonly hasMarketLocation: boolean | null;
  readonly hasPreviousSupplier: boolean | null;
  readonly meterType: string | null;
  /** kWh per year */
  readonly estimatedUsage: number | null;
  readonly productOrders: readonly { readonly type: string; readonly '14a_enwg'?: GridFeeModules }[];
}

/**
 * Above so many kWh per year a metering point gets a smart meter by law, as with a device that is controlled (§ 29 MsbG;
 * market-rules.md §5.3).
 */
const SMART_METER_USAGE_KWH = 6_000;

/** What will come otherwise than the caller may expect. */
export function warningsAbout(facts: AdviceFacts): Advice[] {
  return [...warnAboutStart(facts), ...warnAboutMeter(facts), ...warnAboutModules(facts)];
}

function warnAboutStart({ nextPossibleStart, intendedStart, earliestStart }: AdviceFacts): Advice[] {
  const field = '/intended_start_date';
  if (intendedStart === null || nextPossibleStart === null) return [];
  if (nextPossibleStart) {
    const message = 'is not looked at: next_possible_start asks for the next possible day';
    return [{ field, code: 'start_date_ignored', message }];
  }
  if (earliestStart === null || intendedStart >= earliestStart) return [];
  const message = `is earlier than the market’s lead time permits; ${earliestStart} at the earliest is asked for instead`;
  return [{ field, code: 'start_will_move', message }];
}

function warnAboutMeter({ meterType, estimatedUsage, productOrders }: AdviceFacts): Advice[] {
  const isSmart = meterType === null || meterType === 'smart';
  const isOrdered = productOrders.some(({ type }) => type === 'smart-meter');
  const isControlled = productOrders.some(({ type }) => type === '14a_enwg');
  const isLarge = estimatedUsage !== null && estimatedUsage > SMART_METER_USAGE_KWH;
  if (isSmart || isOrdered || !(isLarge || isControlled)) return [];
  const reason = isLarge ? `more than ${SMART_METER_USAGE_KWH} kWh a year` : 'a device that is controlled (§ 14a EnWG)';
  const message = `the metering point operator has to put a smart meter in its place: ${reason} (§ 29 MsbG)`;
  return [{ field: '/meter/type', code: 'smart_meter_due', message }];
}

function warnAboutModules({ productOrders }: AdviceFacts): Advice[] {
  return productOrders.flatMap(({ '14a_enwg': modules }, index): Advice[] => {
    if (modules?.module_2 !== true) return [];
    const message = 'needs a meter of its own for the controllable device (BK8-22/010-A)';
    return [{ field: `/product_orders/${index}/14a_enwg/module_2`, code: 'separate_meter_needed', message }];
  });
}

/** What would bring supply sooner, or spare the switch a detour. */
export function fasterWith(facts: AdviceFacts): Advice[] {
  const { nextPossibleStart, intendedStart, earliestStart, hasMarketLocation, hasPreviousSupplier } = facts;
  const advice: Advice[] = [];
  if (hasMarketLocation === false) {
    const message = 'with the market location the switch starts at once; without it the grid operator is asked first';
    advice.push({ field: '/meter/malo', code: 'market_location_missing', message });
  }
  if (hasPreviousSupplier === false) {
    const message =
      'if the customer has a supplier, name him: the contract is then cancelled before he can object to the registration';
    advice.push({ field: '/previous_supplier', code: 'previous_supplier_missing', message });
  }
  if (
    nextPossibleStart === false &&
    intendedStart !== null &&
    earliestStart !== null &&
    intendedStart > earliestStart
  ) {
    const message = `asks for a later day than it must be; the earliest is ${earliestStart}`;
    advice.push({ field: '/intended_start_date', code: 'earlier_start_possible', message });
  }
  return advice;
}
