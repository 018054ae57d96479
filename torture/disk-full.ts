import { chmodSync, closeSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, oneConnection, startLoad, type Load, type Outcome } from '#test/support/load.ts';
import { mountMemory } from '#test/support/machine.ts';
import { ask, embeddedIn, eventually, temporaryFolder, tidied } from '#test/support/process.ts';
import { openStage, statusOf, type Stage } from '#test/support/stage.ts';
import { visitDoctor } from './doctor.ts';
import { examineWhole, stillServing } from './examine.ts';
import { atLeast, atMost, none, type Finding } from './finding.ts';

/** Settings of `playDiskFull`. */
export interface DiskFullOptions {
  /** How long the disk stays full, each time. */
  readonly seconds: number;
}

const DISK_BYTES = 400 * 1024 ** 2;
const CLIENTS = 12;
const PAUSE_MS = 5;
const LIMIT_MS = 5_000;
/** PostgreSQL recovers from a crash on the way, and its owner looks for room once a second. */
const RECOVERY_LIMIT_MS = 10_000;
const WATCH_MS = 200;
/** So long after a refusal the service says that it is not ready, at least. */
const TOLD_MS = 1_000;
/** What finds no room: tables first, and the log as well once PostgreSQL has used up what it holds in reserve. */
const KINDS = ['tables', 'the log'] as const;
type Kind = (typeof KINDS)[number];

const CHUNK = Buffer.alloc(64 * 1024);

/**
 * The disk of the data folder runs full under sign-ups and reads, and has room again after a while. Sign-ups are refused with
 * 503 and `Retry-After` in time, never with 500; the process lives; PostgreSQL, which gives up when it cannot write its
 * log, comes back by itself and not in a hot loop; nothing acknowledged is lost.
 */
export function playDiskFull({ seconds }: DiskFullOptions): Promise<Finding[]> {
  return tidied(async (scope) => {
    const folder = temporaryFolder(scope, 'disk-full');
    chmodSync(folder, 0o711);
    const mount = await mountMemory(scope, join(folder, 'mounted'), DISK_BYTES);
    const stage = await openStage(scope, 'disk-full', {
      dataDir: join(mount.folder, 'data'),
      settings: { LOG_LEVEL: 'info' },
    });
    const service = stage.service();
    const signUps: Outcome[] = [];
    const reads: Outcome[] = [];
    const load = startLoad(stage.site, {
      clients: CLIENTS,
      pauseMs: PAUSE_MS,
      observe: (outcome) => signUps.push(outcome),
    });
    await eventually(() => load.acknowledged.length > CLIENTS, 'sign-ups are answered');
    const reader = startReader(stage, load.acknowledged[0]?.id ?? '', reads);
    const findings: Finding[] = [];
    for (const kind of KINDS) {
      findings.push(...(await playOne(stage, load, mount.folder, seconds * 1000, kind, { signUps, reads })));
    }
    await reader.stop();
    await load.stop();
    findings.push(stillServing(stage, service));
    findings.push(...(await examineWhole(stage, load)));
    findings.push(await visitDoctor(stage.settings));
    return findings;
  });
}

