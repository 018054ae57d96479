import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statfsSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { syncFolder } from '../durable.ts';
import type { Binaries } from './embedded-binaries.ts';
import {
  canEnter,
  identify,
  readIfPresent,
  removeIfUnchanged,
  SERVER_ENVIRONMENT,
  temporaryName,
  type ProcessIdentity,
  type ServerUser,
} from './embedded-processes.ts';
import { errorCode } from '../error-code.ts';

/** The superuser `initdb` creates. */
export const SUPERUSER = 'wattline';
/** The database every cluster has from the start. */
export const DATABASE = 'postgres';
/** Part of the socket's name only: nothing listens on the network. */
export const PORT = 5432;
/** The socket, in the cluster's folder. */
export const SOCKET = `.s.PGSQL.${PORT}`;
const MAJOR_VERSION = '18';
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** The files of one data folder. */
export interface Paths {
  /** PGDATA. */
  readonly cluster: string;
  /** What the server writes to stderr. */
  readonly log: string;
  /** Held while a process of ours initialises or starts the server. */
  readonly lock: string;
  /** Which process of ours started the server that runs. */
  readonly owner: string;
  /** The short way to the socket when the cluster's own path is too long for one. */
  readonly link: string;
}

/** Where things are below an absolute data folder. */
export function pathsIn(dataDir: string): Paths {
  const at = (name: string): string => join(dataDir, name);
  return {
    cluster: at('postgres'),
    log: at('postgres.log'),
    lock: at('postgres.lock'),
    owner: at('postgres.owner'),
    link: at('postgres.socket'),
  };
}

/** What `postmaster.pid` and the process it names tell about the server of a cluster. */
export type ServerState =
  | { readonly kind: 'absent' }
  /** The file is there, the server is not: it was killed, or its number belongs to another process now. */
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'running';
      readonly status: 'starting' | 'ready' | 'stopping';
      readonly process: ProcessIdentity;
      /** Its working folder says so; else it may be something else that has its number now. */
      readonly isCertain: boolean;
      /** `postmaster.pid` as read, which tells this server from its predecessors. */
      readonly pidFile: string;
    };

/** Looks at the server of a cluster without talking to it. */
export function inspectServer(cluster: string): ServerState {
  const pidFile = readIfPresent(join(cluster, 'postmaster.pid'));
  if (pidFile === null) return { kind: 'absent' };
  const lines = pidFile.split('\n');
  const process = identify(Number(lines[0]));
  const serves = process === null ? 'no' : servesCluster(process.pid, cluster);
  if (process === null || serves === 'no') return { kind: 'stale' };
  const status = lines[7]?.trim();
  return {
    kind: 'running',
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
    process,
    isCertain: serves === 'yes',
    pidFile,
  };
}

/** Whether the process is a server of this cluster: its program and its working folder, as far as the system tells. */
function servesCluster(pid: number, cluster: string): 'yes' | 'perhaps' | 'no' {
  const command = readIfPresent(`/proc/${pid}/comm`);
  if (command === null) return process.platform === 'linux' ? 'no' : 'perhaps';
  if (command.trim() !== 'postgres') return 'no';
  try {
    readlinkSync(`/proc/${pid}/cwd`);
    const folder = statSync(`/proc/${pid}/cwd`);
    const wanted = statSync(cluster);
    return folder.ino === wanted.ino && folder.dev === wanted.dev ? 'yes' : 'no';
  } catch (error) {
    // A container without CAP_SYS_PTRACE does not show the folder of another user's process: then connecting decides.
    return errorCode(error) === 'EACCES' || errorCode(error) === 'EPERM' ? 'perhaps' : 'no';
  }
}

/** @throws Error when the cluster belongs to somebody else, whom only root may stand in for */
export function requireOwner(cluster: string): void {
  const own = process.getuid?.();
  const found = statSync(cluster, { throwIfNoEntry: false });
  if (own === 0 || found === undefined || found.uid === own) return;
  // What root has made, the cluster's user cannot read: the encryption key is root's.
  const madeByRoot = statSync(dirname(cluster)).uid === 0;
  const whom = madeByRoot ? 'root, who made it' : 'that user, or as root';
  throw new Error(`${cluster} belongs to the user with uid ${found.uid}: start Wattline as ${whom}.`);
}

/**
 * Removes lock files of a server that is gone when PostgreSQL itself would respect them: because the number in them is in
 * use again by another process, or by an unburied one, or because they were cut short. Call with the lock held.
 *
 * @param force also when the process they name looks like a server of this cluster
 */
