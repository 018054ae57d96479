import { toProblem, WattlineError } from './errors.ts';
import { retryAfterSeconds, withRetries, type RetryPolicy } from './retry.ts';

/** Where tokens come from. */
export interface TokenSource {
  /** A token that is good for a while yet. However many ask at once, one request is on its way. */
  get(): Promise<string>;
  /** Says that this token was refused: the next `get` fetches another one. */
  refused(token: string): void;
}

interface Token {
  readonly text: string;
  /** On the clock of `performance.now()`. */
  readonly renewAtMs: number;
}

/** A token is renewed when a tenth of its life is left, or a minute if that is less. */
const RENEW_BEFORE_MS = 60_000;

/** Tokens by client credentials (RFC 6749 §4.4). @param url the token endpoint */
export function createTokenSource(
  { url, clientId, clientSecret }: { readonly url: string; readonly clientId: string; readonly clientSecret: string },
  fetch: typeof globalThis.fetch,
  policy: RetryPolicy,
): TokenSource {
  const basic = btoa(`${encodeForm(clientId)}:${encodeForm(clientSecret)}`);
  let current: Token | null = null;
  let pending: Promise<Token> | null = null;

  async function request(): Promise<Token> {
    const askedAtMs = performance.now();
    const response = await withRetries(policy, null, (signal) =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
        redirect: 'manual',
        signal,
      }),
    );
    const text = await response.text();
    if (!response.ok) throw new WattlineError(toProblem(response, text), retryAfterSeconds(response));
    const { access_token: token, expires_in: seconds } = JSON.parse(text) as {
      access_token: string;
      expires_in: number;
    };
    const lifeMs = seconds * 1000;
    return { text: token, renewAtMs: askedAtMs + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs / 10) };
  }

  return {
    async get() {
      if (current !== null && performance.now() < current.renewAtMs) return current.text;
      pending ??= request().finally(() => {
        pending = null;
      });
      current = await pending;
      return current.text;
    },
    refused(token) {
      if (current?.text === token) current = null;
    },
  };
}

/** As RFC 6749 §2.3.1 wants id and secret: form-urlencoded, and only ASCII is left. */
function encodeForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
