import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../error-code.ts';

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in whatever form the system tells; equal for the same process only. */
  readonly started: string;
}

/** The account under which PostgreSQL runs. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** What the server and its tools find in their environment: nothing of ours, no secret, no `PG…` variable. */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** The content of a file, or null when there is none. */
export function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR' || errorCode(error) === 'ESRCH') return null;
    throw error;
  }
}

/** Who runs under this number now; null when nobody does, or only the remains of one that has ended (a zombie). */
export function identify(pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const boot = readIfPresent('/proc/sys/kernel/random/boot_id');
  if (boot === null) return identifyByPs(pid);
  const stat = readIfPresent(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The command name in parentheses may itself contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return null;
  return { pid, started: `${fields[19]}@${boot.trim()}` };
}

function identifyByPs(pid: number): ProcessIdentity | null {
  const { status, stdout } = spawnSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = stdout.trim();
  if (status !== 0 || line === '' || line.startsWith('Z')) return null;
  return { pid, started: line.replace(/^\S+\s+/, '') };
}

/** Whether exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** This very process. */
export function ownIdentity(): ProcessIdentity {
  return identify(process.pid) ?? { pid: process.pid, started: 'unknown' };
}

/** An identity read from a file that another version, or a crash, may have written. */
export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return null;
  const { pid, started } = value;
  return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : null;
}

/** Sends a signal to exactly this process; nothing happens when it is gone. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** A new file that also the server's user may read, as whom a command may be run beside a service that is run by root. */
function writeForAll(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // What cannot be opened names itself; what cannot be written, such as to a full disk, does not.
    if (error instanceof Error && 'path' in error) throw error;
    throw new Error(`could not write to ${dirname(path)}`, { cause: error });
  }
  chmodSync(path, 0o644);
}

/** Writes a file so that a reader sees the old or the new content, never a part. Everybody may read it. */
export function writeAtomically(path: string, content: string): void {
  const temporary = temporaryName(path);
  try {
    writeForAll(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    // On a full disk the name is there without its content.
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A name beside `path` that nobody else uses. */
export function temporaryName(path: string): string {
  return `${path}.new-${process.pid}-${randomBytes(6).toString('hex')}`;
}

/**
 * Takes a lock file that names its holder: gives the function that releases it, or null while another live process holds
 * it. A lock whose holder has died is taken over. It saves double work; that two servers never share a data folder is
 * guaranteed by PostgreSQL's own lock, and a half-made cluster is never seen because it is renamed into place.
 */
export function tryLock(path: string): (() => void) | null {
  const temporary = temporaryName(path);
  // Linked into place with its content, so that no reader ever meets an empty lock.
  try {
    writeForAll(temporary, JSON.stringify(ownIdentity()));
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        linkSync(temporary, path);
        return () => rmSync(path, { force: true });
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      const content = readIfPresent(path);
      if (content === null) continue;
      const holder = parseIdentity(parseJson(content));
      if (holder !== null && isRunning(holder)) return null;
      removeIfUnchanged(path, content);
    }
    return null;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Removes a file judged stale by its content; what another process put there meanwhile goes back. */
export function removeIfUnchanged(path: string, content: string): void {
  const aside = temporaryName(path);
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    if (readFileSync(aside, 'utf8') !== content) linkSync(aside, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
}

/** `JSON.parse`, with undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Under whom PostgreSQL, which refuses root, is to run: undefined means as ourselves. As root it is the owner of an existing
 * cluster, else `postgres`, else `nobody`.
 */
export function chooseServerUser(cluster: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readAccounts();
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    const account = accounts.find(({ uid }) => uid === owner.uid);
    return { uid: owner.uid, gid: account?.gid ?? owner.gid };
  }
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid !== 0);
    if (account !== undefined) return { uid: account.uid, gid: account.gid };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and /etc/passwd has neither a user "postgres" nor "nobody": ' +
      'create one, start Wattline as another user, or set DATABASE_URL.',
  );
}

function readAccounts(): { name: string; uid: number; gid: number }[] {
  return (readIfPresent('/etc/passwd') ?? '').split('\n').map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

/** Whether this user can enter a folder: asked by trying, so that access lists and odd file systems count too. */
export function canEnter(user: ServerUser | undefined, folder: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: 'ignore',
    ...user,
  });
  return status === 0;
}

/** Whether `setpriv --pdeathsig` is here, which lets the kernel end a child together with us. */
export function canDieWithParent(user: ServerUser | undefined): boolean {
  if (process.platform !== 'linux') return false;
  const arguments_ = ['--pdeathsig', 'INT', '--', 'true'];
  const { status } = spawnSync('setpriv', arguments_, { cwd: '/', env: SERVER_ENVIRONMENT, stdio: 'ignore', ...user });
  return status === 0;
}
