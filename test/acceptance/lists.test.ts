/** Lists: paging, filters, plans, idempotency keys. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { formatId } from '#domain/identifiers.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import {
  anySupplier,
  createPlan,
  fieldErrors,
  otherProject,
  signUp,
  signUpBody,
  uniqueMalo,
  type Json,
  type OtherProject,
} from '../support/builders.ts';
import { forceRows, startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
/** Signed up in this order before the tests. */
let one: Json;
let two: Json;
let three: Json;
let supplierId: string;
let other: OtherProject;

before(async () => {
  service = await startService();
  other = await otherProject(service);
  supplierId = await anySupplier(service);
  const plan = await createPlan(service);
  const foreign = (await other.call('POST', '/plans', { body: { name: 'P', price: 1 } })).json.id;
  await other.call('POST', '/subscriptions', {
    body: signUpBody(foreign, { external_id: 'x-1', metadata: { k: 'v' } }),
  });
  one = await signUp(service, {
    external_id: 'x-1',
    metadata: { k: 'v' },
    customer: { first_name: 'A', last_name: 'B', email: 'Anna.MÜLLER@Example.com' },
    meter: { number: 'ab 12-34', type: 'smart', estimated_usage: 1 },
  });
  two = await signUp(service, {
    previous_supplier: supplierId,
    plan: plan.id,
    external_id: 'x,2',
    customer: { first_name: 'A', last_name: 'B', email: 'ΜΑΡΙΑΣ@example.com' },
  });
  three = await signUp(service, {
    metadata: { k: 'w' },
    customer: { first_name: 'A', last_name: 'B', email: 'carl@example.com' },
  });
  await setColumns(
    one,
    sql`status = 'active', stage = 'supplying', start_at = '2026-05-01T22:00:00Z', updated_at = '2098-05-02T00:00:00Z'`,
  );
  const action = {
    code: 'market_location_not_found',
    actor: 'customer',
    message: 'm',
    fields: [],
    resolve: null,
    due_at: null,
    retry_at: null,
  };
  await setColumns(two, sql`next_action = ${JSON.stringify(action)}`);
  await setColumns(
    three,
    sql`status = 'ended', stage = 'ended', end_reason = 'withdrawn', end_at = '2026-06-01T22:00:00Z'`,
  );
});
after(() => service.stop());

async function setColumns(subscription: Json, columns: Sql): Promise<void> {
  await forceRows(
    service,
    sql`update subscriptions set ${columns} where project_id = ${service.projectId} and number = ${subscription.number}`,
  );
}

const encode = (pairs: Record<string, string>): string => new URLSearchParams(pairs).toString();

/** Which of the three a filter finds. */
async function found(pairs: Record<string, string>): Promise<string> {
  const reply = await service.call('GET', `/subscriptions?${encode(pairs)}`);
  assert.equal(reply.status, 200, `${encode(pairs)}: ${reply.text}`);
  assert.deepEqual(Object.keys(reply.json), ['object', 'items', 'has_more', 'next_page']);
  const names = new Map([one, two, three].map((subscription, index) => [subscription.id, String(index + 1)]));
  return reply.json.items.map((item: Json) => names.get(item.id) ?? '?').join('');
}

