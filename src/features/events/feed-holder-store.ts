import type { Queryable } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';

/** The transaction of the server that committed events wait for. */
export interface FeedHolder {
  /** Which transaction it is, as long as the server counts. */
  readonly id: string;
  /** Its process; null of one that is prepared, and of one that our role may not see. */
  readonly pid: number | null;
  readonly application: string | null;
  readonly database: string | null;
  /** The name under which it is prepared (`prepare transaction`): it lasts until somebody ends it by that name. */
  readonly prepared: string | null;
  /** How long it has been in progress; null when that cannot be seen. */
  readonly seconds: number | null;
}

/** What keeps events from the feed, such as a transaction in another database of the server; `undefined` when nothing does. */
export async function findFeedHolder(queryable: Queryable): Promise<FeedHolder | undefined> {
  const [holder] = await queryable.query<FeedHolder>(sql`
    with open as materialized (
      select pid, application_name as application, datname as database, null as prepared, xact_start as since,
        backend_xid as xid
      from pg_stat_activity
      union all
      select null, null, database, gid, prepared, transaction from pg_prepared_xacts
    )
    select oldest::text as id, pid, application, database, prepared, extract(epoch from clock_timestamp() - since)::integer as seconds
    from (select pg_snapshot_xmin(pg_current_snapshot()) as oldest) as snapshot
    left join open on xid = oldest::xid
    where exists (
      select from events where transaction_id >= (select published from event_feed_state) and transaction_id >= oldest
    )`);
  return holder;
}
