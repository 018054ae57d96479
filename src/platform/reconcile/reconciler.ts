import type { Logger } from '#platform/log.ts';

/** Settings of `createReconciler`. */
export interface ReconcilerOptions {
  /** For the log. */
  readonly name: string;
  /** The places where something is due, in any order; none when all is done. */
  readonly findWork: () => Promise<readonly string[]>;
  /** Does one portion of what is due in a place, and answers whether more may be there, or others hold it. */
  readonly workOn: (place: string) => Promise<'worked' | 'blocked' | 'idle'>;
  /** Portions at work at once in this process. */
  readonly maxInFlight: number;
  /** How long a portion is put off because there is something more urgent, in milliseconds; 0 when there is not. */
  readonly yieldMs?: () => number;
  readonly log: Logger;
}

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
const MAX_BACKOFF_MS = 30_000;

/** A runner of one process; any number of processes may run one each, `workOn` keeps them apart. */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { name, findWork, workOn, maxInFlight, yieldMs, log } = options;
  const state = { isRunning: false, isStopping: false, isWoken: false, failures: 0 };
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  /** One place until nothing is left there. */
  const drain = async (place: string): Promise<void> => {
    while (!state.isStopping) {
      const pause = yieldMs?.() ?? 0;
      if (pause > 0) await sleep(pause);
      const result = await workOn(place);
      if (result === 'idle') return;
      if (result === 'blocked') await sleep(BLOCKED_MS);
    }
  };

  const pass = async (): Promise<void> => {
    const places = [...(await findWork())];
    const lanes = Array.from({ length: maxInFlight }, async (_, lane) => {
      // A single place gets all lanes.
      for (let index = lane; index < Math.max(places.length, maxInFlight); index += maxInFlight) {
        const place = places[places.length === 0 ? 0 : index % places.length];
        if (place !== undefined && (index < places.length || places.length === 1)) await drain(place);
      }
    });
    // All lanes are awaited also when one fails, so that a stop finds nothing at work.
    const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };

  const run = async (): Promise<void> => {
    while (state.isWoken && !state.isStopping) {
      state.isWoken = false;
      try {
        await pass();
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
      clearTimeout(timer);
      await current;
    },
  };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
