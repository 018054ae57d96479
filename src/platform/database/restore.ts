import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress, type ZstdDecompress } from 'node:zlib';
import { type Client, type ClientConfig, escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Keys } from '../crypto.ts';
import {
  DamagedBackup,
  decodeFrames,
  followed,
  type BackupHeader,
  type BackupTable,
  type Frame,
} from './backup-frames.ts';
import type { BackupSummary } from './backup.ts';
import { listNames, readMigrationsOf, readTables, withCopyClient } from './backup-tables.ts';
import { readMadeTables } from './compare-schema.ts';
import { migrate, requireKnownMigrations } from './migrate.ts';
import { freeLock, RESTORE, waitForLock } from './migration-lock.ts';
import type { Transaction } from './pool.ts';
import { toStatement } from './sql.ts';
import { errorCode } from '../error-code.ts';

/** Settings of `restoreBackup`. */
export interface RestoreOptions {
  /** An empty database. */
  readonly connection: ClientConfig;
  /** The key of the database that the backup was made of. */
  readonly keys: Keys;
  readonly file: string;
  /** Absolute path of the folder with the migrations. */
  readonly directory: string;
  /** What has to be done in the same commit once all rows are there. */
  readonly settle: (transaction: Transaction) => Promise<void>;
  /** Gets each table that is done. */
  readonly report: (table: string, rows: number) => void;
}

/** What was restored. */
export interface RestoreSummary extends BackupSummary {
  readonly createdAt: string;
  /** Tables of the backup that are none of ours: others had made them in the same schema. */
  readonly leftOut: readonly string[];
}

/** The database is not empty, so nothing is restored into it. */
export class NotEmpty extends Error {
  override readonly name = 'NotEmpty';
}

/**
 * Fills an empty database from a backup, in one transaction: it is as it was, or empty. The schema is made by the migrations
 * that had made it then; those that have come since are applied by the next start.
 * @throws DamagedBackup | NotEmpty | Error with a sentence for the operator
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const { connection, directory } = options;
  // Once through without a database: nothing of a file that was cut off or altered comes near one.
  await readFrames(options, async (frames) => {
    for await (const _ of frames);
  });
  return readFrames(options, async (frames) => {
    const header = await headerOf(frames);
    await requireKnownMigrations({ directory, log: () => {} }, header.migrations);
    return withCopyClient(connection, RESTORE, async (client) => {
      // Whoever starts on it meanwhile waits there for as long as all of this takes, and is told for what.
      await waitForLock(client, () => {});
      try {
        await requireEmpty(client);
        await migrate({ connection, directory, log: () => {}, hasLock: true, upTo: header.migrations.length });
        const summary = await fill(client, header, frames, options);
        return { ...summary, createdAt: header.created_at };
      } finally {
        await freeLock(client);
      }
    });
  });
}

async function readFrames<Result>(
  { file, keys }: Pick<RestoreOptions, 'file' | 'keys'>,
  work: (frames: AsyncGenerator<Frame>) => Promise<Result>,
): Promise<Result> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createZstdDecompress());
  source.on('error', (error) => unpacked.destroy(error));
  try {
    return await work(decodeFrames(wholeOf(file, unpacked), keys));
  } catch (error) {
    throw isUnpackingError(error) ? new DamagedBackup('The file is no backup of Wattline, or is damaged.') : error;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

/** @throws DamagedBackup for what follows, which is not packed and so would be passed over */
async function* wholeOf(file: string, unpacked: ZstdDecompress): AsyncGenerator<Buffer> {
  yield* unpacked as AsyncIterable<Buffer>;
  const { size } = await stat(file);
  if (unpacked.bytesWritten < size) throw followed();
}

async function headerOf(frames: AsyncGenerator<Frame>): Promise<BackupHeader> {
  const { value, done } = await frames.next();
  if (done === true || value.kind !== 'header') throw new DamagedBackup('The backup has no header.');
  return value.header;
}

function isUnpackingError(error: unknown): boolean {
  return /^(ZSTD_|Z_)/.test(errorCode(error) ?? '');
}

/** @throws NotEmpty when there is a row that no migration has written, or a table that is not ours */
async function requireEmpty(client: Client): Promise<void> {
  const tables = await readTables(client);
  const isOurs = (await readMigrationsOf(client)) !== null;
  for (const { name, isSingleton } of tables) {
    if (isOurs && isSingleton) continue;
    const { rows } = await client.query(`select from ${escapeIdentifier(name)} limit 1`);
    if (!isOurs || rows.length > 0) {
      throw new NotEmpty(`The database is not empty: it has ${isOurs ? 'rows in ' : ''}${name}. Give an empty one.`);
    }
  }
}

