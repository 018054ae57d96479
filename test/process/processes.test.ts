import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signUpOf } from '../../bench/generator.ts';
import { jsonRequest, openLine, type Exchange, type Line } from '../../torture/line.ts';
import { readIfPresent } from '#platform/database/embedded-processes.ts';
import { signUpBody } from '#test/support/builders.ts';
import {
  ask,
  childrenOf,
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
import { send } from '#test/support/service.ts';
import { openStage, STAGE_BASIC, type Stage } from '#test/support/stage.ts';

/** The system hands connections out by chance: that all go to one process happens once in 500,000 times. */
const LINES = 20;
/** Another process looks again by itself after so long. */
const LOOK_AGAIN_MS = 500;
const REVOKED_WITHIN_MS = 1_000;
/** For a machine that is busy with other tests. */
const TOLERANCE_MS = 500;

const suite = { after };
const folder = temporaryFolder(suite, 'processes');
const dataDir = join(folder, 'data');
const state = { metricsPort: 0, next: 0 };
let stage: Stage;

before(async () => {
  state.metricsPort = await freePort();
  const settings = { PROCESSES: '2', METRICS_ADDRESS: `127.0.0.1:${state.metricsPort}`, LOG_LEVEL: 'debug' };
  stage = await openStage(suite, 'processes', { dataDir, settings });
});

/** Each line of the log, as far as it is JSON. */
function logged(): Record<string, unknown>[] {
  const lines = stage.service().stdout().split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The processes that were started to serve HTTP, latest last. */
function pidsOf(child: string): number[] {
  const served = logged().filter((line) => line['msg'] === 'a process serves HTTP' && line['child'] === child);
  return served.map((line) => Number(line['pid']));
}

const newest = (child: string): number => pidsOf(child).at(-1) ?? assert.fail(`${child} has never served`);

function isAlive(pid: number): boolean {
  try {
    // What has ended and waits to be noted is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Connections, some of them to each of the processes. */
async function openLines(context: { after(work: () => Promise<void>): void }): Promise<Line[]> {
  const lines: Line[] = [];
  for (let index = 0; index < LINES; index += 1) lines.push(await openLine(stage.site.port));
  defer(context, async () => lines.forEach(({ socket }) => socket.destroy()));
  return lines;
}

function getRequest(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

function statusOf(exchange: Exchange): number {
  return exchange.kind === 'answered' ? exchange.status : 0;
}

async function statuses(lines: readonly Line[], token: string): Promise<number[]> {
  return (await Promise.all(lines.map((line) => line.exchange(getRequest('/plans', token))))).map(statusOf);
}

function signUp(number: number): string {
  return jsonRequest('/subscriptions', stage.site.token, signUpOf(number, stage.site.planId), [
    `Idempotency-Key: n-${number}`,
  ]);
}

/** How often plans were listed, as the metrics have it. */
async function countAnswers(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${state.metricsPort}/metrics`)).text();
  const pattern = /^wattline_http_request_duration_seconds_count\{.*route="\/plans",status="200"\} (\d+)$/m;
  return Number(pattern.exec(text)?.[1] ?? 0);
}

async function isPortOpen(): Promise<boolean> {
  const socket = connect(stage.site.port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}

describe('two processes on one port', () => {
  test('both answer, and the metrics are the sum of theirs', async (context) => {
    const lines = await openLines(context);
    const earlier = await countAnswers();
    assert.deepEqual(
      await statuses(lines, stage.site.token),
      lines.map(() => 200),
    );
    const who = new Set(
      logged()
        .filter(({ route }) => route === '/plans')
        .map((line) => line['process']),
    );
    assert.deepEqual(who, new Set(['http 1', 'http 2']));
    assert.equal(await countAnswers(), earlier + LINES);
  });

  test('what they have counted does not fall when one hangs, nor when one dies', async (context) => {
    await statuses(await openLines(context), stage.site.token);
    const counted = await countAnswers();
    assert.ok(counted >= LINES);
    const victim = newest('http 2');
    process.kill(victim, 'SIGSTOP');
    assert.equal(await countAnswers(), counted);
    process.kill(victim, 'SIGKILL');
    await eventually(() => newest('http 2') !== victim, 'it is replaced');
    assert.equal(await countAnswers(), counted);
  });

  test('one that hangs is replaced after ten seconds', async () => {
    const victim = newest('http 1');
    const other = newest('http 2');
    process.kill(victim, 'SIGSTOP');
    await eventually(() => newest('http 1') !== victim, 'it is replaced');
    assert.ok(!isAlive(victim));
    assert.equal(newest('http 2'), other);
  });

  test('a revoked token is refused by both within a second', async (context) => {
    const lines = await openLines(context);
    const token = await stage.fetchToken();
    assert.deepEqual(
      await statuses(lines, token),
      lines.map(() => 200),
    );
    const headers = { authorization: STAGE_BASIC };
    const body = new URLSearchParams({ token });
    const revoked = await fetch(`${stage.url}/oauth/revoke`, { method: 'POST', headers, body });
    assert.equal(revoked.status, 200);
    const begin = performance.now();
    await eventually(
      async () => (await statuses(lines, token)).every((status) => status === 401),
      'both refuse the token',
    );
    const milliseconds = performance.now() - begin;
    context.diagnostic(`refused by both after ${milliseconds.toFixed(0)} ms`);
    assert.ok(milliseconds < REVOKED_WITHIN_MS + TOLERANCE_MS, `${milliseconds} ms`);
  });

  test('those who wait for events in either are told when one is published', async (context) => {
    const lines = await openLines(context);
    const [writer, ...readers] = lines as [Line, ...Line[]];
    const quickest = readers.map(() => Infinity);
    await eventually(async () => {
      const newestOf = JSON.parse(bodyOf(await writer.exchange(getRequest('/events?limit=500', stage.site.token)))) as {
        next_page: string;
        has_more: boolean;
      };
      assert.equal(newestOf.has_more, false);
      const waits = readers.map(async (line, index) => {
        const begin = performance.now();
        const path = `/events?wait=10&after=${newestOf.next_page}`;
        assert.match(bodyOf(await line.exchange(getRequest(path, stage.site.token))), /subscription\.created/);
        quickest[index] = Math.min(quickest[index] ?? Infinity, performance.now() - begin);
      });
      // Time to ask, find nothing, and wait.
      await sleep(LOOK_AGAIN_MS / 5);
      assert.equal(statusOf(await writer.exchange(signUp((state.next += 1)))), 201);
      await Promise.all(waits);
      return quickest.every((milliseconds) => milliseconds < LOOK_AGAIN_MS);
    }, 'all were told before they looked by themselves');
  });

  test('kill -9 of one under load loses nothing, and it is replaced', async (context) => {
    const from = (state.next = 1_000);
    const running = { on: true };
    const acknowledged = new Set<number>();
    const replace = async (line: Line): Promise<Line> => {
      line.socket.destroy();
      return eventually(() => openLine(stage.site.port).catch(() => null), 'the port is open');
    };
    const customers = (await openLines(context)).map(async (first) => {
      for (let line = first; running.on;) {
        const number = (state.next += 1);
        for (;;) {
          const status = statusOf(await line.exchange(signUp(number)));
          if (status === 201) break;
          assert.ok(status === 0 || status === 409 || status === 503, `answered ${status}`);
          line = await replace(line);
        }
        acknowledged.add(number);
      }
    });
    const victim = newest('http 1');
    const other = newest('http 2');
    await eventually(() => acknowledged.size > 50, 'sign-ups are answered');
    process.kill(victim, 'SIGKILL');
    await eventually(() => newest('http 1') !== victim, 'it is replaced');
    const sinceThen = acknowledged.size + 50;
    await eventually(() => acknowledged.size > sinceThen, 'sign-ups are answered again');
    running.on = false;
    await Promise.all(customers);
    assert.equal(newest('http 2'), other);
    const [row] = await ask<{ count: number }>(
      await embeddedIn(dataDir),
      `select count(*)::int as count from subscriptions where substring(external_id from 7)::int > $1`,
      [from],
    );
    assert.equal(row?.count, acknowledged.size);
  });

  test('one that could not be started, for want of files, is started when there are some', async (context) => {
    const pids = [newest('http 1'), newest('http 2')];
    const main = stage.service().child.pid ?? 0;
    const [, most = ''] = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${main}/limits`, 'utf8')) ?? [];
    const limitFiles = (limit: string): Buffer =>
      execFileSync('prlimit', ['--pid', String(main), `--nofile=${limit}:`]);
    defer(context, async () => void limitFiles(most));
    limitFiles('3');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const inVain = (child: string): boolean =>
      logged().some((line) => line['child'] === child && /could not be started: .*EMFILE/.test(String(line['reason'])));
    await eventually(() => inVain('http 1') && inVain('http 2'), 'both were started in vain');
    limitFiles(most);
    const serveAnew = (): boolean => !pids.includes(newest('http 1')) && !pids.includes(newest('http 2'));
    await eventually(serveAnew, 'both serve again');
    assert.equal((await send(stage.url, 'GET', '/plans', { token: stage.site.token })).status, 200);
  });

  test('one that is replaced has the key of the first one, whatever has become of its file', async (context) => {
    const keyFile = join(dataDir, 'encryption.key');
    const key = readFileSync(keyFile, 'utf8');
    const { token, planId } = stage.site;
    const signUpCustomer = async (): Promise<string> => {
      const reply = await send(stage.url, 'POST', '/subscriptions', { token, body: signUpBody(planId) });
      assert.equal(reply.status, 201);
      return String(reply.json.customer);
    };
    const ibanOf = async (customer: string): Promise<unknown> =>
      (await send(stage.url, 'GET', `/customers/${customer}/export`, { token })).json.payment_methods?.[0].sepa_debit
        .iban;
    const earlier = await signUpCustomer();
    const iban = await ibanOf(earlier);
    writeFileSync(keyFile, `${randomBytes(32).toString('base64')}\n`);
    defer(context, async () => writeFileSync(keyFile, key));
    const pids = [newest('http 1'), newest('http 2')];
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const serveAnew = (): boolean => !pids.includes(newest('http 1')) && !pids.includes(newest('http 2'));
    await eventually(serveAnew, 'both serve again');
    assert.deepEqual([await ibanOf(earlier), await ibanOf(await signUpCustomer())], [iban, iban]);
    rmSync(keyFile);
    const later = newest('http 1');
    process.kill(later, 'SIGKILL');
    await eventually(() => newest('http 1') !== later, 'it is replaced without a file');
  });

  for (const [signal, source] of [
    ['SIGINT', 'a keyboard'],
    ['SIGHUP', 'a terminal that is closed'],
  ] as const) {
    test(`a ${signal} to all of them at once, as from ${source}, ends all in order`, async () => {
      const pids = [newest('http 1'), newest('http 2')];
      for (const pid of [stage.service().child.pid ?? 0, ...pids]) process.kill(pid, signal);
      assert.deepEqual(await stage.service().ended, { code: 0, signal: null });
      assert.deepEqual(pids.map(isAlive), [false, false]);
      const complaints = logged().filter(({ level, pid }) => level === 'error' && pids.includes(Number(pid)));
      assert.deepEqual(complaints, []);
      await stage.restart();
    });
  }

  test('kill -9 of the first process ends the others, one that hangs too, frees the port, and a start works', async (context) => {
    const pids = [newest('http 1'), newest('http 2')];
    assert.ok(pids.every(isAlive));
    defer(context, async () => pids.filter(isAlive).forEach((pid) => process.kill(pid, 'SIGKILL')));
    process.kill(newest('http 2'), 'SIGSTOP');
    await killProcess(stage.service());
    await eventually(() => !pids.some(isAlive), 'no orphan is left');
    // Other threads of a process may hold its sockets for a moment longer.
    await eventually(async () => !(await isPortOpen()), 'the port is free');
    await stage.restart();
    assert.equal((await send(stage.url, 'GET', '/plans', { token: stage.site.token })).status, 200);
    assert.deepEqual(await stopProcess(stage.service()), { code: 0, signal: null });
  });

  test('a port that is taken stops the start with a sentence', async (context) => {
    await stage.restart();
    const second = startProcess(context, { DATA_DIR: dataDir, PORT: String(stage.site.port), PROCESSES: '2' });
    assert.equal((await second.ended).code, 1);
    assert.match(second.stderr(), /EADDRINUSE/);
    assert.equal((await send(stage.url, 'GET', '/health')).status, 200);
  });
});

