import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import { createLog } from '#platform/log.ts';
import { backOff } from './places.ts';
import { createReconciler, type PortionResult, type ReconcilerOptions } from './reconciler.ts';
import { createTraffic, noTraffic, type Traffic } from './traffic.ts';

const log = createLog('silent', 2);

/** Places with so many portions each; what was done, in order. */
function places(portions: Record<string, number>): {
  readonly done: string[];
  readonly options: Pick<ReconcilerOptions, 'findWork' | 'workOn'>;
  readonly idle: Promise<void>;
} {
  const left = new Map(Object.entries(portions));
  const done: string[] = [];
  const idle = Promise.withResolvers<void>();
  return {
    done,
    idle: idle.promise,
    options: {
      findWork: async () => [...left].filter(([, count]) => count > 0).map(([place]) => place),
      workOn: async (place): Promise<PortionResult> => {
        await new Promise((resolve) => setImmediate(resolve));
        const count = left.get(place) ?? 0;
        if (count === 0) {
          if ([...left.values()].every((rest) => rest === 0)) idle.resolve();
          return 'idle';
        }
        left.set(place, count - 1);
        done.push(place);
        return 'worked';
      },
    },
  };
}

const usual = { name: 'test', maxInFlight: 2, traffic: noTraffic, log };

test('all that is due is done, also what takes more than one turn', async () => {
  const { done, options, idle } = places({ a: 50, b: 1 });
  const reconciler = createReconciler({ ...usual, ...options });
  reconciler.start();
  await idle;
  await reconciler.stop();
  assert.equal(done.length, 51);
});

test('a busy place does not keep another waiting', async () => {
  const { done, options, idle } = places({ busy: 200, other: 1, third: 1 });
  const reconciler = createReconciler({ ...usual, ...options });
  reconciler.start();
  await idle;
  await reconciler.stop();
  assert.ok(done.indexOf('third') < 100, `${done.indexOf('third')} portions came first`);
});

test('one place that fails does not keep the others waiting, and is tried again', async () => {
  const tried = { bad: 0, good: 0 };
  const again = Promise.withResolvers<void>();
  const reconciler = createReconciler({
    ...usual,
    maxInFlight: 1,
    findWork: async () => ['bad', 'good'],
    workOn: async (place) => {
      if (place === 'good') tried.good += 1;
      else {
        tried.bad += 1;
        if (tried.bad > 1) again.resolve();
        throw new Error('the database is away');
      }
      return 'idle';
    },
  });
  reconciler.start();
  await again.promise;
  await reconciler.stop();
  assert.ok(tried.good >= 1);
});

test('however long the database was away, what waits for it goes on within seconds of its return', () => {
  const away = new DatabaseUnavailable('the database is not available');
  const broken = new Error('broken');
  assert.deepEqual(
    [1, 2, 3, 4, 1_000].map((failures) => backOff(failures, away)),
    [1_000, 2_000, 4_000, 5_000, 5_000],
  );
  // A place with a defect of its own is left alone for longer.
  assert.deepEqual([backOff(1, broken), backOff(1_000, broken)], [1_000, 30_000]);
});

test('a call while it works is not missed', async () => {
  const seen = { finds: 0 };
  const found = Promise.withResolvers<void>();
  const reconciler = createReconciler({
    ...usual,
    findWork: async () => {
      seen.finds += 1;
      if (seen.finds === 1) reconciler.wake();
      if (seen.finds === 2) found.resolve();
      return [];
    },
    workOn: async () => 'idle',
  });
  reconciler.start();
  await found.promise;
  await reconciler.stop();
});

