import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { makeFolder } from '../durable.ts';
import { messageOf } from '../message-of.ts';
import { locateBinaries } from './embedded-binaries.ts';
import {
  complaintsSince,
  DATABASE,
  inspectServer,
  launchServer,
  limitLog,
  pathsIn,
  PORT,
  prepareCluster,
  lacksCluster,
  lacksSocket,
  removeStaleLocks,
  requireOwner,
  SUPERUSER,
  type Paths,
  type Runtime,
  type ServerState,
} from './embedded-cluster.ts';
import {
  canDieWithParent,
  chooseServerUser,
  identify,
  isRunning,
  ownIdentity,
  parseIdentity,
  parseJson,
  readIfPresent,
  signalProcess,
  tryLock,
  writeAtomically,
  type ProcessIdentity,
} from './embedded-processes.ts';
import { awaitOthers, leave, stayAt } from './embedded-guests.ts';
import { removeSocketFolder, restoreSocketFolder, socketFolder } from './embedded-socket.ts';
import { errorCode } from '../error-code.ts';

/** What `pg` needs to connect to the embedded server; the same over all its restarts. */
export interface EmbeddedConnection {
  /** The folder of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Said, because `PGSSLMODE` of some other server may be set; a Unix socket needs no TLS. */
  readonly ssl: false;
  /** Said, because `PGOPTIONS` of some other server may be set; what is empty does not count as said. */
  readonly options: '-c search_path=public';
}

/** A PostgreSQL server that comes with the service, kept running until stopped. */
export interface EmbeddedDatabase {
  readonly connection: EmbeddedConnection;
  /** Stops the server, unless another live process of ours owns it. May be called again. */
  stop(): Promise<void>;
}

