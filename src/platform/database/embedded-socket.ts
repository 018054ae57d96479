import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SOCKET, type Paths } from './embedded-cluster.ts';
import { readIfPresent, writeAtomically } from './embedded-processes.ts';

/** The system's limit is 104 bytes on macOS and 108 on Linux, with the closing zero. */
const LONGEST_SOCKET_PATH_BYTES = 100;

/**
 * The folder under which clients find the socket: the cluster itself, or, when that path is too long for a socket, a
 * symbolic link to it in a private folder for temporary files, kept in a file so that all processes use the same.
 */
export function socketFolder(paths: Paths): string {
  if (Buffer.byteLength(join(paths.cluster, SOCKET)) <= LONGEST_SOCKET_PATH_BYTES) return paths.cluster;
  const known = readIfPresent(paths.link);
  if (known !== null && pointsTo(known, paths.cluster)) return known;
  const link = join(mkdtempSync(join(shortTemporaryFolder(), 'wattline-')), 'socket');
  symlinkSync(paths.cluster, link);
  writeAtomically(paths.link, link);
  return link;
}

/** Puts a link back that a cleaner of temporary files has removed. */
export function restoreSocketFolder(paths: Paths, folder: string): void {
  if (folder === paths.cluster || pointsTo(folder, paths.cluster)) return;
  mkdirSync(dirname(folder), { mode: 0o700, recursive: true });
  if (!isPrivate(dirname(folder))) return;
  rmSync(folder, { force: true });
  symlinkSync(paths.cluster, folder);
  writeAtomically(paths.link, folder);
}

/** Removes the link, if there is one. */
export function removeSocketFolder(paths: Paths, folder: string): void {
  if (folder === paths.cluster || !pointsTo(folder, paths.cluster)) return;
  rmSync(dirname(folder), { recursive: true, force: true });
  rmSync(paths.link, { force: true });
}

function pointsTo(link: string, cluster: string): boolean {
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
  return readlinkSync(link) === cluster && isPrivate(dirname(link));
}

function isPrivate(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

function shortTemporaryFolder(): string {
  return Buffer.byteLength(tmpdir()) <= 50 ? tmpdir() : '/tmp';
}
