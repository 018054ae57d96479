import { normaliseMeterNumber } from '#domain/identifiers.ts';
import { hashUuid } from '#platform/crypto.ts';
import { plainArray } from '#platform/database/arrays.ts';
import { comparison, comparisons, createdAt, type ConditionTable } from '#platform/database/conditions.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
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
export function listSubscriptions(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<SubscriptionRow[]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  return queryable.query<SubscriptionRow>(sql`
    select ${subscriptionColumns} from subscriptions
    where project_id = ${projectId}${comparisons(conditions, filters(projectId))}${position}
    order by id desc
    limit ${limit}`);
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
  const found = await queryable.query<FirstPageRow>(sql`
    select page.*, feed.position as feed_position, feed.snapshot as feed_snapshot
    from (select last_position as position, pg_current_snapshot()::text as snapshot from event_feed_state) as feed
    left join lateral (
      select ${subscriptionColumns} from subscriptions
      where project_id = ${projectId}${comparisons(conditions, filters(projectId))}
      order by id desc
      limit ${limit}
    ) as page on true
    order by page.id desc`);
  const [first] = found;
  if (first === undefined) throw new Error('the feed has no state');
  return {
    rows: found.filter(({ id }) => (id as string | null) !== null),
    feed: { position: first.feed_position, snapshot: first.feed_snapshot },
  };
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
    created_at: (_, condition) => createdAt(sql`id`, condition),
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
