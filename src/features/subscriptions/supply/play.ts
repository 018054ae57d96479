import type { InboundMessage } from '#domain/market/messages.ts';
import { heldLocations } from '#domain/market/state.ts';
import type { Queryable } from '#platform/database/pool.ts';
import type { ProjectTime } from '../../projects/index.ts';
import { firstDelivery } from './due.ts';
import { parkLife, takeDueStep, type Life, type LifeTools } from './life.ts';
import { findHolder } from './store.ts';

/** One life may take so many steps at one instant; more is a machine that does not come to rest. */
const MAX_STEPS_AT_ONCE = 100;

/** Until when lives are played, and in whose time. */
export interface Until {
  /** The last instant that may happen, `YYYY-MM-DDThh:mm:ssZ`. */
  readonly horizon: string;
  /**
   * What is due happens now. Null: each thing happens at its own instant, in the order of all lives, but never before
   * what the same life did last, whatever day an answer names.
   */
  readonly now: Temporal.Instant | null;
  /** Stops after about so many steps; what is left stays due. */
  readonly maxSteps: number;
  /** Told of a life whose machine failed, a bug: it is parked, and harms no other. */
  readonly onBroken: (life: Life, error: unknown) => void;
}

/**
 * When what is due happens. People and partners act in a live project: now is when we hear of it. A simulated market
 * answers at its own instants, also when nobody looked for days (interface.md §9), and so does all that follows.
 */
export function happensAt({ mode }: Pick<ProjectTime, 'mode'>, now: Temporal.Instant): Temporal.Instant | null {
  return mode === 'live' ? now : null;
}

/**
 * Lets everything happen that is due by the horizon, and answers the last instant of it, or null when nothing was.
 */
export async function playUntil(
  queryable: Queryable,
  projectId: string,
  lives: readonly Life[],
  tools: LifeTools,
  { horizon, now, maxSteps, onBroken }: Until,
): Promise<string | null> {
  let last: string | null = null;
  let repeated = { life: lives[0], at: '', count: 0 };
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const next = firstDue(lives, horizon);
    if (next === null) return last;
    const { life, dueAt } = next;
    repeated =
      repeated.life === life && repeated.at === dueAt
        ? { ...repeated, count: repeated.count + 1 }
        : { life, at: dueAt, count: 1 };
    const taken = await isNextTaken(queryable, projectId, life, lives);
    const { last_at: lastAt } = life.memory;
    const at = now ?? Temporal.Instant.from(lastAt > dueAt ? lastAt : dueAt);
    try {
      if (repeated.count > MAX_STEPS_AT_ONCE) throw new Error('the process does not come to rest');
      takeDueStep(life, at, tools, () => taken);
    } catch (error) {
      onBroken(life, error);
      parkLife(life, at, tools);
    }
    last = dueAt;
  }
  return last;
}

function firstDue(lives: readonly Life[], horizon: string): { readonly life: Life; readonly dueAt: string } | null {
  let first: { readonly life: Life; readonly dueAt: string } | null = null;
  for (const life of lives) {
    const { dueAt } = life;
    if (dueAt !== null && dueAt <= horizon && (first === null || dueAt < first.dueAt)) first = { life, dueAt };
  }
  return first;
}

/** Whether the market location that is found next has another open subscription, stored or among these lives. */
async function isNextTaken(
  queryable: Queryable,
  projectId: string,
  life: Life,
  lives: readonly Life[],
): Promise<boolean> {
  const message: InboundMessage | undefined = firstDelivery(life)?.message;
  if (message?.kind !== 'identification_match') return false;
  return isTaken(queryable, projectId, message.marketLocation, life, lives);
}

/** Whether a market location has an open subscription beside this life. */
export async function isTaken(
  queryable: Queryable,
  projectId: string,
  malo: string,
  life: Life,
  lives: readonly Life[],
): Promise<boolean> {
  const among = lives.some(
    (other) =>
      other !== life &&
      other.row.status !== 'ended' &&
      (other.row.malo === malo ||
        (other.memory.is_parked !== true && heldLocations(other.memory.supply).includes(malo))),
  );
  if (among) return true;
  const besides = lives.map(({ row }) => row.id);
  return (await findHolder(queryable, projectId, malo, besides)) !== null;
}
