/** An erasure is one transaction: cut off anywhere it has done nothing, and it takes its turn among other requests. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { createKeys } from '#platform/crypto.ts';
import { sql } from '#platform/database/sql.ts';
import { ask, eventually } from '../support/process.ts';
import { must, openSandbox, type Sandbox } from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';
import { dumpDatabase, type DumpedRow } from '../support/traces.ts';

let service: TestService;
let sandbox: Sandbox;
before(async () => {
  service = await startService({ LOG_LEVEL: 'fatal' });
  sandbox = await openSandbox(service, '2037-11-30T09:00:00Z');
});
after(() => service.stop());

/** What moves on by itself: the feed, in which events get their places, and the chain of the audit log. */
const MOVING: ReadonlySet<string> = new Set(['event_feed', 'event_feed_state', 'audit_blocks', 'audit_blocks_state']);

const dump = async (): Promise<DumpedRow[]> => {
  const rows = await dumpDatabase(service.connection, createKeys(Buffer.alloc(32, 7)));
  return rows.filter(({ table }) => !MOVING.has(table));
};
const erase = (id: string, headers = {}): Promise<Reply> => sandbox.call('POST', `/customers/${id}/erase`, { headers });

/** A customer who withdrew before anything was supplied. */
async function withdrawn(): Promise<{ readonly id: string; readonly customer: string }> {
  const created = await sandbox.signUp({ metadata: { a: 1 }, external_id: `x-${Math.random()}` });
  must(await sandbox.act(created.id, 'terminate', { reason: 'withdrawal' }), 200);
  await sandbox.advanceBy('P3D');
  assert.equal((await sandbox.read(created.id)).status, 'ended');
  // Nothing is on its way that would change the tables.
  await sandbox.call('GET', '/events?limit=500&wait=1');
  return created;
}

test('an erasure that fails at its last step leaves everything as it was', async () => {
  const { customer } = await withdrawn();
  const known = await dump();
  await ask(service.connection, `alter table events add constraint none check (type <> 'customer.erased') not valid`);
  assert.equal((await erase(customer)).status, 500);
  await ask(service.connection, 'alter table events drop constraint none');
  assert.deepEqual(await dump(), known);
  const done = must(await erase(customer), 200);
  assert.deepEqual(done.kept, [], 'nothing was supplied');
  assert.notDeepEqual(await dump(), known);
});

test('an erasure whose connection is cut in the middle leaves everything as it was', async () => {
  const { customer } = await withdrawn();
  const known = await dump();
  const holder = new Client(service.connection);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from market_messages for update');
  const erasing = erase(customer);
  const pid = await eventually(async () => {
    const [row] = await ask<{ pid: number }>(
      service.connection,
      `select pid from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%update market_messages%'`,
    );
    return row?.pid;
  }, 'the erasure is in the middle');
  await ask(service.connection, 'select pg_terminate_backend($1)', [pid]);
  assert.equal((await erasing).status, 503);
  await holder.query('rollback');
  await holder.end();
  assert.deepEqual(await dump(), known);
  assert.equal((await erase(customer)).status, 200);
});

test('an erasure once more writes only those events anew that have something to lose', async () => {
  const { id, customer } = await withdrawn();
  must(await erase(customer), 200);
  const uuid = parseId('sub', id);
  const versions = (): Promise<{ readonly id: string; readonly version: string }[]> =>
    service.database.query(sql`
      select id, xmin::text as version from events where subscription_id = ${uuid} order by sequence`);
  const before = await versions();
  assert.ok(before.length >= 2);
  const [changed, ...others] = before;
  await service.database.query(sql`
    update events set data = jsonb_set(data::jsonb, '{subscription,metadata}', '{"name": "Erika"}')::json
    where id = ${changed?.id}`);
  const [touched] = await versions();
  must(await erase(customer), 200);
  const [rewritten, ...kept] = await versions();
  assert.deepEqual(kept, others);
  assert.notEqual(rewritten?.version, touched?.version);
});

test('several erasures and changes at once: one erases, the others see it', async () => {
  const { id, customer } = await withdrawn();
  const [erasures, changes] = await Promise.all([
    Promise.all([1, 2, 3, 4].map((key) => erase(customer, { 'idempotency-key': `erase-${key}` }))),
    Promise.all([
      sandbox.patch(id, { metadata: { b: 2 } }),
      sandbox.patch(id, { billing_address: { street: 'Spät', house_number: '1', zip: '10115', city: 'Ort' } }),
      sandbox.call('PATCH', `/customers/${customer}`, { body: { email: 'late@example.com' } }),
    ]),
  ]);
  const [first] = erasures;
  for (const { status, json } of erasures) assert.deepEqual([status, json], [200, first?.json]);
  for (const { status, json } of changes) assert.ok(status === 200 || json.code === 'customer_erased');
  const { metadata, billing_address: billing } = must(
    await sandbox.call('GET', `/subscriptions/${id}?expand[]=billing_address`),
    200,
  );
  assert.deepEqual([metadata, billing?.street ?? 'erased'], [null, 'erased']);
  const { items } = must(await sandbox.call('GET', `/customers/${customer}/timeline`), 200);
  assert.deepEqual(
    items
      .filter(({ type }: { type: string }) => type === 'erased')
      .map(({ sequence }: { sequence: number }) => sequence),
    [items.length],
  );
});

test('the database lets nothing personal back into an erased customer', async () => {
  const { customer } = await withdrawn();
  must(await erase(customer), 200);
  for (const change of [`email = 'x@example.com'`, `first_name = 'X'`, `vat_id = 'DE123456789'`]) {
    const written = ask(service.connection, `update customers set ${change} where erased_at is not null`);
    await assert.rejects(written, { code: '23514' });
  }
});

test('the external id of an erased contract is free again', async () => {
  const created = await sandbox.signUp({ external_id: 'free-again' });
  must(await sandbox.act(created.id, 'terminate', { reason: 'withdrawal' }), 200);
  await sandbox.advanceBy('P3D');
  must(await erase(created.customer), 200);
  assert.equal((await sandbox.signUp({ external_id: 'free-again' })).external_id, 'free-again');
});
