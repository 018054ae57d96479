import { formatId } from '#domain/identifiers.ts';
import { formatInstant, type Clock } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Database, Queryable } from '#platform/database/pool.ts';
import type { Request, StreamedAnswer } from '#platform/http/contract.ts';
import { encodeJson } from '#platform/http/json.ts';
import { notFound, Problem } from '#platform/http/problems.ts';
import { writeArray, writeObject, type StreamedMember } from '#platform/http/streamed.ts';
import { presentOf, readProjectTime } from '../projects/index.ts';
import { presentEvent } from '../events/index.ts';
import { readEntriesAbout } from '../audit-log/index.ts';
import { presentWholeLead, readLeads, type PresentLeadDependencies } from '../leads/index.ts';
import { marketProblems } from '../problems.ts';
import {
  decryptPaymentDetails,
  presentAddress,
  presentCustomer,
  presentMeter,
  presentMeterOrder,
  presentReduction,
  presentSubscription,
  readAddresses,
  readCustomers,
  readMeters,
  readPaymentMethods,
  readWholeTimeline,
  type CustomerRow,
} from '../subscriptions/index.ts';
import {
  addPartsOf,
  findHoldings,
  partsOf,
  portionsOf,
  walk,
  walkEvents,
  type Holdings,
  type PartIds,
} from './holdings.ts';
import { readBounds, readDeliveries, type Bounds, type Stretch } from './holdings-store.ts';
import { namedCustomer, presentChange } from './read-customer.ts';
import { readChanges } from './store.ts';

/** What an export needs. */
export interface ExportDependencies extends PresentLeadDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** How many rows are in memory at a time, where each may be twice the largest metadata, and where each is small. */
const PORTION = { large: 50, small: 500 } as const;

/** What stands when an export begins. */
interface Beginning {
  readonly projectId: string;
  readonly exportedAt: string;
  readonly customer: CustomerRow;
  readonly holdings: Holdings;
  readonly bounds: Bounds;
  /** The parts that the subscriptions have, as JSON texts: these can be corrected in place, former ones cannot. */
  readonly parts: Readonly<Record<Part, readonly string[]>>;
  /** Leads as JSON texts: they can be changed, and be somebody else's then; of one e-mail address there are few. */
  readonly leads: readonly string[];
}

type Part = keyof PartIds;
type Portions = AsyncGenerator<readonly string[], void, undefined>;

/**
 * `GET /customers/{id}/export`: everything as it stood at one instant. One transaction fixes it, and reads all that is small
 * or can be changed in place; what may be very much is read while it is sent, up to there, each portion by a statement of its
 * own: whoever reads slowly holds no connection, and what is written once stays as it is.
 */
export async function handleExportCustomer(
  dependencies: ExportDependencies,
  request: Request,
): Promise<StreamedAnswer> {
  const { database, keys, clock } = dependencies;
  const { projectId } = request.caller;
  const beginning = await database.transaction(async (transaction): Promise<Beginning> => {
    const customer = await namedCustomer(transaction, request);
    const project = await readProjectTime(transaction, projectId);
    if (project === undefined) throw notFound();
    const holdings = await findHoldings(transaction, projectId, customer);
    const { addresses, meters, payment_methods: methods } = partsOf(holdings.subscriptions);
    return {
      projectId,
      exportedAt: formatInstant(presentOf(project, clock)),
      customer,
      holdings,
      bounds: await readBounds(transaction, projectId, customer.id),
      parts: {
        addresses: await readParts(transaction, keys, projectId, 'addresses', [...addresses]),
        meters: await readParts(transaction, keys, projectId, 'meters', [...meters]),
        payment_methods: await readParts(transaction, keys, projectId, 'payment_methods', [...methods]),
      },
      leads: await readWholeLeads(transaction, dependencies, projectId, holdings.leadIds),
    };
  }, 'snapshot');
  const body = writeObject(membersOf(dependencies, beginning));
  return { status: 200, body, headers: { 'cache-control': 'no-store' } };
}

