/** What has become of a customer's subscriptions by now, but was not looked at yet, counts when something is asked of him. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#platform/database/sql.ts';
import { advanceUntil, berlin, moveClocks, must, openSandbox, signUpActive } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
  await service.service.app.reconciler.stop();
});
after(() => service.stop());

/** How often each type of event was written, and counted. */
async function countEvents(): Promise<{ readonly written: object; readonly counted: object }> {
  const rows = await service.database.query<{ type: string; count: number }>(sql`
    select type, count(*)::integer as count from events group by type`);
  const metrics = await service.service.app.metrics.registry.getMetricsAsJSON();
  const values = metrics.find(({ name }) => name === 'wattline_events_total')?.values ?? [];
  return {
    written: Object.fromEntries(rows.map(({ type, count }) => [type, count])),
    counted: Object.fromEntries(values.map(({ labels, value }) => [labels['type'], value])),
  };
}

test('a sign-up whose time to be corrected has passed keeps nobody from being erased', async () => {
  const sandbox = await openSandbox(service, berlin('2037-11-23T10:00'));
  const previous = { previous_supplier: await sandbox.supplier('doubts authority') };
  const { id } = await sandbox.signUp(previous);
  const waiting = await advanceUntil(sandbox, id, ({ next_action: action }) => action !== null, 'PT12H', 60);
  assert.equal(waiting.next_action.code, 'power_of_attorney_doubted');
  assert.equal((await sandbox.call('POST', `/customers/${waiting.customer}/erase`)).status, 409);
  await moveClocks(service, 'P60D');
  must(await sandbox.call('POST', `/customers/${waiting.customer}/erase`), 200);
  const { status, end_reason: reason } = await sandbox.read(id);
  assert.deepEqual([status, reason], ['ended', 'rejected']);
});

test('every event of an erasure is counted, those of orders that end with the subscription, too', async () => {
  const sandbox = await openSandbox(service, berlin('2037-11-21T10:00'));
  const orders = [{ type: '14a_enwg', '14a_enwg': { module_1: true } }];
  const { id, customer } = await signUpActive(sandbox, { product_orders: orders });
  const { end_at: endAt } = must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
  await sandbox.advanceTo(Temporal.Instant.from(endAt).subtract({ hours: 1 }).toString());
  await moveClocks(service, 'P2D');
  must(await sandbox.call('POST', `/customers/${customer}/erase`), 200);
  const { written, counted } = await countEvents();
  assert.ok('grid_fee_reduction.ended' in written && 'subscription.ended' in written);
  assert.deepEqual(counted, written);
});
