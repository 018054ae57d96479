import type { Config } from '#config';
import { createKeys } from '#platform/crypto.ts';
import type { Logger } from '#platform/log.ts';
import { createApp, type App } from '../app.ts';
import type { Work } from '../background.ts';
import { joinFoundation } from '../foundation.ts';
import { BACKLOG, closePort } from '#platform/http/listener.ts';
import { SYSTEM_DISTRIBUTES } from './claim-port.ts';
import type { FromHttp, ToHttp } from './messages.ts';

/** The two ends of what connects this process with the first one. */
export interface Line {
  readonly send: (message: FromHttp) => void;
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
    wake: createWaker(line, () => running.pendingSignUps()),
  });
  // Fastify passes it on, but does not know it.
  const address = { host: config.host, port, backlog: BACKLOG, reusePort: SYSTEM_DISTRIBUTES };
  await running.http.listen(address);
  app.resolve(running);
  line.send({ kind: 'listening' });
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
      line.send({ kind: 'at work' });
      return;
    case 'close port':
      await closePort(app.http.server);
      line.send({ kind: 'port closed' });
      return;
    case 'send metrics':
      line.send({
        kind: 'metrics',
        metrics: await app.metrics.registry.getMetricsAsJSON(),
      });
  }
}

/** Passes on what may be due, everything of one turn of the event loop in one message. A lost one costs a second. */
function createWaker(line: Line, pendingSignUps: () => number): (work: Work) => void {
  const due = new Set<Work>();
  return (work) => {
    if (due.size === 0) {
      setImmediate(() => {
        const message = { kind: 'wake', work: [...due], pendingSignUps: pendingSignUps() } as const;
        due.clear();
        line.send(message);
      });
    }
    due.add(work);
  };
}
