import type { Blocked } from '#domain/orders/blocked.ts';
import type { MeterOrder, Reduction } from '#domain/orders/state.ts';
import { comparisons, createdAt, createdBefore, idRangeOf } from '#platform/database/conditions.ts';
import type { Database, Queryable, Transaction } from '#platform/database/pool.ts';
import { gatherRange } from '#platform/database/ranges.ts';
import { pageByValues, type OrderedColumns } from '#platform/database/several.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';
import { textArray } from '#platform/database/arrays.ts';
import type { Condition } from '#platform/http/contract.ts';
import type { MeterOrderRow, ReductionRow } from './present.ts';

/** JSON arrives as text. */
type Stored<Row extends { readonly blocked: Blocked | null }> = Omit<Row, 'blocked'> & {
  readonly blocked: string | null;
};

function read<Row extends { readonly blocked: Blocked | null }>(rows: readonly Stored<Row>[]): Row[] {
  return rows.map(
    ({ blocked, ...row }) => ({ ...row, blocked: blocked === null ? null : (JSON.parse(blocked) as Blocked) }) as Row,
  );
}

const meterOrderColumns = sql`id, subscription_id, meter_id, status, blocked, due_at, placed_at, appointment_at,
  installed_at, activated_at, cancelled_at, revision, created_at, updated_at`;
const reductionColumns = sql`id, subscription_id, module_1, module_2, module_3, status, blocked, due_at, ordered_at,
  effective_from, effective_until, rejection_code, end_reason, revision, created_at, updated_at`;

/** The meter order of a project, or `undefined`. */
export async function readMeterOrder(
  queryable: Queryable,
  projectId: string,
  id: string,
): Promise<MeterOrderRow | undefined> {
  const rows = await queryable.query<Stored<MeterOrderRow>>(sql`
    select ${meterOrderColumns} from meter_orders where project_id = ${asProject(projectId)} and id = ${id}`);
  return read<MeterOrderRow>(rows)[0];
}

/** The grid-fee reduction of a project, or `undefined`. */
export async function readReduction(
  queryable: Queryable,
  projectId: string,
  id: string,
): Promise<ReductionRow | undefined> {
  const rows = await queryable.query<Stored<ReductionRow>>(sql`
    select ${reductionColumns} from grid_fee_reductions where project_id = ${asProject(projectId)} and id = ${id}`);
  return read<ReductionRow>(rows)[0];
}

/** Which orders are listed. */
interface Listing {
  readonly conditions: readonly Condition[];
  readonly after: string | null;
  readonly limit: number;
}

type Reader = Pick<Database, 'query' | 'transaction'>;

/** A page of meter orders after a position, newest first. */
export async function listMeterOrders(database: Reader, projectId: string, listing: Listing): Promise<MeterOrderRow[]> {
  const table = { table: sql`meter_orders`, columns: meterOrderColumns };
  return read<MeterOrderRow>(await listOrders<Stored<MeterOrderRow>>(database, table, projectId, listing));
}

/** A page of grid-fee reductions after a position, newest first. */
export async function listReductions(database: Reader, projectId: string, listing: Listing): Promise<ReductionRow[]> {
  const table = { table: sql`grid_fee_reductions`, columns: reductionColumns };
  return read<ReductionRow>(await listOrders<Stored<ReductionRow>>(database, table, projectId, listing));
}

async function listOrders<Row>(
  database: Reader,
  { table, columns }: { readonly table: Sql; readonly columns: Sql },
  projectId: string,
  { conditions, after, limit }: Listing,
): Promise<Row[]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  const place = sql`project_id = ${asProject(projectId)}${createdBefore(sql`id`, 'updated_at', conditions)}${position}`;
  const list = { table, projectId, place, range: idRangeOf(conditions, after), ordered: ORDERED };
  const ofValues = await pageByValues<Row>(database, list, columns, conditions, limit);
  if (ofValues !== null) return ofValues;
  const gathered = await gatherRange(
    database,
    { table, place, field: 'updated_at', column: sql`updated_at` },
    conditions,
  );
  return database.query<Row>(sql`
    select ${columns} from ${table}
    where ${place}${comparisons(conditions, filters)}${gathered ?? sql``}
    order by id desc
    limit ${limit}`);
}

const ORDERED: OrderedColumns = { status: [sql`status`, 'text'], subscription: [sql`subscription_id`, 'uuid'] };

const filters: Parameters<typeof comparisons>[1] = {
  subscription: (compare) => compare(sql`subscription_id`, 'uuid'),
  status: (compare) => compare(sql`status`, 'text'),
  created_at: (_, condition) => createdAt(sql`id`, condition),
  updated_at: (compare) => compare(sql`updated_at`, 'timestamptz'),
};

