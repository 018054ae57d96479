/** Pages of whole lists, which are read together with others that are asked for at the same time; and those deep in a list. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { readPages } from '#features/subscriptions/list-pages-store.ts';
import { listSubscriptions } from '#features/subscriptions/list-store.ts';
import { sql } from '#platform/database/sql.ts';
import { otherProject, signUpBody, type OtherProject } from '../support/builders.ts';
import { connectAsService, explainSettled, spyOn, stepsOf } from '../support/plans.ts';
import { insertRows } from '../support/rows.ts';
import { createAppBeside, forceRows, startService, type TestService } from '../support/service.ts';

const ROWS = 20_000;
const OLDEST = '01900000-0000-7000-8000-000000000001';
/** Of a page of 20, with the one that tells of more. */
const LIMIT = 21;

let service: TestService;
let other: OtherProject;
let empty: OtherProject;

before(async () => {
  service = await startService();
  other = await otherProject(service);
  empty = await otherProject(service);
  await insertRows(service, 1, ROWS, OLDEST);
  const plan = (await other.call('POST', '/plans', { body: { name: 'P', price: 1 } })).json.id;
  for (let count = 0; count < 3; count += 1) {
    const orders = count === 1 ? { product_orders: [{ type: 'smart-meter' }] } : {};
    const body = signUpBody(plan, {
      meter: { number: `PAGES${count}`, type: 'modern', estimated_usage: 1 },
      ...orders,
    });
    assert.equal((await other.call('POST', '/subscriptions', { body })).status, 201);
  }
});
after(() => service.stop());

test('pages of three projects asked for at once are what each is alone, and take few statements', async () => {
  const { database, asked } = spyOn(service.database);
  const { http } = createAppBeside(service, { database });
  const tokens = [await service.token(), other.token, empty.token];
  const read = async (query: string, token = tokens[0]): Promise<{ body: string; hasCursor: boolean }> => {
    const reply = await http.inject({ url: `/subscriptions?${query}`, headers: { authorization: `Bearer ${token}` } });
    assert.equal(reply.statusCode, 200, reply.body);
    return { body: reply.body, hasCursor: reply.headers['x-event-cursor'] !== undefined };
  };
  const cursors = [''];
  for (const limit of [1, 7, 100]) {
    const { next_page: next } = JSON.parse((await read(`limit=${limit}`)).body) as { next_page: string };
    cursors.push(`&cursor=${encodeURIComponent(next)}`);
  }
  const asks = [1, 2, 20, 99, 100].flatMap((limit) => [
    ...cursors.map((cursor) => [`limit=${limit}${cursor}`, tokens[0]] as const),
    ...tokens.slice(1).map((token) => [`limit=${limit}`, token] as const),
  ]);
  const alone = [];
  for (const [query, token] of asks) alone.push(await read(query, token));
  asked.length = 0;
  assert.deepEqual(await Promise.all(asks.map(async ([query, token]) => read(query, token))), alone);
  assert.ok(asked.length <= asks.length / 4, `${asked.length} statements for ${asks.length} pages`);

  const items = alone.map(({ body }) => (JSON.parse(body) as { items: { id: string }[] }).items);
  assert.deepEqual(
    items.map(({ length }) => length),
    [1, 2, 20, 99, 100].flatMap((limit) => [limit, limit, limit, limit, Math.min(limit, 3), 0]),
  );
  for (const page of items) {
    const ids = page.map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted().toReversed());
  }
  assert.deepEqual(
    alone.map(({ hasCursor }) => hasCursor),
    asks.map(([query]) => !query.includes('cursor')),
  );
});

test('of a list of any length no more is read than the pages hold', async () => {
  const { database, asked } = spyOn(service.database);
  const page = { projectId: service.projectId, limit: LIMIT };
  const found = await readPages(database, [
    { ...page, after: null },
    { ...page, after: OLDEST.replace('00001', '01000') },
  ]);
  assert.deepEqual(
    found.map(({ rows }) => rows.length),
    [LIMIT, LIMIT],
  );
  const [statement] = asked;
  assert.ok(statement);
  const client = await connectAsService(service.connection);
  try {
    const steps = stepsOf(await explainSettled(client, statement));
    const read = steps.filter(({ source }) => source.startsWith('subscriptions'));
    assert.deepEqual(
      read.map(({ rows, discarded }) => rows + discarded),
      [2 * LIMIT],
    );
  } finally {
    await client.end();
  }
});

test('a page from deep in a list of those with one value begins at its place', async () => {
  await forceRows(service, sql`update subscriptions set next_action = '{"code": "c", "actor": "customer"}'`);
  await service.database.query(sql`vacuum (full, analyze) subscriptions`);
  const { database, asked } = spyOn(service.database);
  const { projectId, planId } = service;
  const after = OLDEST.replace('00001', '00040');
  const client = await connectAsService(service.connection);
  try {
    for (const [field, value] of [
      ['status', 'pending'],
      ['stage', 'identifying'],
      ['plan', parseId('pln', planId) ?? ''],
      ['created_by', projectId],
      ['next_action.actor', 'customer'],
      ['next_action.code', 'c'],
    ] as const) {
      for (const operator of ['eq', 'in'] as const) {
        asked.length = 0;
        const found = await listSubscriptions(
          database,
          projectId,
          [{ field, operator, values: [value] }],
          after,
          LIMIT,
        );
        assert.equal(found.length, LIMIT);
        for (const statement of asked) {
          const { blocks } = await explainSettled(client, statement);
          assert.ok(blocks <= 100, `${field}: ${blocks} blocks: ${statement.text}`);
        }
      }
    }
  } finally {
    await client.end();
  }
});
