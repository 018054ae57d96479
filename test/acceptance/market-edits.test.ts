/** PATCH of a subscription under way, its timeline, and reading it as it stood. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldErrors, germanIban, uniqueMalo, uniqueMeterNumber, type Json } from '../support/builders.ts';
import {
  addressIn,
  advanceUntil,
  berlin,
  eventTypes,
  later,
  messageCodes,
  meterOnly,
  must,
  openSandbox,
  sandboxBody,
  signUpActive,
  signUpConfirmed,
  transitions,
  type Sandbox,
} from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const MONDAY = berlin('2030-01-07T10:00');

function expanded(sandbox: Sandbox, id: string, ...names: string[]): Promise<Json> {
  const query = names.map((name) => `expand[]=${name}`).join('&');
  return sandbox.call('GET', `/subscriptions/${id}?${query}`).then((reply) => must(reply, 200));
}

/** Refused, and nothing has changed. */
async function assertRefused(
  sandbox: Sandbox,
  id: string,
  body: unknown,
  status: number,
  errors: string[] | string,
): Promise<void> {
  await sandbox.settle();
  const names = ['meter', 'address', 'customer', 'payment_method', 'billing_address'];
  const [before, timeline] = [await expanded(sandbox, id, ...names), await sandbox.timeline(id)];
  const reply = await sandbox.patch(id, body);
  assert.equal(reply.status, status, `${JSON.stringify(body)}: ${reply.text}`);
  if (typeof errors === 'string') assert.equal(reply.json.code, errors, reply.text);
  else assert.deepEqual(fieldErrors(reply), errors);
  assert.deepEqual(await expanded(sandbox, id, ...names), before);
  assert.deepEqual(await sandbox.timeline(id), timeline);
}

describe('payment method and billing address can be changed at any time', { concurrency: 6 }, () => {
  const openers: [name: string, open: (sandbox: Sandbox) => Promise<Json>][] = [
    ['while registering', (sandbox) => sandbox.signUp()],
    ['while confirmed', (sandbox) => signUpConfirmed(sandbox)],
    ['while supplying', (sandbox) => signUpActive(sandbox)],
    [
      'while ending',
      async (sandbox) => {
        const { id } = await signUpActive(sandbox);
        return must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
      },
    ],
  ];
  for (const [name, open] of openers) {
    test(name, async () => {
      const sandbox = await openSandbox(service, MONDAY);
      const { id, payment_method: oldMethod, address, stage } = await open(sandbox);
      const iban = germanIban(4711n);
      const patched = must(
        await sandbox.patch(id, {
          payment_method: {
            type: 'sepa_debit',
            sepa_debit: { iban: iban.toLowerCase().replace(/(.{4})/g, '$1 '), account_holder: 'Max Mustermann' },
          },
          billing_address: { street: 'Postfach', house_number: '1', zip: '10117', city: 'Berlin' },
        }),
        200,
      );
      assert.equal(patched.stage, stage);
      assert.match(patched.payment_method, /^pm_/);
      assert.notEqual(patched.payment_method, oldMethod, 'a new one');
      assert.match(patched.billing_address, /^adr_/);
      assert.equal(patched.address, address, 'delivery stays where it is');
      const read = await expanded(sandbox, id, 'payment_method', 'billing_address', 'address');
      assert.equal(read.payment_method.sepa_debit.iban, `${iban.slice(0, 4)}${'*'.repeat(14)}${iban.slice(-4)}`);
      assert.equal(read.payment_method.sepa_debit.account_holder, 'Max Mustermann');
      assert.deepEqual([read.billing_address.street, read.billing_address.zip], ['Postfach', '10117']);
      assert.notEqual(read.address.street, 'Postfach');
      const timeline = await sandbox.timeline(id);
      assert.equal(JSON.stringify(timeline).includes(iban), false, 'the timeline does not tell the IBAN');
      const {
        event,
        actor,
        request_id: requestId,
      } = timeline.findLast((entry) => entry.event?.fields !== null && entry.type === 'event')!;
      assert.deepEqual(
        [event.type, event.fields.toSorted()],
        ['subscription.updated', ['/billing_address', '/payment_method']],
      );
      assert.deepEqual(event.previous_attributes.payment_method, oldMethod);
      assert.equal(actor.type, 'api');
      assert.match(requestId ?? '', /^req_/);
      assert.equal(must(await sandbox.patch(id, { billing_address: null }), 200).billing_address, null);
      assert.equal(messageCodes(timeline).includes('> 55022'), false, 'the market is not bothered');
    });
  }
});

