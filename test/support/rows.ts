import { parseId } from '#domain/identifiers.ts';
import { hashUuid } from '#platform/crypto.ts';
import type { Database } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { eventually } from './process.ts';
import type { TestService } from './service.ts';

/** Subscriptions with their parts as they would be stored, those of these numbers, ids rising from `oldest`; no processes. */
export async function insertRows(
  { database, projectId: project, planId }: TestService,
  first: number,
  last: number,
  oldest: string,
): Promise<void> {
  const plan = parseId('pln', planId) ?? '';
  const base = oldest.slice(0, -5);
  const id = sql`(${base} || lpad(to_hex(i), 5, '0'))::uuid`;
  const all = sql`generate_series(${first}::integer, ${last}::integer) as i`;
  const then = sql`timestamptz '2026-01-01 00:00:00Z' + i * interval '1 minute'`;
  await database.transaction(async (transaction) => {
    await transaction.query(sql`
      insert into customers (project_id, id, type, first_name, last_name, email, created_at, updated_at)
      select ${project}, ${id}, 'person', 'A', 'B', 'c' || i || '@example.com', ${then}, ${then} from ${all}`);
    await transaction.query(sql`
      insert into addresses (project_id, id, street, house_number, zip, city, created_at)
      select ${project}, ${id}, 'S', '1', '51147', 'K', ${then} from ${all}`);
    await transaction.query(sql`
      insert into meters (project_id, id, number, type, estimated_usage, created_at)
      select ${project}, ${id}, 'M' || i, 'modern', 1, ${then} from ${all}`);
    await transaction.query(sql`
      insert into payment_methods (project_id, id, type, iban_masked, details_encrypted, created_at)
      select ${project}, ${id}, 'sepa_debit', 'DE', '\\x00', ${then} from ${all}`);
    await transaction.query(sql`
      insert into subscriptions (project_id, id, number, status, stage, plan_id, customer_id, address_id, meter_id,
        payment_method_id, next_possible_start, estimated_usage, meter_number_normalised, zip, event_sequence,
        created_by, created_at, updated_at, external_id, malo, start_at, next_action)
      select ${project}, ${id}, translate(lpad(to_hex(i), 8, '0'), '0123456789abcdef', '23456789ABCDEFGH'), 'pending',
        'identifying', ${plan}, ${id}, ${id}, ${id}, ${id}, true, 1, 'M' || i, '51147', 1, ${project}, ${then}, ${then},
        case when i % 2 = 0 then 'e' || i end, case when i % 3 = 0 then 'malo' || i end,
        case when i % 5 = 0 then ${then} end,
        case when i % 7 = 0 then '{"code":"other","actor":"customer"}'::jsonb end
      from ${all}`);
    await transaction.query(sql`
      insert into subscription_metadata (project_id, key_hash, value_hash, subscription_id)
      select ${project}, ${hashUuid('key')}, case when i = 1 then ${hashUuid('old')} else md5(i::text) end::uuid, ${id}
      from ${all}`);
  }, 'unhurried');
}

/**
 * `vacuum analyze`, again until every page of these tables is known to be visible to all: while something else, such as an
 * automatic `analyze`, still sees the rows as they were, they stay, and plans are made for twice the pages. Of a few dead
 * rows the pages would wait for the next time, if the indexes were not cleaned.
 */
export async function vacuumWhole(database: Database, ...tables: readonly Sql[]): Promise<void> {
  for (const table of tables) {
    const [name = ''] = table.strings;
    await eventually(async () => {
      await database.query(sql`vacuum (analyze, index_cleanup on) ${table}`);
      const [found] = await database.query<{ whole: boolean }>(
        sql`select relallvisible = relpages as whole from pg_class where oid = ${name}::regclass`,
      );
      return found?.whole;
    }, `all of ${name} is visible`);
  }
}
