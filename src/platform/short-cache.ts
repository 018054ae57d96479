/** Remembers what was found for a moment, so that a busy key costs one look-up in that time. */
export interface ShortCache<Value> {
  /** The remembered value, or what `load` finds; `null` is never remembered. Concurrent loads of a key share one. */
  find(key: string, load: () => Promise<Value | null>): Promise<Value | null>;
}

/** @param lifetimeMs how long a value is trusted, by a clock that is never set */
export function createShortCache<Value>(lifetimeMs: number, maxEntries: number): ShortCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>();
  const loading = new Map<string, Promise<Value | null>>();
  return {
    async find(key, load) {
      const entry = entries.get(key);
      if (entry !== undefined && performance.now() < entry.until) return entry.value;
      const running = loading.get(key);
      if (running !== undefined) return running;
      const started = performance.now();
      const promise = load().finally(() => loading.delete(key));
      loading.set(key, promise);
      const value = await promise;
      entries.delete(key);
      if (value !== null) {
        entries.set(key, { value, until: started + lifetimeMs });
        const [oldest] = entries.keys();
        if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
      }
      return value;
    },
  };
}
