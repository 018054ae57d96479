import type { Queryable } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { plainArray, textArray } from '#platform/database/arrays.ts';
import { timeLock } from '../../projects/index.ts';
import { readInput } from './input-store.ts';
import type { SignUpRows } from './rows.ts';

/** Longer than any change of ours holds what it has locked; as a setting of PostgreSQL, in milliseconds. */
const LOCK_PATIENCE_MS = '1000';

/**
 * Writes many sign-ups with one statement, each wholly or not at all, and answers the ids of the subscriptions that
 * were written. One is left out when its plan is archived or has changed, its project's clock has moved or somebody is at it,
 * its idempotency key is known, or something it claims (number, external id, lead, place of supply) is taken: `findRefusal`
 * tells which.
 *
 * @param generation another one has the statement planned anew, see `Queryable`
 */
export async function writeSignUps(
  queryable: Queryable,
  signUps: readonly SignUpRows[],
  generation: number,
): Promise<Set<string>> {
  // In one order: two processes that are sent the same sign-ups at once would each wait for what the other has got already.
  const rows = signUps.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  const leads = convertLeads(rows);
  // Foreign keys are checked when the statement ends, so the subscription can go first and decide for its parts.
  const statement = sql`
    with input as materialized (
      ${readInput(rows)}
    ), ${STANDING}, ${leads.open} written as (
      ${insertSubscriptions(leads.condition)}
    ), kept as materialized (
      select input.* from input join written using (id)
    ), ${NEW_PARTS}, ${leads.convert} new_orders as (
      ${insertProductOrders(rows)}
    ), new_metadata as (
      ${insertMetadata(rows)}
    ), ${NEW_RECORDS}${insertOrders(rows)}
    select id from kept`;
  const written = await queryable.query<{ id: string }>(statement, generation);
  return new Set(written.map(({ id }) => id));
}

function placeOf({ meter }: SignUpRows): string {
  return meter.malo ?? meter.numberNormalised;
}

/** The projects whose clocks stand still until this is committed: no advance ends or begins there. */
const STANDING = sql`sandboxes as materialized (
      select id from projects where id in (select project_id from input) and mode = 'sandbox'
    ), free as materialized (
      -- Nobody waits: where somebody begins or ends an advance of the clock right now, it is tried again after him.
      select id from sandboxes where pg_try_advisory_xact_lock_shared(${timeLock(sql`id`)})
    ), standing as materialized (
      -- Until this is committed no advance of a clock ends or begins.
      select projects.id, projects.clock_at from projects
      where projects.id in (select id from free)
      for key share skip locked
    )`;

/** Inserts what may be written into the table that decides for its parts; nobody waits long for what others hold. */
function insertSubscriptions(leadsAreOpen: Sql): Sql {
  return sql`insert into subscriptions (
        project_id, id, number, external_id, status, stage, plan_id, customer_id, address_id, meter_id,
        payment_method_id, supplier_id, lead_id, next_possible_start, intended_start_date, requested_start_date,
        requested_start_reason, estimated_usage, malo, meter_number_normalised, zip, metadata, event_sequence,
        created_by, created_at, updated_at
      )
      select
        project_id, id, number, external_id, 'pending', stage, plan_id, customer_id, address_id, meter_id,
        payment_method_id, supplier_id, lead_id, next_possible_start, intended_start_date, requested_start_date,
        requested_start_reason, estimated_usage, malo, meter_number_normalised, zip, metadata::json, 1, created_by,
        created_at, created_at
      from input
      -- One that waits for what somebody holds, such as an external id, is not to keep its neighbours waiting.
      where (select set_config('lock_timeout', ${LOCK_PATIENCE_MS}, true)) is not null
        and exists (
          select from plans
          where plans.project_id = input.project_id and plans.id = input.plan_id and plans.active
            and plans.xmin = input.plan_version
        )
        and (
          exists (
            select from standing
            where standing.id = input.project_id and standing.clock_at is not distinct from input.clock_at
          )
          or exists (select from projects where projects.id = input.project_id and projects.mode = 'live')
        )
        and (idempotency_key is null or not exists (
          select from idempotency_keys
          where idempotency_keys.project_id = input.project_id and idempotency_keys.key = input.idempotency_key
        ))
        -- The unique indexes catch the same location; these catch one known with and without its market location.
        and (malo is null or not exists (
          select from subscriptions as other
          where other.project_id = input.project_id
            and other.meter_number_normalised = input.meter_number_normalised and other.zip = input.zip
            and other.malo is null and other.status <> 'ended'
        ))
        and (malo is not null or not exists (
          select from subscriptions as other
          where other.project_id = input.project_id
            and other.meter_number_normalised = input.meter_number_normalised and other.zip = input.zip
            and other.status <> 'ended'
        ))
        and (malo is null or not exists (
          select from held_locations as held
          where held.project_id = input.project_id and held.malo = input.malo
        ))
        ${leadsAreOpen}
      on conflict do nothing
      returning id`;
}

