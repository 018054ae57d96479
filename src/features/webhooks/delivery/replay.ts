import { formatId, lowestUuidAt, parseId, uuidTime } from '#domain/identifiers.ts';
import { formatInstant, preciseInstant, wholeSecond } from '#platform/clock.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { once } from '#platform/http/idempotency.ts';
import { named, requireMatch } from '#platform/http/named.ts';
import { invalid, notFound, type FieldError } from '#platform/http/problems.ts';
import { soundPart } from '#platform/http/validation.ts';
import { webhookEndpointTag } from '../present.ts';
import { readWebhookEndpoint } from '../store.ts';
import type { DeliveryDependencies } from './dependencies.ts';
import {
  findOnePlaced,
  findPending,
  findPlaced,
  lockTarget,
  reviveFailed,
  reviveFailedOf,
  type PlacedEvent,
  type TargetRow,
} from './replay-store.ts';
import { hastenLeftBehind, type DeliveryLine } from './results-store.ts';
import { matchesTypes } from './schedule.ts';
import type { ReplayBody } from './schema.ts';
import { insertDeliveries } from './store.ts';

/** About so many deliveries are replayed at once: no event is published while they are written. */
export const MAX_REPLAYED = 20_000;
/** About so many events of a time are looked at in one request. */
const MAX_LOOKED_AT = 100_000;
/** About so long one request goes on, where the database is too slow for as many. */
const REPLAY_MS = 3_000;
/** Written by one statement, which has its time also where the database is slow. */
const PORTION = 1_000;

/** @throws Problem precondition_failed; not_found when the endpoint has been deleted meanwhile */
export async function requireEndpointMatch(
  queryable: Queryable,
  request: Pick<Request, 'ifMatch'>,
  { project_id: projectId, endpoint_id: id }: TargetRow,
): Promise<void> {
  if (request.ifMatch === undefined) return;
  const row = await readWebhookEndpoint(queryable, projectId, id);
  if (row === undefined) throw notFound();
  requireMatch(request, webhookEndpointTag(row));
}

/** `POST /webhook-endpoints/{id}/replay` */
export async function handleReplay(dependencies: DeliveryDependencies, request: Request<ReplayBody>): Promise<Answer> {
  const { projectId } = request.caller;
  const sound = soundPart(request.body, request.errors);
  const { event, from, to } = sound;
  let putOff: readonly DeliveryLine[] = [];
  const answer = await once(dependencies, request, async (transaction) => {
    const target = await named(request, 'whe', (id) => lockTarget(transaction, projectId, id));
    const eventId = event === undefined ? null : parseId('evt', event);
    const placed = eventId === null ? undefined : await findOnePlaced(transaction, projectId, eventId);
    const errors = [...request.errors, ...checkReplay(request.body, sound)];
    if (event !== undefined && placed === undefined) {
      errors.push({ field: '/event', code: 'invalid_reference', message: 'names no event' });
    }
    if (errors.length > 0) throw invalid(errors);
    await requireEndpointMatch(transaction, request, target);
    const replayed =
      placed !== undefined
        ? await replayEvent(dependencies, transaction, target, placed)
        : from !== undefined && to !== undefined
          ? await replayRange(dependencies, transaction, target, from, to)
          : await replayFailed(dependencies, transaction, target);
    const { count, hasMore, nextFrom } = replayed;
    putOff = replayed.putOff;
    const body = JSON.stringify({
      object: 'webhook_replay',
      endpoint: formatId('whe', target.endpoint_id),
      deliveries: count,
      has_more: hasMore,
      next_from: nextFrom,
    });
    return { status: 200, body };
  });
  if (putOff.length > 0) {
    await hastenLeftBehind(dependencies.database, putOff, preciseInstant(dependencies.clock.now()));
  }
  dependencies.wakeWebhooks();
  return answer;
}

/** @param sent with what is malformed: it is not missing */
function checkReplay(sent: ReplayBody, { from, to }: Partial<ReplayBody>): FieldError[] {
  const chosen = [sent.event, sent.from ?? sent.to, sent.failed].filter((member) => member !== undefined).length;
  if (chosen !== 1 || (sent.from === undefined) !== (sent.to === undefined)) {
    const message = 'must have one of `event`, `from` with `to`, and `failed`';
    return [{ field: '', code: 'invalid_value', message }];
  }
  const isBackwards = from !== undefined && to !== undefined && to <= from;
  return isBackwards ? [{ field: '/to', code: 'invalid_value', message: 'must lie after `from`' }] : [];
}

