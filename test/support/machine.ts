import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { defer, type Tidied } from './process.ts';

const run = promisify(execFile);

/** Runs a program of the machine and gives what it printed. @throws with its complaint when it fails */
async function command(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await run(program, words);
  return stdout.trim();
}

/** Why file systems cannot be mounted here, or `null`: the same answer as trying would give, without leaving a trace. */
export async function cannotMount(kind: 'loop' | 'tmpfs'): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a file system needs root, on Linux';
  if (kind === 'tmpfs') return null;
  if (!existsSync('/dev/loop-control')) return 'there is no loop device';
  const missing = await command('sh', '-c', 'command -v mkfs.ext4 && losetup --find').catch(() => null);
  return missing === null ? 'mkfs.ext4 or a free loop device is missing' : null;
}

/** A file system that is mounted somewhere, until the scope ends or before. */
export interface Mount {
  readonly folder: string;
  /** From now on nothing can be written there. */
  makeReadOnly(): Promise<void>;
  unmount(): Promise<void>;
}

async function keepMounted(scope: Tidied, folder: string): Promise<Mount> {
  const state = { isMounted: true };
  const unmount = async (): Promise<void> => {
    if (!state.isMounted) return;
    await command('umount', folder);
    state.isMounted = false;
  };
  const makeReadOnly = async (): Promise<void> => void (await command('mount', '-o', 'remount,ro', folder));
  defer(scope, unmount);
  return { folder, makeReadOnly, unmount };
}

/** Mounts a file system in memory of so many bytes. */
export async function mountMemory(scope: Tidied, folder: string, bytes: number): Promise<Mount> {
  mkdirSync(folder, { recursive: true });
  await command('mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=711`, 'tmpfs', folder);
  return keepMounted(scope, folder);
}

/** Makes an empty disk in a file, which takes as much room as is written to it. */
export async function makeDisk(image: string, bytes: number): Promise<void> {
  await command('truncate', '--size', String(bytes), image);
  await command('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image);
}

/**
 * Mounts a disk that was made in a file. Its journal is written when something asks for it, not by the clock, so that a
 * disk nobody works on stands still.
 */
export async function mountDisk(scope: Tidied, image: string, folder: string): Promise<Mount> {
  mkdirSync(folder, { recursive: true });
  await command('mount', '-o', 'loop,commit=3600', image, folder);
  return keepMounted(scope, folder);
}

/** Copies a file, its holes as holes, and asks nobody to write anything back before. */
export async function copyFile(from: string, to: string): Promise<void> {
  await command('cp', '--sparse=always', from, to);
}

/** Sectors that were ever written to the loop device of a disk in a file. */
export async function sectorsWritten(image: string): Promise<number> {
  const device = (await command('losetup', '--noheadings', '--output', 'NAME', '--associated', image)).trim();
  const fields = readFileSync(`/sys/block/${basename(device)}/stat`, 'utf8')
    .trim()
    .split(/\s+/);
  return Number(fields[6]);
}
