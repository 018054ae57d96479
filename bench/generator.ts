/**
 * The service as it is started by everybody, and a generator of HTTP load: HTTP/1.1 by hand over sockets, one request on
 * its way on each, everything laid out beforehand. Run as a process, this file generates the load that it is sent.
 */
import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { maloOf } from '#test/support/malo.ts';
import packageJson from '../package.json' with { type: 'json' };

/** Absolute path of the project's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The credential that the service is started with. */
export const CLIENT = { clientId: 'bench', clientSecret: 'a-secret-that-guards-nothing-but-this-run' };
/** As `npm start` does it. */
const { memory, arenas, compiled } = packageJson.config;
/** On which all contenders are asked, unless a load says otherwise. */
export const HTTP_CONNECTIONS = 64;

/** What the generator is told to do; requests are numbered from `from`, and sign-ups are unique by their number. */
export interface Load {
  readonly port: number;
  readonly token: string;
  readonly count: number;
  readonly from: number;
  readonly kind:
    { readonly name: 'sign-up'; readonly planId: string } | { readonly name: 'get'; readonly paths: readonly string[] };
  /** `HTTP_CONNECTIONS` when absent. */
  readonly connections?: number;
  /** So many are sent in a second, and each is timed from when its turn was; as fast as they are answered when absent. */
  readonly perSecond?: number;
}

/** One round of one contender. */
export interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Of each answer, in milliseconds. */
  readonly latencies: Float64Array;
}

/** The body of a sign-up; no two numbers share anything that must be unique. */
export function signUpOf(number: number, planId: string): string {
  return JSON.stringify({
    plan: planId,
    customer: { type: 'person', first_name: 'Erika', last_name: 'Mustermann', email: `erika.${number}@example.com` },
    address: { street: 'Heidestraße', house_number: '17', zip: '51147', city: 'Köln' },
    meter: { number: `1EMH${number}`, type: 'modern', estimated_usage: 3500, malo: maloOf(number) },
    payment_method: {
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89370400440532013000', account_holder: 'Erika Mustermann' },
    },
    next_possible_start: true,
    external_id: `order-${number}`,
    metadata: { channel: 'web' },
  });
}

function requestsOf({ count, from, token, kind }: Load): Buffer[] {
  const common = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`;
  return Array.from({ length: count }, (_, index) => {
    if (kind.name === 'get') {
      return Buffer.from(`GET ${kind.paths[index % kind.paths.length] ?? '/'} HTTP/1.1\r\n${common}\r\n`);
    }
    const body = signUpOf(from + index, kind.planId);
    return Buffer.from(
      `POST /subscriptions HTTP/1.1\r\n${common}Content-Type: application/json\r\n` +
        `Idempotency-Key: bench-${from + index}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

/**
 * Sends all requests over the connections and answers when the last one is answered.
 * @throws unless each is answered 200, or 201 to a sign-up
 */
async function generate(load: Load): Promise<Round> {
  const requests = requestsOf(load);
  const expected = `HTTP/1.1 ${load.kind.name === 'get' ? 200 : 201} `;
  const latencies = new Float64Array(requests.length);
  let next = 0;
  let begin = 0;
  const work = async (socket: Socket): Promise<void> => {
    const done = Promise.withResolvers<void>();
    let sentAt = 0;
    let current = -1;
    let received = '';
    const sendNext = (): void => {
      if (next >= requests.length) {
        socket.destroy();
        done.resolve();
        return;
      }
      current = next;
      next += 1;
      received = '';
      const turn = load.perSecond === undefined ? 0 : begin + (current * 1000) / load.perSecond;
      const now = performance.now();
      sentAt = load.perSecond === undefined ? now : turn;
      const write = (): void => void socket.write(requests[current] ?? '');
      if (turn > now) setTimeout(write, turn - now);
      else write();
    };
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const head = received.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
      if (received.length < head + 4 + length) return;
      latencies[current] = performance.now() - sentAt;
      if (received.startsWith(expected)) sendNext();
      else done.reject(new Error(`answered: ${received}`));
    });
    socket.on('error', done.reject);
    sendNext();
    await done.promise;
  };
  const sockets = Array.from({ length: load.connections ?? HTTP_CONNECTIONS }, () =>
    connect(load.port, '127.0.0.1').setNoDelay(true),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  begin = performance.now();
  await Promise.all(sockets.map(work));
  return summarise(performance.now() - begin, latencies);
}

/** @param latencies of each answer, in milliseconds */
export function summarise(milliseconds: number, latencies: Float64Array): Round {
  const sorted = latencies.toSorted();
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { perSecond: (latencies.length / milliseconds) * 1000, p50: at(0.5), p95: at(0.95), p99: at(0.99), latencies };
}

/** Lets a process of its own generate the load. */
export async function generateApart(load: Load): Promise<Round> {
  const child = fork(fileURLToPath(import.meta.url), [], { cwd: ROOT, serialization: 'advanced' });
  child.send(load);
  const [round] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Round | number];
  if (typeof round !== 'object') throw new Error('the generator failed');
  return round;
}

/** The service, started as an operator does. */
export interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts the service as an operator does; only the rate limit is off. */
export async function startService(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Running> {
  const child = spawn(process.execPath, [...memory.split(' '), 'src/main.ts', 'serve'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      MALLOC_ARENA_MAX: arenas,
      NODE_COMPILE_CACHE: compiled,
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT: 'off',
      BOOTSTRAP_CLIENT_ID: CLIENT.clientId,
      BOOTSTRAP_CLIENT_SECRET: CLIENT.clientSecret,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  for (;;) {
    const port = /^ {2}API +\S+:(\d+)$/m.exec(printed)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
    if (child.exitCode !== null) throw new Error(`the service did not start: ${printed}`);
    await sleep(10);
  }
}

/** An operator's command on the data of a running service; gives the JSON that it prints. */
export async function runCommand(dataDir: string, ...command: readonly string[]): Promise<Record<string, unknown>> {
  const environment = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', ...command, '--json'], {
    cwd: ROOT,
    env: environment,
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Ends it cleanly. */
export async function stop({ child }: Running): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [load] = (await once(process, 'message')) as [Load];
  const round = await generate(load);
  // Once it is written: what is disconnected before loses the rest of a long message.
  process.send?.(round, () => process.disconnect?.());
}
