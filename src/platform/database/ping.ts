import type { Database } from './pool.ts';
import { sql } from './sql.ts';

/** Resolves when the database answers, holds our schema, and takes what is written; rejects otherwise. */
export async function ping(database: Database): Promise<void> {
  const [row] = await database.query<{ read_only: string }>(
    sql`select current_setting('transaction_read_only') as read_only from wattline_migrations limit 1`,
  );
  if (row?.read_only !== 'off') throw new Error('the database takes no writes');
  if (database.isFull()) throw new Error('the disk of the database is full');
}
