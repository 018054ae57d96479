import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '#platform/database/pool.ts';
import type { Request } from '#platform/http/contract.ts';
import { createKeys } from '#platform/crypto.ts';
import { createFeedCursors } from './feed.ts';
import { handleReadEvents } from './read-events.ts';

test('who has gone while he waited for events is not looked after any more', async () => {
  const state = { looks: 0, isAbandoned: false };
  const query = async (): Promise<unknown[]> => {
    state.looks += 1;
    return [{ id: null, scanned: 0, last: null, is_passed: null }];
  };
  const wait = async (): Promise<void> => {
    state.isAbandoned = state.looks === 3;
  };
  const request: Partial<Request> = {
    caller: { projectId: '01890a5d-ac96-774b-bcce-b302099a8057' } as Request['caller'],
    query: { values: { wait: '30' } } as unknown as Request['query'],
    waitAside: (awaited) => awaited,
    isAbandoned: () => state.isAbandoned,
  };
  await handleReadEvents(
    {
      database: { query } as unknown as Database,
      feedCursors: createFeedCursors(createKeys(Buffer.alloc(32, 1))),
      feedSignal: { notify: () => {}, wait },
      isStopping: () => false,
    },
    request as Request,
  );
  assert.equal(state.looks, 4);
});
