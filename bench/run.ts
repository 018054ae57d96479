/**
 * What the service does in a second beside what the parts below it could do, measured in one run and alternating, since
 * figures of different runs on one machine differ by a third. Explained in the results it writes: bench/results.md.
 *
 * Three processes: this one, which drives PostgreSQL alone for the limit; the service as it is started by everybody; and
 * this file again as the generator of HTTP load (`load`) or as the emptiest server there is (`constant`).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { Client, type ClientConfig } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { listSubscriptions } from '#features/subscriptions/store.ts';
import { hashUuid } from '#platform/crypto.ts';
import { findRunningEmbedded } from '#platform/database/embedded.ts';
import { toStatement, type Statement } from '#platform/database/sql.ts';
import {
  CLIENT,
  generateApart,
  HTTP_CONNECTIONS,
  maloOf,
  ROOT,
  startService,
  stop,
  summarise,
  type Round,
  type Running,
} from './generator.ts';
import { describeMachine, writeResults } from './results.ts';
import { createUuidMint } from '#platform/uuid.ts';
import { fetchToken, send } from '#test/support/service.ts';

const ROUNDS = 5;
const WARM_UP = 5_000;
const SIGN_UPS_A_ROUND = 20_000;
const READS_A_ROUND = 15_000;
const LISTS_A_ROUND = 5_000;
const BARE_CONNECTIONS = 2;
const BARE_BATCH = 100;
/** As many as the service's pool has. */
const READ_CONNECTIONS = 16;
/** What issue 2 asks of sign-ups against the bare limit. */
const REQUIRED_RATIO = 0.35;

// ---------------------------------------------------------------------------------------------------------------
// The limit: the driver alone

/** The tables a sign-up writes, with the types of the columns it fills, referenced ones first. */
const TABLES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'customers',
    // prettier-ignore
    { project_id: 'uuid', id: 'uuid', type: 'text', company_name: 'text', first_name: 'text', last_name: 'text', email: 'text', vat_id: 'text', created_at: 'timestamptz', updated_at: 'timestamptz' },
  ],
  [
    'addresses',
    // prettier-ignore
    { project_id: 'uuid', id: 'uuid', street: 'text', house_number: 'text', zip: 'text', city: 'text', created_at: 'timestamptz' },
  ],
  [
    'meters',
    // prettier-ignore
    { project_id: 'uuid', id: 'uuid', number: 'text', type: 'text', estimated_usage: 'numeric', malo: 'text', created_at: 'timestamptz' },
  ],
  [
    'payment_methods',
    // prettier-ignore
    { project_id: 'uuid', id: 'uuid', type: 'text', iban_masked: 'text', details_encrypted: 'bytea', created_at: 'timestamptz' },
  ],
  [
    'subscriptions',
    // prettier-ignore
    { project_id: 'uuid', id: 'uuid', number: 'text', external_id: 'text', status: 'text', stage: 'text', plan_id: 'uuid', customer_id: 'uuid', address_id: 'uuid', meter_id: 'uuid', payment_method_id: 'uuid', next_possible_start: 'boolean', requested_start_date: 'date', estimated_usage: 'numeric', malo: 'text', meter_number_normalised: 'text', zip: 'text', metadata: 'json', event_sequence: 'integer', created_by: 'uuid', created_at: 'timestamptz', updated_at: 'timestamptz' },
  ],
  [
    'market_processes',
    // prettier-ignore
    { project_id: 'uuid', id: 'uuid', subscription_id: 'uuid', due_at: 'timestamptz', created_at: 'timestamptz' },
  ],
  [
    'events',
    // prettier-ignore
    { project_id: 'uuid', id: 'uuid', subscription_id: 'uuid', sequence: 'integer', type: 'text', occurred_at: 'timestamptz', request_id: 'text', credential_id: 'uuid', data: 'json' },
  ],
  [
    'audit_log',
    // prettier-ignore
    { project_id: 'uuid', id: 'uuid', occurred_at: 'timestamptz', credential_id: 'uuid', request_id: 'text', operation: 'text', resource: 'text', seal: 'bytea' },
  ],
  ['subscription_metadata', { project_id: 'uuid', key_hash: 'uuid', value_hash: 'uuid', subscription_id: 'uuid' }],
  [
    'idempotency_keys',
    // prettier-ignore
    { project_id: 'uuid', key: 'text', fingerprint: 'bytea', method: 'text', path: 'text', status: 'smallint', headers: 'json', body: 'text', request_id: 'text', created_at: 'timestamptz' },
  ],
];

