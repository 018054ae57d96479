import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { after, before, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { defer, eventually, temporaryFolder } from '#test/support/process.ts';
import { startProxy } from '#test/support/proxy.ts';
import { within } from '../deadline.ts';
import { connectionOf } from './connection.ts';
import { DatabaseUnavailable, TookTooLong } from './errors.ts';
import { createDatabase, type Database, type TransactionKind } from './pool.ts';
import { sql, type Sql } from './sql.ts';

const ROUNDS = 100;
const LANES = 12;
/** A request is answered within five seconds. */
const MOST_MS = 5_000;
/** Connections that each lose something else of an answer, up to the middle of what tells of its columns. */
const LOSSES = 32;
/** Longer than what was refused last is believed without a look. */
const FULL_AT_LEAST_MS = 3_000;

let testDatabase: TestDatabase;
let database: Database;
before(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ connection: testDatabase.connection, maxConnections: 8, onIdleError: () => {} });
});
after(async () => {
  await database.close();
  await testDatabase.drop();
});

test('connections that the server ends at any moment are refusals, never the end of the process', async () => {
  const killer = new Client(testDatabase.connection);
  await killer.connect();
  const state = { isOver: false, answered: 0, refused: 0 };
  const ask = (lane: number): Promise<unknown> =>
    lane % 2 === 0
      ? database.query(sql`select 1`)
      : database.transaction(async (transaction) => {
          await transaction.query(sql`select 1`);
          // A connection in nobody's hands for a moment.
          await turn();
          await transaction.query(sql`select 2`);
        });
  const work = async (lane: number): Promise<void> => {
    while (!state.isOver) {
      try {
        await ask(lane);
        state.answered += 1;
      } catch (error) {
        assert.ok(error instanceof DatabaseUnavailable, String(error));
        state.refused += 1;
      }
    }
  };
  const lanes = Array.from({ length: LANES }, (_, lane) => work(lane));
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = state.answered;
    while (state.answered < before + LANES) await turn();
    await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'wattline' and datname = current_database()`,
    );
  }
  state.isOver = true;
  await Promise.all(lanes);
  await killer.end();
  assert.ok(state.refused >= ROUNDS);
  assert.deepEqual(await database.query(sql`select 1 as one`), [{ one: 1 }]);
});

/** A database that its operator has set up in some way, his connection to it, which that does not concern, and ours. */
async function openSetUp(
  context: TestContext,
  setting: string,
  maxConnections: number,
): Promise<{ operator: Client; own: Database }> {
  const setUp = await createTestDatabase();
  defer(context, () => setUp.drop());
  const operator = new Client(setUp.connection);
  await operator.connect();
  defer(context, () => operator.end());
  await operator.query(`do $$ begin
    execute format('alter database %I set ${setting}', current_database());
  end $$`);
  const own = createDatabase({ connection: setUp.connection, maxConnections, onIdleError: () => {} });
  defer(context, () => own.close());
  return { operator, own };
}

test('whoever has waited for a lock sees what was committed meanwhile, also where another isolation is usual', async (context) => {
  const { operator, own } = await openSetUp(context, 'default_transaction_isolation = serializable', 4);
  await operator.query(`create table counted (total integer); insert into counted values (0)`);
  const count = (): Promise<unknown> =>
    own.transaction(async (transaction) => {
      await transaction.query(sql`select 1`);
      await transaction.query(sql`update counted set total = total + 1`);
    });
  await Promise.all(Array.from({ length: 40 }, count));
  assert.deepEqual(await own.query(sql`select total from counted`), [{ total: 40 }]);
});

test('a transaction whose process stands still keeps its locks from others for ten seconds, and is a refusal then', async () => {
  const other = new Client(testDatabase.connection);
  await other.connect();
  let waited: Promise<unknown> | undefined;
  const frozen = database.transaction(async (transaction) => {
    await transaction.query(sql`select pg_advisory_xact_lock(7)`);
    waited = other.query(`
      with begun as materialized (select clock_timestamp() as at), lock as materialized (
        select pg_advisory_xact_lock(7) from begun
      )
      select clock_timestamp() - begun.at < interval '12 s' as is_short from begun, lock`);
    // It is on its way when the next statement is answered.
    await transaction.query(sql`select 1`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 13_000);
    await transaction.query(sql`select 1`);
  });
  await assert.rejects(frozen, DatabaseUnavailable);
  assert.deepEqual(((await waited) as { rows: unknown[] }).rows, [{ is_short: true }]);
  await other.end();
});

test('a transaction that takes its time between two statements may, where nobody waits for it', async () => {
  const setting = sql`select current_setting('idle_in_transaction_session_timeout') as limit`;
  const limitOf = async (kind?: TransactionKind): Promise<unknown> =>
    database.transaction(async (transaction) => (await transaction.query(setting))[0], kind);
  assert.deepEqual(
    [await limitOf(), await limitOf('repeated'), await limitOf('unhurried'), await limitOf('survey')],
    ['10s', '10s', '0', '0'].map((limit) => ({ limit })),
  );
});

test('what a database limits transactions to does not end those that take their time', async (context) => {
  const { own } = await openSetUp(context, 'transaction_timeout = 300', 1);
  const take = (kind?: TransactionKind): Promise<unknown> =>
    own.transaction((transaction) => transaction.query(sql`select pg_sleep(0.6)::text as slept`), kind);
  assert.deepEqual(await take('unhurried'), [{ slept: '' }]);
  assert.deepEqual(await take('survey'), [{ slept: '' }]);
  await assert.rejects(take(), DatabaseUnavailable);
});

test('what takes its time needs no memory that the server’s processes share, of which a container has little', async () => {
  await database.query(sql`create table large as select number from generate_series(1, 20000) as number`);
  const plan = await database.transaction(async (transaction) => {
    await transaction.query(sql`
      select set_config(name, '0', true) from unnest(array[
        'parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size'
      ]) as name`);
    return transaction.query(sql`explain (costs off) select count(*) from large join large as other using (number)`);
  }, 'survey');
  await database.query(sql`drop table large`);
  const lines = plan.map((line) => Object.values(line as object).join());
  assert.ok(
    lines.some((line) => line.includes('Gather')) && !lines.some((line) => line.includes('Parallel Hash')),
    lines.join('\n'),
  );
});

test('what a database limits idle sessions to does not end connections that wait for work', async (context) => {
  const { own } = await openSetUp(context, 'idle_session_timeout = 300', 1);
  const setting = sql`select current_setting('idle_session_timeout') as limit`;
  assert.deepEqual(await own.query(setting), [{ limit: '0' }]);
});

test('a lock that is waited for as long as an operator allows is a refusal', async (context) => {
  const { operator, own } = await openSetUp(context, 'lock_timeout = 50', 1);
  await operator.query('select pg_advisory_lock(1)');
  await assert.rejects(own.query(sql`select pg_advisory_lock(1)`), DatabaseUnavailable);
});

test('a statement whose plan no longer fits a table that others have changed is a refusal once, and works again', async () => {
  const operator = new Client(testDatabase.connection);
  await operator.connect();
  try {
    await operator.query('create table retyped (id integer)');
    const own = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
    const read = (): Promise<unknown> => own.query(sql`select id from retyped`);
    const readWithin = (): Promise<unknown> =>
      own.transaction((transaction) => transaction.query(sql`select id from retyped`));
    for (const [attempt, type] of [
      [read, 'text'],
      [readWithin, 'varchar(10)'],
    ] as const) {
      assert.deepEqual(await attempt(), []);
      await operator.query(`alter table retyped alter column id type ${type}`);
      await assert.rejects(attempt(), DatabaseUnavailable);
      assert.deepEqual(await attempt(), []);
    }
    // What PostgreSQL cannot do at all is a defect, of the same code.
    await assert.rejects(own.query(sql`select from elsewhere.public.retyped`), { code: '0A000' });
    await own.close();
  } finally {
    await operator.end();
  }
});

test('a right that an operator has taken away is a refusal, and no defect', async () => {
  const work = database.transaction(async (transaction) => {
    await transaction.query(sql`set local role pg_monitor`);
    await transaction.query(sql`select from subscriptions`);
  });
  await assert.rejects(work, DatabaseUnavailable);
});

test('tables that are not there, as while a backup is restored, are a refusal, and no defect', async () => {
  const work = database.transaction(async (transaction) => {
    await transaction.query(sql`set local search_path to pg_catalog`);
    await transaction.query(sql`select from subscriptions`);
  });
  await assert.rejects(work, DatabaseUnavailable);
});

test('a statement of a hasty transaction that takes longer than its limit is stopped, and the connection stays', async () => {
  const own = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
  const pidOf = async (): Promise<unknown> => (await own.query(sql`select pg_backend_pid() as pid`))[0];
  const before = await pidOf();
  const sleep = (seconds: number, limitMs: number): Promise<unknown> =>
    own.transaction((transaction) => transaction.query(sql`select pg_sleep(${seconds})`), { limitMs });
  await assert.rejects(sleep(60, 500), TookTooLong);
  await assert.rejects(sleep(0.4, 100), TookTooLong);
  assert.deepEqual(await pidOf(), before);
  // Elsewhere a statement has its usual time.
  await own.query(sql`select pg_sleep(0.6)`);
  await own.close();
});

test('what a transaction is for says how its statements are planned, and nothing of it stays with the connection', async () => {
  const own = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
  const modeOf = (kind?: TransactionKind): Promise<unknown> =>
    own.transaction(async (transaction) => {
      const [row] = await transaction.query<{ plan_cache_mode: string }>(sql`show plan_cache_mode`);
      return row?.plan_cache_mode;
    }, kind);
  const kinds = ['usual', 'repeated', 'anew', { limitMs: 1_000 }, { limitMs: 1_000, isAnew: true }, 'usual'] as const;
  const modes: unknown[] = [];
  for (const kind of kinds) modes.push(await modeOf(kind));
  const [generic, anew] = ['force_generic_plan', 'force_custom_plan'];
  assert.deepEqual(modes, ['auto', generic, anew, 'auto', anew, 'auto']);
  await own.close();
});

test('what comes again and again is planned anew once it has come often, elsewhere once', async () => {
  const own = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
  const plansOf = async (kind: TransactionKind): Promise<unknown> => {
    const statement = sql`select ${'a text'}::text as repeated`;
    for (let use = 0; use < 60; use += 1) await own.transaction((transaction) => transaction.query(statement), kind);
    const [row] = await own.query<{ count: string }>(sql`
      select count(*) from pg_prepared_statements where statement like '%as repeated'`);
    return row?.count;
  };
  assert.equal(await plansOf('usual'), '1');
  // The same, and one more with the 32nd use.
  assert.equal(await plansOf('repeated'), '2');
  await own.close();
});

test('what waited for a connection is given up as early as what did not', async () => {
  const own = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
  const begun = performance.now();
  const first = own.query(sql`select pg_sleep(2.5)`);
  await assert.rejects(own.query(sql`select pg_sleep(60)`), DatabaseUnavailable);
  assert.ok(performance.now() - begun < MOST_MS, `it took ${performance.now() - begun} ms`);
  await first;
  await own.close();
});

test('what waits for a connection when the pool is closed is told so, and the others are done', async () => {
  const own = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
  const first = own.query(sql`select pg_sleep(0.2)`);
  const waits = assert.rejects(own.query(sql`select 1`), DatabaseUnavailable);
  await own.close();
  await Promise.all([first, waits]);
});

test('transactions on one subject have their turns without a connection, others have one meanwhile', async () => {
  const own = createDatabase({ connection: testDatabase.connection, maxConnections: 2, onIdleError: () => {} });
  const done: string[] = [];
  const held = Promise.withResolvers<void>();
  const work = (name: string, until?: Promise<void>): Promise<void> =>
    own.transaction(
      async (transaction) => {
        await until;
        await transaction.query(sql`select 1`);
        done.push(name);
      },
      'usual',
      'one subject',
    );
  const first = work('first', held.promise);
  const late = assert.rejects(work('late'), DatabaseUnavailable);
  assert.deepEqual(await own.query(sql`select 1 as one`), [{ one: 1 }]);
  await own.transaction(async () => void done.push('another'), 'usual', 'another subject');
  await late;
  const rest = ['second', 'third'].map((name) => work(name));
  held.reject(new Error('it failed'));
  await assert.rejects(first, /it failed/);
  await Promise.all(rest);
  assert.deepEqual(done, ['another', 'second', 'third']);
  await own.close();
});

test('a database to which no connection can be made is away, whatever the reason', async () => {
  const { connection } = testDatabase;
  // Renamed, of another user by now, or moved to a server that does not encrypt.
  for (const changed of [{ database: 'none' }, { user: 'nobody_at_all' }, { ssl: true }]) {
    const own = createDatabase({
      connection: { ...connection, ...changed },
      maxConnections: 1,
      onIdleError: () => {},
    });
    await assert.rejects(own.query(sql`select 1`), DatabaseUnavailable, JSON.stringify(changed));
    await own.close();
  }
});

test('a server that hangs, and whose queue is full, is away', async (context) => {
  const folder = temporaryFolder(context, 'queue');
  const socket = join(folder, '.s.PGSQL.5432');
  const listen = `require('node:net').createServer().listen({ path: ${JSON.stringify(socket)}, backlog: 1 }, () => console.log())`;
  const server = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  defer(context, async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  });
  await once(server.stdout, 'data');
  server.kill('SIGSTOP');
  const connection = { host: folder, port: 5432, user: 'nobody', database: 'none' };
  const away = createDatabase({ connection, maxConnections: 8, onIdleError: () => {} });
  const asked = Array.from({ length: 8 }, () => away.query(sql`select 1`));
  const causes = (await Promise.allSettled(asked)).map((result) => {
    assert.ok(result.status === 'rejected' && result.reason instanceof DatabaseUnavailable, JSON.stringify(result));
    return (result.reason.cause as { code?: string }).code;
  });
  assert.ok(causes.includes('EAGAIN'), 'the queue was full');
  await away.close();
});

test('where the server takes fewer connections than we may open, those that are there do', async (context) => {
  const role = `crowded_${randomBytes(6).toString('hex')}`;
  const operator = new Client(testDatabase.connection);
  await operator.connect();
  await operator.query(`create role ${role} login connection limit 2`);
  defer(context, async () => {
    await operator.query(`drop role ${role}`);
    await operator.end();
  });
  const connection = { ...testDatabase.connection, user: role };
  const own = createDatabase({ connection, maxConnections: 8, onIdleError: () => {} });
  await own.query(sql`select 1`);
  const asked = Array.from({ length: 40 }, () => own.query(sql`select pg_sleep(0.01)`));
  assert.deepEqual(
    (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected'),
    [],
  );
  assert.ok(own.counts().total <= 2);
  // Nobody waits for connections that others have.
  const another = createDatabase({ connection, maxConnections: 8, onIdleError: () => {} });
  await assert.rejects(another.query(sql`select 1`), DatabaseUnavailable);
  await another.close();
  await own.close();
});

test('what the server still has to write, and nobody waits for any more, is in the way of what writes until it is ended, and of nothing else', async (context) => {
  const own = createDatabase({ connection: testDatabase.connection, maxConnections: 2, onIdleError: () => {} });
  defer(context, () => own.close());
  await own.query(sql`create table slow_writes (value text)`);
  const giveUp = (statement: Sql): Promise<void> =>
    assert.rejects(
      within({ untilMs: performance.now() + 200 }, () => own.query(statement)),
      DatabaseUnavailable,
    );
  const read = sql`select 1 as value`;
  const write = (): Promise<unknown> => own.transaction((transaction) => transaction.query(read));
  await giveUp(sql`select pg_sleep(2)`);
  await write();
  await giveUp(sql`insert into slow_writes select pg_sleep(2)::text`);
  assert.equal(await own.isStalled(), true);
  await assert.rejects(write(), DatabaseUnavailable);
  await assert.rejects(own.query(sql`delete from slow_writes`), DatabaseUnavailable);
  assert.deepEqual(await own.query(read), [{ value: 1 }]);
  await own.transaction((transaction) => transaction.query(read), 'anew');
  await eventually(async () => !(await own.isStalled()), 'it is ended');
  await write();
  await own.query(sql`drop table slow_writes`);
});

test('when the network has forgotten the connections, one query is given up, and no other is sent into the void', async (context) => {
  const proxy = await startProxy(testDatabase.connection);
  const own = createDatabase({ connection: connectionOf(proxy.url), maxConnections: 4, onIdleError: () => {} });
  defer(context, async () => {
    await proxy.close();
    await own.close();
  });
  await Promise.all(Array.from({ length: 4 }, () => own.query(sql`select pg_sleep(0.1)`)));
  assert.equal(own.counts().total, 4);
  proxy.forget();
  await assert.rejects(own.query(sql`select 1`), DatabaseUnavailable);
  await Promise.all(Array.from({ length: 4 }, () => own.query(sql`select 1`)));
});

test('where bytes of the server get lost on the way, a connection fails, and not the process', async (context) => {
  const proxy = await startProxy(testDatabase.connection);
  defer(context, () => proxy.close());
  const own = createDatabase({
    connection: connectionOf(proxy.url),
    maxConnections: LOSSES,
    onIdleError: () => {},
  });
  defer(context, () => own.close());
  const askOnAll = (): Promise<PromiseSettledResult<unknown>[]> =>
    Promise.allSettled(
      Array.from({ length: LOSSES }, () => own.query(sql`select 'one' as first, 2 as second from pg_sleep(1)`)),
    );
  await askOnAll();
  proxy.lose();
  for (const result of await askOnAll()) {
    if (result.status === 'rejected') assert.ok(result.reason instanceof DatabaseUnavailable, String(result.reason));
  }
  assert.deepEqual(await own.query(sql`select 1 as value`), [{ value: 1 }]);
});

test('settings of a role or database, whatever they are, do not change what is stored and read', async (context) => {
  const { connection } = testDatabase;
  const own = new Client(connection);
  await own.connect();
  defer(context, () => own.end());
  const settings = ['array_nulls = off', 'extra_float_digits = -15'];
  for (const setting of settings) await own.query(`alter database "${connection.database}" set ${setting}`);
  const database = createDatabase({ connection, maxConnections: 1, onIdleError: () => {} });
  const [row] = await database.query(sql`
    select ${['a', null]}::text[] as list, extract(epoch from timestamptz '2026-11-25 12:34:56.789+00')::float8 as at`);
  await database.close();
  for (const setting of settings) {
    await own.query(`alter database "${connection.database}" reset ${setting.split(' ')[0]}`);
  }
  assert.deepEqual(row, { list: ['a', null], at: 1_795_610_096.789 });
});

test('all waits of one caller end at his deadline together, and nothing is committed after it', async () => {
  const own = createDatabase({ connection: testDatabase.connection, maxConnections: 1, onIdleError: () => {} });
  await own.query(sql`create table late (id integer)`);
  const deadline = { untilMs: 0 };
  const insert = (pauses: number): Promise<void> =>
    own.transaction(async (transaction) => {
      await transaction.query(sql`insert into late values (1)`);
      for (let pause = 0; pause < pauses; pause += 1) await transaction.query(sql`select pg_sleep(0.2)`);
      // Whatever else it waits for: there is no time left for the commit.
      while (pauses === 0 && performance.now() < deadline.untilMs) await turn();
    });
  for (const pauses of [100, 0]) {
    deadline.untilMs = performance.now() + 500;
    const since = performance.now();
    await assert.rejects(
      within(deadline, () => insert(pauses)),
      DatabaseUnavailable,
    );
    assert.ok(performance.now() - since < 2_000, `it took ${performance.now() - since} ms`);
  }
  assert.deepEqual(await own.query(sql`select from late`), []);
  await own.close();
});

test('a database that had no room is taken for full until what is written finds room again', async (context) => {
  const full = await createTestDatabase();
  const filled = createDatabase({ connection: full.connection, maxConnections: 2, onIdleError: () => {} });
  defer(context, () => full.drop());
  defer(context, () => filled.close());
  const refused = sql`do $$ begin raise disk_full; end $$`;
  assert.equal(await filled.hasRoom(), true);
  // Stands for a disk on which no table finds room.
  await filled.query(sql`
    create function refuse() returns event_trigger language plpgsql as 'begin raise disk_full; end'`);
  await filled.query(
    sql`create event trigger refuse on ddl_command_start when tag in ('CREATE TABLE') execute function refuse()`,
  );
  await assert.rejects(filled.query(refused), DatabaseUnavailable);
  const begin = performance.now();
  await eventually(async () => {
    assert.equal(await filled.hasRoom(), false);
    return performance.now() - begin > FULL_AT_LEAST_MS;
  }, 'it has been full for longer than it is taken for full without a look');
  await filled.query(sql`drop event trigger refuse`);
  await eventually(() => filled.hasRoom(), 'there is room again');
  const left = await filled.query(sql`select from pg_class where relname = 'room_tried'`);
  assert.deepEqual(left, []);
});
