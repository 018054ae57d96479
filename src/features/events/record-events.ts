import type { ResourceEventType } from '#domain/event-types.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Transaction } from '#platform/database/pool.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { insertResourceEvents, type ResourceEvent } from './store.ts';

/** An event of another resource than a subscription. */
export interface NewEvent extends Omit<ResourceEvent, 'id' | 'occurredAt'> {
  readonly type: ResourceEventType;
  /** The project's time. */
  readonly at: Temporal.Instant;
}

/** Writes events with the change that they tell of, in their order; the caller has locked the resources. */
export async function recordEvents(
  transaction: Transaction,
  mintUuid: MintUuid,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ at, ...event }) => ({ ...event, id: mintUuid(at), occurredAt: formatInstant(at) }));
  await insertResourceEvents(transaction, rows);
}
