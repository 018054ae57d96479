/** What the user's own text says, and nothing else: names, types, required fields, formats, prefixes, limits. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { berlinDate, signUpBody, withMember, type Json } from '../support/builders.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const id = (prefix: string): RegExp => new RegExp(`^${prefix}_[A-Za-z0-9]+$`);

async function askToken(
  parameters: Record<string, string>,
): Promise<{ status: number; contentType: string; body: Json }> {
  const { clientId, clientSecret } = service.client;
  const response = await fetch(`${service.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams(parameters),
  });
  const contentType = response.headers.get('content-type') ?? '';
  return { status: response.status, contentType, body: await response.json() };
}

function create(body: Json, token?: string): Promise<Reply> {
  return service.call('POST', '/subscriptions', { body, ...(token === undefined ? {} : { token }) });
}

function assertSubscription(subscription: Json): void {
  assert.equal(subscription.object, 'subscription');
  const references = { id: 'sub', plan: 'pln', customer: 'cus', address: 'adr', meter: 'mtr', payment_method: 'pm' };
  for (const [field, prefix] of Object.entries(references)) assert.match(subscription[field], id(prefix), field);
  if (subscription.supplier !== null) assert.match(subscription.supplier, id('mp'));
  assert.ok(subscription.number === null || typeof subscription.number === 'string');
  assert.ok(['pending', 'active', 'ended'].includes(subscription.status));
  assert.equal(typeof subscription.estimated_usage, 'number');
  for (const field of ['created_at', 'updated_at']) assert.match(subscription[field], TIMESTAMP, field);
  for (const field of ['start_at', 'terminated_at', 'end_at']) {
    assert.ok(field in subscription, `${field} is required`);
    if (subscription[field] !== null) assert.match(subscription[field], TIMESTAMP, field);
  }
  assert.ok(subscription.metadata === null || typeof subscription.metadata === 'object');
}

const FIELDS = [
  'object',
  'id',
  'plan',
  'customer',
  'address',
  'meter',
  'payment_method',
  'supplier',
  'number',
  'status',
  'estimated_usage',
  'created_at',
  'updated_at',
  'start_at',
  'terminated_at',
  'end_at',
  'metadata',
];

test('client_credentials over Basic and a form answers access_token, Bearer, 3600 and refresh_token as JSON', async () => {
  const { status, contentType, body } = await askToken({ grant_type: 'client_credentials' });
  assert.equal(status, 200);
  assert.match(contentType, /^application\/json/);
  assert.equal(typeof body.access_token, 'string');
  assert.equal(body.token_type, 'Bearer');
  assert.strictEqual(body.expires_in, 3600);
  assert.equal(typeof body.refresh_token, 'string');
  assert.notEqual(body.access_token, body.refresh_token);
});

test('refresh_token with Basic credentials answers a new token response of the same form that gives access', async () => {
  const first = await askToken({ grant_type: 'client_credentials' });
  const { status, body } = await askToken({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token });
  assert.equal(status, 200);
  assert.equal(typeof body.access_token, 'string');
  assert.notEqual(body.access_token, first.body.access_token);
  assert.equal(body.token_type, 'Bearer');
  assert.strictEqual(body.expires_in, 3600);
  assert.equal(typeof body.refresh_token, 'string');
  const reply = await service.call('GET', '/subscriptions', { token: body.access_token });
  assert.equal(reply.status, 200);
});

test('a refresh token is no access token', async () => {
  const { body } = await askToken({ grant_type: 'client_credentials' });
  assert.equal((await service.call('GET', '/subscriptions', { token: body.refresh_token })).status, 401);
});

test('every request but the token request needs the bearer token', async () => {
  for (const [method, path] of [
    ['POST', '/subscriptions'],
    ['GET', '/subscriptions'],
    ['GET', '/suppliers'],
  ] as const) {
    const reply = await service.call(method, path, {
      token: null,
      ...(method === 'POST' ? { body: signUpBody(service.planId) } : {}),
    });
    assert.equal(reply.status, 401, `${method} ${path}`);
  }
});

test('the whole given example, every optional member included, is accepted and answered with every field', async () => {
  const suppliers = await service.call('GET', '/suppliers');
  const supplier: string = suppliers.json.items[0].id;
  assert.match(supplier, id('mp'));
  const metadata = { any: 'thing', deep: { list: [1, 'two', null, true] } };
  const reply = await create({
    ...signUpBody(service.planId),
    meter: { ...signUpBody(service.planId).meter, type: 'smart' },
    next_possible_start: false,
    previous_supplier: supplier,
    intended_start_date: berlinDate(60),
    product_orders: [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_1: true } }],
    metadata,
  });
  assert.ok([200, 201].includes(reply.status), reply.text);
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
  for (const field of FIELDS) assert.ok(field in reply.json, `${field} is missing`);
  assertSubscription(reply.json);
  assert.equal(reply.json.plan, service.planId);
  assert.equal(reply.json.supplier, supplier);
  assert.deepEqual(reply.json.metadata, metadata);
  assert.equal(reply.json.estimated_usage, 3500);
});

test('only what the given table requires is enough', async () => {
  const reply = await create(signUpBody(service.planId));
  assert.ok([200, 201].includes(reply.status), reply.text);
  assertSubscription(reply.json);
  assert.equal(reply.json.supplier, null);
  assert.equal(reply.json.metadata, null);
  assert.equal(reply.json.status, 'pending');
});

test('each required member of the body, when missing, is refused', async () => {
  const required = ['plan', 'customer', 'address', 'meter', 'payment_method', 'next_possible_start'];
  for (const member of required) {
    const reply = await create(withMember(signUpBody(service.planId), `/${member}`, undefined));
    assert.equal(reply.status, 400, member);
    assert.match(reply.text, new RegExp(member));
  }
});

test('each member of the body with another JSON type than given is refused', async () => {
  const types: Record<string, unknown[]> = {
    '/plan': [1, null, {}],
    '/customer': ['Erika', null, []],
    '/customer/first_name': [1, null],
    '/customer/last_name': [1, null],
    '/customer/email': [1, null, 'no address'],
    '/address': ['Heidestraße 17', null, []],
    '/address/street': [1],
    '/address/house_number': [17],
    '/address/zip': [51147],
    '/address/city': [null],
    '/meter': ['1EMH', null, []],
    '/meter/number': [12345],
    '/meter/type': [true, 'clever'],
    '/meter/estimated_usage': ['3500', null],
    '/meter/malo': [41373559241],
    '/payment_method': ['sepa_debit', null],
    '/payment_method/type': ['cash', 1],
    '/payment_method/sepa_debit': [null, 'DE89370400440532013000'],
    '/payment_method/sepa_debit/iban': [89],
    '/payment_method/sepa_debit/account_holder': [1],
    '/next_possible_start': ['true', 1, null],
    '/previous_supplier': [1, {}],
    '/intended_start_date': [20270201, '01.02.2027', '2027-02-01T00:00:00Z'],
    '/lead': [1, {}],
    '/product_orders': [{}, 'smart-meter', [1], [{ type: 'solar' }]],
    '/metadata': [[], 'text', 1, true],
  };
  for (const [pointer, values] of Object.entries(types)) {
    for (const value of values) {
      const reply = await create(withMember(signUpBody(service.planId), pointer, value));
      assert.equal(reply.status, 400, `${pointer} = ${JSON.stringify(value)}: ${reply.text}`);
    }
  }
});

test('the optional members previous_supplier, intended_start_date, lead, product_orders are validated', async () => {
  const cases = { previous_supplier: 'mp_unknown', lead: 'lead_unknown', intended_start_date: '2020-01-01' };
  for (const [member, value] of Object.entries(cases)) {
    const reply = await create(signUpBody(service.planId, { [member]: value }));
    assert.equal(reply.status, 400, member);
    assert.match(reply.text, new RegExp(member));
  }
});

test('intended_start_date must be in the future: today is refused, tomorrow accepted', async () => {
  const asked = (date: string): Promise<Reply> =>
    create(signUpBody(service.planId, { next_possible_start: false, intended_start_date: date }));
  // Around midnight the day may change between computing and asking; a day more on either side then still holds.
  assert.equal((await asked(berlinDate(-1))).status, 400);
  const [today, reply] = [berlinDate(0), await asked(berlinDate(0))];
  if (berlinDate(0) === today) assert.equal(reply.status, 400);
  assert.ok([200, 201].includes((await asked(berlinDate(2))).status));
});

test('metadata null is accepted and answered as null', async () => {
  const reply = await create(signUpBody(service.planId, { metadata: null }));
  assert.ok([200, 201].includes(reply.status));
  assert.equal(reply.json.metadata, null);
});

test('metadata of 10 KB is accepted and comes back, and one byte more is refused', async () => {
  const exactly = (bytes: number): object => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
  assert.equal(Buffer.byteLength(JSON.stringify(exactly(10_240))), 10_240);
  const accepted = await create(signUpBody(service.planId, { metadata: exactly(10_240) }));
  assert.ok([200, 201].includes(accepted.status), accepted.text);
  assert.deepEqual(accepted.json.metadata, exactly(10_240));
  assert.equal((await create(signUpBody(service.planId, { metadata: exactly(10_241) }))).status, 400);
});

test('GET /subscriptions with the bearer token lists what was created, in the form of the given table', async () => {
  const created = await create(signUpBody(service.planId));
  const list = await service.call('GET', '/subscriptions');
  assert.equal(list.status, 200);
  const found = (list.json.items as Json[]).find((item) => item.id === created.json.id);
  assert.deepEqual(found, created.json);
  for (const item of list.json.items) assertSubscription(item);
});

test('an unknown plan is refused', async () => {
  const reply = await create(signUpBody('pln_unknown'));
  assert.equal(reply.status, 400);
  assert.match(reply.text, /plan/);
});
