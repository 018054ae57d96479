/** Customers and what is stored with them: read, listed, searched, changed with a history. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import { fieldErrors, germanIban, otherProject, signUp, type Json } from '../support/builders.ts';
import { published } from '../support/feed.ts';
import { addressIn, meterOnly, must, openSandbox, signUpActive, type Sandbox } from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const open = (): Promise<Sandbox> => openSandbox(service, '2037-11-30T09:00:00Z');
const person = (first: string, last: string, email: string): Json => ({
  customer: { first_name: first, last_name: last, email },
});
const company = (name: string, email: string): Json => ({
  customer: { type: 'company', company_name: name, first_name: 'Erika', last_name: 'Muster', email },
});
const patch = (sandbox: Sandbox, id: string, body: unknown, headers = {}): Promise<Reply> =>
  sandbox.call('PATCH', `/customers/${id}`, { body, headers });

const events = async (sandbox: Sandbox, types: string): Promise<Json[]> => {
  await published(service.database);
  const all = must(await sandbox.call('GET', '/events?limit=500'), 200).items as Json[];
  return all.filter(({ type }) => String(type).startsWith(types));
};

describe('reading', () => {
  test('a customer, his address, meter and payment method read as expand[] shows them, each with its tag', async () => {
    const sandbox = await open();
    const expand = '?expand[]=customer&expand[]=address&expand[]=meter&expand[]=payment_method';
    const { id } = await sandbox.signUp({
      payment_method: {
        type: 'sepa_debit',
        sepa_debit: { iban: 'DE89370400440532013000', account_holder: 'Erika Mustermann' },
      },
    });
    const shown = must(await sandbox.call('GET', `/subscriptions/${id}${expand}`), 200);
    for (const [path, member] of [
      ['customers', 'customer'],
      ['addresses', 'address'],
      ['meters', 'meter'],
      ['payment_methods', 'payment_method'],
    ] as const) {
      const reply = await sandbox.call('GET', `/${path}/${shown[member].id}`);
      assert.deepEqual(must(reply, 200), shown[member]);
      const tag = reply.headers.get('etag') ?? '';
      const again = await sandbox.call('GET', `/${path}/${shown[member].id}`, { headers: { 'if-none-match': tag } });
      assert.equal(again.status, 304);
      for (const wrong of [id, 'x', `${member}_x`]) {
        assert.equal((await sandbox.call('GET', `/${path}/${wrong}`)).status, 404);
      }
    }
    assert.equal(shown.customer.erased_at, null);
    assert.equal(shown.payment_method.sepa_debit.iban, 'DE89**************3000');
  });

  test('an e-mail address is found however Unicode spells it, in the lists of customers, subscriptions and leads', async () => {
    const sandbox = await open();
    const kept = 'Jürgen@müller.example';
    const ids: Json[] = [];
    for (const form of ['NFC', 'NFD'] as const) {
      const customer = person('Erika', 'Muster', kept.normalize(form));
      const subscription = await sandbox.signUp(customer);
      const body = { plan: subscription.plan, ...customer, address: { zip: '51147' } };
      const lead = must(await sandbox.call('POST', '/leads', { body }), 201);
      ids.unshift({ subscription: subscription.id, customer: subscription.customer, lead: lead.id });
    }
    const other = await sandbox.signUp(person('Erika', 'Muster', 'erika@example.com'));
    const list = async (path: string): Promise<string[]> =>
      must(await sandbox.call('GET', path), 200).items.map(({ id }: Json) => id);
    for (const form of ['NFC', 'NFD'] as const) {
      const email = encodeURIComponent(kept.normalize(form).toUpperCase());
      const found = {
        customers: await list(`/customers?filter[email][eq]=${email}`),
        among: await list(`/customers?filter[email][in]=${email},x@example.com`),
        searched: await list(`/customers?search=${email}`),
        subscriptions: await list(`/subscriptions?filter[customer.email][eq]=${email}`),
        leads: await list(`/leads?filter[customer.email][eq]=${email}`),
      };
      const customers = ids.map(({ customer }) => customer);
      assert.deepEqual(found, {
        customers,
        among: customers,
        searched: customers,
        subscriptions: ids.map(({ subscription }) => subscription),
        leads: ids.map(({ lead }) => lead),
      });
      assert.deepEqual(await list(`/customers?filter[email][ne]=${email}`), [other.customer]);
      assert.deepEqual(await list(`/subscriptions?filter[customer.email][ne]=${email}`), [other.id]);
    }
  });

  test('the list is newest first, in pages, and filtered by e-mail in whatever case, type and times', async () => {
    const sandbox = await open();
    const ids: string[] = [];
    for (const index of [1, 2, 3]) {
      const { customer } = await sandbox.signUp(person('Erika', 'Muster', `Number.${index}@Example.com`));
      ids.unshift(customer);
      await sandbox.advanceBy('PT1S');
    }
    const { customer: firm } = await sandbox.signUp(company('Muster GmbH', 'firm@example.com'));
    const list = async (query: string): Promise<string[]> =>
      must(await sandbox.call('GET', `/customers?${query}`), 200).items.map(({ id }: Json) => id);
    assert.deepEqual(await list(''), [firm, ...ids]);
    const first = must(await sandbox.call('GET', '/customers?limit=3'), 200);
    const second = must(await sandbox.call('GET', `/customers?limit=3&cursor=${first.next_page}`), 200);
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }: Json) => id),
      [firm, ...ids],
    );
    assert.equal(second.has_more, false);
    assert.deepEqual(await list('filter[email][eq]=nUMBER.2@example.COM'), [ids[1]]);
    assert.deepEqual(await list('filter[email][in]=number.1@example.com,NUMBER.3@example.com'), [ids[0], ids[2]]);
    assert.deepEqual(await list('filter[email][ne]=NUMBER.2@example.com'), [firm, ids[0], ids[2]]);
    assert.deepEqual(await list('filter[type][eq]=company'), [firm]);
    assert.deepEqual(await list('filter[created_at][gt]=2037-11-30T09:00:03Z'), []);
    assert.deepEqual(await list('filter[created_at][gte]=2037-11-30T09:00:03Z&filter[type][eq]=company'), [firm]);
    await sandbox.advanceBy('PT1H');
    await patch(sandbox, ids[0] ?? '', { vat_id: 'DE123456789' });
    assert.deepEqual(await list('filter[updated_at][gte]=2037-11-30T10:00:00Z'), [ids[0]]);
    assert.equal((await sandbox.call('GET', '/customers?filter[last_name][eq]=x')).json.code, 'unknown_filter');
  });
});

describe('searching', () => {
  let sandbox: Sandbox;
  const named: Record<string, string> = {};
  before(async () => {
    sandbox = await open();
    for (const [name, overrides] of Object.entries({
      müller: person('Jürgen', 'Müller-Lüdenscheidt', 'jm@example.com'),
      mueller: person('Anna', 'Mueller', 'anna.weiss@example.org'),
      œuvre: person('Zoë', 'Großmann', 'zoe_100@example.net'),
      firm: company('Bäckerei Öztürk & Söhne GmbH', 'info@backstube.example'),
      namesake: person('Jo', 'Meier', 'jo.jm@example.com'),
      plant: company('Bioenergie Marika eG', 'post@biogas.example'),
      double: person('Aylin', "Çelik-O'Brien", 'aylin@example.net'),
    })) {
      named[name] = (await sandbox.signUp(overrides)).customer;
      await sandbox.advanceBy('PT1S');
    }
  });

  const found = async (text: string, more = ''): Promise<string[]> => {
    const reply = await sandbox.call('GET', `/customers?search=${encodeURIComponent(text)}${more}`);
    const ids = new Set(must(reply, 200).items.map(({ id }: Json) => id as string));
    return Object.keys(named).filter((name) => ids.has(named[name] ?? ''));
  };

  for (const [text, names] of Object.entries({
    müller: ['müller', 'mueller'],
    MUELLER: ['müller', 'mueller'],
    mULLER: ['müller', 'mueller'],
    'muller jurgen': ['müller'],
    'jürgen mül': ['müller'],
    lüdenscheidt: ['müller'],
    uedenscheidt: ['müller'],
    denscheid: ['müller'],
    lü: ['müller'],
    de: [],
    weiß: ['mueller'],
    'anna.weiss@example.org': ['mueller'],
    'ANNA.WEISS@': ['mueller'],
    // A whole address finds who has it, a part of one everybody who has its words.
    'jm@example.com': ['müller'],
    ' JM@Example.com ': ['müller'],
    'jm@example': ['müller', 'namesake'],
    'com@example.jm': ['müller', 'namesake'],
    zoe: ['œuvre'],
    grossmann: ['œuvre'],
    zoe_100: ['œuvre'],
    'zoe%': ['œuvre'],
    'baeckerei oztuerk': ['firm'],
    soehne: ['firm'],
    backstube: ['firm'],
    energie: ['plant'],
    'bio energie': ['plant'],
    eckerei: [],
    // Too little is left without the `e` that may be the dots of an umlaut.
    ioe: [],
    ener: [],
    energ: ['plant'],
    // The ninth word is not looked at.
    'bio bioenergie energie marika mar eg post biogas nobody': ['plant'],
    'bio bioenergie energie marika mar eg post nobody': [],
    // Punctuation parts words, whichever it is, in what is typed as in a name.
    "o'brien": ['double'],
    'O’BRIEN': ['double'],
    'o brien': ['double'],
    'celik brien': ['double'],
    obrien: [],
    celikobrien: [],
    nobody: [],
    'müller nobody': [],
    '%%%': [],
    _: [],
  })) {
    test(`${text} finds ${names.join(' and ') || 'nobody'}`, async () => assert.deepEqual(await found(text), names));
  }

  test('is told of as it is: what parts words, and what does not matter', async () => {
    const { paths } = must(await service.call('GET', '/openapi.json'), 200);
    const { description } = paths['/customers'].get.parameters.find(({ name }: Json) => name === 'search');
    assert.match(
      description,
      /up to eight.*`oet` does not.*Punctuation parts words.*`o'brien` and `o brien` find O'Brien, `obrien` does not/,
    );
    assert.doesNotMatch(description, /punctuation do not matter/);
  });

  test('goes with filters and pages, newest first, and follows a change', async () => {
    assert.deepEqual(await found('example', '&filter[type][eq]=company'), ['firm', 'plant']);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: Json = must(await sandbox.call('GET', `/customers?search=example&limit=1${next}`), 200);
      seen.push(...page.items.map(({ id }: Json) => id));
      cursor = page.next_page;
    } while (cursor !== null);
    assert.deepEqual(seen, Object.values(named).toReversed());
    must(await patch(sandbox, named['firm'] ?? '', { company_name: 'Konditorei Ådam' }), 200);
    assert.deepEqual(await found('baeckerei'), []);
    assert.deepEqual(await found('konditorei adam'), ['firm']);
  });

  test('goes on with its pages as it began when somebody gets the very address meanwhile, or loses it', async () => {
    const { customer: first } = await sandbox.signUp(person('Ida', 'Erste', 'paging.ida@words.example'));
    await sandbox.advanceBy('PT1S');
    const { customer: second } = await sandbox.signUp(person('Ida', 'Zweite', 'ida.paging@words.example'));
    const page = async (more: string): Promise<Json> =>
      must(await sandbox.call('GET', `/customers?search=words@paging.ida.example&limit=1${more}`), 200);
    const ids = ({ items }: Json): string[] => items.map(({ id }: Json) => id as string);
    const byWords = await page('');
    assert.deepEqual(ids(byWords), [second]);
    for (const customer of [first, second]) {
      must(await patch(sandbox, customer, { email: 'words@paging.ida.example' }), 200);
      assert.deepEqual(ids(await page(`&cursor=${byWords.next_page}`)), [first]);
    }
    const byAddress = await page('');
    assert.deepEqual(ids(byAddress), [second]);
    for (const customer of [second, first]) {
      assert.deepEqual(ids(await page(`&cursor=${byAddress.next_page}`)), [first]);
      must(await patch(sandbox, customer, { email: 'paging.ida@words.example' }), 200);
    }
    assert.deepEqual(ids(await page(`&cursor=${byAddress.next_page}`)), [], 'nobody has the address any more');
  });

  test('refuses nothing typed and too much, and a cursor of another search', async () => {
    for (const text of ['', 'x'.repeat(101)]) {
      assert.deepEqual(fieldErrors(await sandbox.call('GET', `/customers?search=${text}`)), [
        '?search invalid_parameter',
      ]);
    }
    const { next_page: cursor } = must(await sandbox.call('GET', '/customers?search=example&limit=1'), 200);
    const other = await sandbox.call('GET', `/customers?search=muller&cursor=${cursor}`);
    assert.equal(other.json.code, 'invalid_cursor');
  });

  test('finds nobody of another project', async () => {
    const other = await otherProject(service);
    assert.deepEqual((await other.call('GET', '/customers?search=muller')).json.items, []);
  });
});

describe('changing', () => {
  test('is kept with who did it and what was there before, and told without anything personal', async () => {
    const sandbox = await open();
    const { customer: id } = await signUpActive(sandbox, person('Erika', 'Mustermann', 'erika@example.com'));
    const now = await sandbox.now();
    const first = await patch(sandbox, id, { last_name: 'Musterfrau', email: 'e.musterfrau@example.com' });
    const { last_name: last, email, updated_at: at } = must(first, 200);
    assert.deepEqual([last, email, at], ['Musterfrau', 'e.musterfrau@example.com', now]);
    const second = await patch(sandbox, id, { vat_id: 'DE123456789' });
    must(await patch(sandbox, id, { vat_id: null }), 200);
    // What is so already is no change.
    const third = await patch(sandbox, id, { last_name: 'Musterfrau' });
    assert.deepEqual(must(third, 200), must(await sandbox.call('GET', `/customers/${id}`), 200));
    const { items } = must(await sandbox.call('GET', `/customers/${id}/timeline`), 200);
    assert.deepEqual(
      items.map(({ sequence, type, fields, previous_attributes: previous }: Json) => [
        sequence,
        type,
        fields,
        previous,
      ]),
      [
        [1, 'updated', ['/last_name', '/email'], { last_name: 'Mustermann', email: 'erika@example.com' }],
        [2, 'updated', ['/vat_id'], { vat_id: null }],
        [3, 'updated', ['/vat_id'], { vat_id: 'DE123456789' }],
      ],
    );
    assert.equal(items[0].request_id, first.headers.get('x-request-id'));
    assert.equal(items[1].request_id, second.headers.get('x-request-id'));
    assert.equal(items[0].actor.type, 'api');
    assert.match(items[0].actor.credential, /^crd_/);
    const page = must(await sandbox.call('GET', `/customers/${id}/timeline?limit=2`), 200);
    const rest = must(await sandbox.call('GET', `/customers/${id}/timeline?limit=2&cursor=${page.next_page}`), 200);
    assert.deepEqual([...page.items, ...rest.items], items);
    const told = await events(sandbox, 'customer.');
    assert.deepEqual(
      told.map(({ type, sequence, data }) => [type, sequence, data]),
      [['/last_name', '/email'], ['/vat_id'], ['/vat_id']].map((fields, index) => [
        'customer.updated',
        index + 1,
        {
          customer: { object: 'customer', id, updated_at: now, erased_at: null },
          previous_attributes: {},
          fields,
        },
      ]),
    );
    // The market has nothing to do with it any more.
    const subscription = await events(sandbox, 'subscription.updated');
    assert.deepEqual(subscription, []);
  });

  test('honours If-Match, repeats its answer for a key, and names every wrong member', async () => {
    const sandbox = await open();
    const { customer: id } = await sandbox.signUp();
    const tag = (await sandbox.call('GET', `/customers/${id}`)).headers.get('etag') ?? '';
    const headers = { 'if-match': tag, 'idempotency-key': 'change-1' };
    const changed = await patch(sandbox, id, { first_name: 'Erica' }, headers);
    assert.equal(changed.status, 200, changed.text);
    assert.notEqual(changed.headers.get('etag'), tag);
    assert.equal((await patch(sandbox, id, { first_name: 'Eva' }, { 'if-match': tag })).status, 412);
    const again = await patch(sandbox, id, { first_name: 'Erica' }, headers);
    assert.deepEqual([again.json, again.headers.get('idempotency-replayed')], [changed.json, 'true']);
    const members = { first_name: ' ', email: 'x', vat_id: 'y', type: 'company', company_name: 'X' };
    assert.deepEqual(fieldErrors(await patch(sandbox, id, members)), [
      '/company_name not_allowed',
      '/email invalid_email',
      '/first_name blank',
      '/type unknown_field',
      '/vat_id invalid_vat_id',
    ]);
    assert.equal((await patch(sandbox, id, {})).status, 400);
    assert.deepEqual(fieldErrors(await patch(sandbox, id, { company_name: 'X' })), ['/company_name not_allowed']);
    assert.deepEqual(fieldErrors(await patch(sandbox, id, { company_name: ' ' })), ['/company_name blank']);
    const { items } = must(await sandbox.call('GET', `/customers/${id}/timeline`), 200);
    assert.equal(items.length, 1);
  });

  test('of a name lets a process that waits for it go on, as PATCH /subscriptions/{id} does', async () => {
    const lives = await Promise.all(
      (['customer', 'subscription'] as const).map(async (way) => {
        const sandbox = await open();
        const { id, customer } = await sandbox.signUp({ meter: meterOnly(), address: addressIn('99901') });
        await sandbox.advanceBy('P1D');
        assert.equal((await sandbox.read(id)).next_action.code, 'market_location_not_found');
        const changed =
          way === 'customer'
            ? await patch(sandbox, customer, { last_name: 'Musterfrau' })
            : await sandbox.patch(id, { customer: { last_name: 'Musterfrau' } });
        assert.equal(changed.status, 200, changed.text);
        const { stage, next_action: action } = await sandbox.read(id);
        const timeline = await sandbox.timeline(id);
        const sent = timeline.flatMap(({ message }) => (message?.direction === 'out' ? [message.contents] : []));
        const { customer: who } = must(await sandbox.call('GET', `/subscriptions/${id}?expand[]=customer`), 200);
        const { items: history } = must(await sandbox.call('GET', `/customers/${customer}/timeline`), 200);
        const told = (await events(sandbox, '')).map(({ type, data }) => `${type} ${JSON.stringify(data.fields)}`);
        return {
          stage,
          action,
          names: sent.map(({ customerName }) => customerName),
          entries: timeline.map(({ type, event, message }) => [type, event?.type ?? message?.kind, event?.fields]),
          who: who.last_name,
          history: history.map(({ fields, previous_attributes: previous }: Json) => [fields, previous]),
          told: told.toSorted(),
        };
      }),
    );
    const [one, other] = lives;
    assert.deepEqual(one, other);
    assert.equal(one?.action, null);
    assert.equal(one.names.at(-1), 'Erika Musterfrau');
    assert.deepEqual(one.history, [[['/last_name'], { last_name: 'Mustermann' }]]);
  });

  test('of a name while nothing waits is told to the market by the next message', async () => {
    const sandbox = await open();
    const { id, customer } = await sandbox.signUp({ meter: meterOnly() });
    must(await patch(sandbox, customer, { first_name: 'Erica', email: 'erica@example.com' }), 200);
    await sandbox.advanceBy('P3D');
    const messages = (await sandbox.timeline(id)).flatMap(({ message }) => (message === null ? [] : [message]));
    const registration = messages.find(({ kind }) => kind === 'registration');
    assert.equal(registration?.contents.customerName, 'Erica Mustermann');
  });

  test('by several callers at once loses nothing', async () => {
    const sandbox = await open();
    const { id, customer } = await sandbox.signUp();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? patch(sandbox, customer, { email: `e${index}@example.com`, first_name: `E${index}` })
          : sandbox.patch(id, { customer: { first_name: `F${index}` } }),
      ),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    const { items } = must(await sandbox.call('GET', `/customers/${customer}/timeline?limit=100`), 200);
    assert.deepEqual(
      items.map(({ sequence }: Json) => sequence),
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });
});

test('an export holds everything about one person, the full IBAN and earlier accounts too, and nobody else', async () => {
  const sandbox = await open();
  const [iban, later] = [germanIban(), germanIban()];
  const account = (number: string): Json => ({
    payment_method: { type: 'sepa_debit', sepa_debit: { iban: number, account_holder: 'Erika Konto' } },
  });
  const body = { ...account(iban), ...person('Erika', 'Export', 'export@example.com'), metadata: { note: 'm1' } };
  const { id, customer } = await signUpActive(sandbox, { ...body, product_orders: [{ type: 'smart-meter' }] });
  await sandbox.signUp(person('Other', 'Person', 'other@example.com'));
  must(await sandbox.patch(id, account(later), { 'idempotency-key': 'export-key' }), 200);
  must(await sandbox.patch(id, { billing_address: { ...addressIn('10115'), street: 'Rechnungsweg' } }), 200);
  must(await sandbox.patch(id, { billing_address: null }), 200);
  must(await patch(sandbox, customer, { last_name: 'Exporta' }), 200);
  await events(sandbox, '');
  const reply = await sandbox.call('GET', `/customers/${customer}/export`);
  const held = must(reply, 200);
  assert.equal(reply.headers.get('cache-control'), 'no-store');
  assert.equal(held.customer.last_name, 'Exporta');
  assert.deepEqual(held.history[0].previous_attributes, { last_name: 'Export' });
  assert.deepEqual(held.subscriptions, [await sandbox.read(id)]);
  assert.deepEqual(held.timelines, [{ subscription: id, entries: await sandbox.timeline(id) }]);
  assert.deepEqual(
    held.payment_methods.map(({ sepa_debit: debit }: Json) => debit.iban).toSorted(),
    [iban, later].toSorted(),
  );
  assert.deepEqual(held.addresses.map(({ street }: Json) => street).toSorted(), ['Heidestraße', 'Rechnungsweg']);
  assert.equal(held.meters.length, 1);
  assert.deepEqual(
    held.idempotency_keys.map(({ key, method, path }: Json) => [key, method, path]),
    [['export-key', 'PATCH', `/subscriptions/${id}`]],
  );
  const all = must(await sandbox.call('GET', '/events?limit=500'), 200).items as Json[];
  const mine = all.filter(
    ({ data }) =>
      data.subscription?.id === id || data.customer?.id === customer || data.meter_order?.subscription === id,
  );
  assert.deepEqual(
    held.meter_orders.map(({ subscription }: Json) => subscription),
    [id],
  );
  assert.deepEqual(
    held.audit_entries.map(({ operation }: Json) => operation),
    ['createSubscription', 'updateSubscription', 'updateSubscription', 'updateSubscription', 'updateCustomer'],
  );
  assert.deepEqual(
    new Set(held.events.map(({ id: event }: Json) => event)),
    new Set(mine.map(({ id: event }) => event)),
  );
  for (const text of ['Other', 'other@example.com']) assert.ok(!reply.text.includes(text));
});

test('an erasure once more removes what the market has sent since, and an action refuses a body it does not know', async () => {
  const sandbox = await open();
  const { id, customer } = await signUpActive(sandbox, person('Late', 'Message', 'late@example.com'));
  must(await sandbox.call('POST', `/subscriptions/${id}/terminate`, { body: { reason: 'ordinary' } }), 200);
  must(await sandbox.call('POST', '/sandbox/clock', { body: { advance_by: 'P90D' } }), 200);
  const erase = (body?: Json): Promise<Reply> => sandbox.call('POST', `/customers/${customer}/erase`, { body });
  const refused = await erase({ dry_run: true });
  assert.deepEqual([refused.status, refused.json.errors[0].field], [400, '/dry_run']);
  assert.equal((await sandbox.call('GET', `/customers/${customer}`)).json.erased_at, null);
  const first = must(await erase({}), 200);
  await service.database.query(sql`
    update market_messages set contents = '{"customerName":"Late Message"}' where subscription_id = ${parseId('sub', id)}`);
  assert.match((await sandbox.call('GET', `/customers/${customer}/export`)).text, /Late Message/);
  assert.deepEqual(must(await erase(), 200), first);
  assert.doesNotMatch((await sandbox.call('GET', `/customers/${customer}/export`)).text, /Late Message/);
});

test('a sign-up that is refused leaves no customer', async () => {
  const { customer } = await signUp(service);
  const { items } = (await service.call('GET', '/customers?limit=1')).json;
  assert.equal(items[0].id, customer);
});
