import { sql, type Sql } from '#platform/database/sql.ts';

/**
 * When the database got the migration of that name, and whether that was by an upgrade: `(…) as name` with `since` and
 * `came_later`. What earlier versions have written lacks what came with it.
 */
export function upgradeBy(migration: string): Sql {
  return sql`(
    select max(applied_at) filter (where name = ${migration}) as since,
      max(applied_at) filter (where name = ${migration}) - min(applied_at) > interval '1 minute' as came_later
    from wattline_migrations
  )`;
}
