/** Meter orders and grid-fee reductions in sandbox projects: each row of the table in docs/market.md, and crossings. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { formatId, parseId, uuidTime } from '#domain/identifiers.ts';
import { formatInstant, wallClock } from '#platform/clock.ts';
import { sql } from '#platform/database/sql.ts';
import { signUpBody, type Json } from '../support/builders.ts';
import { addressIn, berlin, must, openSandbox, signUpActive, type Sandbox } from '../support/sandbox.ts';
import { createAppBeside, startService, type Reply, type TestService } from '../support/service.ts';

/** A Saturday, long after any day on which these tests run; weekdays and holidays are those of 2026. */
const BEGIN = berlin('2037-11-21T10:00');
/** What is ordered with a sign-up. */
const SMART = { type: 'smart-meter' };
const modules = (...chosen: readonly (1 | 2 | 3)[]): Json => ({
  type: '14a_enwg',
  '14a_enwg': Object.fromEntries(chosen.map((module) => [`module_${module}`, true])),
});

let service: TestService;
let sandbox: Sandbox;
before(async () => {
  service = await startService();
  sandbox = await openSandbox(service, BEGIN);
});
after(() => service.stop());

type List = 'meter-orders' | 'grid-fee-reductions';

async function ordersOf(own: Sandbox, list: List, subscription: string): Promise<Json[]> {
  return must(await own.call('GET', `/${list}?filter[subscription][eq]=${subscription}`), 200).items;
}

/** The newest one. */
async function orderOf(own: Sandbox, list: List, subscription: string): Promise<Json> {
  const [order] = await ordersOf(own, list, subscription);
  assert.ok(order !== undefined, `no ${list}`);
  return order;
}

const create = (own: Sandbox, list: List, subscription: string, body: object = {}): Promise<Reply> =>
  own.call('POST', `/${list}`, { body: { subscription, ...body } });

/** What was told of the orders of these kinds, as `type instant sequence`, in the order of time. */
async function told(own: Sandbox, ...lists: readonly List[]): Promise<string[]> {
  const ids: string[] = [];
  for (const list of lists) {
    const { items } = must(await own.call('GET', `/${list}?limit=100`), 200);
    ids.push(...items.map(({ id }: Json) => parseId(list === 'meter-orders' ? 'mor' : 'gfr', id)));
  }
  const rows = await service.database.query<Json>(sql`
    select type, occurred_at, sequence from events where resource_id = any(${ids}::uuid[])
    order by occurred_at, type, sequence`);
  return rows.map(({ type, occurred_at: at, sequence }) => `${type.split('.')[1]} ${at} ${sequence}`);
}

