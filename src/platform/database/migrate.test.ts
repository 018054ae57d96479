import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { startProxy } from '#test/support/proxy.ts';
import { messageOf } from '../message-of.ts';
import { connectionOf } from './connection.ts';
import { describeSchema } from './describe-schema.ts';
import { startEmbedded, type EmbeddedDatabase } from './embedded.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { splitStatements } from './statements.ts';

const folder = mkdtempSync(join(tmpdir(), 'wattline-migrate-test-'));
const started: { server?: EmbeddedDatabase } = {};
const quiet = (): void => {};

before(async () => {
  started.server = await startEmbedded({ dataDir: folder, log: quiet, settings: { fsync: 'off' } });
});

after(async () => {
  await started.server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask<Row>(connection: ClientConfig, statement: string): Promise<Row[]> {
  const client = new Client(connection);
  client.on('error', quiet);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

interface Fixture {
  readonly connection: ClientConfig;
  readonly directory: string;
  readonly log: (message: string) => void;
  readonly logged: string[];
}

/** An empty database and a folder with these migrations. */
async function fixture(context: TestContext, files: Readonly<Record<string, string>>): Promise<Fixture> {
  assert.ok(started.server !== undefined);
  const database = `test_${randomBytes(6).toString('hex')}`;
  await ask(started.server.connection, `create database ${database}`);
  const directory = mkdtempSync(join(folder, 'migrations-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const logged: string[] = [];
  return {
    connection: { ...started.server.connection, database },
    directory,
    logged,
    log: (message) => logged.push(message),
  };
}

const TABLES = {
  '0001_tables.sql': 'create table one (id int primary key); create table two (id int references one);',
  '0002_more.sql': 'alter table one add name text;',
  'schema.sql': 'not a migration',
};

/** Starts a process that migrates. */
function migrateElsewhere({ connection, directory }: Fixture): ReturnType<typeof spawn> {
  const options = JSON.stringify({ connection, directory });
  const code = `
    import { migrate } from ${JSON.stringify(import.meta.resolve('./migrate.ts'))};
    await migrate({ ...${options}, log: () => {} });`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
}

/** Asks until there is a row, for at most ten seconds. */
async function untilRow(connection: ClientConfig, statement: string): Promise<void> {
  for (const begin = performance.now(); (await ask(connection, statement)).length === 0; await sleep(10)) {
    assert.ok(performance.now() - begin < 10_000, `no row came: ${statement}`);
  }
}

describe('migrate', () => {
  test('applies what is pending, in order, once', async (context) => {
    const options = await fixture(context, TABLES);
    assert.deepEqual(await pendingMigrations(options), ['0001_tables', '0002_more']);
    assert.deepEqual(await migrate(options), { applied: ['0001_tables', '0002_more'] });
    assert.deepEqual(await pendingMigrations(options), []);
    writeFileSync(join(options.directory, '0003_last.sql'), 'create table three ();');
    assert.deepEqual(await migrate(options), { applied: ['0003_last'] });
    assert.deepEqual(await migrate(options), { applied: [] });
    const rows = await ask(options.connection, 'select version, name from wattline_migrations order by version');
    assert.deepEqual(rows, [
      { version: 1, name: 'tables' },
      { version: 2, name: 'more' },
      { version: 3, name: 'last' },
    ]);
  });

  test('leaves nothing in a database of somebody else, who has a table of that name', async (context) => {
    const options = await fixture(context, TABLES);
    await ask(options.connection, 'create table two (id int)');
    await assert.rejects(migrate(options), /0001_tables\.sql failed: relation "two" already exists; .* its own$/);
    const tables = await ask(options.connection, `select relname from pg_stat_user_tables`);
    assert.deepEqual(tables, [{ relname: 'two' }]);
  });

  test('keeps no lock in a session that a pooler keeps when we have left it', async (context) => {
    const options = await fixture(context, TABLES);
    await migrate(options);
    // As the pooler gives the session to the next one: nothing but what we have undone ourselves is undone.
    const kept: Client[] = [];
    context.mock.method(Client.prototype, 'end', function (this: Client) {
      kept.push(this);
      return Promise.resolve();
    });
    await migrate(options);
    context.mock.restoreAll();
    const locks = await ask(options.connection, `select mode from pg_locks where locktype = 'advisory'`);
    await Promise.all(kept.map((client) => client.end()));
    assert.deepEqual(locks, []);
  });

  test('looking for pending ones changes nothing', async (context) => {
    const options = await fixture(context, TABLES);
    await pendingMigrations(options);
    assert.deepEqual(await ask(options.connection, `select to_regclass('wattline_migrations') as found`), [
      { found: null },
    ]);
  });

  const unfit = [
    ['in another encoding than UTF-8', `encoding 'SQL_ASCII'`, /has the encoding SQL_ASCII; Wattline needs .* 'UTF8'/],
    ['in another encoding still', `encoding 'LATIN1'`, /has the encoding LATIN1; Wattline needs .* 'UTF8'/],
    ['that knows the letters of English only', `encoding 'UTF8'`, /has the character type C, .* lc_ctype 'C\.UTF-8'/],
  ] as const;
  for (const [kind, encoding, refusal] of unfit) {
    test(`a database ${kind} is refused before anything is made in it`, async (context) => {
      const options = await fixture(context, TABLES);
      const database = `${options.connection.database}_unfit`;
      const english = `locale_provider libc locale 'C' template template0`;
      await ask(options.connection, `create database ${database} ${encoding} ${english}`);
      const there = { ...options, connection: { ...options.connection, database } };
      await assert.rejects(migrate(there), refusal);
      await assert.rejects(pendingMigrations(there), refusal);
      const tables = `select from pg_class where relnamespace = 'public'::regnamespace`;
      assert.deepEqual(await ask(there.connection, tables), []);
    });
  }

  test('a database that takes no tables, such as a standby, is refused with a sentence that says so', async (context) => {
    const options = await fixture(context, TABLES);
    await ask(
      options.connection,
      `alter database ${options.connection.database} set default_transaction_read_only = on`,
    );
    await assert.rejects(migrate(options), (error) => {
      assert.match(messageOf(error), /cannot make its tables in the database \(.*read-only transaction\)$/);
      return true;
    });
  });

  test('a role that may not make tables is told the right that it lacks', async (context) => {
    const options = await fixture(context, TABLES);
    const user = `${options.connection.database}_role`;
    await ask(options.connection, `create role ${user} login`);
    const there = { ...options, connection: { ...options.connection, user } };
    await assert.rejects(migrate(there), (error) => {
      const remedy = `grant create on schema public to "${user}"`;
      assert.match(messageOf(error), new RegExp(`: ${remedy} \\(permission denied for schema public\\)$`));
      return true;
    });
    assert.deepEqual(await pendingMigrations(there), ['0001_tables', '0002_more']);
    await ask(options.connection, `grant create on schema public to ${user}`);
    assert.deepEqual(await migrate(there), { applied: ['0001_tables', '0002_more'] });
  });

  test('a role that may not make an extension is told which right it lacks', async (context) => {
    const options = await fixture(context, { '0001_search.sql': 'create extension pg_trgm;' });
    const user = `${options.connection.database}_role`;
    await ask(options.connection, `create role ${user} login; grant create on schema public to ${user}`);
    const there = { ...options, connection: { ...options.connection, user } };
    await assert.rejects(migrate(there), /create extension "pg_trgm"; Must have CREATE privilege on current database/);
  });

  test('a migration may take longer than a database limits transactions to', async (context) => {
    const options = await fixture(context, { '0001_long.sql': 'create table one ();\nselect pg_sleep(0.6);\n' });
    await ask(options.connection, `alter database ${options.connection.database} set transaction_timeout = 300`);
    assert.deepEqual(await migrate(options), { applied: ['0001_long'] });
  });

  test('a database that goes silent on the way is given up, and one that takes its time over a migration is not', async (context) => {
    const options = await fixture(context, { '0001_slow.sql': 'select pg_sleep(0.5);' });
    const proxy = await startProxy(options.connection);
    context.after(() => proxy.close());
    const through = { ...options, connection: connectionOf(proxy.url), answerLimitMs: 200 };
    const silent = migrate({ ...through, first: async () => proxy.hold() });
    await assert.rejects(silent, /the database did not answer within 0\.2 s/);
    proxy.release();
    assert.deepEqual(await migrate(through), { applied: ['0001_slow'] });
  });

  test('a failing migration leaves no trace, and says where', async (context) => {
    const options = await fixture(context, {
      ...TABLES,
      '0003_broken.sql': 'create table three ();\ncreate table four ();\ncreate tabel five ();',
    });
    await assert.rejects(migrate(options), /0003_broken\.sql failed: syntax error at or near "tabel" \(line 3\)/);
    assert.deepEqual(await pendingMigrations(options), ['0003_broken']);
    assert.deepEqual(await ask(options.connection, `select to_regclass('three') as found`), [{ found: null }]);
    writeFileSync(join(options.directory, '0003_broken.sql'), 'create table three ();');
    assert.deepEqual(await migrate(options), { applied: ['0003_broken'] });
  });

  test('an applied migration must not be changed, but for its line ends', async (context) => {
    const options = await fixture(context, { '0001_one.sql': 'select 1;\nselect 2;\n' });
    await migrate(options);
    writeFileSync(join(options.directory, '0001_one.sql'), 'select 1;\r\nselect 2;\r\n');
    assert.deepEqual(await migrate(options), { applied: [] });
    writeFileSync(join(options.directory, '0001_one.sql'), 'select 1;\nselect 3;\n');
    await assert.rejects(migrate(options), /0001_one\.sql was changed after it had been applied/);
    await assert.rejects(pendingMigrations(options), /was changed/);
  });

  test('gaps, doubles and odd names are refused', async (context) => {
    for (const [name, sentence] of [
      ['0004_late.sql', /numbered without gaps: 0004_late\.sql stands where 0003/],
      ['0002_twin.sql', /numbered without gaps/],
      ['3_short.sql', /must be named like 0001_name\.sql/],
    ] as const) {
      const options = await fixture(context, { ...TABLES, [name]: 'select 1' });
      await assert.rejects(migrate(options), sentence);
    }
    const options = await fixture(context, TABLES);
    await migrate(options);
    await ask(options.connection, 'delete from wattline_migrations where version = 1');
    await assert.rejects(migrate(options), /has migration 2 but not 1/);
  });

  test('a database that is ahead is accepted, with a line in the log', async (context) => {
    const options = await fixture(context, TABLES);
    await migrate(options);
    rmSync(join(options.directory, '0002_more.sql'));
    assert.deepEqual(await migrate(options), { applied: [] });
    assert.match(options.logged.at(-1) ?? '', /newer than this version/);
  });

  test('settings of one migration do not reach the next', async (context) => {
    const options = await fixture(context, {
      '0001_elsewhere.sql': `create schema elsewhere; set search_path = elsewhere; set timezone = 'Asia/Tokyo';`,
      '0002_here.sql': `create table here as select current_setting('timezone') as zone;`,
    });
    await migrate(options);
    assert.deepEqual(await ask(options.connection, 'select zone from public.here'), [{ zone: 'UTC' }]);
  });
});

describe('migrating under difficulties', () => {
  test('several at once on an empty database apply each migration once', async (context) => {
    const options = await fixture(context, {
      ...TABLES,
      '0003_slow.sql': 'insert into one select generate_series(1, 1000); select pg_sleep(0.1);',
      '0004_index.sql': '-- no transaction\ncreate index concurrently one_name on one (name);',
    });
    const elsewhere = migrateElsewhere(options);
    const [results, [status]] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => migrate(options))),
      once(elsewhere, 'exit') as Promise<[number]>,
    ]);
    assert.equal(status, 0);
    const applied = results.flatMap((result) => result.applied);
    assert.equal(new Set(applied).size, applied.length);
    assert.deepEqual(await pendingMigrations(options), []);
    assert.deepEqual(await ask(options.connection, 'select count(*)::int as rows from one'), [{ rows: 1000 }]);
  });

  test('killed half-way, it is run again as if it had never begun', async (context) => {
    const options = await fixture(context, {
      ...TABLES,
      '0003_slow.sql': 'create table three as select 1 as value; select pg_sleep(30);',
    });
    const killed = migrateElsewhere(options);
    await untilRow(options.connection, `select 1 from pg_stat_activity where wait_event = 'PgSleep'`);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    writeFileSync(join(options.directory, '0003_slow.sql'), 'create table three as select 2 as value;');
    assert.deepEqual(await migrate(options), { applied: ['0003_slow'] });
    assert.deepEqual(await ask(options.connection, 'select value from three'), [{ value: 2 }]);
  });

  test('statements outside a transaction can be run again after having been cut short', async (context) => {
    const files = {
      ...TABLES,
      '0003_index.sql': `-- no transaction
        insert into one values (1, 'same'), (2, 'same') on conflict do nothing;
        drop index concurrently if exists one_name;
        create unique index concurrently one_name on one (name); -- fails; leaves an invalid index`,
    };
    const options = await fixture(context, files);
    await assert.rejects(migrate(options), /0003_index\.sql failed: could not create unique index/);
    assert.deepEqual(await pendingMigrations(options), ['0003_index']);
    await ask(options.connection, 'delete from one where id = 2');
    await ask(options.connection, `insert into one values (2, 'other')`);
    assert.deepEqual(await migrate(options), { applied: ['0003_index'] });
  });

  test('a lock that is not to be had is asked for again, and nobody queues behind the asking for long', async (context) => {
    const options = await fixture(context, TABLES);
    await migrate(options);
    writeFileSync(join(options.directory, '0003_wide.sql'), 'create table three (); alter table one add wide text;');
    const reader = new Client(options.connection);
    const writer = new Client(options.connection);
    await Promise.all([reader.connect(), writer.connect()]);
    try {
      await reader.query('begin; select from one');
      const migrating = migrate(options);
      const waits: number[] = [];
      for (let id = 1; options.logged.filter((message) => /waits for a lock/.test(message)).length < 2; id += 1) {
        const begin = performance.now();
        await writer.query('insert into one values ($1)', [id]);
        waits.push(performance.now() - begin);
        await sleep(5);
      }
      assert.deepEqual(await ask(options.connection, `select to_regclass('three') as found`), [{ found: null }]);
      await reader.query('commit');
      assert.deepEqual(await migrating, { applied: ['0003_wide'] });
      const longest = Math.max(...waits);
      assert.ok(longest > 100, `the writer met the asking, but waited ${longest} ms`);
      assert.ok(longest < 2_000, `the writer waited ${longest} ms`);
    } finally {
      await Promise.all([reader.end(), writer.end()]);
    }
  });

  test('a lock that is never to be had is given up, and who most likely holds it is named', async (context) => {
    const options = await fixture(context, TABLES);
    await migrate(options);
    writeFileSync(join(options.directory, '0003_wide.sql'), 'alter table one add wide text;');
    const reader = new Client({ ...options.connection, application_name: 'forgotten' });
    await reader.connect();
    try {
      await reader.query('begin; select from one');
      await assert.rejects(
        migrate({ ...options, lockPatienceMs: 0 }),
        /0003_wide\.sql failed: no lock was to be had; the oldest transaction is that of process \d+ \(forgotten\)/,
      );
    } finally {
      await reader.end();
    }
    assert.deepEqual(await migrate(options), { applied: ['0003_wide'] });
  });

  test('whoever starts on a database that is being restored waits for that', async (context) => {
    const options = await fixture(context, TABLES);
    await migrate({ ...options, upTo: 1 });
    const restore = new Client({ ...options.connection, application_name: 'wattline restore' });
    await restore.connect();
    try {
      await restore.query('begin; lock table wattline_migrations in access exclusive mode');
      await assert.rejects(
        pendingMigrations(options),
        /^Error: no lock was to be had; the oldest transaction is that of process \d+ \(wattline restore\)/,
      );
      const waiting = Promise.withResolvers<void>();
      const migrating = migrate({ ...options, log: () => waiting.resolve() });
      await Promise.race([waiting.promise, migrating]);
      await restore.query('commit');
      assert.deepEqual(await migrating, { applied: ['0002_more'] });
    } finally {
      await restore.end();
    }
  });

  test('an index is built beside a transaction that stays open for longer than a lock is waited for', async (context) => {
    const options = await fixture(context, TABLES);
    await migrate(options);
    writeFileSync(
      join(options.directory, '0003_index.sql'),
      '-- no transaction\n-- why\ndrop index concurrently if exists one_name;\ncreate index concurrently one_name on one (name);',
    );
    const writer = new Client(options.connection);
    await writer.connect();
    try {
      await writer.query('begin; insert into one values (1)');
      const migrating = migrate(options);
      await untilRow(
        options.connection,
        `select 1 from pg_stat_activity
         where wait_event_type = 'Lock' and query like 'create index%' and query_start < clock_timestamp() - interval '0.7 s'`,
      );
      await writer.query('commit');
      assert.deepEqual(await migrating, { applied: ['0003_index'] });
      assert.deepEqual(
        options.logged.filter((message) => /waits for a lock/.test(message)),
        [],
      );
    } finally {
      await writer.end();
    }
  });

  test('an invalid index is not taken for a good one', async (context) => {
    const options = await fixture(context, {
      ...TABLES,
      '0003_data.sql': `insert into one values (1, 'same'), (2, 'same');`,
      '0004_index.sql': '-- no transaction\ncreate unique index concurrently if not exists one_name on one (name);',
    });
    await assert.rejects(migrate(options), /could not create unique index/);
    await assert.rejects(migrate(options), /left an invalid index: one_name/);
  });
});

test('statements are told apart by semicolons outside of quotes and comments', () => {
  const text = `-- first; line
    create index a on b (c);
    /* none; */ ;
    select ';', E'\\';', "a;b", $$ ; $$, $tag$ $$ ; $tag$ ; select 1 -- end;`;
  assert.deepEqual(splitStatements(text), [
    '-- first; line\n    create index a on b (c)',
    `select ';', E'\\';', "a;b", $$ ; $$, $tag$ $$ ; $tag$`,
    'select 1 -- end;',
  ]);
});

test('the description of a schema tells its objects, without those of extensions and of the migrations', async (context) => {
  const { connection } = await fixture(context, {});
  await ask(
    connection,
    `create extension pg_trgm;
     create type colour as enum ('red', 'green');
     create table wattline_migrations (version int);
     create table b (id bigint generated always as identity primary key, c colour default 'red', t text not null,
                     d text collate "C", e int generated always as (1 + 1) stored, check (t <> ''));
     create table a (b_id bigint references b on delete cascade);
     create index b_t on b using gin (t gin_trgm_ops);
     create function f() returns trigger language plpgsql as 'begin return new; end';
     create trigger t before update on b for each row execute function f();`,
  );
  const description = await describeSchema(connection);
  assert.equal(
    description,
    `extensions
  pg_trgm

types
  colour enum ('red', 'green')

table a
  b_id bigint
  constraint a_b_id_fkey FOREIGN KEY (b_id) REFERENCES b(id) ON DELETE CASCADE

table b
  id bigint not null generated always as identity
  c colour default 'red'::colour
  t text not null
  d text collate "C"
  e integer generated always as ((1 + 1)) stored
  constraint b_pkey PRIMARY KEY (id)
  constraint b_t_check CHECK ((t <> ''::text))
  CREATE INDEX b_t ON public.b USING gin (t gin_trgm_ops)
  CREATE TRIGGER t BEFORE UPDATE ON public.b FOR EACH ROW EXECUTE FUNCTION f()

CREATE OR REPLACE FUNCTION public.f()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$begin return new; end$function$
`,
  );
  assert.equal(await describeSchema(connection), description);
});
