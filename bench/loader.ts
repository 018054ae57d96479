/**
 * Loads lives by COPY, as the service itself would have written them: with all constraints, triggers and indexes in
 * force, sealed and encrypted by its own functions, events with their places in the feed, the audit log chained.
 */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Client, type ClientConfig } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readKey } from '#config';
import { NOTHING_KNOWN } from '#features/leads/members.ts';
import { layOutMembers } from '#features/leads/present.ts';
import { layOutPaymentMethod } from '#features/subscriptions/payment-method.ts';
import { blockHash, endSeal } from '#features/audit-log/chain.ts';
import { sealOf } from '#platform/audit.ts';
import { createKeys, type Keys } from '#platform/crypto.ts';
import { plainArray } from '#platform/database/arrays.ts';
import { startEmbedded } from '#platform/database/embedded.ts';
import { wallClock } from '#platform/clock.ts';
import { createUuidMint } from '#platform/uuid.ts';
import { instantText, type Columns, type Pattern, type Row, type RowKind } from './pattern.ts';
import { MODEL_IBAN } from './model-lives.ts';
import { numberOf, personOf, spread } from './people.ts';

/** A pattern and how many of a thousand lives follow it. */
export interface Share {
  readonly pattern: Pattern;
  readonly share: number;
}

/** What is to be loaded. */
export interface Cargo {
  readonly columns: Columns;
  readonly shares: readonly Share[];
  /** Numbers of the lives, from the first up to but without the last. */
  readonly from: number;
  readonly to: number;
  readonly createdAt: (number: number) => number;
  readonly planOf: (number: number) => string;
  /** Rows that are left out. */
  readonly leavesOut: (row: RowKind, createdAt: number) => boolean;
  /** When the processes of the loaded are due, in seconds since 1970; null: when those of their patterns are. */
  readonly dueAt: ((number: number) => number) | null;
  /** Processes are left as the sign-up wrote them: they remember nothing, and are due. */
  readonly remembersNothing?: boolean;
  /** Told of how many are loaded, now and then. */
  readonly onProgress: (loaded: number) => void;
}

/** More at once would take the whole table's lock instead of that of each place of supply. */
const BATCH_LIVES = 1_000;
const CONNECTIONS = 2;

/** What the server may do while it loads, since what is lost then is loaded again. Pages are written as late as possible. */
const LOADING_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  shared_buffers: `${Math.max(1, Math.floor(totalmem() / 4 / 1024 ** 3))}GB`,
  checkpoint_timeout: '1h',
  max_wal_size: '6GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** Runs with a server for loading, of the data folder of a service that is stopped. */
export async function whileLoading(
  dataDir: string,
  work: (connection: ClientConfig, keys: Keys) => Promise<void>,
): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings: LOADING_SETTINGS });
  try {
    const keys = createKeys(readKey(readFileSync(join(dataDir, 'encryption.key'), 'utf8').trim()) ?? Buffer.alloc(0));
    await work({ ...embedded.connection }, keys);
  } finally {
    await embedded.stop();
  }
}

/** An entry of the audit log as its block seals it. */
interface Entry {
  readonly project_id: string;
  readonly id: string;
  readonly seal: Buffer;
}

/** Where the feed and the chain of the audit log stand while a load is under way. */
interface Ends {
  feed: bigint;
  position: bigint;
  hash: Buffer | null;
}

/** Loads everything, and moves on the ends of the feed and of the audit log; the service must not run. */
export async function load(connection: ClientConfig, keys: Keys, cargo: Cargo): Promise<void> {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(connection));
  await Promise.all(clients.map((client) => client.connect()));
  const [first] = clients;
  if (first === undefined) throw new Error('there is a connection');
  try {
    const ends = await readEnds(first);
    const mint = createUuidMint(wallClock);
    const state = { next: cargo.from, loaded: 0 };
    await Promise.all(
      clients.map(async (client) => {
        await client.query(`set timezone = 'UTC'`);
        while (state.next < cargo.to) {
          const from = state.next;
          state.next = Math.min(from + BATCH_LIVES, cargo.to);
          const texts = layOutBatch(keys, cargo, from, state.next, mint, ends);
          await client.query('begin');
          for (const [table, text] of texts) await copy(client, columnsOf(cargo, table), table, text);
          await client.query('commit');
          state.loaded += BATCH_LIVES;
          if (state.loaded % 50_000 === 0) cargo.onProgress(state.loaded);
        }
      }),
    );
    await writeEnds(first, keys, ends);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const BLOCK_COLUMNS = ['first_position', 'last_position', 'project_ids', 'ids', 'hash'];

function columnsOf({ columns }: Cargo, table: string): readonly string[] {
  return table === 'audit_blocks' ? BLOCK_COLUMNS : (columns.get(table) ?? []);
}

async function copy(client: Client, columns: readonly string[], table: string, text: string): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  stream.end(text);
  await finished(stream);
}

