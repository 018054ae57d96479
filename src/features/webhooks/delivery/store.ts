import { NIL_UUID } from '#domain/identifiers.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import { isFirstInLine, MOST_PUT_OFF, type DeliveryLine } from './results-store.ts';

/** An event that an endpoint has not come to yet. */
export interface BacklogRow {
  readonly project_id: string;
  readonly endpoint_id: string;
  readonly types: readonly string[];
  readonly position: string;
  readonly event_id: string;
  readonly subject_id: string;
  readonly type: string;
}

/**
 * Whether an `endpoint` is to be told of what comes, and has not come to the end of its project's feed. The end is looked up
 * for each: asked whether anything follows, the planner may join all of the feed with thousands of endpoints.
 */
const isBehind = sql`enabled and deleted_at is null and position < (
  select event_feed.position from event_feed
  where event_feed.project_id = endpoint.project_id
  order by event_feed.position desc
  limit 1
)`;

/**
 * Locks some enabled endpoints that are behind the end of the feed, past those that others hold, and gives what follows
 * for each, in order; `limit` events in all.
 */
export function lockBacklog(transaction: Transaction, endpoints: number, limit: number): Promise<BacklogRow[]> {
  return transaction.query<BacklogRow>(sql`
    with behind as materialized (
      select project_id, id, position, types from webhook_endpoints as endpoint
      where ${isBehind}
      -- Many that are far behind do not keep the others waiting.
      order by random()
      limit ${endpoints}
      for no key update skip locked
    ), counted as (
      select ${limit}::integer / greatest(count(*), 1) as each from behind
    )
    select behind.project_id, behind.id as endpoint_id, behind.types, places.position, places.event_id, subject_id, type
    from behind
    cross join lateral (
      select position, event_id from event_feed
      where event_feed.project_id = behind.project_id and event_feed.position > behind.position
      order by position
      limit (select each from counted)
    ) as places
    -- The limit keeps the planner, which cannot know how few they are, from reading all events.
    cross join lateral (
      select coalesce(subscription_id, resource_id) as subject_id, type from events
      where events.project_id = behind.project_id and events.id = places.event_id
      limit 1
    ) as event
    order by behind.id, places.position`);
}

/** Whether an enabled endpoint is behind the end of the feed. */
export async function isAnyBehind(queryable: Queryable): Promise<boolean> {
  const [row] = await queryable.query<{ is_behind: boolean }>(sql`
    select exists (
      select from webhook_endpoints as endpoint where ${isBehind}
    ) as is_behind`);
  return row?.is_behind === true;
}

/** A delivery to be written. */
export interface NewDelivery extends DeliveryLine {
  readonly id: string;
  readonly eventId: string;
  readonly position: string;
}

/**
 * Writes deliveries; each is due at once, or with the earlier ones of its subscription that wait. Answers those
 * that are put off.
 */
export async function insertDeliveries(
  queryable: Queryable,
  deliveries: readonly NewDelivery[],
  now: string,
): Promise<NewDelivery[]> {
  if (deliveries.length === 0) return [];
  const of = (pick: (delivery: NewDelivery) => string): string[] => deliveries.map(pick);
  const rows = await queryable.query<{ id: string; is_put_off: boolean }>(sql`
    insert into webhook_deliveries
      (project_id, id, endpoint_id, event_id, subject_id, position, state, due_at, created_at)
    select project_id, id, endpoint_id, event_id, subject_id, position, 'pending',
      -- The last one that waits, for they are due together; of a long line those in front.
      greatest(${now}::timestamptz, (
        select case when count(*) < ${MOST_PUT_OFF}::integer then (array_agg(due_at order by position desc))[1] end
        from (
          select due_at, position from webhook_deliveries as earlier
          where earlier.project_id = input.project_id and earlier.endpoint_id = input.endpoint_id
            and earlier.subject_id = input.subject_id and earlier.state = 'pending'
            and earlier.position < input.position
          order by position desc
          limit ${MOST_PUT_OFF}::integer
        ) as earlier
      )), ${now}::timestamptz
    from unnest(
      ${of(({ projectId }) => projectId)}::uuid[], ${of(({ id }) => id)}::uuid[],
      ${of(({ endpointId }) => endpointId)}::uuid[], ${of(({ eventId }) => eventId)}::uuid[],
      ${of(({ subjectId }) => subjectId)}::uuid[], ${of(({ position }) => position)}::bigint[]
    ) as input (project_id, id, endpoint_id, event_id, subject_id, position)
    returning id, due_at > ${now}::timestamptz as is_put_off`);
  const putOff = new Set(rows.filter(({ is_put_off: isPutOff }) => isPutOff).map(({ id }) => id));
  return deliveries.filter(({ id }) => putOff.has(id));
}

