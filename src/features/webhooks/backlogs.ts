import type { Database } from '#platform/database/pool.ts';
import { countBacklogs } from './store.ts';

/** Counts what waits for endpoints of a project, by their ids, after it was asked. @throws DatabaseUnavailable */
export type CountBacklogs = (projectId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** A count that has not begun: whoever asks meanwhile has his endpoints counted with it. */
interface Coming {
  readonly ids: Set<string>;
  readonly counts: Promise<ReadonlyMap<string, number>>;
}

/**
 * Has one count of a project under way at a time, and all who ask meanwhile share the next one: of many endpoints that are
 * far behind it takes a second, and a few at once would leave other projects no connection.
 */
export function createBacklogCounter(database: Database): CountBacklogs {
  const coming = new Map<string, Coming>();
  return (projectId, ids) => {
    const known = coming.get(projectId);
    if (known !== undefined) {
      for (const id of ids) known.ids.add(id);
      return known.counts;
    }
    const wanted = new Set(ids);
    const forget = (): void => void (coming.get(projectId)?.ids === wanted && coming.delete(projectId));
    const counts = database
      .transaction(
        (transaction) => {
          forget();
          return countBacklogs(transaction, projectId, [...wanted]);
        },
        'snapshot',
        `${projectId}/backlogs`,
      )
      .finally(forget);
    coming.set(projectId, { ids: wanted, counts });
    return counts;
  };
}
