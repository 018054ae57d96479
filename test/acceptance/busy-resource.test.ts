/** Many requests at once for one resource, which somebody holds in the database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#platform/database/sql.ts';
import { signUp, signUpBody } from '../support/builders.ts';
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
