import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createArrivals, type Arrivals } from './arrivals.ts';

const CONNECTIONS = 100;
/** More requests than come here at once. */
const MANY = 1_000;

test('of those who connect at once all are accepted before one of their requests is begun', async (context) => {
  const arrivals = createArrivals(MANY, () => 0);
  const seen = { accepted: 0, acceptedBefore: [] as number[] };
  const all = Promise.withResolvers<void>();
  const server = createServer((_request, response) =>
    arrivals.begin(() => {
      seen.acceptedBefore.push(seen.accepted);
      response.end();
      if (seen.acceptedBefore.length === CONNECTIONS) all.resolve();
    }),
  );
  server.on('connection', () => {
    seen.accepted += 1;
    arrivals.came();
  });
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count < CONNECTIONS; count += 1) {
    connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: a\r\n\r\n').resume();
  }
  await all.promise;
  assert.deepEqual(new Set(seen.acceptedBefore), new Set([CONNECTIONS]));
});

/** Turns in each of which somebody comes. */
async function comeFor(turns: number, arrivals: Arrivals): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    arrivals.came();
    await nextTurn();
  }
}

test('a request is begun at once while nobody comes, and after a while whoever may come', async () => {
  const clock = { now: 0 };
  const arrivals = createArrivals(MANY, () => clock.now);
  const begun: string[] = [];
  arrivals.begin(() => void begun.push('alone'));
  assert.deepEqual(begun, ['alone']);
  arrivals.came();
  arrivals.begin(() => void begun.push('waiting'));
  await comeFor(10, arrivals);
  assert.deepEqual(begun, ['alone']);
  clock.now = 1_000;
  await comeFor(1, arrivals);
  assert.deepEqual(begun, ['alone', 'waiting']);
});

test('what waits until nobody comes is done before requests, and not in a turn that took long', async () => {
  const clock = { now: 0 };
  const arrivals = createArrivals(MANY, () => clock.now);
  const done: string[] = [];
  arrivals.came();
  arrivals.begin(() => void done.push('request'));
  arrivals.onceNobodyComes(() => void done.push('work'));
  await comeFor(10, arrivals);
  clock.now = 100;
  await nextTurn();
  assert.deepEqual(done, []);
  await nextTurn();
  assert.deepEqual(done, ['work', 'request']);
});

test('no more requests wait than may', () => {
  const arrivals = createArrivals(2, () => 0);
  const begun: number[] = [];
  const countBegun = (ask: number): number => {
    arrivals.begin(() => void begun.push(ask));
    return begun.length;
  };
  arrivals.came();
  assert.deepEqual([1, 2, 3, 4].map(countBegun), [0, 0, 3, 3]);
});
