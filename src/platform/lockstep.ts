/** Resolves when everything that has come in this turn of the event loop has come; then all of it goes on, in that order. */
export type Lockstep = () => Promise<void>;

/**
 * Has what comes in one turn of the event loop go on together. Each then takes its first step, up to where it awaits
 * something, then each its second: a step finds its code in the processor's caches, where the one before has left it. One
 * after the other from beginning to end, requests take half as long again.
 */
export function createLockstep(): Lockstep {
  let together: Promise<void> | undefined;
  return () => {
    together ??= new Promise((resolve) => {
      setImmediate(() => {
        together = undefined;
        resolve();
      });
    });
    return together;
  };
}
