import { berlinDay } from '../calendar.ts';
import { normaliseMeterNumber } from '../identifiers.ts';

/** A wrong member of a sign-up; `field` is a JSON Pointer. */
export interface SignUpError {
  readonly field: string;
  readonly code:
    | 'required'
    | 'not_in_future'
    | 'too_far_ahead'
    | 'duplicate_product_order'
    | 'product_not_offered'
    | 'invalid_module_set'
    | 'smart_meter_needed'
    | 'blank'
    | 'too_large';
  readonly message: string;
}

/** What a customer can be. */
export const CUSTOMER_TYPES = ['person', 'company'] as const;
export type CustomerType = (typeof CUSTOMER_TYPES)[number];

/** The modules of the grid-fee reduction under §14a EnWG. */
export interface GridFeeModules {
  readonly module_1?: boolean;
  readonly module_2?: boolean;
  readonly module_3?: boolean;
}

/** What the rules between the members of a sign-up look at; each member alone is well-formed already. */
export interface SignUpFacts {
  readonly next_possible_start: boolean;
  readonly intended_start_date?: string;
  readonly meter: { readonly type: string };
  readonly product_orders?: readonly { readonly type: string; readonly '14a_enwg'?: GridFeeModules }[];
}

/** Compact UTF-8 JSON of `metadata` may not be larger. */
export const METADATA_LIMIT_BYTES = 10_240;
const MONTHS_AHEAD = 12;

/**
 * The rules between the members of a sign-up: all that are broken, in the order of the body.
 * @param offered product orders the plan allows; `null` while the plan is unknown
 */
export function checkSignUp(
  facts: SignUpFacts,
  metadataBytes: number,
  offered: readonly string[] | null,
  now: Temporal.Instant,
): SignUpError[] {
  return [
    ...checkStartDate(facts, now),
    ...checkProductOrders(facts, offered),
    ...(metadataBytes > METADATA_LIMIT_BYTES
      ? [
          {
            field: '/metadata',
            code: 'too_large' as const,
            message: `must have at most ${METADATA_LIMIT_BYTES} bytes as compact UTF-8 JSON, not ${metadataBytes}`,
          },
        ]
      : []),
  ];
}

/**
 * The day must lie after today in Europe/Berlin and at most twelve months ahead.
 * @param proposed a day that the customer has been asked to choose or a later one, where one has: the months count from it
 */
export function checkStartDate(
  facts: Pick<SignUpFacts, 'next_possible_start' | 'intended_start_date'>,
  now: Temporal.Instant,
  proposed: string | null = null,
): SignUpError[] {
  const field = '/intended_start_date';
  if (facts.intended_start_date === undefined) {
    return facts.next_possible_start
      ? []
      : [{ field, code: 'required', message: 'is required when next_possible_start is false' }];
  }
  const today = berlinDay(now);
  const day = Temporal.PlainDate.from(facts.intended_start_date);
  if (Temporal.PlainDate.compare(day, today) <= 0) {
    return [{ field, code: 'not_in_future', message: `must be after today, ${today.toString()} in Europe/Berlin` }];
  }
  const from = proposed === null || proposed < today.toString() ? today : Temporal.PlainDate.from(proposed);
  const last = from.add({ months: MONTHS_AHEAD });
  return Temporal.PlainDate.compare(day, last) > 0
    ? [{ field, code: 'too_far_ahead', message: `must be by ${last.toString()}, 12 months after ${from.toString()}` }]
    : [];
}

function checkProductOrders(facts: SignUpFacts, offered: readonly string[] | null): SignUpError[] {
  const orders = facts.product_orders ?? [];
  const types = orders.map(({ type }) => type);
  const smart = facts.meter.type === 'smart' || types.includes('smart-meter');
  return orders.flatMap((order, index): SignUpError[] => {
    const field = `/product_orders/${index}`;
    const errors: SignUpError[] = [];
    if (types.indexOf(order.type) < index) {
      errors.push({ field: `${field}/type`, code: 'duplicate_product_order', message: 'is ordered twice' });
    }
    if (offered !== null && !offered.includes(order.type)) {
      errors.push({ field: `${field}/type`, code: 'product_not_offered', message: 'is not offered with this plan' });
    }
    const modules = order['14a_enwg'];
    if (modules === undefined) return errors;
    const wrongSet = checkModuleSet(`${field}/14a_enwg`, modules);
    return [...errors, ...(wrongSet.length > 0 ? wrongSet : checkModuleMeter(`${field}/14a_enwg`, modules, smart))];
  });
}

/** What is wrong with modules that do not go together: it is module 1, module 2, or 1 with 3 (BK8-22/010-A). */
export function checkModuleSet(field: string, modules: GridFeeModules): SignUpError[] {
  const chosen = ([1, 2, 3] as const).filter((module) => modules[`module_${module}`] === true).join('+');
  if (['1', '2', '1+3'].includes(chosen)) return [];
  return [{ field, code: 'invalid_module_set', message: 'must choose module 1, module 2, or modules 1 and 3' }];
}

/** @param smart whether there is a smart meter, or the order of one: module 3 needs it */
export function checkModuleMeter(field: string, modules: GridFeeModules, smart: boolean): SignUpError[] {
  if (modules.module_3 !== true || smart) return [];
  return [
    { field: `${field}/module_3`, code: 'smart_meter_needed', message: 'needs a smart meter or the order of one' },
  ];
}

/** The number of a meter is compared by its letters and digits, so it must have some. */
export function checkMeterNumber(number: string): SignUpError[] {
  if (normaliseMeterNumber(number) !== '') return [];
  return [{ field: '/meter/number', code: 'blank', message: 'must have a letter or digit' }];
}
