/** The job that removes what has served its time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql, type Sql } from '#platform/database/sql.ts';
import { createLog } from '#platform/log.ts';
import { createMaintenance } from '../../src/maintenance.ts';
import { signUpBody, type Json } from '../support/builders.ts';
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
  await database.query(sql`update tokens set expires_at = now() - interval '1 day'`);
  assert.ok((await count(sql`tokens`)) > 0);

  const failures: unknown[] = [];
  const log = Object.assign(createLog('silent', 2), { warn: ({ what }: Json) => void failures.push(what) });
  const maintenance = createMaintenance(service.service.foundation, log);
  await database.query(sql`alter table idempotency_keys rename to elsewhere`);
  await maintenance.run();
  assert.deepEqual([await count(sql`elsewhere`), await count(sql`tokens`)], [1, 0]);
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