async function playOne(
  stage: Stage,
  load: Load,
  folder: string,
  milliseconds: number,
  kind: Kind,
  { signUps, reads }: Readonly<Record<'signUps' | 'reads', readonly Outcome[]>>,
): Promise<Finding[]> {
  const starts = countStarts(stage);
  const ballast = join(folder, 'ballast');
  const begin = performance.now();
  const descriptor = openSync(ballast, 'w');
  // PostgreSQL has files that it may still write into; full is when sign-ups come to nothing.
  await eventually(() => {
    fill(descriptor);
    return signUps.some(({ begunAt, status }) => begunAt > begin && status === 503);
  }, 'the disk is full');
  if (kind === 'the log') await exhaustLog(stage, descriptor);
  const from = performance.now();
  const { unhealthy, ready } = await watch(stage, descriptor, signUps, from + milliseconds);
  const free = statfsSync(folder).bavail;
  closeSync(descriptor);
  rmSync(ballast);
  const returned = performance.now();
  const known = load.acknowledged.length;
  await eventually(() => load.acknowledged.length > known + CLIENTS, 'sign-ups are answered again');
  const recovery = performance.now() - returned;
  const during = [...signUps, ...reads].filter(({ begunAt }) => begunAt >= begin && begunAt < returned);
  const odd = during.filter(
    ({ status, retryAfter }) => ![200, 201].includes(status) && !(status === 503 && retryAfter),
  );
  const slowest = during.reduce((longest, { begunAt, endedAt }) => Math.max(longest, endedAt - begunAt), 0);
  const refused = signUps.filter(({ begunAt, status }) => begunAt >= begin && begunAt < returned && status === 503);
  const read = reads.filter(({ begunAt, status }) => begunAt >= from && begunAt < returned && status === 200);
  const started = countStarts(stage) - starts;
  // One a second, and the one that succeeds.
  const allowed = Math.ceil((returned - begin) / 1000) + 1;
  const leftOver = readdirSync(stage.dataDir).filter((name) => name.includes('.new-'));
  const when = `no room for ${kind}`;
  return [
    atLeast(
      `${when}: sign-ups refused with 503 in ${milliseconds / 1000} s (${free} blocks free, ${read.length} reads answered)`,
      refused.length,
      1,
    ),
    none(
      `${when}: answers other than 200, 201, and 503 with Retry-After`,
      odd.map(({ status, text }) => `${status} ${text}`),
    ),
    atMost(`${when}: longest time to an answer`, slowest, LIMIT_MS),
    none(`${when}: times /health did not answer 200`, unhealthy),
    none(`${when}: times /ready did not answer 503 while sign-ups were refused`, ready),
    {
      name: `${when}: starts of PostgreSQL in ${Math.round((returned - begin) / 1000)} s`,
      value: String(started),
      limit: String(allowed),
      ok: started <= allowed,
    },
    none(`${when}: files left over in the data folder`, leftOver),
    atMost(`${when}: until sign-ups are answered after there is room again`, recovery, RECOVERY_LIMIT_MS),
  ];
}

/** What `/health` and `/ready` answered but should not have, while there was no room. */
async function watch(
  stage: Stage,
  descriptor: number,
  signUps: readonly Outcome[],
  until: number,
): Promise<Readonly<Record<'unhealthy' | 'ready', number[]>>> {
  const unhealthy: number[] = [];
  const ready: number[] = [];
  while (performance.now() < until) {
    fill(descriptor);
    const refused = signUps.findLast(({ status }) => status === 503)?.endedAt ?? 0;
    const isRefusing = performance.now() < refused + TOLD_MS;
    const [health, readiness] = await Promise.all([statusOf(stage, '/health'), statusOf(stage, '/ready')]);
    if (health !== 200) unhealthy.push(health);
    if (isRefusing && readiness !== 503) ready.push(readiness);
    await sleep(WATCH_MS);
  }
  return { unhealthy, ready };
}

/** Makes PostgreSQL write log until it gives up: it ends with all of its processes, and cannot even recover. */
async function exhaustLog(stage: Stage, descriptor: number): Promise<void> {
  const isGone = async (): Promise<boolean> => {
    fill(descriptor);
    try {
      const connection = await embeddedIn(stage.dataDir);
      await ask(connection, `select pg_logical_emit_message(true, 'torture', repeat('x', 1000000)), pg_switch_wal()`);
      return false;
    } catch {
      return (await statusOf(stage, '/ready')) === 503;
    }
  };
  await eventually(isGone, 'PostgreSQL has given up');
}

/** Takes what room there is. */
function fill(descriptor: number): void {
  for (const chunk of [CHUNK, CHUNK.subarray(0, 4096)]) {
    try {
      for (;;) if (writeSync(descriptor, chunk) < chunk.length) break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}

/** How often the service has started its database, or tried to, by what it says. */
function countStarts(stage: Stage): number {
  const log = stage.service().stdout();
  return ['database server started', 'could not be started again'].reduce(
    (count, said) => count + log.split(said).length - 1,
    0,
  );
}

/** A client that reads one subscription and lists them until stopped. */
function startReader(stage: Stage, id: string, reads: Outcome[]): { stop(): Promise<void> } {
  const running = { on: true };
  const work = async (path: string): Promise<void> => {
    const agent: Agent = oneConnection();
    while (running.on) {
      const headers = { authorization: `Bearer ${stage.site.token}` };
      reads.push(await exchange(agent, stage.site.port, 'GET', path, { headers }));
      await sleep(PAUSE_MS * 10);
    }
    agent.destroy();
  };
  const working = [work(`/subscriptions/${id}`), work('/subscriptions?limit=20')];
  return {
    async stop() {
      running.on = false;
      await Promise.all(working);
    },
  };
}
