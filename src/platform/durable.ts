import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Waits until the disk holds the names in a folder: a file that was flushed itself can still lose its name when the power
 * fails, and be gone with it.
 */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a folder and those above it that are missing, and waits until the disk holds their names. */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    // One by one: of all at once, on a read-only file system, Node says that there is no such file.
    mkdirSync(folder, mode);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  syncFolder(dirname(folder));
}
