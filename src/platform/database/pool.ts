import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { liftTransactionTimeout } from './connection.ts';
import { createConnections, isWrite, type Connections, type ConnectionsOptions } from './connections.ts';
import {
  isForbidden,
  isOutOfRoom,
  isUnavailable,
  QUERY_CANCELED,
  saidBy,
  sqlState,
  TookTooLong,
  unavailable,
} from './errors.ts';
import { sql, toStatement, type Sql } from './sql.ts';

/** Runs statements: the pool itself, or one transaction. */
export interface Queryable {
  /**
   * All rows of a statement. It is planned once per connection; where tables grow fast, another `generation` has it
   * planned anew. @throws DatabaseUnavailable when the database cannot be reached in time
   */
  query<Row>(statement: Sql, generation?: number): Promise<Row[]>;
}

/** An open transaction; a value, so that what runs in it is visible. */
export interface Transaction extends Queryable {
  readonly kind: 'transaction';
}

/** The database as the rest of the service sees it. */
export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: commits when it resolves, rolls back when it throws. Of those with one `subject`, which
   * would wait for each other's locks, one at a time has a connection.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    kind?: TransactionKind,
    subject?: string,
  ): Promise<Result>;
  /**
   * Whether there is room for what is written, on its disk and among its transaction ids. Once there was none, it is tried
   * out, because what is read does not tell. @throws DatabaseUnavailable when the database cannot be reached in time
   */
  hasRoom(): Promise<boolean>;
  /** Whether the server has so many commits to end that were given up that it is given no more to write. */
  isStalled(): Promise<boolean>;
  /** Connections in all, idle, and requests waiting for one. */
  counts(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/**
 * What a transaction is for, which decides how its statements are planned and how long they may take:
 *
 * - `usual`: PostgreSQL decides whether a statement is planned for its values, or keeps one plan for all values.
 * - `repeated`: statements that come again and again keep one plan for all values, made anew once they have come far
 *   more often.
 * - `anew`: statements are planned for their values each time, because it depends on these which plan is the right one.
 * - `Hasty`: only reads, and fails where it takes too long.
 * - `unhurried`: statements take as long as they need. Serves no request.
 * - `snapshot`: only reads, and sees the database at one instant.
 * - `survey`: the same, for as long as it needs. Serves no request.
 */
export type TransactionKind = 'usual' | 'repeated' | 'anew' | 'unhurried' | 'snapshot' | 'survey' | Hasty;

/** A transaction that only reads, and whose statements fail with `TookTooLong` when they take longer than this. */
export interface Hasty {
  /** At least 1: PostgreSQL takes 0 for no limit. */
  readonly limitMs: number;
  /** They are planned as those of `anew`. */
  readonly isAnew?: true;
}

/** Settings of `createDatabase`. */
export type DatabaseOptions = Omit<ConnectionsOptions, 'findActive'>;

/** How long a database is taken for full after it has said so, or was last tried out. */
const FULL_MS = 2_000;
/**
 * What several processes of the server hash together lies in `/dev/shm`, of which a container has 64 MB unless somebody says
 * otherwise, whatever memory it has beside: whole tables do not fit.
 */
const AT_LEISURE =
  'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local enable_seqscan = on; ' +
  'set local enable_parallel_hash = off; ' +
  liftTransactionTimeout('transaction');
const SNAPSHOT = 'begin isolation level repeatable read read only';
const ANEW = 'set local plan_cache_mode = force_custom_plan';
const BEGINNINGS: Readonly<Record<Exclude<TransactionKind, Hasty>, string>> = {
  usual: 'begin',
  repeated: 'begin; set local plan_cache_mode = force_generic_plan',
  anew: `begin; ${ANEW}`,
  unhurried: `begin; ${AT_LEISURE}`,
  snapshot: SNAPSHOT,
  survey: `${SNAPSHOT}; ${AT_LEISURE}`,
};
/** The kinds whose transactions have the server write something. */
const WRITING: ReadonlySet<TransactionKind> = new Set(['usual', 'repeated', 'unhurried']);
/** Beyond this many shapes of statements further ones go unprepared, which bounds the memory of each connection. */
const MAX_PREPARED = 500;

/**
 * A pool of connections. Statements are prepared once per connection under a name made of their text. `timestamptz`
 * arrives as `YYYY-MM-DDThh:mm:ssZ` text, `date` as `YYYY-MM-DD`, `numeric` and `bigint` as decimal text, `json` as its
 * source text.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const connections = createConnections({
    ...options,
    async findActive(processIds) {
      const rows = await query<{ pid: number }>(sql`
        select pid from pg_stat_activity where pid = any(${processIds}::integer[]) and state = 'active'`);
      return rows.map(({ pid }) => pid);
    },
  });
  const statements = createStatements(connections);
  const fullness = createFullness();
  const rethrow = (error: unknown): never => {
    fullness.note(error);
    throw isUnavailable(error) ? unavailable(error) : error;
  };

  const query: Database['query'] = async (statement, generation) => {
    const begun = performance.now();
    const client = await connections.connect(begun, () => isWrite(toStatement(statement).text));
    let broken: Error | undefined;
    try {
      return await statements.run(client, statement, generation, begun);
    } catch (error) {
      // Only a statement that the database refused leaves a connection as it was.
      if (sqlState(error) === undefined || isUnavailable(error)) broken = error as Error;
      return rethrow(error);
    } finally {
      client.release(broken);
    }
  };

  const transaction: Database['transaction'] = async (work, kind = 'usual', subject) => {
    const begun = performance.now();
    using _turn = subject === undefined ? undefined : await connections.takeTurn(subject, begun).catch(rethrow);
    const client = await connections.connect(begun, () => WRITING.has(kind));
    let broken: Error | undefined;
    try {
      await connections.ask(client, { text: beginningOf(kind) }, begun);
      const result = await work({
        kind: 'transaction',
        query: (statement, generation) =>
          kind === 'unhurried' || kind === 'survey'
            ? statements.runUnhurried(client, statement)
            : statements.run(client, statement, kind === 'repeated' ? 'by use' : generation),
      });
      if (WRITING.has(kind)) connections.requireRoomToWrite();
      await connections.ask(client, { text: 'commit' });
      return result;
    } catch (error) {
      const isLate = typeof kind === 'object' && sqlState(error) === QUERY_CANCELED;
      // A connection on which the database went silent would keep the rollback waiting too; dropping it is one.
      broken = isUnavailable(error) && !isLate ? (error as Error) : await rollBack(connections, client);
      if (isLate) throw new TookTooLong('the statement took too long', { cause: error });
      return rethrow(error);
    } finally {
      client.release(broken);
    }
  };

  return {
    query,
    transaction,
    hasRoom: () => fullness.hasRoom(() => triesToWrite(transaction)),
    isStalled: () => connections.isStalled(),
    counts: () => connections.counts(),
    close: () => connections.close(),
  };
}

/** Gives why the connection is of no use any more; `undefined` where it is as it was before. */
function rollBack(connections: Connections, client: PoolClient): Promise<Error | undefined> {
  return connections.ask(client, { text: 'rollback' }).then(
    () => undefined,
    (failure: Error) => failure,
  );
}

/** Runs statements on connections, prepared under their names or not at all. */
interface Statements {
  run<Row>(client: PoolClient, statement: Sql, generation?: number | 'by use', begun?: number): Promise<Row[]>;
  /** Takes as long as it needs. */
  runUnhurried<Row>(client: PoolClient, statement: Sql): Promise<Row[]>;
}

function createStatements(connections: Connections): Statements {
  const names = new Map<string, Named>();
  return {
    async run<Row>(client: PoolClient, statement: Sql, generation: number | 'by use' = 0, begun?: number) {
      const { text, values } = toStatement(statement);
      const name = nameOf(names, text, generation);
      const { rows } = await connections.ask(
        client,
        { ...(name === undefined ? {} : { name }), text, values: [...values] },
        begun,
      );
      return rows as Row[];
    },
    async runUnhurried<Row>(client: PoolClient, statement: Sql) {
      const { text, values } = toStatement(statement);
      return (await client.query({ text, values: [...values] })).rows as Row[];
    },
  };
}

/** What is known of the room that the database has. */
interface Fullness {
  /** Takes it for full where an error says so. */
  note(error: unknown): void;
  /** See `Database`. @param triesToWrite whether something that is tried out finds room */
  hasRoom(triesToWrite: () => Promise<boolean>): Promise<boolean>;
}

function createFullness(): Fullness {
  const full = { isSuspected: false, until: -Infinity };
  return {
    note(error) {
      if (isOutOfRoom(error)) Object.assign(full, { isSuspected: true, until: performance.now() + FULL_MS });
    },
    async hasRoom(triesToWrite) {
      if (!full.isSuspected) return true;
      if (performance.now() < full.until) return false;
      const until = performance.now() + FULL_MS;
      full.until = until;
      // What is refused meanwhile knows better.
      if ((await triesToWrite()) && full.until === until) full.isSuspected = false;
      return !full.isSuspected;
    },
  };
}

/** More than PostgreSQL may have at hand without asking for room on the disk. */
const TRIED_ROWS = 20_000;

/** Whether something finds room that is undone at once; true where the role may not try. */
async function triesToWrite(transaction: Database['transaction']): Promise<boolean> {
  const undone = new Error('undone');
  try {
    await transaction(async (tried) => {
      await tried.query(sql`create temporary table room_tried (number integer)`);
      await tried.query(sql`insert into room_tried select generate_series(1, ${TRIED_ROWS}::integer)`);
      throw undone;
    });
    return false;
  } catch (error) {
    if (error === undone) return true;
    if (isForbidden(error)) return true;
    if (isOutOfRoom(saidBy(error))) return false;
    throw error;
  }
}

function beginningOf(kind: TransactionKind): string {
  if (typeof kind === 'string') return BEGINNINGS[kind];
  const begin = `begin read only; set local statement_timeout = ${kind.limitMs}`;
  return kind.isAnew === true ? `${begin}; ${ANEW}` : begin;
}

/**
 * A generation that grows with what a statement looks at: one more each time it doubles, from `first` rows on, so that a
 * plan made for small tables is not kept.
 */
export function generationOf(rows: number, first: number): number {
  return Math.floor(Math.log2(1 + rows / first));
}

/** A text that was prepared, and how often it has come in `repeated` transactions. */
interface Named {
  readonly name: string;
  uses: number;
}

/**
 * A plan is made anew after 32 uses, 1,024, and so on: one that was made for empty tables may read all that they hold. Each
 * time, all connections make all of theirs, for which others wait in the first minute of a database.
 */
const DOUBLINGS_A_PLAN = 5;

function nameOf(names: Map<string, Named>, text: string, generation: number | 'by use'): string | undefined {
  let known = names.get(text);
  if (known === undefined) {
    if (names.size >= MAX_PREPARED) return undefined;
    known = { name: hash('sha1', text, 'base64url'), uses: 0 };
    names.set(text, known);
  }
  if (generation !== 'by use') return `${known.name}.${generation}`;
  known.uses += 1;
  return `${known.name}.${Math.floor(Math.log2(known.uses) / DOUBLINGS_A_PLAN)}`;
}
