import { DatabaseError } from 'pg';

/** The database is away, starting, full, or too slow to answer: nothing is known to be stored; try again. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** A statement of a hasty transaction was not done in its time; the database may be as well as ever. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** The SQLSTATE of an error raised by the database, if it is one. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** What the database has said itself of an error that may stand for it. */
export function saidBy(error: unknown): unknown {
  return error instanceof DatabaseUnavailable ? error.cause : error;
}

/** SQLSTATE of a row that a unique index refuses. */
export const UNIQUE_VIOLATION = '23505';
/** SQLSTATE of a connection for which there is no room, because of others or of our own. */
export const TOO_MANY_CONNECTIONS = '53300';
/** SQLSTATE of a write where none is taken, such as at a standby. */
export const READ_ONLY = '25006';
/** SQLSTATE of what a role may not do. */
const INSUFFICIENT_PRIVILEGE = '42501';
/** SQLSTATE of what finds no room on the disk. */
const DISK_FULL = '53100';
/**
 * The places in the server that refuse everything that writes before transaction ids run out. They do so with the
 * SQLSTATE of a statement that is too large.
 */
const OUT_OF_IDS: ReadonlySet<string | undefined> = new Set(['GetNewTransactionId', 'GetNewMultiXactId']);
/** SQLSTATE of what the server did not expect. */
const INTERNAL_ERROR = 'XX000';
/**
 * The places in the server that make files, or make them longer: of tables and indexes, of what a statement puts aside, of
 * the states of transactions. A quota that is used up, as on ZFS or NFS, is nothing to it that it expects.
 */
const GROWTH: ReadonlySet<string | undefined> = new Set([
  'mdcreate',
  'mdextend',
  'mdzeroextend',
  'BufFileDumpBuffer',
  'OpenTemporaryFileInTablespace',
  'SlruReportIOError',
]);
/** SQLSTATE of a statement that our own timeout ended. */
export const QUERY_CANCELED = '57014';
/** SQLSTATE of a lock that was waited for as long as may be. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** SQLSTATEs of two changes that overtook each other, or waited for each other, one of which the database has undone. */
const UNDONE: ReadonlySet<string | undefined> = new Set(['40001', '40P01']);
/**
 * SQLSTATE classes in which the database, not the statement, is the reason: connection, resources, intervention, system; a
 * standby; a right that was taken away; tables that are not there, as while a backup is restored; a transaction that was
 * silent for too long, or took too long; a lock that was waited for as long as may be.
 */
const UNAVAILABLE = /^(08|53|57P|58|25006|42501|42P01|3F000|25P03|25P04|55P03)/;
/**
 * The place in the server that refuses a kept plan because a column has another type by now: the connection has to be
 * closed.
 */
const STALE_PLAN = 'RevalidateCachedQuery';
/** Of sockets, TLS and streams; whatever it is, what became of the statement is unknown. */
const BROKEN_CONNECTION = /^(EPIPE$|ETIMEDOUT$|ENET|EHOST|ECONN|EPROTO$|ERR_SSL_|ERR_TLS_|ERR_STREAM_|ERR_SOCKET_)/;
const UNAVAILABLE_MESSAGES = /timeout|Connection terminated|not queryable|connection error/i;

/** Whether `pg` has waited for an answer for as long as `query_timeout` says; it has no code for that. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** What is thrown in the place of `cause`. */
export function unavailable(cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable('the database is not available', { cause });
}

/** Whether the database, and not what it was asked, is the reason of an error of `pg`. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseError) {
    const { code, routine } = error;
    // `pg` makes one without a code of what it cannot read.
    if (code === undefined) return true;
    return UNAVAILABLE.test(code) || code === QUERY_CANCELED || routine === STALE_PLAN || isOutOfRoom(error);
  }
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return BROKEN_CONNECTION.test(code);
  // What is thrown in a transaction by others has a name, and may quote anything.
  return error.name === 'Error' && UNAVAILABLE_MESSAGES.test(error.message);
}

/** Whether the database has no room for what was to be written: on its disk, or among its transaction ids. */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { code, routine } = error;
  return code === DISK_FULL || OUT_OF_IDS.has(routine) || (code === INTERNAL_ERROR && GROWTH.has(routine));
}

/** Whether something was given up because of what others have locked; there, all else may go on as ever. */
export function isHeld(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && sqlState(error.cause) === LOCK_NOT_AVAILABLE;
}

/** Whether our role has no right to what was asked. */
export function isForbidden(error: unknown): boolean {
  return sqlState(saidBy(error)) === INSUFFICIENT_PRIVILEGE;
}

/** Whether the database has undone a change in favour of another one: sent again, it may find its way. */
export function isUndone(error: unknown): boolean {
  return UNDONE.has(sqlState(error));
}
