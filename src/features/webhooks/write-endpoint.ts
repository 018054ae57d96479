import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isKnownTypePattern } from '#domain/event-types.ts';
import { formatId } from '#domain/identifiers.ts';
import { formatInstant, preciseInstant, wholeSecond, type Clock } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Database, Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { once } from '#platform/http/idempotency.ts';
import { named, requireMatch } from '#platform/http/named.ts';
import { invalid, Problem } from '#platform/http/problems.ts';
import { requireObject } from '#platform/http/validation.ts';
import type { Logger } from '#platform/log.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { marketProblems } from '../problems.ts';
import { presentWebhookEndpoint, webhookEndpointTag } from './present.ts';
import type { CreateWebhookEndpoint, RotateSecret, UpdateWebhookEndpoint } from './schema.ts';
import { createWebhookSecret, encryptWebhookSecret } from './secrets.ts';
import {
  countBacklogs,
  countWebhookEndpoints,
  deleteRemovedEndpoints,
  deleteWebhookEndpoint,
  hastenDeliveries,
  insertWebhookEndpoint,
  lockWebhookEndpoint,
  updateWebhookEndpoint,
  updateWebhookSecrets,
  type LockedWebhookEndpoint,
  type WebhookEndpointRow,
} from './store.ts';
import { checkUrl, type TargetRules } from './targets.ts';

/** What writing endpoints needs. */
export interface WriteEndpointDependencies {
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly log: Logger;
  /** What the operator permits as targets. */
  readonly webhooks: Omit<TargetRules, 'mode'>;
  /** To be called when something may be sent at once. */
  readonly wakeWebhooks: () => void;
}

/** A project has so many endpoints at most. */
const MAX_ENDPOINTS = 20;
/** What creations of endpoints are all at: how many their project has. */
const COUNT = 'webhook-endpoints';
/** How many deliveries are changed or removed at a time: by a request itself, and in the background after it. */
const PORTION = 5_000;
const MAX_PORTIONS = 1_000;
/** What a database that is away for a minute or two refuses is tried again so often. */
const TRIES = 8;
const PAUSE_MS = 500;
const DEFAULT_OVERLAP = 'P1D';

/** `POST /webhook-endpoints` */
export function handleCreateWebhookEndpoint(
  dependencies: WriteEndpointDependencies,
  request: Request<CreateWebhookEndpoint>,
): Promise<Answer> {
  const { clock, keys, mintUuid, webhooks } = dependencies;
  const { body: input, caller } = request;
  const create = async (transaction: Transaction): Promise<Answer> => {
    checkMembers(webhooks, request);
    if ((await countWebhookEndpoints(transaction, caller.projectId)) >= MAX_ENDPOINTS) {
      throw new Problem(marketProblems.too_many_webhook_endpoints);
    }
    const now = clock.now();
    const createdAt = formatInstant(now);
    const enabled = input.enabled ?? true;
    const id = mintUuid(now);
    const secret = createWebhookSecret();
    const encrypted = encryptWebhookSecret(keys, caller.projectId, id, secret);
    const endpoint = {
      id,
      url: input.url,
      types: input.types ?? ['*'],
      description: input.description ?? null,
      enabled,
      disabled_reason: enabled ? null : ('requested' as const),
      api_version: input.api_version ?? caller.apiVersion,
      previous_secret_expires_at: null,
      failing_since: null,
      last_success_at: null,
      created_at: createdAt,
      updated_at: createdAt,
    };
    const row = await insertWebhookEndpoint(transaction, caller.projectId, endpoint, encrypted);
    const location = `/webhook-endpoints/${formatId('whe', row.id)}`;
    const body = presentWebhookEndpoint(row, { backlog: 0, now, secret });
    return { status: 201, body, headers: { location, etag: webhookEndpointTag(row) }, personal: true };
  };
  return once(dependencies, request, create, COUNT);
}

/** `PATCH /webhook-endpoints/{id}` */
export async function handleUpdateWebhookEndpoint(
  dependencies: WriteEndpointDependencies,
  request: Request<UpdateWebhookEndpoint>,
): Promise<Answer> {
  const { clock, webhooks } = dependencies;
  const { body: input, caller } = request;
  let afterwards: (() => Promise<boolean>) | null = null;
  const check = (): void => checkMembers(webhooks, request);
  const answer = await change(dependencies, request, check, async (transaction, known) => {
    const enabled = input.enabled ?? known.enabled;
    const isStartedAnew = (enabled && !known.enabled) || (input.url ?? known.url) !== known.url;
    const now = clock.now();
    const edited: WebhookEndpointRow = {
      ...known,
      ...input,
      disabled_reason: enabled ? null : (known.disabled_reason ?? 'requested'),
      failing_since: isStartedAnew ? null : known.failing_since,
    };
    const isSame = isDeepStrictEqual(edited, known);
    const row = isSame
      ? known
      : await updateWebhookEndpoint(transaction, caller.projectId, edited, preciseInstant(now));
    const hastened = { projectId: caller.projectId, endpointId: row.id, now: formatInstant(now) };
    if (isStartedAnew && (await hastenDeliveries(transaction, hastened, PORTION)))
      afterwards = () => hastenDeliveries(dependencies.database, hastened, PORTION);
    const backlog = (await countBacklogs(transaction, caller.projectId, [row.id])).get(row.id) ?? 0;
    const body = presentWebhookEndpoint(row, { backlog, now });
    return { status: 200, body, headers: { etag: webhookEndpointTag(row, body) } };
  });
  dependencies.wakeWebhooks();
  if (afterwards !== null) void inPortions(dependencies, afterwards);
  return answer;
}

