/** A PATCH that names only what is there already: it answers the present state, and nobody is told of anything. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import { createPlan, germanIban, type Json } from '../support/builders.ts';
import { addressIn, berlin, eventTypes, meterOnly, must, openSandbox, type Sandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const MONDAY = berlin('2030-01-07T10:00');

/** Everything that would tell of a change: the resource with its tag, and the events of the project, fed or not yet. */
async function traces(sandbox: Sandbox, path: string): Promise<Json> {
  const { text, headers } = await sandbox.call('GET', path);
  const events = await service.database.query(sql`
    select id, type, data from events
    where project_id = (select project_id from plans where id = ${parseId('pln', sandbox.planId)})
    order by id`);
  return { text, etag: headers.get('etag'), events };
}

/** Asks for a change a minute later, and expects the answer of before and nothing beside it. */
async function assertUnchanged(sandbox: Sandbox, path: string, body: unknown): Promise<void> {
  await sandbox.advanceBy('PT1M');
  const before = await traces(sandbox, path);
  const reply = await sandbox.call('PATCH', path, { body });
  const told = `PATCH ${path} ${JSON.stringify(body)}`;
  assert.equal(reply.status, 200, `${told}: ${reply.text}`);
  assert.deepEqual(
    { text: reply.text, etag: reply.headers.get('etag') },
    { text: before.text, etag: before.etag },
    told,
  );
  assert.deepEqual(await traces(sandbox, path), before, told);
}

describe('a subscription', { concurrency: 3 }, () => {
  test('to which nothing is done keeps its tag, revision and parts, and has no event', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const supplier = await sandbox.supplier('silent');
    const iban = germanIban();
    const account = { type: 'sepa_debit', sepa_debit: { iban, account_holder: 'Erika Mustermann' } };
    const spaced = { ...account, sepa_debit: { ...account.sepa_debit, iban: iban.replace(/(.{4})/g, '$1 ') } };
    const created = await sandbox.signUp({ previous_supplier: supplier, payment_method: account });
    const path = `/subscriptions/${created.id}`;
    for (const body of [
      { metadata: {} },
      { metadata: null },
      { metadata: { gone: null } },
      { billing_address: null },
    ]) {
      await assertUnchanged(sandbox, path, body);
    }
    const metadata = { synced: 'é', list: [1, { a: 1 }] };
    const day = { intended_start_date: '2030-02-01' };
    must(await sandbox.patch(created.id, { metadata, billing_address: addressIn('10117'), ...day }), 200);
    const { meter, address } = must(await sandbox.call('GET', `${path}?expand[]=meter&expand[]=address`), 200);
    const same: Json[] = [
      { metadata },
      { metadata: { synced: 'é' } },
      '{"metadata":{ "list":[ 1,{"\\u0061":1}], "synced":"\\u00e9", "gone":null}}',
      { payment_method: account },
      { payment_method: spaced },
      { billing_address: addressIn('10117') },
      { customer: { first_name: 'Erika' } },
      { customer: { first_name: 'Erika', last_name: 'Mustermann' } },
      { meter: { number: meter.number } },
      { meter: { number: meter.number, malo: meter.malo } },
      { address: { street: address.street, zip: address.zip } },
      { previous_supplier: supplier },
      day,
    ];
    const entries = (await sandbox.timeline(created.id)).length;
    for (const body of [...same, { ...same[0], ...same[4], ...same[5], ...same[7], ...same[9], ...same[10] }]) {
      await assertUnchanged(sandbox, path, body);
    }
    assert.equal((await sandbox.timeline(created.id)).length, entries);
    const [kept] = await service.database.query<{ revision: number; methods: string; addresses: string }>(sql`
      select s.revision,
        (select count(*) from payment_methods where project_id = s.project_id) as methods,
        (select count(*) from addresses where project_id = s.project_id) as addresses
      from subscriptions s where s.number = ${created.number}`);
    assert.deepEqual([Number(kept?.methods), Number(kept?.addresses)], [1, 2], 'of nothing a second one is kept');
  });

  test('is edited by one member that differs, and by another spelling of a number', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id, payment_method: method } = await sandbox.signUp({ metadata: { a: 1 } });
    const account = { type: 'sepa_debit', sepa_debit: { iban: 'DE89370400440532013000', account_holder: 'Eva' } };
    const edited = must(await sandbox.patch(id, { metadata: { a: 1 }, payment_method: account }), 200);
    assert.notEqual(edited.payment_method, method);
    const spelt = await sandbox.call('PATCH', `/subscriptions/${id}`, { body: '{"metadata":{"a":1.0}}' });
    assert.match(spelt.text, /"metadata":\{"a":1\.0\}/);
    const edits = (await sandbox.timeline(id)).filter(({ event }) => (event?.fields ?? null) !== null);
    assert.deepEqual(
      edits.map(({ event }) => [event.fields, Object.keys(event.previous_attributes)]),
      [
        [['/metadata', '/payment_method'], ['payment_method']],
        [['/metadata'], ['metadata']],
      ],
    );
  });

  test('that asks for a member is answered by the member as it is', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp({ meter: meterOnly(), address: addressIn('99901') });
    await sandbox.advanceBy('P1D');
    assert.equal((await sandbox.read(id)).next_action.code, 'market_location_not_found');
    await assertUnchanged(sandbox, `/subscriptions/${id}`, { metadata: {} });
    const { meter } = must(await sandbox.call('GET', `/subscriptions/${id}?expand[]=meter`), 200);
    const answered = must(await sandbox.patch(id, { meter: { number: meter.number } }), 200);
    assert.equal(answered.next_action, null);
    assert.deepEqual(eventTypes(await sandbox.timeline(id)).slice(-2), ['action_resolved', 'updated']);
    await assertUnchanged(sandbox, `/subscriptions/${id}`, { meter: { number: meter.number } });
  });
});

