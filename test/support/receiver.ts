import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './builders.ts';
import type { Certified } from './certificates.ts';

/** A request that a receiver got. */
export interface Received {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Json;
}

/** How a receiver answers the n-th request, from 0 on. */
export type Answering = (response: ServerResponse, index: number, socket: Socket) => void;

/** A receiver of webhooks in this process. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  answer: Answering;
  close(): Promise<void>;
}

/** Starts a receiver; it answers 204 unless told otherwise. @param port 0 takes a free one @param tls makes it https */
export async function startReceiver(
  answer: Answering = (response) => response.writeHead(204).end(),
  port = 0,
  tls?: Certified,
): Promise<Receiver> {
  const received: Received[] = [];
  const receiver = { answer };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({ at: performance.now(), headers: request.headers, body, event: JSON.parse(body) });
      receiver.answer(response, received.length - 1, request.socket);
    });
  };
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer({ ...tls }, listener);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${own}/hook`,
    port: own,
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Waits until something is so. @throws when it is not in time */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  milliseconds = 20_000,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`);
    await sleep(20);
  }
}
