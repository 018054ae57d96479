import type { Queryable } from './pool.ts';
import { asProject, sql, type Sql } from './sql.ts';

/** A request that was answered, as it is kept for 30 days. */
export interface IdempotencyRecord {
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** JSON text of the headers that belong to the answer. */
  readonly headers: string;
  readonly body: string | null;
  /** The body where it shows personal data; `body` is null then. */
  readonly body_encrypted: Buffer | null;
  readonly request_id: string;
  readonly created_at: string;
}

/** What is encrypted of a record, and what it is bound to. */
export interface OwnedAnswer extends Pick<IdempotencyRecord, 'request_id'> {
  readonly project_id: string;
  /** The key. */
  readonly id: string;
  readonly body_encrypted: Buffer;
}

/** The encrypted answers of all projects. */
export const encryptedAnswers: Sql = sql`
  select project_id, key as id, request_id, body_encrypted from idempotency_keys where body_encrypted is not null`;

/** The record of a key, or `undefined`. */
export async function readIdempotencyRecord(
  queryable: Queryable,
  projectId: string,
  key: string,
): Promise<IdempotencyRecord | undefined> {
  const [record] = await queryable.query<IdempotencyRecord>(sql`
    select key, fingerprint, method, path, status, headers, body, body_encrypted, request_id, created_at
    from idempotency_keys
    where project_id = ${asProject(projectId)} and key = ${key}`);
  return record;
}

/** Keeps a record; `false` when the key has one already. */
export async function insertIdempotencyRecord(
  queryable: Queryable,
  projectId: string,
  record: IdempotencyRecord,
): Promise<boolean> {
  const rows = await queryable.query(sql`
    insert into idempotency_keys
      (project_id, key, fingerprint, method, path, status, headers, body, body_encrypted, request_id, created_at)
    values (${projectId}, ${record.key}, ${record.fingerprint}, ${record.method}, ${record.path}, ${record.status},
      ${record.headers}, ${record.body}, ${record.body_encrypted}, ${record.request_id}, ${record.created_at})
    on conflict do nothing
    returning true`);
  return rows.length === 1;
}

/** What stands in the place of a body until there is an answer; no answer is empty. */
export const UNANSWERED = '';

/**
 * Keeps an unanswered record, also in the place of one that is unanswered still after the time `abandoned`, an ISO 8601
 * duration: on the clock of the server, because those of instances may differ by as much. `false` when the key has another one.
 */
export async function takeIdempotencyKey(
  queryable: Queryable,
  projectId: string,
  record: IdempotencyRecord,
  abandoned: string,
): Promise<boolean> {
  const rows = await queryable.query(sql`
    insert into idempotency_keys as known
      (project_id, key, fingerprint, method, path, status, headers, body, request_id, created_at)
    values (${projectId}, ${record.key}, ${record.fingerprint}, ${record.method}, ${record.path}, ${record.status},
      ${record.headers}, ${UNANSWERED}, ${record.request_id}, now())
    on conflict (project_id, key) do update set
      fingerprint = excluded.fingerprint, method = excluded.method, path = excluded.path,
      request_id = excluded.request_id, created_at = excluded.created_at
    where known.body = ${UNANSWERED} and known.created_at < now() - ${abandoned}::interval
    returning true`);
  return rows.length === 1;
}

/** Answers a record that was kept unanswered, unless somebody else has taken it over. */
export async function answerIdempotencyKey(
  queryable: Queryable,
  projectId: string,
  record: IdempotencyRecord,
): Promise<void> {
  await queryable.query(sql`
    update idempotency_keys set status = ${record.status}, headers = ${record.headers}, body = ${record.body},
      body_encrypted = ${record.body_encrypted}, created_at = ${record.created_at}
    where project_id = ${asProject(projectId)} and key = ${record.key} and request_id = ${record.request_id}
      and body = ${UNANSWERED}`);
}

/** Forgets a record that stays unanswered. */
export async function releaseIdempotencyKey(
  queryable: Queryable,
  projectId: string,
  { key, request_id: requestId }: IdempotencyRecord,
): Promise<void> {
  await queryable.query(sql`
    delete from idempotency_keys
    where project_id = ${asProject(projectId)} and key = ${key} and request_id = ${requestId} and body = ${UNANSWERED}`);
}

/** Takes the key for the rest of the transaction; `false` while another transaction holds it. */
export async function lockIdempotencyKey(queryable: Queryable, projectId: string, key: string): Promise<boolean> {
  const [row] = await queryable.query<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency/${projectId}/${key}`}, 0)) as locked`);
  return row?.locked === true;
}

/** Removes records kept long enough, at most `limit` of them; answers how many. */
export async function deleteOldIdempotencyRecords(
  queryable: Queryable,
  before: string,
  limit: number,
): Promise<number> {
  const rows = await queryable.query(sql`
    delete from idempotency_keys
    where (project_id, key) in (
      select project_id, key from idempotency_keys
      where created_at < ${before}
      order by created_at
      limit ${limit}
      -- Waited for, one that is taken anew at this moment would be removed all the same.
      for update skip locked
    )
    returning true`);
  return rows.length;
}
