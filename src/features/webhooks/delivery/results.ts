import { setTimeout as sleep } from 'node:timers/promises';
import { preciseInstant } from '#platform/clock.ts';
import type { Outcome } from './client.ts';
import { createEndpointNotes, isRecovery, type EndpointNotes, type NoteDependencies } from './note-endpoints.ts';
import { nextPause, readRetryAfter } from './schedule.ts';
import {
  hastenLeftBehind,
  hastenMoved,
  moveFollowers,
  writeResults,
  type EndpointNews,
  type ResultRow,
} from './results-store.ts';
import type { ClaimedRow } from './store.ts';

/** What writing results needs. */
export interface ResultDependencies extends NoteDependencies {
  readonly randomBytes: (count: number) => Uint8Array;
  /** Pauses in seconds. */
  readonly webhooks: { readonly retrySchedule: readonly number[] };
}

/** An attempt that came to something. */
export interface Finished {
  readonly row: ClaimedRow;
  /** When it began. */
  readonly at: Temporal.Instant;
  readonly outcome: Outcome;
}

/** Settings of `createResultWriter`. */
export interface ResultWriterOptions {
  /** The generation of the plans that statements are prepared under. */
  readonly generation: () => number;
  /** Whether what cannot be written at once is given up. */
  readonly isStopping: () => boolean;
  /** Told how many have been written or given up; what is given up is attempted again when its lease has run out. */
  readonly onSettled: (deliveries: number) => void;
}

/** Writes what became of attempts, all that gathers while a commit is on its way together. */
export interface ResultWriter {
  add(finished: Finished): void;
  /** Resolves when all that was added is written or given up. */
  settled(): Promise<void>;
}

const WRITE_TRIES = 5;
const WRITE_PAUSE_MS = 1_000;
const GONE = 410;
const MAY_ASK_TO_WAIT: ReadonlySet<number | null> = new Set([429, 503]);

/** A writer of one deliverer. */
export function createResultWriter(dependencies: ResultDependencies, options: ResultWriterOptions): ResultWriter {
  const { generation, isStopping, onSettled } = options;
  const { log } = dependencies;
  const notes = createEndpointNotes(dependencies);
  let waiting: Finished[] = [];
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    // What finishes in the same turn goes along.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      for (let tried = 1; ; tried += 1) {
        try {
          await writeGroup(dependencies, notes, group, generation());
          break;
        } catch (error) {
          log.warn({ err: error, deliveries: group.length }, 'results of webhooks could not be written');
          // A database that hangs would keep each group for as long again.
          if (isStopping()) waiting = [];
          if (tried === WRITE_TRIES || isStopping()) break;
          await sleep(WRITE_PAUSE_MS * tried);
        }
      }
      onSettled(group.length);
    }
    writing = undefined;
  };

  return {
    add(finished) {
      waiting.push(finished);
      writing ??= write();
    },
    settled: async () => writing,
  };
}

async function writeGroup(
  dependencies: ResultDependencies,
  notes: EndpointNotes,
  group: readonly Finished[],
  generation: number,
): Promise<void> {
  const { database, clock } = dependencies;
  const now = clock.now();
  const results = group.map((each) => resultOf(dependencies, each, now));
  const followed = results.filter(({ followersDueAt }) => followersDueAt !== null);
  const news = newsOf(group);
  const recovered = news.filter(isRecovery);
  if (followed.length === 0 && recovered.length === 0) await writeResults(database, results, generation);
  else {
    // Together: cut off between the two, what follows would keep a pause that nobody remembers the reason of.
    await database.transaction(async (transaction) => {
      // Endpoints before deliveries, as whoever changes an endpoint locks them.
      if (recovered.length > 0) await notes.noteRecovery(transaction, recovered);
      if (followed.length > 0) await moveFollowers(transaction, followed, generation);
      await writeResults(transaction, results, generation);
    });
  }
  const settled = followed.filter(({ state }) => state !== 'pending');
  if (settled.length > 0) await hastenLeftBehind(database, settled, preciseInstant(now));
  const putOff = results.filter(({ state }) => state === 'pending');
  if (putOff.length > 0) await hastenMoved(database, putOff, preciseInstant(now));
  await notes.note(news.filter((each) => !isRecovery(each)));
}

function resultOf(
  { webhooks, randomBytes }: ResultDependencies,
  { row, at, outcome }: Finished,
  now: Temporal.Instant,
): ResultRow {
  const { status, latencyMs, error } = outcome;
  const result = {
    projectId: row.project_id,
    id: row.id,
    endpointId: row.endpoint_id,
    subjectId: row.subject_id,
    url: row.url,
    lease: row.lease,
    begunAt: preciseInstant(at),
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
    const target = `${row.endpoint_id} ${row.url}`;
    const known = news.get(target);
    news.set(target, {
      projectId: row.project_id,
      endpointId: row.endpoint_id,
      url: row.url,
      wasFailing: row.is_failing || known?.wasFailing === true,
      hasSucceeded: outcome.error === null || known?.hasSucceeded === true,
      isGone: outcome.status === GONE || known?.isGone === true,
    });
  }
  return [...news.values()];
}
