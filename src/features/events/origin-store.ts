/** Which server gives the feed its places, and how it goes on at another one. */
import { isForbidden, sqlState } from '#platform/database/errors.ts';
import type { Database, Queryable, Transaction } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';

/**
 * Positions are counted anew from a later multiple of this on after a restore or a fail-over: whoever has read further before
 * than what is there now misses nothing, and a cursor shows by its position whether the snapshot in it is of this server. Which
 * multiple is a question of the time, so that whoever has read on where a backup was restored before misses nothing where it
 * is restored again.
 */
export const ERA = 1_000_000_000n;
/** An era for each such moment: enough until the year 2145. */
const ERA_MS = 600;

/** Where the next era of a row of `event_feed_state` begins. */
const nextEra = sql`${String(ERA)}::bigint * greatest(
  last_position / ${String(ERA)}::bigint + 1, floor(extract(epoch from now()) * 1000 / ${ERA_MS}::integer)::bigint
)`;

/**
 * Which table of which database this is, and on which timeline: another one, or one that has taken over from one that failed,
 * may have given positions to others than those that readers have seen. A scalar; an error where the server does not say.
 */
export const originHere = sql`(
  select concat_ws('/', (select system_identifier from pg_control_system()), oid, 'event_feed_state'::regclass::oid,
    left(pg_walfile_name(pg_current_wal_lsn()), 8))
  from pg_database where datname = current_database()
)`;

/** The origin as it is here; null where the server does not say. */
export async function readOrigin(database: Database): Promise<string | null> {
  try {
    const [row] = await database.query<{ origin: string }>(sql`select ${originHere} as origin`);
    return row?.origin ?? null;
  } catch (error) {
    // Of some providers' databases these functions are closed, or refuse.
    if (isForbidden(error) || sqlState(error) !== undefined) return null;
    throw error;
  }
}

/**
 * Whether the feed has got its places elsewhere so far.
 * @param origin where it got them; null: before that was kept
 * @param here where it is; null: the server does not say
 */
export function isMoved(origin: string | null, here: string | null): boolean {
  return origin !== null && here !== null && origin !== here;
}

/** An origin but for its timeline: a standby that has taken over counts its primary's transactions on. */
function countOf(origin: string | null): string | undefined {
  return origin?.slice(0, origin.lastIndexOf('/'));
}

/**
 * Takes up a feed that comes from another server, whose transactions count otherwise: gives positions to what has none,
 * and counts from the present on. Nobody else writes events meanwhile, or else only on this server.
 */
export async function takeUpFeed(transaction: Transaction): Promise<void> {
  await transaction.query(sql`
    with state as materialized (
      select ${nextEra} as beginning from event_feed_state for update
    ), forgotten as materialized (
      select events.project_id, events.id,
        row_number() over (order by events.occurred_at, coalesce(events.subscription_id, events.resource_id),
          events.sequence) as place
      from events
      where not exists (
        select from event_feed where event_feed.project_id = events.project_id and event_feed.event_id = events.id
      )
    ), inserted as (
      insert into event_feed (project_id, position, event_id)
      select project_id, state.beginning + place, id from forgotten, state
    ), foreign_ids as (
      -- Otherwise they had their turn again once this server has come to these numbers.
      update events set transaction_id = null
      where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
    )
    update event_feed_state set
      published = pg_snapshot_xmin(pg_current_snapshot()),
      last_position = state.beginning + (select count(*) from forgotten)
    from state`);
}

/** What tells whether the feed comes from another server. */
interface FeedState {
  /** Counted further than this server has come. */
  readonly is_ahead: boolean;
  readonly origin: string | null;
}

async function readFeedState(queryable: Queryable): Promise<FeedState> {
  const [state] = await queryable.query<FeedState>(sql`
    select published > pg_snapshot_xmax(pg_current_snapshot()) as is_ahead, origin from event_feed_state`);
  if (state === undefined) throw new Error('the feed has no state');
  return state;
}

/**
 * Takes the feed up after a restore into another database, and begins an era of places after a fail-over; does nothing
 * otherwise. Takes as long as it needs: after a restore there may be very many events.
 */
export async function mendFeed(database: Database): Promise<void> {
  const here = await readOrigin(database);
  // Looked at without a lock first: that would be a write, and a start would wait for a standby that is away.
  const known = await readFeedState(database);
  if (!known.is_ahead && (here === null || known.origin === here)) return;
  await database.transaction(async (transaction) => {
    await transaction.query(sql`select from event_feed_state for update`);
    // By a statement of its own: one that had waited for others to publish would hold their bound against its older snapshot.
    const { is_ahead: isAhead, origin } = await readFeedState(transaction);
    const isElsewhere = isMoved(origin, here);
    if (isAhead || (isElsewhere && countOf(origin) !== countOf(here))) await takeUpFeed(transaction);
    else if (isElsewhere) await beginEra(transaction);
    if (here !== null) await transaction.query(sql`update event_feed_state set origin = ${here}`);
  }, 'unhurried');
}

/** What the server had lost when it took over, others may have read: places that it gives from now on lie beyond theirs. */
async function beginEra(transaction: Transaction): Promise<void> {
  await transaction.query(sql`update event_feed_state set last_position = ${nextEra}`);
}
