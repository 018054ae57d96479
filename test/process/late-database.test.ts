import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { startCluster } from '#test/support/cluster.ts';
import {
  ask,
  eventually,
  startProcess,
  stopProcess,
  temporaryFolder,
  type ServiceProcess,
} from '#test/support/process.ts';

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
const WAITS = 'the start waits for the database';

async function waits(service: ServiceProcess): Promise<void> {
  const { child } = service;
  await eventually(() => service.stdout().includes(WAITS) || child.exitCode !== null, 'it waits');
  assert.equal(child.exitCode, null, service.stderr());
}

for (const processes of ['1', '2']) {
  test(`a service of ${processes} started before its database waits for it and serves`, async (context) => {
    const cluster = await startCluster(context, 'late');
    await cluster.stop();
    const service = startProcess(context, { DATABASE_URL: cluster.url, ENCRYPTION_KEY, PROCESSES: processes });
    await waits(service);
    await cluster.start();
    await service.ready();
    assert.deepEqual(await stopProcess(service), { code: 0, signal: null });
    assert.equal(service.stdout().split(WAITS).length, 2, 'it is told once');
  });
}

test('a start that finds all places at its database taken waits for one', async (context) => {
  const cluster = await startCluster(context, 'full');
  await ask(cluster.connection, 'alter system set max_connections = 20');
  await cluster.stop();
  await cluster.start();
  const holders: Client[] = [];
  for (;;) {
    const holder = new Client(cluster.connection);
    const error = await holder.connect().then(
      () => null,
      (refusal: { code?: string }) => refusal.code,
    );
    if (error !== null) break;
    holders.push(holder);
  }
  const service = startProcess(context, { DATABASE_URL: cluster.url, ENCRYPTION_KEY });
  await waits(service);
  await Promise.all(holders.map((holder) => holder.end()));
  await service.ready();
  assert.deepEqual(await stopProcess(service), { code: 0, signal: null });
});

test('a start that finds a database that takes no writes yet, as a standby, waits until it does', async (context) => {
  const cluster = await startCluster(context, 'standby');
  const settings = { DATABASE_URL: cluster.url, ENCRYPTION_KEY };
  const first = startProcess(context, settings);
  await first.ready();
  await stopProcess(first);
  const takeWrites = async (isPromoted: boolean): Promise<void> => {
    const setting = isPromoted ? 'off' : 'on';
    await ask(cluster.connection, `alter system set default_transaction_read_only = ${setting}`);
    await ask(cluster.connection, 'select pg_reload_conf()');
  };
  await takeWrites(false);
  const service = startProcess(context, settings);
  await waits(service);
  await takeWrites(true);
  await service.ready();
  assert.deepEqual(await stopProcess(service), { code: 0, signal: null });
});

test('a start that loses its database after the migrations goes on', async (context) => {
  const cluster = await startCluster(context, 'lost');
  const settings = { DATABASE_URL: cluster.url, ENCRYPTION_KEY };
  const first = startProcess(context, settings);
  await first.ready();
  await stopProcess(first);
  const holder = new Client(cluster.connection);
  await holder.connect();
  for (const table of ['event_feed_state', 'audit_blocks_state', 'suppliers', 'projects']) {
    await holder.query(`begin; lock table ${table}`);
    const service = startProcess(context, settings);
    const cutOff = `
      select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query ~ '${table}'`;
    await eventually(async () => (await ask(cluster.connection, cutOff)).length > 0, `it asks ${table}`);
    await eventually(() => service.stdout().includes(WAITS) || service.child.exitCode !== null, 'it is told');
    await holder.query('rollback');
    await service.ready();
    assert.deepEqual(await stopProcess(service), { code: 0, signal: null }, table);
  }
  await holder.end();
});

test('a start that waits for its database ends in order when it is asked to', async (context) => {
  const cluster = await startCluster(context, 'late');
  await cluster.stop();
  const service = startProcess(context, { DATABASE_URL: cluster.url, ENCRYPTION_KEY });
  await waits(service);
  assert.deepEqual(await stopProcess(service), { code: 0, signal: null });
});

test('a command beside a database that is not there ends at once', async (context) => {
  const cluster = await startCluster(context, 'late');
  await cluster.stop();
  const settings = { DATABASE_URL: cluster.url, ENCRYPTION_KEY, DATA_DIR: temporaryFolder(context, 'late') };
  const command = startProcess(context, settings, undefined, ['project', 'list']);
  assert.deepEqual(await command.ended, { code: 1, signal: null });
  assert.match(command.stderr(), /^wattline: cannot connect to the database that DATABASE_URL names .*\n$/);
});
