/** `doctor --deep` opens all that is encrypted. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatId, type IdPrefix } from '#domain/identifiers.ts';
import { createKeys } from '#platform/crypto.ts';
import { findIllegible } from '#platform/database/illegible.ts';
import { encryptedPaymentMethods } from '#features/subscriptions/index.ts';
import { sql, toStatement, type Sql } from '#platform/database/sql.ts';
import { legibles } from '../../src/cli/legibles.ts';
import { runCli } from '../../src/cli/run.ts';
import { germanIban, signUp, type Json } from '../support/builders.ts';
import { must } from '../support/sandbox.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

const EACH = 3;
const OTHER_KEYS = createKeys(Buffer.alloc(32, 8));

let service: TestService;
before(async () => {
  service = await startService();
  for (let index = 0; index < EACH; index += 1) {
    const keyed = { 'idempotency-key': `doctor-${index}` };
    await signUp(service);
    const payment = { type: 'sepa_debit', sepa_debit: { iban: germanIban(), account_holder: 'Erika Muster' } };
    const lead = { plan: service.planId, address: { zip: '51147' }, payment_method: payment };
    must(await service.call('POST', '/leads', { body: lead, headers: keyed }), 201);
    const endpoint = { url: 'https://hooks.example.com/', enabled: false };
    const { id } = must(await service.call('POST', '/webhook-endpoints', { body: endpoint }), 201);
    must(await service.call('POST', `/webhook-endpoints/${id}/rotate-secret`, { body: {} }), 200);
  }
});
after(() => service.stop());

/** What the command says of a check. */
async function examine(name: string): Promise<{ readonly code: number; readonly check: Json }> {
  const { foundation } = service.service;
  const written: string[] = [];
  const code = await runCli(
    ['doctor', '--deep', '--json'],
    async () => ({ ...foundation, close: async () => {} }),
    () => assert.fail('nothing is to be filled'),
    { stdout: (text) => void written.push(text), stderr: () => {} },
  );
  return { code, check: JSON.parse(written.join('')).checks.find((check: Json) => check.name === name) };
}

test('what another key has encrypted is all found', async () => {
  const { foundation } = service.service;
  for (const { name, find } of legibles) {
    assert.deepEqual(await find(foundation), { count: 0, examples: [] }, name);
    const { count, examples } = await find({ ...foundation, keys: OTHER_KEYS });
    assert.deepEqual([count, new Set(examples).size], [EACH, EACH], name);
  }
});

test('some of many are named, however many are read at a time', async () => {
  const strange = { ...service.service.foundation, keys: OTHER_KEYS };
  for (const portion of [1, 2, 3, 4]) {
    const { count, examples } = await findIllegible(strange, encryptedPaymentMethods, { maxExamples: 2, portion });
    assert.deepEqual([count, new Set(examples).size], [EACH, 2]);
  }
});

function byId(prefix: IdPrefix): (row: Json) => string {
  return ({ id }) => formatId(prefix, id);
}

/** What is encrypted: of which table, which column, told apart by what, and how a row of it is named. */
const columns: readonly (readonly [check: string, table: Sql, column: Sql, key: Sql, nameOf: (row: Json) => string])[] =
  [
    ['bank_details_can_be_read', sql`payment_methods`, sql`details_encrypted`, sql`id`, byId('pm')],
    ['bank_details_of_leads_can_be_read', sql`leads`, sql`payment_method_encrypted`, sql`id`, byId('lead')],
    ['webhook_secrets_can_be_read', sql`webhook_endpoints`, sql`secret_encrypted`, sql`id`, byId('whe')],
    ['webhook_secrets_can_be_read', sql`webhook_endpoints`, sql`previous_secret_encrypted`, sql`id`, byId('whe')],
    ['kept_answers_can_be_read', sql`idempotency_keys`, sql`body_encrypted`, sql`key`, (row) => row.request_id],
  ];

for (const [check, table, column, key, nameOf] of columns) {
  describe(toStatement(sql`${column} of ${table}`).text, () => {
    const ids = sql`select ${key} from ${table} where ${column} is not null order by ${key}`;
    const first = sql`${key} = (${ids} limit 1)`;
    for (const [what, value] of [
      ['a changed byte', sql`set_byte(${column}, 40, get_byte(${column}, 40) # 1)`],
      ['an empty value', sql`''`],
      ['what is of another row', sql`(select ${column} from ${table} where ${key} = (${ids} offset 1 limit 1))`],
    ] satisfies [string, Sql][]) {
      test(`${what} is found, and the row is named`, async () => {
        assert.equal((await examine(check)).check.status, 'ok');
        const [row] = await service.database.query<Json>(
          sql`select *, ${column} as bytes from ${table} where ${first}`,
        );
        await forceRows(service, sql`update ${table} set ${column} = ${value} where ${first}`);
        const found = await examine(check);
        await forceRows(service, sql`update ${table} set ${column} = ${row.bytes} where ${first}`);
        assert.deepEqual([found.code, found.check.status, found.check.violations], [1, 'failed', 1]);
        assert.deepEqual(found.check.examples, [nameOf(row)]);
      });
    }
  });
}