describe('the entity tag', { concurrency: 4 }, () => {
  test('of a PATCH’s answer is that of GET, whatever is asked of whom', async () => {
    for (const zip of ['10115', '99902', '99905', '99906']) {
      const sandbox = await openSandbox(service, MONDAY);
      const { id } = await sandbox.signUp({ address: addressIn(zip) });
      await sandbox.advanceTo(berlin('2030-01-08T12:00'));
      const patched = await sandbox.patch(id, { metadata: { a: 1 } });
      const read = await sandbox.call('GET', `/subscriptions/${id}`);
      assert.deepEqual(patched.json, read.json);
      assert.equal(patched.headers.get('etag'), read.headers.get('etag'), zip);
      const next = await sandbox.patch(id, { metadata: { a: 2 } }, { 'if-match': patched.headers.get('etag') ?? '' });
      assert.equal(next.status, 200, `${zip}: nobody else has changed it; ${next.text}`);
    }
  });

  test('lets one of several edits of the same state through', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    const tag = (await sandbox.call('GET', `/subscriptions/${id}`)).headers.get('etag') ?? '';
    const edits = [1, 2, 3, 4, 5].map((n) => sandbox.patch(id, { metadata: { n } }, { 'if-match': tag }));
    const statuses = (await Promise.all(edits)).map(({ status }) => String(status)).sort();
    assert.deepEqual(statuses, ['200', '412', '412', '412', '412']);
  });

  test('names what is corrected in place too, which only an expanded subscription shows', async () => {
    const corrections: [name: string, correct: (value: string) => Json][] = [
      ['address', (value) => ({ address: { street: value } })],
      ['customer', (value) => ({ customer: { last_name: value } })],
      ['meter', (value) => ({ meter: { number: `1EMH${value}` } })],
    ];
    for (const [name, correct] of corrections) {
      const sandbox = await openSandbox(service, MONDAY);
      const { id } = await sandbox.signUp({ address: addressIn('99901'), meter: meterOnly() });
      await sandbox.advanceTo(berlin('2030-01-15T12:00'));
      // Once before: afterwards nobody is asked to act any more.
      must(await sandbox.patch(id, correct('Zero')), 200);
      const read = await sandbox.call('GET', `/subscriptions/${id}?expand[]=${name}`);
      const headers = { 'if-match': read.headers.get('etag') ?? '' };
      const edits = ['One', 'Two', 'Three'].map((value) => sandbox.patch(id, correct(value), headers));
      const statuses = (await Promise.all(edits)).map(({ status }) => String(status)).sort();
      assert.deepEqual(statuses, ['200', '412', '412'], name);
      const now = await sandbox.call('GET', `/subscriptions/${id}`);
      const asOf = await sandbox.call('GET', `/subscriptions/${id}?as_of=${await sandbox.now()}`);
      assert.equal(asOf.headers.get('etag'), now.headers.get('etag'), name);
    }
  });
});

