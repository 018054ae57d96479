import type { Queryable } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';

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
  /** The entry of the audit log about the request, and the reason in it. */
  readonly audit_id: string | null;
  readonly reason_encrypted: Uint8Array | null;
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

const BEGINNING: TimelinePosition = { revision: 0, rank: 0, id: '00000000-0000-0000-0000-000000000000' };

/**
 * Entries of a subscription's timeline after a position, oldest first.
 * @param resources what the audit log calls the subscription, and its customer, whose changes it may follow
 */
export function readTimeline(
  queryable: Queryable,
  projectId: string,
  subscriptionId: string,
  resources: readonly string[],
  after: TimelinePosition | null,
  limit: number,
): Promise<TimelineRow[]> {
  const { revision, rank, id } = after ?? BEGINNING;
  return queryable.query<TimelineRow>(sql`
    select type, revision, rank, entries.id, entries.occurred_at, caused_by, entries.credential_id, entries.request_id,
      details, previous_attributes, audited.id as audit_id, audited.reason_encrypted
    from (
      select 'message' as type, revision, case direction when 'in' then 1 else 4 end as rank, id, occurred_at,
        case direction when 'in' then 'market' end as caused_by, null::uuid as credential_id, null as request_id,
        json_build_object('direction', direction, 'kind', kind, 'identifier', identifier, 'partner', partner,
          'document_number', document_number, 'process_number', process_number, 'answers', answers, 'state', state,
          'contents', contents) as details,
        null::json as previous_attributes
      from market_messages
      where project_id = ${asProject(projectId)} and subscription_id = ${subscriptionId} and revision >= ${revision}
      union all
      -- Every transition is told by an event of its revision, which knows who caused it.
      select 'transition', t.revision, 2, cause.id, t.occurred_at, cause.caused_by, cause.credential_id,
        cause.request_id, json_build_object('from', from_stage, 'to', to_stage), null::json
      from subscription_transitions t
      cross join lateral (
        select id, caused_by, credential_id, request_id from events e
        where e.project_id = t.project_id and e.subscription_id = t.subscription_id and e.revision = t.revision
        order by sequence
        limit 1
      ) as cause
      where t.project_id = ${asProject(projectId)} and t.subscription_id = ${subscriptionId} and t.revision >= ${revision}
      union all
      select 'event', revision, 3, id, occurred_at, caused_by, credential_id, request_id,
        json_build_object('type', type, 'sequence', sequence, 'reason', data -> 'reason', 'fields', data -> 'fields'),
        data -> 'previous_attributes'
      from events
      where project_id = ${asProject(projectId)} and subscription_id = ${subscriptionId} and revision >= ${revision}
    ) as entries
    left join (
      select found.* from unnest(${resources}::text[]) as asked (resource)
      -- Each by itself, by its index: together they would be looked for among all that the log has.
      cross join lateral (
        select id, request_id, reason_encrypted from audit_log
        where project_id = ${asProject(projectId)} and resource = asked.resource
        offset 0
      ) as found
    ) as audited on audited.request_id = entries.request_id
    where (revision, rank, entries.id) > (${revision}::integer, ${rank}::integer, ${id}::uuid)
    order by revision, rank, entries.id
    limit ${limit}`);
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
