/**
 * What the service does in a second beside what the parts below it could do and what others would have built, measured in
 * one run and alternating, since figures of different runs on one machine differ by a third. Explained in the results it
 * writes: bench/results.md.
 *
 * The processes: this one, which drives PostgreSQL alone for the limit; the service as it is started by everybody, with one
 * process and with two; the peers; and the generator of HTTP load. This file is also the emptiest server there is
 * (`constant`).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import type { Client } from 'pg';
import { SETTINGS } from '#config';
import { parseId } from '#domain/identifiers.ts';
import { listSubscriptions } from '#features/subscriptions/list-store.ts';
import { findRunningEmbedded, type EmbeddedConnection } from '#platform/database/embedded.ts';
import { toStatement, type Statement } from '#platform/database/sql.ts';
import { wallClock } from '#platform/clock.ts';
import { createUuidMint } from '#platform/uuid.ts';
import { fetchToken, send } from '#test/support/service.ts';
import { BARE_BATCH, BARE_CONNECTIONS, connectAll, layOutBatch, readBare, readPattern, writeBare } from './bare.ts';
import { compare, missedBy, renderTable, type Comparison, type Contender, type Figure } from './compare.ts';
import {
  CLIENT,
  generateApart,
  HTTP_CONNECTIONS,
  ROOT,
  startService,
  stop,
  type Round,
  type Running,
} from './generator.ts';
import { measureTokenCheck, peakMemoryOf } from './micro.ts';
import { buildPeers, preparePeers, startPeer, type Peer } from './peers.ts';
import { describeMachine, writeResults } from './results.ts';

const ROUNDS = 5;
const WARM_UP = 5_000;
const SIGN_UPS_A_ROUND = 20_000;
const READS_A_ROUND = 60_000;
const LISTS_A_ROUND = 10_000;
/** As many as the service's pool has. */
const READ_CONNECTIONS = 16;
/** So many times the rates of the limits and of the peers ours must be. */
const REQUIRED = { signUps: 0.5, get: 0.5, list: 0.5, save: 15, insert: 8 } as const;
const REQUIRED_P99_MS = 100;
const TOKEN_CHECK_LIMIT_MICROSECONDS = 5;
const MEMORY_LIMIT_MB = 200;

/** They take longer for one than we do. */
const PEERS: readonly (readonly [peer: Peer, name: string, signUpsARound: number])[] = [
  ['save', 'peer: NestJS + TypeORM, save, Express', 2_000],
  ['insert', 'peer: NestJS + TypeORM, insert, Fastify', 4_000],
];

/** A service that can be signed up with, and its database. */
interface Site {
  readonly running: Running;
  readonly connection: EmbeddedConnection;
  readonly token: string;
  readonly planId: string;
  readonly writers: readonly [Client, ...Client[]];
}

/** What has to be ended when all is done, what came last first. */
type Endings = (() => Promise<unknown>)[];

async function openSite(dataDir: string, settings: Readonly<Record<string, string>>, endings: Endings): Promise<Site> {
  const running = await startService(dataDir, settings);
  endings.push(() => stop(running));
  const url = `http://127.0.0.1:${running.port}`;
  const token = await fetchToken(url, CLIENT);
  const plans = await send(url, 'GET', '/plans', { token });
  const connection = await findRunningEmbedded(dataDir);
  if (connection === null) throw new Error('the service brings its database along');
  const [first, ...others] = await connectAll({ ...connection }, BARE_CONNECTIONS);
  if (first === undefined) throw new Error('there is a connection');
  endings.push(() => Promise.all([first, ...others].map((client) => client.end())));
  return { running, connection, token, planId: String(plans.json.items[0].id), writers: [first, ...others] };
}

/** Numbers that make each sign-up unique, over all contenders. */
function createNumbers(): (count: number) => number {
  const numbers = { next: 1 };
  return (count) => (numbers.next += count) - count;
}

/** What is measured of one service, and what else there is to say. */
interface Outcome {
  readonly comparisons: readonly Comparison[];
  readonly figures: readonly Figure[];
  readonly facts: readonly string[];
}

