/**
 * Work on deliveries reads what it is about and never all that wait, also by plans that were made while few waited: an index
 * of what waits is then full of what did, and looks more expensive than it is.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { toStatement, type Statement } from '#platform/database/sql.ts';
import { reviveFailed } from '#features/webhooks/delivery/replay-store.ts';
import * as outcomes from '#features/webhooks/delivery/results-store.ts';
import * as store from '#features/webhooks/delivery/store.ts';
import { deleteRemovedEndpoints, hastenDeliveries } from '#features/webhooks/store.ts';
import { addWaitingDeliveries } from '../support/deliveries.ts';
import { connectAsService, explainPrepared, stepsOf } from '../support/plans.ts';
import { startService, type TestService } from '../support/service.ts';

const DELIVERED = 20_000;
const BACKLOG = 5_000;
const PORTION = 20;
/** A portion, and a few; of the endpoint there is more. */
const MOST_ROWS = 250;
const EARLIER = '2025-11-01T00:00:00Z';
const LATER = '2025-12-01T00:00:00Z';
const NOW = '2026-01-01T00:00:00Z';
const LEASE_MS = 30_000;

let service: TestService;
let admin: Client;
let client: Client;
let projectId: string;
let endpointId: string;
before(async () => {
  service = await startService();
  await service.service.app.webhooks.stop();
  const created = await service.call('POST', '/webhook-endpoints', { body: { url: 'https://example.com/' } });
  assert.equal(created.status, 201, created.text);
  admin = new Client(service.connection);
  await admin.connect();
  client = await connectAsService(service.connection);
  // Deliveries are about events, which are not the matter here.
  for (const each of [admin, client]) await each.query('set session_replication_role = replica');
  // Nobody shall have it planned anew.
  await admin.query('alter table webhook_deliveries set (autovacuum_enabled = off)');
  const { rows } = await admin.query('select project_id, id from webhook_endpoints');
  [{ project_id: projectId, id: endpointId }] = rows;
});
after(async () => {
  await client.end();
  await admin.end();
  await service.stop();
});

const addWaiting = (count: number, createdAt: string): Promise<void> =>
  addWaitingDeliveries(service, { endpointId, count, dueAt: NOW, createdAt });

/** What a function of the store asks, without it being asked. */
async function statementOf(ask: (queryable: Queryable) => Promise<unknown>): Promise<Statement> {
  const asked: Statement[] = [];
  await ask({
    query: async (statement) => {
      asked.push(toStatement(statement));
      return [];
    },
  });
  // Of several the first is about deliveries.
  assert.ok(asked.length > 0);
  return asked[0] as Statement;
}

const some = Array.from({ length: PORTION }, (_, index) => index);

/** The statements of a delivery's life, about deliveries that are there or could be. */
async function statements(): Promise<Map<string, Statement>> {
  const { rows: waiting } = await admin.query<{ id: string; subject_id: string }>(
    `select id, subject_id from webhook_deliveries where state = 'pending' order by id limit $1`,
    [PORTION],
  );
  const results = waiting.map(({ id, subject_id: subjectId }): outcomes.ResultRow => {
    const url = 'https://hooks.example.com/before';
    const of = { projectId, id, endpointId, subjectId, url, lease: NOW, attempt: '{}' };
    return { ...of, state: 'pending', begunAt: NOW, dueAt: NOW, followersDueAt: NOW };
  });
  const added = some.map((index): store.NewDelivery => {
    const of = { projectId, id: randomUUID(), endpointId, eventId: randomUUID(), subjectId: randomUUID() };
    return { ...of, position: String(index) };
  });
  const limits = { total: PORTION, each: PORTION, eachFailing: 1, inFlight: new Map<string, number>() };
  const asks: Record<string, (queryable: Queryable) => Promise<unknown>> = {
    'laying out': (queryable) => store.insertDeliveries(queryable, added, NOW),
    claiming: (queryable) => store.claimDeliveries(queryable, NOW, LEASE_MS, limits, 0),
    'writing results': (queryable) => outcomes.writeResults(queryable, results, 0),
    'putting off what follows': (queryable) => outcomes.moveFollowers(queryable, results, 0),
    'hastening what was put off elsewhere': (queryable) => outcomes.hastenMoved(queryable, results, EARLIER),
    'hastening what was left behind': (queryable) => outcomes.hastenLeftBehind(queryable, results, EARLIER),
    'removing what is old': (queryable) => store.deleteSettledDeliveries(queryable, NOW, PORTION),
    'removing what was deleted': (queryable) => deleteRemovedEndpoints(queryable, PORTION),
    hastening: (queryable) => hastenDeliveries(queryable, { projectId, endpointId, now: EARLIER }, PORTION),
    'repeating what failed': (queryable) => reviveFailed(queryable, projectId, endpointId, NOW, PORTION),
  };
  const found = new Map<string, Statement>();
  for (const [what, ask] of Object.entries(asks)) found.set(what, await statementOf(ask));
  return found;
}

