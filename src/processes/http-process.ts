import type { Config } from '#config';
import { createKeys } from '#platform/crypto.ts';
import type { Logger } from '#platform/log.ts';
import { createApp, type App } from '../app.ts';
import { joinFoundation } from '../foundation.ts';
import { BACKLOG, closePort } from '#platform/http/listener.ts';
import { SYSTEM_DISTRIBUTES } from './claim-port.ts';
import type { FromHttp, ToHttp } from './messages.ts';
import { createWaker } from './waker.ts';

/** The two ends of what connects this process with the first one. */
export interface Line {
  /** Resolves when the message is on its way, which it is not while the other end reads nothing. */
  readonly send: (message: FromHttp) => Promise<void>;
  readonly onMessage: (handle: (message: ToHttp) => void) => void;
}

/** A request that is still open after the limit is cut, so that the process ends in time. */
const STOP_LIMIT_MS = 7_500;

/**
 * Serves HTTP, and nothing else, for the first process: it has made the database ready and does the background work.
 * Resolves when it was told to stop and has finished what was in flight.
 */
export async function serveHttp(config: Config, parentLog: Logger, line: Line, signal: AbortSignal): Promise<void> {
  const stopping = Promise.withResolvers<void>();
  const app = Promise.withResolvers<App>();
  signal.addEventListener('abort', () => stopping.resolve());
  const begin = new Promise<Extract<ToHttp, { kind: 'serve' }>>((resolve) => {
    line.onMessage((message) => {
      if (message.kind === 'serve') resolve(message);
      else if (message.kind === 'stop') stopping.resolve();
      else void app.promise.then((running) => carryOut(running, message, line));
    });
  });
  const { name, port, url, connection, encryptionKey, maxConnections } = await begin;
  const log = parentLog.child({ process: name });
  const foundation = joinFoundation(log, {
    connection,
    keys: createKeys(Buffer.from(encryptionKey, 'base64')),
    maxConnections,
  });
  const running = createApp(foundation, { ...config, publicUrl: url }, log, {
    wake: createWaker(line.send, () => running.pendingSignUps()),
  });
  // Fastify passes it on, but does not know it.
  const address = { host: config.host, port, backlog: BACKLOG, reusePort: SYSTEM_DISTRIBUTES };
  await running.http.listen(address);
  app.resolve(running);
  void line.send({ kind: 'listening' });
  await stopping.promise;
  running.drain();
  const cut = setTimeout(() => running.http.server.closeAllConnections(), STOP_LIMIT_MS);
  await running.http.close();
  clearTimeout(cut);
  await foundation.close();
}

async function carryOut(
  app: App,
  message: Extract<ToHttp, { kind: 'published' | 'send metrics' | 'report' | 'close port' }>,
  line: Line,
): Promise<void> {
  switch (message.kind) {
    case 'published':
      app.tellPublished();
      return;
    case 'report':
      void line.send({ kind: 'at work' });
      return;
    case 'close port':
      await closePort(app.http.server);
      void line.send({ kind: 'port closed' });
      return;
    case 'send metrics':
      void line.send({
        kind: 'metrics',
        metrics: await app.metrics.registry.getMetricsAsJSON(),
      });
  }
}
