import type { Database, Transaction } from '#platform/database/pool.ts';
import { createPortions, type Portions } from '#platform/portions.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { FeedSignal } from './feed.ts';
import { mendFeed, readOrigin } from './origin-store.ts';
import { isInFeed, newestOutsideFeed, publishEvents, type Round } from './store.ts';

/** What portions of it are known by. */
const FEED = 'feed';

/**
 * Publishes the feed, at each call one round, as large as the database has written in time; those who wait for events are told.
 * Where another server has taken over, the feed is taken up there before the first.
 */
export function createPublisher(
  database: Database,
  signal: Pick<FeedSignal, 'notify'>,
  portions: Portions = createPortions(),
): () => Promise<PortionResult> {
  let tellsOrigin: boolean | null = null;
  return async () => {
    tellsOrigin ??= (await readOrigin(database)) !== null;
    const options = { share: portions.shareOf(FEED), tellsOrigin };
    const publish = (transaction: Transaction): Promise<Round> => publishEvents(transaction, options);
    const round = await database.transaction(publish, 'anew').catch((error: unknown) => {
      portions.shrink(FEED);
      throw error;
    });
    portions.grow(FEED);
    if (round.is_moved) await mendFeed(database);
    if (round.published > 0) signal.notify();
    // Who is in its way is waited for.
    return round.is_waiting ? 'blocked' : 'idle';
  };
}

/** How long the feed is waited for: another transaction may be in its way for as long as it likes. */
const PATIENCE_MS = 3_000;
/** Another process may publish, and its notice be missed. */
const LOOK_AGAIN_MS = 20;

/** Waits, for a while at most, until every event that is committed by now can be read from the feed. */
export async function waitForFeed(database: Database, signal: Pick<FeedSignal, 'wait'>): Promise<void> {
  const begin = performance.now();
  const newest = await newestOutsideFeed(database);
  if (newest === null) return;
  while (!(await isInFeed(database, newest)) && performance.now() - begin < PATIENCE_MS) {
    await signal.wait(LOOK_AGAIN_MS);
  }
}
