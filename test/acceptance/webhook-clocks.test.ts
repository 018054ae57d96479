/** Instances whose clocks differ, within what operators are told that they may. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { wallClock } from '#platform/clock.ts';
import { sql, toStatement, type Sql } from '#platform/database/sql.ts';
import { createLog } from '#platform/log.ts';
import { createApp, type App } from '../../src/app.ts';
import { signUpBody } from '../support/builders.ts';
import { startReceiver, until, type Receiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { send, startService, type TestService } from '../support/service.ts';

let service: TestService;
/** Another instance, whose clock is 50 s ahead. */
let ahead: App;
/** How many deliveries that one took each time it looked for some. */
const taken: number[] = [];
let receiver: Receiver;
let endpointId: string;
before(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const { foundation } = service.service;
  const { database } = foundation;
  const watched = {
    ...database,
    async query<Row>(statement: Sql, generation?: number): Promise<Row[]> {
      const rows = await database.query<Row>(statement, generation);
      if (toStatement(statement).text.includes('leased as (')) taken.push(rows.length);
      return rows;
    },
  };
  ahead = createApp(
    { ...foundation, database: watched, clock: { now: () => wallClock.now().add({ seconds: 50 }) } },
    { rateLimit: null, publicUrl: service.baseUrl, webhooks: { allowPrivate: true, retrySchedule: [], ports: [] } },
    createLog('silent', 2),
  );
  receiver = await startReceiver();
  endpointId = must(await service.call('POST', '/webhook-endpoints', { body: { url: receiver.url } }), 201).id;
});
after(async () => {
  await ahead.webhooks.stop();
  await service.stop();
  await receiver.close();
});

test('what one instance sends, another whose clock is 50 s ahead does not send meanwhile', async () => {
  const answered = Promise.withResolvers<void>();
  receiver.answer = (response) => void answered.promise.then(() => response.writeHead(204).end());
  must(await service.call('POST', '/subscriptions', { body: signUpBody(service.planId) }), 201);
  await until('it is on its way', () => receiver.received.length === 1);
  ahead.webhooks.start();
  await until('the other has looked', () => taken.length >= 2);
  answered.resolve();
  assert.deepEqual([taken.filter((count) => count > 0), receiver.received.length], [[], 1]);
});

test('the key of a test that one instance sends is not free for another whose clock is 50 s ahead', async () => {
  receiver.answer = (response) => void response.writeHead(204).end();
  const path = `/webhook-endpoints/${endpointId}/test`;
  const headers = { 'idempotency-key': 'test' };
  must(await service.call('POST', path, { headers }), 200);
  // As while it is on its way.
  await service.database.query(sql`
    update idempotency_keys set status = 409, body = '', created_at = now() - interval '15 seconds' where key = 'test'`);
  const url = await ahead.http.listen({ host: '127.0.0.1', port: 0 });
  const answer = await send(url, 'POST', path, { headers, token: await service.token() });
  await ahead.http.close();
  assert.deepEqual([answer.status, answer.json.code], [409, 'idempotency_request_in_progress']);
});
