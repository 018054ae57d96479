import { formatInstant, preciseInstant, type Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database/pool.ts';
import { findLeftBehind, hastenLeftBehind } from './results-store.ts';
import { deleteSettledDeliveries } from './store.ts';

export { createWebhookClient, type Outcome as AttemptOutcome } from './client.ts';
export { STOP_PATIENCE_MS, type Deliverer } from './deliver.ts';
export { createDeliveryEngine } from './engine.ts';
export { createDeliveryRoutes } from './routes.ts';

const KEPT_DAYS = 30;
/** So many lines of deliveries are hastened at a time. */
const LINES = 100;

/** Removes deliveries that are settled and kept long enough, at most `limit`; answers how many. */
export function deleteOldDeliveries(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deleteSettledDeliveries(database, formatInstant(clock.now().subtract({ hours: 24 * KEPT_DAYS })), limit);
}

/** Has deliveries sent that were put off behind others which have their answer: a crash may have left them so, for a day. */
export async function hastenForgottenDeliveries({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Promise<void> {
  const now = preciseInstant(clock.now());
  const lines = await database.transaction((transaction) => findLeftBehind(transaction, now), 'survey');
  for (let from = 0; from < lines.length; from += LINES) {
    await hastenLeftBehind(database, lines.slice(from, from + LINES), now);
  }
}