/** Answers a sign-up that the service itself has written, row by row, as the pattern for the bare ones. */
async function readPattern(client: Client, id: string): Promise<Record<string, Record<string, unknown>>> {
  const key = `select key from idempotency_keys where body like '%' || (select number from subscriptions where id = $1) || '%'`;
  const conditions: Record<string, string> = {
    customers: 'id = (select customer_id from subscriptions where id = $1)',
    addresses: 'id = (select address_id from subscriptions where id = $1)',
    meters: 'id = (select meter_id from subscriptions where id = $1)',
    payment_methods: 'id = (select payment_method_id from subscriptions where id = $1)',
    subscriptions: 'id = $1',
    idempotency_keys: `key in (${key})`,
    audit_log: 'request_id = (select request_id from events where subscription_id = $1)',
  };
  const rows: Record<string, Record<string, unknown>> = {};
  for (const [table, columns] of TABLES) {
    const texts = Object.entries(columns).map(([name, type]) => (type === 'bytea' ? name : `${name}::text`));
    const condition = conditions[table] ?? 'subscription_id = $1';
    const { rows: found } = await client.query<Record<string, unknown>>(
      `select ${texts.join(', ')} from ${table} where ${condition}`,
      [id],
    );
    if (found.length !== 1) throw new Error(`the pattern has ${found.length} rows in ${table}`);
    rows[table] = found[0] ?? {};
  }
  return rows;
}

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A number that no random one is likely to meet, and no other of this run does. */
function numberOf(number: number): string {
  return Array.from({ length: 8 }, (_, index) => ALPHABET[Math.floor((number * 7919 + 1) / 32 ** index) % 32]).join('');
}

type Batch = readonly { readonly name: string; readonly text: string; readonly values: unknown[][] }[];

/** Ten plain inserts of many rows: those of the pattern with ids and unique texts of their own. */
function layOutBatch(pattern: Record<string, Record<string, unknown>>, from: number, mint: () => string): Batch {
  const lines = Array.from({ length: BARE_BATCH }, (_, index) => {
    const number = from + index;
    const id = mint();
    const parts = { customer_id: mint(), address_id: mint(), meter_id: mint(), payment_method_id: mint() };
    const own: Record<string, Record<string, unknown>> = {
      customers: { id: parts.customer_id, email: `erika.${number}@example.com` },
      addresses: { id: parts.address_id },
      meters: { id: parts.meter_id, number: `1EMH${number}`, malo: maloOf(number) },
      payment_methods: { id: parts.payment_method_id },
      subscriptions: {
        ...parts,
        id,
        number: numberOf(number),
        external_id: `order-${number}`,
        malo: maloOf(number),
        meter_number_normalised: `1EMH${number}`,
      },
      // Nobody is to work on what was never signed up.
      market_processes: { id: mint(), subscription_id: id, due_at: '2999-01-01T00:00:00Z' },
      events: { id: mint(), subscription_id: id },
      audit_log: { id: mint(), resource: id },
      subscription_metadata: { subscription_id: id, value_hash: hashUuid('web') },
      idempotency_keys: { key: `bare-${number}` },
    };
    return own;
  });
  return TABLES.map(([table, columns]) => {
    const names = Object.keys(columns);
    const casts = Object.values(columns).map((type, index) => `$${index + 1}::${type === 'json' ? 'text' : type}[]`);
    const picks = names.map((name) => (columns[name] === 'json' ? `${name}::json` : name));
    return {
      name: `bare ${table}`,
      text: `insert into ${table} (${names.join(', ')}) select ${picks.join(', ')} from unnest(${casts.join(', ')}) as row (${names.join(', ')})`,
      values: names.map((name) => lines.map((own) => own[table]?.[name] ?? pattern[table]?.[name] ?? null)),
    };
  });
}

/** One transaction for each batch, batches laid out beforehand. */
async function writeBare(clients: readonly Client[], batches: Batch[]): Promise<Round> {
  const latencies: number[] = [];
  const rows = batches.length * BARE_BATCH;
  const begin = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
        const from = performance.now();
        await client.query('begin');
        for (const insert of batch) await client.query(insert);
        await client.query('commit');
        latencies.push(performance.now() - from);
      }
    }),
  );
  const milliseconds = performance.now() - begin;
  return { ...summarise(milliseconds, Float64Array.from(latencies)), perSecond: (rows / milliseconds) * 1000 };
}