describe('metadata', { concurrency: 6 }, () => {
  test('merges key by key, null removes, order and numbers stay as they were written', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const sent = JSON.stringify(sandboxBody(sandbox, { metadata: 'HERE' }));
    const raw = '{"z":1.0,"big":12345678901234567890,"a":{"y":1e2,"x":-0.0},"gone":"soon","1":"one"}';
    const created = must(await sandbox.call('POST', '/subscriptions', { body: sent.replace('"HERE"', raw) }), 201);
    const path = `/subscriptions/${created.id}`;
    const metadataOf = (reply: Reply): string => /"metadata":(.*)\}$/s.exec(reply.text)?.[1] ?? reply.text;
    const patch = (body: string): Promise<Reply> => sandbox.call('PATCH', path, { body });
    const merged = await patch('{"metadata":{"gone":null,"new":2.50,"a":{"only":[1.0]},"never":null}}');
    assert.equal(merged.status, 200, merged.text);
    const expected = '{"z":1.0,"big":12345678901234567890,"a":{"only":[1.0]},"1":"one","new":2.50}';
    assert.equal(metadataOf(merged), expected);
    assert.equal(metadataOf(await sandbox.call('GET', path)), expected);
    assert.equal(metadataOf(await patch('{"metadata":{}}')), expected);
    assert.equal(metadataOf(await patch('{"metadata":null}')), 'null');
    assert.equal(
      metadataOf(await patch('{"metadata":{"b":{"inner":null},"a":10.00}}')),
      '{"b":{"inner":null},"a":10.00}',
    );
  });

  test('the filter follows', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp({ metadata: { channel: 'web', n: 1 } });
    const found = async (key: string, value: string): Promise<string[]> => {
      const reply = await sandbox.call(
        'GET',
        `/subscriptions?filter[metadata.${key}][eq]=${encodeURIComponent(value)}`,
      );
      return must(reply, 200).items.map((item: Json) => item.id);
    };
    assert.deepEqual(await found('channel', 'web'), [id]);
    must(await sandbox.patch(id, { metadata: { channel: 'app', campaign: 'spring', n: null } }), 200);
    assert.deepEqual(await found('channel', 'web'), []);
    assert.deepEqual(await found('n', '1'), []);
    assert.deepEqual(await found('channel', 'app'), [id]);
    assert.deepEqual(await found('campaign', 'spring'), [id]);
    must(await sandbox.patch(id, { metadata: null }), 200);
    assert.deepEqual(await found('channel', 'app'), []);
  });

  test('holds 10,240 bytes when merged and not one more', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp({ metadata: { a: 'x'.repeat(5000) } });
    // {"a":"…","b":"…"} is 15 bytes and the texts.
    const fill = (bytes: number): Json => ({ metadata: { b: 'y'.repeat(bytes - 15 - 5000) } });
    await assertRefused(sandbox, id, fill(10_241), 400, ['/metadata too_large']);
    must(await sandbox.patch(id, fill(10_240)), 200);
    await assertRefused(sandbox, id, { metadata: { c: 1 } }, 400, ['/metadata too_large']);
    must(await sandbox.patch(id, { metadata: { a: null, c: 1 } }), 200);
  });
});

