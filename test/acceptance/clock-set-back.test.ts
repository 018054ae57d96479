/** What is changed by a clock that was set back since it was created, by more than any correction of time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../support/builders.ts';
import { moveClocks, must, openSandbox, type Sandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

const MONDAY = '2037-11-30T09:00:00Z';

let service: TestService;
let sandbox: Sandbox;
before(async () => {
  service = await startService();
  sandbox = await openSandbox(service, MONDAY);
});
after(() => service.stop());

test('counts as changed when it was created, and is found by that', async () => {
  const { id, customer } = await sandbox.signUp();
  await sandbox.settle();
  const order = must(await sandbox.call('POST', '/meter-orders', { body: { subscription: id } }), 201);
  await service.service.app.reconciler.stop();
  await moveClocks(service, '-10 days');
  must(await sandbox.patch(id, { metadata: { note: 1 } }), 200);
  must(await sandbox.call('PATCH', `/customers/${customer}`, { body: { email: 'new@example.com' } }), 200);
  must(await sandbox.call('POST', `/meter-orders/${order.id}/cancel`), 200);
  for (const [path, known] of [
    ['/subscriptions', id],
    ['/customers', customer],
    ['/meter-orders', order.id],
  ] as const) {
    const shown = must(await sandbox.call('GET', `${path}/${known}`), 200);
    assert.equal(shown.updated_at, shown.created_at, path);
    for (const filter of [
      `[eq]=${shown.updated_at}`,
      `[lte]=${shown.updated_at}`,
      `[gte]=${shown.updated_at}&filter[updated_at][lte]=${shown.updated_at}`,
    ]) {
      const { items } = must(await sandbox.call('GET', `${path}?filter[updated_at]${filter}`), 200);
      assert.deepEqual(
        items.map((item: Json) => item['id']),
        [known],
        `${path} ${filter}`,
      );
    }
  }
});
