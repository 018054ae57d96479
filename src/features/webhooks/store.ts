import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';
import type { DISABLED_REASONS } from './schema.ts';

/** An endpoint as it is shown. */
export interface WebhookEndpointRow {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string | null;
  readonly enabled: boolean;
  readonly disabled_reason: (typeof DISABLED_REASONS)[number] | null;
  readonly api_version: string;
  readonly previous_secret_expires_at: string | null;
  /** Names the present secret, of which it tells nothing; each time it is encrypted it is another one. */
  readonly secret_name: string;
  readonly failing_since: string | null;
  readonly last_success_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Another one after each change by a request. */
  readonly version: string;
}

/** An endpoint with its present secret, encrypted. */
export interface LockedWebhookEndpoint extends WebhookEndpointRow {
  readonly secret_encrypted: Buffer;
}

/** The secrets that a rotation leaves, encrypted. */
export interface RotatedSecrets {
  readonly secret: Buffer;
  readonly previous: Buffer | null;
  readonly previousExpiresAt: string | null;
  /** With its milliseconds. */
  readonly now: string;
}

const columns = sql`id, url, types, description, enabled, disabled_reason, api_version, previous_secret_expires_at,
  encode(sha256(secret_encrypted), 'hex') as secret_name, failing_since, last_success_at, created_at, updated_at,
  extract(epoch from updated_at)::text as version`;

/** The encrypted secrets of the endpoints of all projects. */
export const encryptedSecrets: Sql = sql`
  select project_id, id, secret_encrypted, previous_secret_encrypted, previous_secret_expires_at from webhook_endpoints`;

/** What waits is counted up to here. */
const MAX_BACKLOG = 10_000;

/** The endpoint, or `undefined`. */
export async function readWebhookEndpoint(
  queryable: Queryable,
  projectId: string,
  id: string,
): Promise<WebhookEndpointRow | undefined> {
  const [row] = await queryable.query<WebhookEndpointRow>(sql`
    select ${columns} from webhook_endpoints
    where project_id = ${asProject(projectId)} and id = ${id} and deleted_at is null`);
  return row;
}

/** The endpoint, locked against changes by others until the transaction ends. */
export async function lockWebhookEndpoint(
  transaction: Transaction,
  projectId: string,
  id: string,
): Promise<LockedWebhookEndpoint | undefined> {
  const [row] = await transaction.query<LockedWebhookEndpoint>(sql`
    select ${columns}, secret_encrypted from webhook_endpoints
    where project_id = ${asProject(projectId)} and id = ${id} and deleted_at is null
    for no key update`);
  return row;
}

/** A page of endpoints after a position, newest first. */
export function listWebhookEndpoints(
  queryable: Queryable,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<WebhookEndpointRow[]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  return queryable.query<WebhookEndpointRow>(sql`
    select ${columns} from webhook_endpoints
    where project_id = ${asProject(projectId)} and deleted_at is null${position}
    order by id desc
    limit ${limit}`);
}

