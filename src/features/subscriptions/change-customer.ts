import { changedAt } from '#domain/calendar.ts';
import { formatId } from '#domain/identifiers.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Transaction } from '#platform/database/pool.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { recordEvents } from '../events/index.ts';
import { writeCustomer, type CustomerChange } from './customer-store.ts';
import type { CustomerRow, VersionedCustomer } from './present.ts';
import { changeLife } from './supply/change.ts';
import { takeStep, type Cause } from './supply/life.ts';
import { customerName, toldBy } from './supply/load.ts';
import type { SupplyDependencies } from './supply/reconcile.ts';

/** What of a customer can be changed. */
const CHANGEABLE = ['company_name', 'first_name', 'last_name', 'email', 'vat_id'] as const;

/** The members of a customer that a caller may name. */
export type CustomerEdits = Partial<Pick<CustomerRow, (typeof CHANGEABLE)[number]>>;

/** Where and why a customer is changed. */
export interface CustomerChangeContext {
  readonly transaction: Transaction;
  readonly projectId: string;
  readonly mintUuid: MintUuid;
  /** The project's time. */
  readonly now: Temporal.Instant;
  readonly cause: Cause;
}

/**
 * Changes a locked customer, keeps what it was before, and writes the event, in the caller's commit. The only way in which
 * members of a customer change. Nothing is written when nothing differs.
 * @returns the customer as it is now, and the types of the events written
 */
export async function changeCustomer(
  context: CustomerChangeContext,
  before: VersionedCustomer,
  edits: CustomerEdits,
): Promise<{ readonly customer: VersionedCustomer; readonly events: readonly string[] }> {
  const changed = CHANGEABLE.filter((name) => edits[name] !== undefined && edits[name] !== before[name]);
  if (changed.length === 0) return { customer: before, events: [] };
  const updatedAt = changedAt(before.created_at, formatInstant(context.now));
  const customer = { ...before, ...edits, updated_at: updatedAt };
  const previous = JSON.stringify(Object.fromEntries(changed.map((name) => [name, before[name]])));
  const fields = changed.map((name) => `/${name}`);
  const { version, events } = await writeCustomerChange(context, customer, { type: 'updated', fields, previous });
  return { customer: { ...customer, version }, events };
}

/**
 * Writes a customer with its history and its event, which says what was changed and nothing personal.
 * @returns the version the customer has then, and the types of the events written
 */
export async function writeCustomerChange(
  { transaction, projectId, mintUuid, now, cause }: CustomerChangeContext,
  customer: CustomerRow,
  change: Pick<CustomerChange, 'type' | 'fields' | 'previous'>,
): Promise<{ readonly version: string; readonly events: readonly string[] }> {
  const { requestId, credentialId } = cause;
  const version = await writeCustomer(transaction, projectId, customer, {
    ...change,
    occurredAt: formatInstant(now),
    requestId,
    credentialId,
  });
  const type = `customer.${change.type}` as const;
  const shown = {
    object: 'customer',
    id: formatId('cus', customer.id),
    updated_at: customer.updated_at,
    erased_at: customer.erased_at,
  };
  const data = JSON.stringify({ customer: shown, previous_attributes: {}, fields: change.fields });
  const causedBy = credentialId === null ? 'operator' : 'api';
  const event = { projectId, resourceId: customer.id, type, at: now, requestId, causedBy, credentialId, data } as const;
  await recordEvents(transaction, mintUuid, [event]);
  return { version, events: [type] };
}

/** A name of a customer that a caller gives. */
export interface CorrectedName {
  /** All of it. */
  readonly names: Pick<CustomerRow, 'first_name' | 'last_name' | 'company_name'>;
  /** JSON Pointers of what was given. */
  readonly fields: readonly string[];
  /** Whether any of it differs from what is there; the same again is an answer to whoever asks for it, and nothing else. */
  readonly isChanged: boolean;
}

/**
 * Hands a customer's corrected name to the market process of one of his subscriptions, as `PATCH /subscriptions/{id}` with
 * `customer` does; one that the grid operator has confirmed, or that is withdrawn, goes on unchanged.
 * @returns the types of the events written
 */
export async function correctCustomerName(
  dependencies: SupplyDependencies,
  { transaction, projectId, cause }: CustomerChangeContext,
  subscriptionId: string,
  { names, fields, isChanged }: CorrectedName,
): Promise<readonly string[]> {
  const told = await changeLife(dependencies, transaction, projectId, subscriptionId, async ({ life, now, tools }) => {
    const input = { type: 'corrected', changes: { customerName: customerName(names) } } as const;
    takeStep(life, input, now, tools, { cause, fields, ...(isChanged ? { edits: {} } : {}) });
    return toldBy(life);
  });
  return told ?? [];
}
