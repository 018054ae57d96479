import { Client, type ClientConfig } from 'pg';
import type { Database, Transaction, TransactionKind } from '#platform/database/pool.ts';
import { SESSION } from '#platform/database/session.ts';
import { sql, toStatement, type Sql, type Statement } from '#platform/database/sql.ts';

/** A step of a plan as it was executed. */
export interface PlanStep {
  readonly kind: string;
  /** The table or, of an index without its table, the index; empty when it reads neither. */
  readonly source: string;
  /** Over all its executions. */
  readonly rows: number;
  /** Rows that it read in vain, over all its executions. */
  readonly discarded: number;
  /** Blocks that it and its steps went through, in memory or not. */
  readonly blocks: number;
  readonly steps: readonly PlanStep[];
}

/** A statement that a database was asked, and whether in a transaction that has each planned for its values. */
export interface AskedStatement extends Statement {
  readonly isAnew: boolean;
}

/** A database that tells which statements it is asked, also within transactions. */
export function spyOn(database: Database): { readonly database: Database; readonly asked: AskedStatement[] } {
  const asked: AskedStatement[] = [];
  const watch = <Asker extends Pick<Transaction, 'query'>>(asker: Asker, kind?: TransactionKind): Asker => ({
    ...asker,
    query: (statement: Sql, generation?: number) => {
      const isAnew = kind === 'anew' || (typeof kind === 'object' && kind.isAnew === true);
      asked.push({ ...toStatement(statement), isAnew });
      return asker.query(statement, generation);
    },
  });
  const watched = watch(database);
  const spy = {
    ...watched,
    transaction: ((work, kind, ...how) =>
      database.transaction((t) => work(watch(t, kind)), kind, ...how)) as Database['transaction'],
  };
  return { database: spy, asked };
}

/** The statement that a store asks the database; nothing is found. */
export async function statementOf(ask: (transaction: Transaction) => Promise<unknown>): Promise<Sql> {
  const asked: Sql[] = [];
  await ask({
    kind: 'transaction',
    async query(statement) {
      asked.push(statement);
      return [];
    },
  });
  const [statement] = asked;
  if (statement === undefined || asked.length > 1) throw new Error(`${asked.length} statements are asked`);
  return statement;
}

/**
 * A statement’s plan, as JSON, where PostgreSQL is told to avoid going through a whole table, and sorting: the tables of a test
 * are too small for an index to pay.
 */
export async function planByIndexes(database: Database, statement: Sql): Promise<string> {
  const [row] = await database.transaction(async (transaction) => {
    await transaction.query(sql`set local enable_seqscan = off`);
    await transaction.query(sql`set local enable_sort = off`);
    return transaction.query<{ 'QUERY PLAN': string }>(sql`explain (format json) ${statement}`);
  });
  return row?.['QUERY PLAN'] ?? '';
}

/** The steps of that plan that go through a whole table, or sort, all the same. */
export async function unservedSteps(database: Database, statement: Sql): Promise<string[]> {
  const [{ Plan: plan }] = JSON.parse(await planByIndexes(database, statement)) as [{ Plan: RawPlan }];
  return stepsOf(stepOf(plan))
    .filter(({ kind }) => kind === 'Seq Scan' || kind === 'Sort')
    .map(({ kind, source }) => `${kind} ${source}`.trim());
}

/** A connection of its own that plans as those of the service. */
export async function connectAsService(connection: ClientConfig): Promise<Client> {
  const client = new Client({ ...connection, options: SESSION });
  await client.connect();
  return client;
}

/** So often PostgreSQL plans for the very values before it may keep one plan for all. */
export const CUSTOM_PLANS = 5;

/**
 * How the database executes a statement that it has prepared and executed before, as the service's connections do: with
 * the plan that it has settled for, unless it is planned for its values each time.
 */
export async function explainSettled(client: Client, statement: AskedStatement): Promise<PlanStep> {
  return whenSettled(client, statement, (name) => explainPrepared(client, name, statement.values));
}

/** Of one execution more than PostgreSQL plans for the very values: how many had a plan for all, which is kept. */
export async function plansKept(client: Client, statement: AskedStatement): Promise<number> {
  return whenSettled(client, statement, async (name) => {
    const { rows } = await client.query<{ kept: number }>(
      'select generic_plans::integer as kept from pg_prepared_statements where name = $1',
      [name],
    );
    return rows[0]?.kept ?? 0;
  });
}

/** Looks at a statement by the name under which it is prepared, once it has been executed often enough. */
async function whenSettled<Result>(
  client: Client,
  { text, values, isAnew }: AskedStatement,
  look: (name: string) => Promise<Result>,
): Promise<Result> {
  const name = 'explained';
  await client.query(`set plan_cache_mode = ${isAnew ? 'force_custom_plan' : 'auto'}`);
  await client.query('begin');
  try {
    for (let times = 0; times <= CUSTOM_PLANS; times += 1) await client.query({ name, text, values: [...values] });
    return await look(name);
  } finally {
    await client.query('rollback');
    await client.query(`deallocate ${name}`);
    // The driver would believe it to be there still.
    delete (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection
      .parsedStatements[name];
  }
}

/** How the database executes a statement that the client has prepared under a name. */
export async function explainPrepared(client: Client, name: string, values: readonly unknown[]): Promise<PlanStep> {
  const literals = values.map((value) => literalOf(client, value));
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: RawPlan }] }>(
    `explain (analyze, buffers, timing off, format json) execute ${name}${literals.length === 0 ? '' : `(${literals.join(', ')})`}`,
  );
  return stepOf(rows[0]?.['QUERY PLAN'][0].Plan ?? {});
}

interface RawPlan {
  readonly 'Node Type'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly RawPlan[];
}

function stepOf(plan: RawPlan): PlanStep {
  const loops = plan['Actual Loops'] ?? 0;
  return {
    kind: plan['Node Type'] ?? '',
    source: plan['Relation Name'] ?? plan['Index Name'] ?? '',
    rows: Math.round((plan['Actual Rows'] ?? 0) * loops),
    discarded: Math.round(((plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)) * loops),
    blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    steps: (plan.Plans ?? []).map(stepOf),
  };
}

/** All steps of a plan. */
export function stepsOf(plan: PlanStep): PlanStep[] {
  return [plan, ...plan.steps.flatMap(stepsOf)];
}

/** The most rows that any step sorts. */
export function sortedRows(plan: PlanStep): number {
  const sorts = stepsOf(plan).filter(({ kind }) => kind.endsWith('Sort'));
  return Math.max(0, ...sorts.map(({ steps }) => steps[0]?.rows ?? 0));
}

function literalOf(client: Client, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return client.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`);
  if (value instanceof Uint8Array && isTextArray(value)) return literalOf(client, readTextArray(Buffer.from(value)));
  if (value instanceof Uint8Array) return client.escapeLiteral(`\\x${Buffer.from(value).toString('hex')}`);
  return client.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}

const TEXT_OID = 25;
const ARRAY_HEADER_BYTES = 20;

/** Whether it is a `text[]` in PostgreSQL's binary form, as `textArray` of src/platform/database/arrays.ts makes it. */
function isTextArray(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes);
  return buffer.length >= ARRAY_HEADER_BYTES && buffer.readInt32BE(0) === 1 && buffer.readInt32BE(8) === TEXT_OID;
}

function readTextArray(buffer: Buffer): (string | null)[] {
  let at = ARRAY_HEADER_BYTES;
  return Array.from({ length: buffer.readInt32BE(12) }, () => {
    const length = buffer.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    return buffer.toString('utf8', at - length, at);
  });
}
