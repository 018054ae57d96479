import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { pino } from 'pino';
import { readIfPresent } from '#platform/database/embedded-processes.ts';
import { childrenOf, eventually, freePort } from '#test/support/process.ts';
import { createHttpProcesses, type HttpProcesses } from './http-processes.ts';

/** Longer than anybody waits here before he ends or starts a process. */
const LONG_MS = 60_000;

before(() => mock.timers.enable({ apis: ['setTimeout'] }));
after(() => mock.timers.reset());

/** Each line of their log so far. */
type Lines = readonly Record<string, unknown>[];

/** Two of them, of which none needs a database before it is asked something. */
async function twoProcesses(): Promise<{ readonly processes: HttpProcesses; readonly lines: Lines }> {
  const lines: Record<string, unknown>[] = [];
  const port = await freePort();
  const processes = createHttpProcesses({
    count: 2,
    serve: {
      port,
      url: `http://127.0.0.1:${port}`,
      connection: { host: '127.0.0.1', port: 1 },
      encryptionKey: Buffer.alloc(32, 7).toString('base64'),
      maxConnections: 1,
    },
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    wake: () => {},
  });
  return { processes, lines };
}

const servedIn = (lines: Lines): number[] =>
  lines.filter(({ msg }) => msg === 'a process serves HTTP').map(({ pid }) => Number(pid));

/** One that has been started, and serves nobody yet. */
function startedBeside(others: readonly number[]): Promise<number> {
  const isNew = (pid: number): boolean =>
    !others.includes(pid) && /serve-http/.test(readIfPresent(`/proc/${pid}/cmdline`) ?? '');
  return eventually(() => childrenOf(process.pid).find(isNew), 'one is started');
}

test('a process that hangs before it serves is replaced after a minute', async () => {
  const { processes, lines } = await twoProcesses();
  await processes.start();
  const first = servedIn(lines);
  process.kill(first[0] ?? 0, 'SIGKILL');
  await eventually(() => lines.some(({ msg }) => msg === 'a process is started in its place'), 'it is replaced');
  mock.timers.tick(0);
  const hanging = await startedBeside(first);
  process.kill(hanging, 'SIGSTOP');
  mock.timers.tick(LONG_MS);
  const reason = 'a process did not begin to serve HTTP within 60 s';
  await eventually(() => lines.some((line) => line['pid'] === hanging && line['reason'] === reason), 'it is ended');
  assert.equal(servedIn(lines).length, 2);
  // Not at once, so that one that hangs each time takes little.
  const [{ pause } = {}] = lines.filter(({ msg }) => msg === 'a process is started in its place').slice(-1);
  assert.equal(pause, 250);
  mock.timers.tick(250);
  await eventually(() => servedIn(lines).length === 3, 'another one serves');
  mock.timers.tick(LONG_MS);
  await processes.stop();
  assert.deepEqual(
    lines.filter(({ msg, code }) => msg === 'a process has ended' && code !== 0).map(({ pid }) => pid),
    [first[0], hanging],
  );
});

test('a start of which one process hangs before it serves ends with a sentence after a minute', async () => {
  const { processes, lines } = await twoProcesses();
  const starting = processes.start();
  process.kill(await startedBeside([]), 'SIGSTOP');
  await eventually(() => servedIn(lines).length === 1, 'the other one serves');
  mock.timers.tick(LONG_MS);
  await assert.rejects(starting, { message: 'a process did not begin to serve HTTP within 60 s' });
  assert.deepEqual(childrenOf(process.pid), []);
});