describe('a smart meter ordered with the sign-up', () => {
  test('is placed when the supply is confirmed, fitted, and makes the meter smart; each step is told once', async () => {
    const own = await openSandbox(service, BEGIN);
    const { id, meter } = await own.signUp({ product_orders: [SMART] });
    const created = await orderOf(own, 'meter-orders', id);
    assert.deepEqual(
      { ...created, id: '' },
      {
        object: 'meter_order',
        id: '',
        subscription: id,
        meter,
        status: 'created',
        blocked: null,
        due_at: null,
        placed_at: null,
        appointment_at: null,
        installed_at: null,
        activated_at: null,
        cancelled_at: null,
        created_at: BEGIN,
        updated_at: BEGIN,
      },
    );
    await own.advanceTo(berlin('2038-02-01'));
    const { id: order } = created;
    const done = must(await own.call('GET', `/meter-orders/${order}`), 200);
    assert.deepEqual(
      [done.status, done.placed_at, done.appointment_at, done.installed_at, done.activated_at, done.due_at],
      [
        'activated',
        berlin('2037-11-23T10:00'),
        berlin('2037-12-14T09:00'),
        berlin('2037-12-14T10:00'),
        berlin('2037-12-15T12:00'),
        null,
      ],
    );
    const shown = must(await own.call('GET', `/subscriptions/${id}?expand[]=meter`), 200);
    assert.equal(shown.meter.type, 'smart');
    assert.deepEqual(await told(own, 'meter-orders'), [
      `created ${BEGIN} 1`,
      `placed ${berlin('2037-11-23T10:00')} 2`,
      `scheduled ${berlin('2037-11-26T10:00')} 3`,
      `installed ${berlin('2037-12-14T10:00')} 4`,
      `activated ${berlin('2037-12-15T12:00')} 5`,
    ]);
    const feed = async (): Promise<Json[]> => must(await own.call('GET', '/events?types=meter_order.*'), 200).items;
    while ((await feed()).length < 5)
      must(await own.call('GET', '/events?wait=1&types=webhook_endpoint.disabled'), 200);
    const [first, second] = await feed();
    assert.deepEqual(first.data, { meter_order: created, previous_attributes: {} });
    assert.deepEqual(second.data.previous_attributes, { status: 'created', due_at: null, placed_at: null });
  });

  test('is not ordered for a meter that is smart already, although the order stands as it was given', async () => {
    const body = signUpBody(sandbox.planId);
    const given = { meter: { ...body.meter, type: 'smart' }, product_orders: [SMART, modules(1, 3)] };
    const { id, product_orders: orders } = await sandbox.signUp(given);
    assert.deepEqual(orders, given.product_orders);
    assert.deepEqual(await ordersOf(sandbox, 'meter-orders', id), []);
    await sandbox.advanceBy('P10D');
    assert.equal((await orderOf(sandbox, 'grid-fee-reductions', id)).status, 'activated');
  });

  test('99910: is refused for want of a connection, and waits until it is cancelled', async () => {
    const { id } = await sandbox.signUp({ address: addressIn('99910'), product_orders: [SMART] });
    await sandbox.advanceBy('P60D');
    const order = await orderOf(sandbox, 'meter-orders', id);
    assert.deepEqual([order.status, order.blocked.code, order.due_at], ['placed', 'no_gateway_coverage', null]);
    const cancelled = must(await sandbox.call('POST', `/meter-orders/${order.id}/cancel`), 200);
    assert.deepEqual([cancelled.status, cancelled.blocked], ['cancelled', null]);
    const again = await sandbox.call('POST', `/meter-orders/${order.id}/cancel`);
    assert.deepEqual([again.status, again.json.code], [409, 'not_in_this_status']);
    assert.equal((await create(sandbox, 'meter-orders', id)).status, 201, 'another one can be ordered then');
  });

  test('99911: needs a second appointment when the fitter is not let in', async () => {
    const own = await openSandbox(service, BEGIN);
    const { id } = await own.signUp({ address: addressIn('99911'), product_orders: [SMART] });
    await own.advanceTo(berlin('2037-12-14T11:00'));
    const missed = await orderOf(own, 'meter-orders', id);
    assert.deepEqual(
      [missed.status, missed.blocked.code, missed.blocked.actor, missed.blocked.since, missed.appointment_at],
      ['placed', 'fitter_not_let_in', 'customer', berlin('2037-12-14T10:00'), null],
    );
    await own.advanceTo(berlin('2038-03-01'));
    assert.equal((await orderOf(own, 'meter-orders', id)).status, 'activated');
    assert.deepEqual(
      (await told(own, 'meter-orders')).map((text) => text.split(' ')[0]),
      ['created', 'placed', 'scheduled', 'blocked', 'scheduled', 'installed', 'activated'],
    );
  });

  test('99919: is blocked when nobody answers, and so is a reduction', async () => {
    const product_orders = [SMART, modules(1)];
    const { id } = await sandbox.signUp({ address: addressIn('99919'), product_orders });
    await sandbox.advanceBy('P60D');
    const [order, reduction] = [
      await orderOf(sandbox, 'meter-orders', id),
      await orderOf(sandbox, 'grid-fee-reductions', id),
    ];
    assert.deepEqual(
      [order.status, order.blocked.code, order.blocked.actor],
      ['placed', 'metering_operator_unanswered', 'operator'],
    );
    assert.deepEqual([reduction.status, reduction.blocked.code], ['ordered', 'grid_operator_unanswered']);
  });
});

