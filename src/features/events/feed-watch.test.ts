import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedHolder } from './feed-holder-store.ts';
import { createFeedWatch } from './feed-watch.ts';

const HOLDER: FeedHolder = {
  id: '1000',
  pid: 7,
  application: 'psql',
  database: 'other',
  prepared: null,
  seconds: 95,
};

test('a transaction that the feed waits for longer than half a minute is told once a minute, and only while it waits', async () => {
  const state: { nowMs: number; holder: () => FeedHolder | undefined } = { nowMs: 0, holder: () => HOLDER };
  const told: string[] = [];
  const watch = createFeedWatch({
    log: { warn: (...words: unknown[]) => void told.push(String(words[1])) },
    findHolder: async () => state.holder(),
    now: () => state.nowMs,
  });
  const rounds = async (result: 'blocked' | 'idle', seconds: number): Promise<number> => {
    const before = told.length;
    for (let second = 0; second < seconds; second += 1) {
      state.nowMs += 1_000;
      assert.equal(await watch(result), result);
    }
    return told.length - before;
  };
  assert.equal(await rounds('blocked', 30), 0);
  assert.equal(await rounds('blocked', 150), 3);
  assert.equal(
    told[0],
    'events wait for the transaction of process 7 (psql) in the database other, in progress for 95 s',
  );
  assert.equal(await rounds('idle', 200), 0);
  let id = 0;
  state.holder = () => ({ ...HOLDER, id: String((id += 1)), seconds: 0 });
  assert.equal(await rounds('blocked', 300), 0, 'another one each time is only much to do');
  state.holder = () => undefined;
  assert.equal(await rounds('blocked', 300), 0, 'another process is at it');
});
