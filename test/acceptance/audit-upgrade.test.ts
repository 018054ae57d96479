/** The audit log from before there were blocks, with the version before still at it, and the log on another server. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { formatId } from '#domain/identifiers.ts';
import { chainEntries, mendLog, verifyChain } from '#features/audit-log/index.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { splitStatements } from '#platform/database/statements.ts';
import { chainAll, chainAsBefore, tampered as tamperedWith, verifyAll } from '../support/audit-chain.ts';
import { signUp, type Json } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

const MIGRATION = fileURLToPath(new URL('../../migrations/0011_audit_blocks.sql', import.meta.url));

/** A service that chains when it is told to. */
async function startChainless(): Promise<TestService> {
  const service = await startService();
  await service.service.app.auditChain.stop();
  return service;
}

const count = async ({ database }: TestService): Promise<number> => {
  const [row] = await database.query<Json>(sql`select count(*)::integer as count from audit_log`);
  return row.count;
};

/** The log as the version before has written it, and its state as the migration then leaves it. */
async function upgraded(service: TestService, chained: number): Promise<void> {
  const client = new Client(service.connection);
  await client.connect();
  await client.query('update audit_log set transaction_id = null; delete from audit_blocks');
  await chainAsBefore(service, chained);
  await client.query('delete from audit_blocks_state');
  await client.query(splitStatements(readFileSync(MIGRATION, 'utf8')).at(-1) ?? '');
  await client.end();
}

describe('the chain from before there were blocks', () => {
  let service: TestService;
  let head: string;
  const tampered = (...statements: readonly Sql[]): Promise<string[]> => tamperedWith(service, ...statements);
  before(async () => {
    service = await startChainless();
    for (let index = 0; index < 12; index += 1) await signUp(service);
    await upgraded(service, 8);
    const [end] = await service.database.query<Json>(sql`
      select last_position || ':' || encode(last_hash, 'hex') as head from audit_chain`);
    ({ head } = end);
  });
  after(() => service.stop());

  test('stays valid, its head is found again, and what it had left over follows in a block', async () => {
    const { entries, faults, head: next } = await verifyAll(service, head);
    assert.deepEqual([entries, faults], [await count(service), []]);
    assert.match(next ?? '', new RegExp(`^${entries}:`));
    const [first] = await service.database.query<Json>(sql`
      select first_position::integer as place, cardinality(ids) as size from audit_blocks order by 1 limit 1`);
    assert.deepEqual(first, { place: 9, size: entries - 8 });
    await signUp(service);
    await chainAll(service);
    assert.deepEqual((await verifyAll(service, next)).faults, []);
  });

  test('shows what was changed, removed and moved in it, and blocks that were removed after it', async () => {
    const [row] = await service.database.query<Json>(sql`select id from audit_log where position = 5`);
    const shown = formatId('aud', row.id);
    assert.deepEqual(await tampered(sql`update audit_log set operation = 'x' where position = 5`), [
      `5 ${shown} changed`,
    ]);
    assert.deepEqual(await tampered(sql`delete from audit_log where position = 5`), ['5 removed']);
    assert.deepEqual(await tampered(sql`update audit_log set position = null, hash = null where position = 5`), [
      '5 removed',
      `${shown} unchained`,
    ]);
    const [last] = await service.database.query<Json>(sql`select id from audit_log where position = 7`);
    assert.deepEqual(await tampered(sql`update audit_log set position = 12 - position where position in (5, 7)`), [
      `5 ${formatId('aud', last.id)} reordered`,
      `6 ${formatId('aud', await idAt(6))} reordered`,
      `7 ${shown} reordered`,
      `8 ${formatId('aud', await idAt(8))} reordered`,
    ]);
    assert.deepEqual(await tampered(sql`delete from audit_log where position = 8`), ['8 removed']);
    assert.deepEqual(await tampered(sql`update audit_chain set last_position = 7`), ['7 end_changed']);
    const [block] = await service.database.query<Json>(sql`select ids[1] as id from audit_blocks order by 1 limit 1`);
    const [gone, ...freed] = await tampered(sql`delete from audit_blocks where first_position = 9`);
    assert.equal(gone, '9 removed');
    assert.ok(block.id !== undefined && freed.length > 0 && freed.every((fault) => fault.endsWith(' unchained')));
  });
  const idAt = async (position: number): Promise<string> => {
    const [row] = await service.database.query<Json>(sql`select id from audit_log where position = ${position}`);
    return row.id;
  };

  test('may go on beside the blocks, by an instance of the version before, and each entry counts once', async () => {
    const known = await verifyAll(service);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([signUp(service), signUp(service)]);
      await Promise.all([chainAsBefore(service, 3), chainEntries(service.service.foundation)]);
    }
    await chainAsBefore(service, 1_000);
    const [left] = await service.database.query<Json>(sql`
      select count(*)::integer as count from audit_log where position is null`);
    assert.equal(left.count, 0);
    const both = await verifyAll(service, known.head);
    assert.deepEqual([both.entries, both.faults], [await count(service), []]);
    await signUp(service);
    const { entries, faults } = await verifyAll(service, both.head);
    assert.deepEqual([entries, faults], [await count(service), []]);
  });

  test('is taken up by one of several at once, with the version before at it as well', async () => {
    await service.database.query(sql`update audit_log set position = null, hash = null`);
    await service.database.query(sql`update audit_chain set last_position = 0, last_hash = null, seal = null`);
    await upgraded(service, 4);
    await Promise.all([
      chainAsBefore(service, 6),
      ...Array.from({ length: 4 }, () => chainEntries(service.service.foundation)),
      chainAsBefore(service, 6),
    ]);
    const { entries, faults } = await verifyAll(service);
    assert.deepEqual([entries, faults], [await count(service), []]);
    const [placed] = await service.database.query<Json>(sql`
      select count(*)::integer as count, count(distinct id)::integer as ids from audit_blocks, unnest(ids) as id`);
    assert.equal(placed.count, placed.ids);
  });
});

