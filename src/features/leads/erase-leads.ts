/** What holds of a person in leads: found, shown to him in full, and removed. For the feature of customers. */
import { formatId } from '#domain/identifiers.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Transaction } from '#platform/database/pool.ts';
import { RawJson } from '#platform/http/json.ts';
import { indexMetadata } from '../subscriptions/index.ts';
import { membersOf } from './present.ts';
import { replaceLeadMetadataIndex, updateLead, type LeadRow } from './store.ts';

/** A lead with everything that is stored of it, bank details too, for `encodeJson`. */
export function wholeLead(keys: Keys, projectId: string, row: LeadRow): Readonly<Record<string, unknown>> {
  return {
    id: formatId('lead', row.id),
    plan: formatId('pln', row.plan_id),
    ...membersOf(keys, projectId, row),
    previous_supplier: row.supplier_id === null ? null : formatId('mp', row.supplier_id),
    subscription: row.subscription_id === null ? null : formatId('sub', row.subscription_id),
    subscribed_at: row.subscribed_at,
    created_by: row.created_by === null ? null : formatId('crd', row.created_by),
    metadata: row.metadata === null ? null : new RawJson(row.metadata),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Empties a lead of everything personal; what stays is that there was one. @param zip what stands for a postcode then */
export async function eraseLead(
  transaction: Transaction,
  projectId: string,
  row: LeadRow,
  zip: string,
): Promise<LeadRow> {
  const { metadata, revision } = row;
  const nothing = { personal: null, payment_method_encrypted: null, external_id: null, metadata: null, data: '{}' };
  const erased = { ...row, ...nothing, zip, revision: revision + 1 };
  await updateLead(transaction, projectId, erased);
  await replaceLeadMetadataIndex(transaction, projectId, row.id, indexMetadata(metadata), []);
  return erased;
}
