import cluster, { type Worker } from 'node:cluster';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { canDieWithParent } from '#platform/database/embedded-processes.ts';
import { messageOf } from '#platform/message-of.ts';
import { addCounts, type MetricsSnapshot } from '#platform/metrics.ts';
import type { Logger } from '#platform/log.ts';
import type { Work } from '../background.ts';
import type { FromHttp, ToHttp } from './messages.ts';

/** The processes that serve HTTP on one port for this one. */
export interface HttpProcesses {
  /** Starts them. @throws Error when one of them cannot serve */
  start(): Promise<void>;
  /** Tells them that events were published. */
  tellPublished(): void;
  /** Sign-ups that wait in them to be written, as far as known. */
  pendingSignUps(): number;
  /** What each of them counts, as it last said, and what those have counted that have ended: a sum of it never falls. */
  metrics(): Promise<MetricsSnapshot[]>;
  /** Has them finish what is in flight; resolves when the last one has ended. */
  stop(): Promise<void>;
}

/** Settings of `createHttpProcesses`. */
export interface HttpProcessesOptions {
  readonly count: number;
  readonly serve: Omit<Extract<ToHttp, { kind: 'serve' }>, 'kind' | 'name'>;
  readonly log: Logger;
  /** Something may be due. */
  readonly wake: (work: Work) => void;
}

