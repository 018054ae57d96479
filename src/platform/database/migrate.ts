import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client, ClientConfig, QueryConfig } from 'pg';
import { liftTransactionTimeout, openClient, unanswered } from './connection.ts';
import { isForbidden, isReadTimeout, LOCK_NOT_AVAILABLE, sqlState } from './errors.ts';
import { reasonOf } from './migration-failure.ts';
import { describeOldestTransaction, freeLock, waitForLock } from './migration-lock.ts';
import { splitStatements } from './statements.ts';

/** The folder with our migrations, and `schema.sql`, which they make. */
export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** How a database is opened: with every migration applied, or, to be looked at only, as it stands. */
export type SchemaState = 'migrated' | 'as it is';

/** Settings of `migrate` and `pendingMigrations`. */
export interface MigrateOptions {
  readonly connection: ClientConfig;
  /** Absolute path of the folder with `NNNN_name.sql` files. */
  readonly directory: string;
  readonly log: (message: string, detail?: Record<string, unknown>) => void;
  /** Told whom it waits for; absent: as `log`. */
  readonly tellWait?: MigrateOptions['log'];
  /** Whether the caller is the one who migrates, by `waitForLock` on a connection of his own; absent: he is not. */
  readonly hasLock?: boolean;
  /** Only so many of the first migrations; absent: all. */
  readonly upTo?: number;
  /** How long a migration tries to get its locks before it is given up; absent: five minutes. */
  readonly lockPatienceMs?: number;
  /** How long a statement may take that is none of a migration; absent: half a minute. */
  readonly answerLimitMs?: number;
  /** Done when files and database are known to belong together, before anything is applied; when it throws, nothing is. */
  readonly first?: () => Promise<void>;
}

