/** What is asked of a list together: the same rows whichever way leads to them, and no further than need be. */
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { listLeads } from '#features/leads/store.ts';
import { listNewest, listSubscriptions } from '#features/subscriptions/list-store.ts';
import { hashUuid } from '#platform/crypto.ts';
import { TookTooLong } from '#platform/database/errors.ts';
import { type Database } from '#platform/database/pool.ts';
import { isRange } from '#platform/database/ranges.ts';
import { sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import { createPlan } from '../support/builders.ts';
import { connectAsService, explainSettled, plansKept, spyOn, stepsOf, type AskedStatement } from '../support/plans.ts';
import { insertRows, vacuumWhole } from '../support/rows.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

const ROWS = 12_000;
const OLDEST = '01900000-0000-7000-8000-000000000001';
const PAGE = 50;
const AT = '2026-01-05T00:00:00Z';

interface Held {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly stage: string;
  readonly plan: string;
  readonly supplier: string | null;
  readonly updated: boolean;
  readonly ends: boolean;
}

let service: TestService;
let held: readonly Held[];
let plans: readonly string[];
let supplier: string;
before(async () => {
  service = await startService();
  const { projectId: project, database } = service;
  plans = [service.planId, (await createPlan(service)).id].map((id) => parseId('pln', id) ?? '');
  supplier = parseId('mp', (await service.call('GET', '/suppliers')).json.items[0].id) ?? '';
  await insertRows(service, 1, ROWS, OLDEST);
  const number = sql`('x' || right(id::text, 5))::bit(20)::integer`;
  await forceRows(
    service,
    sql`
    update subscriptions set start_at = null, end_at = case when ${number} % 4 = 0 then timestamptz '2027-01-01Z' end,
      status = case when ${number} % 4 = 0 then 'ended' else 'pending' end,
      stage = case when ${number} % 4 = 0 then 'ended' when ${number} % 40 = 1 then 'cancelling' else 'identifying' end,
      end_reason = case when ${number} % 4 = 0 then 'withdrawn' end, next_action = null,
      supplier_id = case when ${number} % 4 in (1, 2) then ${supplier}::uuid end,
      plan_id = case when ${number} % 3 = 0 then ${plans[0]} else ${plans[1]} end::uuid,
      updated_at = case when ${number} % 5 = 0 then timestamptz '2026-02-01Z' else timestamptz '2026-01-01Z' end`,
  );
  await database.query(sql`
    insert into subscription_metadata (project_id, key_hash, value_hash, subscription_id)
    select project_id, ${hashUuid('channel')},
      case when status = 'ended' then ${hashUuid('web')} else ${hashUuid('portal')} end::uuid, id
    from subscriptions where project_id = ${project}`);
  await database.query(sql`
    update customers set email = 'office@example.com' where project_id = ${project} and ${number} % 2 = 0`);
  await vacuumWhole(database, sql`subscriptions`, sql`subscription_metadata`, sql`customers`);
  held = await database.query<Held>(sql`
    select id, ${number} as number, status, stage, plan_id as plan, supplier_id as supplier,
      updated_at >= ${AT}::timestamptz as updated, end_at is not null as ends
    from subscriptions where project_id = ${project} order by id desc`);
});
after(() => service.stop());

const is = (field: string, value: string, key?: string): Condition => ({
  field,
  ...(key === undefined ? {} : { key }),
  operator: 'eq',
  values: [value],
});

/** Conditions, and which rows meet them. */
function known(): readonly (readonly [Condition, (row: Held) => boolean])[] {
  const of =
    <Field extends keyof Held>(field: Field, value: Held[Field]) =>
    (row: Held) =>
      row[field] === value;
  const [first = '', second = ''] = plans;
  return [
    [is('status', 'ended'), of('status', 'ended')],
    [is('status', 'active'), of('status', 'active')],
    [{ field: 'status', operator: 'ne', values: ['ended'] }, ({ status }) => status !== 'ended'],
    [{ field: 'status', operator: 'in', values: ['active', 'pending'] }, of('status', 'pending')],
    [is('stage', 'identifying'), of('stage', 'identifying')],
    [is('stage', 'cancelling'), of('stage', 'cancelling')],
    [{ field: 'stage', operator: 'in', values: ['ended', 'cancelling'] }, ({ stage }) => stage !== 'identifying'],
    [{ field: 'stage', operator: 'is_null', values: ['true'] }, () => false],
    [is('plan', first), of('plan', first)],
    [is('plan', second), of('plan', second)],
    [{ field: 'plan', operator: 'ne', values: [first] }, of('plan', second)],
    [{ field: 'plan', operator: 'in', values: [second, first, second] }, () => true],
    [is('supplier', supplier), of('supplier', supplier)],
    [{ field: 'supplier', operator: 'is_null', values: ['false'] }, of('supplier', supplier)],
    [{ field: 'supplier', operator: 'is_null', values: ['true'] }, of('supplier', null)],
    [{ field: 'supplier', operator: 'ne', values: [supplier] }, of('supplier', null)],
    [is('created_by', service.projectId), () => true],
    [is('metadata', 'web', 'channel'), of('status', 'ended')],
    [is('metadata', 'portal', 'channel'), of('status', 'pending')],
    [is('customer.email', 'Office@example.com'), ({ number }) => number % 2 === 0],
    [{ field: 'customer.email', operator: 'ne', values: ['office@example.com'] }, ({ number }) => number % 2 === 1],
    [{ field: 'updated_at', operator: 'gte', values: [AT] }, of('updated', true)],
    [{ field: 'updated_at', operator: 'lt', values: [AT] }, of('updated', false)],
    [{ field: 'end_at', operator: 'is_null', values: ['false'] }, of('ends', true)],
    [{ field: 'end_at', operator: 'is_null', values: ['true'] }, of('ends', false)],
    [{ field: 'start_at', operator: 'is_null', values: ['true'] }, () => true],
    [{ field: 'start_at', operator: 'is_null', values: ['false'] }, () => false],
    [{ field: 'next_action.code', operator: 'is_null', values: ['true'] }, () => true],
    [{ field: 'next_action.code', operator: 'is_null', values: ['false'] }, () => false],
    [{ field: 'next_action.actor', operator: 'ne', values: ['customer'] }, () => true],
    [{ field: 'end_at', operator: 'gt', values: [AT] }, of('ends', true)],
    [{ field: 'external_id', operator: 'is_null', values: ['false'] }, ({ number }) => number % 2 === 0],
  ];
}

/** A database on which nothing that is in a hurry is done in time. */
function slowed(database: Database): Database {
  return {
    ...database,
    transaction: (work, kind, subject) =>
      typeof kind === 'object' ? Promise.reject(new TookTooLong('as if')) : database.transaction(work, kind, subject),
  };
}

test('pages hold what meets all that is asked, in order, also when it is not found in a hurry', async () => {
  const { database, projectId } = service;
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(Array.from(known().keys()), { minLength: 1, maxLength: 4 }),
      fc.option(fc.nat(ROWS - 1)),
      fc.boolean(),
      async (chosen, place, isSlow) => {
        const asked = known().filter((_, index) => chosen.includes(index));
        const conditions = asked.map(([condition]) => condition);
        const after = place === null ? null : (held[place]?.id ?? '');
        const expected = held
          .filter((row) => (after === null || row.id < after) && asked.every(([, meets]) => meets(row)))
          .map(({ id }) => id);
        const asks = isSlow ? slowed(database) : database;
        const first =
          after === null
            ? (await listNewest(asks, projectId, conditions, PAGE)).rows
            : await listSubscriptions(asks, projectId, conditions, after, PAGE);
        const last = first.at(-1)?.id;
        const second = last === undefined ? [] : await listSubscriptions(asks, projectId, conditions, last, PAGE);
        assert.deepEqual(
          [...first, ...second].map(({ id }) => id),
          expected.slice(0, 2 * PAGE),
        );
      },
    ),
    { numRuns: 300 },
  );
});

