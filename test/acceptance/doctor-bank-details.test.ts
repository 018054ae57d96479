/** `doctor --deep` opens what is encrypted of payment methods. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatId } from '#domain/identifiers.ts';
import { findIllegible } from '#features/subscriptions/index.ts';
import { createKeys } from '#platform/crypto.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { runCli } from '../../src/cli/run.ts';
import { signUp, type Json } from '../support/builders.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

const NAME = 'bank_details_can_be_read';

let service: TestService;
before(async () => {
  service = await startService();
  for (let index = 0; index < 3; index += 1) await signUp(service);
});
after(() => service.stop());

/** What the command says of them. */
async function examine(): Promise<{ readonly code: number; readonly check: Json }> {
  const { foundation } = service.service;
  const written: string[] = [];
  const code = await runCli(
    ['doctor', '--deep', '--json'],
    async () => ({ ...foundation, close: async () => {} }),
    () => assert.fail('nothing is to be filled'),
    { stdout: (text) => void written.push(text), stderr: () => {} },
  );
  return { code, check: JSON.parse(written.join('')).checks.find(({ name }: Json) => name === NAME) };
}

const first = sql`(select id from payment_methods order by id limit 1)`;

test('bank details that the key opens are as they should be', async () => {
  const { code, check } = await examine();
  assert.deepEqual([code, check.status, check.violations], [0, 'ok', 0]);
});

test('bank details of another key are all found, and some are named', async () => {
  const { foundation } = service.service;
  const keys = createKeys(Buffer.alloc(32, 8));
  assert.equal((await findIllegible(foundation, 5)).count, 0);
  for (const portion of [1, 2, 3, 4]) {
    const { count, examples } = await findIllegible({ ...foundation, keys }, 2, portion);
    assert.deepEqual([count, new Set(examples).size], [3, 2]);
  }
});

for (const [what, change] of [
  ['a changed byte in', sql`details_encrypted = set_byte(details_encrypted, 40, get_byte(details_encrypted, 40) # 1)`],
  ['an empty value for', sql`details_encrypted = ''`],
  [
    'those of another payment method in',
    sql`details_encrypted = (select details_encrypted from payment_methods order by id desc limit 1)`,
  ],
] satisfies [string, Sql][]) {
  test(`${what} bank details is found, with the public id`, async () => {
    const [method] = await service.database.query<Json>(sql`
      select id, details_encrypted as bytes from payment_methods where id = ${first}`);
    await forceRows(service, sql`update payment_methods set ${change} where id = ${first}`);
    const { code, check } = await examine();
    assert.deepEqual([code, check.status, check.violations], [1, 'failed', 1]);
    assert.deepEqual(check.examples, [formatId('pm', method.id)]);
    await forceRows(service, sql`update payment_methods set details_encrypted = ${method.bytes} where id = ${first}`);
  });
}
