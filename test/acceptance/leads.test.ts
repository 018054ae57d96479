/** Leads: what is known before a sign-up, kept like a sign-up keeps it, and converted by exactly one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { Type } from 'typebox';
import { parseId } from '#domain/identifiers.ts';
import { formats } from '#features/formats.ts';
import { sql } from '#platform/database/sql.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import {
  anySupplier,
  berlinDate,
  createPlan,
  fieldErrors,
  otherProject,
  signUp,
  signUpBody,
  type Json,
} from '../support/builders.ts';
import { must } from '../support/sandbox.ts';
import { createAppBeside, startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
let supplierId: string;
before(async () => {
  service = await startService();
  supplierId = await anySupplier(service);
});
after(() => service.stop());

const IBAN = 'DE89370400440532013000';
const HOLDER = 'Zoë Kontoinhaberin';

/** Everything that a lead can hold. */
function wholeLead(): Json {
  const { next_possible_start: _, ...body } = signUpBody(service.planId, {
    payment_method: { type: 'sepa_debit', sepa_debit: { iban: 'de89 3704 0044 0532 0130 00', account_holder: HOLDER } },
    previous_supplier: supplierId,
    product_orders: [{ '14a_enwg': { module_1: true }, type: '14a_enwg' }],
    external_id: 'order-1',
    metadata: { b: 1, a: 'ä' },
  });
  return { ...body, next_possible_start: false, intended_start_date: berlinDate(40) };
}

function create(overrides: Json = {}, headers: Record<string, string> = {}): Promise<Reply> {
  return service.call('POST', '/leads', {
    body: { plan: service.planId, address: { zip: '51147' }, ...overrides },
    headers,
  });
}

/** @throws when it is not created */
async function createLead(overrides: Json = {}): Promise<Json> {
  const reply = await create(overrides);
  assert.equal(reply.status, 201, reply.text);
  return reply.json;
}

const read = async (id: string): Promise<Json> => (await service.call('GET', `/leads/${id}`)).json;

async function eventsOf(lead: string): Promise<Json[]> {
  const rows = await service.database.query<Json>(sql`
    select type, sequence, occurred_at, data, credential_id from events
    where project_id = ${service.projectId} and resource_id = ${parseId('lead', lead)} order by sequence`);
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }));
}

