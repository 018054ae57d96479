import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { DatabaseUnavailable } from './database/errors.ts';
import { waitsUntil, within } from './deadline.ts';
import { createGatherer, type Claim, type GathererOptions } from './gather.ts';

interface Item {
  readonly name: string;
  readonly claims?: readonly Claim[];
  readonly weight?: number;
}

function recorder(
  send: (items: readonly Item[]) => Promise<readonly string[]>,
  {
    maxItems = 3,
    maxInFlight = 2,
    maxWaiting = 1_000,
    weights,
    clash,
    monotonicMs,
  }: Partial<GathererOptions<Item, string>> = {},
) {
  const batches: string[][] = [];
  const gatherer = createGatherer<Item, string>({
    send: (items) => {
      batches.push(items.map(({ name }) => name));
      return send(items);
    },
    claimsOf: ({ claims }) => claims ?? [],
    ...(clash === undefined ? {} : { clash }),
    maxItems,
    weights,
    worthwhile: 16,
    enough: 32,
    maxInFlight,
    maxWaiting,
    maxWaitMs: 1_500,
    observe: () => {},
    monotonicMs,
  });
  return { gatherer, batches };
}

const echo = async (items: readonly Item[]): Promise<string[]> => items.map(({ name }) => name);

test('what arrives together goes together, at most so many in one batch, answered in order', async () => {
  const { gatherer, batches } = recorder(echo);
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  assert.deepEqual(await Promise.all(names.map((name) => gatherer.submit({ name }))), names);
  assert.deepEqual(batches, [['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]);
});

test('a batch holds no more than it may weigh; light ones pass by what is too heavy for it', async () => {
  const { gatherer, batches } = recorder(echo, {
    maxItems: 100,
    maxInFlight: 1,
    weights: { of: ({ weight = 0 }) => weight, most: 10 },
  });
  const items = [
    { name: 'a', weight: 10 },
    { name: 'b', weight: 6 },
    { name: 'c' },
    { name: 'd', weight: 5 },
    { name: 'e', weight: 4 },
    { name: 'f' },
  ];
  assert.deepEqual(
    await Promise.all(items.map((item) => gatherer.submit(item))),
    items.map(({ name }) => name),
  );
  assert.deepEqual(batches, [['a', 'c', 'f'], ['b', 'e'], ['d']]);
});

test('batches share what waits, down to what is worth a statement', async () => {
  for (const [count, sizes] of [
    [10, [10]],
    [20, [16, 4]],
    [40, [20, 20]],
    [300, [100, 100, 100]],
  ] as const) {
    const { gatherer, batches } = recorder(echo, { maxItems: 100 });
    await Promise.all(Array.from({ length: count }, (_, index) => gatherer.submit({ name: String(index) })));
    assert.deepEqual(
      batches.map((batch) => batch.length),
      sizes,
    );
  }
});

test('a batch beside another waits until it holds half of all there is, or enough', async () => {
  for (const [onItsWay, comes, sizes] of [
    [16, 15, [16]],
    [16, 16, [16, 16]],
    [40, 0, [20, 20]],
    [60, 31, [30, 30]],
    [60, 32, [30, 30, 32]],
  ] as const) {
    const done = Promise.withResolvers<void>();
    const { gatherer, batches } = recorder(async (items) => (await done.promise, echo(items)), {
      maxItems: 100,
      maxInFlight: 3,
    });
    const submit = (count: number) =>
      Array.from({ length: count }, (_, index) => gatherer.submit({ name: String(index) }));
    const first = submit(onItsWay);
    await new Promise((resolve) => setImmediate(resolve));
    const then = submit(comes);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      batches.map((batch) => batch.length),
      sizes,
    );
    done.resolve();
    await Promise.all([...first, ...then]);
  }
});

test('what has come goes beside a batch that is stuck', async () => {
  const stuck = Promise.withResolvers<string[]>();
  const { gatherer } = recorder((items) => (items[0]?.name === 'stuck' ? stuck.promise : echo(items)));
  const first = gatherer.submit({ name: 'stuck' });
  await new Promise(setImmediate);
  assert.equal(await gatherer.submit({ name: 'next' }), 'next');
  stuck.resolve(['at last']);
  assert.equal(await first, 'at last');
});

test('two items with one claim are never on their way at the same time', async () => {
  const running = new Set<string>();
  const { gatherer } = recorder(async (items) => {
    for (const { claims } of items)
      for (const { name, shared } of claims ?? []) {
        if (shared !== true) assert.equal(running.has(name), false);
        running.add(name);
      }
    await new Promise((resolve) => setImmediate(resolve));
    for (const { claims } of items) for (const { name } of claims ?? []) running.delete(name);
    return items.map(({ name }) => name);
  });
  const items = Array.from({ length: 30 }, (_, index) => ({
    name: String(index),
    claims: [{ name: `c${index % 4}` }],
  }));
  assert.deepEqual(
    await Promise.all(items.map((item) => gatherer.submit(item))),
    items.map(({ name }) => name),
  );
});

test('shared claims go together, and never beside one who wants the same for himself', async () => {
  const { gatherer, batches } = recorder(echo);
  const shared = { name: 'place', shared: true };
  const items = [
    { name: 'a', claims: [shared] },
    { name: 'b', claims: [shared] },
    { name: 'own', claims: [{ name: 'place' }] },
    { name: 'c', claims: [shared] },
  ];
  await Promise.all(items.map((item) => gatherer.submit(item)));
  assert.deepEqual(batches, [['a', 'b', 'c'], ['own']]);
});

test('who waits for what another has got is told at once, and never sent; who waits for what nobody got is', async () => {
  const send = async (items: readonly Item[]): Promise<string[]> =>
    items.map(({ name }) => (name.startsWith('refused') ? 'left out' : name));
  const clash = { isWon: (result: string) => result !== 'left out', lost: 'lost' };
  const { gatherer, batches } = recorder(send, { maxItems: 100, clash });
  const shared = { name: 'place', shared: true };
  const items = [
    { name: 'first', claims: [{ name: 'key' }, shared] },
    ...Array.from({ length: 50 }, () => ({ name: 'again', claims: [{ name: 'other' }, { name: 'key' }] })),
    { name: 'alone', claims: [{ name: 'place' }] },
    { name: 'neighbour', claims: [shared] },
    { name: 'refused', claims: [{ name: 'taken' }] },
    { name: 'then', claims: [{ name: 'taken' }] },
  ];
  assert.deepEqual(await Promise.all(items.map((item) => gatherer.submit(item))), [
    'first',
    ...Array.from({ length: 50 }, () => 'lost'),
    'lost',
    'neighbour',
    'left out',
    'then',
  ]);
  assert.deepEqual(batches, [['first', 'neighbour', 'refused'], ['then']]);
});

test('one bad item fails alone', async () => {
  const { gatherer } = recorder(async (items) => {
    if (items.some(({ name }) => name === 'bad')) throw new Error('bad row');
    return echo(items);
  });
  const results = await Promise.allSettled(['a', 'bad', 'c'].map((name) => gatherer.submit({ name })));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

const held = (): DatabaseUnavailable =>
  new DatabaseUnavailable('away', { cause: Object.assign(new DatabaseError('held', 4, 'error'), { code: '55P03' }) });

test('one item that waits for what others hold fails alone', async () => {
  const { gatherer } = recorder(async (items) => {
    if (items.some(({ name }) => name === 'held')) throw held();
    return echo(items);
  });
  const results = await Promise.allSettled(['a', 'held', 'c'].map((name) => gatherer.submit({ name })));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('when two of a batch wait for what others hold, the rest is not tried one by one', async () => {
  const { gatherer, batches } = recorder(async () => {
    throw held();
  });
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => gatherer.submit({ name })));
  assert.ok(results.every((result) => result.status === 'rejected' && result.reason instanceof DatabaseUnavailable));
  assert.deepEqual(batches, [['a', 'b', 'c'], ['a'], ['b']]);
});

test('when the database is away nothing is tried one by one', async () => {
  const { gatherer, batches } = recorder(async () => {
    throw new DatabaseUnavailable('away');
  });
  const results = await Promise.allSettled(['a', 'b'].map((name) => gatherer.submit({ name })));
  assert.ok(results.every((result) => result.status === 'rejected' && result.reason instanceof DatabaseUnavailable));
  assert.equal(batches.length, 1);
});

test('what has waited while the database hung is refused with those it did not answer, and what has just come is tried', async () => {
  const clock = { now: 0 };
  const hanging: (() => void)[] = [];
  const { gatherer, batches } = recorder(
    (items) =>
      batches.length > 1
        ? echo(items)
        : new Promise((_, reject) => hanging.push(() => reject(new DatabaseUnavailable('hangs')))),
    { monotonicMs: () => clock.now },
  );
  const first = gatherer.submit({ name: 'first' });
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = gatherer.submit({ name: 'waiting' });
  clock.now = 4_500;
  const late = gatherer.submit({ name: 'late' });
  for (const end of hanging) end();
  await assert.rejects(first, DatabaseUnavailable);
  await assert.rejects(waiting, DatabaseUnavailable);
  assert.equal(await late, 'late');
  assert.deepEqual(batches, [['first'], ['late']]);
});

test('when the database goes away while a batch is sent one by one, the rest is not tried', async () => {
  const { gatherer, batches } = recorder(async (items) => {
    if (items.length > 1) throw new Error('bad row');
    if (items[0]?.name === 'a') return ['a'];
    throw new DatabaseUnavailable('away');
  });
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => gatherer.submit({ name })));
  assert.deepEqual(
    results.map((result) =>
      result.status === 'rejected' ? result.reason instanceof DatabaseUnavailable : result.value,
    ),
    ['a', true, true],
  );
  assert.deepEqual(batches, [['a', 'b', 'c'], ['a'], ['b']]);
});

test('beyond the limit a further item is refused at once', async () => {
  const { gatherer } = recorder(echo, { maxWaiting: 2 });
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => gatherer.submit({ name })));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
});

