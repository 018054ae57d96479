/**
 * What the size of the database costs: databases of several sizes stand beside each other, and every list and filter is
 * read from one after the other, through the service of each. Usage: growth.ts [sizes …] [--data-dir folder] [--plans]
 * [--lean]. A folder that is named is kept, and a database that it holds is measured again by the next run that names it;
 * --plans looks at the plans only; --lean leaves out what no list reads and events older than a year, where the disk is
 * too small for 7 kB each. Explained in the results it writes: bench/results.md.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { findRunningEmbedded } from '#platform/database/embedded.ts';
import { IDEMPOTENCY_DAYS } from '#platform/http/idempotency.ts';
import { createLog } from '#platform/log.ts';
import { explainSettled, sortedRows, spyOn, stepsOf } from '#test/support/plans.ts';
import { createApp } from '../src/app.ts';
import { layFoundation } from '../src/foundation.ts';
import { CLIENT, generateApart, startService, stop, type Running } from './generator.ts';
import { load, tidy, whileLoading, type Share } from './loader.ts';
import {
  anotherProject,
  createModelLead,
  firstProject,
  readModel,
  readModels,
  settled,
  type BenchProject,
} from './model-lives.ts';
import { readColumns, type Columns } from './pattern.ts';
import { projectUuid, readsOf, SPAN_SECONDS, type Read } from './growth-reads.ts';
import { CONNECTIONS, LEADS_PART, missedBy, render, REQUESTS, ROUNDS, type GrowthResult } from './growth-results.ts';
import { median } from './median.ts';
import { writeResults } from './results.ts';

const DEFAULT_SIZES = [10_000, 1_000_000, 10_000_000];
const YEAR_SECONDS = 365 * 86_400;
/** Smaller tables may be read whole. */
const SMALL_TABLE = 5_000;
const PAGE = 101;
const SLOW_MS = 200;
/** Pages of a kind that are looked at for how full they are. */
const PAGES = 20;

/** Kept beside the data of a database that is loaded. */
interface Journal {
  readonly loadedPerSecond: number;
  /** Numbers of sign-ups that were made through the service. */
  readonly signedUp: number;
}

/** A database of one size. */
interface Grown {
  readonly size: number;
  readonly dataDir: string;
  readonly journal: Journal;
  readonly write: (changed: Partial<Journal>) => void;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'data-dir': { type: 'string' }, plans: { type: 'boolean' }, lean: { type: 'boolean' } },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : DEFAULT_SIZES;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function grow(folder: string): Promise<void> {
  const grown: Grown[] = [];
  for (const size of sizes) grown.push(await loaded(join(folder, String(size)), size));
  const opened: Opened[] = [];
  try {
    for (const each of grown) opened.push(await open(each));
    if (options.plans !== true) await readInTurns(opened);
    for (const each of opened) await lookAtPlans(each);
    if (options.plans !== true) await signUpInTurns(opened);
    const results = opened.map(({ grown: { size, journal }, p95, rows, faults, bytes }) => {
      const { loadedPerSecond } = journal;
      return { size, p95: Object.fromEntries(p95), rows, faults, bytes, loadedPerSecond };
    });
    if (options.plans !== true)
      process.stdout.write(`${writeResults('growth', render(results, { isLean: options.lean === true }))}\n`);
    const missed = missedBy(results);
    for (const name of missed) process.stderr.write(`${name}\n`);
    process.exitCode = missed.length > 0 ? 1 : 0;
  } finally {
    for (const each of opened) await close(each);
  }
}

/** The database of a folder, which is loaded where it is not there yet. */
async function loaded(folder: string, size: number): Promise<Grown> {
  const dataDir = join(folder, 'data');
  const path = join(folder, 'growth.json');
  const write = (journal: Journal): void => writeFileSync(path, JSON.stringify(journal));
  if (!existsSync(path)) {
    // Of a load that was broken off.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const models = await leadModels(dataDir);
    const start = performance.now();
    await loadTo(dataDir, models, size);
    const loadedPerSecond = (size * 1000) / (performance.now() - start);
    say(`${size.toLocaleString('en')} subscriptions: ${Math.round(loadedPerSecond)} loaded in a second`);
    write({ loadedPerSecond, signedUp: 0 });
  }
  const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal;
  return { size, dataDir, journal, write: (changed) => write({ ...journal, ...changed }) };
}

/** What all that is loaded is laid out from. */
interface Models {
  readonly columns: Columns;
  readonly shares: readonly Share[];
  readonly leads: readonly Share[];
  readonly plans: readonly string[];
}