interface Migration {
  readonly version: number;
  /** As in the file's name, without number and ending. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly checksum: string;
}

/** A migration as a database remembers it. */
export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

const OLDEST_SERVER = 150_000;
const NO_TRANSACTION = /^-- no transaction\s*$/;
/**
 * How long a migration waits for a lock, and everybody else waits behind it. Shorter than PostgreSQL's
 * deadlock_timeout of a second, so that in a deadlock it is the migration that yields, and never a request.
 */
const LOCK_TIMEOUT_MS = 500;
/** Then it lets the traffic through before it tries again. */
const LOCK_RETRY_MS = 1_000;
const LOCK_PATIENCE_MS = 300_000;
/** A database that says nothing for so long on a connection that stays open would be waited for without end. */
const ANSWER_LIMIT_MS = 30_000;
/** The longest that a timer knows. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/**
 * These lock out nobody who reads or writes, but wait for all transactions to end, or for a vacuum, which may take its time;
 * an automatic one gives way, when it is waited for a second.
 */
const CONCURRENT =
  /^\s*(?:--[^\n]*\n\s*)*(?:(create|drop|reindex)\s[^;]*?\bconcurrently\b|alter\s+table\s+\w+\s+alter\s+column\s+\w+\s+set\s*\()/i;

/**
 * Brings a database to the schema of the files: each migration in a transaction of its own, together with its row in
 * `wattline_migrations`. Instances that start at once wait for each other; killed anywhere, it can run again. Requests go
 * on meanwhile, of this version and of the one before: a migration that does not get a lock within half a second lets go of
 * all it has, lets the traffic through, and tries again. How migrations must be written for that: docs/migrations.md.
 *
 * A file whose first line is `-- no transaction` runs statement by statement, for `create index concurrently`. It must bear
 * running again after having been cut short: `drop index concurrently if exists …` goes first, because a cut-short build
 * leaves an invalid index behind, at which `create index … if not exists` would not look twice.
 *
 * @returns the files applied now, without ending, such as `0001_foundation`
 * @throws Error with a sentence for the operator when files and database do not belong together or a migration fails
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.directory);
  return withClient(options, async (client) => {
    if (options.hasLock !== true) await waitForLock(client, options.tellWait ?? options.log);
    const known = await untilLocked(client, 'the list of migrations', options, () => readApplied(client));
    const pending = compare(migrations, known, options.log).slice(
      0,
      Math.max(0, (options.upTo ?? Infinity) - known.length),
    );
    await options.first?.();
    const applied: string[] = [];
    for (const migration of pending) {
      const start = performance.now();
      await apply(client, migration, options);
      applied.push(nameOf(migration));
      options.log('migration applied', {
        migration: nameOf(migration),
        milliseconds: Math.round(performance.now() - start),
      });
    }
    return { applied };
  });
}

/**
 * The migrations that `migrate` would apply, by name, without changing anything.
 *
 * @throws Error as `migrate` does when files and database do not belong together
 */
export async function pendingMigrations(options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options.directory);
  return withClient(options, async (client) => {
    const patience = { ...options, lockPatienceMs: 0 };
    const known = await untilLocked(client, 'the list of migrations', patience, () => readApplied(client));
    return compare(migrations, known, options.log).map(nameOf);
  });
}

/**
 * Makes sure that the schema of another database, which these migrations were applied to, can be made from the files.
 *
 * @throws Error with a sentence for the operator when they do not belong together, or the other is newer
 */
export async function requireKnownMigrations(
  { directory, log }: Pick<MigrateOptions, 'directory' | 'log'>,
  applied: readonly AppliedMigration[],
): Promise<void> {
  const migrations = await readMigrations(directory);
  compare(migrations, applied, log);
  if (applied.length > migrations.length) {
    throw new Error('It is from a newer version of Wattline; use that version.');
  }
}

/** Whether a newer version has made the schema of a database: more is applied to it than these files. */
export async function isOfNewerVersion(options: Pick<MigrateOptions, 'connection' | 'directory'>): Promise<boolean> {
  const migrations = await readMigrations(options.directory);
  return withClient(options, async (client) => (await readApplied(client)).length > migrations.length);
}

function nameOf({ file }: Migration): string {
  return file.replace(/\.sql$/, '');
}

async function withClient<Result>(
  { connection, answerLimitMs = ANSWER_LIMIT_MS }: Pick<MigrateOptions, 'connection' | 'answerLimitMs'>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient({ ...connection, query_timeout: answerLimitMs }, 'wattline migrate');
  try {
    await refuseUnfit(client);
    await useDefaults(client);
    return await work(client);
  } catch (error) {
    throw isReadTimeout(error) ? unanswered(answerLimitMs, error) : error;
  } finally {
    await freeLock(client);
    await client.end().catch(() => {});
  }
}

/** @throws Error with a sentence for the operator, when the database can never serve */
async function refuseUnfit(client: Client): Promise<void> {
  const { rows } = await client.query<Record<'number' | 'text' | 'encoding' | 'type', string>>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text,
       current_setting('server_encoding') as encoding, datctype as type
     from pg_database where datname = current_database()`,
  );
  const [server] = rows;
  if (server === undefined || Number(server.number) < OLDEST_SERVER) {
    throw new Error(`The database runs PostgreSQL ${server?.text}; Wattline needs 15 or newer.`);
  }
  // Whatever a client sends has to fit in, and a length is one in characters.
  if (server.encoding !== 'UTF8') {
    throw new Error(
      `The database has the encoding ${server.encoding}; Wattline needs one that was created with encoding 'UTF8'.`,
    );
  }
  // Names and e-mail addresses are found whatever their case.
  const { rows: lowered } = await client.query<{ text: string }>(`select lower('ÄØЖ') as text`);
  if (lowered[0]?.text !== 'äøж') {
    throw new Error(
      `The database has the character type ${server.type}, which knows no letters but those of English; Wattline needs one ` +
        "that was created with another, such as by \"template template0 encoding 'UTF8' lc_ctype 'C.UTF-8'\".",
    );
  }
}

/**
 * Settings a migration can rely on, whatever the server's configuration or the migration before have set; and those by
 * which the locks of an instance are free within a minute when its machine has gone.
 */
async function useDefaults(client: Client): Promise<void> {
  await client.query(
    `reset all;
     set search_path = public;
     set timezone = 'UTC';
     set standard_conforming_strings = on;
     set client_min_messages = warning;
     set statement_timeout = 0;
     set lock_timeout = ${LOCK_TIMEOUT_MS};
     set idle_in_transaction_session_timeout = '60s';
     set tcp_keepalives_idle = 10;
     set tcp_keepalives_interval = 5;
     set tcp_keepalives_count = 3;
     ${liftTransactionTimeout('session')}`,
  );
  // So that the lock of an instance killed during a long statement is free soon; servers on Windows do not know how.
  await client.query(`set client_connection_check_interval = '1s'`).catch(() => {});
}

async function readApplied(client: Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ present: boolean }>(
    `select to_regclass('public.wattline_migrations') is not null as present`,
  );
  if (found[0]?.present !== true) return [];
  const { rows } = await client.query<AppliedMigration>(
    'select version, name, checksum from public.wattline_migrations order by version',
  );
  return rows;
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql').sort();
  return Promise.all(
    names.map(async (file, index) => {
      const [, number, name] = /^(\d{4})_([a-z0-9_-]+)\.sql$/.exec(file) ?? [];
      if (number === undefined || name === undefined) {
        throw new Error(`The migration ${file} must be named like 0001_name.sql.`);
      }
      const version = Number(number);
      if (version !== index + 1) {
        const expected = String(index + 1).padStart(4, '0');
        throw new Error(`Migrations must be numbered without gaps: ${file} stands where ${expected} belongs.`);
      }
      // Git may check out the same text with other line ends.
      const text = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
      return { version, name, file, text, checksum: hash('sha256', text) };
    }),
  );
}

/** The migrations still to be applied, once it is certain that those applied are a beginning of the files. */
function compare(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
  log: MigrateOptions['log'],
): Migration[] {
  for (const [index, { version, name, checksum }] of applied.entries()) {
    if (version !== index + 1) {
      throw new Error(`The database has migration ${version} but not ${index + 1}: it was not made by Wattline alone.`);
    }
    const migration = migrations[index];
    if (migration === undefined) continue;
    if (migration.name !== name) {
      throw new Error(
        `Migration ${version} is ${migration.file} here, but the database had one named ${name}: ` +
          'this is the database of another version or branch.',
      );
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `The migration ${migration.file} was changed after it had been applied: restore its text, and put the change ` +
          'into a new migration.',
      );
    }
  }
  // Migrations only expand what older code uses, so that instances of both versions can run side by side.
  if (applied.length > migrations.length) {
    log('the database is newer than this version of Wattline, which can still use it', {
      database: applied.length,
      known: migrations.length,
    });
  }
  return migrations.slice(applied.length);
}

async function apply(client: Client, migration: Migration, options: MigrateOptions): Promise<void> {
  try {
    const [firstLine = ''] = migration.text.split('\n', 1);
    if (NO_TRANSACTION.test(firstLine)) await applyByStatement(client, migration, options);
    else await untilLocked(client, nameOf(migration), options, () => applyInTransaction(client, migration));
  } catch (error) {
    if (isReadTimeout(error)) throw error;
    throw new Error(`The migration ${migration.file} failed: ${reasonOf(migration, error)}`, { cause: error });
  }
  await useDefaults(client);
}

async function applyInTransaction(client: Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await beginHistory(client, migration);
    await client.query(inItsTime(migration.text));
    await record(client, migration);
    await client.query(inItsTime('commit'));
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function applyByStatement(client: Client, migration: Migration, options: MigrateOptions): Promise<void> {
  await beginHistory(client, migration);
  for (const statement of splitStatements(migration.text)) {
    if (CONCURRENT.test(statement)) {
      await client.query('set lock_timeout = 0');
      await client.query(inItsTime(statement));
      await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    } else {
      await untilLocked(client, nameOf(migration), options, () => client.query(inItsTime(statement)));
    }
  }
  const { rows } = await client.query<{ names: string | null }>(
    `select string_agg(indexrelid::regclass::text, ', ') as names
     from pg_index join pg_class on pg_class.oid = indexrelid
     where not indisvalid and relkind = 'i' and relnamespace = 'public'::regnamespace`,
  );
  const names = rows[0]?.names ?? null;
  if (names !== null) throw new Error(`it left an invalid index: ${names}`);
  await record(client, migration);
}

/** A statement that takes as long as it needs. */
function inItsTime(text: string): QueryConfig {
  // The types do not tell of it.
  return { text, query_timeout: NO_LIMIT_MS } as QueryConfig;
}

/** Does `work`, which undoes itself when it fails, again and again until it gets the locks that it needs. */
async function untilLocked<Result>(
  client: Client,
  what: string,
  { log, tellWait = log, lockPatienceMs = LOCK_PATIENCE_MS }: MigrateOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  for (const begin = performance.now(); ;) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      const oldest = await describeOldestTransaction(client);
      if (performance.now() - begin > lockPatienceMs) {
        throw new Error(`no lock was to be had; ${oldest}`, { cause: error });
      }
      tellWait('a migration waits for a lock', { migration: what, reason: oldest });
      await sleep(LOCK_RETRY_MS);
    }
  }
}

/** With the first migration, so that a database that is not ours, which refuses that one, keeps nothing of us. */
async function beginHistory(client: Client, { version }: Migration): Promise<void> {
  if (version !== 1) return;
  await client
    .query(
      `create table if not exists public.wattline_migrations (
         version integer primary key,
         name text not null,
         checksum text not null,
         applied_at timestamptz not null default now()
       )`,
    )
    .catch((error: unknown) => {
      // A role that may not, a standby, or no such schema.
      const remedy = isForbidden(error)
        ? `; whoever owns it can allow that: grant create on schema public to ${client.escapeIdentifier(client.user ?? '')}`
        : '';
      throw new Error(`Wattline cannot make its tables in the database${remedy}`, { cause: error });
    });
}

async function record(client: Client, { version, name, checksum }: Migration): Promise<void> {
  await client.query('insert into public.wattline_migrations (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
}
