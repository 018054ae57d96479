import { sha256 } from '#platform/crypto.ts';
import type { FamilyRevoked } from './issue-token.ts';
import { refuse, type OauthDependencies, type OauthOutcome } from './outcome.ts';
import type { Parameters } from './parse-parameters.ts';
import { selectToken, updateFamilyRevoked, updateTokenRevoked, type ClientRow } from './store.ts';
import { isAccessToken, isRefreshToken } from './tokens.ts';

/** Some clients insist on a JSON answer; what it holds is ignored (RFC 7009 §2.2). */
const DONE: OauthOutcome = { ok: true, body: {} };

/**
 * `POST /oauth/revoke` (RFC 7009), once the client is known. A refresh token takes its whole family with it, an access
 * token goes alone. A token of another project is answered like an unknown one, which is a success; one of another
 * credential of the same project is refused. `token_type_hint` is not needed: tokens tell their kind.
 */
export async function revokeToken(
  { database, clock, familyRevoked }: OauthDependencies & { readonly familyRevoked: FamilyRevoked },
  client: ClientRow,
  parameters: Parameters,
): Promise<OauthOutcome> {
  const text = parameters.get('token');
  if (text === undefined) return refuse('invalid_request', 'The parameter token is missing.');
  if (!isAccessToken(text) && !isRefreshToken(text)) return DONE;
  const hash = sha256(text);
  const token = await selectToken(database, hash);
  if (token === undefined || token.project_id !== client.project_id) return DONE;
  if (token.credential_id !== client.id) return refuse('invalid_grant', 'The token was issued to another client.');
  const now = clock.now().toString();
  if (token.kind === 'refresh') await updateFamilyRevoked(database, token.family_id, now);
  else await updateTokenRevoked(database, hash, now);
  familyRevoked(token.family_id);
  return DONE;
}
