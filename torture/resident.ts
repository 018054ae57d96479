import { readFileSync } from 'node:fs';
import type { Running } from '../bench/generator.ts';

/** In bytes. */
export const MEGABYTE = 1024 * 1024;

/** Resident bytes of the service: its first process, and those that it has started to serve HTTP. Linux only. */
export function residentOf({ child }: Running): number {
  const pids = [child.pid ?? 0, ...childrenOf(child.pid ?? 0)];
  return pids.reduce((sum, pid) => sum + residentOfProcess(pid), 0);
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = text
    .split(' ')
    .filter((part) => part !== '')
    .map(Number);
  return children.filter((child) => commandOf(child).includes('src/main.ts'));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function residentOfProcess(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}
