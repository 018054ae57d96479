import {
  comparisons,
  createdAt,
  createdBefore,
  idRangeOf,
  ignoringCase,
  spellingsOf,
  type ConditionTable,
} from '#platform/database/conditions.ts';
import type { Database, Queryable, Transaction } from '#platform/database/pool.ts';
import { gatherRange } from '#platform/database/ranges.ts';
import {
  newestWithValue,
  pageByIds,
  pageByValues,
  type OrderedColumns,
  type OrderedList,
} from '#platform/database/several.ts';
import { asProject, atMost, sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import { customerColumns, lockCustomer, type CustomerRow, type VersionedCustomer } from '../subscriptions/index.ts';

/** Which customers are listed. */
export interface Listing {
  readonly conditions: readonly Condition[];
  readonly after: string | null;
  readonly limit: number;
}

/** A page of customers after a position, newest first. */
export async function listCustomers(
  database: Pick<Database, 'query' | 'transaction'>,
  projectId: string,
  { conditions, after, limit }: Listing,
): Promise<CustomerRow[]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  const place = sql`project_id = ${asProject(projectId)}${createdBefore(sql`id`, 'updated_at', conditions)}${position}`;
  const changed = { table: sql`customers`, place, field: 'updated_at', column: sql`updated_at` };
  const list = { table: sql`customers`, projectId, place, range: idRangeOf(conditions, after), ordered: ORDERED };
  const ofEmail = newestWithEmail(list, conditions, limit);
  if (ofEmail !== null) return database.query<CustomerRow>(pageByIds(list, customerColumns, ofEmail, limit));
  const ofValues = await pageByValues<CustomerRow>(database, list, customerColumns, conditions, limit);
  if (ofValues !== null) return ofValues;
  const gathered = await gatherRange(database, changed, conditions);
  return database.query<CustomerRow>(sql`
    select ${customerColumns} from customers
    where ${place}${comparisons(conditions, filters)}${gathered ?? sql``}
    order by id desc
    limit ${conditions.length === 0 ? atMost(limit) : limit}`);
}

const ORDERED: OrderedColumns = { type: [sql`type`, 'text'] };

/** The newest ids of those with one e-mail address; null where anything else is asked, or it has several spellings. */
function newestWithEmail(list: OrderedList, conditions: readonly Condition[], limit: number): Sql | null {
  const [condition, another] = conditions;
  if (condition?.field !== 'email' || condition.operator !== 'eq' || another !== undefined) return null;
  const [spelling, other] = spellingsOf(condition.values);
  if (other !== undefined) return null;
  return newestWithValue(list, sql`lower(email)`, sql`(select lower(${spelling}::text))`, limit);
}

/** Whether any customer meets a condition. */
export async function hasAny(queryable: Queryable, projectId: string, condition: Condition): Promise<boolean> {
  const found = await queryable.query(sql`
    select from customers where project_id = ${asProject(projectId)}${comparisons([condition], filters)} limit 1`);
  return found.length > 0;
}

/** How the filters of customers read in SQL. */
export const filters: ConditionTable = {
  email: (_, condition) => ignoringCase(sql`lower(email)`, condition),
  type: (compare) => compare(sql`type`, 'text'),
  created_at: (_, condition) => createdAt(sql`id`, condition),
  updated_at: (compare) => compare(sql`updated_at`, 'timestamptz'),
};

/** A change of a customer as it is stored. */
export interface ChangeRow {
  readonly sequence: number;
  readonly type: 'updated' | 'erased';
  readonly occurred_at: string;
  readonly request_id: string | null;
  readonly credential_id: string | null;
  readonly fields: readonly string[];
  /** JSON text. */
  readonly previous: string;
}

/** Changes of a customer after a place, oldest first. */
export function readChanges(
  queryable: Queryable,
  projectId: string,
  customerId: string,
  after: number,
  limit: number,
): Promise<ChangeRow[]> {
  return queryable.query<ChangeRow>(sql`
    select sequence, type, occurred_at, request_id, credential_id, fields, previous from customer_changes
    where project_id = ${asProject(projectId)} and customer_id = ${customerId} and sequence > ${after}
    order by sequence
    limit ${limit}`);
}

/** The e-mail addresses that a customer had before. */
export async function readFormerEmails(queryable: Queryable, projectId: string, customerId: string): Promise<string[]> {
  const rows = await queryable.query<{ email: string }>(sql`
    select distinct previous ->> 'email' as email from customer_changes
    where project_id = ${asProject(projectId)} and customer_id = ${customerId} and previous ->> 'email' is not null`);
  return rows.map(({ email }) => email);
}

/** A subscription of a customer as far as changes of the customer go. */
export interface HeldSubscription {
  readonly id: string;
  readonly status: 'pending' | 'active' | 'ended';
  /** Whether anything of it may go on, also after its end. */
  readonly goes_on: boolean;
}

/** A customer whom nobody else changes, nor anything of his subscriptions, until the transaction ends. */
export interface LockedCustomer {
  readonly customer: VersionedCustomer;
  /** Oldest first. */
  readonly subscriptions: readonly HeldSubscription[];
}

/** Locks a customer with his subscriptions; their processes first, as everything that changes a subscription does. */
export async function lockWithSubscriptions(
  transaction: Transaction,
  projectId: string,
  id: string,
): Promise<LockedCustomer | undefined> {
  await transaction.query(sql`
    select from subscriptions s
    join market_processes p on p.project_id = s.project_id and p.subscription_id = s.id
    where s.project_id = ${asProject(projectId)} and s.customer_id = ${id}
    order by s.id
    for no key update of p`);
  const customer = await lockCustomer(transaction, projectId, id);
  if (customer === undefined) return undefined;
  return { customer, subscriptions: await readStatuses(transaction, projectId, id) };
}

/** The subscriptions of a customer, oldest first. */
function readStatuses(queryable: Queryable, projectId: string, customerId: string): Promise<HeldSubscription[]> {
  return queryable.query<HeldSubscription>(sql`
    select s.id, s.status, s.status <> 'ended' or s.next_action is not null or p.due_at is not null as goes_on
    from subscriptions s
    join market_processes p on p.project_id = s.project_id and p.subscription_id = s.id
    where s.project_id = ${asProject(projectId)} and s.customer_id = ${customerId}
    order by s.id`);
}
