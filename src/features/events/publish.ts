import type { Database, Transaction } from '#platform/database/pool.ts';
import { createPortions, type Portions } from '#platform/portions.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { FeedSignal } from './feed.ts';
import { publishEvents, type Round } from './store.ts';

/** What portions of it are known by. */
const FEED = 'feed';

/** One round of the feed, as large as the database has written in time; those who wait for events are told. */
export async function publishRound(
  database: Database,
  signal: Pick<FeedSignal, 'notify'>,
  portions: Portions = createPortions(),
): Promise<PortionResult> {
  const publish = (transaction: Transaction): Promise<Round> => publishEvents(transaction, portions.shareOf(FEED));
  const { published, is_waiting: isWaiting } = await database.transaction(publish, 'anew').catch((error: unknown) => {
    portions.shrink(FEED);
    throw error;
  });
  portions.grow(FEED);
  if (published > 0) signal.notify();
  // Who is in its way is waited for.
  return isWaiting ? 'blocked' : 'idle';
}
