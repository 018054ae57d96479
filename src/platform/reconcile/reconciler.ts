import { backOff, BUSY_MS, createPlaces, POLL_MS, type PlacesOptions } from './places.ts';

export type { PortionResult } from './places.ts';

/** Settings of `createReconciler`. */
export interface ReconcilerOptions extends PlacesOptions {
  /** Portions at work at once in this process. */
  readonly maxInFlight: number;
}

/** Does what is due, from what the database says alone: new work, crashes and missed signals are one case. */
export interface Reconciler {
  start(): void;
  /** Something may be due now; looked at in a moment. Cheap; may be called after every commit. */
  wake(): void;
  /** Finishes the portions at work, and starts no other. */
  stop(): Promise<void>;
}

/** A runner of one process; any number of processes may run one each, `workOn` keeps them apart. */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { name, maxInFlight, traffic, log } = options;
  const state = { isStopping: false, failures: 0, pauseMs: 0 };
  const places = createPlaces(options, () => state.isStopping);
  const lanes = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let roused: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    if (state.isStopping) return;
    clearTimeout(timer);
    const delay = state.failures > 0 ? state.pauseMs : Math.min(POLL_MS, ...places.waits());
    timer = setTimeout(look, Math.max(1, delay));
    timer.unref();
  };

  const startLane = (): void => {
    const lane = places.serve().then(
      () => {
        state.failures = 0;
      },
      (error: unknown) => {
        state.failures += 1;
        state.pauseMs = backOff(state.failures, error);
        log.warn(
          { err: error, reconciler: name, failures: state.failures },
          'looking for work failed; it is tried again',
        );
      },
    );
    const ended = lane.then(() => {
      lanes.delete(ended);
      // Also while others are at work: there may be room for this lane again.
      schedule();
    });
    lanes.add(ended);
  };

  const look = (): void => {
    places.lookAgain();
    if (state.isStopping) return;
    while (lanes.size < maxInFlight) startLane();
  };

  const rouse = (): void => {
    clearTimeout(roused);
    roused = undefined;
    places.call();
    look();
  };

  const wake = (): void => {
    if (!traffic.isCrowded()) rouse();
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