/** An endpoint and how far its deliveries are laid out. */
export interface EndpointPosition {
  readonly projectId: string;
  readonly endpointId: string;
  readonly position: string;
}

/** Moves endpoints that `lockBacklog` has locked. */
export async function movePositions(transaction: Transaction, moved: readonly EndpointPosition[]): Promise<void> {
  await transaction.query(sql`
    update webhook_endpoints as endpoint set position = input.position
    from unnest(
      ${moved.map(({ projectId }) => projectId)}::uuid[], ${moved.map(({ endpointId }) => endpointId)}::uuid[],
      ${moved.map(({ position }) => position)}::bigint[]
    ) as input (project_id, id, position)
    where endpoint.project_id = input.project_id and endpoint.id = input.id`);
}

/** A delivery that was claimed, with all that its attempt needs. */
export interface ClaimedRow {
  readonly project_id: string;
  readonly id: string;
  readonly endpoint_id: string;
  readonly subject_id: string;
  readonly attempt_count: number;
  /** Until when, to the microsecond; no two that claim a delivery one after the other have the same. */
  readonly lease: string;
  readonly mode: 'live' | 'sandbox';
  readonly url: string;
  /** Whether the endpoint did nothing but fail when it was claimed. */
  readonly is_failing: boolean;
  readonly secret_encrypted: Uint8Array;
  readonly previous_secret_encrypted: Uint8Array | null;
  readonly previous_secret_expires_at: string | null;
  readonly event_id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly sequence: number;
  readonly request_id: string | null;
  /** JSON text. */
  readonly data: string;
}

/** How much may be claimed. */
export interface ClaimLimits {
  readonly total: number;
  /** For each endpoint. */
  readonly each: number;
  /** For one that does nothing but fail. */
  readonly eachFailing: number;
  /** What is on its way already, by endpoint. */
  readonly inFlight: ReadonlyMap<string, number>;
}

/**
 * So many that are due are looked at of an endpoint: somebody may have changed one subscription a hundred thousand times, and
 * those who wait elsewhere are not to wait for that.
 */
const LOOKED_AT = 200;
/** So many lines are gone along when those were behind others: more than a receiver refuses one by one. */
const MOST_LINES = 2_000;

