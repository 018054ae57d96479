/** Lets requests wait while connections are accepted. */
export interface Arrivals {
  /** A connection was accepted. */
  came(): void;
  /** Begins a request: at once, or once no more connections come. */
  begin(request: () => void): void;
  /** Does something in a turn in which nobody came, before any request that waits is begun. */
  onceNobodyComes(work: () => void): void;
}

/** Requests wait so long at most; then they are begun, whoever else may come. */
const MOST_MS = 200;
/** Whoever closes the port waits longer: those who come at that moment are lost. */
const MOST_TO_CLOSE_MS = 500;
/** In a turn that took longer, somebody may have come since it was looked for those who come. */
const SHORT_MS = 1;

/**
 * Node accepts one connection in each turn of its event loop (libuv ≥ 1.45). A turn in which requests are begun takes
 * milliseconds, so that of many who connect at the same time, as after a restart, most would wait for seconds, and those who
 * were let in be served again and again meanwhile. So as long as connections come, requests wait: such a turn takes
 * microseconds.
 * @param mostWaiting more requests do not wait: where they held all places, whoever comes next would find none
 */
export function createArrivals(mostWaiting: number, monotonicMs: () => number = () => performance.now()): Arrivals {
  let waiting: (() => void)[] = [];
  let works: (() => void)[] = [];
  let hasCome = false;
  let isLooking = false;
  let since = 0;
  let lookedAt = 0;

  const beginWaiting = (): void => {
    const due = waiting;
    waiting = [];
    for (const begin of due) begin();
  };
  /** At the end of a turn: one in which nobody came is the last. */
  const look = (): void => {
    const now = monotonicMs();
    const closes = works.length > 0;
    const mayBeMore = hasCome || (closes && now - lookedAt > SHORT_MS);
    lookedAt = now;
    if (mayBeMore && now - since < (closes ? MOST_TO_CLOSE_MS : MOST_MS)) {
      hasCome = false;
      setImmediate(look);
      return;
    }
    hasCome = false;
    isLooking = false;
    const due = works;
    works = [];
    for (const work of due) work();
    beginWaiting();
  };
  const came = (): void => {
    hasCome = true;
    if (isLooking) return;
    isLooking = true;
    since = monotonicMs();
    setImmediate(look);
  };

  return {
    came,
    begin(request) {
      if (!isLooking) {
        request();
        return;
      }
      waiting.push(request);
      if (waiting.length > mostWaiting) beginWaiting();
    },
    onceNobodyComes(work) {
      works.push(work);
      came();
      since = monotonicMs();
    },
  };
}
