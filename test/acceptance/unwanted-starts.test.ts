/** A start that nobody wants, in a live project: the operator sees it until the grid operator has taken it back. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#platform/database/sql.ts';
import { findViolations, invariants } from '../../src/cli/invariants-store.ts';
import { berlinDay } from '#domain/calendar.ts';
import { wallClock } from '#platform/clock.ts';
import { uniqueMalo, type Json } from '../support/builders.ts';
import { openLive, runCommand, type Live } from '../support/live.ts';
import { berlin, meterOnly, must, openSandbox, signUpActive } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let live: Live;

before(async () => {
  service = await startService();
  live = await openLive(service);
});
after(() => service.stop());

/** Withdrawn before anybody said that its registration was handed over; then the grid operator confirmed it. */
async function unwanted(): Promise<{ readonly id: string; readonly customer: string; readonly start: string }> {
  const start = berlinDay(wallClock.now()).add({ days: 30 }).toString();
  const wish = { next_possible_start: false, intended_start_date: start };
  const { id, customer } = await live.signUp({ ...wish, meter: { ...meterOnly(), malo: uniqueMalo() } });
  const registration = await live.waiting(id);
  must(await live.call('POST', `/subscriptions/${id}/terminate`, { reason: 'withdrawal' }), 200);
  await live.market('answer', registration.id, 'registration_confirmation', '--start', start);
  return { id, customer, start };
}

const told = async (id: string): Promise<Json[]> =>
  (await live.story(id)).flatMap(({ type, event }) => (type === 'event' ? [event.type] : []));

test('it is a task of the operator after the end, in lists, events and timeline, until it is taken back', async () => {
  const { id, customer, start } = await unwanted();
  const ended = await live.read(id);
  assert.deepEqual(
    [ended.status, ended.end_reason, ended.next_action.code],
    ['ended', 'withdrawn', 'transmit_message'],
  );
  const revocation = await live.waiting(id);
  assert.deepEqual(
    [revocation.kind, revocation.contents.reason, revocation.contents.end],
    ['deregistration', 'ZH2', start],
  );
  await live.market('answer', revocation.id, 'deregistration_rejection', '--code', 'A99');
  const refused = await live.read(id);
  assert.deepEqual([refused.next_action.code, refused.next_action.actor], ['revocation_refused', 'operator']);
  for (const filter of [
    'filter[next_action.actor][eq]=operator',
    'filter[next_action.code][eq]=revocation_refused',
    'filter[next_action.code][in]=revocation_refused&filter[status][eq]=ended',
    'filter[next_action.actor][is_null]=false&filter[stage][eq]=ended',
  ]) {
    const { items } = must(await live.call('GET', `/subscriptions?${filter}`), 200);
    assert.deepEqual(
      items.map((item: Json) => item.id),
      [id],
      filter,
    );
  }
  // Its market location is needed for as long as the grid operator has the customer supplied by us.
  const early = await live.call('POST', `/customers/${customer}/erase`);
  assert.deepEqual(
    [early.status, early.json.code, early.json.subscriptions],
    [409, 'customer_has_running_supply', [id]],
  );

  const retried = must(await live.call('POST', `/subscriptions/${id}/retry`), 200);
  assert.equal(retried.next_action.code, 'transmit_message');
  const again = await live.waiting(id);
  await live.market('transmitted', again.id);
  assert.equal((await live.read(id)).next_action, null);
  assert.equal((await live.call('POST', `/customers/${customer}/erase`)).status, 409);
  const { subscription } = await live.market('answer', again.id, 'deregistration_confirmation', '--end', start);
  assert.deepEqual([subscription.status, subscription.next_action], ['ended', null]);
  assert.deepEqual((await told(id)).slice(-7), [
    'subscription.ended',
    'subscription.action_required',
    'subscription.action_resolved',
    'subscription.action_required',
    'subscription.action_resolved',
    'subscription.action_required',
    'subscription.action_resolved',
  ]);
  must(await live.call('POST', `/customers/${customer}/erase`), 200);
  assert.equal((await live.call('POST', `/subscriptions/${id}/retry`)).status, 409);
});

const violations = async (): Promise<string[]> => {
  const broken: string[] = [];
  await findViolations(service.database, invariants, ({ name }, { count }) => void (count > 0 && broken.push(name)));
  return broken;
};

test('a withdrawn supply of which the start is revoked after it ends at once, without a day', async () => {
  const sandbox = await openSandbox(service, berlin('2030-01-14T10:00'));
  const project = (await runCommand(service, 'project', 'list', '--json')).json.items.at(-1).id;
  const orders = [{ type: '14a_enwg', '14a_enwg': { module_1: true } }];
  const { id, start_at: startAt } = await signUpActive(sandbox, { product_orders: orders });
  must(await sandbox.act(id, 'terminate', { reason: 'withdrawal' }), 200);
  const end = berlinDay(Temporal.Instant.from(startAt)).toString();
  const notice = ['market', 'receive', '--project', project, id, 'end_notice', '--document-number', 'E1', '--end', end];
  assert.equal((await runCommand(service, ...notice)).code, 0);
  const { status, end_reason: reason, start_at: start, end_at: endAt } = await sandbox.read(id);
  assert.deepEqual([status, reason, start, endAt], ['ended', 'withdrawn', null, await sandbox.now()]);
  await sandbox.advanceBy('P10D');
  assert.deepEqual(await violations(), []);
});

test('doctor --deep is silent while somebody is to act, or an answer is awaited, and names one that is forgotten', async () => {
  const { id } = await unwanted();
  assert.deepEqual(await violations(), []);
  await live.market('transmitted', (await live.waiting(id)).id);
  assert.deepEqual(await violations(), []);
  await service.database.query(sql`update market_processes set due_at = null`);
  assert.deepEqual(await violations(), ['unwanted_start_is_followed']);
});
