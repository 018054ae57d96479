import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import { Client, type ClientConfig } from 'pg';
import { signUpBody } from '#test/support/builders.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { cannotMount, makeDisk, mountDisk } from '#test/support/machine.ts';
import {
  ask,
  defer,
  embeddedIn,
  eventually,
  freePort,
  killProcess,
  startProcess,
  stopProcess,
  temporaryFolder,
  type ServiceProcess,
} from '#test/support/process.ts';
import { fetchToken, send } from '#test/support/service.ts';
import { claimPort } from '../../src/processes/claim-port.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
/** What the issue allows from the start to the first answered sign-up; a later start is given more, for a busy machine. */
const FIRST_START_LIMIT_MS = 20_000;
const LATER_START_LIMIT_MS = 10_000;
const STOP_LIMIT_MS = 10_000;

/** What a start may create, and nothing but the first one does. */
async function countOf(connection: ClientConfig): Promise<Record<string, number>> {
  const tables = ['projects', 'credentials', 'plans', 'suppliers', 'encryption_check'];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const [row] = await ask<Record<string, number>>(connection, `select ${counts.join(', ')}`);
  return row ?? {};
}

/** Runs a command as a person would paste it, and gives what it prints. */
async function shell(
  command: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Record<'stdout' | 'stderr', string>> {
  const child = spawn('sh', ['-c', command], { env: { PATH: process.env.PATH ?? '', ...environment } });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, printed.stderr);
  return printed;
}

/** The two commands as printed. */
function printedCommands(stdout: string): string {
  const commands = /^TOKEN=\$\(curl [^]+?^\}'$/m.exec(stdout)?.[0];
  assert.ok(commands !== undefined, `no commands in ${stdout}`);
  return commands;
}

function credentialIn(stdout: string): { clientId: string; clientSecret: string } {
  const clientId = /^ {2}Client id +([A-Za-z0-9_-]+)$/m.exec(stdout)?.[1];
  const clientSecret = /^ {2}Secret +([A-Za-z0-9_-]+)$/m.exec(stdout)?.[1];
  assert.ok(clientId !== undefined && clientSecret !== undefined, stdout);
  return { clientId, clientSecret };
}

async function signUp(url: string, token: string): Promise<string> {
  const plans = await send(url, 'GET', '/plans', { token });
  const body = signUpBody(plans.json.items[0].id as string);
  const reply = await send(url, 'POST', '/subscriptions', { token, body });
  assert.equal(reply.status, 201, reply.text);
  return reply.json.id as string;
}

async function readsBack(url: string, token: string, id: string): Promise<void> {
  const reply = await send(url, 'GET', `/subscriptions/${id}`, { token });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.json.id, id);
}

async function stop(service: ServiceProcess, context: TestContext): Promise<void> {
  const begin = performance.now();
  assert.deepEqual(await stopProcess(service), { code: 0, signal: null }, service.stderr());
  const milliseconds = performance.now() - begin;
  context.diagnostic(`from SIGTERM to the end: ${milliseconds.toFixed(0)} ms`);
  assert.ok(milliseconds < STOP_LIMIT_MS);
}

function reportStart(context: TestContext, begin: number, limitMs: number): void {
  const milliseconds = performance.now() - begin;
  context.diagnostic(`from the start to the first answered sign-up: ${milliseconds.toFixed(0)} ms`);
  assert.ok(milliseconds < limitMs, `${milliseconds.toFixed(0)} ms`);
}

