import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { readKey, type Config } from '#config';
import { wallClock, type Clock } from '#platform/clock.ts';
import { createKeys, createRandomSource, type Keys } from '#platform/crypto.ts';
import { connectionOf, openClient } from '#platform/database/connection.ts';
import {
  checkEncryptionSample,
  hasEncryptionSample,
  keepEncryptionSample,
} from '#platform/database/encryption-check.ts';
import { pathsIn } from '#platform/database/embedded-cluster.ts';
import { startEmbedded } from '#platform/database/embedded.ts';
import { migrate, MIGRATIONS, pendingMigrations, type SchemaState } from '#platform/database/migrate.ts';
import { isUnavailable, READ_ONLY, sqlState, TOO_MANY_CONNECTIONS } from '#platform/database/errors.ts';
import { createDatabase, type Database } from '#platform/database/pool.ts';
import { requireSession } from '#platform/database/session.ts';
import { makeFolder, syncFolder } from '#platform/durable.ts';
import type { Logger } from '#platform/log.ts';
import { createUuidMint, type MintUuid } from '#platform/uuid.ts';
import { errorCode } from '#platform/error-code.ts';

/** What every command of the service stands on. */
export interface Foundation {
  readonly database: Database;
  /** How to reach the database beside the pool: what takes its time, and other processes. */
  readonly connection: ClientConfig;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The names of migrations that are not applied. */
  readonly pendingMigrations: () => Promise<string[]>;
  /** Closes the connections, and stops the embedded database if it was started here. */
  close(): Promise<void>;
}

/** Three batches of sign-ups, two of reads, lists and the token endpoint; more connections serve nobody. */
const MAX_CONNECTIONS = 16;
/** All processes that serve HTTP together: they, the background work and a command fit into the usual limit of 100. */
const MAX_OF_HTTP_PROCESSES = 64;
const OF_BACKGROUND_WORK = 8;
/**
 * An embedded server that another process has stopped runs again within a second, on a busy machine within some; one that
 * is started at the same time as the service may come later. A wrong address must be told, too.
 */
const ABSENT_MS = 10_000;
/** It says itself that it is starting, as it does after a crash until all that it had to recover is there. */
const STARTING_MS = 300_000;
const RESTART_PAUSE_MS = 100;
/** Shorter than any wait that could use up that patience, and longer than a server that only comes and goes lets anybody in. */
const AT_WORK_MS = 1_000;
const BURST_MS = 1_000;
/** SQLSTATEs of a server that ends its connections. */
const SHUT_DOWN = /^57P0[12]/;
/** What `pg` says of a connection that broke, at once or when it is used again. */
const CUT_OFF = /Connection terminated unexpectedly|not queryable/;
/** SQLSTATE of a server that is starting or shutting down. */
const CANNOT_CONNECT_NOW = '57P03';
const KEY_FILE = 'encryption.key';

