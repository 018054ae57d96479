/** An operator ends sign-ups that wait in vain, or takes what the grid operator has confirmed for another day than asked. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import { berlinDate, uniqueMalo } from '../support/builders.ts';
import { openLive, type Live } from '../support/live.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let live: Live;

before(async () => {
  service = await startService();
  live = await openLive(service);
});
after(() => service.stop());

const meterAt = (malo: string): object => ({ number: `1EMH${malo}`, type: 'smart', estimated_usage: 3000, malo });

test('a sign-up that is given up is over, told of, audited, and its market location is free', async () => {
  const meter = meterAt(uniqueMalo());
  const { id } = await live.signUp({ meter });
  const registration = await live.waiting(id);
  await live.market('answer', registration.id, 'registration_rejection', '--code', 'A05');
  assert.equal((await live.read(id)).next_action.code, 'balancing_group_authority_missing');
  const given = await live.market('give-up', id);
  assert.deepEqual([given.object, given.sent, given.subscription.status], ['market_give_up', [], 'ended']);
  const { status, end_reason: reason, next_action: action, start_at: start } = await live.read(id);
  assert.deepEqual([status, reason, action, start], ['ended', 'rejected', null, null]);
  const told = await service.database.query<{ type: string }>(sql`
    select type from events where subscription_id = ${parseId('sub', id)} order by sequence desc limit 2`);
  assert.deepEqual(
    told.map(({ type }) => type),
    ['subscription.ended', 'subscription.action_resolved'],
  );
  const entries = await service.database.query<{ operation: string }>(sql`
    select operation from audit_log where resource = ${id} order by id desc limit 1`);
  assert.deepEqual(entries, [{ operation: 'market give-up' }]);
  const again = await live.signUp({ meter });
  assert.equal(again.status, 'pending');
  const refusal = 'it has ended, or the grid operator has confirmed it, or may still do so';
  assert.deepEqual(await live.refused('give-up', id), [1, 'cannot_be_given_up', refusal]);
});

test('a registration that is on its way is answered before its sign-up can be given up', async () => {
  const { id } = await live.signUp();
  const registration = await live.waiting(id);
  await live.market('transmitted', registration.id);
  assert.equal((await live.refused('give-up', id))[1], 'cannot_be_given_up');
  assert.equal((await live.read(id)).stage, 'registering');
  await live.market('answer', registration.id, 'registration_rejection', '--code', 'A05');
  await live.market('give-up', id);
  assert.equal((await live.read(id)).end_reason, 'rejected');
});

test('a sign-up that was set aside after a failure can be given up, too', async () => {
  const { id } = await live.signUp();
  await service.database.query(sql`
    update market_processes set memory = jsonb_set(memory::jsonb, '{is_parked}', 'true')::json
    where subscription_id = (select subscription_id from market_messages where state = 'waiting' order by id desc limit 1)`);
  await live.market('give-up', id);
  assert.equal((await live.read(id)).end_reason, 'rejected');
});

test('a start that was confirmed too early, and stands, is accepted: told of, audited, and not twice', async () => {
  const { id } = await live.signUp();
  const registration = await live.waiting(id);
  const start = berlinDate(1);
  await live.market('answer', registration.id, 'registration_confirmation', '--start', start);
  assert.equal((await live.read(id)).next_action.code, 'confirmed_too_early');
  const accepted = await live.market('accept-start', id);
  assert.deepEqual([accepted.object, accepted.sent], ['market_accept_start', []]);
  const { status, stage, next_action: action, requested_start_date: requested } = await live.read(id);
  assert.deepEqual([status, stage, action, requested], ['pending', 'confirmed', null, start]);
  const told = await service.database.query<{ type: string }>(sql`
    select type from events where subscription_id = ${parseId('sub', id)} order by sequence desc limit 2`);
  assert.deepEqual(
    told.map(({ type }) => type),
    ['subscription.confirmed', 'subscription.action_resolved'],
  );
  const entries = await service.database.query<{ operation: string }>(sql`
    select operation from audit_log where resource = ${id} order by id desc limit 1`);
  assert.deepEqual(entries, [{ operation: 'market accept-start' }]);
  assert.equal((await live.refused('accept-start', id))[1], 'no_start_to_accept');
});
