import type { Condition } from '../http/contract.ts';
import { comparison } from './conditions.ts';
import type { Queryable } from './pool.ts';
import { atMost, joinSql, sql, type Sql } from './sql.ts';

/** Where a range of a time is looked for, which has no order in common with the list but an index of its own. */
export interface TimedPlace {
  readonly table: Sql;
  /** What is listed of the table at most, such as a project's rows below a position. */
  readonly place: Sql;
  /** The column of the time. */
  readonly column: Sql;
}

/** A list that can be asked for ranges of one time. */
export interface TimedList extends TimedPlace {
  /** The filter of that time. */
  readonly field: string;
}

const RANGES = new Set(['eq', 'in', 'gt', 'gte', 'lt', 'lte']);
/** How many rows of a range are sorted into the order of the list. */
const GATHERED = 10_000;

/**
 * Ends an `exists (…)` that is asked of rows of a range, lest the planner turn it round: it takes a range that was gathered
 * for a handful of rows, and would go through it anew for each of those that exist elsewhere.
 */
export const FOR_EACH_ROW = sql` offset 0`;

/** Whether a condition on a time asks for a range of it. */
export function isRange({ operator }: Condition): boolean {
  return RANGES.has(operator);
}

/** ` and …` for each range of a time. @param isHidden as of `comparison` */
export function within(column: Sql, ranges: readonly Condition[], isHidden = false): Sql {
  return joinSql(
    ranges.map((range) => sql` and ${comparison(column, 'timestamptz', range, isHidden)}`),
    sql``,
  );
}

/** ` and …` that names the rows in ranges of a time; null when there are more than `most`. */
export async function gatherFew(
  queryable: Queryable,
  { table, place, column }: TimedPlace,
  ranges: readonly Condition[],
  most: number,
): Promise<Sql | null> {
  // In the order of the time, lest anything but its index be read.
  const inRange = sql`select id from ${table} where ${place}${within(column, ranges, true)} order by ${column}, id`;
  const [counted] = await queryable.query<{ found: number }>(sql`
    select count(*)::integer as found from (${inRange} limit ${atMost(most + 1)}) as gathered`);
  return (counted?.found ?? 0) <= most ? sql` and id = any(array(${inRange}))` : null;
}

/**
 * ` and …` that names the rows in a range of time, where few are; null otherwise, and where no range is asked for. The
 * planner settles for a walk along the list, which for a handful of rows may be the whole of it.
 */
export async function gatherRange(
  queryable: Queryable,
  list: TimedList,
  conditions: readonly Condition[],
): Promise<Sql | null> {
  const ranges = conditions.filter((condition) => condition.field === list.field && isRange(condition));
  return ranges.length === 0 ? null : gatherFew(queryable, list, ranges, GATHERED);
}
