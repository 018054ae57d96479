import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/**
 * Makes sure that a connection has the settings it asks for, by which instants and days come as they are read here; a pooler
 * such as PgBouncer may be told to drop them. And that the operator does not want
 * commits to be answered before they are on the disk: connections would not do so, and whoever set it should know.
 * @throws Error with a sentence for the operator
 */
export async function requireSession(queryable: Queryable): Promise<void> {
  const [row] = await queryable.query<Record<'timezone' | 'datestyle' | 'enable_seqscan' | 'durability', string>>(sql`
    select current_setting('timezone') as timezone, current_setting('datestyle') as datestyle,
      current_setting('enable_seqscan') as enable_seqscan,
      (select reset_val from pg_settings where name = 'synchronous_commit') as durability`);
  const { durability, ...session } = row ?? { durability: 'unknown' };
  const isAsAsked = row?.timezone === 'UTC' && row.datestyle.startsWith('ISO') && row.enable_seqscan === 'off';
  if (!isAsAsked) {
    throw new Error(
      `A connection to the database does not have the settings that it has asked for, but ${JSON.stringify(session)}: DATABASE_URL ` +
        'must lead to PostgreSQL itself, or to a pooler that hands the startup parameter "options" on.',
    );
  }
  if (durability === 'off') {
    throw new Error(
      'The database answers before what it has committed is on its disk, as synchronous_commit is off: a crash would lose ' +
        'what Wattline has answered. `alter role … set synchronous_commit = on` for the role in DATABASE_URL.',
    );
  }
}
