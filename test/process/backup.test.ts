/** `backup` beside a service that writes, `restore` into either kind of database, and the service that goes on there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Client } from 'pg';
import { readConfig, type Config } from '#config';
import { createLog } from '#platform/log.ts';
import { runCli } from '../../src/cli/run.ts';
import { breakGround, layFoundation } from '../../src/foundation.ts';
import { signUpBody, type Json } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { liveALife } from '../support/lively-life.ts';
import { ask, defer, eventually, startProcess, temporaryFolder } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { fetchToken, send, startService, type Reply, type TestService } from '../support/service.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

type Call = (method: string, path: string, body?: unknown) => Promise<Reply>;

interface Run {
  readonly code: number;
  readonly stderr: string;
  readonly json: Json;
}

/** A command as an operator runs it, with these settings only; in this process, which is faster. */
async function cli(settings: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Run> {
  const config = (): Config => readConfig({ ENCRYPTION_KEY: KEY, ...settings });
  const log = createLog('error', 2);
  const written = { stdout: '', stderr: '' };
  const code = await runCli(
    [...argv, '--json'],
    async (state) => layFoundation(config(), log, { state }),
    async () => breakGround(config(), log),
    {
      stdout: (text) => void (written.stdout += text),
      stderr: (text) => void (written.stderr += text),
    },
  );
  return { code, stderr: written.stderr, json: JSON.parse(written.stdout) };
}

const folder = temporaryFolder({ after }, 'backup');
const file = join(folder, 'wattline.backup');
/** What was opened, to be closed whatever goes wrong, the last first. */
const opened: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of opened.toReversed()) await close();
});

let source: TestService;
/** What was known before the backup began. */
const known = {
  token: '',
  events: [] as Json[],
  cursor: '',
  listed: '',
  acknowledged: [] as string[],
  later: '',
  /** From where the same backup was restored before. */
  elsewhere: '',
  head: '',
  entries: 0,
};
let summary: Run;

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  opened.push(() => database.drop());
  return database;
}

/** All events after a cursor, and where to read on. */
async function readOn(call: Call, cursor: string): Promise<{ readonly events: Json[]; readonly cursor: string }> {
  const events: Json[] = [];
  for (let after = cursor; ;) {
    const page = must(await call('GET', `/events?limit=500${after === '' ? '' : `&after=${after}`}`), 200);
    events.push(...page.items);
    after = page.next_page;
    if (page.has_more !== true) return { events, cursor: after };
  }
}

const idsOf = (events: readonly Json[]): string[] => events.map(({ id }) => id);

before(async () => {
  const receiver = await startReceiver();
  opened.push(() => receiver.close());
  source = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  opened.push(() => source.stop());
  await liveALife(source, receiver.url);
  const call: Call = (method, path, body) => source.call(method, path, body === undefined ? {} : { body });
  const signUp = async (): Promise<string> =>
    must(await call('POST', '/subscriptions', signUpBody(source.planId)), 201).id;
  known.token = await source.token();
  for (let index = 0; index < 20; index += 1) known.acknowledged.push(await signUp());
  await eventually(async () => (await readOn(call, '')).events.length === 20, 'the feed has them');
  ({ events: known.events, cursor: known.cursor } = await readOn(call, ''));
  known.listed = (await call('GET', '/subscriptions?limit=1')).headers.get('x-event-cursor') ?? '';
  known.acknowledged.push(await signUp());
  const [writing, stop] = [{ goesOn: true }, { signedUp: 0 }];
  const writers = [1, 2].map(async () => {
    while (writing.goesOn) {
      await signUp();
      stop.signedUp += 1;
    }
  });
  known.head = (await cli({ DATABASE_URL: source.databaseUrl }, 'audit', 'verify')).json.head;
  // Nothing that is written while a transaction is in progress has its place in the audit log, nor in the feed.
  const holder = new Client(source.connection);
  await holder.connect();
  await holder.query('begin; select pg_current_xact_id()');
  const begun = stop.signedUp;
  await eventually(() => stop.signedUp > begun + 30, 'others write');
  const [log] = await ask<{ entries: number; unchained: number }>(
    source.connection,
    `select count(*)::int as entries, count(*) filter (where transaction_id >= chained)::int as unchained
     from audit_log, audit_blocks_state`,
  );
  assert.ok(log !== undefined && log.unchained > 20);
  known.entries = log.entries;
  summary = await cli({ DATABASE_URL: source.databaseUrl }, 'backup', file);
  await holder.query('commit');
  await holder.end();
  writing.goesOn = false;
  await Promise.all(writers);
  await eventually(async () => (await readOn(call, known.cursor)).events.length > stop.signedUp, 'the feed has them');
  known.later = (await readOn(call, known.cursor)).cursor;
});

