/**
 * Persons are erased in a service that runs as a process of its own with the most talkative log: nothing personal is left
 * anywhere, the contract still reads, and nobody else is touched.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { parseId } from '#domain/identifiers.ts';
import {
  addressSchema,
  customerSchema,
  meterSchema,
  paymentMethodSchema,
  subscriptionSchema,
} from '#features/subscriptions/index.ts';
import { customerExportSchema } from '#features/customers/schema.ts';
import { formats } from '#features/formats.ts';
import { createKeys } from '#platform/crypto.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import { germanIban, type Json } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ask, eventually, startProcess, type ServiceProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { fetchToken, send, type CallOptions, type Reply } from '../support/service.ts';
import { disguises, dumpDatabase, type DumpedRow } from '../support/traces.ts';

const secret = Buffer.alloc(32, 0x5e);
const keys = createKeys(secret);
const client = { clientId: 'erasure', clientSecret: 'secret-of-the-test-of-erasures-0123456789' };
const EXPAND = '?expand[]=customer&expand[]=address&expand[]=meter&expand[]=payment_method&expand[]=billing_address';

/** Somebody all of whose data are recognisable. */
interface Person {
  /** Everything personal that was ever said of him, by what it is. */
  readonly said: Map<string, string>;
  readonly isCompany: boolean;
  sub: string;
  cus: string;
}

const people: Record<'erika' | 'firm' | 'other', Person> = {
  erika: { said: new Map(), isCompany: false, sub: '', cus: '' },
  firm: { said: new Map(), isCompany: true, sub: '', cus: '' },
  other: { said: new Map(), isCompany: false, sub: '', cus: '' },
};

const endings: (() => Promise<void>)[] = [];
let database: TestDatabase;
let service: ServiceProcess;
let receiver: Receiver;
let url: string;
let token: string;
let plan: string;
let silent: string;
let supplier: string;
let dumpBefore: DumpedRow[] = [];
let dumpAfter: DumpedRow[] = [];
let readBefore: Record<string, Json>;
let otherBefore: Json[];
let eventsBefore: readonly Told[];
let refusedWhileActive: Reply;
const erasures: Record<string, Reply> = {};

const call = (method: string, path: string, options: CallOptions = {}): Promise<Reply> =>
  send(url, method, path, { token, ...options });
const word = (): string => `q${randomBytes(9).toString('hex')}`;

/** Says something personal that occurs nowhere else, and remembers it. */
function say(person: Person, what: string, text: string = word()): string {
  person.said.set(`${what} ${person.said.size}`, text);
  return text;
}

const emailOf = (person: Person): string => {
  const known = [...person.said].find(([what]) => what.startsWith('e-mail '))?.[1];
  return `${known ?? say(person, 'e-mail')}@Example.com`;
};
const address = (person: Person): Json => ({
  street: `Straße ${say(person, 'street')}`,
  house_number: say(person, 'house number', word().slice(0, 15)),
  zip: '73431',
  city: say(person, 'city'),
});
const paymentMethod = (person: Person): Json => {
  const iban = germanIban(BigInt(randomInt(2 ** 40)) + 2_000_000_000n);
  say(person, 'IBAN', iban);
  say(person, 'account', iban.slice(-10));
  return { type: 'sepa_debit', sepa_debit: { iban, account_holder: `Inhaber ${say(person, 'account holder')}` } };
};
const metadata = (person: Person): Json => ({
  [say(person, 'metadata key')]: say(person, 'metadata value'),
  nested: { [say(person, 'nested key')]: [say(person, 'nested value')] },
});
const headers = (person: Person): Record<string, string> => ({
  'idempotency-key': say(person, 'idempotency key'),
  'x-reason': say(person, 'reason'),
});

