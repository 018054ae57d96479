import type { Logger } from '#platform/log.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import { describeFeedHolder, type FeedHolder } from './feed-holder-store.ts';

/** So long the feed may wait for others before an operator is told, and so often he is told then. */
const PATIENCE_MS = 30_000;
const REPEAT_MS = 60_000;

/** Settings of `createFeedWatch`. */
export interface FeedWatchOptions {
  readonly log: Pick<Logger, 'warn'>;
  readonly findHolder: () => Promise<FeedHolder | undefined>;
  /** Milliseconds of a clock that nobody sets. */
  readonly now?: () => number;
}

/**
 * Tells an operator what keeps the feed, and with it webhooks and long polls, from going on: nothing else would show it.
 * @returns what is to be told of each round, and answers the same
 */
export function createFeedWatch({
  log,
  findHolder,
  now = () => performance.now(),
}: FeedWatchOptions): (result: PortionResult) => Promise<PortionResult> {
  const seen = { blockedAt: Infinity, toldAt: -Infinity };
  return async (result) => {
    if (result !== 'blocked') seen.blockedAt = Infinity;
    else seen.blockedAt = Math.min(seen.blockedAt, now());
    if (now() - seen.blockedAt < PATIENCE_MS || now() - seen.toldAt < REPEAT_MS) return result;
    seen.toldAt = now();
    const holder = await findHolder().catch(() => undefined);
    if (holder === undefined) seen.blockedAt = Infinity;
    else log.warn({ ...holder }, `events wait for ${describeFeedHolder(holder)}`);
    return result;
  };
}
