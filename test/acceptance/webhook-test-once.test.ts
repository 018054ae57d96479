/** A webhook endpoint is tested once for each `Idempotency-Key`, although nothing takes back what was sent; not too often. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PROJECT_TESTS } from '#features/webhooks/delivery/test-endpoint.ts';
import { sql } from '#platform/database/sql.ts';
import { startReceiver, until, type Receiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
let receiver: Receiver;
before(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  receiver = await startReceiver();
});
after(async () => {
  await service.stop();
  await receiver.close();
});

/** Sends a test to an endpoint of its own, each time under this key. */
async function testerOf(key: string): Promise<() => Promise<Reply>> {
  const { id } = must(await service.call('POST', '/webhook-endpoints', { body: { url: receiver.url } }), 201);
  receiver.received.length = 0;
  return () => service.call('POST', `/webhook-endpoints/${id}/test`, { headers: { 'idempotency-key': key } });
}

test('of two tests at once under one key one is sent; afterwards its answer is repeated', async () => {
  const ask = await testerOf('at-once');
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  receiver.answer = (response) => {
    asked.resolve();
    void answered.promise.then(() => response.writeHead(204).end());
  };
  const first = ask();
  await asked.promise;
  const second = await Promise.race([ask(), first]);
  assert.deepEqual([second.status, second.json.code], [409, 'idempotency_request_in_progress']);
  assert.equal(second.headers.get('retry-after'), '1');
  assert.equal((await service.call('GET', '/idempotency-keys/at-once')).status, 404, 'it is not answered yet');
  answered.resolve();
  must(await first, 200);
  const third = await ask();
  assert.deepEqual([third.text, third.headers.get('idempotency-replayed')], [(await first).text, 'true']);
  assert.equal(must(await service.call('GET', '/idempotency-keys/at-once'), 200).response_status, 200);
  assert.equal(receiver.received.length, 1);
});

test('a test that was cut off keeps its key for a minute, and is then sent again', async () => {
  const ask = await testerOf('cut-off');
  receiver.answer = (response) => void response.writeHead(204).end();
  must(await ask(), 200);
  const cutOff = (secondsAgo: number): Promise<unknown> =>
    service.database.query(sql`
      update idempotency_keys set status = 409, body = '', created_at = now() - make_interval(secs => ${secondsAgo})
      where key = 'cut-off'`);
  await cutOff(50);
  must(await ask(), 409);
  await cutOff(70);
  assert.equal(must(await ask(), 200).succeeded, true);
  assert.equal(receiver.received.length, 2);
});

test('a test whose answer could not be kept at once is not sent again: its answer comes when the database can keep it', async () => {
  const ask = await testerOf('kept-late');
  const { database } = service;
  receiver.answer = (response) => {
    // As a database does that takes no more.
    const refuse = sql`alter table idempotency_keys add constraint away check (status = 409) not valid`;
    void database.query(refuse).then(() => response.writeHead(204).end());
  };
  assert.notEqual((await ask()).status, 200);
  await database.query(sql`alter table idempotency_keys drop constraint away`);
  await until(
    'the answer is kept',
    async () => (await service.call('GET', '/idempotency-keys/kept-late')).status === 200,
  );
  assert.equal(must(await ask(), 200).succeeded, true);
  assert.equal(receiver.received.length, 1);
});

test('the refusal of a test is kept, and frees its key for nothing else', async () => {
  const path = '/webhook-endpoints/whe_01k9zr5x3hf8b9m2t4v6w8y0ac/test';
  const ask = (url: string): Promise<Reply> => service.call('POST', url, { headers: { 'idempotency-key': 'refused' } });
  must(await ask(path), 404);
  assert.equal((await ask(path)).headers.get('idempotency-replayed'), 'true');
  assert.equal(must(await ask(path.replace('0ac', '0ad')), 422).code, 'idempotency_key_reused');
});

test('of a project eight tests are on their way at once; another is refused, and its key stays free', async () => {
  const waiting: (() => void)[] = [];
  const full = Promise.withResolvers<void>();
  receiver.answer = (response) => {
    waiting.push(() => void response.writeHead(204).end());
    if (waiting.length === PROJECT_TESTS) full.resolve();
  };
  const endpoints = [];
  for (let count = 0; count <= PROJECT_TESTS; count += 1) {
    endpoints.push(must(await service.call('POST', '/webhook-endpoints', { body: { url: receiver.url } }), 201).id);
  }
  const ask = (id: string): Promise<Reply> =>
    service.call('POST', `/webhook-endpoints/${id}/test`, { headers: { 'idempotency-key': `many-${id}` } });
  const last = endpoints.pop();
  const sent = endpoints.map(ask);
  await full.promise;
  const refused = await ask(last);
  assert.deepEqual([refused.status, refused.json.code, refused.headers.get('retry-after')], [429, 'rate_limited', '1']);
  for (const answer of waiting) answer();
  for (const reply of sent) must(await reply, 200);
  receiver.answer = (response) => void response.writeHead(204).end();
  assert.equal(must(await ask(last), 200).succeeded, true);
});
