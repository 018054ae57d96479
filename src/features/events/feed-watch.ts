import type { Logger } from '#platform/log.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { FeedHolder } from './feed-holder-store.ts';

/** How long one transaction may keep the feed waiting before an operator is told, and how often he is told again. */
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
 * Tells an operator what keeps the feed, and with it webhooks and long polls, from going on: nothing else would show it. While
 * there is much to do something is always in the way for a moment: only who is when it is looked at twice is told of.
 * @returns what is to be told of each round, and answers the same
 */
export function createFeedWatch({
  log,
  findHolder,
  now = () => performance.now(),
}: FeedWatchOptions): (result: PortionResult) => Promise<PortionResult> {
  const seen: { id?: string | undefined; lookedAt: number; toldAt: number } = {
    lookedAt: -Infinity,
    toldAt: -Infinity,
  };
  return async (result) => {
    if (result !== 'blocked' || now() - seen.lookedAt < PATIENCE_MS) return result;
    const holder = await findHolder().catch(() => undefined);
    const isSame = holder !== undefined && holder.id === seen.id;
    Object.assign(seen, { id: holder?.id, lookedAt: now() });
    if (!isSame || now() - seen.toldAt < REPEAT_MS) return result;
    seen.toldAt = now();
    log.warn({ ...holder }, `events wait for ${describeFeedHolder(holder)}`);
    return result;
  };
}

/** The holder in words for an operator. */
export function describeFeedHolder({ pid, application, database, prepared, seconds }: FeedHolder): string {
  const age = seconds === null ? '' : `, in progress for ${seconds} s`;
  if (prepared !== null) return `the prepared transaction ${prepared} of the database ${database}${age}`;
  if (pid === null) return 'a transaction of this server that our role may not see (grant it pg_read_all_stats)';
  return `the transaction of process ${pid} (${application}) in the database ${database}${age}`;
}