describe('a grid-fee reduction', () => {
  test('ordered with the sign-up is in force from a day to come on, not before the supply', async () => {
    const own = await openSandbox(service, BEGIN);
    const { id } = await own.signUp({
      product_orders: [modules(2)],
      next_possible_start: false,
      intended_start_date: '2038-01-15',
    });
    await own.advanceTo(berlin('2038-01-14T23:59:59'));
    const asked = await orderOf(own, 'grid-fee-reductions', id);
    assert.deepEqual([asked.status, asked.effective_from, asked.module_2], ['ordered', '2038-01-15', true]);
    await own.advanceTo(berlin('2038-01-15'));
    const inForce = await orderOf(own, 'grid-fee-reductions', id);
    assert.deepEqual([inForce.status, inForce.updated_at], ['activated', berlin('2038-01-15')]);
    assert.deepEqual(
      (await told(own, 'grid-fee-reductions')).map((text) => text.split(' ')[0]),
      ['created', 'ordered', 'updated', 'activated'],
    );
  });

  test('with module 3 waits for the smart meter', async () => {
    const own = await openSandbox(service, BEGIN);
    const { id } = await own.signUp({ product_orders: [modules(1, 3), SMART] });
    await own.advanceTo(berlin('2037-12-15T11:59:59'));
    assert.equal((await orderOf(own, 'grid-fee-reductions', id)).status, 'intended');
    await own.advanceTo(berlin('2037-12-15T12:00'));
    const asked = await orderOf(own, 'grid-fee-reductions', id);
    assert.deepEqual([asked.status, asked.ordered_at], ['ordered', berlin('2037-12-15T12:00')]);
    await own.advanceTo(berlin('2037-12-18'));
    const inForce = await orderOf(own, 'grid-fee-reductions', id);
    assert.deepEqual([inForce.status, inForce.effective_from], ['activated', '2037-12-18']);
    const inOneInstant = (await told(own, 'meter-orders', 'grid-fee-reductions'))
      .filter((text) => text.includes(berlin('2037-12-15T12:00')))
      .map((text) => text.split(' ')[0]);
    assert.deepEqual(inOneInstant, ['ordered', 'activated']);
  });

  test('with module 3 is blocked when the smart meter is cancelled, and goes on when one is ordered again', async () => {
    const { id } = await sandbox.signUp({ product_orders: [modules(1, 3), SMART] });
    const order = await orderOf(sandbox, 'meter-orders', id);
    must(await sandbox.call('POST', `/meter-orders/${order.id}/cancel`), 200);
    const blocked = await orderOf(sandbox, 'grid-fee-reductions', id);
    assert.deepEqual([blocked.status, blocked.blocked.code], ['intended', 'smart_meter_missing']);
    must(await create(sandbox, 'meter-orders', id), 201);
    assert.equal((await orderOf(sandbox, 'grid-fee-reductions', id)).blocked, null);
    await sandbox.advanceBy('P60D');
    assert.equal((await orderOf(sandbox, 'grid-fee-reductions', id)).status, 'activated');
  });

  test('99912: is rejected, finally', async () => {
    const { id } = await sandbox.signUp({ address: addressIn('99912'), product_orders: [modules(1)] });
    await sandbox.advanceBy('P15D');
    const rejected = await orderOf(sandbox, 'grid-fee-reductions', id);
    assert.deepEqual([rejected.status, rejected.rejection.code], ['rejected', 'module_not_possible']);
    const end = await sandbox.call('POST', `/grid-fee-reductions/${rejected.id}/end`);
    assert.deepEqual([end.status, end.json.code], [409, 'not_in_this_status']);
    assert.equal((await create(sandbox, 'grid-fee-reductions', id, { module_1: true })).status, 201);
  });

  test('takes the place of the one in force without a gap, and ends later when asked to', async () => {
    const own = await openSandbox(service, BEGIN);
    const { id } = await signUpActive(own, { product_orders: [modules(1)] });
    await own.advanceTo(berlin('2037-12-01T09:00'));
    const first = await orderOf(own, 'grid-fee-reductions', id);
    assert.equal(first.status, 'activated');
    const same = await create(own, 'grid-fee-reductions', id, { module_1: true });
    assert.deepEqual([same.status, same.json.code], [409, 'grid_fee_reduction_open']);
    const second = must(await create(own, 'grid-fee-reductions', id, { module_2: true }), 201);
    assert.equal(second.status, 'ordered');
    const third = await create(own, 'grid-fee-reductions', id, { module_1: true });
    assert.deepEqual([third.status, third.json.code], [409, 'grid_fee_reduction_open']);
    await own.advanceTo(berlin('2037-12-04'));
    const [now, before] = await ordersOf(own, 'grid-fee-reductions', id);
    assert.deepEqual([now.status, now.effective_from], ['activated', '2037-12-04']);
    assert.deepEqual([before.status, before.end_reason, before.effective_until], ['ended', 'replaced', '2037-12-04']);
    const ending = must(await own.call('POST', `/grid-fee-reductions/${now.id}/end`), 200);
    assert.deepEqual([ending.status, ending.effective_until], ['activated', '2037-12-09']);
    assert.equal((await own.call('POST', `/grid-fee-reductions/${now.id}/end`)).status, 409);
    await own.advanceTo(berlin('2037-12-09'));
    const ended = await orderOf(own, 'grid-fee-reductions', id);
    assert.deepEqual([ended.status, ended.end_reason, ended.updated_at], ['ended', 'requested', berlin('2037-12-09')]);
  });
});

