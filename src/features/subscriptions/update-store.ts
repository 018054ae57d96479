import type { Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import type { AddressRow, PaymentMethodRow } from './present.ts';
import type { FactsRow } from './supply/store.ts';

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