async function fill(
  client: Client,
  header: BackupHeader,
  frames: AsyncGenerator<Frame>,
  { settle, report }: RestoreOptions,
): Promise<Omit<RestoreSummary, 'createdAt'>> {
  await client.query('begin');
  try {
    const tables = (await readTables(client)).map(({ name }) => name);
    // Whoever starts the service on it meanwhile does not get in, and finds it full or empty later.
    await client.query(`lock table ${listNames(['wattline_migrations', ...tables])} in access exclusive mode`);
    await requireEmpty(client);
    await requireSchema(client, header);
    await client.query(`truncate ${listNames(tables)}`);
    const raise = await takeDown(client, tables);
    const summary = await load(client, tables, frames, report);
    await raise();
    for (const { version, applied_at: appliedAt } of header.migrations) {
      await client.query('update wattline_migrations set applied_at = $2 where version = $1', [version, appliedAt]);
    }
    await settle(transactionOf(client));
    await client.query('analyze');
    await client.query('commit');
    return summary;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** @throws Error unless exactly the migrations of the backup are applied */
async function requireSchema(client: Client, { migrations }: BackupHeader): Promise<void> {
  const applied = (await readMigrationsOf(client)) ?? [];
  if (applied.length === migrations.length) return;
  throw new NotEmpty('The database has the schema of a newer version than the backup. Give an empty one.');
}

/**
 * Takes down what looks at each row that comes in: triggers, which have looked at it when it was written, and keys and
 * indexes, which are made at once afterwards. Foreign keys are proved by that anew.
 */
async function takeDown(client: Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ down: string; up: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as down,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as up,
       2 as place, oid
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
     union all
     select case when conname is null then format('drop index %s', indexrelid::regclass)
         else format('alter table %s drop constraint %I', indrelid::regclass, conname) end,
       case when conname is null then pg_get_indexdef(indexrelid)
         else format('alter table %s add constraint %I %s', indrelid::regclass, conname, pg_get_constraintdef(made.oid)) end,
       1, indexrelid
     from pg_index join pg_class on pg_class.oid = indexrelid
     left join pg_constraint as made on conindid = indexrelid and contype in ('p', 'u', 'x')
     where relnamespace = 'public'::regnamespace
     -- Made in the order that the migrations give them: of those that cost the same the planner takes the one made last.
     order by place, oid`,
  );
  // Keys go before the unique indexes that they may rest on, and come after them.
  for (const { down } of rows.toReversed()) await client.query(down);
  for (const table of tables) await client.query(`alter table ${escapeIdentifier(table)} disable trigger user`);
  return async () => {
    for (const { up } of rows) await client.query(up);
    for (const table of tables) await client.query(`alter table ${escapeIdentifier(table)} enable trigger user`);
  };
}

async function load(
  client: Client,
  ours: readonly string[],
  frames: AsyncGenerator<Frame>,
  report: RestoreOptions['report'],
): Promise<Omit<RestoreSummary, 'createdAt'>> {
  const missing = new Set(ours);
  const summary = { tables: 0, rows: 0, leftOut: [] as string[] };
  for (;;) {
    const { value: frame, done } = await frames.next();
    if (done === true) break;
    if (frame.kind !== 'table') throw outOfPlace();
    const { table } = frame.table;
    if (!ours.includes(table)) {
      for await (const _ of rowsUntilEnd(frames, { rows: -1 }));
      summary.leftOut.push(table);
      continue;
    }
    if (!missing.delete(table)) throw outOfPlace();
    const rows = await copyRows(client, frame.table, frames);
    summary.tables += 1;
    summary.rows += rows;
    report(table, rows);
  }
  const lost = (await readMadeTables()).filter((table) => missing.delete(table));
  if (missing.size > 0)
    throw new NotEmpty(`The database is not empty: it has ${[...missing].join(', ')}. Give an empty one.`);
  if (lost.length > 0) {
    const names = lost.join(', ');
    throw new DamagedBackup(`The backup has no ${names}, which its database had lost. Restore an earlier one.`);
  }
  return summary;
}

/** @throws DamagedBackup unless as many rows come in as were written */
async function copyRows(client: Client, table: BackupTable, frames: AsyncGenerator<Frame>): Promise<number> {
  const written = { rows: -1 };
  const stream = client.query(copyFrom(`copy ${listNames([table.table])} (${listNames(table.columns)}) from stdin`));
  await pipeline(Readable.from(rowsUntilEnd(frames, written), { objectMode: false }), stream);
  if (stream.rowCount !== written.rows) {
    throw new DamagedBackup(`Of ${table.table} ${written.rows} rows were written, and ${stream.rowCount} came in.`);
  }
  return written.rows;
}

async function* rowsUntilEnd(frames: AsyncGenerator<Frame>, written: { rows: number }): AsyncGenerator<Buffer> {
  for (;;) {
    const { value: frame, done } = await frames.next();
    if (done === true) throw outOfPlace();
    if (frame.kind === 'end of table') {
      written.rows = frame.rows;
      return;
    }
    if (frame.kind !== 'rows') throw outOfPlace();
    yield frame.bytes;
  }
}

function outOfPlace(): DamagedBackup {
  return new DamagedBackup('The backup was altered: its parts are not in their places.');
}

/** The open transaction as the features know one. */
function transactionOf(client: Client): Transaction {
  return {
    kind: 'transaction',
    async query<Row>(statement: Parameters<Transaction['query']>[0]): Promise<Row[]> {
      const { text, values } = toStatement(statement);
      return (await client.query({ text, values: [...values] })).rows as Row[];
    },
  };
}
