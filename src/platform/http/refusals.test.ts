import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import type { Logger } from '#platform/log.ts';
import { Problem, problems } from './problems.ts';
import { createFailureNotes, toProblem } from './refusals.ts';

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

test('each defect is logged, an outage once for all requests that come together, and a refusal not at all', () => {
  const lines: string[] = [];
  const tell =
    (level: string) =>
    (_fields: unknown, text: string): void =>
      void lines.push(`${level}: ${text}`);
  const log = { error: tell('error'), warn: tell('warn') } as unknown as Logger;
  const noteFailure = createFailureNotes(log);
  const away = new DatabaseUnavailable('away');
  for (const error of [away, new Error('a'), new Problem(problems.not_found), away, new Error('b')]) {
    noteFailure('req_1', error);
  }
  assert.deepEqual(lines, ['warn: database unavailable', 'error: request failed', 'error: request failed']);
});