describe('creating a lead', () => {
  test('needs a plan and a postcode, and shows every other member as null', async () => {
    const reply = await create();
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('location'), `/leads/${reply.json.id}`);
    const { id, created_by: createdBy, created_at: createdAt, ...rest } = reply.json;
    assert.match(id, /^lead_/);
    assert.match(createdBy, /^crd_/);
    assert.deepEqual(rest, {
      object: 'lead',
      plan: service.planId,
      customer: null,
      address: { street: null, house_number: null, zip: '51147', city: null },
      meter: null,
      payment_method: null,
      next_possible_start: null,
      previous_supplier: null,
      intended_start_date: null,
      product_orders: null,
      external_id: null,
      subscription: null,
      subscribed_at: null,
      erased: false,
      link: `${service.baseUrl}/checkout/${id}`,
      updated_at: createdAt,
      metadata: null,
    });
    const got = await service.call('GET', `/leads/${id}`);
    assert.equal(got.text, reply.text);
    const tag = reply.headers.get('etag') ?? '';
    assert.equal(got.headers.get('etag'), tag);
    assert.equal((await service.call('GET', `/leads/${id}`, { headers: { 'if-none-match': tag } })).status, 304);
  });

  test('keeps everything of a sign-up, the IBAN normalised and masked', async () => {
    const sent = wholeLead();
    const reply = await create(sent);
    assert.equal(reply.status, 201, reply.text);
    const lead = reply.json;
    assert.deepEqual(lead.customer, { ...sent.customer, company_name: null, vat_id: null });
    assert.deepEqual(lead.payment_method, {
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89**************3000', account_holder: HOLDER },
    });
    for (const name of [
      'address',
      'meter',
      'next_possible_start',
      'previous_supplier',
      'intended_start_date',
      'product_orders',
      'external_id',
      'metadata',
    ]) {
      assert.deepEqual(lead[name], sent[name], name);
    }
    assert.ok(reply.text.endsWith('"metadata":{"b":1,"a":"ä"}}'));
    assert.equal((await service.call('GET', `/leads/${lead.id}`)).text, reply.text);
  });

  test('checks what is there as a sign-up does, all at once, and refuses unknown members', async () => {
    const cases: [Json, ...string[]][] = [
      [{ plan: undefined }, '/plan required'],
      [{ plan: 'pln_x' }, '/plan invalid_reference'],
      [{ plan: (await createPlan(service, { active: false })).id }, '/plan plan_archived'],
      [{ address: undefined }, '/address required'],
      [{ address: {} }, '/address/zip required'],
      [
        { address: { zip: '1' }, customer: { email: 'x' } },
        '/address/zip invalid_zip',
        '/customer/email invalid_email',
      ],
      [{ customer: { company_name: 'X' } }, '/customer/company_name not_allowed'],
      [
        { customer: { phone: '1' }, meter: { brand: 'x' } },
        '/customer/phone unknown_field',
        '/meter/brand unknown_field',
      ],
      [{ meter: { malo: '41373559240', number: '-' } }, '/meter/malo invalid_malo', '/meter/number blank'],
      [{ meter: { estimated_usage: 0 } }, '/meter/estimated_usage out_of_range'],
      [{ payment_method: { sepa_debit: { iban: 'DE00' } } }, '/payment_method/sepa_debit/iban invalid_iban'],
      [{ previous_supplier: 'mp_x', plan: 'x' }, '/plan invalid_reference', '/previous_supplier invalid_reference'],
      [{ intended_start_date: berlinDate(0) }, '/intended_start_date not_in_future'],
      [{ product_orders: [{ type: '14a_enwg' }] }, '/product_orders/0/14a_enwg required'],
      [{ lead: 'lead_x', subscription: 'sub_x' }, '/lead unknown_field', '/subscription unknown_field'],
      [{ metadata: { a: 'x'.repeat(10_300) } }, '/metadata too_large'],
      [{ external_id: '' }, '/external_id blank'],
    ];
    for (const [overrides, ...expected] of cases) {
      const reply = await create(overrides);
      assert.deepEqual([reply.status, fieldErrors(reply)], [400, expected.toSorted()], JSON.stringify(overrides));
    }
    assert.equal((await createLead({ next_possible_start: false })).next_possible_start, false);
    assert.equal((await createLead({ customer: { type: 'company', company_name: 'X' } })).customer.company_name, 'X');
  });

  test('keeps no IBAN and no account holder in clear, and no personal data in events', async () => {
    const reply = await create(wholeLead(), { 'idempotency-key': 'lead-secret' });
    const again = await create(wholeLead(), { 'idempotency-key': 'lead-secret' });
    assert.equal(again.status, 422, 'another e-mail address is another request');
    const { id, external_id: externalId } = reply.json;
    const [stored] = await service.database.query<Json>(sql`
      select (select json_agg(leads) from leads)::text || (select json_agg(idempotency_keys) from idempotency_keys)::text
        as leads, (select json_agg(events) from events)::text as events`);
    for (const secret of [IBAN, '532013000', HOLDER]) assert.ok(!stored.leads.includes(secret), secret);
    for (const secret of ['Erika', 'Heidestra', HOLDER, reply.json.customer.email, reply.json.meter.number]) {
      assert.ok(!stored.events.includes(secret), secret);
    }
    const [event, ...more] = await eventsOf(id);
    assert.deepEqual([event.type, event.sequence, more.length], ['lead.created', 1, 0]);
    const { lead, previous_attributes: previous } = event.data;
    assert.deepEqual([lead.id, lead.external_id, lead.address.zip, previous], [id, externalId, '51147', {}]);
    assert.deepEqual(Object.keys(lead), Object.keys(await read(id)));
  });

  test('happens once for each key', async () => {
    const send = (): Promise<Reply> => create({ external_id: 'once' }, { 'idempotency-key': 'lead-once' });
    const [first, second] = [await send(), await send()];
    assert.equal(second.text, first.text);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal((await service.call('GET', '/leads?filter[external_id][eq]=once')).json.items.length, 1);
  });
});

