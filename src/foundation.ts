import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientConfig } from 'pg';
import { readKey, type Config } from '#config';
import { wallClock, type Clock } from '#platform/clock.ts';
import { createKeys, createRandomSource, type Keys } from '#platform/crypto.ts';
import { keepEncryptionSample } from '#platform/database/encryption-check.ts';
import { startEmbedded } from '#platform/database/embedded.ts';
import { migrate, pendingMigrations } from '#platform/database/migrate.ts';
import { createDatabase, type Database } from '#platform/database/pool.ts';
import type { Logger } from '#platform/log.ts';
import { createUuidMint, type MintUuid } from '#platform/uuid.ts';

/** What every command of the service stands on. */
export interface Foundation {
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The names of migrations that are not applied. */
  readonly pendingMigrations: () => Promise<string[]>;
  /** Closes the connections, and stops the embedded database if it was started here. */
  close(): Promise<void>;
}

/** Two batches of sign-ups, reads and the token endpoint; more connections than cores serve nobody. */
const MAX_CONNECTIONS = 16;
const KEY_FILE = 'encryption.key';
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Starts or finds the database, applies migrations, reads the key. @throws Error with a sentence for the operator */
export async function layFoundation(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'encryptionKey'>,
  log: Logger,
): Promise<Foundation> {
  const say = (message: string, detail?: Record<string, unknown>): void => log.info(detail ?? {}, message);
  const embedded = config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log: say }) : null;
  const connection: ClientConfig =
    embedded === null ? { connectionString: config.databaseUrl ?? '' } : { ...embedded.connection };
  const database = createDatabase({
    connection,
    maxConnections: MAX_CONNECTIONS,
    onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  });
  const close = async (): Promise<void> => {
    await database.close();
    await embedded?.stop();
  };
  try {
    const migrations = { connection, directory: MIGRATIONS, log: say };
    await migrate(migrations);
    const secret = config.encryptionKey ?? (await readOrCreateKey(config.dataDir));
    const keys = createKeys(secret);
    await keepEncryptionSample(database, keys);
    return {
      database,
      keys,
      clock: wallClock,
      mintUuid: createUuidMint(),
      randomBytes: createRandomSource(),
      pendingMigrations: () => pendingMigrations(migrations),
      close,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** The key in `dataDir`, created when absent; of two instances that create it at once, one wins. */
async function readOrCreateKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, KEY_FILE);
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    return parseKey(path, await readFile(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
    await chmod(draft, 0o600);
    // Unlike a rename, a link never replaces the key of another instance.
    await link(draft, path).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return parseKey(path, await readFile(path, 'utf8'));
}

function parseKey(path: string, text: string): Buffer {
  const key = readKey(text.trim());
  if (key === null) throw new Error(`${path} is empty; restore it from a backup`);
  return key;
}
