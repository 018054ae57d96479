import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { wallClock } from '#platform/clock.ts';
import { createKeys } from '#platform/crypto.ts';
import { keepEncryptionSample } from '#platform/database/encryption-check.ts';
import { createDatabase } from '#platform/database/pool.ts';
import { createUuidMint } from '#platform/uuid.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { ask } from '#test/support/process.ts';
import { runCli, type CliDependencies } from './run.ts';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of any shape are looked into
  readonly json: any;
}

const shared: { testDatabase?: TestDatabase; folder?: string; opened: number; closed: number } = {
  opened: 0,
  closed: 0,
};

before(async () => {
  shared.testDatabase = await createTestDatabase();
  shared.folder = await mkdtemp(join(tmpdir(), 'wattline-cli-'));
});

after(async () => {
  assert.equal(shared.opened, shared.closed, 'every command closes what it opened');
  await shared.testDatabase?.drop();
  await rm(shared.folder ?? '', { recursive: true, force: true });
});

async function open(changes: Partial<CliDependencies> = {}): Promise<CliDependencies> {
  const connection = shared.testDatabase?.connection ?? {};
  const database = createDatabase({ connection, maxConnections: 2, onIdleError: () => {} });
  shared.opened += 1;
  return {
    database,
    connection,
    clock: wallClock,
    mintUuid: createUuidMint(wallClock),
    keys: createKeys(Buffer.alloc(32, 3)),
    pendingMigrations: async () => [],
    async close() {
      shared.closed += 1;
      await database.close();
    },
    ...changes,
  };
}

async function cli(argv: readonly string[], opener: () => Promise<CliDependencies> = () => open()): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  const code = await runCli(argv, opener, () => assert.fail('nothing is to be filled'), {
    stdout: (text) => void (written.stdout += text),
    stderr: (text) => void (written.stderr += text),
  });
  return { code, ...written, json: argv.includes('--json') ? JSON.parse(written.stdout) : undefined };
}