/** What else a sign-up consists of, one row of each. */
const NEW_PARTS = sql`new_customers as (
      insert into customers
        (project_id, id, type, company_name, first_name, last_name, email, vat_id, created_at, updated_at)
      select project_id, customer_id, customer_type, company_name, first_name, last_name, email, vat_id, created_at,
        created_at
      from kept
    ), new_addresses as (
      insert into addresses (project_id, id, street, house_number, zip, city, created_at)
      select project_id, address_id, street, house_number, zip, city, created_at from kept
    ), new_meters as (
      insert into meters (project_id, id, number, type, estimated_usage, malo, created_at)
      select project_id, meter_id, meter_number, meter_type, estimated_usage, malo, created_at from kept
    ), new_payment_methods as (
      insert into payment_methods (project_id, id, type, iban_masked, details_encrypted, created_at)
      select project_id, payment_method_id, payment_method_type, iban_masked, details_encrypted, created_at from kept
    ), new_processes as (
      insert into market_processes (project_id, id, subscription_id, due_at, created_at, cancellation_period)
      select project_id, process_id, id, created_at, created_at,
        (select cancellation_period from plans where plans.project_id = kept.project_id and plans.id = kept.plan_id)
      from kept
    ), new_events as (
      insert into events
        (project_id, id, subscription_id, sequence, type, occurred_at, request_id, credential_id, data)
      select project_id, event_id, id, 1, 'subscription.created', created_at, request_id, created_by,
        ('{"subscription":' || presentation || ',"previous_attributes":{}'
          || coalesce(',"reason":"' || requested_start_reason || '"', '') || '}')::json
      from kept
    )`;

function insertProductOrders(rows: readonly SignUpRows[]): Sql {
  const orders = rows.flatMap((row) =>
    row.productOrders.map((order, position) => ({ ...order, position, subscriptionId: row.subscription.id })),
  );
  return sql`insert into product_orders (project_id, id, subscription_id, position, type, details, created_at)
      select kept.project_id, orders.id, kept.id, orders.position, orders.type, orders.details::json, kept.created_at
      from unnest(
        (select ${orders.map(({ id }) => id)}::uuid[]),
        ${orders.map(({ subscriptionId }) => subscriptionId)}::uuid[],
        ${orders.map(({ position }) => position)}::smallint[],
        ${orders.map(({ type }) => type)}::text[],
        ${orders.map(({ details }) => details)}::text[]
      ) as orders (id, subscription_id, position, type, details)
      join kept on kept.id = orders.subscription_id`;
}

function insertMetadata(rows: readonly SignUpRows[]): Sql {
  const indexed = rows.flatMap((row) =>
    row.metadataIndex.map((entry) => ({ ...entry, subscriptionId: row.subscription.id })),
  );
  return sql`insert into subscription_metadata (project_id, key_hash, value_hash, subscription_id)
      select kept.project_id, indexed.key_hash, indexed.value_hash, kept.id
      from unnest(
        (select ${plainArray(indexed.map(({ subscriptionId }) => subscriptionId))}::uuid[]),
        ${plainArray(indexed.map(({ keyHash }) => keyHash))}::uuid[],
        ${plainArray(indexed.map(({ valueHash }) => valueHash))}::uuid[]
      ) as indexed (subscription_id, key_hash, value_hash)
      join kept on kept.id = indexed.subscription_id`;
}

/** The record of who did it, and that of its answer. */
const NEW_RECORDS = sql`new_audit_entries as (
      insert into audit_log (project_id, id, occurred_at, credential_id, request_id, operation, resource, fields,
        reason_encrypted, reason_digest, seal)
      select project_id, audit_id, audited_at, created_by, request_id, operation, resource, '{}', reason_encrypted,
        reason_digest, seal
      from kept
    ), new_idempotency_keys as (
      -- Fails the statement when another process took the key this instant; it is then written again one by one.
      -- Kept for so long of wall time, as any answer is.
      insert into idempotency_keys
        (project_id, key, fingerprint, method, path, status, headers, body, body_encrypted, request_id, created_at)
      select project_id, idempotency_key, fingerprint, method, path, 201, headers::json,
        case when body_encrypted is null then presentation end, body_encrypted, request_id, audited_at
      from kept
      where idempotency_key is not null
    )`;

