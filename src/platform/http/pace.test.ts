import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

test('what is done is let go of, also while there is more to do all the while', async () => {
  const clock = { now: 0 };
  const pace = createPace(() => clock.now);
  const done: WeakRef<object>[] = [];
  /** Each hands another one over before it is the last, as callers do who ask again. */
  const hand = (): void => {
    const request = {};
    pace(() => {
      done.push(new WeakRef(request));
      clock.now += 1;
    });
  };
  for (let number = 0; number < 10; number += 1) hand();
  while (done.length < 100) {
    const before = done.length;
    await nextTurn();
    for (let number = before; number < done.length; number += 1) hand();
  }
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  assert.ok(done.filter((request) => request.deref() !== undefined).length < 20);
});