/** Claims deliveries that are due, of each endpoint and subscription the first that is pending, until the lease ends. */
export function claimDeliveries(
  queryable: Queryable,
  now: string,
  leaseMs: number,
  { total, each, eachFailing, inFlight }: ClaimLimits,
  generation: number,
): Promise<ClaimedRow[]> {
  return queryable.query<ClaimedRow>(
    sql`
    with busy as materialized (
      select endpoint_id, count
      from unnest(${[...inFlight.keys()]}::uuid[], ${[...inFlight.values()]}::integer[]) as busy (endpoint_id, count)
    ), claimed as materialized (
      select first.project_id, first.id
      -- Those with little on its way first: the others would take whatever becomes free.
      from (
        select project_id, id, coalesce(busy.count, 0) as under_way,
          greatest(0, case when failing_since is null then ${each}::integer else ${eachFailing}::integer end
            - coalesce(busy.count, 0)) as room
        from webhook_endpoints
        left join busy on busy.endpoint_id = id
        where enabled and deleted_at is null
        order by under_way, random()
      ) as endpoint
      cross join lateral (
        -- Of a long line only the first may go: where nothing but such lines is due, they are gone along by their firsts.
        with recursive looked_at as materialized (
          select id, subject_id from webhook_deliveries
          where project_id = endpoint.project_id and endpoint_id = endpoint.id
            -- Only what is pending is due; said so, another index would do, and all that waits be put in order.
            and due_at <= ${now}::timestamptz
          order by due_at
          limit case when room > 0 then ${LOOKED_AT}::integer else 0 end
        ), firsts as (
          (
            select id, subject_id from webhook_deliveries
            where project_id = endpoint.project_id and endpoint_id = endpoint.id and state = 'pending'
              and (select count(*) from looked_at) = ${LOOKED_AT}::integer
              -- From the beginning or from one of these on: what cannot go yet does not hide the others for ever.
              and subject_id >= (
                select case when random() < 0.5 then ${NIL_UUID}::uuid
                  else (select subject_id from looked_at order by random() limit 1) end
              )
            order by subject_id, position
            limit 1
          )
          union all
          select next.id, next.subject_id from firsts
          cross join lateral (
            select id, subject_id from webhook_deliveries
            where project_id = endpoint.project_id and endpoint_id = endpoint.id and state = 'pending'
              and subject_id > firsts.subject_id
            order by subject_id, position
            limit 1
          ) as next
        )
        select delivery.project_id, delivery.id
        from (
          select id from looked_at
          union all
          (select id from firsts limit ${MOST_LINES}::integer)
        ) as candidate
        cross join lateral (
          select project_id, id from webhook_deliveries as delivery
          where delivery.project_id = endpoint.project_id and delivery.id = candidate.id
            and delivery.due_at <= ${now}::timestamptz
            -- On the clock of the server: those of instances may differ by more than a lease lasts.
            and (delivery.leased_until is null or delivery.leased_until <= now()
              -- Nobody leases for so long: the clock has been set back since, and its holder may be gone.
              or delivery.leased_until > now() + ${leaseMs}::integer * interval '1 millisecond' + interval '1 minute')
            -- A subquery of its own for each, so that a long backlog is never looked through as a whole.
            and ${isFirstInLine}
          for no key update skip locked
        ) as delivery
        limit endpoint.room
      ) as first
      limit ${total}
    ), leased as (
      update webhook_deliveries as delivery set leased_until = now() + ${leaseMs}::integer * interval '1 millisecond'
      from claimed
      where delivery.project_id = claimed.project_id and delivery.id = claimed.id
      returning delivery.project_id, delivery.id, endpoint_id, subject_id, attempt_count, event_id,
        leased_until::text as lease
    )
    select leased.*, projects.mode, url, failing_since is not null as is_failing,
      secret_encrypted, previous_secret_encrypted, previous_secret_expires_at,
      event.type, occurred_at, sequence, request_id, data
    from leased
    join webhook_endpoints as endpoint on endpoint.project_id = leased.project_id and endpoint.id = leased.endpoint_id
    join projects on projects.id = leased.project_id
    -- The limit has each looked up by itself, however few events there were when this was planned.
    cross join lateral (
      select events.type, occurred_at, sequence, request_id, data from events
      where events.project_id = leased.project_id and events.id = leased.event_id
      limit 1
    ) as event`,
    generation,
  );
}

/**
 * Removes what was settled and is older, at most `limit` deliveries, but for what somebody is asking for again at this
 * moment; answers how many.
 */
export async function deleteSettledDeliveries(queryable: Queryable, before: string, limit: number): Promise<number> {
  const rows = await queryable.query(sql`
    delete from webhook_deliveries
    where (project_id, id) in (
      select project_id, id from webhook_deliveries
      where created_at < ${before}::timestamptz and due_at is null
      order by created_at
      limit ${limit}
      -- Waited for, it would be removed although it is pending by then: what is chosen here is not looked at again.
      for update skip locked
    )
    returning true`);
  return rows.length;
}