test('what has waited too long is refused, and never sent', async () => {
  const clock = { nowMs: 0 };
  const answered = Promise.withResolvers<void>();
  const { gatherer, batches } = recorder(
    async (items) => {
      await answered.promise;
      return echo(items);
    },
    { monotonicMs: () => clock.nowMs },
  );
  const claims = [{ name: 'place' }];
  const results = Promise.allSettled(['first', 'second'].map((name) => gatherer.submit({ name, claims })));
  await new Promise((resolve) => setImmediate(resolve));
  clock.nowMs = 1_501;
  answered.resolve();
  const [first, second] = await results;
  assert.deepEqual(first, { status: 'fulfilled', value: 'first' });
  assert.ok(second?.status === 'rejected' && second.reason instanceof DatabaseUnavailable);
  assert.deepEqual(batches, [['first']]);
});

test('what waits is given up at the deadline of its caller, and a batch at the earliest of them', async () => {
  const stuck = Promise.withResolvers<string[]>();
  const until: number[] = [];
  const { gatherer } = recorder((items) => {
    until.push(waitsUntil());
    return items.some(({ name }) => name === 'stuck') ? stuck.promise : echo(items);
  });
  const submit = (name: string, untilMs: number): Promise<string> =>
    within({ untilMs }, () => gatherer.submit({ name, claims: [{ name: 'one' }] }));
  const late = performance.now() + 60_000;
  const first = submit('stuck', late);
  await assert.rejects(submit('in vain', performance.now() + 500), DatabaseUnavailable);
  const others = [submit('next', late + 2), submit('last', Infinity)];
  stuck.resolve(['at last']);
  assert.deepEqual(await Promise.all([first, ...others]), ['at last', 'next', 'last']);
  assert.deepEqual(until, [late, late + 2, Infinity]);
});

test('what a batch sets going has all the time there is once it is answered', async () => {
  const answered = Promise.withResolvers<void>();
  let seen: Promise<number> | undefined;
  const { gatherer } = recorder((items) => {
    seen = answered.promise.then(waitsUntil);
    return echo(items);
  });
  await within({ untilMs: performance.now() + 60_000 }, () => gatherer.submit({ name: 'first' }));
  answered.resolve();
  assert.equal(await seen, Infinity);
});
