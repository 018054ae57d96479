import type { Transaction } from '#platform/database/pool.ts';
import { indexMetadata, replaceEntries } from '../subscriptions/index.ts';
import { LEAD_METADATA, updateLead, type LeadRow } from './store.ts';

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
  await replaceEntries(transaction, LEAD_METADATA, { projectId, id: row.id }, indexMetadata(metadata), []);
  return erased;
}
