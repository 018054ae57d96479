import type { Clock } from '#platform/clock.ts';
import { sha256Text } from '#platform/crypto.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Caller } from '#platform/http/contract.ts';
import type { Authenticate } from '#platform/http/pipeline.ts';
import { keepLast } from '#platform/keep-last.ts';
import { selectToken, type TokenRow } from './store.ts';
import { isAccessToken, isFromFuture } from './tokens.ts';

/** Finds the caller behind an access token. */
export interface TokenAuthenticator {
  /** Rejects with `DatabaseUnavailable` when a token that is not known cannot be looked up. */
  readonly authenticate: Authenticate;
  /** Makes this process look again at the tokens of a family before it trusts them. */
  forgetFamily(familyId: string): void;
}

/** A token as it was last read. */
interface Known {
  readonly caller: Caller;
  readonly familyId: string;
  readonly expiresMs: number;
  /** When it expires on the clock that nobody can set. */
  readonly deadline: number;
  /** When the reading began, on both clocks. */
  readonly since: Reading;
}

/** What two clocks showed: wall time, and the time since this process began. */
interface Reading {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** How long a token once read is trusted, and so how soon a revocation takes effect in every process. */
const TRUSTED_MS = 1000;
/** More tokens are never held; the one used least recently goes first. */
const MAX_TOKENS = 10_000;

/**
 * Remembers what it reads for a second. Expiry is checked at every call, against wall time and against a clock that
 * cannot be set, so that a wall clock set back does not lengthen the life of a token this process has seen; one it has not
 * seen, and that was issued later than it is now, gives no access. Unknown, revoked and expired tokens are not remembered.
 */
export function createTokenAuthenticator({
  database,
  clock,
  monotonicMs = () => performance.now(),
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly monotonicMs?: (() => number) | undefined;
}): TokenAuthenticator {
  // By their hash, as `sha256Text` gives it.
  const tokens = new Map<string, Known>();
  const underWay = new Map<string, { readonly since: Reading; readonly result: Promise<Known | null> }>();
  const state = { forgotten: 0 };
  const look = (): Reading => ({ wallMs: clock.now().epochMilliseconds, monotonicMs: monotonicMs() });

  const read = async (key: string, since: Reading): Promise<Known | null> => {
    const { forgotten } = state;
    const row = await selectToken(database, Buffer.from(key, 'latin1'));
    if (row === undefined || row.kind !== 'access' || row.revoked || row.expires_ms <= since.wallMs) {
      tokens.delete(key);
      return null;
    }
    // One that this process knows ends by the clock that cannot be set; of any other nobody can say how old it is.
    const known = tokens.get(key);
    if (known === undefined && isFromFuture(row.issued_ms, Temporal.Instant.fromEpochMilliseconds(since.wallMs)))
      return null;
    const found = toKnown(row, since, known?.deadline ?? Infinity);
    // What was read while a family was revoked may be of it, and of before.
    if (state.forgotten === forgotten) keepLast(tokens, key, found, MAX_TOKENS);
    return found;
  };
  /** One reading serves all that ask meanwhile, unless it has been on its way for too long. */
  const readOnce = (key: string, now: Reading): Promise<Known | null> => {
    const running = underWay.get(key);
    if (running !== undefined && isFresh(running.since, now)) return running.result;
    const result = read(key, now).finally(() => {
      if (underWay.get(key)?.result === result) underWay.delete(key);
    });
    underWay.set(key, { since: now, result });
    return result;
  };

  return {
    authenticate(token) {
      if (!isAccessToken(token)) return null;
      const key = sha256Text(token);
      const now = look();
      const remembered = tokens.get(key);
      if (remembered !== undefined && isFresh(remembered.since, now)) {
        keepLast(tokens, key, remembered, MAX_TOKENS);
        return isAlive(remembered, now) ? remembered.caller : null;
      }
      return readOnce(key, now).then((found) => (found !== null && isAlive(found, look()) ? found.caller : null));
    },
    forgetFamily(familyId) {
      state.forgotten += 1;
      underWay.clear();
      for (const [key, known] of tokens) if (known.familyId === familyId) tokens.delete(key);
    },
  };
}

/** @param latest when a token ends at the latest on the clock that nobody can set, as far as this process knows */
function toKnown(row: TokenRow, since: Reading, latest: number): Known {
  return {
    caller: {
      projectId: row.project_id,
      mode: row.mode,
      credentialId: row.credential_id,
      scopes: row.scopes,
      apiVersion: row.api_version,
    },
    familyId: row.family_id,
    expiresMs: row.expires_ms,
    deadline: Math.min(since.monotonicMs + row.expires_ms - since.wallMs, latest),
    since,
  };
}

function isFresh(since: Reading, now: Reading): boolean {
  const wallAge = now.wallMs - since.wallMs;
  return wallAge >= 0 && wallAge < TRUSTED_MS && now.monotonicMs - since.monotonicMs < TRUSTED_MS;
}

function isAlive(known: Known, now: Reading): boolean {
  return now.wallMs < known.expiresMs && now.monotonicMs < known.deadline;
}
