import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { pino } from 'pino';
import { acrossRestarts, layFoundation } from '../../src/foundation.ts';
import { pathsIn } from '#platform/database/embedded-cluster.ts';
import { findRunningEmbedded, startEmbedded } from '#platform/database/embedded.ts';
import { sql } from '#platform/database/sql.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { ask, defer, eventually, startProcess, stopProcess, temporaryFolder } from '#test/support/process.ts';

test('a start goes on when the server that it has found ends with the process that had started it', async (context) => {
  const dataDir = temporaryFolder(context, 'found');
  const owner = startProcess(context, { DATA_DIR: dataDir });
  await owner.ready();
  const pidFile = join(pathsIn(dataDir).cluster, 'postmaster.pid');
  const seen: string[] = [];
  const log = pino(
    {},
    {
      write(line: string) {
        const { msg } = JSON.parse(line) as { msg: string };
        seen.push(msg);
        if (msg !== 'attached to the running database server') return;
        owner.child.kill('SIGTERM');
        // Nothing else happens here until the server has gone.
        const cell = new Int32Array(new SharedArrayBuffer(4));
        while (existsSync(pidFile)) Atomics.wait(cell, 0, 0, 1);
      },
    },
  );
  const foundation = await layFoundation({ databaseUrl: null, dataDir, encryptionKey: null }, log);
  defer(context, () => foundation.close());
  assert.equal(seen[0], 'attached to the running database server');
  assert.deepEqual(await foundation.database.query(sql`select 1 as one`), [{ one: 1 }]);
});

test('a start that has waited for long, such as for a restore, goes on although the server ends with that', async (context) => {
  const clock = { now: 0 };
  context.mock.method(performance, 'now', () => clock.now);
  const tries: number[] = [];
  const log = pino({ level: 'silent' });
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  const failing = [
    // Let in, and cut off only when what it waited for had been done.
    { tookMs: 300_000, error: new Error('Connection terminated unexpectedly') },
    { tookMs: 0, error: refused },
    { tookMs: 300_000, error: new Error('Connection terminated unexpectedly') },
    { tookMs: 0, error: refused },
  ];
  const start = (): Promise<string> =>
    acrossRestarts(async () => {
      tries.push(clock.now);
      const failure = failing.shift();
      if (failure === undefined) return 'started';
      clock.now += failure.tookMs;
      throw failure.error;
    }, log);
  assert.equal(await start(), 'started');
  assert.equal(tries.length, 5);
  // Whom nobody ever lets in is told so.
  failing.push({ tookMs: 30_000, error: refused });
  await assert.rejects(start(), refused);
});

test('a server that ends all idle connections is told of once', async (context) => {
  const own = await createTestDatabase();
  defer(context, () => own.drop());
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const dataDir = temporaryFolder(context, 'found');
  const foundation = await layFoundation({ databaseUrl: own.url, dataDir, encryptionKey: null }, log);
  defer(context, () => foundation.close());
  const { database } = foundation;
  await Promise.all(Array.from({ length: 8 }, () => database.query(sql`select pg_sleep(0.2)`)));
  assert.ok(database.counts().idle >= 8);

  await ask(
    own.connection,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await eventually(() => database.counts().total === 0, 'the connections are gone');
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /"idle database connections broke"/);
});

test('a key file that cannot be read stops the start with a sentence that names it', async (context) => {
  const own = await createTestDatabase();
  defer(context, () => own.drop());
  const dataDir = temporaryFolder(context, 'found');
  mkdirSync(join(dataDir, 'encryption.key'));
  await assert.rejects(
    layFoundation({ databaseUrl: own.url, dataDir, encryptionKey: null }, pino({ level: 'silent' })),
    { message: `${join(dataDir, 'encryption.key')} cannot be read` },
  );
});

test('a start with another key than the database was written with applies no migration to it', async (context) => {
  const own = await createTestDatabase();
  defer(context, () => own.drop());
  const settings = { databaseUrl: own.url, dataDir: temporaryFolder(context, 'another') };
  const log = pino({ level: 'silent' });
  const lay = (fill: number): ReturnType<typeof layFoundation> =>
    layFoundation({ ...settings, encryptionKey: Buffer.alloc(32, fill) }, log);
  await (await lay(1)).close();
  await ask(
    own.connection,
    'delete from wattline_migrations where version = (select max(version) from wattline_migrations)',
  );
  const count = async (): Promise<number> => (await ask(own.connection, 'select from wattline_migrations')).length;
  const before = await count();
  await assert.rejects(lay(2), /^Error: ENCRYPTION_KEY is not the key this database was written with/);
  assert.equal(await count(), before);
  await (await lay(1)).close();
  assert.equal(await count(), before + 1);
});

test('a command that waits for a lock says so', async (context) => {
  const own = await createTestDatabase();
  defer(context, () => own.drop());
  const holder = new Client(own.connection);
  await holder.connect();
  defer(context, () => holder.end());
  await holder.query('begin; lock table wattline_migrations in access exclusive mode');
  const settings = { DATABASE_URL: own.url, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') };
  const command = startProcess(context, settings, undefined, ['project', 'list']);
  await eventually(() => /"a migration waits for a lock"/.test(command.stderr()), 'it tells of the lock');
  await holder.query('rollback');
  assert.equal((await command.ended).code, 0);
  assert.match(command.stdout(), /^ID /);
});

test('a command that has started the database server leaves it to others that are at work on it', async (context) => {
  const dataDir = join(temporaryFolder(context, 'found'), 'data');
  const settings = { DATA_DIR: dataDir };
  const service = startProcess(context, settings);
  await service.listening();
  await stopProcess(service);
  const path = join(dataDir, 'encryption.key');
  const key = readFileSync(path, 'utf8');
  rmSync(path);
  // It waits for its key, and so until the other one has come.
  execFileSync('mkfifo', [path]);
  const command = startProcess(context, settings, undefined, ['project', 'list']);
  await eventually(() => findRunningEmbedded(dataDir), 'the command has started the server');
  const other = await startEmbedded({ dataDir, isCommand: true, log: () => {} });
  defer(context, () => other.stop());
  const pipe = openSync(path, 'w');
  // The key is read once more later.
  rmSync(path);
  writeFileSync(path, key);
  writeSync(pipe, key);
  closeSync(pipe);
  await eventually(() => command.child.exitCode !== null || command.stderr() !== '', 'the command is done');
  assert.match(command.stderr(), /"another command works on the database server .* is waited for"/);
  assert.deepEqual(await ask(other.connection, 'select count(*)::int as count from projects'), [{ count: 1 }]);
  await other.stop();
  assert.deepEqual(await command.ended, { code: 0, signal: null });
  assert.equal(await findRunningEmbedded(dataDir), null);
});
