import { lowestUuidAt, normaliseMeterNumber } from '#domain/identifiers.ts';
import { hashUuid } from '#platform/crypto.ts';
import { plainArray } from '#platform/database/arrays.ts';
import { comparison, comparisons, createdAt, type ConditionTable } from '#platform/database/conditions.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { joinSql, sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import type { FeedPosition } from '../events/index.ts';
import type { AddressRow, CustomerRow, MeterRow, PaymentMethodRow, SubscriptionRow } from './present.ts';

/** The columns of a `SubscriptionRow`, of a table named `subscriptions`. */
export const subscriptionColumns = sql`
  id, plan_id, customer_id, address_id, meter_id, payment_method_id, supplier_id, lead_id, number, external_id, status,
  stage, end_reason, next_action, estimated_usage, next_possible_start, intended_start_date, created_at, updated_at,
  start_at, terminated_at, end_at, created_by, metadata, billing_address_id, requested_start_date,
  requested_start_reason,
  coalesce(
    (
      select json_agg(
        case
          when details is null then json_build_object('type', type)
          else json_build_object('type', type, type, details)
        end order by position
      )
      from product_orders
      where product_orders.project_id = subscriptions.project_id and product_orders.subscription_id = subscriptions.id
    ),
    '[]'
  ) as product_orders`;

/** The subscription of a project, or `undefined`. */
export async function readSubscription(
  queryable: Queryable,
  projectId: string,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await queryable.query<SubscriptionRow>(sql`
    select ${subscriptionColumns} from subscriptions where project_id = ${projectId} and id = ${id}`);
  return row;
}

/** Names a subscription; both are uuids. */
export interface SubscriptionKey {
  readonly projectId: string;
  readonly id: string;
}

/**
 * The subscriptions of these names in their order, `undefined` where there is none.
 *
 * @param generation another one has the statement planned anew, see `Queryable`
 */
export async function readSubscriptions(
  queryable: Queryable,
  keys: readonly SubscriptionKey[],
  generation: number,
): Promise<(SubscriptionRow | undefined)[]> {
  const found = await queryable.query<SubscriptionRow & { readonly place: number }>(
    sql`
    select place::integer, ${subscriptionColumns}
    from unnest(
        ${plainArray(keys.map(({ projectId }) => projectId))}::uuid[], ${plainArray(keys.map(({ id }) => id))}::uuid[]
      )
      with ordinality as asked (project_id, id, place)
    join subscriptions using (project_id, id)`,
    generation,
  );
  const rows: (SubscriptionRow | undefined)[] = keys.map(() => undefined);
  for (const row of found) rows[row.place - 1] = row;
  return rows;
}

/** The subscriptions of a customer, oldest first. */
export function readSubscriptionsOf(
  queryable: Queryable,
  projectId: string,
  customerId: string,
): Promise<SubscriptionRow[]> {
  return queryable.query<SubscriptionRow>(sql`
    select ${subscriptionColumns} from subscriptions
    where project_id = ${projectId} and customer_id = ${customerId}
    order by id`);
}