describe('corrections before the confirmation', { concurrency: 6 }, () => {
  const open: [stage: string, overrides: (sandbox: Sandbox) => Promise<Record<string, unknown>>][] = [
    ['identifying', async () => ({ meter: meterOnly() })],
    ['cancelling', async (sandbox) => ({ previous_supplier: await sandbox.supplier('confirms') })],
    ['registering', async () => ({})],
  ];
  const corrections: [name: string, body: (sandbox: Sandbox) => Promise<Json>][] = [
    ['the meter number', async () => ({ meter: { number: '1EMH0099999999' } })],
    ['the market location', async () => ({ meter: { malo: uniqueMalo() } })],
    ['the address', async () => ({ address: { street: 'Neue Straße', zip: '10117' } })],
    ['the names', async () => ({ customer: { first_name: 'Erica', last_name: 'Musterfrau' } })],
    ['the intended start', async () => ({ intended_start_date: '2030-02-01' })],
    ['the previous supplier', async (sandbox) => ({ previous_supplier: await sandbox.supplier('already ended') })],
    ['that there is none', async () => ({ previous_supplier: null })],
  ];
  for (const [stage, overrides] of open) {
    test(`while ${stage} each is taken, and it comes to supply with the corrected data`, async () => {
      for (const [name, correction] of corrections) {
        const sandbox = await openSandbox(service, MONDAY);
        const created = await sandbox.signUp(await overrides(sandbox));
        assert.equal(created.stage, stage);
        await sandbox.advanceBy('PT1M');
        const body = await correction(sandbox);
        const patched = await sandbox.patch(created.id, body);
        assert.equal(patched.status, 200, `${name}: ${patched.text}`);
        assert.equal(patched.json.id, created.id);
        const active = await advanceUntil(sandbox, created.id, ({ status }) => status !== 'pending');
        assert.equal(active.status, 'active', name);
        const read = await expanded(sandbox, created.id, 'meter', 'address', 'customer');
        for (const [outer, value] of Object.entries(body)) {
          if (outer === 'previous_supplier') assert.equal(read.supplier, value);
          else if (outer === 'intended_start_date') assert.equal(read.intended_start_date, value);
          else for (const [inner, text] of Object.entries(value as object)) assert.equal(read[outer][inner], text);
        }
        await assertNeverTwice(sandbox, created.id);
      }
    });
  }

  test('of what was told to the grid operator reverse his open registration first', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    await sandbox.advanceBy('PT1H');
    must(await sandbox.patch(id, { meter: { malo: uniqueMalo() } }), 200);
    await sandbox.settle();
    assert.deepEqual(messageCodes(await sandbox.timeline(id)), ['> 55001', '> 55022']);
    await sandbox.advanceBy('PT2H');
    assert.deepEqual(messageCodes(await sandbox.timeline(id)), ['> 55001', '> 55022', '< 55023', '> 55001']);
    const active = await advanceUntil(sandbox, id, ({ status }) => status === 'active');
    assert.equal(active.start_at, berlin('2030-01-09'));
    const { meter } = await expanded(sandbox, id, 'meter');
    const told = (await sandbox.timeline(id)).filter(({ message }) => message?.identifier === '55001');
    assert.equal(told[1]?.message.contents.marketLocation, meter.malo);
    assert.notEqual(told[0]?.message.contents.marketLocation, meter.malo);
  });

  test('made one after the other lead to one registration, with the last of them', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    const malos = [uniqueMalo(), uniqueMalo(), uniqueMalo()];
    for (const malo of malos) {
      await sandbox.advanceBy('PT1M');
      must(await sandbox.patch(id, { meter: { malo } }), 200);
    }
    await advanceUntil(sandbox, id, ({ status }) => status === 'active');
    const told = (await sandbox.timeline(id)).filter(({ message }) => message?.identifier === '55001');
    assert.deepEqual(
      told.slice(1).map(({ message }) => message.contents.marketLocation),
      malos.slice(-1),
    );
    await assertNeverTwice(sandbox, id);
  });

  test('of the place alone forget the market location, and say so; sent along, it stays', async () => {
    for (const body of [{ address: { street: 'C' } }, { meter: { number: uniqueMeterNumber() } }]) {
      for (const isKept of [true, false]) {
        const sandbox = await openSandbox(service, MONDAY);
        const { id } = await sandbox.signUp();
        const { malo } = (await expanded(sandbox, id, 'meter')).meter;
        must(await sandbox.patch(id, isKept ? { ...body, meter: { ...body.meter, malo } } : body), 200);
        const { event } = (await sandbox.timeline(id)).findLast(({ event: told }) => told?.type.endsWith('updated'))!;
        assert.equal((await expanded(sandbox, id, 'meter')).meter.malo, isKept ? malo : null);
        assert.ok(event.fields.includes('/meter/malo'), `${isKept}: ${event.fields}`);
      }
    }
  });

  test('give the grid operator nothing to confirm that he has agreed to forget', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    await sandbox.advanceBy('PT1H');
    must(await sandbox.patch(id, { meter: { malo: uniqueMalo() } }), 200);
    await sandbox.advanceBy('P7D');
    const codes = messageCodes(await sandbox.timeline(id));
    assert.deepEqual(codes, ['> 55001', '> 55022', '< 55023', '> 55001', '< 55002 A51']);
  });

  test('are refused once confirmed, supplying, ending or ended', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id, start_at: start } = await signUpConfirmed(sandbox);
    const bodies = [
      { meter: { number: uniqueMeterNumber() } },
      { meter: { malo: uniqueMalo() } },
      { address: { street: 'Andere Straße' } },
      { customer: { last_name: 'Anders' } },
      { intended_start_date: '2030-06-01' },
      { previous_supplier: await sandbox.supplier('confirms') },
      { metadata: { a: 1 }, meter: { malo: uniqueMalo() } },
    ];
    const assertAllRefused = async (stage: string): Promise<void> => {
      assert.equal((await sandbox.read(id)).stage, stage);
      for (const body of bodies) await assertRefused(sandbox, id, body, 409, 'not_in_this_stage');
    };
    await assertAllRefused('confirmed');
    await sandbox.advanceTo(start);
    await assertAllRefused('supplying');
    must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
    await assertAllRefused('ending');
    await sandbox.advanceBy('P3M');
    await assertAllRefused('ended');
  });

  test('to a place that has an open supply are refused, and taken when that has ended', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const meter = { number: uniqueMeterNumber(), type: 'modern', estimated_usage: 1, malo: uniqueMalo() };
    const first = await sandbox.signUp({ meter, previous_supplier: await sandbox.supplier('confirms') });
    const second = await sandbox.signUp({ previous_supplier: await sandbox.supplier('silent') });
    const taken = (field: string): string[] => [`${field} market_location_taken`];
    await assertRefused(sandbox, second.id, { meter: { malo: meter.malo } }, 409, taken('/meter/malo'));
    const numbered = { meter: { number: meter.number.toLowerCase() } };
    const searched = await sandbox.signUp({ meter: meterOnly() });
    await assertRefused(sandbox, searched.id, numbered, 409, taken('/meter/number'));
    must(await sandbox.act(first.id, 'terminate', { reason: 'withdrawal' }), 200);
    must(await sandbox.patch(second.id, { meter: { malo: meter.malo } }), 200);
    const reply = await sandbox.call('POST', '/subscriptions', { body: sandboxBody(sandbox, { meter }) });
    assert.deepEqual([reply.status, reply.json.code], [409, 'market_location_taken'], 'the place is the second’s now');
  });

  test('that cannot be right are refused with every wrong field', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp({ previous_supplier: await sandbox.supplier('silent') });
    const supplier = 'mp_01k9zr5x3hf8b9m2t4v6w8y0ac';
    const cases: [body: unknown, errors: string[]][] = [
      [{}, [' empty_patch']],
      [{ nothing: 1 }, ['/nothing unknown_field']],
      [{ meter: { colour: 'red' } }, ['/meter/colour unknown_field']],
      [{ customer: { email: 'a@example.com' } }, ['/customer/email unknown_field']],
      [{ previous_supplier: supplier }, ['/previous_supplier invalid_reference']],
      [{ previous_supplier: 'sub_1' }, ['/previous_supplier invalid_reference']],
      [{ customer: { company_name: 'GmbH' } }, ['/customer/company_name not_allowed']],
      [{ meter: { malo: '12345678901' } }, ['/meter/malo invalid_malo']],
      [{ meter: { number: '- -' } }, ['/meter/number blank']],
      [{ address: { zip: '1234' } }, ['/address/zip invalid_zip']],
      [{ intended_start_date: '2030-01-07' }, ['/intended_start_date not_in_future']],
      [{ intended_start_date: '2031-01-08' }, ['/intended_start_date too_far_ahead']],
      [
        { payment_method: { type: 'sepa_debit', sepa_debit: { iban: 'DE00370400440532013000', account_holder: 'E' } } },
        ['/payment_method/sepa_debit/iban invalid_iban'],
      ],
      [
        { meter: { malo: '12345678901' }, address: { zip: 'x' } },
        ['/address/zip invalid_zip', '/meter/malo invalid_malo'],
      ],
    ];
    for (const [body, errors] of cases) await assertRefused(sandbox, id, body, 400, errors);
  });

  test('of a company’s name are taken', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const customer = {
      type: 'company',
      company_name: 'Muster GmbH',
      first_name: 'E',
      last_name: 'M',
      email: 'e@example.com',
    };
    const { id } = await sandbox.signUp({ customer, previous_supplier: await sandbox.supplier('doubts authority') });
    const waiting = await advanceUntil(sandbox, id, ({ next_action: action }) => action !== null, 'PT6H');
    assert.ok(waiting.next_action.fields.includes('/customer/company_name'));
    must(await sandbox.patch(id, { customer: { company_name: 'Muster AG' } }), 200);
    assert.equal((await expanded(sandbox, id, 'customer')).customer.company_name, 'Muster AG');
    await advanceUntil(sandbox, id, ({ status }) => status === 'active');
  });

  /** A registration is only sent when the one before is answered or reversed. */
  async function assertNeverTwice(sandbox: Sandbox, id: string): Promise<void> {
    let isOpen = false;
    for (const code of messageCodes(await sandbox.timeline(id))) {
      if (code === '> 55001') {
        assert.equal(isOpen, false, 'a second registration while one was open');
        isOpen = true;
      } else if (/^< (?:55002|55003|55023)/.test(code)) isOpen = false;
    }
  }
});

