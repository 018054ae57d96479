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
 * ` and …` that names the newest with any of several values, or with any but one, where nothing else is asked; null otherwise.
 * Each value's are read from the index as far as the page goes, while the planner would walk the whole list where the
 * newest have none of them. What it is part of is to be planned for its values.
 */
export function newestOfSeveral(
  { table, projectId, place, ordered }: OrderedList,
  conditions: readonly Condition[],
  limit: number,
): Sql | null {
  const [condition, another] = conditions;
  const known = ordered[condition?.field ?? ''];
  if (known === undefined || condition === undefined || another !== undefined) return null;
  const { operator, values } = condition;
  const [column, type] = known;
  const newest = (which: Sql): Sql =>
    sql`select id from ${table} where ${place} and ${which} order by id desc limit ${atMost(limit)}`;
  const newestOf = (asked: Sql, which: Sql): Sql =>
    sql`select newest.id from (${asked}) as asked (value) cross join lateral (${newest(which)}) as newest`;
  const inPlace = (ids: Sql): Sql =>
    sql` and id in (select id from (${ids}) as found order by id desc limit ${atMost(limit)})`;
  const hasValue = sql`${column} = asked.value`;
  if (operator === 'in') {
    return inPlace(newestOf(sql`select distinct unnest(${values}${CASTS[type].many})`, hasValue));
  }
  if (operator !== 'ne') return null;
  const every = valuesOf(sql`${table} where project_id = ${asProject(projectId)}`, column);
  const others = newestOf(every, sql`${hasValue} and asked.value <> ${values[0]}${CASTS[type].one}`);
  return inPlace(sql`${others} union all (${newest(sql`${column} is null`)})`);
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

/** The newest ids of those with one value; null where anything else is asked. */
export function idsOfOne(
  { table, place, ordered }: OrderedList,
  conditions: readonly Condition[],
  limit: number,
): Sql | null {
  const [condition, another] = conditions;
  const known = ordered[condition?.field ?? ''];
  if (known === undefined || condition?.operator !== 'eq' || another !== undefined) return null;
  const [column, type] = known;
  const value = sql`(select ${condition.values[0]}${CASTS[type].one})`;
  return newestWithValue(sql`${table} where ${place}`, column, value, limit);
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