export function removeStaleLocks(cluster: string, force: boolean): void {
  for (const name of ['postmaster.pid', `${SOCKET}.lock`]) {
    const path = join(cluster, name);
    const content = readIfPresent(path);
    if (content === null) continue;
    const pid = Number.parseInt(content, 10);
    // PostgreSQL knows what to do about a number nobody has.
    if (Number.isSafeInteger(pid) && !exists(pid)) continue;
    const serves = identify(pid) === null ? 'no' : servesCluster(pid, cluster);
    if (serves === 'yes' || (!force && serves === 'perhaps')) continue;
    removeIfUnchanged(path, content);
  }
}

/** Whether there is no cluster. */
export function lacksCluster(cluster: string): boolean {
  return !existsSync(join(cluster, 'PG_VERSION'));
}

/** Whether somebody has removed the socket of a server that runs. */
export function lacksSocket(cluster: string): boolean {
  return !existsSync(join(cluster, SOCKET));
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** How programs of PostgreSQL are run. */
export interface Runtime {
  readonly user: ServerUser | undefined;
  readonly binaries: Binaries;
  /** Whether `setpriv --pdeathsig` works here. */
  readonly endsWithParent: boolean;
}

/**
 * Runs a program with the cluster as its working folder. A user who may not enter the folders above (root's home) still
 * reaches it there: the working folder is set before root's rights are dropped, and `/proc/self/cwd` leads straight to it,
 * for the server and every child it forks, since PostgreSQL never leaves its data folder.
 */
function launch(options: {
  readonly runtime: Runtime;
  readonly cluster: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly signalAtParentsEnd: 'INT' | 'KILL';
  readonly stdio: SpawnOptions['stdio'];
}): ChildProcess {
  const { runtime, cluster } = options;
  const command = [options.program, '-D', dataArgument(runtime.user, cluster), ...options.arguments];
  if (runtime.endsWithParent) command.unshift('setpriv', '--pdeathsig', options.signalAtParentsEnd, '--');
  const [program = '', ...rest] = command;
  return spawn(program, rest, {
    cwd: cluster,
    env: SERVER_ENVIRONMENT,
    // Its own session: Ctrl-C in the terminal must reach the service only, which then stops the server in order.
    detached: true,
    stdio: options.stdio,
    ...runtime.user,
  });
}

function dataArgument(user: ServerUser | undefined, cluster: string): string {
  if (canEnter(user, cluster)) return cluster;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new Error(
    `The user PostgreSQL runs as (uid ${user?.uid}) cannot enter ${cluster}: set DATA_DIR to a folder it can reach.`,
  );
}

/**
 * Makes sure that the cluster is there and can be used by the server's user. A new one is made in a folder beside it and
 * renamed, so that a kill at any moment leaves either none or a whole one. Call with the lock held.
 *
 * @param durable false leaves out waiting for the disk, for clusters that no power cut matters to
 */
export async function prepareCluster(runtime: Runtime, paths: Paths, durable: boolean): Promise<'created' | 'found'> {
  const version = readIfPresent(join(paths.cluster, 'PG_VERSION'))?.trim();
  if (version === undefined) {
    await initialise(runtime, paths.cluster, durable);
    return 'created';
  }
  if (version !== MAJOR_VERSION) {
    throw new Error(
      `${paths.cluster} was made by PostgreSQL ${version}, this is PostgreSQL ${MAJOR_VERSION}: ` +
        'dump it with the older version and restore it, or use another DATA_DIR.',
    );
  }
  const { uid, mode } = statSync(paths.cluster);
  if (runtime.user !== undefined && uid === 0) giveAway(paths.cluster, runtime.user);
  if ((mode & 0o777) !== 0o700) chmodSync(paths.cluster, 0o700);
  return 'found';
}

/** A cluster restored by root belongs to root, under whom PostgreSQL refuses to run. */
function giveAway(folder: string, user: ServerUser): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  // Last, since it is the sign that the work is done.
  chownSync(folder, user.uid, user.gid);
}