/** The same statement again and again on as many connections as the service has. */
async function readBare(clients: readonly Client[], statement: Statement, count: number): Promise<Round> {
  const latencies: number[] = [];
  let left = count;
  const begin = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (; left > 0;) {
        left -= 1;
        const from = performance.now();
        await client.query({ name: 'page', text: statement.text, values: [...statement.values] });
        latencies.push(performance.now() - from);
      }
    }),
  );
  return summarise(performance.now() - begin, Float64Array.from(latencies));
}

// ---------------------------------------------------------------------------------------------------------------
// The run

/** An empty Fastify that answers this many bytes. */
async function startConstant(bytes: number): Promise<Running> {
  const child = fork(fileURLToPath(import.meta.url), ['constant', String(bytes)], { cwd: ROOT });
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

async function connectAll(connection: ClientConfig, count: number): Promise<Client[]> {
  const clients = Array.from({ length: count }, () => new Client(connection));
  await Promise.all(clients.map((client) => client.connect()));
  return clients;
}

interface Comparison {
  readonly title: string;
  readonly ours: Round[];
  readonly limit: Round[];
  readonly limitName: string;
  readonly required: number | null;
}

/** Measures both in turn, ours first and the limit first by turns. */
async function compare(
  names: Pick<Comparison, 'title' | 'limitName' | 'required'>,
  ours: () => Promise<Round>,
  limit: () => Promise<Round>,
): Promise<Comparison> {
  const rounds: Record<'ours' | 'limit', Round[]> = { ours: [], limit: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 2 === 1) rounds.limit.push(await limit());
    rounds.ours.push(await ours());
    if (round % 2 === 0) rounds.limit.push(await limit());
    process.stdout.write(
      `${names.title}: ${show(rounds.ours.at(-1))} | ${names.limitName}: ${show(rounds.limit.at(-1))}\n`,
    );
  }
  return { ...names, ...rounds };
}

function show(round: Round | undefined): string {
  const { perSecond = 0, p50 = 0, p99 = 0 } = round ?? {};
  return `${Math.round(perSecond).toLocaleString('en')}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

function median(rounds: readonly Round[], pick: (round: Round) => number): number {
  return rounds.map(pick).toSorted((one, other) => one - other)[Math.floor(rounds.length / 2)] ?? 0;
}

async function measure(dataDir: string): Promise<{ comparisons: Comparison[]; facts: string[] }> {
  const service = await startService(dataDir);
  const url = `http://127.0.0.1:${service.port}`;
  const token = await fetchToken(url, CLIENT);
  const plans = await send(url, 'GET', '/plans', { token });
  const planId = String(plans.json.items[0].id);
  const connection = { ...(await findRunningEmbedded(dataDir)) };
  const [writers, readers] = [
    await connectAll(connection, BARE_CONNECTIONS),
    await connectAll(connection, READ_CONNECTIONS),
  ];
  const [first] = writers;
  if (first === undefined) throw new Error('there is a connection');
  const numbers = { next: 1 };
  const take = (count: number): number => (numbers.next += count) - count;
  const signUps = (count: number): Promise<Round> =>
    generateApart({ port: service.port, token, count, from: take(count), kind: { name: 'sign-up', planId } });
  const constant: { running?: Running } = {};
  try {
    await signUps(WARM_UP);
    const page = await send(url, 'GET', '/subscriptions?limit=100', { token });
    const ids = (page.json.items as { id: string }[]).map(({ id }) => id);
    const pattern = await readPattern(first, parseId('sub', ids[0] ?? '') ?? '');
    const mintUuid = createUuidMint();
    const bare = async (count: number): Promise<Round> => {
      await settled(first);
      const from = take(count);
      const mint = (): string => mintUuid(Temporal.Now.instant());
      const batches = Array.from({ length: count / BARE_BATCH }, (_, index) =>
        layOutBatch(pattern, from + index * BARE_BATCH, mint),
      );
      return writeBare(writers, batches);
    };
    await bare(WARM_UP);
    const written = await compare(
      { title: 'durable sign-ups', limitName: 'the driver alone', required: REQUIRED_RATIO },
      () => signUps(SIGN_UPS_A_ROUND),
      () => bare(SIGN_UPS_A_ROUND),
    );
    await first.query('analyze');

    const get = (port: number, paths: readonly string[], count: number): Promise<Round> =>
      generateApart({ port, token, count, from: 0, kind: { name: 'get', paths } });
    const single = await send(url, 'GET', `/subscriptions/${ids[0] ?? ''}`, { token });
    const empty = (constant.running = await startConstant(Buffer.byteLength(single.text)));
    const paths = ids.map((id) => `/subscriptions/${id}`);
    const read = await compare(
      { title: 'GET /subscriptions/{id}', limitName: 'Fastify answering a constant', required: null },
      () => get(service.port, paths, READS_A_ROUND),
      () => get(empty.port, ['/'], READS_A_ROUND),
    );
    const statement = await captureList(String(pattern['subscriptions']?.['project_id']));
    const listed = await compare(
      { title: 'GET /subscriptions?limit=20', limitName: 'the same statement by the driver', required: null },
      () => get(service.port, ['/subscriptions?limit=20'], LISTS_A_ROUND),
      () => readBare(readers, statement, LISTS_A_ROUND),
    );
    return { comparisons: [written, read, listed], facts: await factsOf(first) };
  } finally {
    await Promise.all([...writers, ...readers].map((client) => client.end()));
    if (constant.running !== undefined) await stop(constant.running);
    await stop(service);
  }
}