/** A life with everything in it: answers, an action, corrections, edits, a termination taken back, and an end. */
const SCRIPT: readonly ((sandbox: Sandbox, id: string) => Promise<Reply> | Promise<void>)[] = [
  (sandbox) => sandbox.advanceBy('PT3H'),
  (sandbox, id) => sandbox.patch(id, { metadata: { step: 1.0 } }),
  (sandbox, id) => sandbox.patch(id, { meter: { number: '1EMH0000000777' } }),
  (sandbox) => sandbox.advanceBy('P1D'),
  (sandbox, id) => sandbox.patch(id, { billing_address: addressIn('10117'), metadata: { other: null, more: [1] } }),
  (sandbox) => sandbox.advanceBy('P6D'),
  (sandbox, id) => sandbox.act(id, 'terminate', { reason: 'ordinary' }),
  (sandbox) => sandbox.advanceBy('PT1H'),
  (sandbox, id) => sandbox.act(id, 'undo-termination'),
  (sandbox) => sandbox.advanceBy('P20D'),
  (sandbox, id) => sandbox.act(id, 'terminate', { reason: 'move_out', intended_end_date: '2030-06-30' }),
  (sandbox) => sandbox.advanceTo(berlin('2030-07-02')),
];

async function openScripted(): Promise<{ sandbox: Sandbox; id: string }> {
  const sandbox = await openSandbox(service, MONDAY);
  const { id } = await sandbox.signUp({
    address: addressIn('99903'),
    meter: { ...meterOnly(), number: '1EMH0000000001' },
    metadata: { other: true },
    previous_supplier: await sandbox.supplier('confirms'),
  });
  return { sandbox, id };
}

