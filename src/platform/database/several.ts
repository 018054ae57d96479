import type { Condition } from '../http/contract.ts';
import { CASTS, comparison, type ColumnType } from './conditions.ts';
import { sql, type Sql } from './sql.ts';

/** By filter, columns whose indexes go on with the id: rows with one value are there in the order of the list. */
export type OrderedColumns = Readonly<Record<string, readonly [column: Sql, type: ColumnType]>>;

/** A list that such columns have indexes for. */
export interface OrderedList {
  readonly table: Sql;
  /** What is listed of the table at most, such as a project's rows below a position. */
  readonly place: Sql;
  readonly ordered: OrderedColumns;
}

/**
 * ` and …` that names the newest with any of several values, where nothing else is asked; null otherwise. Each value's are
 * read from the index as far as the page goes, while the planner would walk the whole list where the newest have none of
 * them. What it is part of is to be planned for its values.
 */
export function newestOfSeveral(
  { table, place, ordered }: OrderedList,
  conditions: readonly Condition[],
  limit: number,
): Sql | null {
  const [condition, another] = conditions;
  const known = ordered[condition?.field ?? ''];
  if (known === undefined || condition?.operator !== 'in' || another !== undefined) return null;
  const [column, type] = known;
  return sql` and id in (
    select id from (select distinct value from unnest(${condition.values}${CASTS[type].many}) as asked (value)) as asked
    cross join lateral (
      select id from ${table} where ${place} and ${column} = asked.value order by id desc limit ${limit}
    ) as newest
    order by id desc
    limit ${limit}
  )`;
}

/** The same of one value: what most rows have, the newest may all lack. Needs no plan of its own. */
export function newestOfOne(
  { table, place, ordered }: OrderedList,
  conditions: readonly Condition[],
  limit: number,
): Sql | null {
  const [condition, another] = conditions;
  const known = ordered[condition?.field ?? ''];
  if (known === undefined || condition?.operator !== 'eq' || another !== undefined) return null;
  const [column, type] = known;
  return sql` and id in (
    select id from ${table} where ${place} and ${comparison(column, type, condition)} order by id desc limit ${limit}
  )`;
}
