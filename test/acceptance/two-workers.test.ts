/** Two instances of the service on one database, both carrying subscriptions through the market. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '#config';
import { createLog } from '#platform/log.ts';
import { sql } from '#platform/database/sql.ts';
import { serve, type Service } from '../../src/serve.ts';
import { signUpBody, type Json } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fetchToken, send, type Reply } from '../support/service.ts';

const COUNT = 300;

describe('two instances on one database', () => {
  let testDatabase: TestDatabase;
  let instances: Service[];
  let token: string;
  let planId: string;

  before(async () => {
    testDatabase = await createTestDatabase();
    const secret = 'es_test_0123456789012345678901234567890123456789';
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: testDatabase.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'error',
      RATE_LIMIT: 'off',
      BOOTSTRAP_CLIENT_ID: 'two-workers',
      BOOTSTRAP_CLIENT_SECRET: secret,
    });
    instances = await Promise.all([1, 2].map(() => serve(config, createLog('error', 2))));
    token = await fetchToken(instances[0]?.url ?? '', { clientId: 'two-workers', clientSecret: secret });
    planId = instances.map(({ created }) => created?.planId).find((id) => id !== undefined) ?? '';
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await testDatabase.drop();
  });

  /** A request to one of the two, by turns. */
  const call = (index: number, method: string, path: string, body?: unknown): Promise<Reply> =>
    send(instances[index % 2]?.url ?? '', method, path, { token, body });
  const query = async (statement: ReturnType<typeof sql>): Promise<Json[]> =>
    (await instances[0]?.foundation.database.query<Json>(statement)) ?? [];

  test('show the time that the other has set at once, and sign up in it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { now } = (await call(round, 'POST', '/sandbox/clock', { advance_by: 'PT1H' })).json;
      assert.equal((await call(round + 1, 'GET', '/sandbox/clock')).json.now, now);
      const created = await call(round + 1, 'POST', '/subscriptions', signUpBody(planId));
      assert.equal(created.json.created_at, now);
    }
  });

  test('work on the same subscriptions and advance the same clock, and each thing happens once and in order', async () => {
    const created = await Promise.all(
      Array.from({ length: COUNT }, (_, index) => call(index, 'POST', '/subscriptions', signUpBody(planId))),
    );
    assert.ok(created.every(({ status }) => status === 201));
    const { now } = (await call(0, 'GET', '/sandbox/clock')).json;
    const target = Temporal.Instant.from(now as string)
      .add({ hours: 24 * 12 })
      .toString();
    const advanced = await Promise.all(
      [0, 1, 0, 1].map((at) => call(at, 'POST', '/sandbox/clock', { advance_to: target })),
    );
    for (const { status, json } of advanced) assert.deepEqual([status, json.now], [200, target]);
    const stages = await query(sql`select stage, count(*)::integer as count from subscriptions group by stage`);
    assert.deepEqual(
      stages.map((row) => ({ ...row })),
      [{ stage: 'supplying', count: COUNT + 10 }],
    );
    const kinds = await query(sql`
      select distinct array_agg(kind || ' ' || direction order by revision, direction desc) as kinds
      from market_messages group by subscription_id`);
    assert.equal(kinds.length, 1, 'every life had the same messages');
    const events = await query(sql`
      select distinct array_agg(type order by sequence) as types, array_agg(sequence order by sequence) as sequences
      from events group by subscription_id`);
    assert.equal(events.length, 1, 'and the same events, without gaps');
    assert.deepEqual(events[0]?.sequences, [1, 2, 3]);
  });

  test('carry orders along with their subscriptions, each step once', async () => {
    const product_orders = [
      { type: 'smart-meter' },
      { type: '14a_enwg', '14a_enwg': { module_1: true, module_3: true } },
    ];
    const body = (): unknown => signUpBody(planId, { product_orders });
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, index) => call(index, 'POST', '/subscriptions', body())),
    );
    assert.ok(created.every(({ status }) => status === 201));
    const advanced = await Promise.all([
      call(0, 'POST', '/sandbox/clock', { advance_by: 'P90D' }),
      call(1, 'POST', '/sandbox/clock', { advance_by: 'P90D' }),
    ]);
    assert.ok(advanced.every(({ status }) => status === 200));
    const stories = await query(sql`
      select array_agg(type order by sequence) as types, array_agg(sequence order by sequence) as sequences
      from events where resource_id is not null group by resource_id`);
    assert.equal(stories.length, 120);
    assert.deepEqual(new Set(stories.map((story) => JSON.stringify(story))).size, 2, 'one story for each kind');
    for (const { types, sequences } of stories) {
      assert.equal(types.at(-1).split('.')[1], 'activated');
      assert.deepEqual(
        sequences,
        types.map((_: string, index: number) => index + 1),
      );
    }
  });

  test('show a subscription as the other has changed it, also when it was read just before', async () => {
    const { id, customer } = (await call(0, 'POST', '/subscriptions', signUpBody(planId))).json;
    const path = `/subscriptions/${id}`;
    const seen = new Set<string | null>();
    const look = async (): Promise<Json> => {
      const [one, other] = [await call(0, 'GET', path), await call(1, 'GET', path)];
      assert.deepEqual(one.json, other.json);
      assert.equal(one.headers.get('etag'), other.headers.get('etag'));
      seen.add(one.headers.get('etag'));
      return one.json;
    };
    await look();
    for (let n = 0; n < 20; n += 1) {
      assert.equal((await call(n, 'PATCH', path, { metadata: { n } })).status, 200);
      assert.deepEqual((await look()).metadata, { n });
    }
    assert.equal((await call(0, 'POST', '/sandbox/clock', { advance_by: 'P30D' })).status, 200);
    assert.equal((await look()).status, 'active');
    assert.equal((await call(1, 'POST', `${path}/terminate`, { reason: 'ordinary' })).status, 200);
    assert.notEqual((await look()).terminated_at, null);
    assert.equal((await call(0, 'POST', '/sandbox/clock', { advance_by: 'P90D' })).status, 200);
    assert.equal((await look()).status, 'ended');
    assert.equal(seen.size, 24);
    assert.equal((await call(1, 'POST', `/customers/${customer}/erase`, {})).status, 200);
    assert.equal((await look()).metadata, null);
  });
});
