import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { locateBinaries } from './embedded-binaries.ts';
import { launchServer, pathsIn, removeStaleLocks, sharedBuffers } from './embedded-cluster.ts';
import { chooseServerUser } from './embedded-processes.ts';
import { findRunningEmbedded, startEmbedded } from './embedded.ts';
import type { EmbeddedConnection, EmbeddedDatabase, EmbeddedOptions } from './embedded.ts';

const isRoot = process.getuid?.() === 0;
const quiet = (): void => {};

/** A kill, unlike a power cut, loses nothing without fsync, which takes most of the time here. */
const WITHOUT_FSYNC = { fsync: 'off' };

/** A data folder of its own. As root its parent is closed to everyone else, as root's home is. */
function temporaryFolder(context: TestContext, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'wattline-embedded-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return join(folder, 'data');
}

/** A cluster made once, stopped, to be copied where its making is not what is tested. */
const seed = mkdtempSync(join(tmpdir(), 'wattline-embedded-seed-'));
before(async () => (await startEmbedded({ dataDir: seed, log: quiet, settings: WITHOUT_FSYNC })).stop());
after(() => rmSync(seed, { recursive: true, force: true }));

/** As `temporaryFolder`, with a cluster restored from a copy: as root its files belong to root. */
function seededFolder(context: TestContext, parent?: string): string {
  const dataDir = temporaryFolder(context, parent);
  cpSync(join(seed, 'postgres'), join(dataDir, 'postgres'), { recursive: true });
  return dataDir;
}

async function start(
  context: TestContext,
  dataDir: string,
  settings = WITHOUT_FSYNC,
  warn: EmbeddedOptions['log'] = quiet,
): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log: quiet, warn, settings });
  context.after(() => database.stop());
  return database;
}

async function ask<Row>(connection: EmbeddedConnection, statement: string): Promise<Row[]> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on('error', quiet);
  await client.connect();
  try {
    // The simple protocol gives one result per statement.
    const result: unknown = await client.query(statement);
    return (result as { rows: Row[] }).rows;
  } finally {
    await client.end();
  }
}

/** Tries until it works, for at most `limitMs`. */
async function eventually<Result>(attempt: () => Promise<Result>, limitMs = 10_000): Promise<Result> {
  for (const begin = performance.now(); ;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() - begin > limitMs) throw error;
      await sleep(10);
    }
  }
}

function serverPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Whether it runs; one that nobody has buried yet does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

interface Instance {
  readonly process: ChildProcess;
  readonly connection: EmbeddedConnection;
  readonly logged: readonly string[];
}

