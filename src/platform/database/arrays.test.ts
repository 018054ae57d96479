import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { createTestDatabase } from '#test/support/database.ts';
import { byteaArray, plainArray, textArray } from './arrays.ts';
import { createDatabase, type Database } from './pool.ts';
import { sql, type Sql } from './sql.ts';

let database: Database;
let drop: () => Promise<void>;

before(async () => {
  const testDatabase = await createTestDatabase();
  database = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
  drop = () => testDatabase.drop();
});

after(async () => {
  await database.close();
  await drop();
});

/** Sends arrays of such values, with nulls among them, and expects them back. */
async function comesBack<Value>(
  value: fc.Arbitrary<Value>,
  parameter: (values: readonly (Value | null)[]) => Sql,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(value, { nil: null }), { maxLength: 20 }), async (values) => {
      const rows = await database.query<{ value: Value | null }>(sql`
        select value from unnest(${parameter(values)}) with ordinality as input (value, place) order by place`);
      assert.deepEqual(
        rows.map((row) => row.value),
        values,
      );
    }),
    { numRuns: 200 },
  );
}

test('a binary text array arrives as it was, whatever is in it', async () => {
  const unusual = ['', '"', '\\', '{}', 'NULL', 'ä€😀', '{"a":"b\\n"}', ','];
  const text = fc.oneof(
    fc.constantFrom(...unusual),
    fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0')),
  );
  await comesBack(text, (values) => sql`${textArray(values)}::text[]`);
});

test('a binary array of bytes arrives as it was, also bytes that are empty', async () => {
  const bytes = fc.uint8Array({ maxLength: 100 }).map((each) => Buffer.from(each));
  await comesBack(bytes, (values) => sql`${byteaArray(values)}::bytea[]`);
});

test('an array of what needs no escape arrives as it was', async () => {
  await comesBack(fc.uuid(), (values) => sql`${plainArray(values)}::uuid[]`);
  await comesBack(fc.boolean(), (values) => sql`${plainArray(values)}::boolean[]`);
  await comesBack(fc.integer().map(String), (values) => sql`${plainArray(values)}::numeric[]`);
});