test('what comes from others cannot steer the terminal, or turn a line around', async () => {
  const file = join(shared.folder ?? '', 'steering.csv');
  await writeFile(file, 'name;code\nStrom;\u009b2J\nGas;\u202e9\u2066\u001b]0;x\n');
  const shown = await cli(['supplier', 'import', file]);
  assert.doesNotMatch(shown.stdout + shown.stderr, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
  assert.match(shown.stdout, /line 2 has the code "\\u009b2J"/);
  const { json, stdout } = await cli(['supplier', 'import', file, '--json']);
  assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
  assert.match(json.rejected[0].message, /\u009b2J/);
  assert.doesNotMatch((await cli(['\u009b2J'])).stderr, /\u009b/);
});

test('projects, credentials and plans are made and listed', async () => {
  const project = (await cli(['project', 'create', '--name', 'Nord', '--mode', 'live', '--json'])).json;
  assert.match(project.id, /^prj_/);
  assert.deepEqual((await cli(['project', 'list', '--json'])).json.items, [project]);
  assert.match((await cli(['project', 'list'])).stdout, /^ID +MODE +CREATED +NAME\nprj_\w+ +live +\S+Z +Nord\n$/);

  const create = ['credential', 'create', '--project', project.id, '--name', 'Shop', '--json'];
  const credential = (await cli([...create, '--scopes', 'read:*', '--expires', '2099-01-31'])).json;
  assert.match(credential.client_secret, /^es_live_/);
  const list = ['credential', 'list', '--project', project.id, '--json'];
  const [listed] = (await cli(list)).json.items;
  assert.deepEqual(
    [listed.id, listed.client_id, listed.scopes, listed.expires_at, listed.usable],
    [credential.id, credential.client_id, ['read:*'], '2099-01-31T23:00:00Z', true],
  );
  assert.equal('client_secret' in listed, false);
  const { stdout: shown } = await cli(list.filter((argument) => argument !== '--json'));
  assert.ok(shown.includes(`${credential.id}  ${credential.client_id}  usable`), shown);
  const revoked = await cli(['credential', 'revoke', '--project', project.id, '--id', credential.id, '--json']);
  assert.deepEqual([revoked.code, revoked.json.revoked], [0, true]);
  assert.equal((await cli(list)).json.items[0].usable, false);

  const plan = await cli([
    'plan',
    'create',
    '--project',
    project.id,
    '--name',
    'Öko 12',
    '--price',
    '12.90',
    '--products',
    'smart-meter',
    '--json',
  ]);
  assert.deepEqual([plan.json.price, plan.json.slug, plan.json.products], [12.9, 'oeko-12', ['smart-meter']]);
  const taken = await cli([
    'plan',
    'create',
    '--project',
    project.id,
    '--name',
    'x',
    '--price',
    '1',
    '--slug',
    'oeko-12',
    '--json',
  ]);
  assert.deepEqual([taken.code, taken.json.error.reason], [1, 'duplicate_slug']);
  const long = '😀'.repeat(150);
  const counted = await cli(['plan', 'create', '--project', project.id, '--name', long, '--price', '1', '--json']);
  assert.deepEqual([counted.code, counted.json.name], [0, long], 'characters are counted as the API does');
});

test('what does not exist is a failure with a reason', async () => {
  const nowhere = 'prj_01k9zr5x3hf8b9m2t4v6w8y0ac';
  for (const argv of [
    ['credential', 'create', '--project', nowhere, '--name', 'x'],
    ['credential', 'list', '--project', 'nonsense'],
    ['plan', 'create', '--project', nowhere, '--name', 'x', '--price', '1'],
  ]) {
    const run = await cli([...argv, '--json']);
    assert.deepEqual([run.code, run.json.error.reason], [1, 'project_not_found'], argv.join(' '));
    assert.match(run.stderr, /^wattline: there is no project/);
  }
  const run = await cli(['credential', 'revoke', '--project', nowhere, '--id', 'crd_x', '--json']);
  assert.deepEqual([run.code, run.json.error.reason], [1, 'not_found']);
});

test('a wrong call ends with 2, a message and the usage, and opens nothing', async () => {
  const opened = shared.opened;
  const calls: [string[], RegExp][] = [
    [[], /there is no command/],
    [['nonsense'], /"nonsense" is no command/],
    [['project'], /"project" is no command; there is project create, project list/],
    [['project', 'delete'], /"project delete" is no command/],
    [['project', 'list', '--all'], /Unknown option '--all'/],
    [['project', 'create', '--name', 'x'], /--mode is missing/],
    [['project', 'create', '--name', 'x', '--mode', 'test'], /--mode must be sandbox or live/],
    [['project', 'create', '--name', 'x', '--name', 'y', '--mode', 'live'], /--name is given more than once/],
    [['project', 'list', 'surplus'], /nothing to do with "surplus"/],
    [['supplier', 'import'], /FILE\.csv is missing/],
    [['credential', 'create', '--project', 'p', '--name', 'x', '--expires', '2027-02-30'], /--expires must be a date/],
    [['plan', 'create', '--project', 'p', '--name', 'x', '--price', '12,90'], /--price must be an amount/],
    [['plan', 'create', '--project', 'p', '--name', 'x', '--price', '1', '--products', 'tea'], /--products can name/],
    [
      ['plan', 'create', '--project', 'p', '--name', 'x', '--price', '1', '--cancellation-period', 'P99999999999M'],
      /--cancellation-period must be/,
    ],
    [['plan', 'create', '--project', 'p', '--name', 'a\u2028b', '--price', '1'], /--name must be one line/],
    [['plan', 'create', '--project', 'p', '--name', 'x'.repeat(201), '--price', '1'], /--name must have at most 200/],
    [['plan', 'create', '--project', 'p', '--name', 'x', '--price', '1', '--slug', 'A b'], /--slug must/],
    [
      ['market', 'order', '--project', 'p', 'mor_1', 'installed', '--at', '2026-12-14T08:00:00Z'],
      /--at is nothing that "installed" has/,
    ],
    [
      ['market', 'order', '--project', 'p', 'gfr_1', 'ended', '--from', '2026-12-01'],
      /--from is nothing that "ended" has/,
    ],
    [
      ['market', 'order', '--project', 'p', 'gfr_1', 'confirmed', '--code', 'x'],
      /--code is nothing that "confirmed" has/,
    ],
  ];
  for (const [argv, message] of calls) {
    const run = await cli(argv);
    assert.equal(run.code, 2, argv.join(' '));
    assert.equal(run.stdout, '');
    assert.match(run.stderr, message);
    assert.match(run.stderr, /Usage: npm run --silent cli --/);
    const json = await cli([...argv, '--json']);
    assert.deepEqual([json.code, json.json.error.reason], [2, 'usage']);
  }
  assert.equal(shared.opened, opened);
});

test('a value that only the service can refuse is a wrong call, too', async () => {
  const project = (await cli(['project', 'create', '--name', 'Nord', '--mode', 'live', '--json'])).json;
  const create = ['credential', 'create', '--project', project.id, '--name', 'Shop'];
  const calls: [string[], RegExp][] = [
    [['project', 'create', '--name', ' ', '--mode', 'live'], /--name must/],
    [[...create, '--scopes', 'admin'], /--scopes must be one or both of/],
    [[...create, '--expires', '2020-01-01'], /--expires must be in the future/],
    [[...create, '--expires', '+200000-01-01T00:00:00Z'], /--expires must be before the year 10000/],
  ];
  for (const [argv, message] of calls) {
    const run = await cli(argv);
    assert.equal(run.code, 2, argv.join(' '));
    assert.match(run.stderr, message);
    assert.match(run.stderr, /Usage: npm run --silent cli --/);
    assert.equal((await cli([...argv, '--json'])).json.error.reason, 'usage');
  }
});

test('help is there for all and for each', async () => {
  const all = await cli(['--help']);
  assert.equal(all.code, 0);
  const names = [...all.stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2}/gm)].map((match) => match[1] ?? '');
  assert.equal(names.length, 18);
  for (const name of names) {
    const one = await cli([...name.split(' '), '--help']);
    assert.deepEqual([one.code, one.stderr], [0, '']);
    assert.match(one.stdout, new RegExp(`Usage: npm run --silent cli -- ${name}`));
  }
});