/** Another instance of the service, as far as the database is concerned. SIGTERM stops it in order. */
async function startInstance(context: TestContext, dataDir: string): Promise<Instance> {
  const code = `
    import { startEmbedded } from ${JSON.stringify(import.meta.resolve('./embedded.ts'))};
    const logged = [];
    const database = await startEmbedded({
      dataDir: ${JSON.stringify(dataDir)},
      log: (message) => logged.push(message),
      settings: ${JSON.stringify(WITHOUT_FSYNC)},
    });
    console.log(JSON.stringify({ connection: database.connection, logged }));
    const alive = setInterval(() => {}, 1000);
    process.once('SIGTERM', async () => { clearInterval(alive); await database.stop(); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  context.after(() => end(child, 'SIGTERM'));
  for await (const line of createInterface({ input: child.stdout })) {
    return { process: child, ...(JSON.parse(line) as Omit<Instance, 'process'>) };
  }
  throw new Error('the instance ended before its database was there');
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

test('keeps a sixteenth of the memory there is of its files, but 128 MB at least and 1 GB at most', () => {
  const gigabytes = (count: number): number => count * 1024 ** 3;
  const unbounded = 2 ** 64;
  assert.deepEqual(
    [
      sharedBuffers(0, gigabytes(8)),
      sharedBuffers(unbounded, gigabytes(8)),
      sharedBuffers(gigabytes(4), gigabytes(8)),
      sharedBuffers(gigabytes(0.5), gigabytes(8)),
      sharedBuffers(unbounded, gigabytes(64)),
    ],
    ['512MB', '512MB', '256MB', '128MB', '1024MB'],
  );
});

describe('a cluster of somebody else', () => {
  const startAsAnother = async (context: TestContext, dataDir: string): Promise<void> => {
    const { uid } = statSync(join(dataDir, 'postgres'));
    const { getuid } = process;
    process.getuid = () => uid + 1;
    context.after(() => Object.assign(process, { getuid }));
    await startEmbedded({ dataDir, log: quiet });
  };

  test('is refused with a sentence, before anything of it is read', async (context) => {
    const dataDir = temporaryFolder(context);
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    if (isRoot) for (const path of [dataDir, join(dataDir, 'postgres')]) chownSync(path, 4_321, 4_321);
    await assert.rejects(
      startAsAnother(context, dataDir),
      /postgres belongs to the user with uid \d+: start Wattline as that user, or as root\.$/,
    );
  });

  test('that root has made is said to be root’s, whose key the cluster’s user cannot read', async (context) => {
    if (!isRoot) {
      context.skip('only root makes one for somebody else');
      return;
    }
    const dataDir = temporaryFolder(context);
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    chownSync(join(dataDir, 'postgres'), 4_321, 4_321);
    await assert.rejects(startAsAnother(context, dataDir), /start Wattline as root, who made it\.$/);
  });
});

describe('the embedded server', () => {
  test('that root runs for a user can be used by that user, whatever umask root has', async (context) => {
    const dataDir = temporaryFolder(context);
    const umask = process.umask(0o077);
    const server = await startEmbedded({ dataDir, log: quiet, settings: { fsync: 'off' } }).finally(() => {
      process.umask(umask);
    });
    context.after(() => server.stop());
    assert.equal(statSync(pathsIn(dataDir).owner).mode & 0o777, 0o644);
  });

  test('creates a durable cluster, keeps its data over a restart, and is found by others', async (context) => {
    const dataDir = temporaryFolder(context);
    assert.equal(await findRunningEmbedded(dataDir), null);
    const first = await startEmbedded({ dataDir, log: quiet });
    context.after(() => first.stop());
    assert.deepEqual(await findRunningEmbedded(dataDir), first.connection);
    await ask(first.connection, 'create extension pg_trgm; create table kept as select 1 as value');
    const settings = await ask<{ name: string; setting: string }>(
      first.connection,
      `select name, setting from pg_settings
       where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses',
                      'TimeZone', 'server_encoding') order by name collate "C"`,
    );
    assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
      TimeZone: 'UTC',
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    });
    await first.stop();
    await first.stop();
    assert.equal(await findRunningEmbedded(dataDir), null);
    const second = await start(context, dataDir);
    assert.deepEqual(await ask(second.connection, 'select value from kept'), [{ value: 1 }]);
    assert.equal(
      readdirSync(dataDir).some((name) => name.includes('.new-')),
      false,
    );
  });

  test('runs in a folder that the server user cannot reach, through crash recovery and checkpoints', async (context) => {
    // Without root there is no other user: then it is the plain way under a closed folder of our own.
    const dataDir = temporaryFolder(context, isRoot && existsSync('/root') ? '/root' : tmpdir());
    const first = await start(context, dataDir);
    await ask(first.connection, 'create table kept as select generate_series(1, 1000) as value; checkpoint');
    await ask(first.connection, 'insert into kept select generate_series(1, 1000); create extension pg_trgm');
    const [row] = await ask<{ folder: string }>(first.connection, `select current_setting('data_directory') as folder`);
    if (isRoot && process.platform === 'linux') assert.equal(row?.folder, '/proc/self/cwd');
    process.kill(serverPid(dataDir), 'SIGKILL');
    assert.deepEqual(await eventually(() => ask(first.connection, 'select count(*)::int as rows from kept')), [
      { rows: 2000 },
    ]);
    await first.stop();
    const second = await start(context, dataDir);
    assert.deepEqual(await ask(second.connection, `select similarity('strom', 'ström') > 0 as letters`), [
      { letters: true },
    ]);
  });

  test('uses the plain path where the server user can reach it', async (context) => {
    const dataDir = seededFolder(context);
    chmodSync(join(dataDir, '..'), 0o711);
    const { connection } = await start(context, dataDir);
    const [row] = await ask<{ folder: string }>(connection, `select current_setting('data_directory') as folder`);
    assert.equal(row?.folder, join(dataDir, 'postgres'));
  });

  test('works under a path too long for a socket', async (context) => {
    const dataDir = join(temporaryFolder(context), 'long-'.repeat(20), 'data');
    const database = await start(context, dataDir);
    assert.ok(database.connection.host.length < 100);
    assert.deepEqual(await findRunningEmbedded(dataDir), database.connection);
    assert.deepEqual(await ask(database.connection, 'select 1 as value'), [{ value: 1 }]);
    rmSync(database.connection.host);
    assert.deepEqual(await eventually(() => ask(database.connection, 'select 2 as value')), [{ value: 2 }]);
    await database.stop();
    assert.equal(existsSync(database.connection.host), false);
  });

  test('comes back with its data after kill -9 of the server, and warns that it had gone', async (context) => {
    const dataDir = seededFolder(context);
    const told: string[] = [];
    const { connection } = await start(context, dataDir, WITHOUT_FSYNC, (message) => void told.push(message));
    await ask(connection, 'create table kept as select 1 as value');
    for (let round = 0; round < 3; round += 1) {
      const killed = serverPid(dataDir);
      process.kill(killed, 'SIGKILL');
      assert.deepEqual(await eventually(() => ask(connection, 'select value from kept')), [{ value: 1 }]);
      assert.notEqual(serverPid(dataDir), killed);
    }
    assert.deepEqual(told, Array(3).fill('database server has gone, starting it again'));
  });

  test('starts again when somebody has removed its socket, and whoever comes meanwhile leaves its files alone', async (context) => {
    const dataDir = seededFolder(context);
    const { connection } = await start(context, dataDir);
    await ask(connection, 'create table kept as select 1 as value');
    const pid = serverPid(dataDir);
    rmSync(join(dataDir, 'postgres', '.s.PGSQL.5432'));
    removeStaleLocks(join(dataDir, 'postgres'), true);
    assert.equal(serverPid(dataDir), pid);
    assert.deepEqual(await eventually(() => ask(connection, 'select value from kept')), [{ value: 1 }]);
    assert.notEqual(serverPid(dataDir), pid);
  });

  test('starts again in order when somebody has removed its lock file, for want of which it would break off within a minute', async (context) => {
    const dataDir = seededFolder(context);
    const told: string[] = [];
    const { connection } = await start(context, dataDir, WITHOUT_FSYNC, (message) => void told.push(message));
    await ask(connection, 'create table kept as select 1 as value');
    const pid = serverPid(dataDir);
    rmSync(join(dataDir, 'postgres', 'postmaster.pid'));
    await eventually(async () => assert.notEqual(serverPid(dataDir), pid));
    assert.deepEqual(await eventually(() => ask(connection, 'select value from kept')), [{ value: 1 }]);
    assert.deepEqual(told, ['somebody has removed the lock file of the database server, starting it again']);
    assert.doesNotMatch(readFileSync(join(dataDir, 'postgres.log'), 'utf8'), /automatic recovery/);
  });

  test('starts again when somebody has told it to stop, and it waits for connections that are open', async (context) => {
    const dataDir = seededFolder(context);
    const told: string[] = [];
    const { connection } = await start(context, dataDir, WITHOUT_FSYNC, (message) => void told.push(message));
    await ask(connection, 'create table kept as select 1 as value');
    const open = new Client(connection);
    open.on('error', quiet);
    await open.connect();
    context.after(() => open.end());
    const pid = serverPid(dataDir);
    process.kill(pid, 'SIGTERM');
    await eventually(() => assert.rejects(ask(connection, 'select 1')));
    assert.deepEqual(await eventually(() => ask(connection, 'select value from kept')), [{ value: 1 }]);
    assert.notEqual(serverPid(dataDir), pid);
    assert.deepEqual(told, ['somebody has told the database server to stop, starting it again']);
  });

  test('starts again at once after kill -9 of its parent', async (context) => {
    const dataDir = seededFolder(context);
    const instance = await startInstance(context, dataDir);
    await ask(instance.connection, 'create table kept (value int)');
    for (let value = 1; value <= 3; value += 1) {
      const current = value === 1 ? instance : await startInstance(context, dataDir);
      await ask(current.connection, `insert into kept values (${value})`);
      await end(current.process, 'SIGKILL');
    }
    const { connection } = await start(context, dataDir);
    assert.deepEqual(await ask(connection, 'select count(*)::int as rows from kept'), [{ rows: 3 }]);
  });

  test('survives kill -9 while the cluster is being created', async (context) => {
    const dataDir = temporaryFolder(context);
    const starting = startInstance(context, dataDir).catch(() => 'killed');
    const child = await eventually(async () => {
      const name = readdirSync(dataDir).find((entry) => entry.startsWith('postgres.new-'));
      assert.ok(name !== undefined);
      assert.ok(readdirSync(join(dataDir, name)).length > 0);
      return Number.parseInt(name.slice('postgres.new-'.length), 10);
    });
    process.kill(child, 'SIGKILL');
    assert.equal(await starting, 'killed');
    const { connection } = await start(context, dataDir);
    assert.deepEqual(await ask(connection, 'select 1 as value'), [{ value: 1 }]);
    assert.equal(
      readdirSync(dataDir).some((name) => name.startsWith('postgres.new-')),
      false,
    );
  });
});

describe('several instances on one data folder', () => {
  test('both come up when they start at once on an empty one; the last to remain keeps the server', async (context) => {
    const dataDir = temporaryFolder(context);
    const [one, other] = await Promise.all([startInstance(context, dataDir), startInstance(context, dataDir)]);
    assert.deepEqual(one.connection, other.connection);
    const starters = [one, other].filter(({ logged }) => logged.includes('database cluster created'));
    assert.equal(starters.length, 1);
    const [owner] = starters;
    const guest = owner === one ? other : one;
    await ask(guest.connection, 'create table kept as select 1 as value');
    await end(owner?.process ?? guest.process, 'SIGKILL');
    // The server goes with its owner, and the other instance starts it again.
    const value = await eventually(() => ask(guest.connection, 'select value from kept'));
    assert.deepEqual(value, [{ value: 1 }]);
  });

  test('one that is attached leaves the server to its owner', async (context) => {
    const dataDir = seededFolder(context);
    const { connection } = await start(context, dataDir);
    const pid = serverPid(dataDir);
    const guest = await startInstance(context, dataDir);
    assert.deepEqual(guest.logged, ['attached to the running database server']);
    await end(guest.process, 'SIGTERM');
    assert.deepEqual(await ask(connection, 'select 1 as value'), [{ value: 1 }]);
    assert.equal(serverPid(dataDir), pid);
  });

  test('one that is attached starts the server when its owner stops it', async (context) => {
    const dataDir = seededFolder(context);
    const owner = await startInstance(context, dataDir);
    const guest = await start(context, dataDir);
    await end(owner.process, 'SIGTERM');
    assert.deepEqual(await eventually(() => ask(guest.connection, 'select 1 as value')), [{ value: 1 }]);
  });

  test('a server that nobody owns is taken over, and stopped in the end', async (context) => {
    const dataDir = seededFolder(context);
    await (await start(context, dataDir)).stop();
    const paths = pathsIn(dataDir);
    const user = chooseServerUser(paths.cluster);
    const binaries = locateBinaries({ user, dataDir, log: quiet });
    // As where there is no setpriv: it stays when the process that started it is killed.
    await launchServer({ runtime: { user, binaries, endsWithParent: false }, paths, settings: {} });
    const pid = await eventually(async () => {
      const found = serverPid(dataDir);
      assert.ok(found > 0, 'the file is there before its text');
      return found;
    });
    const heir = await start(context, dataDir);
    assert.equal(serverPid(dataDir), pid);
    assert.deepEqual(await ask(heir.connection, 'select 1 as value'), [{ value: 1 }]);
    const guest = await start(context, dataDir);
    await guest.stop();
    assert.equal(isAlive(pid), true);
    await heir.stop();
    assert.equal(isAlive(pid), false);
  });
});

describe('remains of earlier servers', () => {
  for (const [what, pid] of [
    ['a process that is none of ours', process.pid],
    ['nobody', 4_194_300],
    ['no number at all', ''],
  ] as const) {
    test(`a postmaster.pid that names ${what} does not hinder the start`, async (context) => {
      const dataDir = seededFolder(context);
      const stale = `${pid}\n/proc/self/cwd\n1795245325\n5432\n.\n\n 16039943         4\nready   \n`;
      writeFileSync(join(dataDir, 'postgres/postmaster.pid'), pid === '' ? '' : stale);
      writeFileSync(join(dataDir, 'postgres/.s.PGSQL.5432.lock'), pid === '' ? '' : stale);
      writeFileSync(join(dataDir, 'postgres.lock'), JSON.stringify({ pid: pid || 1, started: 'long ago' }));
      assert.equal(await findRunningEmbedded(dataDir), null);
      const { connection } = await start(context, dataDir);
      assert.deepEqual(await ask(connection, 'select 1 as value'), [{ value: 1 }]);
    });
  }

  test('a folder that holds something else is left alone, with a sentence', async (context) => {
    const dataDir = temporaryFolder(context);
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/thesis.txt'), 'precious');
    await assert.rejects(start(context, dataDir), /neither empty nor a PostgreSQL cluster/);
    assert.deepEqual(readdirSync(join(dataDir, 'postgres')), ['thesis.txt']);
  });

  test('a setting the server does not know ends the start with its complaint', async (context) => {
    const dataDir = seededFolder(context);
    const starting = startEmbedded({ dataDir, log: quiet, settings: { ...WITHOUT_FSYNC, no_such_setting: '1' } });
    await assert.rejects(starting, /ended at once: .*no_such_setting/);
  });
});