describe('what is asked for', () => {
  test('must name a subscription of the project, its plan’s products, and modules that go together', async () => {
    const { id } = await sandbox.signUp();
    const codesOf = (reply: Reply): string[] => reply.json.errors.map(({ field, code }: Json) => `${field} ${code}`);
    for (const unknown of ['x', formatId('sub', randomUUID()), formatId('mor', randomUUID())]) {
      const reply = await create(sandbox, 'grid-fee-reductions', unknown, { module_3: true });
      assert.deepEqual(
        [reply.status, codesOf(reply)],
        [400, ['/subscription invalid_reference', ' invalid_module_set']],
      );
      assert.deepEqual(codesOf(await create(sandbox, 'meter-orders', unknown)), ['/subscription invalid_reference']);
    }
    for (let bits = 0; bits < 8; bits += 1) {
      const chosen = { module_1: (bits & 1) > 0, module_2: (bits & 2) > 0, module_3: (bits & 4) > 0 };
      const reply = await create(sandbox, 'grid-fee-reductions', id, chosen);
      if (bits === 1 || bits === 2) {
        assert.equal(reply.status, 201, reply.text);
        must(await sandbox.call('POST', `/grid-fee-reductions/${reply.json.id}/end`), 200);
      } else assert.deepEqual(codesOf(reply), [bits === 5 ? '/module_3 smart_meter_needed' : ' invalid_module_set']);
    }
    const poor = await openSandbox(service, BEGIN, { products: [] });
    const { id: plain } = await poor.signUp();
    const refused = await create(poor, 'meter-orders', plain);
    assert.deepEqual([refused.status, codesOf(refused)], [400, ['/subscription product_not_offered']]);
  });

  test('is refused for a smart meter, and once the subscription has ended', async () => {
    const body = signUpBody(sandbox.planId);
    const { id } = await sandbox.signUp({ meter: { ...body.meter, type: 'smart' } });
    const smart = await create(sandbox, 'meter-orders', id);
    assert.deepEqual([smart.status, smart.json.code], [422, 'meter_already_smart']);
    must(await sandbox.act(id, 'terminate', { reason: 'withdrawal' }), 200);
    await sandbox.advanceBy('P5D');
    assert.equal((await sandbox.read(id)).status, 'ended');
    const ended = await create(sandbox, 'grid-fee-reductions', id, { module_1: true });
    assert.deepEqual([ended.status, ended.json.code], [409, 'not_in_this_stage']);
  });

  test('is ordered once, however many ask at the same time, and once under one key', async () => {
    const { id } = await signUpActive(sandbox);
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(sandbox, 'meter-orders', id)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.ok(replies.every(({ status, json }) => status === 201 || json.code === 'meter_order_open'));
    assert.equal((await ordersOf(sandbox, 'meter-orders', id)).length, 1);
    const { id: other } = await signUpActive(sandbox);
    const options = { body: { subscription: other }, headers: { 'idempotency-key': randomUUID() } };
    const [first, again] = [
      await sandbox.call('POST', '/meter-orders', options),
      await sandbox.call('POST', '/meter-orders', options),
    ];
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const read = await sandbox.call('GET', first.headers.get('location') ?? '');
    assert.deepEqual([read.text, read.headers.get('etag')], [first.text, first.headers.get('etag')]);
    const stale = { headers: { 'if-match': '"x"' } };
    assert.equal((await sandbox.call('POST', `/meter-orders/${first.json.id}/cancel`, stale)).status, 412);
    const fresh = { headers: { 'if-match': first.headers.get('etag') ?? '' } };
    assert.equal((await sandbox.call('POST', `/meter-orders/${first.json.id}/cancel`, fresh)).status, 200);
  });

  test('lists by status and time, newest first, on pages', async () => {
    const own = await openSandbox(service, BEGIN);
    for (let count = 0; count < 3; count += 1) await own.signUp({ product_orders: [SMART, modules(1)] });
    for (const list of ['meter-orders', 'grid-fee-reductions'] as const) {
      const ask = async (query: string): Promise<Json> => must(await own.call('GET', `/${list}?${query}`), 200);
      const all = (await ask('')).items.map(({ id }: Json) => id);
      assert.deepEqual(all, all.toSorted().toReversed());
      const first = await ask('limit=2');
      const second = await ask(`limit=2&cursor=${first.next_page}`);
      assert.deepEqual(
        [...first.items, ...second.items].map(({ id }: Json) => id),
        all,
      );
      assert.equal((await ask(`filter[created_at][eq]=${BEGIN}`)).items.length, 3);
      assert.equal((await ask(`filter[updated_at][lt]=${BEGIN}`)).items.length, 0);
      const statuses = list === 'meter-orders' ? 'created,cancelled' : 'intended,ended';
      assert.equal((await ask(`filter[status][in]=${statuses}`)).items.length, 3);
    }
  });
});

