import { textArray } from '#platform/database/arrays.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { MOST_ATTEMPTS } from './schema.ts';

/** Whether a `delivery` is the one of its line that is sent next: the others wait for it, in their order. */
export const isFirstInLine = sql`delivery.id = (
      select id from webhook_deliveries as earliest
      where earliest.project_id = delivery.project_id and earliest.endpoint_id = delivery.endpoint_id
        and earliest.subject_id = delivery.subject_id and earliest.state = 'pending'
      order by earliest.position, earliest.id
      limit 1
    )`;

/** Deliveries of one subject to one endpoint. */
export interface DeliveryLine {
  readonly projectId: string;
  readonly endpointId: string;
  readonly subjectId: string;
}

/** What became of an attempt. */
export interface ResultRow extends DeliveryLine {
  readonly id: string;
  /** Where the attempt went. */
  readonly url: string;
  /** As it was claimed: whoever takes the delivery over, however its attempts are counted then, has another one. */
  readonly lease: string;
  readonly state: 'pending' | 'succeeded' | 'failed';
  readonly dueAt: string | null;
  /** When the next ones of the subscription are due; `null`: as they are. */
  readonly followersDueAt: string | null;
  /** When the attempt began. */
  readonly begunAt: string;
  /** JSON text. */
  readonly attempt: string;
}

/**
 * So many are put off, and on, with the first of their line, which they wait for in any case: a line may be so long that no
 * statement writes it in its time, and with it what became of all others.
 */
export const MOST_PUT_OFF = 100;
/** So many may have been put off, as what is laid out together does not see each other. */
const MOST_PUT_ON = 2_000;

const isAskedAgain = sql`(input.state <> 'succeeded' and delivery.due_at > input.begun_at)`;

/**
 * Writes what became of attempts; those that others have taken over meanwhile are left out. What was asked for again since
 * its attempt began stays due then, unless that has succeeded.
 */
export async function writeResults(
  queryable: Queryable,
  results: readonly ResultRow[],
  generation: number,
): Promise<void> {
  const of = <Value>(pick: (row: ResultRow) => Value): Value[] => results.map(pick);
  await queryable.query(
    sql`
    update webhook_deliveries as delivery set
      state = case when ${isAskedAgain} then 'pending' else input.state end,
      due_at = case when ${isAskedAgain} then delivery.due_at else input.due_at end,
      leased_until = null, attempt_count = delivery.attempt_count + 1,
      attempts = (
        -- The first goes where there are too many.
        case when json_array_length(delivery.attempts) < ${MOST_ATTEMPTS}::integer then delivery.attempts::jsonb
          else delivery.attempts::jsonb - 0 end
        || input.attempt::jsonb
      )::json
    from unnest(
      ${of(({ projectId }) => projectId)}::uuid[], ${of(({ id }) => id)}::uuid[],
      ${of(({ lease }) => lease)}::timestamptz[], ${of(({ state }) => state)}::text[],
      ${of(({ dueAt }) => dueAt)}::timestamptz[], ${of(({ begunAt }) => begunAt)}::timestamptz[],
      ${textArray(of(({ attempt }) => attempt))}::text[]
    ) as input (project_id, id, lease, state, due_at, begun_at, attempt)
    where delivery.project_id = input.project_id and delivery.id = input.id
      and delivery.leased_until = input.lease`,
    generation,
  );
}

