import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/** Resolves when the database answers and holds our schema; rejects otherwise. */
export async function ping(queryable: Queryable): Promise<void> {
  await queryable.query(sql`select from wattline_migrations limit 1`);
}
