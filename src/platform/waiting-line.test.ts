import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWaitingLine } from './waiting-line.ts';

test('whoever becomes late at any moment of refusing those who are is refused, or waits still', ({ mock }) => {
  const MANY = 20;
  for (let moment = 0; moment <= 2 * MANY; moment += 1) {
    let looks = 0;
    mock.method(performance, 'now', () => (looks++ < moment ? 0 : 10_000));
    const line = createWaitingLine<number, void>({
      weights: undefined,
      clash: undefined,
      maxWaitMs: Infinity,
      monotonicMs: () => 0,
    });
    let refused = 0;
    for (let item = 0; item < MANY; item += 1) {
      line.add({
        item,
        claims: [],
        since: 0,
        untilMs: 5_000,
        resolve: () => assert.fail('nothing was done for it'),
        reject: () => (refused += 1),
      });
    }
    line.refuseLate();
    assert.equal(refused + line.length, MANY, `when all are late from look ${moment} on`);
    mock.restoreAll();
  }
});
