import type { Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import { textArray } from '#platform/database/arrays.ts';
import type { MetadataEntry } from '../subscriptions/index.ts';
import { ERASED, ERASED_METER_NUMBER, ERASED_ZIP } from './erase-traces.ts';

/** A row by its id, with the JSON text in one of its columns: as it is held, or as it is to be. */
export interface TextRow {
  readonly id: string;
  readonly text: string;
}

/** The contents of all messages of subscriptions. */
export function readContents(
  transaction: Transaction,
  projectId: string,
  subscriptionIds: readonly string[],
): Promise<TextRow[]> {
  return transaction.query<TextRow>(sql`
    select id, contents as text from market_messages
    where project_id = ${asProject(projectId)} and subscription_id = any(${subscriptionIds}::uuid[])`);
}

/** The memories of the processes of subscriptions. */
export function readMemories(
  transaction: Transaction,
  projectId: string,
  subscriptionIds: readonly string[],
): Promise<TextRow[]> {
  return transaction.query<TextRow>(sql`
    select id, memory as text from market_processes
    where project_id = ${asProject(projectId)} and subscription_id = any(${subscriptionIds}::uuid[]) and memory is not null`);
}

/** Which of these subscriptions have been supplied. */
export async function findSupplied(
  transaction: Transaction,
  projectId: string,
  subscriptionIds: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select distinct subscription_id as id from subscription_transitions
    where project_id = ${asProject(projectId)} and subscription_id = any(${subscriptionIds}::uuid[]) and to_stage = 'supplying'`);
  return rows.map(({ id }) => id);
}

/** Forgets what the members of a customer were before. */
export async function eraseChanges(transaction: Transaction, projectId: string, customerId: string): Promise<void> {
  await transaction.query(sql`
    update customer_changes set previous = '{}' where project_id = ${asProject(projectId)} and customer_id = ${customerId}`);
}

/** Empties addresses. */
export async function eraseAddresses(
  transaction: Transaction,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    update addresses set street = ${ERASED}, house_number = ${ERASED}, zip = ${ERASED_ZIP}, city = ${ERASED}
    where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}

/** Empties meters. */
export async function eraseMeters(transaction: Transaction, projectId: string, ids: readonly string[]): Promise<void> {
  await transaction.query(sql`
    update meters set number = ${ERASED_METER_NUMBER}, malo = null
    where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}

/** Puts other bytes in the place of what is encrypted of payment methods. */
export async function erasePaymentMethods(
  transaction: Transaction,
  projectId: string,
  methods: readonly { readonly id: string; readonly encrypted: Buffer }[],
): Promise<void> {
  await transaction.query(sql`
    update payment_methods as method set iban_masked = ${ERASED}, details_encrypted = input.encrypted
    from unnest(${methods.map(({ id }) => id)}::uuid[], ${methods.map(({ encrypted }) => encrypted)}::bytea[])
      as input (id, encrypted)
    where method.project_id = ${asProject(projectId)} and method.id = input.id`);
}

/** An entry of the index over metadata, with whose it is. */
interface IndexEntry extends MetadataEntry {
  readonly subscriptionId: string;
}

/**
 * Empties subscriptions that have ended. `updated_at` stays: nothing of the contract has changed, and `as_of` reads the same
 * as before. Their external ids become free.
 */
export async function eraseSubscriptions(
  transaction: Transaction,
  projectId: string,
  ids: readonly string[],
  index: readonly IndexEntry[],
): Promise<void> {
  await transaction.query(sql`
    update subscriptions set external_id = null, metadata = null, malo = null, zip = ${ERASED_ZIP},
      meter_number_normalised = ${ERASED_METER_NUMBER}, revision = revision + 1
    where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
  await transaction.query(sql`
    delete from subscription_metadata as known
    using unnest(
      ${index.map(({ subscriptionId }) => subscriptionId)}::uuid[], ${index.map(({ keyHash }) => keyHash)}::uuid[],
      ${index.map(({ valueHash }) => valueHash)}::uuid[]
    ) as input (subscription_id, key_hash, value_hash)
    where known.project_id = ${asProject(projectId)} and known.key_hash = input.key_hash
      and known.value_hash = input.value_hash and known.subscription_id = input.subscription_id`);
  await transaction.query(sql`
    update product_orders set details = '{}'
    where project_id = ${asProject(projectId)} and subscription_id = any(${ids}::uuid[]) and details is not null`);
}

/** Writes what is left of events. */
export async function rewriteEvents(
  transaction: Transaction,
  projectId: string,
  rows: readonly TextRow[],
): Promise<void> {
  await transaction.query(sql`
    update events set data = input.text::json
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${textArray(rows.map(({ text }) => text))}::text[])
      as input (id, text)
    where events.project_id = ${asProject(projectId)} and events.id = input.id`);
}

/** Writes what is left of messages. */
export async function rewriteMessages(
  transaction: Transaction,
  projectId: string,
  rows: readonly TextRow[],
): Promise<void> {
  await transaction.query(sql`
    update market_messages as message set contents = input.text::json
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${textArray(rows.map(({ text }) => text))}::text[])
      as input (id, text)
    where message.project_id = ${asProject(projectId)} and message.id = input.id`);
}

/** Writes what is left of processes; nothing is due in them any more. */
export async function rewriteProcesses(
  transaction: Transaction,
  projectId: string,
  rows: readonly TextRow[],
): Promise<void> {
  await transaction.query(sql`
    update market_processes as process set memory = input.text::json, due_at = null
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${textArray(rows.map(({ text }) => text))}::text[])
      as input (id, text)
    where process.project_id = ${asProject(projectId)} and process.id = input.id`);
}

/** Forgets kept answers with their keys: a caller may have put anything into a key. */
export async function deleteKeys(transaction: Transaction, projectId: string, keys: readonly string[]): Promise<void> {
  await transaction.query(sql`
    delete from idempotency_keys where project_id = ${asProject(projectId)} and key = any(${keys}::text[])`);
}
