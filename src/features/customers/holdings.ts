import { formatId, parseId, type IdPrefix } from '#domain/identifiers.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { findLeadsAbout, lockLeadsAbout } from '../leads/index.ts';
import { readOrdersOf, readSubscriptionsOf, type CustomerRow, type SubscriptionRow } from '../subscriptions/index.ts';
import {
  readHeldEvents,
  readHeldKeys,
  type HeldEvent,
  type HeldKey,
  type Stretch,
  type Subject,
} from './holdings-store.ts';
import { readFormerEmails } from './store.ts';

/** Where something is held about one person: what an export shows, and an erasure empties. */
export interface Holdings {
  readonly subscriptions: readonly SubscriptionRow[];
  /** Whose events are held; there may be very many, see `walkEvents`. */
  readonly subjects: readonly Subject[];
  /** Of those that the subscriptions came from, and those of an e-mail address of the customer that became nothing. */
  readonly leadIds: readonly string[];
  readonly orders: Awaited<ReturnType<typeof readOrdersOf>>;
  /** The customer and all of these as the audit log calls them. */
  readonly resources: readonly string[];
  readonly keys: readonly HeldKey[];
}

/** Locks the leads that are about a customer: nobody changes or converts them before they are emptied. */
export async function lockLeads(
  transaction: Transaction,
  projectId: string,
  { id, email }: Pick<CustomerRow, 'id' | 'email'>,
): Promise<void> {
  const subscriptions = await readSubscriptionsOf(transaction, projectId, id);
  const former = await readFormerEmails(transaction, projectId, id);
  await lockLeadsAbout(transaction, projectId, convertedBy(subscriptions), [email, ...former]);
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
  const former = await readFormerEmails(queryable, projectId, customerId);
  const leadIds = await findLeadsAbout(queryable, projectId, convertedBy(subscriptions), [email, ...former]);
  const orders = await readOrdersOf(queryable, projectId, ids);
  const orderIds = [...orders.meterOrders, ...orders.reductions].map(({ id }) => id);
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
  return {
    subscriptions,
    subjects: [
      ...ids.map((id) => ({ kind: 'subscription', id }) as const),
      ...[customerId, ...leadIds, ...orderIds].sort().map((id) => ({ kind: 'resource', id }) as const),
    ],
    leadIds,
    orders,
    resources,
    keys: await readHeldKeys(queryable, projectId, [...paths, ...orderPaths(orders)]),
  };
}

/**
 * What is read of subjects, of each in the order of its events, in portions of so many.
 * @param snapshot text of the `pg_snapshot` in which it is to be seen; null: all that there is
 */
export async function* walk<Row extends { readonly sequence: number }>(
  subjects: readonly Subject[],
  snapshot: string | null,
  portion: number,
  read: (stretch: Stretch) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (const subject of subjects) {
    for (let after = 0, isMore = true; isMore;) {
      const rows = await read({ subject, snapshot, after, limit: portion });
      if (rows.length > 0) yield rows;
      isMore = rows.length === portion;
      after = rows.at(-1)?.sequence ?? after;
    }
  }
}

/** The events of subjects, as `walk` reads: there may be very many, each as large as twice the largest metadata. */
export function walkEvents(
  queryable: Queryable,
  projectId: string,
  subjects: readonly Subject[],
  snapshot: string | null,
  portion: number,
): AsyncGenerator<readonly HeldEvent[], void, undefined> {
  return walk(subjects, snapshot, portion, (stretch) => readHeldEvents(queryable, projectId, stretch));
}

/** Uuids of the parts that subscriptions have had. */
export interface PartIds {
  readonly addresses: Set<string>;
  readonly meters: Set<string>;
  readonly payment_methods: Set<string>;
}

/** The parts that subscriptions have. */
export function partsOf(subscriptions: readonly SubscriptionRow[]): PartIds {
  const addresses = subscriptions.flatMap((row) => [row.address_id, row.billing_address_id]);
  return {
    addresses: new Set(addresses.filter((id) => id !== null)),
    meters: new Set(subscriptions.map((row) => row.meter_id)),
    payment_methods: new Set(subscriptions.map((row) => row.payment_method_id)),
  };
}

/** Adds the parts that events show: a new bank account or billing address is a new row, the one before is named there only. */
export function addPartsOf(parts: PartIds, events: readonly HeldEvent[]): void {
  for (const { data } of events) {
    const { subscription = {} } = JSON.parse(data) as { subscription?: Record<string, unknown> };
    const add = (to: Set<string>, member: string, prefix: IdPrefix): void => {
      const { [member]: id } = subscription;
      const uuid = typeof id === 'string' ? parseId(prefix, id) : null;
      if (uuid !== null) to.add(uuid);
    };
    add(parts.addresses, 'address', 'adr');
    add(parts.addresses, 'billing_address', 'adr');
    add(parts.meters, 'meter', 'mtr');
    add(parts.payment_methods, 'payment_method', 'pm');
  }
}

/** A list in portions. */
export function portionsOf<Item>(items: readonly Item[], portion: number): (readonly Item[])[] {
  const count = Math.ceil(items.length / portion);
  return Array.from({ length: count }, (_, index) => items.slice(index * portion, (index + 1) * portion));
}

function orderPaths({ meterOrders, reductions }: Holdings['orders']): string[] {
  return [
    ...meterOrders.map(({ id }) => `/meter-orders/${formatId('mor', id)}`),
    ...reductions.map(({ id }) => `/grid-fee-reductions/${formatId('gfr', id)}`),
  ];
}
