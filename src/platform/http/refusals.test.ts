import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { toProblem } from './refusals.ts';

test('what the database has undone for somebody else is to be tried again, and anything unexpected tells nothing', () => {
  for (const code of ['40P01', '40001']) {
    const { definition, headers } = toProblem(
      Object.assign(new DatabaseError('deadlock detected', 0, 'error'), { code }),
      1024,
    );
    assert.deepEqual([definition.status, definition.code, headers['retry-after']], [503, 'service_unavailable', '1']);
  }
  const { definition, detail } = toProblem(
    Object.assign(new DatabaseError('secret', 0, 'error'), { code: '23505' }),
    1024,
  );
  assert.deepEqual([definition.status, detail.includes('secret')], [500, false]);
});