/** The database as it is watched, and a connection on which to explain what it was asked. */
async function watch(context: TestContext): Promise<ReturnType<typeof spyOn> & { readonly client: Client }> {
  const client = await connectAsService(service.connection);
  context.after(() => client.end());
  return { ...spyOn(service.database), client };
}

/** The most rows that any step of a statement goes through, by the plan that is kept. */
async function mostRows(client: Client, statement: AskedStatement): Promise<number> {
  const steps = stepsOf(await explainSettled(client, statement));
  return Math.max(...steps.map(({ rows, discarded }) => rows + discarded));
}

test('a range of time is gone through once, whatever else is asked of it', async (context) => {
  const { asked, database, client } = await watch(context);
  const others = known().map(([condition]) => condition);
  const ranges = others.filter((each) => each.field === 'updated_at' || (each.field === 'end_at' && isRange(each)));
  for (const range of ranges)
    for (const other of others.filter((condition) => !ranges.includes(condition)))
      for (const place of [null, held[ROWS / 2]?.id ?? '']) {
        asked.length = 0;
        await listSubscriptions(database, service.projectId, [other, range], place, PAGE);
        for (const statement of asked) {
          const most = await mostRows(client, statement);
          assert.ok(most <= ROWS, `${JSON.stringify([other, range, place])}: ${most} rows: ${statement.text}`);
        }
      }
});

