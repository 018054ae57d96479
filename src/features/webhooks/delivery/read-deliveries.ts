import { formatId } from '#domain/identifiers.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { listBody } from '#platform/http/paging.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import type { DeliveryDependencies } from './dependencies.ts';
import { listDeliveries, readDelivery, type DeliveryRow } from './list-store.ts';

interface StoredAttempt {
  readonly at: string;
  readonly status: number | null;
  readonly latency_ms: number;
  readonly error: string | null;
}

/** A delivery as JSON text. */
export function presentDelivery(row: DeliveryRow): string {
  const attempts = (JSON.parse(row.attempts) as StoredAttempt[]).map(({ at, status, latency_ms: latency, error }) => ({
    at: formatInstant(Temporal.Instant.from(at)),
    status_code: status,
    latency_ms: latency,
    error,
  }));
  return JSON.stringify({
    object: 'webhook_delivery',
    id: formatId('whd', row.id),
    endpoint: formatId('whe', row.endpoint_id),
    event: formatId('evt', row.event_id),
    event_type: row.event_type,
    subscription: row.subscription_id === null ? null : formatId('sub', row.subscription_id),
    state: row.state,
    attempts,
    next_attempt_at: row.due_at,
    created_at: row.created_at,
  });
}

/** `GET /webhook-deliveries` */
export async function handleListDeliveries(
  { database, pager }: DeliveryDependencies,
  { caller, query }: Request,
): Promise<Answer> {
  const after = pager.position(caller, 'webhook-deliveries', query);
  const rows = await listDeliveries(database, caller.projectId, query.filters, after, query.limit + 1);
  const page = pager.page(caller, 'webhook-deliveries', query, rows, ({ id }) => id);
  return { status: 200, body: listBody(page.rows.map(presentDelivery), page.next) };
}

/** `GET /webhook-deliveries/{id}` */
export async function handleReadDelivery({ database }: DeliveryDependencies, request: Request): Promise<Answer> {
  const row = await named(request, 'whd', (id) => readDelivery(database, request.caller.projectId, id));
  const body = presentDelivery(row);
  return { status: 200, body, headers: { etag: entityTag(body) } };
}
