import { formatId, hasVisibleText, parseId } from '#domain/identifiers.ts';
import type { AuditTools } from '#platform/audit.ts';
import { randomSecret, sha256 } from '#platform/crypto.ts';
import { auditOperator } from '#platform/database/audit.ts';
import type { Database } from '#platform/database/pool.ts';
import { CURRENT_API_VERSION } from '#platform/http/headers.ts';
import {
  countUsableCredentials,
  insertCredential,
  insertProject,
  lockProject,
  selectCredentials,
  selectProjects,
  updateCredentialRevoked,
} from './store.ts';

export {
  createProjectClocks,
  precisePresentOf,
  presentOf,
  readPresent,
  type ProjectClocks,
  type ProjectPresent,
} from './project-clocks.ts';
export { holdProjectTime, lockProjectTime, readProjectTime, timeLock, type ProjectTime } from './store.ts';

/** What the operations on projects need. */
export interface ProjectDependencies extends AuditTools {
  readonly database: Database;
}

/** A tenant: everything belongs to one project, and nothing crosses between two. */
export interface Project {
  /** `prj_…` */
  readonly id: string;
  readonly name: string;
  readonly mode: 'live' | 'sandbox';
  readonly createdAt: string;
}

/** What a credential may allow, in the order in which scopes are shown. */
export const SCOPES = ['read:*', 'write:*'] as const;

/** A pair of client id and secret, as an operator sees it: without the secret, which is shown once only. */
export interface Credential {
  /** `crd_…` */
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The version of the interface that its requests get when they name none. */
  readonly apiVersion: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly createdAt: string;
  /** Neither revoked nor expired. */
  readonly usable: boolean;
}

/** How many usable credentials a project can have: enough for secrets to be rotated with an overlap. */
export const MAX_USABLE_CREDENTIALS = 5;

const MAX_NAME_LENGTH = 200;
/** The form of every client id, also of one that an operator chooses. */
export const CLIENT_ID = /^[A-Za-z0-9_-]{1,200}$/;
const CLIENT_SECRET = /^[A-Za-z0-9_-]{32,200}$/;

/** An input that cannot be stored, with a sentence about it that an operator can be shown. */
interface InvalidInput {
  readonly ok: false;
  readonly reason: 'invalid_input';
  readonly field: string;
  readonly message: string;
}

/** What became of `createProject`. */
export type ProjectCreation = { readonly ok: true; readonly project: Project } | InvalidInput;

/** Creates a project. */
export async function createProject(
  dependencies: ProjectDependencies,
  { name, mode }: { readonly name: string; readonly mode: Project['mode'] },
): Promise<ProjectCreation> {
  const wrongName = checkName(name);
  if (wrongName !== null) return wrongName;
  const { database, clock, mintUuid } = dependencies;
  const now = clock.now();
  const row = { id: mintUuid(now), name, mode, created_at: now.toString() };
  const id = formatId('prj', row.id);
  await database.transaction(async (transaction) => {
    await insertProject(transaction, row);
    await auditOperator(transaction, dependencies, { projectId: row.id, operation: 'project create', resource: id });
  });
  return { ok: true, project: { id, name, mode, createdAt: now.toString({ smallestUnit: 'second' }) } };
}

/** All projects, oldest first. */
export async function listProjects({ database }: Pick<ProjectDependencies, 'database'>): Promise<Project[]> {
  const rows = await selectProjects(database);
  return rows.map(({ id, name, mode, created_at: createdAt }) => ({ id: formatId('prj', id), name, mode, createdAt }));
}

/** What a new credential is made of. */
export interface CredentialInput {
  /** `prj_…` */
  readonly projectId: string;
  readonly name: string;
  /** Both, when absent. */
  readonly scopes?: readonly string[];
  readonly expiresAt?: Temporal.Instant;
  /** The credential's own id, when absent. */
  readonly clientId?: string;
  /** 256 random bits behind a prefix that secret scanners know, when absent. */
  readonly clientSecret?: string;
}

/** What became of `createCredential`. The secret is known here and nowhere else. */
export type CredentialCreation =
  | { readonly ok: true; readonly id: string; readonly clientId: string; readonly clientSecret: string }
  | { readonly ok: false; readonly reason: 'project_not_found' | 'too_many_credentials' | 'client_id_taken' }
  | InvalidInput;