/** All orders of these subscriptions, oldest first. */
export async function readOrdersOf(
  queryable: Queryable,
  projectId: string,
  subscriptionIds: readonly string[],
): Promise<{ readonly meterOrders: MeterOrderRow[]; readonly reductions: ReductionRow[] }> {
  const meterOrders = await queryable.query<Stored<MeterOrderRow>>(sql`
    select ${meterOrderColumns} from meter_orders
    where project_id = ${asProject(projectId)} and subscription_id = any(${subscriptionIds}::uuid[])
    order by id`);
  const reductions = await queryable.query<Stored<ReductionRow>>(sql`
    select ${reductionColumns} from grid_fee_reductions
    where project_id = ${asProject(projectId)} and subscription_id = any(${subscriptionIds}::uuid[])
    order by id`);
  return { meterOrders: read<MeterOrderRow>(meterOrders), reductions: read<ReductionRow>(reductions) };
}

/** The orders of these subscriptions to which something can still happen, oldest first. */
export async function readOpenOrders(
  queryable: Queryable,
  projectId: string,
  subscriptionIds: readonly string[],
): Promise<{ readonly meterOrders: MeterOrderRow[]; readonly reductions: ReductionRow[] }> {
  const meterOrders = await queryable.query<Stored<MeterOrderRow>>(sql`
    select ${meterOrderColumns} from meter_orders
    where project_id = ${asProject(projectId)} and subscription_id = any(${subscriptionIds}::uuid[])
      and status not in ('activated', 'cancelled')
    order by id`);
  const reductions = await queryable.query<Stored<ReductionRow>>(sql`
    select ${reductionColumns} from grid_fee_reductions
    where project_id = ${asProject(projectId)} and subscription_id = any(${subscriptionIds}::uuid[])
      and status not in ('rejected', 'ended')
    order by id`);
  return { meterOrders: read<MeterOrderRow>(meterOrders), reductions: read<ReductionRow>(reductions) };
}

/** The meter orders of a project to which something can still happen, oldest first. */
export async function listOpenMeterOrders(
  queryable: Queryable,
  projectId: string,
  limit: number,
): Promise<MeterOrderRow[]> {
  const rows = await queryable.query<Stored<MeterOrderRow>>(sql`
    select ${meterOrderColumns} from meter_orders
    where project_id = ${asProject(projectId)} and status not in ('activated', 'cancelled')
    order by id
    limit ${limit}`);
  return read<MeterOrderRow>(rows);
}

/** The grid-fee reductions of a project that are under way, or about to end, or wait for an operator, oldest first. */
export async function listOpenReductions(
  queryable: Queryable,
  projectId: string,
  limit: number,
): Promise<ReductionRow[]> {
  // Each part by an index of its own.
  const rows = await queryable.query<Stored<ReductionRow>>(sql`
    (
      select ${reductionColumns} from grid_fee_reductions
      where project_id = ${asProject(projectId)} and (status in ('intended', 'ordered') or blocked is not null)
      order by id
      limit ${limit}
    ) union all (
      select ${reductionColumns} from grid_fee_reductions
      where project_id = ${asProject(projectId)} and status = 'activated' and effective_until is not null and blocked is null
      order by id
      limit ${limit}
    )
    order by id
    limit ${limit}`);
  return read<ReductionRow>(rows);
}

/** What the plan and the meter of subscriptions permit. */
export interface OfferRow {
  readonly id: string;
  readonly products: readonly string[];
  readonly meter_type: string;
}

