/** What the database does for each list and filter: an index, never a walk over the whole table. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatId, parseId } from '#domain/identifiers.ts';
import { leadFilters } from '#features/leads/index.ts';
import { meterOrderFilters, reductionFilters, subscriptionFilters } from '#features/subscriptions/index.ts';
import { hashUuid } from '#platform/crypto.ts';
import { sql, type Statement } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import { operatorsOf } from '#platform/http/filters.ts';
import { listSubscriptions } from '#features/subscriptions/list-store.ts';
import { TookTooLong } from '#platform/database/errors.ts';
import { type Database } from '#platform/database/pool.ts';
import { anySupplier, createPlan, signUp, type Json } from '../support/builders.ts';
import { insertRows, vacuumWhole } from '../support/rows.ts';
import { connectAsService, explainSettled, spyOn, stepsOf } from '../support/plans.ts';
import { createAppBeside, forceRows, startService, type TestService } from '../support/service.ts';

describe('the database serves each filter by an index', () => {
  const ROWS = 20_000;
  const OLDEST = '01900000-0000-7000-8000-000000000001';
  // After its creation, of which its id tells.
  const instant = '2024-07-01T00:00:00Z';
  /** For each filter a value that only the oldest row has, so that walking the list from its end would show. */
  const rare: Record<string, string> = {
    status: 'active',
    stage: 'supplying',
    plan: '',
    customer: formatId('cus', OLDEST),
    supplier: '',
    lead: formatId('lead', OLDEST),
    external_id: 'old',
    number: '22222223',
    'meter.number': 'OLD1',
    'meter.malo': '10000000009',
    'customer.email': 'OLD@example.com',
    created_at: Temporal.Instant.fromEpochMilliseconds(0x019000000000).toString({ smallestUnit: 'second' }),
    updated_at: instant,
    start_at: instant,
    end_at: '2024-08-02T00:00:00Z',
    created_by: formatId('crd', OLDEST),
    'next_action.actor': 'operator',
    'next_action.code': 'old',
    metadata: 'old',
  };
  let indexed: TestService;
  let explained: Explain;

  before(async () => {
    indexed = await startService();
    const { projectId: project, database } = indexed;
    const supplierId = await anySupplier(indexed);
    const planId: string = (await createPlan(indexed)).id;
    Object.assign(rare, { supplier: supplierId, plan: planId });
    await insertRows(indexed, 1, ROWS, OLDEST);
    const supplier = parseId('mp', supplierId) ?? '';
    const plan = parseId('pln', planId) ?? '';
    await forceRows(
      indexed,
      sql`
      insert into leads (project_id, id, plan_id, zip, data, subscription_id, subscribed_at, created_at, updated_at)
      select ${project}, id, ${plan}, '51147', '{}', id, case when id = ${OLDEST} then ${instant} else updated_at end,
        now(), now()
      from subscriptions where project_id = ${project}`,
    );
    await forceRows(
      indexed,
      sql`
      update subscriptions set status = 'active', stage = 'supplying', plan_id = ${plan}, supplier_id = ${supplier},
        lead_id = ${OLDEST}, external_id = 'old', created_by = ${OLDEST}, meter_number_normalised = 'OLD1', malo = '10000000009',
        updated_at = ${instant}, start_at = ${instant}, end_at = ${rare['end_at']},
        next_action = '{"code":"old","actor":"operator"}'
      where project_id = ${project} and id = ${OLDEST}`,
    );
    await database.query(
      sql`update customers set email = 'old@Example.com', updated_at = ${instant} where id = ${OLDEST}`,
    );
    await insertOrders(indexed);
    await vacuumWhole(
      database,
      sql`subscriptions`,
      sql`customers`,
      sql`subscription_metadata`,
      sql`leads`,
      sql`plans`,
      sql`meter_orders`,
      sql`grid_fee_reductions`,
    );
    explained = await createExplainer(indexed, '/subscriptions', /\bfrom subscriptions\b/);
  });
  after(() => indexed.stop());

  for (const [field, type] of Object.entries(subscriptionFilters)) {
    for (const operator of operatorsOf(type)) {
      test(`filter[${field}][${operator}]`, async () => {
        const value = operator === 'is_null' ? 'false' : (rare[field] ?? '');
        const name = `filter[${field === 'metadata' ? 'metadata.key' : field}][${operator}]`;
        const { nodes, blocks, items } = await explained(new URLSearchParams({ [name]: value, limit: '1' }).toString());
        assert.deepEqual(
          nodes.filter((node) => node === 'Seq Scan subscriptions'),
          [],
          nodes.join(', '),
        );
        if (operator !== 'eq' && operator !== 'in') return;
        assert.equal(items, 1);
        assert.ok(blocks < 100, `${blocks} blocks were read: ${nodes.join(', ')}`);
      });
    }
  }

  for (const [path, table, filters, status] of [
    ['/meter-orders', 'meter_orders', meterOrderFilters, 'activated'],
    ['/grid-fee-reductions', 'grid_fee_reductions', reductionFilters, 'rejected'],
  ] as const) {
    const values = { ...rare, subscription: formatId('sub', OLDEST), status };
    for (const [field, type] of Object.entries(filters)) {
      test(`${path} filter[${field}]`, async () => {
        const explain = await createExplainer(indexed, path, new RegExp(`\\bfrom ${table}\\b`));
        for (const operator of operatorsOf(type)) {
          const value = operator === 'is_null' ? 'false' : (values[field as keyof typeof values] ?? '');
          const query = new URLSearchParams({ [`filter[${field}][${operator}]`]: value, limit: '1' }).toString();
          const { nodes, blocks, items } = await explain(query);
          assert.ok(!nodes.includes(`Seq Scan ${table}`), `${operator}: ${nodes.join(', ')}`);
          if (operator !== 'eq' && operator !== 'in') continue;
          assert.equal(items, 1, operator);
          assert.ok(blocks < 100, `${operator}: ${blocks} blocks were read: ${nodes.join(', ')}`);
        }
      });
    }
  }

  test('the few that changed in a time, wherever in the list they are, once the database has settled for a plan', async () => {
    for (const [path, table, time, prefix] of [
      ['/customers', 'customers', 'updated_at', 'cus'],
      ['/leads', 'leads', 'subscribed_at', 'lead'],
      ['/meter-orders', 'meter_orders', 'updated_at', 'mor'],
      ['/grid-fee-reductions', 'grid_fee_reductions', 'updated_at', 'gfr'],
    ] as const) {
      const read = (range: string): Promise<string[]> =>
        itemsRead(indexed, `${path}?limit=1&filter[${time}]${range}`, new RegExp(`\\bfrom ${table}\\b`));
      assert.deepEqual(await read('[gte]=2030-01-01T00:00:00Z'), []);
      assert.deepEqual(await read('[lt]=2025-01-01T00:00:00Z'), [formatId(prefix, OLDEST)]);
    }
  });

  test('the few orders with any status but that of nearly all, wherever in the list they are', async () => {
    for (const [path, table, usual] of [
      ['/meter-orders', 'meter_orders', 'created'],
      ['/grid-fee-reductions', 'grid_fee_reductions', 'intended'],
    ] as const) {
      const explain = await createExplainer(indexed, path, new RegExp(`\\bfrom ${table}\\b`));
      const { nodes, blocks, items } = await explain(`filter[status][ne]=${usual}&limit=1`);
      assert.equal(items, 1);
      assert.ok(blocks < 100, `${path}: ${blocks} blocks were read: ${nodes.join(', ')}`);
    }
  });

  test('no filter, and a page far behind', async () => {
    for (const query of ['limit=100', 'limit=100&filter[status][eq]=pending', 'limit=100&filter[plan][ne]=x']) {
      const { nodes, blocks } = await explained(query);
      assert.ok(!nodes.includes('Seq Scan subscriptions'), nodes.join(', '));
      // A hundred rows, and of each its product orders.
      assert.ok(blocks < 600, `${query}: ${blocks} blocks`);
    }
  });

  test('a range of time by what is in it, wherever in the list that is, once the database has settled for a plan', async () => {
    // Beyond what is looked through from the newest on.
    await insertRows(indexed, ROWS + 1, 2 * ROWS, OLDEST);
    await vacuumWhole(indexed.database, sql`subscriptions`);
    const { database, asked } = spyOn(indexed.database);
    const client = await connectAsService(indexed.connection);
    const at = (minute: number): string =>
      Temporal.Instant.from('2026-01-01T00:00:00Z').add({ minutes: minute }).toString({ smallestUnit: 'second' });
    try {
      for (const [field, from, to, most] of [
        ['updated_at', 100, 150, 200],
        ['start_at', 100, 300, 200],
        ['end_at', -1440 * 1000, 0, 200],
        // More than are put in order by themselves, and none of them among the newest: of ten days, and less than one.
        ['updated_at', 0, 15_000, 2_500],
        ['updated_at', 14_500, 15_800, 2_500],
        ['start_at', 2_000, 15_000, 2_500],
        ['start_at', -1440 * 1000, 25_000, 2_500],
        ['updated_at', 2_000, null, 2_500],
        ['updated_at', null, 25_000, 2_500],
        ['start_at', 2_000, null, 2_500],
        ['start_at', null, 25_000, 2_500],
      ] as const) {
        const conditions: Condition[] = [
          ...(from === null ? [] : [{ field, operator: 'gte' as const, values: [at(from)] }]),
          ...(to === null ? [] : [{ field, operator: 'lt' as const, values: [at(to)] }]),
        ];
        const column = { updated_at: sql`updated_at`, start_at: sql`start_at`, end_at: sql`end_at` }[field];
        const expected = await database.query<Json>(sql`
          select id from subscriptions
          where ${column} >= ${from === null ? '-infinity' : at(from)} and ${column} < ${to === null ? 'infinity' : at(to)}
          order by id desc limit 50`);
        asked.length = 0;
        const first = await listSubscriptions(database, indexed.projectId, conditions, null, 20);
        const last = first.at(-1)?.id ?? null;
        const second = last === null ? [] : await listSubscriptions(database, indexed.projectId, conditions, last, 20);
        assert.ok(first.length > 0, field);
        assert.deepEqual(
          [...first, ...second].map(({ id }) => id),
          expected.slice(0, 40).map(({ id }) => id),
        );
        for (const statement of asked) {
          const steps = stepsOf(await explainSettled(client, statement));
          assert.ok(!steps.some(({ kind }) => kind === 'Seq Scan'), statement.text);
          const discarded = steps.reduce((sum, step) => sum + step.discarded, 0);
          assert.ok(discarded <= most, `${field}: ${discarded} rows were read in vain: ${statement.text}`);
        }
      }
    } finally {
      await client.end();
    }
  });
});

