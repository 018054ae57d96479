/** A signal of one call, which aborts with the one that it follows until it is let go. */
export interface OwnSignal {
  readonly signal: AbortSignal;
  letGo(): void;
}

/** Calls that follow one signal. */
interface Followers {
  readonly calls: Set<AbortController>;
  readonly abort: () => void;
}

/**
 * Gives each call a signal of its own. A request leaves a listener at its signal until it is collected, and one signal may be
 * given to any number of calls, such as those that follow the feed: it has one listener while there are any, and Node takes
 * more than ten for a leak.
 */
export function createOwnSignals(): (signal: AbortSignal) => OwnSignal {
  const followed = new Map<AbortSignal, Followers>();
  const begin = (signal: AbortSignal): Followers => {
    const calls = new Set<AbortController>();
    const abort = (): void => {
      for (const call of calls) call.abort(signal.reason);
    };
    signal.addEventListener('abort', abort);
    const followers = { calls, abort };
    followed.set(signal, followers);
    return followers;
  };
  return (signal) => {
    const { calls, abort } = followed.get(signal) ?? begin(signal);
    const own = new AbortController();
    calls.add(own);
    return {
      signal: own.signal,
      letGo() {
        calls.delete(own);
        if (calls.size > 0) return;
        signal.removeEventListener('abort', abort);
        followed.delete(signal);
      },
    };
  };
}
