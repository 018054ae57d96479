import type { Queryable } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';

/** What the database says about itself. */
export interface ServerFacts {
  /** Such as 180004 for 18.4. */
  readonly version: number;
  /** Its clock, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Asks the database for its version and its clock. */
export async function readServerFacts(queryable: Queryable): Promise<ServerFacts> {
  const [row] = await queryable.query<{ version: string; now_ms: string }>(sql`
    select current_setting('server_version_num') as version,
      floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`);
  return { version: Number(row?.version), nowMs: Number(row?.now_ms) };
}
