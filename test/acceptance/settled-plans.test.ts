/** What comes again and again is planned once for a connection, however little goes in one statement, and never reads all there is. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { formatId } from '#domain/identifiers.ts';
import { sql, type Sql, type Statement } from '#platform/database/sql.ts';
import { signUpBody } from '../support/builders.ts';
import { connectAsService, CUSTOM_PLANS, explainPrepared, spyOn, stepsOf } from '../support/plans.ts';
import { insertRows } from '../support/rows.ts';
import { createAppBeside, send, startService, type TestService } from '../support/service.ts';

const FURTHER = 5;
const MANY = 10;
const GROWN = 400;
/** A portion, and a few; of the project there is more in each table. */
const MOST_ROWS = 250;
/** So many of a range of time are put in the order of the list. */
const MOST_OF_RANGE = 10_001;
/** What no subscription has of what is inserted. */
const RARE: Readonly<Record<string, string>> = {
  status: 'active',
  stage: 'cancelling',
  supplier: formatId('mp', randomUUID()),
  created_by: formatId('crd', randomUUID()),
  'next_action.actor': 'operator',
  'next_action.code': 'market_location_shut_down',
  'metadata.a': 'b',
  customer: formatId('cus', randomUUID()),
};

let service: TestService;
let asked: readonly Statement[];
before(async () => {
  service = await startService();
  const { database, asked: seen } = spyOn(service.database);
  asked = seen;
  const app = createAppBeside(service, { database });
  const authorization = `Bearer ${await service.token()}`;
  const created = await app.http.inject({
    method: 'POST',
    url: '/subscriptions',
    headers: { authorization, 'content-type': 'application/json' },
    payload: JSON.stringify({ ...signUpBody(service.planId), metadata: { channel: 'portal' } }),
  });
  assert.equal(created.statusCode, 201, created.body);
  // At first for what it is, then for whether it has changed.
  for (let times = 0; times < 2; times += 1) {
    const read = await app.http.inject({ url: `/subscriptions/${created.json().id}`, headers: { authorization } });
    assert.equal(read.statusCode, 200, read.body);
  }
});
after(() => service.stop());

/** The statement as it was asked, again. */
function again({ text, values }: Statement): Sql {
  const strings = text.split(/\$\d+/);
  return sql(Object.assign([...strings], { raw: strings }), ...values);
}

for (const [what, beginning] of [
  ['a sign-up', 'with input as materialized'],
  ['a subscription by its id', 'select place::integer, '],
  ['whether a subscription has changed', 'select place::integer\n'],
] as const) {
  test(`${what} is planned once`, async () => {
    const statement = asked.find(({ text }) => text.trim().startsWith(beginning));
    assert.ok(statement, 'it was asked');
    const [plans] = await service.database.transaction(async (transaction) => {
      for (let times = 0; times < CUSTOM_PLANS + FURTHER; times += 1) await transaction.query(again(statement));
      return transaction.query<{ generic: string; custom: string }>(sql`
        select generic_plans as generic, custom_plans as custom from pg_prepared_statements
        where ltrim(statement, E' \n') like ${`${beginning}%`}
        order by generic_plans + custom_plans desc
        limit 1`);
    });
    assert.ok(Number(plans?.generic) >= FURTHER, JSON.stringify(plans));
  });
}

test('work on processes reads what it is about, also by plans that were made while there was nothing', async () => {
  const own = await startService();
  const client = await connectAsService(own.connection);
  try {
    // Statements are carried out once more below: nobody shall do the same at that moment.
    await Promise.all([own.service.app.reconciler.stop(), own.service.app.feed.stop()]);
    for (const table of ['subscriptions', 'customers', 'addresses', 'meters', 'market_processes', 'events']) {
      // Nobody shall have it planned anew.
      await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    const signUp = async (): Promise<void> => {
      const reply = await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) });
      assert.equal(reply.status, 201, reply.text);
    };
    await signUp();
    const { database, asked: statements } = spyOn(own.database);
    const { http } = createAppBeside(own, { database });
    // All of a life, from the first step until its supply has begun.
    const url = await http.listen({ port: 0, host: '127.0.0.1' });
    const moved = await send(url, 'POST', '/sandbox/clock', {
      token: await own.token(),
      body: { advance_by: 'P90D' },
    });
    await http.close();
    assert.equal(moved.status, 200, moved.text);
    const planned = [...new Map(statements.map((statement) => [statement.text, statement])).values()].filter(
      ({ text }) => /^\s*(select|with|update)\b/.test(text),
    );
    assert.ok(planned.length > MANY, String(planned.length));
    await client.query('set plan_cache_mode = force_generic_plan');
    for (const [index, { text, values }] of planned.entries()) {
      await client.query('begin');
      await client.query({ name: `planned${index}`, text, values: [...values] });
      await client.query('rollback');
    }
    for (let count = 0; count < GROWN; count += 1) await signUp();
    for (const [index, { text, values }] of planned.entries()) {
      await client.query('begin');
      const rows = stepsOf(await explainPrepared(client, `planned${index}`, values)).map(
        (step) => step.rows + step.discarded,
      );
      await client.query('rollback');
      assert.ok(Math.max(...rows) <= MOST_ROWS, `reads ${Math.max(...rows)} rows: ${text}`);
    }
  } finally {
    await client.end();
    await own.stop();
  }
});

