import { createServer, type AddressInfo } from 'node:net';
import type { Config } from '#config';
import type { Logger } from '#platform/log.ts';
import { serveMetrics } from '#platform/metrics.ts';
import { mendFeed } from '#features/events/index.ts';
import { createApp, type App } from './app.ts';
import { bootstrap, type Bootstrap } from './bootstrap.ts';
import { layFoundation, type Foundation } from './foundation.ts';

/** A running service. */
export interface Service {
  readonly foundation: Foundation;
  readonly app: App;
  /** Base URL of the API. */
  readonly url: string;
  readonly created: Bootstrap | null;
  /** Stops accepting, finishes what is in flight, closes everything; within ten seconds. */
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 9_000;

/** Starts everything and listens. @throws Error with a sentence for the operator */
export async function serve(config: Config, log: Logger): Promise<Service> {
  const foundation = await layFoundation(config, log);
  try {
    await mendFeed(foundation.database);
    const created = await bootstrap(foundation, config);
    const local = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}`;
    const port = config.port === 0 ? await findFreePort(config.host) : config.port;
    const url = config.publicUrl ?? `${local}:${port}`;
    const app = createApp(foundation, { ...config, publicUrl: url }, log);
    await app.http.listen({ host: config.host, port });
    const metricsServer =
      config.metrics === null ? null : await serveMetrics(app.metrics, config.metrics.host, config.metrics.port);
    app.maintenance.start();
    app.reconciler.start();
    app.feed.start();
    app.webhooks.start();
    app.auditChain.start();
    return {
      foundation,
      app,
      url,
      created,
      async stop() {
        app.drain();
        app.maintenance.stop();
        metricsServer?.close();
        // What is still open after the limit is cut, so that the process ends in time.
        const cut = setTimeout(() => app.http.server.closeAllConnections(), STOP_LIMIT_MS);
        await Promise.all([app.http.close(), app.reconciler.stop(), app.webhooks.stop()]);
        await Promise.all([app.feed.stop(), app.auditChain.stop()]);
        clearTimeout(cut);
        await foundation.close();
      },
    };
  } catch (error) {
    await foundation.close().catch(() => {});
    throw error;
  }
}

/** The port stands in links, so it must be known before the service is wired. */
function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
