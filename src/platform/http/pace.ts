/** Does what is handed over a few at a time. */
export type Pace = (work: () => void) => void;

/** For how long one turn of the event loop does this work at least, when there is that much of it. */
const LEAST_MS_A_TURN = 3;
/** And for which share of the time that all else has taken since, where that is longer: who waits is told soon. */
const SHARE = 0.5;

/**
 * Spreads work that costs little each over turns of the event loop. Thousands of refusals in one turn would make it last so
 * long that a request which was let in, and needs some turns, is answered too late itself; and who waits for his refusal
 * sends nothing meanwhile.
 */
export function createPace(monotonicMs: () => number = () => performance.now()): Pace {
  let waiting: (() => void)[] = [];
  let next = 0;
  let endedAt = monotonicMs();

  const goOn = (): void => {
    const now = monotonicMs();
    const until = now + Math.max(LEAST_MS_A_TURN, (now - endedAt) * SHARE);
    do waiting[next++]?.();
    while (next < waiting.length && monotonicMs() < until);
    endedAt = monotonicMs();
    // What is done is let go of, also when more comes all the while.
    waiting = waiting.slice(next);
    next = 0;
    if (waiting.length > 0) setImmediate(goOn);
  };

  return (work) => {
    if (waiting.push(work) > 1) return;
    endedAt = monotonicMs();
    setImmediate(goOn);
  };
}
