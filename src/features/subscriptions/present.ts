import { formatId, type IdPrefix } from '#domain/identifiers.ts';
import type { Stage, Status } from '#domain/subscription/lifecycle.ts';
import type { CustomerType } from '#domain/subscription/sign-up.ts';
import type { Keys } from '#platform/crypto.ts';
import { encodeJson, RawJson } from '#platform/http/json.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import type { Expandable } from './schema.ts';

/** A subscription as stored; ids are uuids, instants `YYYY-MM-DDThh:mm:ssZ`, JSON is text. */
export interface SubscriptionRow {
  readonly id: string;
  readonly plan_id: string;
  readonly customer_id: string;
  readonly address_id: string;
  readonly meter_id: string;
  readonly payment_method_id: string;
  readonly supplier_id: string | null;
  readonly lead_id: string | null;
  readonly number: string;
  readonly external_id: string | null;
  readonly status: Status;
  readonly stage: Stage;
  readonly end_reason: string | null;
  readonly next_action: string | null;
  readonly estimated_usage: string;
  readonly next_possible_start: boolean;
  readonly intended_start_date: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly start_at: string | null;
  readonly terminated_at: string | null;
  readonly end_at: string | null;
  /** uuid of the credential that signed up. */
  readonly created_by: string;
  readonly metadata: string | null;
  readonly billing_address_id: string | null;
  /** The day asked of the market at present, and why it is not the intended one. */
  readonly requested_start_date: string | null;
  readonly requested_start_reason: string | null;
  /** JSON text of an array. */
  readonly product_orders: string;
  /** That of its last event. */
  readonly event_sequence: number;
}

/** JSON texts of related objects, by their uuid; what is here is shown in the place of its ID. */
export type Expansions = ReadonlyMap<Expandable, ReadonlyMap<string, string>>;

/** Every related object is shown by its ID. */
const NO_EXPANSIONS: Expansions = new Map();

/** The members of a subscription as they are shown, but for `metadata`, which is kept as text. */
function membersOf(row: SubscriptionRow, expansions: Expansions): Readonly<Record<string, unknown>> {
  const reference = (name: Expandable, prefix: IdPrefix, id: string): string | RawJson => {
    const text = expansions.get(name)?.get(id);
    return text === undefined ? formatId(prefix, id) : new RawJson(text);
  };
  return {
    object: 'subscription',
    id: formatId('sub', row.id),
    plan: reference('plan', 'pln', row.plan_id),
    customer: reference('customer', 'cus', row.customer_id),
    address: reference('address', 'adr', row.address_id),
    meter: reference('meter', 'mtr', row.meter_id),
    payment_method: reference('payment_method', 'pm', row.payment_method_id),
    billing_address:
      row.billing_address_id === null ? null : reference('billing_address', 'adr', row.billing_address_id),
    supplier: row.supplier_id === null ? null : reference('supplier', 'mp', row.supplier_id),
    number: row.number,
    status: row.status,
    stage: row.stage,
    end_reason: row.end_reason,
    next_action: row.next_action === null ? null : (JSON.parse(row.next_action) as unknown),
    estimated_usage: Number(row.estimated_usage),
    next_possible_start: row.next_possible_start,
    intended_start_date: row.intended_start_date,
    requested_start_date: row.requested_start_date,
    requested_start_reason: row.requested_start_reason,
    lead: row.lead_id === null ? null : formatId('lead', row.lead_id),
    product_orders: row.product_orders === '[]' ? [] : (JSON.parse(row.product_orders) as unknown),
    external_id: row.external_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    start_at: row.start_at,
    terminated_at: row.terminated_at,
    end_at: row.end_at,
    created_by: formatId('crd', row.created_by),
    metadata: null,
  };
}

/** A subscription as JSON text. */
export function presentSubscription(row: SubscriptionRow, expansions: Expansions = NO_EXPANSIONS): string {
  const fields = membersOf(row, expansions);
  // Metadata is last, so that its text can be put in without looking at the rest: this runs for every row of a list.
  const text = expansions.size === 0 ? JSON.stringify(fields) : encodeJson(fields);
  return row.metadata === null ? text : `${text.slice(0, -NULL_AND_BRACE.length)}${row.metadata}}`;
}

const NULL_AND_BRACE = 'null}';

/**
 * The entity tag of a subscription. Its last event is part of it: what is corrected in place, such as the address, shows in
 * the part alone, and `updated_at` counts seconds, of a clock that may stand.
 *
 * @param sequence that of its last event
 * @param text the subscription as it is shown when nothing is expanded
 * @param shown the same with what is expanded
 */
