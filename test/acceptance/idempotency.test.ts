/** `Idempotency-Key`, and sign-ups that race for one market location; also across two instances on one database. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '#config';
import { createCredential } from '#features/projects/index.ts';
import { formatId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import { createLog } from '#platform/log.ts';
import { serve, type Service } from '../../src/serve.ts';
import { createPlan, otherProject, signUpBody, uniqueMalo, withMember, type Json } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fetchToken, send, startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const keys = { count: 0 };
const newKey = (): string => `key-${(keys.count += 1)}`;

function create(
  key: string,
  body: unknown,
  options: { token?: string | null; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { headers, ...rest } = options;
  return service.call('POST', '/subscriptions', { body, headers: { 'idempotency-key': key, ...headers }, ...rest });
}

const replayed = (reply: Reply): string | null => reply.headers.get('idempotency-replayed');

async function countSubscriptions(externalId: string): Promise<number> {
  const reply = await service.call('GET', `/subscriptions?filter[external_id][eq]=${externalId}`);
  return reply.json.items.length;
}

/** Asserts that of parallel answers all that are no 409 “in progress” are the same 201. */
function assertOneAnswer(replies: readonly Reply[]): void {
  const created = replies.find(({ status }) => status === 201);
  assert.ok(created, replies.map(({ status, text }) => `${status} ${text}`).join('\n'));
  for (const reply of replies) {
    if (reply.status === 409) {
      assert.equal(reply.json.code, 'idempotency_request_in_progress', reply.text);
      assert.ok(Number(reply.headers.get('retry-after')) >= 1);
      continue;
    }
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.text, created.text);
    assert.equal(reply.headers.get('etag'), created.headers.get('etag'));
    assert.equal(reply.headers.get('location'), created.headers.get('location'));
  }
  const first = replies.filter((reply) => reply.status === 201 && replayed(reply) === null);
  assert.equal(first.length, 1, 'one answer is the first, all others are marked as replayed');
}

