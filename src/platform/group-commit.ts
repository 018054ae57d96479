import { DatabaseUnavailable, sqlState } from './database/pool.ts';

/** Gathers what arrives while earlier writes are on their way, and writes it together. */
export interface GroupCommit<Item, Result> {
  /** Resolves after the commit that holds the item. @throws DatabaseUnavailable when too many wait */
  submit(item: Item): Promise<Result>;
}

/** How a group commit writes. */
export interface GroupCommitOptions<Item, Result> {
  /** Writes items in one commit, answering in their order. All or none are written. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Names of what an item claims; two items that share one are never on their way at the same time. */
  readonly claimsOf: (item: Item) => readonly string[];
  readonly maxItems: number;
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  readonly observe: (items: number) => void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly claims: readonly string[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const RETRYABLE = new Set(['40001', '40P01', '23505']);
const MAX_ATTEMPTS = 5;

/**
 * A group commit without a timer: what has arrived goes at once while fewer than `maxInFlight` batches are on their
 * way, and waits for one of them otherwise. One bad item never harms its neighbours: a batch that fails is written
 * again one by one.
 */
export function createGroupCommit<Item, Result>(options: GroupCommitOptions<Item, Result>): GroupCommit<Item, Result> {
  const { write, claimsOf, maxItems, maxInFlight, maxWaiting, observe } = options;
  let queue: Waiting<Item, Result>[] = [];
  const claimed = new Set<string>();
  let inFlight = 0;
  let scheduled = false;

  const take = (): Waiting<Item, Result>[] => {
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const waiting of queue) {
      if (batch.length < maxItems && waiting.claims.every((claim) => !claimed.has(claim))) {
        for (const claim of waiting.claims) claimed.add(claim);
        batch.push(waiting);
      } else rest.push(waiting);
    }
    queue = rest;
    return batch;
  };

  const flush = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    inFlight += 1;
    observe(batch.length);
    try {
      const results = await write(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) for (const { reject } of batch) reject(error);
      else await oneByOne(write, batch);
    } finally {
      for (const { claims } of batch) for (const claim of claims) claimed.delete(claim);
      inFlight -= 1;
      start();
    }
  };

  const start = (): void => {
    while (inFlight < maxInFlight && queue.length > 0) {
      const batch = take();
      if (batch.length === 0) return;
      void flush(batch);
    }
  };

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= maxWaiting) {
          reject(new DatabaseUnavailable('too many requests wait to be written'));
          return;
        }
        queue.push({ item, claims: claimsOf(item), resolve, reject });
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

async function oneByOne<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  for (const { item, resolve, reject } of batch) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [result] = await write([item]);
        resolve(result as Result);
        break;
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && RETRYABLE.has(sqlState(error) ?? '')) continue;
        reject(error);
        break;
      }
    }
  }
}