function signUpBody(person: Person, lead: string): Json {
  return {
    plan,
    customer: {
      ...(person.isCompany ? { type: 'company', company_name: `Firma ${say(person, 'company')}` } : {}),
      first_name: say(person, 'first name'),
      last_name: `Ä${say(person, 'last name')}`,
      email: emailOf(person),
      vat_id: say(person, 'VAT id', `DE${randomInt(100_000_000, 999_999_999)}`),
    },
    address: address(person),
    meter: { number: `1 emh-${say(person, 'meter number')}`, type: 'modern', estimated_usage: 1234 },
    payment_method: paymentMethod(person),
    next_possible_start: true,
    ...(person.isCompany ? {} : { previous_supplier: silent }),
    lead,
    external_id: say(person, 'external id'),
    metadata: metadata(person),
    product_orders: [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_1: true } }],
  };
}

/** Signs up from a lead, tries it again under another key, and says everything anew in every way there is. */
async function live(person: Person): Promise<void> {
  const leadBody = (): Json => ({
    plan,
    customer: { first_name: say(person, 'lead name'), email: emailOf(person).toUpperCase() },
    address: address(person),
    meter: { number: say(person, 'lead meter') },
    payment_method: paymentMethod(person),
    external_id: say(person, 'lead external id'),
    metadata: metadata(person),
  });
  const lead = must(await call('POST', '/leads', { body: leadBody(), headers: headers(person) }), 201).id as string;
  const change = { customer: { last_name: say(person, 'lead last name') } };
  must(await call('PATCH', `/leads/${lead}`, { body: change, headers: headers(person) }), 200);
  // One that becomes nothing.
  must(await call('POST', '/leads', { body: leadBody(), headers: headers(person) }), 201);
  const body = signUpBody(person, lead);
  const created = must(await call('POST', `/subscriptions${EXPAND}`, { body, headers: headers(person) }), 201);
  Object.assign(person, { sub: created.id, cus: created.customer.id });
  assert.equal((await call('POST', '/subscriptions', { body, headers: headers(person) })).status, 409);
  const patch = async (path: string, change: Json): Promise<void> =>
    void must(await call('PATCH', path, { body: change, headers: headers(person) }), 200);
  const subscription = `/subscriptions/${person.sub}`;
  await patch(subscription, { customer: { first_name: say(person, 'corrected first name') } });
  await patch(subscription, { meter: { number: say(person, 'corrected meter number') } });
  await patch(subscription, { address: { street: say(person, 'corrected street') } });
  await patch(subscription, { metadata: { [say(person, 'merged key')]: say(person, 'merged value') } });
  await patch(subscription, { metadata: null });
  await patch(subscription, { metadata: metadata(person) });
  await patch(subscription, { payment_method: paymentMethod(person) });
  await patch(subscription, { billing_address: address(person) });
  await patch(subscription, { billing_address: address(person) });
  await patch(`/customers/${person.cus}`, {
    last_name: say(person, 'changed last name'),
    email: `${say(person, 'changed e-mail')}@example.org`,
    vat_id: null,
  });
  // However the paths are spelled.
  const spellings = [`/%63ustomers/${person.cus}`, `/customers/${person.cus.replace('_', '%5F')}`];
  for (const path of spellings) await patch(path, { last_name: say(person, `last name by ${path}`) });
  await patch(`/%73ubscriptions/${person.sub}`, { metadata: metadata(person) });
  const refused = await call('PATCH', `/customers/${person.cus}`, { body: { email: 'x' }, headers: headers(person) });
  assert.equal(refused.status, 400);
  await call('GET', `/customers?search=${person.said.values().next().value}`);
  await call('GET', `/customers/${person.cus}/export`);
}

const advance = async (by: string): Promise<void> =>
  void must(await call('POST', '/sandbox/clock', { body: { advance_by: by } }), 200);

const faultsOfExport = createSchemaCompiler(formats).compile(customerExportSchema);

/** An export, of which every member is as its schema says. */
async function readExport({ cus }: Person): Promise<Json> {
  const held = must(await call('GET', `/customers/${cus}/export`), 200);
  assert.deepEqual(faultsOfExport(held), []);
  return held;
}

async function readAll(person: Person): Promise<Json[]> {
  const { sub } = person;
  const subscription = must(await call('GET', `/subscriptions/${sub}${EXPAND}`), 200);
  const timeline = must(await call('GET', `/subscriptions/${sub}/timeline?limit=100`), 200);
  // Deliveries are laid out by and by.
  const { exported_at: _, webhook_deliveries: _deliveries, ...held } = await readExport(person);
  return [subscription, timeline, held];
}

