/** Tells how opening a connection went: null, or why it failed. */
type Told = (error: Error | null) => void;

/**
 * Lets connections be opened: once one has waited in vain, one at a time, until one succeeds. A server that stands still is
 * connected to by its operating system, and afterwards takes those that were given up as well, one after another, before it
 * comes to those that are awaited.
 */
export interface Door {
  /** Opens a connection when it is its turn, or fails as the one did that it waited for. */
  enter(open: (told: Told) => void, told: Told): void;
}

/** @param patienceMs how long opening a connection takes until it is given up */
export function createDoor(patienceMs: number, now: () => number = () => performance.now()): Door {
  let isSilent = false;
  /** Those who wait for the one that tries; null while nobody does. */
  let waiting: Told[] | null = null;

  const attempt = (open: (told: Told) => void, told: Told): void => {
    const begun = now();
    open((error) => {
      if (error === null) isSilent = false;
      else if (now() - begun >= patienceMs) isSilent = true;
      told(error);
    });
  };
  return {
    enter(open, told) {
      if (!isSilent) {
        attempt(open, told);
        return;
      }
      if (waiting !== null) {
        waiting.push((error) => {
          if (error === null) attempt(open, told);
          else told(error);
        });
        return;
      }
      const others: Told[] = [];
      waiting = others;
      attempt(open, (error) => {
        waiting = null;
        told(error);
        for (const tell of others) tell(error);
      });
    },
  };
}
