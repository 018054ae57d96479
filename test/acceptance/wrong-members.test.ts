/** Everything that is wrong with a request is reported at once, and each wrong member once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '#platform/database/sql.ts';
import { fieldErrors, signUp, signUpBody, withMember, type Json } from '../support/builders.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** What a request is refused for with 400, sorted. */
async function refused(method: string, path: string, body: Json): Promise<string[]> {
  const reply = await service.call(method, path, { body });
  assert.equal(reply.status, 400, reply.text);
  return fieldErrors(reply);
}

describe('wrong headers are reported together with query and body', () => {
  const headers = { 'idempotency-key': 'ü', 'x-reason': ' ' };
  const both = ['#Idempotency-Key invalid_header', '#X-Reason invalid_header'];

  test('of whatever changes something', async () => {
    const { id } = await signUp(service);
    const endpoint = { url: 'https://example.com/hook', foo: 1 };
    const requests = [
      ['POST', '/plans?x=1', { name: 'P' }, ['/price required', '?x unknown_parameter']],
      [
        'POST',
        '/subscriptions?x=1',
        signUpBody(service.planId, { foo: 1 }),
        ['/foo unknown_field', '?x unknown_parameter'],
      ],
      ['POST', '/subscriptions?validate_only=true', signUpBody(service.planId, { foo: 1 }), ['/foo unknown_field']],
      ['POST', '/subscriptions', '{', [' invalid_json']],
      ['POST', '/leads', { plan: service.planId }, ['/address required']],
      ['PATCH', `/subscriptions/${id}`, { foo: 1 }, ['/foo unknown_field']],
      ['POST', `/subscriptions/${id}/terminate`, { reason: 'x' }, ['/reason invalid_value']],
      ['POST', '/webhook-endpoints', endpoint, ['/foo unknown_field']],
      ['POST', '/sandbox/clock', { advance_by: 'x' }, ['/advance_by invalid_duration']],
    ] as const;
    for (const [method, path, body, others] of requests) {
      const reply = await service.call(method, path, { body, headers });
      assert.deepEqual([reply.status, fieldErrors(reply)], [400, [...both, ...others].toSorted()], `${method} ${path}`);
    }
  });

  test('and are refused where nothing else is wrong, and nothing is changed', async () => {
    const { id, customer } = await signUp(service);
    const lead = await service.call('POST', '/leads', { body: { plan: service.planId, address: { zip: '51147' } } });
    const hook = await service.call('POST', '/webhook-endpoints', { body: { url: 'https://example.com/hook' } });
    const requests = [
      ['POST', '/subscriptions', signUpBody(service.planId)],
      ['POST', '/subscriptions?validate_only=true', signUpBody(service.planId)],
      ['PATCH', `/subscriptions/${id}`, { metadata: { a: 1 } }],
      ['POST', `/subscriptions/${id}/terminate`, { reason: 'withdrawal' }],
      ['PATCH', `/customers/${customer}`, { first_name: 'Other' }],
      ['POST', '/leads', { plan: service.planId, address: { zip: '51147' } }],
      ['PATCH', `/leads/${lead.json.id}`, { metadata: { a: 1 } }],
      ['POST', '/meter-orders', { subscription: id }],
      ['POST', '/grid-fee-reductions', { subscription: id, module_1: true }],
      ['POST', '/webhook-endpoints', { url: 'https://example.com/hook' }],
      ['PATCH', `/webhook-endpoints/${hook.json.id}`, { description: 'x' }],
      ['POST', `/webhook-endpoints/${hook.json.id}/replay`, { failed: true }],
      ['POST', '/sandbox/clock', { advance_by: 'P1D' }],
    ] as const;
    const known = requests.map(([method, path]) => `${method} ${path.split('?', 1)[0]?.replace(/[a-z]+_\w+/, ':id')}`);
    const collecting = service.service.app.contracts.filter(
      ({ method, collectsErrors }) => method !== 'GET' && collectsErrors === true,
    );
    assert.deepEqual(
      [...new Set(known)].toSorted(),
      collecting.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    const events = (): Promise<unknown> => service.database.query(sql`select count(*) from audit_log`);
    const before = await events();
    for (const [method, path, body] of requests) {
      const reply = await service.call(method, path, { body, headers });
      assert.deepEqual([reply.status, fieldErrors(reply)], [400, both], `${method} ${path}`);
    }
    assert.deepEqual(await events(), before);
  });

  test('and do not use up a key that is right', async () => {
    const body = { name: 'Kept for nothing', price: 1 };
    const create = (reason: string): Promise<Reply> =>
      service.call('POST', '/plans', { body, headers: { 'idempotency-key': 'reasoned', 'x-reason': reason } });
    assert.deepEqual(fieldErrors(await create(' ')), ['#X-Reason invalid_header']);
    assert.equal((await create('because')).status, 201);
  });
});

describe('what the schema refuses is reported together with what rules refuse', () => {
  test('of a change of a subscription', async () => {
    const { id } = await signUp(service);
    const path = `/subscriptions/${id}`;
    const body = { previous_supplier: 'mp_bad', intended_start_date: '2027-02-30' };
    assert.deepEqual(await refused('PATCH', path, body), [
      '/intended_start_date invalid_date',
      '/previous_supplier invalid_reference',
    ]);
    const parts = { customer: { company_name: 'Muster GmbH', first_name: 1 }, meter: { number: '--', malo: '1' } };
    assert.deepEqual(await refused('PATCH', path, { ...parts, address: 'text', metadata: [], foo: 1 }), [
      '/address invalid_type',
      '/customer/company_name not_allowed',
      '/customer/first_name invalid_type',
      '/foo unknown_field',
      '/metadata invalid_type',
      '/meter/malo invalid_malo',
      '/meter/number blank',
    ]);
    const before = await service.call('GET', path);
    await refused('PATCH', path, { metadata: { kept: 'no' }, foo: 1 });
    assert.equal((await service.call('GET', path)).text, before.text);
  });

  test('of a sign-up, whose orders keep their places', async () => {
    const orders = (...list: Json[]): Json => signUpBody(service.planId, { product_orders: list });
    const wrong = { type: '14a_enwg', '14a_enwg': { module_1: 'x' } };
    const body = orders({ type: 'smart-meter' }, { type: 'smart-meter' }, wrong);
    assert.deepEqual(await refused('POST', '/subscriptions', body), [
      '/product_orders/1/type duplicate_product_order',
      '/product_orders/2/14a_enwg/module_1 invalid_type',
    ]);
    const other = orders(wrong, null, { type: '14a_enwg', '14a_enwg': { module_1: true, module_2: true } });
    assert.deepEqual(await refused('POST', '/subscriptions', other), [
      '/product_orders/0/14a_enwg/module_1 invalid_type',
      '/product_orders/1 invalid_type',
      '/product_orders/2/14a_enwg invalid_module_set',
    ]);
  });

  test('of a sign-up, in which a malformed order may be that of the smart meter which another needs', async () => {
    const orders = [
      { type: 'smart-meter', foo: 1 },
      { type: '14a_enwg', '14a_enwg': { module_1: true, module_3: true } },
    ];
    const body = signUpBody(service.planId, { product_orders: orders });
    assert.deepEqual(await refused('POST', '/subscriptions', body), ['/product_orders/0/foo unknown_field']);
  });

  test('of a sign-up in good time, however many orders are malformed', async () => {
    const orders = Array.from({ length: 15_000 }, () => null);
    const begin = performance.now();
    const reply = await service.call('POST', '/subscriptions', {
      body: signUpBody(service.planId, { product_orders: orders }),
    });
    assert.equal(reply.status, 400);
    assert.ok(performance.now() - begin < 2_000);
  });

  test('up to a hundred, of a body with very many, which is looked at no further', async () => {
    const { id } = await signUp(service);
    const membersOf = (length: number): Json =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`m${index}`, 1]));
    const many = membersOf(450);
    const requests = [
      ['POST', '/plans', many],
      ['POST', '/subscriptions', signUpBody(service.planId, many)],
      ['POST', '/subscriptions', signUpBody(service.planId, { meter: many })],
      ['POST', '/subscriptions?validate_only=true', signUpBody(service.planId, many)],
      ['PATCH', `/subscriptions/${id}`, { metadata: {}, ...many }],
      ['PATCH', `/webhook-endpoints/whe_x`, { types: Array.from({ length: 450 }, () => 1) }],
    ] as const;
    for (const [method, path, body] of requests) {
      const { status, json } = await service.call(method, path, { body });
      const told = [status, json.errors.length, json.detail];
      assert.deepEqual(told, [400, 100, 'More than 100 members of the request are wrong.'], `${method} ${path}`);
    }
    // Of more than any body can name nothing is looked at.
    const { status, json } = await service.call('POST', '/subscriptions', { body: membersOf(19_000) });
    assert.deepEqual([status, json.errors.map(({ code }: Json) => code)], [400, ['too_many_values']]);
  });

  test('of a termination', async () => {
    const { id } = await signUp(service);
    const terminate = (body: Json): Promise<string[]> => refused('POST', `/subscriptions/${id}/terminate`, body);
    assert.deepEqual(await terminate({ reason: 'withdrawal', intended_end_date: '2027-01-01', foo: 1 }), [
      '/foo unknown_field',
      '/intended_end_date not_allowed',
    ]);
    assert.deepEqual(await terminate({ reason: 'move_out', foo: 1 }), [
      '/foo unknown_field',
      '/intended_end_date required',
    ]);
    assert.deepEqual(await terminate({ reason: 'move_out', intended_end_date: '2027-02-30' }), [
      '/intended_end_date invalid_date',
    ]);
  });

  test('of a webhook endpoint', async () => {
    const wrong = { url: 'http://x', types: ['foo', 1], bar: 1 };
    const errors = [
      '/bar unknown_field',
      '/types/0 invalid_event_type',
      '/types/1 invalid_type',
      '/url invalid_target',
    ];
    assert.deepEqual(await refused('POST', '/webhook-endpoints', wrong), errors);
    const url = 'https://example.com/webhooks';
    const { json } = await service.call('POST', '/webhook-endpoints', { body: { url } });
    assert.deepEqual(await refused('PATCH', `/webhook-endpoints/${json.id}`, wrong), errors);
  });

  test('of a change of a lead', async () => {
    const created = await service.call('POST', '/leads', { body: { plan: service.planId, address: { zip: '51147' } } });
    const body = { plan: 'pln_bad', address: { zip: 'x' }, payment_method: { sepa_debit: { iban: 'x' } } };
    assert.deepEqual(await refused('PATCH', `/leads/${created.json.id}`, { ...body, meter: { number: '--' } }), [
      '/address/zip invalid_zip',
      '/meter/number blank',
      '/payment_method/sepa_debit/iban invalid_iban',
      '/plan invalid_reference',
    ]);
  });

  test('of an order', async () => {
    const { id } = await signUp(service);
    assert.deepEqual(await refused('POST', '/meter-orders', { subscription: 'sub_bad', foo: 1 }), [
      '/foo unknown_field',
      '/subscription invalid_reference',
    ]);
    const order = (body: Json): Promise<string[]> => refused('POST', '/grid-fee-reductions', body);
    assert.deepEqual(await order({ subscription: 'sub_bad', module_3: true, foo: 1 }), [
      ' invalid_module_set',
      '/foo unknown_field',
      '/subscription invalid_reference',
    ]);
    assert.deepEqual(await order({ subscription: id, module_1: 'x' }), ['/module_1 invalid_type']);
    assert.deepEqual(await order({ module_3: true }), [' invalid_module_set', '/subscription required']);
  });

  test('of a replay of webhooks', async () => {
    const { json } = await service.call('POST', '/webhook-endpoints', {
      body: { url: 'https://example.com/webhooks' },
    });
    const replay = (body: Json): Promise<string[]> => refused('POST', `/webhook-endpoints/${json.id}/replay`, body);
    assert.deepEqual(await replay({ event: 'evt_bad', foo: 1 }), ['/event invalid_reference', '/foo unknown_field']);
    assert.deepEqual(await replay({ foo: 1 }), [' invalid_value', '/foo unknown_field']);
    assert.deepEqual(await replay({ from: 'x', to: '2027-01-01T00:00:00Z' }), ['/from invalid_format']);
    const backwards = { from: '2027-01-02T00:00:00Z', to: '2027-01-01T00:00:00Z' };
    assert.deepEqual(await replay({ ...backwards, foo: 1 }), ['/foo unknown_field', '/to invalid_value']);
  });

  test('of an advance of the clock', async () => {
    const advance = (body: Json): Promise<string[]> => refused('POST', '/sandbox/clock', body);
    assert.deepEqual(await advance({ foo: 1 }), [' invalid_advance', '/foo unknown_field']);
    assert.deepEqual(await advance({ advance_to: 'x' }), ['/advance_to invalid_format']);
    assert.deepEqual(await advance([]), [' invalid_type']);
  });
});

