import type { Gatherer } from '#platform/gather.ts';
import { keepLast } from '#platform/keep-last.ts';
import { presentSubscription, subscriptionTag } from './present.ts';
import type { Asked, AskedAgain, VersionedRow } from './store.ts';

/** A subscription as it is shown when nothing is expanded. */
export interface Shown {
  readonly row: VersionedRow;
  /** JSON text. */
  readonly body: string;
  readonly tag: string;
}

/** Reads subscriptions, each as it stands after it was asked for. */
export interface SubscriptionReader {
  /** @param id uuid. @throws DatabaseUnavailable */
  read(projectId: string, id: string): Promise<Shown | undefined>;
}

interface Remembered extends Shown {
  readonly projectId: string;
  /** On a clock that is never set. */
  readonly until: number;
}

/** Those read last, a few kilobytes each. */
const MAX_REMEMBERED = 1_000;
/** No longer, for another database may have come into the place of this one, restored from a backup. */
const LIFETIME_MS = 10_000;

/**
 * Whoever waits for a change reads the same again and again. The database is asked each time, but of what has not changed
 * only whether it has: it is neither read nor presented once more.
 *
 * @param reads several at once
 * @param checks whether several are unchanged
 */
export function createSubscriptionReader(
  reads: Gatherer<Asked, VersionedRow | undefined>,
  checks: Gatherer<AskedAgain, boolean>,
  monotonicMs: () => number = () => performance.now(),
): SubscriptionReader {
  const remembered = new Map<string, Remembered>();

  const find = (projectId: string, id: string): Remembered | undefined => {
    const entry = remembered.get(id);
    return entry?.projectId === projectId && monotonicMs() < entry.until ? entry : undefined;
  };

  return {
    async read(projectId, id) {
      const known = find(projectId, id);
      if (known !== undefined && (await checks.submit({ projectId, id, version: known.row.version }))) return known;
      const until = monotonicMs() + LIFETIME_MS;
      const found = await reads.submit({ projectId, id });
      if (found === undefined) return undefined;
      const body = presentSubscription(found);
      const shown = { row: found, body, tag: subscriptionTag(found.event_sequence, body) };
      keepLast(remembered, id, { ...shown, projectId, until }, MAX_REMEMBERED);
      return shown;
    },
  };
}