export function subscriptionTag(sequence: number, text: string, shown: string = text): string {
  const own = `${sequence} ${text}`;
  return shown === text ? entityTag(own) : entityTag(own, shown);
}

/** JSON text of an object: what the members that have changed were before. `updated_at` goes without saying. */
export function presentPreviousAttributes(before: SubscriptionRow, after: SubscriptionRow): string {
  const now = membersOf(after, NO_EXPANSIONS);
  const previous = Object.entries(membersOf(before, NO_EXPANSIONS))
    .filter(([name]) => name !== 'updated_at')
    .map(([name, value]) => ({ name, text: JSON.stringify(value), isSame: value === now[name] }))
    .filter(({ name, text, isSame }) => !isSame && text !== JSON.stringify(now[name]));
  if (before.metadata !== after.metadata)
    previous.push({ name: 'metadata', text: before.metadata ?? 'null', isSame: false });
  return `{${previous.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** A customer as stored. */
export interface CustomerRow {
  readonly id: string;
  readonly type: CustomerType;
  readonly company_name: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly vat_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** When everything personal was removed. */
  readonly erased_at: string | null;
}

/** A customer with the transaction that has written it (`xmin`), which no change can forget to count. */
export interface VersionedCustomer extends CustomerRow {
  readonly version: string;
}

/** A customer as JSON text. */
export function presentCustomer(row: CustomerRow): string {
  return encodeJson({
    object: 'customer',
    id: formatId('cus', row.id),
    type: row.type,
    company_name: row.company_name,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    vat_id: row.vat_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    erased_at: row.erased_at,
  });
}

/**
 * The entity tag of a customer. The version is part of it: within a second, or while a sandbox clock stands, one who is
 * changed twice may look as before.
 *
 * @param body the customer as it is shown
 */
export function customerTag({ version }: Pick<VersionedCustomer, 'version'>, body: string): string {
  return entityTag(`${version} ${body}`);
}

/** A delivery address as stored. */
export interface AddressRow {
  readonly id: string;
  readonly street: string;
  readonly house_number: string;
  readonly zip: string;
  readonly city: string;
  readonly created_at: string;
}

/** An address as JSON text. */
export function presentAddress(row: AddressRow): string {
  return encodeJson({ object: 'address', ...row, id: formatId('adr', row.id) });
}

/** A meter as stored; `estimated_usage` is a decimal text in kWh per year. */
export interface MeterRow {
  readonly id: string;
  readonly number: string;
  readonly type: 'smart' | 'modern' | 'analog';
  readonly estimated_usage: string;
  readonly malo: string | null;
  readonly created_at: string;
}

/** A meter as JSON text. */
export function presentMeter(row: MeterRow): string {
  return encodeJson({
    object: 'meter',
    ...row,
    id: formatId('mtr', row.id),
    estimated_usage: Number(row.estimated_usage),
  });
}

/** A payment method as stored: the IBAN masked, everything else encrypted. */
export interface PaymentMethodRow {
  readonly id: string;
  readonly type: 'sepa_debit';
  readonly iban_masked: string;
  readonly details_encrypted: Buffer;
  readonly created_at: string;
}

/** What of a payment method is encrypted. */
export interface PaymentDetails {
  readonly iban: string;
  readonly account_holder: string;
}

/** What binds encrypted details to their row. */
export function paymentContext(projectId: string, id: string): string {
  return `payment_method/${projectId}/${id}`;
}

/** What of a payment method is encrypted, in clear. */
export function decryptPaymentDetails(
  keys: Keys,
  projectId: string,
  { id, details_encrypted: encrypted }: Pick<PaymentMethodRow, 'id' | 'details_encrypted'>,
): PaymentDetails {
  return JSON.parse(keys.decrypt(encrypted, paymentContext(projectId, id))) as PaymentDetails;
}

/** A payment method as JSON text: the account holder in clear, of the IBAN country, check digits and last four. */
export function presentPaymentMethod(keys: Keys, projectId: string, row: PaymentMethodRow): string {
  const { account_holder } = decryptPaymentDetails(keys, projectId, row);
  return encodeJson({
    object: 'payment_method',
    id: formatId('pm', row.id),
    type: row.type,
    sepa_debit: { iban: row.iban_masked, account_holder },
    created_at: row.created_at,
  });
}