test('a backup can be read by its owner alone, and stands under its name only when it is whole', async () => {
  assert.equal(summary.code, 0, summary.stderr);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(existsSync(`${file}.partial`), false);
  const again = await cli({ DATABASE_URL: source.databaseUrl }, 'backup', file);
  assert.deepEqual([again.code, again.json.error.message], [1, `${file} is there already`]);
  assert.doesNotMatch(again.stderr, /rows/, 'said before the database is read');
  assert.equal(existsSync(`${file}.partial`), false);
});

test('a backup of a database from an older version applies no migration to it, and one of an empty one is refused', async () => {
  const { url, connection } = await emptyDatabase();
  const backUp = async (name: string): Promise<Run> => cli({ DATABASE_URL: url }, 'backup', join(folder, name));
  const refused = await backUp('nothing.backup');
  assert.deepEqual([refused.code, /was ever started/.test(refused.json.error.message)], [1, true], refused.stderr);
  assert.equal((await cli({ DATABASE_URL: url }, 'restore', file)).code, 0);
  const count = async (): Promise<number> => (await ask(connection, 'select from wattline_migrations')).length;
  await ask(
    connection,
    'delete from wattline_migrations where version = (select max(version) from wattline_migrations)',
  );
  const before = await count();
  const made = await backUp('older.backup');
  assert.deepEqual([made.code, await count()], [0, before], made.stderr);
});

test('a backup copies plain tables: nothing else that Wattline makes has rows', async () => {
  const others = await ask(
    source.connection,
    `select relname from pg_class where relkind in ('p', 'S', 'm', 'f') and relnamespace = 'public'::regnamespace`,
  );
  assert.deepEqual(others, []);
});

/** What the service, started on what was restored, must know. */
async function goesOn(
  settings: Readonly<Record<string, string>>,
  context: Parameters<typeof startProcess>[0],
): Promise<void> {
  const service = startProcess(context, { LOG_LEVEL: 'error', RATE_LIMIT: 'off', ENCRYPTION_KEY: KEY, ...settings });
  const url = await service.ready();
  const callWith =
    (token: string): Call =>
    (method, path, body) =>
      send(url, method, path, { token, ...(body === undefined ? {} : { body }) });
  // The token from before, and one of the credential from before.
  assert.equal((await callWith(known.token)('GET', '/plans')).status, 200);
  const call = callWith(await fetchToken(url, source.client));
  for (const id of known.acknowledged) assert.equal((await call('GET', `/subscriptions/${id}`)).status, 200, id);
  // The bank details are read with the key.
  const shown = must(await call('GET', `/subscriptions/${known.acknowledged[0]}?expand[]=payment_method`), 200);
  assert.equal(shown.payment_method.sepa_debit.account_holder, 'Erika Mustermann');

  assert.deepEqual((await readOn(call, '')).events.slice(0, known.events.length), known.events);
  const before = await readOn(call, known.cursor);
  assert.deepEqual(
    before.events.filter(({ id }) => idsOf(known.events).includes(id)),
    [],
  );
  assert.ok(before.events.some(({ data }) => data.subscription.id === known.acknowledged.at(-1)));
  const { id } = must(await call('POST', '/subscriptions', signUpBody(source.planId)), 201);
  const isNew = ({ data }: Json): boolean => data.subscription.id === id;
  // Whoever had read further than what was restored, here or elsewhere, hears of it as well.
  const elsewhere = known.elsewhere === '' ? [] : [known.elsewhere];
  for (const cursor of [known.cursor, known.listed, known.later, before.cursor, ...elsewhere]) {
    const { events } = await eventually(async () => {
      const found = await readOn(call, cursor);
      return found.events.some(isNew) ? found : undefined;
    }, 'the feed tells of the new one');
    assert.equal(new Set(idsOf(events)).size, events.length, 'nothing is told twice');
    assert.equal(events.filter(isNew).length, 1);
  }
  for (let index = 0; index < 10; index += 1)
    must(await call('POST', '/subscriptions', signUpBody(source.planId)), 201);
  const read = async (): Promise<{ events: Json[]; cursor: string }> => readOn(call, before.cursor);
  await eventually(async () => (await read()).events.length > 10, 'the feed has those of this place');
  known.elsewhere = (await read()).cursor;
  const doctor = await cli(settings, 'doctor', '--deep');
  assert.deepEqual(
    doctor.json.checks.filter(({ status }: Json) => status !== 'ok'),
    [],
  );
}

