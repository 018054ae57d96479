import { lowestUuidAt, NIL_UUID } from '#domain/identifiers.ts';
import type { Condition, Operator } from '../http/contract.ts';
import { joinSql, sql, type Sql } from './sql.ts';

/** The column types that filters compare with. */
export type ColumnType = 'text' | 'uuid' | 'timestamptz' | 'boolean';

/** Turns the condition at hand into SQL over a column. */
export type Compare = (column: Sql, type: ColumnType) => Sql;

/** For each filter of a list: how its condition reads in SQL. */
export type ConditionTable = Readonly<Record<string, (compare: Compare, condition: Condition) => Sql>>;

/** Casts of parameters to the types. */
export const CASTS: Record<ColumnType, { readonly one: Sql; readonly many: Sql }> = {
  text: { one: sql`::text`, many: sql`::text[]` },
  uuid: { one: sql`::uuid`, many: sql`::uuid[]` },
  timestamptz: { one: sql`::timestamptz`, many: sql`::timestamptz[]` },
  boolean: { one: sql`::boolean`, many: sql`::boolean[]` },
};

const SYMBOLS: Partial<Record<Operator, Sql>> = {
  eq: sql` = `,
  in: sql` = `,
  ne: sql` is distinct from `,
  gt: sql` > `,
  gte: sql` >= `,
  lt: sql` < `,
  lte: sql` <= `,
};

/** ` and …` for each condition. @throws when the table lacks a filter that the contract promises */
export function comparisons(conditions: readonly Condition[], table: ConditionTable): Sql {
  const parts = conditions.map((condition) => {
    const translate = table[condition.field];
    if (translate === undefined) throw new Error(`no SQL for the filter ${condition.field}`);
    return sql` and ${translate((column, type) => comparison(column, type, condition), condition)}`;
  });
  return joinSql(parts, sql``);
}

/**
 * One comparison, so written that an index on the column serves it.
 * @param isHidden whether the planner does not learn of the value, and so has one plan for all
 */
export function comparison(column: Sql, type: ColumnType, condition: Condition, isHidden = false): Sql {
  const { operator, values } = condition;
  const cast = CASTS[type];
  if (operator === 'is_null') return values[0] === 'true' ? sql`${column} is null` : sql`${column} is not null`;
  // One value has the order of the list in its index, where any of several have none.
  if (operator === 'in' && values.length > 1) return sql`${column} = any(${values}${cast.many})`;
  const symbol = SYMBOLS[operator];
  if (symbol === undefined) throw new Error(`no SQL for the operator ${operator}`);
  const value = sql`${values[0]}${cast.one}`;
  return sql`${column}${symbol}${isHidden ? sql`(select ${value})` : value}`;
}

/** Ids from one on and before another, as a list has them in order. */
export interface IdRange {
  readonly from: string;
  readonly until: string;
}

