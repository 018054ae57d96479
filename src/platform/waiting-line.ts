import { DatabaseUnavailable } from './database/errors.ts';

/** Something that an item wants for itself, or, `shared`, that nobody else may want for himself. */
export interface Claim {
  readonly name: string;
  readonly shared?: boolean;
}

/** An item that waits for its batch, or is on its way with it. */
export interface Waiting<Item, Result> {
  readonly item: Item;
  readonly claims: readonly Claim[];
  /** When it was submitted. */
  readonly since: number;
  /** Until when its caller waits. */
  readonly untilMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Whether a result means that an item has got what it claims, and what those come to whose claims clash with it. */
export interface Clash<Result> {
  readonly isWon: (result: Result) => boolean;
  readonly lost: Result;
}

/** What the database has to do for an item beyond that for any other, and how much of it a batch may hold. */
export interface Weights<Item> {
  readonly of: (item: Item) => number;
  /** At least that of the heaviest item there is. */
  readonly most: number;
}

/** Settings of `createWaitingLine`. */
export interface WaitingLineOptions<Item, Result> {
  readonly weights: Weights<Item> | undefined;
  readonly clash: Clash<Result> | undefined;
  /** What has waited for longer is not sent any more. */
  readonly maxWaitMs: number;
  /** Milliseconds on a clock that is never set. */
  readonly monotonicMs: () => number;
}

/** Those who wait for their batch, in the order in which they came. */
export interface WaitingLine<Item, Result> {
  readonly length: number;
  /** Since when the first one waits; `undefined` when nobody does. */
  firstSince(): number | undefined;
  add(waiting: Waiting<Item, Result>): void;
  /**
   * Takes so many at most whose claims clash neither with each other nor with what is on its way, and which are not too heavy
   * together: light ones pass by those that are.
   */
  take(most: number): Waiting<Item, Result>[];
  /** What was taken is not on its way any more. */
  giveBack(batch: readonly Waiting<Item, Result>[]): void;
  /** While nothing can be sent there is nothing that `take` would find them by. */
  refuseLate(): void;
  /** Refuses those who have waited for the same as one who was refused, for about as long. */
  refusePatient(refusal: DatabaseUnavailable): void;
  /** Answers those at once who claim what others of a batch have got; in no line where nobody said what they come to. */
  answerLosers(batch: readonly Waiting<Item, Result>[], results: readonly Result[]): void;
}

interface ClaimBook {
  isFree(claims: readonly Claim[]): boolean;
  take(claims: readonly Claim[]): void;
  giveBack(claims: readonly Claim[]): void;
}

const EXCLUSIVE = -1;
/** With less time left it is hardly answered any more, and those of its batch would be given up with it. */
const LEAST_MS = 400;
/** What has waited longer for a database that turns out to be away is not tried any more: it would wait as long again. */
const PATIENCE_MS = 300;

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

/** A line that nobody stands in yet. */
export function createWaitingLine<Item, Result>(options: WaitingLineOptions<Item, Result>): WaitingLine<Item, Result> {
  const { clash, weights, maxWaitMs, monotonicMs } = options;
  let queue: Waiting<Item, Result>[] = [];
  const claimed = createClaimBook();

  return {
    get length() {
      return queue.length;
    },
    firstSince: () => queue[0]?.since,
    add: (waiting) => void queue.push(waiting),
    take(most) {
      const batch: Waiting<Item, Result>[] = [];
      const rest: Waiting<Item, Result>[] = [];
      const latest = monotonicMs() - maxWaitMs;
      let weight = 0;
      for (const waiting of queue) {
        const heavier = weight + (weights?.of(waiting.item) ?? 0);
        // Its caller has given up, or is about to; those behind it are answered the sooner.
        if (waiting.since < latest || isLate(waiting)) refuseAsLate(waiting);
        else if (batch.length < most && heavier <= (weights?.most ?? 0) && claimed.isFree(waiting.claims)) {
          claimed.take(waiting.claims);
          batch.push(waiting);
          weight = heavier;
        } else rest.push(waiting);
      }
      queue = rest;
      return batch;
    },
    giveBack(batch) {
      for (const { claims } of batch) claimed.giveBack(claims);
    },
    refuseLate() {
      // Looked at once each: who became late between two looks would be neither refused nor wait any more.
      queue = queue.filter((waiting) => {
        if (!isLate(waiting)) return true;
        refuseAsLate(waiting);
        return false;
      });
    },
    refusePatient(refusal) {
      const latest = monotonicMs() - PATIENCE_MS;
      const patient = queue.filter(({ since }) => since < latest);
      queue = queue.filter(({ since }) => since >= latest);
      for (const { reject } of patient) reject(refusal);
    },
    // One after the other, many who want the same would wait for longer than anybody may, each for a statement of its own.
    answerLosers(batch, results) {
      if (clash === undefined || queue.length === 0) return;
      const won = createClaimBook();
      for (const [index, { claims }] of batch.entries()) if (clash.isWon(results[index] as Result)) won.take(claims);
      const losers = queue.filter(({ claims }) => !won.isFree(claims));
      if (losers.length === 0) return;
      queue = queue.filter(({ claims }) => won.isFree(claims));
      for (const { resolve } of losers) resolve(clash.lost);
    },
  };
}

function isLate({ untilMs }: Pick<Waiting<never, never>, 'untilMs'>): boolean {
  return untilMs - LEAST_MS < performance.now();
}

function refuseAsLate({ reject }: Pick<Waiting<never, never>, 'reject'>): void {
  reject(new DatabaseUnavailable('it waited too long for its turn'));
}