/** What was not chained at the moment of the backup is chained where it was restored. */
async function hasWholeLog(settings: Readonly<Record<string, string>>): Promise<void> {
  const audit = await cli(settings, 'audit', 'verify', '--head', known.head);
  assert.equal(audit.json.intact, true, JSON.stringify(audit.json.faults));
  assert.ok(audit.json.entries >= known.entries);
}

test('a backup holds and counts each row, wherever its table ends in what the server sends at once', async () => {
  const { url, connection } = await emptyDatabase();
  assert.equal((await cli({ DATABASE_URL: url }, 'restore', file)).code, 0);
  const backUp = async (name: string): Promise<number> => {
    const { code, json, stderr } = await cli({ DATABASE_URL: url }, 'backup', join(folder, `${name}.backup`));
    assert.equal(code, 0, stderr);
    return json.rows;
  };
  await ask(connection, 'create table someones (text text)');
  const others = await backUp('none');
  // It sends 8 KiB at once. The table's one row ends a few bytes before, and the word that it is done comes behind.
  for (let length = 8_160; length <= 8_168; length += 1) {
    await ask(connection, `truncate someones; insert into someones values (repeat('x', ${length}))`);
    assert.equal(await backUp(String(length)), others + 1, `a row of ${length}`);
  }
});