/** Of all that there is. */
export const ALL_IDS: IdRange = {
  from: NIL_UUID,
  until: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** A comparison of the time of creation, which ids carry: a range of it is a range of ids, in list order. */
export function createdAt(id: Sql, condition: Condition): Sql {
  const { operator, values } = condition;
  if (operator === 'is_null') return values[0] === 'true' ? sql`false` : sql`true`;
  if (operator === 'ne') return sql`not (${isWithin(id, createdAs({ ...condition, operator: 'eq' }))})`;
  const each = operator === 'in' ? 'eq' : operator;
  const ranges = values.map((value) => isWithin(id, createdAs({ operator: each, values: [value] })));
  return ranges.length === 1 ? joinSql(ranges, sql``) : sql`(${joinSql(ranges, sql` or `)})`;
}

function isWithin(id: Sql, { from, until }: Partial<IdRange>): Sql {
  const parts = [
    ...(from === undefined ? [] : [sql`${id} >= ${from}`]),
    ...(until === undefined ? [] : [sql`${id} < ${until}`]),
  ];
  return sql`(${joinSql(parts, sql` and `)})`;
}

/** The ids of what is created as one value asks. Instants are told to the second. */
function createdAs({ operator, values }: Pick<Condition, 'operator' | 'values'>): Partial<IdRange> {
  const second = Temporal.Instant.from(values[0] ?? '');
  const [lowest, next] = [lowestIdAt(second), lowestIdAt(second.add({ seconds: 1 }))];
  return {
    ...(operator === 'gt' ? { from: next } : operator === 'gte' || operator === 'eq' ? { from: lowest } : {}),
    ...(operator === 'lt' ? { until: lowest } : operator === 'lte' || operator === 'eq' ? { until: next } : {}),
  };
}

/** The lowest id of what is created at an instant or later. */
export function lowestIdAt(instant: Temporal.Instant): string {
  return lowestUuidAt(instant.epochMilliseconds);
}

/** How much earlier than created a row may have been changed: earlier versions went by a clock that can be set back. */
export const SET_BACK = { hours: 24 };

/**
 * ` and …`: what conditions on a time of change say about ids. Nothing changes before it is created, so what was last changed
 * before an instant has an id from before it; else all that was created since would be looked through first.
 * @param field the filter of that time, such as `updated_at`
 */
export function createdBefore(id: Sql, field: string, conditions: readonly Condition[]): Sql {
  const ids = rangesOfChange(field, conditions).map((range) => sql` and ${isWithin(id, range)}`);
  return joinSql(ids, sql``);
}

/**
 * ` and …`: what conditions on the times of creation and of change say about ids. @param field as in `createdBefore`
 */
export function idBounds(id: Sql, field: string, conditions: readonly Condition[]): Sql {
  const created = conditions.filter(isOfCreation).map((each) => sql` and ${createdAt(id, each)}`);
  return sql`${joinSql(created, sql``)}${createdBefore(id, field, conditions)}`;
}

function rangesOfChange(time: string, conditions: readonly Condition[]): Partial<IdRange>[] {
  return conditions
    .filter(({ field, operator }) => field === time && /^(eq|lt|lte)$/.test(operator))
    .map(({ values }) => ({ until: lowestIdAt(Temporal.Instant.from(values[0] ?? '').add(SET_BACK)) }));
}

/** Whether a condition is one on the time of creation. */
export function isOfCreation({ field }: Condition): boolean {
  return field === 'created_at';
}

/** Whether what is asked of the time of creation is one range of ids. */
export function isIdRange(conditions: readonly Condition[]): boolean {
  return conditions.every((condition) => !isOfCreation(condition) || isOneRange(condition));
}

function isOneRange({ operator }: Condition): boolean {
  return /^(eq|gte?|lte?)$/.test(operator);
}

/**
 * The ids that a page can have: those after its position that conditions on the times of creation and of change permit.
 */
export function idRangeOf(conditions: readonly Condition[], after: string | null): IdRange {
  const created = conditions.filter((condition) => isOfCreation(condition) && isOneRange(condition));
  const ranges = [...created.map(createdAs), ...rangesOfChange('updated_at', conditions)];
  return [...ranges, ...(after === null ? [] : [{ until: after }])].reduce<IdRange>(narrowedTo, ALL_IDS);
}

/** The ids that are in both. */
export function narrowedTo(range: IdRange, { from = range.from, until = range.until }: Partial<IdRange>): IdRange {
  return { from: from > range.from ? from : range.from, until: until < range.until ? until : range.until };
}

/**
 * The ways in which texts may have been stored: Unicode has `ä` as one character and as two, and clients send either.
 */
export function spellingsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [text, text.normalize('NFC'), text.normalize('NFD')]))];
}

/**
 * A comparison of a text without regard to case, or to how Unicode spells it.
 * @param lowered the column in lower case, as its index has it
 */
export function ignoringCase(lowered: Sql, { operator, values }: Pick<Condition, 'operator' | 'values'>): Sql {
  if (operator === 'is_null') return values[0] === 'true' ? sql`${lowered} is null` : sql`${lowered} is not null`;
  const spellings = spellingsOf(values);
  const isAsked =
    spellings.length === 1
      ? sql`${lowered} = lower(${spellings[0]}::text)`
      : sql`${lowered} = any(array(select lower(value) from unnest(${spellings}::text[]) as asked (value)))`;
  return operator === 'ne' ? sql`(${isAsked}) is not true` : isAsked;
}
