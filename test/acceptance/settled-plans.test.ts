/** Statements that requests wait for are planned once for a connection, however little goes in one of them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql, type Sql, type Statement } from '#platform/database/sql.ts';
import { createLog } from '#platform/log.ts';
import { createApp } from '../../src/app.ts';
import { signUpBody } from '../support/builders.ts';
import { spyOn } from '../support/plans.ts';
import { startService, type TestService } from '../support/service.ts';

/** So often PostgreSQL plans for the very values before it may keep one plan for all. */
const CUSTOM_PLANS = 5;
const FURTHER = 5;

let service: TestService;
let asked: Statement[];
before(async () => {
  service = await startService();
  const { database, asked: seen } = spyOn(service.database);
  asked = seen;
  const webhooks = { allowPrivate: false, retrySchedule: [], ports: [] };
  const config = { rateLimit: null, publicUrl: service.baseUrl, webhooks };
  const app = createApp({ ...service.service.foundation, database }, config, createLog('silent', 2));
  const authorization = `Bearer ${await service.token()}`;
  const created = await app.http.inject({
    method: 'POST',
    url: '/subscriptions',
    headers: { authorization, 'content-type': 'application/json' },
    payload: JSON.stringify({ ...signUpBody(service.planId), metadata: { channel: 'portal' } }),
  });
  assert.equal(created.statusCode, 201, created.body);
  const read = await app.http.inject({ url: `/subscriptions/${created.json().id}`, headers: { authorization } });
  assert.equal(read.statusCode, 200, read.body);
});
after(() => service.stop());

/** The statement as it was asked, again. */
function again({ text, values }: Statement): Sql {
  const strings = text.split(/\$\d+/);
  return sql(Object.assign([...strings], { raw: strings }), ...values);
}

for (const [what, beginning] of [
  ['a sign-up', 'with input as materialized'],
  ['a subscription by its id', 'select place::integer'],
] as const) {
  test(`${what} is planned once`, async () => {
    const statement = asked.find(({ text }) => text.trim().startsWith(beginning));
    assert.ok(statement, 'it was asked');
    const [plans] = await service.database.transaction(async (transaction) => {
      for (let times = 0; times < CUSTOM_PLANS + FURTHER; times += 1) await transaction.query(again(statement));
      return transaction.query<{ generic: string; custom: string }>(sql`
        select generic_plans as generic, custom_plans as custom from pg_prepared_statements
        where ltrim(statement, E' \n') like ${`${beginning}%`}
        order by generic_plans + custom_plans desc
        limit 1`);
    });
    assert.ok(Number(plans?.generic) >= FURTHER, JSON.stringify(plans));
  });
}
