import type { Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import type { CustomerRow, VersionedCustomer } from './present.ts';

/** The columns of a `CustomerRow`. */
export const customerColumns = sql`
  id, type, company_name, first_name, last_name, email, vat_id, created_at, updated_at, erased_at`;

/** A customer, locked against changes by others until the transaction ends; after the processes of his subscriptions. */
export async function lockCustomer(
  transaction: Transaction,
  projectId: string,
  id: string,
): Promise<VersionedCustomer | undefined> {
  const [row] = await transaction.query<VersionedCustomer>(sql`
    select ${customerColumns}, xmin::text as version from customers where project_id = ${asProject(projectId)} and id = ${id} for no key update`);
  return row;
}

/** A change of a customer as it is kept. */
export interface CustomerChange {
  readonly type: 'updated' | 'erased';
  readonly occurredAt: string;
  readonly requestId: string | null;
  readonly credentialId: string | null;
  /** JSON Pointers. */
  readonly fields: readonly string[];
  /** JSON text of what the members were before. */
  readonly previous: string;
}

/** Writes a locked customer anew, and what was changed; answers the version it has then. */
export async function writeCustomer(
  transaction: Transaction,
  projectId: string,
  customer: CustomerRow,
  change: CustomerChange,
): Promise<string> {
  const { id } = customer;
  const [row] = await transaction.query<{ readonly version: string }>(sql`
    update customers set company_name = ${customer.company_name}, first_name = ${customer.first_name},
      last_name = ${customer.last_name}, email = ${customer.email}, vat_id = ${customer.vat_id},
      updated_at = ${customer.updated_at}, erased_at = ${customer.erased_at}
    where project_id = ${asProject(projectId)} and id = ${id}
    returning xmin::text as version`);
  if (row === undefined) throw new Error('a locked customer is there');
  await transaction.query(sql`
    insert into customer_changes
      (project_id, customer_id, sequence, type, occurred_at, request_id, credential_id, fields, previous)
    select ${projectId}, ${id}, coalesce(max(sequence), 0) + 1, ${change.type}, ${change.occurredAt},
      ${change.requestId}, ${change.credentialId}, ${change.fields}::text[], ${change.previous}
    from customer_changes where project_id = ${asProject(projectId)} and customer_id = ${id}`);
  return row.version;
}
