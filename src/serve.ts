import type { Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#config';
import type { Logger } from '#platform/log.ts';
import { countPlaces } from '#platform/database/places.ts';
import { BACKLOG } from '#platform/http/listener.ts';
import { serveMetrics } from '#platform/metrics.ts';
import { mendLog } from '#features/audit-log/index.ts';
import { mendFeed } from '#features/events/index.ts';
import { createApp, type App } from './app.ts';
import { bootstrap, type Bootstrap } from './bootstrap.ts';
import { acrossRestarts, divideConnections, layFoundation, type Foundation } from './foundation.ts';
import { claimPort, type Claim } from './processes/claim-port.ts';
import { createHttpProcesses, type HttpProcesses } from './processes/http-processes.ts';
import { errorCode } from '#platform/error-code.ts';

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
const PORT_PATIENCE_MS = 2_000;
const PORT_RETRY_MS = 50;

/**
 * Starts everything and listens.
 * @param onCreated told what the first start created as soon as that is committed: the start may still fail
 * @throws Error with a sentence for the operator
 */
export async function serve(config: Config, log: Logger, onCreated?: (created: Bootstrap) => void): Promise<Service> {
  const connections = divideConnections(config.processes);
  const foundation = await layFoundation(config, log, {
    maxConnections: connections.first,
    awaitsDatabase: true,
  });
  const isAlone = config.processes === 1;
  let others: HttpProcesses | null = null;
  let claim: Claim | null = null;
  try {
    await acrossRestarts(async () => {
      await mendFeed(foundation.database);
      await mendLog(foundation.database);
      await warnOfFewPlaces(foundation, connections.first + connections.http * config.processes, log);
    }, log);
    // Before credentials are made: whoever cannot serve would never show them.
    const { port, ...free } = await findFreePort(config.host, config.port).catch(failNaming('HOST and PORT say'));
    claim = free.claim;
    if (config.metrics !== null)
      await probePort(config.metrics.host, config.metrics.port).catch(failNaming('METRICS_ADDRESS says'));
    const created = await acrossRestarts(() => bootstrap(foundation, config), log);
    if (created !== null) onCreated?.(created);
    const local = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}`;
    const url = config.publicUrl ?? `${local}:${port}`;
    others = isAlone
      ? null
      : createHttpProcesses({
          count: config.processes,
          serve: {
            port,
            url,
            connection: foundation.connection,
            encryptionKey: Buffer.from(foundation.keys.secret).toString('base64'),
            maxConnections: connections.http,
          },
          log,
          wake: (work) => app.wake(work),
        });
    const app = createApp(foundation, { ...config, publicUrl: url }, log, others ?? {});
    if (others === null) {
      await app.http.listen({ host: config.host, port, backlog: BACKLOG });
      // Nobody can share this one, and the next service is to have it as soon as it is closed.
      claim.release();
      claim = null;
    } else await others.start();
    const metricsServer =
      config.metrics === null
        ? null
        : await serveMetrics(app.metrics, config.metrics, async () => (await others?.metrics()) ?? []);
    app.maintenance.start();
    app.reconciler.start();
    app.feed.start();
    app.webhooks.start();
    app.auditChain.start();
    app.customerSearch.start();
    return {
      foundation,
      app,
      url,
      created,
      stop: () => stopAll({ foundation, app, others, metricsServer, claim }),
    };
  } catch (error) {
    await others?.stop().catch(() => {});
    claim?.release();
    await foundation.close().catch(() => {});
    throw error;
  }
}

/** What a running service consists of. */
interface Running {
  readonly foundation: Foundation;
  readonly app: App;
  readonly others: HttpProcesses | null;
  readonly metricsServer: Server | null;
  readonly claim: Claim | null;
}

async function stopAll({ foundation, app, others, metricsServer, claim }: Running): Promise<void> {
  app.drain();
  metricsServer?.close();
  // What is still open after the limit is cut, so that the process ends in time.
  const cut = setTimeout(() => app.http.server.closeAllConnections(), STOP_LIMIT_MS);
  const written = Promise.all([others?.stop() ?? app.http.close(), app.reconciler.stop()]);
  const followed = written.then(() => Promise.all([app.feed.stop(), app.auditChain.stop(), app.customerSearch.stop()]));
  // At the same time: a database that hangs keeps each of them for as long as a statement may take.
  await Promise.all([followed, app.webhooks.stop(), app.maintenance.stop()]);
  clearTimeout(cut);
  claim?.release();
  await foundation.close();
}

/** Where there are few, the first process takes and keeps them: those that serve HTTP may find none at all. */
async function warnOfFewPlaces({ database }: Foundation, needed: number, log: Logger): Promise<void> {
  const places = await countPlaces(database);
  if (places >= needed) return;
  const told =
    'the database takes fewer connections than may be needed: requests for which there is none are answered 503';
  log.warn({ places, needed }, told);
}

/**
 * The port stands in links, so it must be known before the service is wired; several processes that share one would share it
 * with those of another service too; and of two services that start at once the one that cannot serve must not be the one
 * that makes the credentials. So it must be free, and is claimed. Those of a first process that was killed need a moment.
 */
async function findFreePort(host: string, wanted: number): Promise<{ readonly port: number; readonly claim: Claim }> {
  for (const begin = performance.now(); ; await sleep(PORT_RETRY_MS)) {
    try {
      const port = await probePort(host, wanted);
      return { port, claim: await claimPort(host, port) };
    } catch (error) {
      const isTaken = errorCode(error) === 'EADDRINUSE';
      if (!isTaken || performance.now() - begin > PORT_PATIENCE_MS) throw error;
    }
  }
}

/** What the system says of an address does not tell which of several settings has it. */
function failNaming(settings: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`cannot listen where ${settings}`, { cause: error });
  };
}

/** The port, which is free. @throws Error when it is not */
function probePort(host: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(wanted, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