test('what is found too slowly along the list is found in another way, and is the same', async () => {
  const service = await startService();
  try {
    await insertRows(service, 1, 200, '01900000-0000-7000-8000-000000000001');
    await forceRows(
      service,
      sql`update subscriptions set status = 'active', stage = 'supplying', start_at = created_at where right(id::text, 1) in ('2', '5')`,
    );
    // In one transaction: the database is not told to be slow, it is told to have been.
    const { asked, database } = spyOn(service.database);
    const slow: Pick<Database, 'query' | 'transaction'> = {
      query: (statement, generation) => database.query(statement, generation),
      transaction: async (work, kind) => {
        const result = await database.transaction(work, kind);
        if (typeof kind !== 'object') return result;
        throw new TookTooLong('as if');
      },
    };
    const conditions = [
      { field: 'status', operator: 'ne', values: ['pending'] },
      { field: 'start_at', operator: 'is_null', values: ['false'] },
      { field: 'lead', operator: 'is_null', values: ['true'] },
    ] as const;
    const inTime = await listSubscriptions(database, service.projectId, conditions, null, 20);
    assert.equal(asked.length, 1);
    const late = await listSubscriptions(slow, service.projectId, conditions, null, 20);
    assert.equal(asked.length, 3);
    assert.equal(asked.at(-1)?.isAnew, true);
    assert.equal(inTime.length, 20);
    assert.deepEqual(late, inTime);
    const after = inTime.at(-1)?.id ?? '';
    const rest = await listSubscriptions(slow, service.projectId, conditions, after, 20);
    assert.deepEqual(rest, await listSubscriptions(database, service.projectId, conditions, after, 20));
    assert.equal(rest.length, 6);
  } finally {
    await service.stop();
  }
});

