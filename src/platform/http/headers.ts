import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { sha256 } from '#platform/crypto.ts';
import type { IdempotencyClaim } from './contract.ts';
import type { FieldError } from './problems.ts';

/** The versions of the interface that are served, oldest first. */
export const API_VERSIONS = ['2026-11-21'] as const;
/** The version a credential is pinned to when it is created. */
export const CURRENT_API_VERSION = API_VERSIONS[0];

/** What keys and ids in headers consist of. */
export const PRINTABLE = /^[\x20-\x7e]+$/;

/** How long a caller's own id of a request may be. */
export const MAX_CLIENT_REQUEST_ID = 200;
/** How long an idempotency key may be. */
export const MAX_IDEMPOTENCY_KEY = 255;

/** The wrong ones among the headers that every route knows. */
export function headerErrors(clientRequestId: string | undefined, apiVersion: string | undefined): FieldError[] {
  const errors: FieldError[] = [];
  if (clientRequestId !== undefined && !isClientRequestId(clientRequestId)) {
    errors.push({
      field: '#X-Client-Request-Id',
      code: 'invalid_header',
      message: `must be 1 to ${MAX_CLIENT_REQUEST_ID} printable ASCII characters`,
    });
  }
  if (apiVersion !== undefined && !(API_VERSIONS as readonly string[]).includes(apiVersion)) {
    errors.push({
      field: '#X-API-Version',
      code: 'unknown_api_version',
      message: `must be ${API_VERSIONS.join(' or ')}`,
    });
  }
  return errors;
}

/** Whether a caller's request id may be echoed and logged. */
export function isClientRequestId(text: string): boolean {
  return text.length <= MAX_CLIENT_REQUEST_ID && PRINTABLE.test(text);
}

/** How many headers a request may have; browsers, proxies and tracing add a few dozen. */
export const MAX_HEADERS = 100;

/** Whether a request has more headers than it may. */
export function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MAX_HEADERS;
}

/** Whether a body comes with a request. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

const HOST = /^(?:\[[\w.:~%-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

const HOST_NAME = /^host$/i;
const AUTHORIZATION = /^authorization$/i;
const CONTENT_TYPE = /^content-type$/i;

/**
 * Whether a request names one host, and well-formed (RFC 9112 §3.2; by HTTP/1.0 it may name none), and has
 * `Authorization` and `Content-Type` once at most: of two nobody can tell which is meant, here or in a proxy before us.
 */
export function isUnambiguous({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let host: string | undefined;
  let isAuthorized = false;
  let isTyped = false;
  // Of several, `headers` holds the first. A plain loop that makes no text, as every request comes by here.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && HOST_NAME.test(name)) {
      if (host !== undefined) return false;
      host = rawHeaders[at + 1] ?? '';
    } else if (name.length === 13 && AUTHORIZATION.test(name)) {
      if (isAuthorized) return false;
      isAuthorized = true;
    } else if (name.length === 12 && CONTENT_TYPE.test(name)) {
      if (isTyped) return false;
      isTyped = true;
    }
  }
  return host === undefined ? httpVersion !== '1.1' : HOST.test(host);
}

/** How many characters a reason may have. */
export const MAX_REASON_LENGTH = 500;

/** The text of `X-Reason`; `null` when it is none. HTTP libraries hand headers over as Latin-1, whatever was sent. */
export function readText(header: string): string | null {
  const bytes = Buffer.from(header, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : header;
  const trimmed = text.trim();
  return trimmed.length >= 1 && trimmed.length <= MAX_REASON_LENGTH && !/\p{Cc}/u.test(trimmed) ? trimmed : null;
}

/** The key of `Idempotency-Key`, quoted (RFC 8941 string) or bare; `null` when it is neither. */
export function readIdempotencyKey(header: string): string | null {
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(header.trim());
  const key = quoted === null ? header.trim() : (quoted[1] ?? '').replaceAll(/\\(["\\])/g, '$1');
  return key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY && PRINTABLE.test(key) ? key : null;
}

/** What the key stands for: method, URL and body, to the byte. `path` is what the URL means, however it is spelled. */
export function claimOf(
  key: string,
  { method, url, path }: { readonly method: string; readonly url: string; readonly path: string },
  body: Uint8Array,
): IdempotencyClaim {
  const fingerprint = sha256(Buffer.concat([Buffer.from(`${method} ${url}\n`), body]));
  return { key, fingerprint, method, path };
}

/** The one spelling of a path: that of its route with its parameters, each percent-encoded where it must be. */
export function pathOf(route: string, parameters: Readonly<Record<string, string>>): string {
  return route.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

/** Whether `application/json` may be answered. Who accepts problems alone is answered one, in JSON as well. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const ranges = accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { type, refused: quality !== undefined && Number(quality.slice(2)) === 0 };
  });
  const rangeOf = (wanted: string): (typeof ranges)[number] | undefined => ranges.find(({ type }) => type === wanted);
  // The most specific range that names JSON decides.
  const decisive = rangeOf('application/json') ?? rangeOf('application/*') ?? rangeOf('*/*');
  return (
    decisive?.refused === false || (decisive === undefined && rangeOf('application/problem+json')?.refused === false)
  );
}

/** Whether a body of this `Content-Type` is JSON in UTF-8. */
export function isJsonContent(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  const [type = '', ...parameters] = contentType.split(';').map((piece) => piece.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return type === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/** Whether a body of this `Content-Encoding` is as it was written: nothing unpacks it here. */
export function isPlainContent(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || /^(?:identity)?$/i.test(contentEncoding.trim());
}

/** Whether a body of this `Transfer-Encoding` is only cut into chunks: nothing else is undone here. */
export function isPlainTransfer(transferEncoding: string | undefined): boolean {
  return transferEncoding === undefined || /^chunked$/i.test(transferEncoding);
}

/** Whether a list of entity tags (`If-None-Match`) names this one; weak comparison, RFC 9110 §13.1.2. */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag);
}

/**
 * Whether `If-Match` allows a change of the state that `tag` names; strong comparison, RFC 9110 §13.1.1. A tag read
 * with `expand[]` counts as the tag of the resource itself, which leads it.
 */
export function allowsChange(header: string | undefined, tag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return header.split(',').some((part) => part.trim().replace(/\.[^."]*"$/, '"') === tag);
}
