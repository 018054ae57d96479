import { formatId } from '#domain/identifiers.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Encrypted } from '#platform/database/illegible.ts';
import { encodeJson, RawJson } from '#platform/http/json.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { linkOf, maskPayment, NOTHING_KNOWN, withoutPersonalData, type LeadMembers } from './members.ts';
import { encryptedPayments, type LeadRow, type OwnedLeadPayment } from './store.ts';

/** What showing leads needs. */
export interface PresentLeadDependencies {
  readonly keys: Keys;
  readonly publicUrl: string;
}

function paymentContext(projectId: string, id: string): string {
  return `lead/${projectId}/${id}`;
}

/** The columns that hold a lead's members; personal ones apart, bank details encrypted. */
export function layOutMembers(
  keys: Keys,
  projectId: string,
  id: string,
  members: LeadMembers,
): Pick<LeadRow, 'zip' | 'personal' | 'payment_method_encrypted' | 'data' | 'external_id'> {
  const { customer, address, meter, payment_method: payment } = members;
  const { zip, ...place } = address;
  const { next_possible_start, intended_start_date, product_orders } = members;
  return {
    zip,
    personal: JSON.stringify({ customer, address: place, meter }),
    payment_method_encrypted:
      payment === null ? null : keys.encrypt(JSON.stringify(payment), paymentContext(projectId, id)),
    data: JSON.stringify({ next_possible_start, intended_start_date, product_orders }),
    external_id: members.external_id,
  };
}

/** The members of a stored lead. */
export function membersOf(keys: Keys, projectId: string, row: LeadRow): LeadMembers {
  const personal = JSON.parse(row.personal ?? '{}') as Partial<Pick<LeadMembers, 'customer' | 'address' | 'meter'>>;
  return {
    ...NOTHING_KNOWN,
    ...personal,
    address: { ...NOTHING_KNOWN.address, ...personal.address, zip: row.zip },
    payment_method: decryptLeadPayment(keys, projectId, row),
    ...(JSON.parse(row.data) as Partial<LeadMembers>),
    external_id: row.external_id,
  };
}

function decryptLeadPayment(
  keys: Keys,
  projectId: string,
  { id, payment_method_encrypted: secret }: Pick<LeadRow, 'id' | 'payment_method_encrypted'>,
): LeadMembers['payment_method'] {
  if (secret === null) return null;
  return JSON.parse(keys.decrypt(secret, paymentContext(projectId, id))) as LeadMembers['payment_method'];
}

/** The payment methods of every lead, as far as they are known. */
export const encryptedLeadPayments: Encrypted<OwnedLeadPayment> = {
  rows: encryptedPayments,
  open: (keys, row) => void decryptLeadPayment(keys, row.project_id, row),
};

/** Whether everything personal of it has been removed. */
export function isErased({ personal }: Pick<LeadRow, 'personal'>): boolean {
  return personal === null;
}

function present(
  publicUrl: string,
  row: LeadRow,
  members: LeadMembers,
  payment: unknown = maskPayment(members.payment_method),
): string {
  return encodeJson({
    object: 'lead',
    id: formatId('lead', row.id),
    plan: formatId('pln', row.plan_id),
    customer: members.customer,
    address: members.address,
    meter: members.meter,
    payment_method: payment,
    next_possible_start: members.next_possible_start,
    previous_supplier: row.supplier_id === null ? null : formatId('mp', row.supplier_id),
    intended_start_date: members.intended_start_date,
    product_orders: members.product_orders,
    external_id: members.external_id,
    subscription: row.subscription_id === null ? null : formatId('sub', row.subscription_id),
    subscribed_at: row.subscribed_at,
    link: linkOf(publicUrl, row.id),
    erased: isErased(row),
    created_by: row.created_by === null ? null : formatId('crd', row.created_by),
    created_at: row.created_at,
    updated_at: row.updated_at,
    metadata: row.metadata === null ? null : new RawJson(row.metadata),
  });
}

/** A lead as JSON text. */
export function presentLead({ keys, publicUrl }: PresentLeadDependencies, projectId: string, row: LeadRow): string {
  return present(publicUrl, row, membersOf(keys, projectId, row));
}

/** A lead as JSON text for the person himself: with his bank details in full. */
export function presentWholeLead(
  { keys, publicUrl }: PresentLeadDependencies,
  projectId: string,
  row: LeadRow,
): string {
  const members = membersOf(keys, projectId, row);
  return present(publicUrl, row, members, members.payment_method);
}

/**
 * The entity tag of a lead. The count of its changes is part of it: within a second, or while a sandbox clock stands, one
 * that is changed twice may look as before.
 *
 * @param body the lead as it is shown
 */
export function leadTag({ revision }: Pick<LeadRow, 'revision'>, body: string): string {
  return entityTag(`${revision} ${body}`);
}

/** JSON text of what an event tells of a lead: as `GET` shows it, but personal data, which can be erased, are null. */
export function presentLeadEvent(
  { keys, publicUrl }: PresentLeadDependencies,
  projectId: string,
  row: LeadRow,
  previous: Readonly<Record<string, unknown>>,
): string {
  const shown = present(publicUrl, row, withoutPersonalData(membersOf(keys, projectId, row)));
  return `{"lead":${shown},"previous_attributes":${JSON.stringify(previous)}}`;
}