test('a customer, whose subscriptions are told of nothing either', async () => {
  const sandbox = await openSandbox(service, MONDAY);
  const { customer } = await sandbox.signUp();
  await assertUnchanged(sandbox, `/customers/${customer}`, { first_name: 'Erika' });
});

test('a plan, whatever it names', async () => {
  const sandbox = await openSandbox(service, MONDAY);
  const inProject = { ...service, call: (...call: Parameters<Sandbox['call']>) => sandbox.call(...call) };
  const { id, name, slug } = await createPlan(inProject, { price: 12.9, description: 'Öko' });
  for (const body of [
    { name },
    { price: 12.9, slug, active: true },
    { description: 'Öko', cancellation_period: 'P1M' },
  ]) {
    await assertUnchanged(sandbox, `/plans/${id}`, body);
  }
  assert.equal(must(await sandbox.call('PATCH', `/plans/${id}`, { body: { name, price: 12.91 } }), 200).price, 12.91);
});

test('a lead, whatever it names', async () => {
  const sandbox = await openSandbox(service, MONDAY);
  const iban = germanIban();
  const known = {
    plan: sandbox.planId,
    address: { zip: '51147' },
    customer: { last_name: 'Mustermann' },
    meter: { estimated_usage: 3500 },
    payment_method: { type: 'sepa_debit', sepa_debit: { iban } },
    previous_supplier: await sandbox.supplier('confirms'),
    product_orders: [{ type: '14a_enwg', '14a_enwg': { module_1: true } }],
    external_id: 'visitor-1',
    metadata: { step: 2 },
  };
  const { id } = must(await sandbox.call('POST', '/leads', { body: known }), 201);
  for (const [name, value] of Object.entries(known)) await assertUnchanged(sandbox, `/leads/${id}`, { [name]: value });
  await assertUnchanged(sandbox, `/leads/${id}`, { ...known, intended_start_date: null, next_possible_start: null });
  const changed = must(await sandbox.call('PATCH', `/leads/${id}`, { body: { ...known, external_id: 'b' } }), 200);
  assert.equal(changed.external_id, 'b');
  assert.notEqual(changed.updated_at, changed.created_at);
});

test('a lead of which nothing is known, whatever is said to be unknown', async () => {
  const sandbox = await openSandbox(service, MONDAY);
  const known = { plan: sandbox.planId, address: { zip: '51147' } };
  const { id } = must(await sandbox.call('POST', '/leads', { body: known }), 201);
  for (const body of [
    { customer: null, meter: null, payment_method: null, product_orders: null, metadata: null },
    { customer: {} },
    { customer: { company_name: null, vat_id: null } },
    { meter: { malo: null } },
    { address: { city: null } },
    { payment_method: { type: null, sepa_debit: null } },
    { payment_method: { sepa_debit: { iban: null } } },
    { metadata: {} },
    { metadata: { step: null } },
  ]) {
    await assertUnchanged(sandbox, `/leads/${id}`, body);
  }
});

test('a webhook endpoint, whatever it names', async () => {
  const sandbox = await openSandbox(service, MONDAY);
  const known = { url: 'https://hooks.example.com/a', types: ['subscription.*'], description: 'ours', enabled: true };
  const { id } = must(await sandbox.call('POST', '/webhook-endpoints', { body: known }), 201);
  // Its times are those of the wall.
  await service.database.query(sql`
    update webhook_endpoints set created_at = created_at - interval '1 hour', updated_at = updated_at - interval '1 hour'
    where id = ${parseId('whe', id)}`);
  for (const [name, value] of Object.entries(known)) {
    await assertUnchanged(sandbox, `/webhook-endpoints/${id}`, { [name]: value });
  }
  const changed = must(await sandbox.call('PATCH', `/webhook-endpoints/${id}`, { body: { enabled: false } }), 200);
  assert.notEqual(changed.updated_at, changed.created_at);
  await assertUnchanged(sandbox, `/webhook-endpoints/${id}`, { enabled: false });
});
