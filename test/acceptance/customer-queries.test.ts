/** What the database does for lists and searches of customers, and to find what is held about one: an index, always. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { customerFilters } from '#features/customers/index.ts';
import { TookTooLong } from '#platform/database/errors.ts';
import { sql, toStatement, type Sql } from '#platform/database/sql.ts';
import { operatorsOf } from '#platform/http/filters.ts';
import { signUp, signUpBody, type Json } from '../support/builders.ts';
import { spyOn } from '../support/plans.ts';
import { eventually } from '../support/process.ts';
import { vacuumWhole } from '../support/rows.ts';
import { createAppBeside, forceRows, startService, type TestService } from '../support/service.ts';

const ROWS = 20_000;
const OLDEST = '01900000-0000-7000-8000-000000000001';
const instant = '2024-07-01T00:00:00Z';
/** For each filter a value that only the oldest row has, so that walking the list from its end would show. */
const rare: Record<string, string> = {
  email: 'OLDEST@example.com',
  type: 'company',
  created_at: Temporal.Instant.fromEpochMilliseconds(0x019000000000).toString({ smallestUnit: 'second' }),
  updated_at: instant,
};

interface Explained {
  /** How many statements over the table it took. */
  readonly statements: number;
  readonly nodes: string[];
  readonly blocks: number;
  readonly json: Json;
}

let service: TestService;
/** The plan of the statement over `table` that a request leads to. */
let explained: (path: string, table: string) => Promise<Explained>;

before(async () => {
  service = await startService();
  const { database, projectId: project } = service;
  const base = OLDEST.slice(0, -5);
  await database.transaction(async (transaction) => {
    await transaction.query(sql`
      insert into customers (project_id, id, type, company_name, first_name, last_name, email, created_at, updated_at)
      select ${project}, (${base} || lpad(to_hex(i), 5, '0'))::uuid, case when i = 1 then 'company' else 'person' end,
        case when i = 1 then 'Älteste Firma' end, 'Erika', 'Muster' || md5(i::text),
        case when i = 1 then 'oldest@Example.com' else 'c' || i || '@example.com' end,
        timestamptz '2026-01-01Z' + i * interval '1 second',
        case when i = 1 then ${instant} else timestamptz '2026-01-01Z' + i * interval '1 second' end
      from generate_series(1, ${ROWS}::integer) as i`);
    await transaction.query(sql`
      insert into idempotency_keys
        (project_id, key, fingerprint, method, path, status, headers, body, request_id, created_at)
      select ${project}, 'k' || i, sha256(i::text::bytea), 'POST',
        case when i % 10 = 0 then '/subscriptions/sub_' || i else '/subscriptions' end,
        case when i % 10 = 1 then 409 else 201 end,
        case when i % 10 > 1 then json_build_object('location', '/subscriptions/sub_' || i) else '{}' end,
        case when i % 10 = 1 then '{"message":"subscription sub_' || lpad(i::text, 26, '0') || ' has it"}' else '{}' end,
        'req_' || i, now()
      from generate_series(1, ${ROWS}::integer) as i`);
  }, 'unhurried');
  await vacuumWhole(database, sql`customers`, sql`idempotency_keys`);
  const asked: Sql[] = [];
  const spied = <Target extends Pick<typeof database, 'query'>>(target: Target): Target => ({
    ...target,
    query: <Row>(statement: Sql): Promise<Row[]> => {
      asked.push(statement);
      return target.query<Row>(statement);
    },
  });
  const spy = {
    ...spied(database),
    transaction: <Result>(work: Parameters<typeof database.transaction<Result>>[0]): Promise<Result> =>
      database.transaction((transaction) => work(spied(transaction))),
  };
  const app = createAppBeside(service, { database: spy });
  const token = await service.token();
  explained = async (path, table) => {
    asked.length = 0;
    const reply = await app.http.inject({ url: path, headers: { authorization: `Bearer ${token}` } });
    assert.equal(reply.statusCode, 200, reply.body);
    const those = asked.filter((each) => new RegExp(`\\bfrom ${table}\\b`).test(toStatement(each).text));
    const statement = those.at(-1);
    assert.ok(statement, `${path} asks for ${table}`);
    const [row] = await database.query<Json>(sql`explain (analyze, buffers, format json) ${statement}`);
    const [{ Plan: root }] = JSON.parse(row['QUERY PLAN']);
    const blocks = root['Shared Hit Blocks'] + root['Shared Read Blocks'];
    return { statements: those.length, nodes: nodesOf(root), blocks, json: reply.json() };
  };
});
after(() => service.stop());

function nodesOf(node: Json): string[] {
  const own = `${node['Node Type']} ${node['Relation Name'] ?? node['Index Name'] ?? ''}`.trim();
  return [own, ...((node['Plans'] ?? []) as Json[]).flatMap(nodesOf)];
}

const list = (parameters: Record<string, string>): Promise<Explained> =>
  explained(`/customers?${new URLSearchParams(parameters).toString()}`, 'customers');

