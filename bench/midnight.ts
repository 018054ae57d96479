/**
 * What many starts of supply on one midnight take: lives as the service itself has led them to a minute before it are
 * loaded, then the project's time reaches the midnight, while sign-ups go on in another project and a receiver is told of
 * every start. Explained in the results it writes: bench/results.md. Usage: midnight.ts [subscriptions]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { findRunningEmbedded } from '#platform/database/embedded.ts';
import { generateApart, startService, stop, summarise, type Round, type Running } from './generator.ts';
import { load, tidy, whileLoading } from './loader.ts';
import { anotherProject, firstProject, readModel, settled, signUpModel, type BenchProject } from './model-lives.ts';
import { readColumns, type Columns } from './pattern.ts';
import { describeMachine, writeResults } from './results.ts';
import type { Share } from './loader.ts';

const [count = 1_000_000] = process.argv.slice(2).map(Number);
const SIGN_UPS_A_SECOND = 100;
const CONNECTIONS = 16;
const ROUND_SECONDS = 20;
/** Before the midnight, and again after it: the machine may be another one by then. */
const IDLE_ROUNDS = 3;
const LOOK_MS = 250;
const REQUIRED_RATIO = 3;
const REQUIRED_MEGABYTES = 200;
const SETTINGS = { WEBHOOK_ALLOW_PRIVATE: 'true' };
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Counts what arrives. */
const arrived = { count: 0 };
const receiver = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    arrived.count += 1;
    response.writeHead(204).end();
  });
});

/** What all are laid out from, and the midnight at which they start. */
interface Eve {
  readonly columns: Columns;
  readonly shares: readonly Share[];
  readonly planId: string;
  readonly createdAt: number;
  readonly midnight: string;
}

/** Leads one life to a minute before its supply starts. */
async function leadModel(dataDir: string): Promise<Eve> {
  const service = await startService(dataDir, SETTINGS);
  const client = await connect(dataDir);
  try {
    const project = await firstProject(dataDir, `http://127.0.0.1:${service.port}`);
    const { now } = (await project.call('GET', '/sandbox/clock')) as { now: string };
    await project.call('POST', '/sandbox/clock', { advance_to: now });
    const model = await signUpModel(project, 1);
    const { requested_start_date: day, created_at: createdAt } = await project.call(
      'GET',
      `/subscriptions/${model.id}`,
    );
    const start = Temporal.PlainDate.from(String(day)).toZonedDateTime('Europe/Berlin').toInstant();
    const before = start.subtract({ seconds: 60 }).toString({ smallestUnit: 'second' });
    await project.call('POST', '/sandbox/clock', { advance_to: before });
    await settled(client);
    const columns = await readColumns(client);
    const pattern = await readModel(client, columns, project, project, model, 'confirmed');
    await settled(client);
    return {
      columns,
      shares: [{ pattern, share: 1 }],
      planId: parseId('pln', project.planId) ?? '',
      createdAt: Temporal.Instant.from(String(createdAt)).epochMilliseconds / 1000,
      midnight: start.toString({ smallestUnit: 'second' }),
    };
  } finally {
    await client.end();
    await stop(service);
  }
}

async function connect(dataDir: string): Promise<Client> {
  const client = new Client({ ...(await findRunningEmbedded(dataDir)), options: '-c timezone=UTC' });
  await client.connect();
  return client;
}

function loadEve(dataDir: string, { columns, shares, planId, createdAt }: Eve): Promise<void> {
  return whileLoading(dataDir, async (connection, keys) => {
    await load(connection, keys, {
      columns,
      shares,
      from: 0,
      to: count,
      createdAt: () => createdAt,
      planOf: () => planId,
      leavesOut: ({ table }) => table === 'idempotency_keys',
      dueAt: null,
      onProgress: (loaded) => say(`  ${loaded.toLocaleString('en')} loaded`),
    });
    await tidy(connection);
  });
}

