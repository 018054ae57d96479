import type { Database } from './pool.ts';
import { sql, type Sql } from './sql.ts';

/**
 * Asks a statement that is planned for its values each time it is asked: for those of which it depends on the values which
 * plan is the right one, while a connection would keep one plan for all.
 * @throws DatabaseUnavailable
 */
export function queryPlannedAnew<Row>(database: Pick<Database, 'transaction'>, statement: Sql): Promise<Row[]> {
  return database.transaction(async (transaction) => {
    await transaction.query(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`);
    return transaction.query<Row>(statement);
  });
}
