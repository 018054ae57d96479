import type { Queryable } from '#platform/database/pool.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { FeedSignal } from './feed.ts';
import { publishEvents } from './store.ts';

/** One round of the feed; those who wait for events are told. */
export async function publishRound(queryable: Queryable, signal: FeedSignal): Promise<PortionResult> {
  const { published, is_waiting: isWaiting } = await publishEvents(queryable);
  if (published > 0) signal.notify();
  // Who is in its way is waited for.
  return isWaiting ? 'blocked' : 'idle';
}
