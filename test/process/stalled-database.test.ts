import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '#test/support/database.ts';
import { signUpBody } from '#test/support/builders.ts';
import { defer } from '#test/support/process.ts';
import { startProxy } from '#test/support/proxy.ts';
import { send } from '#test/support/service.ts';
import { openStage } from '#test/support/stage.ts';

const CLIENTS = 8;
const STOP_LIMIT_MS = 10_000;

test('SIGTERM ends all processes with 0 in time although each answer of the database comes late', async (context) => {
  const database = await createTestDatabase();
  defer(context, () => database.drop());
  const proxy = await startProxy(database.connection);
  defer(context, () => proxy.close());
  const settings = {
    DATABASE_URL: proxy.url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
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
