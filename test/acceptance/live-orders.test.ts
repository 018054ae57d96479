/** Orders in a live project: what the operator hands over and records of smart meters and grid-fee reductions. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { berlinDay, earliestStart } from '#domain/calendar.ts';
import { parseId } from '#domain/identifiers.ts';
import { formatInstant, wallClock } from '#platform/clock.ts';
import { sql } from '#platform/database/sql.ts';
import type { Json } from '../support/builders.ts';
import { openLive, runCommand, type Live } from '../support/live.ts';
import { berlin, must, openSandbox, signUpActive } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let live: Live;

before(async () => {
  service = await startService();
  live = await openLive(service);
});
after(() => service.stop());

const today = (): Temporal.PlainDate => berlinDay(wallClock.now());

/** The orders of a sign-up whose supply is confirmed: a smart meter, and module 1. */
async function confirmedOrders(): Promise<{ meterOrder: string; reduction: string; start: string }> {
  const product_orders = [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_1: true } }];
  const { id } = await live.signUp({ product_orders });
  const start = earliestStart(today()).toString();
  await live.market('answer', (await live.waiting(id)).id, 'registration_confirmation', '--start', start);
  const own = async (list: string): Promise<string> =>
    must(await live.call('GET', `/${list}?filter[subscription][eq]=${id}`), 200).items[0].id;
  return { meterOrder: await own('meter-orders'), reduction: await own('grid-fee-reductions'), start };
}

/** An order as the operator sees it in his list, or `undefined`. */
async function listed(order: string): Promise<Json> {
  return (await live.market('orders')).items.find(({ id }: Json) => id === order);
}

const inDays = (days: number): string => formatInstant(wallClock.now().add({ hours: days * 24 }));