for (const few of [0, 5]) {
  test(`what waits is found by plans that were made while ${few} waited and many had`, async (t) => {
    await admin.query('truncate webhook_deliveries');
    await addWaiting(DELIVERED, LATER);
    await admin.query(
      `update webhook_deliveries set state = 'succeeded', due_at = null, attempt_count = 1
      where id not in (select id from webhook_deliveries limit $1)`,
      [few],
    );
    await admin.query('analyze webhook_deliveries');
    const nameOf = (what: string): string => `${what} ${few}`;
    await client.query('set plan_cache_mode = force_generic_plan');
    for (const [what, { text, values }] of await statements()) {
      await client.query('begin');
      await client.query({ name: nameOf(what), text, values: [...values] });
      await client.query('rollback');
    }
    await addWaiting(BACKLOG, EARLIER);
    for (const [what, { values }] of await statements()) {
      await t.test(what, async () => {
        await client.query('begin');
        if (what === 'removing what was deleted') await client.query('update webhook_endpoints set deleted_at = now()');
        const steps = stepsOf(await explainPrepared(client, `"${nameOf(what)}"`, values));
        await client.query('rollback');
        const read = Math.max(...steps.map(({ rows, discarded }) => rows + discarded));
        assert.ok(read <= MOST_ROWS, `reads ${read} rows`);
      });
    }
  });
}

test('of many endpoints that have come to the end of the feed, none looks through it', async (t) => {
  const [endpoints, events] = [3_000, 20_000];
  await client.query('set plan_cache_mode = force_generic_plan');
  // Nearly all events are of one project.
  await client.query(
    `insert into webhook_endpoints
      (project_id, id, url, types, enabled, api_version, secret_encrypted, position, created_at, updated_at)
    select case when number <= 3 then $1::uuid else md5((number / 3)::text)::uuid end, gen_random_uuid(), 'https://example.com/', '{*}',
      true, '', '', $3, now(), now()
    from generate_series(1, $2) as number`,
    [projectId, endpoints, events],
  );
  await client.query(
    `insert into event_feed
    select case when number % 500 = 0 then md5('400')::uuid else $1::uuid end, number, gen_random_uuid()
    from generate_series(1, $2) as number`,
    [projectId, events],
  );
  await client.query('update webhook_endpoints set position = $1', [events]);
  await client.query('vacuum analyze webhook_endpoints, event_feed');
  const looks: Record<string, (queryable: Queryable) => Promise<unknown>> = {
    'locking what is behind': (queryable) => store.lockBacklog(queryable as Transaction, PORTION, MOST_ROWS),
    'looking whether anything is': store.isAnyBehind,
  };
  for (const [what, ask] of Object.entries(looks)) {
    await t.test(what, async () => {
      const { text, values } = await statementOf(ask);
      await client.query({ name: what, text, values: [...values] });
      const steps = stepsOf(await explainPrepared(client, `"${what}"`, values));
      const read = Math.max(...steps.map(({ rows, discarded }) => rows + discarded));
      assert.ok(read <= 2 * endpoints, `reads ${read} rows`);
    });
  }
});
