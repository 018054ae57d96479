import type { Condition } from '../http/contract.ts';
import type { Database } from './pool.ts';
import { CASTS, type ColumnType, type IdRange } from './conditions.ts';
import { asProject, atMost, joinSql, sql, type Sql } from './sql.ts';

/**
 * By filter: columns with an index that goes on with the id, so that the rows of one value are in the order of the
 * list.
 */
export type OrderedColumns = Readonly<Record<string, readonly [column: Sql, type: ColumnType]>>;

/** A list that such columns have indexes for. */
export interface OrderedList {
  readonly table: Sql;
  readonly projectId: string;
  /** What is listed of the table at most, such as a project's rows below a position. */
  readonly place: Sql;
  /** The ids that are listed at most: where in an index a page begins. */
  readonly range: IdRange;
  readonly ordered: OrderedColumns;
}

/** What is asked of a column whose index goes on with the id. */
interface Asked {
  readonly column: Sql;
  readonly type: ColumnType;
  readonly condition: Condition;
}

/** The one condition that is asked, if such a column has it; null where there are others as well. */
function askedOf({ ordered }: OrderedList, [condition, another]: readonly Condition[]): Asked | null {
  const known = ordered[condition?.field ?? ''];
  if (known === undefined || condition === undefined || another !== undefined) return null;
  const [column, type] = known;
  return { column, type, condition };
}

/** Up to so many values stand in the text of a statement, where the planner counts them; more of them share one text. */
export const FEW_VALUES = 8;

/**
 * The newest ids of rows with any value but one; null where anything else is asked. The rows of each other value are
 * read from its index, as many as a page has: the planner would walk the whole list when all the newest have that one
 * value. The statement that this is part of has to be planned for its values.
 */
export function idsOfOthers(list: OrderedList, conditions: readonly Condition[], limit: number): Sql | null {
  const asked = askedOf(list, conditions);
  if (asked?.condition.operator !== 'ne') return null;
  const { column, type, condition } = asked;
  const { table, projectId, place } = list;
  const every = valuesOf(sql`${table} where project_id = ${asProject(projectId)}`, column);
  const others = { ...list, place: sql`${place} and asked.value <> ${condition.values[0]}${CASTS[type].one}` };
  const lacking = sql`select id from ${table} where ${place} and ${column} is null order by id desc limit ${atMost(limit)}`;
  return sql`${newestOfEach(others, column, every, limit)} union all (${lacking})`;
}

/** The values of a column, read from its index in as many steps as there are values, however many rows have each. */
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
export function idsOfValues(list: OrderedList, conditions: readonly Condition[], limit: number): Sql | null {
  const asked = askedOf(list, conditions);
  if (asked === null) return null;
  const { column, type, condition } = asked;
  const { operator, values } = condition;
  if (operator === 'eq') return newestWithValue(list, column, sql`(select ${values[0]}${CASTS[type].one})`, limit);
  if (operator !== 'in') return null;
  const distinct = [...new Set(values)];
  const { one, many } = CASTS[type];
  const each = distinct.map((value) => sql`(${value}${one})`);
  const asRows =
    each.length > FEW_VALUES ? sql`select unnest(${distinct}${many})` : sql`values ${joinSql(each, sql`, `)}`;
  return newestOfEach(list, column, asRows, limit);
}

/** The newest ids of those with each of some values, which a query gives, `asked.value` where rows are told. */
function newestOfEach(list: OrderedList, column: Sql, values: Sql, limit: number): Sql {
  return sql`
    select newest.id from (${values}) as asked (value)
    cross join lateral (${newestWithValue(list, column, sql`asked.value`, limit)}) as newest`;
}

/**
 * The newest ids of those with a value. As rows in their own order, which the index of that column alone has: what most
 * rows have, the newest may all lack, and a plan that is kept may be one for an empty table, where any index is as good. A
 * page from deep in the list begins at its place, while a range of the column alone begins at its end before PostgreSQL 18.
 * That it is not null, which some indexes ask for, the planner does not see in a comparison of rows.
 */
export function newestWithValue(
  { table, place, range: { from, until } }: OrderedList,
  column: Sql,
  value: Sql,
  limit: number,
): Sql {
  return sql`
    select id from (
      select id from ${table} where ${place} and ${column} is not null
        and (${column}, id) >= (${value}, (select ${from}::uuid)) and (${column}, id) < (${value}, (select ${until}::uuid))
      order by ${column} desc, id desc
      limit ${atMost(limit)}
    ) as found`;
}

/** A page of those with some values of a column, or with any but one; null where anything else is asked. */
export async function pageByValues<Row>(
  database: Pick<Database, 'query' | 'transaction'>,
  list: OrderedList,
  columns: Sql,
  conditions: readonly Condition[],
  limit: number,
): Promise<Row[] | null> {
  const ids = idsOfValues(list, conditions, limit);
  if (ids !== null) return database.query<Row>(pageByIds(list, columns, ids, limit));
  const others = idsOfOthers(list, conditions, limit);
  if (others === null) return null;
  const page = pageByIds(list, columns, others, limit);
  return database.transaction((transaction) => transaction.query<Row>(page), 'anew');
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
