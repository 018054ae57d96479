/** The chain of the audit log: nobody with the tables, but without the key, rewrites it unseen. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Client } from 'pg';
import { formatId } from '#domain/identifiers.ts';
import { chainEntries, eraseReasons } from '#features/audit-log/index.ts';
import { auditEntry } from '#platform/audit.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { chainAll, tampered as tamperedWith, verifyAll } from '../support/audit-chain.ts';
import { signUp, type Json } from '../support/builders.ts';
import { must } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
  await service.service.app.auditChain.stop();
  for (let block = 0; block < 4; block += 1) {
    for (let index = 0; index < 3; index += 1) await signUp(service);
    const { id } = await signUp(service);
    const headers = { 'x-reason': 'She asked for it' };
    must(await service.call('PATCH', `/subscriptions/${id}`, { body: { metadata: { block } }, headers }), 200);
    await chainAll(service);
  }
});
after(() => service.stop());

const verify = (head: string | null = null): ReturnType<typeof verifyAll> => verifyAll(service, head);
const tampered = (...statements: readonly Sql[]): Promise<string[]> => tamperedWith(service, ...statements);

/** A block as it stands in the table. */
interface Block {
  readonly first: number;
  readonly last: number;
  readonly ids: readonly string[];
}
/** @param blocks how many come after it */
const blockBeforeLast = async (blocks: number): Promise<Block> => {
  const [block] = await service.database.query<Block>(sql`
    select first_position::integer as first, last_position::integer as last, to_json(ids) as ids from audit_blocks
    order by last_position desc offset ${blocks} limit 1`);
  assert.ok(block !== undefined);
  const ids = JSON.parse(block.ids as unknown as string) as string[];
  return { ...block, ids };
};
const shown = (id: string | undefined): string => formatId('aud', id ?? '');

