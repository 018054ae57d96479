/** What lies between the service and its database stalls: one deadline for each request, however many waits it has. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { ping } from '#platform/database/ping.ts';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import { createDatabase } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import { createOwned, type Owned } from '#test/support/access-owner.ts';
import { accessRows } from '#test/support/access-table.ts';
import { addWaitingDeliveries } from '#test/support/deliveries.ts';
import { ask, eventually } from '#test/support/process.ts';
import { startProxy, type Proxy } from '#test/support/proxy.ts';
import { send, startService, type TestService } from '#test/support/service.ts';

/** The longest that any request may take. */
const LIMIT_MS = 5_000;
/** All must be well so soon after the database is back. */
const BACK_MS = 5_000;
/** They have as much to do as there is of what they are about, and are measured by each of their statements. */
const LENGTHY = new Set(['exportCustomer', 'eraseCustomer', 'replayWebhookEndpoint']);

let proxy: Proxy;
let service: TestService;
let mine: Owned;
let token: string;

before(async () => {
  service = await startService({ LOG_LEVEL: 'fatal', WEBHOOK_ALLOW_PRIVATE: 'true' }, async ({ connection }) => {
    proxy = await startProxy(connection);
    return proxy.url;
  });
  mine = await createOwned(service);
  // What is far away takes its own time, which is not the database's: nobody listens there.
  const moved = await service.call('PATCH', `/webhook-endpoints/${mine.endpoint}`, {
    body: { url: 'http://127.0.0.1:1' },
  });
  assert.equal(moved.status, 200, moved.text);
  token = await service.token();
});
after(async () => {
  await service.stop();
  await proxy.close();
});

interface Answered {
  readonly what: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly tookMs: number;
}

/** One request of each operation, all at once; each that changes something has a key of its own. */
function askAll(keys: string): Promise<Answered[]> {
  const contracts = service.service.app.contracts.filter(({ operationId }) => !LENGTHY.has(operationId));
  return Promise.all(
    contracts.map(async ({ operationId, method }) => {
      const { path, body } = accessRows[operationId]?.own(mine) ?? assert.fail(operationId);
      const key: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': `${keys} ${operationId}` };
      return timed(operationId, () =>
        send(service.baseUrl, method, path, { token, headers: key, ...(body === undefined ? {} : { body }) }),
      );
    }),
  );
}

async function timed(what: string, ask: () => ReturnType<typeof send>): Promise<Answered> {
  const begun = performance.now();
  const { status, headers, json } = await ask();
  const tookMs = performance.now() - begun;
  return { what, status, code: json?.code, retryAfter: headers.get('retry-after'), tookMs };
}

function expectInTime(answers: readonly Answered[]): void {
  assert.deepEqual(
    answers.filter(({ tookMs }) => tookMs > LIMIT_MS),
    [],
  );
  assert.deepEqual(
    answers.filter(({ status, retryAfter }) => status >= 500 && (status !== 503 || retryAfter === null)),
    [],
  );
}

/** Whatever was refused may be sent again with its key, and then has its answer. */
async function expectBack(keys: string): Promise<void> {
  const released = performance.now();
  const refused = ({ status, code }: Answered): boolean => status >= 500 || code === 'idempotency_request_in_progress';
  let last: Answered[] = [];
  await eventually(
    async () => {
      last = (await askAll(keys)).filter(refused);
      return last.length === 0;
    },
    'every request is answered again, also with its key',
    () => JSON.stringify(last),
  );
  const tookMs = performance.now() - released;
  assert.ok(tookMs < BACK_MS, `it took ${tookMs} ms`);
}

test('every request is answered within five seconds while each answer of the database comes late', async () => {
  proxy.slow(1_500);
  const answers = await askAll('slow');
  proxy.release();
  expectInTime(answers);
  assert.ok(answers.filter(({ status }) => status === 503).length > 10);
  await expectBack('slow');
});

test('every request is refused within five seconds while the database is out of reach, and answered when it is back', async () => {
  for (const [name, away] of [
    ['held', () => proxy.hold()],
    ['cut', () => proxy.cut()],
    ['cut within its answers', () => proxy.cutAfter(7)],
  ] as const) {
    away();
    const answers = await askAll(name);
    const [health, ready] = await Promise.all(
      ['/health', '/ready'].map((path) => timed(path, () => send(service.baseUrl, 'GET', path))),
    );
    proxy.release();
    expectInTime(answers);
    assert.deepEqual([health?.status, ready?.status], [200, 503], name);
    await expectBack(name);
  }
});

test('a database that takes no writes is read from, and the service is not ready until it takes them', async () => {
  const readyStatus = async (): Promise<number> => (await send(service.baseUrl, 'GET', '/ready')).status;
  const path = `/subscriptions/${mine.subscription}`;
  const name = service.connection.database;
  for (const [setting, ready, patched] of [
    ['on', 503, 503],
    ['off', 200, 200],
  ] as const) {
    await ask(
      { ...service.connection, options: '-c default_transaction_read_only=off' },
      `alter database "${name}" set default_transaction_read_only = ${setting}`,
    );
    proxy.cut();
    proxy.release();
    await eventually(async () => (await readyStatus()) === ready, `/ready answers ${ready}`);
    const changed = await service.call('PATCH', path, { body: { metadata: { setting } } });
    assert.equal(changed.status, patched);
    assert.equal((await service.call('GET', path)).status, 200);
  }
});

test('a database is known to take writes again whatever its sessions were told when they began', async () => {
  const name = service.connection.database;
  const allow = (setting: 'on' | 'off'): Promise<unknown> =>
    ask(
      { ...service.connection, options: '-c default_transaction_read_only=off' },
      `alter database "${name}" set default_transaction_read_only = ${setting}`,
    );
  const database = createDatabase({ connection: service.connection, maxConnections: 4, onIdleError: () => {} });
  try {
    await allow('on');
    await Promise.all(Array.from({ length: 4 }, () => database.query(sql`select pg_sleep(0.1)`)));
    assert.equal(database.counts().idle, 4);
    await assert.rejects(ping(database), DatabaseUnavailable);
    await Promise.all(Array.from({ length: 4 }, () => database.query(sql`select pg_sleep(0.1)`)));
    await allow('off');
    await ping(database);
  } finally {
    await allow('off');
    await database.close();
    // The service may have begun a session meanwhile, which takes no writes for as long as it lasts; so it is let go of.
    await eventually(
      async () => (await send(service.baseUrl, 'GET', '/ready')).status === 200,
      'the service takes writes',
    );
  }
});

test('a replay tells after some seconds that there is more, and goes on where it was', async () => {
  const body = { url: 'https://hooks.example.com/wattline', enabled: false };
  const { json: endpoint } = await service.call('POST', '/webhook-endpoints', { body });
  const [count, at] = [12_000, '2026-01-01T00:00:00Z'];
  const endpointId = parseId('whe', endpoint.id) ?? '';
  await addWaitingDeliveries(service, { endpointId, count, dueAt: at, createdAt: at });
  await service.database.query(sql`
    update webhook_deliveries set state = 'failed', due_at = null where endpoint_id = ${endpointId}`);
  const replay = async (): Promise<Record<string, unknown>> =>
    (await service.call('POST', `/webhook-endpoints/${endpoint.id}/replay`, { body: { failed: true } })).json;
  proxy.slow(500);
  const first = await replay();
  proxy.release();
  assert.equal(first.has_more, true);
  const rest = await replay();
  assert.equal(Number(first.deliveries) + Number(rest.deliveries), count);
  assert.equal(rest.has_more, false);
});