/** An event of something that an export names. */
interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, Json>>;
}

const readEvents = async (person: Person): Promise<readonly Told[]> => (await readExport(person)).events;

before(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver((response) => response.writeHead(500).end());
  service = startProcess(
    { after: (work) => void endings.push(work) },
    {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: secret.toString('base64'),
      BOOTSTRAP_CLIENT_ID: client.clientId,
      BOOTSTRAP_CLIENT_SECRET: client.clientSecret,
      LOG_LEVEL: 'trace',
      RATE_LIMIT: 'off',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 50 }, () => '1').join(','),
    },
  );
  url = await service.ready();
  token = await fetchToken(url, client);
  plan = must(await call('GET', '/plans'), 200).items[0].id;
  supplier = must(await call('GET', '/suppliers?search=confirms'), 200).items[0].id;
  silent = must(await call('GET', '/suppliers?search=silent'), 200).items[0].id;
  must(await call('POST', '/webhook-endpoints', { body: { url: receiver.url, types: ['*'] } }), 201);
  for (const person of Object.values(people)) await live(person);
  const { erika, firm, other } = people;
  await advance('P1D');
  // A cancellation that is with somebody already is taken back, and remembered.
  for (const { sub } of [erika, other]) {
    must(await call('PATCH', `/subscriptions/${sub}`, { body: { previous_supplier: supplier } }), 200);
  }
  await advance('P15D');
  for (const { sub } of Object.values(people)) {
    assert.equal(must(await call('GET', `/subscriptions/${sub}`), 200).status, 'active');
  }
  refusedWhileActive = await call('POST', `/customers/${erika.cus}/erase`, { headers: headers(erika) });
  for (const person of [erika, firm]) {
    for (const [kind, action] of [
      ['meter-orders', 'cancel'],
      ['grid-fee-reductions', 'end'],
    ]) {
      const [order] = must(await call('GET', `/${kind}?filter[subscription][eq]=${person.sub}`), 200).items;
      must(await call('POST', `/${kind}/${order.id}/${action}`, { headers: headers(person) }), 200);
    }
    const path = `/subscriptions/${person.sub}/terminate`;
    must(await call('POST', path, { body: { reason: 'ordinary' }, headers: headers(person) }), 200);
  }
  await advance('P60D');
  readBefore = must(await call('GET', `/subscriptions/${erika.sub}`), 200);
  otherBefore = await readAll(other);
  eventsBefore = await readEvents(erika);
  for (const person of Object.values(people)) {
    const { malo } = must(await call('GET', `/subscriptions/${person.sub}?expand[]=meter`), 200).meter;
    say(person, 'market location', malo);
  }
  dumpBefore = await dumpDatabase(database.connection, keys);
  for (const name of ['erika', 'firm'] as const) {
    const reason = { 'x-reason': say(people[name], 'reason') };
    erasures[name] = await call('POST', `/customers/${people[name].cus}/erase`, { headers: reason });
  }
  dumpAfter = await dumpDatabase(database.connection, keys);
});
after(async () => {
  for (const end of endings) await end();
  await receiver.close();
  await database.drop();
});

/** Where a text stands, in whatever form. */
function placesOf(dump: readonly DumpedRow[], text: string): string[] {
  const forms = disguises(text);
  const found = dump.filter((row) => {
    const lower = row.text.toLowerCase();
    return forms.some((form) => lower.includes(form));
  });
  return [...new Set(found.map(({ table }) => table))];
}

