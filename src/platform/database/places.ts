import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/** How many connections the server takes from our role at the same time, or from all that connect to our database. */
export async function countPlaces(queryable: Queryable): Promise<number> {
  // Nothing limits a superuser but the places that there are; the second setting came with PostgreSQL 16.
  const [row] = await queryable.query<{ places: string }>(sql`
    select case when r.rolsuper then total else least(
        total - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true)::integer, 0),
        nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)
      ) end as places
    from pg_roles as r, pg_database as d, (select current_setting('max_connections')::integer as total) as server
    where r.rolname = session_user and d.datname = current_database()`);
  return Number(row?.places);
}
