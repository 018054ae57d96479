import { setTimeout as sleep } from 'node:timers/promises';
import { findRunningEmbedded } from '#platform/database/embedded.ts';
import { inspectServer, pathsIn } from '#platform/database/embedded-cluster.ts';
import { seededRandom } from '#test/support/builders.ts';
import { startLoad, type Load } from '#test/support/load.ts';
import { childrenOf, embeddedIn, eventually, killProcess, tidied } from '#test/support/process.ts';
import { openStage, statusOf, type Stage } from '#test/support/stage.ts';
import { findLost } from '#test/support/wholeness.ts';
import { askDoctor, healthy } from './doctor.ts';
import { examineWhole, stillServing } from './examine.ts';
import { atMost, none, type Finding } from './finding.ts';

/** Settings of `playKill`. */
export interface KillOptions {
  /** Kills of each kind. */
  readonly rounds: number;
  /** Draws the instants. */
  readonly seed: number;
  /** The doctor is asked after every so-manieth kill of a kind, and after the last of all. */
  readonly doctorEvery: number;
}

const CLIENTS = 12;
const PAUSE_MS = 5;
/** A kill comes so long after the one before was got over, drawn anew each time. */
const BEFORE_KILL_MS = { from: 20, to: 600 } as const;
const LIMIT_MS = 5_000;

const KINDS = ['service', 'postmaster', 'backend', 'both'] as const;
type Kind = (typeof KINDS)[number];

const NAMES: Readonly<Record<Kind, string>> = {
  service: 'of the service',
  postmaster: 'of PostgreSQL’s postmaster',
  backend: 'of one of PostgreSQL’s processes',
  both: 'of the service and the postmaster at once',
};

/**
 * `kill -9` of the service, of PostgreSQL, of one of its processes and of both, at random instants under sign-ups with keys:
 * nothing acknowledged is lost, nothing is there twice or half, no key is stuck. The service alone is started again by us;
 * it must get over the death of its database by itself. A process is killed here, not a machine: what the kernel has been
 * given stays; `playPowerCut` takes that away, too.
 */
export function playKill({ rounds, seed, doctorEvery }: KillOptions): Promise<Finding[]> {
  return tidied(async (scope) => {
    const stage = await openStage(scope, 'kill');
    const load = startLoad(stage.site, { clients: CLIENTS, pauseMs: PAUSE_MS });
    const random = seededRandom(seed);
    const findings: Finding[] = [];
    const complaints: string[] = [];
    const lost: string[] = [];
    let visits = 0;
    for (const kind of KINDS) {
      const known = stage.service();
      const times: { database: number; service: number }[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        await progress(load);
        await sleep(BEFORE_KILL_MS.from + random() * (BEFORE_KILL_MS.to - BEFORE_KILL_MS.from));
        times.push(await killOnce(stage, kind, random));
        const before = load.acknowledged.slice();
        const database = await embeddedIn(stage.dataDir);
        lost.push(...(await load.pauseDuring(() => findLost(database, before))));
        const isLast = kind === KINDS.at(-1) && round === rounds;
        if (round % doctorEvery !== 0 && !isLast) continue;
        visits += 1;
        const complaint = await load.pauseDuring(() => askDoctor(stage.settings));
        if (complaint !== null) complaints.push(`${kind}: ${complaint}`);
      }
      findings.push(...summarise(kind, times));
      if (kind === 'postmaster' || kind === 'backend') {
        findings.push(stillServing(stage, known, ` after kills ${NAMES[kind]}`));
      }
    }
    await load.stop();
    findings.push(none('sign-ups missing right after a kill', lost));
    // Each kill of the service cuts at least one sign-up off, so that the rounds are no kills of an idle service.
    const repeated = 2 * rounds;
    findings.push(...(await examineWhole(stage, load, { repeated })), healthy(visits, complaints));
    return findings;
  });
}

function summarise(kind: Kind, times: readonly { database: number; service: number }[]): Finding[] {
  const total = Math.max(...times.map(({ service }) => service));
  const behind = Math.max(...times.map(({ database, service }) => service - database), 0);
  const count = `${times.length} kills ${NAMES[kind]}`;
  return [
    atMost(`${count}: longest from the kill until ready`, total, 2 * LIMIT_MS),
    atMost(`${count}: longest from the database’s first answer until ready`, behind, LIMIT_MS),
  ];
}

/** Waits until something has been answered since. */
async function progress(load: Load): Promise<void> {
  const known = load.acknowledged.length;
  await eventually(() => load.acknowledged.length > known + CLIENTS, 'sign-ups are answered');
}

async function killOnce(
  stage: Stage,
  kind: Kind,
  random: () => number,
): Promise<{ database: number; service: number }> {
  const begin = performance.now();
  const server = postmasterOf(stage.dataDir);
  if (kind === 'backend') {
    const children = childrenOf(server);
    const child = children[Math.floor(random() * children.length)];
    if (child !== undefined) process.kill(child, 'SIGKILL');
    // The postmaster ends all the others, and takes nobody in until it has recovered.
    await eventually(() => child === undefined || !childrenOf(server).includes(child), 'it has ended');
  }
  if (kind === 'postmaster' || kind === 'both') process.kill(server, 'SIGKILL');
  if (kind === 'service' || kind === 'both') {
    await killProcess(stage.service());
    await stage.restart();
  }
  if (kind === 'postmaster') await eventually(() => isAnother(stage.dataDir, server), 'another postmaster is there');
  return timeRecovery(stage, begin);
}

/** Milliseconds from `begin` until the embedded database has answered, and until the service was ready again. */
async function timeRecovery(stage: Stage, begin: number): Promise<{ database: number; service: number }> {
  const since = (): number => performance.now() - begin;
  const database = eventually(() => findRunningEmbedded(stage.dataDir), 'the database answers').then(since);
  const service = eventually(async () => (await statusOf(stage, '/ready')) === 200, 'the service is ready').then(since);
  return { database: await database, service: await service };
}

function postmasterOf(dataDir: string): number {
  const state = inspectServer(pathsIn(dataDir).cluster);
  if (state.kind !== 'running') throw new Error('PostgreSQL does not run');
  return state.process.pid;
}

function isAnother(dataDir: string, known: number): boolean {
  const state = inspectServer(pathsIn(dataDir).cluster);
  return state.kind === 'running' && state.process.pid !== known;
}
