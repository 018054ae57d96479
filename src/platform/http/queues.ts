import type { Socket } from 'node:net';

const QUEUE = Symbol('queue');

/** The requests of a connection that have no answer yet. */
interface Queue {
  /** Whether one has its turn. */
  isTaken: boolean;
  /** Begin those that wait behind it. */
  readonly waiting: (() => void)[];
}

interface Connection extends Socket {
  [QUEUE]?: Queue;
  /** Node’s own, of which it says nothing: told of each request, it asks what to do with the rest. */
  readonly parser?: { onIncoming: (() => number) | null } | null;
}

/** Keeps requests that are sent on a connection before those in front of them are answered. */
export interface Queues {
  /** Begins a request when it is its turn; where too many wait already, cuts the connection. */
  join(connection: Socket, request: () => void): void;
  /** To be called when the answer to the request whose turn it is has been closed; tells whether none is left to be given. */
  answered(connection: Socket): boolean;
}

/** How many requests may wait behind another one of their connection, on all connections together. */
export const MAX_BEHIND = 1_000;

/** As after an upgrade: what follows is not for the parser. */
const NO_MORE_HTTP = 2;

/**
 * Node makes requests of what comes, 3,600 of one piece of 64 KiB, begins all of them, and holds their answers until it is
 * their turn: a thousand connections, with nothing but such a piece on each, filled the heap. So each connection has one
 * request begun at a time, however many it sends. A refusal would have to wait for its turn as well: whoever sends too many
 * gets no answer any more, and none of those that waited is carried out.
 */
export function createQueues(begin: (request: () => void) => void): Queues {
  let behind = 0;

  function onClosed(this: Connection): void {
    behind -= this[QUEUE]?.waiting.length ?? 0;
    delete this[QUEUE];
  }
  const cut = (connection: Connection): void => {
    // Else the rest of what came is made into requests still, on all connections before the first of them is closed.
    if (connection.parser) connection.parser.onIncoming = () => NO_MORE_HTTP;
    connection.destroy();
  };
  const open = (connection: Connection): Queue => {
    connection.once('close', onClosed);
    return (connection[QUEUE] = { isTaken: false, waiting: [] });
  };

  return {
    join(connection: Connection, request) {
      if (connection.destroyed) return;
      const queue = connection[QUEUE] ?? open(connection);
      if (queue.isTaken && behind >= MAX_BEHIND) {
        cut(connection);
        return;
      }
      if (queue.isTaken) {
        behind += 1;
        queue.waiting.push(request);
        return;
      }
      queue.isTaken = true;
      begin(request);
    },
    answered(connection: Connection) {
      const queue = connection[QUEUE];
      // Of a connection that is closed nothing waits any more.
      if (queue === undefined) return true;
      const next = queue.waiting.shift();
      queue.isTaken = next !== undefined;
      if (next === undefined) return true;
      behind -= 1;
      // In a turn of its own, so that others have theirs.
      setImmediate(begin, next);
      return false;
    },
  };
}
