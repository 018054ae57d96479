import { formatId } from '#domain/identifiers.ts';
import { heldLocations, type SupplyFacts } from '#domain/market/state.ts';
import type { Transaction } from '#platform/database/pool.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { loadOrders } from '../orders/load.ts';
import { saveOrders } from '../orders/save.ts';
import { openLife, type Life } from './life.ts';
import { holdLocations, readFacts, readLives, releaseLocations, updateSubscriptions, writeTraces } from './store.ts';
import type { FactsRow, HeldLocation, ProcessRow } from './store.ts';

/** Loads the lives of processes that this transaction has locked. */
export async function loadLives(
  transaction: Transaction,
  projectId: string,
  processes: readonly ProcessRow[],
  transport: SupplyFacts['transport'],
): Promise<Life[]> {
  const ids = processes.map((process) => process.subscription_id);
  const rows = new Map((await readLives(transaction, projectId, ids)).map((row) => [row.id, row]));
  const fresh = processes.filter(({ memory }) => memory === null).map((process) => process.subscription_id);
  const found = fresh.length === 0 ? [] : await readFacts(transaction, projectId, fresh);
  const facts = new Map(found.map((row) => [row.id, row]));
  const lives = processes.map(({ id, subscription_id: subscriptionId, memory, due_at: dueAt, cancellation_period }) => {
    const row = needed(rows.get(subscriptionId));
    return openLife(id, row, { memory, dueAt }, () => {
      const found = needed(facts.get(subscriptionId));
      // The customer has signed up with the notice of then, whatever has become of the plan since.
      return factsOf({ ...found, cancellation_period: cancellation_period ?? found.cancellation_period }, transport);
    });
  });
  // What a sign-up ordered is taken into the memory once.
  const ordered = lives.filter(({ row, memory }) => row.product_orders !== '[]' && memory.orders === undefined);
  if (ordered.length > 0) await loadOrders(transaction, projectId, ordered, transport);
  return lives;
}

function needed<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('a process without its subscription');
  return row;
}

/** What the market has to know of a sign-up. */
export function factsOf(row: FactsRow, transport: SupplyFacts['transport']): SupplyFacts {
  const { supplier_id: id, supplier_name: name } = row;
  return {
    // TypeIDs without their prefix: unique, and short enough for a document number.
    reference: formatId('sub', row.id).slice('sub_'.length),
    transport,
    nextPossibleStart: row.next_possible_start,
    concludedAt: row.created_at,
    cancellationPeriod: row.cancellation_period,
    marketLocation: row.malo,
    meterNumber: row.meter_number,
    zip: row.zip,
    address: addressText(row),
    customerName: customerName(row),
    customerType: row.customer_type,
    intendedStartDate: row.intended_start_date,
    previousSupplier: id === null || name === null ? null : { id, name, code: row.supplier_code },
  };
}

/** Street, house number and town as the market is told them. */
export function addressText(row: Pick<FactsRow, 'street' | 'house_number' | 'city'>): string {
  return `${row.street} ${row.house_number}, ${row.city}`;
}

/** The name under which the market knows a customer: of a company its own, not its contact's. */
export function customerName(row: Pick<FactsRow, 'first_name' | 'last_name' | 'company_name'>): string {
  return row.company_name ?? `${row.first_name} ${row.last_name}`;
}

/** Writes every step that lives have taken; all of it or, when it throws, nothing. */
export async function saveLives(
  transaction: Transaction,
  projectId: string,
  lives: readonly Life[],
  mintUuid: MintUuid,
): Promise<void> {
  const { held, released } = heldBy(lives);
  if (released.length > 0) await releaseLocations(transaction, projectId, released);
  const rounds = Math.max(0, ...lives.map(({ rows }) => rows.length));
  // The database lets a subscription take one step at a time only, and records each.
  for (let round = 0; round < rounds; round += 1) {
    const steps = lives.flatMap(({ stored, rows }) => {
      const after = rows[round];
      const before = round === 0 ? stored : rows[round - 1];
      return after === undefined || before === undefined ? [] : [{ before, after }];
    });
    await updateSubscriptions(transaction, projectId, steps);
  }
  if (held.length > 0) await holdLocations(transaction, projectId, held);
  const touched = lives.filter(({ isTouched }) => isTouched);
  if (touched.length === 0) return;
  await writeTraces(transaction, projectId, {
    events: inOrder(touched.flatMap(({ events }) => events)),
    messages: touched.flatMap(({ messages }) => messages),
    marked: touched.flatMap(({ marked }) => marked),
    meters: touched
      .filter(({ stored, row }) => stored.malo !== row.malo)
      .map(({ row }) => ({ id: row.meter_id, malo: row.malo })),
    processes: touched.map(({ processId, memory, dueAt }) => ({
      id: processId,
      memory: JSON.stringify(memory),
      dueAt,
    })),
  });
  await saveOrders(transaction, projectId, touched, mintUuid);
}

/** The market locations that lives hold from now on beside those that they name, and those that they no longer hold. */
function heldBy(lives: readonly Life[]): { readonly held: HeldLocation[]; readonly released: HeldLocation[] } {
  const held: HeldLocation[] = [];
  const released: HeldLocation[] = [];
  for (const { row, loaded, memory } of lives) {
    // What a machine that failed remembers may be anything; it keeps what it holds.
    if (memory.is_parked === true) continue;
    const [before, after] = [heldLocations(loaded.supply), heldLocations(memory.supply)];
    const of = (malo: string): HeldLocation => ({ subscriptionId: row.id, malo });
    held.push(...after.filter((malo) => !before.includes(malo)).map(of));
    released.push(...before.filter((malo) => !after.includes(malo)).map(of));
  }
  return { held, released };
}

/** The types of the events of a life's steps, in no order. */
export function toldBy({ events, orders }: Life): string[] {
  return [...events.map(({ type }) => type), ...orders.map(({ event }) => event.type)];
}

/** Of many lives in the order of time; of one life they are in order already. */
function inOrder<Row extends { readonly occurred_at: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) =>
    one.occurred_at < other.occurred_at ? -1 : one.occurred_at > other.occurred_at ? 1 : 0,
  );
}