/** The processes that serve HTTP, once so many are being started. */
function startingOf(service: ServiceProcess, count: number): Promise<number[]> {
  const isHttp = (pid: number): boolean => /serve-http/.test(readIfPresent(`/proc/${pid}/cmdline`) ?? '');
  return eventually(() => {
    const found = childrenOf(service.child.pid ?? 0).filter(isHttp);
    return found.length === count ? found : undefined;
  }, 'all are starting');
}

test('a SIGINT to all of them at once ends with 0 also while they are starting', async (context) => {
  const service = startProcess(context, { DATA_DIR: join(folder, 'interrupted'), PROCESSES: '2' });
  const starting = await startingOf(service, 2);
  for (const pid of [service.child.pid ?? 0, ...starting]) process.kill(pid, 'SIGINT');
  assert.deepEqual(await service.ended, { code: 0, signal: null }, service.stderr());
  assert.equal(service.stderr(), '');
});

test('a first start that fails shows the credential that it has created, which no later one can', async (context) => {
  const service = startProcess(context, { DATA_DIR: join(folder, 'failed-start'), PROCESSES: '2' });
  const [victim = 0] = await startingOf(service, 2);
  process.kill(victim, 'SIGKILL');
  assert.equal((await service.ended).code, 1);
  assert.match(service.stderr(), /a process ended before it could serve HTTP/);
  assert.match(service.stdout(), /Client id \S+\n {2}Secret {4}\S{32,}\n/);
});

