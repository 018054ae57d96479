import { METER_ORDER_EVENT_TYPES, REDUCTION_EVENT_TYPES } from './orders/lifecycle.ts';
import { SUBSCRIPTION_EVENT_TYPES } from './subscription/lifecycle.ts';

/** Every type of event that there is (interface.md §8), by the kind of resource that it tells of. */
export const EVENT_TYPES = {
  subscription: SUBSCRIPTION_EVENT_TYPES,
  lead: ['lead.created', 'lead.converted'],
  meter_order: METER_ORDER_EVENT_TYPES,
  grid_fee_reduction: REDUCTION_EVENT_TYPES,
  customer: ['customer.updated', 'customer.erased'],
  webhook_endpoint: ['webhook_endpoint.disabled'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The type of an event of another resource than a subscription. */
export type ResourceEventType = (typeof EVENT_TYPES)[Exclude<keyof typeof EVENT_TYPES, 'subscription'>][number];

const families = new Map<string, readonly string[]>(Object.entries(EVENT_TYPES));

/** Whether a text is `*`, `<family>.*` or a type that there is: a mistyped one would never be heard of. */
export function isKnownTypePattern(text: string): boolean {
  if (text === '*') return true;
  const [family = ''] = text.split('.', 1);
  return families.has(family) && (text === `${family}.*` || families.get(family)?.includes(text) === true);
}
