import { comparisons, createdAt } from '#platform/database/conditions.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, atMost, sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';

/** An entry as it is stored. */
export interface AuditRow {
  readonly project_id: string;
  readonly id: string;
  readonly occurred_at: string;
  readonly credential_id: string | null;
  readonly request_id: string | null;
  readonly operation: string;
  readonly resource: string | null;
  readonly fields: readonly string[];
  readonly reason_encrypted: Uint8Array | null;
  readonly reason_digest: Uint8Array | null;
  readonly erasure_seal: Uint8Array | null;
}

/** The columns of an `AuditRow`. */
export const auditColumns = sql`project_id, id, occurred_at, credential_id, request_id, operation, resource, fields, reason_encrypted,
  reason_digest, erasure_seal`;

/** A page of a project's entries after a position, newest first. */
export function listEntries(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<AuditRow[]> {
  const filters = comparisons(conditions, {
    resource: (compare) => compare(sql`resource`, 'text'),
    created_at: (_, condition) => createdAt(sql`id`, condition),
  });
  const position = after === null ? sql`` : sql` and id < ${after}`;
  // How many entries a resource has decides how they are found best.
  const most = conditions.some(({ field }) => field === 'resource') ? sql`${limit}` : atMost(limit);
  return queryable.query<AuditRow>(sql`
    select ${auditColumns} from audit_log
    where project_id = ${asProject(projectId)}${filters}${position}
    order by id desc
    limit ${most}`);
}

/** A page of what was done to one resource after a position, oldest first. */
export function listEntriesOf(
  queryable: Queryable,
  projectId: string,
  resource: string,
  after: string | null,
  limit: number,
): Promise<AuditRow[]> {
  const position = after === null ? sql`` : sql` and id > ${after}`;
  return queryable.query<AuditRow>(sql`
    select ${auditColumns} from audit_log
    where project_id = ${asProject(projectId)} and resource = ${resource}${position}
    order by id
    limit ${limit}`);
}

/**
 * What was done to these resources after a position, oldest first.
 * @param snapshot text of the `pg_snapshot` in which it is to be seen
 */
export function readEntriesOf(
  queryable: Queryable,
  projectId: string,
  resources: readonly string[],
  snapshot: string,
  after: string,
  limit: number,
): Promise<AuditRow[]> {
  return queryable.query<AuditRow>(sql`
    select ${auditColumns} from unnest(${resources}::text[]) as asked (named)
    -- Each by itself, in the order of its index.
    cross join lateral (
      select * from audit_log
      where project_id = ${asProject(projectId)} and resource = asked.named and id > ${after}
        and (transaction_id is null or pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot))
      order by id
      limit ${limit}
    ) as found
    order by id
    limit ${limit}`);
}

/** An entry whose reason is erased. */
export interface ErasedReason {
  readonly id: string;
  readonly seal: Buffer;
}

/** The entries about these resources that have a reason. */
export async function findReasons(
  transaction: Transaction,
  projectId: string,
  resources: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select id from audit_log
    where project_id = ${asProject(projectId)} and resource = any(${resources}::text[]) and reason_encrypted is not null
    order by id
    for no key update`);
  return rows.map(({ id }) => id);
}

/** Forgets reasons; their digests stay, and the chain holds. */
export async function updateErased(
  transaction: Transaction,
  projectId: string,
  erased: readonly ErasedReason[],
): Promise<void> {
  await transaction.query(sql`
    update audit_log set reason_encrypted = null, erasure_seal = input.seal
    from unnest(${erased.map(({ id }) => id)}::uuid[], ${erased.map(({ seal }) => seal)}::bytea[]) as input (id, seal)
    where audit_log.project_id = ${asProject(projectId)} and audit_log.id = input.id`);
}

/** Why a request made its change, encrypted, as the audit log has it. */
export interface ReasonRow {
  /** Of the entry in the audit log. */
  readonly id: string;
  readonly request_id: string;
  readonly reason_encrypted: Uint8Array;
}

/** A request, and between which of the audit log's ids its entry is: from the first on, before the second. */
export interface AskedReason {
  readonly requestId: string;
  readonly from: string;
  readonly until: string;
}

/**
 * The reasons of requests that changed one of these resources.
 * @param resources what the audit log calls them, the likeliest first
 */
export function findReasonsOf(
  queryable: Queryable,
  projectId: string,
  resources: readonly string[],
  asked: readonly AskedReason[],
): Promise<ReasonRow[]> {
  return queryable.query<ReasonRow>(sql`
    select found.id, found.request_id, found.reason_encrypted
    from unnest(
      ${asked.map(({ requestId }) => requestId)}::text[], ${asked.map(({ from }) => from)}::uuid[],
      ${asked.map(({ until }) => until)}::uuid[]
    ) as asked (request_id, beginning, ending)
    cross join lateral (
      select entry.* from unnest(${resources}::text[]) as named (resource)
      -- Along its index, of which the log has the entry soon after the request; together they would be looked for among all.
      cross join lateral (
        select id, request_id, reason_encrypted from audit_log
        where project_id = ${asProject(projectId)} and resource = named.resource and id >= asked.beginning
          and id < asked.ending and request_id = asked.request_id
        order by id
        limit 1
      ) as entry
      limit 1
    ) as found
    where found.reason_encrypted is not null`);
}

/** A step of a resource as its event tells of it. */
export interface StepRow {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly occurred_at: string;
  readonly caused_by: string;
  readonly credential_id: string | null;
  readonly request_id: string | null;
  /** JSON text. */
  readonly previous_attributes: string;
  /** The subscription that it is a part of, as it is shown. */
  readonly subscription: string | null;
}

/** Steps of a resource after a place, oldest first. */
export function listSteps(
  queryable: Queryable,
  projectId: string,
  id: string,
  after: number,
  limit: number,
): Promise<StepRow[]> {
  return queryable.query<StepRow>(sql`
    select id, type, sequence, occurred_at, caused_by, credential_id, request_id,
      data -> 'previous_attributes' as previous_attributes,
      coalesce(data -> 'meter_order' ->> 'subscription', data -> 'grid_fee_reduction' ->> 'subscription') as subscription
    from events
    where project_id = ${asProject(projectId)} and resource_id = ${id} and sequence > ${after}
    order by sequence
    limit ${limit}`);
}

const TABLES = {
  pln: sql`plans`,
  whe: sql`webhook_endpoints`,
  lead: sql`leads`,
  mor: sql`meter_orders`,
  gfr: sql`grid_fee_reductions`,
} as const;

/** The kinds of resources that have a timeline here. */
export type Recorded = keyof typeof TABLES;

/** Whether there is such a resource; what was made before there was an audit log may have no entry. */
export async function isThere(queryable: Queryable, projectId: string, prefix: Recorded, id: string): Promise<boolean> {
  const rows = await queryable.query(sql`
    select from ${TABLES[prefix]} where project_id = ${asProject(projectId)} and id = ${id}`);
  return rows.length === 1;
}
