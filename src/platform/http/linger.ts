import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** How much, and for how long, is still read from a client who has his answer already. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_MS = 2_000;

/**
 * The body of an answer after which the connection closes: it is sent at once, and ends when nothing more of the request
 * comes. A connection that is closed with bytes unread is reset, and takes the answer away from whoever is still sending
 * (RFC 9112 §9.6).
 */
export function lingering(body: string, request: IncomingMessage): Readable {
  return Readable.from(
    (async function* () {
      yield body;
      await discardRest(request);
    })(),
  );
}

/** Sends such a body where no framework does. */
export function endLingering(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.write(body);
  void discardRest(request).then(() => response.end());
}

/** Reads the rest of a request and drops it, within bounds. */
async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MAX_MS);
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) resolve();
  });
  request.once('end', resolve).once('close', resolve).resume();
  await promise;
  clearTimeout(timer);
}
