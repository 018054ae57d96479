import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toProblem } from './refusals.ts';

test('what the database has undone for somebody else is to be tried again, and anything unexpected tells nothing', () => {
  for (const code of ['40P01', '40001']) {
    const { definition, headers } = toProblem(Object.assign(new Error('deadlock detected'), { code }), 1024);
    assert.deepEqual([definition.status, definition.code, headers['retry-after']], [503, 'service_unavailable', '1']);
  }
  const { definition, detail } = toProblem(Object.assign(new Error('secret'), { code: '23505' }), 1024);
  assert.deepEqual([definition.status, detail.includes('secret')], [500, false]);
});