/** How many events wait to be sent to each of these endpoints: deliveries, and what has none yet. */
export async function countBacklogs(
  queryable: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queryable.query<{ readonly id: string; readonly backlog: number }>(sql`
    select id, least(pending.count + coming.count, ${MAX_BACKLOG})::integer as backlog
    from webhook_endpoints
    cross join lateral (
      select count(*) from (
        select from webhook_deliveries
        where project_id = ${asProject(projectId)} and endpoint_id = webhook_endpoints.id and state = 'pending'
        limit ${MAX_BACKLOG}
      ) as counted
    ) as pending
    cross join lateral (
      select count(*) from (
        select event_id from event_feed
        where project_id = ${asProject(projectId)} and position > webhook_endpoints.position
        order by position
        limit case when pending.count < ${MAX_BACKLOG} then ${MAX_BACKLOG} else 0 end
      ) as places
      -- Events are looked up one by one, where their types matter at all: joined, those of the whole project would be read.
      where '*' = any(webhook_endpoints.types) or exists (
        select from events
        where events.project_id = ${asProject(projectId)} and events.id = places.event_id and events.type like any(
          select replace(replace(pattern, '_', '\\_'), '*', '%') from unnest(webhook_endpoints.types) as pattern
        )
      )
    ) as coming
    where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, backlog }) => [id, backlog]));
}

/** How many endpoints the project has; no other transaction adds one until this one ends. */
export async function countWebhookEndpoints(transaction: Transaction, projectId: string): Promise<number> {
  // `no key update` keeps two of us apart but lets rows that refer to the project be written meanwhile.
  await transaction.query(sql`select from projects where id = ${projectId} for no key update`);
  const [row] = await transaction.query<{ readonly count: number }>(sql`
    select count(*)::integer as count from webhook_endpoints
    where project_id = ${asProject(projectId)} and deleted_at is null`);
  return row?.count ?? 0;
}

/** Writes a new endpoint, which hears of what comes into the feed from now on; gives it as it is stored. */
export async function insertWebhookEndpoint(
  transaction: Transaction,
  projectId: string,
  row: Omit<WebhookEndpointRow, 'secret_name' | 'version'>,
  secret: Buffer,
): Promise<WebhookEndpointRow> {
  const [inserted] = await transaction.query<WebhookEndpointRow>(sql`
    insert into webhook_endpoints (project_id, id, url, types, description, enabled, disabled_reason, api_version,
      secret_encrypted, position, created_at, updated_at)
    select ${projectId}, ${row.id}, ${row.url}, ${row.types}, ${row.description}, ${row.enabled},
      ${row.disabled_reason}, ${row.api_version}, ${secret}, last_position, ${row.created_at}, ${row.updated_at}
    from event_feed_state
    returning ${columns}`);
  if (inserted === undefined) throw new Error('the state of the feed is there');
  return inserted;
}

/** Later than the change before, whatever the clock says: a state that comes again is another version. */
function changedAt(now: string): Sql {
  return sql`greatest(${now}::timestamptz, updated_at + interval '1 microsecond')`;
}

/** Writes what a request can change over a locked endpoint; gives it as it is stored. `now`: with its milliseconds. */
export async function updateWebhookEndpoint(
  transaction: Transaction,
  projectId: string,
  row: WebhookEndpointRow,
  now: string,
): Promise<WebhookEndpointRow> {
  const [updated] = await transaction.query<WebhookEndpointRow>(sql`
    update webhook_endpoints set
      url = ${row.url}, types = ${row.types}, description = ${row.description}, enabled = ${row.enabled},
      disabled_reason = ${row.disabled_reason}, api_version = ${row.api_version},
      failing_since = ${row.failing_since}, updated_at = ${changedAt(now)}
    where project_id = ${asProject(projectId)} and id = ${row.id}
    returning ${columns}`);
  if (updated === undefined) throw new Error('a locked endpoint is there');
  return updated;
}

/**
 * What waits for its next attempt is due now, at most `limit` deliveries, those first that are due first, but for what
 * somebody else is writing at this moment.
 * @returns whether there may be more
 */
export async function hastenDeliveries(
  queryable: Queryable,
  { projectId, endpointId, now }: { readonly projectId: string; readonly endpointId: string; readonly now: string },
  limit: number,
): Promise<boolean> {
  const rows = await queryable.query(sql`
    update webhook_deliveries set due_at = ${now}
    where (project_id, id) in (
      select project_id, id from webhook_deliveries
      where project_id = ${asProject(projectId)} and endpoint_id = ${endpointId} and due_at > ${now}
      order by due_at
      limit ${limit}
      for no key update skip locked
    )
    returning true`);
  return rows.length === limit;
}

/** Writes the secrets of a locked endpoint after a rotation; gives it as it is stored. */
export async function updateWebhookSecrets(
  transaction: Transaction,
  projectId: string,
  id: string,
  { secret, previous, previousExpiresAt, now }: RotatedSecrets,
): Promise<WebhookEndpointRow> {
  const [row] = await transaction.query<WebhookEndpointRow>(sql`
    update webhook_endpoints set
      secret_encrypted = ${secret}, previous_secret_encrypted = ${previous},
      previous_secret_expires_at = ${previousExpiresAt}, updated_at = ${changedAt(now)}
    where project_id = ${asProject(projectId)} and id = ${id}
    returning ${columns}`);
  if (row === undefined) throw new Error('a locked endpoint is there');
  return row;
}

/** Takes an endpoint away from everybody; `deleteRemovedEndpoints` removes it with its deliveries, however many they are. */
export async function deleteWebhookEndpoint(
  transaction: Transaction,
  projectId: string,
  id: string,
  now: string,
): Promise<void> {
  await transaction.query(sql`
    update webhook_endpoints
    set deleted_at = ${now}, enabled = false, disabled_reason = coalesce(disabled_reason, 'requested')
    where project_id = ${asProject(projectId)} and id = ${id}`);
}

/**
 * Removes deliveries of endpoints that were deleted, at most `limit`, and then the endpoints themselves; answers how many
 * deliveries.
 */
export async function deleteRemovedEndpoints(queryable: Queryable, limit: number): Promise<number> {
  const rows = await queryable.query(sql`
    delete from webhook_deliveries
    -- By their places, which nothing is looked through for; they are locked, so that these stay.
    where ctid = any(array(
      select delivery.ctid
      from webhook_endpoints as endpoint
      cross join lateral (
        select ctid from webhook_deliveries as delivery
        where delivery.project_id = endpoint.project_id and delivery.endpoint_id = endpoint.id
        limit ${limit}
        for update skip locked
      ) as delivery
      where deleted_at is not null
      limit ${limit}
    ))
    returning true`);
  if (rows.length < limit) {
    await queryable.query(sql`
      delete from webhook_endpoints as endpoint
      where deleted_at is not null and not exists (
        select from webhook_deliveries as delivery
        where delivery.project_id = endpoint.project_id and delivery.endpoint_id = endpoint.id
      )`);
  }
  return rows.length;
}
