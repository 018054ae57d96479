import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '#platform/log.ts';

/** Settings of `createReconciler`. */
export interface ReconcilerOptions {
  /** For the log. */
  readonly name: string;
  /** The places where something is due, in any order; none when all is done. */
  readonly findWork: () => Promise<readonly string[]>;
  /** Does one portion of what is due in a place. */
  readonly workOn: (place: string) => Promise<PortionResult>;
  /** Portions at work at once in this process. */
  readonly maxInFlight: number;
  /** Whether something more urgent than deferrable work waits for this process or the database. */
  readonly isBusy: () => boolean;
  readonly log: Logger;
}

/** What a portion came to. */
export type PortionResult =
  /** Something was done; there may be more. */
  | 'worked'
  /** The same, and nothing of it had its hour: the next may wait a little. */
  | 'deferrable'
  /** Others hold what comes first; try again in a moment. */
  | 'blocked'
  /** Nothing is due. */
  | 'idle';

/** Does what is due, from what the database says alone: new work, crashes and missed signals are one case. */
export interface Reconciler {
  start(): void;
  /** Something may be due now. Cheap; may be called after every commit. */
  wake(): void;
  /** Finishes the portions at work, and starts no other. */
  stop(): Promise<void>;
}

/** Looks again when nobody has called. */
const POLL_MS = 1_000;
const BLOCKED_MS = 20;
const PORTIONS_A_TURN = 20;
/** Deferrable work waits so many times as long as it took while something more urgent waits, but no longer than this. */
const DEFERRED_FACTOR = 50;
const MAX_DEFERRED_MS = 5_000;
const MAX_BACKOFF_MS = 30_000;

/** A runner of one process; any number of processes may run one each, `workOn` keeps them apart. */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { name, findWork, workOn, maxInFlight, isBusy, log } = options;
  const state = { isRunning: false, isStopping: false, isWoken: false, failures: 0 };
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  /** Cut short by a stop. */
  const sleep = (milliseconds: number): Promise<void> =>
    wait(milliseconds, undefined, { signal: stopped.signal }).catch(() => {});

  /** A few portions of one place, so that none starves beside a busy one; whether more may be there. */
  const workFor = async (place: string): Promise<boolean> => {
    for (let portion = 0; portion < PORTIONS_A_TURN; portion += 1) {
      if (state.isStopping) return false;
      const begin = performance.now();
      const result = await workOn(place);
      if (result === 'idle') return false;
      if (result === 'blocked') await sleep(BLOCKED_MS);
      if (result === 'deferrable' && isBusy()) {
        await sleep(Math.min((performance.now() - begin) * DEFERRED_FACTOR, MAX_DEFERRED_MS));
      }
    }
    return true;
  };

  /** One turn for every place; whether there may be more. */
  const pass = async (): Promise<boolean> => {
    const places = [...(await findWork())];
    // A single place gets all lanes.
    const turns = places.length === 1 ? Array.from({ length: maxInFlight }, () => places[0] ?? '') : places;
    const errors: unknown[] = [];
    let next = 0;
    let isMore = false;
    const lane = async (): Promise<void> => {
      for (let turn = next; turn < turns.length; turn = next) {
        next = turn + 1;
        try {
          isMore = (await workFor(turns[turn] ?? '')) || isMore;
        } catch (error) {
          // One place that fails does not keep the others waiting.
          errors.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: maxInFlight }, lane));
    if (errors.length > 0) throw errors[0];
    return isMore;
  };

  const run = async (): Promise<void> => {
    while (state.isWoken && !state.isStopping) {
      state.isWoken = false;
      try {
        state.isWoken = (await pass()) || state.isWoken;
        state.failures = 0;
      } catch (error) {
        state.failures += 1;
        log.warn({ err: error, reconciler: name, failures: state.failures }, 'reconciling failed; it is tried again');
      }
    }
  };

  const schedule = (): void => {
    if (state.isStopping) return;
    const delay = state.failures === 0 ? POLL_MS : Math.min(POLL_MS * 2 ** (state.failures - 1), MAX_BACKOFF_MS);
    timer = setTimeout(wake, delay);
    timer.unref();
  };

  const wake = (): void => {
    state.isWoken = true;
    if (state.isRunning || state.isStopping) return;
    state.isRunning = true;
    clearTimeout(timer);
    current = run().finally(() => {
      state.isRunning = false;
      schedule();
    });
  };

  return {
    start: wake,
    wake,
    async stop() {
      state.isStopping = true;
      stopped.abort();
      clearTimeout(timer);
      await current;
    },
  };
}
