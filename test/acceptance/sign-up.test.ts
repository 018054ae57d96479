/** `POST /subscriptions` as interface.md §5 decides it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { formatId } from '#domain/identifiers.ts';
import {
  anySupplier,
  berlinDate,
  createPlan,
  fieldErrors,
  signUp,
  signUpBody,
  uniqueMalo,
  uniqueMeterNumber,
  withMember,
  type Json,
} from '../support/builders.ts';
import { maloCheckDigit } from '../support/malo.ts';
import { createAppBeside, startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
let supplierId: string;
before(async () => {
  service = await startService();
  supplierId = await anySupplier(service);
});
after(() => service.stop());

const ALL = ['plan', 'customer', 'address', 'meter', 'payment_method', 'supplier'];
const EXPAND_ALL = `?${ALL.map((name) => `expand[]=${name}`).join('&')}`;

function create(overrides: Readonly<Record<string, unknown>> = {}, query = ''): Promise<Reply> {
  return service.call('POST', `/subscriptions${query}`, { body: signUpBody(service.planId, overrides) });
}

/** Sends JSON text as it is. */
function createRaw(body: string): Promise<Reply> {
  return service.call('POST', '/subscriptions', { body });
}

function assertRefused(reply: Reply, ...expected: string[]): void {
  assert.equal(reply.status, 400, reply.text);
  assert.deepEqual(fieldErrors(reply), [...expected].sort());
}

describe('the answer', () => {
  test('is 201 with Location and a strong ETag, and GET gives it byte for byte under the same tag', async () => {
    const reply = await create({
      external_id: 'order-1',
      metadata: { b: 1, a: '\u00e4' },
      previous_supplier: supplierId,
    });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('location'), `/subscriptions/${reply.json.id}`);
    const tag = reply.headers.get('etag') ?? '';
    assert.match(tag, /^"[^"]+"$/);
    const read = await service.call('GET', `/subscriptions/${reply.json.id}`);
    assert.equal(read.status, 200);
    assert.equal(read.text, reply.text);
    assert.equal(read.headers.get('etag'), tag);
  });

  test('is the same byte for byte on GET whatever the order of members in a product order', async () => {
    const order = { '14a_enwg': { module_3: true, module_1: true }, type: '14a_enwg' };
    const reply = await create({ product_orders: [order, { type: 'smart-meter' }] });
    assert.equal(reply.status, 201, reply.text);
    const read = await service.call('GET', `/subscriptions/${reply.json.id}`);
    assert.equal(read.text, reply.text);
    assert.equal(read.headers.get('etag'), reply.headers.get('etag'));
  });

  test('is 304 without body when If-None-Match names its state, and 200 when it names another', async () => {
    const reply = await create();
    const path = `/subscriptions/${reply.json.id}`;
    const tag = reply.headers.get('etag') ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const read = await service.call('GET', path, { headers: { 'if-none-match': known } });
      assert.equal(read.status, 304, known);
      assert.equal(read.text, '');
      assert.equal(read.headers.get('etag'), tag);
      assert.match(read.headers.get('x-request-id') ?? '', /^req_/);
    }
    const other = await service.call('GET', path, { headers: { 'if-none-match': '"other"' } });
    assert.equal(other.status, 200);
  });

  test('is 304 on HEAD too, without the length of another content', async () => {
    const reply = await create();
    const headers = { 'if-none-match': reply.headers.get('etag') ?? '' };
    const known = await service.call('HEAD', `/subscriptions/${reply.json.id}`, { headers });
    assert.deepEqual([known.status, known.headers.get('content-length')], [304, null]);
  });

  test('carries X-Request-Id, X-API-Version and the caller’s X-Client-Request-Id', async () => {
    const body = signUpBody(service.planId);
    const headers = { 'x-client-request-id': 'my request 1', 'x-api-version': '2026-11-21' };
    const reply = await service.call('POST', '/subscriptions', { body, headers });
    assert.equal(reply.status, 201);
    assert.match(reply.headers.get('x-request-id') ?? '', /^req_[0-9a-z]{26}$/);
    assert.equal(reply.headers.get('x-api-version'), '2026-11-21');
    assert.equal(reply.headers.get('x-client-request-id'), 'my request 1');
  });

  test('has a number of 8 characters without look-alikes', async () => {
    assert.match((await signUp(service)).number, /^[2-9A-HJ-NP-Z]{8}$/);
  });

  test('begins in the stage that the data allow', async () => {
    const meter = { number: uniqueMeterNumber(), type: 'analog', estimated_usage: 1 };
    assert.equal((await signUp(service, { meter })).stage, 'identifying');
    assert.equal((await signUp(service)).stage, 'registering');
    assert.equal((await signUp(service, { previous_supplier: supplierId })).stage, 'cancelling');
  });
});

