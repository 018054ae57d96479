/**
 * What stays of events, messages and processes when a person is erased. Members are let through by name, so that a new one
 * is erased until somebody has thought about it. Pure.
 */
import type { Memory } from '../subscriptions/index.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What stands where something personal stood and the schema wants a value. */
export const ERASED = 'erased';
export const ERASED_EMAIL = 'erased@erased.invalid';
/** Has the form of a postcode, and belongs to no place. */
export const ERASED_ZIP = '99999';
export const ERASED_METER_NUMBER = 'ERASED';

/** Members of a subscription that say nothing about a person but that there is a contract, and how it went. */
const KEPT_OF_SUBSCRIPTION: ReadonlySet<string> = new Set([
  'object',
  'id',
  'plan',
  'customer',
  'address',
  'meter',
  'payment_method',
  'billing_address',
  'supplier',
  'number',
  'status',
  'stage',
  'end_reason',
  'next_action',
  'estimated_usage',
  'next_possible_start',
  'intended_start_date',
  'requested_start_date',
  'requested_start_reason',
  'lead',
  'created_by',
  'created_at',
  'updated_at',
  'start_at',
  'terminated_at',
  'end_at',
]);

/** Members of any other resource that only say that it is there. */
const KEPT_OF_RESOURCE: ReadonlySet<string> = new Set(['object', 'id', 'created_at', 'updated_at', 'erased_at']);

/** What messages say about the contract alone: codes, days and references. */
const KEPT_OF_MESSAGE: ReadonlySet<string> = new Set([
  'code',
  'supplierCode',
  'start',
  'end',
  'otherStart',
  'acceptedFrom',
  'confirmedEnd',
  'nextPossibleEnd',
  'reason',
  'registeredOn',
  'reverses',
  'receivedAt',
  'identifier',
  'gridOperator',
  'retryOf',
  'supplier',
]);

function only(kept: ReadonlySet<string>, object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => kept.has(name)));
}

/** A subscription, or what changed of it, with every member that it had, the personal ones empty. */
function eraseSubscription(subscription: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(subscription).map(([name, value]) => {
      if (KEPT_OF_SUBSCRIPTION.has(name)) return [name, value];
      return [name, name === 'product_orders' ? eraseOrders(value) : null];
    }),
  );
}

/** Orders without their details. */
function eraseOrders(orders: unknown): unknown {
  if (!Array.isArray(orders)) return [];
  return (orders as { readonly type: string }[]).map((order) => {
    const { type } = order;
    return Object.hasOwn(order, type) ? { type, [type]: {} } : { type };
  });
}

/** The data of an event, JSON text, without anything personal; it still reads like the event that it was. */
export function eraseEventData(data: string): string {
  const {
    subscription,
    previous_attributes: previous = {},
    reason,
    fields,
    ...resources
  } = JSON.parse(data) as Readonly<Record<string, JsonObject | undefined>>;
  const told = { ...(reason === undefined ? {} : { reason }), ...(fields === undefined ? {} : { fields }) };
  if (subscription !== undefined) {
    const before = eraseSubscription(previous);
    return JSON.stringify({ subscription: eraseSubscription(subscription), previous_attributes: before, ...told });
  }
  const erased = Object.entries(resources).map(([name, resource = {}]) => [name, only(KEPT_OF_RESOURCE, resource)]);
  return JSON.stringify({ ...Object.fromEntries(erased), previous_attributes: {}, ...told });
}

/** The contents of a message, JSON text, without anything personal. */
export function eraseContents(contents: string): string {
  return JSON.stringify(only(KEPT_OF_MESSAGE, JSON.parse(contents) as JsonObject));
}

/** What the process of an ended subscription remembers, JSON text, without anything personal: enough to receive a late answer. */
export function eraseMemory(text: string): string {
  const { supply, gateway, last_at: lastAt } = JSON.parse(text) as Memory;
  const memory: Memory = {
    supply: {
      ...supply,
      facts: {
        ...supply.facts,
        marketLocation: null,
        meterNumber: ERASED_METER_NUMBER,
        zip: ERASED_ZIP,
        address: ERASED,
        customerName: ERASED,
      },
      questions: supply.questions.map((question) => ({ ...question, marketLocation: null })),
      action: null,
    },
    gateway: gateway === null ? null : { ...gateway, firstMeterNumber: null, shutDown: null },
    under_way: [],
    last_at: lastAt,
  };
  return JSON.stringify(memory);
}
