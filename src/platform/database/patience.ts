const LOOK_MS = 100;

/** Looks after what is awaited, and gives it up after some time. */
export interface Patience {
  /**
   * Gives a function that tells whether something is still awaited, and ends the wait. `giveUp` is called when nobody has
   * asked by `until`, an instant of `performance.now()`.
   */
  watch(until: number, giveUp: () => void): () => boolean;
  /** Gives up whatever is awaited still. */
  stop(): void;
}

/**
 * One timer looks after everything that is awaited, in places that are used again and again. A timer for each query, as
 * `pg` and its pool set them, or a `Set`, leaves dead structures behind that the garbage collector takes for old before it
 * finds them dead, and in them what was awaited: a fifth of all that the service allocated grew old by that.
 */
export function createPatience(): Patience {
  const places: ({ readonly until: number; readonly giveUp: () => void } | null)[] = [];
  const vacant: number[] = [];
  const giveUpBy = (now: number): void => {
    for (const [place, awaited] of places.entries()) {
      if (awaited === null || awaited.until > now) continue;
      places[place] = null;
      vacant.push(place);
      awaited.giveUp();
    }
  };
  const timer = setInterval(() => giveUpBy(performance.now()), LOOK_MS).unref();
  return {
    watch(until, giveUp) {
      const place = vacant.pop() ?? places.length;
      const awaited = { until, giveUp };
      places[place] = awaited;
      return () => {
        if (places[place] !== awaited) return false;
        places[place] = null;
        vacant.push(place);
        return true;
      };
    },
    stop() {
      clearInterval(timer);
      giveUpBy(Infinity);
    },
  };
}