describe('a verification', () => {
  beforeEach(async () => {
    assert.deepEqual((await verify()).faults, []);
  });

  test('finds nothing wrong where nobody touched anything, and covers every entry', async () => {
    const { entries, head } = await verify();
    const [counted] = await service.database.query<Json>(sql`select count(*)::integer as count from audit_log`);
    assert.equal(entries, counted.count);
    assert.match(head ?? '', new RegExp(`^${entries}:[0-9a-f]{64}$`));
  });

  test('shows an entry that was changed, whatever of it was', async () => {
    const changes = [
      sql`operation = 'x'`,
      sql`resource = 'sub_x'`,
      sql`occurred_at = occurred_at - interval '1 second'`,
      sql`credential_id = null`,
      sql`request_id = 'req_x'`,
      sql`fields = '{x}'`,
      sql`reason_digest = sha256('x')`,
      sql`seal = sha256('x')`,
      sql`reason_encrypted = null`,
    ];
    const { last, ids } = await blockBeforeLast(1);
    const id = ids.at(-1);
    for (const change of changes) {
      const found = await tampered(sql`update audit_log set ${change} where id = ${id}`);
      assert.deepEqual(found, [`${last} ${shown(id)} changed`]);
    }
    const other = '01900000-0000-7000-8000-000000000000';
    assert.deepEqual(await tampered(sql`update audit_log set id = ${other} where id = ${id}`), [
      `${last} ${shown(id)} removed`,
      `${shown(other)} unchained`,
    ]);
  });

  test('names entries that were removed: the first, in the middle, the last, all', async () => {
    const { first, ids } = await blockBeforeLast(1);
    const { last, ids: lastIds } = await blockBeforeLast(0);
    for (const [position, id] of [
      [first, ids[0]],
      [first + 2, ids[2]],
      [last, lastIds.at(-1)],
    ] as const) {
      assert.deepEqual(await tampered(sql`delete from audit_log where id = ${id}`), [
        `${position} ${shown(id)} removed`,
      ]);
    }
    const { entries } = await verify();
    assert.equal((await tampered(sql`delete from audit_log`)).length, entries);
  });

  test('shows blocks that were removed: the first, in the middle, the last, all', async () => {
    const [middle, end] = [await blockBeforeLast(1), await blockBeforeLast(0)];
    const freed = (...ids: readonly string[]): string[] => ids.map((id) => `${shown(id)} unchained`).toSorted();
    const without = async (condition: Sql): Promise<string[]> => {
      const [first = '', ...rest] = await tampered(sql`delete from audit_blocks where ${condition}`);
      return [first, ...rest.toSorted()];
    };
    assert.deepEqual(await without(sql`last_position = ${middle.last}`), [
      `${middle.first} removed`,
      ...freed(...middle.ids),
    ]);
    assert.deepEqual(await without(sql`last_position = ${end.last}`), [`${end.last} removed`, ...freed(...end.ids)]);
    assert.equal((await without(sql`first_position = 1`))[0], '1 removed');
    assert.match((await without(sql`true`)).join(), /removed/);
    const cut = sql`
      update audit_blocks_state set last_position = ${middle.last},
        last_hash = (select hash from audit_blocks where last_position = ${middle.last})`;
    assert.equal(
      (await tampered(sql`delete from audit_blocks where last_position = ${end.last}`, cut))[0],
      `${middle.last} end_changed`,
    );
  });

  test('shows entries that changed places, within a block and between two', async () => {
    const { last, first } = await blockBeforeLast(1);
    const reversed = sql`array(select id from unnest(ids) with ordinality as one (id, place) order by place desc)`;
    assert.deepEqual(await tampered(sql`update audit_blocks set ids = ${reversed} where last_position = ${last}`), [
      `${last} reordered`,
    ]);
    const before = sql`(select ids from audit_blocks where last_position = ${first - 1})`;
    const exchange = sql`
      update audit_blocks set ids = case last_position
        when ${last}::bigint then ${before} else (select ids from audit_blocks where last_position = ${last}) end
      where last_position in (${last}, ${first - 1})`;
    assert.deepEqual(await tampered(exchange), [`${first - 1} reordered`, `${last} reordered`]);
  });

  test('shows a block that was put in, changed, emptied or moved', async () => {
    const { first, last } = await blockBeforeLast(0);
    const copy = sql`
      insert into audit_blocks
      select last_position + 1, last_position * 2 - first_position + 1, project_ids, ids, hash from audit_blocks
      where last_position = ${last}`;
    assert.deepEqual(await tampered(copy), [`${last * 2 - first + 1} reordered`, `${last} end_changed`]);
    assert.deepEqual(
      await tampered(sql`update audit_blocks set hash = sha256('x') where last_position = ${first - 1}`),
      [`${first - 1} reordered`, `${last} reordered`],
    );
    const emptied = (condition: Sql): Promise<string[]> =>
      tampered(sql`update audit_blocks set ids = '{}', project_ids = '{}' where ${condition}`);
    assert.equal((await emptied(sql`last_position = ${first - 1}`)).at(0)?.endsWith(' removed'), true);
    assert.equal((await emptied(sql`last_position = ${last}`)).at(0), `${last} reordered`);
    const moved = await tampered(sql`
      update audit_blocks set first_position = first_position + 7, last_position = last_position + 7
      where last_position = ${last}`);
    assert.deepEqual(moved.slice(0, 2), [`${first} removed`, `${last} end_changed`]);
  });

  test('shows entries that were put in, whatever transaction they claim', async () => {
    for (const claimed of [sql`null`, sql`'3'`, sql`'999999999999'`]) {
      const [fault, ...more] = await tampered(sql`
        insert into audit_log (project_id, id, occurred_at, operation, fields, seal, transaction_id)
        select project_id, '01900000-0000-7000-8000-000000000000', now(), 'forged', '{}', seal, ${claimed}
        from audit_log limit 1`);
      assert.deepEqual([fault, more], [`${shown('01900000-0000-7000-8000-000000000000')} unchained`, []]);
    }
  });

  test('shows an end that was changed, and a watermark that was moved past what is not chained', async () => {
    const { last } = await blockBeforeLast(0);
    for (const change of [sql`seal = sha256('x')`, sql`last_hash = sha256('x')`, sql`last_position = 1`]) {
      assert.deepEqual(
        (await tampered(sql`update audit_blocks_state set ${change}`)).map((fault) => fault.split(' ')[1]),
        ['end_changed'],
      );
    }
    assert.deepEqual(
      await tampered(sql`update audit_blocks_state set last_position = 0, last_hash = null, seal = null`),
      ['0 end_changed'],
    );
    assert.deepEqual(await tampered(sql`delete from audit_blocks_state`), ['0 end_changed']);
    await signUp(service);
    const [newest] = await service.database.query<Json>(sql`select id from audit_log order by id desc limit 1`);
    const skipped = await tampered(sql`
      update audit_blocks_state set chained = ((pg_current_xact_id()::text)::bigint + 1)::text::xid8`);
    assert.deepEqual(skipped, [`${shown(newest.id)} unchained`]);
    assert.equal((await blockBeforeLast(0)).last, last);
  });

  test('finds a head again that was kept, and no other', async () => {
    const { head, entries } = await verify();
    await signUp(service);
    const grown = await verify(head);
    assert.deepEqual([grown.faults, grown.entries], [[], entries + 1]);
    const [wrong] = (await verify(`${entries}:${'0'.repeat(64)}`)).faults;
    assert.equal(wrong?.kind, 'head_not_found');
  });

  test('lets a reason be erased, and says how many are', async () => {
    const made = await service.call('POST', '/plans', {
      body: { name: 'Reasoned', price: 2 },
      headers: { 'x-reason': 'Frau Muster wollte es' },
    });
    const before = await verify();
    const plan = must(made, 201);
    const [gone] = await tampered(sql`update audit_log set reason_encrypted = null where resource = ${plan.id}`);
    assert.match(gone ?? '', /changed$/);
    const { keys } = service.service.foundation;
    await service.database.transaction((transaction) =>
      eraseReasons(keys, transaction, service.projectId, [plan.id as string]),
    );
    const { faults, erasedReasons } = await verify(before.head);
    assert.deepEqual([faults, erasedReasons], [[], before.erasedReasons + 1]);
  });
});

