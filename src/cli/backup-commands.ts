import { resolve } from 'node:path';
import { takeUpLog } from '#features/audit-log/index.ts';
import { takeUpFeed } from '#features/events/index.ts';
import { formatInstant } from '#platform/clock.ts';
import { findLostTables } from '#platform/database/compare-schema.ts';
import { checkEncryptionSample } from '#platform/database/encryption-check.ts';
import { DamagedBackup } from '#platform/database/backup-frames.ts';
import { writeBackup } from '#platform/database/backup.ts';
import type { Transaction } from '#platform/database/pool.ts';
import { NotEmpty, restoreBackup } from '#platform/database/restore.ts';
import { CommandFailure, withDependencies, type CliDependencies, type Command, type CommandResult } from './command.ts';
import { openFile } from './files.ts';

const backupCommand: Command = {
  name: 'backup',
  summary: 'Write the whole database into a file, while the service runs.',
  operands: ['FILE'],
  notes: [
    'FILE must not be there yet; only its owner may read it, for it holds personal data. It is compressed and sealed, and',
    'holds what was committed when the command began. ENCRYPTION_KEY is not in it: keep that in another place. Nothing is',
    'changed, nor is a migration applied: until the newer version is started, its backups can be restored by the older one.',
    'Exit code 1 when the database has lost tables: the rest is written, but cannot be restored.',
  ].join('\n'),
  async run(open, { operands, progress }) {
    const file = resolve(operands[0] ?? '');
    const save = async (dependencies: CliDependencies): Promise<CommandResult> => {
      const { database, connection, keys, clock, pendingMigrations } = dependencies;
      if (!(await checkEncryptionSample(database, keys))) {
        throw new Error('there is nothing to back up: no service was ever started on this database');
      }
      const createdAt = formatInstant(clock.now());
      const report = (table: string, rows: number): void => progress(`${table}: ${rows} rows`);
      const { tables, rows } = await writeBackup({ connection, keys, file, createdAt, report });
      // What an older version has made is not described here.
      const lost = (await pendingMigrations()).length > 0 ? [] : await findLostTables(connection);
      const warning = lost.length === 0 ? '' : ` It cannot be restored: the database has lost ${lost.join(', ')}.`;
      return {
        exitCode: lost.length === 0 ? 0 : 1,
        json: { object: 'backup', file, created_at: createdAt, tables, rows, lost },
        text: `${file} holds ${rows} rows of ${tables} tables.${warning}`,
      };
    };
    return withDependencies(open, save, 'as it is');
  },
};

const restoreCommand: Command = {
  name: 'restore',
  summary: 'Fill an empty database from a file that `backup` has written.',
  operands: ['FILE'],
  notes: [
    'Needs the ENCRYPTION_KEY of the database that the backup was made of. All of it is restored, or nothing: a file that was',
    'cut off or altered and a database that is not empty are refused. The next start of the service does the rest.',
  ].join('\n'),
  async run(_, { operands, openGround, progress }) {
    const file = resolve(operands[0] ?? '');
    const handle = await openFile(file);
    const isPlain = await handle.stat().then((found) => found.isFile());
    await handle.close();
    if (!isPlain) throw new Error(`${file} is no plain file, which can be read twice`);
    const ground = await openGround();
    try {
      const { connection, keys, migrations: directory } = ground;
      const report = (table: string, rows: number): void => progress(`${table}: ${rows} rows`);
      const settle = async (transaction: Transaction): Promise<void> => {
        await takeUpFeed(transaction);
        await takeUpLog(transaction);
      };
      const restored = await restoreBackup({ connection, keys, file, directory, settle, report });
      const { tables, rows, createdAt, leftOut } = restored;
      const others = leftOut.length === 0 ? '' : ` Not made by Wattline, and left out: ${leftOut.join(', ')}.`;
      return {
        exitCode: 0,
        json: { object: 'restore', file, created_at: createdAt, tables, rows, left_out: leftOut },
        text: `${rows} rows of ${tables} tables are restored, as they were at ${createdAt}.${others}`,
      };
    } catch (error) {
      if (error instanceof DamagedBackup) throw new CommandFailure('damaged_backup', error.message);
      if (error instanceof NotEmpty) throw new CommandFailure('not_empty', error.message);
      throw error;
    } finally {
      await ground.close();
    }
  },
};

/** The commands that keep and bring back the database. */
export const backupCommands: readonly Command[] = [backupCommand, restoreCommand];