describe('one key', () => {
  test('in 50 parallel sign-ups creates one subscription and gives equal answers', async () => {
    const key = newKey();
    const body = signUpBody(service.planId, { external_id: key });
    assertOneAnswer(await Promise.all(Array.from({ length: 50 }, () => create(key, body))));
    assert.equal(await countSubscriptions(key), 1);
  });

  test('in 50 parallel sign-ups that clash with nothing else creates one subscription', async () => {
    const key = newKey();
    const body = signUpBody(service.planId);
    delete body.meter.malo;
    assertOneAnswer(await Promise.all(Array.from({ length: 50 }, () => create(key, body))));
    const list = await service.call('GET', `/subscriptions?filter[meter.number][eq]=${body.meter.number}`);
    assert.equal(list.json.items.length, 1);
  });

  test('in 50 parallel sign-ups with 50 different bodies creates one subscription and refuses the others', async () => {
    const key = newKey();
    const replies = await Promise.all(Array.from({ length: 50 }, () => create(key, signUpBody(service.planId))));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    for (const { status, json } of replies) {
      if (status === 201) continue;
      assert.ok(['idempotency_key_reused', 'idempotency_request_in_progress'].includes(json.code), json.code);
    }
  });

  test('in 30 parallel plan creations creates one plan', async () => {
    const key = newKey();
    const ask = (): Promise<Reply> =>
      service.call('POST', '/plans', { body: { name: key, price: 1 }, headers: { 'idempotency-key': key } });
    assertOneAnswer(await Promise.all(Array.from({ length: 30 }, ask)));
    const plans = (await service.call('GET', `/plans?limit=100&filter[slug][eq]=${key}`)).json.items;
    assert.equal(plans.length, 1);
  });

  test('of what is answered gives that answer to all who ask at once', async () => {
    const key = newKey();
    const ask = (): Promise<Reply> =>
      service.call('POST', '/plans', { body: { name: key, price: 1 }, headers: { 'idempotency-key': key } });
    const first = await ask();
    for (const reply of await Promise.all(Array.from({ length: 30 }, ask))) {
      assert.deepEqual([reply.status, reply.text, replayed(reply)], [201, first.text, 'true']);
    }
  });

  test('is told to be replayed, with the first answer to the byte and its own X-Request-Id', async () => {
    const key = newKey();
    const body = signUpBody(service.planId);
    const first = await create(key, body);
    const second = await create(key, body);
    assert.equal(first.status, 201);
    assert.equal(replayed(first), null);
    assert.equal(replayed(second), 'true');
    assertOneAnswer([first, second]);
    assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'));
  });

  test('replays what was expanded', async () => {
    const key = newKey();
    const body = signUpBody(service.planId);
    const ask = (): Promise<Reply> =>
      service.call('POST', '/subscriptions?expand[]=customer&expand[]=payment_method', {
        body,
        headers: { 'idempotency-key': key },
      });
    const first = await ask();
    const second = await ask();
    assert.equal(replayed(second), 'true');
    assert.equal(second.text, first.text);
    assert.equal(second.json.customer.email, body.customer.email);
  });

  test('with another body, query, path or method is 422, and does nothing', async () => {
    const key = newKey();
    const body = signUpBody(service.planId);
    assert.equal((await create(key, body)).status, 201);
    const headers = { 'idempotency-key': key };
    const others = [
      () => create(key, signUpBody(service.planId)),
      () => create(key, withMember(body, '/customer/first_name', 'Eva')),
      () => create(key, `${JSON.stringify(body)} `),
      () => create(key, {}),
      () => service.call('POST', '/subscriptions?expand[]=meter', { body, headers }),
      () => service.call('POST', '/plans', { body, headers }),
      () => service.call('POST', '/plans', { body: { name: 'P', price: 1 }, headers }),
      () => service.call('PATCH', `/plans/${service.planId}`, { body: { name: 'Reused' }, headers }),
    ];
    for (const ask of others) {
      const reply = await ask();
      assert.equal(reply.status, 422, reply.text);
      assert.equal(reply.json.code, 'idempotency_key_reused');
      assert.equal(replayed(reply), null);
    }
    assert.notEqual((await service.call('GET', `/plans/${service.planId}`)).json.name, 'Reused');
    assert.equal(replayed(await create(key, body)), 'true');
  });

  test('is 422 for another request whatever the path was called that it was used for', async () => {
    const body = { description: 'Another' };
    const headers = { 'idempotency-key': newKey() };
    assert.equal((await service.call('PATCH', '/plans/timeout', { body, headers })).status, 404);
    const again = await service.call('PATCH', `/plans/${service.planId}`, { body, headers });
    assert.deepEqual([again.status, again.json.code], [422, 'idempotency_key_reused']);
  });

  test('is of one project only', async () => {
    const key = newKey();
    assert.equal((await create(key, signUpBody(service.planId))).status, 201);
    const other = await otherProject(service);
    const reply = await other.call('POST', '/plans', {
      body: { name: 'P', price: 1 },
      headers: { 'idempotency-key': key },
    });
    assert.equal(reply.status, 201);
  });

  test('is the same quoted and bare, whatever its characters', async () => {
    for (const [bare, quoted] of [
      ['plain-1', '"plain-1"'],
      ['with blank', '"with blank"'],
      ['back\\slash', '"back\\\\slash"'],
      ['quo"te', '"quo\\"te"'],
      ['x'.repeat(255), `"${'x'.repeat(255)}"`],
    ] as const) {
      const body = signUpBody(service.planId);
      const first = await create(bare, body);
      assert.equal(first.status, 201, first.text);
      const second = await create(quoted, body);
      assert.equal(replayed(second), 'true', quoted);
      assert.equal(second.text, first.text);
    }
  });

  test('is case-sensitive', async () => {
    const body = signUpBody(service.planId);
    assert.equal((await create('Case', body)).status, 201);
    assert.equal((await create('case', body)).status, 409);
  });
});