test('a page of what has some metadata is read from where it begins', async (context) => {
  const { asked, database, client } = await watch(context);
  const place = held[ROWS - 1_000]?.id ?? '';
  const conditions = [is('metadata', 'web', 'channel')];
  assert.equal((await listSubscriptions(database, service.projectId, conditions, place, PAGE)).length, PAGE);
  for (const statement of asked) assert.ok((await mostRows(client, statement)) <= 5 * PAGE, statement.text);
});

const LEADS = 6_000;

async function insertLeads(): Promise<void> {
  const { projectId: project } = service;
  const id = sql`(${OLDEST.slice(0, -5)} || lpad(to_hex(i), 5, '0'))::uuid`;
  await service.database.query(sql`
    insert into leads (project_id, id, plan_id, zip, personal, data, subscription_id, subscribed_at, created_by,
      created_at, updated_at)
    select ${project}, ${id}, ${plans[0]}, '51147', '{}', '{}', ${id}, ${AT}, ${project}, ${AT}, ${AT}
    from generate_series(1, ${LEADS}::integer) as i`);
  await service.database.query(sql`
    insert into lead_metadata (project_id, key_hash, value_hash, lead_id)
    select project_id, ${hashUuid('channel')},
      case when ('x' || right(id::text, 1))::bit(4)::integer % 4 = 0 then ${hashUuid('web')} else ${hashUuid('portal')} end::uuid, id
    from leads where project_id = ${project}`);
  await vacuumWhole(service.database, sql`leads`, sql`lead_metadata`);
}

