import { DatabaseUnavailable, isHeld, isUndone, sqlState, UNIQUE_VIOLATION } from './database/errors.ts';
import { waitsUntil, within } from './deadline.ts';

/** Gathers what arrives while earlier batches are on their way, and sends it as one. */
export interface Gatherer<Item, Result> {
  /** Resolves when the batch that holds the item is done. @throws DatabaseUnavailable when too many wait, or for too long */
  submit(item: Item): Promise<Result>;
  /** How many items wait for their batch or are on their way. */
  pending(): number;
}

/** Something that an item wants for itself, or, `shared`, that nobody else may want for himself. */
export interface Claim {
  readonly name: string;
  readonly shared?: boolean;
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
  readonly clash?: { readonly isWon: (result: Result) => boolean; readonly lost: Result };
  readonly maxItems: number;
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

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly claims: readonly Claim[];
  /** When it was submitted. */
  readonly since: number;
  /** Until when its caller waits. */
  readonly untilMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface ClaimBook {
  isFree(claims: readonly Claim[]): boolean;
  take(claims: readonly Claim[]): void;
  giveBack(claims: readonly Claim[]): void;
}

/** Who holds what: for each name how many share it, or `EXCLUSIVE`. */
function createClaimBook(): ClaimBook {
  const held = new Map<string, number>();
  return {
    isFree: (claims) =>
      claims.every(
        ({ name, shared }) => (held.get(name) ?? 0) === 0 || (shared === true && held.get(name) !== EXCLUSIVE),
      ),
    take(claims) {
      for (const { name, shared } of claims) held.set(name, shared === true ? (held.get(name) ?? 0) + 1 : EXCLUSIVE);
    },
    giveBack(claims) {
      for (const { name } of claims) {
        const holders = held.get(name) ?? EXCLUSIVE;
        if (holders > 1) held.set(name, holders - 1);
        else held.delete(name);
      }
    },
  };
}

const EXCLUSIVE = -1;
/** Longer than a batch takes by far; what has waited for so long goes beside it. */
const STUCK_MS = 100;
const MAX_ATTEMPTS = 5;
/** With less time left it is hardly answered any more, and those of its batch would be given up with it. */
const LEAST_MS = 400;
/** What has waited longer for a database that turns out to be away is not tried any more: it would wait as long again. */
const PATIENCE_MS = 300;

/**
 * What has arrived goes at once while nothing is on its way, or enough has arrived for a batch of its own, and waits for
 * one on its way otherwise; not for long, for that may have met a connection that is dead. Batches share what waits, so
 * that the database works on all of it at the same time. One bad item never harms its neighbours: a batch that fails, also
 * for what others hold, is sent again one by one. When the database is away, what has waited for it is refused with the batch.
 */
export function createGatherer<Item, Result>(options: GathererOptions<Item, Result>): Gatherer<Item, Result> {
  const { send, claimsOf, clash, maxItems, worthwhile, enough, maxInFlight, maxWaiting, maxWaitMs, observe } = options;
  const { monotonicMs = () => performance.now() } = options;
  let queue: Waiting<Item, Result>[] = [];
  const claimed = createClaimBook();
  let inFlight = 0;
  let onTheirWay = 0;
  let scheduled = false;
  let held: NodeJS.Timeout | undefined;

  const isLate = ({ untilMs }: Waiting<Item, Result>): boolean => untilMs - LEAST_MS < performance.now();

  /** While nothing can be sent there is nothing that `take` would find them by. */
  const refuseLate = (): void => {
    for (const { reject } of queue.filter(isLate)) reject(new DatabaseUnavailable('it waited too long for its turn'));
    queue = queue.filter((waiting) => !isLate(waiting));
  };

  const take = (most: number): Waiting<Item, Result>[] => {
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    const latest = monotonicMs() - maxWaitMs;
    for (const waiting of queue) {
      // Its caller has given up, or is about to; those behind it are answered the sooner.
      if (waiting.since < latest || isLate(waiting))
        waiting.reject(new DatabaseUnavailable('it waited too long for its turn'));
      else if (batch.length < most && claimed.isFree(waiting.claims)) {
        claimed.take(waiting.claims);
        batch.push(waiting);
      } else rest.push(waiting);
    }
    queue = rest;
    return batch;
  };

  const giveUp = (batch: readonly Waiting<Item, Result>[], refusal: DatabaseUnavailable): void => {
    const latest = monotonicMs() - PATIENCE_MS;
    const late = queue.filter(({ since }) => since < latest);
    queue = queue.filter(({ since }) => since >= latest);
    // Those of the batch that have their answer already do not mind.
    for (const { reject } of [...batch, ...late]) reject(refusal);
  };

  /** One after the other, many who want the same would wait for longer than anybody may, each for a statement of its own. */
  const answerLosers = (batch: readonly Waiting<Item, Result>[], results: readonly Result[]): void => {
    if (clash === undefined || queue.length === 0) return;
    const won = createClaimBook();
    for (const [index, { claims }] of batch.entries()) if (clash.isWon(results[index] as Result)) won.take(claims);
    const losers = queue.filter(({ claims }) => !won.isFree(claims));
    if (losers.length === 0) return;
    queue = queue.filter(({ claims }) => won.isFree(claims));
    for (const { resolve } of losers) resolve(clash.lost);
  };

  const flush = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    inFlight += 1;
    onTheirWay += batch.length;
    observe(batch.length);
    // Of its own, whoever happens to have set it going.
    const deadline = { untilMs: Math.min(...batch.map(({ untilMs }) => untilMs)) };
    const sendInTime = (items: readonly Item[]): Promise<readonly Result[]> => within(deadline, () => send(items));
    try {
      const results = await sendInTime(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      answerLosers(batch, results);
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailable && !(isHeld(error) && batch.length > 1);
      const refusal = isAway ? error : await oneByOne(sendInTime, batch);
      if (refusal !== null) giveUp(batch, refusal);
    } finally {
      for (const { claims } of batch) claimed.giveBack(claims);
      deadline.untilMs = Infinity;
      inFlight -= 1;
      onTheirWay -= batch.length;
      start();
    }
  };

  /** So many share a batch beside another: with half of all there is, two are always on their way, and none is small. */
  const worthSending = (): number => Math.min(enough, Math.max(worthwhile, Math.ceil((queue.length + onTheirWay) / 2)));

  const mayGo = (): boolean => {
    const [first] = queue;
    if (first === undefined || inFlight >= maxInFlight) return false;
    return inFlight === 0 || queue.length >= worthSending() || monotonicMs() - first.since >= STUCK_MS;
  };

  const hold = (): void => {
    held ??= setTimeout(() => {
      held = undefined;
      refuseLate();
      start();
    }, STUCK_MS).unref();
  };

  const start = (): void => {
    while (mayGo()) {
      const share = Math.ceil(queue.length / (maxInFlight - inFlight));
      const batch = take(Math.min(maxItems, Math.max(worthSending(), share)));
      if (batch.length === 0) break;
      void flush(batch);
    }
    if (queue.length > 0) hold();
  };

  return {
    pending: () => queue.length + onTheirWay,
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= maxWaiting) {
          reject(new DatabaseUnavailable('too many requests wait for the database'));
          return;
        }
        queue.push({ item, claims: claimsOf(item), since: monotonicMs(), untilMs: waitsUntil(), resolve, reject });
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