/** Puts what waits behind attempts off, or on, as far as `MOST_PUT_OFF` says; to be called before their results are written. */
export async function moveFollowers(
  queryable: Queryable,
  results: readonly ResultRow[],
  generation: number,
): Promise<void> {
  const of = <Value>(pick: (row: ResultRow) => Value): Value[] => results.map(pick);
  await queryable.query(
    sql`
    with followers as materialized (
      select input.project_id, waiting.id, input.due_at
      from unnest(
        ${of(({ projectId }) => projectId)}::uuid[], ${of(({ id }) => id)}::uuid[],
        ${of(({ lease }) => lease)}::timestamptz[], ${of(({ endpointId }) => endpointId)}::uuid[],
        ${of(({ subjectId }) => subjectId)}::uuid[], ${of(({ state }) => state)}::text[],
        ${of(({ followersDueAt }) => followersDueAt)}::timestamptz[]
      ) as input (project_id, id, lease, endpoint_id, subject_id, state, due_at)
      -- Not when others have taken it over meanwhile, as when results are written.
      cross join lateral (
        select position from webhook_deliveries as attempted
        where attempted.project_id = input.project_id and attempted.id = input.id
          and attempted.leased_until = input.lease
        limit 1
      ) as attempted
      -- In their order, which one index alone has.
      cross join lateral (
        select id from webhook_deliveries as waiting
        where waiting.project_id = input.project_id and waiting.endpoint_id = input.endpoint_id
          and waiting.subject_id = input.subject_id and waiting.state = 'pending'
          -- An earlier one was asked for again meanwhile.
          and waiting.position >= attempted.position
          and waiting.id <> all(${of(({ id }) => id)}::uuid[])
          and (input.state = 'pending' or waiting.due_at > input.due_at)
        order by position
        limit case when input.state = 'pending' then ${MOST_PUT_OFF}::integer else ${MOST_PUT_ON}::integer end
        for no key update
      ) as waiting
    )
    update webhook_deliveries as follower set due_at = followers.due_at
    from followers
    where follower.project_id = followers.project_id and follower.id = followers.id`,
    generation,
  );
}

/**
 * Of lines whose first delivery waits although it was never attempted, all that wait are due now: the one that they were
 * put off behind has its answer. One that is laid out in the same moment may have been put off behind it still, so both
 * sides look for that after their commit: whoever is the later one sees what the other has written.
 */
export async function hastenLeftBehind(
  queryable: Queryable,
  lines: readonly DeliveryLine[],
  now: string,
): Promise<void> {
  const of = (pick: (line: DeliveryLine) => string): string[] => lines.map(pick);
  await hastenLines(
    queryable,
    sql`
    select input.project_id, input.endpoint_id, input.subject_id
    from unnest(
      ${of(({ projectId }) => projectId)}::uuid[], ${of(({ endpointId }) => endpointId)}::uuid[],
      ${of(({ subjectId }) => subjectId)}::uuid[]
    ) as input (project_id, endpoint_id, subject_id)
    cross join lateral (
      select attempt_count, due_at from webhook_deliveries as earliest
      where earliest.project_id = input.project_id and earliest.endpoint_id = input.endpoint_id
        and earliest.subject_id = input.subject_id and earliest.state = 'pending'
      order by earliest.position, earliest.id
      limit 1
    ) as first
    where first.attempt_count = 0 and first.due_at > ${now}::timestamptz`,
    now,
  );
}

/**
 * The lines that `hastenLeftBehind` was to see to, and could not: whoever wrote the last of both was cut off in between. For
 * a transaction of the kind `survey`: all that is put off anywhere is looked at.
 */
export function findLeftBehind(queryable: Queryable, now: string): Promise<DeliveryLine[]> {
  return queryable.query<DeliveryLine>(sql`
    select endpoint.project_id as "projectId", endpoint.id as "endpointId", subject_id as "subjectId"
    from webhook_endpoints as endpoint
    cross join lateral (
      select subject_id from webhook_deliveries as delivery
      where delivery.project_id = endpoint.project_id and delivery.endpoint_id = endpoint.id
        and delivery.due_at > ${now}::timestamptz and delivery.attempt_count = 0
        and ${isFirstInLine}
      offset 0
    ) as first
    where enabled and deleted_at is null`);
}

