import { byteaArray, plainArray, textArray } from '#platform/database/arrays.ts';
import { joinSql, sql, type Sql } from '#platform/database/sql.ts';
import type { SignUpRows } from './rows.ts';

/** A column of the input of the statement. */
interface Column {
  readonly name: Sql;
  /** What all sign-ups have there, in their order. */
  readonly array: (signUps: readonly SignUpRows[]) => Sql;
}

/** Makes columns of one type. */
type Columns<Value> = (name: Sql, pick: (row: SignUpRows) => Value) => Column;

const columns =
  <Value>(encode: (values: Value[]) => Sql): Columns<Value> =>
  (name, pick) => ({ name, array: (signUps) => encode(signUps.map(pick)) });

const uuids = columns<string | null>((values) => sql`${plainArray(values)}::uuid[]`);
const versions = columns<string>((values) => sql`${plainArray(values)}::xid[]`);
const instants = columns<string | null>((values) => sql`${plainArray(values)}::timestamptz[]`);
const days = columns<string | null>((values) => sql`${plainArray(values)}::date[]`);
const decimals = columns<string | null>((values) => sql`${plainArray(values)}::numeric[]`);
const booleans = columns<boolean>((values) => sql`${plainArray(values)}::boolean[]`);
const texts = columns<string | null>((values) => sql`${textArray(values)}::text[]`);
const bytes = columns<Uint8Array | null>((values) => sql`${byteaArray(values)}::bytea[]`);
/** One array of each `unnest` hides its length: told how few there are, PostgreSQL would plan for them each time. */
const hidden = columns<string>((values) => sql`(select ${plainArray(values)}::uuid[])`);

/** What a sign-up brings along, column by column; one function with all of them in it took V8 20 MB to compile. */
const INPUT: readonly Column[] = [
  hidden(sql`project_id`, (row) => row.projectId),
  instants(sql`clock_at`, (row) => row.clockAt),
  uuids(sql`id`, (row) => row.subscription.id),
  texts(sql`number`, (row) => row.subscription.number),
  texts(sql`external_id`, (row) => row.subscription.external_id),
  texts(sql`stage`, (row) => row.subscription.stage),
  uuids(sql`plan_id`, (row) => row.subscription.plan_id),
  versions(sql`plan_version`, (row) => row.planVersion),
  uuids(sql`supplier_id`, (row) => row.subscription.supplier_id),
  uuids(sql`lead_id`, (row) => row.subscription.lead_id),
  booleans(sql`next_possible_start`, (row) => row.subscription.next_possible_start),
  days(sql`intended_start_date`, (row) => row.subscription.intended_start_date),
  days(sql`requested_start_date`, (row) => row.subscription.requested_start_date),
  texts(sql`requested_start_reason`, (row) => row.subscription.requested_start_reason),
  decimals(sql`estimated_usage`, (row) => row.subscription.estimated_usage),
  texts(sql`metadata`, (row) => row.subscription.metadata),
  instants(sql`created_at`, (row) => row.subscription.created_at),
  uuids(sql`created_by`, (row) => row.subscription.created_by),
  uuids(sql`customer_id`, (row) => row.customer.id),
  texts(sql`customer_type`, (row) => row.customer.type),
  texts(sql`company_name`, (row) => row.customer.company_name),
  texts(sql`first_name`, (row) => row.customer.first_name),
  texts(sql`last_name`, (row) => row.customer.last_name),
  texts(sql`email`, (row) => row.customer.email),
  texts(sql`vat_id`, (row) => row.customer.vat_id),
  uuids(sql`address_id`, (row) => row.address.id),
  texts(sql`street`, (row) => row.address.street),
  texts(sql`house_number`, (row) => row.address.house_number),
  texts(sql`zip`, (row) => row.address.zip),
  texts(sql`city`, (row) => row.address.city),
  uuids(sql`meter_id`, (row) => row.meter.id),
  texts(sql`meter_number`, (row) => row.meter.number),
  texts(sql`meter_number_normalised`, (row) => row.meter.numberNormalised),
  texts(sql`meter_type`, (row) => row.meter.type),
  texts(sql`malo`, (row) => row.meter.malo),
  uuids(sql`payment_method_id`, (row) => row.paymentMethod.id),
  texts(sql`payment_method_type`, (row) => row.paymentMethod.type),
  texts(sql`iban_masked`, (row) => row.paymentMethod.iban_masked),
  bytes(sql`details_encrypted`, (row) => row.paymentMethod.details_encrypted),
  uuids(sql`process_id`, (row) => row.processId),
  uuids(sql`event_id`, (row) => row.eventId),
  texts(sql`request_id`, (row) => row.requestId),
  texts(sql`presentation`, (row) => row.presentation),
  texts(sql`idempotency_key`, (row) => row.idempotency?.key ?? null),
  bytes(sql`fingerprint`, (row) => row.idempotency?.fingerprint ?? null),
  texts(sql`method`, (row) => row.idempotency?.method ?? null),
  texts(sql`path`, (row) => row.idempotency?.path ?? null),
  texts(sql`headers`, (row) => row.idempotency?.headers ?? null),
  bytes(sql`body_encrypted`, (row) => row.idempotency?.body_encrypted ?? null),
  uuids(sql`audit_id`, (row) => row.audit.id),
  instants(sql`audited_at`, (row) => row.audit.occurredAt),
  texts(sql`operation`, (row) => row.audit.operation),
  texts(sql`resource`, (row) => row.audit.resource),
  bytes(sql`reason_encrypted`, (row) => row.audit.reasonEncrypted),
  bytes(sql`reason_digest`, (row) => row.audit.reasonDigest),
  bytes(sql`seal`, (row) => row.audit.seal),
];
const INPUT_NAMES = joinSql(
  INPUT.map(({ name }) => name),
  sql`, `,
);

/** What sign-ups bring along, as a table of the columns above. */
export function readInput(rows: readonly SignUpRows[]): Sql {
  return sql`select * from unnest(${joinSql(
    INPUT.map(({ array }) => array(rows)),
    sql`, `,
  )}) as row (${INPUT_NAMES})`;
}
