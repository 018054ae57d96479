import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createArrivals, type Arrivals } from './arrivals.ts';
import { forgetAnswer, noteAnswer } from './client-errors.ts';
import { hasBody, MAX_HEADERS } from './headers.ts';
import { createServer } from './node-http.ts';
import { createQueues } from './queues.ts';
import { createVisitors, type Visitors } from './visitors.ts';

const ARRIVALS = Symbol('arrivals');

interface Listener extends Server {
  readonly [ARRIVALS]?: Arrivals;
}

/** What the listener does with a request. */
type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** From the first byte of a request, or the beginning of a connection, to the last byte of its body. */
const REQUEST_TIMEOUT_MS = 20_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 2_000;
const KEEP_ALIVE_MS = 72_000;
/** A client that takes no byte of its answer for so long has gone; longer than any answer lets its caller wait. */
const SILENCE_MS = 45_000;
/**
 * Beyond it one is closed, see `createVisitors`. An idle one costs about ten kilobytes, one with headers as large as they
 * may be and a body to come about forty: three times as many filled the heap.
 */
const MAX_CONNECTIONS = 4_000;
/** Of the files that the process may open, connections being some; the database and webhooks need others. */
const PART_OF_FILES = 1 / 2;
/** Of the connections that there may be, whose requests wait while others come; an answer in time makes room for those. */
const PART_OF_WAITING = 1 / 2;
/** Connections that wait to be accepted; with fewer, a burst of new ones has to try again, seconds later. */
export const BACKLOG = 4_096;
/** How long connections are given to bring a request that was on its way when we began to stop. */
const GRACE_MS = 250;
const LOOK_EVERY_MS = 10;
/** What stands before the path in a target of absolute form, as proxies send it (RFC 9112 §3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*\/?/i;

/** Settings of `createListener`. */
interface ListenerOptions {
  /** Who has a place among the connections. */
  readonly visitors?: Visitors;
  /** Told of each answer once it is closed, sent or not. */
  readonly onAnswered?: (answer: ServerResponse) => void;
}

/** How many connections there is room for. Where all files were open, nobody else could come, and nothing be repaired. */
export function mostConnections(): number {
  // Not with the names of whom we are connected to, which it would look up.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const files = Number(userLimits?.open_files?.soft ?? Number.NaN);
  return Number.isNaN(files) ? MAX_CONNECTIONS : Math.min(MAX_CONNECTIONS, Math.floor(files * PART_OF_FILES));
}

/** An HTTP server whose connections are bounded in number, and in the time that each part of a request may take. */
export function createListener(
  handle: Handle,
  { visitors = createVisitors(mostConnections()), onAnswered }: ListenerOptions = {},
): Server {
  const arrivals = createArrivals(visitors.most * PART_OF_WAITING);
  const queues = createQueues((request) => arrivals.begin(request));
  // One listener for all, made once, as each request comes by here.
  function onClosed(this: ServerResponse): void {
    const { socket } = this.req;
    forgetAnswer(socket, this);
    if (queues.answered(socket)) visitors.answered(socket);
    onAnswered?.(this);
  }
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Checked by the pipeline, so that the refusal has the usual form.
      requireHostHeader: false,
    },
    (request, response) => {
      hear(visitors, request, response);
      if (request.url?.startsWith('/') === false) request.url = request.url.replace(ORIGIN, '/');
      noteAnswer(request.socket, response);
      response.on('close', onClosed);
      queues.join(request.socket, () => {
        // Whoever has gone meanwhile is told of by no event any more.
        if (!request.socket.destroyed) handle(request, response);
      });
    },
  );
  server.on('connection', (connection: Socket) => {
    arrivals.came();
    visitors.came(connection);
  });
  server.timeout = SILENCE_MS;
  // One more shows that there are too many; hundreds of short ones on each connection would fill the heap before.
  server.maxHeadersCount = MAX_HEADERS + 1;
  return Object.assign(server, {
    [ARRIVALS]: arrivals,
    // Who says that he sends nothing more waits for his answer still: what he asked for is done, whether he hears of it or not.
    httpAllowHalfOpen: true,
  });
}

/** Whose body is still to come has not asked to the end. */
function hear(visitors: Visitors, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  if (!hasBody(request)) {
    visitors.asked(socket);
    return;
  }
  visitors.begun(socket);
  request.once('end', () => {
    // Who has his answer already may have asked for something else.
    if (!response.writableEnded) visitors.asked(socket);
  });
}

/**
 * Gives the port up once all who have connected are accepted: the system connects them by itself, and resets those that
 * nobody has accepted when the port is closed. Requests are not begun meanwhile, so that nobody comes again who was just
 * answered. Open connections go on as before.
 */
export function closePort(server: Listener): Promise<void> {
  return new Promise((resolve) => {
    const close = (): void => {
      // The close of an HTTP server closes idle connections too, whatever may be on its way to them.
      NetServer.prototype.close.call(server);
      resolve();
    };
    if (server[ARRIVALS] === undefined) close();
    else server[ARRIVALS].onceNobodyComes(close);
  });
}

/**
 * Stops accepting, and gives open connections a moment: a request that is on its way on one of them is answered still.
 * Those that stay silent may then be closed without a request being lost.
 */
export async function stopAccepting(server: Server): Promise<void> {
  // An answer that has begun cannot say any more that its connection will be closed: that stays open for as long after it.
  Object.assign(server, { keepAliveTimeout: GRACE_MS, keepAliveTimeoutBuffer: 0 });
  await closePort(server);
  const begin = performance.now();
  while (performance.now() - begin < GRACE_MS && (await countConnections(server)) > 0) await sleep(LOOK_EVERY_MS);
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count ?? 0));
  });
}
