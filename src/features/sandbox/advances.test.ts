/** Those who wait for a clock share the work on its way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#platform/http/problems.ts';
import { noTraffic } from '#platform/reconcile/traffic.ts';
import { createAdvances, type Advances } from './advances.ts';

interface Stage {
  readonly advances: Advances;
  /** Where the clock stands, and where it goes. */
  readonly clock: { clock_at: string; clock_target: string | null };
  /** Portions of work that were done, and the most of them at the same time. */
  readonly seen: { portions: number; most: number };
  readonly stop: () => void;
  /** Resolves after so many more portions. */
  readonly portions: (count: number) => Promise<void>;
}

const FAR = '2030-02-01T00:00:00Z';
const NOBODY_LEAVES = (): boolean => false;

function open(): Stage {
  const clock = { clock_at: '2030-01-01T00:00:00Z', clock_target: FAR as string | null };
  const seen = { portions: 0, most: 0 };
  const stopping = new AbortController();
  let atOnce = 0;
  let awaited: (() => void)[] = [];
  const advances = createAdvances({
    database: { query: () => Promise.resolve([{ ...clock }] as never[]) },
    async workOn() {
      atOnce += 1;
      seen.most = Math.max(seen.most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      seen.portions += 1;
      const told = awaited;
      awaited = [];
      for (const tell of told) tell();
      return 'blocked';
    },
    traffic: noTraffic,
    forgetClock: () => {},
    stopped: stopping.signal,
  });
  const portions = async (count: number): Promise<void> => {
    for (let each = 0; each < count; each += 1) await new Promise<void>((resolve) => awaited.push(resolve));
  };
  return { advances, clock, seen, stop: () => stopping.abort(), portions };
}

test('many who wait for a clock have one portion worked on at a time', async () => {
  const { advances, clock, seen, portions } = open();
  const waiting = Array.from({ length: 20 }, () => advances.reach('p', FAR, NOBODY_LEAVES));
  await portions(3);
  clock.clock_target = null;
  await Promise.all(waiting);
  assert.equal(seen.most, 1);
});

test('who waits for a nearer instant than others has it when the clock has passed it', async () => {
  const { advances, clock, portions } = open();
  const near = advances.reach('p', '2030-01-05T00:00:00Z', NOBODY_LEAVES);
  const far = advances.reach('p', FAR, NOBODY_LEAVES);
  clock.clock_at = '2030-01-06T00:00:00Z';
  await near;
  await portions(1);
  clock.clock_target = null;
  await far;
});

const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.definition.status === 503;

test('work that everybody has left is not gone on with', async () => {
  const { advances, seen, portions } = open();
  let hasLeft = false;
  const waiting = [1, 2, 3].map(() => advances.reach('p', FAR, () => hasLeft));
  await portions(1);
  hasLeft = true;
  // Who has only said that he sends nothing more is not told that the clock is there.
  for (const each of waiting) await assert.rejects(each, isUnavailable);
  const { portions: done } = seen;
  // Whoever comes now has it begun anew, for himself alone.
  hasLeft = false;
  const next = advances.reach('p', FAR, () => hasLeft);
  await portions(2);
  hasLeft = true;
  await assert.rejects(next, isUnavailable);
  assert.ok(seen.portions >= done + 2);
  assert.equal(seen.most, 1);
});

test('whoever comes while the last one is answered has an end of his own', async () => {
  const { advances, clock } = open();
  clock.clock_target = null;
  for (let round = 0; round < 50; round += 1) {
    await Promise.all([1, 2, 3].map(() => advances.reach('p', FAR, NOBODY_LEAVES)));
  }
});

test('a stop of the service answers all who wait that it is not available', async () => {
  const { advances, stop, portions } = open();
  const waiting = [1, 2].map(() => advances.reach('p', FAR, NOBODY_LEAVES));
  await portions(1);
  stop();
  for (const each of waiting) {
    await assert.rejects(each, isUnavailable);
  }
});