async function play(sandbox: Sandbox, id: string): Promise<void> {
  for (const step of SCRIPT) {
    const reply = await step(sandbox, id);
    if (reply !== undefined) must(reply, 200);
  }
}

describe('the timeline', { concurrency: 4 }, () => {
  test('tells everything in order, in pages of any size without gaps', async () => {
    const { sandbox, id } = await openScripted();
    await play(sandbox, id);
    const all = await sandbox.timeline(id);
    assert.ok(all.length > 30, String(all.length));
    for (const size of [1, 2, 3, 7, all.length - 1, all.length]) {
      assert.deepEqual(await sandbox.timeline(id, size), all, `pages of ${size}`);
    }
    const times = all.map(({ timestamp }) => timestamp);
    assert.deepEqual(times, times.toSorted(), 'oldest first');
    const revisions = all.map(({ revision }) => revision);
    assert.deepEqual(
      revisions,
      revisions.toSorted((one, other) => one - other),
    );
    const steps = [...new Set(revisions)];
    assert.deepEqual(
      steps,
      steps.map((_, index) => index + 1),
      'no step is left out',
    );
    const keys = all.flatMap(({ event, message }) => event?.id ?? message?.id ?? []);
    assert.equal(new Set(keys).size, keys.length, 'nothing twice');
    for (const { type, event, message, transition } of all) {
      const filled = Object.entries({ event, message, transition }).filter(([, value]) => value !== null);
      assert.deepEqual(
        filled.map(([name]) => name),
        [type],
      );
    }
    assert.deepEqual(transitions(all), [
      'identifying → cancelling',
      'cancelling → registering',
      'registering → confirmed',
      'confirmed → supplying',
      'supplying → ending',
      'ending → supplying',
      'supplying → ending',
      'ending → ended',
    ]);
    const types = eventTypes(all);
    assert.deepEqual([types[0], types.at(-1)], ['created', 'ended']);
    for (const type of [
      'action_required',
      'action_resolved',
      'updated',
      'confirmed',
      'activated',
      'terminated',
      'termination_undone',
    ]) {
      assert.ok(types.includes(type), type);
    }
    for (const { event, actor, request_id: requestId } of all) {
      if (event === null) continue;
      assert.equal(requestId !== null, actor.type === 'api', `${event.type} by ${actor.type}`);
      assert.equal(actor.credential !== null, actor.type === 'api');
    }
    assert.deepEqual(
      all.filter(({ event }) => event?.fields !== null && event !== null).map(({ event }) => event.fields.toSorted()),
      [['/metadata'], ['/meter/number'], ['/billing_address', '/metadata']],
    );
  });

  test('turns away a strange cursor, limit or subscription', async () => {
    const { sandbox, id } = await openScripted();
    const replies: [path: string, status: number, code: string][] = [
      [`/subscriptions/${id}/timeline?cursor=abc`, 400, 'invalid_cursor'],
      [`/subscriptions/${id}/timeline?limit=0`, 400, ''],
      [`/subscriptions/${id}/timeline?limit=101`, 400, ''],
      [`/subscriptions/${id}/timeline?filter[type][eq]=event`, 400, ''],
      [`/subscriptions/${id.replace('sub_', 'evt_')}/timeline`, 404, 'not_found'],
    ];
    for (const [path, status, code] of replies) {
      const reply = await sandbox.call('GET', path);
      assert.equal(reply.status, status, `${path} ${reply.text}`);
      if (code !== '') assert.equal(reply.json.code, code);
    }
    const other = await sandbox.signUp();
    const first = must(await sandbox.call('GET', `/subscriptions/${id}/timeline?limit=1`), 200);
    const foreign = `/subscriptions/${other.id}/timeline?limit=1&cursor=${encodeURIComponent(first.next_page)}`;
    const reply = await sandbox.call('GET', foreign);
    assert.deepEqual([reply.status, reply.json.code], [400, 'invalid_cursor'], 'a cursor belongs to its list');
  });
});

