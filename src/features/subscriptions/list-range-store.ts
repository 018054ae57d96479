/** Ranges of a time that has no order in common with the list: how much of it they hold, and where, the planner cannot know. */
import { lowestIdAt, narrowedTo, SET_BACK, type IdRange } from '#platform/database/conditions.ts';
import { FOR_EACH_ROW, isRange, within } from '#platform/database/ranges.ts';
import { asProject, atMost, joinSql, sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';

/**
 * Times that have no order in common with the list, each with indexes of its own: by the time, and by its day. Supply starts at
 * midnight in Berlin, so that the one by the time does for both there. Those that fewest have are first.
 */
export const TIMES: Readonly<Record<string, Sql>> = {
  end_at: sql`end_at`,
  start_at: sql`start_at`,
  updated_at: sql`updated_at`,
};

/** What a range holds is put in the order of the list when it is so little; or else, of a long one, so much. */
const FEW = 100;
const MANY = 3_000;
/** Of a long range, so many of the newest of the list are looked through before; part of the text, as `atMost` tells. */
const LOOKED_THROUGH = sql`500`;
/**
 * Of each day, so many tell how old the oldest on the page can be at most. Of 30 days a page of 20 takes 120 ids then, where
 * the newest 20 of each would be 630. Part of the text, as `atMost` tells.
 */
const HEADS = sql`3`;
/** A range of more days is long: to ask for the newest of each takes as long as to put many in order. */
const LONG = Temporal.Duration.from({ hours: 60 * 24 });
/** Of a range of more days, these last ones may hold enough. */
const RECENT = Temporal.Duration.from({ hours: 8 * 24 });
/** A range of no more holds few instants, which are whole seconds, but may miss most of its day: each is taken for a day. */
const SHORT = Temporal.Duration.from({ seconds: 100 });

/** Ranges of one time, of rows whose ids are in a range as well. The planner knows no value. */
export interface Ranges extends TimeRanges {
  readonly projectId: string;
  readonly range: IdRange;
}

/** All ranges that are asked of one time. */
export interface TimeRanges {
  readonly time: Sql;
  readonly ranges: readonly Condition[];
}

/** The ranges of each time that any is asked of, in the order of `TIMES`. */
export function rangesByTime(conditions: readonly Condition[]): readonly TimeRanges[] {
  return Object.entries(TIMES).flatMap(([name, time]) => {
    const ranges = conditions.filter((condition) => condition.field === name && isRange(condition));
    return ranges.length === 0 ? [] : [{ time, ranges }];
  });
}

interface Bounds {
  readonly from: Temporal.Instant;
  readonly until: Temporal.Instant;
}

/** One way to the newest ids, and whether it has led to all that the page needs. */
interface Step {
  readonly name: Sql;
  readonly ids: Sql;
  readonly isEnough: Sql;
}

/**
 * The newest ids in ranges of time, where nothing else is asked: of all that they hold, where that is little; of the newest
 * of the list, where these fill the page; otherwise of the newest of each day. Every index is forced by the order that it is
 * asked for in, and no value is known to the planner, so that the plan is kept, and good for a table of any size.
 */
export function newestInRanges(asked: Ranges, limit: number): Sql {
  const { projectId, range, time, ranges } = asked;
  const { until, isLonger } = lengthOf(ranges);
  const days = newestOfDays(asked, limit, daysOf(asked));
  const atMostOf = (name: Sql, most: number): Step => ({
    name,
    ids: sql`select id from subscriptions
      where project_id = ${asProject(projectId)}${within(time, ranges, true)}
      order by ${time}, id
      limit ${atMost(most + 1)}`,
    isEnough: sql`count(*) <= ${most}`,
  });
  const few = atMostOf(sql`few`, FEW);
  const page = (name: Sql, ids: Sql): Step => ({ name, ids, isEnough: sql`count(*) = ${limit}` });
  const recent = until !== undefined && isLonger(RECENT) ? recentOf(asked, until, limit) : null;
  const first = recent === null ? [few] : [few, page(sql`recent`, recent)];
  if (!isLonger(LONG)) return firstEnough(range, first, days);
  return firstEnough(range, [...first, page(sql`newest`, newestOfList(asked, limit)), atMostOf(sql`many`, MANY)], days);
}

/**
 * The newest ids in ranges of time of which more is asked: of each day as many as it takes to find enough that meet it. Where
 * few do, that is all that the ranges hold.
 *
 * @param wanted what is asked of a row of `subscriptions`, beside its being in the ranges
 */
export function newestWantedInRanges(asked: Ranges, limit: number, wanted: Sql): Sql {
  return sql`select id from (${newestOfDays(asked, limit, daysOf(asked), wanted)}) as found`;
}

interface Length {
  readonly from: Temporal.Instant | undefined;
  readonly until: Temporal.Instant | undefined;
  readonly isLonger: (than: Temporal.Duration) => boolean;
}

/** What is not bounded on both sides is longer than anything. */
function lengthOf(ranges: readonly Condition[]): Length {
  const [from, until] = [boundOf(ranges, ['gt', 'gte', 'eq']), boundOf(ranges, ['lt', 'lte', 'eq'])];
  const isLonger = (than: Temporal.Duration): boolean =>
    from === undefined || until === undefined || Temporal.Duration.compare(from.until(until), than) > 0;
  return { from, until, isLonger };
}

/** How days are told, and found. */
interface Days {
  /** What is taken for the day of a row; an index has it, and the id after it. */
  readonly day: Sql;
  /** Of few days, which need not be looked for then. */
  readonly bounds: Bounds | null;
}

function daysOf({ time, ranges }: Ranges): Days {
  const { from, until, isLonger } = lengthOf(ranges);
  const day = isLonger(SHORT) ? dayOf(time) : time;
  const isKnown = from !== undefined && until !== undefined && day !== time && !isLonger(LONG);
  return { day, bounds: isKnown ? { from, until } : null };
}

/** The newest of what was last changed in the last days before an instant; null where ids do not tell. */
function recentOf(asked: Ranges, until: Temporal.Instant, limit: number): Sql | null {
  const { range, time, ranges } = asked;
  const since = until.subtract(RECENT);
  // Ids know of nothing before the epoch.
  if (time !== TIMES['updated_at'] || since.epochMilliseconds < 0) return null;
  // What changed before an instant and is new was created in the last days before it, unlike the newest of the list.
  const changed: Condition = { field: 'updated_at', operator: 'gte', values: [since.toString()] };
  const created = narrowedTo(range, { from: lowestIdAt(since.add(SET_BACK)) });
  const last = { ...asked, range: created, ranges: [...ranges, changed] };
  return newestOfDays(last, limit, { day: dayOf(time), bounds: { from: since, until } });
}

/**
 * What the first of these steps finds that is enough, or else the last, as far as it is in a range of ids; none is taken
 * before it is its turn.
 */
function firstEnough(range: IdRange, steps: readonly Step[], last: Sql): Sql {
  const tables = steps.map(({ name, ids }) => sql`${name} as materialized (${ids})`);
  const cases = steps.map(({ isEnough, name }, index) => sql` when (select ${isEnough} from ${name}) then ${index}`);
  const isTaken = (index: number): Sql => sql`(select step from taken) = ${index}`;
  const found = steps.map(({ name }, index) => sql`select id from ${name} where ${isTaken(index)} union all `);
  return sql`
    with ${joinSql(tables, sql`, `)},
    taken as materialized (select case${joinSql(cases, sql``)} else ${steps.length} end::integer as step)
    select id from (
      ${joinSql(found, sql``)}select id from (${last}) as days where ${isTaken(steps.length)}
    ) as found
    where ${isIn(range)}`;
}

function isIn({ from, until }: IdRange): Sql {
  return sql`id >= (select ${from}::uuid) and id < (select ${until}::uuid)`;
}

/** Along the list, through so many of the newest at most. */
function newestOfList({ projectId, range, time, ranges }: Ranges, limit: number): Sql {
  return sql`
    select id from (
      select id, ${time} from subscriptions where project_id = ${asProject(projectId)} and ${isIn(range)}
      order by id desc
      limit ${LOOKED_THROUGH}
    ) as newest
    where true${within(time, ranges, true)}
    order by id desc
    limit ${atMost(limit)}`;
}

/** As the indexes have it. Supply starts at midnight in Berlin: there are no more starts than days, and none is an edge. */
function dayOf(time: Sql): Sql {
  return time === TIMES['start_at'] ? time : sql`date_bin('1 day', ${time}, '2000-01-01T00:00:00Z')`;
}

/**
 * The newest of the newest of each day: no older than what the first of each of them, their heads, fill a page with.
 *
 * @param wanted as of `newestWantedInRanges`
 */
function newestOfDays(
  { projectId, range, time, ranges }: Ranges,
  limit: number,
  { day, bounds }: Days,
  wanted: Sql | null = null,
): Sql {
  const all = sql`subscriptions as dated where project_id = ${asProject(projectId)} and ${time} is not null`;
  const end = (direction: Sql): Sql =>
    sql`(select ${day} from ${all}${within(time, ranges, true)} order by ${time} ${direction} limit 1)`;
  // From day to day by their index: one that is thousands of years away costs no more than the next.
  const lookedFor = sql`
    with recursive found (day) as (
      select ${end(sql`asc`)}
      union all
      select (select ${day} from ${all} and ${day} > found.day order by ${day} limit 1)
      from found
      where found.day < ${end(sql`desc`)}
    )
    select day from found`;
  const table = bounds === null ? lookedFor : daysWithin(bounds);
  // Not as a range of the column itself, whose index has it in another order.
  const isInRange = within(sql`(${time} + interval '0 s')`, ranges, true);
  const isWanted =
    wanted === null
      ? sql``
      : sql` and exists (select from subscriptions where ${wanted} and subscriptions.id = dated.id${FOR_EACH_ROW})`;
  // As rows in its own order, which the index of days alone has: see `newestWithValue`.
  const newestOf = (days: Sql, from: Sql, which: Sql): Sql => sql`
    select asked.day, newest.id from ${days} as asked
    cross join lateral (
      select id from ${all} and (${day}, id) >= (asked.day, ${from})
        and (${day}, id) < (asked.day, (select ${range.until}::uuid))${isInRange}${isWanted}
      order by ${day} desc, id desc
      ${which}
    ) as newest`;
  const lowest = sql`(select ${range.from}::uuid)`;
  // Few days have more on the page than their heads.
  return sql`
    with days as materialized (${table}),
    heads as materialized (${newestOf(sql`days`, lowest, sql`limit ${HEADS}`)}),
    first as materialized (select day, id from heads order by id desc limit ${atMost(limit)}),
    edge as materialized (
      select coalesce((select id from first order by id desc limit 1 offset ${atMost(limit)} - 1), ${lowest}) as id
    ),
    full_days as materialized (select day from first group by day having count(*) = ${HEADS})
    select id from (
      select day, id from first
      union all
      ${newestOf(sql`full_days`, sql`(select id from edge)`, sql`limit ${atMost(limit)} offset ${HEADS}`)}
    ) as newest
    order by id desc
    limit ${atMost(limit)}`;
}

/** All days that a range has to do with. */
function daysWithin({ from, until }: Bounds): Sql {
  const first = dayOf(sql`(select ${from.toString()}::timestamptz)`);
  return sql`select generate_series(${first}, (select ${until.toString()}::timestamptz), '1 day') as day`;
}

/** What bounds ranges on one side. */
function boundOf(ranges: readonly Condition[], operators: readonly string[]): Temporal.Instant | undefined {
  const text = ranges.find(({ operator }) => operators.includes(operator))?.values[0];
  return text === undefined ? undefined : Temporal.Instant.from(text);
}
