import type { Keys } from '#platform/crypto.ts';
import type { Database } from './pool.ts';
import { sql, type Sql } from './sql.ts';

/** A row of which something is encrypted. */
export interface EncryptedRow {
  readonly project_id: string;
  /** Unique in its project. */
  readonly id: string;
}

/** What of a table is encrypted. */
export interface Encrypted<Row extends EncryptedRow> {
  /** Selects all rows that have something encrypted, each with its `project_id`, its `id` and what it is opened with. */
  readonly rows: Sql;
  /** @throws when it was encrypted with another key, was changed, belongs to another row, or is not what it should be */
  readonly open: (keys: Keys, row: Row) => void;
  /** What names a row to an operator; its `id`, unless said otherwise. */
  readonly nameOf?: (row: Row) => string;
}

/** What cannot be read. */
export interface Illegible {
  readonly count: number;
  /** What names some of them. */
  readonly examples: readonly string[];
}

/** How much is told, and how much is read at a time. */
export interface Reading {
  readonly maxExamples: number;
  /** So many rows: as a rule a few megabytes. */
  readonly portion?: number;
}

/** What opening them needs. */
export interface ReadingDependencies {
  readonly database: Database;
  readonly keys: Keys;
}

const PORTION = 5_000;

/** Opens what is encrypted of every row of a table, as they are at one instant, and finds those that cannot be read. */
export async function findIllegible<Row extends EncryptedRow>(
  { database, keys }: ReadingDependencies,
  { rows, open, nameOf = ({ id }) => id }: Encrypted<Row>,
  { maxExamples, portion = PORTION }: Reading,
): Promise<Illegible> {
  const opens = (row: Row): boolean => {
    try {
      open(keys, row);
      return true;
    } catch {
      return false;
    }
  };
  return database.transaction(async (transaction) => {
    const examples: string[] = [];
    let count = 0;
    for (let last: Row | null = null; ;) {
      const place: Sql = last === null ? sql`` : sql`where (project_id, id) > (${last.project_id}, ${last.id})`;
      const page: Row[] = await transaction.query<Row>(sql`
        select * from (${rows}) as encrypted ${place} order by project_id, id limit ${portion}`);
      for (const row of page) {
        if (opens(row)) continue;
        count += 1;
        if (examples.length < maxExamples) examples.push(nameOf(row));
      }
      if (page.length < portion) return { count, examples };
      last = page.at(-1) ?? null;
    }
  }, 'survey');
}