describe('an erasure', () => {
  test('is refused while a supply runs, naming the subscription', () => {
    assert.equal(refusedWhileActive.status, 409);
    assert.equal(refusedWhileActive.json.code, 'customer_has_running_supply');
    assert.deepEqual(refusedWhileActive.json.subscriptions, [people.erika.sub]);
  });

  test('leaves nothing personal in any table, in whatever form, and there was plenty', () => {
    for (const person of [people.erika, people.firm]) {
      assert.ok(person.said.size > 40);
      for (const [what, text] of person.said) {
        // Why something was asked that was refused is not kept.
        if (!what.startsWith('reason')) assert.notDeepEqual(placesOf(dumpBefore, text), [], `${what} was nowhere`);
        assert.deepEqual(placesOf(dumpAfter, text), [], what);
      }
      const reasons = [...person.said].filter(([what]) => what.startsWith('reason'));
      assert.ok(reasons.filter(([, text]) => placesOf(dumpBefore, text).length > 0).length > 5);
    }
  });

  test('leaves no postcode either', async () => {
    const [row] = await ask<{ zips: string[] }>(
      database.connection,
      `select array(
         select zip from addresses union all select zip from subscriptions union all select zip from leads
         union all select memory -> 'supply' -> 'facts' ->> 'zip' from market_processes
         union all select contents ->> 'zip' from market_messages where contents ->> 'zip' is not null
       ) as zips`,
    );
    const count = (zip: string): number => row?.zips.filter((each) => each === zip).length ?? 0;
    const ofOther = [...JSON.stringify(otherBefore[2]).matchAll(/"73431"/g)].length;
    assert.ok(count('99999') >= 2 * 6);
    assert.ok(count('73431') > 0 && count('73431') <= ofOther + 3);
  });

  test('leaves the whole of another customer untouched', async () => {
    assert.deepEqual(await readAll(people.other), otherBefore);
    const { said, sub, cus } = people.other;
    const marks = [...said.values(), sub, cus, parseId('sub', sub) ?? '', parseId('cus', cus) ?? ''];
    const rowsOf = (dump: readonly DumpedRow[]): string[] =>
      dump
        // What goes on by itself: deliveries are attempted.
        .filter(({ table }) => table !== 'webhook_deliveries')
        .filter(({ text }) => marks.some((mark) => text.includes(mark)))
        .map(({ table, text }) => `${table} ${text}`);
    assert.ok(rowsOf(dumpBefore).length > 50);
    assert.deepEqual(rowsOf(dumpAfter), rowsOf(dumpBefore));
  });

  test('answers what is kept and until when, and the same once more', async () => {
    const { erika } = people;
    const { status, json } = erasures['erika'] ?? {};
    assert.equal(status, 200);
    const year = Number(readBefore['end_at'].slice(0, 4));
    assert.deepEqual(json, {
      object: 'customer_erasure',
      customer: erika.cus,
      erased_at: json.erased_at,
      kept: [
        {
          what: `subscription ${erika.sub} (number, plan, dates, status, amounts)`,
          reason: '§ 147 AO, § 257 HGB: accounting records',
          until: `${year + 8}-12-31`,
        },
      ],
    });
    const again = await call('POST', `/customers/${erika.cus}/erase`, { headers: { 'idempotency-key': 'again' } });
    assert.deepEqual([again.status, again.json], [200, json]);
    const events = await eventually(async () => {
      const items = must(await call('GET', '/events?limit=500&types=customer.erased'), 200).items as Json[];
      return items.length < 2 ? null : items;
    }, 'both are told of');
    assert.deepEqual(
      events.map(({ data }) => data.customer.id),
      [erika.cus, people.firm.cus],
    );
  });
});

