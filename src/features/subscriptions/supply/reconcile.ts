import { formatId } from '#domain/identifiers.ts';
import { formatInstant, wholeSecond, type Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/log.ts';
import { DatabaseUnavailable, sqlState } from '#platform/database/errors.ts';
import { type Database, type Transaction } from '#platform/database/pool.ts';
import type { Portions } from '#platform/portions.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { Traffic } from '#platform/reconcile/traffic.ts';
import type { MintUuid } from '#platform/uuid.ts';
import type { MarketGateway } from '#market/gateway.ts';
import { presentOf, readProjectTime, type ProjectTime } from '../../projects/index.ts';
import { loadLives, saveLives, toldBy } from './load.ts';
import { parkLife } from './life.ts';
import { happensAt, playUntil } from './play.ts';
import {
  claimDueProcesses,
  endAdvance,
  finishClock,
  lockProcess,
  moveClock,
  nextDueBeside,
  selectDueProjects,
} from './store.ts';
import type { ProcessRow } from './store.ts';

/** What driving subscriptions through the market needs. */
export interface SupplyDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  /** The way to the market of projects of a mode. */
  readonly gateways: Readonly<Record<'live' | 'sandbox', MarketGateway>>;
  readonly log: Logger;
  /** Told of the types of events, once they are committed. */
  readonly countEvents: (types: readonly string[]) => void;
  /** Who is more urgent. */
  readonly traffic: Traffic;
  /** How much goes into one commit. */
  readonly portions: Portions;
}

/** How many lives are worked on in one commit. */
const BATCH_LIVES = 200;
/** The same while requests come: what waits for one of them waits for few milliseconds. */
const SMALL_BATCH_LIVES = 25;
/** When there is more than that, as many go on of what became due within such a time: a new customer waits for no backlog. */
const YOUNG = { minutes: 1 } as const;
/** How many steps there are for each of them; what is left of a life that has slept for months stays due. */
const STEPS_A_LIFE = 5;
const BATCH_STEPS = BATCH_LIVES * STEPS_A_LIFE;
/** How often one life is tried alone before it is set aside. */
const ATTEMPTS_ALONE = 3;

/** The projects in which there is work. */
export function findDueProjects({ database, clock }: SupplyDependencies): Promise<ProjectTime[]> {
  return selectDueProjects(database, formatInstant(clock.now()));
}

/**
 * Works on some of what is due in a project: on the earliest in one commit, and, when there is plenty, on the young in
 * another. Where the project has a clock of its own, everything happens in order, and a clock that is to move follows.
 * One life that cannot be written never stands in the way of the others.
 */
export async function workOn(dependencies: SupplyDependencies, projectId: string): Promise<PortionResult> {
  const { traffic, portions } = dependencies;
  const part = portions.shareOf(projectId);
  const livesOf = (most: number): number => Math.max(1, Math.floor(most * part));
  const limits = {
    limit: livesOf(traffic.isVisited() ? SMALL_BATCH_LIVES : BATCH_LIVES),
    limitOfAll: livesOf(BATCH_LIVES),
    maxSteps: Math.max(STEPS_A_LIFE, Math.floor(BATCH_STEPS * part)),
  };
  const { result, isOrdered } = await workOnShare(dependencies, projectId, { isYoung: false, ...limits });
  if (result === 'plenty' && !isOrdered) await workOnShare(dependencies, projectId, { isYoung: true, ...limits });
  return result;
}

/** What is worked on in one commit. */
interface Share {
  /** Only what became due a moment ago. */
  readonly isYoung: boolean;
  /** How many lives at most. */
  readonly limit: number;
  /**
   * The same at the end of an advance of the clock, while nobody else writes, and on its way while its own project keeps
   * signing up: by few at a time, the clock would not arrive before the last customer has.
   */
  readonly limitOfAll: number;
  /** How many steps of all of them together; where there are few lives, each takes many, in turn. */
  readonly maxSteps: number;
}

/** What work on a share came to. */
interface Worked {
  readonly result: PortionResult;
  /** Nothing may happen before what was due earlier. */
  readonly isOrdered: boolean;
}

async function workOnShare(dependencies: SupplyDependencies, projectId: string, share: Share): Promise<Worked> {
  const { log, portions } = dependencies;
  const together: ProcessRow[] = [];
  try {
    const worked = await workOnce(dependencies, projectId, share, together);
    portions.grow(projectId);
    return worked;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) {
      if (together.length > 0) portions.shrink(projectId);
      throw error;
    }
    log.info({ err: error }, 'a batch of market processes could not be written; one at a time');
  }
  for (let attempt = 1; ; attempt += 1) {
    // Alone, each sees what was committed meanwhile, such as a market location that is taken now.
    const alone: ProcessRow[] = [];
    try {
      return await workOnce(dependencies, projectId, { ...share, limit: 1, limitOfAll: 1 }, alone);
    } catch (error) {
      const [process] = alone;
      if (process === undefined || !isOwnFault(error)) throw error;
      // What came in its way in just this moment does not come again and again.
      if (attempt < ATTEMPTS_ALONE) continue;
      const subscription = formatId('sub', process.subscription_id);
      log.error({ err: error, subscription }, 'a market process could not be written');
      return { result: await parkOne(dependencies, projectId, process), isOrdered: true };
    }
  }
}

