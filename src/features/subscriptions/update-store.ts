import type { Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import type { AddressRow, PaymentMethodRow } from './present.ts';
import type { FactsRow } from './supply/store.ts';
import type { MetadataEntry } from './metadata-index.ts';

/** Writes a new address. */
export async function insertAddress(transaction: Transaction, projectId: string, address: AddressRow): Promise<void> {
  const { id, street, house_number: houseNumber, zip, city, created_at: createdAt } = address;
  await transaction.query(sql`
    insert into addresses (project_id, id, street, house_number, zip, city, created_at)
    values (${projectId}, ${id}, ${street}, ${houseNumber}, ${zip}, ${city}, ${createdAt})`);
}

/** Writes a new payment method. */
export async function insertPaymentMethod(
  transaction: Transaction,
  projectId: string,
  method: PaymentMethodRow,
): Promise<void> {
  await transaction.query(sql`
    insert into payment_methods (project_id, id, type, iban_masked, details_encrypted, created_at)
    values (${projectId}, ${method.id}, ${method.type}, ${method.iban_masked}, ${method.details_encrypted},
      ${method.created_at})`);
}

/** Corrects address and meter of a subscription in place: they describe the same meter and place as before. */
export async function correctParts(
  transaction: Transaction,
  projectId: string,
  ids: { readonly address_id: string; readonly meter_id: string },
  parts: Omit<FactsRow, 'id'>,
): Promise<void> {
  await transaction.query(sql`
    with corrected_address as (
      update addresses set street = ${parts.street}, house_number = ${parts.house_number}, zip = ${parts.zip},
        city = ${parts.city}
      where project_id = ${asProject(projectId)} and id = ${ids.address_id}
    )
    update meters set number = ${parts.meter_number} where project_id = ${asProject(projectId)} and id = ${ids.meter_id}`);
}

/** Replaces what the filter on metadata finds. */
export async function replaceMetadataIndex(
  transaction: Transaction,
  projectId: string,
  subscriptionId: string,
  before: readonly MetadataEntry[],
  after: readonly MetadataEntry[],
): Promise<void> {
  const keys = (entries: readonly MetadataEntry[]): string[] => entries.map(({ keyHash }) => keyHash);
  const values = (entries: readonly MetadataEntry[]): string[] => entries.map(({ valueHash }) => valueHash);
  await transaction.query(sql`
    delete from subscription_metadata as known
    using unnest(${keys(before)}::uuid[], ${values(before)}::uuid[]) as input (key_hash, value_hash)
    where known.project_id = ${asProject(projectId)} and known.key_hash = input.key_hash
      and known.value_hash = input.value_hash and known.subscription_id = ${subscriptionId}`);
  await transaction.query(sql`
    insert into subscription_metadata (project_id, key_hash, value_hash, subscription_id)
    select ${projectId}::uuid, key_hash, value_hash, ${subscriptionId}::uuid
    from unnest(${keys(after)}::uuid[], ${values(after)}::uuid[]) as input (key_hash, value_hash)`);
}