describe('orders in a live project', () => {
  test('wait for the operator, who records what becomes of them', async () => {
    const product_orders = [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_1: true } }];
    const { id } = await live.signUp({ product_orders });
    const own = async (list: string): Promise<Json> =>
      must(await live.call('GET', `/${list}?filter[subscription][eq]=${id}`), 200).items[0];
    const { id: order } = await own('meter-orders');
    const early = await live.refused('order', order, 'handed-over');
    assert.deepEqual(early.slice(0, 2), [1, 'not_in_this_status'], 'the market does not know us there yet');
    const unasked = await live.refused('order', order, 'refused', '--code', 'no_gateway_coverage');
    assert.deepEqual(unasked.slice(0, 2), [1, 'not_in_this_status'], 'nobody has asked him yet');
    const start = earliestStart(today()).toString();
    await live.market('answer', (await live.waiting(id)).id, 'registration_confirmation', '--start', start);
    const { items } = await live.market('orders');
    assert.deepEqual(
      items.filter(({ subscription }: Json) => subscription === id).map(({ blocked }: Json) => blocked.code),
      ['transmit_order', 'transmit_order'],
    );
    assert.equal((await live.market('order', order, 'handed-over')).order.status, 'placed');
    const never = await live.refused('order', order, 'appointment', '--at', '2099-12-14T08:00:00Z');
    assert.equal(never[1], 'not_in_this_status');
    const at = inDays(30);
    const scheduled = await live.market('order', order, 'appointment', '--at', at);
    assert.deepEqual([scheduled.order.status, scheduled.order.appointment_at], ['scheduled', at]);
    assert.equal((await live.market('order', order, 'installed')).order.status, 'installed');
    assert.equal((await live.market('order', order, 'activated')).order.status, 'activated');
    const again = await live.refused('order', order, 'activated');
    assert.deepEqual(again, [
      1,
      'not_in_this_status',
      `${order} is activated: either that does not permit this, or a day given is too early or over a year away, or it is recorded already`,
    ]);

    const { id: reduction } = await own('grid-fee-reductions');
    await live.market('order', reduction, 'handed-over');
    const tomorrow = today().add({ days: 1 }).toString();
    const confirmed = await live.market('order', reduction, 'confirmed', '--from', tomorrow);
    assert.equal(confirmed.order.effective_from, start, 'never before the supply');
    const events = await service.database.query<Json>(sql`
      select type, caused_by from events where resource_id = ${parseId('mor', order)} order by sequence`);
    assert.deepEqual(
      events.map(({ type, caused_by: by }) => `${type.split('.')[1]} ${by}`),
      [
        'created api',
        'blocked operator',
        'placed operator',
        'scheduled operator',
        'installed operator',
        'activated operator',
      ],
    );
    for (const [argv, code] of [
      [[order, 'appointment', '--at', 'tomorrow'], 2],
      [[reduction, 'rejected', '--code', 'no'], 2],
      [[reduction, 'confirmed', '--received-at', 'noon'], 2],
      [[reduction, 'confirmed', '--until', '2099-01-01'], 2],
      [[reduction, 'ended', '--until', '2099-02-30'], 2],
      [[order, 'nothing'], 2],
      [['mor_x', 'installed'], 1],
    ] as const) {
      assert.equal((await live.refused('order', ...argv))[0], code, argv.join(' '));
    }
  });

  test('that are refused or rejected say why', async () => {
    const { meterOrder, reduction } = await confirmedOrders();
    await live.market('order', meterOrder, 'handed-over');
    const refused = (await live.market('order', meterOrder, 'refused', '--code', 'no_gateway_coverage')).order;
    assert.deepEqual([refused.status, refused.blocked.code], ['placed', 'no_gateway_coverage']);
    assert.deepEqual((await listed(meterOrder))?.blocked, refused.blocked);
    await live.market('order', reduction, 'handed-over');
    const rejected = (await live.market('order', reduction, 'rejected', '--code', 'module_not_possible')).order;
    assert.deepEqual([rejected.status, rejected.rejection.code], ['rejected', 'module_not_possible']);
    assert.equal(await listed(reduction), undefined);
  });

  test('that the metering operator has are cancelled once the operator has told him', async () => {
    const { meterOrder: order } = await confirmedOrders();
    await live.market('order', order, 'handed-over');
    await live.market('order', order, 'appointment', '--at', inDays(30));
    const asked = must(await live.call('POST', `/meter-orders/${order}/cancel`), 200);
    assert.deepEqual([asked.status, asked.blocked.code, asked.cancelled_at], ['scheduled', 'transmit_order', null]);
    const again = await live.call('POST', `/meter-orders/${order}/cancel`);
    assert.deepEqual([again.status, again.json.code], [409, 'not_in_this_status']);
    assert.deepEqual((await listed(order))?.blocked, asked.blocked);
    const { status, blocked } = (await live.market('order', order, 'handed-over')).order;
    assert.deepEqual([status, blocked], ['cancelled', null]);
    assert.equal(await listed(order), undefined);
    assert.equal(must(await live.call('GET', `/meter-orders/${order}`), 200).status, 'cancelled');
  });

  test('that the grid operator has granted end by his word, also before they are in force', async () => {
    const { reduction } = await confirmedOrders();
    await live.market('order', reduction, 'handed-over');
    const from = today().add({ days: 40 }).toString();
    await live.market('order', reduction, 'confirmed', '--from', from);
    const asked = must(await live.call('POST', `/grid-fee-reductions/${reduction}/end`), 200);
    assert.deepEqual([asked.status, asked.blocked.code, asked.effective_until], ['ordered', 'transmit_order', from]);
    assert.deepEqual((await listed(reduction))?.blocked, asked.blocked);
    const told = (await live.market('order', reduction, 'handed-over')).order;
    assert.deepEqual([told.status, told.blocked, typeof told.due_at], ['ordered', null, 'string']);
    const early = today().add({ days: 39 }).toString();
    const refusal = await live.refused('order', reduction, 'ended', '--until', early);
    assert.deepEqual(refusal.slice(0, 2), [1, 'not_in_this_status']);
    const ended = (await live.market('order', reduction, 'ended', '--until', from)).order;
    assert.deepEqual([ended.status, ended.end_reason, ended.effective_from], ['ended', 'requested', null]);
    assert.equal(await listed(reduction), undefined);
  });

  test('never begin on the day of the answer or before it, nor in years', async () => {
    const { reduction, start } = await confirmedOrders();
    await live.market('order', reduction, 'handed-over');
    for (const argv of [
      ['--from', today().toString()],
      ['--from', '2020-01-01'],
      ['--from', '9999-12-31'],
      ['--received-at', inDays(1)],
      ['--received-at', inDays(-2)],
    ]) {
      const [code, reason] = await live.refused('order', reduction, 'confirmed', ...argv);
      assert.deepEqual([code, reason], [1, 'not_in_this_status'], argv.join(' '));
    }
    const { order } = await live.market('order', reduction, 'confirmed', '--received-at', inDays(0));
    assert.equal(order.effective_from, start);
  });

  test('are under way for the operator until they have ended', async () => {
    const sandbox = await openSandbox(service, berlin('2037-11-21T10:00'));
    const project = (await runCommand(service, 'project', 'list', '--json')).json.items.at(-1).id;
    const product_orders = [{ type: '14a_enwg', '14a_enwg': { module_1: true } }];
    const { id } = await signUpActive(sandbox, { product_orders });
    await sandbox.advanceBy('P5D');
    const own = async (): Promise<Json> =>
      must(await sandbox.call('GET', `/grid-fee-reductions?filter[subscription][eq]=${id}`), 200).items[0];
    const orders = async (): Promise<Json[]> =>
      (await runCommand(service, 'market', 'orders', '--project', project, '--json')).json.items;
    const inForce = await own();
    assert.deepEqual([inForce.status, await orders()], ['activated', []]);
    must(await sandbox.call('POST', `/grid-fee-reductions/${inForce.id}/end`), 200);
    assert.deepEqual(await orders(), [await own()]);
    await sandbox.advanceBy('P7D');
    assert.deepEqual([(await own()).status, await orders()], ['ended', []]);
  });

  test('that are too many for one list are said to be more', async () => {
    const sandbox = await openSandbox(service, berlin('2037-11-21T10:00'));
    const project = (await runCommand(service, 'project', 'list', '--json')).json.items.at(-1).id;
    await sandbox.signUp({ product_orders: [{ type: 'smart-meter' }] });
    const list = (...argv: string[]): ReturnType<typeof runCommand> =>
      runCommand(service, 'market', 'orders', '--project', project, ...argv);
    assert.doesNotMatch((await list()).stdout, /more/);
    const projectId = parseId('prj', project);
    await service.database.query(sql`
      with copies as materialized (
        select jsonb_build_object('id', id, 'meter_id', id) as changes
        from (select gen_random_uuid() as id from generate_series(1, 200)) as ids
      ), meters as (
        insert into meters select (jsonb_populate_record(meters, changes)).* from meters, copies
        where project_id = ${projectId}
      )
      insert into meter_orders select (jsonb_populate_record(meter_orders, changes)).* from meter_orders, copies
      where project_id = ${projectId}`);
    const { json } = await list('--json');
    assert.deepEqual([json.items.length, json.has_more], [200, true]);
    assert.match((await list()).stdout.slice(-100), /There are more/);
  });
});
