/** How a database is reached: by a URL, with the settings of a session that everything relies on, in bounded time. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { QueryConfig } from 'pg';
import { createTestDatabase } from '#test/support/database.ts';
import { ask, defer, eventually, temporaryFolder } from '#test/support/process.ts';
import { startProxy } from '#test/support/proxy.ts';
import { connectionOf, openClient } from './connection.ts';
import { DatabaseUnavailable } from './errors.ts';
import { createDatabase, type Database } from './pool.ts';
import { requireSession } from './session.ts';
import { sql } from './sql.ts';

/** Connections that each lose something else of an answer, up to the middle of what tells of its columns. */
const LOSSES = 32;

async function withDatabase(parameters: string, work: (database: Database) => Promise<void>): Promise<void> {
  const own = await createTestDatabase();
  const connection = connectionOf(`${own.url}${own.url.includes('?') ? '&' : '?'}${parameters}`);
  const database = createDatabase({ connection, maxConnections: 1, onIdleError: () => {} });
  try {
    await work(database);
  } finally {
    await database.close();
    await own.drop();
  }
}

test('a URL that cannot be read is refused with a sentence that names the setting and not the password', () => {
  for (const url of [
    'postgres://me:p#w/1@host/name',
    'postgres://me:secret@host:70000/name',
    'postgres://me:%ff@host/name',
  ]) {
    assert.throws(
      () => connectionOf(url),
      ({ message }: Error) => message.startsWith('DATABASE_URL cannot be read: ') && !/secret|p#w|%ff/.test(message),
      url,
    );
  }
});

test('a URL that names several servers, as libpq takes them, is refused with a sentence that says so', () => {
  assert.throws(() => connectionOf('postgres://me@one:5432,another:5432/name?target_session_attrs=read-write'), {
    message: /^DATABASE_URL cannot be read: .*one server/,
  });
});

test('options of a URL are kept, and those of the service win over them', async () => {
  const options = encodeURIComponent('-c geqo=off -c timezone=Europe/Berlin -c datestyle=German');
  await withDatabase(`options=${options}`, async (database) => {
    const [row] = await database.query(sql`
      select current_setting('geqo') as geqo, timestamptz '2026-07-01 12:00Z' as instant, date '2026-07-01' as day`);
    assert.deepEqual(row, { geqo: 'off', instant: '2026-07-01T12:00:00Z', day: '2026-07-01' });
    await requireSession(database);
  });
});

test('tables are those that migrations have made, also where the database looks elsewhere first', async () => {
  const own = await createTestDatabase();
  await ask(own.connection, 'create schema elsewhere; create table elsewhere.projects ()');
  await ask(
    own.connection,
    `do $$ begin execute format('alter database %I set search_path = elsewhere', current_database()); end $$`,
  );
  const database = createDatabase({ connection: own.connection, maxConnections: 1, onIdleError: () => {} });
  try {
    assert.deepEqual(await database.query(sql`select id from projects`), []);
  } finally {
    await database.close();
    await own.drop();
  }
});

test('a session with other settings than it has asked for is refused', async () => {
  await withDatabase('', async (database) => {
    await requireSession(database);
    for (const setting of [
      sql`set local timezone = 'Europe/Berlin'`,
      sql`set local datestyle = 'German'`,
      sql`set local enable_seqscan = on`,
    ]) {
      await database.transaction(async (transaction) => {
        await transaction.query(setting);
        await assert.rejects(
          requireSession(transaction),
          /^Error: A connection to the database does not have .* DATABASE_URL must/,
        );
      });
    }
  });
});

test('a database that answers a commit before it is on its disk is refused; one that waits for more is not', async () => {
  for (const [wanted, isRefused] of [
    ['off', true],
    ['remote_apply', false],
  ] as const) {
    await withDatabase(`options=${encodeURIComponent(`-c synchronous_commit=${wanted}`)}`, async (database) => {
      const check = requireSession(database);
      await (isRefused ? assert.rejects(check, /^Error: .*synchronous_commit is off/) : check);
    });
  }
});

test('whatever durability an operator sets for a role or database later, no commit is answered before it is on the disk', async () => {
  const own = await createTestDatabase();
  try {
    for (const [wanted, used] of [
      ['off', 'on'],
      ['local', 'local'],
      ['remote_apply', 'remote_apply'],
    ]) {
      await ask(
        own.connection,
        `do $$ begin
           execute format('alter database %I set synchronous_commit = ${wanted}', current_database());
         end $$`,
      );
      const database = createDatabase({ connection: own.connection, maxConnections: 1, onIdleError: () => {} });
      const [row] = await database.query(sql`select current_setting('synchronous_commit') as used`);
      await database.close();
      assert.deepEqual(row, { used });
    }
  } finally {
    await own.drop();
  }
});

