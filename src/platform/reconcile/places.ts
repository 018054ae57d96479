import { DatabaseUnavailable } from '#platform/database/errors.ts';
import type { Logger } from '#platform/log.ts';
import type { Traffic } from './traffic.ts';

/** Settings of `createPlaces`. */
export interface PlacesOptions {
  /** For the log. */
  readonly name: string;
  /** The places where something is due, in any order; none when all is done. */
  readonly findWork: () => Promise<readonly string[]>;
  /** Does one portion of what is due in a place. */
  readonly workOn: (place: string) => Promise<PortionResult>;
  /** Who is more urgent. */
  readonly traffic: Traffic;
  readonly log: Logger;
}

/** What a portion came to. */
export type PortionResult =
  /** Something was done; there may be more. */
  | 'worked'
  /** The same, and nothing of it had its hour: the next may wait a little. */
  | 'deferrable'
  /** Something was done, and as much as a portion holds: there is a lot of it. */
  | 'plenty'
  /** Others hold what comes first; try again in a moment. */
  | 'blocked'
  /** Nothing is due: it rests until somebody calls, or for a while. */
  | 'idle';

/** What is remembered of a place while it has work. */
interface Place {
  /** It is left alone until then, on the clock that nobody can set. */
  notBefore: number;
  /** The same because nothing was due there; a call ends it. */
  restsUntil: number;
  calls: number;
  /** When it had its last turn, in turns. */
  lastTurn: number;
  failures: number;
  lanes: number;
  /** Its last portion was of something that makes room for requests. */
  makesRoom: boolean;
}

/** The places where something is due, and which of them is served next. */
export interface Places {
  /** Serves one place after the other until none is left to be served now. Any number may do so at once. */
  serve(): Promise<void>;
  /** Something may be due in any place. */
  call(): void;
  /** Whoever serves and finds nothing looks once more. */
  lookAgain(): void;
  /** Milliseconds for which places with work are still left alone. */
  waits(): number[];
}

/** Looks again when nobody has called. */
export const POLL_MS = 1_000;
/** How long a place is left alone when others hold the work that comes first in it. */
const BLOCKED_MS = 20;
/** The same while something more urgent waits, and between two looks that somebody called for: each look costs it time. */
export const BUSY_MS = 50;
/** How many portions a place gets before it is the turn of others. */
const PORTIONS_A_TURN = 5;
/** Deferrable work rests so many times as long as it took while something more urgent waits, but no longer than this. */
const DEFERRED_FACTOR = 50;
const MAX_DEFERRED_MS = 5_000;
/** While requests come it rests so many times as long as it took: they find one lane, at work a third of the time. */
const ROOM_FACTOR = 2;
const MAX_ROOM_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** The same while the database is away: looking for it costs little, and all that others have written waits for its return. */
const MAX_BACKOFF_AWAY_MS = 5_000;

/** Milliseconds until what has failed so often, the last time for this reason, is tried again. */
export function backOff(failures: number, reason: unknown): number {
  const most = reason instanceof DatabaseUnavailable ? MAX_BACKOFF_AWAY_MS : MAX_BACKOFF_MS;
  return Math.min(POLL_MS * 2 ** (failures - 1), most);
}

/**
 * The places of one reconciler; none is known before it was looked for.
 * @param isStopping whether no other portion is to be begun
 */
