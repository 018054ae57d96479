/** The limit that sign-ups and lists are held against: what the driver alone does with the same rows and statements. */
import { Client, type ClientConfig } from 'pg';
import { hashUuid } from '#platform/crypto.ts';
import type { Statement } from '#platform/database/sql.ts';
import { maloOf } from '#test/support/malo.ts';
import { summarise, type Round } from './generator.ts';

/** While one transaction is committed, the other is written. */
export const BARE_CONNECTIONS = 2;
/** Sign-ups in one transaction. */
export const BARE_BATCH = 100;

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
    { project_id: 'uuid', id: 'uuid', subscription_id: 'uuid', due_at: 'timestamptz', created_at: 'timestamptz', cancellation_period: 'text' },
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
export async function readPattern(client: Client, id: string): Promise<Record<string, Record<string, unknown>>> {
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

/** Plain inserts, one for each table. */
export type Batch = readonly { readonly name: string; readonly text: string; readonly values: unknown[][] }[];

/** A plain insert of many rows for each table: those of the pattern with ids and unique texts of their own. */
export function layOutBatch(pattern: Record<string, Record<string, unknown>>, from: number, mint: () => string): Batch {
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
export async function writeBare(clients: readonly Client[], batches: Batch[]): Promise<Round> {
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
export async function readBare(clients: readonly Client[], statement: Statement, count: number): Promise<Round> {
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

/** So many connections, open. */
export async function connectAll(connection: ClientConfig, count: number): Promise<Client[]> {
  const clients = Array.from({ length: count }, () => new Client(connection));
  await Promise.all(clients.map((client) => client.connect()));
  return clients;
}
