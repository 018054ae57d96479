/** Resolves in a turn of the event loop to come, with all that goes on then. @param weight how much work it is, 0 for little */
export type Lockstep = (weight: number) => Promise<void>;

/** Node accepts one connection in each turn of its event loop, see `createArrivals`; such a turn takes microseconds. */
const TURNS_BETWEEN = 32;
/** Where they take longer, no more than this share of the time that the work before them took. */
const SHARE_BETWEEN = 0.25;

interface Waiting {
  readonly weight: number;
  readonly goOn: () => void;
}

/**
 * Has what comes in one turn of the event loop go on together in the next. Each then takes its first step, up to where it
 * awaits something, then each its second: a step finds its code in the processor's caches, where the one before has left it.
 * One after the other from beginning to end, requests take half as long again.
 *
 * What is too much for one turn goes on in those after it, in its order; between them the event loop comes to everybody else,
 * and what is light passes by.
 *
 * @param most how much may go on in one turn, unless one alone is more
 */
export function createLockstep(most: number, monotonicMs: () => number = () => performance.now()): Lockstep {
  let queue: Waiting[] = [];

  const takeTurn = (): void => {
    const together = queue;
    queue = [];
    let weight = 0;
    for (const [index, waiting] of together.entries()) {
      if (index > 0 && weight + waiting.weight > most) queue.push(waiting);
      else {
        weight += waiting.weight;
        waiting.goOn();
      }
    }
    if (queue.length > 0) setImmediate(letOthersCome, monotonicMs());
  };

  const letOthersCome = (begunAt: number): void => {
    const now = monotonicMs();
    const until = now + (now - begunAt) * SHARE_BETWEEN;
    let turns = TURNS_BETWEEN;
    const look = (): void => {
      turns -= 1;
      if (turns === 0 || monotonicMs() > until) takeTurn();
      else setImmediate(look);
    };
    setImmediate(look);
  };

  return (weight) =>
    new Promise((goOn) => {
      if (queue.push({ weight, goOn }) === 1) setImmediate(takeTurn);
    });
}