/** Leads the lives that are patterns, in a project of their own beside the one that grows. */
async function leadModels(dataDir: string): Promise<Models> {
  const service = await startService(dataDir);
  const client = await connectTo(dataDir);
  try {
    const url = `http://127.0.0.1:${service.port}`;
    const big = await firstProject(dataDir, url);
    const own = await anotherProject(dataDir, url, 'Models');
    for (const plan of ['Ökostrom', 'Regional', 'Wärmepumpe']) {
      await big.call('POST', '/plans', { name: plan, price: 10 });
    }
    const columns = await readColumns(client);
    const shares = await readModels(client, columns, own, big);
    const lead = await createModelLead(own, 999);
    await settled(client);
    const leads = [{ pattern: await readModel(client, columns, own, big, lead, null), share: 1 }];
    return { columns, shares, leads, plans: await planIds(big) };
  } finally {
    await client.end();
    await stop(service);
  }
}

async function planIds(project: BenchProject): Promise<string[]> {
  const { items } = (await project.call('GET', '/plans?limit=100')) as { items: { id: string }[] };
  return items.map(({ id }) => parseId('pln', id) ?? '');
}

async function connectTo(dataDir: string): Promise<Client> {
  return connect({ ...(await findRunningEmbedded(dataDir)) });
}

async function connect(connection: ClientConfig): Promise<Client> {
  const client = new Client({ ...connection, options: '-c timezone=UTC -c jit=off' });
  await client.connect();
  return client;
}

async function loadTo(dataDir: string, { columns, shares, leads, plans }: Models, size: number): Promise<void> {
  const end = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000);
  // A supplier who grows evenly faster.
  const createdAt = (number: number): number => end - Math.ceil(SPAN_SECONDS * (1 - Math.sqrt(number / size)));
  const remembersFrom = end - IDEMPOTENCY_DAYS * 86_400;
  const cargo = {
    columns,
    createdAt,
    planOf: (number: number): string => plans[number % plans.length] ?? '',
    dueAt: (number: number): number => end + 365 * 86_400 + (number % 86_400),
  };
  const start = performance.now();
  const onProgress = (loaded: number): void =>
    say(`  ${loaded.toLocaleString('en')} loaded, ${((performance.now() - start) / 1000).toFixed(0)} s`);
  await whileLoading(dataDir, async (connection, keys) => {
    await load(connection, keys, {
      ...cargo,
      shares,
      from: 0,
      to: size,
      // What follows a sign-up would take as much room again, and no list reads it.
      leavesOut: ({ table, sequence }, created) =>
        sequence > 1 ||
        table === 'market_messages' ||
        table === 'subscription_transitions' ||
        (options.lean === true && (table === 'events' || table === 'event_feed') && created < end - YEAR_SECONDS) ||
        (table === 'idempotency_keys' && created < remembersFrom),
      remembersNothing: options.lean === true,
      onProgress,
    });
    await load(connection, keys, {
      ...cargo,
      shares: leads,
      from: 0,
      to: size / LEADS_PART,
      createdAt: (number) => createdAt(number * LEADS_PART),
      leavesOut: ({ table }) => table === 'idempotency_keys',
      onProgress: () => {},
    });
    await tidy(connection);
  });
  // What the kernel has yet to write would be written while it is measured.
  await promisify(execFile)('sync');
}

/** A database whose service runs, and what is found of it. */
interface Opened {
  readonly grown: Grown;
  readonly service: Running;
  readonly client: Client;
  readonly foundation: Awaited<ReturnType<typeof layFoundation>>;
  readonly project: BenchProject;
  readonly reads: readonly Read[];
  readonly bytes: GrowthResult['bytes'];
  readonly p95: Map<string, number | null>;
  readonly rows: Record<string, number>;
  readonly faults: Record<string, string>;
}

async function open(grown: Grown): Promise<Opened> {
  const { dataDir } = grown;
  const service = await startService(dataDir);
  const client = await connectTo(dataDir);
  const foundation = await layFoundation({ databaseUrl: null, dataDir, encryptionKey: null }, createLog('silent', 2));
  const project = await firstProject(dataDir, `http://127.0.0.1:${service.port}`);
  const all = await readsOf(client, foundation.keys, projectUuid(project.id), grown.size);
  const reads = all.filter(({ paths }) => paths.length > 0);
  return {
    grown,
    service,
    client,
    foundation,
    project,
    reads,
    bytes: await sizesOf(client),
    p95: new Map(),
    rows: {},
    faults: {},
  };
}

async function close({ client, foundation, service }: Opened): Promise<void> {
  await settled(client);
  await foundation.close();
  await client.end();
  await stop(service);
}

