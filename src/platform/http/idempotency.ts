import { setTimeout as sleep } from 'node:timers/promises';
import { formatInstant, type Clock } from '#platform/clock.ts';
import {
  answerIdempotencyKey,
  encryptedAnswers,
  insertIdempotencyRecord,
  lockIdempotencyKey,
  readIdempotencyRecord,
  releaseIdempotencyKey,
  takeIdempotencyKey,
  UNANSWERED,
  type IdempotencyRecord,
  type OwnedAnswer,
} from '#platform/database/idempotency.ts';
import { insertAuditEntry } from '#platform/database/audit.ts';
import type { Encrypted } from '#platform/database/illegible.ts';
import type { Database, Transaction } from '#platform/database/pool.ts';
import { equalDigests, type Keys } from '#platform/crypto.ts';
import { auditEntry, type AuditedChange, type AuditTools } from '../audit.ts';
import type { Answer, Caller, IdempotencyClaim, Request } from './contract.ts';
import { Problem, problems, RETRY_SOON } from './problems.ts';

/** How long an answer can be had again. */
export const IDEMPOTENCY_DAYS = 30;

/** A request as far as idempotency is concerned. */
export interface Claimant {
  readonly id: string;
  readonly caller: Caller;
  readonly idempotency: IdempotencyClaim | undefined;
}

/** A request that changes something. */
export type Changing = Claimant & Pick<Request, 'operationId' | 'parameters' | 'body' | 'reason'>;

/** What keeping answers needs. */
export interface IdempotencyDependencies {
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
}

/** What making a change once needs: it is kept in the audit log too. */
export type OnceDependencies = IdempotencyDependencies & AuditTools;

function contextOf(projectId: string, key: string): string {
  return `idempotency/${projectId}/${key}`;
}

function decryptAnswer(keys: Keys, projectId: string, key: string, secret: Uint8Array): string {
  return keys.decrypt(secret, contextOf(projectId, key));
}

/** Every kept answer that shows personal data. A key is its integrator's: the request is named instead. */
export const encryptedKeptAnswers: Encrypted<OwnedAnswer> = {
  rows: encryptedAnswers,
  open(keys, { project_id: projectId, id, body_encrypted: secret }) {
    JSON.parse(decryptAnswer(keys, projectId, id, secret));
  },
  nameOf: ({ request_id: request }) => request,
};

/** The record under which an answer is kept. */
export function recordOf(
  { keys, clock }: Pick<IdempotencyDependencies, 'keys' | 'clock'>,
  { id, caller }: Claimant,
  claim: IdempotencyClaim,
  answer: Answer,
): IdempotencyRecord {
  const isSecret = answer.personal === true && answer.body !== null;
  return {
    ...claim,
    status: answer.status,
    headers: JSON.stringify(answer.headers ?? {}),
    body: isSecret ? null : answer.body,
    body_encrypted: isSecret ? keys.encrypt(answer.body ?? '', contextOf(caller.projectId, claim.key)) : null,
    request_id: id,
    created_at: formatInstant(clock.now()),
  };
}

/** The kept answer. @throws Problem when it belongs to another request, or is not there yet */
export function replay(
  { keys }: Pick<IdempotencyDependencies, 'keys'>,
  { caller }: Pick<Claimant, 'caller'>,
  record: IdempotencyRecord,
  claim: IdempotencyClaim,
): Answer {
  if (!equalDigests(record.fingerprint, claim.fingerprint)) {
    throw new Problem(
      problems.idempotency_key_reused,
      `This key was used at ${record.created_at} for another request to ${record.method} ${record.path}.`,
    );
  }
  const { body, body_encrypted: secret } = record;
  if (body === UNANSWERED) throw inProgress();
  return {
    status: record.status,
    body: secret === null ? body : decryptAnswer(keys, caller.projectId, record.key, secret),
    headers: { ...(JSON.parse(record.headers) as Record<string, string>), 'idempotency-replayed': 'true' },
  };
}

/**
 * Runs an effect in a transaction, once for each key: the record and the audit entry commit with the effect. Many requests
 * for one resource leave connections for all others.
 *
 * @param resource the one that is changed, as it is shown, or whatever else of the project all of them wait for; absent:
 *   that of the path, and none where it names none
 */