/** The rows of some lives as texts of COPY, by table, referenced tables first. */
function layOutBatch(
  keys: Keys,
  cargo: Cargo,
  from: number,
  to: number,
  mintUuid: ReturnType<typeof createUuidMint>,
  ends: Ends,
): Map<string, string> {
  const { columns, shares, createdAt, planOf, leavesOut, dueAt, remembersNothing = false } = cargo;
  // A pattern has its rows in the order in which they refer to each other.
  const lines = new Map<string, string[]>(
    shares.flatMap(({ pattern }) => pattern.rows.map(({ table }) => [table, []] as const)),
  );
  const entries: Entry[] = [];
  for (let number = from; number < to; number += 1) {
    const created = createdAt(number);
    const now = Temporal.Instant.fromEpochMilliseconds(created * 1000 + (spread(number, 11) % 1000));
    const person = personOf(number);
    const { pattern } = shareOf(shares, number);
    const mint = (): string => mintUuid(now);
    const life = { person, number: numberOf(number), planId: planOf(number), createdAt: created, mint };
    const rows = pattern.layOut(life, (row) => !leavesOut(row, created));
    const due = dueAt === null ? null : instantText(dueAt(number));
    for (const row of rows) {
      complete(
        keys,
        columns.get(row.table) ?? [],
        row,
        `${person.firstName} ${person.lastName}`,
        due,
        remembersNothing,
        ends,
        entries,
      );
      lines.get(row.table)?.push(lineOf(row.values));
    }
  }
  if (entries.length > 0) lines.set('audit_blocks', [lineOf(blockOf(keys, ends, entries))]);
  return new Map([...lines].filter(([, list]) => list.length > 0).map(([table, list]) => [table, list.join('')]));
}

function shareOf(shares: readonly Share[], number: number): Share {
  let drawn = spread(number, 12) % shares.reduce((sum, { share }) => sum + share, 0);
  for (const each of shares) {
    if (drawn < each.share) return each;
    drawn -= each.share;
  }
  throw new Error('one is drawn');
}

/** What no text can be put in the place of another for: what is counted, sealed or encrypted. */
function complete(
  keys: Keys,
  columns: readonly string[],
  { table, values }: Row,
  accountHolder: string,
  due: string | null,
  remembersNothing: boolean,
  ends: Ends,
  entries: Entry[],
): void {
  const get = (column: string): string => values[columns.indexOf(column)] ?? '';
  const set = (column: string, text: string): void => void (values[columns.indexOf(column)] = text);
  const payment = { type: 'sepa_debit', sepa_debit: { iban: MODEL_IBAN, account_holder: accountHolder } } as const;
  if (table === 'payment_methods') {
    const made = { id: get('id'), created_at: get('created_at') };
    set('details_encrypted', bytes(layOutPaymentMethod(keys, get('project_id'), payment, made).details_encrypted));
  } else if (table === 'leads') {
    const members = { ...NOTHING_KNOWN, payment_method: payment };
    const { payment_method_encrypted: encrypted } = layOutMembers(keys, get('project_id'), get('id'), members);
    if (encrypted !== null) set('payment_method_encrypted', bytes(encrypted));
  } else if (table === 'market_processes') {
    if (due !== null && (remembersNothing || get('due_at') !== '')) set('due_at', due);
    if (remembersNothing) values[columns.indexOf('memory')] = null;
  } else if (table === 'event_feed') {
    ends.feed += 1n;
    set('position', String(ends.feed));
  } else if (table === 'audit_log') {
    const seal = sealOf(keys, {
      projectId: get('project_id'),
      id: get('id'),
      occurredAt: get('occurred_at'),
      credentialId: get('credential_id'),
      requestId: get('request_id'),
      operation: get('operation'),
      resource: get('resource'),
      fields: get('fields')
        .slice(1, -1)
        .split(',')
        .filter((field) => field !== ''),
      reasonDigest: null,
    });
    set('seal', bytes(seal));
    entries.push({ project_id: get('project_id'), id: get('id'), seal });
  }
}

/** The row of the block that has these entries in it. */
function blockOf(keys: Keys, ends: Ends, entries: readonly Entry[]): string[] {
  const first = ends.position + 1n;
  ends.position += BigInt(entries.length);
  ends.hash = blockHash(keys, ends.hash, String(ends.position), entries);
  const [projectIds, ids] = [entries.map((entry) => entry.project_id), entries.map(({ id }) => id)];
  return [String(first), String(ends.position), plainArray(projectIds), plainArray(ids), bytes(ends.hash)];
}

function bytes(value: Uint8Array): string {
  return `\\x${Buffer.from(value).toString('hex')}`;
}

function lineOf(values: readonly (string | null)[]): string {
  let line = '';
  for (const [index, value] of values.entries()) {
    if (index > 0) line += '\t';
    if (value === null) line += '\\N';
    else line += value.includes('\\') ? value.replaceAll('\\', '\\\\') : value;
  }
  return `${line}\n`;
}

async function readEnds(client: Client): Promise<Ends> {
  const { rows } = await client.query<{ feed: string; position: string; hash: Buffer | null; unchained: boolean }>(`
    select event_feed_state.last_position as feed, blocks.last_position as position, last_hash as hash,
      has_earlier or exists (select from audit_log where transaction_id >= chained) as unchained
    from event_feed_state, audit_blocks_state as blocks`);
  const [ends] = rows;
  if (ends === undefined || ends.unchained) throw new Error('the service had not finished');
  return { feed: BigInt(ends.feed), position: BigInt(ends.position), hash: ends.hash };
}

async function writeEnds(client: Client, keys: Keys, { feed, position, hash }: Ends): Promise<void> {
  await client.query(
    `update event_feed_state set published = pg_snapshot_xmin(pg_current_snapshot()), last_position = $1`,
    [String(feed)],
  );
  if (hash === null) return;
  await client.query(
    `update audit_blocks_state
     set chained = pg_snapshot_xmin(pg_current_snapshot()), last_position = $1, last_hash = $2, seal = $3`,
    [String(position), hash, endSeal(keys, String(position), hash)],
  );
}

/** What autovacuum and the checkpointer would have done by and by. */
export async function tidy(connection: ClientConfig): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  await client.query(`set maintenance_work_mem = '512MB'`);
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  await client.end();
}
