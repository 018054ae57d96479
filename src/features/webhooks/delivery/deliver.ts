import { setTimeout as sleep } from 'node:timers/promises';
import { formatId } from '#domain/identifiers.ts';
import { preciseInstant } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Traffic } from '#platform/reconcile/traffic.ts';
import { generationOf } from '#platform/database/pool.ts';
import { presentEvent } from '../../events/index.ts';
import { decryptWebhookSecrets, signaturesOf } from '../secrets.ts';
import { checkUrl } from '../targets.ts';
import type { Outcome, Post, WebhookClient } from './client.ts';
import { createPump } from './pump.ts';
import { createResultWriter, type Finished, type ResultDependencies } from './results.ts';
import { CAREFUL_IN_FLIGHT, roomBeside } from './schedule.ts';
import { claimDeliveries, type ClaimedRow, type ClaimLimits } from './store.ts';

/** What delivering needs. */
export interface DeliverDependencies extends ResultDependencies {
  readonly keys: Keys;
  readonly client: WebhookClient;
  readonly webhooks: WebhookSettings;
  /** Told of each attempt. */
  readonly observeAttempt: (outcome: Outcome) => void;
  /** Who is more urgent. */
  readonly traffic: Traffic;
}

/** The operator's settings of webhooks. */
export interface WebhookSettings {
  readonly allowPrivate: boolean;
  readonly ports: readonly number[];
  /** Pauses in seconds. */
  readonly retrySchedule: readonly number[];
}

/** Attempts deliveries as they become due. */
export interface Deliverer {
  start(): void;
  /** Something may be due now. */
  wake(): void;
  /** Starts no other attempt; waits a little for those on their way and gives the rest up, to be attempted again. */
  stop(): Promise<void>;
}

/** Longer than an attempt can take, and its writing. */
const LEASE_MS = 30_000;
/** Statements are planned anew when so many were claimed, and each time that doubles. */
const CLAIMS_A_PLAN = 200;
const CLAIM = 256;
/** How long what is due gathers for the next claim while others need the database. */
const GATHER_MS = 20;
/** How long a stop waits for endpoints that do not answer: time is left to write down, and to tell, what came of it. */
export const STOP_PATIENCE_MS = 5_000;
const USER_AGENT = 'Wattline-Webhooks/1.0';

/** What is posted to an endpoint: the same bytes under the same id at every attempt. */
export function postOf(
  keys: Keys,
  endpoint: Pick<
    ClaimedRow,
    'project_id' | 'url' | 'secret_encrypted' | 'previous_secret_encrypted' | 'previous_secret_expires_at'
  > & {
    readonly endpoint_id: string;
  },
  eventId: string,
  body: string,
  now: Temporal.Instant,
): Post {
  const timestamp = Math.floor(now.epochMilliseconds / 1000);
  const secrets = decryptWebhookSecrets(keys, endpoint.project_id, { ...endpoint, id: endpoint.endpoint_id });
  return {
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf(secrets, eventId, timestamp, body, now),
    },
    body: Buffer.from(body),
  };
}

/** Posts one that was claimed; `null` when it was given up or could not be posted, to be attempted again after its lease. */
async function attempt(
  { clock, keys, log, client, webhooks, observeAttempt }: DeliverDependencies,
  row: ClaimedRow,
  given: AbortSignal,
): Promise<Finished | null> {
  const at = clock.now();
  try {
    const isAllowed = checkUrl(row.url, { mode: row.mode, ...webhooks }) === null;
    const event = presentEvent({ ...row, id: row.event_id });
    const outcome = isAllowed
      ? await client.post(postOf(keys, row, formatId('evt', row.event_id), event, at), given)
      : ({ status: null, latencyMs: 0, error: 'forbidden_target', retryAfter: undefined } as const);
    if (outcome === null) return null;
    observeAttempt(outcome);
    return { row, at, outcome };
  } catch (error) {
    const delivery = formatId('whd', row.id);
    log.error({ err: error, delivery }, 'a webhook could not be attempted; its lease runs out');
    return null;
  }
}

/** A deliverer of one process; any number of processes may run one each, leases keep them apart. */
export function createDeliverer(dependencies: DeliverDependencies): Deliverer {
  const { database, clock, log, client, traffic } = dependencies;
  // How many are on their way to each endpoint; `state.total` counts also those that are to be written.
  const inFlight = new Map<string, number>();
  const attempts = new Set<Promise<void>>();
  const given = new AbortController();
  const state = { total: 0, claimed: 0 };

  const generation = (): number => generationOf(state.claimed, CLAIMS_A_PLAN);

  /** Attempts one that was claimed, and has its result written. */
  const send = async (row: ClaimedRow): Promise<void> => {
    state.total += 1;
    count(inFlight, row.endpoint_id, 1);
    const finished = await attempt(dependencies, row, given.signal);
    if (finished === null) state.total -= 1;
    // Another may go there while this one is written.
    count(inFlight, row.endpoint_id, -1);
    pump.wake();
    if (finished !== null) results.add(finished);
  };

  /** Claims and begins what may be; whether there may be more. */
  const claim = async (): Promise<boolean> => {
    const limits = limitsBeside(state.total, inFlight);
    if (limits.total <= 0) return false;
    const rows = await claimDeliveries(database, preciseInstant(clock.now()), LEASE_MS, limits, generation());
    state.claimed += rows.length;
    for (const row of rows) {
      const running: Promise<void> = send(row).finally(() => attempts.delete(running));
      attempts.add(running);
    }
    return rows.length > 0;
  };

  const pump = createPump(
    async () => {
      const mayBeMore = await claim();
      // Each claim costs the database time, however few it finds.
      if (traffic.isCrowded()) await sleep(GATHER_MS);
      return mayBeMore;
    },
    (error, failures) => log.warn({ err: error, failures }, 'webhooks could not be claimed; it is tried again'),
  );

  const results = createResultWriter(dependencies, {
    generation,
    isStopping: () => pump.isStopping(),
    onSettled(deliveries) {
      state.total -= deliveries;
      pump.wake();
    },
  });

  return {
    start: () => pump.wake(),
    wake: () => pump.wake(),
    async stop() {
      const pumped = pump.stop();
      // From now on, also while a database that hangs keeps the last claim.
      const giveUp = setTimeout(() => given.abort(), STOP_PATIENCE_MS);
      await pumped;
      await Promise.all(attempts);
      await results.settled();
      clearTimeout(giveUp);
      await client.close();
    },
  };
}

function count(inFlight: Map<string, number>, endpointId: string, by: number): void {
  const left = (inFlight.get(endpointId) ?? 0) + by;
  if (left > 0) inFlight.set(endpointId, left);
  else inFlight.delete(endpointId);
}

function limitsBeside(underWay: number, inFlight: ReadonlyMap<string, number>): ClaimLimits {
  const { total, each } = roomBeside(underWay);
  return { total: Math.min(total, CLAIM), each, eachFailing: Math.min(each, CAREFUL_IN_FLIGHT), inFlight };
}
