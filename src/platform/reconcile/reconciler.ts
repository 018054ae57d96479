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
  /** Nothing is due: it rests until somebody calls, or for a while. */
  | 'idle';

/** Does what is due, from what the database says alone: new work, crashes and missed signals are one case. */
export interface Reconciler {
  start(): void;
  /** Something may be due now; looked at in a moment. Cheap; may be called after every commit. */
  wake(): void;
  /** Finishes the portions at work, and starts no other. */
  stop(): Promise<void>;
}

/** Looks again when nobody has called. */
const POLL_MS = 1_000;
const BLOCKED_MS = 20;
/** The same, and between two looks that somebody called for, while something more urgent waits: each look costs it time. */
const BUSY_MS = 50;
/** So many portions a place gets before others have their turn. */
const PORTIONS_A_TURN = 5;
/** Deferrable work waits so many times as long as it took while something more urgent waits, but no longer than this. */
const DEFERRED_FACTOR = 50;
const MAX_DEFERRED_MS = 5_000;
const MAX_BACKOFF_MS = 30_000;

/** What is remembered of a place while it has work. */
interface Place {
  /** It is left alone until then, on the clock that nobody can set. */
  notBefore: number;
  /** The same because nothing was due there; a call ends it. */
  restsUntil: number;
  calls: number;
  /** When it had its last turn, in turns. */
  lastTurn: number;
  failures: number;
  lanes: number;
}

/** A runner of one process; any number of processes may run one each, `workOn` keeps them apart. */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { name, findWork, workOn, maxInFlight, isBusy, log } = options;
  const state = { isStopping: false, isWoken: false, failures: 0, turn: 0 };
  const places = new Map<string, Place>();
  const lanes = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let roused: NodeJS.Timeout | undefined;

  const backOff = (failures: number): number => Math.min(POLL_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);

  /** One turn of one place: a few portions, then others come first. Nothing is waited for here. */
  const serve = async (key: string, place: Place): Promise<void> => {
    for (let portion = 0; portion < PORTIONS_A_TURN && !state.isStopping; portion += 1) {
      const begin = performance.now();
      const { calls } = place;
      const result = await workOn(key);
      const now = performance.now();
      place.failures = 0;
      if (result === 'idle') {
        // What somebody called for, or another lane wrote, meanwhile may not have been seen.
        if (place.calls === calls) place.restsUntil = now + POLL_MS;
        return;
      }
      call(place);
      if (result === 'blocked') place.notBefore = now + (isBusy() ? BUSY_MS : BLOCKED_MS);
      else if (result === 'deferrable' && isBusy()) {
        place.notBefore = now + Math.min((now - begin) * DEFERRED_FACTOR, MAX_DEFERRED_MS);
      }
      if (place.notBefore > now) return;
    }
  };

  /** The place with work that has waited longest and may be served; a second lane only where no other place waits. */
  const next = async (): Promise<readonly [string, Place] | null> => {
    const keys = await findWork();
    const now = performance.now();
    const known = new Set(keys);
    for (const [key, place] of places) if (!known.has(key) && place.lanes === 0) places.delete(key);
    let best: readonly [string, Place] | null = null;
    for (const key of keys) {
      const place = places.get(key) ?? { notBefore: 0, restsUntil: 0, calls: 0, lastTurn: 0, failures: 0, lanes: 0 };
      places.set(key, place);
      if (waitOf(place) > now) continue;
      const isBetter =
        best === null ||
        place.lanes < best[1].lanes ||
        (place.lanes === best[1].lanes && place.lastTurn < best[1].lastTurn);
      if (isBetter) best = [key, place];
    }
    return best;
  };

  /** Serves places until none is left to be served now. */
  const run = async (): Promise<void> => {
    while (!state.isStopping) {
      state.isWoken = false;
      const found = await next();
      if (found === null) {
        if (state.isWoken) continue;
        return;
      }
      const [key, place] = found;
      state.turn += 1;
      place.lastTurn = state.turn;
      place.lanes += 1;
      try {
        await serve(key, place);
      } catch (error) {
        // A place that fails keeps no other waiting.
        place.failures += 1;
        place.notBefore = performance.now() + backOff(place.failures);
        log.warn({ err: error, reconciler: name, failures: place.failures }, 'a place failed; it is tried again');
      } finally {
        place.lanes -= 1;
      }
    }
  };

  const schedule = (): void => {
    if (state.isStopping) return;
    clearTimeout(timer);
    const now = performance.now();
    const waits = [...places.values()].map((place) => waitOf(place) - now).filter((wait) => wait > 0);
    const delay = state.failures > 0 ? backOff(state.failures) : Math.min(POLL_MS, ...waits);
    timer = setTimeout(look, Math.max(1, delay));
    timer.unref();
  };

  const startLane = (): void => {
    const lane = run().then(
      () => {
        state.failures = 0;
      },
      (error: unknown) => {
        state.failures += 1;
        log.warn(
          { err: error, reconciler: name, failures: state.failures },
          'looking for work failed; it is tried again',
        );
      },
    );
    const ended = lane.then(() => {
      lanes.delete(ended);
      if (lanes.size === 0) schedule();
    });
    lanes.add(ended);
  };

  const look = (): void => {
    state.isWoken = true;
    if (state.isStopping) return;
    while (lanes.size < maxInFlight) startLane();
  };

  const rouse = (): void => {
    clearTimeout(roused);
    roused = undefined;
    for (const place of places.values()) call(place);
    look();
  };

  const wake = (): void => {
    if (!isBusy()) rouse();
    else roused ??= setTimeout(rouse, BUSY_MS).unref();
  };

  return {
    start: rouse,
    wake,
    async stop() {
      state.isStopping = true;
      clearTimeout(timer);
      clearTimeout(roused);
      await Promise.all(lanes);
    },
  };
}

/** Until when a place is left alone. */
function waitOf({ notBefore, restsUntil }: Place): number {
  return Math.max(notBefore, restsUntil);
}

/** Something may be due there. */
function call(place: Place): void {
  place.calls += 1;
  place.restsUntil = 0;
}
