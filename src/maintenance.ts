import { deleteExpiredTokens } from '#features/oauth/index.ts';
import { releaseForgottenLocations } from '#features/subscriptions/index.ts';
import { deleteOldDeliveries } from '#features/webhooks/delivery/index.ts';
import { deleteRemovedEndpoints } from '#features/webhooks/index.ts';
import { formatInstant } from '#platform/clock.ts';
import { deleteOldIdempotencyRecords } from '#platform/database/idempotency.ts';
import { IDEMPOTENCY_DAYS } from '#platform/http/idempotency.ts';
import type { Logger } from '#platform/log.ts';
import type { Foundation } from './foundation.ts';

/** Removes what has served its time, now and then, in small portions. */
export interface Maintenance {
  /** Removes everything that is due; safe on many processes at once. What fails keeps nothing else from being tried. */
  run(): Promise<void>;
  /** Runs every ten minutes until stopped. */
  start(): void;
  stop(): void;
}

const EVERY_MS = 600_000;
const PORTION = 5_000;

/** @param foundation the database and the clock it goes by */
export function createMaintenance(foundation: Foundation, log: Logger): Maintenance {
  const { database, clock } = foundation;
  const state: { timer?: NodeJS.Timeout } = {};
  const run = async (): Promise<void> => {
    const answeredBefore = formatInstant(clock.now().subtract({ hours: 24 * IDEMPOTENCY_DAYS }));
    const portions: Readonly<Record<string, () => Promise<number>>> = {
      'idempotency keys': () => deleteOldIdempotencyRecords(database, answeredBefore, PORTION),
      tokens: () => deleteExpiredTokens(foundation, PORTION),
      deliveries: () => deleteOldDeliveries(foundation, PORTION),
      'webhook endpoints': () => deleteRemovedEndpoints(database, PORTION),
      'market locations': async () => {
        await releaseForgottenLocations(database);
        return 0;
      },
    };
    for (const [what, remove] of Object.entries(portions)) {
      try {
        while ((await remove()) === PORTION);
      } catch (error) {
        log.warn({ err: error, what }, 'maintenance failed; it will run again');
      }
    }
  };
  return {
    run,
    start() {
      state.timer = setInterval(() => void run(), EVERY_MS);
      state.timer.unref();
    },
    stop: () => clearInterval(state.timer),
  };
}