/** The meter orders and grid-fee reductions that sign-ups begin, with their first events; nothing when there are none. */
function insertOrders(rows: readonly SignUpRows[]): Sql {
  const orders = rows.flatMap(({ orders, subscription }) => orders.map((order) => ({ ...order, of: subscription.id })));
  if (orders.length === 0) return sql``;
  return sql`, new_lives as materialized (
      select kept.project_id, kept.id as subscription_id, kept.meter_id, kept.created_at, kept.request_id,
        kept.created_by, lives.*
      from unnest(
        (select ${orders.map(({ of }) => of)}::uuid[]),
        ${orders.map(({ id }) => id)}::uuid[],
        ${orders.map(({ kind }) => kind)}::text[],
        ${orders.map(({ modules }) => modules.module_1 === true)}::boolean[],
        ${orders.map(({ modules }) => modules.module_2 === true)}::boolean[],
        ${orders.map(({ modules }) => modules.module_3 === true)}::boolean[],
        ${orders.map(({ eventId }) => eventId)}::uuid[],
        ${textArray(orders.map(({ eventData }) => eventData))}::text[]
      ) as lives (of, order_id, kind, module_1, module_2, module_3, first_event_id, event_data)
      join kept on kept.id = lives.of
    ), new_meter_orders as (
      insert into meter_orders (project_id, id, subscription_id, meter_id, status, revision, created_at, updated_at)
      select project_id, order_id, subscription_id, meter_id, 'created', 1, created_at, created_at
      from new_lives where kind = 'meter_order'
    ), new_grid_fee_reductions as (
      insert into grid_fee_reductions
        (project_id, id, subscription_id, module_1, module_2, module_3, status, revision, created_at, updated_at)
      select project_id, order_id, subscription_id, module_1, module_2, module_3, 'intended', 1, created_at, created_at
      from new_lives where kind = 'grid_fee_reduction'
    ), new_order_events as (
      insert into events (project_id, id, resource_id, sequence, type, occurred_at, request_id, credential_id, data)
      select project_id, first_event_id, order_id, 1, kind || '.created', created_at, request_id, created_by,
        event_data::json
      from new_lives
    )`;
}

interface LeadConversion {
  /** Locks the leads that are as they were read, neither converted nor erased, and nobody else's at this moment. */
  readonly open: Sql;
  readonly condition: Sql;
  readonly convert: Sql;
}

/** The parts of the statement that convert leads; empty when no sign-up names one, so that the others pay nothing. */
function convertLeads(rows: readonly SignUpRows[]): LeadConversion {
  const named = rows.flatMap(({ projectId, subscription, conversion }) =>
    conversion === null ? [] : [{ projectId, leadId: subscription.lead_id, ...conversion }],
  );
  if (named.length === 0) return { open: sql``, condition: sql``, convert: sql`` };
  const open = sql`open_leads as materialized (
      select leads.project_id, leads.id, named.event_id, named.event_data
      from unnest(
        (select ${named.map(({ projectId }) => projectId)}::uuid[]),
        ${named.map(({ leadId }) => leadId)}::uuid[],
        ${named.map(({ leadRevision }) => leadRevision)}::integer[],
        ${named.map(({ eventId }) => eventId)}::uuid[],
        ${textArray(named.map(({ eventData }) => eventData))}::text[]
      ) as named (project_id, id, revision, event_id, event_data)
      join leads using (project_id, id)
      where leads.revision = named.revision and leads.subscription_id is null and leads.personal is not null
      -- A lead that somebody else holds leaves its own sign-up out, and keeps nobody beside it waiting.
      for no key update of leads skip locked
    ),`;
  const condition = sql`and (lead_id is null or exists (
          select from open_leads
          where open_leads.project_id = input.project_id and open_leads.id = input.lead_id
        ))`;
  const convert = sql`converted_leads as (
      update leads set subscription_id = kept.id, subscribed_at = kept.created_at, updated_at = kept.created_at,
        revision = leads.revision + 1
      from kept
      where leads.project_id = kept.project_id and leads.id = kept.lead_id
    ), lead_events as (
      insert into events
        (project_id, id, resource_id, sequence, type, occurred_at, request_id, credential_id, data)
      select kept.project_id, open_leads.event_id, kept.lead_id,
        1 + coalesce((
          select max(sequence) from events
          where events.project_id = kept.project_id and events.resource_id = kept.lead_id
        ), 0),
        'lead.converted', kept.created_at, kept.request_id, kept.created_by, open_leads.event_data::json
      from kept
      join open_leads on open_leads.project_id = kept.project_id and open_leads.id = kept.lead_id
    ),`;
  return { open, condition, convert };
}
