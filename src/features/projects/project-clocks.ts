import type { Database, Queryable } from '#platform/database/pool.ts';
import type { Caller } from '#platform/http/contract.ts';
import { wholeSecond, type Clock } from '#platform/clock.ts';
import { createShortCache } from '#platform/short-cache.ts';
import { readProjectTime, type ProjectTime } from './store.ts';

/** A project's present, in whole seconds: where its own clock stands, or else wall time. */
export function presentOf(project: Pick<ProjectTime, 'clock_at'>, clock: Clock): Temporal.Instant {
  return wholeSecond(precisePresentOf(project, clock));
}

/** The same, finer than a second where it goes with wall time: ids keep the order of creation. */
export function precisePresentOf({ clock_at: clockAt }: Pick<ProjectTime, 'clock_at'>, clock: Clock): Temporal.Instant {
  return clockAt === null ? clock.now() : Temporal.Instant.from(clockAt);
}

/** The same as `precisePresentOf`, as it is written. */
export async function readPresent(
  { clock }: { readonly clock: Clock },
  queryable: Queryable,
  projectId: string,
): Promise<Temporal.Instant> {
  const project = await readProjectTime(queryable, projectId);
  if (project === undefined) throw new Error('a caller has a project');
  return precisePresentOf(project, clock);
}

/** A project's present, as a request goes by it. */
export interface ProjectPresent {
  readonly now: Temporal.Instant;
  /** Where the project's own clock stands; null: it goes with wall time. */
  readonly clockAt: string | null;
}

/** The present of projects: wall time, but for sandbox projects with a clock of their own. */
export interface ProjectClocks {
  /** May be up to a second behind an advance of the clock in another process: what is written checks it. */
  read(caller: Pick<Caller, 'projectId' | 'mode'>): Promise<ProjectPresent>;
  /** The next reading looks again. */
  forget(projectId: string): void;
  /** Whether a clock stands elsewhere than when it was read: what was refused by that is to be judged anew. */
  hasMoved(caller: Pick<Caller, 'projectId' | 'mode'>, since: ProjectPresent): Promise<boolean>;
}

const LIFETIME_MS = 1_000;
const MAX_PROJECTS = 10_000;

/** Remembers clocks between requests. */
export function createProjectClocks(database: Database, clock: Clock): ProjectClocks {
  const cache = createShortCache<{ readonly clockAt: string | null }>(LIFETIME_MS, MAX_PROJECTS);
  const clocks: ProjectClocks = {
    async read({ projectId, mode }) {
      // A live project has no other time.
      const known =
        mode === 'live'
          ? null
          : await cache.find(projectId, async () => ({
              clockAt: (await readProjectTime(database, projectId))?.clock_at ?? null,
            }));
      const clockAt = known?.clockAt ?? null;
      return { now: precisePresentOf({ clock_at: clockAt }, clock), clockAt };
    },
    forget: (projectId) => cache.forget(projectId),
    async hasMoved(caller, { clockAt }) {
      clocks.forget(caller.projectId);
      return (await clocks.read(caller)).clockAt !== clockAt;
    },
  };
  return clocks;
}