test('names are folded alike, however a server reads a backslash', async () => {
  await withDatabase(`options=${encodeURIComponent('-c standard_conforming_strings=off')}`, async (database) => {
    const [row] = await database.query(
      sql`select fold_for_search('Mueller') as spelt, fold_for_search('Müller') as name`,
    );
    assert.deepEqual(row, { spelt: 'muller', name: 'muller' });
  });
});

test('a certificate that cannot be read for a while is an outage for those who wait, and not the end of the process', async (context) => {
  const file = join(temporaryFolder(context, 'certificate'), 'root.pem');
  writeFileSync(file, '');
  await withDatabase(`sslmode=disable&sslrootcert=${encodeURIComponent(file)}`, async (database) => {
    const [own] = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const atWork = assert.rejects(database.query(sql`select pg_sleep(60)`), DatabaseUnavailable);
    const waiting = assert.rejects(database.query(sql`select 1`), DatabaseUnavailable);
    rmSync(file);
    const other = await createTestDatabase();
    defer(context, () => other.drop());
    await ask(other.connection, 'select pg_terminate_backend($1)', [own?.pid]);
    await Promise.all([atWork, waiting]);
    await assert.rejects(database.query(sql`select 1`), DatabaseUnavailable);
    writeFileSync(file, '');
    assert.deepEqual(await database.query(sql`select 1 as one`), [{ one: 1 }]);
  });
});

test('a mode of TLS checks the certificate and its name whatever it is called, and the driver has nothing to warn of', async (context) => {
  const warned: Error[] = [];
  const note = (warning: Error): void => void warned.push(warning);
  process.on('warning', note);
  context.after(() => process.off('warning', note));
  const asked = [
    ['?sslmode=prefer', '?sslmode=verify-full'],
    ['?a=b&sslmode=require', '?a=b&sslmode=verify-full'],
    ['?sslmode=verify-ca&sslcert=', '?sslmode=verify-full&sslcert='],
    ['?sslmode=verify-full', '?sslmode=verify-full'],
    ['?sslmode=no-verify', '?sslmode=no-verify'],
    ['?sslmode=disable', '?sslmode=disable'],
    ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
  ];
  for (const [query, used] of asked)
    assert.equal(connectionOf(`postgres://u:p@db/d${query}`).connectionString, `postgres://u:p@db/d${used}`);
  // Warnings are given at the end of the turn.
  await new Promise((resolve) => void setImmediate(resolve));
  assert.deepEqual(warned, []);
});

/** A server that accepts and says nothing. */
async function startSilentServer(): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      silent.close();
    },
  };
}

/** What the kernel waits for on connections to a port of this machine, each as `02` when it is to ask who is there. */
function timersTo(port: number): (string | undefined)[] {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const fields = lines.map((line) => line.trim().split(/\s+/)).filter(([, , to]) => to === remote);
  return fields.map(([, , , , , timer]) => timer?.slice(0, 2));
}

test('the system is to ask whether a server is still there that says nothing', async (context) => {
  if (process.platform !== 'linux') return context.skip('the kernel tells on Linux only');
  const { port, close } = await startSilentServer();
  defer(context, close);
  const opening = assert.rejects(openClient(connectionOf(`postgres://me@127.0.0.1:${port}/name`), 'test'));
  await eventually(() => isDeepStrictEqual(timersTo(port), ['02']), 'it is to ask');
  await close();
  await opening;
});

test('a server that takes nobody in is given up', async (context) => {
  const { port, close } = await startSilentServer();
  defer(context, close);
  const opening = openClient(connectionOf(`postgres://me@127.0.0.1:${port}/name`), 'test', 100);
  await assert.rejects(opening, /^Error: the database did not answer within 0\.1 s$/);
});

test('where bytes of an answer get lost, a connection beside the pool fails, and not the process', async (context) => {
  const own = await createTestDatabase();
  defer(context, () => own.drop());
  const proxy = await startProxy(own.connection);
  defer(context, () => proxy.close());
  const opened = [];
  for (let index = 0; index < LOSSES; index += 1) opened.push(await openClient(connectionOf(proxy.url), 'test'));
  proxy.lose();
  const answers = await Promise.allSettled(
    opened.map((client) => client.query({ text: `select 1 as one, 'a' as a`, query_timeout: 1_000 } as QueryConfig)),
  );
  assert.ok(answers.some(({ status }) => status === 'rejected'));
  await Promise.all(opened.map((client) => client.end()));
});
