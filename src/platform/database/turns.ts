import type { Patience } from './patience.ts';

/** Lets those who want the same thing have it one after the other. */
export interface Turns {
  /**
   * Resolves when it is the caller's turn; disposing of what he is given ends it. @throws Error of a timeout at `until`
   */
  take(subject: string, until: number): Promise<Disposable>;
}

/** @param patience ends the waits */
export function createTurns(patience: Patience): Turns {
  /** For each subject that somebody has: who waits for it. Called, a waiter tells whether he takes his turn. */
  const queues = new Map<string, (() => boolean)[]>();
  const turnOf = (subject: string): Disposable => ({
    [Symbol.dispose]() {
      const queue = queues.get(subject) ?? [];
      // Those who have given up are passed over.
      while (queue.length > 0) if (queue.shift()?.() === true) return;
      queues.delete(subject);
    },
  });
  return {
    take: (subject, until) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(subject);
        if (queue === undefined) {
          queues.set(subject, []);
          resolve(turnOf(subject));
          return;
        }
        const isAwaited = patience.watch(until, () => reject(new Error('timeout: others are at it')));
        queue.push(() => {
          if (!isAwaited()) return false;
          resolve(turnOf(subject));
          return true;
        });
      }),
  };
}
