import { parseStrictJson } from '#platform/http/json.ts';
import { isJsonContent, isPlainContent } from '#platform/http/headers.ts';
import { refuse, refuseContent, type OauthRefusal } from './outcome.ts';

/** The parameters of a request; one that was sent without a value is not there (RFC 6749 §3.2). */
export type Parameters = ReadonlyMap<string, string>;

/** What of a request the OAuth endpoints look at. */
export interface OauthRequest {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Buffer;
  /** Where the connection comes from. */
  readonly address: string;
}

/** The parameters the endpoints know; others are read, so that repetition shows, and ignored. */
const KNOWN: ReadonlySet<string> = new Set([
  'grant_type',
  'scope',
  'refresh_token',
  'client_id',
  'client_secret',
  'token',
  'token_type_hint',
]);

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the body: form-encoded as RFC 6749 appendix B says, or, as an extra, a JSON object of strings. */
export function parseParameters(
  request: Pick<OauthRequest, 'contentType' | 'contentEncoding' | 'body'>,
): { readonly ok: true; readonly parameters: Parameters } | OauthRefusal {
  if (request.body.length === 0) return { ok: true, parameters: new Map() };
  if (!isPlainContent(request.contentEncoding)) return refuseContent();
  if (isFormContent(request.contentType)) return parseForm(request.body);
  if (isJsonContent(request.contentType)) return parseJson(request.body);
  return refuseContent();
}

/** A `charset` says nothing of a form, whose octets are percent-encoded; Apache HttpClient sends `ISO-8859-1` unasked. */
function isFormContent(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';');
  return type.trim().toLowerCase() === 'application/x-www-form-urlencoded';
}

function parseForm(body: Buffer): { readonly ok: true; readonly parameters: Parameters } | OauthRefusal {
  const parameters = new Map<string, string>();
  try {
    for (const pair of UTF8.decode(body).split('&')) {
      if (pair === '') continue;
      const at = pair.indexOf('=');
      const name = decodeFormText(at === -1 ? pair : pair.slice(0, at));
      const value = at === -1 ? '' : decodeFormText(pair.slice(at + 1));
      if (parameters.has(name)) return refuse('invalid_request', 'A parameter is sent more than once.');
      parameters.set(name, value);
    }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof URIError)) throw error;
    return refuse('invalid_request', 'The body is not percent-encoded UTF-8.');
  }
  return withoutEmpty(parameters);
}

/** Undoes form encoding. @throws URIError when it is not percent-encoded UTF-8 */
export function decodeFormText(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function parseJson(body: Buffer): { readonly ok: true; readonly parameters: Parameters } | OauthRefusal {
  const parsed = parseStrictJson(body);
  if (!parsed.ok) return refuse('invalid_request', 'The body is not JSON, or has a member twice.');
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('invalid_request', 'The body must be a JSON object.');
  }
  const parameters = new Map<string, string>();
  for (const [name, member] of Object.entries(value)) {
    if (!KNOWN.has(name)) continue;
    if (typeof member !== 'string') return refuse('invalid_request', `The member ${name} must be a string.`);
    parameters.set(name, member);
  }
  return withoutEmpty(parameters);
}

function withoutEmpty(parameters: Map<string, string>): { readonly ok: true; readonly parameters: Parameters } {
  for (const [name, value] of parameters) if (value === '') parameters.delete(name);
  return { ok: true, parameters };
}
