import type { Transaction } from './pool.ts';
import { sql } from './sql.ts';

/** Lets one instance at a time set up an empty database; held until the transaction ends. */
export async function lockBootstrap(transaction: Transaction): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('wattline/bootstrap', 0))`);
}
