import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';

/** An endpoint as far as sending to it by hand is concerned. */
export interface TargetRow {
  readonly project_id: string;
  readonly endpoint_id: string;
  readonly mode: 'live' | 'sandbox';
  readonly url: string;
  readonly types: readonly string[];
  readonly position: string;
  readonly secret_encrypted: Uint8Array;
  readonly previous_secret_encrypted: Uint8Array | null;
  readonly previous_secret_expires_at: string | null;
}

const targetColumns = sql`endpoint.project_id, endpoint.id as endpoint_id, mode, url, types, position, secret_encrypted,
  previous_secret_encrypted, previous_secret_expires_at`;

/** The endpoint of a project, or `undefined`. */
export async function readTarget(queryable: Queryable, projectId: string, id: string): Promise<TargetRow | undefined> {
  const [row] = await queryable.query<TargetRow>(sql`
    select ${targetColumns} from webhook_endpoints as endpoint
    join projects on projects.id = endpoint.project_id
    where endpoint.project_id = ${asProject(projectId)} and endpoint.id = ${id} and deleted_at is null`);
  return row;
}

/** The same, locked: nothing is laid out for it meanwhile. */
export async function lockTarget(
  transaction: Transaction,
  projectId: string,
  id: string,
): Promise<TargetRow | undefined> {
  const [row] = await transaction.query<TargetRow>(sql`
    select ${targetColumns} from webhook_endpoints as endpoint
    join projects on projects.id = endpoint.project_id
    where endpoint.project_id = ${asProject(projectId)} and endpoint.id = ${id} and deleted_at is null
    for no key update of endpoint`);
  return row;
}

/** Has a delivery attempted at once, whatever became of it; `false` when there is none. */
export async function resend(queryable: Queryable, projectId: string, id: string, now: string): Promise<boolean> {
  const rows = await queryable.query(sql`
    update webhook_deliveries set
      due_at = ${now}::timestamptz, state = 'pending',
      attempt_count = case when state = 'pending' then attempt_count else 0 end
    where project_id = ${asProject(projectId)} and id = ${id} and exists (
      select from webhook_endpoints as endpoint
      where endpoint.project_id = ${asProject(projectId)} and endpoint.id = endpoint_id and deleted_at is null
    )
    returning true`);
  return rows.length === 1;
}

/**
 * Makes failed deliveries of an endpoint pending again, at most `limit`, oldest first: of each event the one that was
 * attempted last, unless another is pending or has succeeded since. What is sent again is sent once, in how many portions
 * ever.
 */
export function reviveFailed(
  queryable: Queryable,
  projectId: string,
  endpointId: string,
  now: string,
  limit: number,
): Promise<string[]> {
  return revive(
    queryable,
    projectId,
    now,
    sql`
    select id from ${failedOf(projectId, endpointId)}
      -- Of each event by itself, whatever it was sent to: joined, or looked for by the endpoint, all that the endpoint was
      -- sent would be read, and that for each.
      and id = (
        select id from (
          select * from webhook_deliveries as same
          where same.project_id = failed.project_id and same.event_id = failed.event_id
          offset 0
        ) as same
        where same.endpoint_id = failed.endpoint_id
        order by state = 'pending' desc, attempts -> -1 ->> 'at' desc nulls last, id desc
        limit 1
      )
    order by id
    limit ${limit}`,
  );
}

/** The same of some events that none is pending of, of each the newest one: they are asked for, whatever became of them. */
export function reviveFailedOf(
  queryable: Queryable,
  projectId: string,
  endpointId: string,
  eventIds: readonly string[],
  now: string,
): Promise<string[]> {
  return revive(
    queryable,
    projectId,
    now,
    sql`
    select distinct on (event_id) id from ${failedOf(projectId, endpointId)} and event_id = any(${eventIds}::uuid[])
    order by event_id, id desc`,
  );
}

function failedOf(projectId: string, endpointId: string): Sql {
  return sql`webhook_deliveries as failed
    where project_id = ${asProject(projectId)} and endpoint_id = ${endpointId} and lower(state) = 'failed'`;
}

/** @returns the ids of their events */
async function revive(queryable: Queryable, projectId: string, now: string, chosen: Sql): Promise<string[]> {
  const rows = await queryable.query<{ event_id: string }>(sql`
    update webhook_deliveries set state = 'pending', due_at = ${now}::timestamptz, attempt_count = 0
    where project_id = ${asProject(projectId)} and id in (${chosen})
    returning event_id`);
  return rows.map(({ event_id: id }) => id);
}

/** Which of these events an endpoint has pending deliveries of. */
export async function findPending(
  queryable: Queryable,
  projectId: string,
  endpointId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await queryable.query<{ event_id: string }>(sql`
    select event_id from webhook_deliveries
    where project_id = ${asProject(projectId)} and endpoint_id = ${endpointId} and event_id = any(${eventIds}::uuid[])
      and state = 'pending'`);
  return rows.map(({ event_id: id }) => id);
}

/** An event and its place in the feed. */
export interface PlacedEvent {
  readonly position: string;
  readonly event_id: string;
  readonly subject_id: string;
  readonly type: string;
}

/** Events by their ids, which carry their time: after one and before another. */
export interface IdRange {
  readonly after: string;
  readonly before: string;
}

/** Events of a range that have their places up to a position, in the order of their ids. */
export function findPlaced(
  queryable: Queryable,
  projectId: string,
  { after, before }: IdRange,
  upTo: string,
  limit: number,
): Promise<PlacedEvent[]> {
  return queryable.query<PlacedEvent>(sql`
    select places.position, events.id as event_id, coalesce(subscription_id, resource_id) as subject_id, type
    from (
      select position, event_id from event_feed
      where project_id = ${asProject(projectId)} and event_id > ${after}::uuid and event_id < ${before}::uuid
        and position <= ${upTo}
      order by event_id
      limit ${limit}
    ) as places
    join events on events.project_id = ${asProject(projectId)} and events.id = places.event_id
    order by event_id`);
}

/** The event with its place, or `undefined`. */
export async function findOnePlaced(
  queryable: Queryable,
  projectId: string,
  eventId: string,
): Promise<PlacedEvent | undefined> {
  const [row] = await queryable.query<PlacedEvent>(sql`
    select position, event_id, coalesce(subscription_id, resource_id) as subject_id, type
    from event_feed
    join events on events.project_id = event_feed.project_id and events.id = event_feed.event_id
    where event_feed.project_id = ${asProject(projectId)} and event_id = ${eventId}`);
  return row;
}
