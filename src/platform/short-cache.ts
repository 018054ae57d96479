import { keepLast } from './keep-last.ts';

/** Remembers what was found for a moment, so that a busy key costs one look-up in that time. */
export interface ShortCache<Value> {
  /** The remembered value, or what `load` finds; `null` is never remembered. Concurrent loads of a key share one. */
  find(key: string, load: () => Promise<Value | null>): Promise<Value | null>;
  /** The next `find` of this key loads, and a load on its way is not remembered. */
  forget(key: string): void;
}

/** @param lifetimeMs how long a value is trusted, by a clock that is never set */
export function createShortCache<Value>(lifetimeMs: number, maxEntries: number): ShortCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>();
  const loading = new Map<string, Promise<Value | null>>();

  const loadAndRemember = async (key: string, load: () => Promise<Value | null>): Promise<Value | null> => {
    const until = performance.now() + lifetimeMs;
    const promise = load();
    loading.set(key, promise);
    try {
      const value = await promise;
      if (value !== null && loading.get(key) === promise) {
        keepLast(entries, key, { value, until }, maxEntries);
      }
      return value;
    } finally {
      if (loading.get(key) === promise) loading.delete(key);
    }
  };

  return {
    async find(key, load) {
      const entry = entries.get(key);
      if (entry !== undefined && performance.now() < entry.until) return entry.value;
      return loading.get(key) ?? loadAndRemember(key, load);
    },
    forget(key) {
      entries.delete(key);
      loading.delete(key);
    },
  };
}
