/**
 * What a reference costs to check. A connection plans the check once, maybe while the table is empty, and keeps the plan.
 * Then all indexes cost the same, of which PostgreSQL takes the one made last; and a small table it would rather read whole.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql, type Sql } from '#platform/database/sql.ts';
import { insertRows } from '../support/rows.ts';
import { startService, type TestService } from '../support/service.ts';

const SMALL = 30;
const OLDEST = '01900000-0000-7000-8000-000000000001';

let service: TestService;
before(async () => {
  service = await startService();
  await service.service.app.reconciler.stop();
});
after(() => service.stop());

interface Reference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: string;
}

/** How each table that others refer to is looked up, and the index that is meant for it. */
function readReferences(): Promise<Reference[]> {
  return service.database.query<Reference>(sql`
    select distinct confrelid::regclass::text as "table", conindid::regclass::text as key,
      (
        select array_agg(attname::text order by place)
        from unnest(confkey) with ordinality as part (number, place)
        join pg_attribute on attrelid = confrelid and attnum = number
      ) as columns
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    order by "table"`);
}

/** A statement of names from the catalog. */
function written(text: string): Sql {
  return sql(Object.assign([text], { raw: [text] }));
}

/** The plans that a connection of the service keeps for the checks of references which do not use the index meant for it. */
async function findDetours(): Promise<string[]> {
  const references = await readReferences();
  assert.ok(references.length > 10);
  return service.database.transaction(async (transaction) => {
    await transaction.query(sql`set local plan_cache_mode = force_generic_plan`);
    const detours: string[] = [];
    for (const { table, columns, key } of references) {
      // As src/backend/utils/adt/ri_triggers.c writes it.
      const conditions = columns.map((column, index) => `${column} = $${index + 1}`).join(' and ');
      const check = `select 1 from only ${table} x where ${conditions} for key share of x`;
      const values = columns.map(() => `'${OLDEST}'`).join(', ');
      await transaction.query(written(`prepare reference as ${check}`));
      const plan = await transaction.query<{ 'QUERY PLAN': string }>(
        written(`explain (costs off) execute reference (${values})`),
      );
      await transaction.query(sql`deallocate reference`);
      const text = plan.map((line) => line['QUERY PLAN'].trim()).join(' ');
      if (!text.includes(`Index Scan using ${key} `)) detours.push(`${table}: ${text}`);
    }
    return detours;
  });
}

test('a reference is checked by the key it refers to, also by who planned that when the tables were empty', async () => {
  assert.deepEqual(await findDetours(), []);
});

test('the same of tables that were looked at when they were small', async () => {
  await insertRows(service, 1, SMALL, OLDEST);
  await service.database.query(sql`analyze`);
  assert.deepEqual(await findDetours(), []);
});
