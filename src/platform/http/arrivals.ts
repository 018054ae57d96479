/** Lets requests wait while connections are accepted. */
export interface Arrivals {
  /** A connection was accepted. */
  came(): void;
  /** Begins a request: at once, or once no more connections come. */
  begin(request: () => void): void;
}

/** Requests wait so long at most; then they are begun, whoever else may come. */
const MOST_MS = 200;

/**
 * Node accepts one connection in each turn of its event loop (libuv ≥ 1.45). A turn in which requests are begun takes
 * milliseconds, so that of many who connect at the same time, as after a restart, most would wait for seconds, and those who
 * were let in be served again and again meanwhile. So as long as connections come, requests wait: such a turn takes
 * microseconds.
 */
export function createArrivals(monotonicMs: () => number = () => performance.now()): Arrivals {
  let waiting: (() => void)[] = [];
  let hasCome = false;
  let isLooking = false;
  let since = 0;

  /** At the end of a turn: one in which nobody came is the last. */
  const look = (): void => {
    if (hasCome && monotonicMs() - since < MOST_MS) {
      hasCome = false;
      setImmediate(look);
      return;
    }
    hasCome = false;
    isLooking = false;
    const requests = waiting;
    waiting = [];
    for (const request of requests) request();
  };

  return {
    came() {
      hasCome = true;
      if (isLooking) return;
      isLooking = true;
      since = monotonicMs();
      setImmediate(look);
    },
    begin(request) {
      if (isLooking) waiting.push(request);
      else request();
    },
  };
}
