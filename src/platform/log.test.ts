import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeldomWarning, type Logger } from './log.ts';

test('what befalls every request is told once a second, with how many were left out', () => {
  const lines: unknown[] = [];
  const clock = { ms: 0 };
  const log = { warn: (fields: unknown, text: unknown) => lines.push([fields, text]) } as unknown as Logger;
  const warn = createSeldomWarning(log, 'away', () => clock.ms);
  for (const [ms, id] of [
    [0, 'a'],
    [1, 'b'],
    [999, 'c'],
    [1_000, 'd'],
    [2_500, 'e'],
  ] as const) {
    clock.ms = ms;
    warn({ id });
  }
  assert.deepEqual(lines, [
    [{ id: 'a', left_out: undefined }, 'away'],
    [{ id: 'd', left_out: 2 }, 'away'],
    [{ id: 'e', left_out: undefined }, 'away'],
  ]);
});