describe('wrong parameters of a query are reported together, each once', () => {
  const cases: [path: string, ...errors: string[]][] = [
    [
      '/events?foo=1&limit=0&wait=31&after=x&types=x&types=y',
      '?after invalid_cursor',
      '?foo unknown_parameter',
      '?limit invalid_parameter',
      '?types invalid_parameter',
      '?wait invalid_parameter',
    ],
    ['/customers?search=&limit=0', '?limit invalid_parameter', '?search invalid_parameter'],
    ['/suppliers?search=&foo=1', '?foo unknown_parameter', '?search invalid_parameter'],
    ['/customers?foo=1', '?foo unknown_parameter'],
    ['/subscriptions/sub_x?as_of=x&expand[]=x', '?as_of invalid_parameter', '?expand[] invalid_parameter'],
    ['/subscriptions/sub_x?foo=1', '?foo unknown_parameter'],
  ];
  for (const [path, ...errors] of cases) {
    test(path, async () => {
      const reply = await service.call('GET', path);
      assert.deepEqual([reply.status, fieldErrors(reply)], [400, errors]);
    });
  }
});

describe('wrong parameters of the query are reported together with wrong members of the body', () => {
  const wrong = (): Json =>
    signUpBody('pln_01k9zr5x3hf8b9m2t4v6w8y0ac', { next_possible_start: false, intended_start_date: '2020-01-01' });
  const members = ['/intended_start_date not_in_future', '/plan invalid_reference'];

  test('by a sign-up', async () => {
    assert.deepEqual(await refused('POST', '/subscriptions?foo=1&expand[]=x&expand[]=y', wrong()), [
      ...members,
      '?expand[] invalid_parameter',
      '?foo unknown_parameter',
    ]);
  });

  test('by a sign-up that is to be checked only', async () => {
    assert.deepEqual(await refused('POST', '/subscriptions?validate_only=true&foo=1', wrong()), [
      ...members,
      '?foo unknown_parameter',
    ]);
    assert.deepEqual(await refused('POST', '/subscriptions?validate_only=maybe', wrong()), [
      ...members,
      '?validate_only invalid_parameter',
    ]);
  });

  test('and keep a sign-up that is right otherwise from being stored', async () => {
    const body = signUpBody(service.planId, { external_id: 'wrong-query' });
    assert.deepEqual(await refused('POST', '/subscriptions?foo=1&foo=2', body), ['?foo unknown_parameter']);
    const found = await service.call('GET', '/subscriptions?filter[external_id][eq]=wrong-query');
    assert.deepEqual(found.json.items, []);
  });
});

