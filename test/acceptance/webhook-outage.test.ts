/** A receiver that is down for a whole minute; in a file of its own, so that others need not wait for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../support/builders.ts';
import { startReceiver, until } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { startService } from '../support/service.ts';
import { fallsOf, isVerified, openProject } from '../support/webhooks.ts';

const OUTAGE_MS = 60_000;
const PAUSE_SECONDS = 5;
const ROUNDS = 12;
const SIGN_UPS_A_ROUND = 28;

test('a receiver that is down for 60 s during 1,000 events gets every one, in order, once it is back', async (context) => {
  const schedule = Array.from({ length: 40 }, () => PAUSE_SECONDS).join(',');
  const service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: schedule });
  context.after(() => service.stop());
  const [own, gone] = [await openProject(service), await startReceiver()];
  const { id, secret } = await own.endpoint(gone.url);
  await own.signUp(1);
  await until('one before the outage', () => gone.received.length === 1);
  await gone.close();
  const begin = performance.now();
  const signedUp: string[] = [];
  // Three events of each, all along the outage: another half of them at each advance of the clock.
  for (let round = 1; round <= ROUNDS; round += 1) {
    signedUp.push(...(await own.signUp(SIGN_UPS_A_ROUND)));
    await sleep(Math.max(0, begin + (round * OUTAGE_MS) / ROUNDS - performance.now()));
    if (round % 6 === 0) must(await own.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } }), 200);
  }
  await until('more than 1,000 events', async () => (await own.events()).length === 3 * signedUp.length + 3, 60_000);
  const events = await own.events();
  assert.ok(events.length > 1000, String(events.length));
  assert.ok((await own.readEndpoint(id)).status.backlog >= events.length - 1);
  // It stumbles as it comes back, so that some events are sent once more.
  const back = await startReceiver(
    (response, index) => response.writeHead(index % 50 === 7 ? 500 : 204).end(),
    gone.port,
  );
  context.after(() => back.close());
  const returned = performance.now();
  assert.ok(returned - begin >= OUTAGE_MS);
  const ids = (): Set<string> => new Set([...gone.received, ...back.received].map(({ event }) => event.id));
  await until('every event', () => ids().size === events.length, 60_000);
  await until('nothing pending', async () => !(await own.isAny('pending')));
  const all = [...gone.received, ...back.received];
  const bodies = Map.groupBy(all, ({ headers }) => String(headers['webhook-id']));
  assert.deepEqual([...bodies.keys()].sort(), events.map(({ id }: Json) => id as string).sort());
  for (const [eventId, requests] of bodies) {
    assert.equal(new Set(requests.map(({ body }) => body)).size, 1, eventId);
    assert.ok(requests.every((request) => isVerified(request, secret)));
  }
  for (const event of events) assert.deepEqual(bodies.get(event.id)?.[0]?.event, event);
  assert.equal(fallsOf(all), 0);
  for (const subscription of signedUp) {
    const mine = all.filter(({ event }) => event.data.subscription.id === subscription);
    assert.deepEqual([...new Set(mine.map(({ event }) => event.sequence))], [1, 2, 3]);
  }
  assert.ok(back.received.length > events.length - 1, 'some came twice');
  assert.equal((await own.readEndpoint(id)).status.failing_since, null);
  const waits = back.received.map(({ at }) => (at - returned) / 1000);
  context.diagnostic(
    `${events.length} events, ${back.received.length} requests; the first ${Math.min(...waits).toFixed(1)} s and the last ${Math.max(...waits).toFixed(1)} s after the return`,
  );
});
