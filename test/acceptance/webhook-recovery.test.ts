/** What is remembered of an endpoint and of its deliveries when it works again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import type { Json } from '../support/builders.ts';
import { startReceiver, until, type Receiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { openProject } from '../support/webhooks.ts';

let service: TestService;
let receiver: Receiver;
before(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await service.stop();
});

const uuidOf = (id: string): string => parseId('whe', id) ?? '';

test('a success is never kept without its endpoint’s: cut off between them, it would be disabled for failing', async () => {
  const own = await openProject(service);
  const { id } = await own.endpoint(receiver.url);
  await service.database.query(sql`
    update webhook_endpoints set failing_since = now() - interval '4 days' where id = ${uuidOf(id)}`);
  const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.answer = (response) => void answered.promise.then(() => response.writeHead(204).end());
  const before = receiver.received.length;
  await own.signUp();
  await until('an attempt', () => receiver.received.length > before);
  const locked = Promise.withResolvers<void>();
  const holding = service.database.transaction(async (transaction) => {
    await transaction.query(sql`select from webhook_endpoints where id = ${uuidOf(id)} for no key update`);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  answered.resolve();
  await until('it is to be written', async () => {
    const waiting = await service.database.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting.length > 0;
  });
  const states = (await own.deliveries()).map(({ state }) => state as string);
  released.resolve();
  await holding;
  assert.deepEqual(states, ['pending']);
  await until('both are written', async () => (await own.deliveries())[0]?.state === 'succeeded');
  assert.equal((await own.readEndpoint(id)).status.failing_since, null);
  assert.equal(receiver.received.length, before + 1);
});

/** A project whose endpoint has been sent one event; `settled` waits until so many deliveries have succeeded. */
async function openSent() {
  const own = await openProject(service);
  receiver.answer = (response) => response.writeHead(204).end();
  const { id } = await own.endpoint(receiver.url);
  await own.signUp();
  const settled = (count: number): Promise<void> =>
    until(`${count} sent`, async () => (await own.deliveries('filter[state][eq]=succeeded')).length === count);
  await settled(1);
  const { event }: Json = (await own.deliveries())[0] ?? {};
  const ask = async (body: Json): Promise<number> =>
    must(await own.call('POST', `/webhook-endpoints/${id}/replay`, { body }), 200).deliveries;
  return { own, id, event, settled, ask };
}

test('an event of which several deliveries have failed, or one is still to come, is sent once by a replay', async () => {
  const { id, event, settled, ask } = await openSent();
  const replay = (): Promise<number> => ask({ event });
  assert.equal(await replay(), 1);
  await settled(2);
  await service.database.query(sql`
    update webhook_deliveries set state = 'failed' where endpoint_id = ${uuidOf(id)}`);
  const sent = receiver.received.length;
  assert.equal(await replay(), 1);
  await settled(1);
  assert.equal(receiver.received.length, sent + 1);

  const answered = Promise.withResolvers<void>();
  receiver.answer = (response) => void answered.promise.then(() => response.writeHead(204).end());
  assert.equal(await replay(), 1);
  assert.equal(await replay(), 0);
  answered.resolve();
  await settled(2);
  assert.equal(receiver.received.length, sent + 2);
});

test('a replay of all that has failed sends each event once, and none that has come through since', async () => {
  const { own, id, event, settled, ask } = await openSent();
  const replay = (body: Json = { failed: true }): Promise<number> => ask(body);
  await replay({ event });
  await settled(2);
  const earlier = parseId('whd', (await own.deliveries())[1]?.['id']);
  const sent = receiver.received.length;

  // As when the first was sent again by its id, and has failed as the other one has.
  await service.database.query(sql`update webhook_deliveries set state = 'failed' where endpoint_id = ${uuidOf(id)}`);
  assert.equal(await replay(), 1);
  await settled(1);
  assert.equal(receiver.received.length, sent + 1);
  assert.equal(await replay(), 0, 'it has come through since the earlier one failed');

  const answered = Promise.withResolvers<void>();
  receiver.answer = (response) => void answered.promise.then(() => response.writeHead(204).end());
  assert.equal(await replay({ event }), 1);
  assert.equal(await replay(), 0, 'it is on its way');
  answered.resolve();
  await settled(2);
  assert.equal(receiver.received.length, sent + 2);

  const attempts = [{ at: '2100-01-01T00:00:00.000Z', status: 500, latency_ms: 1, error: null }];
  await service.database.query(sql`
    update webhook_deliveries set state = 'failed', attempts = ${JSON.stringify(attempts)}
    where id = ${earlier}`);
  assert.equal(await replay(), 1, 'it has failed since the later one came through');
  await settled(2);
  assert.equal(receiver.received.length, sent + 3);
});
