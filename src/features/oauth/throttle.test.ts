import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '#test/support/oauth.ts';
import { createThrottle, type Throttle } from './throttle.ts';

function fail(throttle: Throttle, clientId: string, address: string, times: number): void {
  for (let attempt = 0; attempt < times; attempt += 1) throttle.failed(clientId, address);
}

test('another address with the same client id is not slowed', () => {
  const clock = createTestClock();
  const throttle = createThrottle({ clock });
  fail(throttle, 'client', '192.0.2.1', 50);
  assert.equal(throttle.waitSeconds('client', '192.0.2.1'), 60);
  assert.equal(throttle.waitSeconds('client', '192.0.2.2'), 0);
  assert.equal(throttle.waitSeconds('other', '192.0.2.1'), 0);
});

test('asking again while it waits does not lengthen the wait', () => {
  const clock = createTestClock();
  const throttle = createThrottle({ clock });
  fail(throttle, 'client', '192.0.2.1', 12);
  assert.equal(throttle.waitSeconds('client', '192.0.2.1'), 4);
  clock.pass(3001);
  assert.equal(throttle.waitSeconds('client', '192.0.2.1'), 1);
  clock.pass(999);
  assert.equal(throttle.waitSeconds('client', '192.0.2.1'), 0);
});

test('a clock set back does not lengthen the wait', () => {
  const clock = createTestClock();
  const throttle = createThrottle({ clock });
  fail(throttle, 'client', '192.0.2.1', 10);
  clock.set(-3_600_000);
  assert.equal(throttle.waitSeconds('client', '192.0.2.1'), 1);
  clock.pass(1000);
  assert.equal(throttle.waitSeconds('client', '192.0.2.1'), 0);
});

test('after a quarter of an hour without a wrong secret all is forgotten', () => {
  const clock = createTestClock();
  const throttle = createThrottle({ clock });
  fail(throttle, 'client', '192.0.2.1', 50);
  clock.pass(15 * 60_000 + 1);
  fail(throttle, 'client', '192.0.2.1', 9);
  assert.equal(throttle.waitSeconds('client', '192.0.2.1'), 0);
});

test('no more than 10,000 pairs are held, and the one heard of least recently goes first', () => {
  const clock = createTestClock();
  const throttle = createThrottle({ clock });
  fail(throttle, 'first', '192.0.2.1', 10);
  fail(throttle, 'second', '192.0.2.1', 10);
  for (let index = 0; index < 9999; index += 1) throttle.failed(`client-${index}`, '192.0.2.1');
  assert.equal(throttle.waitSeconds('first', '192.0.2.1'), 0);
  assert.equal(throttle.waitSeconds('second', '192.0.2.1'), 1);
});
