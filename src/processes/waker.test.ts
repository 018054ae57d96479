import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FromHttp } from './messages.ts';
import { createWaker } from './waker.ts';

test('what may be due is told once in a turn, and while nothing is read it is kept for one message', async () => {
  const sent: FromHttp[] = [];
  const state = { pending: 1, read: (): void => {} };
  const wake = createWaker(
    (message) => {
      sent.push(message);
      return new Promise((resolve) => (state.read = resolve));
    },
    () => state.pending,
  );
  wake('supply');
  wake('feed');
  wake('supply');
  await turn();
  assert.deepEqual(sent, [{ kind: 'wake', work: ['supply', 'feed'], pendingSignUps: 1 }]);
  state.pending = 2;
  for (let round = 0; round < 100; round += 1) {
    wake('supply');
    wake('webhooks');
    await turn();
  }
  assert.equal(sent.length, 1);
  state.read();
  await turn();
  assert.deepEqual(sent[1], { kind: 'wake', work: ['supply', 'webhooks'], pendingSignUps: 2 });
  state.read();
  await turn();
  assert.equal(sent.length, 2);
  wake('feed');
  await turn();
  assert.deepEqual(sent[2], { kind: 'wake', work: ['feed'], pendingSignUps: 2 });
});
