import type { Clock } from '../clock.ts';
import { keepLast } from '../keep-last.ts';

/** What a request found in its bucket. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Requests left. */
  readonly remaining: number;
  /** Seconds until the bucket is full, or, when refused, until one request fits again; whole, rounded up. */
  readonly seconds: number;
}

/** Token buckets, one for each key, in the memory of this process. */
export interface RateLimiter {
  readonly policy: string;
  take(key: string, nowMs: number): RateDecision;
}

/**
 * How many keys are held at most; beyond that, the one unused for longest is forgotten, and starts with a full bucket.
 */
const MAX_KEYS = 10_000;

/** @param perSecond allowance; a burst of twice as many may be taken at once */
export function createRateLimiter(perSecond: number): RateLimiter {
  const burst = perSecond * 2;
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    policy: `"default";q=${burst};w=2`,
    take(key, nowMs) {
      const bucket = buckets.get(key) ?? { tokens: burst, at: nowMs };
      // A clock set back must not take tokens away.
      const elapsed = Math.max(0, nowMs - bucket.at);
      bucket.tokens = Math.min(burst, bucket.tokens + (elapsed / 1000) * perSecond);
      bucket.at = nowMs;
      keepLast(buckets, key, bucket, MAX_KEYS);
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens;
      return { allowed, remaining: Math.floor(bucket.tokens), seconds: Math.max(1, Math.ceil(missing / perSecond)) };
    },
  };
}

/**
 * Counts a request of a credential, and tells what it has left, however the request ends. `null`: nothing is limited.
 */
export function takeAllowance(
  limiter: RateLimiter | null,
  credentialId: string,
  clock: Clock,
  setHeader: (name: string, value: string) => void,
): RateDecision | null {
  if (limiter === null) return null;
  const taken = limiter.take(credentialId, clock.now().epochMilliseconds);
  setHeader('ratelimit-policy', limiter.policy);
  setHeader('ratelimit', `"default";r=${taken.remaining};t=${taken.seconds}`);
  return taken;
}
