import { hashUuid } from '#platform/crypto.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';

/** An index over metadata. */
export interface MetadataIndex {
  readonly table: Sql;
  /** The column that tells whose an entry is. */
  readonly owner: Sql;
}

/**
 * ` from … where …`: the entries that a filter of metadata finds, each with its owner as `id`. The place is said of them too:
 * what begins here would begin with the newest for every page.
 * @param place what is listed at most, such as the project's rows from a position on
 */
export function entriesFrom({ table, owner }: MetadataIndex, { key, values }: Condition, place: Sql): Sql {
  return sql` from (select project_id, ${owner} as id, key_hash, value_hash from ${table}) as entry
    where ${place} and key_hash = ${hashUuid(key ?? '')} and value_hash = ${hashUuid(values[0] ?? '')}`;
}

/** The index over metadata of subscriptions. */
export const METADATA: MetadataIndex = { table: sql`subscription_metadata`, owner: sql`subscription_id` };
