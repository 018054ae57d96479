import {
  comparisons,
  createdAt,
  createdBefore,
  ignoringCase,
  type ConditionTable,
} from '#platform/database/conditions.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { gatherRange } from '#platform/database/ranges.ts';
import { asProject, joinSql, sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import { lockCustomer, type CustomerRow, type VersionedCustomer } from '../subscriptions/index.ts';

const columns = sql`id, type, company_name, first_name, last_name, email, vat_id, created_at, updated_at, erased_at`;

/** Which customers are listed. */
export interface Listing {
  readonly conditions: readonly Condition[];
  /** Patterns of `like`, all of which a customer must fit; none lists all. */
  readonly patterns: readonly string[];
  readonly after: string | null;
  readonly limit: number;
}

/**
 * So many of the newest are looked through before the index is asked: for a name that one in a hundred has, they do. Where
 * that few are found that a page of them lies further back, but within reach, more are: the index gives all who have the
 * name, in no order, each to be read from another place of the disk.
 */
const LOOKED_THROUGH = { first: 4_000, times: 3, most: 40_000, reach: 100_000 };

/** A page of customers after a position, newest first. */
export async function listCustomers(
  queryable: Queryable,
  projectId: string,
  { conditions, patterns, after, limit }: Listing,
): Promise<CustomerRow[]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  const search = joinSql(
    patterns.map((pattern) => sql` and search_text like ${pattern}`),
    sql``,
  );
  const bounds = sql`${createdBefore(sql`id`, conditions)}${position}`;
  const wanted = sql`project_id = ${asProject(projectId)}${comparisons(conditions, filters)}${search}${bounds}`;
  if (patterns.length > 0) {
    // A word may be in very many customers, which the index would give one and all, and several words in few of them: the
    // planner knows neither, and would sort all of them, or walk the whole list.
    const { first, times, most, reach } = LOOKED_THROUGH;
    for (let count = first; count <= most; count *= times) {
      const newest = await queryable.query<CustomerRow>(sql`
        select ${columns} from (
          select project_id, search_text, ${columns} from customers
          where project_id = ${asProject(projectId)}${bounds}
          order by id desc
          limit ${count}
        ) as newest
        where ${wanted}
        order by id desc
        limit ${limit}`);
      if (newest.length === limit) return newest;
      if (newest.length * reach < limit * count) break;
    }
    return queryable.query<CustomerRow>(sql`
      with found as materialized (select ${columns} from customers where ${wanted})
      select ${columns} from found
      order by id desc
      limit ${limit}`);
  }
  const place = sql`project_id = ${asProject(projectId)}${bounds}`;
  const changed = { table: sql`customers`, place, field: 'updated_at', column: sql`updated_at` };
  const gathered = await gatherRange(queryable, changed, conditions);
  return queryable.query<CustomerRow>(sql`
    select ${columns} from customers
    where ${wanted}${gathered ?? sql``}
    order by id desc
    limit ${limit}`);
}

const filters: ConditionTable = {
  email: (_, condition) => ignoringCase(sql`lower(email)`, condition),
  type: (compare) => compare(sql`type`, 'text'),
  created_at: (_, condition) => createdAt(sql`id`, condition),
  updated_at: (compare) => compare(sql`updated_at`, 'timestamptz'),
};

/**
 * Prepares a search: a plan made for the very words, because it decides how rare they are whether the index pays.
 * @returns what was typed as customers are searched: words of letters and digits with single blanks between
 */
export async function beginSearch(transaction: Transaction, text: string): Promise<string> {
  const [row] = await transaction.query<{ folded: string }>(sql`
    select set_config('plan_cache_mode', 'force_custom_plan', true), fold_for_search(${text}::text) as folded`);
  return row?.folded ?? '';
}

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
export function readStatuses(queryable: Queryable, projectId: string, customerId: string): Promise<HeldSubscription[]> {
  return queryable.query<HeldSubscription>(sql`
    select id, status from subscriptions
    where project_id = ${asProject(projectId)} and customer_id = ${customerId}
    order by id`);
}
