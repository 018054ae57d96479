import { formatId } from '#domain/identifiers.ts';
import { sha256 } from '#platform/crypto.ts';
import { SCOPES } from '../projects/index.ts';
import {
  refuse,
  refuseClient,
  UNKNOWN_CLIENT,
  type OauthDependencies,
  type OauthOutcome,
  type OauthRefusal,
} from './outcome.ts';
import type { Parameters } from './parse-parameters.ts';
import {
  insertFirstPair,
  selectToken,
  spendRefreshToken,
  updateFamilyRevoked,
  type ClientRow,
  type TokenRow,
} from './store.ts';
import { ACCESS_TOKEN_SECONDS, isFromFuture, isRefreshToken, mintPair } from './tokens.ts';

/** Told when a family of tokens is revoked. */
export type FamilyRevoked = (familyId: string) => void;

/** `POST /oauth/token`, once the client is known: RFC 6749 §4.4 and §6. */
export async function issueToken(
  dependencies: OauthDependencies & { readonly familyRevoked: FamilyRevoked },
  client: ClientRow,
  parameters: Parameters,
): Promise<OauthOutcome> {
  const now = dependencies.clock.now();
  // Its token would be dead on arrival; and it may have expired since the client was let in.
  if (secondsOf(client, now) < 1) return refuseClient(UNKNOWN_CLIENT);
  const grantType = parameters.get('grant_type');
  if (grantType === undefined) return refuse('invalid_request', 'The parameter grant_type is missing.');
  if (grantType !== 'client_credentials' && grantType !== 'refresh_token') {
    return refuse('unsupported_grant_type', 'grant_type can be client_credentials or refresh_token.');
  }
  const wanted = readScope(parameters.get('scope'));
  if (!wanted.ok) return wanted;
  if (grantType === 'client_credentials') return issueFirst(dependencies, client, wanted.scopes, now);
  const refreshToken = parameters.get('refresh_token');
  if (refreshToken === undefined) return refuse('invalid_request', 'The parameter refresh_token is missing.');
  return refresh(dependencies, client, refreshToken, wanted.scopes, now);
}

async function issueFirst(
  { database, mintUuid }: OauthDependencies,
  client: ClientRow,
  wanted: readonly string[] | null,
  now: Temporal.Instant,
): Promise<OauthOutcome> {
  const scopes = wanted ?? SCOPES.filter((scope) => client.scopes.includes(scope));
  if (!scopes.every((scope) => client.scopes.includes(scope))) return tooBroad('credential', client.scopes);
  const { accessToken, refreshToken, pair } = mintPair(now);
  await insertFirstPair(database, client, mintUuid(now), scopes, pair);
  return present(accessToken, refreshToken, scopes, secondsOf(client, now));
}

async function refresh(
  dependencies: OauthDependencies & { readonly familyRevoked: FamilyRevoked },
  client: ClientRow,
  presented: string,
  wanted: readonly string[] | null,
  now: Temporal.Instant,
): Promise<OauthOutcome> {
  const { database } = dependencies;
  if (!isRefreshToken(presented)) return invalidGrant();
  const hash = sha256(presented);
  const { accessToken, refreshToken, pair } = mintPair(now);
  const scopes = await spendRefreshToken(database, client, hash, wanted, pair);
  if (scopes !== undefined) return present(accessToken, refreshToken, scopes, secondsOf(client, now));
  return explain(dependencies, client, await selectToken(database, hash), wanted);
}

/** Why a refresh token could not be spent; a spent one takes its whole family with it. */
async function explain(
  { database, clock, log, familyRevoked }: OauthDependencies & { readonly familyRevoked: FamilyRevoked },
  client: ClientRow,
  token: TokenRow | undefined,
  wanted: readonly string[] | null,
): Promise<OauthOutcome> {
  if (token === undefined || token.kind !== 'refresh' || token.credential_id !== client.id) return invalidGrant();
  if (token.spent) {
    await updateFamilyRevoked(database, token.family_id, clock.now().toString());
    familyRevoked(token.family_id);
    if (!token.revoked) {
      const credential = formatId('crd', token.credential_id);
      log.warn({ project: formatId('prj', token.project_id), credential }, 'spent refresh token used again');
    }
    return invalidGrant();
  }
  const now = clock.now();
  const isAlive = !token.revoked && token.expires_ms > now.epochMilliseconds && !isFromFuture(token.issued_ms, now);
  if (isAlive && wanted?.every((scope) => token.scopes.includes(scope)) === false) {
    return tooBroad('refresh token', token.scopes);
  }
  return invalidGrant();
}

function invalidGrant(): OauthRefusal {
  const description = 'The refresh token is unknown, expired, revoked, already used, or of another client.';
  return refuse('invalid_grant', description);
}

function tooBroad(what: string, scopes: readonly string[]): OauthRefusal {
  return refuse('invalid_scope', `The ${what} allows no more than: ${scopes.join(' ')}.`);
}

/** The scopes asked for, each once and in our order; `null` when none are named. */
function readScope(text: string | undefined): { ok: true; scopes: readonly string[] | null } | OauthRefusal {
  if (text === undefined) return { ok: true, scopes: null };
  const names = text.split(' ');
  if (names.every((name) => SCOPES.some((scope) => scope === name))) {
    return { ok: true, scopes: SCOPES.filter((scope) => names.includes(scope)) };
  }
  return refuse('invalid_scope', `scope can be ${SCOPES.join(' or ')}, or both with one space between.`);
}

/** How long an access token of the client gives access; no longer than the credential lasts. */
function secondsOf({ expires_ms: end }: ClientRow, now: Temporal.Instant): number {
  if (end === null) return ACCESS_TOKEN_SECONDS;
  return Math.min(ACCESS_TOKEN_SECONDS, Math.floor((end - now.epochMilliseconds) / 1000));
}

function present(accessToken: string, refreshToken: string, scopes: readonly string[], seconds: number): OauthOutcome {
  const body = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: seconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
  return { ok: true, body };
}
