import type { Condition } from '../http/contract.ts';
import { comparison } from './conditions.ts';
import type { Queryable } from './pool.ts';
import { joinSql, sql, type Sql } from './sql.ts';

/** A list that can be asked for a range of a time which has no order in common with it, but an index of its own. */
export interface TimedList {
  readonly table: Sql;
  /** What is listed of the table at most, such as a project's rows below a position. */
  readonly place: Sql;
  /** The filter of that time, and its column. */
  readonly field: string;
  readonly column: Sql;
}

const RANGES = new Set(['eq', 'in', 'gt', 'gte', 'lt', 'lte']);
/** So many of a range are put in the order of the list. */
const GATHERED = 10_000;

/**
 * ` and …` that names the rows in a range of time, where few are; nothing otherwise, and where no range is asked for. The
 * planner settles for a walk along the list, which for a handful of rows may be the whole of it.
 */
export async function gatherRange(
  queryable: Queryable,
  { table, place, field, column }: TimedList,
  conditions: readonly Condition[],
): Promise<Sql> {
  const ranges = conditions.filter((condition) => condition.field === field && RANGES.has(condition.operator));
  if (ranges.length === 0) return sql``;
  const range = joinSql(
    ranges.map((condition) => sql` and ${comparison(column, 'timestamptz', condition)}`),
    sql``,
  );
  // In the order of the time, lest anything but its index be read.
  const inRange = sql`select id from ${table} where ${place}${range} order by ${column}, id`;
  const [counted] = await queryable.query<{ found: number }>(sql`
    select count(*)::integer as found from (${inRange} limit ${GATHERED + 1}) as gathered`);
  return (counted?.found ?? 0) <= GATHERED ? sql` and id = any(array(${inRange}))` : sql``;
}