test('the index of entries from before there were blocks stays empty, whatever is signed up', async (context) => {
  const service = await startChainless();
  context.after(() => service.stop());
  for (let index = 0; index < 3; index += 1) await signUp(service);
  const [index] = await service.database.query<Json>(sql`
    select pg_relation_size('audit_log_earlier')::integer as bytes, current_setting('block_size')::integer as block`);
  // Its first block tells where the tree begins.
  assert.equal(index.bytes, index.block);
});

describe('a log on a server whose transactions count anew', () => {
  /** As if everything had been written on a server that had come further, by so many. */
  const moveToForeignIds = async ({ database }: TestService, ahead: number): Promise<void> => {
    const foreign = sql`(pg_current_xact_id()::text::bigint + ${ahead}::integer)::text::xid8`;
    await database.query(sql`update audit_blocks_state set chained = ${foreign}`);
    await database.query(sql`update audit_log set transaction_id = ${foreign}`);
  };

  test('goes on, forgets nothing that was not chained, and has nothing twice', async (context) => {
    const service = await startChainless();
    context.after(() => service.stop());
    for (let index = 0; index < 4; index += 1) await signUp(service);
    const { head, entries } = await verifyAll(service);
    for (let index = 0; index < 3; index += 1) await signUp(service);
    await moveToForeignIds(service, 20);
    await mendLog(service.database);
    for (let index = 0; index < 60; index += 1) await service.database.query(sql`select pg_current_xact_id()`);
    const after = await verifyAll(service, head);
    assert.deepEqual([after.faults, after.entries], [[], entries + 3]);
    const [placed] = await service.database.query<Json>(sql`
      select count(*)::integer as count from audit_blocks, unnest(ids)`);
    assert.equal(placed.count, entries + 3);
    await mendLog(service.database);
    await signUp(service);
    assert.deepEqual((await verifyAll(service, after.head)).entries, entries + 4);
  });

  test('is not taken for tampered with before it is taken up', async (context) => {
    const service = await startChainless();
    context.after(() => service.stop());
    await chainAll(service);
    await signUp(service);
    await moveToForeignIds(service, 1_000_000);
    assert.deepEqual((await verifyChain(service.service.foundation, null)).faults, []);
  });
});
