/** PATCH of a subscription with members named as they are, beside others that change. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldErrors, type Json } from '../support/builders.ts';
import { berlin, must, openSandbox, signUpConfirmed, type Sandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const MONDAY = berlin('2030-01-07T10:00');

async function shownOf(sandbox: Sandbox, id: string): Promise<Json> {
  await sandbox.settle();
  return must(await sandbox.call('GET', `/subscriptions/${id}?expand[]=meter&expand[]=address&expand[]=customer`), 200);
}

/** Everything that can be corrected, as it is. */
function namedAsItIs({
  meter,
  address,
  customer,
  intended_start_date: start,
  previous_supplier: supplier,
}: Json): Json {
  return {
    meter: { number: meter.number, malo: meter.malo },
    address: { street: address.street, house_number: address.house_number, zip: address.zip, city: address.city },
    customer: { first_name: customer.first_name, last_name: customer.last_name },
    previous_supplier: supplier,
    ...(start === null ? {} : { intended_start_date: start }),
  };
}

describe('what is named as it is', () => {
  test('changes nothing in any stage, and keeps nothing else from being changed', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const supplier = await sandbox.supplier('confirms');
    const start = { next_possible_start: false, intended_start_date: '2030-01-21', previous_supplier: supplier };
    const { id, start_at: startAt } = await signUpConfirmed(sandbox, start);
    const assertTaken = async (stage: string): Promise<void> => {
      const shown = await shownOf(sandbox, id);
      assert.equal(shown.stage, stage);
      const named = namedAsItIs(shown);
      const timeline = await sandbox.timeline(id);
      must(await sandbox.patch(id, named), 200);
      assert.deepEqual(await shownOf(sandbox, id), shown, stage);
      assert.deepEqual(await sandbox.timeline(id), timeline, stage);
      const changed = must(await sandbox.patch(id, { ...named, metadata: { stage } }), 200);
      assert.deepEqual(changed.metadata, { stage });
      const { metadata, updated_at: updatedAt, ...others } = await shownOf(sandbox, id);
      assert.deepEqual({ ...shown, ...others }, shown, stage);
      // Beside what differs it is refused: nothing of it is written.
      const refused = await sandbox.patch(id, {
        ...named,
        customer: { last_name: 'Anders' },
        metadata: { stage: 'x' },
      });
      assert.deepEqual([refused.status, refused.json.code], [409, 'not_in_this_stage']);
      assert.deepEqual(await shownOf(sandbox, id), { ...others, metadata, updated_at: updatedAt });
    };
    await assertTaken('confirmed');
    await sandbox.advanceTo(startAt);
    await assertTaken('supplying');
    must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
    await assertTaken('ending');
    await sandbox.advanceBy('P3M');
    await assertTaken('ended');
  });

  test('is refused once confirmed where it is spelled otherwise: nothing of it is written', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpConfirmed(sandbox);
    const shown = await shownOf(sandbox, id);
    const reply = await sandbox.patch(id, { meter: { number: `${shown.meter.number}-` } });
    assert.deepEqual([reply.status, reply.json.code], [409, 'not_in_this_stage']);
    assert.deepEqual(await shownOf(sandbox, id), shown);
  });

  test('is taken of a name that was changed at the customer once confirmed', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id, customer } = await signUpConfirmed(sandbox);
    must(await sandbox.call('PATCH', `/customers/${customer}`, { body: { last_name: 'Anders' } }), 200);
    must(await sandbox.patch(id, { customer: { last_name: 'Anders' }, metadata: { a: '1' } }), 200);
    const former = await sandbox.patch(id, { customer: { last_name: 'Mustermann-Zuvor' } });
    assert.equal(former.status, 409);
  });

  test('may be a start that has come meanwhile, unless another one is asked for', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const day = '2030-01-14';
    const { id } = await sandbox.signUp({
      next_possible_start: false,
      intended_start_date: day,
      previous_supplier: await sandbox.supplier('silent'),
    });
    await sandbox.advanceBy('P10D');
    must(await sandbox.patch(id, { intended_start_date: day, metadata: { a: '1' } }), 200);
    const other = await sandbox.patch(id, { intended_start_date: '2030-01-15' });
    assert.deepEqual(fieldErrors(other), ['/intended_start_date not_in_future']);
  });
});