/** Waits until the service has begun the processes of all sign-ups: the limit is that of the database alone. */
async function settled(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select from market_processes where memory is null and due_at < now() limit 1');
    if (rows.length === 0) return;
    await sleep(100);
  }
}

/** The statement with which the service reads a page. */
async function captureList(projectId: string): Promise<Statement> {
  const captured: Statement[] = [];
  await listSubscriptions(
    {
      query: async (fragment) => {
        captured.push(toStatement(fragment));
        return [];
      },
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

const EXPLANATION = `# Figures

Written by \`npm run bench\` and \`npm run bench:webhooks\`; do not edit. Absolute figures differ by a third from run to run
on one machine: look at the ratios, which come from one run in which both sides took turns (${ROUNDS} rounds, medians).

- **Durable sign-ups**: \`POST /subscriptions\` at ${HTTP_CONNECTIONS} connections with everything switched on: token, strict JSON, validation,
  encryption, \`Idempotency-Key\`, group commit, fsync; only the rate limit is off. Each is unique and answered 201 after its commit.
  The limit: the same rows into the same tables and indexes by \`pg\` alone, one transaction of ten multi-row inserts for
  ${BARE_BATCH} sign-ups, ${BARE_CONNECTIONS} connections, everything laid out beforehand; its p50 and p99 are those of a batch.
- **GET by id**: beside an empty Fastify that answers a constant of the same size, at the same ${HTTP_CONNECTIONS} connections.
- **List of 20**: beside the same statement run by \`pg\` alone on ${READ_CONNECTIONS} connections, its rows not looked at.
`;

function render(comparisons: readonly Comparison[], facts: readonly string[]): string {
  const line = (name: string, rounds: readonly Round[], ratio: string, required: string): string => {
    const rates = rounds.map(({ perSecond }) => Math.round(perSecond));
    const figures = [
      Math.round(median(rounds, ({ perSecond }) => perSecond)).toLocaleString('en'),
      `${Math.min(...rates).toLocaleString('en')}–${Math.max(...rates).toLocaleString('en')}`,
      median(rounds, ({ p50 }) => p50).toFixed(1),
      median(rounds, ({ p99 }) => p99).toFixed(1),
    ];
    return `| ${[name, ...figures, ratio, required].join(' | ')} |`;
  };
  const rows = comparisons.flatMap(({ title, ours, limit, limitName, required }) => [
    line(title, ours, ratioOf({ ours, limit }).toFixed(2), required === null ? '' : `≥ ${required}`),
    line(`↳ limit: ${limitName}`, limit, '', ''),
  ]);
  const head = '| what | per second | from–to | p50 ms | p99 ms | ratio | required |\n|---|--:|--:|--:|--:|--:|--:|';
  return `${EXPLANATION}\n${facts.map((fact) => `- ${fact}`).join('\n')}\n\n${head}\n${rows.join('\n')}\n`;
}

function ratioOf({ ours, limit }: Pick<Comparison, 'ours' | 'limit'>): number {
  return median(ours, ({ perSecond }) => perSecond) / median(limit, ({ perSecond }) => perSecond);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wattline-bench-'));
  try {
    const { comparisons, facts } = await measure(join(folder, 'data'));
    process.stdout.write(`\n${writeResults('http', render(comparisons, facts))}`);
    const missed = comparisons.filter((found) => found.required !== null && ratioOf(found) < found.required);
    for (const { title } of missed) process.stderr.write(`${title}: the required ratio is missed\n`);
    process.exitCode = missed.length > 0 ? 1 : 0;
  } finally {
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