describe('the chain', () => {
  const rows = (): Promise<Json[]> =>
    service.database.query(sql`select id, xmin::text, ctid::text, position from audit_log order by id`);

  test('leaves the rows of its entries as they are', async () => {
    await Promise.all(Array.from({ length: 5 }, () => signUp(service)));
    const before = await rows();
    await chainAll(service);
    assert.deepEqual(await rows(), before);
    assert.ok(before.every(({ position }) => position === null));
  });

  test('has each entry once, also when several processes are at it at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => signUp(service)));
      await Promise.all(Array.from({ length: 4 }, () => chainEntries(service.service.foundation)));
    }
    await chainAll(service);
    const [twice] = await service.database.query<Json>(sql`
      select count(*)::integer as count, count(distinct id)::integer as ids from audit_blocks, unnest(ids) as id`);
    const { entries, faults } = await verify();
    assert.deepEqual([twice, faults], [{ count: entries, ids: entries }, []]);
  });

  test('waits for a transaction that began before others, and forgets nothing of it', async () => {
    const holder = new Client(service.connection);
    await holder.connect();
    await holder.query('begin; select pg_current_xact_id()');
    await signUp(service);
    const before = await verifyHere();
    await chainEntries(service.service.foundation);
    assert.equal(await verifyHere(), before);
    const { foundation } = service.service;
    const entry = auditEntry(foundation, {
      projectId: service.projectId,
      credentialId: null,
      requestId: null,
      operation: 'late',
      resource: null,
      fields: [],
      reason: null,
    });
    await holder.query(
      'insert into audit_log (project_id, id, occurred_at, operation, seal) values ($1, $2, $3, $4, $5)',
      [entry.projectId, entry.id, entry.occurredAt, entry.operation, entry.seal],
    );
    await holder.query('commit');
    await holder.end();
    const { entries, faults } = await verify();
    assert.deepEqual([entries, faults], [before + 2, []]);
  });
  const verifyHere = async (): Promise<number> => {
    const [end] = await service.database.query<Json>(sql`
      select last_position::integer as last from audit_blocks_state`);
    return end.last;
  };

  test('takes so many entries at a time, of whole transactions', async () => {
    const { foundation } = service.service;
    const change = { credentialId: null, requestId: null, operation: 'x', resource: null, fields: [], reason: null };
    for (let transaction = 0; transaction < 3; transaction += 1) {
      const entries = Array.from({ length: 3_000 }, () =>
        auditEntry(foundation, { ...change, projectId: service.projectId }),
      );
      await service.database.query(sql`
        insert into audit_log (project_id, id, occurred_at, operation, seal)
        select ${service.projectId}, id, occurred_at, 'x', seal
        from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ occurredAt }) => occurredAt)}::timestamptz[],
          ${entries.map(({ seal }) => seal)}::bytea[]) as input (id, occurred_at, seal)`);
    }
    await chainAll(service);
    const sizes = await service.database.query<{ size: number }>(sql`
      select cardinality(ids) as size from audit_blocks order by cardinality(ids) desc limit 2`);
    assert.deepEqual(
      sizes.map(({ size }) => size),
      [6_000, 3_000],
    );
    assert.deepEqual((await verify()).faults, []);
  });
});