test('a place where nothing is due rests until somebody calls, also while it is looked at', async () => {
  const seen = { looks: 0 };
  const looks = new EventTarget();
  const looked = (count: number): Promise<void> =>
    new Promise((resolve) => looks.addEventListener(String(count), () => resolve(), { once: true }));
  const reconciler = createReconciler({
    ...usual,
    maxInFlight: 1,
    findWork: async () => ['always'],
    workOn: async () => {
      seen.looks += 1;
      if (seen.looks === 2) reconciler.wake();
      await new Promise((resolve) => setImmediate(resolve));
      looks.dispatchEvent(new Event(String(seen.looks)));
      return 'idle';
    },
  });
  const [first, third, fourth] = [looked(1), looked(3), looked(4)];
  reconciler.start();
  await first;
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(seen.looks, 1);
  reconciler.wake();
  await third;
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(seen.looks, 3);
  // Nobody calls any more; the timer looks.
  await fourth;
  await reconciler.stop();
});

test('a stop waits for what is at work, and nothing begins after it', async () => {
  const state = { running: 0, started: 0 };
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const reconciler = createReconciler({
    ...usual,
    findWork: async () => ['a', 'b', 'c'],
    workOn: async () => {
      state.running += 1;
      state.started += 1;
      begun.resolve();
      await release.promise;
      state.running -= 1;
      return 'worked';
    },
  });
  reconciler.start();
  await begun.promise;
  const stopped = reconciler.stop();
  release.resolve();
  await stopped;
  assert.equal(state.running, 0);
  const { started } = state;
  reconciler.wake();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(state.started, started);
});

test('what may wait, waits aside: a deferred place holds no lane while another has work', async () => {
  const seen = { slow: 0, other: 0 };
  const found = { other: false };
  const served = Promise.withResolvers<void>();
  const reconciler = createReconciler({
    ...usual,
    maxInFlight: 1,
    traffic: { ...noTraffic, isBusy: () => true },
    findWork: async () => (found.other ? ['slow', 'other'] : ['slow']),
    workOn: async (place): Promise<PortionResult> => {
      if (place === 'slow') {
        seen.slow += 1;
        // Takes long enough for a pause that would be noticed.
        await new Promise((resolve) => setTimeout(resolve, 40));
        return 'deferrable';
      }
      seen.other += 1;
      found.other = false;
      served.resolve();
      return 'idle';
    },
  });
  reconciler.start();
  while (seen.slow === 0) await new Promise((resolve) => setImmediate(resolve));
  found.other = true;
  reconciler.wake();
  await served.promise;
  assert.ok(seen.slow <= 2, `${seen.slow} portions came first`);
  await reconciler.stop();
});

test('a place that always fails slows no other down', async () => {
  const good = { visits: 0 };
  const enough = Promise.withResolvers<void>();
  const reconciler = createReconciler({
    ...usual,
    maxInFlight: 1,
    findWork: async () => ['bad', 'good'],
    workOn: async (place): Promise<PortionResult> => {
      if (place === 'bad') throw new Error('broken');
      good.visits += 1;
      if (good.visits === 100) enough.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      return 'worked';
    },
  });
  reconciler.start();
  await enough.promise;
  await reconciler.stop();
});

/** Portions of one place that all come to the same: how many were at work at once, and for how long none was between two. */
async function workOnMany(
  result: PortionResult,
  traffic: Traffic,
): Promise<{ readonly most: number; readonly pauses: number[] }> {
  const seen = { running: 0, most: 0, portions: 0, endedAt: 0 };
  const pauses: number[] = [];
  const enough = Promise.withResolvers<void>();
  const reconciler = createReconciler({
    ...usual,
    traffic,
    findWork: async () => ['midnight'],
    workOn: async (): Promise<PortionResult> => {
      if (seen.running === 0 && seen.portions > 0) pauses.push(performance.now() - seen.endedAt);
      seen.running += 1;
      // The first says what they come to; nobody knows before.
      if (seen.portions > 1) seen.most = Math.max(seen.most, seen.running);
      await new Promise((resolve) => setTimeout(resolve, PORTION_MS));
      seen.running -= 1;
      seen.portions += 1;
      seen.endedAt = performance.now();
      if (seen.portions === 10) enough.resolve();
      return result;
    },
  });
  reconciler.start();
  await enough.promise;
  await reconciler.stop();
  return { most: seen.most, pauses };
}

const PORTION_MS = 30;

