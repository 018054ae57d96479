/** What is well-formed but not possible in the present state names the members of the body that ask for it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldErrors, signUpBody, uniqueMeterNumber, type Json } from '../support/builders.ts';
import { berlin, must, openSandbox, signUpActive, signUpConfirmed, type Sandbox } from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
let sandbox: Sandbox;
before(async () => {
  service = await startService();
  sandbox = await openSandbox(service, berlin('2030-01-07T10:00'));
});
after(() => service.stop());

function assertRefused(reply: Reply, status: number, code: string, fields: readonly string[]): void {
  const errors = fields.map((field) => `${field} ${code}`);
  assert.deepEqual([reply.status, reply.json.code, fieldErrors(reply)], [status, code, errors], reply.text);
}

describe('a change of what the grid operator has confirmed', () => {
  test('names each member that differs, and none that can be changed or is named as it is', async () => {
    const { id } = await signUpConfirmed(sandbox);
    const { meter, address, customer } = must(
      await sandbox.call('GET', `/subscriptions/${id}?expand[]=meter&expand[]=address&expand[]=customer`),
      200,
    );
    const body = {
      metadata: { a: 1 },
      billing_address: null,
      meter: { number: uniqueMeterNumber(), malo: meter.malo },
      address: { street: 'Anderswo', city: address.city },
      customer: { first_name: customer.first_name, last_name: 'Neu' },
      previous_supplier: await sandbox.supplier('confirms'),
      intended_start_date: '2030-03-01',
    };
    const fields = [
      '/address/street',
      '/customer/last_name',
      '/intended_start_date',
      '/meter/number',
      '/previous_supplier',
    ];
    assertRefused(await sandbox.patch(id, body), 409, 'not_in_this_stage', fields);
  });
});

describe('a termination', () => {
  test('that comes too early for its reason names the reason', async () => {
    const { id } = await sandbox.signUp();
    for (const body of [{ reason: 'ordinary' }, { reason: 'move_out', intended_end_date: '2030-06-01' }]) {
      assertRefused(await sandbox.act(id, 'terminate', body), 409, 'not_in_this_stage', ['/reason']);
    }
  });

  test('that is there already names nothing: no other body would do', async () => {
    const { id } = await signUpActive(sandbox);
    must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
    assertRefused(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 409, 'not_in_this_stage', []);
  });

  test('by a withdrawal that comes too late names the reason, or the day on which it was sent', async () => {
    const own = await openSandbox(service, berlin('2030-01-07T10:00'));
    const { id } = await own.signUp();
    await own.advanceBy('P30D');
    const late = await own.act(id, 'terminate', { reason: 'withdrawal' });
    assertRefused(late, 422, 'withdrawal_period_over', ['/reason']);
    const sentLate = await own.act(id, 'terminate', { reason: 'withdrawal', notice_date: '2030-01-30' });
    assertRefused(sentLate, 422, 'withdrawal_period_over', ['/notice_date']);
  });
});

describe('an order', () => {
  const order = (list: string, body: Json): Promise<Reply> => sandbox.call('POST', `/${list}`, { body });

  test('of what is ordered already names the subscription', async () => {
    const { id } = await sandbox.signUp();
    must(await order('meter-orders', { subscription: id }), 201);
    assertRefused(await order('meter-orders', { subscription: id }), 409, 'meter_order_open', ['/subscription']);
    const reduction = { subscription: id, module_1: true };
    must(await order('grid-fee-reductions', reduction), 201);
    const again = await order('grid-fee-reductions', reduction);
    assertRefused(again, 409, 'grid_fee_reduction_open', ['/subscription']);
  });

  test('of a smart meter for one, or for a subscription that has ended, names the subscription', async () => {
    const { id } = await sandbox.signUp({ meter: { ...signUpBody('').meter, type: 'smart' } });
    const smart = await order('meter-orders', { subscription: id });
    assertRefused(smart, 422, 'meter_already_smart', ['/subscription']);
    must(await sandbox.act(id, 'terminate', { reason: 'withdrawal' }), 200);
    await sandbox.advanceBy('P5D');
    const ended = await order('grid-fee-reductions', { subscription: id, module_1: true });
    assertRefused(ended, 409, 'not_in_this_stage', ['/subscription']);
  });

  test('of modules that are in force names the modules', async () => {
    const { id } = await signUpActive(sandbox);
    const body = { subscription: id, module_1: true, module_2: false };
    must(await order('grid-fee-reductions', body), 201);
    await sandbox.advanceBy('P60D');
    const { items } = must(await sandbox.call('GET', `/grid-fee-reductions?filter[subscription][eq]=${id}`), 200);
    assert.equal(items[0].status, 'activated');
    assertRefused(await order('grid-fee-reductions', body), 409, 'grid_fee_reduction_open', ['/module_1']);
  });
});
