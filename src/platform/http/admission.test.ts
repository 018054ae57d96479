import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission, type Admission, type Ticket } from './admission.ts';

const MOST = 1_000;

function fixture() {
  const clock = { nowMs: 0 };
  const admission = createAdmission(1, () => clock.nowMs);
  return { clock, admission };
}

function admitAll(admission: Admission, count: number): Ticket[] {
  const tickets = Array.from({ length: count }, () => admission.admit());
  return tickets.filter((ticket) => ticket !== null);
}

test('a burst is let in up to the limit, and more as soon as somebody leaves', () => {
  const { admission } = fixture();
  const tickets = admitAll(admission, MOST + 10);
  assert.equal(tickets.length, MOST);
  const [first] = tickets as [Ticket];
  admission.leave(first);
  admission.leave(first);
  assert.equal(admitAll(admission, 10).length, 1);
});

test('the limit falls while answers take over a second, never to nothing, and rises again when they do not', () => {
  const { admission, clock } = fixture();
  for (let round = 0; round < 20; round += 1) {
    const tickets = admitAll(admission, MOST);
    clock.nowMs += 2_000;
    for (const ticket of tickets) admission.leave(ticket);
  }
  assert.equal(admission.counts().limit, 32);
  for (let round = 0; round < 40; round += 1) {
    const tickets = admitAll(admission, MOST + 1);
    clock.nowMs += 101;
    for (const ticket of tickets) admission.leave(ticket);
  }
  assert.equal(admission.counts().limit, MOST);
});

test('a few slow answers among few requests do not lower the limit', () => {
  const { admission, clock } = fixture();
  const tickets = admitAll(admission, 20);
  clock.nowMs += 5_000;
  for (const ticket of tickets) admission.leave(ticket);
  assert.equal(admission.counts().limit, MOST);
});

test('who waits aside takes no room and says nothing about how long answers take', () => {
  const { admission, clock } = fixture();
  const waiting = admitAll(admission, MOST);
  for (const ticket of waiting) admission.stepAside(ticket);
  assert.equal(admission.counts().atWork, 0);
  assert.equal(admitAll(admission, MOST).length, MOST);
  clock.nowMs += 30_000;
  for (const ticket of waiting) {
    admission.stepBack(ticket);
    admission.leave(ticket);
  }
  assert.deepEqual(admission.counts(), { atWork: MOST, limit: MOST });
});

test('memory for bodies is given out up to 64 MB, a quarter of it to one, and given back', () => {
  const { admission } = fixture();
  const [one, two, three, four, five] = admitAll(admission, 5) as [Ticket, Ticket, Ticket, Ticket, Ticket];
  const quarter = 16 * 1024 * 1024;
  assert.ok(admission.reserve(one, quarter - 1, 'a'));
  assert.equal(admission.reserve(two, 2, 'a'), false, 'more than his part');
  assert.ok(admission.reserve(two, 1, 'a'));
  assert.ok(admission.reserve(three, quarter, 'b') && admission.reserve(four, quarter, 'c'));
  const last = admission.admit();
  assert.ok(last !== null && admission.reserve(last, quarter, 'd'));
  assert.equal(admission.reserve(five, 1, 'e'), false, 'more than there is');
  admission.leave(one);
  assert.ok(admission.reserve(five, quarter - 1, 'a'));
  admission.stepAside(five);
  admission.stepBack(five);
  const again = admission.admit();
  assert.ok(again !== null);
  assert.equal(admission.reserve(again, quarter - 1, 'a'), false, 'it is at work');
  admission.leave(five);
  assert.ok(admission.reserve(again, quarter - 1, 'a'));
});

test('memory is not set aside for a body of which nobody hears any more', () => {
  const admission = createAdmission();
  const gone = admission.admit();
  assert.ok(gone);
  admission.stepAside(gone);
  admission.leave(gone);
  for (let index = 0; index < 1_000; index += 1) assert.equal(admission.reserve(gone, 256 * 1024, 'a'), false);
  const next = admission.admit();
  assert.ok(next);
  assert.ok(admission.reserve(next, 16 * 1024 * 1024, 'a'));
});

test('a few slow answers do not keep a limit low that fell in an overload', () => {
  const { admission, clock } = fixture();
  const flood = (slow: number): void => {
    const tickets = admitAll(admission, MOST + 1);
    for (const ticket of tickets.slice(slow)) admission.leave(ticket);
    clock.nowMs += 1_500;
    for (const ticket of tickets.slice(0, slow)) admission.leave(ticket);
  };
  for (let round = 0; round < 3; round += 1) flood(MOST);
  const fallen = admission.counts().limit;
  assert.ok(fallen < MOST);
  for (let round = 0; round < 20; round += 1) flood(1);
  assert.equal(admission.counts().limit, MOST);
});

test('requests that are quick to answer do not hide that others wait too long', () => {
  const { admission, clock } = fixture();
  const stepMs = 10;
  const slowAStep = 3;
  const line: Ticket[] = [];
  let longestMs = 0;
  for (let step = 0; step < 3_000; step += 1) {
    // Every fifth needs nothing that is short; the others stand in line.
    const quick: Ticket[] = [];
    for (let count = 0; count < 100; count += 1) {
      const ticket = admission.admit();
      if (ticket !== null) (count % 5 === 0 ? quick : line).push(ticket);
    }
    clock.nowMs += stepMs;
    for (const ticket of quick) admission.leave(ticket);
    for (const ticket of line.splice(0, slowAStep)) {
      if (step > 1_000) longestMs = Math.max(longestMs, clock.nowMs - ticket.since);
      admission.leave(ticket);
    }
  }
  assert.ok(longestMs <= 1_000, `${longestMs} ms`);
});