async function measure(folder: string, endings: Endings): Promise<Outcome> {
  const missing = await buildPeers();
  const site = await openSite(join(folder, 'data'), {}, endings);
  // Those who only sign up leave before anything is read.
  const guests: Endings = [];
  const leave = async (): Promise<void> => {
    for (const end of guests.splice(0).toReversed()) await end();
  };
  endings.push(leave);
  const take = createNumbers();
  const signUpsAt = (port: number, { token, planId }: Site, count: number): Promise<Round> =>
    generateApart({ port, token, count, from: take(count), kind: { name: 'sign-up', planId } });
  await signUpsAt(site.running.port, site, WARM_UP);
  const sites = [site];
  const others: Contender[] = [await bareContender(site, take)];
  const warmUps: (() => Promise<unknown>)[] = [];
  if (missing === null) {
    const theirs = await preparePeers(site.connection);
    for (const [peer, name, count] of PEERS) {
      const { port } = await startEnding(await startPeer(peer, theirs), guests);
      warmUps.push(() => signUpsAt(port, site, count / 2));
      others.push({ name, required: REQUIRED[peer], measure: () => signUpsAt(port, site, count) });
    }
  }
  const hasProcesses = SETTINGS.some(({ name }) => name === 'PROCESSES');
  if (hasProcesses) {
    const twin = await openSite(join(folder, 'twin'), { PROCESSES: '2' }, guests);
    sites.push(twin);
    warmUps.push(() => signUpsAt(twin.running.port, twin, WARM_UP));
    const measureTwin = (): Promise<Round> => signUpsAt(twin.running.port, twin, SIGN_UPS_A_ROUND);
    others.push({ name: 'the same with PROCESSES=2', required: null, measure: measureTwin });
  }
  for (const warmUp of warmUps) await warmUp();
  // What was signed up is worked on in the background: whoever comes next shall not wait for that.
  const settledFirst = (measure: () => Promise<Round>) => async (): Promise<Round> => {
    for (const { writers } of sites) await settled(writers[0]);
    return measure();
  };
  const written = await compare(
    { title: 'durable sign-ups', requiredP99: REQUIRED_P99_MS, rounds: ROUNDS },
    settledFirst(() => signUpsAt(site.running.port, site, SIGN_UPS_A_ROUND)),
    others.map((other) => ({ ...other, measure: settledFirst(other.measure) })),
  );
  const memory = peakMemoryOf(site.running.child.pid ?? 0);
  await leave();
  const read = await measureReads(site, endings);
  return {
    comparisons: [written, ...read],
    figures: [
      {
        name: 'telling who is behind a known token, in the process',
        value: await measureTokenCheck(),
        unit: 'µs',
        limit: TOKEN_CHECK_LIMIT_MICROSECONDS,
      },
      ...(memory === null
        ? []
        : [{ name: 'most memory of the service under sign-ups', value: memory, unit: 'MB', limit: MEMORY_LIMIT_MB }]),
    ],
    facts: [
      ...(await factsOf(site.writers[0])),
      ...(missing === null ? [] : [`without the peers: ${missing}`]),
      ...(hasProcesses ? [] : ['without two processes: this version has no setting PROCESSES']),
    ],
  };
}

async function startEnding(running: Running, endings: Endings): Promise<Running> {
  endings.push(() => stop(running));
  return running;
}

async function firstIds({ running, token }: Site): Promise<string[]> {
  const page = await send(`http://127.0.0.1:${running.port}`, 'GET', '/subscriptions?limit=100', { token });
  return (page.json.items as { id: string }[]).map(({ id }) => id);
}

/** The driver alone, warmed up. */
async function bareContender(site: Site, take: (count: number) => number): Promise<Contender> {
  const { writers } = site;
  const [id = ''] = await firstIds(site);
  const pattern = await readPattern(writers[0], parseId('sub', id) ?? '');
  const mintUuid = createUuidMint(wallClock);
  const mint = (): string => mintUuid(Temporal.Now.instant());
  const bare = async (count: number): Promise<Round> => {
    const from = take(count);
    const batches = Array.from({ length: count / BARE_BATCH }, (_, index) =>
      layOutBatch(pattern, from + index * BARE_BATCH, mint),
    );
    return writeBare(writers, batches);
  };
  await bare(WARM_UP);
  return { name: 'limit: the driver alone', required: REQUIRED.signUps, measure: () => bare(SIGN_UPS_A_ROUND) };
}

async function measureReads(site: Site, endings: Endings): Promise<Comparison[]> {
  const { running, token, writers, connection } = site;
  await settled(writers[0]);
  await writers[0].query('analyze');
  const ids = await firstIds(site);
  const get = (port: number, paths: readonly string[], count: number): Promise<Round> =>
    generateApart({ port, token, count, from: 0, kind: { name: 'get', paths } });
  const single = await send(`http://127.0.0.1:${running.port}`, 'GET', `/subscriptions/${ids[0] ?? ''}`, { token });
  const empty = await startEnding(await startConstant(Buffer.byteLength(single.text)), endings);
  const paths = ids.map((id) => `/subscriptions/${id}`);
  // Both as fast as they become.
  await get(running.port, paths, READS_A_ROUND);
  await get(empty.port, ['/'], READS_A_ROUND);
  const read = await compare(
    { title: 'GET /subscriptions/{id}', rounds: ROUNDS },
    () => get(running.port, paths, READS_A_ROUND),
    [
      {
        name: 'limit: Fastify answering a constant',
        required: REQUIRED.get,
        measure: () => get(empty.port, ['/'], READS_A_ROUND),
      },
    ],
  );
  const readers = await connectAll({ ...connection }, READ_CONNECTIONS);
  endings.push(() => Promise.all(readers.map((client) => client.end())));
  const { rows } = await writers[0].query<{ project_id: string }>('select project_id from subscriptions limit 1');
  const statement = await captureList(String(rows[0]?.project_id));
  await get(running.port, ['/subscriptions?limit=20'], LISTS_A_ROUND);
  await readBare(readers, statement, LISTS_A_ROUND);
  const listed = await compare(
    { title: 'GET /subscriptions?limit=20', rounds: ROUNDS },
    () => get(running.port, ['/subscriptions?limit=20'], LISTS_A_ROUND),
    [
      {
        name: 'limit: the bare query by the driver',
        required: REQUIRED.list,
        measure: () => readBare(readers, statement, LISTS_A_ROUND),
      },
    ],
  );
  return [read, listed];
}

