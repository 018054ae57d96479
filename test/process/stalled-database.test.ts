import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { Client } from 'pg';
import { SESSION } from '#platform/database/session.ts';
import { startCluster, type Cluster } from '#test/support/cluster.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signUpBody } from '#test/support/builders.ts';
import { ask, defer, eventually, freePort, stopProcess } from '#test/support/process.ts';
import { startProxy } from '#test/support/proxy.ts';
import { send, type Reply } from '#test/support/service.ts';
import { openStage, statusOf } from '#test/support/stage.ts';

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
const CLIENTS = 8;
const STOP_LIMIT_MS = 10_000;
const BACK_LIMIT_MS = 5_000;
/** More than there are connections. */
const WRITERS = 40;
/** Of the service; half as many, and what is on its way just then, may wait for a standby. */
const CONNECTIONS = 16;
/** Beyond what any buffer on the way holds. */
const MEGABYTES = 40;
const SILENCE_LIMIT_MS = 15_000;

/** From now on the server ends a commit once the standby of this name has it; without a name by itself. */
async function waitForStandby({ connection }: Cluster, name: string): Promise<void> {
  await ask(connection, `alter system set synchronous_standby_names = '${name}'`);
  await ask(connection, 'select pg_reload_conf()');
}

test('SIGTERM ends all processes with 0 in time although each answer of the database comes late', async (context) => {
  const database = await createTestDatabase();
  defer(context, () => database.drop());
  const proxy = await startProxy(database.connection);
  defer(context, () => proxy.close());
  const settings = {
    DATABASE_URL: proxy.url,
    ENCRYPTION_KEY,
    PROCESSES: '2',
  };
  const stage = await openStage(context, 'stalled', { settings });
  const { url, site } = stage;
  const { child, ended } = stage.service();
  const stalled = Promise.withResolvers<void>();
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (;;) {
      const asked = send(url, 'POST', '/subscriptions', { token: site.token, body: signUpBody(site.planId) });
      const reply = await asked.catch(() => null);
      if (reply === null) return;
      // Market processes have something to do.
      if (reply.status === 201) proxy.slow(3_200);
      else stalled.resolve();
    }
  });
  await stalled.promise;
  const begun = performance.now();
  child.kill('SIGTERM');
  assert.deepEqual(await ended, { code: 0, signal: null });
  const tookMs = performance.now() - begun;
  assert.ok(tookMs < STOP_LIMIT_MS, `it took ${tookMs} ms`);
  await Promise.all(clients);
});

test('what a process has locked is free after ten seconds also when it has stopped in the middle of a large answer', async (context) => {
  const cluster = await startCluster(context, 'silent-reader', {}, await freePort());
  const socket = new Socket();
  const holder = new Client({ ...cluster.tcp, options: SESSION, stream: () => socket });
  const gone = new Promise<void>((resolve) => holder.on('error', () => resolve()));
  await holder.connect();
  await holder.query('begin; select pg_advisory_xact_lock(1)');
  // Nobody reads any more, as when the process stands still.
  socket.pause();
  const begun = performance.now();
  const answer = holder.query(`select repeat('x', 1000000) from generate_series(1, ${MEGABYTES})`).catch(() => {});
  await eventually(async () => {
    const [lock] = await ask<{ free: boolean }>(cluster.connection, 'select pg_try_advisory_xact_lock(1) as free');
    return lock?.free === true && performance.now() - begun > 1_000;
  }, 'its lock is free');
  const tookMs = performance.now() - begun;
  assert.ok(tookMs < SILENCE_LIMIT_MS, `it took ${tookMs} ms`);
  socket.resume();
  await Promise.all([gone, answer]);
});

test('a standby that is waited for holds few connections: meanwhile all is read, and it is written again once it is there', async (context) => {
  const cluster = await startCluster(context, 'standby');
  const settings = { DATABASE_URL: cluster.url, ENCRYPTION_KEY };
  const stage = await openStage(context, 'standby', { settings });
  const { url, site } = stage;
  const { token, planId } = site;
  const signUp = (): Promise<Reply> => send(url, 'POST', '/subscriptions', { token, body: signUpBody(planId) });
  const customers = await Promise.all(
    Array.from({ length: WRITERS }, async () => String((await signUp()).json.customer)),
  );
  const rename = (customer: string): Promise<Reply> =>
    send(url, 'PATCH', `/customers/${customer}`, { token, body: { last_name: randomUUID() } });
  assert.equal((await rename(customers[0] ?? '')).status, 200);
  await waitForStandby(cluster, 'nobody');
  const seen = { refused: 0, isOver: false };
  defer(context, async () => void (seen.isOver = true));
  const writers = customers.map(async (customer, index) => {
    while (!seen.isOver) {
      const reply = await (index < CLIENTS ? signUp() : rename(customer)).catch(() => null);
      if (reply?.status === 503) seen.refused += 1;
    }
  });
  await eventually(async () => (await statusOf(stage, '/ready')) === 503, 'it says that nothing is written');
  const before = seen.refused;
  await eventually(() => seen.refused - before > 20 * WRITERS, 'many more are refused');
  const [waiting] = await ask<{ count: number }>(
    cluster.connection,
    `select count(*)::integer from pg_stat_activity where wait_event = 'SyncRep'`,
  );
  assert.ok(waiting !== undefined && waiting.count <= 1.5 * CONNECTIONS, `${waiting?.count} connections wait`);
  for (const path of ['/subscriptions?filter[status][in]=pending', `/customers/${customers[0]}/export`]) {
    assert.equal((await send(url, 'GET', path, { token })).status, 200, path);
  }
  seen.isOver = true;
  await Promise.all(writers);
  const begun = performance.now();
  await waitForStandby(cluster, '');
  await eventually(async () => (await signUp()).status === 201, 'sign-ups are written again');
  const tookMs = performance.now() - begun;
  assert.ok(tookMs < BACK_LIMIT_MS, `it took ${tookMs} ms`);
  assert.equal(await statusOf(stage, '/ready'), 200);
});

test('a service that is started while a standby is waited for reads, and writes once it is there', async (context) => {
  const cluster = await startCluster(context, 'standby-start');
  const settings = { DATABASE_URL: cluster.url, ENCRYPTION_KEY };
  const stage = await openStage(context, 'standby-start', { settings });
  const { token, planId } = stage.site;
  const signUp = (): Promise<Reply> => send(stage.url, 'POST', '/subscriptions', { token, body: signUpBody(planId) });
  await stopProcess(stage.service());
  await waitForStandby(cluster, 'nobody');
  await stage.restart();
  assert.equal((await send(stage.url, 'GET', '/plans', { token })).status, 200);
  assert.equal((await signUp()).status, 503);
  await waitForStandby(cluster, '');
  await eventually(async () => (await signUp()).status === 201, 'sign-ups are written');
});