describe('changing a lead', () => {
  const change = (id: string, body: Json, headers: Record<string, string> = {}): Promise<Reply> =>
    service.call('PATCH', `/leads/${id}`, { body, headers });

  test('merges objects member by member, replaces the rest, and empties what is null', async () => {
    const { id, created_at: createdAt } = await createLead({
      customer: { email: 'a@example.com' },
      metadata: { a: 1, b: 2 },
    });
    const first = await change(id, {
      customer: { first_name: 'Erika' },
      address: { city: 'Köln' },
      meter: { number: '1 emh' },
      payment_method: { sepa_debit: { iban: IBAN } },
      metadata: { a: null, c: 3 },
      next_possible_start: true,
    });
    assert.equal(first.status, 200, first.text);
    const second = await change(id, {
      customer: { email: null, last_name: 'M' },
      payment_method: { type: 'sepa_debit', sepa_debit: { account_holder: HOLDER } },
      meter: null,
      external_id: 'x',
    });
    const { customer, address, meter, payment_method: payment, metadata, ...rest } = second.json;
    const noCustomer = { type: null, company_name: null, vat_id: null, email: null };
    assert.deepEqual(customer, { ...noCustomer, first_name: 'Erika', last_name: 'M' });
    assert.deepEqual(Object.keys(customer), ['type', 'company_name', 'first_name', 'last_name', 'email', 'vat_id']);
    assert.deepEqual(address, { street: null, house_number: null, zip: '51147', city: 'Köln' });
    assert.equal(meter, null);
    assert.deepEqual(payment, {
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89**************3000', account_holder: HOLDER },
    });
    assert.deepEqual(metadata, { b: 2, c: 3 });
    assert.deepEqual([rest.next_possible_start, rest.external_id, rest.created_at], [true, 'x', createdAt]);
    assert.deepEqual(await read(id), second.json);
    const found = async (key: string, value: string): Promise<number> =>
      (await service.call('GET', `/leads?filter[metadata.${key}][eq]=${value}&filter[external_id][eq]=x`)).json.items
        .length;
    assert.deepEqual([await found('a', '1'), await found('b', '2'), await found('c', '3')], [0, 1, 1]);
  });

  test('refuses what a sign-up would refuse of the result, and a state that is not the present one', async () => {
    const plan = await createPlan(service, { products: [] });
    const { id } = await createLead({
      product_orders: [{ type: 'smart-meter' }],
      customer: { type: 'company', company_name: 'X' },
    });
    const cases: [Json, ...string[]][] = [
      [{}, ' empty_patch'],
      [{ plan: null }, '/plan invalid_type'],
      [{ address: { zip: null } }, '/address/zip invalid_type'],
      [{ plan: plan.id }, '/product_orders/0/type product_not_offered'],
      [{ plan: 'x', previous_supplier: 'x' }, '/plan invalid_reference', '/previous_supplier invalid_reference'],
      [{ customer: { type: 'person' } }, '/customer/company_name not_allowed'],
      [{ meter: { number: '-' } }, '/meter/number blank'],
      [{ intended_start_date: berlinDate(400) }, '/intended_start_date too_far_ahead'],
      [{ subscription: 'sub_x' }, '/subscription unknown_field'],
    ];
    for (const [body, ...expected] of cases) {
      const reply = await change(id, body);
      assert.deepEqual([reply.status, fieldErrors(reply)], [400, expected.toSorted()], JSON.stringify(body));
    }
    assert.equal((await change(id, { external_id: 'y' }, { 'if-match': '"other"' })).status, 412);
    const tag = (await service.call('GET', `/leads/${id}`)).headers.get('etag') ?? '';
    assert.equal((await change(id, { external_id: 'y' }, { 'if-match': tag })).status, 200);
    assert.equal((await change('lead_x', { external_id: 'y' })).status, 404);
  });

  test('is not refused for what the plan has ceased to offer since, until it names the plan or the orders', async () => {
    const plan = await createPlan(service);
    const { id } = await createLead({ plan: plan.id, product_orders: [{ type: 'smart-meter' }] });
    await service.call('PATCH', `/plans/${plan.id}`, { body: { products: [] } });
    assert.equal((await change(id, { customer: { email: 'erika@example.com' } })).status, 200);
    for (const body of [{ plan: plan.id }, { product_orders: [{ type: 'smart-meter' }] }]) {
      assert.deepEqual(fieldErrors(await change(id, body)), ['/product_orders/0/type product_not_offered']);
    }
  });

  test('is over once the lead is converted', async () => {
    const { id } = await createLead();
    await signUp(service, { lead: id });
    const reply = await change(id, { external_id: 'late' });
    assert.deepEqual([reply.status, reply.json.code], [409, 'lead_already_converted']);
    assert.equal((await read(id)).external_id, null);
  });
});

