import type { Socket } from 'node:net';

/** Keeps connections within a number. */
export interface Visitors {
  /** A connection was accepted. */
  came(connection: Socket): void;
  /** A request has come on it. */
  asked(connection: Socket): void;
}

/**
 * When there are too many, the one is closed that has been without its first request for the longest: whoever connects and
 * says nothing, or not to the end, shuts nobody out. Who has a request comes with it, and is not looked for here any more;
 * where all have asked, the last to come is the one.
 */
export function createVisitors(most: number): Visitors {
  /** Those that have asked nothing, in the order in which they came. */
  const silent = new Set<Socket>();
  let count = 0;
  return {
    came(connection) {
      count += 1;
      silent.add(connection);
      connection.once('close', () => {
        count -= 1;
        silent.delete(connection);
      });
      if (count <= most) return;
      const [first] = silent;
      first?.destroy();
    },
    asked: (connection) => void silent.delete(connection),
  };
}