describe('the database serves each filter of customers by an index', () => {
  for (const [field, type] of Object.entries(customerFilters)) {
    for (const operator of operatorsOf(type)) {
      test(`filter[${field}][${operator}]`, async () => {
        const value = operator === 'is_null' ? 'false' : (rare[field] ?? '');
        const { nodes, blocks, json } = await list({ [`filter[${field}][${operator}]`]: value, limit: '1' });
        assert.ok(!nodes.includes('Seq Scan customers'), nodes.join(', '));
        if (operator !== 'eq' && operator !== 'in') return;
        assert.equal(json.items.length, 1);
        assert.ok(blocks < 100, `${blocks} blocks were read: ${nodes.join(', ')}`);
      });
    }
  }
});

test('those of another type than nearly all are found without reading nearly all', async () => {
  const { nodes, blocks, json } = await list({ 'filter[type][ne]': 'person', limit: '1' });
  assert.deepEqual(
    json.items.map(({ type }: Json) => type),
    ['company'],
  );
  assert.ok(blocks < 100, `${blocks} blocks were read: ${nodes.join(', ')}`);
});

describe('the database serves searches', () => {
  test('of those who were created in a time from its end on', async () => {
    const until = rare['created_at'] ?? '';
    const { statements, nodes, blocks, json } = await list({
      search: 'muster',
      'filter[created_at][lte]': until,
      limit: '1',
    });
    assert.deepEqual([json.items.length, statements], [1, 1]);
    assert.ok(blocks < 100, `${blocks} blocks were read: ${nodes.join(', ')}`);
  });

  test('of rare words by the trigram index, inside words too, and together with a filter', async () => {
    for (const parameters of [
      { search: 'aelteste' },
      { search: 'lteste firma' },
      { search: 'OLDEST@example.com' },
      { search: 'ältest', 'filter[type][eq]': 'company' },
    ]) {
      const { nodes, blocks, json } = await list(parameters);
      assert.equal(json.items.length, 1, parameters.search);
      assert.ok(!nodes.includes('Seq Scan customers'), nodes.join(', '));
      assert.ok(blocks < 200, `${parameters.search}: ${blocks} blocks: ${nodes.join(', ')}`);
    }
    const whole = await list({ search: 'OLDEST@example.com' });
    assert.ok(whole.nodes.includes('Index Scan customers'), whole.nodes.join(', '));
    const { nodes } = await list({ search: 'oldest' });
    assert.ok(nodes.includes('Bitmap Index Scan customers_search'), nodes.join(', '));
  });

  test('of a name that one in a few hundred has by looking further back than for one that everybody has, and find the same', async () => {
    await service.database.query(sql`
      update customers set first_name = 'Selten' where project_id = ${service.projectId} and right(id::text, 2) = '7f'`);
    await vacuumWhole(service.database, sql`customers`);
    const expected = await service.database.query<Json>(sql`
      select id from customers where first_name = 'Selten' order by id desc limit 40`);
    const ids = ({ json }: Explained): (string | null)[] => json.items.map(({ id }: Json) => parseId('cus', id));
    const first = await list({ search: 'selten', limit: '20' });
    assert.ok(!first.nodes.includes('Bitmap Index Scan customers_search'), first.nodes.join(', '));
    const second = await list({ search: 'selten', limit: '20', cursor: first.json.next_page });
    assert.deepEqual(
      [...ids(first), ...ids(second)],
      expected.map(({ id }) => id),
    );
    // Whose page lies out of reach.
    const all = await list({ search: 'selten', limit: '100' });
    assert.ok(all.nodes.includes('Bitmap Index Scan customers_search'), all.nodes.join(', '));
    assert.equal(all.json.items.length, 78);
  });

  test('of what the index takes too long to give by a walk along the list, and where that does too, by the index after all', async () => {
    const { database } = service;
    const headers = { authorization: `Bearer ${await service.token()}` };
    const usual = createAppBeside(service, {});
    for (const tooLong of [1, 2]) {
      let hasty = 0;
      const slow = {
        ...database,
        transaction: ((work, kind) => {
          if (typeof kind === 'object') hasty += 1;
          const isTooLong = typeof kind === 'object' && hasty <= tooLong;
          return isTooLong ? Promise.reject(new TookTooLong('as if')) : database.transaction(work, kind);
        }) as typeof database.transaction,
      };
      const app = createAppBeside(service, { database: slow });
      for (const search of ['selten', 'aelteste', 'nobody']) {
        hasty = 0;
        const url = `/customers?search=${search}&limit=100`;
        const found = (await app.http.inject({ url, headers })).json();
        assert.deepEqual(found, (await usual.http.inject({ url, headers })).json());
        assert.equal(hasty, 2);
      }
    }
  });

  test('of words that everybody has by walking the list, and a page far behind like the first', async () => {
    const first = await list({ search: 'erika muster', limit: '100' });
    assert.ok(!first.nodes.includes('Seq Scan customers'), first.nodes.join(', '));
    assert.ok(first.blocks < 600, `${first.blocks} blocks`);
    const cursor = first.json.next_page as string;
    const second = await list({ search: 'erika muster', limit: '100', cursor });
    assert.equal(second.json.items.length, 100);
    assert.ok(second.blocks < 600, `${second.blocks} blocks`);
  });
});