test('so are leads', async (context) => {
  await insertLeads();
  const { projectId: project } = service;
  const { asked, database, client } = await watch(context);
  const range: Condition = { field: 'subscribed_at', operator: 'gte', values: [AT] };
  const place = held[ROWS - 4_000]?.id ?? '';
  const rows = await listLeads(database, project, [is('metadata', 'web', 'channel'), range], place, PAGE);
  assert.equal(rows.length, PAGE);
  for (const statement of asked) {
    const most = await mostRows(client, statement);
    assert.ok(most <= LEADS, `${most} rows: ${statement.text}`);
  }
  asked.length = 0;
  const deep = held[ROWS - 500]?.id ?? '';
  assert.equal((await listLeads(database, project, [is('metadata', 'web', 'channel')], deep, PAGE)).length, PAGE);
  for (const statement of asked) assert.ok((await mostRows(client, statement)) <= 5 * PAGE, statement.text);
  asked.length = 0;
  const none = [is('metadata', 'web', 'channel'), is('plan', project)];
  assert.deepEqual(await listLeads(database, project, none, null, PAGE), []);
  const [page] = asked;
  assert.ok(page?.isAnew === true);
  const steps = stepsOf(await explainSettled(client, page));
  assert.deepEqual(
    steps.filter(({ rows, discarded, source }) => source !== '' && rows + discarded > 0),
    [],
  );
});

test('of common things that exclude each other no row is read once it is not found in a hurry', async (context) => {
  const { asked, database, client } = await watch(context);
  for (const conditions of [
    [is('metadata', 'portal', 'channel'), is('status', 'ended')],
    [is('metadata', 'web', 'channel'), is('stage', 'identifying'), is('plan', plans[0] ?? '')],
    [{ field: 'supplier', operator: 'is_null', values: ['false'] }, is('status', 'ended')],
  ] as const) {
    asked.length = 0;
    assert.deepEqual(await listSubscriptions(slowed(database), service.projectId, conditions, null, PAGE), []);
    const [last] = asked.slice(-1);
    assert.ok(last !== undefined);
    const steps = stepsOf(await explainSettled(client, last));
    const read = steps.filter(({ kind, rows, discarded }) => kind !== 'Index Only Scan' && rows + discarded > 0);
    assert.deepEqual(
      read.filter(({ source }) => source !== ''),
      [],
      JSON.stringify(conditions),
    );
  }
});

/** What is read of rows themselves by the plan of a statement that is planned each time. */
async function rowsRead(client: Client, statement: AskedStatement): Promise<number> {
  const steps = stepsOf(await explainSettled(client, statement));
  const own = steps.filter(({ kind, source }) => kind !== 'Index Only Scan' && source === 'subscriptions');
  return own.reduce((sum, { rows, discarded }) => sum + rows + discarded, 0);
}

test('of an e-mail address that very many have rows are read of the page only', async (context) => {
  const { asked, database, client } = await watch(context);
  const others = [[], [is('status', 'ended')], [is('plan', plans[0] ?? ''), is('stage', 'ended')]];
  for (const more of others) {
    asked.length = 0;
    const conditions = [is('customer.email', 'OFFICE@example.com'), ...more];
    const found = await listSubscriptions(slowed(database), service.projectId, conditions, null, PAGE);
    assert.equal(found.length, PAGE);
    const [last] = asked.slice(-1);
    assert.ok(last !== undefined);
    const read = await rowsRead(client, last);
    assert.ok(read <= PAGE, `${read} rows: ${last.text}`);
  }
});

test('nothing is looked for in a stage that does not belong to the status', async (context) => {
  const { asked, database, client } = await watch(context);
  const conditions = [is('status', 'active'), is('stage', 'identifying')];
  const { rows, feed } = await listNewest(database, service.projectId, conditions, PAGE);
  assert.deepEqual(rows, []);
  assert.ok(feed.snapshot !== null);
  for (const statement of asked) {
    const steps = stepsOf(await explainSettled(client, statement));
    assert.ok(!steps.some(({ source }) => source.startsWith('subscriptions')), statement.text);
  }
});

