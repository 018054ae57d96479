import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/**
 * Makes sure that a connection has the settings it asks for, by which instants and days come as they are read here. A pooler
 * such as PgBouncer may be told to drop them.
 * @throws Error with a sentence for the operator
 */
export async function requireSession(queryable: Queryable): Promise<void> {
  const [row] = await queryable.query<Record<'timezone' | 'datestyle' | 'enable_seqscan', string>>(sql`
    select current_setting('timezone') as timezone, current_setting('datestyle') as datestyle,
      current_setting('enable_seqscan') as enable_seqscan`);
  if (row?.timezone === 'UTC' && row.datestyle.startsWith('ISO') && row.enable_seqscan === 'off') return;
  throw new Error(
    `A connection to the database does not have the settings that it has asked for, but ${JSON.stringify(row)}: DATABASE_URL ` +
      'must lead to PostgreSQL itself, or to a pooler that hands the startup parameter "options" on.',
  );
}
