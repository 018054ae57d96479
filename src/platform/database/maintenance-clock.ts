import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/** Whether what has grown old by the clock may be removed. */
export interface SeenTime {
  readonly isBelieved: boolean;
  /** When it is, if nobody sets the clock until then; a UTC instant. */
  readonly from: string;
}

/**
 * Notes the present, and tells whether to believe it. Not for a day after it has gone on by more than a day since somebody
 * looked last: the service was away for as long, or the clock was set, and is set back once that is seen. Looks are to come
 * far more often than once a day. A clock that goes back by more than a day shows that the one before was wrong.
 *
 * @param now a UTC instant
 */
export async function seeTime(queryable: Queryable, now: string): Promise<SeenTime> {
  const [seen] = await queryable.query<{ believed: boolean; rests_until: string }>(sql`
    update maintenance_clock set
      seen_at = ${now}::timestamptz,
      rests_until = case
        when ${now}::timestamptz > seen_at + interval '1 day' then ${now}::timestamptz + interval '1 day'
        when ${now}::timestamptz < seen_at - interval '1 day' then ${now}::timestamptz
        else rests_until
      end
    returning rests_until <= ${now}::timestamptz as believed, rests_until`);
  if (seen === undefined) throw new Error('the migrations have made the one row');
  return { isBelieved: seen.believed, from: seen.rests_until };
}
