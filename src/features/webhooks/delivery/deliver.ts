import { setTimeout as sleep } from 'node:timers/promises';
import { formatId } from '#domain/identifiers.ts';
import { presentEvent } from '#features/events/index.ts';
import type { Keys } from '#platform/crypto.ts';
import { generationOf } from '#platform/database/pool.ts';
import { decryptWebhookSecrets, signaturesOf } from '../secrets.ts';
import { checkUrl } from '../targets.ts';
import type { Outcome, Post, WebhookClient } from './client.ts';
import { preciseInstant } from './fan-out.ts';
import { createEndpointNotes, type EndpointNotes, type NoteDependencies } from './note-endpoints.ts';
import { CAREFUL_IN_FLIGHT, endpointLimit, MAX_IN_FLIGHT, nextPause, readRetryAfter } from './schedule.ts';
import {
  claimDeliveries,
  moveFollowers,
  writeResults,
  type ClaimedRow,
  type EndpointNews,
  type ResultRow,
} from './store.ts';

/** What delivering needs. */
export interface DeliverDependencies extends NoteDependencies {
  readonly keys: Keys;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly client: WebhookClient;
  readonly webhooks: WebhookSettings;
  /** Told of each attempt. */
  readonly observeAttempt: (outcome: Outcome) => void;
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
const POLL_MS = 500;
const MAX_BACKOFF_MS = 10_000;
/** Statements are planned anew when so many were claimed, and each time that doubles. */
const CLAIMS_A_PLAN = 200;
const CLAIM = 256;
const STOP_PATIENCE_MS = 5_000;
const WRITE_TRIES = 5;
const WRITE_PAUSE_MS = 1_000;
const GONE = 410;
const MAY_ASK_TO_WAIT: ReadonlySet<number | null> = new Set([429, 503]);
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

interface Finished {
  readonly row: ClaimedRow;
  readonly at: Temporal.Instant;
  readonly outcome: Outcome;
}

/** A deliverer of one process; any number of processes may run one each, leases keep them apart. */
export function createDeliverer(dependencies: DeliverDependencies): Deliverer {
  const { database, clock, keys, log, client, webhooks, observeAttempt } = dependencies;
  const notes = createEndpointNotes(dependencies);
  // How many are on their way to each endpoint; `state.total` counts also those that are to be written.
  const inFlight = new Map<string, number>();
  const attempts = new Set<Promise<void>>();
  const given = new AbortController();
  const state = { total: 0, isRunning: false, isWoken: false, isStopping: false, failures: 0, claimed: 0 };
  let finished: Finished[] = [];
  let writing: Promise<void> | undefined;
  let pumping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const count = (endpointId: string, by: number): void => {
    const left = (inFlight.get(endpointId) ?? 0) + by;
    if (left > 0) inFlight.set(endpointId, left);
    else inFlight.delete(endpointId);
  };

  const attempt = async (row: ClaimedRow): Promise<void> => {
    const at = clock.now();
    try {
      const isAllowed = checkUrl(row.url, { mode: row.mode, ...webhooks }) === null;
      const event = presentEvent({ ...row, id: row.event_id });
      const outcome = isAllowed
        ? await client.post(postOf(keys, row, formatId('evt', row.event_id), event, at), given.signal)
        : ({ status: null, latencyMs: 0, error: 'forbidden_target', retryAfter: undefined } as const);
      if (outcome !== null) {
        observeAttempt(outcome);
        finished.push({ row, at, outcome });
        return;
      }
    } catch (error) {
      log.error(
        { err: error, delivery: formatId('whd', row.id) },
        'a webhook could not be attempted; its lease runs out',
      );
    }
    state.total -= 1;
  };

  /** Attempts one that was claimed, and has its result written. */
  const send = async (row: ClaimedRow): Promise<void> => {
    state.total += 1;
    count(row.endpoint_id, 1);
    await attempt(row);
    // Another may go there while this one is written.
    count(row.endpoint_id, -1);
    wake();
    if (finished.length > 0) writing ??= write();
  };

  /** Writes what is finished, all that gathers meanwhile together, until there is nothing more. */
  const write = async (): Promise<void> => {
    // What finishes in the same turn goes along.
    await new Promise(setImmediate);
    while (finished.length > 0) {
      const group = finished;
      finished = [];
      for (let tried = 1; ; tried += 1) {
        try {
          await writeGroup(dependencies, notes, group, generationOf(state.claimed, CLAIMS_A_PLAN));
          break;
        } catch (error) {
          log.warn({ err: error, deliveries: group.length }, 'results of webhooks could not be written');
          if (tried === WRITE_TRIES || state.isStopping) break;
          await sleep(WRITE_PAUSE_MS * tried);
        }
      }
      // What could not be written is attempted again when its lease has run out.
      state.total -= group.length;
      wake();
    }
    writing = undefined;
  };

  /** Claims and begins what may be; whether there may be more. */
  const claim = async (): Promise<boolean> => {
    const total = Math.min(MAX_IN_FLIGHT - state.total, CLAIM);
    if (total <= 0) return false;
    const now = clock.now();
    const leasedUntil = preciseInstant(now.add({ milliseconds: LEASE_MS }));
    const each = endpointLimit(state.total);
    const limits = { total, each, eachFailing: CAREFUL_IN_FLIGHT, inFlight };
    const rows = await claimDeliveries(
      database,
      preciseInstant(now),
      leasedUntil,
      limits,
      generationOf(state.claimed, CLAIMS_A_PLAN),
    );
    state.claimed += rows.length;
    for (const row of rows) {
      const running: Promise<void> = send(row).finally(() => attempts.delete(running));
      attempts.add(running);
    }
    return rows.length > 0;
  };

  const run = async (): Promise<void> => {
    while (state.isWoken && !state.isStopping) {
      state.isWoken = false;
      try {
        state.isWoken = (await claim()) || state.isWoken;
        state.failures = 0;
      } catch (error) {
        state.failures += 1;
        log.warn({ err: error, failures: state.failures }, 'webhooks could not be claimed; it is tried again');
        break;
      }
    }
  };

  const wake = (): void => {
    state.isWoken = true;
    if (state.isRunning || state.isStopping) return;
    state.isRunning = true;
    clearTimeout(timer);
    pumping = run().finally(() => {
      state.isRunning = false;
      if (state.isStopping) return;
      timer = setTimeout(wake, Math.min(POLL_MS * 2 ** state.failures, MAX_BACKOFF_MS));
      timer.unref();
    });
  };

  return {
    start: wake,
    wake,
    async stop() {
      state.isStopping = true;
      clearTimeout(timer);
      await pumping;
      const giveUp = setTimeout(() => given.abort(), STOP_PATIENCE_MS);
      await Promise.all(attempts);
      await writing;
      clearTimeout(giveUp);
      client.close();
    },
  };
}

async function writeGroup(
  dependencies: DeliverDependencies,
  notes: EndpointNotes,
  group: readonly Finished[],
  generation: number,
): Promise<void> {
  const { database, clock } = dependencies;
  const now = clock.now();
  const results = group.map((each) => resultOf(dependencies, each, now));
  const followed = results.filter(({ followersDueAt }) => followersDueAt !== null);
  if (followed.length > 0) await moveFollowers(database, followed, generation);
  await writeResults(database, results, generation);
  await notes.note(newsOf(group));
}

function resultOf(
  { webhooks, randomBytes }: DeliverDependencies,
  { row, at, outcome }: Finished,
  now: Temporal.Instant,
): ResultRow {
  const { status, latencyMs, error } = outcome;
  const result = {
    projectId: row.project_id,
    id: row.id,
    endpointId: row.endpoint_id,
    subjectId: row.subject_id,
    attemptCount: row.attempt_count,
    attempt: JSON.stringify({ at: preciseInstant(at), status, latency_ms: latencyMs, error }),
  };
  const present = preciseInstant(now);
  if (error === null) {
    // Those behind it were put off together with it.
    const followersDueAt = row.attempt_count > 0 ? present : null;
    return { ...result, state: 'succeeded', dueAt: null, followersDueAt };
  }
  const asked = MAY_ASK_TO_WAIT.has(status) ? readRetryAfter(outcome.retryAfter, now) : null;
  const random = Buffer.from(randomBytes(4)).readUInt32BE() / 2 ** 32;
  const pause = nextPause(webhooks.retrySchedule, row.attempt_count + 1, asked, random);
  if (pause === null) return { ...result, state: 'failed', dueAt: null, followersDueAt: present };
  const dueAt = preciseInstant(now.add({ milliseconds: pause }));
  return { ...result, state: 'pending', dueAt, followersDueAt: dueAt };
}

function newsOf(group: readonly Finished[]): EndpointNews[] {
  const news = new Map<string, EndpointNews>();
  for (const { row, outcome } of group) {
    const known = news.get(row.endpoint_id);
    news.set(row.endpoint_id, {
      projectId: row.project_id,
      endpointId: row.endpoint_id,
      hasSucceeded: outcome.error === null || known?.hasSucceeded === true,
      isGone: outcome.status === GONE || known?.isGone === true,
    });
  }
  return [...news.values()];
}
