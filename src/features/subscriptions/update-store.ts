import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import type { AddressRow, PaymentMethodRow } from './present.ts';
import { findHolder, type FactsRow } from './supply/store.ts';

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

/** A place of supply as a correction names it; null: as it is. */
interface NamedPlace {
  readonly malo: string | null;
  readonly meterNumberNormalised: string | null;
  readonly zip: string | null;
}

/** Which subscriptions may be in the way of one whose place is corrected. */
export async function findOthersAt(
  queryable: Queryable,
  projectId: string,
  subscriptionId: string,
  { malo, meterNumberNormalised, zip }: NamedPlace,
): Promise<string[]> {
  const holder = malo === null ? null : await findHolder(queryable, projectId, malo, [subscriptionId]);
  const others = await queryable.query<{ id: string }>(sql`
    select other.id from subscriptions as own
    join subscriptions as other on other.project_id = ${asProject(projectId)} and other.id <> own.id
      and other.meter_number_normalised = coalesce(${meterNumberNormalised}, own.meter_number_normalised)
      and other.zip = coalesce(${zip}, own.zip) and other.status <> 'ended'
    where own.project_id = ${asProject(projectId)} and own.id = ${subscriptionId}
      and (other.malo is null or ${malo}::text is null)`);
  return [...(holder === null ? [] : [holder]), ...others.map(({ id }) => id)];
}