test('a range of time is listed from page to page as it is, however its days and the list go together', async () => {
  const service = await startService();
  const { database, projectId } = service;
  const at = (hours: number): string =>
    Temporal.Instant.from('2026-02-01T00:00:00Z').add({ hours }).toString({ smallestUnit: 'second' });
  try {
    await insertRows(service, 1, 3_000, '01900000-0000-7000-8000-000000000001');
    for (const hour of [
      // All over forty days; the newest in the last days; the newest in the first; nearly all in one.
      sql`(hashint4(row_number) % 960 + 960) % 960`,
      sql`row_number * 960 / 3001`,
      sql`960 - row_number * 960 / 3001`,
      sql`case when row_number % 100 = 0 then row_number % 960 else 500 end`,
    ]) {
      await forceRows(
        service,
        sql`
        update subscriptions set updated_at = '2026-02-01T00:00:00Z'::timestamptz + (${hour}) * interval '1 hour'
        from (select id as numbered_id, (row_number() over (order by id))::integer as row_number from subscriptions) as numbered
        where id = numbered_id`,
      );
      for (const [from, to, limit] of [
        [3, 950, 21],
        [100, 800, 7],
        [490, 530, 101],
      ] as const) {
        const conditions: Condition[] = [
          { field: 'updated_at', operator: 'gte', values: [at(from)] },
          { field: 'updated_at', operator: 'lt', values: [at(to)] },
        ];
        const expected = await database.query<Json>(sql`
          select id from subscriptions where updated_at >= ${at(from)} and updated_at < ${at(to)} order by id desc limit ${4 * limit}`);
        const found: string[] = [];
        for (let page = 0; page < 4; page += 1) {
          const rows = await listSubscriptions(database, projectId, conditions, found.at(-1) ?? null, limit);
          found.push(...rows.map(({ id }) => id));
          if (rows.length < limit) break;
        }
        assert.deepEqual(
          found,
          expected.map(({ id }) => id),
          `${hour.strings.join('')} from ${from} to ${to}`,
        );
      }
    }
  } finally {
    await service.stop();
  }
});

