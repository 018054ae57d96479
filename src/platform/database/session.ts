import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/** Longer than a statement of a transaction ever is behind the one before. */
const SILENCE_MS = 10_000;

/**
 * Settings of every connection. Tables are those that migrations have made, whatever schemas a role or database has in its
 * `search_path`. Whoever waits for a lock must see what was committed meanwhile, whatever isolation is usual in the
 * database. Reading a small table whole is cheap, but the plan is kept, also that of the check of a reference, which
 * nobody can have planned anew: while the table grows it would be read whole for every row that refers to it. Of a
 * transaction nothing is heard any more when its process stands still, its machine has gone, or what lies between has
 * forgotten the connection: the server ends it, or its locks would be held, and the feed with them, for hours; also while
 * it has more to send than there is room for on the way, where no other limit reaches it.
 */
export const SESSION = [
  String.raw`-c search_path=public -c timezone=UTC -c datestyle=ISO -c default_transaction_isolation=read\ committed`,
  '-c jit=off -c enable_seqscan=off -c array_nulls=on -c extra_float_digits=1 -c standard_conforming_strings=on',
  `-c idle_session_timeout=0 -c idle_in_transaction_session_timeout=${SILENCE_MS}`,
  `-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=${SILENCE_MS}`,
].join(' ');

/**
 * Settles for each connection that what it commits is on the disk, or on those that the operator wants it to be on, before
 * it is answered: he may set `off` for his server, role or database at any time.
 */
export const DURABLE = `
  select set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), false)`;

/**
 * Makes sure that a connection has the settings it asks for, by which instants and days come as they are read here; a pooler
 * such as PgBouncer may be told to drop them. And that nobody wants commits to be answered before they are on the disk: they
 * are not, and whoever has set that should know.
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