test('what the newest do not have, or nearly all have, is not looked for among them', async (context) => {
  const { database, client, asked } = await watch(context);
  const { projectId: project } = service;
  const [one, another] = [OLDEST, supplier];
  await forceRows(
    service,
    sql`
    update subscriptions set created_by = case when right(id::text, 1) < '8' then ${one} else ${another} end::uuid
    where project_id = ${project} and id < ${held[ROWS / 2]?.id ?? ''}`,
  );
  await vacuumWhole(database, sql`subscriptions`);
  const old = held.slice(ROWS / 2 + 1).map(({ id }) => id);
  for (const condition of [
    { field: 'created_by', operator: 'in', values: [one, another, one] },
    { field: 'created_by', operator: 'ne', values: [project] },
  ] as const) {
    asked.length = 0;
    // Also where it is in a hurry: the walk along the newest may end just in time.
    const rows = await listSubscriptions(database, project, [condition], null, PAGE);
    assert.deepEqual(
      rows.map(({ id }) => id),
      old.slice(0, PAGE),
    );
    const [last] = asked.slice(-1);
    assert.ok(last !== undefined);
    const steps = stepsOf(await explainSettled(client, last));
    const discarded = steps.reduce((sum, step) => sum + step.discarded, 0);
    assert.equal(discarded, 0, last.text);
    assert.ok((await rowsRead(client, last)) <= PAGE, last.text);
  }
});

test('a page of a usual size has a plan that is kept, whatever one thing is asked of it, but for five', async (context) => {
  const { asked, database, client } = await watch(context);
  const { projectId: project } = service;
  const conditions = known()
    .map(([condition]) => condition)
    .filter(({ operator, field }) => operator === 'eq' || (operator === 'is_null' && field !== 'external_id'));
  const since: Condition = { field: 'updated_at', operator: 'gte', values: [AT] };
  const before = (field: string, value: string): Condition => ({ field, operator: 'lt', values: [value] });
  const ranges = [
    [since],
    [before('updated_at', '2027-01-01T00:00:00Z')],
    [since, before('updated_at', '2026-01-06T00:00:00Z')],
    [since, before('updated_at', '2027-01-01T00:00:00Z')],
    [before('start_at', AT)],
    [before('end_at', AT)],
  ];
  const plannedAnew = new Set<string>();
  for (const limit of [21, 101]) {
    for (const asks of [[], ...conditions.map((condition) => [condition]), ...ranges]) {
      asked.length = 0;
      await listSubscriptions(database, project, asks, null, limit);
      const settled = asked.filter(({ isAnew }) => !isAnew);
      if (settled.length === 0) plannedAnew.add(asks.map(({ field, values }) => `${field} ${values[0]}`).join());
      for (const statement of settled) {
        const kept = await plansKept(client, statement);
        const what = `${JSON.stringify(asks)}, ${limit}: ${statement.text}`;
        assert.ok(kept > 0, what);
        // Which is too dear for a plan to be kept in a table that is larger than this one.
        assert.doesNotMatch(statement.text, /limit \$/, what);
      }
    }
  }
  // What most or none may lack, or have, with no index that tells: it depends on that how it is found best.
  const lacking = ['end_at true', 'next_action.code true', 'start_at false', 'start_at true', 'supplier true'];
  assert.deepEqual([...plannedAnew].toSorted(), lacking);
});

test('of what very many wait for, no more than a page is read', async (context) => {
  const { asked, database, client } = await watch(context);
  const { projectId: project } = service;
  await forceRows(
    service,
    sql`
    update subscriptions set next_action = '{"code":"sign","actor":"customer"}'
    where project_id = ${project} and status <> 'ended'`,
  );
  await vacuumWhole(database, sql`subscriptions`);
  for (const condition of [is('next_action.actor', 'customer'), is('next_action.code', 'sign')]) {
    asked.length = 0;
    const rows = await listSubscriptions(database, project, [condition], null, PAGE);
    assert.equal(rows.length, PAGE);
    const [statement] = asked;
    assert.ok(statement !== undefined);
    const steps = stepsOf(await explainSettled(client, statement));
    const most = Math.max(...steps.map(({ rows: read, discarded }) => read + discarded));
    assert.ok(most <= 2 * PAGE, `${condition.field}: ${most} rows: ${statement.text}`);
  }
});