describe('a refusal', () => {
  test('400 is remembered: the same request gets it again, though it would succeed by now', async () => {
    const key = newKey();
    const plan = await createPlan(service, { products: [] });
    const body = signUpBody(plan.id, { product_orders: [{ type: 'smart-meter' }] });
    const first = await create(key, body);
    assert.equal(first.status, 400);
    await service.call('PATCH', `/plans/${plan.id}`, { body: { products: ['smart-meter'] } });
    const second = await create(key, body);
    assert.equal(second.status, 400);
    assert.equal(replayed(second), 'true');
    assert.equal(second.text, first.text);
    assert.match(second.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal((await create(key, signUpBody(service.planId))).json.code, 'idempotency_key_reused');
  });

  test('400 for JSON that is none is remembered', async () => {
    const key = newKey();
    const first = await create(key, '{');
    assert.equal(first.status, 400);
    const second = await create(key, '{');
    assert.equal(replayed(second), 'true');
    assert.equal(second.text, first.text);
    assert.equal((await create(key, '[')).status, 422);
  });

  test('409 is remembered, though what stood in the way has ended', async () => {
    const key = newKey();
    const body = signUpBody(service.planId);
    const obstacle = await service.call('POST', '/subscriptions', { body });
    const first = await create(key, body);
    assert.equal(first.status, 409);
    await service.database.query(sql`
      update subscriptions set status = 'ended', stage = 'ended', end_reason = 'withdrawn', end_at = now(),
        next_action = null, revision = revision + 1
      where project_id = ${service.projectId} and number = ${obstacle.json.number}`);
    const second = await create(key, body);
    assert.equal(second.status, 409);
    assert.equal(replayed(second), 'true');
    assert.equal(second.text, first.text);
    assert.equal((await create(newKey(), body)).status, 201);
  });

  test('404 of a PATCH is remembered', async () => {
    const path = `/plans/${formatId('pln', '01900000-0000-7000-8000-000000000000')}`;
    const headers = { 'idempotency-key': newKey() };
    const ask = (): Promise<Reply> => service.call('PATCH', path, { body: { name: 'X' }, headers });
    const first = await ask();
    assert.equal(first.status, 404);
    const second = await ask();
    assert.equal(replayed(second), 'true');
    assert.equal(second.text, first.text);
  });

  test('412 is not remembered: under its key the same change is made once `If-Match` names the present state', async () => {
    const path = `/plans/${service.planId}`;
    const key = newKey();
    const ask = (tag: string): Promise<Reply> =>
      service.call('PATCH', path, { body: { name: 'Renamed' }, headers: { 'idempotency-key': key, 'if-match': tag } });
    assert.equal((await ask('"x"')).status, 412);
    const again = await ask('"x"');
    assert.deepEqual([again.status, replayed(again)], [412, null]);
    const tag = (await service.call('GET', path)).headers.get('etag') ?? '';
    const changed = await ask(tag);
    assert.deepEqual([changed.status, replayed(changed)], [200, null], changed.text);
    const repeated = await ask(tag);
    assert.deepEqual([repeated.text, replayed(repeated)], [changed.text, 'true']);
  });

  test('401 and 403 are not remembered', async () => {
    const key = newKey();
    const body = signUpBody(service.planId);
    assert.equal((await create(key, body, { token: null })).status, 401);
    assert.equal((await create(key, body, { token: 'es_at_garbage' })).status, 401);
    const readOnly = await fetchToken(service.baseUrl, service.client, 'read:*');
    assert.equal((await create(key, body, { token: readOnly })).status, 403);
    const reply = await create(key, body);
    assert.equal(reply.status, 201);
    assert.equal(replayed(reply), null);
  });

  test('of the header itself is 400 and stores nothing', async () => {
    for (const key of ['', '""', 'x'.repeat(256), 'ü', '"open', 'tab\tbed']) {
      const reply = await create(key, signUpBody(service.planId));
      if (key === '"open') continue;
      assert.equal(reply.status, 400, JSON.stringify(key));
      assert.equal(reply.json.code, 'invalid_header');
    }
  });
});

describe('under a rate limit', () => {
  let limited: TestService;
  before(async () => {
    limited = await startService({ RATE_LIMIT: '1' });
  });
  after(() => limited.stop());

  test('429 comes with Retry-After, says the limit, and is not remembered', async () => {
    const body = signUpBody(limited.planId);
    const headers = { 'idempotency-key': 'limited' };
    const used: Reply[] = [];
    // A slow machine may earn further requests meanwhile.
    do used.push(await limited.call('GET', '/plans'));
    while (used.at(-1)?.status === 200 && used.length < 100);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => limited.call('POST', '/subscriptions', { body, headers })),
    );
    const refused = replies.find(({ status }) => status === 429) ?? used.at(-1);
    assert.equal(refused?.status, 429);
    assert.equal(refused.json.code, 'rate_limited');
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.match(refused.headers.get('ratelimit') ?? '', /^"default";r=0;t=\d+$/);
    assert.match(refused.headers.get('ratelimit-policy') ?? '', /^"default";q=\d+;w=\d+$/);
    const kept = await limited.database.query<Json>(sql`select status from idempotency_keys where key = 'limited'`);
    assert.ok(
      kept.every(({ status }) => status === 201),
      'no 429 is kept',
    );
    assert.equal(kept.length, replies.some(({ status }) => status === 201) ? 1 : 0);
    const { foundation } = limited.service;
    const credential = await createCredential(foundation, {
      projectId: formatId('prj', limited.projectId),
      name: 'Fresh allowance',
    });
    assert.ok(credential.ok);
    const token = await fetchToken(limited.baseUrl, credential);
    const later = await limited.call('POST', '/subscriptions', { body, headers, token });
    assert.equal(later.status, 201, later.text);
  });
});

