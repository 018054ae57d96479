/** Does something whenever it is woken, and now and then by itself: once at a time, and once more where it was woken meanwhile. */
export interface Pump {
  wake(): void;
  isStopping(): boolean;
  /** Begins no other turn; resolves when the one at hand is over. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
const MAX_BACKOFF_MS = 5_000;

/**
 * @param turn what is done; whether there may be more of it
 * @param onFailure told of a turn that failed, the how manyth in a row it was; it is tried again later and later
 */
export function createPump(turn: () => Promise<boolean>, onFailure: (error: unknown, failures: number) => void): Pump {
  const state = { isRunning: false, isWoken: false, isStopping: false, failures: 0 };
  let pumping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    while (state.isWoken && !state.isStopping) {
      state.isWoken = false;
      try {
        state.isWoken = (await turn()) || state.isWoken;
        state.failures = 0;
      } catch (error) {
        state.failures += 1;
        onFailure(error, state.failures);
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
    wake,
    isStopping: () => state.isStopping,
    stop() {
      state.isStopping = true;
      clearTimeout(timer);
      return pumping;
    },
  };
}