describe('expand[]', () => {
  const overrides = (): Record<string, unknown> => ({
    customer: {
      type: 'company',
      company_name: 'Muster GmbH & Co. KG',
      first_name: 'Zoë',
      last_name: 'Öz',
      email: 'a@b.de',
      vat_id: 'DE123456789',
    },
    address: { street: 'Am “Tor” 🏠', house_number: '1½ a', zip: '01067', city: 'Frankfurt (Oder)' },
    meter: { number: ' 1 emh-00 12 ', type: 'smart', estimated_usage: 1234.5678, malo: uniqueMalo() },
    payment_method: {
      type: 'sepa_debit',
      sepa_debit: { iban: 'de89 3704 0044 0532 0130 00', account_holder: 'Zoë Öz' },
    },
    previous_supplier: supplierId,
  });

  test('shows everything that was sent, in the place of the ids, the IBAN masked', async () => {
    const sent = overrides() as Json;
    const {
      customer,
      address,
      meter,
      payment_method: payment,
      plan,
      supplier,
    } = await signUp(service, sent, EXPAND_ALL);
    const { object, id, created_at: createdAt, updated_at: updatedAt, ...shown } = customer;
    assert.deepEqual(shown, { ...sent.customer, erased_at: null });
    assert.equal(object, 'customer');
    assert.match(id, /^cus_/);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(address, { object: 'address', id: address.id, ...sent.address, created_at: createdAt });
    assert.deepEqual(meter, { object: 'meter', id: meter.id, ...sent.meter, created_at: createdAt });
    assert.deepEqual(payment, {
      object: 'payment_method',
      id: payment.id,
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89**************3000', account_holder: 'Zoë Öz' },
      created_at: createdAt,
    });
    assert.equal(plan.id, service.planId);
    assert.equal(supplier.id, supplierId);
  });

  test('gives the same bytes on creation, on a read and in a list', async () => {
    const reply = await create(overrides(), EXPAND_ALL);
    assert.equal(reply.status, 201, reply.text);
    const read = await service.call('GET', `/subscriptions/${reply.json.id}${EXPAND_ALL}`);
    assert.equal(read.text, reply.text);
    assert.equal(read.headers.get('etag'), reply.headers.get('etag'));
    const list = await service.call('GET', `/subscriptions${EXPAND_ALL}&filter[number][eq]=${reply.json.number}`);
    assert.equal(list.text, `{"object":"list","items":[${reply.text}],"has_more":false,"next_page":null}`);
  });

  test('of one name leaves the others ids, and a null supplier stays null', async () => {
    for (const name of ALL) {
      const subscription = await signUp(service, {}, `?expand[]=${name}&expand[]=${name}`);
      for (const other of ALL.filter((one) => one !== 'supplier')) {
        assert.equal(typeof subscription[other], other === name ? 'object' : 'string', `${name}: ${other}`);
      }
      assert.equal(subscription.supplier, null);
    }
  });

  test('of an unknown name is refused, and nothing is stored', async () => {
    const reply = await create({ external_id: 'expand-nothing' }, '?expand[]=lead');
    assertRefused(reply, '?expand[] invalid_parameter');
    const list = await service.call('GET', '/subscriptions?filter[external_id][eq]=expand-nothing');
    assert.deepEqual(list.json.items, []);
  });

  test('percent-encoded brackets are the same', async () => {
    assert.equal(typeof (await signUp(service, {}, '?expand%5B%5D=meter')).meter, 'object');
  });
});

