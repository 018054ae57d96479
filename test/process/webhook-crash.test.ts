/** A service that is killed again and again while it delivers. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  defer,
  freePort,
  killProcess,
  startProcess,
  temporaryFolder,
  type ServiceProcess,
} from '#test/support/process.ts';
import type { Json } from '#test/support/builders.ts';
import { startReceiver, until, type Receiver } from '#test/support/receiver.ts';
import { must } from '#test/support/sandbox.ts';
import { callerOf, fallsOf, isVerified, PROCESS_SETTINGS, projectOf } from '#test/support/webhooks.ts';

const KILLS = 6;
const SIGN_UPS = 400;
/** So that some are always on their way when a kill comes. */
const ANSWER_MS = 100;
/** A kill comes after so many more requests, drawn anew each time. */
const REQUESTS_BEFORE_KILL = { from: 30, to: 150 } as const;
/** A lease lasts 40 s. */
const PATIENCE_MS = 60_000;

const suite = { after };
const dataDir = join(temporaryFolder(suite, 'webhook-crash'), 'data');
const state = { open: new Set<ServerResponse>(), unheard: 0 } as {
  readonly open: Set<ServerResponse>;
  unheard: number;
  receiver: Receiver;
  port: number;
  service: ServiceProcess;
};

async function start(): Promise<string> {
  const settings = { ...PROCESS_SETTINGS, DATA_DIR: dataDir, PORT: String(state.port) };
  state.service = startProcess(suite, { ...settings, WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1' });
  return state.service.ready();
}

before(async () => {
  state.port = await freePort();
  // Some are refused, so that kills also come between attempts.
  state.receiver = await startReceiver((response, index) => {
    state.open.add(response);
    response.on('close', () => {
      state.open.delete(response);
      if (!response.writableFinished) state.unheard += 1;
    });
    setTimeout(() => response.writeHead(index % 20 === 3 ? 500 : 204).end(), ANSWER_MS);
  });
  defer(suite, () => state.receiver.close());
});

test(`a service killed ${KILLS} times amid deliveries sends every event, in order, and nothing is stuck`, async (context) => {
  const { receiver } = state;
  const { received } = receiver;
  const own = await projectOf(await callerOf(await start()));
  const { id, secret } = await own.endpoint(receiver.url, { enabled: false });
  for (let round = 0; round < SIGN_UPS / 50; round += 1) await own.signUp(50);
  must(await own.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } }), 200);
  await until('everything is published', async () => (await own.events()).length === 3 * SIGN_UPS);
  const events = await own.events();
  must(await own.call('PATCH', `/webhook-endpoints/${id}`, { body: { enabled: true } }), 200);
  const left: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const wanted = received.length + randomInt(REQUESTS_BEFORE_KILL.from, REQUESTS_BEFORE_KILL.to);
    // What the one before was at is taken up when its lease has run out.
    await until('deliveries', () => received.length >= wanted, PATIENCE_MS);
    await killProcess(state.service);
    // Whoever is killed hears no answer.
    await until('its connections are closed', () => state.open.size === 0);
    left.push(state.unheard);
    state.unheard = 0;
    await start();
  }
  const begin = performance.now();
  const ids = (): Set<string> => new Set(received.map(({ event }) => event.id));
  await until('all events', () => ids().size === events.length, PATIENCE_MS);
  await until('nothing pending', async () => !(await own.isAny('pending')), PATIENCE_MS);
  const waited = performance.now() - begin;
  context.diagnostic(
    `${received.length} requests for ${events.length} events; left on their way by the kills: ${left.join(', ')}; all sent ${(waited / 1000).toFixed(1)} s after the last start`,
  );
  assert.ok(
    left.some((count) => count > 0),
    'the kills hit deliveries on their way',
  );
  assert.deepEqual([...ids()].sort(), events.map((event: Json) => event.id as string).sort());
  assert.equal(fallsOf(received), 0);
  const bodies = Map.groupBy(received, ({ event }) => event.id as string);
  for (const event of events) {
    const requests = bodies.get(event.id) ?? [];
    assert.equal(new Set(requests.map(({ body }) => body)).size, 1);
    assert.deepEqual(requests[0]?.event, event);
    assert.ok(requests.every((request) => isVerified(request, secret)));
  }
  const states = new Set((await own.deliveries()).map((delivery) => delivery.state));
  assert.deepEqual([...states], ['succeeded']);
  assert.equal((await own.readEndpoint(id)).status.backlog, 0);
});
