import { escapeIdentifier, type Client, type ClientConfig } from 'pg';
import { liftTransactionTimeout, openClient, SAME_TEXT_EVERYWHERE } from './connection.ts';
import type { AppliedMigration } from './migrate.ts';
import type { RESTORE } from './migration-lock.ts';

/** A table of ours as it is copied. */
export interface CopiedTable {
  readonly name: string;
  /** All but those that the database computes. */
  readonly columns: readonly string[];
  /** Transaction ids, and what names the server, which mean nothing on another one: copied as null. */
  readonly foreignColumns: readonly string[];
  /** It has its one row from the first migration on. */
  readonly isSingleton: boolean;
}

/** A connection of its own, without the limits in time of the service's pool; whoever it keeps waiting reads its name. */
export async function withCopyClient<Result>(
  connection: ClientConfig,
  name: 'wattline backup' | typeof RESTORE,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(connection, name);
  try {
    await client.query(
      `${SAME_TEXT_EVERYWHERE};
       set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
       ${liftTransactionTimeout('session')}`,
    );
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The plain tables of the schema `public` but the one of the migrations, by name. We make nothing else that has rows. */
export async function readTables(client: Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<{
    name: string;
    columns: string[];
    foreign_columns: string[];
    is_singleton: boolean;
  }>(
    `select relname::text as name,
       array(
         select attname::text from pg_attribute
         where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
         order by attnum
       ) as columns,
       array(
         select attname::text from pg_attribute
         where attrelid = pg_class.oid and attnum > 0 and not attisdropped and not attnotnull
           and (atttypid = 'xid8'::regtype or (relname, attname) = ('event_feed_state', 'origin'))
       ) as foreign_columns,
       exists (
         select from pg_attribute where attrelid = pg_class.oid and attname = 'only_row' and not attisdropped
       ) as is_singleton
     from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'wattline_migrations'
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
     order by relname collate "C"`,
  );
  return rows.map(({ name, columns, foreign_columns: foreignColumns, is_singleton: isSingleton }) => {
    return { name, columns, foreignColumns, isSingleton };
  });
}

/** What the schema was made by; `null`: it was not made by us. */
export async function readMigrationsOf(
  client: Client,
): Promise<(AppliedMigration & { readonly applied_at: string })[] | null> {
  const { rows: known } = await client.query<{ present: boolean }>(
    `select to_regclass('public.wattline_migrations') is not null as present`,
  );
  if (known[0]?.present !== true) return null;
  const { rows } = await client.query<AppliedMigration & { applied_at: string }>(
    'select version, name, checksum, applied_at::text from wattline_migrations order by version',
  );
  return rows;
}

/** Names as they stand in SQL, with commas between. */
export function listNames(names: readonly string[]): string {
  return names.map(escapeIdentifier).join(', ');
}
