/** The job that removes what has served its time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql, type Sql } from '#platform/database/sql.ts';
import { createLog } from '#platform/log.ts';
import { createMaintenance } from '../../src/maintenance.ts';
import { signUpBody, type Json } from '../support/builders.ts';
import { until } from '../support/receiver.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

test('tries each step whatever becomes of the others, logs what fails, and does that the next time', async () => {
  const { database } = service;
  const count = async (table: Sql): Promise<number> =>
    (await database.query<Json>(sql`select count(*)::integer as count from ${table}`))[0].count;
  const headers = { 'idempotency-key': 'old' };
  assert.equal((await service.call('POST', '/plans', { body: { name: 'Plan', price: 10 }, headers })).status, 201);
  await database.query(sql`update idempotency_keys set created_at = now() - interval '31 days'`);
  await addExpiredTokens(1);
  const expired = sql`tokens where expires_at < now()`;
  assert.equal(await count(expired), 1);

  const failures: unknown[] = [];
  const log = Object.assign(createLog('silent', 2), { warn: ({ what }: Json) => void failures.push(what) });
  const maintenance = createMaintenance(service.service.foundation, log);
  await database.query(sql`alter table idempotency_keys rename to elsewhere`);
  await maintenance.run();
  assert.deepEqual([await count(sql`elsewhere`), await count(expired)], [1, 0]);
  assert.deepEqual(failures, ['idempotency keys']);

  await database.query(sql`alter table elsewhere rename to idempotency_keys`);
  await maintenance.run();
  assert.equal(await count(sql`idempotency_keys`), 0);
  assert.equal(failures.length, 1);
});

test('keeps the answer to a sign-up for 30 days, also where the clock of a sandbox has stood for longer', async () => {
  await service.database.query(sql`update projects set clock_at = date_trunc('second', now()) - interval '31 days'`);
  const body = signUpBody(service.planId);
  const create = () => service.call('POST', '/subscriptions', { body, headers: { 'idempotency-key': 'kept' } });
  const created = await create();
  assert.equal(created.status, 201, created.text);
  await createMaintenance(service.service.foundation, createLog('silent', 2)).run();
  const again = await create();
  assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [created.text, 'true']);
});

test('removes nothing by a clock that is set forward until it has gone on for a day, and nothing once it is set back', async () => {
  const body = { name: 'Kept', price: 10 };
  const headers = { 'idempotency-key': 'by-a-wrong-clock' };
  // With a token of its own each time: those before have expired by the wrong clock, and are removed.
  const create = async () => service.call('POST', '/plans', { body, headers, token: await service.token() });
  const created = await create();
  assert.equal(created.status, 201, created.text);
  const told: string[] = [];
  const log = Object.assign(createLog('silent', 2), { warn: (_: Json, text: string) => void told.push(text) });
  const ahead = { hours: 0 };
  const { foundation } = service.service;
  const clock = { ...foundation.clock, now: () => foundation.clock.now().add(ahead) };
  const maintenance = createMaintenance({ ...foundation, clock }, log);
  const runAhead = async (hours: number): Promise<void> => {
    ahead.hours = hours;
    await maintenance.run();
  };
  const isKept = async (): Promise<boolean> => {
    const again = await create();
    assert.equal(again.status, 201, again.text);
    return again.headers.get('idempotency-replayed') === 'true';
  };
  const days = (count: number): number => 24 * count;
  for (const hours of [days(40), days(40) + 12, 1, days(40)]) await runAhead(hours);
  assert.ok(await isKept());
  assert.equal(told.length, 2, 'told once for each time that it was set forward');
  for (const hours of [days(40) + 20, days(41) + 1]) await runAhead(hours);
  assert.equal(await isKept(), false);
  await runAhead(0);
});

async function addExpiredTokens(count: number): Promise<void> {
  await service.database.query(sql`
    insert into tokens (hash, kind, project_id, credential_id, family_id, scopes, issued_at, expires_at)
    select sha256(gen_random_uuid()::text::bytea), 'access', project_id, id, gen_random_uuid(), '{}', now(),
      now() - interval '1 day'
    from (select * from credentials limit 1) as one, generate_series(1, ${count}::integer)`);
}

test('runs by itself, again and again, and ends with the portion at hand', async () => {
  const { database } = service;
  const none = async (): Promise<boolean> =>
    (await database.query(sql`select from tokens where expires_at < now()`)).length === 0;
  const { foundation } = service.service;
  const maintenance = createMaintenance(foundation, createLog('silent', 2), { firstMs: 1, everyMs: 1 });
  maintenance.start();
  for (const _ of ['once', 'again']) {
    await addExpiredTokens(1);
    await until('expired tokens are gone', none);
  }
  await database.transaction(async (transaction) => {
    await transaction.query(sql`lock table tokens in access exclusive mode`);
    await until('it waits for the lock', async () => {
      const waiting = await database.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      return waiting.length > 0;
    });
    const stopped = maintenance.stop().then(() => 'stopped');
    assert.equal(await Promise.race([stopped, database.query(sql`select pg_sleep(0.2)`).then(() => 'at it')]), 'at it');
  });
  await maintenance.stop();
  await addExpiredTokens(1);
  assert.equal(await none(), false);
});

test('removes less at once after a portion that the database has not removed in time', async () => {
  const { database } = service;
  await addExpiredTokens(700);
  // As a database does that is too slow for so many.
  await database.query(sql`
    create function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from removed) > 625 then raise query_canceled; end if;
      return null;
    end $$`);
  await database.query(sql`
    create trigger refuse_many after delete on tokens referencing old table as removed
    for each statement execute function refuse_many()`);
  const failures: unknown[] = [];
  const log = Object.assign(createLog('silent', 2), { warn: ({ what }: Json) => void failures.push(what) });
  const maintenance = createMaintenance(service.service.foundation, log);
  await maintenance.run();
  assert.deepEqual(failures, ['tokens']);
  // What was refused holds its rows until the server has undone it, and a portion passes those by.
  await until('it is undone', async () => {
    const free = await database.query(sql`select from tokens where expires_at < now() for update skip locked`);
    return free.length >= 700;
  });
  await maintenance.run();
  assert.deepEqual(await database.query(sql`select from tokens where expires_at < now()`), []);
  assert.equal(failures.length, 1);
});
