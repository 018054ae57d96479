import { NIL_UUID } from '#domain/identifiers.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import { partnerOfMessage } from './messages/store.ts';

/** One entry of a timeline as it is stored; members that its type lacks are null. */
export interface TimelineRow {
  readonly type: 'message' | 'transition' | 'event';
  readonly revision: number;
  /** Orders the entries of one revision: what came in, the step, what is told of it, what goes out. */
  readonly rank: number;
  readonly id: string;
  readonly occurred_at: string;
  readonly caused_by: string | null;
  readonly credential_id: string | null;
  readonly request_id: string | null;
  /** JSON text of what is peculiar to the type. */
  readonly details: string;
  /** JSON text of an event's, by itself: it may hold metadata, of which nothing may be rounded or reordered. */
  readonly previous_attributes: string | null;
}

/** Where a page of a timeline ended. */
export interface TimelinePosition {
  readonly revision: number;
  readonly rank: number;
  readonly id: string;
}

const BEGINNING: TimelinePosition = { revision: 0, rank: 0, id: NIL_UUID };

/**
 * Entries of a subscription's timeline after a position, oldest first. Which they are is decided by keys alone; what they
 * tell, some of it large, is read of these only.
 */
export function readTimeline(
  queryable: Queryable,
  projectId: string,
  subscriptionId: string,
  after: TimelinePosition | null,
  limit: number,
): Promise<TimelineRow[]> {
  const { revision, rank, id } = after ?? BEGINNING;
  const project = asProject(projectId);
  const isAfter = sql`> (${revision}::integer, ${rank}::integer, ${id}::uuid)`;
  return queryable.query<TimelineRow>(sql`
    with recursive search (low, high) as (
      -- Events have no index by revision, but theirs rise with their sequence: the first one is found by halving.
      select 0, case when ${revision}::integer = 0 then 0 else coalesce((
        select sequence + 1 from events
        where project_id = ${project} and subscription_id = ${subscriptionId}
        order by sequence desc
        limit 1
      ), 0) end
      union all
      select case when is_before then middle + 1 else low end, case when is_before then high else middle end
      from search
      cross join lateral (select (low + high) / 2 as middle offset 0) as half
      cross join lateral (
        select revision < ${revision} as is_before from events
        where project_id = ${project} and subscription_id = ${subscriptionId} and sequence >= middle
        order by sequence
        limit 1
      ) as found
      where low < high
    ), told as materialized (
      select revision, sequence, id from events
      where project_id = ${project} and subscription_id = ${subscriptionId} and sequence >= (select max(low) from search)
        and (revision, 3, id) ${isAfter}
      order by sequence
      limit ${limit}
    ), stepped as materialized (
      -- Every transition is told by an event of its revision, which knows who caused it.
      select cause.revision, cause.sequence, cause.id, t.occurred_at, t.from_stage, t.to_stage
      from (select distinct on (revision) revision, sequence, id from told order by revision, sequence) as cause
      cross join lateral (
        select occurred_at, from_stage, to_stage from subscription_transitions as t
        where t.project_id = ${project} and t.subscription_id = ${subscriptionId} and t.revision = cause.revision
        offset 0
      ) as t
      where (cause.revision, 2, cause.id) ${isAfter}
    ), said as materialized (
      select revision, rank, id
      from market_messages
      cross join lateral (select case direction when 'in' then 1 else 4 end as rank) as ranked
      where project_id = ${project} and subscription_id = ${subscriptionId} and (revision, rank, id) ${isAfter}
      order by revision, rank, id
      limit ${limit}
    ), page as materialized (
      select revision, 2 as rank, id, sequence from stepped
      union all
      select revision, 3, id, sequence from told
      union all
      select revision, rank, id, null from said
      order by revision, rank, id
      limit ${limit}
    )
    select entry.type, page.revision, page.rank, page.id, entry.occurred_at, entry.caused_by, entry.credential_id,
      entry.request_id, entry.details, entry.previous_attributes
    from page
    cross join lateral (
      select 'message' as type, occurred_at, case direction when 'in' then 'market' end as caused_by,
        null::uuid as credential_id, null as request_id,
        json_build_object('direction', direction, 'kind', kind, 'identifier', identifier,
          'partner', ${partnerOfMessage}, 'document_number', document_number, 'process_number', process_number,
          'answers', answers, 'state', state, 'contents', contents) as details,
        null::json as previous_attributes
      from market_messages as m
      where page.rank in (1, 4) and m.project_id = ${project} and m.subscription_id = ${subscriptionId} and m.id = page.id
      union all
      select 'transition', stepped.occurred_at, caused_by, credential_id, request_id,
        json_build_object('from', from_stage, 'to', to_stage), null::json
      from stepped
      join events as e
        on e.project_id = ${project} and e.subscription_id = ${subscriptionId} and e.sequence = stepped.sequence
      where page.rank = 2 and stepped.sequence = page.sequence
      union all
      select 'event', occurred_at, caused_by, credential_id, request_id,
        json_build_object('type', type, 'sequence', sequence, 'reason', data -> 'reason', 'fields', data -> 'fields',
          'substitute_supply', data -> 'substitute_supply'),
        data -> 'previous_attributes'
      from events as e
      where page.rank = 3 and e.project_id = ${project} and e.subscription_id = ${subscriptionId}
        and e.sequence = page.sequence
    ) as entry
    order by page.revision, page.rank, page.id`);
}

/** A subscription as its last event told it by an instant. */
export interface ToldRow {
  /** JSON text. */
  readonly subscription: string;
  readonly sequence: number;
}

/** The subscription as it stood at an instant; `undefined` when it did not exist yet. */
export async function readAsOf(
  queryable: Queryable,
  projectId: string,
  subscriptionId: string,
  instant: string,
): Promise<ToldRow | undefined> {
  // Every change that shows has an event with the whole subscription after it.
  const [row] = await queryable.query<ToldRow>(sql`
    select data -> 'subscription' as subscription, sequence from events
    where project_id = ${asProject(projectId)} and subscription_id = ${subscriptionId} and occurred_at <= ${instant}
    order by sequence desc
    limit 1`);
  return row;
}
