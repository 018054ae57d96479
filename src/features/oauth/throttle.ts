import type { Clock } from '#platform/clock.ts';
import { keepLast } from '#platform/keep-last.ts';

/**
 * Slows the guessing of secrets: counts wrong ones for each pair of client id and address, in the memory of this
 * process. Other addresses and other client ids are not affected.
 */
export interface Throttle {
  /** Whole seconds until the pair may try again; 0 when it may now. */
  waitSeconds(clientId: string, address: string): number;
  /** A wrong secret. */
  failed(clientId: string, address: string): void;
  /** A right secret: all is forgotten. */
  succeeded(clientId: string, address: string): void;
}

/** How many wrong secrets cost nothing. */
const FREE_FAILURES = 10;
const MAX_WAIT_MS = 60_000;
/** After so long without a wrong secret the earlier ones are forgotten. */
const FORGET_AFTER_MS = 15 * 60_000;
/** More pairs are never held; the one that was heard of least recently goes first. */
const MAX_PAIRS = 10_000;

interface Pair {
  readonly failures: number;
  /** When the last one was; milliseconds since 1970. */
  readonly atMs: number;
}

/** After 10 wrong secrets each further one costs a wait of 1, 2, 4 … at most 60 seconds. */
export function createThrottle({ clock }: { readonly clock: Clock }): Throttle {
  const pairs = new Map<string, Pair>();
  // An address has no blanks, so that two pairs never share a key.
  const keyOf = (clientId: string, address: string): string => `${address} ${clientId}`;
  const find = (key: string, nowMs: number): Pair | undefined => {
    const pair = pairs.get(key);
    if (pair === undefined) return undefined;
    if (nowMs - pair.atMs > FORGET_AFTER_MS) {
      pairs.delete(key);
      return undefined;
    }
    // A clock set back must not lengthen the wait.
    return pair.atMs <= nowMs ? pair : keep(key, { ...pair, atMs: nowMs });
  };
  const keep = (key: string, pair: Pair): Pair => {
    keepLast(pairs, key, pair, MAX_PAIRS);
    return pair;
  };
  return {
    waitSeconds(clientId, address) {
      const nowMs = clock.now().epochMilliseconds;
      const pair = find(keyOf(clientId, address), nowMs);
      if (pair === undefined || pair.failures < FREE_FAILURES) return 0;
      const penaltyMs = Math.min(MAX_WAIT_MS, 1000 * 2 ** (pair.failures - FREE_FAILURES));
      return Math.max(0, Math.ceil((pair.atMs + penaltyMs - nowMs) / 1000));
    },
    failed(clientId, address) {
      const atMs = clock.now().epochMilliseconds;
      const key = keyOf(clientId, address);
      keep(key, { failures: (find(key, atMs)?.failures ?? 0) + 1, atMs });
    },
    succeeded(clientId, address) {
      pairs.delete(keyOf(clientId, address));
    },
  };
}
