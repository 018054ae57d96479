import { SUBSCRIPTION_EVENT_TYPES } from '#domain/subscription/lifecycle.ts';

/** The families of event types, each with its types; null: any. */
const FAMILIES: Readonly<Record<string, readonly string[] | null>> = {
  subscription: SUBSCRIPTION_EVENT_TYPES,
  customer: ['customer.updated', 'customer.erased'],
  lead: ['lead.created', 'lead.converted'],
  meter_order: null,
  grid_fee_reduction: null,
  webhook_endpoint: ['webhook_endpoint.disabled'],
};

/** Whether a text is `*`, `<family>.*` or a type that there is: a mistyped one would never be heard of. */
export function isKnownTypePattern(text: string): boolean {
  if (text === '*') return true;
  const match = /^([a-z_]{1,60})\.(?:[a-z_]{1,60}|\*)$/.exec(text);
  const family = match?.[1];
  if (family === undefined || !Object.hasOwn(FAMILIES, family)) return false;
  const types = FAMILIES[family] ?? null;
  return types === null || text.endsWith('.*') || types.includes(text);
}
