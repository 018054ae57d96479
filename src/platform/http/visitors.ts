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

/**
 * When there are too many, the one is closed that has been without its first request for the longest: whoever connects and
 * says nothing, or not to the end, shuts nobody out. Where all have asked, it is the one that has asked nothing since its
 * last answer for the longest: nobody keeps a place by one request. Where all are being answered, the last to come is the one.
 */
export function createVisitors(most: number): Visitors {
  /** Those that have asked nothing, in the order in which they came. */
  const silent = new Set<Socket>();
  /** Those that are between two requests, in the order in which they had their answers. */
  const resting = new Set<Socket>();
  let count = 0;
  return {
    came(connection) {
      count += 1;
      connection.once('close', () => {
        count -= 1;
        silent.delete(connection);
        resting.delete(connection);
      });
      const [first = connection] = silent.size > 0 ? silent : resting;
      silent.add(connection);
      if (count > most) first.destroy();
    },
    asked(connection) {
      if (!resting.delete(connection)) silent.delete(connection);
    },
    answered(connection) {
      if (!connection.destroyed) resting.add(connection);
    },
  };
}