describe('erasing a lead', () => {
  test('leaves nothing of the person, in the lead, its events and the answers kept, and the same once more', async () => {
    const email = 'nurlead@example.com';
    const personal = {
      customer: { first_name: 'NurLead', email },
      external_id: 'nurlead',
      metadata: { note: 'NurLead' },
    };
    const key = { 'idempotency-key': 'only-a-lead' };
    const { id } = (await create(personal, key)).json;
    const change = { body: { customer: { last_name: 'NurLeadin' } }, headers: { 'x-reason': 'NurLead asked for it' } };
    assert.equal((await service.call('PATCH', `/leads/${id}`, change)).status, 200);
    const erased = await service.call('POST', `/leads/${id}/erase`, { headers: { 'x-reason': 'NurLead wrote' } });
    assert.equal(erased.status, 200, erased.text);
    assert.deepEqual(erased.json, await read(id));
    const { customer, address, external_id: externalId, metadata } = erased.json;
    const empty = { street: null, house_number: null, zip: '99999', city: null };
    assert.deepEqual([customer, address, externalId, metadata], [null, empty, null, null]);
    assert.deepEqual([(await create({})).json.erased, erased.json.erased], [false, true]);
    const log = await service.call('GET', `/audit-log?filter[resource][eq]=${id}`);
    const left = JSON.stringify([await eventsOf(id), await read(id), log.json]);
    assert.doesNotMatch(left, /nurlead/i);
    assert.deepEqual(
      (await eventsOf(id)).map(({ data }) => data.lead.plan),
      [service.planId],
    );
    const found = await service.call('GET', `/leads?filter[customer.email][eq]=${email}`);
    assert.deepEqual(found.json.items, []);
    const again = await service.call('POST', `/leads/${id}/erase`);
    assert.deepEqual([again.status, again.json], [200, erased.json]);
    assert.equal(again.headers.get('etag'), erased.headers.get('etag'));
    // The key is free, and so is the external id.
    const anew = await create({ external_id: 'nurlead' }, key);
    assert.deepEqual([anew.status, anew.headers.get('idempotency-replayed')], [201, null]);
  });

  test('leaves a lead that takes nothing new: it is neither changed, nor named by a sign-up or a dry run', async () => {
    const { id } = await createLead({ customer: { first_name: 'Erika' } });
    const erased = await service.call('POST', `/leads/${id}/erase`);
    const body = signUpBody(service.planId, { lead: id });
    const change = { body: { customer: { first_name: 'Erika' } } };
    const refused = [
      await service.call('PATCH', `/leads/${id}`, change),
      await service.call('POST', '/subscriptions', { body }),
    ];
    for (const { status, json } of refused) assert.deepEqual([status, json.code], [409, 'lead_erased']);
    assert.deepEqual(fieldErrors(refused[1] as Reply), ['/lead lead_erased']);
    const checked = await service.call('POST', '/subscriptions?validate_only=true', { body });
    assert.deepEqual(fieldErrors(checked), ['/lead lead_erased']);
    assert.deepEqual(await read(id), erased.json);
  });

  test('is refused once it is converted, and of what has changed since it was read', async () => {
    const { id } = await createLead({ customer: { first_name: 'Erika' } });
    const stale = await service.call('POST', `/leads/${id}/erase`, { headers: { 'if-match': '"other"' } });
    assert.deepEqual([stale.status, (await read(id)).customer.first_name], [412, 'Erika']);
    await signUp(service, { lead: id });
    const refused = await service.call('POST', `/leads/${id}/erase`);
    assert.deepEqual([refused.status, refused.json.code], [409, 'lead_already_converted']);
    assert.equal((await service.call('POST', '/leads/lead_x/erase')).status, 404);
  });
});