describe('as_of', { concurrency: 4 }, () => {
  test('reads it as GET answered then, at the timestamp of every entry and between', async () => {
    const first = await openScripted();
    await play(first.sandbox, first.id);
    const times = [...new Set((await first.sandbox.timeline(first.id)).map(({ timestamp }) => timestamp))];

    // The same life again, stopping wherever something happens: what GET answered there is kept.
    const { sandbox, id } = await openScripted();
    const answered = new Map<string, Json>();
    const note = async (): Promise<void> => void answered.set(await sandbox.now(), await sandbox.read(id));
    const noting: Sandbox = {
      ...sandbox,
      async advanceTo(until) {
        for (const time of times) {
          if (time <= (await sandbox.now()) || time >= until) continue;
          await sandbox.advanceTo(time);
          await note();
        }
        await sandbox.advanceTo(until);
      },
      async advanceBy(duration) {
        const zoned = Temporal.Instant.from(await sandbox.now()).toZonedDateTimeISO('Europe/Berlin');
        await noting.advanceTo(zoned.add(duration).toInstant().toString());
      },
    };
    await sandbox.settle();
    await note();
    for (const step of SCRIPT) {
      const reply = await step(noting, id);
      if (reply !== undefined) must(reply, 200);
      await sandbox.settle();
      await note();
    }
    const own = (await sandbox.timeline(id)).map(({ timestamp }) => timestamp);
    assert.deepEqual([...new Set(own)], times, 'the same life');
    assert.ok(answered.size >= times.length);
    for (const [time, then] of answered) {
      assert.deepEqual(await sandbox.readAsOf(id, time), then, `as of ${time}`);
      if (!times.includes(later(time, { seconds: 1 }))) {
        assert.deepEqual(await sandbox.readAsOf(id, later(time, { seconds: 1 })), then, `a second after ${time}`);
      }
    }
    assert.deepEqual(
      await sandbox.readAsOf(id, '2031-01-01T00:00:00Z'),
      await sandbox.read(id),
      'of the future: as now',
    );
  });

  test('finds nothing before the creation, and refuses expand and what is no instant', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    const cases: [query: string, status: number][] = [
      [`as_of=${later(MONDAY, { seconds: -1 })}`, 404],
      [`as_of=${MONDAY}`, 200],
      [`as_of=${MONDAY}&expand[]=meter`, 400],
      ['as_of=2030-01-07', 400],
      ['as_of=', 400],
    ];
    for (const [query, status] of cases) {
      const reply = await sandbox.call('GET', `/subscriptions/${id}?${query}`);
      assert.equal(reply.status, status, `${query}: ${reply.text}`);
    }
  });
});