/** An empty Fastify that answers this many bytes. */
async function startConstant(bytes: number): Promise<Running> {
  const child = fork(fileURLToPath(import.meta.url), ['constant', String(bytes)], { cwd: ROOT });
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

/** Waits until the service has begun the processes of all sign-ups. */
async function settled(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select from market_processes where memory is null and due_at < now() limit 1');
    if (rows.length === 0) return;
    await sleep(100);
  }
}

/** The statement that reads a page and nothing else. */
async function captureList(projectId: string): Promise<Statement> {
  const captured: Statement[] = [];
  await listSubscriptions(
    {
      query: async (fragment) => {
        captured.push(toStatement(fragment));
        return [];
      },
      transaction: () => Promise.reject(new Error('a list without conditions is one statement')),
    },
    projectId,
    [],
    null,
    21,
  );
  const [statement] = captured;
  if (statement === undefined) throw new Error('a list is one statement');
  return statement;
}

async function factsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<Record<string, string>>(`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit, current_setting('shared_buffers') as shared_buffers,
      (select count(*) from subscriptions) as subscriptions`);
  const { version = '', fsync, synchronous_commit, shared_buffers, subscriptions = '' } = rows[0] ?? {};
  return [
    describeMachine(),
    `PostgreSQL ${version.split(' ')[0] ?? ''} embedded, fsync ${fsync}, synchronous_commit ${synchronous_commit}, shared_buffers ${shared_buffers}; ${subscriptions} subscriptions at the end`,
    'generator, service and PostgreSQL share the processors',
  ];
}

const EXPLANATION = `Written by \`npm run bench\`, \`bench:webhooks\`, \`bench:growth\` and \`bench:midnight\`, each its part; do not edit. Absolute
figures differ by a third from run to run on one machine: look at the ratios, which come from one run in which all took
turns (${ROUNDS} rounds, medians).

- **Durable sign-ups**: \`POST /subscriptions\` at ${HTTP_CONNECTIONS} connections with everything switched on: token, strict JSON, validation,
  encryption, \`Idempotency-Key\`, group commit, fsync; only the rate limit is off. Each is unique and answered 201 after its commit.
  The limit: the same rows into the same tables and indexes by \`pg\` alone, one transaction of multi-row inserts for
  ${BARE_BATCH} sign-ups, ${BARE_CONNECTIONS} connections, everything laid out beforehand; its p50 and p99 are those of a batch.
- **Peers**: the same requests answered by NestJS and TypeORM (\`bench/peers\`), at the same connections, into a database of their own
  in the same server, with the same schema, rows and durability: a cached token check, validated DTOs, one transaction for each request,
  a pool of 20. \`save\`: repositories' \`save\` on Express, as most write it; \`insert\`: the query builder on Fastify, nothing read back.
  Theirs begins empty, and nothing works on what they have signed up, which is to their advantage.
- **GET by id**: beside an empty Fastify that answers a constant of the same size, at the same ${HTTP_CONNECTIONS} connections; here and
  below each goes one round before it is measured, until which its code is compiled.
- **List of 20**: beside the query of one page run by \`pg\` alone on ${READ_CONNECTIONS} connections, its rows not looked at; the service
  reads several pages with one statement.
`;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wattline-bench-'));
  const endings: Endings = [];
  try {
    const { comparisons, figures, facts } = await measure(folder, endings);
    const list = facts.map((fact) => `- ${fact}`).join('\n');
    const text = `${EXPLANATION}\n${list}\n\n${renderTable(comparisons, figures)}`;
    process.stdout.write(`\n${writeResults('http', text)}`);
    const missed = missedBy(comparisons, figures);
    for (const sentence of missed) process.stderr.write(`missed: ${sentence}\n`);
    process.exitCode = missed.length > 0 ? 1 : 0;
  } finally {
    for (const end of endings.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const [role, argument] = process.argv.slice(2);
if (role === 'constant') {
  const body = JSON.stringify({ text: 'x'.repeat(Number(argument) - 11) });
  const app = fastify({ logger: false });
  app.get('/', async (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.(Number(new URL(address).port));
} else {
  await main();
}
