import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import { errorCode } from './error-code.ts';

/** How much waits for a reader who has stopped reading; what comes beyond it is lost. */
const MAX_WAITING_BYTES = 1024 ** 2;
const LOOK_AGAIN_MS = 50;

/** Settings of `openDestination`. */
export interface DestinationOptions {
  /** Standard output or standard error. */
  readonly descriptor: 1 | 2;
  /** A line that says of so many lines that they are lost. */
  readonly tellLost: (count: number) => string;
}

/**
 * Where lines go: at once, so that the last words of a process are not lost with it. When their reader stops, as one
 * behind a pipe does when its disk is full, or a terminal that is told to stop, the service must not stop too; and a line
 * that cannot be written must neither end the service nor fill its memory.
 */
export function openDestination({ descriptor, tellLost }: DestinationOptions): DestinationStream {
  const { target, arm } = neverWaiting(descriptor);
  const state: State = { waiting: [], bytes: 0, lost: 0, isTorn: false, isGone: false, timer: undefined };
  /** Writes what it can, and gives the rest; null when nothing is left to be written. */
  const put = (bytes: Buffer): Buffer | null => {
    let offset = 0;
    arm();
    try {
      while (offset < bytes.length) offset += writeSync(target, bytes, offset);
      return null;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EAGAIN') return bytes.subarray(offset);
      // Nobody will read any more of it.
      state.isGone ||= code === 'EPIPE';
      state.isTorn ||= offset > 0;
      return null;
    }
  };
  const flush = (): void => {
    for (let [next] = state.waiting; next !== undefined; [next] = state.waiting) {
      const rest = put(next);
      state.bytes -= next.length - (rest?.length ?? 0);
      if (rest !== null) {
        state.waiting[0] = rest;
        return;
      }
      state.waiting.shift();
    }
    if (state.lost > 0) {
      const line = tellLost(state.lost);
      state.lost = 0;
      write(line);
    }
  };
  const wait = (): void => {
    state.timer ??= setTimeout(() => {
      state.timer = undefined;
      flush();
      if (state.waiting.length > 0) wait();
    }, LOOK_AGAIN_MS).unref();
  };
  const write = (line: string): void => {
    if (state.isGone) return;
    // Of the last line a part may have been written.
    const bytes = Buffer.from(state.isTorn ? `\n${line}` : line);
    state.isTorn = false;
    const rest = state.waiting.length > 0 ? bytes : put(bytes);
    if (rest === null) return;
    if (state.bytes + rest.length > MAX_WAITING_BYTES && rest.length === bytes.length) {
      state.lost += 1;
      return;
    }
    state.waiting.push(rest);
    state.bytes += rest.length;
    wait();
  };
  process.once('exit', flush);
  return { write };
}

interface State {
  /** Lines, the first of which may be the rest of one. */
  readonly waiting: Buffer[];
  bytes: number;
  /** Lines that found no room among those that wait. */
  lost: number;
  /** The next line begins with a line end. */
  isTorn: boolean;
  isGone: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Where to write, and what to do before. */
interface Target {
  readonly target: number;
  /** Has the kernel say at once that there is no room. */
  readonly arm: () => void;
}

/** Where to write so that the kernel says at once that there is no room, as in a pipe that is full. */
function neverWaiting(descriptor: 1 | 2): Target {
  const what = fstatSync(descriptor);
  // What is set on a terminal or a pipe itself is set for all who use it: it would be for the shell, and each process of
  // ours that begins or ends, as any of Node, has all others wait again.
  const isReopened = isatty(descriptor) || (what.isFIFO() && process.platform === 'linux');
  const own = isReopened ? openAnew(descriptor) : null;
  const mayWait = own === null && (what.isFIFO() || what.isSocket());
  if (!mayWait) return { target: own ?? descriptor, arm: () => {} };
  const stream: unknown = descriptor === 1 ? process.stdout : process.stderr;
  return { target: descriptor, arm: () => (stream as Partial<StandardStream>)._handle?.setBlocking(false) };
}

/** What Node's types do not tell of its standard streams; there is no handle any more once one is closed. */
interface StandardStream {
  readonly _handle: { setBlocking(isBlocking: boolean): unknown } | null;
}

/** Opened for us alone, as Linux does; null where that cannot be, such as of what is somebody else’s, as after `su`. */
function openAnew(descriptor: 1 | 2): number | null {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return openSync(`/dev/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return null;
  }
}