describe('customer', () => {
  const person = { first_name: 'Erika', last_name: 'Mustermann', email: 'erika@example.com' };
  const company = { ...person, type: 'company', company_name: 'Muster GmbH' };

  test('may leave out its type when it is a person', async () => {
    const { customer } = await signUp(service, { customer: person }, '?expand[]=customer');
    assert.equal(customer.type, 'person');
    assert.equal(customer.company_name, null);
    assert.equal(customer.vat_id, null);
  });

  test('may be a company with its contact', async () => {
    const { customer } = await signUp(service, { customer: company }, '?expand[]=customer');
    assert.equal(customer.type, 'company');
    assert.equal(customer.company_name, 'Muster GmbH');
  });

  test('of either variant is refused when its members are wrong', async () => {
    const cases: [Json, ...string[]][] = [
      [{ ...company, company_name: undefined }, '/customer/company_name required'],
      [{ ...person, company_name: 'Muster GmbH' }, '/customer/company_name not_allowed'],
      [{ ...person, type: 'person', company_name: 'Muster GmbH' }, '/customer/company_name not_allowed'],
      [{ ...person, type: 'firm' }, '/customer/type invalid_value'],
      [{ ...person, vat_id: '123' }, '/customer/vat_id invalid_vat_id'],
      [{ ...person, phone: '1' }, '/customer/phone unknown_field'],
      [{}, '/customer/email required', '/customer/first_name required', '/customer/last_name required'],
    ];
    for (const [customer, ...errors] of cases) assertRefused(await create({ customer }), ...errors);
  });
});

describe('errors', () => {
  test('name unknown members on every level by pointer', async () => {
    const body = {
      ...signUpBody(service.planId, { 'x/y~z': 1 }),
      product_orders: [{ type: '14a_enwg', '14a_enwg': { module_1: true, module_9: true }, extra: 1 }],
    };
    body.address.country = 'DE';
    body.meter.brand = 'X';
    body.payment_method.bic = 'X';
    body.payment_method.sepa_debit.mandate = 'X';
    const reply = await service.call('POST', '/subscriptions', { body });
    assertRefused(
      reply,
      '/x~1y~0z unknown_field',
      '/address/country unknown_field',
      '/meter/brand unknown_field',
      '/payment_method/bic unknown_field',
      '/payment_method/sepa_debit/mandate unknown_field',
      '/product_orders/0/extra unknown_field',
      '/product_orders/0/14a_enwg/module_9 unknown_field',
    );
    assert.equal(reply.json.code, 'unknown_field');
  });

  test('of an empty object are all that is required', async () => {
    const required = ['address', 'customer', 'meter', 'next_possible_start', 'payment_method', 'plan'];
    const reply = await service.call('POST', '/subscriptions', { body: {} });
    assertRefused(reply, ...required.map((name) => `/${name} required`));
    assert.equal(reply.json.code, 'required');
  });

  test('are all reported at once: of body, references, rules between members, and query', async () => {
    const body = {
      ...signUpBody('pln_nothing'),
      previous_supplier: 'mp_nothing',
      lead: 'lead_nothing',
      intended_start_date: '2020-01-01',
      product_orders: [{ type: 'smart-meter' }, { type: 'smart-meter' }],
      metadata: { text: 'x'.repeat(11_000) },
      external_id: ' ',
    };
    body.customer.email = 'erika@';
    body.address.zip = '1234';
    body.payment_method.sepa_debit.iban = 'DE00';
    const reply = await service.call('POST', '/subscriptions', { body });
    assertRefused(
      reply,
      '/plan invalid_reference',
      '/previous_supplier invalid_reference',
      '/lead invalid_reference',
      '/intended_start_date not_in_future',
      '/product_orders/1/type duplicate_product_order',
      '/metadata too_large',
      '/external_id blank',
      '/customer/email invalid_email',
      '/address/zip invalid_zip',
      '/payment_method/sepa_debit/iban invalid_iban',
    );
    assert.equal(reply.json.code, 'validation_failed');
    assert.equal(reply.headers.get('content-type'), 'application/problem+json; charset=utf-8');
    assert.equal(reply.json.request_id, reply.headers.get('x-request-id'));
    assert.equal(reply.json.status, 400);
    for (const member of ['type', 'title', 'detail']) assert.equal(typeof reply.json[member], 'string', member);
    const withQuery = await create({ address: {} }, '?colour=red');
    assert.ok(fieldErrors(withQuery).includes('?colour unknown_parameter'));
    assert.ok(fieldErrors(withQuery).includes('/address/zip required'));
  });

  test('of the date are reported also when next_possible_start is wrong', async () => {
    assertRefused(
      await create({ next_possible_start: 'yes', intended_start_date: '2020-01-01' }),
      '/next_possible_start invalid_type',
      '/intended_start_date not_in_future',
    );
  });

  test('of product orders are reported also when the meter’s type is wrong', async () => {
    const body = withMember(signUpBody(service.planId), '/meter/type', 'clever');
    body.product_orders = [{ type: 'smart-meter' }, { type: 'smart-meter' }];
    assertRefused(
      await service.call('POST', '/subscriptions', { body }),
      '/meter/type invalid_value',
      '/product_orders/1/type duplicate_product_order',
    );
  });
});

