import { formatId } from '#domain/identifiers.ts';
import { encodeJson } from '#platform/http/json.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import type { WebhookEndpointRow } from './store.ts';

/** What of an endpoint's state is shown. */
interface Shown {
  readonly backlog: number;
  /** Wall time: a secret whose overlap is over is not told of. */
  readonly now: Temporal.Instant;
  /** The new secret, at creation and rotation only. */
  readonly secret?: string;
}

/** The member `status` of an endpoint. */
export function statusOf(
  row: Pick<WebhookEndpointRow, 'failing_since' | 'last_success_at' | 'disabled_reason'>,
  backlog: number,
): Readonly<Record<string, unknown>> {
  const { failing_since, last_success_at, disabled_reason } = row;
  return { backlog, failing_since, last_success_at, disabled_reason };
}

/** An endpoint as JSON text. */
export function presentWebhookEndpoint(row: WebhookEndpointRow, { backlog, now, secret }: Shown): string {
  const { previous_secret_expires_at: expiresAt } = row;
  const overlaps = expiresAt !== null && Temporal.Instant.compare(Temporal.Instant.from(expiresAt), now) > 0;
  return encodeJson({
    object: 'webhook_endpoint',
    id: formatId('whe', row.id),
    url: row.url,
    types: row.types,
    description: row.description,
    enabled: row.enabled,
    api_version: row.api_version,
    previous_secret_expires_at: overlaps ? expiresAt : null,
    status: statusOf(row, backlog),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(secret === undefined ? {} : { secret }),
  });
}

/**
 * The entity tag of an endpoint: of what requests decide. With `shown`, what is read, it names that too, so that
 * `If-None-Match` sees the status move while `If-Match` does not.
 */
export function webhookEndpointTag(row: WebhookEndpointRow, shown?: string): string {
  const { id, url, types, description, enabled, disabled_reason: reason, api_version: apiVersion } = row;
  const { previous_secret_expires_at: expiresAt, secret_name: secret, version } = row;
  const own = JSON.stringify([id, url, types, description, enabled, reason, apiVersion, expiresAt, secret, version]);
  return entityTag(own, shown);
}