for (const result of ['plenty', 'deferrable'] as const) {
  test(`${result} work leaves two thirds of the time to requests while they come, and is done in one lane`, async () => {
    const { most, pauses } = await workOnMany(result, { ...noTraffic, isVisited: () => true });
    assert.equal(most, 1);
    assert.ok(pauses.length >= 5);
    // Timers may be a little early.
    for (const pause of pauses.slice(1)) assert.ok(pause > 2 * PORTION_MS * 0.9, `${pause} ms`);
  });
}

test('plenty of work takes all there is while nobody comes', async () => {
  const { most, pauses } = await workOnMany('plenty', noTraffic);
  assert.equal(most, 2);
  assert.ok(pauses.every((pause) => pause < PORTION_MS));
});

test('a second lane is taken up again when no requests come any more', async () => {
  const seen = { running: 0, portions: 0, isVisited: true };
  const both = Promise.withResolvers<void>();
  const reconciler = createReconciler({
    ...usual,
    traffic: { ...noTraffic, isVisited: () => seen.isVisited },
    findWork: async () => ['midnight'],
    workOn: async (): Promise<PortionResult> => {
      seen.running += 1;
      if (seen.portions > 3 && seen.running === 2) both.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      seen.running -= 1;
      seen.portions += 1;
      // It ends while a portion is at work, so that no rest follows.
      if (seen.portions === 3) seen.isVisited = false;
      return 'plenty';
    },
  });
  reconciler.start();
  await both.promise;
  await reconciler.stop();
});

test('traffic is busy with many sign-ups, and crowded also with few beside a backlog', () => {
  const pending = { count: 0 };
  const traffic = createTraffic(() => pending.count);
  const state = (of: Traffic): boolean[] => [of.isVisited(), of.isBusy(), of.isCrowded()];
  assert.deepEqual(state(traffic), [false, false, false]);
  traffic.noteBacklog();
  assert.deepEqual(state(traffic), [false, false, false]);
  traffic.visit();
  assert.deepEqual(state(traffic), [true, false, true]);
  const other = createTraffic(() => pending.count);
  other.visit();
  assert.deepEqual(state(other), [true, false, false]);
  pending.count = 16;
  assert.deepEqual(state(other), [true, true, true]);
});

test('a place grows for a second after something new was among its work, and no other does', (context) => {
  const now = context.mock.method(performance, 'now', () => 1_000);
  const traffic = createTraffic(() => 0);
  const growing = (): string[] => ['here', 'there'].filter((place) => traffic.isGrowing(place));
  assert.deepEqual(growing(), []);
  traffic.noteNew('here');
  assert.deepEqual(growing(), ['here']);
  now.mock.mockImplementation(() => 1_900);
  traffic.noteNew('there');
  assert.deepEqual(growing(), ['here', 'there']);
  traffic.noteNew('here');
  now.mock.mockImplementation(() => 2_899);
  assert.deepEqual(growing(), ['here', 'there']);
  now.mock.mockImplementation(() => 2_900);
  assert.deepEqual(growing(), []);
});

test('work without an hour to keep goes on beside plenty of other work while requests come', async () => {
  const seen = { fresh: 0 };
  const enough = Promise.withResolvers<void>();
  const traffic = createTraffic(() => 0);
  const reconciler = createReconciler({
    ...usual,
    traffic,
    findWork: async () => ['midnight', 'sign-ups'],
    workOn: async (place): Promise<PortionResult> => {
      traffic.visit();
      await new Promise((resolve) => setTimeout(resolve, PORTION_MS));
      if (place === 'midnight') return 'plenty';
      seen.fresh += 1;
      if (seen.fresh === 10) enough.resolve();
      return 'deferrable';
    },
  });
  const begin = performance.now();
  reconciler.start();
  await enough.promise;
  // As long as each takes, and twice as long again; put off as under a flood of sign-ups, they would take 15 seconds.
  assert.ok(performance.now() - begin < 10 * 10 * PORTION_MS);
  await reconciler.stop();
});
