import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLockstep } from './lockstep.ts';

test('what comes in one turn goes on together, step by step, in the order in which it came', async () => {
  const inStep = createLockstep(10);
  const steps: string[] = [];
  const walk = async (name: string): Promise<void> => {
    steps.push(`${name} comes`);
    await inStep(0);
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
  const inStep = createLockstep(10);
  const steps: string[] = [];
  const first = inStep(0).then(() => steps.push('first'));
  await nextTurn();
  const second = inStep(0).then(() => steps.push('second'));
  await first;
  assert.deepEqual(steps, ['first']);
  await second;
  assert.deepEqual(steps, ['first', 'second']);
});

test('what is too much for one turn goes on in later ones in its order, what is light passes by, and others come between', async () => {
  let ms = 0;
  const inStep = createLockstep(10, () => ms);
  const turns: { names: string[]; at: number }[] = [];
  let turn = 0;
  const count = (): void => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const walk = async (name: string, weight: number): Promise<void> => {
    await inStep(weight);
    ms += 40;
    if (turns.at(-1)?.at === turn) turns.at(-1)?.names.push(name);
    else turns.push({ names: [name], at: turn });
  };
  const weights = { a: 8, b: 6, c: 2, d: 0, e: 99, f: 4, g: 1 };
  await Promise.all(Object.entries(weights).map(([name, weight]) => walk(name, weight)));
  clearImmediate(counting);
  assert.deepEqual(
    turns.map(({ names }) => names),
    [['a', 'c', 'd'], ['b', 'f'], ['e'], ['g']],
  );
  for (const [index, { at }] of turns.slice(1).entries()) assert.ok(at - (turns[index]?.at ?? 0) > 30);
});

test('those who come between do not hold up for long what waits for its turn', async () => {
  let ms = 0;
  const inStep = createLockstep(1, () => ms);
  const first = inStep(1).then(() => (ms += 40));
  const second = inStep(1).then(() => ms);
  const work = (): void => {
    ms += 3;
    working = setImmediate(work);
  };
  let working = setImmediate(work);
  await first;
  const before = ms;
  assert.ok((await second) - before <= 20);
  clearImmediate(working);
});