describe('IBAN', () => {
  const asked = (iban: string, query = ''): Promise<Reply> =>
    create({ payment_method: { type: 'sepa_debit', sepa_debit: { iban, account_holder: 'E M' } } }, query);

  test('is accepted from SEPA countries, with blanks and in lower case, and is masked in answers', async () => {
    const accepted: Record<string, string> = {
      DE89370400440532013000: 'DE89**************3000',
      'DE89 3704 0044 0532 0130 00': 'DE89**************3000',
      de89370400440532013000: 'DE89**************3000',
      ' nl91 abna 0417 1643 00 ': 'NL91**********4300',
      AT611904300234573201: 'AT61************3201',
      FR1420041010050500013M02606: 'FR14*******************2606',
      CH9300762011623852957: 'CH93*************2957',
      GB29NWBK60161331926819: 'GB29**************6819',
      NO9386011117947: 'NO93*******7947',
      MT84MALT011000012345MTLCAST001S: 'MT84***********************001S',
    };
    for (const [iban, masked] of Object.entries(accepted)) {
      const reply = await asked(iban, '?expand[]=payment_method');
      assert.equal(reply.status, 201, `${iban}: ${reply.text}`);
      assert.equal(reply.json.payment_method.sepa_debit.iban, masked);
      assert.ok(!reply.text.includes(iban.replaceAll(' ', '').toUpperCase()));
    }
  });

  test('is refused with a wrong check sum or length, or of no SEPA country', async () => {
    const refused = [
      'DE89370400440532013001',
      'DE8937040044053201300',
      'DE893704004405320130000',
      'TR330006100519786457841326',
      'US89370400440532013000',
      'BR9700360305000010009795493P1',
      'XX89370400440532013000',
      'DE',
      '',
      'DE89-3704-0044-0532-0130-00',
    ];
    for (const iban of refused) assertRefused(await asked(iban), '/payment_method/sepa_debit/iban invalid_iban');
  });
});

describe('market location and meter', () => {
  test('a wrong check digit, length, first digit or letter in malo is refused', async () => {
    const malo = uniqueMalo();
    const wrong = `${malo.slice(0, 10)}${(Number(malo[10]) + 1) % 10}`;
    const leadingZero = `0123456789${maloCheckDigit('0123456789')}`;
    for (const text of [wrong, malo.slice(0, 10), `${malo}0`, leadingZero, `${malo.slice(0, 10)}X`, ` ${malo}`, '']) {
      const body = withMember(signUpBody(service.planId), '/meter/malo', text);
      assertRefused(await service.call('POST', '/subscriptions', { body }), '/meter/malo invalid_malo');
    }
  });

  test('the usage is above 0 and at most 100,000', async () => {
    for (const [usage, status] of [
      [0, 400],
      [-1, 400],
      [100_000.01, 400],
      [100_000, 201],
      [0.001, 201],
      [1e-7, 201],
    ]) {
      const body = withMember(signUpBody(service.planId), '/meter/estimated_usage', usage);
      const reply = await service.call('POST', '/subscriptions', { body });
      assert.equal(reply.status, status, String(usage));
      if (status === 201) {
        assert.equal(reply.json.estimated_usage, usage);
        const read = await service.call('GET', `/subscriptions/${reply.json.id}?expand[]=meter`);
        assert.equal(read.json.estimated_usage, usage);
        assert.equal(read.json.meter.estimated_usage, usage);
      } else assert.deepEqual(fieldErrors(reply), ['/meter/estimated_usage out_of_range']);
    }
  });

  test('a meter number of only dashes is refused', async () => {
    const body = withMember(signUpBody(service.planId), '/meter/number', '- – -');
    assertRefused(await service.call('POST', '/subscriptions', { body }), '/meter/number blank');
  });
});

