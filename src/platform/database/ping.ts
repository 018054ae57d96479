import { DatabaseUnavailable, READ_ONLY, sqlState } from './errors.ts';
import { type Database } from './pool.ts';
import { sql } from './sql.ts';

/** Resolves when the database answers, holds our schema, and takes what is written; rejects otherwise. */
export async function ping(database: Database): Promise<void> {
  // A session that began while the database took no writes keeps to that for as long as it lasts, and refused it ends: each
  // that lay idle may be one, and what a new one says is so.
  for (let idle = database.counts().idle; ; idle -= 1) {
    try {
      await look(database);
      break;
    } catch (error) {
      if (idle <= 0 || !(error instanceof DatabaseUnavailable) || sqlState(error.cause) !== READ_ONLY) throw error;
    }
  }
  if (!(await database.hasRoom()))
    throw new Error('the database has no room for what is written, on its disk or among its transaction ids');
  if (await database.isStalled()) throw new Error('the database does not end what it is to write');
}

async function look(database: Database): Promise<void> {
  // The lock is on nothing; where no write is taken, it is refused as one would be.
  const rows = await database.query(sql`
    select from wattline_migrations
    where not exists (select from wattline_migrations where false for key share)
    limit 1`);
  if (rows.length === 0) throw new Error('the database does not hold our schema');
}
