import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database/pool.ts';
import { RETRY_SOON, type Problem } from '#platform/http/problems.ts';
import type { Logger } from '#platform/log.ts';
import type { MintUuid } from '#platform/uuid.ts';

/** What the OAuth operations need. */
export interface OauthDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly log: Logger;
}

/**
 * The errors of the OAuth endpoints: RFC 6749 §5.2, and three beyond it. `slow_down` (RFC 8628 §3.5, registered for the
 * token endpoint) is the only registered code that means "too often"; `temporarily_unavailable` and `server_error` are
 * those of RFC 6749 §4.1.2.1.
 */
type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'server_error';

/** Why each of them comes, and what helps. */
export const oauthErrors: Readonly<Record<OauthErrorCode, { readonly cause: string; readonly fix: string }>> = {
  invalid_request: {
    cause: 'The request is malformed, a parameter is missing or comes twice, or the client is named in two ways.',
    fix: 'Send what `error_description` asks for.',
  },
  invalid_client: {
    cause: 'The client id is unknown, its secret is wrong, or the credential is revoked or expired.',
    fix: 'Check both; the operator creates another credential.',
  },
  invalid_grant: {
    cause: 'The refresh token is unknown, expired, revoked or used already, or is that of another client.',
    fix: 'Ask for a token with the client secret.',
  },
  invalid_scope: { cause: 'The credential does not have the scope.', fix: 'Ask for one that it has, or for none.' },
  unsupported_grant_type: {
    cause: 'The grant is neither `client_credentials` nor `refresh_token`.',
    fix: 'Use one of them.',
  },
  slow_down: {
    cause: 'Too many wrong secrets for this client id from this address, or too many requests of the credential.',
    fix: 'Wait for `Retry-After`.',
  },
  temporarily_unavailable: {
    cause: 'The database is away, or too much is asked at once.',
    fix: 'Send the request again after `Retry-After`.',
  },
  server_error: { cause: 'Something went wrong on our side.', fix: 'Tell the operator the `X-Request-Id`.' },
};

/** A refusal on its way to the client. */
export interface OauthRefusal {
  readonly ok: false;
  readonly status: 400 | 401 | 429 | 500 | 503;
  readonly error: OauthErrorCode;
  /** ASCII without quotes and backslashes, RFC 6749 §5.2. */
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an endpoint answers when it does not refuse. */
interface OauthSuccess {
  readonly ok: true;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How an endpoint's work ends. */
export type OauthOutcome = OauthSuccess | OauthRefusal;

/** A refusal with status 400. */
export function refuse(
  error: 'invalid_request' | 'invalid_grant' | 'invalid_scope' | 'unsupported_grant_type',
  description: string,
): OauthRefusal {
  return { ok: false, status: 400, error, description, headers: {} };
}

/** What is said of every client that cannot be let in, so that nobody learns which of it is the case. */
export const UNKNOWN_CLIENT = 'The client id is unknown, its secret is wrong, or the credential is revoked or expired.';

/** Client authentication failed; for whatever reason, the answer is the same. */
export function refuseClient(description: string): OauthRefusal {
  const headers = { 'www-authenticate': 'Basic realm="wattline"' };
  return { ok: false, status: 401, error: 'invalid_client', description, headers };
}

/** Too many wrong secrets; come back in `seconds`. */
export function refuseHaste(seconds: number): OauthRefusal {
  return refuseUntil(
    'Too many failed attempts with this client id from this address. Wait Retry-After seconds.',
    seconds,
  );
}

/** The credential has used up its allowance; come back in `seconds`. */
export function refuseExcess(seconds: number): OauthRefusal {
  return refuseUntil('The credential has used up its allowance of requests. Wait Retry-After seconds.', seconds);
}

function refuseUntil(description: string, seconds: number): OauthRefusal {
  return { ok: false, status: 429, error: 'slow_down', description, headers: { 'retry-after': String(seconds) } };
}

/** The database is away. */
export function refuseUnavailable(): OauthRefusal {
  const description = 'The service is not available right now; nothing is known to be stored. Send the request again.';
  return { ok: false, status: 503, error: 'temporarily_unavailable', description, headers: RETRY_SOON };
}

/** The body is of a type that the endpoints do not read, or packed. */
export function refuseContent(): OauthRefusal {
  return refuse(
    'invalid_request',
    'The body must be application/x-www-form-urlencoded (or application/json) in UTF-8, and not compressed.',
  );
}

/** A refusal that came before an OAuth endpoint was reached (wrong method, too large …), in their form. */
export function renderProblemForOauth({ definition, detail }: Problem): { status: number; body: string } {
  const { status } = definition;
  // A type that cannot even be read is refused like one that is not read.
  if (status === 415) return { status: 400, body: renderRefusal(refuseContent()) };
  const error: OauthErrorCode =
    status < 500 ? 'invalid_request' : status === 503 ? 'temporarily_unavailable' : 'server_error';
  // RFC 6749 §5.2 allows neither quotes nor backslashes here.
  return { status, body: renderRefusal({ error, description: detail.replaceAll(/["\\`]|[^\x20-\x7e]/g, '') }) };
}

/** The body of a refusal. */
export function renderRefusal({ error, description }: Pick<OauthRefusal, 'error' | 'description'>): string {
  return JSON.stringify({ error, error_description: description });
}

/** A defect of ours. */
export function refuseDefect(): OauthRefusal {
  const description = 'Something went wrong on our side. Report the X-Request-Id to the operator.';
  return { ok: false, status: 500, error: 'server_error', description, headers: {} };
}
