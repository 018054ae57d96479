import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPace } from './pace.ts';

test('what is handed over is done in its order, a few in each turn', async () => {
  const clock = { now: 0 };
  const pace = createPace(() => clock.now);
  const done: number[] = [];
  for (let number = 0; number < 10; number += 1) {
    pace(() => {
      done.push(number);
      clock.now += 1;
    });
  }
  const afterTurns: number[] = [];
  while (done.length < 10) {
    await nextTurn();
    afterTurns.push(done.length);
  }
  assert.deepEqual(afterTurns, [3, 6, 9, 10]);
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  pace(() => void done.push(10));
  await nextTurn();
  assert.equal(done.length, 11);
});
