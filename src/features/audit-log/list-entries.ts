import { formatId, NIL_UUID, parseId } from '#domain/identifiers.ts';
import { readReason } from '#platform/audit.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Database, Queryable } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { notFound } from '#platform/http/problems.ts';
import { readReasons } from './reasons.ts';
import {
  isThere,
  listEntries,
  listEntriesOf,
  listSteps,
  readEntriesOf,
  type AuditRow,
  type Recorded,
  type StepRow,
} from './store.ts';

/** What reading the audit log needs. */
export interface AuditLogDependencies {
  readonly database: Database;
  readonly keys: Keys;
  readonly pager: Pager;
}

/** `GET /audit-log` */
export async function handleListEntries(
  { database, keys, pager }: AuditLogDependencies,
  { caller, query }: Request,
): Promise<Answer> {
  const after = pager.position(caller, 'audit-log', query);
  const rows = await listEntries(database, caller.projectId, query.filters, after, query.limit + 1);
  const page = pager.page(caller, 'audit-log', query, rows, ({ id }) => id);
  return {
    status: 200,
    body: listBody(
      page.rows.map((row) => presentEntry(keys, row)),
      page.next,
    ),
  };
}

/** `GET /<resource>/{id}/timeline` of resources that only requests and operators change. */
export async function handleReadChanges(
  { database, keys, pager }: AuditLogDependencies,
  { caller, query, parameters }: Request,
  prefix: Recorded,
): Promise<Answer> {
  const uuid = parseId(prefix, parameters['id'] ?? '');
  if (uuid === null) throw notFound();
  const resource = formatId(prefix, uuid);
  const list = `changes/${resource}`;
  const after = pager.position(caller, list, query);
  const rows = await listEntriesOf(database, caller.projectId, resource, after, query.limit + 1);
  if (rows.length === 0 && after === null && !(await isThere(database, caller.projectId, prefix, uuid)))
    throw notFound();
  const page = pager.page(caller, list, query, rows, ({ id }) => id);
  return {
    status: 200,
    body: listBody(
      page.rows.map((row) => presentEntry(keys, row)),
      page.next,
    ),
  };
}

/** How many entries are in memory at a time where all are read. */
const PORTION = 200;

/**
 * What was done to these resources, oldest first, as JSON texts in portions.
 * @param snapshot text of the `pg_snapshot` in which it is to be seen
 */
export async function* readEntriesAbout(
  queryable: Queryable,
  keys: Keys,
  projectId: string,
  resources: readonly string[],
  snapshot: string,
): AsyncGenerator<readonly string[], void, undefined> {
  for (let after = NIL_UUID; ;) {
    const rows = await readEntriesOf(queryable, projectId, resources, snapshot, after, PORTION);
    yield rows.map((row) => presentEntry(keys, row));
    if (rows.length < PORTION) return;
    after = rows.at(-1)?.id ?? after;
  }
}

function presentEntry(keys: Keys, row: AuditRow): string {
  const { project_id: projectId, id, credential_id: credential, reason_encrypted: reason } = row;
  return JSON.stringify({
    object: 'audit_entry',
    id: formatId('aud', id),
    created_at: row.occurred_at,
    actor: {
      type: credential === null ? 'operator' : 'credential',
      credential: credential === null ? null : formatId('crd', credential),
    },
    request_id: row.request_id,
    operation: row.operation,
    resource: row.resource,
    fields: row.fields,
    reason: readReason(keys, { projectId, id }, reason),
  });
}

/** `GET /<resource>/{id}/timeline` of resources whose every step has its event. */
export async function handleReadSteps(
  { database, keys, pager }: AuditLogDependencies,
  { caller, query, parameters }: Request,
  prefix: Recorded,
): Promise<Answer> {
  const { projectId } = caller;
  const uuid = parseId(prefix, parameters['id'] ?? '');
  if (uuid === null) throw notFound();
  const resource = formatId(prefix, uuid);
  const list = `steps/${resource}`;
  const after = Number(pager.position(caller, list, query) ?? 0);
  // Events are found by the id alone, which may be that of another kind; a cursor is of what was there.
  if (after === 0 && !(await isThere(database, projectId, prefix, uuid))) throw notFound();
  const rows = await listSteps(database, projectId, uuid, after, query.limit + 1);
  const page = pager.page(caller, list, query, rows, ({ sequence }) => String(sequence));
  // What a request did to the subscription, it did to its orders.
  const subscriptions = page.rows.flatMap(({ subscription }) => (subscription === null ? [] : [subscription]));
  const requests = page.rows.map(({ request_id: request }) => request);
  const reasons = await readReasons(database, keys, projectId, [resource, ...new Set(subscriptions)], requests);
  return {
    status: 200,
    body: listBody(
      page.rows.map((row) => presentStep(row, reasons.get(row.request_id) ?? null)),
      page.next,
    ),
  };
}

function presentStep(row: StepRow, reason: string | null): string {
  const { id, type, sequence, credential_id: credential } = row;
  return JSON.stringify({
    object: 'timeline_entry',
    type: 'event',
    timestamp: row.occurred_at,
    actor: { type: row.caused_by, credential: credential === null ? null : formatId('crd', credential) },
    request_id: row.request_id,
    reason,
    event: {
      id: formatId('evt', id),
      type,
      sequence,
      previous_attributes: JSON.parse(row.previous_attributes) as unknown,
    },
  });
}