test('help names the commands whose names begin so, and none that there is not', async () => {
  for (const argv of [['help'], ['--help']]) assert.equal((await cli(argv)).stdout, (await cli(['-h'])).stdout);
  for (const argv of [
    ['help', 'project'],
    ['project', '--help'],
  ]) {
    const { code, stdout } = await cli(argv);
    assert.equal(code, 0);
    assert.match(stdout, /project create/);
    assert.doesNotMatch(stdout, /doctor/);
  }
  assert.equal((await cli(['help', 'doctor'])).stdout, (await cli(['doctor', '--help'])).stdout);
  for (const argv of [
    ['help', 'nope'],
    ['nope', '--help'],
    ['project', 'nope', '--help'],
  ]) {
    assert.deepEqual([(await cli(argv)).code, (await cli(argv)).stdout], [2, ''], argv.join(' '));
  }
});

test('suppliers are imported with progress on stderr, bad rows named', async () => {
  const path = join(shared.folder ?? '', 'suppliers.csv');
  await writeFile(path, 'name;code\nA;9900000000001\nB;12\nC;\n');
  const run = await cli(['supplier', 'import', path, '--json']);
  assert.equal(run.code, 0);
  assert.deepEqual(run.json, {
    object: 'supplier_import',
    read: 3,
    inserted: 2,
    updated: 0,
    unchanged: 0,
    rejected: [{ line: 3, message: 'has the code "12", which is not 13 digits' }],
  });
  assert.match(run.stderr, /3 rows read/);
  const again = await cli(['supplier', 'import', path]);
  assert.match(
    again.stdout,
    /^3 rows read: 0 suppliers inserted, 0 updated, 2 unchanged; 1 rows rejected\n {2}line 3 has/,
  );
});

test('an import of which nothing can be read ends with 1', async () => {
  const path = join(shared.folder ?? '', 'bad.csv');
  const contents: [string | null, string | undefined][] = [
    ['firma;ort\nA;B\n', 'unreadable_file'],
    ['', 'unreadable_file'],
    [null, 'unreadable_file'],
    ['name;code\nA;1\n', undefined],
  ];
  for (const [content, reason] of contents) {
    if (content !== null) await writeFile(path, content);
    const file = content === null ? join(shared.folder ?? '', 'missing.csv') : path;
    const run = await cli(['supplier', 'import', file, '--json']);
    assert.deepEqual([run.code, run.json.error?.reason], [1, reason], String(content));
  }
  await writeFile(path, 'name\n');
  assert.equal((await cli(['supplier', 'import', path])).code, 0, 'a file without rows is imported');
});