async function initialise(runtime: Runtime, cluster: string, durable: boolean): Promise<void> {
  const present = statSync(cluster, { throwIfNoEntry: false });
  if (present !== undefined && readdirSync(cluster).length > 0) {
    throw new Error(`${cluster} is neither empty nor a PostgreSQL cluster: move it away, or set another DATA_DIR.`);
  }
  for (const name of readdirSync(dirname(cluster))) {
    if (!name.startsWith(`${basename(cluster)}.new-`)) continue;
    await removeFolder(join(dirname(cluster), name));
  }
  const temporary = temporaryName(cluster);
  mkdirSync(temporary, { mode: 0o700 });
  try {
    if (runtime.user !== undefined) chownSync(temporary, runtime.user.uid, runtime.user.gid);
    // Umlauts are letters for pg_trgm with LC_CTYPE C.UTF-8 only; systems without that locale have to do without.
    const failure = await runInitdb(runtime, temporary, 'C.UTF-8', durable);
    const second = failure?.includes('invalid locale') ? await runInitdb(runtime, temporary, 'C', durable) : failure;
    if (second !== null) throw new Error(`PostgreSQL could not create a cluster in ${cluster}: ${second}`);
    renameSync(temporary, cluster);
    syncFolder(dirname(cluster));
  } catch (error) {
    await removeFolder(temporary);
    throw error;
  }
}

/** Removes a folder in which a child of a killed `initdb` may still be about to write; gives up after a second. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 50 && statSync(folder, { throwIfNoEntry: false }) !== undefined; attempt += 1) {
    if (attempt > 0) await sleep(20);
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Null when it went well, otherwise what it said. */
async function runInitdb(
  runtime: Runtime,
  cluster: string,
  characterType: string,
  durable: boolean,
): Promise<string | null> {
  const child = launch({
    runtime,
    cluster,
    program: runtime.binaries.initdb,
    arguments: [
      `--username=${SUPERUSER}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${characterType}`,
      '--auth-local=trust',
      '--auth-host=reject',
      ...(durable ? [] : ['--no-sync']),
    ],
    signalAtParentsEnd: 'KILL',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
  return status === 0 ? null : said.trim() || `initdb ended with ${signal ?? `status ${status}`}`;
}

const MEBIBYTE = 1024 ** 2;

/**
 * What the server keeps of its files in memory of its own: a sixteenth of the machine's memory, or of what a container may
 * have of it, but 128 MB at least and 1 GB at most. Taken as it is used, not at the start.
 *
 * @param constrained bytes that the process may have, 0 or more than there are where nothing bounds it
 */
export function sharedBuffers(constrained: number, installed = totalmem()): string {
  const bytes = constrained > 0 ? Math.min(constrained, installed) : installed;
  return `${Math.min(1024, Math.max(128, Math.floor(bytes / 16 / MEBIBYTE)))}MB`;
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  // Relative to the data folder, hence never too long for a socket and reachable by the server.
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  port: String(PORT),
  max_connections: '200',
  shared_buffers: sharedBuffers(process.constrainedMemory()),
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_wal_size: '1GB',
  // Files of the log that are used again, also after a quiet night: each new one is filled with zeros while all commits wait.
  min_wal_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  // The service logs failed statements itself; the server would write personal data into its log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_checkpoints: 'off',
};

/** Starts the server; it may still fail, or recover for a while, afterwards. Call with the lock held. */
export async function launchServer(options: {
  readonly runtime: Runtime;
  readonly paths: Paths;
  readonly settings: Readonly<Record<string, string>>;
}): Promise<ChildProcess> {
  const { runtime, paths } = options;
  const settings = Object.entries({ ...SETTINGS, ...options.settings });
  const log = openSync(paths.log, 'a', 0o600);
  try {
    const child = launch({
      runtime,
      cluster: paths.cluster,
      program: runtime.binaries.postgres,
      arguments: settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      signalAtParentsEnd: 'INT',
      stdio: ['ignore', 'ignore', log],
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** Moves the server's log aside when it has become large; right also while a server writes to it. */
export function limitLog(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.size <= LOG_LIMIT_BYTES) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

/** With fewer bytes left a disk is as good as full: a segment of the write-ahead log takes 16 times as many. */
const NO_ROOM = 2 ** 20;

/** What the server's log says from this offset on, without the routine lines; of a full disk, of which it cannot say so. */
export function complaintsSince(path: string, offset: number): string {
  const text = readFileSync(path).subarray(offset).toString('utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.includes(' LOG: '));
  // For a service that runs as root a last part is kept, of which its server has nothing.
  const { blocks, bavail, bsize } = statfsSync(path);
  if (blocks > 0 && bavail * bsize < NO_ROOM) lines.push('there is no room left on its disk');
  return lines.slice(-5).join(' | ').slice(-1000);
}
