import { formatId } from '#domain/identifiers.ts';
import { presentOf, readProjectTime } from '#features/projects/index.ts';
import { formatInstant, type Clock } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Database, Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { encodeJson, RawJson } from '#platform/http/json.ts';
import { notFound } from '#platform/http/problems.ts';
import { readEntriesAbout } from '../audit-log/index.ts';
import { presentEvent } from '../events/index.ts';
import { wholeLead } from '../leads/index.ts';
import {
  decryptPaymentDetails,
  presentAddress,
  presentCustomer,
  presentMeter,
  presentMeterOrder,
  presentReduction,
  presentSubscription,
  readAddresses,
  readMeters,
  readPaymentMethods,
  readWholeTimeline,
} from '../subscriptions/index.ts';
import { findHoldings, type Holdings } from './holdings.ts';
import { freezeReads, readDeliveryIds, type HeldKey } from './holdings-store.ts';
import { namedCustomer, presentChange } from './read-customer.ts';

/** What an export needs. */
export interface ExportDependencies {
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
}

/** `GET /customers/{id}/export`: everything as it stood at one instant. */
export function handleExportCustomer(dependencies: ExportDependencies, request: Request): Promise<Answer> {
  const { database, keys, clock } = dependencies;
  const { projectId } = request.caller;
  return database.transaction(async (transaction) => {
    await freezeReads(transaction);
    const customer = await namedCustomer(transaction, request);
    const project = await readProjectTime(transaction, projectId);
    if (project === undefined) throw notFound();
    const holdings = await findHoldings(transaction, projectId, customer);
    const { subscriptions, events } = holdings;
    const deliveries = await readDeliveryIds(
      transaction,
      projectId,
      events.map(({ id }) => id),
    );
    const body = encodeJson({
      object: 'customer_export',
      exported_at: formatInstant(presentOf(project, clock)),
      customer: new RawJson(presentCustomer(customer)),
      history: raw(holdings.changes.map(presentChange)),
      subscriptions: raw(subscriptions.map((row) => presentSubscription(row))),
      timelines: await timelinesOf(transaction, keys, projectId, holdings),
      ...(await partsOf(dependencies, transaction, projectId, holdings)),
      events: raw(events.map(presentEvent)),
      webhook_deliveries: deliveries.map((id) => formatId('whd', id)),
      idempotency_keys: holdings.keys.map(({ key, method, path, created_at: at }: HeldKey) => {
        return { key, method, path, created_at: at };
      }),
      leads: holdings.leads.map((row) => wholeLead(keys, projectId, row)),
      meter_orders: raw(holdings.orders.meterOrders.map(presentMeterOrder)),
      grid_fee_reductions: raw(holdings.orders.reductions.map(presentReduction)),
      audit_entries: raw(await readEntriesAbout(transaction, keys, projectId, holdings.resources)),
    });
    return { status: 200, body, headers: { 'cache-control': 'no-store' } };
  });
}

function raw(texts: readonly string[]): RawJson[] {
  return texts.map((text) => new RawJson(text));
}

async function timelinesOf(
  transaction: Transaction,
  keys: Keys,
  projectId: string,
  { subscriptions }: Holdings,
): Promise<{ readonly subscription: string; readonly entries: readonly RawJson[] }[]> {
  const timelines = [];
  for (const subscription of subscriptions) {
    const entries = raw(await readWholeTimeline(transaction, keys, projectId, subscription));
    timelines.push({ subscription: formatId('sub', subscription.id), entries });
  }
  return timelines;
}

/** Addresses, meters and payment methods; the latter in full, because the person has a right to what is held of him. */
async function partsOf(
  { keys }: ExportDependencies,
  transaction: Transaction,
  projectId: string,
  { addressIds, meterIds, paymentMethodIds }: Holdings,
): Promise<Readonly<Record<'addresses' | 'meters' | 'payment_methods', readonly unknown[]>>> {
  const methods = await readPaymentMethods(transaction, projectId, paymentMethodIds);
  return {
    addresses: raw((await readAddresses(transaction, projectId, addressIds)).map(presentAddress)),
    meters: raw((await readMeters(transaction, projectId, meterIds)).map(presentMeter)),
    payment_methods: methods.map((row) => ({
      object: 'payment_method',
      id: formatId('pm', row.id),
      type: row.type,
      sepa_debit: decryptPaymentDetails(keys, projectId, row),
      created_at: row.created_at,
    })),
  };
}
