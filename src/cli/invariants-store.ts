/**
 * What must be true of the whole database, whatever the service does, wherever it was cut off. Each is one statement that
 * finds what breaks it, read in one snapshot beside the running service: what happens later than a commit, such as the
 * publication of events, is judged by what that work itself has written down.
 */
import type { IdPrefix } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { invariantsOfCopies } from './invariants-copies-store.ts';
import { invariantsOfRecords } from './invariants-records-store.ts';
import { invariantsOfSupply } from './invariants-supply-store.ts';

/** Something that must be true of all rows, however that is found out. */
export interface Promised {
  /** In lower case with underscores; stands in what `doctor` prints. */
  readonly name: string;
  /** What is promised, in one sentence. */
  readonly promise: string;
  /** What the ids of violations name; null: they are shown as they are. */
  readonly prefix: IdPrefix | null;
}

/** One that PostgreSQL finds out by itself. */
export interface Invariant extends Promised {
  /** Selects one row with `id` for each violation. */
  readonly violations: Sql;
}

/** What breaks an invariant. */
export interface Violations {
  readonly count: number;
  /** Some of their ids as they are stored. */
  readonly examples: readonly string[];
}

/** All invariants, in the order in which they are checked. */
export const invariants: readonly Invariant[] = [...invariantsOfSupply, ...invariantsOfCopies, ...invariantsOfRecords];

/** How many ids are told of what breaks an invariant. */
export const EXAMPLES = 5;

/** Looks for all that breaks the invariants, in one snapshot of the database; `report` gets each as soon as it is known. */
export async function findViolations(
  database: Database,
  invariants: readonly Invariant[],
  report: (invariant: Invariant, violations: Violations) => void,
): Promise<void> {
  await database.transaction(async (transaction) => {
    // Whole tables are put side by side: by sorting and hashing, not row by row, also where the planner takes them for
    // small, as it does after a crash.
    await transaction.query(sql`
      select set_config('work_mem', '64MB', true), set_config('enable_nestloop', 'off', true)`);
    for (const invariant of invariants) {
      const [row] = await transaction.query<{ count: string; examples: string[] }>(sql`
        with violations as materialized (${invariant.violations})
        select (select count(*) from violations) as count,
          array(select id::text from violations order by 1 limit ${EXAMPLES}) as examples`);
      report(invariant, { count: Number(row?.count), examples: row?.examples ?? [] });
    }
  }, 'survey');
}
