import { unixSeconds } from './clock.ts';
import type { WattlineEvent, WebhookTest } from './events.ts';
import { isHeaders } from './headers.ts';

/** The headers of a request, of whatever framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request that is not, or no longer, to be believed. Answer it 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook as Standard Webhooks says, and gives its event, or what a test of the endpoint sends. It is enough
 * that one of the signatures fits one of the secrets, so that secrets can be rotated.
 * @param secret one or several, `whsec_…`
 * @param rawBody the body as it came, before any parsing
 * @throws WebhookVerificationError
 * @throws TypeError for what is the receiver's mistake: a secret that is none, or a body that was parsed
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: { readonly toleranceSeconds?: number } = {},
): Promise<WattlineEvent | WebhookTest> {
  // A view, whatever realm its class is of: test runners have their own.
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) {
    throw new TypeError('the raw body is the text or the bytes as they came, before any parsing');
  }
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name);
    if (value === null) throw new WebhookVerificationError(`the header ${name} is missing`);
    return value;
  }) as [string, string, string];
  const age = /^\d{1,12}$/.test(timestamp) ? Math.abs(unixSeconds() - Number(timestamp)) : Infinity;
  // Also where the tolerance is no number, of which nothing is greater.
  if (!(age <= toleranceSeconds)) throw new WebhookVerificationError('webhook-timestamp is too old, or of the future');
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await crypto.subtle.importKey('raw', keyOf(each), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures.split(' ').flatMap(readSignature)) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return readEvent(body);
    }
  }
  throw new WebhookVerificationError('no signature fits a secret');
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (isHeaders(headers)) return headers.get(name);
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : (value?.join(' ') ?? null);
}

/** @throws TypeError for what is no secret: that is the receiver's mistake, not the sender's */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : null;
  if (key === null || key.length === 0) throw new TypeError('a secret of webhooks has the form whsec_<base64>');
  return key;
}

/** The bytes of `v1,<base64>`; nothing for signatures of other kinds. */
function readSignature(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = text.startsWith('v1,') ? fromBase64(text.slice('v1,'.length)) : null;
  return bytes === null ? [] : [bytes];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function readEvent(body: Uint8Array): WattlineEvent | WebhookTest {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WattlineEvent | WebhookTest;
  } catch (error) {
    throw new WebhookVerificationError('the body is no JSON', { cause: error });
  }
}
