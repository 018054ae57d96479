import { comparisons, createdAt } from '#platform/database/conditions.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
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

const columns = sql`project_id, id, occurred_at, credential_id, request_id, operation, resource, fields, reason_encrypted,
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
  return queryable.query<AuditRow>(sql`
    select ${columns} from audit_log
    where project_id = ${asProject(projectId)}${filters}${position}
    order by id desc
    limit ${limit}`);
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
    select ${columns} from audit_log
    where project_id = ${asProject(projectId)} and resource = ${resource}${position}
    order by id
    limit ${limit}`);
}

/** Everything that was done to these resources, oldest first. */
export function readEntriesOf(
  queryable: Queryable,
  projectId: string,
  resources: readonly string[],
): Promise<AuditRow[]> {
  return queryable.query<AuditRow>(sql`
    select ${columns} from audit_log
    where project_id = ${asProject(projectId)} and resource = any(${resources}::text[])
    order by id`);
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

/** A step of a resource as its event tells of it, with the reason of the request that caused it. */
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
  readonly audit_id: string | null;
  readonly reason_encrypted: Uint8Array | null;
}

/** Steps of a resource after a place, oldest first. @param resource as the audit log calls it */
export function listSteps(
  queryable: Queryable,
  projectId: string,
  id: string,
  resource: string,
  after: number,
  limit: number,
): Promise<StepRow[]> {
  return queryable.query<StepRow>(sql`
    select events.id, type, sequence, events.occurred_at, caused_by, events.credential_id, events.request_id,
      data -> 'previous_attributes' as previous_attributes, audited.id as audit_id, audited.reason_encrypted
    from events
    left join audit_log as audited
      on audited.project_id = ${asProject(projectId)} and audited.request_id = events.request_id
        -- What a request did to the subscription, it did to its orders.
        and audited.resource in (
          ${resource}, data -> 'meter_order' ->> 'subscription', data -> 'grid_fee_reduction' ->> 'subscription'
        )
    where events.project_id = ${asProject(projectId)} and events.resource_id = ${id} and sequence > ${after}
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