test('one that dies while another one is still starting is replaced, too', async (context) => {
  const data = join(temporaryFolder(context, 'early-death'), 'data');
  const service = startProcess(context, { DATA_DIR: data, PROCESSES: '3' });
  const starting = await startingOf(service, 3);
  const held = Math.max(...starting);
  process.kill(held, 'SIGSTOP');
  const served = (): number[] =>
    [...service.stdout().matchAll(/"pid":(\d+),"msg":"a process serves HTTP"/g)].map(([, pid]) => Number(pid));
  process.kill(await eventually(() => served()[0], 'one serves'), 'SIGKILL');
  await eventually(() => /"a process has ended"/.test(service.stdout()), 'it has ended');
  process.kill(held, 'SIGCONT');
  await service.ready();
  await eventually(() => served().length > 3, 'another one serves in its place');
});

test('of two services that start at once on one port, each with several processes, one serves and the other ends', async (context) => {
  const port = await freePort();
  const services = ['one', 'other'].map((name) =>
    startProcess(context, { DATA_DIR: join(folder, name), PORT: String(port), PROCESSES: '2' }),
  );
  const first = await Promise.race(services.map(async (service) => ({ service, ...(await service.ended) })));
  assert.equal(first.code, 1);
  assert.match(first.service.stderr(), /EADDRINUSE/);
  const rest = services.find((service) => service !== first.service) ?? assert.fail();
  await eventually(
    () => rest.stdout().includes('listening'),
    'the other serves',
    () => rest.stderr(),
  );
  assert.deepEqual(await stopProcess(rest), { code: 0, signal: null });
});

function bodyOf(exchange: Exchange): string {
  if (exchange.kind !== 'answered') assert.fail(exchange.kind);
  return exchange.text.slice(exchange.text.indexOf('\r\n\r\n') + 4);
}