test('the kept answers about one customer are found by an index, also of sign-ups that were refused because of him', async () => {
  const { meter } = signUpBody(service.planId);
  const { customer } = await signUp(service, { meter }, '', { headers: { 'idempotency-key': 'mine' } });
  const body = signUpBody(service.planId, { meter });
  const refused = await service.call('POST', '/subscriptions', { body, headers: { 'idempotency-key': 'refused' } });
  assert.equal(refused.status, 409, refused.text);
  const { nodes, blocks, json } = await explained(`/customers/${customer}/export`, 'idempotency_keys');
  assert.deepEqual(
    json.idempotency_keys.map(({ key }: Json) => key),
    ['mine', 'refused'],
  );
  assert.ok(!nodes.includes('Seq Scan idempotency_keys'), nodes.join(', '));
  assert.ok(blocks < 50, `${blocks} blocks: ${nodes.join(', ')}`);
});

test('those who were changed before a time are not looked for among those who came later', async () => {
  const { database, projectId: project } = service;
  const CAME = 15_000;
  const from = Temporal.Instant.from('2025-01-01T00:00:00Z');
  const came = sql`
    insert into customers (project_id, id, type, first_name, last_name, email, created_at, updated_at)
    select ${project}, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid,
      'person', 'A', 'B', 'later' || i || '@example.com', at, at
    from generate_series(1, ${CAME}::integer) as i
    cross join lateral (select ${from.toString()}::timestamptz + i * interval '1 hour' as at) as came`;
  await database.transaction((transaction) => transaction.query(came), 'unhurried');
  await vacuumWhole(database, sql`customers`);
  // More than are put in order by themselves.
  const until = from.add({ hours: 11_000 }).toString();
  const { blocks, json } = await list({ 'filter[updated_at][lt]': until, limit: '1' });
  assert.equal(json.items.length, 1);
  assert.ok(blocks < 40, `${blocks} blocks`);
});

test('an erasure writes what is left of very many events a portion at a time, each in the time that a statement has', async () => {
  const MANY = 1_200;
  const { id, customer } = await signUp(service, { metadata: { secret: 'Geheimnis' } });
  await service.call('POST', `/subscriptions/${id}/terminate`, { body: { reason: 'withdrawal' } });
  await service.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
  const subscriptionId = parseId('sub', id) ?? '';
  await forceRows(
    service,
    sql`
    insert into events (project_id, id, subscription_id, sequence, type, occurred_at, caused_by, revision, data)
    select project_id, gen_random_uuid(), subscription_id, 1000 + i, 'subscription.updated', occurred_at, 'api', 1000 + i,
      data
    from events, generate_series(1, ${MANY}::integer) as i
    where subscription_id = ${subscriptionId} and sequence = 1`,
  );
  const { database, asked } = spyOn(service.database);
  const { http } = createAppBeside(service, { database });
  const headers = { authorization: `Bearer ${await service.token()}` };
  const reply = await http.inject({ method: 'POST', url: `/customers/${customer}/erase`, headers });
  assert.equal(reply.statusCode, 200, reply.body);
  const written = asked.filter(({ text }) => /update events/.test(text));
  assert.ok(written.length > 2 && written.every(({ values }) => (values[0] as unknown[]).length <= 500));
  const [left] = await service.database.query<Json>(sql`
    select count(*)::integer as count from events where subscription_id = ${subscriptionId} and data::text like '%Geheimnis%'`);
  const [all] = await service.database.query<Json>(sql`
    select count(*)::integer as count from events where subscription_id = ${subscriptionId} and sequence > 1000`);
  assert.deepEqual([left.count, all.count], [0, MANY]);
});

test('what sign-ups append to the index for searches is taken into it by the service, so that none of them has to', async () => {
  // Of its first page, as the disk has it: pages that are pending (`nPendingPages` in ginblock.h).
  const pendingPages = async (): Promise<number> => {
    await service.database.query(sql`checkpoint`);
    const [page] = await service.database.query<{ start: Buffer }>(sql`
      select pg_read_binary_file(pg_relation_filepath('customers_search'), 0, 40) as start`);
    return page?.start.readUInt32LE(36) ?? Number.NaN;
  };
  // Which does it as well.
  await service.database.query(sql`alter table customers set (autovacuum_enabled = off)`);
  await signUp(service);
  await eventually(async () => (await pendingPages()) === 0, 'nothing is pending');
  // Without the service it stays.
  await service.service.app.customerSearch.stop();
  await signUp(service);
  assert.equal(await pendingPages(), 1);
});
