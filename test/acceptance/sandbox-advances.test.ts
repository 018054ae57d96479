/** Advances of a sandbox clock beside other requests: they keep nobody waiting but each other. */
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { findDueProjects, workOn } from '#features/subscriptions/index.ts';
import { sql } from '#platform/database/sql.ts';
import { createTraffic } from '#platform/reconcile/traffic.ts';
import { otherProject } from '../support/builders.ts';
import { berlin, must, openSandbox, sandboxBody, signUpActive, type Sandbox } from '../support/sandbox.ts';
import { until } from '../support/receiver.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';
import { supplyOf } from '../support/supply.ts';

let service: TestService;
/** One in which nothing is done in the background. */
let quiet: TestService;
before(async () => {
  service = await startService();
  quiet = await startService();
  await quiet.service.app.reconciler.stop();
});
after(async () => {
  await quiet.stop();
  await service.stop();
});

const MONDAY = berlin('2030-01-07T10:00');
/** More than the pool has connections. */
const MANY = 60;

/** Somebody who has changed or locked something, until he is told how to end that. */
async function hold(
  context: TestContext,
  statement: string,
  id: string | null,
  { connection } = service,
): Promise<(end: 'commit' | 'rollback') => Promise<unknown>> {
  const client = new Client(connection);
  // A test that fails ends the database under it.
  client.on('error', () => {});
  await client.connect();
  context.after(() => client.end());
  await client.query('begin');
  await client.query(statement, [id]);
  return (end) => client.query(end);
}

