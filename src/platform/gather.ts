import { DatabaseUnavailable, isHeld, isUndone, sqlState, UNIQUE_VIOLATION } from './database/errors.ts';
import { waitsUntil, within } from './deadline.ts';
import {
  createWaitingLine,
  type Claim,
  type Clash,
  type Waiting,
  type WaitingLine,
  type Weights,
} from './waiting-line.ts';

export type { Claim } from './waiting-line.ts';

/** Gathers what arrives while earlier batches are on their way, and sends it as one. */
export interface Gatherer<Item, Result> {
  /** Resolves when the batch that holds the item is done. @throws DatabaseUnavailable when too many wait, or for too long */
  submit(item: Item): Promise<Result>;
  /** How many items wait for their batch or are on their way. */
  pending(): number;
}

/** Settings of `createGatherer`. */
export interface GathererOptions<Item, Result> {
  /** Reads or writes for a batch, answering in the order of its items. One that fails has written none of them. */
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** What an item claims; two items whose claims clash are never on their way at the same time. */
  readonly claimsOf: (item: Item) => readonly Claim[];
  /**
   * Whether a result means that the item has got what it claims, and what those come to that wait with a clashing claim:
   * they are answered at once. Absent: each is sent in its turn.
   */
  readonly clash?: Clash<Result>;
  readonly maxItems: number;
  /** Absent: all are alike. */
  readonly weights?: Weights<Item> | undefined;
  /** A batch beside others on their way holds at least so many items when it can: each costs the database a statement. */
  readonly worthwhile: number;
  /** With so many it is not worth while to wait for more. */
  readonly enough: number;
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  /** What has waited for longer is not sent any more. */
  readonly maxWaitMs: number;
  readonly observe: (items: number) => void;
  /** Milliseconds on a clock that is never set. */
  readonly monotonicMs?: (() => number) | undefined;
}

/** Longer than a batch takes by far; what has waited for so long goes beside it. */
const STUCK_MS = 100;
const MAX_ATTEMPTS = 5;

/**
 * What has arrived goes at once while nothing is on its way, or enough has arrived for a batch of its own, and waits for
 * one on its way otherwise; not for long, for that may have met a connection that is dead. Batches share what waits, so
 * that the database works on all of it at the same time. One bad item never harms its neighbours: a batch that fails, also
 * for what others hold, is sent again one by one. When the database is away, what has waited for it is refused with the batch.
 */
export function createGatherer<Item, Result>(options: GathererOptions<Item, Result>): Gatherer<Item, Result> {
  const { claimsOf, maxItems, worthwhile, enough, maxInFlight, maxWaiting, maxWaitMs, observe } = options;
  const { clash, weights, monotonicMs = () => performance.now() } = options;
  const line = createWaitingLine<Item, Result>({ clash, weights, maxWaitMs, monotonicMs });
  let inFlight = 0;
  let onTheirWay = 0;
  let scheduled = false;
  let held: NodeJS.Timeout | undefined;

  const flush = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    inFlight += 1;
    onTheirWay += batch.length;
    observe(batch.length);
    try {
      await sendAll(options.send, batch, line);
    } finally {
      line.giveBack(batch);
      inFlight -= 1;
      onTheirWay -= batch.length;
      start();
    }
  };

  /** So many share a batch beside another: with half of all there is, two are always on their way, and none is small. */
  const worthSending = (): number => Math.min(enough, Math.max(worthwhile, Math.ceil((line.length + onTheirWay) / 2)));

  const mayGo = (): boolean => {
    const since = line.firstSince();
    if (since === undefined || inFlight >= maxInFlight) return false;
    return inFlight === 0 || line.length >= worthSending() || monotonicMs() - since >= STUCK_MS;
  };

  const hold = (): void => {
    held ??= setTimeout(() => {
      held = undefined;
      line.refuseLate();
      start();
    }, STUCK_MS).unref();
  };

  const start = (): void => {
    while (mayGo()) {
      const share = Math.ceil(line.length / (maxInFlight - inFlight));
      const batch = line.take(Math.min(maxItems, Math.max(worthSending(), share)));
      if (batch.length === 0) break;
      void flush(batch);
    }
    if (line.length > 0) hold();
  };

  return {
    pending: () => line.length + onTheirWay,
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (line.length >= maxWaiting) {
          reject(new DatabaseUnavailable('too many requests wait for the database'));
          return;
        }
        line.add({ item, claims: claimsOf(item), since: monotonicMs(), untilMs: waitsUntil(), resolve, reject });
        if (scheduled) return;
        scheduled = true;
        // What arrives in the same turn of the event loop goes together.
        setImmediate(() => {
          scheduled = false;
          start();
        });
      }),
  };
}

/** Sends a batch and settles all of it; what waits meanwhile is settled with it where that says all about it. */
async function sendAll<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<Item, Result>[],
  line: WaitingLine<Item, Result>,
): Promise<void> {
  // Of its own, whoever happens to have set it going.
  const deadline = { untilMs: Math.min(...batch.map(({ untilMs }) => untilMs)) };
  const sendInTime = (items: readonly Item[]): Promise<readonly Result[]> => within(deadline, () => send(items));
  try {
    const results = await sendInTime(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    line.answerLosers(batch, results);
  } catch (error) {
    const isAway = error instanceof DatabaseUnavailable && !(isHeld(error) && batch.length > 1);
    const refusal = isAway ? error : await oneByOne(sendInTime, batch);
    if (refusal === null) return;
    // Those of the batch that have their answer already do not mind.
    for (const { reject } of batch) reject(refusal);
    line.refusePatient(refusal);
  } finally {
    deadline.untilMs = Infinity;
  }
}

/** Gives what ended it when the database went away on the way: the items without an answer have none yet. */
async function oneByOne<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<Item, Result>[],
): Promise<DatabaseUnavailable | null> {
  let isOneHeld = false;
  for (const { item, resolve, reject } of batch) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [result] = await send([item]);
        resolve(result as Result);
        break;
      } catch (error) {
        // What holds two of them holds the others as well.
        if (error instanceof DatabaseUnavailable && (isOneHeld || !isHeld(error))) return error;
        isOneHeld ||= isHeld(error);
        if (attempt < MAX_ATTEMPTS && isRetryable(error)) continue;
        reject(error);
        break;
      }
    }
  }
  return null;
}

/** What others wrote at the same time was in its way: sent again, an item is read against that. */
function isRetryable(error: unknown): boolean {
  return isUndone(error) || sqlState(error) === UNIQUE_VIOLATION;
}
