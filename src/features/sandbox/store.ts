import type { Transaction } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import type { ProjectTime } from '../projects/index.ts';

/** The clock of a sandbox project. */
export type ClockRow = Pick<ProjectTime, 'clock_at' | 'clock_target'>;

/** The clock of a project, which nobody else moves until the transaction ends. */
export async function lockClock(transaction: Transaction, projectId: string): Promise<ClockRow | undefined> {
  const [row] = await transaction.query<ClockRow>(sql`
    select clock_at, clock_target from projects where id = ${projectId} for no key update`);
  return row;
}

/** Sets a clock moving. */
export async function setClock(
  transaction: Transaction,
  projectId: string,
  { clock_at: clockAt, clock_target: target }: ClockRow,
): Promise<void> {
  await transaction.query(sql`
    update projects set clock_at = ${clockAt}, clock_target = ${target} where id = ${projectId}`);
}