/** Whether a process cannot be written because of what it is: a defect, a value or a row that the database refuses. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return false;
  const state = sqlState(error);
  return state === undefined || state.startsWith('22') || state.startsWith('23');
}

async function workOnce(
  dependencies: SupplyDependencies,
  projectId: string,
  share: Share,
  claimed: ProcessRow[],
): Promise<Worked> {
  const written: string[] = [];
  const now = wholeSecond(dependencies.clock.now());
  const worked = await dependencies.database.transaction(async (transaction): Promise<Worked> => {
    const project = await readProjectTime(transaction, projectId);
    if (project === undefined) return { result: 'idle', isOrdered: true };
    const result = await work(dependencies, transaction, project, now, share, claimed, written);
    return { result, isOrdered: project.clock_at !== null };
  }, 'repeated');
  dependencies.countEvents(written);
  return worked;
}

/** Sets one process aside that could not be written, unless somebody else has carried it on meanwhile. */
async function parkOne(
  { database, clock, gateways, mintUuid, countEvents }: SupplyDependencies,
  projectId: string,
  { subscription_id: subscriptionId, memory, due_at: dueAt }: ProcessRow,
): Promise<PortionResult> {
  const parked = await database.transaction(async (transaction) => {
    const process = await lockProcess(transaction, projectId, subscriptionId);
    const project = await readProjectTime(transaction, projectId);
    if (process === undefined || project === undefined) return [];
    if (process.memory !== memory || process.due_at !== dueAt) return [];
    const gateway = gateways[project.mode];
    const lives = await loadLives(transaction, projectId, [process], gateway.transport);
    const now = presentOf(project, clock);
    for (const life of lives) parkLife(life, now, { gateway, mintUuid });
    await saveLives(transaction, projectId, lives, mintUuid);
    return lives.flatMap(toldBy);
  });
  countEvents(parked);
  return 'worked';
}

async function work(
  dependencies: SupplyDependencies,
  transaction: Transaction,
  project: ProjectTime,
  now: Temporal.Instant,
  share: Share,
  taken: ProcessRow[],
  written: string[],
): Promise<PortionResult> {
  const { clock_at: clockAt, clock_target: target } = project;
  const by = target ?? clockAt ?? formatInstant(now);
  const after = share.isYoung ? formatInstant(now.subtract(YOUNG)) : null;
  const isChased = target !== null && dependencies.traffic.isGrowing(project.id);
  const limit = isChased ? share.limitOfAll : share.limit;
  const processes = await claimDueProcesses(transaction, project.id, { after, by }, limit);
  taken.push(...processes);
  if (target !== null && processes.some(({ memory }) => memory === null)) dependencies.traffic.noteNew(project.id);
  if (processes.length > 0) {
    return play(dependencies, transaction, project, now, { ...share, limit }, processes, written);
  }
  if (target === null) return 'idle';
  const held = await finishClock(transaction, project.id);
  if (held === 'over') return 'worked';
  if (held === 'blocked' || held.clock_target === null) return 'blocked';
  // Before anybody writes again: while many sign up one after another, there would always be something due at the end.
  const due = { after: null, by: held.clock_target };
  const late = await claimDueProcesses(transaction, project.id, due, share.limitOfAll);
  if (late.length === 0) return 'blocked';
  taken.push(...late);
  const result = await play(dependencies, transaction, held, now, { ...share, limit: share.limitOfAll }, late, written);
  return (await endAdvance(transaction, project.id)) ? 'worked' : result;
}

/** Lets what is due of processes that were claimed happen, as far as the share goes, and writes it. */
async function play(
  { gateways, mintUuid, log }: SupplyDependencies,
  transaction: Transaction,
  project: ProjectTime,
  now: Temporal.Instant,
  share: Share,
  processes: readonly ProcessRow[],
  written: string[],
): Promise<PortionResult> {
  const { clock_at: clockAt, clock_target: target } = project;
  const dueBy = target ?? clockAt ?? formatInstant(now);
  const claimed = processes.map(({ id }) => id);
  // What others work on, or was not claimed, may come before what follows here.
  const horizon = clockAt === null ? dueBy : ((await nextDueBeside(transaction, project.id, claimed, dueBy)) ?? dueBy);
  const gateway = gateways[project.mode];
  const lives = await loadLives(transaction, project.id, processes, gateway.transport);
  const last = await playUntil(
    transaction,
    project.id,
    lives,
    { gateway, mintUuid },
    {
      horizon,
      now: happensAt(project, now),
      maxSteps: clockAt === null ? share.limit * STEPS_A_LIFE : share.maxSteps,
      onBroken: (life, error) =>
        log.error({ err: error, process: formatId('mpr', life.processId) }, 'a market process failed and was parked'),
    },
  );
  if (last === null) return 'blocked';
  await saveLives(transaction, project.id, lives, mintUuid);
  written.push(...lives.flatMap(toldBy));
  if (clockAt !== null && last > clockAt) await moveClock(transaction, project.id, last);
  // What has just been signed up has no hour to keep yet.
  if (processes.every(({ memory }) => memory === null)) return 'deferrable';
  return processes.length > 1 && processes.length === share.limit ? 'plenty' : 'worked';
}
