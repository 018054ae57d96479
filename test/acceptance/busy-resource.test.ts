/** Many requests at once for one resource, which somebody holds in the database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Transaction } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import { otherProject, signUp, signUpBody, type Json } from '../support/builders.ts';
import { eventually } from '../support/process.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

/** More than the service has connections. */
const MANY = 40;

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const requests: [name: string, ask: (id: string, n: number) => Promise<Reply>, statuses: number[]][] = [
  ['change it', (id, n) => service.call('PATCH', `/subscriptions/${id}`, { body: { metadata: { n } } }), [200]],
  [
    'order something for it',
    (id) => service.call('POST', '/meter-orders', { body: { subscription: id } }),
    // One meter is exchanged once.
    [201, 409],
  ],
];
for (const [name, ask, expected] of requests) {
  test(`requests that ${name} wait for one subscription, keep no other waiting, and all have their turn`, async () => {
    const { id } = await signUp(service);
    const changes: Promise<Reply>[] = [];
    await service.database.transaction(async (transaction) => {
      await transaction.query(sql`select from market_processes for update`);
      for (let n = 0; n < MANY; n += 1) changes.push(ask(id, n));
      const waiting = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => (await transaction.query(waiting)).length > 0, 'one of them waits');
      const body = signUpBody(service.planId);
      assert.equal((await service.call('POST', '/subscriptions', { body })).status, 201);
      assert.equal((await service.call('GET', '/plans')).status, 200);
    });
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set(expected));
  });
}

/** How many statements like this wait for a lock. */
async function countWaitingFor(transaction: Transaction, statement: string): Promise<number> {
  // Within a transaction the view is read once.
  await transaction.query(sql`select pg_stat_clear_snapshot()`);
  const rows = await transaction.query(sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${statement}`);
  return rows.length;
}

test('requests that count what waits for webhook endpoints keep no other waiting, and all are answered', async () => {
  const body = { url: 'https://hooks.example.com/wattline', enabled: false };
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await service.call('POST', '/webhook-endpoints', { body })).json.id);
  const paths = ['/webhook-endpoints', ...ids.map((id) => `/webhook-endpoints/${id}`)];
  const reads: Promise<Reply>[] = [];
  await service.database.transaction(async (transaction) => {
    await transaction.query(sql`lock table webhook_deliveries in access exclusive mode`);
    for (let n = 0; n < MANY; n += 1) reads.push(service.call('GET', paths[n % paths.length] ?? ''));
    const countWaiting = (): Promise<number> => countWaitingFor(transaction, '%as backlog%');
    await eventually(async () => (await countWaiting()) > 0, 'one of them waits');
    assert.equal((await service.call('GET', '/plans')).status, 200);
    assert.equal(await countWaiting(), 1);
  });
  const shown = (await Promise.all(reads)).flatMap(({ json }): Json[] => json.items ?? [json]);
  assert.deepEqual(
    new Set(shown.map(({ id, status }) => `${id} ${status.backlog}`)),
    new Set(ids.map((id) => `${id} 0`)),
  );
  assert.equal(shown.length, (MANY / 4) * 3 + (MANY / 4) * 3);
});

test('requests of one project, whatever they wait for, leave connections for those of others', async () => {
  const ids: string[] = [];
  for (let n = 0; n < MANY; n += 1) ids.push((await signUp(service)).id);
  const other = await otherProject(service);
  const changes: Promise<Reply>[] = [];
  await service.database.transaction(async (transaction) => {
    await transaction.query(sql`select from market_processes for update`);
    for (const id of ids) changes.push(service.call('PATCH', `/subscriptions/${id}`, { body: { metadata: { id } } }));
    const countWaiting = (): Promise<number> => countWaitingFor(transaction, '%');
    await eventually(async () => (await countWaiting()) >= 12, 'as many wait as may');
    assert.equal((await other.call('GET', '/plans')).status, 200);
    const body = { name: 'Plan', type: 'consumption', price: 1 };
    assert.equal((await other.call('POST', '/plans', { body })).status, 201);
    assert.equal(await countWaiting(), 12);
  });
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([200]));
});
