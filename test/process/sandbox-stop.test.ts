/** A stop of the service while a sandbox clock is on its way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { sandboxBody, type Sandbox } from '../support/sandbox.ts';
import { startCluster } from '../support/cluster.ts';
import { defer, eventually, stopProcess } from '../support/process.ts';
import { send } from '../support/service.ts';
import { openStage } from '../support/stage.ts';

for (const processes of ['1', '2']) {
  test(`SIGTERM amid an advance ends the service within 10 s and says that it goes on, as it does, PROCESSES=${processes}`, async (context) => {
    const cluster = await startCluster(context, `sandbox-stop-${processes}`);
    const settings = {
      DATABASE_URL: cluster.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'error',
      PROCESSES: processes,
    };
    const stage = await openStage(context, `sandbox-stop-service-${processes}`, { settings });
    const { token, planId } = stage.site;
    const body = sandboxBody({ planId } as Sandbox);
    const signedUp = await send(stage.url, 'POST', '/subscriptions', { token, body });
    assert.equal(signedUp.status, 201, signedUp.text);
    const holder = new Client({ connectionString: cluster.url });
    holder.on('error', () => {});
    await holder.connect();
    defer(context, () => holder.end());
    await holder.query('begin');
    // Somebody else is at what has to happen on the way, for longer than a stop may take.
    await holder.query('select from market_processes where subscription_id = $1 for update', [
      parseId('sub', String(signedUp.json.id)),
    ]);
    const read = async (): Promise<Record<string, unknown>> =>
      (await send(stage.url, 'GET', '/sandbox/clock', { token })).json as Record<string, unknown>;
    const moving = send(stage.url, 'POST', '/sandbox/clock', { token, body: { advance_by: 'P30D' } });
    await eventually(async () => (await read())['advancing_to'] !== null, 'it is on its way');
    const { advancing_to: target } = await read();
    const begin = performance.now();
    assert.deepEqual(await stopProcess(stage.service()), { code: 0, signal: null });
    assert.ok(performance.now() - begin < 8_500, `it took ${performance.now() - begin} ms`);
    const reply = await moving;
    assert.deepEqual([reply.status, reply.json.code], [503, 'service_unavailable']);
    assert.equal(reply.headers.get('retry-after'), '1');
    await holder.query('rollback');
    await stage.restart();
    await eventually(async () => (await read())['now'] === target, 'it has got there');
  });
}
