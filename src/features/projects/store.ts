import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';

/** A project as it is stored. */
export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly mode: 'live' | 'sandbox';
  readonly created_at: string;
}

/** A credential as it is stored, without its secret's digest. */
export interface CredentialRow {
  readonly id: string;
  readonly client_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly api_version: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
  /** Neither revoked nor expired. */
  readonly usable: boolean;
}

/** A credential about to be stored. */
export interface NewCredential {
  readonly projectId: string;
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly string[];
  readonly apiVersion: string;
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

/** Stores a project. */
export async function insertProject(queryable: Queryable, project: ProjectRow): Promise<void> {
  await queryable.query(sql`
    insert into projects (id, name, mode, created_at)
    values (${project.id}, ${project.name}, ${project.mode}, ${project.created_at})`);
}

/** All projects, oldest first. */
export function selectProjects(queryable: Queryable): Promise<ProjectRow[]> {
  return queryable.query<ProjectRow>(sql`select id, name, mode, created_at from projects order by id`);
}

/** The mode of a project, which stays locked until the transaction ends; `undefined` when there is none. */
export async function lockProject(
  transaction: Transaction,
  projectId: string,
): Promise<ProjectRow['mode'] | undefined> {
  // `no key update` keeps two of us apart but lets rows that refer to the project be written meanwhile.
  const [row] = await transaction.query<Pick<ProjectRow, 'mode'>>(sql`
    select mode from projects where id = ${projectId} for no key update`);
  return row?.mode;
}

/** How many credentials of a project can be used at that instant. */
export async function countUsableCredentials(queryable: Queryable, projectId: string, now: string): Promise<number> {
  const [row] = await queryable.query<{ usable: number }>(sql`
    select count(*)::integer as usable
    from credentials
    where project_id = ${asProject(projectId)} and revoked_at is null and (expires_at is null or expires_at > ${now})`);
  return row?.usable ?? 0;
}

/** Stores a credential; `false` when its client id is taken, in whatever project. */
export async function insertCredential(queryable: Queryable, credential: NewCredential): Promise<boolean> {
  const rows = await queryable.query(sql`
    insert into credentials
      (project_id, id, client_id, name, secret_hash, scopes, api_version, expires_at, created_at)
    values (${credential.projectId}, ${credential.id}, ${credential.clientId}, ${credential.name},
      ${credential.secretHash}, ${credential.scopes}, ${credential.apiVersion}, ${credential.expiresAt},
      ${credential.createdAt})
    on conflict (client_id) do nothing
    returning true`);
  return rows.length === 1;
}

/** The credentials of a project, oldest first; `undefined` when there is no such project. */
export async function selectCredentials(
  queryable: Queryable,
  projectId: string,
  now: string,
): Promise<CredentialRow[] | undefined> {
  const rows = await queryable.query<CredentialRow | { id: null }>(sql`
    select c.id, c.client_id, c.name, c.scopes, c.api_version, c.expires_at, c.revoked_at, c.created_at,
      c.revoked_at is null and (c.expires_at is null or c.expires_at > ${now}) as usable
    from projects p
    left join credentials c on c.project_id = p.id
    where p.id = ${projectId}
    order by c.id`);
  return rows.length === 0 ? undefined : rows.filter((row) => row.id !== null);
}

/** Revokes a credential, or leaves an earlier revocation as it is; `false` when the project has no such credential. */
export async function updateCredentialRevoked(
  queryable: Queryable,
  projectId: string,
  id: string,
  now: string,
): Promise<boolean> {
  const rows = await queryable.query(sql`
    update credentials set revoked_at = coalesce(revoked_at, ${now})
    where project_id = ${asProject(projectId)} and id = ${id}
    returning true`);
  return rows.length === 1;
}

/** A project as far as time is concerned. */
export interface ProjectTime {
  readonly id: string;
  readonly mode: 'live' | 'sandbox';
  /** Where its own clock stands; null: it goes with wall time. */
  readonly clock_at: string | null;
  /** Where the clock moves to; null: it stands. */
  readonly clock_target: string | null;
}

/** The time of a project, or `undefined`. */
export async function readProjectTime(queryable: Queryable, projectId: string): Promise<ProjectTime | undefined> {
  const [row] = await queryable.query<ProjectTime>(sql`
    select id, mode, clock_at, clock_target from projects where id = ${projectId}`);
  return row;
}

/**
 * Who is at the time of a sandbox project, by an advisory lock: shared by whoever holds it still, and alone by who begins or
 * ends an advance. Those who come while he waits are behind him there; in the project's row alone they would overtake him
 * for as long as there are any.
 */
export function timeLock(projectId: Sql | string): Sql {
  return sql`hashtextextended('project-time/' || ${projectId}::text, 0)`;
}

/**
 * The same; and where it is a sandbox, nobody begins an advance of its clock or ends one until the transaction has ended: what
 * that makes due is done before the advance is over.
 */
export async function holdProjectTime(transaction: Transaction, projectId: string): Promise<ProjectTime | undefined> {
  // A live project has no clock that anybody could move.
  const [project] = await transaction.query<ProjectTime>(sql`
    select id, mode, clock_at, clock_target,
      case mode when 'sandbox' then pg_advisory_xact_lock_shared(${timeLock(projectId)})::text end as locked
    from projects where id = ${projectId}`);
  if (project?.mode !== 'sandbox') return project;
  // By a statement of its own: the first may have seen the clock before it waited.
  const [held] = await transaction.query<ProjectTime>(sql`
    select id, mode, clock_at, clock_target from projects where id = ${projectId} for key share`);
  return held;
}

/** Locks a project against whoever has its time held, see `holdProjectTime`. */
export async function lockProjectTime(transaction: Transaction, projectId: string): Promise<ProjectTime | undefined> {
  await transaction.query(sql`select pg_advisory_xact_lock(${timeLock(projectId)})`);
  // Not against those who only refer to the project, such as new leads: there may be some at any moment.
  const [row] = await transaction.query<ProjectTime>(sql`
    select id, mode, clock_at, clock_target from projects where id = ${projectId} for no key update`);
  return row;
}