/** Settings of `startEmbedded`. */
export interface EmbeddedOptions {
  /** The cluster is its folder `postgres`; created if absent. */
  readonly dataDir: string;
  readonly log: (message: string, detail?: Record<string, unknown>) => void;
  /** Told what an operator has to know: that the server has gone, or does not stop; absent: as `log`. */
  readonly warn?: EmbeddedOptions['log'];
  /** Whether commands share the server: the one that has started it waits for the others before it stops it. */
  readonly isCommand?: boolean;
  /** Settings of the server that differ from ours, such as `fsync` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The longest any start may take: recovery after a crash reads up to `max_wal_size`. */
const START_LIMIT_MS = 600_000;
/** How long we wait without any sign of progress: for a server that shuts down, or for remains of one that was killed. */
const PATIENCE_MS = 30_000;
/** How long a server without its owner may take to begin to shut down before we take it over. */
const DYING_MS = 2_000;
/** How long a server may say it is ready and yet refuse connections before we no longer believe it is ours. */
const DEAF_MS = 5_000;
const POLL_MS = 15;
/** Elsewhere than on Linux looking costs a process. */
const WATCH_MS = process.platform === 'linux' ? 150 : 750;
/** For so many looks in a row nobody may be let in, such as while it starts. */
const UNREACHABLE_ROUNDS = 5;
const RETRY_MS = 100;
const LOG_CHECK_EVERY = 400;
const BUSY = 'another process is starting it';

interface Context {
  readonly options: EmbeddedOptions;
  readonly paths: Paths;
  readonly runtime: Runtime;
  readonly host: string;
  /** Aborted by `stop`. */
  readonly signal: AbortSignal;
}

interface Server {
  readonly process: ProcessIdentity;
  /** Whether it is ours to stop: started by us, or taken over from a process that has died. */
  readonly owned: boolean;
}

/** The content of `postgres.owner`. */
interface Ownership {
  readonly owner: ProcessIdentity;
  readonly server: ProcessIdentity;
  /** Whether the server shuts down by itself when its owner dies. */
  readonly endsWithOwner: boolean;
}

/**
 * Starts the server of a data folder, creating it first if need be, or attaches to the one that another process of ours runs
 * there. From then on it is started again within a second whenever it dies, whoever had started it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  createDataDir(dataDir);
  const paths = pathsIn(dataDir);
  requireOwner(paths.cluster);
  const user = chooseServerUser(paths.cluster);
  const binaries = locateBinaries({ user, dataDir, log: options.log });
  const runtime = { user, binaries, endsWithParent: canDieWithParent(user) };
  const host = socketFolder(paths);
  const stopping = new AbortController();
  const context: Context = { options, paths, runtime, host, signal: stopping.signal };
  const first = await ensureRunning(context, { mayCreate: true });
  const watching = watch(context, first);
  const connection = connectionAt(host);
  const { isCommand = false, warn = options.log } = options;
  const staying = isCommand ? stayAt(connection) : Promise.resolve(undefined);
  const stop = async (): Promise<void> => {
    await leave(await staying.catch(() => undefined));
    stopping.abort();
    const last = await watching;
    if (last.owned || isOrphan(paths, last.process)) {
      if (isCommand) await awaitOthers(connection, warn);
      await shutDown(last.process, warn);
      removeSocketFolder(paths, host);
    }
  };
  let stopped: Promise<void> | undefined;
  const database = { connection, stop: () => (stopped ??= stop()) };
  await staying.catch(async (error: unknown) => {
    await database.stop();
    throw error;
  });
  return database;
}

/** The connection of a server that runs in this data folder now, or null; for commands beside the service. */
export async function findRunningEmbedded(dataDir: string): Promise<EmbeddedConnection | null> {
  const paths = pathsIn(resolve(dataDir));
  const state = inspectServer(paths.cluster);
  if (state.kind !== 'running' || state.status !== 'ready') return null;
  const host = socketFolder(paths);
  return (await talkTo(host, state)) === 'ours' ? connectionAt(host) : null;
}

function connectionAt(host: string): EmbeddedConnection {
  return { host, port: PORT, user: SUPERUSER, database: DATABASE, ssl: false, options: '-c search_path=public' };
}

/** As root we let others pass through to the cluster, which is closed itself, but not look around. */
function createDataDir(dataDir: string): void {
  if (statSync(dataDir, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/** Goes round until a server of ours runs and answers. */
async function ensureRunning(context: Context, { mayCreate }: { mayCreate: boolean }): Promise<Server> {
  const { paths } = context;
  const start = performance.now();
  let progress = start;
  let readySince: number | undefined;
  let refusedSince: number | undefined;
  for (let obstacle = ''; ;) {
    const now = performance.now();
    if (now - start > START_LIMIT_MS || now - progress > PATIENCE_MS) {
      throw new Error(`The embedded PostgreSQL in ${paths.cluster} did not start: ${obstacle}. See ${paths.log}.`);
    }
    const state = inspectServer(paths.cluster);
    const deaf = refusedSince !== undefined && now - refusedSince > DEAF_MS;
    let pause = POLL_MS;
    if (state.kind !== 'running' || (state.status === 'ready' && !state.isCertain && deaf)) {
      readySince = refusedSince = undefined;
      const outcome = await startUnderLock(context, mayCreate, deaf);
      if (typeof outcome !== 'string') return outcome;
      if (outcome === BUSY) progress = now;
      else pause = RETRY_MS;
      obstacle = outcome;
    } else if (state.status === 'ready') {
      readySince ??= now;
      const outcome = await attach(context, state, now - readySince);
      if (typeof outcome !== 'string') return outcome;
      refusedSince = outcome === 'refused' ? (refusedSince ?? now) : undefined;
      obstacle = 'a server there does not answer';
    } else {
      readySince = refusedSince = undefined;
      if (state.status === 'starting') progress = now;
      obstacle = `a server there is ${state.status}`;
    }
    await sleep(pause, undefined, { signal: context.signal });
  }
}

/** The server we started, or why it has to be tried again. */
async function startUnderLock(context: Context, mayCreate: boolean, deaf: boolean): Promise<Server | string> {
  const { paths, runtime, options } = context;
  const release = tryLock(paths.lock);
  if (release === null) return BUSY;
  try {
    // Whoever held the lock until now may have started it.
    if (!deaf && inspectServer(paths.cluster).kind === 'running') return BUSY;
    if (!mayCreate && readIfPresent(`${paths.cluster}/PG_VERSION`) === null) return 'its data folder has disappeared';
    const prepared = await prepareCluster(runtime, paths, options.settings?.fsync !== 'off');
    if (prepared === 'created') options.log('database cluster created', { folder: paths.cluster });
    removeStaleLocks(paths.cluster, deaf);
    limitLog(paths.log);
    return await startServer(context);
  } finally {
    release();
  }
}

async function startServer(context: Context): Promise<Server | string> {
  const { paths, runtime, options } = context;
  const offset = statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
  const begin = performance.now();
  const child = await launchServer({ runtime, paths, settings: options.settings ?? {} });
  const server = child.pid === undefined ? null : identify(child.pid);
  if (server !== null) {
    const ownership: Ownership = { owner: ownIdentity(), server, endsWithOwner: runtime.endsWithParent };
    writeAtomically(paths.owner, JSON.stringify(ownership));
    while (isRunning(server)) {
      const state = inspectServer(paths.cluster);
      const ready = state.kind === 'running' && state.status === 'ready' && state.process.pid === server.pid;
      if (ready || context.signal.aborted) {
        const milliseconds = Math.round(performance.now() - begin);
        if (ready) options.log('database server started', { pid: server.pid, milliseconds });
        return { process: server, owned: true };
      }
      await sleep(5);
    }
  }
  const complaints = complaintsSince(paths.log, offset);
  // Children of a killed server hold its memory for a moment longer; another server may just have been quicker.
  if (/lock file|shared memory block/.test(complaints)) return complaints;
  throw new Error(`The embedded PostgreSQL in ${paths.cluster} ended at once: ${complaints || `see ${paths.log}`}`);
}

/** Uses a server that is ready already, or says that it has to be looked at again. */
async function attach(
  context: Context,
  state: ServerState & { kind: 'running' },
  readyForMs: number,
): Promise<Server | 'later' | 'refused'> {
  const { paths, options } = context;
  const ownership = readOwnership(paths, state.process);
  const orphan = ownership === null || !isRunning(ownership.owner);
  // Its owner has just been killed: it looks well and is about to shut down.
  if (orphan && ownership?.endsWithOwner === true && readyForMs < DYING_MS) return 'later';
  const answer = await talkTo(context.host, state);
  if (answer !== 'ours') return answer;
  if (orphan) {
    const adopted: Ownership = { owner: ownIdentity(), server: state.process, endsWithOwner: false };
    writeAtomically(paths.owner, JSON.stringify(adopted));
  }
  options.log(orphan ? 'took over the running database server' : 'attached to the running database server', {
    pid: state.process.pid,
  });
  return { process: state.process, owned: orphan };
}

function readOwnership(paths: Paths, server: ProcessIdentity): Ownership | null {
  const value = parseJson(readIfPresent(paths.owner) ?? '') as Partial<Record<keyof Ownership, unknown>> | undefined;
  const owner = parseIdentity(value?.owner);
  const owned = parseIdentity(value?.server);
  if (owner === null || owned?.pid !== server.pid || owned.started !== server.started) return null;
  return { owner, server, endsWithOwner: value?.endsWithOwner === true };
}

function isOrphan(paths: Paths, server: ProcessIdentity): boolean {
  const ownership = readOwnership(paths, server);
  return ownership === null || !isRunning(ownership.owner);
}

/** Whether the server behind the socket is the one whose `postmaster.pid` we have read. */
async function talkTo(host: string, state: ServerState & { kind: 'running' }): Promise<'ours' | 'later' | 'refused'> {
  const client = new Client({ ...connectionAt(host), connectionTimeoutMillis: 3_000, query_timeout: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ file: string | null }>(`select pg_read_file('postmaster.pid', true) as file`);
    return rows[0]?.file === state.pidFile ? 'ours' : 'later';
  } catch (error) {
    // Full, starting or hanging is something else than nobody there.
    return ['ECONNREFUSED', 'ENOENT'].includes(errorCode(error) ?? '') ? 'refused' : 'later';
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Starts the server again whenever it has gone, or nobody reaches it any more, until stopped; gives the last one. Does not
 * keep the process alive.
 */
async function watch(context: Context, first: Server): Promise<Server> {
  const { options, paths, signal } = context;
  const { warn = options.log } = options;
  let server = first;
  let unreachable = 0;
  for (let round = 1; ; round += 1) {
    try {
      await sleep(WATCH_MS, undefined, { ref: false, signal });
      restoreSocketFolder(paths, context.host);
      if (server.owned && round % LOG_CHECK_EVERY === 0) limitLog(paths.log);
      const { pid } = server.process;
      if (isRunning(server.process)) {
        const reason = server.owned ? whyUnreachable(paths.cluster, pid) : null;
        unreachable = reason === null ? 0 : unreachable + 1;
        if (reason === null || unreachable < UNREACHABLE_ROUNDS) continue;
        warn(`somebody has ${reason}, starting it again`, { pid });
        await shutDown(server.process, warn);
      } else warn('database server has gone, starting it again', { pid });
      server = await ensureRunning(context, { mayCreate: false });
    } catch (error) {
      if (signal.aborted) return server;
      warn('database server could not be started again', { error: messageOf(error), code: errorCode(error) });
      await sleep(1_000, undefined, { ref: false, signal }).catch(() => {});
    }
  }
}

/** Why a server that runs lets nobody in any more, or soon will not; null when it goes on. */
function whyUnreachable(cluster: string, pid: number): string | null {
  // Moved away it goes on, and is whole when it is moved back.
  if (lacksCluster(cluster)) return null;
  if (lacksSocket(cluster)) return 'removed the socket of the database server';
  const state = inspectServer(cluster);
  // Within a minute it sees that, and breaks off; until then others try to start one beside it.
  if (state.kind !== 'running' || state.process.pid !== pid) return 'removed the lock file of the database server';
  // Told by SIGTERM, it waits until the last of our connections has ended, which takes minutes, and refuses further ones.
  return state.status === 'stopping' ? 'told the database server to stop' : null;
}

/** Ends connections and shuts down in order; after ten seconds without. */
async function shutDown(server: ProcessIdentity, warn: EmbeddedOptions['log']): Promise<void> {
  for (const [signal, limitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    signalProcess(server, signal);
    const begin = performance.now();
    while (performance.now() - begin < limitMs) {
      if (!isRunning(server)) return;
      await sleep(POLL_MS);
    }
    warn('database server does not stop', { pid: server.pid, signal });
  }
}
