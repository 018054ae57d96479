/**
 * What the size of the database costs: one database grows, and at each size every list and filter is read through the
 * service. Usage: growth.ts [sizes …] [--data-dir folder] [--plans] [--lean]. A folder that is named is kept, and gone on
 * with by the next run that names it; --plans looks at the plans only; --lean leaves out what no list reads and events
 * older than a year, where the disk is too small for 7 kB each. Explained in the results it writes: bench/results.md.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { projectUuid, readsOf, type Read } from './growth-reads.ts';
import { CONNECTIONS, LEADS_PART, missedBy, render, REQUESTS, ROUNDS, type GrowthResult } from './growth-results.ts';
import { median } from './median.ts';
import { writeResults } from './results.ts';

const DEFAULT_SIZES = [10_000, 1_000_000, 10_000_000];
/** So many lives fill the time that all are spread over: a supplier who grows evenly faster. */
const CAPACITY = 10_000_000;
const YEAR_SECONDS = 365 * 86_400;
const SPAN_SECONDS = 2 * YEAR_SECONDS;
/** Smaller tables may be read whole. */
const SMALL_TABLE = 5_000;
const PAGE = 101;
const SLOW_MS = 200;

/** Kept in the data folder, beside what it tells of. */
interface Journal {
  /** When the first of the loaded signed up, in seconds since 1970. */
  readonly begin: number;
  readonly loaded: number;
  /** Of the last growth. */
  readonly loadedPerSecond: number;
  /** Numbers of sign-ups that were made through the service. */
  readonly signedUp: number;
  readonly results: readonly GrowthResult[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'data-dir': { type: 'string' }, plans: { type: 'boolean' }, lean: { type: 'boolean' } },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : DEFAULT_SIZES;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function grow(folder: string): Promise<void> {
  const dataDir = join(folder, 'data');
  const path = join(folder, 'growth.json');
  const begin = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000) - SPAN_SECONDS;
  let journal: Journal = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Journal)
    : { begin, loaded: 0, loadedPerSecond: 0, signedUp: 0, results: [] };
  const write = (changed: Partial<Journal>): void => {
    journal = { ...journal, ...changed };
    writeFileSync(path, JSON.stringify(journal));
  };
  const models = await leadModels(dataDir, journal.loaded > 0);
  for (const size of sizes.filter((size) => size >= journal.loaded)) {
    if (size > journal.loaded) {
      const start = performance.now();
      await loadTo(dataDir, models, journal, size);
      const loadedPerSecond = ((size - journal.loaded) * 1000) / (performance.now() - start);
      say(`${size.toLocaleString('en')} subscriptions: ${Math.round(loadedPerSecond)} loaded in a second`);
      write({ loaded: size, loadedPerSecond });
    }
    const measured = await measure(dataDir, journal.signedUp, size);
    const { loadedPerSecond } = journal;
    const others = journal.results.filter((result) => result.size !== size);
    write({ signedUp: journal.signedUp + SIGN_UPS, results: [...others, { ...measured, loadedPerSecond }] });
    for (const [name, fault] of Object.entries(measured.faults)) say(`  ${name}: ${fault}`);
    if (options.plans !== true)
      process.stdout.write(`${writeResults('growth', render(journal.results, { isLean: options.lean === true }))}\n`);
  }
  const missed = missedBy(journal.results);
  for (const name of missed) process.stderr.write(`${name}\n`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

/** What all that is loaded is laid out from. */
interface Models {
  readonly columns: Columns;
  readonly shares: readonly Share[];
  readonly leads: readonly Share[];
  readonly plans: readonly string[];
}

/** Leads the lives that are patterns, in a project of their own beside the one that grows. */
async function leadModels(dataDir: string, isGrown: boolean): Promise<Models> {
  const service = await startService(dataDir);
  const client = await connectTo(dataDir);
  try {
    const url = `http://127.0.0.1:${service.port}`;
    const big = await firstProject(dataDir, url);
    const name = `Models ${Temporal.Now.instant().toString({ smallestUnit: 'second' })}`;
    const own = await anotherProject(dataDir, url, name);
    for (const plan of isGrown ? [] : ['Ökostrom', 'Regional', 'Wärmepumpe']) {
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

async function loadTo(dataDir: string, models: Models, journal: Journal, size: number): Promise<void> {
  const { columns, shares, leads, plans } = models;
  const createdAt = (number: number): number =>
    journal.begin + Math.floor(SPAN_SECONDS * Math.sqrt(number / Math.max(CAPACITY, size)));
  const end = journal.begin + SPAN_SECONDS;
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
      from: journal.loaded,
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
      from: journal.loaded / LEADS_PART,
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

const SIGN_UPS = ROUNDS * REQUESTS;

async function measure(
  dataDir: string,
  signedUp: number,
  size: number,
): Promise<Omit<GrowthResult, 'loadedPerSecond'>> {
  const service = await startService(dataDir);
  const client = await connectTo(dataDir);
  const foundation = await layFoundation({ databaseUrl: null, dataDir, encryptionKey: null }, createLog('silent', 2));
  try {
    const big = await firstProject(dataDir, `http://127.0.0.1:${service.port}`);
    const all = await readsOf(client, foundation.keys, projectUuid(big.id));
    const reads = all.filter(({ paths }) => paths.length > 0);
    const bytes = await sizesOf(client);
    const p95: Record<string, number | null> = {};
    for (const read of options.plans === true ? [] : reads) {
      // Not answered in time.
      const found = await timeRead(service, big.token, read).catch(() => null);
      p95[read.name] = found;
      say(`  ${found?.toFixed(1) ?? 'too many'} ms  ${read.name}`);
    }
    const faults = await faultsOf(foundation, client, reads);
    if (options.plans !== true) p95['POST /subscriptions'] = await timeSignUps(service, big, signedUp);
    await settled(client);
    return { size, p95, faults, bytes };
  } finally {
    await foundation.close();
    await client.end();
    await stop(service);
  }
}

async function timeRead({ port }: Running, token: string, { paths }: Read): Promise<number> {
  const round = async (count: number): Promise<number> => {
    const kind = { name: 'get', paths } as const;
    return (await generateApart({ port, token, count, from: 0, connections: CONNECTIONS, kind })).p95;
  };
  // What takes that long shows it in few.
  const first = await round(REQUESTS / 20);
  if (first > SLOW_MS) return first;
  await round(REQUESTS / 2);
  const rounds = [];
  for (let times = 0; times < ROUNDS; times += 1) rounds.push(await round(REQUESTS));
  return median(rounds);
}

async function timeSignUps({ port }: Running, { token, planId }: BenchProject, from: number): Promise<number> {
  const rounds = [];
  for (let times = 0; times < ROUNDS; times += 1) {
    const kind = { name: 'sign-up', planId } as const;
    const load = { port, token, count: REQUESTS, from: from + times * REQUESTS, connections: CONNECTIONS, kind };
    rounds.push((await generateApart(load)).p95);
  }
  return median(rounds);
}

/** Looks at how the database executes the very statements that the service asks. */
async function faultsOf(
  foundation: Awaited<ReturnType<typeof layFoundation>>,
  client: Client,
  reads: readonly Read[],
): Promise<Record<string, string>> {
  const { database, asked } = spyOn(foundation.database);
  const config = {
    rateLimit: null,
    publicUrl: 'http://bench',
    webhooks: { allowPrivate: false, retrySchedule: [], ports: [] },
  };
  const app = createApp({ ...foundation, database }, config, createLog('silent', 2));
  await app.http.ready();
  const token = await tokenOf(app.http);
  const { rows } = await client.query<{ table: string }>(
    `select relname as table from pg_class where relkind = 'r' and reltuples > $1`,
    [SMALL_TABLE],
  );
  const growing = new Set(rows.map(({ table }) => table));
  const faults: Record<string, string> = {};
  for (const { name, paths } of reads) {
    const path = paths[Math.floor(paths.length / 2)] ?? '';
    const inject = (): Promise<{ statusCode: number; body: string }> =>
      app.http.inject({ url: path, headers: { authorization: `Bearer ${token}` } });
    await inject();
    asked.length = 0;
    const reply = await inject();
    if (reply.statusCode !== 200) {
      faults[name] = `is answered ${reply.statusCode}`;
      continue;
    }
    const found = new Set<string>();
    for (const statement of asked) {
      const plan = await explainSettled(client, statement);
      for (const { kind, source } of stepsOf(plan))
        if (kind === 'Seq Scan' && growing.has(source)) found.add(`reads all of ${source}`);
      const sorted = sortedRows(plan);
      if (sorted > PAGE) found.add(`sorts ${sorted} rows`);
      const discarded = stepsOf(plan).reduce((sum, step) => sum + step.discarded, 0);
      if (discarded > 20 * PAGE) found.add(`discards ${discarded} rows`);
    }
    if (found.size > 0) faults[name] = [...found].join(', ');
  }
  await app.http.close();
  return faults;
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
