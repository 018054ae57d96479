import type { Condition } from '../http/contract.ts';
import { CASTS, type ColumnType } from './conditions.ts';
import { asProject, atMost, sql, type Sql } from './sql.ts';

/** By filter, columns whose indexes go on with the id: rows with one value are there in the order of the list. */
export type OrderedColumns = Readonly<Record<string, readonly [column: Sql, type: ColumnType]>>;

/** A list that such columns have indexes for. */
export interface OrderedList {
  readonly table: Sql;
  readonly projectId: string;
  /** What is listed of the table at most, such as a project's rows below a position. */
  readonly place: Sql;
  readonly ordered: OrderedColumns;
}

/**
 * The newest ids of those with any value but one; null where anything else is asked. Each other value's are read from the
 * index as far as the page goes, while the planner would walk the whole list where the newest all have the one. What it is
 * part of is to be planned for its values.
 */
export function idsOfOthers(
  { table, projectId, place, ordered }: OrderedList,
  conditions: readonly Condition[],
  limit: number,
): Sql | null {
  const [condition, another] = conditions;
  const known = ordered[condition?.field ?? ''];
  if (known === undefined || condition?.operator !== 'ne' || another !== undefined) return null;
  const [column, type] = known;
  const rows = sql`${table} where ${place}`;
  const every = valuesOf(sql`${table} where project_id = ${asProject(projectId)}`, column);
  const others = sql`${rows} and asked.value <> ${condition.values[0]}${CASTS[type].one}`;
  const lacking = sql`select id from ${rows} and ${column} is null order by id desc limit ${atMost(limit)}`;
  return sql`${newestOfEach(others, column, every, limit)} union all (${lacking})`;
}

/** The values of a column, from its index: as many steps as there are values, however many rows have each. */
function valuesOf(rows: Sql, column: Sql): Sql {
  return sql`
    with recursive every (value) as (
      (select ${column} from ${rows} order by ${column} limit 1)
      union all
      select (select ${column} from ${rows} and ${column} > every.value order by ${column} limit 1)
      from every
      where every.value is not null
    )
    select value from every`;
}

/** The newest ids of those with one of some values; null where anything else is asked. */
export function idsOfValues(
  { table, place, ordered }: OrderedList,
  conditions: readonly Condition[],
  limit: number,
): Sql | null {
  const [condition, another] = conditions;
  const known = ordered[condition?.field ?? ''];
  if (known === undefined || condition === undefined || another !== undefined) return null;
  const { operator, values } = condition;
  const [column, type] = known;
  const rows = sql`${table} where ${place}`;
  if (operator === 'eq') return newestWithValue(rows, column, sql`(select ${values[0]}${CASTS[type].one})`, limit);
  if (operator !== 'in') return null;
  return newestOfEach(rows, column, sql`select distinct unnest(${values}${CASTS[type].many})`, limit);
}

/** The newest ids of those with each of some values, which a query gives, `asked.value` where rows are told. */
function newestOfEach(rows: Sql, column: Sql, values: Sql, limit: number): Sql {
  return sql`
    select newest.id from (${values}) as asked (value)
    cross join lateral (${newestWithValue(rows, column, sql`asked.value`, limit)}) as newest`;
}

/**
 * The newest ids of those with a value. As a range in its own order, which the index of that column alone has: what most
 * rows have, the newest may all lack, and a plan that is kept may be one for an empty table, where any index is as good.
 */
export function newestWithValue(rows: Sql, column: Sql, value: Sql, limit: number): Sql {
  return sql`
    select id from (
      select id from ${rows} and ${column} >= ${value} and ${column} <= ${value}
      order by ${column} desc, id desc
      limit ${atMost(limit)}
    ) as found`;
}

/**
 * A page of those that some ids name, newest first. They are read one after the other, however many the planner believes
 * there to be: its plan is kept, and one that was made for an empty table would go through all rows for each id.
 */
export function pageByIds(
  { table, projectId }: Pick<OrderedList, 'table' | 'projectId'>,
  columns: Sql,
  ids: Sql,
  limit: number,
): Sql {
  return sql`
    select ${columns} from (${ids} order by id desc limit ${atMost(limit)}) as newest (newest_id)
    cross join lateral (
      select * from ${table} where project_id = ${asProject(projectId)} and id = newest_id offset 0
    ) as ${table}
    order by id desc
    limit ${atMost(limit)}`;
}