test('orders are listed in the order in which they came, by themselves or with a sign-up, also within a second', async () => {
  const mine: string[] = [];
  const listed = async (): Promise<string[]> =>
    must(await service.call('GET', '/meter-orders?limit=100'), 200).items.map(({ id }: Json) => id);
  const signedUp = async (orders: readonly Json[]): Promise<string> =>
    must(
      await service.call('POST', '/subscriptions', { body: signUpBody(service.planId, { product_orders: orders }) }),
      201,
    ).id;
  for (let round = 0; round < 5; round += 1) {
    const later = await signedUp([]);
    await signedUp([SMART]);
    const first = (await listed()).find((id) => !mine.includes(id)) ?? '';
    const body = { subscription: later };
    const second = must(await service.call('POST', '/meter-orders', { body }), 201).id;
    mine.unshift(second, first);
    assert.deepEqual(await listed(), mine);
  }
});

test('an order was created in the second that its id tells, however fast the time goes', async () => {
  const headers = { authorization: `Bearer ${await service.token()}` };
  const subscription = must(await service.call('POST', '/subscriptions', { body: signUpBody(service.planId) }), 201).id;
  let present = wallClock.now();
  const clock = { now: () => (present = present.add({ milliseconds: 1_300 })) };
  const { http } = createAppBeside(service, { clock });
  for (const [list, prefix] of [
    ['meter-orders', 'mor'],
    ['grid-fee-reductions', 'gfr'],
  ] as const) {
    const body = { subscription, ...(list === 'meter-orders' ? {} : modules(1)['14a_enwg']) };
    const reply = await http.inject({ method: 'POST', url: `/${list}`, headers, payload: body });
    assert.equal(reply.statusCode, 201, reply.body);
    const order: Json = reply.json();
    const minted = uuidTime(parseId(prefix, order.id) ?? '');
    assert.equal(order.created_at, formatInstant(Temporal.Instant.fromEpochMilliseconds(minted)));
  }
});

