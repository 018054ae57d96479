import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { matchesTypes, MAX_IN_FLIGHT, nextPause, readRetryAfter, roomBeside } from './schedule.ts';

const now = Temporal.Instant.from('2026-11-21T12:00:00Z');

describe('the schedule', () => {
  test('pauses as it says, ten percent more or less, until there is no attempt left', () => {
    assert.equal(nextPause([5, 300], 1, null, 0.5), 5000);
    assert.equal(nextPause([5, 300], 1, null, 0), 4500);
    assert.equal(nextPause([5, 300], 2, null, 0.999_999), 330_000);
    assert.equal(nextPause([5, 300], 3, null, 0), null);
  });

  test('does as the endpoint asks, for a day at most', () => {
    assert.equal(nextPause([5], 1, 90_000, 0), 90_000);
    assert.equal(nextPause([5], 1, 10 ** 12, 0), 24 * 3_600_000);
    assert.equal(nextPause([5], 1, 0, 0.5), 5000);
    assert.equal(nextPause([5], 2, 1000, 0), null);
  });

  test('believes who asks for a shorter pause less each time, so that a second asked nine times outlasts an outage', () => {
    const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    const pauses = schedule.map((_, index) => nextPause(schedule, index + 1, 2000, 0.5));
    assert.deepEqual(pauses.slice(0, 3), [2000, 8000, 32_000]);
    assert.ok(pauses.every((pause, index) => pause !== null && pause <= 1000 * (schedule[index] ?? 0)));
    const hours = (asked: number): number =>
      schedule.reduce((sum, _, index) => sum + (nextPause(schedule, index + 1, asked, 0.5) ?? 0), 0) / 3_600_000;
    assert.ok(hours(1000) > 24 && hours(30_000) > 48, `${hours(1000)}, ${hours(30_000)}`);
  });

  test('reads Retry-After as seconds or a date, and nothing else', () => {
    assert.equal(readRetryAfter('120', now), 120_000);
    assert.equal(readRetryAfter('Sat, 21 Nov 2026 12:01:00 GMT', now), 60_000);
    assert.equal(readRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', now), 0);
    assert.equal(readRetryAfter('Saturday, 21-Nov-26 12:01:00 GMT', now), 60_000);
    assert.equal(readRetryAfter('Sunday, 06-Nov-94 08:49:37 GMT', now), 0);
    assert.equal(readRetryAfter('Sat Nov 21 12:01:00 2026', now), 60_000);
    assert.equal(readRetryAfter('Tue Dec  1 12:00:00 2026', now), 10 * 24 * 3_600_000);
    for (const text of [undefined, '', '-1', '1.5', 'soon', 'Sat, 99 Nov 2026 12:01:00 GMT']) {
      assert.equal(readRetryAfter(text, now), null);
    }
  });

  test('leaves room to the others, and the last of it to those who have none yet', () => {
    let inFlight = 0;
    const eaches: number[] = [];
    for (let room = roomBeside(0); room.total > 0; room = roomBeside(inFlight)) {
      eaches.push(room.each);
      inFlight += room.total;
    }
    assert.equal(inFlight, MAX_IN_FLIGHT);
    assert.deepEqual(eaches, [64, 4, 1]);
  });

  test('knows types by name and by pattern', () => {
    assert.ok(matchesTypes(['*'], 'lead.created') && matchesTypes(['lead.*'], 'lead.created'));
    assert.ok(!matchesTypes(['lead.*', 'subscription.ended'], 'subscription.created'));
  });
});