describe('a sign-up that names a lead', () => {
  test('converts it in its own commit, in the time of the project, and tells of it', async () => {
    const other = await otherProject(service);
    const plan = (await other.call('POST', '/plans', { body: { name: 'P', price: 1 } })).json.id;
    const created = (await other.call('POST', '/leads', { body: { plan, address: { zip: '51147' } } })).json;
    await other.call('POST', '/sandbox/clock', { body: { advance_by: 'P20D' } });
    const subscription = (await other.call('POST', '/subscriptions', { body: signUpBody(plan, { lead: created.id }) }))
      .json;
    const lead = (await other.call('GET', `/leads/${created.id}`)).json;
    const converted = { subscription: subscription.id, subscribed_at: subscription.created_at };
    assert.deepEqual(lead, { ...created, ...converted, updated_at: subscription.created_at });
    assert.ok(lead.subscribed_at > lead.created_at);
    assert.equal((await other.call('GET', '/events?types=lead.converted&wait=5')).json.items.length, 1);
    const { items } = (await other.call('GET', '/events?types=lead.*')).json;
    assert.deepEqual(
      items.map(({ type, sequence, timestamp }: Json) => [type, sequence, timestamp]),
      [
        ['lead.created', 1, created.created_at],
        ['lead.converted', 2, lead.subscribed_at],
      ],
    );
    assert.deepEqual(items[1].data, {
      lead,
      previous_attributes: { subscription: null, subscribed_at: null },
    });
  });

  test('is one of 50 in parallel, on two processes; the others are 409, and it is told once', async () => {
    const second = createAppBeside(service).http;
    const headers = { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' };
    const { id } = await createLead({ external_id: 'contested' });
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const payload = JSON.stringify(signUpBody(service.planId, { lead: id }));
        if (index % 2 === 0) return service.call('POST', '/subscriptions', { body: payload });
        const reply = await second.inject({ method: 'POST', url: '/subscriptions', headers, payload });
        return { status: reply.statusCode, json: reply.json() };
      }),
    );
    const won = replies.filter(({ status }) => status === 201);
    const lost = replies.filter(({ status, json }) => status === 409 && json.code === 'lead_already_converted');
    assert.deepEqual([won.length, lost.length], [1, 49]);
    assert.equal((await read(id)).subscription, won[0]?.json.id);
    const types = (await eventsOf(id)).map(({ type }) => type);
    assert.deepEqual(types, ['lead.created', 'lead.converted']);
  });

  test('tells of the lead as it was at that moment, whoever changes it meanwhile', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await createLead();
      const changes = Array.from({ length: 3 }, (_, index) =>
        service.call('PATCH', `/leads/${id}`, { body: { metadata: { [`k${index}`]: index } } }),
      );
      const [signedUp, ...changed] = await Promise.all([signUp(service, { lead: id }), ...changes]);
      const lead = await read(id);
      assert.equal(lead.subscription, signedUp.id);
      const kept = changed.filter(({ status }) => status === 200).length;
      assert.equal(changed.filter(({ status }) => status === 409).length, 3 - kept);
      assert.equal(Object.keys(lead.metadata ?? {}).length, kept, 'what was accepted is there');
      assert.deepEqual((await eventsOf(id)).at(-1).data.lead, lead);
    }
  });

  test('waits by itself for somebody who holds it, and keeps no other sign-up waiting', async () => {
    const { id } = await createLead();
    const holder = new Client(service.connection);
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from leads where id = $1 for update', [parseId('lead', id)]);
      let isAnswered = false;
      const naming = signUp(service, { lead: id }).finally(() => (isAnswered = true));
      // Each in a batch with what is sent at the same moment, or behind it.
      for (let round = 0; round < 5; round += 1) await signUp(service);
      assert.equal(isAnswered, false);
      await holder.query('rollback');
      assert.equal((await naming).lead, id);
    } finally {
      await holder.end();
    }
  });

  test('leaves it open when it is refused', async () => {
    const { id } = await createLead();
    await signUp(service, { external_id: 'taken-1' });
    const body = signUpBody(service.planId, { lead: id, external_id: 'taken-1' });
    assert.equal((await service.call('POST', '/subscriptions', { body })).json.code, 'duplicate_external_id');
    assert.equal((await read(id)).subscription, null);
    assert.equal((await eventsOf(id)).length, 1);
    assert.equal((await signUp(service, { lead: id })).lead, id);
  });
});

test('every lead is as documented, however little it holds', async () => {
  const contract = service.service.app.contracts.find(({ operationId }) => operationId === 'listLeads');
  const fits = createSchemaCompiler(formats).compile(contract?.response.schema ?? Type.Never());
  await createLead({ customer: {}, meter: {}, payment_method: { sepa_debit: {} } });
  const list = (await service.call('GET', '/leads?limit=100')).json;
  assert.ok(list.items.length > 5);
  assert.deepEqual(fits(list), []);
});

