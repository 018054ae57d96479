import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createTestDatabase } from '#test/support/database.ts';
import { createDatabase } from './pool.ts';
import { sql } from './sql.ts';
import { textArray } from './text-array.ts';

test('a binary text array arrives as it was, whatever is in it', async () => {
  const testDatabase = await createTestDatabase();
  const database = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
  const unusual = ['', '"', '\\', '{}', 'NULL', 'ä€😀', '{"a":"b\\n"}', ','];
  const text = fc.oneof(
    fc.constantFrom(...unusual),
    fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text, { nil: null }), { maxLength: 20 }), async (values) => {
      const rows = await database.query<{ value: string | null }>(sql`
        select value from unnest(${textArray(values)}::text[]) with ordinality as input (value, place) order by place`);
      assert.deepEqual(
        rows.map(({ value }) => value),
        values,
      );
    }),
    { numRuns: 200 },
  );
  await database.close();
  await testDatabase.drop();
});
