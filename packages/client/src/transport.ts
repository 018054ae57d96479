import { toProblem, WattlineError } from './errors.ts';
import { retryAfterSeconds, withRetries, type RetryPolicy } from './retry.ts';
import type { TokenSource } from './tokens.ts';

/** What a call needs beside the request. */
export interface TransportOptions extends RetryPolicy {
  readonly fetch: typeof globalThis.fetch;
  readonly tokens: TokenSource;
  readonly apiVersion: string | null;
}

/**
 * One logical call: a token, an `Idempotency-Key` for what changes something (the same in every attempt), and as many
 * attempts as it takes. A token that is refused is replaced once. @throws WattlineError when the answer is no success
 */
export async function transport(options: TransportOptions, request: Request): Promise<Response> {
  const { url, method, signal } = request;
  signal.throwIfAborted();
  const headers = new Headers(request.headers);
  if (options.apiVersion !== null && !headers.has('x-api-version')) headers.set('x-api-version', options.apiVersion);
  if (method !== 'GET' && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
  const body = method === 'GET' ? null : await request.text();
  const policy = { ...options, timeoutMs: options.timeoutMs + waitMs(url) };
  for (let isFirst = true; ; isFirst = false) {
    const token = await unlessAborted(options.tokens.get(), signal);
    headers.set('authorization', `Bearer ${token}`);
    const response = await withRetries(policy, signal, (signal) =>
      options.fetch(url, { method, headers, body: body === '' ? null : body, redirect: 'manual', signal }),
    );
    if (response.ok) return response;
    if (response.status === 401 && isFirst) {
      options.tokens.refused(token);
      continue;
    }
    throw new WattlineError(toProblem(response, await response.text()), retryAfterSeconds(response));
  }
}

/** How long a request has the service wait for something new. */
function waitMs(url: string): number {
  const seconds = Number(new URL(url).searchParams.get('wait'));
  return seconds > 0 ? 1000 * seconds : 0;
}

/** The same promise, given up when the signal aborts: others may wait for it too, so it goes on. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason as Error);
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted));
  });
}
