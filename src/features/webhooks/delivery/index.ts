import { formatInstant, type Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database/pool.ts';
import { deleteSettledDeliveries } from './store.ts';

export { createWebhookClient, type Outcome as AttemptOutcome } from './client.ts';
export { STOP_PATIENCE_MS, type Deliverer } from './deliver.ts';
export { createDeliveryEngine } from './engine.ts';
export { createDeliveryRoutes } from './routes.ts';

const KEPT_DAYS = 30;

/** Removes deliveries that are settled and kept long enough, at most `limit`; answers how many. */
export function deleteOldDeliveries(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deleteSettledDeliveries(database, formatInstant(clock.now().subtract({ hours: 24 * KEPT_DAYS })), limit);
}
