/** Pages of whole lists, several read at once: whoever reads many pays for each statement more than for what it finds. */
import { plainArray } from '#platform/database/arrays.ts';
import { ALL_IDS } from '#platform/database/conditions.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { atMost, sql } from '#platform/database/sql.ts';
import { MAX_LIMIT } from '#platform/http/query.ts';
import type { FeedPosition } from '../events/index.ts';
import type { SubscriptionRow } from './present.ts';
import { subscriptionColumns } from './store.ts';

/** Asks for a page of all subscriptions of a project, newest first. */
export interface AskedPage {
  readonly projectId: string;
  /** uuid of the last one of the page before; null: from the newest. */
  readonly after: string | null;
  /** With the row that tells whether there is more. */
  readonly limit: number;
}

/** A page; of a first one also where the feed of events stands in the very same snapshot. */
export interface FoundPage {
  readonly rows: readonly SubscriptionRow[];
  readonly feed: FeedPosition | null;
}

/** A row of one of the pages; the feed stands on those of the first, and a page that is empty has one without an id. */
interface PageRow extends SubscriptionRow {
  readonly place: number;
  readonly feed_position: string | null;
  readonly feed_snapshot: string | null;
}

/**
 * Each page that is asked for, in their order. The longest page there is stands in the text, for of a limit that differs
 * from row to row the planner knows nothing.
 */
export async function readPages(queryable: Queryable, asked: readonly AskedPage[]): Promise<FoundPage[]> {
  const found = await queryable.query<PageRow>(sql`
    select asked.place::integer, feed.position as feed_position, feed.snapshot as feed_snapshot, page.*
    from unnest(
        (select ${plainArray(asked.map(({ projectId }) => projectId))}::uuid[]),
        ${plainArray(asked.map(({ after }) => after ?? ALL_IDS.until))}::uuid[],
        ${plainArray(asked.map(({ limit }) => String(limit)))}::integer[]
      ) with ordinality as asked (project_id, below, most, place)
    left join (
      select last_position as position, pg_current_snapshot()::text as snapshot from event_feed_state
    ) as feed on asked.place = 1
    left join lateral (
      select * from (
        select ${subscriptionColumns} from subscriptions
        where project_id = asked.project_id and id < asked.below
        order by id desc
        limit ${atMost(MAX_LIMIT + 1)}
      ) as longest
      limit asked.most
    ) as page on true`);
  const { feed_position: position = null, feed_snapshot: snapshot = null } =
    found.find(({ place }) => place === 1) ?? {};
  if (position === null || snapshot === null) throw new Error('the feed has no state');
  const pages = asked.map((): SubscriptionRow[] => []);
  for (const row of found) if ((row.id as string | null) !== null) pages[row.place - 1]?.push(row);
  // Joined, rows have no order of their own; it is nearly always the one in which they were read.
  return asked.map(({ after }, index) => ({
    rows: pages[index]?.sort(byNewest) ?? [],
    feed: after === null ? { position, snapshot } : null,
  }));
}

function byNewest({ id }: SubscriptionRow, other: SubscriptionRow): number {
  return id < other.id ? 1 : -1;
}
