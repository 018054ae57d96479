import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLockstep } from './lockstep.ts';

test('what comes in one turn goes on together, step by step, in the order in which it came', async () => {
  const inStep = createLockstep();
  const steps: string[] = [];
  const walk = async (name: string): Promise<void> => {
    steps.push(`${name} comes`);
    await inStep();
    steps.push(`${name} first`);
    await Promise.resolve();
    steps.push(`${name} second`);
  };
  await Promise.all([walk('a'), walk('b'), walk('c')]);
  assert.deepEqual(
    steps,
    ['comes', 'first', 'second'].flatMap((step) => ['a', 'b', 'c'].map((name) => `${name} ${step}`)),
  );
});

test('what comes in a later turn is waited for by nobody', async () => {
  const inStep = createLockstep();
  const steps: string[] = [];
  const first = inStep().then(() => steps.push('first'));
  await nextTurn();
  const second = inStep().then(() => steps.push('second'));
  await first;
  assert.deepEqual(steps, ['first']);
  await second;
  assert.deepEqual(steps, ['first', 'second']);
});