test('a range of time is listed also when one instant of it is thousands of years away', async () => {
  const service = await startService();
  try {
    // More than are put in order by themselves, none of them among the newest.
    await insertRows(service, 1, 2_000, '01900000-0000-7000-8000-000000000001');
    await forceRows(
      service,
      sql`
      update subscriptions set start_at = case
        when created_at = '2026-01-01T00:01:00Z' then '9999-12-31T00:00:00Z'::timestamptz
        when created_at <= '2026-01-01T23:20:00Z' then created_at
      end`,
    );
    const conditions = [{ field: 'start_at', operator: 'gte', values: ['2026-01-01T00:00:00Z'] }] as const;
    const { database, projectId } = service;
    const found = await listSubscriptions(database, projectId, conditions, null, 1_400);
    const expected = await database.query<Json>(sql`
      select id from subscriptions where start_at is not null order by id desc`);
    assert.equal(found.length, 1_400);
    assert.deepEqual(
      found.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
  } finally {
    await service.stop();
  }
});

test('a range that very many miss by a second, what the newest all lack, and the one without an id elsewhere are found without reading the others', async () => {
  const service = await startService();
  const client = await connectAsService(service.connection);
  try {
    await insertRows(service, 1, 4_000, '01900000-0000-7000-8000-000000000001');
    await forceRows(
      service,
      sql`
      update subscriptions set external_id = case when created_at > '2026-01-01T00:01:00Z' then id::text end,
        stage = case when created_at < '2026-01-03T00:00:00Z' then 'registering' else 'identifying' end,
        malo = case when created_at >= '2026-01-03T00:00:00Z' then id::text end,
        supplier_id = case when created_at < '2026-01-03T00:00:00Z' then (select id from suppliers limit 1) end,
        next_action = case when created_at < '2026-01-03T00:00:00Z' then '{"code": "c", "actor": "a"}'::json end,
        end_at = case when created_at < '2026-01-03T00:00:00Z' then '2026-02-28T23:00:00Z'::timestamptz end,
        start_at = case when right(id::text, 1) < '8' then '2026-01-05T23:00:00Z' else '2026-01-06T23:00:00Z' end::timestamptz`,
    );
    await vacuumWhole(service.database, sql`subscriptions`);
    const { database, asked } = spyOn(service.database);
    for (const [condition, count] of [
      [{ field: 'start_at', operator: 'gt', values: ['2026-01-05T23:00:00Z'] }, 2_000],
      [{ field: 'start_at', operator: 'lt', values: ['2026-01-06T23:00:00Z'] }, 2_000],
      [{ field: 'external_id', operator: 'is_null', values: ['true'] }, 1],
      [{ field: 'next_action.actor', operator: 'eq', values: ['nobody'] }, 0],
      [{ field: 'next_action.code', operator: 'eq', values: ['none'] }, 0],
      ...[
        { field: 'stage', operator: 'eq', values: ['registering'] } as const,
        { field: 'stage', operator: 'in', values: ['registering', 'ending'] } as const,
        ...['supplier', 'end_at', 'next_action.actor', 'next_action.code'].map(
          (field) => ({ field, operator: 'is_null', values: ['false'] }) as const,
        ),
        { field: 'meter.malo', operator: 'is_null', values: ['true'] } as const,
      ].map((condition) => [condition, 20] as const),
    ] as const) {
      asked.length = 0;
      const limit = count % 20 === 0 && count < 100 ? 20 : 5_000;
      const found = await listSubscriptions(database, service.projectId, [condition], null, limit);
      assert.equal(found.length, count, condition.field);
      for (const statement of asked) {
        const steps = stepsOf(await explainSettled(client, statement));
        const discarded = steps.reduce((sum, step) => sum + step.discarded, 0);
        // The newest are looked through first.
        assert.ok(discarded <= 500, `${condition.field}: ${discarded} rows were read in vain: ${statement.text}`);
        // Never by a walk along the list, however common the planner takes it to be.
        if (count === 20)
          assert.ok(
            steps.some(({ kind }) => kind === 'Index Only Scan'),
            statement.text,
          );
      }
    }
  } finally {
    await client.end();
    await service.stop();
  }
});

test('the few with one of several values are found by its index also while no page is known to be seen by all', async () => {
  const service = await startService();
  const oldest = '01900000-0000-7000-8000-000000000001';
  try {
    await insertRows(service, 1, 20_000, oldest);
    const plan = (await createPlan(service)).id;
    await forceRows(
      service,
      sql`update subscriptions set plan_id = ${parseId('pln', plan)}, created_by = ${oldest} where id = ${oldest}`,
    );
    // Without `vacuum`, which would tell of the pages: the index alone is then no cheaper than the rows.
    await service.database.query(sql`analyze subscriptions`);
    const explained = await createExplainer(service, '/subscriptions', /\bfrom subscriptions\b/);
    for (const [field, value] of [
      ['plan', plan],
      ['created_by', formatId('crd', oldest)],
    ] as const) {
      const query = new URLSearchParams({ [`filter[${field}][in]`]: value, limit: '1' }).toString();
      const { nodes, blocks, items } = await explained(query);
      assert.equal(items, 1);
      assert.ok(blocks < 100, `${field}: ${blocks} blocks were read: ${nodes.join(', ')}`);
    }
  } finally {
    await service.stop();
  }
});

describe('the database serves each filter on leads by an index', () => {
  const ROWS = 20_000;
  const OLDEST = '01900000-0000-7000-8000-000000000001';
  const instant = '2024-07-01T00:00:00Z';
  const rare: Record<string, string> = {
    plan: '',
    subscription: '',
    subscribed_at: instant,
    'customer.email': 'OLD@example.com',
    external_id: 'old',
    created_by: formatId('crd', OLDEST),
    created_at: Temporal.Instant.fromEpochMilliseconds(0x019000000000).toString({ smallestUnit: 'second' }),
    metadata: 'old',
  };
  let indexed: TestService;
  let explained: Explain;

  before(async () => {
    indexed = await startService();
    const { projectId: project, database } = indexed;
    const created = await signUp(indexed);
    rare['subscription'] = created.id;
    rare['plan'] = (await createPlan(indexed)).id;
    const [usual, plan] = [parseId('pln', indexed.planId), parseId('pln', rare['plan'] ?? '')];
    const id = sql`(${OLDEST.slice(0, -5)} || lpad(to_hex(i), 5, '0'))::uuid`;
    const all = sql`generate_series(1, ${ROWS}::integer) as i`;
    await forceRows(
      indexed,
      sql`
      insert into leads (project_id, id, plan_id, zip, personal, data, external_id, subscription_id, subscribed_at,
        created_by, created_at, updated_at)
      select ${project}, ${id}, case when i = 1 then ${plan} else ${usual} end::uuid, '51147',
        json_build_object('customer', json_build_object('email', case when i = 1 then 'old' else 'c' || i end || '@Example.com')),
        '{}', case when i = 1 then 'old' when i % 2 = 0 then 'e' || i end,
        case when i = 1 then ${parseId('sub', created.id)}::uuid end, case when i = 1 then ${instant}::timestamptz end,
        case when i = 1 then ${OLDEST} else ${project} end::uuid, now(), now()
      from ${all}`,
    );
    await forceRows(
      indexed,
      sql`
      insert into lead_metadata (project_id, key_hash, value_hash, lead_id)
      select ${project}, ${hashUuid('key')}, case when i = 1 then ${hashUuid('old')} else md5(i::text) end::uuid, ${id}
      from ${all}`,
    );
    await vacuumWhole(database, sql`leads`, sql`lead_metadata`);
    explained = await createExplainer(indexed, '/leads', /\bfrom leads\b/);
  });
  after(() => indexed.stop());

  for (const [field, type] of Object.entries(leadFilters)) {
    for (const operator of operatorsOf(type)) {
      test(`filter[${field}][${operator}]`, async () => {
        const value = operator === 'is_null' ? 'false' : (rare[field] ?? '');
        const name = `filter[${field === 'metadata' ? 'metadata.key' : field}][${operator}]`;
        const { nodes, blocks, items } = await explained(new URLSearchParams({ [name]: value, limit: '1' }).toString());
        assert.ok(!nodes.includes('Seq Scan leads'), nodes.join(', '));
        if (operator !== 'eq' && operator !== 'in') return;
        assert.equal(items, 1);
        assert.ok(blocks < 100, `${blocks} blocks were read: ${nodes.join(', ')}`);
      });
    }
  }

  test('what most have, and the newest all lack, without reading the newest', async () => {
    const plan = (await createPlan(indexed)).id;
    const newest = sql`id > (select id from leads order by id offset ${ROWS - 2_000} limit 1)`;
    await forceRows(indexed, sql`update leads set plan_id = ${parseId('pln', plan)} where ${newest}`);
    await vacuumWhole(indexed.database, sql`leads`);
    const { nodes, items } = await explained(`filter[plan][eq]=${indexed.planId}&limit=20`);
    assert.equal(items, 20);
    assert.ok(nodes.includes('Index Only Scan leads'), nodes.join(', '));
  });

  test('open and converted ones, both newest first, and no filter', async () => {
    for (const query of ['limit=100', 'filter[subscription][is_null]=true', 'filter[subscription][is_null]=false']) {
      const { nodes, blocks, items } = await explained(query);
      assert.ok(!nodes.includes('Seq Scan leads') && !nodes.includes('Sort'), nodes.join(', '));
      assert.ok(items > 0 && blocks < 110, `${query}: ${blocks} blocks`);
    }
  });
});

/** What the database does for a list with this query. */
type Explain = (query: string) => Promise<{ nodes: string[]; blocks: number; items: number }>;

async function createExplainer(indexed: TestService, path: string, asks: RegExp): Promise<Explain> {
  const { database, asked } = spyOn(indexed.database);
  const app = createAppBeside(indexed, { database });
  const token = await indexed.token();
  return async (query) => {
    asked.length = 0;
    const reply = await app.http.inject({ url: `${path}?${query}`, headers: { authorization: `Bearer ${token}` } });
    assert.equal(reply.statusCode, 200, reply.body);
    const statement = asked.findLast(({ text }) => asks.test(text));
    assert.ok(statement, 'the list asks the database');
    const root = await explain(indexed, statement);
    return {
      nodes: nodesOf(root),
      blocks: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
      items: reply.json().items.length,
    };
  };
}

const MOST_ROWS = 250;

/** Ids of the items of a list; fails when a statement about it goes through many rows by the plan that is kept. */
async function itemsRead(indexed: TestService, url: string, asks: RegExp): Promise<string[]> {
  const { database, asked } = spyOn(indexed.database);
  const app = createAppBeside(indexed, { database });
  const reply = await app.http.inject({ url, headers: { authorization: `Bearer ${await indexed.token()}` } });
  assert.equal(reply.statusCode, 200, reply.body);
  const client = await connectAsService(indexed.connection);
  try {
    const statements = asked.filter(({ text }) => asks.test(text));
    assert.ok(statements.length > 0, `${url} asks the database`);
    for (const statement of statements) {
      const steps = stepsOf(await explainSettled(client, statement));
      const rows = steps.reduce((sum, step) => sum + step.rows + step.discarded, 0);
      assert.ok(rows <= MOST_ROWS, `${url}: ${rows} rows: ${statement.text}`);
    }
  } finally {
    await client.end();
  }
  return reply.json<{ items: { id: string }[] }>().items.map(({ id }) => id);
}

async function explain({ connection }: TestService, { text, values }: Statement): Promise<Json> {
  const client = await connectAsService(connection);
  try {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, [...values]);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.end();
  }
}