describe('product orders', () => {
  const enwg = (modules: object): object => ({ type: '14a_enwg', '14a_enwg': modules });

  test('allow the module sets {1}, {2}, {1,3} and no other', async () => {
    const meter = { ...signUpBody(service.planId).meter, type: 'smart' };
    const cases: [object, boolean][] = [
      [{ module_1: true }, true],
      [{ module_1: true, module_2: false }, true],
      [{ module_2: true }, true],
      [{ module_1: true, module_3: true }, true],
      [{}, false],
      [{ module_1: false }, false],
      [{ module_3: true }, false],
      [{ module_1: true, module_2: true }, false],
      [{ module_2: true, module_3: true }, false],
      [{ module_1: true, module_2: true, module_3: true }, false],
    ];
    for (const [modules, allowed] of cases) {
      const reply = await create({ meter: { ...meter, malo: uniqueMalo() }, product_orders: [enwg(modules)] });
      if (allowed) {
        assert.equal(reply.status, 201, reply.text);
        assert.deepEqual(reply.json.product_orders, [enwg(modules)]);
        const read = await service.call('GET', `/subscriptions/${reply.json.id}`);
        assert.deepEqual(read.json.product_orders, [enwg(modules)]);
      } else assertRefused(reply, '/product_orders/0/14a_enwg invalid_module_set');
    }
  });

  test('with module 3 need a smart meter or the order of one', async () => {
    const order = enwg({ module_1: true, module_3: true });
    assertRefused(await create({ product_orders: [order] }), '/product_orders/0/14a_enwg/module_3 smart_meter_needed');
    assert.equal((await create({ product_orders: [order, { type: 'smart-meter' }] })).status, 201);
    const meter = { ...signUpBody(service.planId).meter, type: 'smart' };
    assert.equal((await create({ meter, product_orders: [order] })).status, 201);
  });

  test('name no type twice, have details exactly where the type has them, and keep their order', async () => {
    assertRefused(
      await create({ product_orders: [{ type: 'smart-meter' }, { type: 'smart-meter' }] }),
      '/product_orders/1/type duplicate_product_order',
    );
    assertRefused(await create({ product_orders: [{ type: '14a_enwg' }] }), '/product_orders/0/14a_enwg required');
    assertRefused(
      await create({ product_orders: [{ type: 'smart-meter', '14a_enwg': { module_1: true } }] }),
      '/product_orders/0/14a_enwg not_allowed',
    );
    for (const orders of [
      [],
      [enwg({ module_1: true }), { type: 'smart-meter' }],
      [{ type: 'smart-meter' }, enwg({ module_1: true })],
    ]) {
      const { id } = await signUp(service, { product_orders: orders });
      assert.deepEqual((await service.call('GET', `/subscriptions/${id}`)).json.product_orders, orders);
    }
  });

  test('are only those the plan offers', async () => {
    const plan = await createPlan(service, { products: ['smart-meter'] });
    assertRefused(
      await create({ plan: plan.id, product_orders: [enwg({ module_1: true })] }),
      '/product_orders/0/type product_not_offered',
    );
    assert.equal((await create({ plan: plan.id, product_orders: [{ type: 'smart-meter' }] })).status, 201);
  });
});

describe('references', () => {
  test('of a wrong prefix, form or to nothing are refused alike', async () => {
    const uuid = randomUUID();
    const cases: [string, string[]][] = [
      [
        'plan',
        ['', 'x', formatId('pln', uuid), formatId('mp', uuid), service.planId.toUpperCase(), ` ${service.planId}`],
      ],
      ['previous_supplier', ['', 'x', formatId('mp', uuid), service.planId]],
      ['lead', ['', 'x', formatId('lead', uuid), service.planId]],
    ];
    for (const [member, texts] of cases) {
      for (const text of texts) assertRefused(await create({ [member]: text }), `/${member} invalid_reference`);
    }
  });

  test('a lead is converted once', async () => {
    const body = { plan: service.planId, address: { zip: '51147' } };
    const { id: lead } = (await service.call('POST', '/leads', { body })).json;
    const first = await signUp(service, { lead });
    assert.equal(first.lead, lead);
    assert.equal((await service.call('GET', `/subscriptions/${first.id}`)).json.lead, lead);
    const second = await create({ lead });
    assert.equal(second.status, 409);
    assert.equal(second.json.code, 'lead_already_converted');
    const list = await service.call('GET', `/subscriptions?filter[lead][eq]=${lead}`);
    assert.deepEqual(
      list.json.items.map((item: Json) => item.id),
      [first.id],
    );
  });
});

