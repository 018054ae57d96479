import type { Socket } from 'node:net';

/** Keeps connections within a number, and what was written to them and is not taken within a size. */
export interface Visitors {
  /** How many connections there may be. */
  readonly most: number;
  /** A connection was accepted. */
  came(connection: Socket): void;
  /** A request has begun on it, whose body is still to come. */
  begun(connection: Socket): void;
  /** A request has come on it, whole. */
  asked(connection: Socket): void;
  /** What it asked for waits for something to happen, and may wait for long. */
  waits(connection: Socket): void;
  /** An answer of so many bytes was written that it has not taken at once. */
  wrote(connection: Socket, bytes: number): void;
  /** All that came on it has its answer. */
  answered(connection: Socket): void;
}

/** Who has come is given so long to be heard: those who come at once are accepted before anything is read of the first. */
const HEARD_MS = 1_000;
/** Those that have asked nothing yet may together take no more than this part of all places from those that have. */
const PART_OF_SILENT = 1 / 4;
/** Of answers that are not taken; one may be larger. */
export const MAX_UNTAKEN_BYTES = 64 * 1024 * 1024;

/**
 * When there are too many, the one is closed that has been without its first request, or without the rest of one, for the
 * longest: whoever connects and says nothing, or not to the end, shuts nobody out. Where all have asked, or have just come
 * and are not too many, it is the one that has asked nothing since its last answer, or has waited for something to happen,
 * for the longest: nobody keeps a place by one request. After these comes who has not taken its answer for the longest; where
 * all are being answered, the last to come is the one.
 * @param now milliseconds on a clock that nobody sets
 */
export function createVisitors(most: number, now: () => number = () => performance.now()): Visitors {
  /** Those that have asked nothing, or not to the end, and since when, in that order. */
  const silent = new Map<Socket, number>();
  /** Those that are between two requests, or whose request waits, in the order in which they began to. */
  const resting = new Set<Socket>();
  /** Those that have not taken what was written last, and how much that is, in the order in which it was written. */
  const taking = new Map<Socket, number>();
  let count = 0;
  let untaken = 0;

  const forget = (connection: Socket): void => {
    silent.delete(connection);
    resting.delete(connection);
    untaken -= taking.get(connection) ?? 0;
    taking.delete(connection);
  };
  /** At once: it is closed later, and others may come before that. */
  const close = (connection: Socket): void => {
    forget(connection);
    connection.destroy();
  };
  const nextToGo = (last: Socket): Socket => {
    const [[oldest, since] = [last, now()]] = silent;
    const [rested] = resting;
    const [slowest = oldest] = taking.keys();
    const isDue = now() - since >= HEARD_MS || silent.size > most * PART_OF_SILENT;
    return isDue ? oldest : (rested ?? slowest);
  };
  return {
    most,
    came(connection) {
      count += 1;
      connection.once('close', () => {
        count -= 1;
        forget(connection);
      });
      const gone = count > most ? nextToGo(connection) : null;
      silent.set(connection, now());
      if (gone !== null) close(gone);
    },
    begun(connection) {
      if (resting.delete(connection)) silent.set(connection, now());
    },
    asked(connection) {
      if (!resting.delete(connection)) silent.delete(connection);
    },
    waits(connection) {
      if (!connection.destroyed) resting.add(connection);
    },
    wrote(connection, bytes) {
      if (connection.destroyed) return;
      untaken += bytes - (taking.get(connection) ?? 0);
      // Whoever is written more has taken what was before.
      taking.delete(connection);
      taking.set(connection, bytes);
      for (const [oldest] of taking) {
        if (untaken <= MAX_UNTAKEN_BYTES || oldest === connection) return;
        close(oldest);
      }
    },
    answered(connection) {
      forget(connection);
      if (!connection.destroyed) resting.add(connection);
    },
  };
}
