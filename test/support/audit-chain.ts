import { chainEntries, verifyChain } from '#features/audit-log/index.ts';
import { endSeal } from '#features/audit-log/chain.ts';
import { linkOf } from '#features/audit-log/verify-chain.ts';
import type { Database } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { eventually } from './process.ts';
import type { TestService } from './service.ts';

/** Chains all there is, in one block; others on the same server may keep it waiting for a moment. */
export async function chainAll({ database, service }: TestService): Promise<void> {
  await eventually(async () => {
    // What is written after the oldest transaction in progress would have its turn in a block of its own.
    const early = await database.query(sql`
      select from audit_log where transaction_id >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`);
    if (early.length > 0) return false;
    await chainEntries(service.foundation);
    const waiting = await database.query(sql`
      select from audit_blocks_state
      where has_earlier or exists (select from audit_log where transaction_id >= chained)`);
    return waiting.length === 0;
  }, 'the audit log is chained');
}

/** Verifies the log once all of it is chained. */
export async function verifyAll(service: TestService, head: string | null = null): ReturnType<typeof verifyChain> {
  await chainAll(service);
  return verifyChain(service.service.foundation, head);
}

class Undo extends Error {}

/**
 * What a verification finds of a log as somebody with the tables in hand leaves it, whom no constraint of them keeps from
 * anything; then that is undone. Each fault as `position entry kind`, without what is null.
 */
export async function tampered({ database, service }: TestService, ...statements: readonly Sql[]): Promise<string[]> {
  const found: string[] = [];
  await database
    .transaction(async (transaction) => {
      await transaction.query(sql`
        do $$ declare lifted record; begin
          for lifted in
            select conrelid::regclass as owner, conname from pg_constraint
            where contype in ('c', 'p', 'u') and conrelid = 'audit_blocks'::regclass
          loop execute format('alter table %s drop constraint %I', lifted.owner, lifted.conname); end loop;
          drop index audit_log_position;
        end $$`);
      for (const statement of statements) await transaction.query(statement);
      const here: Database = { ...database, ...transaction, transaction: (work) => work(transaction) };
      const { faults } = await verifyChain({ ...service.foundation, database: here }, null);
      found.push(...faults.map((fault) => [fault.position, fault.entry, fault.kind].filter(Boolean).join(' ')));
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return found;
}

/** Chains entries as the version before does, which still runs beside this one, and knows nothing of blocks. */
export async function chainAsBefore({ database, service }: TestService, limit: number): Promise<void> {
  const { keys } = service.foundation;
  await database.transaction(async (transaction) => {
    const [end] = await transaction.query<{ last_position: string; last_hash: Buffer | null }>(sql`
      select last_position, last_hash, seal from audit_chain for no key update skip locked`);
    // Another one is at it.
    if (end === undefined) return;
    const rows = await transaction.query<{ id: string; seal: Buffer }>(sql`
      select project_id, id, seal from audit_log where position is null order by id limit ${limit}
      for no key update skip locked`);
    let [position, hash] = [BigInt(end.last_position), end.last_hash];
    for (const { id, seal } of rows) {
      position += 1n;
      hash = linkOf(keys, hash, seal);
      await transaction.query(sql`
        update audit_log set position = ${String(position)}, hash = ${hash} where id = ${id}`);
    }
    if (hash === null) return;
    await transaction.query(sql`
      update audit_chain set last_position = ${String(position)}, last_hash = ${hash},
        seal = ${endSeal(keys, String(position), hash)}`);
  });
}
