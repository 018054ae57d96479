import {
  comparisons,
  type ConditionTable,
  idBounds,
  idRangeOf,
  ignoringCase,
  isOfCreation,
} from '#platform/database/conditions.ts';
import { idsOfOthers, idsOfValues, pageByIds, type OrderedColumns } from '#platform/database/several.ts';
import type { Database, Queryable, Transaction } from '#platform/database/pool.ts';
import { FOR_EACH_ROW, gatherRange } from '#platform/database/ranges.ts';
import { asProject, atMost, sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import { entriesFrom, type MetadataIndex } from '../subscriptions/index.ts';

/** A lead as stored; ids are uuids, JSON is text. */
export interface LeadRow {
  readonly id: string;
  readonly plan_id: string;
  readonly zip: string;
  /** {customer, address, meter}; null once they are erased. */
  readonly personal: string | null;
  readonly payment_method_encrypted: Buffer | null;
  readonly supplier_id: string | null;
  /** {next_possible_start, intended_start_date, product_orders} */
  readonly data: string;
  readonly external_id: string | null;
  readonly metadata: string | null;
  readonly subscription_id: string | null;
  readonly subscribed_at: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Counts the changes. */
  readonly revision: number;
}

/** What is encrypted of a lead, and what it is bound to. */
export interface OwnedLeadPayment extends Pick<LeadRow, 'id' | 'payment_method_encrypted'> {
  readonly project_id: string;
}

/** The encrypted payment methods of the leads of all projects. */
export const encryptedPayments: Sql = sql`
  select project_id, id, payment_method_encrypted from leads where payment_method_encrypted is not null`;

const columns = sql`id, plan_id, zip, personal, payment_method_encrypted, supplier_id, data, external_id, metadata,
  subscription_id, subscribed_at, created_by, created_at, updated_at, revision`;

/** The lead of a project, or `undefined`. */
export async function readLead(queryable: Queryable, projectId: string, id: string): Promise<LeadRow | undefined> {
  const [row] = await queryable.query<LeadRow>(sql`
    select ${columns} from leads where project_id = ${asProject(projectId)} and id = ${id}`);
  return row;
}

/** The lead, locked against changes by others, and against conversion, until the transaction ends. */
export async function lockLead(transaction: Transaction, projectId: string, id: string): Promise<LeadRow | undefined> {
  const [row] = await transaction.query<LeadRow>(sql`
    select ${columns} from leads where project_id = ${asProject(projectId)} and id = ${id} for no key update`);
  return row;
}

/** A page of leads after a position, newest first. */
export async function listLeads(
  database: Pick<Database, 'query' | 'transaction'>,
  projectId: string,
  conditions: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<LeadRow[]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  const place = sql`project_id = ${asProject(projectId)}${idBounds(sql`id`, 'subscribed_at', conditions)}${position}`;
  const converted = { table: sql`leads`, place, field: 'subscribed_at', column: sql`subscribed_at` };
  const gathered = await gatherRange(database, converted, conditions);
  const others = conditions.filter((condition) => !isOfCreation(condition));
  const list = { table: sql`leads`, projectId, place, range: idRangeOf(conditions, after), ordered: ORDERED };
  const [only, another] = others;
  const ofValues =
    only?.field === 'metadata' && another === undefined
      ? sql`select id${entriesFrom(LEAD_METADATA, only, place)}`
      : idsOfValues(list, others, limit);
  const ids = ofValues ?? idsOfOthers(list, others, limit);
  const wanted = sql`${place}${comparisons(conditions, filters(place, gathered === null ? sql`` : FOR_EACH_ROW))}`;
  const page =
    ids === null
      ? sql`select ${columns} from leads where ${wanted}${gathered ?? sql``} order by id desc limit ${atMost(limit)}`
      : pageByIds(list, columns, ids, limit);
  // A plan for all values takes what has one for few leads, and looks each of them up for all else that is asked; and of a
  // kept one nobody knows how large the table was that it was made for.
  const isAnew = ofValues === null && others.length > 0;
  return isAnew
    ? database.transaction((transaction) => transaction.query<LeadRow>(page), 'anew')
    : database.query<LeadRow>(page);
}

const ORDERED: OrderedColumns = { plan: [sql`plan_id`, 'uuid'], created_by: [sql`created_by`, 'uuid'] };

/** The index over metadata of leads. */
export const LEAD_METADATA: MetadataIndex = { table: sql`lead_metadata`, owner: sql`lead_id` };

/** What a condition on the e-mail address says, as the index has it. */
const hasEmail = (condition: Pick<Condition, 'operator' | 'values'>): Sql =>
  ignoringCase(sql`lower(personal -> 'customer' ->> 'email')`, condition);

/** @param place what is listed at most. @param ending of what exists elsewhere, as `FOR_EACH_ROW` */
const filters = (place: Sql, ending: Sql): ConditionTable => ({
  plan: (compare) => compare(sql`plan_id`, 'uuid'),
  subscription: (compare) => compare(sql`subscription_id`, 'uuid'),
  // The index of those that are converted has the order of the list.
  subscribed_at: (compare, { operator }) => {
    if (operator === 'is_null') return compare(sql`subscription_id`, 'uuid');
    const compared = compare(sql`subscribed_at`, 'timestamptz');
    return operator === 'ne' ? compared : sql`subscription_id is not null and ${compared}`;
  },
  'customer.email': (_, condition) => hasEmail(condition),
  external_id: (compare) => compare(sql`external_id`, 'text'),
  created_by: (compare) => compare(sql`created_by`, 'uuid'),
  // It is part of the place already.
  created_at: () => sql`true`,
  metadata: (_, condition) =>
    sql`exists (select ${entriesFrom(LEAD_METADATA, condition, place)} and entry.id = leads.id${ending})`,
});

/** The leads of these ids, oldest first. */
export function readLeads(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<LeadRow[]> {
  return queryable.query<LeadRow>(sql`
    select ${columns} from leads where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])
    order by id`);
}

/** The ids of leads: those that are given, and those of e-mail addresses that nobody has converted; oldest first. */
export async function findLeadsAbout(
  queryable: Queryable,
  projectId: string,
  ids: readonly string[],
  emails: readonly string[],
): Promise<string[]> {
  const rows = await queryable.query<{ id: string }>(sql`
    select id from leads where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])
    union all
    select id from leads
    where project_id = ${asProject(projectId)} and ${hasEmail({ operator: 'in', values: emails })}
      and subscription_id is null and id <> all(${ids}::uuid[])
    order by id`);
  return rows.map(({ id }) => id);
}

/** Locks the same leads, in one order, against changes by others, and against conversion, until the transaction ends. */
export async function lockLeadsAbout(
  transaction: Transaction,
  projectId: string,
  ids: readonly string[],
  emails: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    select from leads
    where project_id = ${asProject(projectId)} and id in (
      select unnest(${ids}::uuid[])
      union
      select id from leads
      where project_id = ${asProject(projectId)} and ${hasEmail({ operator: 'in', values: emails })}
        and subscription_id is null
    )
    order by id
    for no key update`);
}

/** Writes a new lead. */
export async function insertLead(transaction: Transaction, projectId: string, row: LeadRow): Promise<void> {
  await transaction.query(sql`
    insert into leads (project_id, ${columns})
    values (${projectId}, ${row.id}, ${row.plan_id}, ${row.zip}, ${row.personal}, ${row.payment_method_encrypted},
      ${row.supplier_id}, ${row.data}, ${row.external_id}, ${row.metadata}, ${row.subscription_id},
      ${row.subscribed_at}, ${row.created_by}, ${row.created_at}, ${row.updated_at}, ${row.revision})`);
}

/** Writes what a change can touch over the lead of that id. */
export async function updateLead(transaction: Transaction, projectId: string, row: LeadRow): Promise<void> {
  await transaction.query(sql`
    update leads set
      plan_id = ${row.plan_id}, zip = ${row.zip}, personal = ${row.personal},
      payment_method_encrypted = ${row.payment_method_encrypted}, supplier_id = ${row.supplier_id}, data = ${row.data},
      external_id = ${row.external_id}, metadata = ${row.metadata}, updated_at = ${row.updated_at},
      revision = ${row.revision}
    where project_id = ${asProject(projectId)} and id = ${row.id}`);
}
