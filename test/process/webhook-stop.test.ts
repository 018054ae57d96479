/** A stop of the service while webhooks are on their way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signUpBody } from '../support/builders.ts';
import { startCluster } from '../support/cluster.ts';
import { defer, eventually, stopProcess } from '../support/process.ts';
import { startReceiver, until } from '../support/receiver.ts';
import { send, type Reply } from '../support/service.ts';
import { openStage, statusOf } from '../support/stage.ts';

const EVENTS = 300;

test('SIGTERM amid deliveries ends the service within 10 s with 0, and the next one sends what is left', async (context) => {
  // Some answers come at once, some after a while, some never until the service has gone.
  const receiver = await startReceiver((response, index) => {
    if (index % 20 === 19) return;
    setTimeout(() => response.writeHead(204).end(), index % 3 === 0 ? 100 : 0);
  });
  defer(context, () => receiver.close());
  const settings = { LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE: 'true' };
  const stage = await openStage(context, 'webhook-stop', { settings });
  const { token, planId } = stage.site;
  const target = { url: receiver.url, types: ['subscription.created'] };
  assert.equal((await send(stage.url, 'POST', '/webhook-endpoints', { token, body: target })).status, 201);
  const signed: Promise<unknown>[] = [];
  for (let number = 0; number < EVENTS; number += 1) {
    signed.push(send(stage.url, 'POST', '/subscriptions', { token, body: signUpBody(planId) }));
  }
  await Promise.all(signed);
  await until('some are on their way', () => receiver.received.length > 60);
  const begin = performance.now();
  assert.deepEqual(await stopProcess(stage.service()), { code: 0, signal: null });
  assert.ok(performance.now() - begin < 10_000);
  receiver.answer = (response) => response.writeHead(204).end();
  await stage.restart();
  // What was given up is sent when its lease has run out.
  await until('all', () => new Set(receiver.received.map(({ event }) => event.id)).size === EVENTS, 60_000);
  const repeated = receiver.received.length - EVENTS;
  assert.ok(repeated <= EVENTS / 10, `${repeated} were sent again`);
});

test('SIGTERM amid deliveries ends the service within 10 s with 0 also when the database hangs', async (context) => {
  const cluster = await startCluster(context, 'webhook-stop-hanging');
  // One answer comes while the service stops, so that its result is to be written; the others later than it may take.
  const receiver = await startReceiver((response, index) => {
    setTimeout(() => response.writeHead(204).end(), index === 0 ? 6_000 : 9_000);
  });
  defer(context, () => receiver.close());
  const settings = {
    DATABASE_URL: cluster.url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const stage = await openStage(context, 'webhook-stop-hanging-service', { settings });
  const { token, planId } = stage.site;
  const target = { url: receiver.url, types: ['subscription.created'] };
  assert.equal((await send(stage.url, 'POST', '/webhook-endpoints', { token, body: target })).status, 201);
  for (let number = 0; number < 3; number += 1) {
    assert.equal((await send(stage.url, 'POST', '/subscriptions', { token, body: signUpBody(planId) })).status, 201);
  }
  await until('all are on their way', () => receiver.received.length === 3);
  await cluster.freeze();
  // By then the service waits for it everywhere.
  await eventually(async () => (await statusOf(stage, '/ready')) === 503, 'it is not ready');
  const begin = performance.now();
  assert.deepEqual(await stopProcess(stage.service()), { code: 0, signal: null });
  assert.ok(performance.now() - begin < 10_000, `it took ${performance.now() - begin} ms`);
});

for (const processes of ['1', '2']) {
  test(`SIGTERM amid tests of endpoints waits for those that are answered soon, and tells of the others that they were given up, PROCESSES=${processes}`, async (context) => {
    const receiver = await startReceiver((response) => {
      if (response.req.url === '/soon') setTimeout(() => response.writeHead(204).end(), 2_000);
    });
    defer(context, () => receiver.close());
    const settings = { LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE: 'true', PROCESSES: processes };
    const stage = await openStage(context, `webhook-stop-tests-${processes}`, { settings });
    const { token } = stage.site;
    const testOf = async (path: string): Promise<Reply> => {
      const body = { url: new URL(path, receiver.url).href };
      const endpoint = await send(stage.url, 'POST', '/webhook-endpoints', { token, body });
      return send(stage.url, 'POST', `/webhook-endpoints/${endpoint.json.id}/test`, { token });
    };
    const tests = [testOf('/soon'), testOf('/never')];
    await until('both are on their way', () => receiver.received.length === 2);
    const begin = performance.now();
    assert.deepEqual(await stopProcess(stage.service()), { code: 0, signal: null });
    assert.ok(performance.now() - begin < 10_000);
    const [soon, never] = await Promise.all(tests);
    assert.deepEqual([soon?.status, soon?.json.succeeded, soon?.json.status_code], [200, true, 204]);
    assert.deepEqual([never?.status, never?.json.code], [503, 'service_unavailable']);
    assert.equal(never?.headers.get('retry-after'), '1');
  });
}
