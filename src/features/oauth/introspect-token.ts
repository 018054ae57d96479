import { sha256 } from '#platform/crypto.ts';
import { refuse, type OauthDependencies, type OauthOutcome } from './outcome.ts';
import type { Parameters } from './parse-parameters.ts';
import { selectToken, type ClientRow } from './store.ts';
import { isAccessToken, isFromFuture, isRefreshToken } from './tokens.ts';

/** Nothing more is said about a token that is not active (RFC 7662 §2.2). */
const INACTIVE: OauthOutcome = { ok: true, body: { active: false } };

/**
 * `POST /oauth/introspect` (RFC 7662), once the client is known. Any credential of a project may ask about any token
 * of that project; tokens of other projects are not active for it.
 */
export async function introspectToken(
  { database, clock }: Pick<OauthDependencies, 'database' | 'clock'>,
  issuer: string,
  client: ClientRow,
  parameters: Parameters,
): Promise<OauthOutcome> {
  const text = parameters.get('token');
  if (text === undefined) return refuse('invalid_request', 'The parameter token is missing.');
  if (!isAccessToken(text) && !isRefreshToken(text)) return INACTIVE;
  const token = await selectToken(database, sha256(text));
  if (token === undefined || token.project_id !== client.project_id) return INACTIVE;
  const now = clock.now();
  if (token.spent || token.revoked || token.expires_ms <= now.epochMilliseconds) return INACTIVE;
  if (isFromFuture(token.issued_ms, now)) return INACTIVE;
  const body = {
    active: true,
    scope: token.scopes.join(' '),
    client_id: token.client_id,
    sub: token.client_id,
    ...(token.kind === 'access' ? { token_type: 'Bearer' } : {}),
    iss: issuer,
    iat: Math.floor(token.issued_ms / 1000),
    exp: Math.floor(token.expires_ms / 1000),
  };
  return { ok: true, body };
}