test('a page is read as far as it goes, also by a plan that was made while there was nothing', async () => {
  const own = await startService();
  const client = await connectAsService(own.connection);
  try {
    for (const table of ['subscriptions', 'subscription_metadata', 'leads', 'customers', 'audit_log']) {
      // Nobody shall have it planned anew.
      await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    const { database, asked: statements } = spyOn(own.database);
    const { http } = createAppBeside(own, { database });
    const authorization = `Bearer ${await own.token()}`;
    const rare = [
      ...[
        'status',
        'stage',
        'plan',
        'supplier',
        'created_by',
        'next_action.actor',
        'next_action.code',
        'metadata.a',
      ].map((field) => `/subscriptions?filter[${field}][eq]=${RARE[field] ?? own.planId}`),
      ...['supplier', 'end_at', 'next_action.code'].map((field) => `/subscriptions?filter[${field}][is_null]=false`),
      ...['meter.malo', 'external_id'].map((field) => `/subscriptions?filter[${field}][is_null]=true`),
      // Few of what is inserted is in these.
      ...['updated_at', 'start_at', 'end_at'].flatMap((field) => [
        `/subscriptions?filter[${field}][gte]=2026-01-03T18:00:00Z`,
        `/subscriptions?filter[${field}][lt]=2026-01-01T00:30:00Z`,
        // And most of it in these.
        `/subscriptions?filter[${field}][gte]=2026-01-01T00:30:00Z`,
        `/subscriptions?filter[${field}][gte]=2026-01-01T00:30:00Z&filter[${field}][lt]=2027-01-01T00:00:00Z`,
      ]),
      ...['status', 'stage'].map((field) => `/subscriptions?filter[${field}][ne]=${RARE[field]}`),
      ...['', '?limit=100', '?filter[created_at][lt]=2026-01-02T00:00:00Z'].map((query) => `/subscriptions${query}`),
      ...['customer', 'number', 'external_id', 'meter.number', 'meter.malo', 'customer.email'].map(
        (field) => `/subscriptions?filter[${field}][eq]=${RARE[field] ?? 'none'}`,
      ),
      '/leads',
      `/leads?filter[plan][eq]=${own.planId}`,
      '/customers',
      '/customers?filter[type][eq]=company',
      '/customers?filter[email][eq]=none@example.com',
      `/audit-log?filter[resource][eq]=${RARE['customer']}`,
    ];
    for (const url of rare) {
      const reply = await http.inject({ url, headers: { authorization } });
      assert.equal(reply.statusCode, 200, reply.body);
    }
    await http.close();
    const planned = [...new Map(statements.map((statement) => [statement.text, statement])).values()].filter(
      ({ isAnew }) => !isAnew,
    );
    assert.ok(planned.length > MANY, String(planned.length));
    for (const [index, { text, values }] of planned.entries()) {
      for (let times = 0; times <= CUSTOM_PLANS; times += 1)
        await client.query({ name: `page${index}`, text, values: [...values] });
    }
    await insertRows(own, 1, 12_000, '01900000-0000-7000-8000-000000000001');
    await own.database.query(sql`
      insert into audit_log (project_id, id, occurred_at, operation, resource, seal)
      select project_id, id, created_at, 'createSubscription', 'sub_' || id, decode(repeat('00', 32), 'hex')
      from subscriptions`);
    for (const [index, { text, values }] of planned.entries()) {
      const rows = stepsOf(await explainPrepared(client, `page${index}`, values)).map(
        (step) => step.rows + step.discarded,
      );
      const most = text.includes('many as') ? MOST_OF_RANGE : MOST_ROWS;
      assert.ok(Math.max(...rows) <= most, `reads ${Math.max(...rows)} rows: ${text}`);
    }
  } finally {
    await client.end();
    await own.stop();
  }
});