/** A page of subscriptions after a position, newest first. */
export async function listSubscriptions(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<SubscriptionRow[]> {
  return listBy(await waysTo(queryable, projectId, conditions, after, limit), limit, (page) =>
    queryable.query<SubscriptionRow>(page),
  );
}

/** A subscription of a first page, with where the feed of events stands in the very same snapshot. */
type FirstPageRow = SubscriptionRow & { readonly feed_position: string; readonly feed_snapshot: string };

/** The first page of subscriptions, newest first, and from where the feed of events tells what comes after it. */
export async function listNewest(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  limit: number,
): Promise<{ readonly rows: SubscriptionRow[]; readonly feed: FeedPosition }> {
  const ways = await waysTo(queryable, projectId, conditions, null, limit);
  const isThere = ({ id }: FirstPageRow): boolean => (id as string | null) !== null;
  const found = await listBy(
    ways,
    limit,
    (page) =>
      queryable.query<FirstPageRow>(sql`
        select page.*, feed.position as feed_position, feed.snapshot as feed_snapshot
        from (select last_position as position, pg_current_snapshot()::text as snapshot from event_feed_state) as feed
        left join lateral (${page}) as page on true
        order by page.id desc`),
    isThere,
  );
  const [first] = found;
  if (first === undefined) throw new Error('the feed has no state');
  return { rows: found.filter(isThere), feed: { position: first.feed_position, snapshot: first.feed_snapshot } };
}

/** Times that have no order in common with the list, each with indexes of its own: by the time, and by its day. */
const TIMES: Readonly<Record<string, Sql>> = {
  updated_at: sql`updated_at`,
  start_at: sql`start_at`,
  end_at: sql`end_at`,
};
const RANGES = new Set(['eq', 'in', 'gt', 'gte', 'lt', 'lte']);
/** So many of a range of time are put in the order of the list, where nothing else is asked and where something is. */
const GATHERED = { alone: 1_000, among: 10_000 };
/** Of a range that holds more, the newest of the list may hold enough. */
const LOOKED_THROUGH = { alone: 500, among: 20_000 };

/**
 * The statements that list a page, each to be tried when the one before did not fill it. How much of the list a range
 * of time holds, and where, is what the planner knows least: it would walk the whole list for a handful of rows.
 */
async function waysTo(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<[Sql, ...Sql[]]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  const bounds = joinSql(conditions.map(createdWithin), sql``);
  const place = sql`project_id = ${projectId}${bounds}${position}`;
  const wanted = sql`${place}${comparisons(conditions, filters(projectId))}`;
  const plain = sql`select ${subscriptionColumns} from subscriptions where ${wanted} order by id desc limit ${limit}`;
  const field =
    conditions.find((condition) => Object.hasOwn(TIMES, condition.field) && RANGES.has(condition.operator))?.field ??
    '';
  const time = TIMES[field];
  if (time === undefined) return [plain];
  const ranges = conditions.filter((condition) => condition.field === field && RANGES.has(condition.operator));
  const isAlone = conditions.every((condition) => ranges.includes(condition) || condition.field === 'created_at');
  const most = isAlone ? GATHERED.alone : GATHERED.among;
  const range = comparisons(ranges, filters(projectId));
  // In the order of the time, lest anything but its index be read.
  const inRange = sql`select id from subscriptions where ${place}${range} order by ${time}, id`;
  const [counted] = await queryable.query<{ found: number }>(sql`
    select count(*)::integer as found from (${inRange} limit ${most + 1}) as gathered`);
  if ((counted?.found ?? 0) <= most) {
    return [
      sql`select ${subscriptionColumns} from subscriptions where ${wanted} and id = any(array(${inRange}))
        order by id desc limit ${limit}`,
    ];
  }
  const newest = sql`
    select ${subscriptionColumns} from (
      select * from subscriptions where ${place}
      order by id desc
      limit ${isAlone ? LOOKED_THROUGH.alone : LOOKED_THROUGH.among}
    ) as subscriptions
    where ${wanted}
    order by id desc
    limit ${limit}`;
  return [newest, isAlone ? newestOfDays(projectId, time, range, place, limit) : plain];
}

/** The newest in a range of time, of the newest of each of its days. */
function newestOfDays(projectId: string, time: Sql, range: Sql, place: Sql, limit: number): Sql {
  // As the indexes have it.
  const dayOf = (instant: Sql): Sql => sql`date_bin('1 day', ${instant}, '2000-01-01T00:00:00Z')`;
  const first = (aggregate: Sql): Sql =>
    sql`(select ${aggregate}(${time}) from subscriptions where project_id = ${projectId}${range})`;
  return sql`
    select ${subscriptionColumns} from subscriptions
    where project_id = ${projectId} and id in (
      select id from generate_series(${dayOf(first(sql`min`))}, ${first(sql`max`)}, '1 day') as days (day)
      cross join lateral (
        select id from subscriptions
        where ${dayOf(time)} = days.day and ${place}${range}
        order by id desc
        limit ${limit}
      ) as newest
      order by id desc
      limit ${limit}
    )
    order by id desc
    limit ${limit}`;
}

/** Tries one way after the other until one fills the page; the last one's rows are all there are. */
async function listBy<Row>(
  ways: readonly [Sql, ...Sql[]],
  limit: number,
  ask: (page: Sql) => Promise<Row[]>,
  isThere: (row: Row) => boolean = () => true,
): Promise<Row[]> {
  let rows: Row[] = [];
  for (const way of ways) {
    rows = await ask(way);
    if (rows.filter(isThere).length === limit) break;
  }
  return rows;
}

function filters(projectId: string): ConditionTable {
  return {
    status: (compare) => compare(sql`status`, 'text'),
    stage: (compare) => compare(sql`stage`, 'text'),
    plan: (compare) => compare(sql`plan_id`, 'uuid'),
    customer: (compare) => compare(sql`customer_id`, 'uuid'),
    supplier: (compare) => compare(sql`supplier_id`, 'uuid'),
    lead: (compare) => compare(sql`lead_id`, 'uuid'),
    external_id: (compare) => compare(sql`external_id`, 'text'),
    number: (compare) => compare(sql`number`, 'text'),
    'meter.number': (_, condition) =>
      comparison(sql`meter_number_normalised`, 'text', {
        ...condition,
        values: condition.operator === 'is_null' ? condition.values : condition.values.map(normaliseMeterNumber),
      }),
    'meter.malo': (compare) => compare(sql`malo`, 'text'),
    'customer.email': (_, condition) => emailFilter(projectId, condition),
    // It is part of the place already, see `createdWithin`.
    created_at: () => sql`true`,
    updated_at: (compare) => compare(sql`updated_at`, 'timestamptz'),
    start_at: (compare) => compare(sql`start_at`, 'timestamptz'),
    end_at: (compare) => compare(sql`end_at`, 'timestamptz'),
    created_by: (compare) => compare(sql`created_by`, 'uuid'),
    'next_action.actor': (_, condition) => nextActionFilter(sql`(next_action ->> 'actor')`, condition),
    'next_action.code': (_, condition) => nextActionFilter(sql`(next_action ->> 'code')`, condition),
    metadata: (_, condition) => sql`exists (
      select from subscription_metadata as entry
      where entry.project_id = subscriptions.project_id and entry.subscription_id = subscriptions.id
        and entry.key_hash = ${hashUuid(condition.key ?? '')} and entry.value_hash = ${hashUuid(condition.values[0] ?? '')}
    )`,
  };
}

/** So much a clock may have been set back between two changes of one subscription. */
const SET_BACK = { hours: 24 };

/**
 * What a condition says about ids, which carry the time of creation: nothing changes before it is created, so what was
 * changed before an instant has an id from before it.
 */
function createdWithin(condition: Condition): Sql {
  const { field, operator, values } = condition;
  if (field === 'created_at') return sql` and ${createdAt(sql`id`, condition)}`;
  if (field !== 'updated_at' || (operator !== 'lt' && operator !== 'lte' && operator !== 'eq')) return sql``;
  const until = Temporal.Instant.from(values[0] ?? '').add(SET_BACK);
  return sql` and id < ${lowestUuidAt(until.epochMilliseconds)}`;
}

/** `next_action is not null` lets the partial indexes serve it. */
function nextActionFilter(column: Sql, condition: Condition): Sql {
  const compared = comparison(column, 'text', condition);
  const onlyWaiting =
    condition.operator === 'eq' ||
    condition.operator === 'in' ||
    (condition.operator === 'is_null' && condition.values[0] === 'false');
  return onlyWaiting ? sql`next_action is not null and ${compared}` : compared;
}

/** E-mail addresses are matched without regard to case. */
function emailFilter(projectId: string, { operator, values }: Condition): Sql {
  if (operator === 'is_null') return values[0] === 'true' ? sql`false` : sql`true`;
  const customers = sql`
    select id from customers
    where project_id = ${projectId} and lower(email) in (select lower(value) from unnest(${values}::text[]) as asked (value))`;
  return operator === 'ne' ? sql`customer_id not in (${customers})` : sql`customer_id in (${customers})`;
}

/** The customers of these ids. */
export function readCustomers(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<CustomerRow[]> {
  return queryable.query<CustomerRow>(sql`
    select id, type, company_name, first_name, last_name, email, vat_id, created_at, updated_at,
      erased_at
    from customers where project_id = ${projectId} and id = any(${ids}::uuid[])`);
}

/** The addresses of these ids. */
export function readAddresses(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<AddressRow[]> {
  return queryable.query<AddressRow>(sql`
    select id, street, house_number, zip, city, created_at
    from addresses where project_id = ${projectId} and id = any(${ids}::uuid[])`);
}

/** The meters of these ids. */
export function readMeters(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<MeterRow[]> {
  return queryable.query<MeterRow>(sql`
    select id, number, type, estimated_usage, malo, created_at
    from meters where project_id = ${projectId} and id = any(${ids}::uuid[])`);
}

/** The payment methods of these ids. */
export function readPaymentMethods(
  queryable: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<PaymentMethodRow[]> {
  return queryable.query<PaymentMethodRow>(sql`
    select id, type, iban_masked, details_encrypted, created_at
    from payment_methods where project_id = ${projectId} and id = any(${ids}::uuid[])`);
}
