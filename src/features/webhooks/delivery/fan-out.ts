import { preciseInstant, type Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database/pool.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { matchesTypes } from './schedule.ts';
import { hastenLeftBehind } from './results-store.ts';
import { insertDeliveries, isAnyBehind, lockBacklog, movePositions, type EndpointPosition } from './store.ts';

/** What laying out deliveries needs. */
export interface FanOutDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
}

const ENDPOINTS = 20;
const EVENTS = 1_000;

/**
 * Lays out the deliveries of some events that enabled endpoints have not come to, and moves these endpoints on, in one
 * commit. `onWritten` is told when there are some.
 */
export async function fanOut(
  { database, clock, mintUuid }: FanOutDependencies,
  onWritten: () => void,
): Promise<PortionResult> {
  const written = await database.transaction(async (transaction) => {
    const backlog = await lockBacklog(transaction, ENDPOINTS, EVENTS);
    if (backlog.length === 0) return null;
    const now = clock.now();
    const wanted = backlog.filter(({ types, type }) => matchesTypes(types, type));
    const deliveries = wanted.map((row) => ({
      projectId: row.project_id,
      id: mintUuid(now),
      endpointId: row.endpoint_id,
      eventId: row.event_id,
      subjectId: row.subject_id,
      position: row.position,
    }));
    const putOff = await insertDeliveries(transaction, deliveries, preciseInstant(now));
    const moved = new Map<string, EndpointPosition>();
    // In feed order, so that the last one stays.
    for (const { project_id: projectId, endpoint_id: endpointId, position } of backlog) {
      moved.set(endpointId, { projectId, endpointId, position });
    }
    await movePositions(transaction, [...moved.values()]);
    return { count: deliveries.length, putOff, now };
  });
  if (written === null) return (await isAnyBehind(database)) ? 'blocked' : 'idle';
  const { count, putOff, now } = written;
  if (putOff.length > 0) await hastenLeftBehind(database, putOff, preciseInstant(now));
  if (count > 0) onWritten();
  return 'worked';
}
