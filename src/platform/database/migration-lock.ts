import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** Any number, the same in all versions of the service: who holds this advisory lock migrates, or restores. */
const LOCK_KEY = '5284097318460273';
const LOCK_POLL_MS = 50;
const NOTICE_AFTER_MS = 5_000;
/** What the server shows a restore as. */
export const RESTORE = 'wattline restore';

/**
 * Resolves when this session is the one that migrates; others are let in when it unlocks, or ends. It asks again and again
 * instead of waiting inside the database: a session that waits in a statement would be waited for by
 * `create index concurrently` of the one that holds the lock.
 */
export async function waitForLock(
  client: Client,
  log: (message: string, detail?: Record<string, unknown>) => void,
): Promise<void> {
  let said = false;
  for (const start = performance.now(); ;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [
      LOCK_KEY,
    ]);
    if (rows[0]?.taken === true) return;
    if (!said && performance.now() - start > NOTICE_AFTER_MS) {
      const holder = await holderOf(client).catch((): Record<string, unknown> => ({}));
      const told =
        holder['application'] === RESTORE
          ? 'a restore fills this database, and is waited for: all goes on by itself once it has ended'
          : 'waiting for another instance that migrates the database';
      log(told, holder);
      said = true;
    }
    await sleep(LOCK_POLL_MS);
  }
}

/** Lets others in; told, because a pooler may keep the session when we leave it. */
export async function freeLock(client: Client): Promise<void> {
  await client.query('select pg_advisory_unlock_all()').catch(() => {});
}

/** Who holds the lock, for an operator who wonders. */
async function holderOf(client: Client): Promise<Record<string, unknown>> {
  const { rows } = await client.query<Record<string, unknown>>(
    `select pid, application_name as application, client_addr as address, state_change as since
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1
       and pg_locks.database = (select oid from pg_database where datname = current_database())
       and classid::bigint << 32 | objid::bigint = $1::bigint`,
    [LOCK_KEY],
  );
  return rows[0] ?? {};
}

/** Who most likely stands in the way: a dump, a report, or a session somebody has forgotten. */
export async function describeOldestTransaction(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(
    `select pid, application_name as name, extract(epoch from clock_timestamp() - xact_start)::integer as seconds
     from pg_stat_activity
     where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
     order by xact_start limit 1`,
  );
  const [oldest] = rows;
  if (oldest === undefined) return 'no other transaction is open now';
  return `the oldest transaction is that of process ${oldest.pid} (${oldest.name}), open for ${oldest.seconds} s`;
}
