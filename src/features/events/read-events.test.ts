import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { createKeys } from '#platform/crypto.ts';
import { createFeedCursors, createFeedSignal, type FeedSignal } from './feed.ts';
import { createSharedRead, handleReadEvents, type EventDependencies, type SharedRead } from './read-events.ts';

const NOTHING = { id: null, scanned: 0, last: null, is_passed: null };
const EVENT = { id: '01890a5d-ac96-774b-bcce-b302099a8057', position: '1', type: 'plan.updated', data: '{}' };

/** Readers who wait, on a database that is told what to answer. */
function fixture(feedSignal: FeedSignal, look: () => object) {
  const dependencies: EventDependencies = {
    database: { query: async () => [look()] } as unknown as Database,
    feedCursors: createFeedCursors(createKeys(Buffer.alloc(32, 1))),
    feedSignal,
    isStopping: () => false,
  };
  const readAgain: SharedRead = createSharedRead(dependencies);
  const read = (isAbandoned: () => boolean): Promise<Answer> => {
    const request: Partial<Request> = {
      caller: { projectId: '01890a5d-ac96-774b-bcce-b302099a8057' } as Request['caller'],
      query: { values: { wait: '30' } } as unknown as Request['query'],
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
