import {
  Client,
  Pool,
  type ClientConfig,
  type CustomTypesConfig,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from 'pg';
import { actsFor, waitsUntil } from '../deadline.ts';
import { createAbandoned, type Abandoned } from './abandoned.ts';
import { withOptions } from './connection.ts';
import { sqlState, TOO_MANY_CONNECTIONS, unavailable, type DatabaseUnavailable } from './errors.ts';
import { parserOf } from './parsers.ts';
import { createDoor, type Door } from './door.ts';
import { failWhereGarbled } from './garbled.ts';
import { createPatience, type Patience } from './patience.ts';
import { createRoom } from './room.ts';
import { DURABLE, SESSION } from './session.ts';
import { createTurns } from './turns.ts';

/** The connections to the database; each wait for one, or on one, ends in time. */
export interface Connections {
  /**
   * A connection; given back by its `release`.
   *
   * @param begun since when it is awaited, as by `performance.now()`
   * @throws DatabaseUnavailable also for what writes while the server does not end what it is to write
   */
  connect(begun: number, isWriting: () => boolean): Promise<PoolClient>;
  /**
   * Asks the server something on a connection.
   *
   * @param begun since when it is awaited, which is longer when it had to wait for a connection
   */
  ask(client: PoolClient, query: QueryConfig, begun?: number): Promise<QueryResult>;
  /** Waits until nothing else of a subject is under way, before a connection is taken for it. */
  takeTurn(subject: string, begun: number): Promise<Disposable>;
  /** @throws DatabaseUnavailable while the server is given nothing more to write: see `isStalled` */
  requireRoomToWrite(): void;
  /** Whether the server has so many commits to end that were given up that it is given no more to write. */
  isStalled(): Promise<boolean>;
  /** Connections in all, idle, and requests waiting for one. */
  counts(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** Settings of `createConnections`. */
export interface ConnectionsOptions {
  readonly connection: ClientConfig;
  readonly maxConnections: number;
  /** Called with errors of idle connections, which nobody awaits. */
  readonly onIdleError: (error: Error) => void;
  /** Which of the server's processes are at work on a statement still. */
  readonly findActive: (processIds: readonly number[]) => Promise<readonly number[]>;
}

/** For each wait; all of a request together have its deadline. */
const QUERY_TIMEOUT_MS = 3_900;
const CONNECT_TIMEOUT_MS = 3_600;
const STATEMENT_TIMEOUT_MS = 3_600;
/** Connections are renewed: a firewall or a balancer on the way may forget one that nobody uses. */
const LIFETIME_SECONDS = 300;
/** What one party has at most of the connections that there may be. */
const SHARE = 3 / 4;
const WRITES = /\b(insert|update|delete|commit)\b/;

/** Whether a statement has the server write something. */
export function isWrite(text: string): boolean {
  return WRITES.test(text);
}

/** Takes as long as `CONNECT_TIMEOUT_MS` to connect; told to the pool, the same would have it set a timer for each request. */
class ClientInTime extends Client {
  /** Of the server's process; the types do not tell of it. */
  declare readonly processID: number;
  /** When it was last heard of, as by `performance.now()`. */
  answeredAt = performance.now();

  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    failWhereGarbled(this);
  }
}

type Told = ((error: Error) => void) | ((error: null, client: Client) => void);

/** Such a client that is connected when the door lets it, if the files can be read that its URL names. */
function through(door: Door): typeof ClientInTime {
  return class extends ClientInTime {
    /** Why they cannot, such as while a certificate is exchanged: at the next one they may be there again. */
    declare readonly unreadable: unknown;

    constructor(config?: ClientConfig) {
      let unreadable: unknown;
      try {
        super(config);
      } catch (error) {
        // Nobody listens where the pool makes one for those who wait: the process would end.
        unreadable = error;
        super();
      }
      this.unreadable = unreadable;
    }

    override connect(): Promise<Client>;
    override connect(told: Told): void;
    override connect(told?: Told): Promise<Client> | undefined {
      if (told === undefined) {
        return new Promise((resolve, reject) => {
          this.connect((error: Error | null) => (error === null ? resolve(this) : reject(error)));
        });
      }
      if (this.unreadable !== undefined) {
        setImmediate(told as (error: unknown) => void, this.unreadable);
        return undefined;
      }
      // At once: until the pool is told, nobody listens to what the server says next.
      door.enter(
        (tell) => super.connect((error: Error | null) => tell(error ?? null)),
        (error) => (told as (error: Error | null, client: Client) => void)(error, this),
      );
      return undefined;
    }
  };
}

/** A pool that is empty yet, whose connections speak as ours do. */
function createPool({ connection, maxConnections, onIdleError }: ConnectionsOptions): Pool {
  const pool = new Pool({
    ...withOptions(connection, SESSION),
    max: maxConnections,
    Client: through(createDoor(CONNECT_TIMEOUT_MS)),
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'wattline',
    // It is awaited, which its type does not tell.
    onConnect: (client): unknown => client.query({ text: DURABLE, query_timeout: CONNECT_TIMEOUT_MS } as QueryConfig),
    types: { getTypeParser: parserOf as CustomTypesConfig['getTypeParser'] },
  });
  pool.on('error', onIdleError);
  // Between two queries, and after it was given up, nobody listens to a connection: its end would be that of the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Opens connections as they are needed, up to a number. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { maxConnections, onIdleError, findActive } = options;
  const pool = createPool(options);
  const room = createRoom(pool, maxConnections);
  const patience = createPatience();
  const turns = createTurns(patience);
  const shares = createShares(pool, patience, Math.ceil(maxConnections * SHARE));
  const abandoned = createAbandoned(Math.ceil(maxConnections / 2), findActive);
  /** Before that, a connection was silent for longer than the server lets a statement take: others may be lost, too. */
  let silentSince = -Infinity;

  const latest = (begun: number): number => Math.min(begun + CONNECT_TIMEOUT_MS, waitsUntil());
  const refusal = (): DatabaseUnavailable => unavailable(new Error('the database does not end what it is to write'));
  const connectAny = (begun: number): Promise<PoolClient> =>
    new Promise<PoolClient>((resolve, reject) => {
      const isAwaited = patience.watch(latest(begun), () => reject(new Error('timeout: no connection is free')));
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

  return {
    async connect(begun, isWriting) {
      if (abandoned.mayBeTooMany() && isWriting() && (await abandoned.areTooMany())) throw refusal();
      const client = await shares.connect(latest(begun), () => connectAny(begun));
      // Much may have been given up while it was waited for.
      if (!abandoned.mayBeTooMany() || !isWriting()) return client;
      client.release();
      throw refusal();
    },
    ask: createAsk(patience, abandoned, (now) => {
      silentSince = now;
    }),
    takeTurn: (subject, begun) => turns.take(subject, latest(begun)),
    requireRoomToWrite() {
      if (abandoned.mayBeTooMany()) throw refusal();
    },
    isStalled: () => abandoned.areTooMany(),
    counts: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + shares.waiting(),
    }),
    close() {
      // The server may end, too, before it has heard that its connections are given up.
      pool.removeListener('error', onIdleError).on('error', () => {});
      // What a silent database does not answer is given up until the last; who waits for a connection then, gets none.
      return pool.end().finally(() => patience.stop());
    },
  };
}

/** Connections of which no party has more than its share. */
interface Shares {
  /** @throws DatabaseUnavailable when its party has had its share until `until` */
  connect(until: number, connectAny: () => Promise<PoolClient>): Promise<PoolClient>;
  /** How many wait for the share of their party. */
  waiting(): number;
}

/** However much one party asks for, and however long the database works on that, others are to be answered still. */
function createShares(pool: Pool, patience: Patience, atOnce: number): Shares {
  const turns = createTurns(patience, atOnce);
  const turnOf = new WeakMap<object, Disposable>();
  pool.on('release', (_error, client) => {
    const turn = turnOf.get(client);
    if (turn === undefined) return;
    turnOf.delete(client);
    turn[Symbol.dispose]();
  });
  return {
    async connect(until, connectAny) {
      const party = actsFor();
      if (party === null) return connectAny();
      const turn = await turns.take(party, until).catch((error: unknown) => {
        throw unavailable(error);
      });
      try {
        const client = await connectAny();
        turnOf.set(client, turn);
        return client;
      } catch (error) {
        turn[Symbol.dispose]();
        throw error;
      }
    },
    waiting: () => turns.waiting(),
  };
}

/** @param onSilence told when a connection was silent for longer than the server lets a statement take */
function createAsk(patience: Patience, abandoned: Abandoned, onSilence: (now: number) => void): Connections['ask'] {
  return (client, query, begun = performance.now()) =>
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
        if (now - asked >= STATEMENT_TIMEOUT_MS) onSilence(now);
        if (client instanceof ClientInTime && isWrite(query.text)) abandoned.add(client.processID);
        reject(new Error('timeout: the query was not answered'));
      });
      client.query(query, (error: Error | null, result) => {
        if (!isAwaited()) return;
        if (client instanceof ClientInTime) client.answeredAt = performance.now();
        if (error === null) resolve(result);
        else reject(error);
      });
    });
}
