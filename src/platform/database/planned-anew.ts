import type { Database, Transaction, TransactionKind } from './pool.ts';
import { sql, type Sql } from './sql.ts';

/**
 * A transaction whose statements are planned for their values each time they are asked: for those of which it depends on the
 * values which plan is the right one, while a connection would keep one plan for all.
 * @throws DatabaseUnavailable
 */
export function plannedAnew<Result>(
  database: Pick<Database, 'transaction'>,
  work: (transaction: Transaction) => Promise<Result>,
  kind: TransactionKind = 'usual',
): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`);
    return work(transaction);
  }, kind);
}

/** One statement, as `plannedAnew` says. */
export function queryPlannedAnew<Row>(database: Pick<Database, 'transaction'>, statement: Sql): Promise<Row[]> {
  return plannedAnew(database, (transaction) => transaction.query<Row>(statement));
}
