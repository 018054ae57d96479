import type { Database, Queryable } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';

/** A credential as client authentication needs it. */
export interface ClientRow {
  readonly project_id: string;
  readonly id: string;
  readonly client_id: string;
  readonly secret_hash: Buffer;
  readonly scopes: readonly string[];
  /** Neither revoked nor expired. */
  readonly usable: boolean;
  /** When it expires, in milliseconds since 1970; `null`: never. */
  readonly expires_ms: number | null;
}

/** The credential with that client id, or `undefined`. */
export async function selectClient(
  queryable: Queryable,
  clientId: string,
  now: string,
): Promise<ClientRow | undefined> {
  const [row] = await queryable.query<ClientRow>(sql`
    select project_id, id, client_id, secret_hash, scopes,
      revoked_at is null and (expires_at is null or expires_at > ${now}) as usable,
      (extract(epoch from expires_at) * 1000)::float8 as expires_ms
    from credentials
    where client_id = ${clientId}`);
  return row;
}

/** The digests and lifetimes of an access and a refresh token that are issued together. */
export interface TokenPair {
  readonly accessHash: Buffer;
  readonly refreshHash: Buffer;
  readonly issuedAt: string;
  /** A refresh token issued later was issued by a clock that has been set back, and is not spent. */
  readonly latestIssue: string;
  readonly accessExpiresAt: string;
  readonly refreshExpiresAt: string;
}

/** Stores the first pair of a family. */
export async function insertFirstPair(
  queryable: Queryable,
  client: ClientRow,
  familyId: string,
  scopes: readonly string[],
  pair: TokenPair,
): Promise<void> {
  await queryable.query(sql`
    insert into tokens (hash, kind, project_id, credential_id, family_id, scopes, issued_at, expires_at)
    select issued.hash, issued.kind, ${client.project_id}::uuid, ${client.id}::uuid, ${familyId}::uuid,
      ${scopes}::text[], ${pair.issuedAt}::timestamptz, issued.expires_at
    from (values
      (${pair.accessHash}::bytea, 'access', ${pair.accessExpiresAt}::timestamptz),
      (${pair.refreshHash}::bytea, 'refresh', ${pair.refreshExpiresAt}::timestamptz)
    ) issued (hash, kind, expires_at)`);
}

/**
 * Spends a refresh token of that client and stores the next pair of its family, in one statement; gives the scopes of
 * the access token, or `undefined` when the token cannot be spent (any more) or does not cover the scopes asked for.
 * Of two at once, the second waits for the first one's row, finds it spent, and stores nothing.
 *
 * @param scopes `null`: all that was granted. The refresh token keeps the grant in any case (RFC 6749 §6).
 */
export async function spendRefreshToken(
  queryable: Queryable,
  client: ClientRow,
  hash: Buffer,
  scopes: readonly string[] | null,
  pair: TokenPair,
): Promise<readonly string[] | undefined> {
  const rows = await queryable.query<{ kind: string; scopes: readonly string[] }>(sql`
    with spent as (
      update tokens set spent_at = ${pair.issuedAt}::timestamptz
      where hash = ${hash} and kind = 'refresh'
        and project_id = ${asProject(client.project_id)} and credential_id = ${client.id}
        and spent_at is null and revoked_at is null and expires_at > ${pair.issuedAt}::timestamptz
        and issued_at <= ${pair.latestIssue}::timestamptz
        and scopes @> coalesce(${scopes}::text[], '{}')
      returning family_id, scopes
    )
    insert into tokens (hash, kind, project_id, credential_id, family_id, scopes, issued_at, expires_at)
    select issued.hash, issued.kind, ${client.project_id}::uuid, ${client.id}::uuid, spent.family_id,
      case issued.kind when 'access' then coalesce(${scopes}::text[], spent.scopes) else spent.scopes end,
      ${pair.issuedAt}::timestamptz, issued.expires_at
    from spent, (values
      (${pair.accessHash}::bytea, 'access', ${pair.accessExpiresAt}::timestamptz),
      (${pair.refreshHash}::bytea, 'refresh', ${pair.refreshExpiresAt}::timestamptz)
    ) issued (hash, kind, expires_at)
    returning kind, scopes`);
  return rows.find(({ kind }) => kind === 'access')?.scopes;
}

/** A token with what its credential and project add to it. */
export interface TokenRow {
  readonly kind: 'access' | 'refresh';
  readonly project_id: string;
  readonly mode: 'live' | 'sandbox';
  readonly credential_id: string;
  readonly client_id: string;
  readonly api_version: string;
  readonly family_id: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly issued_ms: number;
  /** When the token or its credential expires, whichever is first; milliseconds since 1970. */
  readonly expires_ms: number;
  readonly spent: boolean;
  /** The token itself, its family, or its credential is. */
  readonly revoked: boolean;
}

/** The token with that digest, alive or not, or `undefined`. */
export async function selectToken(queryable: Queryable, hash: Buffer): Promise<TokenRow | undefined> {
  const [row] = await queryable.query<TokenRow>(sql`
    select t.kind, t.project_id, p.mode, t.credential_id, c.client_id, c.api_version, t.family_id, t.scopes,
      (extract(epoch from t.issued_at) * 1000)::float8 as issued_ms,
      -- least() passes over null: a credential without expiry.
      (extract(epoch from least(t.expires_at, c.expires_at)) * 1000)::float8 as expires_ms,
      t.spent_at is not null as spent,
      t.revoked_at is not null or c.revoked_at is not null as revoked
    from tokens t
    join credentials c on c.project_id = t.project_id and c.id = t.credential_id
    join projects p on p.id = t.project_id
    where t.hash = ${hash}`);
  return row;
}

/** Revokes one token. */
export async function updateTokenRevoked(queryable: Queryable, hash: Buffer, now: string): Promise<void> {
  await queryable.query(sql`update tokens set revoked_at = ${now} where hash = ${hash} and revoked_at is null`);
}

/**
 * Revokes every token of a family, those included that a refresh stores at this very moment: it holds the row of the
 * token it spends, so our update waits for it, and a further round sees what it has stored. When a round finds
 * nothing, all is revoked, because a revoked token cannot be spent.
 */
export async function updateFamilyRevoked(database: Database, familyId: string, now: string): Promise<void> {
  await database.transaction(async (transaction) => {
    // Two revocations of one family would otherwise wait for each other's rows.
    await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended(${`token-family/${familyId}`}, 0))`);
    let revoked: unknown[];
    do {
      revoked = await transaction.query(sql`
        update tokens set revoked_at = ${now}
        where family_id = ${familyId} and revoked_at is null
        returning true`);
    } while (revoked.length > 0);
  });
}

/** Deletes tokens that have expired, at most `limit` of them; answers how many. */
export async function deleteTokensExpiredBefore(queryable: Queryable, now: string, limit: number): Promise<number> {
  const rows = await queryable.query(sql`
    delete from tokens
    where hash in (
      select hash from tokens where expires_at < ${now} order by expires_at limit ${limit} for update skip locked
    )
    returning true`);
  return rows.length;
}
