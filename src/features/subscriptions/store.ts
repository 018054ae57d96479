import { plainArray } from '#platform/database/arrays.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';
import { customerColumns } from './customer-store.ts';
import type { AddressRow, MeterRow, PaymentMethodRow, SubscriptionRow, VersionedCustomer } from './present.ts';

/** The columns of a `SubscriptionRow`, of a table named `subscriptions`. */
export const subscriptionColumns = sql`
  id, plan_id, customer_id, address_id, meter_id, payment_method_id, supplier_id, lead_id, number, external_id, status,
  stage, end_reason, next_action, estimated_usage, next_possible_start, intended_start_date, created_at, updated_at,
  start_at, terminated_at, end_at, created_by, metadata, billing_address_id, requested_start_date,
  requested_start_reason, event_sequence,
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
    select ${subscriptionColumns} from subscriptions where project_id = ${asProject(projectId)} and id = ${id}`);
  return row;
}

/** Asks for a subscription. */
export interface Asked {
  readonly projectId: string;
  /** uuid */
  readonly id: string;
}

/** Asks whether a subscription still is as it was read. */
export interface AskedAgain extends Asked {
  /** The `version` of the row that was read. */
  readonly version: string;
}

/**
 * A subscription as stored, and which version of its row that is: every change gives it another one. It is the transaction
 * that has written the row (`xmin`), so that no change can forget to count: product orders, which stand beside it, only
 * change with it.
 */
export interface VersionedRow extends SubscriptionRow {
  readonly version: string;
}

/**
 * What is asked for, in its order; `undefined` what there is not.
 *
 * @param generation another one has the statement planned anew, see `Queryable`
 */
export async function readSubscriptions(
  queryable: Queryable,
  asked: readonly Asked[],
  generation: number,
): Promise<(VersionedRow | undefined)[]> {
  const rows = await queryable.query<VersionedRow & { readonly place: number }>(
    sql`
    select place::integer, subscriptions.xmin::text as version, ${subscriptionColumns}
    from unnest(${projectsOf(asked)}, ${plainArray(asked.map(({ id }) => id))}::uuid[])
      with ordinality as asked (project_id, id, place)
    join subscriptions using (project_id, id)`,
    generation,
  );
  const found = asked.map((): VersionedRow | undefined => undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}

/**
 * Whether each still is as it was read, in their order. Much less to ask than what they are.
 *
 * @param generation another one has the statement planned anew, see `Queryable`
 */
export async function areUnchanged(
  queryable: Queryable,
  asked: readonly AskedAgain[],
  generation: number,
): Promise<boolean[]> {
  const rows = await queryable.query<{ readonly place: number }>(
    sql`
    select place::integer
    from unnest(
        ${projectsOf(asked)}, ${plainArray(asked.map(({ id }) => id))}::uuid[],
        ${plainArray(asked.map(({ version }) => version))}::xid[]
      )
      with ordinality as asked (project_id, id, version, place)
    left join subscriptions using (project_id, id)
    where subscriptions.xmin is distinct from asked.version`,
    generation,
  );
  const unchanged = asked.map(() => true);
  for (const { place } of rows) unchanged[place - 1] = false;
  return unchanged;
}

/** Hides its length, as that of a sign-up. */
function projectsOf(asked: readonly Asked[]): Sql {
  return sql`(select ${plainArray(asked.map(({ projectId }) => projectId))}::uuid[])`;
}

/** The subscriptions of a customer, oldest first. */
export function readSubscriptionsOf(
  queryable: Queryable,
  projectId: string,
  customerId: string,
): Promise<SubscriptionRow[]> {
  return queryable.query<SubscriptionRow>(sql`
    select ${subscriptionColumns} from subscriptions
    where project_id = ${asProject(projectId)} and customer_id = ${customerId}
    order by id`);
}

/** The customers of these ids. */
export function readCustomers(
  queryable: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<VersionedCustomer[]> {
  return queryable.query<VersionedCustomer>(sql`
    select ${customerColumns}, xmin::text as version from customers where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}

/** The addresses of these ids. */
export function readAddresses(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<AddressRow[]> {
  return queryable.query<AddressRow>(sql`
    select id, street, house_number, zip, city, created_at
    from addresses where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}

/** The meters of these ids. */
export function readMeters(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<MeterRow[]> {
  return queryable.query<MeterRow>(sql`
    select id, number, type, estimated_usage, malo, created_at
    from meters where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}

/** The payment methods of these ids. */
export function readPaymentMethods(
  queryable: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<PaymentMethodRow[]> {
  return queryable.query<PaymentMethodRow>(sql`
    select id, type, iban_masked, details_encrypted, created_at
    from payment_methods where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}

/** What is encrypted of a payment method, and what it is bound to. */
export interface OwnedPaymentMethod extends Pick<PaymentMethodRow, 'id' | 'details_encrypted'> {
  readonly project_id: string;
}

/** The encrypted bank details of all projects. */
export const encryptedDetails: Sql = sql`select project_id, id, details_encrypted from payment_methods`;
