import type { Socket } from 'node:net';

/** Keeps connections within a number. */
export interface Visitors {
  /** A connection was accepted. */
  came(connection: Socket): void;
  /** A request has come on it. */
  asked(connection: Socket): void;
  /** All that came on it has its answer. */
  answered(connection: Socket): void;
}

/** Who has come is given so long to be heard: those who come at once are accepted before anything is read of the first. */
const HEARD_MS = 1_000;
/** Those that have asked nothing yet may together take no more than this part of all places from those that have. */
const PART_OF_SILENT = 1 / 4;

/**
 * When there are too many, the one is closed that has been without its first request for the longest: whoever connects and
 * says nothing, or not to the end, shuts nobody out. Where all have asked, or have just come and are not too many, it is the
 * one that has asked nothing since its last answer for the longest: nobody keeps a place by one request. Where all are
 * being answered, the last to come is the one.
 * @param now milliseconds on a clock that nobody sets
 */
export function createVisitors(most: number, now: () => number = () => performance.now()): Visitors {
  /** Those that have asked nothing, and when they came, in that order. */
  const silent = new Map<Socket, number>();
  /** Those that are between two requests, in the order in which they had their answers. */
  const resting = new Set<Socket>();
  let count = 0;
  const nextToGo = (last: Socket): Socket => {
    const [[oldest, cameMs] = [last, now()]] = silent;
    const [rested] = resting;
    const isDue = now() - cameMs >= HEARD_MS || silent.size > most * PART_OF_SILENT;
    return isDue ? oldest : (rested ?? oldest);
  };
  return {
    came(connection) {
      count += 1;
      connection.once('close', () => {
        count -= 1;
        silent.delete(connection);
        resting.delete(connection);
      });
      const gone = count > most ? nextToGo(connection) : null;
      silent.set(connection, now());
      if (gone === null) return;
      // At once: it is closed later, and others may come before that.
      silent.delete(gone);
      resting.delete(gone);
      gone.destroy();
    },
    asked(connection) {
      if (!resting.delete(connection)) silent.delete(connection);
    },
    answered(connection) {
      if (!connection.destroyed) resting.add(connection);
    },
  };
}
