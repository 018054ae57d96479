import { formatId, parseId, type IdPrefix } from '#domain/identifiers.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { lockLeadsAbout, readLeadsAbout, type LeadRow } from '../leads/index.ts';
import { readOrdersOf, readSubscriptionsOf, type CustomerRow, type SubscriptionRow } from '../subscriptions/index.ts';
import { readHeldEvents, readHeldKeys, type HeldEvent, type HeldKey } from './holdings-store.ts';

import { readChanges, type ChangeRow } from './store.ts';

/** Where something is held about one person: what an export shows, and an erasure empties. */
export interface Holdings {
  readonly subscriptions: readonly SubscriptionRow[];
  readonly events: readonly HeldEvent[];
  readonly changes: readonly ChangeRow[];
  /** Those that the subscriptions came from, and those of an e-mail address of the customer that became nothing. */
  readonly leads: readonly LeadRow[];
  readonly orders: Awaited<ReturnType<typeof readOrdersOf>>;
  /** The customer and all of these as the audit log calls them. */
  readonly resources: readonly string[];
  readonly keys: readonly HeldKey[];
  /** Uuids of all that the subscriptions have ever had. */
  readonly addressIds: readonly string[];
  readonly meterIds: readonly string[];
  readonly paymentMethodIds: readonly string[];
}

/** Locks the leads that are about a customer: nobody changes or converts them before they are emptied. */
export async function lockLeads(
  transaction: Transaction,
  projectId: string,
  { id, email }: Pick<CustomerRow, 'id' | 'email'>,
): Promise<void> {
  const subscriptions = await readSubscriptionsOf(transaction, projectId, id);
  const changes = await readChanges(transaction, projectId, id, 0, null);
  await lockLeadsAbout(transaction, projectId, convertedBy(subscriptions), [email, ...formerEmails(changes)]);
}

function convertedBy(subscriptions: readonly SubscriptionRow[]): string[] {
  return subscriptions.flatMap(({ lead_id: id }) => (id === null ? [] : [id]));
}

/** Finds everything that is held about a customer beside the customer itself. */
export async function findHoldings(
  queryable: Queryable,
  projectId: string,
  { id: customerId, email }: Pick<CustomerRow, 'id' | 'email'>,
): Promise<Holdings> {
  const subscriptions = await readSubscriptionsOf(queryable, projectId, customerId);
  const ids = subscriptions.map(({ id }) => id);
  const changes = await readChanges(queryable, projectId, customerId, 0, null);
  const converted = convertedBy(subscriptions);
  const leads = await readLeadsAbout(queryable, projectId, converted, [email, ...formerEmails(changes)]);
  const leadIds = leads.map(({ id }) => id);
  const orders = await readOrdersOf(queryable, projectId, ids);
  const orderIds = [...orders.meterOrders, ...orders.reductions].map(({ id }) => id);
  const events = await readHeldEvents(queryable, projectId, ids, [customerId, ...leadIds, ...orderIds]);
  const resources = [
    formatId('cus', customerId),
    ...ids.map((id) => formatId('sub', id)),
    ...leadIds.map((id) => formatId('lead', id)),
    ...orders.meterOrders.map(({ id }) => formatId('mor', id)),
    ...orders.reductions.map(({ id }) => formatId('gfr', id)),
  ];
  const paths = [
    `/customers/${formatId('cus', customerId)}`,
    ...ids.map((id) => `/subscriptions/${formatId('sub', id)}`),
    ...leadIds.map((id) => `/leads/${formatId('lead', id)}`),
  ];
  const former = formerParts(events);
  const all = (now: readonly (string | null)[], then: readonly string[]): string[] => [
    ...new Set([...now.filter((id) => id !== null), ...then]),
  ];
  return {
    subscriptions,
    events,
    changes,
    leads,
    orders,
    resources,
    keys: await readHeldKeys(queryable, projectId, [...paths, ...orderPaths(orders)]),
    addressIds: all(
      subscriptions.flatMap((row) => [row.address_id, row.billing_address_id]),
      [...former('address', 'adr'), ...former('billing_address', 'adr')],
    ),
    meterIds: all(
      subscriptions.map((row) => row.meter_id),
      former('meter', 'mtr'),
    ),
    paymentMethodIds: all(
      subscriptions.map((row) => row.payment_method_id),
      former('payment_method', 'pm'),
    ),
  };
}

function formerEmails(changes: readonly ChangeRow[]): string[] {
  return changes.flatMap(({ previous }) => {
    const { email } = JSON.parse(previous) as { email?: string };
    return email === undefined ? [] : [email];
  });
}

function orderPaths({ meterOrders, reductions }: Holdings['orders']): string[] {
  return [
    ...meterOrders.map(({ id }) => `/meter-orders/${formatId('mor', id)}`),
    ...reductions.map(({ id }) => `/grid-fee-reductions/${formatId('gfr', id)}`),
  ];
}

/** A new bank account or billing address is a new row, and the one before is named by earlier events only. */
function formerParts(events: readonly HeldEvent[]): (member: string, prefix: IdPrefix) => string[] {
  const shown = events.flatMap(({ data }) => {
    const { subscription } = JSON.parse(data) as { subscription?: Record<string, unknown> };
    return subscription === undefined ? [] : [subscription];
  });
  return (member, prefix) =>
    shown.flatMap(({ [member]: id }) => {
      const uuid = typeof id === 'string' ? parseId(prefix, id) : null;
      return uuid === null ? [] : [uuid];
    });
}