test('a file that cannot be read is named before anything is opened', async () => {
  const { folder = '', opened } = shared;
  const files = { [folder]: 'it is a folder', [join(folder, 'missing')]: 'ENOENT' };
  for (const command of [['supplier', 'import'], ['restore']]) {
    for (const [file, why] of Object.entries(files)) {
      const run = await cli([...command, file, '--json']);
      assert.deepEqual([run.code, run.json.error?.reason], [1, 'unreadable_file'], run.stderr);
      assert.ok(run.stderr.startsWith(`wattline: ${file} cannot be read: ${why}`), run.stderr);
    }
  }
  assert.equal(shared.opened, opened);
});

test('the doctor finds what is right and what is not', async () => {
  const fresh = await cli(['doctor', '--json']);
  assert.deepEqual([fresh.code, fresh.json.checks[3].status], [0, 'warning'], 'the key opens nothing yet');
  const started = await open();
  await keepEncryptionSample(started.database, started.keys);
  await started.close();
  const healthy = await cli(['doctor', '--json']);
  assert.equal(healthy.code, 0, healthy.stdout);
  assert.deepEqual(
    healthy.json.checks.map(({ name, status }: { name: string; status: string }) => [name, status]),
    [
      ['configuration', 'ok'],
      ['database', 'ok'],
      ['migrations', 'ok'],
      ['keys', 'ok'],
      ['clock', 'ok'],
      ['schema', 'ok'],
      ['feed', 'ok'],
    ],
  );
  const late = { now: () => Temporal.Now.instant().subtract({ seconds: 10 }) };
  const slow = await cli(['doctor'], () => open({ clock: late }));
  assert.equal(slow.code, 0);
  assert.match(slow.stdout, /warning +clock: this machine and the database are (9|10)\.\d s apart/);
  const ill = await cli(['doctor', '--json'], () =>
    open({ keys: createKeys(Buffer.alloc(32, 4)), pendingMigrations: async () => ['0002_more'] }),
  );
  assert.equal(ill.code, 1);
  assert.match(ill.json.checks[2].detail, /0002_more/);
  assert.match(ill.json.checks[3].detail, /ENCRYPTION_KEY is not the key/);
  const away = await cli(['doctor', '--json'], () => Promise.reject(new Error('connect ECONNREFUSED')));
  assert.deepEqual(
    [away.code, away.json.checks],
    [1, [{ name: 'database', status: 'failed', detail: 'connect ECONNREFUSED', duration_ms: 0 }]],
  );
});

test('the doctor names the promises that it could not look at, for a table that is not there', async () => {
  const damaged = await createTestDatabase();
  const database = createDatabase({ connection: damaged.connection, maxConnections: 1, onIdleError: () => {} });
  try {
    const examine = () => cli(['doctor', '--deep', '--json'], () => open({ connection: damaged.connection, database }));
    const names = (await examine()).json.checks.map((check: { name: string }) => check.name);
    await ask(damaged.connection, 'drop table audit_log cascade');
    const { code, json } = await examine();
    const { name, status, detail } = json.checks.at(-1);
    assert.deepEqual([code, status], [1, 'failed']);
    const left = names.slice(names.indexOf(name) + 1);
    assert.ok(left.length > 0);
    assert.match(detail, /relation "audit_log" does not exist/);
    assert.ok(detail.endsWith(`; therefore not looked at: ${left.join(', ')}`), detail);
  } finally {
    await database.close();
    await damaged.drop();
  }
});

test('the doctor names what the schema lacks, and what helps', async () => {
  const damaged = await createTestDatabase();
  try {
    await ask(damaged.connection, 'drop index subscriptions_open_malo');
    const { code, json } = await cli(['doctor', '--json'], () => open({ connection: damaged.connection }));
    const { status, detail } = json.checks.find(({ name }: { name: string }) => name === 'schema');
    assert.deepEqual([code, status], [1, 'failed']);
    assert.match(
      detail,
      /: 1 found, such as table subscriptions: CREATE UNIQUE INDEX subscriptions_open_malo .*`restore`/,
    );
  } finally {
    await damaged.drop();
  }
});