/** One place among the processes, and who holds it now. */
interface Place {
  readonly name: string;
  worker: Worker | undefined;
  pendingSignUps: number;
  /** When that was told, on the clock that nobody can set. */
  toldMs: number;
  /** What it counted when it last said so. */
  metrics: MetricsSnapshot;
  /** Ends before it could serve, since it last did. */
  failures: number;
  retry: NodeJS.Timeout | undefined;
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
/** Far longer than a busy machine needs until one serves; without a limit, one that hangs there is waited for without end. */
const START_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 1_000;
const WATCH_PAUSE_MS = 1_000;
/** How often a process may fail to answer: meanwhile its clients, and its share of new ones, wait in vain. */
const MAX_SILENCES = 10;
/** How long a count of waiting sign-ups is believed: that they are refused is told by nobody. */
const NEWS_MS = 1_000;
/** A little more than a process takes at most; with the closing of the ports before, all of it stays below ten seconds. */
const STOP_LIMIT_MS = 8_200;

/**
 * Starts `count` processes that share a port, and new connections, evenly. One that dies is replaced at once; one that dies
 * before it could serve, after a pause that doubles; one that hangs is ended, before it serves or later.
 */
export function createHttpProcesses(options: HttpProcessesOptions): HttpProcesses {
  const state: State = {
    isStopping: false,
    isStarted: false,
    ended: Promise.withResolvers<void>(),
    counted: Promise.resolve([]),
  };
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const fork = createFork();
  const places = Array.from({ length: options.count }, (_, index) => emptyPlace(`http ${index + 1}`));
  const isEmpty = (): boolean => places.every(({ worker }) => worker === undefined);
  const begin = (place: Place): Promise<string | null> =>
    fill(place, options, fork, () => {
      state.counted = addCounts(state.counted, place.metrics);
      place.metrics = [];
      if (!state.isStopping && state.isStarted) replace(place, options, begin);
      if (state.isStopping && isEmpty()) state.ended.resolve();
    });
  const stop = async (): Promise<void> => {
    state.isStopping = true;
    for (const { retry } of places) clearTimeout(retry);
    // Before any of them tells its clients to go: they would come back to one that is about to tell the same.
    if (state.isStarted) await Promise.all(places.map((place) => ask(place, { kind: 'close port' }, 'port closed')));
    for (const { worker } of places) tell(worker, { kind: 'stop' });
    if (isEmpty()) return;
    const cut = setTimeout(() => {
      for (const { worker } of places) worker?.process.kill('SIGKILL');
    }, STOP_LIMIT_MS);
    await state.ended.promise;
    clearTimeout(cut);
  };
  return {
    async start() {
      const reasons = await Promise.all(places.map(begin));
      const reason = reasons.find((found) => found !== null);
      if (reason !== undefined) {
        await stop();
        throw new Error(reason);
      }
      state.isStarted = true;
      // Those that have ended since they served, while others were still starting.
      for (const place of places) if (place.worker === undefined) replace(place, options, begin);
    },
    tellPublished() {
      for (const { worker } of places) tell(worker, { kind: 'published' });
    },
    pendingSignUps() {
      const since = performance.now() - NEWS_MS;
      return places.reduce((sum, { pendingSignUps, toldMs }) => sum + (toldMs < since ? 0 : pendingSignUps), 0);
    },
    async metrics() {
      await Promise.all(places.map((place) => ask(place, { kind: 'send metrics' }, 'metrics')));
      const present = places.map(({ metrics }) => metrics);
      return [await state.counted, ...present];
    },
    stop,
  };
}

interface State {
  isStopping: boolean;
  /** All of them have served: from now on one that ends is replaced. */
  isStarted: boolean;
  readonly ended: PromiseWithResolvers<void>;
  /** What those have counted that have ended. */
  counted: Promise<MetricsSnapshot>;
}

function emptyPlace(name: string): Place {
  return { name, worker: undefined, pendingSignUps: 0, toldMs: 0, metrics: [], failures: 0, retry: undefined };
}

/** Has the kernel end what it starts together with this process, however this one ends. */
const LAUNCHER = '/usr/bin/setpriv';
const LAUNCHER_ARGUMENTS = ['--pdeathsig', 'KILL', '--'];

/**
 * Starts processes through the launcher, where there is one: one that hung would outlive this one, and keep the port. `cluster`
 * starts whatever this process was started by, and has no setting for it.
 */
function createFork(): () => Worker {
  const { execPath, execArgv } = process;
  const isLaunched = existsSync(LAUNCHER) && canDieWithParent(undefined);
  const launch = isLaunched ? [...LAUNCHER_ARGUMENTS, execPath] : [];
  cluster.setupPrimary({ exec: MAIN, args: ['serve-http'], execArgv: [...launch, ...execArgv] });
  return () => {
    process.execPath = isLaunched ? LAUNCHER : execPath;
    try {
      return cluster.fork();
    } finally {
      process.execPath = execPath;
    }
  };
}

/** Starts the process of a place. Resolves with `null` when it serves, or with the reason why it ended before. */
function fill(
  place: Place,
  { serve, log, wake }: HttpProcessesOptions,
  fork: () => Worker,
  onEnd: () => void,
): Promise<string | null> {
  return new Promise((resolve) => {
    const seen: { hasServed: boolean; hasEnded: boolean; reason: string; limit?: NodeJS.Timeout } = {
      hasServed: false,
      hasEnded: false,
      reason: 'a process ended before it could serve HTTP',
    };
    const end = (details: Readonly<Record<string, unknown>>, level: 'info' | 'error'): void => {
      if (seen.hasEnded) return;
      seen.hasEnded = true;
      clearTimeout(seen.limit);
      const reason = seen.hasServed ? undefined : seen.reason;
      log[level]({ child: place.name, ...details, reason }, 'a process has ended');
      Object.assign(place, { worker: undefined, pendingSignUps: 0, failures: seen.hasServed ? 0 : place.failures + 1 });
      resolve(seen.hasServed ? null : seen.reason);
      onEnd();
    };
    /** There is no room for another process, or no file for it to be talked to; later there may be. */
    const cannotStart = (error: unknown): void => {
      seen.reason = `a process could not be started: ${messageOf(error)}`;
      end({ err: error }, 'error');
    };
    let worker: Worker;
    try {
      worker = fork();
    } catch (error) {
      cannotStart(error);
      return;
    }
    const { pid } = worker.process;
    place.worker = worker;
    seen.limit = setTimeout(() => {
      seen.reason = `a process did not begin to serve HTTP within ${START_LIMIT_MS / 1000} s`;
      worker.process.kill('SIGKILL');
    }, START_LIMIT_MS);
    worker.on('message', (message: FromHttp) => {
      if (message.kind === 'listening') {
        seen.hasServed = true;
        clearTimeout(seen.limit);
        log.info({ child: place.name, pid }, 'a process serves HTTP');
        void watch(place, worker, log);
        resolve(null);
      } else if (message.kind === 'failed') seen.reason = message.reason;
      else hear(message, place, worker, wake);
    });
    worker.on('error', (error) => {
      // Of one that never was, nothing else is heard.
      if (pid === undefined) cannotStart(error);
      else log.warn({ err: error, child: place.name }, 'a process could not be told');
    });
    worker.once('exit', (code: number | null, signal: string | null) =>
      end({ pid, code, signal }, code === 0 ? 'info' : 'error'),
    );
    tell(worker, { kind: 'serve', name: place.name, ...serve });
  });
}

/** Hears what a process tells of its work. */
function hear(
  message: Exclude<FromHttp, { kind: 'listening' | 'failed' }>,
  place: Place,
  worker: Worker,
  wake: HttpProcessesOptions['wake'],
): void {
  switch (message.kind) {
    case 'wake':
      place.pendingSignUps = message.pendingSignUps;
      place.toldMs = performance.now();
      for (const work of message.work) wake(work);
      return;
    case 'metrics':
      // What comes after its end has been counted.
      if (place.worker === worker) place.metrics = message.metrics;
      return;
    case 'at work':
    case 'port closed':
      // Heard by who has asked.
      return;
  }
}

/** Ends a process that hangs, so that it is replaced; one on its way to its end says nothing either, and is let be. */
async function watch(place: Place, worker: Worker, log: Logger): Promise<void> {
  let silences = 0;
  while (place.worker === worker && worker.isConnected()) {
    if ((await ask(place, { kind: 'report' }, 'at work')) === null) silences += 1;
    else {
      silences = 0;
      await sleep(WATCH_PAUSE_MS, undefined, { ref: false });
    }
    if (silences < MAX_SILENCES) continue;
    log.error(
      { child: place.name, pid: worker.process.pid },
      'a process has said nothing for ten seconds, and is ended',
    );
    worker.process.kill('SIGKILL');
    return;
  }
}

function replace(place: Place, { log }: HttpProcessesOptions, begin: (place: Place) => Promise<unknown>): void {
  const { failures, name } = place;
  const pause = failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
  log.info({ child: name, pause }, 'a process is started in its place');
  place.retry = setTimeout(() => void begin(place), pause);
}

/** What a process answers to a question; `null` when it does not in time. */
function ask<Kind extends FromHttp['kind']>(
  { worker }: Place,
  question: ToHttp,
  kind: Kind,
): Promise<Extract<FromHttp, { kind: Kind }> | null> {
  return new Promise((resolve) => {
    const give = (answer: Extract<FromHttp, { kind: Kind }> | null): void => {
      clearTimeout(timer);
      worker?.off('message', hear).off('exit', leave);
      resolve(answer);
    };
    const hear = (message: FromHttp): void => {
      if (message.kind === kind) give(message as Extract<FromHttp, { kind: Kind }>);
    };
    const leave = (): void => give(null);
    const timer = setTimeout(leave, ANSWER_LIMIT_MS);
    worker?.on('message', hear).once('exit', leave);
    if (!tell(worker, question)) leave();
  });
}

/** Whether it is there to be told; what it misses, it finds by looking, a second later. */
function tell(worker: Worker | undefined, message: ToHttp): boolean {
  if (worker?.isConnected() !== true) return false;
  worker.send(message, () => {});
  return true;
}