describe('a restore', () => {
  test('into an external database has everything that was acknowledged, and the service goes on', async (context) => {
    const { url } = await emptyDatabase();
    const restored = await cli({ DATABASE_URL: url }, 'restore', file);
    assert.equal(restored.code, 0, restored.stderr);
    assert.deepEqual([restored.json.rows, restored.json.tables], [summary.json.rows, summary.json.tables]);
    await hasWholeLog({ DATABASE_URL: url });
    await goesOn({ DATABASE_URL: url }, context);
    await hasWholeLog({ DATABASE_URL: url });
    await hasWholeLog({ DATABASE_URL: source.databaseUrl });
  });

  test('into a fresh embedded database has everything that was acknowledged, and the service goes on', async (context) => {
    const settings = { DATA_DIR: join(folder, 'data') };
    const restored = await cli(settings, 'restore', file);
    assert.equal(restored.code, 0, restored.stderr);
    await goesOn(settings, context);
    await hasWholeLog(settings);
  });

  const holds: [when: string, hold: string, holder: string][] = [
    [
      'makes the tables',
      'begin isolation level repeatable read; select from pg_class limit 1',
      "application_name = 'wattline migrate' and wait_event = 'virtualxid'",
    ],
    [
      'fills them',
      'begin; select from webhook_endpoints',
      "application_name = 'wattline restore' and wait_event_type = 'Lock'",
    ],
  ];
  for (const [when, hold, isHeld] of holds) {
    test(`keeps a service waiting that is started while it ${when}, which says what for, and then serves what was restored`, async (context) => {
      const { url, connection } = await emptyDatabase();
      if (when === 'makes the tables') await ask(connection, 'drop schema public cascade; create schema public');
      const reader = new Client(connection);
      await reader.connect();
      defer(context, () => reader.end());
      await reader.query(hold);
      const restoring = cli({ DATABASE_URL: url }, 'restore', file);
      const held = `select from pg_stat_activity where datname = current_database() and ${isHeld}`;
      await eventually(async () => (await ask(connection, held)).length > 0, 'the restore waits for the reader');
      const service = startProcess(context, { DATABASE_URL: url, ENCRYPTION_KEY: KEY, LOG_LEVEL: 'warn' });
      const told = /"application":"wattline restore".*"msg":"a restore fills this database, and is waited for/;
      await eventually(
        () => told.test(service.stdout()),
        'the start names the restore',
        () => service.stdout(),
      );
      await reader.query('rollback');
      assert.equal((await restoring).code, 0);
      const token = await fetchToken(await service.ready(), source.client);
      const shown = await send(await service.listening(), 'GET', `/subscriptions/${known.acknowledged[0]}`, { token });
      assert.equal(shown.status, 200);
    });
  }

  test('makes the indexes of each table in the order that the migrations have given them', async () => {
    // Of those that cost the same the planner takes the one made last: see test/acceptance/references.test.ts.
    const inOrder = `
      select indrelid::regclass::text as name, array_agg(indexrelid::regclass::text order by indexrelid) as indexes
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace
      group by indrelid
      order by name`;
    const { url, connection } = await emptyDatabase();
    const migrated = await ask(connection, inOrder);
    assert.equal((await cli({ DATABASE_URL: url }, 'restore', file)).code, 0);
    assert.deepEqual(await ask(connection, inOrder), migrated);
  });

  test('leaves out a table that somebody else had made in the same schema, and names it', async () => {
    const shared = await emptyDatabase();
    assert.equal((await cli({ DATABASE_URL: shared.url }, 'restore', file)).code, 0);
    await ask(
      shared.connection,
      `create table someones (id serial primary key, other int generated always as identity);
       insert into someones default values;
       create materialized view someones_view as select * from someones;
       create table someones_parts (id int) partition by list (id)`,
    );
    const path = join(folder, 'shared.backup');
    assert.equal((await cli({ DATABASE_URL: shared.url }, 'backup', path)).code, 0);
    const { url } = await emptyDatabase();
    const restored = await cli({ DATABASE_URL: url }, 'restore', path);
    assert.equal(restored.code, 0, restored.stderr);
    assert.deepEqual([restored.json.left_out, restored.json.tables], [['someones'], summary.json.tables]);
  });

  test('of a file that was cut off, altered or is none is refused, and leaves the database empty', async () => {
    const bytes = readFileSync(file);
    const plain = zstdDecompressSync(bytes);
    const at = plain.indexOf('Mustermann');
    const rewritten = Buffer.from(plain);
    rewritten.write('Mistermann', at);
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    const damaged = {
      'cut off': bytes.subarray(0, -100),
      'with another behind it': Buffer.concat([bytes, bytes]),
      'with a byte behind it': Buffer.concat([bytes, Buffer.from('x')]),
      'cut off and packed anew': zstdCompressSync(plain.subarray(0, -37)),
      'cut off in the middle': zstdCompressSync(plain.subarray(0, plain.length >> 1)),
      'altered and packed anew': zstdCompressSync(rewritten),
      flipped,
      'another file': Buffer.from('object;id\n'),
      'another packed file': zstdCompressSync(Buffer.from('object;id\n')),
      empty: Buffer.alloc(0),
    };
    const { url, connection } = await emptyDatabase();
    for (const [name, content] of Object.entries(damaged)) {
      const path = join(folder, 'damaged.backup');
      writeFileSync(path, content);
      const refused = await cli({ DATABASE_URL: url }, 'restore', path);
      assert.deepEqual([refused.code, refused.json.error?.reason], [1, 'damaged_backup'], `${name}: ${refused.stderr}`);
      const [left] = await ask<{ rows: string }>(
        connection,
        `select (select count(*) from subscriptions) + (select count(*) from projects) + (select count(*) from events)
           as rows`,
      );
      assert.equal(left?.rows, '0', name);
    }
    const restored = await cli({ DATABASE_URL: url }, 'restore', file);
    assert.equal(restored.code, 0, restored.stderr);
  });

  test('of what is no plain file, such as a pipe, is refused with a sentence', async () => {
    const { url } = await emptyDatabase();
    const { code, json } = await cli({ DATABASE_URL: url }, 'restore', '/dev/null');
    assert.deepEqual([code, json.error?.message], [1, '/dev/null is no plain file, which can be read twice']);
  });

  test('with another key, or none, is refused', async (context) => {
    const { url } = await emptyDatabase();
    const other = Buffer.alloc(32, 8).toString('base64');
    const refused = await cli({ DATABASE_URL: url, ENCRYPTION_KEY: other }, 'restore', file);
    assert.equal(refused.code, 1);
    assert.match(refused.json.error.message, /^ENCRYPTION_KEY is not the key of the database/);
    const WITH_ANOTHER = temporaryFolder(context, 'another-key');
    writeFileSync(join(WITH_ANOTHER, 'encryption.key'), other);
    const kept = await cli({ DATA_DIR: WITH_ANOTHER, ENCRYPTION_KEY: '' }, 'restore', file);
    assert.ok(kept.json.error.message.startsWith(`${join(WITH_ANOTHER, 'encryption.key')} is not the key of the`));
    const DATA_DIR = join(folder, 'without-key');
    const without = await cli({ DATA_DIR, ENCRYPTION_KEY: '' }, 'restore', file);
    assert.match(without.json.error.message, /^put the key of the database .* or set ENCRYPTION_KEY$/);
    assert.equal(existsSync(DATA_DIR), false);
  });

  test('into a database that is not empty is refused and changes nothing', async () => {
    const count = (): Promise<Json[]> =>
      ask(source.connection, 'select count(*) as rows, max(xmin::text::bigint) as last from subscriptions');
    const before = await count();
    const refused = await cli({ DATABASE_URL: source.databaseUrl }, 'restore', file);
    assert.deepEqual([refused.code, refused.json.error.reason], [1, 'not_empty']);
    assert.deepEqual(await count(), before);
    const { url, connection } = await emptyDatabase();
    await ask(connection, 'drop schema public cascade');
    await ask(connection, 'create schema public');
    await ask(connection, 'create table someones (id integer)');
    const foreign = await cli({ DATABASE_URL: url }, 'restore', file);
    assert.deepEqual([foreign.code, foreign.json.error.reason], [1, 'not_empty']);
    assert.deepEqual(await ask(connection, `select count(*) as tables from pg_tables where schemaname = 'public'`), [
      { tables: '1' },
    ]);
  });

  test('into our tables, still empty, beside one of somebody else is refused as not empty', async () => {
    const shared = await emptyDatabase();
    await ask(shared.connection, 'create table someones (id integer)');
    const refused = await cli({ DATABASE_URL: shared.url }, 'restore', file);
    assert.deepEqual([refused.code, refused.json.error.reason], [1, 'not_empty']);
    assert.match(refused.json.error.message, /has someones\./);
  });

  test('of a database that had lost a table is refused, and names the table as one of the backup, which said so', async () => {
    const damaged = await emptyDatabase();
    assert.equal((await cli({ DATABASE_URL: damaged.url }, 'restore', file)).code, 0);
    await ask(damaged.connection, 'drop table held_locations cascade');
    const incomplete = join(folder, 'incomplete.backup');
    const told = await cli({ DATABASE_URL: damaged.url }, 'backup', incomplete);
    assert.deepEqual([told.code, told.json.lost], [1, ['held_locations']]);
    const empty = await emptyDatabase();
    const refused = await cli({ DATABASE_URL: empty.url }, 'restore', incomplete);
    assert.deepEqual([refused.code, refused.json.error.reason], [1, 'damaged_backup']);
    assert.match(refused.json.error.message, /^The backup has no held_locations, .* Restore an earlier one\.$/);
  });
});