describe('filters of subscriptions', () => {
  const email = (text: string): Record<string, string> => ({ 'filter[customer.email][eq]': text });
  const past = '2020-01-01T00:00:00Z';
  const future = '2099-01-01T00:00:00Z';
  const none = formatId('cus', randomUUID());
  const cases: [() => Record<string, string>, string][] = [
    [() => ({}), '321'],
    [() => ({ 'filter[status][eq]': 'pending' }), '2'],
    [() => ({ 'filter[status][ne]': 'pending' }), '31'],
    [() => ({ 'filter[status][in]': 'active,ended' }), '31'],
    [() => ({ 'filter[status][is_null]': 'true' }), ''],
    [() => ({ 'filter[status][is_null]': 'false' }), '321'],
    [() => ({ 'filter[stage][eq]': 'cancelling' }), '2'],
    [() => ({ 'filter[stage][in]': 'supplying,cancelling' }), '21'],
    [() => ({ 'filter[plan][eq]': service.planId }), '31'],
    [() => ({ 'filter[plan][ne]': service.planId }), '2'],
    [() => ({ 'filter[plan][in]': `${two.plan},${service.planId}` }), '321'],
    [() => ({ 'filter[plan][eq]': 'nonsense' }), ''],
    [() => ({ 'filter[plan][ne]': 'nonsense' }), '321'],
    [() => ({ 'filter[customer][eq]': one.customer }), '1'],
    [() => ({ 'filter[customer][in]': `${one.customer},${none},${three.customer}` }), '31'],
    [() => ({ 'filter[customer][eq]': none }), ''],
    [() => ({ 'filter[supplier][eq]': supplierId }), '2'],
    [() => ({ 'filter[supplier][ne]': supplierId }), '31'],
    [() => ({ 'filter[supplier][is_null]': 'true' }), '31'],
    [() => ({ 'filter[supplier][is_null]': 'false' }), '2'],
    [() => ({ 'filter[lead][is_null]': 'true' }), '321'],
    [() => ({ 'filter[lead][eq]': formatId('lead', randomUUID()) }), ''],
    [() => ({ 'filter[external_id][eq]': 'x-1' }), '1'],
    [() => ({ 'filter[external_id][eq]': 'x,2' }), '2'],
    [() => ({ 'filter[external_id][in]': 'x-1,x-9' }), '1'],
    [() => ({ 'filter[external_id][ne]': 'x-1' }), '32'],
    [() => ({ 'filter[external_id][is_null]': 'true' }), '3'],
    // As long as one can be.
    [() => ({ 'filter[external_id][eq]': '😀'.repeat(200) }), ''],
    [() => ({ 'filter[number][eq]': two.number }), '2'],
    [() => ({ 'filter[number][in]': `${one.number},${three.number}` }), '31'],
    [() => ({ 'filter[meter.number][eq]': 'AB1234' }), '1'],
    [() => ({ 'filter[meter.number][eq]': ' a-b-1-2-3-4 ' }), '1'],
    [() => ({ 'filter[meter.number][in]': 'ab 12-34,zz' }), '1'],
    [() => ({ 'filter[meter.malo][is_null]': 'true' }), '1'],
    [() => ({ 'filter[meter.malo][eq]': uniqueMalo() }), ''],
    [() => email('carl@example.com'), '3'],
    [() => email('CARL@EXAMPLE.COM'), '3'],
    [() => email('anna.müller@example.com'), '1'],
    [() => email('Anna.MÜLLER@Example.com'), '1'],
    [() => email('nobody@example.com'), ''],
    [() => email('ΜΑΡΙΑΣ@example.com'), '2'],
    [() => ({ 'filter[customer.email][in]': 'carl@example.com,x@y.de' }), '3'],
    [() => ({ 'filter[customer.email][ne]': 'carl@example.com' }), '21'],
    [() => ({ 'filter[customer.email][is_null]': 'true' }), ''],
    [
      () => ({
        'filter[created_at][gte]': two.created_at,
        'filter[created_at][lte]': two.created_at,
        'filter[number][eq]': two.number,
      }),
      '2',
    ],
    [() => ({ 'filter[created_at][eq]': two.created_at, 'filter[number][eq]': two.number }), '2'],
    [() => ({ 'filter[created_at][ne]': past }), '321'],
    [() => ({ 'filter[created_at][in]': `${past},${future}` }), ''],
    [() => ({ 'filter[created_at][gt]': past }), '321'],
    [() => ({ 'filter[created_at][gt]': future }), ''],
    [() => ({ 'filter[created_at][lt]': past }), ''],
    [() => ({ 'filter[created_at][lt]': future }), '321'],
    [() => ({ 'filter[created_at][is_null]': 'false' }), '321'],
    [() => ({ 'filter[updated_at][eq]': '2098-05-02T00:00:00Z' }), '1'],
    [() => ({ 'filter[updated_at][gt]': '2098-05-02T00:00:00Z' }), ''],
    [() => ({ 'filter[updated_at][lte]': '2098-05-02T00:00:00Z' }), '321'],
    [() => ({ 'filter[updated_at][lt]': '2098-05-02T00:00:00Z' }), '32'],
    [() => ({ 'filter[start_at][gte]': '2026-05-01T22:00:00Z' }), '1'],
    [() => ({ 'filter[start_at][is_null]': 'true' }), '32'],
    [() => ({ 'filter[start_at][ne]': '2026-05-01T22:00:00Z' }), '32'],
    [() => ({ 'filter[end_at][eq]': '2026-06-01T22:00:00Z' }), '3'],
    [() => ({ 'filter[end_at][in]': `2026-06-01T22:00:00Z,${past}` }), '3'],
    [() => ({ 'filter[next_action.actor][eq]': 'customer' }), '2'],
    [() => ({ 'filter[next_action.actor][ne]': 'customer' }), '31'],
    [() => ({ 'filter[next_action.actor][is_null]': 'true' }), '31'],
    [() => ({ 'filter[next_action.code][eq]': 'market_location_not_found' }), '2'],
    [() => ({ 'filter[next_action.code][is_null]': 'false' }), '2'],
    [() => ({ 'filter[metadata.k][eq]': 'v' }), '1'],
    [() => ({ 'filter[metadata.k][eq]': 'u' }), ''],
    [() => ({ 'filter[metadata.K][eq]': 'v' }), ''],
    [
      () => ({ 'filter[status][eq]': 'active', 'filter[stage][eq]': 'supplying', 'filter[external_id][eq]': 'x-1' }),
      '1',
    ],
    [() => ({ 'filter[status][eq]': 'active', 'filter[stage][eq]': 'ended' }), ''],
    [() => ({ 'filter[status][ne]': 'active', 'filter[status][in]': 'active,ended' }), '3'],
  ];
  for (const [pairs, expected] of cases) {
    const name = String(pairs).replace('() => ', '').slice(0, 100);
    test(`${name} finds ${expected || 'nothing'}`, async () => {
      assert.equal(await found(pairs()), expected);
    });
  }

  test('instants at the edges of the calendar are answered, not failed on', async () => {
    for (const field of ['created_at', 'updated_at', 'start_at', 'end_at']) {
      for (const instant of [
        '0000-01-01T00:00:00Z',
        '0001-01-01T00:00:00Z',
        '9999-12-31T23:59:59Z',
        '1969-12-31T23:59:59Z',
      ]) {
        for (const operator of ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte']) {
          const reply = await service.call('GET', `/subscriptions?filter[${field}][${operator}]=${instant}`);
          assert.ok([200, 400].includes(reply.status), `${field} ${operator} ${instant}: ${reply.status}`);
        }
      }
    }
  });

  test('every documented filter with every documented operator is answered', async () => {
    const document = (await service.call('GET', '/openapi.json')).json;
    const names: string[] = document.paths['/subscriptions'].get.parameters.map((parameter: Json) => parameter.name);
    const filters = names.filter((name) => name.startsWith('filter['));
    assert.ok(filters.length > 50, `${filters.length} filters`);
    for (const name of filters) {
      const field = /^filter\[([^\]]+)\]/.exec(name)?.[1] ?? '';
      const samples: Record<string, string> = { status: 'active', stage: 'ended', 'next_action.actor': 'partner' };
      const value = name.endsWith('[is_null]') ? 'true' : (samples[field] ?? (field.endsWith('_at') ? past : 'x'));
      const reply = await service.call(
        'GET',
        `/subscriptions?${encode({ [name.replace('<key>', 'k').replace('{key}', 'k')]: value })}`,
      );
      assert.equal(reply.status, 200, `${name}: ${reply.text}`);
    }
  });
});

