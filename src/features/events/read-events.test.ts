import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { createKeys } from '#platform/crypto.ts';
import { createFeedCursors, createFeedSignal, type FeedSignal } from './feed.ts';
import { createSharedRead, handleReadEvents, type EventDependencies, type SharedRead } from './read-events.ts';

const PROJECT = '01890a5d-ac96-774b-bcce-b302099a8057';
const NOTHING = { id: null, scanned: 0, last: null, is_passed: null };
const EVENT = { id: '01890a5d-ac96-774b-bcce-b302099a8057', position: '1', type: 'plan.updated', data: '{}' };

/** Readers who wait, on a database that is told what to answer. */
function fixture(feedSignal: FeedSignal, look: () => object | Promise<object>) {
  const dependencies: EventDependencies = {
    database: { query: async () => [await look()] } as unknown as Database,
    feedCursors: createFeedCursors(createKeys(Buffer.alloc(32, 1))),
    feedSignal,
    isStopping: () => false,
  };
  const readAgain: SharedRead = createSharedRead(dependencies);
  const read = (
    isAbandoned: () => boolean,
    query: Readonly<Record<string, string>> = { wait: '30' },
  ): Promise<Answer> => {
    const request: Partial<Request> = {
      caller: { projectId: PROJECT } as Request['caller'],
      query: { values: query } as unknown as Request['query'],
      errors: [],
      waitAside: (awaited) => awaited,
      isAbandoned,
    };
    return handleReadEvents(dependencies, readAgain, request as Request);
  };
  return { read };
}

test('who has gone while he waited for events is not looked after any more', async () => {
  const state = { looks: 0, isAbandoned: false };
  const wait = async (): Promise<void> => {
    state.isAbandoned = state.looks === 3;
  };
  const { read } = fixture({ notify: () => {}, turn: () => 0, wait }, () => {
    state.looks += 1;
    return NOTHING;
  });
  await read(() => state.isAbandoned);
  assert.equal(state.looks, 4);
});

test('all who wait at the same place are told by one look', async () => {
  const state = { looks: 0, isPublished: false };
  const signal = createFeedSignal();
  const { read } = fixture(signal, () => {
    state.looks += 1;
    return state.isPublished ? EVENT : NOTHING;
  });
  const readers = Array.from({ length: 100 }, () => read(() => false));
  // Each has looked once, found nothing, and waits.
  await new Promise(setImmediate);
  assert.equal(state.looks, 100);
  state.isPublished = true;
  signal.notify();
  for (const { body } of await Promise.all(readers)) assert.match(String(body), /plan\.updated/);
  assert.equal(state.looks, 101);
});

test('of those who wait in one project, each for something else, one looks whether there is anything', async (context) => {
  // Nobody looks because it is time to.
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const state = { looks: 0, isPublished: false, atOnce: 0, mostAtOnce: 0 };
  const signal = createFeedSignal();
  const { read } = fixture(signal, async () => {
    state.looks += 1;
    state.atOnce += 1;
    state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce);
    await new Promise(setImmediate);
    state.atOnce -= 1;
    return state.isPublished ? EVENT : NOTHING;
  });
  const readers = Array.from({ length: 100 }, (_, index) =>
    read(() => false, { wait: '30', limit: String(1 + index) }),
  );
  while (state.looks < 100 || state.atOnce > 0) await new Promise(setImmediate);
  // Of another project, by which they are woken too.
  for (const looks of [101, 102]) {
    signal.notify();
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    assert.equal(state.looks, looks);
  }
  state.mostAtOnce = 0;
  state.isPublished = true;
  signal.notify();
  for (const { body } of await Promise.all(readers)) assert.match(String(body), /plan\.updated/);
  assert.ok(state.mostAtOnce <= 2, `${state.mostAtOnce} at once`);
});

test('who asks for what is rare is told within seconds how far the feed was searched, and goes on from there', async (context) => {
  const state = { now: 0, position: 0 };
  // Each look takes a tenth of a second.
  context.mock.method(performance, 'now', () => state.now);
  const { read } = fixture(createFeedSignal(), () => {
    state.now += 100;
    state.position += 5_000;
    return { ...NOTHING, scanned: 5_000, last: String(state.position) };
  });
  const { body } = await read(() => false, { types: 'lead.converted' });
  const { items, has_more: hasMore, next_page: next } = JSON.parse(String(body)) as Record<string, unknown>;
  assert.deepEqual([items, hasMore], [[], true]);
  assert.ok(state.now <= 10_000, `${state.now} ms`);
  const seen = createFeedCursors(createKeys(Buffer.alloc(32, 1))).parse(PROJECT, String(next));
  assert.equal(seen?.position, String(state.position));
});
