/** Webhook endpoints: written, read, disabled and enabled, their secrets rotated; never a secret shown twice. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import { fieldErrors, otherProject, signUpBody, type Json, type OtherProject } from '../support/builders.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  // What is no matter of these tests: sending.
  service = await startService({ WEBHOOK_PORTS: '8443' });
});
after(() => service.stop());

const URL_OF_MINE = 'https://hooks.example.com/wattline';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

async function create(caller: Pick<OtherProject, 'call'>, overrides: object = {}): Promise<Json> {
  const reply = await caller.call('POST', '/webhook-endpoints', { body: { url: URL_OF_MINE, ...overrides } });
  assert.equal(reply.status, 201, reply.text);
  return reply.json;
}

const pathOf = ({ id }: Json): string => `/webhook-endpoints/${String(id)}`;
const uuidOf = ({ id }: Json): string => parseId('whe', id as string) ?? '';

describe('a webhook endpoint', () => {
  test('is created with a secret that is shown this once, read, listed, changed and deleted', async () => {
    const own = await otherProject(service);
    const reply = await own.call('POST', '/webhook-endpoints', { body: { url: URL_OF_MINE } });
    const { secret, ...created } = reply.json;
    assert.equal(reply.status, 201);
    assert.match(secret, SECRET);
    assert.match(created.id, /^whe_/);
    assert.equal(reply.headers.get('location'), pathOf(created));
    assert.deepEqual(created, {
      object: 'webhook_endpoint',
      id: created.id,
      url: URL_OF_MINE,
      types: ['*'],
      description: null,
      enabled: true,
      api_version: '2026-11-21',
      previous_secret_expires_at: null,
      status: { backlog: 0, failing_since: null, last_success_at: null, disabled_reason: null },
      created_at: created.created_at,
      updated_at: created.created_at,
    });
    const read = await own.call('GET', pathOf(created));
    assert.deepEqual([read.status, read.json], [200, created]);
    const tag = read.headers.get('etag') ?? '';
    const again = await own.call('GET', pathOf(created), { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304);
    const second = await create(own, {
      types: ['subscription.*', 'webhook_endpoint.disabled'],
      description: 'CRM',
      enabled: false,
    });
    const list = await own.call('GET', '/webhook-endpoints?limit=1');
    assert.deepEqual([list.json.items.length, list.json.items[0].id, list.json.has_more], [1, second.id, true]);
    const rest = await own.call('GET', `/webhook-endpoints?limit=1&cursor=${list.json.next_page}`);
    assert.deepEqual(rest.json.items, [created]);
    assert.ok(!`${list.text}${rest.text}`.includes('whsec_'));
    const changes = { url: 'https://hooks.example.com:8443/', types: ['webhook_endpoint.*'], description: 'x' };
    const changed = await own.call('PATCH', pathOf(created), { body: changes });
    assert.deepEqual(
      [changed.status, changed.json],
      [200, { ...created, ...changes, updated_at: changed.json.updated_at }],
    );
    const deleted = await own.call('DELETE', pathOf(created));
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    for (const method of ['GET', 'DELETE']) assert.equal((await own.call(method, pathOf(created))).status, 404);
    assert.equal((await own.call('PATCH', pathOf(created), { body: changes })).status, 404);
  });

  test('is refused with every wrong member', async () => {
    const post = (body: object): Promise<Reply> => service.call('POST', '/webhook-endpoints', { body });
    const wrong = await post({ url: 'https://127.0.0.1/', types: ['*', 'subscription.confirmd', 'x.*', 'lead'] });
    assert.deepEqual(
      [wrong.status, fieldErrors(wrong)],
      [
        400,
        [
          '/types/1 invalid_event_type',
          '/types/2 invalid_event_type',
          '/types/3 invalid_event_type',
          '/url invalid_target',
        ],
      ],
    );
    for (const body of [
      {},
      { url: 1 },
      { url: URL_OF_MINE, types: [] },
      { url: URL_OF_MINE, types: ['*', '*'] },
      { url: URL_OF_MINE, api_version: '2020-01-01' },
      { url: URL_OF_MINE, enabled: null },
      { url: URL_OF_MINE, secret: 'whsec_mine' },
      { url: `https://example.com/${'x'.repeat(2000)}` },
      { url: 'https://example.com:8444/' },
      { url: 'https://localhost/' },
      { url: 'https://user:password@example.com/' },
    ]) {
      assert.equal((await post(body)).status, 400, JSON.stringify(body).slice(0, 80));
    }
    const endpoint = await create(service);
    for (const body of [
      {},
      { url: 'http://169.254.169.254/' },
      { types: ['nothing.*'] },
      { status: {} },
      { id: 'x' },
    ]) {
      assert.equal((await service.call('PATCH', pathOf(endpoint), { body })).status, 400, JSON.stringify(body));
    }
    await service.call('DELETE', pathOf(endpoint));
  });

  test('may have http in a sandbox, and not in a live project', async () => {
    const [sandbox, live] = [await otherProject(service), await otherProject(service, 'live')];
    const body = { url: 'http://hooks.example.com/' };
    assert.equal((await sandbox.call('POST', '/webhook-endpoints', { body })).status, 201);
    const refused = await live.call('POST', '/webhook-endpoints', { body });
    assert.deepEqual([refused.status, fieldErrors(refused)], [400, ['/url invalid_target']]);
    assert.equal((await live.call('PATCH', pathOf(await create(live)), { body })).status, 400);
  });

  test('is one of twenty, also when many are created at once', async () => {
    const own = await otherProject(service);
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => own.call('POST', '/webhook-endpoints', { body: { url: URL_OF_MINE } })),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 20);
    const refused = replies.filter(({ status }) => status !== 201);
    for (const { status, json } of refused) {
      assert.deepEqual([status, json.code], [409, 'too_many_webhook_endpoints']);
    }
    const created = replies.find(({ status }) => status === 201);
    await own.call('DELETE', pathOf(created?.json));
    await create(own);
  });

  test('is created once for a key, and its kept answer is encrypted', async () => {
    const own = await otherProject(service);
    const options = { body: { url: URL_OF_MINE }, headers: { 'idempotency-key': 'once' } };
    const [one, two] = [
      await own.call('POST', '/webhook-endpoints', options),
      await own.call('POST', '/webhook-endpoints', options),
    ];
    assert.deepEqual([two.text, two.headers.get('idempotency-replayed')], [one.text, 'true']);
    assert.equal((await own.call('GET', '/webhook-endpoints')).json.items.length, 1);
    const rotation = { headers: { 'idempotency-key': 'rotate' } };
    const rotated = await own.call('POST', `${pathOf(one.json)}/rotate-secret`, rotation);
    assert.equal((await own.call('POST', `${pathOf(one.json)}/rotate-secret`, rotation)).text, rotated.text);
    const rows = await service.database.query<Json>(sql`select body, body_encrypted from idempotency_keys`);
    assert.ok(rows.length >= 2);
    for (const row of rows) {
      assert.ok(!String(row.body).includes('whsec_') && !Buffer.from(row.body_encrypted ?? '').includes('whsec_'));
    }
    const [row] = await service.database.query<Json>(sql`
      select secret_encrypted from webhook_endpoints where id = ${uuidOf(one.json)}`);
    assert.ok(!row.secret_encrypted.includes(one.json.secret) && !row.secret_encrypted.includes(rotated.json.secret));
  });

  test('is changed only as it was read, where If-Match says so; its status is no part of that', async () => {
    const endpoint = await create(service);
    const path = pathOf(endpoint);
    const tag = (await service.call('GET', path)).headers.get('etag') ?? '';
    await service.database.query(sql`
      update webhook_endpoints set last_success_at = now(), failing_since = now() where id = ${uuidOf(endpoint)}`);
    const moved = await service.call('GET', path, { headers: { 'if-none-match': tag } });
    assert.equal(moved.status, 200, 'the status has moved');
    const headers = { 'if-match': tag };
    const changed = await service.call('PATCH', path, { body: { description: 'mine' }, headers });
    assert.equal(changed.status, 200, changed.text);
    for (const [method, suffix, body] of [
      ['PATCH', '', { description: 'theirs' }],
      ['POST', '/rotate-secret', {}],
      ['DELETE', '', undefined],
    ] as const) {
      const refused = await service.call(method, `${path}${suffix}`, { headers, body });
      assert.deepEqual([refused.status, refused.json.code], [412, 'precondition_failed'], method);
    }
    // What no state of it would take is told first, as everywhere.
    for (const [method, suffix] of [
      ['PATCH', ''],
      ['POST', '/replay'],
    ] as const) {
      const refused = await service.call(method, `${path}${suffix}`, { headers, body: { nope: 1 } });
      assert.equal(refused.status, 400, `${method} ${refused.text}`);
    }
    const now = changed.headers.get('etag') ?? '';
    assert.equal((await service.call('DELETE', path, { headers: { 'if-match': now } })).status, 204);
  });

  test('is another one also when it was changed and changed back within a second', async () => {
    const endpoint = await create(service);
    const path = pathOf(endpoint);
    const change = (description: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      service.call('PATCH', path, { body: { description }, headers });
    const first = (await change('one')).headers.get('etag') ?? '';
    await change('two');
    const last = await change('one');
    const again = (await change('one')).headers.get('etag');
    assert.equal(again, last.headers.get('etag'), 'nothing was changed');
    const read = await service.call('GET', path);
    assert.equal(read.headers.get('etag'), again);
    assert.equal((await change('three', { 'if-match': first })).status, 412);
    assert.equal((await change('three', { 'if-match': again ?? '' })).status, 200);
  });

  test('has its secret rotated by one of several who have read the same, also within a second', async () => {
    for (const overlap of ['PT0S', 'P1D']) {
      const path = pathOf(await create(service));
      const rotate = (headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
        service.call('POST', `${path}/rotate-secret`, { body: { overlap }, headers });
      const tag = (await rotate()).headers.get('etag') ?? '';
      assert.equal((await service.call('GET', path)).headers.get('etag')?.startsWith(tag.slice(0, -1)), true);
      const replies = await Promise.all([1, 2, 3].map(() => rotate({ 'if-match': tag })));
      assert.deepEqual(replies.map(({ status }) => String(status)).toSorted(), ['200', '412', '412'], overlap);
    }
  });
});

describe('disabling', () => {
  test('by a caller has that reason; enabling again clears it and failing_since', async () => {
    const endpoint = await create(service);
    const patch = async (body: object): Promise<Json> => (await service.call('PATCH', pathOf(endpoint), { body })).json;
    const fail = (): Promise<unknown> =>
      service.database.query(sql`
        update webhook_endpoints set failing_since = '2026-11-20T00:00:00Z' where id = ${uuidOf(endpoint)}`);
    const off = await patch({ enabled: false });
    assert.deepEqual([off.enabled, off.status.disabled_reason], [false, 'requested']);
    await fail();
    assert.equal((await patch({ description: 'x' })).status.failing_since, '2026-11-20T00:00:00Z');
    const on = await patch({ enabled: true });
    assert.deepEqual([on.enabled, on.status.disabled_reason, on.status.failing_since], [true, null, null]);
    await fail();
    assert.equal((await patch({ enabled: true })).status.failing_since, '2026-11-20T00:00:00Z');
    assert.equal((await patch({ url: 'https://hooks.example.com/new' })).status.failing_since, null);
    await service.database.query(sql`
      update webhook_endpoints set enabled = false, disabled_reason = 'gone' where id = ${uuidOf(endpoint)}`);
    const gone = await patch({ enabled: false, description: 'y' });
    assert.deepEqual([gone.enabled, gone.status.disabled_reason], [false, 'gone']);
    await service.call('DELETE', pathOf(endpoint));
  });

  test('is over when the URL changes: what waits for its next attempt is due at once', async () => {
    const own = await otherProject(service);
    const planId = (await own.call('POST', '/plans', { body: { name: 'Plan', price: 10 } })).json.id as string;
    const endpoint = await create(own, { enabled: false });
    await own.call('POST', '/subscriptions', { body: signUpBody(planId) });
    await service.database.query(sql`
      insert into webhook_deliveries
        (project_id, id, endpoint_id, event_id, subject_id, position, state, due_at, created_at)
      select project_id, gen_random_uuid(), ${uuidOf(endpoint)}::uuid, id, subscription_id, 0, 'pending',
        now() + interval '20 hours', now()
      from events where data -> 'subscription' ->> 'plan' = ${planId}`);
    const isDue = async (): Promise<boolean> => {
      const [row] = await service.database.query<Json>(sql`
        select due_at <= now() as is_due from webhook_deliveries where endpoint_id = ${uuidOf(endpoint)}`);
      return row.is_due;
    };
    await own.call('PATCH', pathOf(endpoint), { body: { description: 'x' } });
    assert.equal(await isDue(), false);
    const changed = await own.call('PATCH', pathOf(endpoint), { body: { url: 'https://hooks.example.com/new' } });
    assert.ok(changed.json.status.backlog >= 1);
    assert.equal(await isDue(), true);
    assert.equal((await own.call('DELETE', pathOf(endpoint))).status, 204);
  });

  test('lets what happens wait: the backlog counts it, by type, from the creation on', async () => {
    const own = await otherProject(service);
    const planId = (await own.call('POST', '/plans', { body: { name: 'Plan', price: 10 } })).json.id as string;
    const signUp = (): Promise<Reply> => own.call('POST', '/subscriptions', { body: signUpBody(planId) });
    await signUp();
    const { next_page: cursor } = (await own.call('GET', '/events?wait=5&limit=1')).json;
    const all = await create(own, { enabled: false });
    const ended = await create(own, { enabled: false, types: ['subscription.ended'] });
    await Promise.all([signUp(), signUp()]);
    let after: string = cursor;
    for (let seen = 0; seen < 2;) {
      const page = (await own.call('GET', `/events?after=${after}&wait=5&types=subscription.created`)).json;
      after = page.next_page;
      seen += page.items.length;
    }
    const backlogOf = async (endpoint: Json): Promise<number> =>
      (await own.call('GET', pathOf(endpoint))).json.status.backlog;
    assert.deepEqual([await backlogOf(all), await backlogOf(ended)], [2, 0]);
    const items: Json[] = (await own.call('GET', '/webhook-endpoints')).json.items;
    assert.deepEqual(
      items.map(({ id, status }) => [id, status.backlog]),
      [
        [ended.id, 0],
        [all.id, 2],
      ],
    );
  });
});

describe('rotating the secret', () => {
  const stored = async (endpoint: Json): Promise<Json> => {
    const [row] = await service.database.query<Json>(sql`
      select secret_encrypted, previous_secret_encrypted from webhook_endpoints where id = ${uuidOf(endpoint)}`);
    return row;
  };

  test('answers a new one, and keeps the one before for the overlap', async () => {
    const endpoint = await create(service);
    const rotate = (body: object): Promise<Reply> =>
      service.call('POST', `${pathOf(endpoint)}/rotate-secret`, { body });
    const before = await stored(endpoint);
    const started = Temporal.Now.instant();
    for (const [body, hours] of [
      [{}, 24],
      [{ overlap: 'P7D' }, 168],
      [{ overlap: 'P1W' }, 168],
      [{ overlap: 'PT1H' }, 1],
    ] as const) {
      const reply = await rotate(body);
      assert.equal(reply.status, 200, reply.text);
      assert.match(reply.json.secret, SECRET);
      assert.notEqual(reply.json.secret, endpoint.secret);
      const until = Temporal.Instant.from(reply.json.previous_secret_expires_at);
      const late = started.add({ hours }).until(until).total('seconds');
      assert.ok(late > -2 && late < 30, `${late}`);
      const read = await service.call('GET', pathOf(endpoint));
      assert.equal(read.json.previous_secret_expires_at, reply.json.previous_secret_expires_at);
      assert.ok(!read.text.includes('whsec_'));
    }
    assert.ok(!(await stored(endpoint)).secret_encrypted.equals(before.secret_encrypted));
    const ended = await rotate({ overlap: 'PT0S' });
    assert.equal(ended.json.previous_secret_expires_at, null);
    assert.equal((await stored(endpoint)).previous_secret_encrypted, null);
    for (const overlap of ['P8D', 'P1M', 'PT168H1S', '-P1D', 'P', '1 day', '', 3600, null]) {
      const refused = await rotate({ overlap });
      assert.equal(refused.status, 400, String(overlap));
    }
    await service.call('DELETE', pathOf(endpoint));
  });

  test('tells of no overlap that is over', async () => {
    const endpoint = await create(service);
    await service.call('POST', `${pathOf(endpoint)}/rotate-secret`, { body: {} });
    await service.database.query(sql`
      update webhook_endpoints set previous_secret_expires_at = now() - interval '1 second'
      where id = ${uuidOf(endpoint)}`);
    assert.equal((await service.call('GET', pathOf(endpoint))).json.previous_secret_expires_at, null);
    await service.call('DELETE', pathOf(endpoint));
  });
});
