import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparison, ignoringCase } from './conditions.ts';
import { sql, toStatement } from './sql.ts';

test('one of a single value is compared like that value, which an index has in the order of the list', () => {
  const values = ['pending'];
  const [any, one] = (['in', 'eq'] as const).map((operator) => ({ field: 'state', operator, values }));
  assert.ok(any !== undefined && one !== undefined);
  const column = sql`lower(state)`;
  assert.deepEqual(toStatement(comparison(column, 'text', any)), toStatement(comparison(column, 'text', one)));
  assert.deepEqual(toStatement(ignoringCase(column, any)), toStatement(ignoringCase(column, one)));
});