describe('one data folder over several starts', () => {
  const folder = temporaryFolder({ after }, 'start');
  const settings = { DATA_DIR: join(folder, 'data') };
  const kept: {
    credential?: ReturnType<typeof credentialIn>;
    id?: string;
    counts?: Record<string, number>;
    key?: string;
  } = {};
  const token = (url: string): Promise<string> => {
    assert.ok(kept.credential !== undefined, 'the first start has printed a credential');
    return fetchToken(url, kept.credential);
  };

  test('the first start prints URLs, a credential and two commands that sign a customer up', async (context) => {
    // The curl commands stay as printed; their status is told beside them.
    writeFileSync(join(folder, '.curlrc'), 'write-out = "%{stderr}%{http_code} %{content_type}\\n"\n');
    const begin = performance.now();
    const service = startProcess(context, settings);
    const url = await service.listening();
    const { stdout, stderr } = await shell(printedCommands(service.stdout()), { CURL_HOME: folder });
    reportStart(context, begin, FIRST_START_LIMIT_MS);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.deepEqual(
      stderr
        .trim()
        .split('\n')
        .map((line) => line.replace(/;.*/, '')),
      ['200 application/json', '201 application/json'],
    );
    const subscription = JSON.parse(stdout) as Record<string, unknown>;
    assert.match(String(subscription['id']), /^sub_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(subscription['status'], 'pending');
    const docs = /^ {2}Reference +(\S+)$/m.exec(service.stdout())?.[1] ?? '';
    assert.equal(docs, `${url}/docs`);
    assert.equal((await fetch(docs)).status, 200);
    kept.credential = credentialIn(service.stdout());
    assert.match(kept.credential.clientSecret, /^es_test_/);
    kept.id = String(subscription['id']);
    kept.counts = await countOf(await embeddedIn(settings.DATA_DIR));
    kept.key = readFileSync(join(settings.DATA_DIR, 'encryption.key'), 'utf8');
    assert.equal(kept.counts['projects'], 1);
    assert.equal(statSync(join(settings.DATA_DIR, 'encryption.key')).mode & 0o777, 0o600);
    await stop(service, context);
  });

  test('a second start prints no secret and creates nothing', async (context) => {
    const begin = performance.now();
    const service = startProcess(context, settings);
    const url = await service.listening();
    const bearer = await token(url);
    await signUp(url, bearer);
    reportStart(context, begin, LATER_START_LIMIT_MS);
    assert.doesNotMatch(service.stdout(), /Secret|es_test_|es_live_|TOKEN=|Client id/);
    await readsBack(url, bearer, kept.id ?? '');
    assert.deepEqual(await countOf(await embeddedIn(settings.DATA_DIR)), kept.counts);
    assert.equal(readFileSync(join(settings.DATA_DIR, 'encryption.key'), 'utf8'), kept.key);
    await stop(service, context);
    assert.ok(!existsSync(join(settings.DATA_DIR, 'postgres/postmaster.pid')), 'its database server has stopped too');
  });

  test('a start works after kill -9 of the service, and nothing that was answered is gone', async (context) => {
    const killed = startProcess(context, settings);
    const before = await killed.listening();
    const id = await signUp(before, await token(before));
    assert.deepEqual(await killProcess(killed), { code: null, signal: 'SIGKILL' });
    const begin = performance.now();
    const service = startProcess(context, settings);
    const url = await service.listening();
    const bearer = await token(url);
    await signUp(url, bearer);
    reportStart(context, begin, LATER_START_LIMIT_MS);
    await readsBack(url, bearer, id);
    assert.doesNotMatch(service.stdout(), /es_test_|TOKEN=/);
    assert.deepEqual(await countOf(await embeddedIn(settings.DATA_DIR)), kept.counts);
    await stop(service, context);
  });

  test('two instances share it, and the second serves on when the first one stops', async (context) => {
    const ports = [await freePort(), await freePort()];
    const services = ports.map((port) => startProcess(context, { ...settings, PORT: String(port) }));
    const urls = await Promise.all(services.map((service) => service.listening()));
    assert.deepEqual(
      urls,
      ports.map((port) => `http://127.0.0.1:${port}`),
    );
    const [first, second] = services as [ServiceProcess, ServiceProcess];
    const id = await signUp(urls[0] ?? '', await token(urls[0] ?? ''));
    await readsBack(urls[1] ?? '', await token(urls[1] ?? ''), id);
    await stop(first, context);
    // Whichever of them had started the database server, the other keeps it running, or starts it again.
    await eventually(
      async () => (await send(urls[1] ?? '', 'GET', '/ready')).status === 200,
      'the second instance is ready again',
    );
    await readsBack(urls[1] ?? '', await token(urls[1] ?? ''), id);
    await stop(second, context);
  });
});

test('a key that is lost or damaged stops the start with a sentence that names its file, and none is made in its place', async (context) => {
  const dataDir = join(temporaryFolder(context, 'start'), 'data');
  const path = join(dataDir, 'encryption.key');
  const service = startProcess(context, { DATA_DIR: dataDir });
  await service.listening();
  await stop(service, context);
  const key = readFileSync(path, 'utf8');
  rmSync(path);
  const refuses = async (word: string, complaint: string): Promise<void> => {
    const content = existsSync(path) ? readFileSync(path, 'utf8') : null;
    const failed = startProcess(context, { DATA_DIR: dataDir }, undefined, [word]);
    assert.deepEqual(await failed.ended, { code: 1, signal: null });
    assert.ok((failed.stdout() + failed.stderr()).includes(`${path} ${complaint}`), failed.stderr());
    assert.equal(existsSync(path) ? readFileSync(path, 'utf8') : null, content);
  };
  await refuses('serve', 'is missing: put the key');
  await refuses('doctor', 'is missing: put the key');
  writeFileSync(path, key.slice(0, 20));
  await refuses('serve', 'does not hold a key');
  writeFileSync(path, `${KEY}\n`);
  await refuses('serve', 'is not the key this database was written with');
  await refuses('doctor', 'is not the key this database was written with');
  writeFileSync(path, key);
  await startProcess(context, { DATA_DIR: dataDir }).listening();
});

test('two instances that start at once on a new data folder both come up, with one project', async (context) => {
  const dataDir = join(temporaryFolder(context, 'start'), 'data');
  const services = [await freePort(), await freePort()].map((port) =>
    startProcess(context, { DATA_DIR: dataDir, PORT: String(port) }),
  );
  const urls = await Promise.all(services.map((service) => service.listening()));
  assert.equal(
    services.filter((service) => service.stdout().includes('TOKEN=')).length,
    1,
    'one of them prints the secret',
  );
  const { clientId, clientSecret } = credentialIn(services.map((service) => service.stdout()).join('\n'));
  for (const url of urls) await signUp(url, await fetchToken(url, { clientId, clientSecret }));
  assert.equal((await countOf(await embeddedIn(dataDir)))['projects'], 1);
});

test('two instances that start at once on one empty external database both come up, with one project', async (context) => {
  const database = await createTestDatabase();
  defer(context, () => database.drop());
  // The test database comes migrated; an operator's does not.
  await ask(database.connection, 'drop schema public cascade');
  await ask(database.connection, 'create schema public');
  const dataDir = join(temporaryFolder(context, 'start'), 'data');
  const settings = { DATABASE_URL: database.url, ENCRYPTION_KEY: KEY, DATA_DIR: dataDir };
  const services = [startProcess(context, settings), startProcess(context, settings)];
  const urls = await Promise.all(services.map((service) => service.listening()));
  const { clientId, clientSecret } = credentialIn(services.map((service) => service.stdout()).join('\n'));
  for (const url of urls) await signUp(url, await fetchToken(url, { clientId, clientSecret }));
  const counts = await countOf(database.connection);
  assert.deepEqual([counts['projects'], counts['credentials'], counts['plans']], [1, 1, 1]);
  assert.ok(!existsSync(dataDir), 'no database of its own was started');
});

test('as root it works in a data folder that only root can reach', async (context) => {
  const folder = temporaryFolder(context, 'start');
  chmodSync(folder, 0o700);
  const dataDir = join(folder, 'data');
  const service = startProcess(context, { DATA_DIR: dataDir });
  const url = await service.listening();
  await signUp(url, await fetchToken(url, credentialIn(service.stdout())));
  const pid = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  const isRoot = process.getuid?.() === 0;
  const owner = statSync(existsSync(`/proc/${pid}`) ? `/proc/${pid}` : join(dataDir, 'postgres')).uid;
  assert.equal(owner === 0, false, 'PostgreSQL refuses to run as root');
  assert.ok(isRoot || owner === process.getuid?.());
  await stop(service, context);
});

test('what the environment says of another PostgreSQL does not reach the embedded one', async (context) => {
  const dataDir = join(temporaryFolder(context, 'start'), 'data');
  const another = {
    PGHOST: 'database.invalid',
    PGUSER: 'somebody',
    PGPASSWORD: 'secret',
    PGSSLMODE: 'require',
    PGOPTIONS: '-c default_transaction_read_only=on',
  };
  for (const PROCESSES of ['1', '2']) {
    const service = startProcess(context, { DATA_DIR: dataDir, PROCESSES, ...another });
    await service.ready();
    await stop(service, context);
  }
});

test('a service whose output nobody reads any more goes on', async (context) => {
  const dataDir = join(temporaryFolder(context, 'start'), 'data');
  const port = await freePort();
  const service = startProcess(context, { DATA_DIR: dataDir, PORT: String(port) });
  service.child.stdout?.destroy();
  const health = (): Promise<unknown> => fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
  await eventually(health, 'it listens', () => service.stderr());
  await stop(service, context);
  assert.equal(service.stderr(), '');
});

test('a service whose output finds no room goes on, and a command whose result finds none fails', async (context) => {
  const full = openSync('/dev/full', 'w');
  defer(context, async () => closeSync(full));
  const dataDir = join(temporaryFolder(context, 'start'), 'data');
  const port = await freePort();
  const start = (...words: readonly string[]): { child: ChildProcess; stderr: () => string } => {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, ['src/main.ts', ...words], {
      env: { PATH, HOME, DATA_DIR: dataDir, PORT: String(port) },
      stdio: ['ignore', full, 'pipe'],
    });
    let text = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    return { child, stderr: () => text };
  };
  const service = start('serve');
  const ended = once(service.child, 'close');
  defer(context, async () => {
    service.child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], service.stderr());
  });
  const health = (): Promise<unknown> => fetch(`http://127.0.0.1:${port}/health`).catch(() => service.child.exitCode);
  assert.notEqual(await eventually(health, 'it listens', service.stderr), 1, service.stderr());
  const list = start('project', 'list');
  assert.deepEqual(await once(list.child, 'close'), [1, null]);
  assert.match(list.stderr(), /^wattline: the result could not be written: ENOSPC.*\n$/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/ready`)).status, 200);
});

test('a disk that is full for all but root stops the start with a sentence, of which the database cannot write one', async (context) => {
  const obstacle = await cannotMount('loop');
  if (obstacle !== null) return context.skip(obstacle);
  const folder = temporaryFolder(context, 'full-disk');
  chmodSync(folder, 0o711);
  const image = join(folder, 'image');
  await makeDisk(image, 200 * 2 ** 20);
  const { folder: disk } = await mountDisk(context, image, join(folder, 'disk'));
  const settings = { DATA_DIR: join(disk, 'data') };
  const first = startProcess(context, settings);
  await first.ready();
  await stop(first, context);
  chmodSync(disk, 0o777);
  const { uid, gid } = statSync(join(disk, 'data/postgres'));
  const fill = 'cat /dev/zero > filler; while echo > filler.$((rest += 1)); do :; done';
  spawnSync('sh', ['-c', fill], { cwd: disk, uid, gid, stdio: 'ignore' });
  const second = startProcess(context, settings);
  const ending = await second.ready().catch(() => second.ended);
  assert.deepEqual(ending, { code: 1, signal: null });
  assert.match(second.stderr(), /^wattline: .* ended at once: .*there is no room left on its disk\n$/);
});

describe('a command', () => {
  const command = (settings: Readonly<Record<string, string>>, ...words: readonly string[]): ServiceProcess =>
    startProcess({ after }, settings, undefined, words);

  test('whose output nobody reads to its end is carried out all the same', async () => {
    const help = command({}, 'doctor', '--help');
    help.child.stdout?.destroy();
    assert.deepEqual(await help.ended, { code: 0, signal: null });
    assert.equal(help.stderr(), '');
  });

  test('in the wrong folder fails, and makes no database that it could write a backup of', async (context) => {
    const folder = temporaryFolder(context, 'start');
    const settings = { DATA_DIR: join(folder, 'data') };
    for (const words of [['backup', join(folder, 'backup')], ['doctor'], ['project', 'list']]) {
      const failed = command(settings, ...words);
      assert.deepEqual(await failed.ended, { code: 1, signal: null });
      assert.match(failed.stdout() + failed.stderr(), /there is no database in .*: set DATA_DIR/);
    }
    assert.deepEqual(readdirSync(folder), []);
  });

  test('that only looks, the doctor, tells which migrations are missing, and applies none', async (context) => {
    const database = await createTestDatabase();
    defer(context, () => database.drop());
    await ask(database.connection, 'drop schema public cascade');
    await ask(database.connection, 'create schema public');
    const doctor = command({ DATABASE_URL: database.url, ENCRYPTION_KEY: KEY }, 'doctor', '--deep', '--json');
    assert.deepEqual(await doctor.ended, { code: 1, signal: null });
    const { checks } = JSON.parse(doctor.stdout()) as { checks: { name: string; status: string; detail: string }[] };
    const states = checks.map(({ name, status }) => `${name}: ${status}`);
    assert.deepEqual(states, ['configuration: ok', 'database: ok', 'migrations: failed', 'keys: warning', 'clock: ok']);
    assert.match(checks[2]?.detail ?? '', /^not applied: 0001_foundation, .*; the next start applies them$/);
    const tables = `select from pg_class where relnamespace = 'public'::regnamespace`;
    assert.deepEqual(await ask(database.connection, tables), []);
  });
});

describe('settings that cannot be used', { concurrency: 2 }, () => {
  const database = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ENCRYPTION_KEY: KEY };
  const wrong: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: 'http' }],
    ['HOST', { HOST: 'http://localhost' }],
    ['HOST', { HOST: '[::1]' }],
    ['DATABASE_URL', { ...database, DATABASE_URL: 'mysql://localhost/wattline' }],
    ['DATABASE_URL', { ...database, DATABASE_URL: 'postgres://nobody:p#w/1@127.0.0.1/none' }],
    ['DATABASE_URL', { ...database, DATABASE_URL: 'postgres://nobody@127.0.0.1:70000/none' }],
    ['DATABASE_URL', { ...database, DATABASE_URL: `${database.DATABASE_URL}?sslrootcert=/nowhere.pem` }],
    ['DATABASE_URLS', { DATABASE_URLS: 'postgres://localhost/wattline' }],
    ['ENCRYPTION_KEY', { DATABASE_URL: database.DATABASE_URL }],
    ['ENCRYPTION_KEY', { ENCRYPTION_KEY: 'too short' }],
    ['BOOTSTRAP_CLIENT_SECRET', { BOOTSTRAP_CLIENT_ID: 'somebody' }],
    ['BOOTSTRAP_CLIENT_SECRET', { BOOTSTRAP_CLIENT_ID: 'somebody', BOOTSTRAP_CLIENT_SECRET: 'guessable' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'wattline.example' }],
    ['RATE_LIMIT', { RATE_LIMIT: '-1' }],
    ['METRICS_ADDRESS', { METRICS_ADDRESS: 'everywhere' }],
    ['METRICS_ADDRESS', { METRICS_ADDRESS: 'http://127.0.0.1:9464' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'proxy.example' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '0.0.0.0/0' }],
    ['METRICS_ADDRESS', { PORT: '8080', METRICS_ADDRESS: '127.0.0.1:8080' }],
  ];
  for (const [name, settings] of wrong) {
    test(`${JSON.stringify(settings)} stops the start with a sentence that names ${name}`, async (context) => {
      const dataDir = join(temporaryFolder(context, 'start'), 'data');
      const service = startProcess(context, { DATA_DIR: dataDir, ...settings });
      assert.deepEqual(await service.ended, { code: 1, signal: null });
      assert.match(service.stderr(), new RegExp(`^wattline: .*\\b${name}\\b.*\\n$`));
      assert.equal(service.stdout(), '');
      assert.ok(!existsSync(dataDir), 'nothing was created');
    });
  }

  test('settings in the form of arguments stop the start with a sentence that names the first and PORT', async (context) => {
    const dataDir = join(temporaryFolder(context, 'start'), 'data');
    const service = startProcess(context, { DATA_DIR: dataDir }, undefined, ['serve', '--port', '3000']);
    assert.deepEqual(await service.ended, { code: 1, signal: null });
    assert.match(service.stderr(), /^wattline: .*"--port".*\bPORT=3000 npm start\b.*\n$/);
    assert.ok(!existsSync(dataDir), 'nothing was created');
  });

  test('a database that does not answer, a wrong key and a taken port stop the start with one sentence each', async (context) => {
    const away = startProcess(context, database);
    assert.deepEqual(await away.ended, { code: 1, signal: null });
    assert.match(away.stderr(), /^wattline: .*\bDATABASE_URL\b.*ECONNREFUSED.*\n$/);

    const real = await createTestDatabase();
    defer(context, () => real.drop());
    const settings = { DATABASE_URL: real.url, ENCRYPTION_KEY: KEY };
    const first = startProcess(context, settings);
    const url = await first.listening();
    const otherKey = startProcess(context, { ...settings, ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64') });
    assert.deepEqual(await otherKey.ended, { code: 1, signal: null });
    assert.match(otherKey.stderr(), /^wattline: .*ENCRYPTION_KEY.*\n$/);
    const samePort = startProcess(context, { ...settings, PORT: new URL(url).port });
    assert.deepEqual(await samePort.ended, { code: 1, signal: null });
    assert.match(samePort.stderr(), /^wattline: .*\bPORT\b.*EADDRINUSE.*\n$/);
  });

  test('a data folder that cannot be one stops the start with a sentence that names DATA_DIR', async (context) => {
    const file = join(temporaryFolder(context, 'start'), 'file');
    writeFileSync(file, '');
    const link = `${file}.link`;
    symlinkSync('nowhere', link);
    for (const dataDir of [file, join(file, 'data'), link]) {
      const service = startProcess(context, { DATA_DIR: dataDir });
      assert.deepEqual(await service.ended, { code: 1, signal: null });
      assert.match(service.stderr(), /^wattline: DATA_DIR .+ cannot be used \(E[A-Z]+: .+\n$/);
    }
  });

  test('a port that is taken at the first start leaves the credential to the start that can serve', async (context) => {
    const real = await createTestDatabase();
    defer(context, () => real.drop());
    const settings = { DATABASE_URL: real.url, ENCRYPTION_KEY: KEY };
    const other = createServer().listen(0, '127.0.0.1');
    defer(context, async () => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const taken = { ...settings, PORT: String(port) };
    const metricsTaken = { ...settings, METRICS_ADDRESS: `127.0.0.1:${port}` };
    for (const [name, each] of [
      ['PORT', taken],
      ['METRICS_ADDRESS', metricsTaken],
    ] as const) {
      const failed = startProcess(context, each);
      assert.deepEqual(await failed.ended, { code: 1, signal: null });
      assert.match(failed.stderr(), new RegExp(`^wattline: .*\\b${name}\\b.*EADDRINUSE.*\\n$`));
    }
    const first = startProcess(context, settings);
    await first.listening();
    await eventually(() => first.stdout().includes('The secret is shown this once'), 'the secret is shown');
  });

  test('a port that another start is about to listen on leaves the credential to that one', async (context) => {
    const own = await createTestDatabase();
    defer(context, () => own.drop());
    const port = await freePort();
    const other = await claimPort('127.0.0.1', port);
    const settings = { DATABASE_URL: own.url, ENCRYPTION_KEY: KEY, PORT: String(port) };
    const late = startProcess(context, settings);
    assert.deepEqual(await late.ended, { code: 1, signal: null }, late.stdout());
    assert.match(late.stderr(), /HOST and PORT .*EADDRINUSE/);
    assert.equal((await countOf(own.connection))['projects'], 0);
    other.release();
    const service = startProcess(context, settings);
    await service.ready();
    // Once it listens nobody else can, nor has to wait for more than that.
    (await claimPort('127.0.0.1', port)).release();
  });
});

describe('SIGTERM', { concurrency: 2 }, () => {
  /** A sign-up of which the service has the head and waits for the body. */
  async function openSignUp(
    url: string,
    token: string,
    body: string,
  ): Promise<{ socket: Socket; received: () => string }> {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => {});
    socket.write(
      `POST /subscriptions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await eventually(() => text.startsWith('HTTP/1.1 100 Continue'), 'the service has read the head');
    return { socket, received: () => text };
  }

  test('ends the process with 0 in time and finishes the requests that are in flight', async (context) => {
    const database = await createTestDatabase();
    defer(context, () => database.drop());
    const service = startProcess(context, { DATABASE_URL: database.url, ENCRYPTION_KEY: KEY });
    const url = await service.listening();
    const token = await fetchToken(url, credentialIn(service.stdout()));
    const plans = await send(url, 'GET', '/plans', { token });
    const bodies = [1, 2, 3].map(() => JSON.stringify(signUpBody(plans.json.items[0].id as string)));
    const open = await Promise.all(bodies.map((body) => openSignUp(url, token, body)));
    const begin = performance.now();
    service.child.kill('SIGTERM');
    await eventually(() => service.stdout().includes('"stopping"'), 'it has heard the signal');
    for (const [index, { socket }] of open.entries()) socket.write(bodies[index] ?? '');
    assert.deepEqual(await service.ended, { code: 0, signal: null }, service.stderr());
    assert.ok(performance.now() - begin < STOP_LIMIT_MS);
    for (const { received } of open)
      assert.match(received(), /\r\n\r\nHTTP\/1\.1 201 Created\r\n[^]*"object":"subscription"[^]*\}$/);
    const [row] = await ask<{ count: number }>(database.connection, 'select count(*)::int from subscriptions');
    assert.equal(row?.count, 3);
    await assert.rejects(fetch(`${url}/health`), 'nobody listens any more');
  });

  test('ends the process with 0 in time although a client never sends its body and others sit idle', async (context) => {
    const database = await createTestDatabase();
    defer(context, () => database.drop());
    const service = startProcess(context, { DATABASE_URL: database.url, ENCRYPTION_KEY: KEY });
    const url = await service.listening();
    const token = await fetchToken(url, credentialIn(service.stdout()));
    const { socket } = await openSignUp(url, token, '{"never":"sent"}');
    const idle = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    await once(idle, 'connect');
    await stop(service, context);
    socket.destroy();
    idle.destroy();
  });

  test('ends the process with 0 in time although its start waits for another instance that migrates', async (context) => {
    const database = await createTestDatabase();
    const other = new Client(database.connection);
    defer(context, () => database.drop());
    defer(context, () => other.end());
    await other.connect();
    await other.query(`select pg_advisory_lock(5284097318460273)`);
    const service = startProcess(context, { DATABASE_URL: database.url, ENCRYPTION_KEY: KEY });
    await eventually(async () => {
      const statement = `select from pg_stat_activity where application_name = 'wattline migrate' and datname = current_database()`;
      return (await other.query(statement)).rowCount === 1;
    }, 'it waits');
    await stop(service, context);
    assert.match(service.stdout(), /"the start was cut off"/);
  });
});
