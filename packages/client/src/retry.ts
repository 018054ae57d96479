import { millisecondsUntil, randomFraction, sleep } from './clock.ts';

/** How often and how soon a call is repeated. */
export interface RetryPolicy {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  /** The first pause, in milliseconds; each further one is twice as long. */
  readonly retryDelayMs: number;
  /** How long one attempt may take, in milliseconds; longer where it has the service wait. */
  readonly timeoutMs: number;
}

const MAX_DELAY_MS = 20_000;
/** An answer that asks for a longer pause than this is handed to the caller. */
const MAX_RETRY_AFTER_SECONDS = 60;
const TRANSIENT = new Set([408, 429, 502, 503, 504]);

/**
 * Attempts until there is an answer that repeating would not change, or the attempts are used up; then the last answer, or
 * the last failure, is the outcome. Answers are read to the end, so that one that breaks off counts as none.
 * @throws the reason of the signal as soon as it aborts
 */
export async function withRetries(
  policy: RetryPolicy,
  signal: AbortSignal | null,
  attempt: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    const outcome = await once(policy, signal, attempt);
    const isLast = retries >= policy.maxRetries;
    if ('error' in outcome) {
      if (isLast) throw outcome.error;
      await sleep(delayMs(policy, retries), signal);
      continue;
    }
    const { response } = outcome;
    const asked = retryAfterSeconds(response);
    if (isLast || !(await isTransient(response)) || (asked ?? 0) > MAX_RETRY_AFTER_SECONDS) return response;
    await sleep(Math.max(delayMs(policy, retries), (asked ?? 0) * 1000), signal);
  }
}

/** Seconds until an answer asks to be tried again; null when it does not say. */
export function retryAfterSeconds({ headers }: Response): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : millisecondsUntil(text) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0);
}

async function once(
  { timeoutMs }: RetryPolicy,
  signal: AbortSignal | null,
  attempt: (signal: AbortSignal) => Promise<Response>,
): Promise<{ readonly response: Response } | { readonly error: unknown }> {
  signal?.throwIfAborted();
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await attempt(signal === null ? limit : AbortSignal.any([signal, limit]));
    const { status, statusText, headers } = response;
    const hasBody = status !== 204 && status !== 304;
    const body = hasBody ? await response.arrayBuffer() : null;
    return { response: new Response(body, { status, statusText, headers }) };
  } catch (error) {
    signal?.throwIfAborted();
    return { error };
  }
}

/** Between half of it and all of it, so that many callers do not come back at once. */
function delayMs({ retryDelayMs }: RetryPolicy, retries: number): number {
  return Math.min(retryDelayMs * 2 ** retries, MAX_DELAY_MS) * (0.5 + randomFraction() / 2);
}

/** Whether the same request may well be answered otherwise in a moment. */
async function isTransient(response: Response): Promise<boolean> {
  if (TRANSIENT.has(response.status)) return true;
  if (response.status !== 409) return false;
  return (await response.clone().text()).includes('"idempotency_request_in_progress"');
}