describe('dates around midnight in Berlin', () => {
  /** The app at another time, on the same database. */
  async function at(
    instant: string,
  ): Promise<(date: string) => Promise<{ status: number; codes: string[]; createdAt: string }>> {
    const clock = { now: () => Temporal.Instant.from(instant) };
    const app = createAppBeside(service, { clock });
    const { clientId, clientSecret } = service.client;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const granted = await app.http.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'grant_type=client_credentials',
    });
    const token: string = granted.json().access_token;
    return async (date) => {
      const reply = await app.http.inject({
        method: 'POST',
        url: '/subscriptions',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: JSON.stringify(signUpBody(service.planId, { next_possible_start: false, intended_start_date: date })),
      });
      const body = reply.json();
      const codes = ((body.errors ?? []) as { code: string }[]).map(({ code }) => code);
      return { status: reply.statusCode, codes, createdAt: body.created_at };
    };
  }

  const moments = [
    // UTC, the day in Berlin, the next day
    ['2027-07-14T21:00:00Z', '2027-07-14', '2027-07-15'], // 23:00 in summer
    ['2027-07-14T21:59:59Z', '2027-07-14', '2027-07-15'],
    ['2027-07-14T22:00:00Z', '2027-07-15', '2027-07-16'], // 00:00
    ['2027-07-14T23:00:00Z', '2027-07-15', '2027-07-16'], // 01:00
    ['2027-01-14T22:00:00Z', '2027-01-14', '2027-01-15'], // 23:00 in winter
    ['2027-01-14T22:59:59Z', '2027-01-14', '2027-01-15'],
    ['2027-01-14T23:00:00Z', '2027-01-15', '2027-01-16'], // 00:00
    ['2027-01-15T00:00:00Z', '2027-01-15', '2027-01-16'], // 01:00
    ['2027-03-27T22:59:59Z', '2027-03-27', '2027-03-28'], // the night summer time begins
    ['2027-03-28T21:59:59Z', '2027-03-28', '2027-03-29'],
    ['2027-10-31T22:59:59Z', '2027-10-31', '2027-11-01'], // the day summer time ends
    ['2027-12-31T23:00:00Z', '2028-01-01', '2028-01-02'],
  ] as const;
  for (const [instant, today, tomorrow] of moments) {
    test(`at ${instant} ${today} is refused and ${tomorrow} accepted`, async () => {
      const ask = await at(instant);
      assert.deepEqual((await ask(today)).codes, ['not_in_future']);
      const accepted = await ask(tomorrow);
      assert.equal(accepted.status, 201);
      assert.equal(accepted.createdAt, instant);
    });
  }

  test('twelve months ahead are accepted, one day more is not, also on 29 February', async () => {
    const cases = [
      ['2027-07-14T21:59:59Z', '2028-07-14', '2028-07-15'],
      ['2027-07-14T22:00:00Z', '2028-07-15', '2028-07-16'],
      ['2028-02-29T12:00:00Z', '2029-02-28', '2029-03-01'],
    ] as const;
    for (const [instant, last, beyond] of cases) {
      const ask = await at(instant);
      assert.equal((await ask(last)).status, 201);
      assert.deepEqual((await ask(beyond)).codes, ['too_far_ahead']);
    }
  });

  test('intended_start_date is required without next_possible_start, and validated but kept with it', async () => {
    assertRefused(await create({ next_possible_start: false }), '/intended_start_date required');
    assertRefused(await create({ intended_start_date: berlinDate(-2) }), '/intended_start_date not_in_future');
    const date = berlinDate(30);
    const subscription = await signUp(service, { intended_start_date: date });
    assert.equal(subscription.intended_start_date, date);
    assert.equal((await service.call('GET', `/subscriptions/${subscription.id}`)).json.intended_start_date, date);
  });
});

test('a body that is no object is refused as a whole', async () => {
  for (const body of ['[]', '"text"', '1', 'null', 'true']) {
    assertRefused(await createRaw(body), ' invalid_type');
  }
});
