/** What is held about one person beside the customer itself. */
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';

/** By what a state of the database is told from what comes later, when it is read by many transactions. */
export interface Bounds {
  /** Text of a `pg_snapshot`. */
  readonly snapshot: string;
  /** The last change of the customer. */
  readonly change: number;
  /** How far each of his subscriptions has come. */
  readonly revisions: ReadonlyMap<string, number>;
}

/** The bounds of what this transaction reads about a customer. */
export async function readBounds(transaction: Transaction, projectId: string, customerId: string): Promise<Bounds> {
  const [row] = await transaction.query<{ snapshot: string; change: number }>(sql`
    select pg_current_snapshot()::text as snapshot, coalesce((
      select max(sequence) from customer_changes
      where project_id = ${asProject(projectId)} and customer_id = ${customerId}
    ), 0) as change`);
  if (row === undefined) throw new Error('a select without a table answers one row');
  const subscriptions = await transaction.query<{ id: string; revision: number }>(sql`
    select id, greatest(revision, (
      select revision from events
      where events.project_id = subscriptions.project_id and events.subscription_id = subscriptions.id
      order by sequence desc
      limit 1
    )) as revision
    from subscriptions where project_id = ${asProject(projectId)} and customer_id = ${customerId}`);
  return { ...row, revisions: new Map(subscriptions.map(({ id, revision }) => [id, revision])) };
}

/** A subscription, or another resource such as a lead, that events are about. */
export interface Subject {
  readonly kind: 'subscription' | 'resource';
  readonly id: string;
}

/** An event as it is held; `data` is JSON text. */
export interface HeldEvent {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly sequence: number;
  readonly request_id: string | null;
  readonly data: string;
}

/** Which events of a subject are read: after a sequence, seen in a snapshot (null: all that there are). */
export interface Stretch {
  readonly subject: Subject;
  readonly snapshot: string | null;
  readonly after: number;
  readonly limit: number;
}

function ofStretch(columns: Sql, projectId: string, { subject, snapshot, after, limit }: Stretch): Sql {
  const column = subject.kind === 'subscription' ? sql`subscription_id` : sql`resource_id`;
  const seen =
    snapshot === null
      ? sql``
      : sql` and (transaction_id is null or pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot))`;
  return sql`
    select ${columns} from events
    where project_id = ${asProject(projectId)} and ${column} = ${subject.id} and sequence > ${after}${seen}
    order by sequence
    limit ${limit}`;
}

/** Events of one subject, in their order. */
export function readHeldEvents(queryable: Queryable, projectId: string, stretch: Stretch): Promise<HeldEvent[]> {
  const columns = sql`id, type, occurred_at, sequence, request_id, data`;
  return queryable.query<HeldEvent>(ofStretch(columns, projectId, stretch));
}

/** Events of one subject, in their order, each with the ids of its deliveries, oldest first. */
export function readDeliveries(
  queryable: Queryable,
  projectId: string,
  stretch: Stretch,
): Promise<{ readonly sequence: number; readonly ids: readonly string[] }[]> {
  return queryable.query(sql`
    with stretch as materialized (${ofStretch(sql`id, sequence`, projectId, stretch)})
    select sequence, array(
      select id::text from webhook_deliveries
      where project_id = ${asProject(projectId)} and event_id = stretch.id
      order by id
    ) as ids
    from stretch
    order by sequence`);
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
  const ids = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
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
    -- As the index of refused sign-ups has it, each of which names one subscription at most.
    where project_id = ${asProject(projectId)} and status >= 400 and path = '/subscriptions'
      and substring(body from 'sub_[0-9a-z]{26}') = any(${ids}::text[])
    order by created_at, key`);
}