function nodesOf(node: Json): string[] {
  const own = `${node['Node Type']} ${node['Relation Name'] ?? node['Index Name'] ?? ''}`.trim();
  return [own, ...((node['Plans'] ?? []) as Json[]).flatMap(nodesOf)];
}

/** An order of each kind for every subscription; the oldest one's differ from all others. */
async function insertOrders(service: TestService): Promise<void> {
  const { projectId: project } = service;
  await forceRows(
    service,
    sql`
    insert into meter_orders (project_id, id, subscription_id, meter_id, status, placed_at, appointment_at, installed_at,
      activated_at, revision, created_at, updated_at)
    select ${project}::uuid, id, id, meter_id, case when is_old then 'activated' else 'created' end,
      case when is_old then created_at end, case when is_old then created_at end, case when is_old then created_at end,
      case when is_old then created_at end, 1, created_at, updated_at
    from (select *, number = '22222223' as is_old from subscriptions where project_id = ${project}) as s`,
  );
  await forceRows(
    service,
    sql`
    insert into grid_fee_reductions (project_id, id, subscription_id, module_1, module_2, module_3, status, ordered_at,
      rejection_code, revision, created_at, updated_at)
    select ${project}::uuid, id, id, true, false, false, case when is_old then 'rejected' else 'intended' end,
      case when is_old then created_at end, case when is_old then 'module_not_possible' end, 1, created_at, updated_at
    from (select *, number = '22222223' as is_old from subscriptions where project_id = ${project}) as s`,
  );
}
