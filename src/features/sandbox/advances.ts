import { setTimeout as sleep } from 'node:timers/promises';
import { forNobody } from '#platform/deadline.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { Problem, problems, RETRY_SOON } from '#platform/http/problems.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import type { Traffic } from '#platform/reconcile/traffic.ts';
import { readProjectTime } from '../projects/index.ts';

/** What the advances of clocks need. */
export interface AdvanceDependencies {
  readonly database: Queryable;
  /** Does some of what is due in a project. */
  readonly workOn: (projectId: string) => Promise<PortionResult>;
  /** Other requests. */
  readonly traffic: Traffic;
  /** To be called when a project's clock has moved, so that this process knows at once. */
  readonly forgetClock: (projectId: string) => void;
  /** Aborted when the service stops and has waited for long enough for what is on its way. */
  readonly stopped: AbortSignal;
}

/** The advances of clocks that somebody waits for. */
export interface Advances {
  /**
   * Resolves when the project's clock has got to an instant and nothing is due by it any more.
   *
   * @throws Problem service_unavailable when the service stops before, or the one who waits has gone, or has closed his side
   * of the connection, as if he had; the background work, or that of the next process, goes on with the advance
   */
  reach(projectId: string, target: string, isAbandoned: () => boolean): Promise<void>;
}

/** Somebody who waits for a clock. */
interface Waiting {
  readonly target: string;
  readonly isAbandoned: () => boolean;
  readonly ended: PromiseWithResolvers<void>;
}

const BLOCKED_MS = 5;
const PLENTY_MS = 200;
const STOPPED = 'The service stops; the clock goes on to where it was sent when it has started again.';
const LEFT = 'The connection is closed on the side of the client; the clock goes on to where it was sent.';

/**
 * Works on a project for as long as anybody waits for its clock, one for all of them: a client who gives up and asks again
 * is no more work than one who waits.
 */
export function createAdvances({ database, workOn, traffic, forgetClock, stopped }: AdvanceDependencies): Advances {
  const projects = new Map<string, Set<Waiting>>();

  /** Some of the work, and whoever was waiting before and has what he waited for. */
  const workFor = async (projectId: string, waiting: readonly Waiting[]): Promise<readonly Waiting[]> => {
    if (stopped.aborted) throw new Problem(problems.service_unavailable, STOPPED, [], RETRY_SOON);
    const result = await workOn(projectId);
    forgetClock(projectId);
    const clock = await readProjectTime(database, projectId);
    if (clock === undefined || clock.clock_target === null) return waiting;
    const reached = waiting.filter(({ target }) => clock.clock_at !== null && clock.clock_at > target);
    if (reached.length > 0) return reached;
    if (result === 'blocked') await sleep(BLOCKED_MS);
    // The background work goes on with it, in its measure.
    else if (result === 'plenty' && traffic.isVisited()) await sleep(PLENTY_MS);
    return [];
  };

  const goOn = async (projectId: string, waiting: Set<Waiting>): Promise<void> => {
    while (waiting.size > 0) {
      const asked = [...waiting];
      for (const each of asked) {
        if (!each.isAbandoned()) continue;
        waiting.delete(each);
        each.ended.reject(new Problem(problems.service_unavailable, LEFT, [], RETRY_SOON));
      }
      if (waiting.size === 0) break;
      try {
        for (const each of await workFor(projectId, [...waiting])) {
          waiting.delete(each);
          each.ended.resolve();
        }
      } catch (error) {
        for (const each of asked) {
          waiting.delete(each);
          each.ended.reject(error);
        }
      }
    }
    projects.delete(projectId);
  };

  return {
    reach(projectId, target, isAbandoned) {
      const waiting = projects.get(projectId) ?? new Set<Waiting>();
      const ended = Promise.withResolvers<void>();
      waiting.add({ target, isAbandoned, ended });
      if (!projects.has(projectId)) {
        projects.set(projectId, waiting);
        forNobody(() => void goOn(projectId, waiting));
      }
      return ended.promise;
    },
  };
}