export async function once(
  dependencies: OnceDependencies,
  request: Changing,
  effect: (transaction: Transaction) => Promise<Answer>,
  resource: string | undefined = request.parameters['id'],
): Promise<Answer> {
  const { caller, idempotency: claim } = request;
  const work = async (transaction: Transaction): Promise<Answer> => {
    if (claim === undefined) return audited(dependencies, request, transaction, effect);
    const isOurs = await lockIdempotencyKey(transaction, caller.projectId, claim.key);
    // Also where another has the lock: it may be one that asks for the same kept answer.
    const known = await readIdempotencyRecord(transaction, caller.projectId, claim.key);
    if (known !== undefined) return replay(dependencies, request, known, claim);
    if (!isOurs) throw inProgress();
    const answer = await audited(dependencies, request, transaction, effect);
    const kept = await insertIdempotencyRecord(
      transaction,
      caller.projectId,
      recordOf(dependencies, request, claim, answer),
    );
    // A sign-up took the key meanwhile; it does not use the lock.
    if (!kept) throw inProgress();
    return answer;
  };
  const subject = resource === undefined ? resource : `${caller.projectId}/${resource}`;
  return dependencies.database.transaction(work, 'usual', subject);
}

/** An answer that does not come in so long is never going to: its process has ended. */
const ABANDONED = 'PT1M';
/** For as long as that; then the key is free anyway. */
const MAX_ATTEMPTS = 60;
const ATTEMPT_PAUSE_MS = 1_000;

/**
 * Does what no rollback takes back, such as to ask a foreign server, once for each key: the key is taken before, in a commit
 * of its own, and no connection is held meanwhile.
 */
export async function onceOutside(
  dependencies: IdempotencyDependencies,
  request: Claimant,
  effect: () => Promise<Answer>,
): Promise<Answer> {
  const { caller, idempotency: claim } = request;
  const { database } = dependencies;
  if (claim === undefined) return effect();
  const unanswered = recordOf(dependencies, request, claim, { status: 409, body: UNANSWERED });
  let settle = (): Promise<void> => releaseIdempotencyKey(database, caller.projectId, unanswered);
  try {
    if (!(await takeIdempotencyKey(database, caller.projectId, unanswered, ABANDONED))) {
      const known = await readIdempotencyRecord(database, caller.projectId, claim.key);
      if (known === undefined) throw inProgress();
      return replay(dependencies, request, known, claim);
    }
    const answer = await effect();
    const record = recordOf(dependencies, request, claim, answer);
    // Done is done: should that not be written now, the repeat must not do it again.
    settle = () => answerIdempotencyKey(database, caller.projectId, record);
    await settle();
    return answer;
  } catch (error) {
    await settle().catch(() => void settleLater(settle));
    throw error;
  }
}

/** Whoever was refused because the database was away is to find his key free, or his answer, when it is back. */
async function settleLater(settle: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await sleep(ATTEMPT_PAUSE_MS, undefined, { ref: false });
    const isDone = await settle().then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
}

async function audited(
  dependencies: OnceDependencies,
  request: Changing,
  transaction: Transaction,
  effect: (transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const answer = await effect(transaction);
  await insertAuditEntry(transaction, auditEntry(dependencies, changeOf(request, answer)));
  return answer;
}

/** What the audit log says of a request: of a creation which resource there is now, of a change which members it named. */
export function changeOf(
  { id, caller, operationId, parameters, body, reason }: Changing,
  answer: Answer,
): AuditedChange {
  const existing = parameters['id'] ?? null;
  const isNamed = existing !== null && typeof body === 'object' && body !== null;
  return {
    projectId: caller.projectId,
    credentialId: caller.credentialId,
    requestId: id,
    operation: operationId,
    resource: existing ?? answer.headers?.['location']?.split('/').at(-1) ?? null,
    fields: isNamed ? Object.keys(body) : [],
    reason: answer.forgetsReason === true ? null : reason,
  };
}

/** Keeps a refusal that would come out the same again; answers what was kept first. */
export async function remember(
  dependencies: IdempotencyDependencies,
  request: Claimant,
  answer: Answer,
): Promise<Answer> {
  const { caller, idempotency: claim } = request;
  if (claim === undefined) return answer;
  const { database } = dependencies;
  const record = recordOf(dependencies, request, claim, answer);
  if (await insertIdempotencyRecord(database, caller.projectId, record)) return answer;
  const known = await readIdempotencyRecord(database, caller.projectId, claim.key);
  return known === undefined ? answer : replay(dependencies, request, known, claim);
}

/**
 * The statuses of refusals that may be kept; not each of them is. A 412 hangs on `If-Match`, which a key does not stand for:
 * kept, it would be answered also to whoever has read the resource again, and would say something untrue.
 */
export const REMEMBERED_STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** Whether a refusal comes out the same when the same request is sent again, and may be kept. */
export function isRemembered(problem: Problem): boolean {
  const { code, status } = problem.definition;
  return (
    REMEMBERED_STATUSES.has(status) &&
    code !== problems.idempotency_key_reused.code &&
    code !== problems.idempotency_request_in_progress.code
  );
}

function inProgress(): Problem {
  return new Problem(problems.idempotency_request_in_progress, undefined, [], RETRY_SOON);
}
