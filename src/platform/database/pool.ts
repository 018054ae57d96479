import { hash } from 'node:crypto';
import {
  Client,
  DatabaseError,
  Pool,
  type ClientConfig,
  type CustomTypesConfig,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from 'pg';
import { waitsUntil } from '../deadline.ts';
import { createAbandoned } from './abandoned.ts';
import { liftTransactionTimeout, withOptions } from './connection.ts';
import { parserOf } from './parsers.ts';
import { createPatience } from './patience.ts';
import { createRoom } from './room.ts';
import { DURABLE, SESSION } from './session.ts';
import { sql, toStatement, type Sql } from './sql.ts';
import { createTurns } from './turns.ts';

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
  /** Whether there was no room on its disk for something within the last moments. */
  isFull(): boolean;
  /** Whether it is still to write so much that was given up that it gets no more to write. */
  isStalled(): Promise<boolean>;
  /** Connections in all, idle, and requests waiting for one. */
  counts(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/**
 * What a transaction is for: `usual`; `repeated`, whose statements come again and again, and have a plan for all
 * values, made anew as they have come far more often, while those of others may be planned for their values each time;
 * `anew`, whose statements are planned for their values each time, because it depends on these which plan is the right
 * one, while a connection would keep one for all; `Hasty`; `unhurried`, whose statements take as long as they need;
 * `snapshot`, which only reads, and sees the database at one instant; `survey`, the same as long as it needs. Neither of
 * `unhurried` and `survey` serves a request.
 */
export type TransactionKind = 'usual' | 'repeated' | 'anew' | 'unhurried' | 'snapshot' | 'survey' | Hasty;

/** A transaction that only reads, and whose statements fail with `TookTooLong` when they take longer than this. */
export interface Hasty {
  /** At least 1: PostgreSQL takes 0 for no limit. */
  readonly limitMs: number;
  /** They are planned as those of `anew`. */
  readonly isAnew?: true;
}

/** The database is away, starting, full, or too slow to answer: nothing is known to be stored; try again. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** A statement of a hasty transaction was not done in its time; the database may be as well as ever. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** The SQLSTATE of an error raised by the database, if it is one. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** SQLSTATE of a row that a unique index refuses. */
export const UNIQUE_VIOLATION = '23505';

/** Settings of `createDatabase`. */
export interface DatabaseOptions {
  readonly connection: ClientConfig;
  readonly maxConnections: number;
  /** Called with errors of idle connections, which nobody awaits. */
  readonly onIdleError: (error: Error) => void;
}

/** For each wait; all of a request together have its deadline. */
const QUERY_TIMEOUT_MS = 3_900;
const CONNECT_TIMEOUT_MS = 3_600;
const STATEMENT_TIMEOUT_MS = 3_600;
/** So long a database is taken for full after it has said so, because what is read from it does not tell. */
const FULL_MS = 2_000;
/** What lies between us and the database may forget a connection that nobody uses. */
const LIFETIME_SECONDS = 300;

const AT_LEISURE =
  'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local enable_seqscan = on; ' +
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
/** In those the server writes, and for such a statement; in `anew` only where another one would wait for the first. */
const WRITING: ReadonlySet<TransactionKind> = new Set(['usual', 'repeated', 'unhurried']);
const WRITES = /\b(insert|update|delete|commit)\b/;
/** Beyond this many shapes of statements further ones go unprepared, which bounds the memory of each connection. */
const MAX_PREPARED = 500;

/**
 * A pool of connections. Statements are prepared once per connection under a name made of their text. `timestamptz`
 * arrives as `YYYY-MM-DDThh:mm:ssZ` text, `date` as `YYYY-MM-DD`, `numeric` and `bigint` as decimal text, `json` as its
 * source text.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    ...withOptions(options.connection, SESSION),
    max: options.maxConnections,
    Client: ClientInTime,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'wattline',
    // It is awaited, which its type does not tell.
    onConnect: (client): unknown => client.query({ text: DURABLE, query_timeout: CONNECT_TIMEOUT_MS } as QueryConfig),
    types: { getTypeParser: parserOf as CustomTypesConfig['getTypeParser'] },
  });
  pool.on('error', options.onIdleError);
  // Between two queries, and after it was given up, nobody listens to a connection: its end would be that of the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const names = new Map<string, Named>();

  let fullUntil = -Infinity;
  /** Before that, a connection was silent for longer than the server lets a statement take: others may be lost, too. */
  let silentSince = -Infinity;
  const rethrow = (error: unknown): never => {
    if (sqlState(error) === DISK_FULL) fullUntil = performance.now() + FULL_MS;
    throw isUnavailable(error) ? unavailable(error) : error;
  };
  const room = createRoom(pool, options.maxConnections);
  const patience = createPatience();
  const turns = createTurns(patience);
  const abandoned = createAbandoned(Math.ceil(options.maxConnections / 2), async (processIds) => {
    const rows = await query<{ pid: number }>(sql`
      select pid from pg_stat_activity where pid = any(${processIds}::integer[]) and state = 'active'`);
    return rows.map(({ pid }) => pid);
  });

  const connect = (begun: number): Promise<PoolClient> =>
    new Promise<PoolClient>((resolve, reject) => {
      const isAwaited = patience.watch(Math.min(begun + CONNECT_TIMEOUT_MS, waitsUntil()), () =>
        reject(new Error('timeout: no connection is free')),
      );
      const take = (): void =>
        pool.connect((error, client) => {
          if (client === undefined && sqlState(error) === TOO_MANY_CONNECTIONS && room.shrink()) take();
          else if (client instanceof ClientInTime && client.answeredAt < silentSince) {
            client.release(new Error('the connection may be forgotten'));
            take();
          } else if (!isAwaited()) client?.release();
          else if (client === undefined) reject(error ?? new Error('connection error'));
          else resolve(client);
        });
      room.regrow();
      take();
    }).catch((error: unknown) => {
      // Whatever the reason, also a password or a certificate that is refused now: nobody was asked anything.
      throw unavailable(error);
    });
  /** `begun`: since when it is awaited, which is longer when it had to wait for a connection. */
  const ask = (client: PoolClient, query: QueryConfig, begun = performance.now()): Promise<QueryResult> =>
    new Promise((resolve, reject) => {
      const until = Math.min(begun + QUERY_TIMEOUT_MS, waitsUntil());
      // Above all a commit: of what is refused, nothing is to be stored.
      if (until <= performance.now()) {
        reject(new Error('timeout: there is no time left for a query'));
        return;
      }
      const asked = performance.now();
      const isAwaited = patience.watch(until, () => {
        const now = performance.now();
        if (now - asked >= STATEMENT_TIMEOUT_MS) silentSince = now;
        if (client instanceof ClientInTime && WRITES.test(query.text)) abandoned.add(client.processID);
        reject(new Error('timeout: the query was not answered'));
      });
      client.query(query, (error: Error | null, result) => {
        if (!isAwaited()) return;
        if (client instanceof ClientInTime) client.answeredAt = performance.now();
        if (error === null) resolve(result);
        else reject(error);
      });
    });
  const run = async <Row>(
    client: PoolClient,
    statement: Sql,
    generation: number | 'by use' = 0,
    begun?: number,
  ): Promise<Row[]> => {
    const { text, values } = toStatement(statement);
    const name = nameOf(names, text, generation);
    const { rows } = await ask(client, { ...(name === undefined ? {} : { name }), text, values: [...values] }, begun);
    return rows as Row[];
  };
  const runUnhurried = async <Row>(client: PoolClient, statement: Sql): Promise<Row[]> => {
    const { text, values } = toStatement(statement);
    return (await client.query({ text, values: [...values] })).rows as Row[];
  };

  const refusal = (): DatabaseUnavailable => unavailable(new Error('the database does not end what it is to write'));
  /** A connection. @throws DatabaseUnavailable also for what writes while the server does not end what it is to write */
  const connectFor = async (begun: number, isWriting: () => boolean): Promise<PoolClient> => {
    if (abandoned.mayBeTooMany() && isWriting() && (await abandoned.areTooMany())) throw refusal();
    const client = await connect(begun);
    // Much may have been given up while it was waited for.
    if (!abandoned.mayBeTooMany() || !isWriting()) return client;
    client.release();
    throw refusal();
  };

  const query: Database['query'] = async (statement, generation) => {
    const begun = performance.now();
    const client = await connectFor(begun, () => WRITES.test(toStatement(statement).text));
    let broken: Error | undefined;
    try {
      return await run(client, statement, generation, begun);
    } catch (error) {
      // Only a statement that the database refused leaves a connection as it was.
      if (sqlState(error) === undefined || isUnavailable(error)) broken = error as Error;
      return rethrow(error);
    } finally {
      client.release(broken);
    }
  };

  return {
    query,
    async transaction(work, kind = 'usual', subject) {
      const begun = performance.now();
      using _turn =
        subject === undefined
          ? undefined
          : await turns.take(subject, Math.min(begun + CONNECT_TIMEOUT_MS, waitsUntil())).catch(rethrow);
      const client = await connectFor(begun, () => WRITING.has(kind));
      let broken: Error | undefined;
      try {
        await ask(client, { text: beginningOf(kind) }, begun);
        const result = await work({
          kind: 'transaction',
          query: (statement, generation) =>
            kind === 'unhurried' || kind === 'survey'
              ? runUnhurried(client, statement)
              : run(client, statement, kind === 'repeated' ? 'by use' : generation),
        });
        if (abandoned.mayBeTooMany() && WRITING.has(kind)) throw refusal();
        await ask(client, { text: 'commit' });
        return result;
      } catch (error) {
        const isLate = typeof kind === 'object' && sqlState(error) === QUERY_CANCELED;
        // A connection on which the database went silent would keep the rollback waiting too; dropping it is one.
        if (isUnavailable(error) && !isLate) broken = error as Error;
        else {
          broken = await ask(client, { text: 'rollback' }).then(
            () => undefined,
            (failure: Error) => failure,
          );
        }
        if (isLate) throw new TookTooLong('the statement took too long', { cause: error });
        return rethrow(error);
      } finally {
        client.release(broken);
      }
    },
    isFull: () => performance.now() < fullUntil,
    isStalled: () => abandoned.areTooMany(),
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close() {
      // The server may end, too, before it has heard that its connections are given up.
      pool.removeListener('error', options.onIdleError).on('error', () => {});
      // What a silent database does not answer is given up until the last; who waits for a connection then, gets none.
      return pool.end().finally(() => patience.stop());
    },
  };
}

function beginningOf(kind: TransactionKind): string {
  if (typeof kind === 'string') return BEGINNINGS[kind];
  const begin = `begin read only; set local statement_timeout = ${kind.limitMs}`;
  return kind.isAnew === true ? `${begin}; ${ANEW}` : begin;
}

/** Takes as long as `CONNECT_TIMEOUT_MS` to connect; told to the pool, the same would have it set a timer for each request. */
class ClientInTime extends Client {
  /** Of the server's process; the types do not tell of it. */
  declare readonly processID: number;
  /** When it was last heard of, as by `performance.now()`. */
  answeredAt = performance.now();

  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
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

/** SQLSTATE of a connection that others, or those that are there already, have left no room for. */
const TOO_MANY_CONNECTIONS = '53300';
const DISK_FULL = '53100';
/** SQLSTATE of a statement that our own timeout ended. */
const QUERY_CANCELED = '57014';
/**
 * SQLSTATE classes in which the database, not the statement, is the reason: connection, resources, intervention, system; a
 * standby; a right that was taken away; tables that are not there, as while a backup is restored; a transaction that was
 * silent for too long, or took too long; a lock that was waited for as long as may be.
 */
const UNAVAILABLE = /^(08|53|57P|58|25006|42501|42P01|3F000|25P03|25P04|55P03)/;
/** Where a kept plan is refused whose columns others have given another type meanwhile: of the connection it is the end. */
const STALE_PLAN = 'RevalidateCachedQuery';
/** Of sockets, TLS and streams; whatever it is, what became of the statement is unknown. */
const BROKEN_CONNECTION = /^(EPIPE$|ETIMEDOUT$|ENET|EHOST|ECONN|EPROTO$|ERR_SSL_|ERR_TLS_|ERR_STREAM_|ERR_SOCKET_)/;
const UNAVAILABLE_MESSAGES = /timeout|Connection terminated|not queryable|connection error|Query read timeout/i;

function unavailable(cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable('the database is not available', { cause });
}

/** Whether the database, and not what it was asked, is the reason of an error of `pg`. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseError) {
    const { code = '', routine } = error;
    return UNAVAILABLE.test(code) || code === QUERY_CANCELED || routine === STALE_PLAN;
  }
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return BROKEN_CONNECTION.test(code);
  // What is thrown in a transaction by others has a name, and may quote anything.
  return error.name === 'Error' && UNAVAILABLE_MESSAGES.test(error.message);
}