/** What the midnight came to. */
interface Night {
  readonly seconds: number;
  readonly idle: Round;
  readonly meanwhile: Round;
  /** Of the rounds meanwhile, the one with the highest p99. */
  readonly worst: Round;
  /** At its peak: before the midnight, and by its end. */
  readonly megabytesBefore: number;
  readonly megabytes: number;
  /** Until the last start had arrived, after the last was committed. */
  readonly lagSeconds: number;
  /** Seconds of processor time. */
  readonly serviceCpu: number;
  readonly postgresCpu: number;
  readonly published: number;
}

async function live(dataDir: string, { midnight }: Eve): Promise<Night> {
  const service = await startService(dataDir, SETTINGS);
  const client = await connect(dataDir);
  try {
    const url = `http://127.0.0.1:${service.port}`;
    const project = await firstProject(dataDir, url);
    const other = await anotherProject(dataDir, url, 'Sign-ups');
    const { port } = receiver.address() as AddressInfo;
    const endpoint = { url: `http://127.0.0.1:${port}/`, types: ['subscription.activated'] };
    await project.call('POST', '/webhook-endpoints', endpoint);
    const signUps = pacedSignUps(service, other);
    await signUps(5);
    const quietly = async (): Promise<Round[]> => {
      const rounds: Round[] = [];
      while (rounds.length < IDLE_ROUNDS) rounds.push(await signUps(ROUND_SECONDS));
      return rounds;
    };
    const before = await quietly();
    say(`idle: ${show(together(before))}`);
    const megabytesBefore = peakMegabytes(service);
    const cpuBefore = cpuOf(service, dataDir);
    const begin = performance.now();
    // Where it is cut short, the service goes on by itself: what it came to is looked up.
    const advancing = project.call('POST', '/sandbox/clock', { advance_to: midnight }).catch(() => null);
    const state = { isDone: false };
    const rounds: Round[] = [];
    const signingUp = (async () => {
      while (!state.isDone) rounds.push(await signUps(ROUND_SECONDS));
    })();
    await untilReached(project, midnight);
    const seconds = (performance.now() - begin) / 1000;
    const cpu = cpuOf(service, dataDir);
    state.isDone = true;
    say(`${count} starts: ${seconds.toFixed(1)} s`);
    while (arrived.count < count) await sleep(LOOK_MS);
    const lagSeconds = (performance.now() - begin) / 1000 - seconds;
    await Promise.all([signingUp, advancing]);
    const after = await quietly();
    say(`idle again: ${show(together(after))}`);
    const { rows } = await client.query<{ published: number }>(
      `select count(*)::integer as published from events join event_feed on event_id = events.id
       where type = 'subscription.activated'`,
    );
    return {
      seconds,
      idle: together([...before, ...after]),
      meanwhile: together(rounds),
      worst: worst(rounds),
      megabytesBefore,
      megabytes: peakMegabytes(service),
      lagSeconds,
      serviceCpu: cpu.service - cpuBefore.service,
      postgresCpu: cpu.postgres - cpuBefore.postgres,
      published: rows[0]?.published ?? 0,
    };
  } finally {
    await client.end();
    await stop(service);
  }
}

/** Sign-ups at an even pace, each unique. */
function pacedSignUps({ port }: Running, { token, planId }: BenchProject): (seconds: number) => Promise<Round> {
  const numbers = { next: 0 };
  return (seconds) => {
    const number = seconds * SIGN_UPS_A_SECOND;
    const from = (numbers.next += number) - number;
    const kind = { name: 'sign-up', planId } as const;
    return generateApart({
      port,
      token,
      from,
      kind,
      count: number,
      connections: CONNECTIONS,
      perSecond: SIGN_UPS_A_SECOND,
    });
  };
}

async function untilReached(project: BenchProject, midnight: string): Promise<void> {
  for (;;) {
    const { now, advancing_to: target } = await project.call('GET', '/sandbox/clock');
    if (target === null && String(now) >= midnight) return;
    await sleep(LOOK_MS);
  }
}

/** As one round. */
function together(rounds: readonly Round[]): Round {
  const latencies = Float64Array.from(rounds.flatMap((round) => [...round.latencies]));
  return summarise(rounds.length * ROUND_SECONDS * 1000, latencies);
}