export function createPlaces(options: PlacesOptions, isStopping: () => boolean): Places {
  const { name, findWork, traffic, log } = options;
  const places = new Map<string, Place>();
  let turn = 0;
  let isStale = false;

  /** Looks where something is due, and takes a lane to one of those places. */
  const next = async (): Promise<readonly [string, Place] | null> => {
    const keys = await findWork();
    const due = new Set(keys);
    for (const [key, place] of places) if (!due.has(key) && place.lanes === 0) places.delete(key);
    for (const key of keys) if (!places.has(key)) places.set(key, newPlace());
    const found = choose(keys, places, traffic.isVisited());
    if (found === null) return null;
    const [, place] = found;
    turn += 1;
    place.lastTurn = turn;
    place.lanes += 1;
    return found;
  };

  const serve = async (): Promise<void> => {
    while (!isStopping()) {
      isStale = false;
      const found = await next();
      if (found === null) {
        if (isStale) continue;
        return;
      }
      const [key, place] = found;
      try {
        await serveOne(options, key, place, isStopping);
      } catch (error) {
        // A place that fails keeps no other waiting.
        place.failures += 1;
        place.notBefore = performance.now() + backOff(place.failures, error);
        log.warn({ err: error, reconciler: name, failures: place.failures }, 'a place failed; it is tried again');
      } finally {
        place.lanes -= 1;
      }
    }
  };

  return {
    serve,
    call() {
      for (const place of places.values()) call(place);
    },
    lookAgain() {
      isStale = true;
    },
    waits() {
      const now = performance.now();
      return [...places.values()].map((place) => waitOf(place) - now).filter((wait) => wait > 0);
    },
  };
}

/** One turn of one place: a few portions, then others come first. Nothing is waited for here. */
async function serveOne(
  { workOn, traffic }: PlacesOptions,
  key: string,
  place: Place,
  isStopping: () => boolean,
): Promise<void> {
  for (let portion = 0; portion < PORTIONS_A_TURN && !isStopping(); portion += 1) {
    const begin = performance.now();
    const { calls } = place;
    const result = await workOn(key);
    const now = performance.now();
    place.failures = 0;
    place.makesRoom = result === 'plenty' || result === 'deferrable';
    if (result === 'plenty') traffic.noteBacklog();
    if (result === 'idle') {
      // What somebody called for, or another lane wrote, meanwhile may not have been seen.
      if (place.calls === calls) place.restsUntil = now + POLL_MS;
      return;
    }
    call(place);
    const rest = restAfter(result, now - begin, traffic);
    if (rest > 0) place.notBefore = now + rest;
    if (place.notBefore > now) return;
  }
}

function newPlace(): Place {
  return { notBefore: 0, restsUntil: 0, calls: 0, lastTurn: 0, failures: 0, lanes: 0, makesRoom: false };
}

/**
 * The place that has waited longest and may be served; a second lane only where no other place waits, and, when requests
 * come, not for what makes room for them.
 */
function choose(
  keys: readonly string[],
  places: ReadonlyMap<string, Place>,
  isVisited: boolean,
): readonly [string, Place] | null {
  const now = performance.now();
  let best: readonly [string, Place] | null = null;
  for (const key of keys) {
    const place = places.get(key);
    if (place === undefined || waitOf(place) > now) continue;
    if (isVisited && place.makesRoom && place.lanes > 0) continue;
    const isBetter =
      best === null ||
      place.lanes < best[1].lanes ||
      (place.lanes === best[1].lanes && place.lastTurn < best[1].lastTurn);
    if (isBetter) best = [key, place];
  }
  return best;
}

/** Milliseconds for which a place is left alone after a portion that took so many. */
function restAfter(result: PortionResult, tookMs: number, traffic: Traffic): number {
  const room = (): number => (traffic.isVisited() ? Math.min(tookMs * ROOM_FACTOR, MAX_ROOM_MS) : 0);
  switch (result) {
    case 'blocked':
      return traffic.isCrowded() ? BUSY_MS : BLOCKED_MS;
    case 'deferrable':
      return traffic.isBusy() ? Math.min(tookMs * DEFERRED_FACTOR, MAX_DEFERRED_MS) : room();
    case 'plenty':
      return room();
    case 'worked':
    case 'idle':
      return 0;
  }
}

/** Until when a place is left alone. */
function waitOf({ notBefore, restsUntil }: Place): number {
  return Math.max(notBefore, restsUntil);
}

/** Something may be due there. */
function call(place: Place): void {
  place.calls += 1;
  place.restsUntil = 0;
}
