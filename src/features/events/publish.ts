import type { Database } from '#platform/database/pool.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { FeedSignal } from './feed.ts';
import { publishEvents } from './store.ts';

/** One round of the feed; those who wait for events are told. */
export async function publishRound(database: Database, signal: Pick<FeedSignal, 'notify'>): Promise<PortionResult> {
  const { published, is_waiting: isWaiting } = await database.transaction(publishEvents, 'anew');
  if (published > 0) signal.notify();
  // Who is in its way is waited for.
  return isWaiting ? 'blocked' : 'idle';
}
