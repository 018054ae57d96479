import { hashUuid } from '#platform/crypto.ts';
import type { Transaction } from '#platform/database/pool.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import type { MetadataEntry } from './metadata-index.ts';

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

/** Replaces what a filter of metadata finds of one owner: its entries before by those after. */
export async function replaceEntries(
  transaction: Transaction,
  { table, owner }: MetadataIndex,
  { projectId, id }: { readonly projectId: string; readonly id: string },
  before: readonly MetadataEntry[],
  after: readonly MetadataEntry[],
): Promise<void> {
  const keys = (entries: readonly MetadataEntry[]): string[] => entries.map(({ keyHash }) => keyHash);
  const values = (entries: readonly MetadataEntry[]): string[] => entries.map(({ valueHash }) => valueHash);
  if (before.length > 0) {
    await transaction.query(sql`
      delete from ${table} as known
      using unnest(${keys(before)}::uuid[], ${values(before)}::uuid[]) as input (key_hash, value_hash)
      where known.project_id = ${asProject(projectId)} and known.key_hash = input.key_hash
        and known.value_hash = input.value_hash and known.${owner} = ${id}`);
  }
  if (after.length > 0) {
    await transaction.query(sql`
      insert into ${table} (project_id, key_hash, value_hash, ${owner})
      select ${projectId}::uuid, key_hash, value_hash, ${id}::uuid
      from unnest(${keys(after)}::uuid[], ${values(after)}::uuid[]) as input (key_hash, value_hash)`);
  }
}

/** The index over metadata of subscriptions. */
export const METADATA: MetadataIndex = { table: sql`subscription_metadata`, owner: sql`subscription_id` };
