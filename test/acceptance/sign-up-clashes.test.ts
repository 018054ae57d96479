/** What a sign-up may not share with another one: market location, meter, external id. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import {
  createPlan,
  otherProject,
  signUp,
  signUpBody,
  uniqueMalo,
  uniqueMeterNumber,
  type Json,
} from '../support/builders.ts';
import { openLive, runCommand } from '../support/live.ts';
import { eventually } from '../support/process.ts';
import {
  addressIn,
  berlin,
  eventTypes,
  later,
  meterOnly,
  moveClocks,
  must,
  openSandbox,
  sandboxBody,
  signUpActive,
  type Sandbox,
} from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

interface Place {
  readonly malo?: string;
  readonly number: string;
  readonly zip: string;
}

function bodyAt({ malo, number, zip }: Place): Json {
  return signUpBody(service.planId, {
    meter: { number, type: 'modern', estimated_usage: 1000, ...(malo === undefined ? {} : { malo }) },
    address: { street: 'Weg', house_number: '1', zip, city: 'Ort' },
  });
}

function createAt(place: Place): Promise<Reply> {
  return service.call('POST', '/subscriptions', { body: bodyAt(place) });
}

function assertTaken(reply: Reply, by: Reply): void {
  assert.equal(reply.status, 409, reply.text);
  assert.equal(reply.json.code, 'market_location_taken');
  assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.ok(reply.text.includes(by.json.id), 'the subscription in the way is named');
}

describe('a market location has one open supply', () => {
  const cases: { name: string; first: Place; second: Place; taken: boolean }[] = [];
  const number = (): string => uniqueMeterNumber();
  const zip = '51147';
  {
    const malo = uniqueMalo();
    const first = { malo, number: number(), zip };
    cases.push({
      name: 'the same malo with another meter and zip',
      first,
      second: { malo, number: number(), zip: '10115' },
      taken: true,
    });
  }
  {
    const first = { number: '1 emh-00 12345', zip: '20095' };
    cases.push({
      name: 'without malo the same meter number spelled otherwise',
      first,
      second: { number: '1EMH0012345', zip: '20095' },
      taken: true,
    });
  }
  {
    const meter = number();
    cases.push({
      name: 'without malo the same meter at another zip',
      first: { number: meter, zip },
      second: { number: meter, zip: '10115' },
      taken: false,
    });
  }
  {
    const meter = number();
    cases.push({
      name: 'first with malo, then without, on the same meter',
      first: { malo: uniqueMalo(), number: meter, zip },
      second: { number: meter.toLowerCase(), zip },
      taken: true,
    });
  }
  {
    const meter = number();
    cases.push({
      name: 'first without malo, then with, on the same meter',
      first: { number: meter, zip },
      second: { malo: uniqueMalo(), number: `${meter.slice(0, 4)} ${meter.slice(4)}`, zip },
      taken: true,
    });
  }
  {
    const meter = number();
    cases.push({
      name: 'two different malos on the same meter',
      first: { malo: uniqueMalo(), number: meter, zip },
      second: { malo: uniqueMalo(), number: meter, zip },
      taken: false,
    });
  }
  for (const { name, first, second, taken } of cases) {
    test(`${name}: ${taken ? 'refused' : 'accepted'}`, async () => {
      const accepted = await createAt(first);
      assert.equal(accepted.status, 201, accepted.text);
      const reply = await createAt(second);
      if (taken) assertTaken(reply, accepted);
      else assert.equal(reply.status, 201, reply.text);
    });
  }

  test('one that has ended is no obstacle', async () => {
    const place = { malo: uniqueMalo(), number: uniqueMeterNumber(), zip };
    const first = await createAt(place);
    await service.database.query(sql`
      update subscriptions set status = 'ended', stage = 'ended', end_reason = 'withdrawn', end_at = now(),
        next_action = null, revision = revision + 1
      where project_id = ${service.projectId} and number = ${first.json.number}`);
    assert.equal((await createAt(place)).status, 201);
  });

  test('another project is no obstacle', async () => {
    const place = { malo: uniqueMalo(), number: uniqueMeterNumber(), zip };
    assert.equal((await createAt(place)).status, 201);
    const other = await otherProject(service);
    const plan = (await other.call('POST', '/plans', { body: { name: 'P', price: 1 } })).json.id;
    const reply = await other.call('POST', '/subscriptions', { body: { ...bodyAt(place), plan } });
    assert.equal(reply.status, 201, reply.text);
  });

  test('parallel sign-ups of one meter, some with malo and some without, leave one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const place = { number: uniqueMeterNumber(), zip };
      const malo = uniqueMalo();
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) => createAt(index % 2 === 0 ? place : { ...place, malo })),
      );
      const count = (wanted: number): number => replies.filter(({ status }) => status === wanted).length;
      assert.deepEqual([count(201), count(409)], [1, 7], `round ${round}`);
    }
  });

  test('a refused sign-up leaves nothing behind', async () => {
    const place = { malo: uniqueMalo(), number: uniqueMeterNumber(), zip };
    await createAt(place);
    const count = async (): Promise<Json> => {
      const [row] = await service.database.query<Json>(sql`
        select (select count(*) from customers) as customers, (select count(*) from meters) as meters,
          (select count(*) from addresses) as addresses, (select count(*) from payment_methods) as payment_methods,
          (select count(*) from events) as events, (select count(*) from market_processes) as processes`);
      return row;
    };
    const before = await count();
    assert.equal((await createAt(place)).status, 409);
    assert.deepEqual(await count(), before);
  });
});

describe('external_id', () => {
  test('is unique in the project for ever, and the clash names it', async () => {
    const first = await signUp(service, { external_id: 'Bestellung 4711 / ü' });
    assert.equal(first.external_id, 'Bestellung 4711 / ü');
    await service.database.query(sql`
      update subscriptions set status = 'ended', stage = 'ended', end_reason = 'withdrawn', end_at = now(),
        next_action = null, revision = revision + 1
      where project_id = ${service.projectId} and number = ${first.number}`);
    const body = signUpBody(service.planId, { external_id: 'Bestellung 4711 / ü' });
    const reply = await service.call('POST', '/subscriptions', { body });
    assert.equal(reply.status, 409);
    assert.equal(reply.json.code, 'duplicate_external_id');
    assert.deepEqual(
      reply.json.errors.map((error: Json) => error.field),
      ['/external_id'],
    );
    assert.ok(reply.text.includes(first.id));
  });

  test('has 1 to 200 characters, counted as characters', async () => {
    for (const [text, status] of [
      ['🏠'.repeat(200), 201],
      ['x'.repeat(201), 400],
      ['', 400],
      ['\u200b', 400],
      ['a\nb', 400],
    ] as const) {
      const body = signUpBody(service.planId, { external_id: text });
      assert.equal(
        (await service.call('POST', '/subscriptions', { body })).status,
        status,
        JSON.stringify(text.slice(0, 5)),
      );
    }
  });

  test('of another project is free', async () => {
    await signUp(service, { external_id: 'shared' });
    const other = await otherProject(service);
    const plan = (await other.call('POST', '/plans', { body: { name: 'P', price: 1 } })).json.id;
    const reply = await other.call('POST', '/subscriptions', { body: signUpBody(plan, { external_id: 'shared' }) });
    assert.equal(reply.status, 201);
  });

  test('in 20 parallel sign-ups is given once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        service.call('POST', '/subscriptions', { body: signUpBody(service.planId, { external_id: 'parallel' }) }),
      ),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter(({ json }) => json.code === 'duplicate_external_id').length, 19);
  });
});

describe('a plan', () => {
  test('that is archived refuses sign-ups from that moment on, and accepts them from the moment it is reopened', async () => {
    const plan = await createPlan(service);
    const ask = (): Promise<Reply> => service.call('POST', '/subscriptions', { body: signUpBody(plan.id) });
    assert.equal((await ask()).status, 201);
    assert.equal((await service.call('PATCH', `/plans/${plan.id}`, { body: { active: false } })).status, 200);
    const refused = await ask();
    assert.equal(refused.status, 400);
    assert.equal(refused.json.code, 'plan_archived');
    assert.equal((await service.call('PATCH', `/plans/${plan.id}`, { body: { active: true } })).status, 200);
    const reopened = await ask();
    assert.equal(reopened.status, 201, reopened.text);
  });

  test('that was created archived refuses, and accepts from the moment it is opened', async () => {
    const plan = await createPlan(service, { active: false });
    const ask = (): Promise<Reply> => service.call('POST', '/subscriptions', { body: signUpBody(plan.id) });
    assert.equal((await ask()).status, 400);
    assert.equal((await service.call('PATCH', `/plans/${plan.id}`, { body: { active: true } })).status, 200);
    const opened = await ask();
    assert.equal(opened.status, 201, opened.text);
  });

  test('that was changed is what the next sign-up is checked against and shows', async () => {
    const plan = await createPlan(service, { products: ['smart-meter'] });
    const ask = (): Promise<Reply> =>
      service.call('POST', '/subscriptions?expand[]=plan', {
        body: signUpBody(plan.id, { product_orders: [{ type: 'smart-meter' }] }),
      });
    assert.equal((await ask()).status, 201);
    await service.call('PATCH', `/plans/${plan.id}`, { body: { name: 'Renamed' } });
    const renamed = await ask();
    const read = await service.call('GET', `/subscriptions/${renamed.json.id}?expand[]=plan`);
    assert.equal(renamed.json.plan.name, read.json.plan.name);
    await service.call('PATCH', `/plans/${plan.id}`, { body: { products: [] } });
    const refused = await ask();
    assert.equal(refused.status, 400, refused.text);
    assert.equal(refused.json.code, 'product_not_offered');
  });

  test('that another process has changed a moment ago is, too, and so for a dry run', async () => {
    const plan = await createPlan(service, { products: ['smart-meter'] });
    const ask = (query = ''): Promise<Reply> =>
      service.call('POST', `/subscriptions${query}`, {
        body: signUpBody(plan.id, { product_orders: [{ type: 'smart-meter' }] }),
      });
    const changed = (change: Sql): Promise<unknown> =>
      service.database.query(sql`update plans set ${change} where id = ${parseId('pln', plan.id)}`);
    must(await ask(), 201);
    await changed(sql`name = 'Renamed'`);
    assert.equal(must(await ask('?expand[]=plan'), 201).plan.name, 'Renamed');
    await changed(sql`products = '{}'`);
    assert.deepEqual(
      must(await ask('?validate_only=true'), 200).errors.map(({ code }: Json) => code),
      ['product_not_offered'],
    );
    await changed(sql`products = '{smart-meter}'`);
    must(await ask(), 201);
    await changed(sql`products = '{}'`);
    const refused = await ask();
    assert.deepEqual([refused.status, refused.json.code], [400, 'product_not_offered']);
  });
});

test('a sign-up that waits for what somebody else holds is refused alone', async () => {
  const create = (key: string): Promise<Reply> =>
    service.call('POST', '/subscriptions', {
      body: signUpBody(service.planId),
      headers: { 'idempotency-key': key },
    });
  must(await create('hold-known'), 201);
  const replies = await service.database.transaction(async (transaction) => {
    await transaction.query(sql`
      insert into idempotency_keys
        (project_id, key, fingerprint, method, path, status, headers, body, request_id, created_at)
      select project_id, 'hold-this', fingerprint, method, path, status, headers, body, request_id, created_at
      from idempotency_keys where key = 'hold-known'`);
    const others = Array.from({ length: 20 }, (_, index) => create(`hold-${index}`));
    return Promise.all([create('hold-this'), ...others]);
  });
  const [waiting, ...others] = replies;
  assert.deepEqual([waiting?.status, waiting?.json.code], [503, 'service_unavailable']);
  for (const { status, text } of others) assert.equal(status, 201, text);
});

test('a meter that is taken where it is known without its market location is named as the meter', async () => {
  const [number, zip] = [uniqueMeterNumber(), '51147'];
  const holder = await createAt({ number, zip });
  const second = { malo: uniqueMalo(), number, zip };
  const dry = must(await service.call('POST', '/subscriptions?validate_only=true', { body: bodyAt(second) }), 200);
  const wet = await createAt(second);
  assertTaken(wet, holder);
  for (const { errors } of [dry, wet.json])
    assert.deepEqual(
      errors.map(({ field }: Json) => field),
      ['/meter/number'],
    );
});

test('what is due and happens with a change is no reason to refuse the tag that everybody is shown', async () => {
  const alone = await startService();
  try {
    const live = await openLive(alone);
    await alone.service.app.reconciler.stop();
    const created = must(await live.call('POST', '/subscriptions', signUpBody(live.planId)), 201);
    const path = `/subscriptions/${created.id}`;
    const headers = { 'if-match': (await live.call('GET', path)).headers.get('etag') ?? '' };
    const changed = must(await live.call('PATCH', path, { metadata: { a: 1 } }, headers), 200);
    assert.deepEqual([changed.metadata, changed.next_action.code], [{ a: 1 }, 'transmit_message']);
    assert.equal((await live.call('PATCH', path, { metadata: { b: 2 } }, headers)).status, 412);
  } finally {
    await alone.stop();
  }
});

describe('who loses the place that the market has found for it, while something else is asked of it,', () => {
  let alone: TestService;
  before(async () => {
    alone = await startService();
    // What is due is left to requests.
    await alone.service.app.reconciler.stop();
  });
  after(() => alone.stop());

  const asked: [name: string, ask: (sandbox: Sandbox, subscription: Json) => Promise<Reply>][] = [
    ['a termination is made', (sandbox, { id }) => sandbox.act(id, 'terminate', { reason: 'withdrawal' })],
    [
      'a change of the customer is made',
      (sandbox, { customer }) => sandbox.call('PATCH', `/customers/${customer}`, { body: { last_name: 'Anders' } }),
    ],
  ];
  for (const [name, ask] of asked) {
    test(name, async () => {
      const { database } = alone;
      const sandbox = await openSandbox(alone, berlin('2030-01-07T10:00'));
      const silent = { previous_supplier: await sandbox.supplier('silent') };
      const meter = meterOnly();
      const first = await sandbox.signUp({ meter, ...silent });
      await sandbox.advanceBy('PT1H');
      const { malo } = must(await sandbox.call('GET', `/subscriptions/${first.id}?expand[]=meter`), 200).meter;
      must(await sandbox.act(first.id, 'terminate', { reason: 'withdrawal' }), 200);
      const [holder, searching] = [await sandbox.signUp(silent), await sandbox.signUp({ meter, ...silent })];
      await sandbox.settle();
      await moveClocks(alone, '1 hour');
      const reply = await database.transaction(async (transaction) => {
        await transaction.query(sql`
          update subscriptions set malo = ${malo}, revision = revision + 1 where id = ${parseId('sub', holder.id)}`);
        const answer = ask(sandbox, searching);
        const waiting = sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await eventually(async () => (await transaction.query(waiting)).length > 0, 'it waits for the place');
        return { answer };
      });
      must(await reply.answer, 200);
    });
  }
});

describe('a place whose supply is over, which nobody has come to yet', () => {
  /** Ends a supply at a day that comes while nobody plays what is due. */
  async function endedUnseen(over: Json): Promise<{ readonly sandbox: Sandbox; readonly id: string }> {
    const sandbox = await openSandbox(service, berlin('2030-01-07T10:00'));
    const { id } = await signUpActive(sandbox, over);
    const { end_at: end } = must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
    const eve = later(end, { hours: -1 });
    await sandbox.advanceTo(eve);
    await service.service.app.reconciler.stop();
    await moveClocks(service, '2 hours');
    assert.equal((await sandbox.read(id)).status, 'active');
    return { sandbox, id };
  }

  for (const [isFound, isChecked] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ]) {
    const how = `${isFound ? 'by its meter' : 'by its market location'}${isChecked ? ', as a check alone says before' : ''}`;
    test(`is signed up anew, ${how}`, async () => {
      const meter = { ...meterOnly(), ...(isFound ? {} : { malo: uniqueMalo() }) };
      const { sandbox, id } = await endedUnseen({ meter });
      if (isChecked) {
        const check = await sandbox.call('POST', '/subscriptions?validate_only=true', {
          body: sandboxBody(sandbox, { meter }),
        });
        assert.deepEqual(must(check, 200).errors, []);
      }
      const first = await sandbox.call('POST', '/subscriptions', {
        body: sandboxBody(sandbox, { meter }),
        headers: { 'idempotency-key': 'at-midnight' },
      });
      must(first, 201);
      const ended = await sandbox.read(id);
      assert.deepEqual([ended.status, ended.end_reason], ['ended', 'terminated']);
      assert.equal(eventTypes(await sandbox.timeline(id)).at(-1), 'ended');
      // Who has it now has nothing due that would free it.
      assertTaken(await sandbox.call('POST', '/subscriptions', { body: sandboxBody(sandbox, { meter }) }), first);
    });
  }

  test('is taken by a correction', async () => {
    for (const member of ['malo', 'number']) {
      const meter: Json = { ...meterOnly(), malo: uniqueMalo() };
      const { sandbox, id } = await endedUnseen({ meter, address: addressIn('10117') });
      const asked = { meter: { [member]: meter[member] } };
      const search = { meter: meterOnly(), address: addressIn('10117') };
      const { id: searching } = await sandbox.signUp(search);
      must(await sandbox.patch(searching, asked, { 'idempotency-key': 'at-midnight' }), 200);
      assert.equal((await sandbox.read(id)).status, 'ended');
      // Who has it now has nothing due that would free it.
      const { id: late } = await sandbox.signUp({ ...search, meter: meterOnly() });
      assert.equal((await sandbox.patch(late, asked)).json.code, 'market_location_taken');
    }
  });

  test('is taken by a match that an operator records', async () => {
    const malo = uniqueMalo();
    const { sandbox, id } = await endedUnseen({ meter: { ...meterOnly(), malo } });
    const { id: searching } = await sandbox.signUp({ meter: meterOnly(), address: addressIn('99900') });
    // Its first message is sent with whatever happens first.
    must(await sandbox.patch(searching, { metadata: { a: 1 } }), 200);
    const market = async (...argv: string[]): Promise<Json> => {
      const projects = (await runCommand(service, 'project', 'list', '--json')).json.items;
      const run = await runCommand(service, 'market', ...argv, '--project', projects.at(-1).id, '--json');
      assert.equal(run.code, 0, run.stderr);
      return run.json;
    };
    const { items } = await market('messages', '--subscription', searching, '--state', 'transmitted');
    const { subscription } = await market('answer', items[0].id, 'identification_match', '--market-location', malo);
    assert.deepEqual([subscription.stage, subscription.next_action], ['registering', null]);
    assert.equal((await sandbox.read(id)).status, 'ended');
  });
});