/** Creates a credential, pinned to the current version of the interface; its secret is stored as a digest only. */
export async function createCredential(
  dependencies: ProjectDependencies,
  input: CredentialInput,
): Promise<CredentialCreation> {
  const { database, clock, mintUuid } = dependencies;
  const now = clock.now();
  const wrong = checkCredential(input, now);
  if (wrong !== null) return wrong;
  const projectId = parseId('prj', input.projectId);
  if (projectId === null) return { ok: false, reason: 'project_not_found' };
  const id = mintUuid(now);
  const clientId = input.clientId ?? formatId('crd', id);
  return database.transaction<CredentialCreation>(async (transaction) => {
    const mode = await lockProject(transaction, projectId);
    if (mode === undefined) return { ok: false, reason: 'project_not_found' };
    const usable = await countUsableCredentials(transaction, projectId, now.toString());
    if (usable >= MAX_USABLE_CREDENTIALS) return { ok: false, reason: 'too_many_credentials' };
    const clientSecret = input.clientSecret ?? `${mode === 'live' ? 'es_live_' : 'es_test_'}${randomSecret()}`;
    const inserted = await insertCredential(transaction, {
      projectId,
      id,
      clientId,
      name: input.name,
      secretHash: sha256(clientSecret),
      scopes: SCOPES.filter((scope) => input.scopes?.includes(scope) ?? true),
      apiVersion: CURRENT_API_VERSION,
      expiresAt: input.expiresAt?.toString() ?? null,
      createdAt: now.toString(),
    });
    if (!inserted) return { ok: false, reason: 'client_id_taken' };
    const resource = formatId('crd', id);
    await auditOperator(transaction, dependencies, { projectId, operation: 'credential create', resource });
    return { ok: true, id: resource, clientId, clientSecret };
  });
}

/** What became of `listCredentials`. */
export type CredentialList =
  | { readonly ok: true; readonly credentials: readonly Credential[] }
  | { readonly ok: false; readonly reason: 'project_not_found' };

/** The credentials of a project, revoked and expired ones too, oldest first. */
export async function listCredentials(
  { database, clock }: Pick<ProjectDependencies, 'database' | 'clock'>,
  projectId: string,
): Promise<CredentialList> {
  const uuid = parseId('prj', projectId);
  const rows = uuid === null ? undefined : await selectCredentials(database, uuid, clock.now().toString());
  if (rows === undefined) return { ok: false, reason: 'project_not_found' };
  const credentials = rows.map((row) => ({
    id: formatId('crd', row.id),
    clientId: row.client_id,
    name: row.name,
    scopes: row.scopes,
    apiVersion: row.api_version,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
    usable: row.usable,
  }));
  return { ok: true, credentials };
}

/** What became of `revokeCredential`. */
export type CredentialRevocation = { readonly ok: true } | { readonly ok: false; readonly reason: 'not_found' };

/**
 * Revokes a credential, for good. Its tokens die with it, within a second in every running process, because each
 * token is read together with its credential. Revoking again changes nothing.
 */
export async function revokeCredential(
  dependencies: ProjectDependencies,
  { projectId, id }: { readonly projectId: string; readonly id: string },
): Promise<CredentialRevocation> {
  const project = parseId('prj', projectId);
  const credential = parseId('crd', id);
  if (project === null || credential === null) return { ok: false, reason: 'not_found' };
  const { database, clock } = dependencies;
  const found = await database.transaction(async (transaction) => {
    const isFound = await updateCredentialRevoked(transaction, project, credential, clock.now().toString());
    const change = { projectId: project, operation: 'credential revoke', resource: id };
    if (isFound) await auditOperator(transaction, dependencies, change);
    return isFound;
  });
  return found ? { ok: true } : { ok: false, reason: 'not_found' };
}

/** Years of five digits are written otherwise everywhere. */
const LAST_EXPIRY = Temporal.Instant.from('9999-12-31T23:59:59Z');

function checkCredential(input: CredentialInput, now: Temporal.Instant): InvalidInput | null {
  const { name, scopes, expiresAt, clientId, clientSecret } = input;
  const isScope = (text: string): boolean => SCOPES.some((scope) => scope === text);
  if (scopes !== undefined && (scopes.length === 0 || !scopes.every(isScope))) {
    return invalidInput('scopes', `must be one or both of ${SCOPES.join(' and ')}`);
  }
  if (expiresAt !== undefined && Temporal.Instant.compare(expiresAt, now) <= 0) {
    return invalidInput('expiresAt', 'must be in the future');
  }
  if (expiresAt !== undefined && Temporal.Instant.compare(expiresAt, LAST_EXPIRY) > 0) {
    return invalidInput('expiresAt', 'must be before the year 10000');
  }
  if (clientId !== undefined && !CLIENT_ID.test(clientId)) {
    return invalidInput('clientId', 'must be 1 to 200 characters of A-Z, a-z, 0-9, _ and -');
  }
  if (clientSecret !== undefined && !CLIENT_SECRET.test(clientSecret)) {
    return invalidInput('clientSecret', 'must be 32 to 200 characters of A-Z, a-z, 0-9, _ and -');
  }
  return checkName(name);
}

function checkName(name: string): InvalidInput | null {
  const isName = hasVisibleText(name) && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name) && name.isWellFormed();
  return isName
    ? null
    : invalidInput('name', `must be a visible text of at most ${MAX_NAME_LENGTH} characters in one line`);
}

function invalidInput(field: string, message: string): InvalidInput {
  return { ok: false, reason: 'invalid_input', field, message };
}