describe('one wrong member is one error, and the problem has its code', () => {
  const cases: [pointer: string, value: unknown, code: string][] = [
    ['/meter/type', null, 'invalid_type'],
    ['/payment_method/type', 1, 'invalid_type'],
    ['/customer/first_name', '\t', 'blank'],
    ['/customer/last_name', 'a\tb', 'invalid_format'],
    ['/customer/last_name', `${'x'.repeat(300)}\t`, 'too_long'],
    ['/product_orders', [{ type: null }], 'invalid_type'],
  ];
  for (const [pointer, value, code] of cases) {
    test(`${pointer} = ${JSON.stringify(value).slice(0, 20)}: ${code}`, async () => {
      const body = withMember(signUpBody(service.planId), pointer, value);
      const reply: Reply = await service.call('POST', '/subscriptions', { body });
      assert.equal(reply.status, 400, reply.text);
      assert.equal(reply.json.errors.length, 1, reply.text);
      assert.equal(reply.json.errors[0].code, code);
      assert.equal(reply.json.code, code);
    });
  }

  test('and a line of text that has a break says so, in words', async () => {
    const body = withMember(signUpBody(service.planId), '/customer/first_name', 'Erika\nMaria');
    const reply = await service.call('POST', '/subscriptions', { body });
    const message = 'must be one line, without control characters';
    assert.deepEqual(reply.json.errors, [{ field: '/customer/first_name', code: 'invalid_format', message }]);
  });

  test('also where it says which variant is meant, of which the other members may be right', async () => {
    const company = { type: 'Company', company_name: 'Muster GmbH' };
    const { customer } = signUpBody(service.planId);
    const orders = [{ type: '14a-enwg', '14a_enwg': { module_1: true } }];
    const wrong = { customer: { ...customer, ...company }, product_orders: orders };
    const both = ['/customer/type invalid_value', '/product_orders/0/type invalid_value'];
    assert.deepEqual(await refused('POST', '/subscriptions', signUpBody(service.planId, wrong)), both);
    const unnamed = { product_orders: [{ '14a_enwg': { module_1: true } }] };
    assert.deepEqual(await refused('POST', '/subscriptions', signUpBody(service.planId, unnamed)), [
      '/product_orders/0/type required',
    ]);
    const lead = { plan: service.planId, address: { zip: '51147' } };
    assert.deepEqual(await refused('POST', '/leads', { ...lead, customer: company }), ['/customer/type invalid_value']);
    const { json } = await service.call('POST', '/leads', { body: lead });
    assert.deepEqual(await refused('PATCH', `/leads/${json.id}`, { customer: company }), [
      '/customer/type invalid_value',
    ]);
  });
});
