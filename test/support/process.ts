import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, type ClientConfig } from 'pg';
import { findRunningEmbedded } from '#platform/database/embedded.ts';
import packageJson from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What was compiled once is kept, as by `npm start`: it takes a third off the time of a start. */
const COMPILED = join(ROOT, packageJson.config.compiled);
const PATIENCE_MS = 60_000;
const POLL_MS = 5;
/** A stop may take ten seconds. */
const STOP_PATIENCE_MS = 15_000;

/** What a stopped or killed process leaves behind. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `node src/main.ts serve` as an operator starts it, and all that it prints. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  stdout(): string;
  stderr(): string;
  /** The base URL it prints when it listens. @throws when it ends before */
  listening(): Promise<string>;
  /** The same once it is ready to answer. @throws when it ends before */
  ready(): Promise<string>;
}

/** A test, or a suite by way of its `after`. */
export interface Tidied {
  after(work: () => Promise<void>): void;
}

const tidying = new WeakMap<object, (() => Promise<void>)[]>();

/** Tidies up after a test, what came last first, whatever goes wrong on the way. */
export function defer(context: Tidied, work: () => Promise<void>): void {
  const known = tidying.get(context);
  if (known !== undefined) {
    known.push(work);
    return;
  }
  const steps = [work];
  tidying.set(context, steps);
  context.after(async () => {
    const results = [];
    for (const step of steps.toReversed()) results.push(...(await Promise.allSettled([step()])));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
}

/** Somebody wanted this process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Runs what is no test as if it were one: what it has deferred is tidied up when it ends, however it ends.
 * @throws Interrupted after SIGINT or SIGTERM; what was under way may still go on for a moment
 */
export async function tidied<Result>(work: (scope: Tidied) => Promise<Result>): Promise<Result> {
  const steps: (() => Promise<void>)[] = [];
  const interrupted = Promise.withResolvers<never>();
  const interrupt = (signal: NodeJS.Signals): void => interrupted.reject(new Interrupted(`interrupted by ${signal}`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    return await Promise.race([work({ after: (step) => void steps.push(step) }), interrupted.promise]);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
    for (const step of steps.toReversed()) await step();
  }
}

/**
 * Starts the service with these settings only. Whatever happens, it has ended when the test has.
 * @param root where its source is, if not here
 * @param words another command of its
 * @param through a command that becomes the one which follows it
 */
export function startProcess(
  context: Tidied,
  settings: Readonly<Record<string, string>>,
  root: string = ROOT,
  words: readonly string[] = ['serve'],
  through: readonly string[] = [],
): ServiceProcess {
  const { PATH = '', HOME = '' } = process.env;
  const [command, ...following] = [...through, process.execPath, 'src/main.ts', ...words];
  const child = spawn(command ?? process.execPath, following, {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE: COMPILED, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal }));
  const listening = (): Promise<string> =>
    eventually(
      () => {
        const url = /^ {2}API +(\S+)$/m.exec(printed.stdout)?.[1];
        if (url === undefined && (child.exitCode ?? child.signalCode) !== null) {
          throw new Error(`it ended: ${printed.stderr}`);
        }
        return url;
      },
      'the service listens',
      () => printed.stderr,
    );
  const service: ServiceProcess = {
    child,
    ended,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    listening,
    async ready() {
      const url = await listening();
      await eventually(
        async () => (await fetch(`${url}/ready`).catch(() => undefined))?.status === 200,
        'the service is ready',
        () => printed.stdout + printed.stderr,
      );
      return url;
    },
  };
  defer(context, async () => void (await stopProcess(service)));
  return service;
}

/** Asks the service to stop and gives how it ended; one that does not end is killed. */
export async function stopProcess({ child, ended }: ServiceProcess): Promise<Ending> {
  child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  const ending = await ended;
  clearTimeout(cut);
  return ending;
}

/** `kill -9`, and waits until nothing is left of it. */
export async function killProcess({ child, ended }: ServiceProcess): Promise<Ending> {
  child.kill('SIGKILL');
  return ended;
}

/** The processes that another has started and that live, by their numbers; on Linux only, nobody elsewhere. */
export function childrenOf(pid: number): number[] {
  const numbers = existsSync('/proc/self/stat') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return numbers.map(Number).filter((each) => {
    const { parent, state } = lookAt(each);
    return parent === pid && state !== 'Z' && state !== 'X';
  });
}

/** The parent and the state of a process as Linux tells them, such as `T` for one that is stopped. */
export function lookAt(pid: number): { parent: number; state: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(parent), state };
  } catch {
    return { parent: 0, state: 'X' };
  }
}

/** Looks until there is something to see, with a bound; `explain` adds to the complaint. */
export async function eventually<Result>(
  look: () => Promise<Result> | Result,
  what: string,
  explain: () => string = () => '',
): Promise<NonNullable<Result>> {
  for (const begin = performance.now(); performance.now() - begin < PATIENCE_MS; await sleep(POLL_MS)) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) return seen;
  }
  throw new Error(`waited in vain until ${what}\n${explain().slice(-2_000)}`.trim());
}

/** A folder of its own; removed once the database server of `data` in it, if there is one, has gone. */
export function temporaryFolder(context: Tidied, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `wattline-${name}-test-`));
  defer(context, async () => {
    await eventually(
      () => !existsSync(join(folder, 'data/postgres/postmaster.pid')),
      'the database server has stopped',
    );
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/**
 * A port that was free a moment ago, for a service that is to come back on the same one. It is none of those that systems
 * give to whoever asks for any (from 32768 on): of these, another test would have it before the service begins to listen.
 */
export async function freePort(): Promise<number> {
  const probe = createServer();
  for (;;) {
    const port = randomInt(10_000, 32_768);
    probe.listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        return false;
      },
    );
    if (!isFree) continue;
    await once(probe.close(), 'close');
    return port;
  }
}

/** The database that the service has embedded in its data folder. @throws when it does not run */
export async function embeddedIn(dataDir: string): Promise<ClientConfig> {
  const connection = await findRunningEmbedded(dataDir);
  if (connection === null) throw new Error(`no database server runs in ${dataDir}`);
  return { ...connection };
}

/** Runs one statement on a connection of its own. */
export async function ask<Row>(
  connection: ClientConfig,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client(connection);
  // Its end fails the statement, and nobody else waits for it.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}