async function* membersOf(
  dependencies: ExportDependencies,
  beginning: Beginning,
): AsyncGenerator<StreamedMember, void, undefined> {
  const { database, keys } = dependencies;
  const { projectId, customer, holdings, bounds } = beginning;
  const { subscriptions, subjects, orders, resources } = holdings;
  const known = partsOf(subscriptions);
  yield ['object', '"customer_export"'];
  yield ['exported_at', JSON.stringify(beginning.exportedAt)];
  yield ['customer', presentCustomer(customer)];
  yield ['history', writeArray(changesOf(database, beginning))];
  yield ['subscriptions', listOf(subscriptions.map((row) => presentSubscription(row)))];
  yield ['timelines', writeArray(timelinesOf(dependencies, beginning))];
  yield ['events', writeArray(eventsOf(database, beginning, known))];
  // Now those are known as well that only events name.
  for (const part of ['addresses', 'meters', 'payment_methods'] as const) {
    yield [part, writeArray(allParts(dependencies, beginning, part, known[part]))];
  }
  yield ['webhook_deliveries', writeArray(deliveriesOf(database, projectId, subjects, bounds))];
  yield [
    'idempotency_keys',
    encodeJson(
      holdings.keys.map(({ key, method, path, created_at: createdAt }) => ({
        key,
        method,
        path,
        created_at: createdAt,
      })),
    ),
  ];
  yield ['leads', listOf(beginning.leads)];
  yield ['meter_orders', listOf(orders.meterOrders.map(presentMeterOrder))];
  yield ['grid_fee_reductions', listOf(orders.reductions.map(presentReduction))];
  yield ['audit_entries', writeArray(readEntriesAbout(database, keys, projectId, resources, bounds.snapshot))];
  await refuseErased(database, projectId, customer);
}

function listOf(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

async function* changesOf(database: Database, { projectId, customer, bounds }: Beginning): Portions {
  for (let after = 0; after < bounds.change;) {
    const rows = await readChanges(database, projectId, customer.id, after, PORTION.small);
    yield rows.filter(({ sequence }) => sequence <= bounds.change).map(presentChange);
    after = rows.at(-1)?.sequence ?? bounds.change;
  }
}

async function* timelinesOf(
  { database, keys }: ExportDependencies,
  { projectId, holdings, bounds }: Beginning,
): AsyncGenerator<readonly AsyncIterable<string>[], void, undefined> {
  for (const subscription of holdings.subscriptions) {
    const until = bounds.revisions.get(subscription.id) ?? 0;
    const entries = writeArray(readWholeTimeline(database, keys, projectId, subscription, until));
    yield [
      writeObject([
        ['subscription', JSON.stringify(formatId('sub', subscription.id))],
        ['entries', entries],
      ]),
    ];
  }
}

/** @param parts those that the events show are added */
async function* eventsOf(database: Database, { projectId, holdings, bounds }: Beginning, parts: PartIds): Portions {
  for await (const events of walkEvents(database, projectId, holdings.subjects, bounds.snapshot, PORTION.large)) {
    addPartsOf(parts, events);
    yield events.map(presentEvent);
  }
}

/** Of all that there have been: those that the subscriptions have, and former ones. */
async function* allParts(
  { database, keys }: ExportDependencies,
  { projectId, holdings, parts }: Beginning,
  part: Part,
  all: ReadonlySet<string>,
): Portions {
  yield parts[part];
  const former = [...all.difference(partsOf(holdings.subscriptions)[part])];
  for (const ids of portionsOf(former, PORTION.small)) yield await readParts(database, keys, projectId, part, ids);
}

/** As JSON texts; payment methods in full, because the person has a right to what is held of him. */
async function readParts(
  queryable: Queryable,
  keys: Keys,
  projectId: string,
  part: Part,
  ids: readonly string[],
): Promise<string[]> {
  switch (part) {
    case 'addresses':
      return (await readAddresses(queryable, projectId, ids)).map(presentAddress);
    case 'meters':
      return (await readMeters(queryable, projectId, ids)).map(presentMeter);
    case 'payment_methods':
      return (await readPaymentMethods(queryable, projectId, ids)).map((row) =>
        encodeJson({
          object: 'payment_method',
          id: formatId('pm', row.id),
          type: row.type,
          sepa_debit: decryptPaymentDetails(keys, projectId, row),
          created_at: row.created_at,
        }),
      );
  }
}

async function* deliveriesOf(
  database: Database,
  projectId: string,
  subjects: Holdings['subjects'],
  { snapshot }: Bounds,
): Portions {
  const read = (stretch: Stretch): ReturnType<typeof readDeliveries> => readDeliveries(database, projectId, stretch);
  for await (const rows of walk(subjects, snapshot, PORTION.small, read)) {
    yield rows.flatMap(({ ids }) => ids.map((id) => `"${formatId('whd', id)}"`));
  }
}

async function readWholeLeads(
  queryable: Queryable,
  dependencies: PresentLeadDependencies,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const texts: string[] = [];
  for (const portion of portionsOf(ids, PORTION.large)) {
    const rows = await readLeads(queryable, projectId, portion);
    texts.push(...rows.map((row) => presentWholeLead(dependencies, projectId, row)));
  }
  return texts;
}

/** Half of what was sent may be empty already, and the other half must not be on its way any more. @throws Problem */
async function refuseErased(
  database: Database,
  projectId: string,
  { id, erased_at: before }: CustomerRow,
): Promise<void> {
  const [row] = await readCustomers(database, projectId, [id]);
  if (row?.erased_at !== before) throw new Problem(marketProblems.customer_erased);
}