/** What the plans and the meters of these subscriptions permit. */
export function readOffers(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<OfferRow[]> {
  return queryable.query<OfferRow>(sql`
    select s.id, p.products, m.type as meter_type
    from subscriptions s
    join plans p on p.project_id = s.project_id and p.id = s.plan_id
    join meters m on m.project_id = s.project_id and m.id = s.meter_id
    where s.project_id = ${asProject(projectId)} and s.id = any(${ids}::uuid[])`);
}

/** Writes new meter orders. */
export async function insertMeterOrders(
  transaction: Transaction,
  projectId: string,
  rows: readonly MeterOrderRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.query(sql`
    insert into meter_orders (project_id, id, subscription_id, meter_id, status, revision, created_at, updated_at)
    select ${projectId}::uuid, id, subscription_id, meter_id, status, revision, created_at, created_at
    from unnest(
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.subscription_id)}::uuid[],
      ${rows.map((row) => row.meter_id)}::uuid[],
      ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.revision)}::integer[],
      ${rows.map((row) => row.created_at)}::timestamptz[]
    ) as input (id, subscription_id, meter_id, status, revision, created_at)`);
}

/** Writes new grid-fee reductions. */
export async function insertReductions(
  transaction: Transaction,
  projectId: string,
  rows: readonly ReductionRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.query(sql`
    insert into grid_fee_reductions
      (project_id, id, subscription_id, module_1, module_2, module_3, status, revision, created_at, updated_at)
    select ${projectId}::uuid, id, subscription_id, module_1, module_2, module_3, status, revision, created_at, created_at
    from unnest(
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.subscription_id)}::uuid[],
      ${rows.map((row) => row.module_1)}::boolean[],
      ${rows.map((row) => row.module_2)}::boolean[],
      ${rows.map((row) => row.module_3)}::boolean[],
      ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.revision)}::integer[],
      ${rows.map((row) => row.created_at)}::timestamptz[]
    ) as input (id, subscription_id, module_1, module_2, module_3, status, revision, created_at)`);
}

const blockedTexts = (rows: readonly { readonly blocked: Blocked | null }[]): Buffer =>
  textArray(rows.map(({ blocked }) => (blocked === null ? null : JSON.stringify(blocked))));

/** Writes one step each of many meter orders. @throws Error when one has changed since it was read */
export async function updateMeterOrders(
  transaction: Transaction,
  projectId: string,
  rows: readonly MeterOrder[],
): Promise<void> {
  if (rows.length === 0) return;
  const written = await transaction.query(sql`
    update meter_orders as o set
      status = input.status, blocked = input.blocked::json, due_at = input.due_at, placed_at = input.placed_at,
      appointment_at = input.appointment_at, installed_at = input.installed_at, activated_at = input.activated_at,
      cancelled_at = input.cancelled_at, revision = input.revision, updated_at = input.updated_at
    from unnest(
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.status)}::text[],
      ${blockedTexts(rows)}::text[],
      ${rows.map((row) => row.due_at)}::timestamptz[],
      ${rows.map((row) => row.placed_at)}::timestamptz[],
      ${rows.map((row) => row.appointment_at)}::timestamptz[],
      ${rows.map((row) => row.installed_at)}::timestamptz[],
      ${rows.map((row) => row.activated_at)}::timestamptz[],
      ${rows.map((row) => row.cancelled_at)}::timestamptz[],
      ${rows.map((row) => row.revision)}::integer[],
      ${rows.map((row) => row.updated_at)}::timestamptz[]
    ) as input (id, status, blocked, due_at, placed_at, appointment_at, installed_at, activated_at, cancelled_at, revision,
      updated_at)
    where o.project_id = ${asProject(projectId)} and o.id = input.id and o.revision = input.revision - 1
    returning true`);
  if (written.length !== rows.length) throw new Error('a meter order has changed although its process was locked');
}

/** Writes one step each of many grid-fee reductions. @throws Error when one has changed since it was read */
export async function updateReductions(
  transaction: Transaction,
  projectId: string,
  rows: readonly Reduction[],
): Promise<void> {
  if (rows.length === 0) return;
  const written = await transaction.query(sql`
    update grid_fee_reductions as r set
      status = input.status, blocked = input.blocked::json, due_at = input.due_at, ordered_at = input.ordered_at,
      effective_from = input.effective_from, effective_until = input.effective_until,
      rejection_code = input.rejection_code, end_reason = input.end_reason, revision = input.revision,
      updated_at = input.updated_at
    from unnest(
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.status)}::text[],
      ${blockedTexts(rows)}::text[],
      ${rows.map((row) => row.due_at)}::timestamptz[],
      ${rows.map((row) => row.ordered_at)}::timestamptz[],
      ${rows.map((row) => row.effective_from)}::date[],
      ${rows.map((row) => row.effective_until)}::date[],
      ${rows.map((row) => row.rejection_code)}::text[],
      ${rows.map((row) => row.end_reason)}::text[],
      ${rows.map((row) => row.revision)}::integer[],
      ${rows.map((row) => row.updated_at)}::timestamptz[]
    ) as input (id, status, blocked, due_at, ordered_at, effective_from, effective_until, rejection_code, end_reason,
      revision, updated_at)
    where r.project_id = ${asProject(projectId)} and r.id = input.id and r.revision = input.revision - 1
    returning true`);
  if (written.length !== rows.length)
    throw new Error('a grid-fee reduction has changed although its process was locked');
}

/** The meters of these ids are smart now. */
export async function makeMetersSmart(
  transaction: Transaction,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await transaction.query(sql`
    update meters set type = 'smart' where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}
