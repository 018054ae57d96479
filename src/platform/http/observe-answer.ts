import type { ServerResponse } from 'node:http';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { exchangeOf } from './exchange.ts';
import { isClientRequestId } from './headers.ts';

/** Counts an answer by its route, and logs it. A hook of the HTTP library would add two listeners to every answer. */
export function observeAnswer(
  answer: ServerResponse,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): void {
  const exchange = exchangeOf(answer.req);
  if (exchange === undefined || !answer.writableFinished) return;
  const { method, route, id } = exchange;
  const { statusCode: status } = answer;
  const elapsedMs = performance.now() - exchange.since;
  metrics.requestSeconds.observe({ method, route, status: String(status) }, elapsedMs / 1000);
  if (!log.isLevelEnabled('debug')) return;
  const clientRequestId = exchange.header('x-client-request-id');
  const echoed = clientRequestId !== undefined && isClientRequestId(clientRequestId) ? clientRequestId : undefined;
  const ms = Math.round(elapsedMs * 10) / 10;
  log.debug({ id, method, route, status, ms, client_request_id: echoed }, 'answered');
}
