import { randomSecret, sha256 } from '#platform/crypto.ts';
import type { TokenPair } from './store.ts';

/** How long an access token lives, in seconds. */
export const ACCESS_TOKEN_SECONDS = 3600;
/** How long a refresh token lives that is not used, in seconds. */
const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/** The clocks of instances may differ by so much, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

const ACCESS_TOKEN = /^es_at_[A-Za-z0-9_-]{43}$/;
const REFRESH_TOKEN = /^es_rt_[A-Za-z0-9_-]{43}$/;

/** Whether a text can be an access token; what cannot need not be looked up. */
export function isAccessToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}

/** Whether a text can be a refresh token. */
export function isRefreshToken(text: string): boolean {
  return REFRESH_TOKEN.test(text);
}

/**
 * Whether a token was issued by a clock that has been set back since. How long ago that was nobody can tell: it would live
 * as much longer as the clock was set back, or as the clock had gone wrong before.
 */
export function isFromFuture(issuedMs: number, now: Temporal.Instant): boolean {
  return issuedMs > now.epochMilliseconds + CLOCK_TOLERANCE_MS;
}

/** Two new tokens for the client, and what of them is stored. */
export function mintPair(now: Temporal.Instant): {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly pair: TokenPair;
} {
  const accessToken = `es_at_${randomSecret()}`;
  const refreshToken = `es_rt_${randomSecret()}`;
  const pair = {
    accessHash: sha256(accessToken),
    refreshHash: sha256(refreshToken),
    issuedAt: now.toString(),
    latestIssue: now.add({ milliseconds: CLOCK_TOLERANCE_MS }).toString(),
    accessExpiresAt: now.add({ seconds: ACCESS_TOKEN_SECONDS }).toString(),
    refreshExpiresAt: now.add({ seconds: REFRESH_TOKEN_SECONDS }).toString(),
  };
  return { accessToken, refreshToken, pair };
}
