import { comparisons, idBounds } from '#platform/database/conditions.ts';
import { inItsTime } from '#platform/database/hasty.ts';
import type { Database, Hasty, Queryable } from '#platform/database/pool.ts';
import { asProject, joinSql, sql, type Sql } from '#platform/database/sql.ts';
import { filters, type Listing } from './store.ts';
import { customerColumns, type CustomerRow } from '../subscriptions/index.ts';

/** A word that is searched for; all are patterns of `like`. */
export interface Word {
  /** How it stands in the folded text. */
  readonly pattern: string;
  /**
   * The same behind a vowel that has swallowed its `e`, as in Bioenergie: how it stands in the folded text then, any of
   * these, and in the name itself. Null: it has no such `e`, or too little else.
   */
  readonly swallowed: { readonly folded: readonly string[]; readonly literal: string } | null;
}

/** What is searched for: words, all of which a customer must have; one at least. */
export interface Search extends Listing {
  readonly words: readonly Word[];
}

/** What was typed as customers are searched: words of letters and digits with single blanks between. */
export async function foldForSearch(queryable: Queryable, text: string): Promise<string> {
  const [row] = await queryable.query<{ folded: string }>(sql`select fold_for_search(${text}::text) as folded`);
  return row?.folded ?? '';
}

/**
 * How many of the newest customers are looked through before the index is asked. The `first` suffice for a name that
 * one in a hundred has. Where they hold so few that a page of them lies further back, but within `reach`, more are
 * looked through: the index gives all who have the name, in no order, each to be read from another place of the disk.
 */
const LOOKED_THROUGH = { first: 4_000, times: 3, most: 40_000, reach: 100_000 };

/** The index gives those in its time who have their name in common with few, and a walk those who have it with many. */
const BY_INDEX: Hasty = { limitMs: 300, isAnew: true };
const BY_WALK: Hasty = { limitMs: 700, isAnew: true };

/**
 * A page of those who are searched for after a position, newest first. A word may be in very many customers, which the index
 * would give one and all, and several words in few of them: the planner knows neither, and would sort all of them, or walk
 * the whole list. So the list is walked a little; then the index is asked; and when it has too much to give, the list is
 * walked on: of what so many have, a page is not far, though none of the newest has it. Where that is not so either, the
 * index is given the time that it needs.
 */
export async function searchCustomers(
  database: Pick<Database, 'transaction'>,
  projectId: string,
  { conditions, words, after, limit }: Search,
): Promise<CustomerRow[]> {
  const position = after === null ? sql`` : sql` and id < ${after}`;
  const place = sql`project_id = ${asProject(projectId)}${idBounds(sql`id`, 'updated_at', conditions)}${position}`;
  const search = joinSql(words.map(holds), sql` and `);
  const wanted = sql`${place}${comparisons(conditions, filters)} and ${search}`;
  /** @param bound how far the list is walked at most; `offset 0` keeps the planner from another way */
  const along = (bound: Sql): Sql => sql`
    select ${customerColumns} from (
      select project_id, search_text, ${customerColumns} from customers
      where ${place}
      order by id desc
      ${bound}
    ) as newest
    where ${wanted}
    order by id desc
    limit ${limit}`;
  const page = await database.transaction(async (transaction) => {
    const { first, times, most, reach } = LOOKED_THROUGH;
    for (let count = first; count <= most; count *= times) {
      const newest = await transaction.query<CustomerRow>(along(sql`limit ${count}`));
      if (newest.length === limit) return newest;
      if (newest.length * reach < limit * count) break;
    }
    return null;
  }, 'anew');
  if (page !== null) return page;
  const byIndex = sql`
    with found as materialized (select ${customerColumns} from customers where ${wanted})
    select ${customerColumns} from found
    order by id desc
    limit ${limit}`;
  const ask = (statement: Sql, kind: Hasty | 'anew'): Promise<CustomerRow[]> =>
    database.transaction((transaction) => transaction.query<CustomerRow>(statement), kind);
  return (
    (await inItsTime(ask(byIndex, BY_INDEX))) ??
    (await inItsTime(ask(along(sql`offset 0`), BY_WALK))) ??
    (await ask(byIndex, 'anew'))
  );
}

/**
 * Takes into the index what sign-ups have appended to it since the last time. When that is more than 4 MB, PostgreSQL has
 * one of them do it, and wait for it: with ten million customers, a quarter of a second for each half megabyte.
 */
export function mergeIntoSearch(database: Pick<Database, 'transaction'>): Promise<void> {
  return database.transaction(async (transaction) => {
    // In portions, the least that every version of PostgreSQL takes: what was merged stays, also when the time is over.
    await transaction.query(sql`select set_config('maintenance_work_mem', '1MB', true)`);
    await transaction.query(sql`select gin_clean_pending_list('customers_search')`);
  });
}

function holds({ pattern, swallowed }: Word): Sql {
  const plain = sql`search_text like ${pattern}`;
  if (swallowed === null) return plain;
  const { folded, literal } = swallowed;
  const any = joinSql(
    folded.map((each) => sql`search_text like ${each}`),
    sql` or `,
  );
  return sql`(${plain} or ((${any}) and lower(concat_ws(' ', company_name, first_name, last_name, email)) like ${literal}))`;
}
