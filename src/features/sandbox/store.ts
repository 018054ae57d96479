import type { Transaction } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import type { ProjectTime } from '../projects/index.ts';

/** The clock of a sandbox project. */
type ClockRow = Pick<ProjectTime, 'clock_at' | 'clock_target'>;

/** Sets a clock moving. */
export async function setClock(
  transaction: Transaction,
  projectId: string,
  { clock_at: clockAt, clock_target: target }: ClockRow,
): Promise<void> {
  await transaction.query(sql`
    update projects set clock_at = ${clockAt}, clock_target = ${target} where id = ${projectId}`);
}
