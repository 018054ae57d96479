import type { Transaction } from '#platform/database/pool.ts';
import { rewriteEvents } from './erase-store.ts';
import { eraseEventData } from './erase-traces.ts';
import type { HeldEvent, Subject } from './holdings-store.ts';
import { walkEvents } from './holdings.ts';

/**
 * How many events are in memory, and rewritten by one statement, at a time: a contract of years may have very many, and
 * a statement is given only so long.
 */
export const PORTION = 100;

/** Removes everything personal from the events of subjects. @param look sees each portion as it was before */
export async function eraseEvents(
  transaction: Transaction,
  projectId: string,
  subjects: readonly Subject[],
  look: (events: readonly HeldEvent[]) => void = () => {},
): Promise<void> {
  for await (const events of walkEvents(transaction, projectId, subjects, null, PORTION)) {
    look(events);
    const erased = events.map(({ id, data }) => ({ id, data, text: eraseEventData(data) }));
    // The feed waits meanwhile, for everybody: what has nothing to lose, as after an earlier erasure, stays as it is.
    const rewritten = erased.filter(({ data, text }) => text !== data);
    if (rewritten.length > 0) await rewriteEvents(transaction, projectId, rewritten);
  }
}
