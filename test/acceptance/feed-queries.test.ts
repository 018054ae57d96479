import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { createPublisher } from '#features/events/index.ts';
import { publishEvents, type Round } from '#features/events/store.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import { createDatabase, type Database, type Queryable, type Transaction } from '#platform/database/pool.ts';
import { createPortions } from '#platform/portions.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { Json } from '#test/support/builders.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** A database of its own, which ends with the test, however that ends. */
async function openDatabase(context: TestContext, maxConnections: number): Promise<Database> {
  const testDatabase = await createTestDatabase();
  const database = createDatabase({ connection: testDatabase.connection, maxConnections, onIdleError: () => {} });
  context.after(async () => {
    await database.close();
    await testDatabase.drop();
  });
  return database;
}

test('a round of the feed reads what is new, however many events there are', async (context) => {
  const database = await openDatabase(context, 1);
  const projectId = randomUUID();
  const write = (count: number): Promise<unknown> =>
    database.query(sql`
      insert into events (project_id, id, resource_id, sequence, type, occurred_at, caused_by, data)
      select ${projectId}, gen_random_uuid(), gen_random_uuid(), 1 + number % 2, 'plan.updated', now(), 'operator', '{}'
      from generate_series(1, ${count}) as number`);
  await write(30_000);
  await database.query(sql`analyze`);
  while ((await database.transaction(publishEvents, 'anew')).is_waiting);
  await write(50);
  const scans: PlanNode[] = [];
  const published = await database.transaction(async (transaction) => {
    const explaining: Transaction = {
      kind: 'transaction',
      async query<Row>(statement: Sql): Promise<Row[]> {
        const [row] = await transaction.query<Json>(sql`explain (format json) ${statement}`);
        const nodes = nodesOf(JSON.parse(row['QUERY PLAN'])[0].Plan);
        scans.push(...nodes.filter((node) => node['Relation Name'] === 'events'));
        return transaction.query<Row>(statement);
      },
    };
    return (await publishEvents(explaining)).published;
  }, 'anew');
  assert.ok(published <= 50);
  assert.ok(scans.length >= 5);
  for (const scan of scans) {
    assert.match(scan['Node Type'], /^Index/, JSON.stringify(scan));
    // The last of all is found without a condition.
    if (scan['Node Type'] === 'Index Only Scan' && !('Index Cond' in scan)) continue;
    assert.match(scan['Index Cond'] ?? '', /transaction_id|subscription_id|resource_id/, JSON.stringify(scan));
  }
});

test('the feed goes on when a long transaction holds what follows on more than a round', async (context) => {
  const database = await openDatabase(context, 2);
  const projectId = randomUUID();
  const resource = randomUUID();
  const write = (queryable: Queryable, id: string, sequence: number): Promise<unknown> =>
    queryable.query(sql`
      insert into events (project_id, id, resource_id, sequence, type, occurred_at, caused_by, data)
      values (${projectId}, gen_random_uuid(), ${id}, ${sequence}, 'plan.updated', now(), 'operator', '{}')`);
  await database.transaction(async (early) => {
    // It is older than all that follow, and the last to end.
    await early.query(sql`select pg_current_xact_id()`);
    await database.query(sql`
      insert into events (project_id, id, resource_id, sequence, type, occurred_at, caused_by, data)
      select ${projectId}, gen_random_uuid(), gen_random_uuid(), 1, 'plan.updated', now(), 'operator', '{}'
      from generate_series(1, 20_500)`);
    await write(database, resource, 1);
    await write(early, resource, 2);
  });
  let published = 0;
  // A round waits for every transaction of the server, also for those of other tests.
  const until = performance.now() + 60_000;
  while (published < 20_502 && performance.now() < until) {
    published += (await database.transaction(publishEvents)).published;
  }
  const order = await database.query<{ sequence: number }>(sql`
    select sequence from event_feed join events on events.id = event_feed.event_id
    where events.resource_id = ${resource} order by position`);
  assert.deepEqual([published, order.map(({ sequence }) => sequence)], [20_502, [1, 2]]);
});

test('a round that the database has not published in time is tried again with fewer events, until one is', async (context) => {
  const database = await openDatabase(context, 2);
  // Each in a transaction of its own, as whole ones are published together.
  await database.query(sql`
    do $$ begin
      for number in 1..600 loop
        insert into events (project_id, id, resource_id, sequence, type, occurred_at, caused_by, data)
        values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, 'plan.updated', now(), 'operator', '{}');
        commit;
      end loop;
    end $$`);
  const rounds: number[] = [];
  const slow: Database = {
    ...database,
    transaction: (work, ...rest) =>
      database.transaction(
        async (transaction) => {
          const result = await work(transaction);
          const { published } = result as Round;
          if (published > 100) throw new DatabaseUnavailable('so many take too long');
          rounds.push(published);
          return result;
        },
        ...rest,
      ),
  };
  const portions = createPortions();
  const signal = { notify: (): void => {} };
  const sum = (): number => rounds.reduce((one, other) => one + other, 0);
  const publish = createPublisher(slow, signal, portions);
  const until = performance.now() + 60_000;
  while (sum() < 600 && performance.now() < until) {
    await publish().catch((error: unknown) => assert.ok(error instanceof DatabaseUnavailable));
  }
  assert.equal(sum(), 600);
});