/** Of the rounds that began while the starts went on, the one with the highest p99. */
function worst(rounds: readonly Round[]): Round {
  const [first, ...others] = rounds;
  if (first === undefined) throw new Error('there is a round');
  return others.reduce((worse, round) => (round.p99 > worse.p99 ? round : worse), first);
}

function peakMegabytes({ child }: Running): number {
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

const TICKS_A_SECOND = 100;

/** Processor time of the service and of its PostgreSQL until now, in seconds; Linux only. */
function cpuOf({ child }: Running, dataDir: string): { readonly service: number; readonly postgres: number } {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const own = statOf(child.pid ?? 0);
  const server = statOf(postmaster);
  const workers = readdirSync('/proc')
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === postmaster)
    .reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0);
  return {
    service: (own?.ticks ?? 0) / TICKS_A_SECOND,
    postgres: ((server?.ticks ?? 0) + (server?.ofEnded ?? 0) + workers) / TICKS_A_SECOND,
  };
}

/** What `/proc` tells of a process that is there. */
function statOf(pid: number): { parent: number; ticks: number; ofEnded: number } | null {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const fields = rest.split(' ').map(Number);
    const at = (index: number): number => fields[index] ?? 0;
    return { parent: at(1), ticks: at(11) + at(12), ofEnded: at(13) + at(14) };
  } catch {
    return null;
  }
}

function show({ p50, p95, p99 }: Round): string {
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

const EXPLANATION = `Supply that starts for very many at one midnight. They are loaded as patterns of a life that the service itself has led to a
minute before: whole lives, in one sandbox project, whose clock then goes to the midnight. Meanwhile ${SIGN_UPS_A_SECOND} sign-ups a second
go on in another project, timed from when each one's turn was, and a webhook endpoint is told of every start.
`;

function render(night: Night): string {
  const {
    seconds,
    idle,
    meanwhile,
    worst,
    megabytesBefore,
    megabytes,
    lagSeconds,
    serviceCpu,
    postgresCpu,
    published,
  } = night;
  const each = (cpu: number): string => ((cpu * 1e6) / count).toFixed(0);
  const figures = [
    ['starts', count.toLocaleString('en'), ''],
    ['until the last is active', `${seconds.toFixed(1)} s`, ''],
    ['starts in a second', Math.round(count / seconds).toLocaleString('en'), ''],
    ['sign-ups, idle, a minute before and after', show(idle), ''],
    ['sign-ups, meanwhile', show(meanwhile), ''],
    ['sign-ups, in the worst 20 s meanwhile', show(worst), ''],
    ['p99 meanwhile / idle', (meanwhile.p99 / idle.p99).toFixed(2), `≤ ${REQUIRED_RATIO}`],
    ['memory of the service at its peak, before', `${megabytesBefore.toFixed(0)} MB`, ''],
    ['memory of the service at its peak, by the end', `${megabytes.toFixed(0)} MB`, `≤ ${REQUIRED_MEGABYTES} MB`],
    ['events published, with that of the pattern', published.toLocaleString('en'), (count + 1).toLocaleString('en')],
    ['last webhook after the last start', `${lagSeconds.toFixed(1)} s`, ''],
    ['processor time of a start: service', `${each(serviceCpu)} µs`, ''],
    ['processor time of a start: PostgreSQL', `${each(postgresCpu)} µs`, ''],
  ];
  return `${EXPLANATION}
- ${describeMachine()}
- generator, receiver, service and PostgreSQL share the processors; processor times include sign-ups, feed and webhooks

| what | figure | required |
|---|--:|--:|
${figures.map((line) => `| ${line.join(' | ')} |`).join('\n')}
`;
}

const folder = mkdtempSync(join(tmpdir(), 'wattline-midnight-'));
try {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const dataDir = join(folder, 'data');
  const eve = await leadModel(dataDir);
  await loadEve(dataDir, eve);
  const night = await live(dataDir, eve);
  process.stdout.write(writeResults('midnight', render(night)));
  const isMissed =
    night.meanwhile.p99 > REQUIRED_RATIO * night.idle.p99 ||
    night.megabytes > REQUIRED_MEGABYTES ||
    night.published !== count + 1;
  process.exitCode = isMissed ? 1 : 0;
} finally {
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