describe('the end of a subscription', () => {
  test('cancels its order and ends its reductions in the same instant, before and after the start', async () => {
    const own = await openSandbox(service, BEGIN);
    const product_orders = [SMART, modules(1)];
    const { id: withdrawn } = await own.signUp({ product_orders });
    must(await own.act(withdrawn, 'terminate', { reason: 'withdrawal' }), 200);
    const { id: moved } = await own.signUp({ product_orders });
    await own.advanceTo(berlin('2037-11-26T12:00'));
    const end = { reason: 'move_out', intended_end_date: '2038-01-05' };
    must(await own.act(moved, 'terminate', end), 200);
    const { id: hurried } = await signUpActive(own, { product_orders: [modules(1)] });
    must(await own.act(hurried, 'terminate', { reason: 'withdrawal' }), 200);
    await own.advanceTo(berlin('2038-03-01'));
    for (const [id, status] of [
      [withdrawn, 'cancelled'],
      [moved, 'activated'],
    ] as const) {
      const { end_at: endAt, status: of } = await own.read(id);
      assert.equal(of, 'ended');
      const order = await orderOf(own, 'meter-orders', id);
      assert.equal(order.status, status);
      if (status === 'cancelled') assert.equal(order.cancelled_at, endAt);
    }
    for (const id of [withdrawn, moved, hurried]) {
      const { end_at: endAt } = await own.read(id);
      const reduction = await orderOf(own, 'grid-fee-reductions', id);
      assert.deepEqual(
        [reduction.status, reduction.end_reason, reduction.updated_at],
        ['ended', 'supply_ended', endAt],
      );
    }
    assert.equal((await orderOf(own, 'grid-fee-reductions', moved)).effective_until, '2038-01-05');
    assert.equal((await orderOf(own, 'grid-fee-reductions', withdrawn)).effective_from, null);
  });
});

test('the same inputs give the same stories in two projects, whatever the steps of the clock', async () => {
  const stories: string[][] = [];
  for (const step of ['P90D', 'P1DT7H']) {
    const own = await openSandbox(service, BEGIN);
    for (const zip of ['51147', '99910', '99911', '99912', '99919']) {
      await own.signUp({ address: addressIn(zip), product_orders: [SMART, modules(1, 3)] });
    }
    while ((await own.now()) < berlin('2038-02-15')) await own.advanceBy(step);
    const lines: string[] = [];
    for (const list of ['meter-orders', 'grid-fee-reductions']) {
      for (const order of must(await own.call('GET', `/${list}`), 200).items) {
        const { id: _, subscription: __, meter: ___, ...rest } = order;
        lines.push(JSON.stringify(rest));
      }
    }
    // Those of one instant have no order among each other.
    stories.push([...lines.toSorted(), ...(await told(own, 'meter-orders', 'grid-fee-reductions'))]);
  }
  assert.ok((stories[0]?.length ?? 0) > 30);
  assert.deepEqual(stories[1], stories[0]);
});

test('what was ordered before orders had lives is taken up by the migration', async () => {
  const folder = new URL('../../migrations/', import.meta.url);
  const name = readdirSync(folder).find((each) => each.endsWith('_orders.sql')) ?? '';
  const text = readFileSync(new URL(name, folder), 'utf8');
  const backfill = text.slice(text.indexOf('-- What was ordered with sign-ups before'));
  const own = await openSandbox(service, BEGIN);
  const { id } = await signUpActive(own, { product_orders: [SMART, modules(1, 3)] });
  const of = `subscription_id = '${parseId('sub', id)}'`;
  const client = new Client(service.connection);
  await client.connect();
  await client.query(`delete from meter_orders where ${of}; delete from grid_fee_reductions where ${of};
    update market_processes set memory = (memory::jsonb - 'orders')::json, due_at = null where ${of}`);
  assert.deepEqual(await ordersOf(own, 'meter-orders', id), []);
  // Everybody else has his orders already.
  await client.query(`begin; create temp table kept on commit drop as select * from product_orders where not (${of});
    delete from product_orders where not (${of}); ${backfill}; insert into product_orders select * from kept; commit`);
  await client.end();
  await own.advanceBy('P60D');
  assert.equal((await orderOf(own, 'meter-orders', id)).status, 'activated');
  assert.equal((await orderOf(own, 'grid-fee-reductions', id)).status, 'activated');
});