interface Replayed {
  readonly count: number;
  readonly hasMore: boolean;
  /** Of a time of which there is more: where it goes on. */
  readonly nextFrom: string | null;
  /** What was written and waits with others. */
  readonly putOff: readonly DeliveryLine[];
}

async function replayFailed(
  { clock }: DeliveryDependencies,
  transaction: Transaction,
  { project_id: projectId, endpoint_id: endpointId }: TargetRow,
): Promise<Replayed> {
  const now = preciseInstant(clock.now());
  const until = performance.now() + REPLAY_MS;
  let count = 0;
  while (count < MAX_REPLAYED && performance.now() < until) {
    const revived = await reviveFailed(transaction, projectId, endpointId, now, PORTION);
    count += revived.length;
    if (revived.length < PORTION) return { count, hasMore: false, nextFrom: null, putOff: [] };
  }
  return { count, hasMore: true, nextFrom: null, putOff: [] };
}

/** Sends one event whatever its type; its caller has named it. What the endpoint has not come to yet waits for it already. */
async function replayEvent(
  dependencies: DeliveryDependencies,
  transaction: Transaction,
  target: TargetRow,
  placed: PlacedEvent,
): Promise<Replayed> {
  const isComing = BigInt(placed.position) > BigInt(target.position) && matchesTypes(target.types, placed.type);
  const sent = isComing ? { count: 0, putOff: [] } : await sendAgain(dependencies, transaction, target, [placed]);
  return { ...sent, hasMore: false, nextFrom: null };
}

/**
 * Sends the events of a time that the endpoint is told of, up to the end of a second when it is enough: what is said to
 * be next lies behind it.
 */
async function replayRange(
  dependencies: DeliveryDependencies,
  transaction: Transaction,
  target: TargetRow,
  from: string,
  to: string,
): Promise<Replayed> {
  const idAt = (instant: string): string => lowestUuidAt(Temporal.Instant.from(instant).epochMilliseconds);
  const until = performance.now() + REPLAY_MS;
  // Nothing is ever given the lowest id of an instant.
  let [after, before, count, lookedAt] = [idAt(from), idAt(to), 0, 0];
  let nextFrom: string | null = null;
  const putOff: DeliveryLine[] = [];
  for (;;) {
    const events = await findPlaced(transaction, target.project_id, { after, before }, target.position, PORTION);
    const fitting = events.filter(({ type }) => matchesTypes(target.types, type));
    if (fitting.length > 0) {
      const sent = await sendAgain(dependencies, transaction, target, fitting);
      count += sent.count;
      putOff.push(...sent.putOff);
    }
    lookedAt += events.length;
    const last = events.at(-1);
    if (last === undefined || events.length < PORTION) return { count, hasMore: nextFrom !== null, nextFrom, putOff };
    after = last.event_id;
    const isEnough = count >= MAX_REPLAYED || lookedAt >= MAX_LOOKED_AT || performance.now() >= until;
    if (nextFrom === null && isEnough) {
      const next = wholeSecond(Temporal.Instant.fromEpochMilliseconds(uuidTime(after))).add({ seconds: 1 });
      if (Temporal.Instant.compare(next, Temporal.Instant.from(to)) >= 0) continue;
      nextFrom = formatInstant(next);
      before = idAt(nextFrom);
    }
  }
}

/** Of each event that has none pending, its last failed delivery is made so, or a new one is written. */
async function sendAgain(
  { clock, mintUuid }: DeliveryDependencies,
  transaction: Transaction,
  { project_id: projectId, endpoint_id: endpointId }: TargetRow,
  events: readonly PlacedEvent[],
): Promise<Pick<Replayed, 'count' | 'putOff'>> {
  const now = clock.now();
  const ids = events.map(({ event_id: id }) => id);
  const pending = new Set(await findPending(transaction, projectId, endpointId, ids));
  const settled = ids.filter((id) => !pending.has(id));
  const revived = await reviveFailedOf(transaction, projectId, endpointId, settled, preciseInstant(now));
  const known = new Set([...pending, ...revived]);
  const missing = events.filter(({ event_id: id }) => !known.has(id));
  const deliveries = missing.map(({ event_id: eventId, subject_id: subjectId, position }) => ({
    projectId,
    id: mintUuid(now),
    endpointId,
    eventId,
    subjectId,
    position,
  }));
  const putOff = await insertDeliveries(transaction, deliveries, preciseInstant(now));
  return { count: revived.length + deliveries.length, putOff };
}