/** Resolves when a statement waits for what somebody holds. */
async function waits(context: TestContext, count: number, { connection } = service): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  context.after(() => client.end());
  await until('it waits', async () => {
    const { rows } = await client.query<{ waiting: number }>(`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return (rows[0]?.waiting ?? 0) >= count;
  });
}

/** Beside somebody who waits, so does this; it is not answered before. */
async function waitsToo(context: TestContext, answer: Promise<Reply>): Promise<void> {
  const first = await Promise.race([answer, waits(context, 2)]);
  assert.equal(first, undefined, 'it was answered before what was on its way');
}

const HELD: Readonly<Record<string, unknown>> = {
  '/sandbox/clock': { advance_by: 'PT1H' },
  '/webhook-endpoints': { url: 'https://hooks.example.com/' },
};
for (const [path, body] of Object.entries(HELD)) {
  test(`many POST ${path} that wait for their project leave connections for all others`, async (context) => {
    const sandbox = await openSandbox(service, MONDAY);
    const release = await hold(
      context,
      'select from projects where id = (select project_id from plans where id = $1) for update',
      parseId('pln', sandbox.planId),
    );
    const waiting: Promise<Reply>[] = Array.from({ length: MANY }, () => sandbox.call('POST', path, { body }));
    const other = await otherProject(service);
    for (let call = 0; call < 20; call += 1) {
      must(await other.call('GET', '/customers?limit=1'), 200);
    }
    await release('rollback');
    for (const { status, text } of await Promise.all(waiting)) assert.ok(status < 500 || status === 503, text);
  });
}

test('an advance is answered when what a sign-up made due, which was on its way before, has happened', async (context) => {
  const sandbox = await openSandbox(service, MONDAY);
  const { id: earlier } = await signUpActive(sandbox, { external_id: 'one' });
  const statement = 'update subscriptions set external_id = null, revision = revision + 1 where id = $1';
  const release = await hold(context, statement, parseId('sub', earlier));
  const signingUp = sandbox.call('POST', '/subscriptions', { body: sandboxBody(sandbox, { external_id: 'one' }) });
  await waits(context, 1);
  const moving = sandbox.call('POST', '/sandbox/clock', { body: { advance_by: 'P30D' } });
  await waitsToo(context, moving);
  await release('commit');
  const { id } = must(await signingUp, 201);
  must(await moving, 200);
  const { status, start_at: start } = await sandbox.read(id);
  assert.deepEqual([status, start], ['active', berlin('2030-01-11')]);
});

test('an advance is answered when what a termination made due, which was on its way before, has happened', async (context) => {
  const sandbox = await openSandbox(service, MONDAY);
  const { id } = await signUpActive(sandbox, {});
  const release = await hold(context, 'select from subscriptions where id = $1 for update', parseId('sub', id));
  const ending = sandbox.act(id, 'terminate', { reason: 'ordinary' });
  await waits(context, 1);
  const moving = sandbox.call('POST', '/sandbox/clock', { body: { advance_by: 'P1Y' } });
  await waitsToo(context, moving);
  await release('rollback');
  must(await ending, 200);
  must(await moving, 200);
  assert.equal((await sandbox.read(id)).status, 'ended');
});

test('what is written at the last moment of an advance happens before anybody else writes, so that it comes to its end', async (context) => {
  const sandbox = await openSandbox(quiet, MONDAY);
  const { id } = await signUpActive(sandbox, {});
  const release = await hold(context, 'select from subscriptions where id = $1 for update', parseId('sub', id), quiet);
  const ending = sandbox.act(id, 'terminate', { reason: 'ordinary' });
  await waits(context, 1, quiet);
  await quiet.database.query(sql`
    update projects set clock_target = clock_at + interval '1 year' where clock_at is not null`);
  const [moving] = await findDueProjects(supplyOf(quiet));
  const working = workOn(supplyOf(quiet), moving?.id ?? '');
  await waits(context, 2, quiet);
  await release('rollback');
  must(await ending, 200);
  assert.equal(await working, 'worked');
  assert.equal((await sandbox.call('GET', '/sandbox/clock')).json.advancing_to, null);
  assert.equal((await sandbox.read(id)).status, 'ended');
});

test('an advance takes more at a time while its project keeps signing up, so that it comes to its end', async () => {
  const sandbox = await openSandbox(quiet, MONDAY);
  await Promise.all(Array.from({ length: 80 }, () => sandbox.signUp()));
  const plan = parseId('pln', sandbox.planId);
  const [moving] = await quiet.database.query<{ id: string }>(sql`
    update projects set clock_target = clock_at + interval '1 second'
    where id = (select project_id from plans where id = ${plan})
    returning id`);
  const traffic = { ...createTraffic(() => 0), isVisited: () => true };
  const untouched = async (): Promise<number> => {
    const left = await quiet.database.query(sql`
      select from market_processes where project_id = ${moving?.id} and memory is null`);
    return left.length;
  };
  await workOn({ ...supplyOf(quiet), traffic }, moving?.id ?? '');
  assert.equal(await untouched(), 55);
  await workOn({ ...supplyOf(quiet), traffic }, moving?.id ?? '');
  assert.equal(await untouched(), 0);
});

test('whoever comes after an advance does not overtake it, so that it has its turn however many write', async (context) => {
  const [sandbox, other] = [await openSandbox(service, MONDAY), await openSandbox(service, MONDAY)];
  const [first, second] = [await sandbox.signUp(), await sandbox.signUp()];
  await sandbox.settle();
  const release = await hold(context, 'select from subscriptions where id = $1 for update', parseId('sub', first.id));
  const before = sandbox.patch(first.id, { metadata: { n: 1 } });
  await waits(context, 1);
  const moving = sandbox.call('POST', '/sandbox/clock', { body: { advance_by: 'PT1H' } });
  await waitsToo(context, moving);
  const behind = sandbox.patch(second.id, { metadata: { n: 2 } });
  const signingUp = sandbox.call('POST', '/subscriptions', { body: sandboxBody(sandbox) });
  const answered: string[] = [];
  for (const [name, answer] of Object.entries({ behind, signingUp })) void answer.then(() => answered.push(name));
  await waits(context, 3);
  await other.signUp();
  assert.deepEqual(answered, [], 'they were answered before the advance');
  await release('rollback');
  for (const reply of [await before, await moving, await behind]) must(reply, 200);
  must(await signingUp, 201);
});

test('a sign-up waits while somebody is at its project’s clock, and those of other projects do not', async (context) => {
  const [sandbox, other] = [await openSandbox(service, MONDAY), await openSandbox(service, MONDAY)];
  const release = await hold(
    context,
    'select from projects where id = (select project_id from plans where id = $1) for update',
    parseId('pln', sandbox.planId),
  );
  const answered: string[] = [];
  const signUp = async (name: string, at: Sandbox): Promise<Reply> => {
    const reply = await at.call('POST', '/subscriptions', { body: sandboxBody(at) });
    answered.push(name);
    return reply;
  };
  const signingUp = signUp('held', sandbox);
  for (let count = 0; count < 5; count += 1) must(await signUp('other', other), 201);
  await release('rollback');
  must(await signingUp, 201);
  assert.deepEqual(answered, ['other', 'other', 'other', 'other', 'other', 'held']);
});
