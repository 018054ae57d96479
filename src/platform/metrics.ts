import type { Server } from 'node:http';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { createServer } from './http/node-http.ts';

/** What the service counts; read in Prometheus' text format on a listener of its own. */
export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** Requests refused because too many others were at work. */
  readonly requestsShed: Counter;
  readonly batchSize: Histogram<'batch'>;
  readonly events: Counter<'type'>;
  readonly webhookAttempts: Counter<'outcome'>;
  readonly webhookAttemptSeconds: Histogram;
}

/** All that one process counts, in the form in which processes send it to each other. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What those have counted that have ended, one more of them; what it had at the end, such as connections, is left out. */
export async function addCounts(ended: Promise<MetricsSnapshot>, last: MetricsSnapshot): Promise<MetricsSnapshot> {
  // The library declares an enumeration of numbers, and gives words.
  const isCount = ({ type }: MetricsSnapshot[number]): boolean => /^(counter|histogram)$/.test(String(type));
  return AggregatorRegistry.aggregate([await ended, last.filter(isCount)]).getMetricsAsJSON();
}

/** @param connections counts of the database pool, asked at each scrape */
export function createMetrics(connections: () => { total: number; idle: number; waiting: number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'wattline_database_connections',
    help: 'Connections of the pool and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const counts = connections();
      this.set({ state: 'open' }, counts.total);
      this.set({ state: 'idle' }, counts.idle);
      this.set({ state: 'awaited' }, counts.waiting);
    },
  });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'wattline_http_request_duration_seconds',
      help: 'Time from the request’s headers to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    requestsShed: new Counter({
      name: 'wattline_http_requests_shed_total',
      help: 'Requests answered 503 at once because too many others were at work.',
      registers,
    }),
    batchSize: new Histogram({
      name: 'wattline_batch_size',
      help: 'Requests written with one statement.',
      labelNames: ['batch'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200],
      registers,
    }),
    events: new Counter({
      name: 'wattline_events_total',
      help: 'Events written.',
      labelNames: ['type'],
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'wattline_webhook_attempts_total',
      help: 'Attempts of webhooks: succeeded, or why they failed.',
      labelNames: ['outcome'],
      registers,
    }),
    webhookAttemptSeconds: new Histogram({
      name: 'wattline_webhook_attempt_duration_seconds',
      help: 'Time from the beginning of an attempt to the end of its answer.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
  };
}

/** Whoever monitors has one or two; what others open beside must not take the files that the service needs. */
const MAX_CONNECTIONS = 100;
const REQUEST_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
} as const;

/** Serves `GET /metrics` at `host:port` until closed: the sum of what this process counts and `others` do. */
export function serveMetrics(
  { registry }: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
  others: () => Promise<readonly MetricsSnapshot[]>,
): Promise<Server> {
  const render = async (): Promise<string> => {
    const snapshots = await others();
    if (snapshots.length === 0) return registry.metrics();
    return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...snapshots]).metrics();
  };
  const server = createServer(REQUEST_TIMEOUTS, (request, response) => {
    // As with all else that is there for monitoring, parameters are overlooked.
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    render().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