describe('lists and attribution', () => {
  test('find leads by each filter, newest first, on pages', async () => {
    const other = await otherProject(service);
    const plan = (await other.call('POST', '/plans', { body: { name: 'P', price: 1 } })).json.id;
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const body = {
        plan,
        address: { zip: '51147' },
        customer: { email: `Lead${index}@example.com` },
        external_id: `e${index}`,
        metadata: { n: index },
      };
      ids.unshift((await other.call('POST', '/leads', { body })).json.id);
    }
    const subscription = (await other.call('POST', '/subscriptions', { body: signUpBody(plan, { lead: ids[0] }) }))
      .json;
    const list = async (query: string): Promise<string[]> => {
      const reply = await other.call('GET', `/leads?${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.json.items.map(({ id }: Json) => id);
    };
    assert.deepEqual(await list(''), ids);
    const first = (await other.call('GET', '/leads?limit=2')).json;
    assert.deepEqual(await list(`limit=2&cursor=${first.next_page}`), ids.slice(2, 4));
    const own = (await other.call('GET', `/leads/${ids[0]}`)).json;
    for (const query of [
      `filter[subscription][eq]=${subscription.id}`,
      'filter[subscription][is_null]=false',
      `filter[subscribed_at][gte]=${own.subscribed_at}`,
      'filter[customer.email][eq]=lead4@EXAMPLE.com',
      'filter[external_id][in]=e4,e9',
      'filter[metadata.n][eq]=4',
    ]) {
      assert.deepEqual(await list(query), [ids[0]], query);
    }
    assert.deepEqual(await list('filter[subscription][is_null]=true'), ids.slice(1));
    for (const query of [
      `filter[plan][eq]=${plan}`,
      `filter[created_by][eq]=${own.created_by}`,
      `filter[created_at][gte]=${own.created_at.slice(0, 4)}-01-01T00:00:00Z`,
    ]) {
      assert.deepEqual(await list(query), ids, query);
    }
    assert.deepEqual(await list('filter[created_by][eq]=crd_x'), []);
    assert.equal((await other.call('GET', '/leads?filter[zip][eq]=51147')).status, 400);
  });

  test('of subscriptions name the credential that signed up, everywhere alike', async () => {
    const other = await otherProject(service);
    const plan = (await other.call('POST', '/plans', { body: { name: 'P', price: 1 } })).json.id;
    const lead = (await other.call('POST', '/leads', { body: { plan, address: { zip: '51147' } } })).json;
    const created = (await other.call('POST', '/subscriptions', { body: signUpBody(plan) })).json;
    assert.equal(created.created_by, lead.created_by);
    const ask = async (by: string): Promise<Json[]> =>
      (await other.call('GET', `/subscriptions?filter[created_by][eq]=${by}`)).json.items;
    assert.deepEqual(await ask(created.created_by), [created]);
    assert.deepEqual(await ask('crd_x'), []);
    const { items } = (await other.call('GET', '/events?types=subscription.created&wait=5')).json;
    assert.deepEqual(items[0].data.subscription, created);
  });
});

test('a plan that another process has just archived, or offers less with, is taken for no lead', async () => {
  const other = createAppBeside(service);
  const headers = { authorization: `Bearer ${await service.token()}` };
  const { id: plan } = await createPlan(service);
  const orders = { product_orders: [{ type: '14a_enwg', '14a_enwg': { module_1: true } }] };
  const create = async (more = {}): Promise<[number, Json]> => {
    const payload = { plan, address: { zip: '51147' }, ...more };
    const reply = await other.http.inject({ method: 'POST', url: '/leads', headers, payload });
    return [reply.statusCode, reply.json()];
  };
  const [status, { id }] = await create(orders);
  assert.equal(status, 201);
  must(await service.call('PATCH', `/plans/${plan}`, { body: { products: [] } }), 200);
  assert.equal((await create(orders))[0], 400);
  must(await service.call('PATCH', `/plans/${plan}`, { body: { active: false } }), 200);
  assert.equal((await create())[0], 400);
  const reply = await other.http.inject({ method: 'PATCH', url: `/leads/${id}`, headers, payload: { plan } });
  assert.equal(reply.statusCode, 400, reply.body);
});
