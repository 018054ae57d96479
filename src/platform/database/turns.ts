import type { Patience } from './patience.ts';

/** Lets those who want the same thing have it one after the other, or a few at a time. */
export interface Turns {
  /**
   * Resolves when it is the caller's turn; disposing of what he is given ends it. @throws Error of a timeout at `until`
   */
  take(subject: string, until: number): Promise<Disposable>;
  /** How many wait for their turn. */
  waiting(): number;
}

/** A subject that somebody has. */
interface Line {
  taken: number;
  /** Who waits for it. Called, a waiter tells whether he takes his turn. */
  readonly waiting: (() => boolean)[];
}

/**
 * @param patience ends the waits
 * @param atOnce how many may have one subject at the same time
 */
export function createTurns(patience: Patience, atOnce = 1): Turns {
  const lines = new Map<string, Line>();
  let waiting = 0;
  const turnIn = (subject: string, line: Line): Disposable => ({
    [Symbol.dispose]() {
      // Those who have given up are passed over.
      while (line.waiting.length > 0) if (line.waiting.shift()?.() === true) return;
      line.taken -= 1;
      if (line.taken === 0) lines.delete(subject);
    },
  });
  return {
    take: (subject, until) =>
      new Promise((resolve, reject) => {
        const line = lines.get(subject) ?? { taken: 0, waiting: [] };
        lines.set(subject, line);
        if (line.taken < atOnce) {
          line.taken += 1;
          resolve(turnIn(subject, line));
          return;
        }
        waiting += 1;
        const isAwaited = patience.watch(until, () => {
          waiting -= 1;
          reject(new Error('timeout: others are at it'));
        });
        line.waiting.push(() => {
          if (!isAwaited()) return false;
          waiting -= 1;
          resolve(turnIn(subject, line));
          return true;
        });
      }),
    waiting: () => waiting,
  };
}