/** Each kind of request is sent to one service after the other, so that all of them have the same hour of the machine. */
async function readInTurns(opened: readonly Opened[]): Promise<void> {
  for (const { name } of opened.at(-1)?.reads ?? []) {
    const contenders = opened.flatMap((each) => {
      const read = each.reads.find((read) => read.name === name);
      return read === undefined ? [] : [{ ...each, read, rounds: [] as number[] }];
    });
    const round = async ({ service: { port }, project: { token }, read }: (typeof contenders)[0], count: number) => {
      const kind = { name: 'get', paths: read.paths } as const;
      return (await generateApart({ port, token, count, from: 0, connections: CONNECTIONS, kind })).p95;
    };
    const quick: typeof contenders = [];
    for (const each of contenders) {
      // What takes that long shows it in few, once what it reads has been read from the disk. Null: not answered in time.
      const few = (): Promise<number | null> => round(each, REQUESTS / 10).catch(() => null);
      await few();
      const first = await few();
      if (first === null || first > SLOW_MS) each.p95.set(name, first);
      else quick.push(each);
    }
    for (const each of quick) await round(each, REQUESTS);
    for (let times = 0; times < ROUNDS; times += 1)
      for (const each of quick) each.rounds.push(await round(each, REQUESTS));
    for (const { p95, rounds } of quick) p95.set(name, median(rounds));
    const figures = contenders.map(({ p95 }) => p95.get(name)?.toFixed(1) ?? 'too many');
    say(`  ${figures.join(', ')} ms  ${name}`);
  }
}

async function signUpInTurns(opened: readonly Opened[]): Promise<void> {
  const rounds = new Map(opened.map((each) => [each, [] as number[]]));
  for (let times = 0; times < ROUNDS; times += 1) {
    for (const [{ service, project, grown }, found] of rounds) {
      const kind = { name: 'sign-up', planId: project.planId } as const;
      const from = grown.journal.signedUp + times * REQUESTS;
      const load = { port: service.port, token: project.token, count: REQUESTS, from, connections: CONNECTIONS, kind };
      found.push((await generateApart(load)).p95);
    }
  }
  for (const [{ p95, grown }, found] of rounds) {
    p95.set('POST /subscriptions', median(found));
    grown.write({ signedUp: grown.journal.signedUp + ROUNDS * REQUESTS });
  }
}

/** What is read of an answer. */
interface Reply {
  readonly statusCode: number;
  readonly body: string;
}

/** Looks at how the database executes the very statements that the service asks, and at how full the pages are. */
async function lookAtPlans({ grown, foundation, client, reads, rows, faults }: Opened): Promise<void> {
  const { database, asked } = spyOn(foundation.database);
  const config = {
    rateLimit: null,
    publicUrl: 'http://bench',
    webhooks: { allowPrivate: false, retrySchedule: [], ports: [] },
  };
  const app = createApp({ ...foundation, database }, config, createLog('silent', 2));
  await app.http.ready();
  const token = await tokenOf(app.http);
  const large = await client.query<{ table: string }>(
    `select relname as table from pg_class where relkind = 'r' and reltuples > $1`,
    [SMALL_TABLE],
  );
  const growing = new Set(large.rows.map(({ table }) => table));
  for (const { name, paths } of reads) {
    const read = (path = ''): Promise<Reply> =>
      app.http.inject({ url: path, headers: { authorization: `Bearer ${token}` } });
    const looked = paths.slice(0, PAGES);
    let found = 0;
    for (const path of looked) {
      const { items } = JSON.parse((await read(path)).body) as { items?: unknown[] };
      found += items?.length ?? 0;
    }
    rows[name] = found / looked.length;
    asked.length = 0;
    const reply = await read(paths[Math.floor(paths.length / 2)]);
    if (reply.statusCode !== 200) {
      faults[name] = `is answered ${reply.statusCode}`;
      continue;
    }
    const wrong = new Set<string>();
    for (const statement of asked) {
      const plan = await explainSettled(client, statement);
      for (const { kind, source } of stepsOf(plan))
        if (kind === 'Seq Scan' && growing.has(source)) wrong.add(`reads all of ${source}`);
      const sorted = sortedRows(plan);
      if (sorted > PAGE) wrong.add(`sorts ${sorted} rows`);
      const discarded = stepsOf(plan).reduce((sum, step) => sum + step.discarded, 0);
      if (discarded > 20 * PAGE) wrong.add(`discards ${discarded} rows`);
    }
    if (wrong.size > 0) faults[name] = [...wrong].join(', ');
  }
  await app.http.close();
  for (const [name, fault] of Object.entries(faults)) say(`  ${grown.size.toLocaleString('en')}: ${name}: ${fault}`);
}

async function tokenOf(http: ReturnType<typeof createApp>['http']): Promise<string> {
  const basic = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64');
  const reply = await http.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials',
  });
  return reply.json<{ access_token: string }>().access_token;
}

async function sizesOf(client: Client): Promise<GrowthResult['bytes']> {
  const { rows } = await client.query<{ table: string; total: string; indexes: string }>(`
    select relname as table, pg_total_relation_size(oid) as total, pg_indexes_size(oid) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > ${SMALL_TABLE}
    order by 2 desc`);
  return rows.map(({ table, total, indexes }) => ({ table, total: Number(total), indexes: Number(indexes) }));
}

const named = options['data-dir'];
const folder = named === undefined ? mkdtempSync(join(tmpdir(), 'wattline-growth-')) : resolve(named);
try {
  await grow(folder);
} finally {
  if (named === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