/** What attempts put off that went to a URL which its endpoint has no longer is due now. */
export async function hastenMoved(queryable: Queryable, results: readonly ResultRow[], now: string): Promise<void> {
  const of = (pick: (row: ResultRow) => string): string[] => results.map(pick);
  await hastenLines(
    queryable,
    sql`
    select input.project_id, input.endpoint_id, input.subject_id
    from unnest(
      ${of(({ projectId }) => projectId)}::uuid[], ${of(({ endpointId }) => endpointId)}::uuid[],
      ${of(({ subjectId }) => subjectId)}::uuid[], ${of(({ url }) => url)}::text[]
    ) as input (project_id, endpoint_id, subject_id, url)
    join webhook_endpoints as endpoint on endpoint.project_id = input.project_id and endpoint.id = input.endpoint_id
      and endpoint.url <> input.url`,
    now,
  );
}

/** All that waits of some lines, which a query names, is due now. */
async function hastenLines(queryable: Queryable, lines: Sql, now: string): Promise<void> {
  await queryable.query(sql`
    with waiting as materialized (
      select delivery.project_id, delivery.id
      from (${lines}) as line
      -- In their order, as followers are moved.
      cross join lateral (
        select project_id, id from webhook_deliveries as delivery
        where delivery.project_id = line.project_id and delivery.endpoint_id = line.endpoint_id
          and delivery.subject_id = line.subject_id and delivery.state = 'pending'
          and delivery.due_at > ${now}::timestamptz
        order by delivery.position
        for no key update
      ) as delivery
    )
    update webhook_deliveries as delivery set due_at = ${now}::timestamptz
    from waiting
    where delivery.project_id = waiting.project_id and delivery.id = waiting.id and delivery.due_at > ${now}::timestamptz`);
}

/** What a group of attempts says of an endpoint. */
export interface EndpointNews {
  readonly projectId: string;
  readonly endpointId: string;
  /** Where the attempts went: of the endpoint as it is now they say nothing when it has another since. */
  readonly url: string;
  /** Whether it did nothing but fail when one of the attempts was claimed. */
  readonly wasFailing: boolean;
  readonly hasSucceeded: boolean;
  readonly isGone: boolean;
}

/** An endpoint that was disabled. */
export interface DisabledRow {
  readonly project_id: string;
  readonly id: string;
  readonly disabled_reason: string;
}

/** Notes successes and failures, and disables what is gone or has done nothing but fail since `failingBefore`. */
export function updateEndpoints(
  queryable: Queryable,
  news: readonly EndpointNews[],
  now: string,
  failingBefore: string,
): Promise<DisabledRow[]> {
  return queryable.query<DisabledRow>(sql`
    with input as materialized (
      select endpoint.project_id, endpoint.id, has_succeeded,
        case when not enabled then null when is_gone then 'gone' when not has_succeeded and failing_since <= ${failingBefore}::timestamptz then 'failing' end
          as reason
      from unnest(
        ${news.map(({ projectId }) => projectId)}::uuid[], ${news.map(({ endpointId }) => endpointId)}::uuid[],
        ${news.map(({ url }) => url)}::text[],
        ${news.map(({ hasSucceeded }) => hasSucceeded)}::boolean[], ${news.map(({ isGone }) => isGone)}::boolean[]
      ) as input (project_id, id, url, has_succeeded, is_gone)
      join webhook_endpoints as endpoint
        on endpoint.project_id = input.project_id and endpoint.id = input.id and endpoint.url = input.url
      where is_gone
        or (has_succeeded and (failing_since is not null or last_success_at is null
          or last_success_at <= ${now}::timestamptz - interval '1 second'))
        or (not has_succeeded and (failing_since is null or failing_since <= ${failingBefore}::timestamptz))
      order by endpoint.project_id, endpoint.id
      for no key update of endpoint
    ), updated as (
      update webhook_endpoints as endpoint set
        last_success_at = case when has_succeeded then ${now}::timestamptz else last_success_at end,
        failing_since = case when has_succeeded then null else coalesce(failing_since, ${now}::timestamptz) end,
        enabled = endpoint.enabled and reason is null,
        disabled_reason = coalesce(endpoint.disabled_reason, reason)
      from input
      where endpoint.project_id = input.project_id and endpoint.id = input.id
      returning endpoint.project_id, endpoint.id, endpoint.disabled_reason, reason
    )
    select project_id, id, disabled_reason from updated where reason is not null`);
}
