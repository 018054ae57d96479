import {
  comparison,
  comparisons,
  type ConditionTable,
  idBounds,
  type IdRange,
  idRangeOf,
  isIdRange,
  isOfCreation,
} from '#platform/database/conditions.ts';
import { inItsTime } from '#platform/database/hasty.ts';
import type { Database, Hasty, Queryable, TransactionKind } from '#platform/database/pool.ts';
import { FOR_EACH_ROW, gatherFew } from '#platform/database/ranges.ts';
import { idsOfOthers, pageByIds } from '#platform/database/several.ts';
import { asProject, atMost, sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import type { FeedPosition } from '../events/index.ts';
import { idsInCommon, idsOfSingle, isEqual, normalised, ORDERED, SELECTIVE, withEmail } from './list-ids-store.ts';
import { newestInRanges, newestWantedInRanges, rangesByTime } from './list-range-store.ts';
import { entriesFrom, METADATA } from './metadata-store.ts';
import type { SubscriptionRow } from './present.ts';
import { settleStage } from './settle-stage.ts';
import { subscriptionColumns } from './store.ts';

/** A page of subscriptions after a position, newest first. */
export async function listSubscriptions(
  database: Lists,
  projectId: string,
  conditions: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<SubscriptionRow[]> {
  return listBy(
    database,
    await waysTo(database, projectId, conditions, after, limit),
    limit,
    (page) => page,
    () => true,
  );
}

/** What lists ask of the database. */
type Lists = Pick<Database, 'query' | 'transaction'>;

/** A subscription of a first page, with where the feed of events stands in the very same snapshot. */
type FirstPageRow = SubscriptionRow & { readonly feed_position: string; readonly feed_snapshot: string };

/** The first page of subscriptions, newest first, and from where the feed of events tells what comes after it. */
export async function listNewest(
  database: Lists,
  projectId: string,
  conditions: readonly Condition[],
  limit: number,
): Promise<{ readonly rows: SubscriptionRow[]; readonly feed: FeedPosition }> {
  const isThere = ({ id }: FirstPageRow): boolean => (id as string | null) !== null;
  const found = await listBy<FirstPageRow>(
    database,
    await waysTo(database, projectId, conditions, null, limit),
    limit,
    (page) => sql`
      select page.*, feed.position as feed_position, feed.snapshot as feed_snapshot
      from (select last_position as position, pg_current_snapshot()::text as snapshot from event_feed_state) as feed
      left join lateral (${page}) as page on true
      order by page.id desc`,
    isThere,
  );
  const [first] = found;
  if (first === undefined) throw new Error('the feed has no state');
  return { rows: found.filter(isThere), feed: { position: first.feed_position, snapshot: first.feed_snapshot } };
}

/** How many rows of a range of time are sorted into the order of the list, where there are further conditions. */
const GATHERED = 10_000;
/** Of a range that holds more, the newest of the list may hold enough; and of what few lack. In the text, as `atMost` tells. */
const LOOKED_THROUGH = { inRange: sql`20000`, lacking: sql`500` };
/** How many customers may share one e-mail address before it counts as nobody's. */
const SHARED = 1_000;

/**
 * For a walk along the list; and for one after which a cheap way is left, as `inOrderOfList` tells. How common what is asked
 * for is decides whether it is a walk at all.
 */
const WALK: Hasty = { limitMs: 500, isAnew: true };
const SHORT_WALK: Hasty = { limitMs: 100, isAnew: true };

/** One way to a page. `whole`: the page is what it finds. `newest`: it is when it is filled. `Hasty`: it is in that time. */
interface Way {
  readonly page: Sql;
  readonly kind: 'whole' | 'newest' | Hasty;
  /** Planned for what is asked each time it is asked: how common it is decides which plan is the right one. */
  readonly isAnew?: true;
}

/**
 * The ways to list a page, each to be tried when the one before did not lead there. How much of the list a range of time
 * holds, and where, is what the planner knows least: it would walk the whole list for a handful of rows.
 */
async function waysTo(
  queryable: Queryable,
  projectId: string,
  asked: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<readonly Way[]> {
  const conditions = settleStage(asked);
  if (conditions === null) {
    return [{ kind: 'whole', page: sql`select ${subscriptionColumns} from subscriptions where false` }];
  }
  const timed = rangesByTime(conditions);
  const [only, another] = timed;
  const range = idRangeOf(conditions, after);
  const isAlone = conditions.every((condition) => isOfCreation(condition) || only?.ranges.includes(condition) === true);
  if (only !== undefined && another === undefined && isAlone && isIdRange(conditions)) {
    const ids = newestInRanges({ projectId, range, ...only }, limit);
    return [{ kind: 'whole', page: pageOfIds(projectId, ids, limit) }];
  }
  const place = placeOf(projectId, conditions, after);
  const wanted = sql`${place}${comparisons(conditions, filters(projectId, place))}`;
  const ofFew = sql`${place}${comparisons(conditions, filters(projectId, place, FOR_EACH_ROW))}`;
  const placed = { place, range, wanted, ofFew };
  const inOrder = await inOrderOfList(queryable, projectId, conditions, placed, limit);
  // What few have is looked for by that, and not by a range beside it.
  if (timed.length === 0 || (inOrder.length === 1 && !isAlone)) return inOrder;
  return inRanges(queryable, projectId, conditions, placed, limit, inOrder);
}

const SUBSCRIPTIONS = { table: sql`subscriptions` };

/** The subscriptions that some ids name, newest first. */
function pageOfIds(projectId: string, ids: Sql, limit: number): Sql {
  return pageByIds({ ...SUBSCRIPTIONS, projectId }, subscriptionColumns, ids, limit);
}

/**
 * Ways to what is in a range of time, of which more is asked: all of it where that is little; or the newest of the list, of
 * each day, and then `inOrder`.
 */
async function inRanges(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  { place, range, ofFew }: Asked,
  limit: number,
  inOrder: readonly Way[],
): Promise<readonly Way[]> {
  const ofEach = filters(projectId, place, FOR_EACH_ROW);
  const timed = rangesByTime(conditions).map(({ time, ranges }) => {
    const others = conditions.filter((condition) => !ranges.includes(condition));
    return { time, ranges, also: sql`${place}${comparisons(others, ofEach)}` };
  });
  for (const { time, ranges, also } of timed) {
    const gathered = await gatherFew(queryable, { ...SUBSCRIPTIONS, place, column: time }, ranges, GATHERED);
    if (gathered === null) continue;
    const page = sql`select ${subscriptionColumns} from subscriptions where ${also}${gathered}
      order by id desc limit ${atMost(limit)}`;
    return [{ kind: 'whole', page, isAnew: true }];
  }
  const kind: Hasty = { ...WALK, limitMs: Math.floor(WALK.limitMs / timed.length) };
  const ofDays = timed.map(({ time, ranges, also }): Way => {
    const ids = newestWantedInRanges({ projectId, range, time, ranges }, limit, also);
    return { kind, page: pageOfIds(projectId, ids, limit) };
  });
  return [newestWith(place, ofFew, LOOKED_THROUGH.inRange, limit), ...ofDays, ...inOrder];
}

/** Where a list is looked for: a project's rows below a position, and within what is asked of their creation. */
function placeOf(projectId: string, conditions: readonly Condition[], after: string | null): Sql {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  return sql`project_id = ${asProject(projectId)}${idBounds(sql`id`, 'updated_at', conditions)}${position}`;
}

/** Along the list, through so many of the newest at most. */
function newestWith(place: Sql, wanted: Sql, most: Sql, limit: number): Way {
  const page = sql`
    select ${subscriptionColumns} from (
      select * from subscriptions where ${place}
      order by id desc
      limit ${most}
    ) as subscriptions
    where ${wanted}
    order by id desc
    limit ${atMost(limit)}`;
  return { kind: 'newest', page };
}

/**
 * What is listed: `place`, which the position and times of creation bound, `range`, the ids there at most, and `wanted`, all
 * that is asked of it; `ofFew`, the same asked of one row after the other.
 */
interface Asked {
  readonly place: Sql;
  readonly range: IdRange;
  readonly wanted: Sql;
  readonly ofFew: Sql;
}

/**
 * Ways that leave it to the planner. It expects what is asked for to be spread evenly over the list, and walks along it
 * until the page is full: where it is not, as when no row has both of two common values, that may be the whole list, row
 * by row. It is stopped then, and told to find all that there is, from its indexes; soon where one is enough, or these have
 * the order of the list, and are read no further than the page goes.
 */
async function inOrderOfList(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  { place, range, wanted, ofFew }: Asked,
  limit: number,
): Promise<readonly Way[]> {
  const pageOf = (which: Sql): Sql =>
    sql`select ${subscriptionColumns} from subscriptions where ${which} order by id desc limit ${atMost(limit)}`;
  const others = conditions.filter((condition) => !isOfCreation(condition));
  const list = { ...SUBSCRIPTIONS, projectId, place, range, ordered: ORDERED };
  const pageOfNewest = (ids: Sql): Sql => pageOfIds(projectId, ids, limit);
  const lacking = idsOfOthers(list, others, limit);
  if (lacking !== null) {
    // What few lack is among the newest as a rule, whom to look through needs no plan of its own.
    const newest = newestWith(place, wanted, LOOKED_THROUGH.lacking, limit);
    return [newest, { kind: 'whole', page: pageOfNewest(lacking), isAnew: true }];
  }
  const [only, another] = others;
  const single = only === undefined || another !== undefined ? null : idsOfSingle(list, only, limit);
  if (single !== null) return [{ kind: 'whole', page: pageOfNewest(single) }];
  const selective = others.filter((condition) => SELECTIVE.has(condition.field) && isEqual(condition));
  const isCommon = selective.length > 0 && (await areCommonEmails(queryable, projectId, selective));
  const isPlain = selective.length > 0 || (others.length <= 1 && others.every(isEqual));
  if (isPlain && !isCommon) {
    const whole: Way = { kind: 'whole', page: pageOf(wanted) };
    // Of a kept plan nobody knows how large the table was that it was made for.
    return [others.length === 0 ? whole : { ...whole, isAnew: true }];
  }
  const common = idsInCommon(projectId, others, place);
  const ids = common?.ids ?? sql`select id from (select id from subscriptions where ${wanted} offset 0) as found`;
  const all: Way = { kind: 'whole', page: pageOfNewest(ids), isAnew: true };
  // Of a range its days have been looked through before.
  const isQuick = common !== null && (common.isInOrder || others.length === 1 || rangesByTime(others).length > 0);
  return [{ kind: isQuick ? SHORT_WALK : WALK, page: pageOf(isCommon ? ofFew : wanted) }, all];
}

/** Whether what is asked of is e-mail addresses only, such as that of nobody, which very many customers share. */
async function areCommonEmails(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
): Promise<boolean> {
  if (conditions.some(({ field }) => field !== 'customer.email')) return false;
  for (const { values } of conditions) {
    const [counted] = await queryable.query<{ found: number }>(sql`
      select count(*)::integer as found
      from (select from ${withEmail(projectId, values)} limit ${atMost(SHARED + 1)}) as counted`);
    if ((counted?.found ?? 0) <= SHARED) return false;
  }
  return true;
}

/** Tries one way after the other until one leads to the page. */
async function listBy<Row>(
  database: Lists,
  ways: readonly Way[],
  limit: number,
  statementOf: (page: Sql) => Sql,
  isThere: (row: Row) => boolean,
): Promise<Row[]> {
  for (const way of ways) {
    const rows = await ask<Row>(database, way, statementOf(way.page));
    const { kind } = way;
    if (rows !== null && (kind !== 'newest' || rows.filter(isThere).length === limit)) return rows;
  }
  throw new Error('the last way leads to the page');
}

/** Null: it was not done in its time. */
async function ask<Row>(database: Lists, { kind, isAnew }: Way, statement: Sql): Promise<Row[] | null> {
  const inTransaction = (how: TransactionKind): Promise<Row[]> =>
    database.transaction((transaction) => transaction.query<Row>(statement), how);
  if (typeof kind === 'object') return inItsTime(inTransaction(kind));
  return isAnew === true ? inTransaction('anew') : database.query<Row>(statement);
}

/** @param place what is listed at most. @param ending of what exists elsewhere, as `FOR_EACH_ROW` */
function filters(projectId: string, place: Sql, ending: Sql = sql``): ConditionTable {
  return {
    stage: (compare) => compare(sql`stage`, 'text'),
    plan: (compare) => compare(sql`plan_id`, 'uuid'),
    customer: (compare) => compare(sql`customer_id`, 'uuid'),
    supplier: (compare) => compare(sql`supplier_id`, 'uuid'),
    lead: (compare) => compare(sql`lead_id`, 'uuid'),
    external_id: (compare) => compare(sql`external_id`, 'text'),
    number: (compare) => compare(sql`number`, 'text'),
    'meter.number': (_, condition) => comparison(sql`meter_number_normalised`, 'text', normalised(condition)),
    'meter.malo': (compare) => compare(sql`malo`, 'text'),
    'customer.email': (_, condition) => emailFilter(projectId, condition, ending),
    // It is part of the place already.
    created_at: () => sql`true`,
    updated_at: (compare) => compare(sql`updated_at`, 'timestamptz'),
    start_at: (compare) => compare(sql`start_at`, 'timestamptz'),
    end_at: (compare) => compare(sql`end_at`, 'timestamptz'),
    created_by: (compare) => compare(sql`created_by`, 'uuid'),
    'next_action.actor': (_, condition) => nextActionFilter(sql`(next_action ->> 'actor')`, condition),
    'next_action.code': (_, condition) => nextActionFilter(sql`(next_action ->> 'code')`, condition),
    metadata: (_, condition) =>
      sql`exists (select ${entriesFrom(METADATA, condition, place)} and entry.id = subscriptions.id${ending})`,
  };
}

/** `next_action is not null` lets the partial indexes serve it. */
function nextActionFilter(column: Sql, condition: Condition): Sql {
  const compared = comparison(column, 'text', condition);
  const onlyWaiting =
    condition.operator === 'eq' ||
    condition.operator === 'in' ||
    (condition.operator === 'is_null' && condition.values[0] === 'false');
  return onlyWaiting ? sql`next_action is not null and ${compared}` : compared;
}

/** E-mail addresses are matched as `ignoringCase` says. @param ending as of `filters` */
function emailFilter(projectId: string, { operator, values }: Condition, ending: Sql): Sql {
  if (operator === 'is_null') return values[0] === 'true' ? sql`false` : sql`true`;
  const customers = withEmail(projectId, values);
  return operator === 'ne'
    ? sql`customer_id not in (select id from ${customers})`
    : sql`exists (select from ${customers} and id = customer_id${ending})`;
}