describe('two instances on one database', () => {
  let database: TestDatabase;
  let instances: Service[];
  let client: { clientId: string; clientSecret: string };
  let planId: string;
  let token: string;

  before(async () => {
    database = await createTestDatabase();
    const secret = 'a-secret-of-more-than-32-characters-0';
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_CLIENT_ID: 'two-instances',
      BOOTSTRAP_CLIENT_SECRET: secret,
      LOG_LEVEL: 'error',
      RATE_LIMIT: 'off',
    });
    // Both at once, on the empty database.
    instances = await Promise.all([serve(config, createLog('error', 2)), serve(config, createLog('error', 2))]);
    client = { clientId: 'two-instances', clientSecret: secret };
    planId = instances.map(({ created }) => created?.planId).find((id) => id !== undefined) ?? '';
    token = await fetchToken(instances[0]?.url ?? '', client);
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.drop();
  });

  /** The n-th request, to one or the other instance in turn. */
  function ask(index: number, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return send(instances[index % 2]?.url ?? '', 'POST', '/subscriptions', { body, token, headers });
  }

  test('start both, and only one creates the first project', () => {
    assert.equal(instances.filter(({ created }) => created !== null).length, 1);
  });

  test('give 50 parallel requests with one key one subscription', async () => {
    for (const round of [1, 2, 3]) {
      const body = signUpBody(planId);
      const headers = { 'idempotency-key': `shared-${round}` };
      const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index, body, headers)));
      assertOneAnswer(replies);
    }
  });

  test('give 50 parallel sign-ups for one market location one 201 and 49 × 409', async () => {
    const malo = uniqueMalo();
    const bodies = Array.from({ length: 50 }, () => withMember(signUpBody(planId), '/meter/malo', malo));
    assertOneWins(await Promise.all(bodies.map((body, index) => ask(index, body))));
  });

  test('give 50 parallel sign-ups for one meter without market location one 201 and 49 × 409', async () => {
    const bodies = Array.from({ length: 50 }, () =>
      signUpBody(planId, { meter: { number: 'SHARED-1', type: 'modern', estimated_usage: 1 } }),
    );
    assertOneWins(await Promise.all(bodies.map((body, index) => ask(index, body))));
  });

  test('leave one of two sign-ups of one meter at the same moment, one with market location and one without', async () => {
    const [first] = instances;
    assert.ok(first);
    const { database } = first.foundation;
    for (let round = 1; round <= 25; round += 1) {
      const meter = { number: `MIXED-${round}`, type: 'modern', estimated_usage: 1 };
      const bodies = [signUpBody(planId, { meter }), signUpBody(planId, { meter: { ...meter, malo: uniqueMalo() } })];
      // Both statements are held at the gate, and let go together.
      const { pending } = await database.transaction(async (transaction) => {
        await transaction.query(sql`lock table customers in access exclusive mode`);
        const pending = bodies.map((body, index) => ask(index, body));
        const started = performance.now();
        const waiting = async (): Promise<number> => {
          const rows = await database.query<{ count: number }>(sql`
            select count(*)::integer as count from pg_locks
            where not granted and database = (select oid from pg_database where datname = current_database())`);
          return rows[0]?.count ?? 0;
        };
        while ((await waiting()) < 2 && performance.now() - started < 2_000);
        return { pending };
      });
      assertOneWins(await Promise.all(pending));
    }
  });

  test('both trust a token, and both refuse it within two seconds after one has revoked it', async () => {
    const mine = await fetchToken(instances[1]?.url ?? '', client);
    const statuses = (): Promise<number[]> =>
      Promise.all(instances.map(async ({ url }) => (await send(url, 'GET', '/plans', { token: mine })).status));
    assert.deepEqual(await statuses(), [200, 200]);
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    await fetch(`${instances[0]?.url}/oauth/revoke`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token: mine }),
    });
    const revokedAt = performance.now();
    let seen = await statuses();
    while (seen.includes(200) && performance.now() - revokedAt < 2_000) seen = await statuses();
    assert.deepEqual(seen, [401, 401]);
  });
});

test('50 parallel sign-ups for one market location leave one 201 and 49 × 409', async () => {
  const malo = uniqueMalo();
  const bodies = Array.from({ length: 50 }, () => withMember(signUpBody(service.planId), '/meter/malo', malo));
  const replies = await Promise.all(bodies.map((body) => service.call('POST', '/subscriptions', { body })));
  assertOneWins(replies);
  const list = await service.call('GET', `/subscriptions?filter[meter.malo][eq]=${malo}`);
  assert.equal(list.json.items.length, 1);
});

function assertOneWins(replies: readonly Reply[]): void {
  assert.equal(replies.filter(({ status }) => status === 201).length, 1);
  const refused = replies.filter(({ status, json }) => status === 409 && json.code === 'market_location_taken');
  assert.equal(refused.length, replies.length - 1);
}