/**
 * Goes on with what one request is too short for, while there is more. What a crash leaves out waits for its turn as before,
 * or for maintenance.
 */
async function inPortions(
  { log, wakeWebhooks }: WriteEndpointDependencies,
  work: () => Promise<boolean>,
): Promise<void> {
  let failures = 0;
  // Attempts that fail meanwhile put more off, which is not to be hastened for ever.
  for (let portion = 0; portion < MAX_PORTIONS; portion += 1) {
    try {
      if (!(await work())) return;
      failures = 0;
      wakeWebhooks();
    } catch (error) {
      failures += 1;
      log.warn({ err: error, failures }, 'the deliveries of a webhook endpoint were not all changed with it');
      if (failures === TRIES) return;
      await sleep(PAUSE_MS * 2 ** failures, undefined, { ref: false });
    }
  }
}

/** `DELETE /webhook-endpoints/{id}` */
export async function handleDeleteWebhookEndpoint(
  dependencies: WriteEndpointDependencies,
  request: Request,
): Promise<Answer> {
  const answer = await change(dependencies, request, takesAny, async (transaction, { id }) => {
    const now = formatInstant(dependencies.clock.now());
    await deleteWebhookEndpoint(transaction, request.caller.projectId, id, now);
    return { status: 204, body: null };
  });
  const { database } = dependencies;
  // A portion may fall short of what attempts that end at that moment are written to, and is not the last one for that.
  void inPortions(dependencies, async () => (await deleteRemovedEndpoints(database, PORTION)) > 0);
  return answer;
}

/** `POST /webhook-endpoints/{id}/rotate-secret`: of two secrets at most, so that one before the present is forgotten. */
export function handleRotateSecret(
  dependencies: WriteEndpointDependencies,
  request: Request<RotateSecret>,
): Promise<Answer> {
  const { clock, keys } = dependencies;
  const { projectId } = request.caller;
  return change(dependencies, request, takesAny, async (transaction, known) => {
    const now = clock.now();
    const start = wholeSecond(now);
    const overlap = request.body.overlap ?? DEFAULT_OVERLAP;
    const end = start.toZonedDateTimeISO('UTC').add(overlap).toInstant();
    const overlaps = Temporal.Instant.compare(end, start) > 0;
    const secret = createWebhookSecret();
    const row = await updateWebhookSecrets(transaction, projectId, known.id, {
      secret: encryptWebhookSecret(keys, projectId, known.id, secret),
      previous: overlaps ? known.secret_encrypted : null,
      previousExpiresAt: overlaps ? formatInstant(end) : null,
      now: preciseInstant(now),
    });
    const backlog = (await countBacklogs(transaction, projectId, [row.id])).get(row.id) ?? 0;
    const body = presentWebhookEndpoint(row, { backlog, now, secret });
    return { status: 200, body, headers: { etag: webhookEndpointTag(row) }, personal: true };
  });
}

/** The check of a request whose body is all right, or which has none. */
const takesAny = (): void => {};

/**
 * Changes the endpoint that a request names, once for each key.
 *
 * @param check throws for a body that no endpoint could take, whatever it is like by now
 * @throws Problem not_found, precondition_failed
 */
function change(
  dependencies: WriteEndpointDependencies,
  request: Request,
  check: () => void,
  effect: (transaction: Transaction, known: LockedWebhookEndpoint) => Promise<Answer>,
): Promise<Answer> {
  const { projectId } = request.caller;
  return once(dependencies, request, async (transaction) => {
    const known = await named(request, 'whe', (id) => lockWebhookEndpoint(transaction, projectId, id));
    check();
    requireMatch(request, webhookEndpointTag(known));
    return effect(transaction, known);
  });
}

/** @throws Problem with everything that is wrong: what was refused before, and what the schema cannot say */
function checkMembers(
  webhooks: WriteEndpointDependencies['webhooks'],
  { body, errors: refused, caller: { mode } }: Request<UpdateWebhookEndpoint>,
): void {
  requireObject(refused);
  const errors = [...refused];
  const { url, types }: Readonly<Partial<Record<'url' | 'types', unknown>>> = body;
  const wrong = typeof url === 'string' ? checkUrl(url, { ...webhooks, mode }) : null;
  if (wrong !== null) errors.push({ field: '/url', code: 'invalid_target', message: wrong });
  for (const [index, type] of (Array.isArray(types) ? (types as unknown[]) : []).entries()) {
    if (typeof type !== 'string' || isKnownTypePattern(type)) continue;
    const message = 'must be a type of events such as subscription.confirmed, or subscription.*, or *';
    errors.push({ field: `/types/${index}`, code: 'invalid_event_type', message });
  }
  if (errors.length > 0) throw invalid(errors);
}
