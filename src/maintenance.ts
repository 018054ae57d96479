import { setTimeout as sleep } from 'node:timers/promises';
import { deleteExpiredTokens } from '#features/oauth/index.ts';
import { releaseForgottenLocations } from '#features/subscriptions/index.ts';
import { deleteOldDeliveries, hastenForgottenDeliveries } from '#features/webhooks/delivery/index.ts';
import { deleteRemovedEndpoints } from '#features/webhooks/index.ts';
import { formatInstant } from '#platform/clock.ts';
import { deleteOldIdempotencyRecords } from '#platform/database/idempotency.ts';
import { seeTime } from '#platform/database/maintenance-clock.ts';
import { IDEMPOTENCY_DAYS } from '#platform/http/idempotency.ts';
import type { Logger } from '#platform/log.ts';
import { createPortions } from '#platform/portions.ts';
import type { Foundation } from './foundation.ts';

/** Removes what has served its time, now and then, in small portions. */
export interface Maintenance {
  /**
   * Removes everything that is due, unless the clock may just have been set forward (`seeTime`); safe on many processes at
   * once. What fails keeps nothing else from being tried.
   */
  run(): Promise<void>;
  /** Runs a minute after the start, and ten minutes after each run, until stopped. */
  start(): void;
  /** Resolves when the portion at hand is removed. */
  stop(): Promise<void>;
}

/** What is removed, by name: at most so many rows at once. Gives how many there were. */
type Steps = Readonly<Record<string, (limit: number) => Promise<number>>>;

const FIRST_MS = 60_000;
const EVERY_MS = 600_000;
/** How many rows go at once, as long as the database removes that many in time. */
const PORTION = 5_000;

/**
 * @param foundation the database and the clock it goes by
 * @param pauses before the first run, and between two
 */
export function createMaintenance(
  foundation: Foundation,
  log: Logger,
  pauses = { firstMs: FIRST_MS, everyMs: EVERY_MS },
): Maintenance {
  const { database, clock } = foundation;
  const stopping = new AbortController();
  const portions = createPortions();
  const removeAll = async (what: string, remove: (limit: number) => Promise<number>): Promise<void> => {
    while (!stopping.signal.aborted) {
      const limit = Math.ceil(PORTION * portions.shareOf(what));
      const removed = await remove(limit);
      portions.grow(what);
      if (removed < limit) return;
    }
  };
  let toldOf = '';
  const isTimeBelieved = async (): Promise<boolean> => {
    const { isBelieved, from } = await seeTime(database, formatInstant(clock.now()));
    if (!isBelieved && toldOf !== from) {
      log.warn({ from }, 'the clock has gone on by more than a day at once: nothing is removed for a day');
    }
    toldOf = isBelieved ? '' : from;
    return isBelieved;
  };
  const runEach = async (steps: Steps): Promise<void> => {
    for (const [what, remove] of Object.entries(steps)) {
      try {
        await removeAll(what, remove);
      } catch (error) {
        // As much again might be as late again.
        portions.shrink(what);
        log.warn({ err: error, what }, 'maintenance failed; it will run again');
      }
    }
  };
  const run = async (): Promise<void> => {
    await runEach(uselessSteps(foundation));
    try {
      if (!(await isTimeBelieved())) return;
    } catch (error) {
      return log.warn({ err: error, what: 'clock' }, 'maintenance failed; it will run again');
    }
    await runEach(agedSteps(foundation));
  };
  const runForEver = async (): Promise<void> => {
    for (let pause = pauses.firstMs; ; pause = pauses.everyMs) {
      await sleep(pause, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      await run();
    }
  };
  let running = Promise.resolve();
  return {
    run,
    start() {
      running = runForEver();
    },
    stop() {
      stopping.abort();
      return running;
    },
  };
}

/** What has grown old by the clock. */
function agedSteps(foundation: Foundation): Steps {
  const { database, clock } = foundation;
  return {
    'idempotency keys': (limit) => {
      const answeredBefore = formatInstant(clock.now().subtract({ hours: 24 * IDEMPOTENCY_DAYS }));
      return deleteOldIdempotencyRecords(database, answeredBefore, limit);
    },
    tokens: (limit) => deleteExpiredTokens(foundation, limit),
    deliveries: (limit) => deleteOldDeliveries(foundation, limit),
  };
}

/** What nobody has any use for, whatever the time, and what nobody else would see to. */
function uselessSteps(foundation: Foundation): Steps {
  const { database } = foundation;
  return {
    'webhook endpoints': (limit) => deleteRemovedEndpoints(database, limit),
    'market locations': async () => {
      await releaseForgottenLocations(database);
      return 0;
    },
    'forgotten deliveries': async () => {
      await hastenForgottenDeliveries(foundation);
      return 0;
    },
  };
}
