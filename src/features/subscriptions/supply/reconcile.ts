import { formatId } from '#domain/identifiers.ts';
import { formatInstant, wholeSecond, type Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/log.ts';
import { DatabaseUnavailable, sqlState, type Database, type Transaction } from '#platform/database/pool.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { MintUuid } from '#platform/uuid.ts';
import type { MarketGateway } from '#market/gateway.ts';
import { loadLives, saveLives } from './load.ts';
import { parkLife, type Life, type LifeTools } from './life.ts';
import { playUntil, type Until } from './play.ts';
import {
  claimDueProcesses,
  finishClock,
  moveClock,
  nextDueBeside,
  readProjectTime,
  selectDueProjects,
  type ProjectTime,
} from './store.ts';

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
}

/** So many lives are worked on in one commit. */
const BATCH_LIVES = 200;
const BATCH_STEPS = 1_000;
/** Serialisation and deadlock: nothing is wrong with the process itself. */
const RETRYABLE = new Set(['40001', '40P01']);

/** The projects in which there is work. */
export function findDueProjects({ database, clock }: SupplyDependencies): Promise<ProjectTime[]> {
  return selectDueProjects(database, formatInstant(clock.now()));
}

/**
 * Works on some of what is due in a project, in one commit. Where the project has a clock of its own that is to move,
 * everything happens at its own instant and in order, and the clock follows. One life that cannot be written never
 * stands in the way of the others.
 */
export async function workOn(dependencies: SupplyDependencies, projectId: string): Promise<PortionResult> {
  const { log } = dependencies;
  const run = async (limit: number, handle: Handle): Promise<PortionResult> => {
    const written: string[] = [];
    const result = await inOneCommit(dependencies, projectId, (transaction, project, now) =>
      work(dependencies, transaction, project, now, limit, handle, written),
    );
    dependencies.countEvents(written);
    return result;
  };
  try {
    return await run(BATCH_LIVES, play);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.info({ err: error }, 'a batch of market processes could not be written; one at a time');
  }
  // Alone, each sees what was committed meanwhile, such as a market location that is taken now.
  try {
    return await run(1, play);
  } catch (error) {
    if (error instanceof DatabaseUnavailable || RETRYABLE.has(sqlState(error) ?? '')) throw error;
    log.error({ err: error }, 'a market process could not be written');
    return run(1, park);
  }
}

function inOneCommit(
  { clock, database }: SupplyDependencies,
  projectId: string,
  act: (transaction: Transaction, project: ProjectTime, now: Temporal.Instant) => Promise<PortionResult>,
): Promise<PortionResult> {
  const now = wholeSecond(clock.now());
  return database.transaction(async (transaction) => {
    const project = await readProjectTime(transaction, projectId);
    return project === undefined ? 'idle' : act(transaction, project, now);
  });
}

/** Lets lives that were claimed take their steps; the last instant of it, or null when there was none. */
type Handle = (
  transaction: Transaction,
  projectId: string,
  lives: readonly Life[],
  tools: LifeTools,
  until: Until,
) => Promise<string | null>;

const play: Handle = playUntil;

// oxlint-disable-next-line typescript/require-await -- stands where `playUntil` may
const park: Handle = async (_transaction, _projectId, lives, tools, { horizon, now }) => {
  for (const life of lives) parkLife(life, now ?? Temporal.Instant.from(life.dueAt ?? horizon), tools);
  return horizon;
};

async function work(
  { gateways, mintUuid, log }: SupplyDependencies,
  transaction: Transaction,
  project: ProjectTime,
  now: Temporal.Instant,
  limit: number,
  handle: Handle,
  written: string[],
): Promise<PortionResult> {
  const { clock_at: clockAt, clock_target: target } = project;
  const dueBy = target ?? clockAt ?? formatInstant(now);
  const processes = await claimDueProcesses(transaction, project.id, dueBy, limit);
  if (processes.length === 0) {
    if (target === null) return 'idle';
    return (await finishClock(transaction, project.id)) ? 'worked' : 'blocked';
  }
  const claimed = processes.map(({ id }) => id);
  // What others work on, or was not claimed, may come before what follows here.
  const horizon = clockAt === null ? dueBy : ((await nextDueBeside(transaction, project.id, claimed, dueBy)) ?? dueBy);
  const gateway = gateways[project.mode];
  const lives = await loadLives(transaction, project.id, processes, gateway.transport);
  const last = await handle(
    transaction,
    project.id,
    lives,
    { gateway, mintUuid },
    {
      horizon,
      now: clockAt === null ? now : null,
      maxSteps: BATCH_STEPS,
      onBroken: (life, error) =>
        log.error({ err: error, process: formatId('mpr', life.processId) }, 'a market process failed and was parked'),
    },
  );
  if (last === null) return 'blocked';
  await saveLives(transaction, project.id, lives);
  written.push(...lives.flatMap(({ events }) => events.map(({ type }) => type)));
  if (clockAt !== null && last > clockAt) await moveClock(transaction, project.id, last);
  // What has just been signed up has no hour to keep yet.
  return processes.every(({ memory }) => memory === null) ? 'deferrable' : 'worked';
}