/** A database that may still be empty, and what is needed to fill it. */
export interface Ground {
  readonly connection: ClientConfig;
  readonly keys: Keys;
  /** Absolute path of the folder with the migrations. */
  readonly migrations: string;
  /** Stops the embedded database if it was started here. */
  close(): Promise<void>;
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'encryptionKey'>;

/** Connections that each process of the service may open. */
export function divideConnections(processes: number): { readonly first: number; readonly http: number } {
  if (processes === 1) return { first: MAX_CONNECTIONS, http: 0 };
  const http = Math.min(MAX_CONNECTIONS, Math.floor(MAX_OF_HTTP_PROCESSES / processes));
  return { first: OF_BACKGROUND_WORK, http };
}

/** Settings of `layFoundation`. */
export interface FoundationOptions {
  /** Absent: as many as one process needs. */
  readonly maxConnections?: number | undefined;
  /** Absent: migrated. */
  readonly state?: SchemaState | undefined;
  /** Whether it is laid for a command, which shares an embedded server with others. */
  readonly isCommand?: boolean;
  /** Whether a server that `DATABASE_URL` names is waited for while it is not there, or is starting. */
  readonly awaitsDatabase?: boolean;
}

/** Starts or finds the database, applies migrations, reads the key. @throws Error with a sentence for the operator */
export async function layFoundation(
  config: Settings,
  log: Logger,
  options: FoundationOptions = {},
): Promise<Foundation> {
  const { maxConnections = MAX_CONNECTIONS, state = 'migrated', isCommand = false, awaitsDatabase = false } = options;
  const patiently = config.databaseUrl === null || awaitsDatabase ? acrossRestarts : once;
  const { connection, stop } = await findDatabase(config, log, patiently, isCommand);
  const database = createDatabase({
    connection,
    maxConnections,
    onIdleError: tellOfFirst(log),
  });
  const close = async (): Promise<void> => {
    await database.close();
    await stop();
  };
  try {
    const migrations = { connection, directory: MIGRATIONS, log: sayTo(log), tellWait: sayTo(log, 'warn') };
    const prepare = async (): Promise<Keys> => {
      // Before anything is made or locked: a pooler that is refused keeps what a session leaves behind.
      await requireSession(database);
      const readKeys = async (): Promise<Keys> => keysOf(config) ?? readOrCreateKey(config.dataDir, database);
      if (state !== 'migrated') return readKeys();
      // Whoever has another key must not change anything either: what is migrated, the version before restores no more.
      const first = async (): Promise<void> => void (await checkEncryptionSample(database, await readKeys()));
      await migrate({ ...migrations, first });
      const keys = await readKeys();
      await keepEncryptionSample(database, keys);
      return keys;
    };
    return {
      ...standOn(database, await patiently(prepare, log)),
      connection,
      pendingMigrations: () => pendingMigrations(migrations),
      close,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** How often, and for how long, something is tried that needs the database. */
type Patience = <Result>(work: () => Promise<Result>, log: Logger) => Promise<Result>;

const once: Patience = (work) => work();

/**
 * The embedded server may be that of a command, and end with it: what can be done again is, when there is one again. What was
 * at work for long until it was cut off, such as waiting for a restore, was no trying.
 */
export const acrossRestarts: Patience = async (work, log) => {
  for (let since = performance.now(), isTold = false; ; await sleep(RESTART_PAUSE_MS)) {
    const begin = performance.now();
    try {
      return await work();
    } catch (error) {
      const now = performance.now();
      const failures = failuresIn(error);
      if (now - begin > AT_WORK_MS && failures.some(isCutOff)) since = now;
      if (now - since >= Math.max(0, ...failures.map(patienceFor))) throw error;
      if (!isTold) log.warn({ err: error }, 'the start waits for the database');
      isTold = true;
    }
  }
};

/** All that went wrong: of several errors each, and of each what caused it, unless it is the server's own word. */
function failuresIn(error: unknown): Error[] {
  if (error instanceof AggregateError) return error.errors.flatMap(failuresIn);
  if (!(error instanceof Error)) return [];
  return sqlState(error) === undefined ? [error, ...failuresIn(error.cause)] : [error];
}

/** Whether a server had let somebody in, and went away only then. */
function isCutOff(error: Error): boolean {
  const state = sqlState(error);
  return state === undefined ? CUT_OFF.test(error.message) : SHUT_DOWN.test(state);
}

/** How long, in milliseconds, to try for where a connection, or the server at its end, went away, or is not there yet. */
function patienceFor(error: Error): number {
  const state = sqlState(error);
  if (state === CANNOT_CONNECT_NOW) return STARTING_MS;
  if (state !== undefined) {
    // A standby takes writes once it takes over, which may be just what is under way.
    const isPassing = /^(08|57P)/.test(state) || state === TOO_MANY_CONNECTIONS || state === READ_ONLY;
    return isPassing ? ABSENT_MS : 0;
  }
  const syscall = 'syscall' in error ? error.syscall : undefined;
  // The name of one that is not there may not be known either, as between containers.
  return syscall === 'connect' || syscall === 'getaddrinfo' || isUnavailable(error) ? ABSENT_MS : 0;
}

/**
 * Starts or finds the database, and reads the key, which must be there: neither changes anything in the database.
 * @throws Error with a sentence for the operator
 */
export async function breakGround(config: Settings, log: Logger): Promise<Ground> {
  const keys = keysOf(config) ?? (await readKeyFile(join(config.dataDir, KEY_FILE)));
  if (keys === null) {
    const path = join(config.dataDir, KEY_FILE);
    throw new Error(`put the key of the database that the backup was made of into ${path}, or set ENCRYPTION_KEY`);
  }
  const { connection, stop } = await findDatabase(config, log, once, true);
  return { connection, keys, migrations: MIGRATIONS, close: stop };
}

/** @throws Error when there is no embedded database yet: a command in the wrong folder must not make, and back up, a new one */
export function requireData({ databaseUrl, dataDir }: Settings): void {
  if (databaseUrl !== null || existsSync(pathsIn(dataDir).cluster)) return;
  throw new Error(`there is no database in ${dataDir}: set DATA_DIR as the service has it, and start that once before`);
}

async function findDatabase(
  config: Settings,
  log: Logger,
  patiently: Patience,
  isCommand: boolean,
): Promise<{ readonly connection: ClientConfig; readonly stop: () => Promise<void> }> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) {
    const connection = connectionOf(databaseUrl);
    await patiently(() => tryToConnect(connection), log);
    return { connection, stop: async () => {} };
  }
  const embedded = await startEmbedded({ dataDir, isCommand, log: sayTo(log), warn: sayTo(log, 'warn') }).catch(
    (error: unknown) => {
      throw isAbout(dataDir, error) ? new Error(`DATA_DIR ${dataDir} cannot be used`, { cause: error }) : error;
    },
  );
  return { connection: { ...embedded.connection }, stop: () => embedded.stop() };
}

/** @throws Error that names the setting, as what is said of an address, a role or a certificate does not */
async function tryToConnect(connection: ClientConfig): Promise<void> {
  const client = await openClient(connection, 'wattline').catch((error: unknown) => {
    throw new Error('cannot connect to the database that DATABASE_URL names', { cause: error });
  });
  await client.end().catch(() => {});
}

/** Whether the system refuses to do something in, or on the way to, this folder. */
function isAbout(folder: string, error: unknown): boolean {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return false;
  return error.path.startsWith(folder) || folder.startsWith(error.path);
}

function sayTo(
  log: Logger,
  level: 'info' | 'warn' = 'info',
): (message: string, detail?: Record<string, unknown>) => void {
  return (message, detail) => log[level](detail ?? {}, message);
}

/**
 * The foundation that another process has laid and keeps. The keys are those that it has held against the database: their
 * file may have gone since, or hold another key, under which nothing must be written.
 */
export function joinFoundation(
  log: Logger,
  { connection, keys, maxConnections }: Pick<Foundation, 'connection' | 'keys'> & { readonly maxConnections: number },
): Foundation {
  const database = createDatabase({
    connection,
    maxConnections,
    onIdleError: tellOfFirst(log),
  });
  return {
    ...standOn(database, keys),
    pendingMigrations: async () => [],
    connection,
    close: () => database.close(),
  };
}

/** Tells of the first of those that break within a second: a server that goes takes them all with it. */
function tellOfFirst(log: Logger): (error: Error) => void {
  let quietUntil = -Infinity;
  return (error) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + BURST_MS;
    log.warn({ err: error }, 'idle database connections broke');
  };
}

function standOn(
  database: Database,
  keys: Keys,
): Pick<Foundation, 'database' | 'keys' | 'clock' | 'mintUuid' | 'randomBytes'> {
  return { database, keys, clock: wallClock, mintUuid: createUuidMint(wallClock), randomBytes: createRandomSource() };
}

/** Those of the setting, if it is set. */
function keysOf({ encryptionKey }: Settings): Keys | null {
  return encryptionKey === null ? null : createKeys(encryptionKey);
}

/**
 * The key in `dataDir`, created before anything was written with one; of two instances that create it at once, one wins.
 * @throws Error when it is lost: a new one would open nothing, and stand in the place of the right one
 */
async function readOrCreateKey(dataDir: string, database: Database): Promise<Keys> {
  const path = join(dataDir, KEY_FILE);
  if (!existsSync(path)) {
    // Looked for once more: an instance that has made one since may have written with it, and it is there before that.
    if ((await hasEncryptionSample(database)) && !existsSync(path)) throw lostKey(path);
    makeFolder(dataDir);
    await createKey(path);
  }
  // Before anything is encrypted with it, also when another instance has just made it: no power cut may take the key and
  // leave the data.
  syncFolder(dataDir);
  return requireKeyFile(path);
}

function lostKey(path: string): Error {
  return new Error(`${path} is missing: put the key that the database was written with there, or into ENCRYPTION_KEY`);
}

async function createKey(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
    await chmod(draft, 0o600);
    // Unlike a rename, a link never replaces the key of another instance.
    await link(draft, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** The key in a file; `null` when there is none. @throws Error that names the file */
async function readKeyFile(path: string): Promise<Keys | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw new Error(`${path} cannot be read`, { cause: error });
  });
  return text === null ? null : createKeys(parseKey(path, text), path);
}

/** The same. @throws Error that names the file, also when there is none */
async function requireKeyFile(path: string): Promise<Keys> {
  const keys = await readKeyFile(path);
  if (keys === null) throw lostKey(path);
  return keys;
}

function parseKey(path: string, text: string): Buffer {
  try {
    const key = readKey(text.trim() || null);
    if (key !== null) return key;
  } catch {
    // Told below: the cause names a setting, which it is not.
  }
  throw new Error(`${path} does not hold a key, which is 32 bytes in base64 or hex; restore it from a copy`);
}