describe('paging', () => {
  async function walk(
    path: string,
    limit: number,
    between: () => Promise<unknown> = async () => {},
  ): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const reply: Reply = await service.call(
        'GET',
        `${path}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.json.has_more, reply.json.next_page !== null);
      assert.ok(reply.json.items.length <= limit);
      ids.push(...reply.json.items.map((item: Json) => item.id));
      cursor = reply.json.next_page;
      await between();
    } while (cursor !== null);
    return ids;
  }

  test('walks newest first without repeating or skipping while rows are inserted', async () => {
    const plan = await createPlan(service);
    const path = `/subscriptions?filter[plan][eq]=${plan.id}&`;
    const created: string[] = [];
    for (let count = 0; count < 23; count += 1) created.push((await signUp(service, { plan: plan.id })).id);
    for (const limit of [1, 5, 22, 23, 24, 100]) {
      const walked = await walk(path, limit, () => signUp(service, { plan: plan.id }));
      assert.deepEqual(
        walked.filter((id) => created.includes(id)),
        created.toReversed(),
        `limit ${limit}`,
      );
      assert.equal(new Set(walked).size, walked.length);
    }
  });

  test('a text that is no cursor at all is told of with all else that is wrong', async () => {
    for (const cursor of ['', 'x', 'A'.repeat(21), `${'A'.repeat(40)}=`]) {
      for (const [path, field] of [
        ['/subscriptions?limit=0', '?limit invalid_parameter'],
        ['/customers?search=', '?search invalid_parameter'],
        ['/plans?filter[active][eq]=maybe', '?filter[active][eq] invalid_filter'],
      ] as const) {
        const reply = await service.call('GET', `${path}&cursor=${cursor}`);
        assert.deepEqual(fieldErrors(reply).toSorted(), ['?cursor invalid_cursor', field].toSorted(), path);
      }
    }
  });

  test('a cursor may go with another limit and expand[], but not with other filters or another list', async () => {
    const { next_page: cursor } = (await service.call('GET', '/subscriptions?limit=1')).json;
    assert.equal((await service.call('GET', `/subscriptions?limit=7&expand[]=meter&cursor=${cursor}`)).status, 200);
    for (const path of [
      `/subscriptions?limit=1&filter[status][ne]=ended&cursor=${cursor}`,
      `/plans?limit=1&cursor=${cursor}`,
      `/suppliers?limit=1&cursor=${cursor}`,
    ]) {
      assert.deepEqual(fieldErrors(await service.call('GET', path)), ['?cursor invalid_cursor'], path);
    }
    const filtered = '/subscriptions?limit=1&filter[status][in]=pending,active,ended';
    const { next_page: bound } = (await service.call('GET', filtered)).json;
    assert.equal((await service.call('GET', `${filtered}&cursor=${bound}`)).status, 200);
    assert.equal((await service.call('GET', `/subscriptions?limit=1&cursor=${bound}`)).status, 400);
    assert.equal((await other.call('GET', `${filtered}&cursor=${bound}`)).status, 400);
  });

  test('the default limit is 20', async () => {
    assert.equal((await service.call('GET', '/subscriptions')).json.items.length, 20);
  });

  test('every list pages and refuses wrong limits', async () => {
    for (const path of ['/plans', '/suppliers']) {
      const all = await walk(`${path}?`, 1);
      assert.equal(new Set(all).size, all.length);
      assert.deepEqual(await walk(`${path}?`, 100), all);
      for (const limit of ['0', '101', '1.5']) {
        assert.deepEqual(fieldErrors(await service.call('GET', `${path}?limit=${limit}`)), [
          '?limit invalid_parameter',
        ]);
      }
      assert.equal((await service.call('GET', `${path}?colour=red`)).json.code, 'unknown_parameter');
    }
    assert.equal((await service.call('GET', `/subscriptions/${one.id}?limit=1`)).json.code, 'unknown_parameter');
    assert.equal((await service.call('GET', `/plans/${service.planId}?expand[]=x`)).json.code, 'unknown_parameter');
  });

  test('say how expand[] is written to whom numbers it, or leaves its brackets away', async () => {
    for (const name of ['expand', 'expand[0]', 'expand%5B1%5D', 'expand[a]']) {
      const refused = await service.call('GET', `/subscriptions?${name}=customer`);
      assert.equal(refused.status, 400);
      assert.equal(refused.json.errors[0].code, 'unknown_parameter');
      assert.match(refused.json.errors[0].message, /`expand\[\]=…`/, name);
      const elsewhere = await service.call('GET', `/plans?${name}=customer`);
      assert.doesNotMatch(elsewhere.json.errors[0].message, /expand/, name);
    }
  });
});

describe('plans', () => {
  test('are created with defaults, 201, Location and ETag, and read back byte for byte', async () => {
    const reply = await service.call('POST', '/plans', { body: { name: 'Ökostrom Süd 12', price: 12.9 } });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('location'), `/plans/${reply.json.id}`);
    const { id, created_at: createdAt, updated_at: updatedAt, ...rest } = reply.json;
    assert.match(id, /^pln_/);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(rest, {
      object: 'plan',
      name: 'Ökostrom Süd 12',
      slug: 'oekostrom-sued-12',
      description: null,
      type: 'consumption',
      price: 12.9,
      currency: 'EUR',
      cancellation_period: 'P1M',
      products: ['smart-meter', '14a_enwg'],
      active: true,
    });
    const read = await service.call('GET', `/plans/${id}`);
    assert.equal(read.text, reply.text);
    assert.equal(read.headers.get('etag'), reply.headers.get('etag'));
  });

  test('keep prices to the cent', async () => {
    for (const price of [0, 0.01, 0.1, 12.34, 99.9, 9_999_999.99]) {
      const plan = await createPlan(service, { price });
      assert.equal((await service.call('GET', `/plans/${plan.id}`)).json.price, price);
    }
    for (const price of [0.001, -0.01, 10_000_000, 1e-7]) {
      const reply = await service.call('POST', '/plans', { body: { name: 'P', price } });
      assert.equal(reply.status, 400, String(price));
    }
  });

  test('say of a price beyond its bounds which they are, not that its decimals are wrong', async () => {
    for (const [price, message] of [
      [-1, 'must be >= 0'],
      [-0.001, 'must be >= 0'],
      [10_000_000, 'must be <= 9999999.99'],
      [1e21, 'must be <= 9999999.99'],
    ] as const) {
      const reply = await service.call('POST', '/plans', { body: { name: 'P', price } });
      assert.deepEqual(reply.json.errors, [{ field: '/price', code: 'out_of_range', message }]);
    }
  });

  test('report a price with too many decimals together with the other errors', async () => {
    const reply = await service.call('POST', '/plans', { body: { name: '', price: 1.234 } });
    assert.ok(fieldErrors(reply).includes('/price invalid_price'), fieldErrors(reply).join());
    assert.ok(fieldErrors(reply).includes('/name blank'));
  });

  test('give an asked slug once, and a derived one way', async () => {
    assert.equal((await service.call('POST', '/plans', { body: { name: 'S', price: 1, slug: 'mine' } })).status, 201);
    const clash = await service.call('POST', '/plans', { body: { name: 'S', price: 1, slug: 'mine' } });
    assert.equal(clash.status, 409);
    assert.equal(clash.json.code, 'duplicate_slug');
    const slugs = await Promise.all(Array.from({ length: 5 }, () => createPlan(service, { name: 'Same name' })));
    assert.equal(new Set(slugs.map(({ slug }) => slug)).size, 5);
    for (const name of ['漢字', '😀', '---', 'ß'])
      assert.match((await createPlan(service, { name })).slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  test('change by PATCH under If-Match, answer 412 when they have changed, and archive', async () => {
    const plan = await createPlan(service);
    const path = `/plans/${plan.id}`;
    const tag = (await service.call('GET', path)).headers.get('etag') ?? '';
    const patch = (body: object, ifMatch?: string): Promise<Reply> =>
      service.call('PATCH', path, { body, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
    const stale = await patch({ name: 'A' }, '"other"');
    assert.equal(stale.status, 412);
    assert.equal(stale.json.code, 'precondition_failed');
    assert.equal((await patch({ name: 'A' }, `W/${tag}`)).status, 412);
    const changed = await patch({ name: 'A', description: null, price: 1.5 }, tag);
    assert.equal(changed.status, 200);
    assert.equal(changed.json.price, 1.5);
    assert.equal((await patch({ name: 'B' }, tag)).status, 412);
    assert.equal((await patch({ name: 'B' }, `"x", ${changed.headers.get('etag') ?? ''}`)).status, 200);
    assert.equal((await patch({ active: false }, '*')).json.active, false);
    assert.deepEqual(fieldErrors(await patch({})), [' empty_patch']);
    assert.deepEqual(fieldErrors(await patch({ currency: 'EUR' })), ['/currency unknown_field']);
    const listed = await service.call('GET', '/plans?filter[active][eq]=false&limit=100');
    assert.ok(listed.json.items.some((item: Json) => item.id === plan.id));
    assert.equal(
      (await service.call('POST', '/subscriptions', { body: signUpBody(plan.id) })).json.code,
      'plan_archived',
    );
    assert.equal(
      (await service.call('PATCH', `/plans/${formatId('pln', randomUUID())}`, { body: { name: 'X' } })).status,
      404,
    );
  });

  test('of a period that is none are refused', async () => {
    for (const period of ['P', '1M', 'PT1H', 'P1.5M', 'p1m', '', 'P1M ']) {
      const reply = await service.call('POST', '/plans', {
        body: { name: 'P', price: 1, cancellation_period: period },
      });
      assert.deepEqual(fieldErrors(reply), ['/cancellation_period invalid_duration'], period);
    }
  });

  test('are filtered by active, slug, created_at and updated_at', async () => {
    const plan = await createPlan(service, { slug: 'to-be-found' });
    for (const query of [
      'filter[slug][eq]=to-be-found',
      'filter[slug][in]=to-be-found,x',
      `filter[slug][eq]=to-be-found&filter[created_at][gte]=${plan.created_at}&filter[updated_at][lte]=${plan.updated_at}`,
      'filter[slug][eq]=to-be-found&filter[active][eq]=true&filter[active][in]=true,false&filter[slug][is_null]=false',
      `filter[slug][eq]=to-be-found&filter[created_at][eq]=${plan.created_at}`,
    ]) {
      const reply = await service.call('GET', `/plans?${query}`);
      assert.deepEqual(
        reply.json.items?.map((item: Json) => item.id),
        [plan.id],
        `${query}: ${reply.text}`,
      );
    }
    for (const query of [
      'filter[active][eq]=yes',
      'filter[created_at][lt]=0000-01-01',
      'filter[name][eq]=x',
      'filter[updated_at][gte]=0000-01-01T00:00:00Z',
    ]) {
      const { status } = await service.call('GET', `/plans?${query}`);
      assert.ok(status === 400 || (query.endsWith('Z') && status === 200), `${query}: ${status}`);
    }
  });
});

describe('idempotency keys', () => {
  test('tell what became of a request, whatever characters they have', async () => {
    for (const key of [
      'plain',
      'a/b?c=d#e&f',
      '100%',
      'with blank',
      `"'\\;:@=+$,[]{}|^~<>`,
      '%'.repeat(255),
      '/'.repeat(255),
      '%2F',
    ]) {
      const body = signUpBody(service.planId);
      const quoted = `"${key.replaceAll(/(["\\])/g, '\\$1')}"`;
      const reply = await service.call('POST', '/subscriptions', { body, headers: { 'idempotency-key': quoted } });
      assert.equal(reply.status, 201, reply.text);
      const read = await service.call('GET', `/idempotency-keys/${encodeURIComponent(key)}`);
      assert.equal(read.status, 200, `${key}: ${read.text}`);
      assert.equal(read.json.object, 'idempotency_key');
      assert.equal(read.json.key, key);
      assert.equal(read.json.method, 'POST');
      assert.equal(read.json.path, '/subscriptions');
      assert.equal(read.json.response_status, 201);
      assert.equal(read.json.location, reply.headers.get('location'));
      assert.equal(read.json.request_id, reply.headers.get('x-request-id'));
      assert.ok(read.headers.get('etag'));
      const asSent = await service.call('GET', `/idempotency-keys/${encodeURIComponent(quoted)}`);
      assert.equal(asSent.text, read.text);
    }
    assert.equal((await service.call('GET', '/idempotency-keys/unknown')).status, 404);
    assert.equal((await service.call('GET', '/idempotency-keys/%22unknown%22')).status, 404);
    assert.equal((await other.call('GET', '/idempotency-keys/plain')).status, 404);
  });
});
