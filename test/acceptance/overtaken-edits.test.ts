/** Edits of a subscription whose own search has just come to a market location that somebody else takes in this moment. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatId, parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import { uniqueMalo, type Json } from '../support/builders.ts';
import { published } from '../support/feed.ts';
import { runCommand } from '../support/live.ts';
import { until } from '../support/receiver.ts';
import { meterOnly, moveClocks, must, openSandbox, type Sandbox } from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

const MONDAY = '2030-01-07T09:00:00Z';

let service: TestService;
let sandbox: Sandbox;
before(async () => {
  service = await startService();
  sandbox = await openSandbox(service, MONDAY);
});
after(() => service.stop());

/** A subscription for which a market location is found, which nobody has looked at yet. */
async function signUpFound(): Promise<{ readonly id: string; readonly malo: string }> {
  const { id } = await sandbox.signUp({ meter: meterOnly() });
  await sandbox.settle();
  await service.service.app.reconciler.stop();
  const [found] = await service.database.query<{ malo: string }>(sql`
    select memory -> 'under_way' -> 0 -> 'message' ->> 'marketLocation' as malo from market_processes
    where subscription_id = ${parseId('sub', id)}`);
  assert.ok(found !== undefined && found.malo !== null);
  await moveClocks(service, '1 hour');
  return { id, malo: found.malo };
}

/** Sends a request, and commits that another subscription has the market location once it waits for that. */
async function overtake<Result>(other: Json, malo: string, send: () => Promise<Result>): Promise<Result> {
  const { reply } = await service.database.transaction(async (transaction) => {
    await transaction.query(sql`
      update subscriptions set malo = ${malo}, revision = revision + 1 where id = ${parseId('sub', other['id'])}`);
    const reply = send();
    await until('it waits', async () => {
      const waiting = await service.database.query(sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%update subscriptions%'`);
      return waiting.length > 0;
    });
    return { reply };
  });
  return reply;
}

describe('an edit while somebody else takes the market location in this moment', () => {
  test('of a place is made, and so is it answered again', async () => {
    const other = await sandbox.signUp();
    const { id, malo } = await signUpFound();
    const edit = (): Promise<Reply> =>
      sandbox.patch(id, { address: { street: 'Neue Straße' } }, { 'idempotency-key': 'overtaken' });
    const { status, json, text, headers } = await overtake(other, malo, edit);
    assert.deepEqual([status, json.stage, json.next_action], [200, 'identifying', null], text);
    assert.equal(headers.get('idempotency-replayed'), null);
    const address = must(await sandbox.call('GET', `/addresses/${json.address}`), 200);
    assert.equal(address.street, 'Neue Straße');
    const told = (await sandbox.timeline(id)).flatMap(({ event }) => (event === null ? [] : [event.type]));
    const expected = ['action_required', 'action_resolved', 'updated'].map((type) => `subscription.${type}`);
    assert.deepEqual(told.slice(-3), expected);
    const again = await edit();
    assert.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [200, text, 'true']);
  });

  test('of something else is made, and tells that it is taken', async () => {
    const other = await sandbox.signUp();
    const { id, malo } = await signUpFound();
    const { status, json, text } = await overtake(other, malo, () => sandbox.patch(id, { metadata: { note: 1 } }));
    assert.deepEqual([status, json.next_action?.code], [200, 'market_location_taken'], text);
  });

  test('of the customer is made, once for its key', async () => {
    const other = await sandbox.signUp();
    const { id, malo } = await signUpFound();
    const { customer } = await sandbox.read(id);
    const edit = (): Promise<Reply> =>
      sandbox.call('PATCH', `/customers/${customer}`, {
        body: { first_name: 'Erna' },
        headers: { 'idempotency-key': 'overtaken-customer' },
      });
    const { status, json, text } = await overtake(other, malo, edit);
    assert.deepEqual([status, json.first_name], [200, 'Erna'], text);
    const again = await edit();
    assert.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [200, text, 'true']);
    await published(service.database);
    const events = must(await sandbox.call('GET', '/events?limit=500&types=customer.updated'), 200).items;
    assert.equal(events.filter(({ data }: Json) => data.customer.id === customer).length, 1);
  });

  test('may be an order too, which is made', async () => {
    const other = await sandbox.signUp();
    const { id, malo } = await signUpFound();
    const order = (): Promise<Reply> => sandbox.call('POST', '/meter-orders', { body: { subscription: id } });
    const { status, json, text } = await overtake(other, malo, order);
    assert.deepEqual([status, json.subscription], [201, id], text);
    assert.equal((await sandbox.read(id)).next_action?.code, 'market_location_taken');
  });

  test('of an operator is made too', async () => {
    const other = await sandbox.signUp();
    const { id, malo } = await signUpFound();
    const [project] = await service.database.query<{ project_id: string }>(sql`
      select project_id from subscriptions where id = ${parseId('sub', id)}`);
    const named = ['--project', formatId('prj', project?.project_id ?? ''), id];
    const run = await overtake(other, malo, () => runCommand(service, 'market', 'give-up', ...named, '--json'));
    assert.deepEqual([run.code, run.json.subscription?.status], [0, 'ended'], run.stderr);
  });

  test('is refused when the place that it names itself is taken', async () => {
    const malo = uniqueMalo();
    await sandbox.signUp({ meter: { ...meterOnly(), malo } });
    const { id } = await signUpFound();
    const { code, errors } = must(await sandbox.patch(id, { meter: { malo } }), 409);
    assert.deepEqual([code, errors[0].field], ['market_location_taken', '/meter/malo']);
  });
});
