/** What is held about one person beside the customer itself. */
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';

/** Makes everything that a transaction reads one state, that of its first statement. */
export async function freezeReads(transaction: Transaction): Promise<void> {
  await transaction.query(sql`set transaction isolation level repeatable read read only`);
}

/** An event as it is held; `data` is JSON text. */
export interface HeldEvent {
  readonly id: string;
  readonly subscription_id: string | null;
  readonly resource_id: string | null;
  readonly type: string;
  readonly occurred_at: string;
  readonly sequence: number;
  readonly request_id: string | null;
  readonly data: string;
}

/** The events of subscriptions, each in their order, and then those of other resources, such as leads. */
export function readHeldEvents(
  queryable: Queryable,
  projectId: string,
  subscriptionIds: readonly string[],
  resourceIds: readonly string[],
): Promise<HeldEvent[]> {
  return queryable.query<HeldEvent>(sql`
    select id, subscription_id, resource_id, type, occurred_at, sequence, request_id, data from events
    where project_id = ${asProject(projectId)} and subscription_id = any(${subscriptionIds}::uuid[])
    union all
    select id, subscription_id, resource_id, type, occurred_at, sequence, request_id, data from events
    where project_id = ${asProject(projectId)} and resource_id = any(${resourceIds}::uuid[])
    order by subscription_id, resource_id, sequence`);
}

/** The deliveries of these events, oldest first. */
export async function readDeliveryIds(
  queryable: Queryable,
  projectId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await queryable.query<{ id: string }>(sql`
    select id from webhook_deliveries
    where project_id = ${asProject(projectId)} and event_id = any(${eventIds}::uuid[])
    order by id`);
  return rows.map(({ id }) => id);
}

/** A request whose answer is kept for repetition. */
export interface HeldKey {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly created_at: string;
}

/**
 * The kept answers that are about resources: what created one, or went to its path, or was refused because of it.
 * @param paths such as `/customers/cus_…`
 */
export function readHeldKeys(queryable: Queryable, projectId: string, paths: readonly string[]): Promise<HeldKey[]> {
  const ids = paths.map((path) => `%${path.slice(path.lastIndexOf('/') + 1)}%`);
  return queryable.query<HeldKey>(sql`
    select key, method, path, created_at from idempotency_keys
    where project_id = ${asProject(projectId)} and coalesce(headers ->> 'location', path) = any(${paths}::text[])
    union
    select key, method, path, created_at from unnest(${paths}::text[]) as asked (subject)
    cross join lateral (
      select key, method, path, created_at from idempotency_keys
      -- The bounds serve the index, whose order is that of bytes.
      where project_id = ${asProject(projectId)} and coalesce(headers ->> 'location', path) ~>=~ (asked.subject || '/')
        and coalesce(headers ->> 'location', path) ~<~ (asked.subject || '0')
    ) as below
    union
    select key, method, path, created_at from idempotency_keys
    where project_id = ${asProject(projectId)} and coalesce(headers ->> 'location', path) = '/subscriptions'
      and body like any(${ids}::text[])
    order by created_at, key`);
}