describe('what is erased', () => {
  test('still reads as the schemas say, with placeholders', async () => {
    const check = createSchemaCompiler(formats);
    for (const [name, { sub, cus }] of Object.entries(people)) {
      if (name === 'other') continue;
      const shown = must(await call('GET', `/subscriptions/${sub}${EXPAND}`), 200);
      const plain = must(await call('GET', `/subscriptions/${sub}`), 200);
      const schemas: [TSchema, Json][] = [
        [customerSchema, shown.customer],
        [addressSchema, shown.address],
        [addressSchema, shown.billing_address],
        [meterSchema, shown.meter],
        [paymentMethodSchema, shown.payment_method],
        [subscriptionSchema, plain],
      ];
      for (const [schema, value] of schemas) assert.deepEqual(check.compile(schema)(value), []);
      const customer = must(await call('GET', `/customers/${cus}`), 200);
      assert.deepEqual(customer, shown.customer);
      assert.equal(customer.erased_at, erasures[name]?.json.erased_at);
      assert.deepEqual([customer.first_name, customer.email], ['erased', 'erased@erased.invalid']);
      assert.deepEqual([plain.metadata, plain.external_id, plain.status], [null, null, 'ended']);
    }
  });

  test('keeps the contract: as_of, timeline, feed and export tell its story without the person', async () => {
    const { sub, cus } = people.erika;
    const erased = {
      external_id: null,
      metadata: null,
      product_orders: [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': {} }],
    };
    const now: Json = must(await call('GET', `/subscriptions/${sub}`), 200);
    assert.deepEqual({ ...now }, { ...readBefore, ...erased });
    assert.deepEqual(must(await call('GET', `/subscriptions/${sub}?as_of=2099-01-01T00:00:00Z`), 200), now);
    const then = must(await call('GET', `/subscriptions/${sub}?as_of=${now.start_at}`), 200);
    assert.deepEqual([then.status, then.number, then.metadata], ['active', now.number, null]);
    const timeline = must(await call('GET', `/subscriptions/${sub}/timeline?limit=100`), 200).items as Json[];
    assert.ok(timeline.some(({ message }) => message?.kind === 'registration' && message.contents.start !== undefined));
    const { items } = must(await call('GET', `/customers/${cus}/timeline`), 200);
    assert.deepEqual(
      items.map(({ type, previous_attributes: previous }: Json) => [type, previous]),
      [...Array.from({ length: 4 }, () => ['updated', {}]), ['erased', {}]],
    );
    assert.equal(must(await call('GET', `/customers/${cus}/export`), 200).events.length > 10, true);
    const found = must(await call('GET', '/customers?filter[email][eq]=erased@erased.invalid'), 200);
    assert.equal(found.items.length, 2);
  });

  test('is exported and told by its events as the schemas say, orders as they were and a lead as it is read', async () => {
    const events = (await readEvents(people.erika)).filter(({ type }) => type !== 'customer.erased');
    const types = new Set(events.map(({ type }) => type));
    for (const type of ['lead.converted', 'meter_order.cancelled', 'grid_fee_reduction.ended'])
      assert.ok(types.has(type));
    const unchanged = ({ type }: Told): boolean => /^(?:meter_order|grid_fee_reduction|customer)\./.test(type);
    assert.deepEqual(events.filter(unchanged), eventsBefore.filter(unchanged));
    const told = events.find(({ type }) => type === 'lead.converted')?.data['lead'];
    assert.deepEqual(told, must(await call('GET', `/leads/${told?.id}`), 200));
  });

  test('takes nothing new', async () => {
    const { sub, cus } = people.erika;
    for (const [path, body] of [
      [`/customers/${cus}`, { first_name: 'Erika' }],
      [`/subscriptions/${sub}`, { metadata: { note: 'again' } }],
      [`/subscriptions/${sub}`, { billing_address: null }],
    ] as const) {
      const refused = await call('PATCH', path, { body });
      assert.deepEqual([refused.status, refused.json.code], [409, 'customer_erased'], path);
    }
  });

  test('is told to webhooks without the person, also where it waited to be sent', async () => {
    const begin = receiver.received.length;
    assert.ok(begin > 0, 'something was attempted before');
    receiver.answer = (response) => void response.writeHead(204).end();
    await eventually(
      () => receiver.received.some(({ event }) => event.type === 'customer.erased'),
      'the erasure is told',
    );
    await eventually(
      () => receiver.received.slice(begin).some(({ event }) => event.type === 'subscription.ended'),
      'the rest is told',
    );
    // An attempt that was under way may still have had the former text: those after it are looked at.
    const sent = receiver.received.slice(begin + 3).map(({ body }) => ({ table: 'webhook', text: body }));
    for (const person of [people.erika, people.firm]) {
      for (const [what, text] of person.said) assert.deepEqual(placesOf(sent, text), [], what);
    }
  });
});

test('the log has nothing of anybody', () => {
  const log = [service.stdout(), service.stderr()].map((text) => ({ table: 'log', text }));
  assert.match(log.map(({ text }) => text).join(''), /"msg":"answered"/);
  for (const person of Object.values(people)) {
    for (const [what, text] of person.said) assert.deepEqual(placesOf(log, text), [], what);
  }
});
