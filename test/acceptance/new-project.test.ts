/** A project that PostgreSQL's statistics know nothing of, beside one that has nearly all rows there are. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { workOn } from '#features/subscriptions/index.ts';
import { sql } from '#platform/database/sql.ts';
import { createTraffic } from '#platform/reconcile/traffic.ts';
import { otherProject, signUpBody, type Json, type OtherProject } from '../support/builders.ts';
import { connectAsService, explainSettled, spyOn, stepsOf, type AskedStatement } from '../support/plans.ts';
import { insertRows } from '../support/rows.ts';
import { createAppBeside, startService, type TestService } from '../support/service.ts';
import { supplyOf } from '../support/supply.ts';

const LARGE = 20_000;
const OLDEST = '01900000-0000-7000-8000-000000000001';
const NEW = 300;
/** What a page, or a portion of work, may read of any table; of the new project there is more in each. */
const MOST_ROWS = 150;

let service: TestService;
let project: OtherProject;
let created: Json[];

before(async () => {
  service = await startService();
  await service.service.app.reconciler.stop();
  // Nobody shall learn of the new project by himself.
  const grows = ['subscriptions', 'customers', 'addresses', 'meters', 'payment_methods', 'market_processes', 'events'];
  const client = new Client(service.connection);
  await client.connect();
  for (const table of grows) await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
  const { database, projectId } = service;
  await insertRows(service, 1, LARGE, OLDEST);
  await database.query(sql`
    insert into market_processes (project_id, id, subscription_id, due_at, created_at)
    select project_id, id, id, now() + interval '1 year', now() from subscriptions where project_id = ${projectId}`);
  for (const table of grows) await client.query(`vacuum analyze ${table}`);
  await client.end();
  project = await otherProject(service);
  created = [];
  const { json: plan } = await project.call('POST', '/plans', { body: { name: 'Plan', price: 10 } });
  for (let number = 0; number < NEW; number += 1) {
    const reply = await project.call('POST', '/subscriptions', { body: signUpBody(plan.id) });
    assert.equal(reply.status, 201, reply.text);
    created.push(reply.json);
  }
  // What the planner was told of last knows more than the rest, as after an automatic analysis of that one.
  await service.database.query(sql`analyze event_feed`);
});
after(() => service.stop());

/** The most rows that a step of these statements reads, and the statement that does. */
async function mostRead(
  statements: readonly AskedStatement[],
): Promise<{ readonly rows: number; readonly text: string }> {
  const client = await connectAsService(service.connection);
  try {
    let most = { rows: 0, text: '' };
    for (const statement of statements) {
      if (!/^\s*(select|with)\b/.test(statement.text)) continue;
      for (const step of stepsOf(await explainSettled(client, statement))) {
        if (step.rows + step.discarded > most.rows) most = { rows: step.rows + step.discarded, text: statement.text };
      }
    }
    return most;
  } finally {
    await client.end();
  }
}

test('every table tells the planner to take any project for the largest one', async () => {
  const rows = await service.database.query(sql`
    select attrelid::regclass::text from pg_attribute
    join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
    where attname = 'project_id' and not attisdropped and not coalesce('n_distinct=1' = any(attoptions), false)`);
  assert.deepEqual(rows, []);
});

test('its lists and resources are read as those of a large project: a page, not all of it', async () => {
  const { database, asked } = spyOn(service.database);
  const app = createAppBeside(service, { database });
  const [subscription] = created;
  const { next_page: next } = (await project.call('GET', '/subscriptions?limit=100')).json;
  const parts = 'expand[]=customer&expand[]=address&expand[]=meter&expand[]=payment_method&expand[]=plan';
  for (const url of [
    `/subscriptions/${subscription.id}?${parts}`,
    `/subscriptions/${subscription.id}/timeline`,
    `/subscriptions?limit=20&${parts}`,
    `/subscriptions?limit=20&cursor=${next}`,
    '/subscriptions?limit=20&filter[status][eq]=pending',
    `/subscriptions?limit=20&filter[customer][eq]=${subscription.customer}`,
    `/subscriptions?limit=20&filter[customer.email][eq]=nobody@example.com`,
    '/customers?limit=20',
    `/customers/${subscription.customer}`,
    '/events?limit=20',
  ]) {
    asked.length = 0;
    const reply = await app.http.inject({ url, headers: { authorization: `Bearer ${project.token}` } });
    assert.equal(reply.statusCode, 200, `${url}: ${reply.body}`);
    const { rows, text } = await mostRead(asked);
    assert.ok(rows <= MOST_ROWS, `${url} reads ${rows} rows: ${text}`);
  }
});

test('its processes are worked on by what they are about', async () => {
  const { database, asked } = spyOn(service.database);
  const traffic = createTraffic(() => 0);
  const [{ project_id: projectId }] = await service.database.query<Json>(sql`
    select project_id from subscriptions where id = ${parseId('sub', created[0].id)}`);
  // As while requests come, so that a portion is small.
  traffic.visit();
  assert.equal(await workOn({ ...supplyOf(service), database, traffic }, projectId), 'deferrable');
  assert.ok(asked.length > 5);
  const most = await mostRead(asked);
  assert.ok(most.rows <= MOST_ROWS, `reads ${most.rows} rows: ${most.text}`);
});
