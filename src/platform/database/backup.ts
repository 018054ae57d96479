import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { Client, ClientConfig } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Keys } from '../crypto.ts';
import { syncFolder } from '../durable.ts';
import { encodeFrames, keySample, type Frame } from './backup-frames.ts';
import { listNames, readMigrationsOf, readTables, withCopyClient, type CopiedTable } from './backup-tables.ts';
import { errorCode } from '../error-code.ts';

/** What a backup holds. */
export interface BackupSummary {
  readonly tables: number;
  readonly rows: number;
}

/** Settings of `writeBackup`. */
export interface BackupOptions {
  readonly connection: ClientConfig;
  readonly keys: Keys;
  /** A file that is not there yet. */
  readonly file: string;
  /** The present, in UTC. */
  readonly createdAt: string;
  /** Gets each table that is done. */
  readonly report: (table: string, rows: number) => void;
}

/** Rows are handed on in portions of about so many bytes. */
const PORTION_BYTES = 128 * 1024;
/** What a file system says that has no hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } };

/**
 * Writes the whole database, as it is at one instant, into a file that only its owner can read. The service may run and
 * write meanwhile. The file appears under its name when it is whole and on the disk, never before.
 * @throws Error with a sentence for the operator; nothing is left behind then
 */
export async function writeBackup({
  connection,
  keys,
  file,
  createdAt,
  report,
}: BackupOptions): Promise<BackupSummary> {
  const draft = `${file}.partial`;
  if (existsSync(file)) throw new Error(`${file} is there already`);
  const summary = { tables: 0, rows: 0 };
  const note = (table: string, rows: number): void => {
    summary.tables += 1;
    summary.rows += rows;
    report(table, rows);
  };
  const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
  // The draft of another backup on its way is not ours to remove.
  await new Promise((resolve, reject) => output.once('open', resolve).once('error', reject)).catch((error: unknown) => {
    if (errorCode(error) === 'EEXIST')
      throw new Error(`${draft} is there already: another backup is on its way, or was cut off`);
    throw errorCode(error) === 'ENOENT' ? new Error(`there is no folder ${dirname(file)}`) : error;
  });
  try {
    await withCopyClient(connection, 'wattline backup', async (client) => {
      const frames = framesOf(client, keys, createdAt, note);
      await pipeline(
        Readable.from(encodeFrames(frames, keys), { objectMode: false }),
        createZstdCompress(ZSTD),
        output,
      );
    });
    // Unlike a rename, a link never replaces a file; file systems such as exFAT have none.
    await link(draft, file).catch((error: unknown) => {
      if (errorCode(error) === 'EEXIST' || existsSync(file)) throw new Error(`${file} is there already`);
      if (!NO_LINKS.has(errorCode(error))) throw error;
      return rename(draft, file);
    });
    try {
      syncFolder(dirname(file));
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
    return summary;
  } finally {
    await rm(draft, { force: true });
  }
}

async function* framesOf(
  client: Client,
  keys: Keys,
  createdAt: string,
  note: (table: string, rows: number) => void,
): AsyncGenerator<Frame> {
  const names = (await readTables(client)).map(({ name }) => name);
  await client.query('begin isolation level repeatable read read only');
  // Before the snapshot is taken: no migration comes in between. Whoever reads or writes rows is not kept waiting.
  await client.query(`lock table ${listNames(['wattline_migrations', ...names])} in access share mode`);
  const migrations = (await readMigrationsOf(client)) ?? [];
  yield { kind: 'header', header: { format: 1, created_at: createdAt, migrations, key_sample: keySample(keys) } };
  for (const table of await readTables(client)) {
    const { name, columns } = table;
    yield { kind: 'table', table: { table: name, columns } };
    const rows = yield* rowsOf(client, table);
    yield { kind: 'end of table', rows };
    note(name, rows);
  }
  await client.query('commit');
}

async function* rowsOf(client: Client, { name, columns, foreignColumns }: CopiedTable): AsyncGenerator<Frame, number> {
  const selected = columns.map((column) => (foreignColumns.includes(column) ? 'null' : listNames([column])));
  const stream = client.query(copyTo(`copy (select ${selected.join(', ')} from ${listNames([name])}) to stdout`));
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < PORTION_BYTES) continue;
    yield { kind: 'rows', bytes: Buffer.concat(held) };
    [held, bytes] = [[], 0];
  }
  if (bytes > 0) yield { kind: 'rows', bytes: Buffer.concat(held) };
  // The last row may have come before the word that it was the last, which says how many there were.
  await client.query('select');
  return stream.rowCount;
}
