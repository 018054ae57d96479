import { formatInstant, wholeSecond } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import { DatabaseUnavailable, sqlState, UNIQUE_VIOLATION } from '#platform/database/errors.ts';
import { type Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { once, type Changing } from '#platform/http/idempotency.ts';
import { named, requireMatch } from '#platform/http/named.ts';
import { holdProjectTime, precisePresentOf } from '../../projects/index.ts';
import { presentSubscription, subscriptionTag } from '../present.ts';
import type { Cause, Life, LifeTools } from './life.ts';
import { loadLives, saveLives, toldBy } from './load.ts';
import { happensAt, playUntil } from './play.ts';
import type { SupplyDependencies } from './reconcile.ts';
import { lockProcess } from './store.ts';

/** What changing a subscription needs. */
export interface ChangeDependencies extends SupplyDependencies {
  readonly keys: Keys;
  /** Called after a commit that may have left something due. */
  readonly wake: () => void;
}

/** A subscription that a caller changes, brought up to the project's present. */
export interface Change {
  readonly transaction: Transaction;
  readonly projectId: string;
  readonly life: Life;
  /** The project's time. */
  readonly now: Temporal.Instant;
  /** The same, as finely as the clock tells it: ids keep the order of creation. */
  readonly preciseNow: Temporal.Instant;
  readonly tools: LifeTools;
}

/**
 * Locks one subscription, lets everything happen that is due by now, and changes it, all in one commit.
 * @returns what `change` answers, or `undefined` when the project has no such subscription
 */
export async function changeLife<Result>(
  { clock, gateways, mintUuid }: SupplyDependencies,
  transaction: Transaction,
  projectId: string,
  subscriptionId: string,
  change: (change: Change) => Promise<Result>,
): Promise<Result | undefined> {
  const process = await lockProcess(transaction, projectId, subscriptionId);
  const project = await holdProjectTime(transaction, projectId);
  if (process === undefined || project === undefined) return undefined;
  const gateway = gateways[project.mode];
  const tools = { gateway, mintUuid };
  const lives = await loadLives(transaction, projectId, [process], gateway.transport);
  const [life] = lives;
  if (life === undefined) return undefined;
  // One reading for both: an id tells the very second in which what it names was created.
  const preciseNow = precisePresentOf(project, clock);
  const now = wholeSecond(preciseNow);
  await playUntil(transaction, projectId, lives, tools, {
    horizon: formatInstant(now),
    now: happensAt(project, now),
    maxSteps: Infinity,
    onBroken: (_, error) => {
      throw error;
    },
  });
  const isClaiming = claimsLocation(life);
  const result = await change({ transaction, projectId, life, now, preciseNow, tools });
  await saveLives(transaction, projectId, lives, mintUuid).catch((error: unknown) => {
    throw isClaiming && sqlState(error) === UNIQUE_VIOLATION ? new Overtaken('it came first', { cause: error }) : error;
  });
  return result;
}

/** What was due of a life came first, and lost its market location to another one in this moment, which is seen next time. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** How often a change is tried in all. */
const ATTEMPTS = 3;

/**
 * Tries a change again when it was overtaken: nothing is known yet of what becomes of it, and all that it wrote has been
 * taken back. @throws DatabaseError, of `UNIQUE_VIOLATION`, when it always was
 */
export async function againWhenOvertaken<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (attempts === ATTEMPTS) throw error.cause;
    }
  }
}

/** The error of a change that claims no place of supply itself. */
export function retryLater(error: unknown): unknown {
  return sqlState(error) === UNIQUE_VIOLATION
    ? new DatabaseUnavailable('somebody else was faster', { cause: error })
    : error;
}

/**
 * Lets everything happen to a subscription that is due by now, in a commit of its own; answers whether anything was.
 * @throws DatabaseUnavailable when somebody else always was faster
 */
export async function catchUp(
  dependencies: SupplyDependencies & Partial<Pick<ChangeDependencies, 'wake'>>,
  projectId: string,
  subscriptionId: string,
): Promise<boolean> {
  const { database, countEvents, wake } = dependencies;
  const attempt = (): Promise<Life | undefined> =>
    database.transaction((transaction) =>
      changeLife(dependencies, transaction, projectId, subscriptionId, async ({ life }) => life),
    );
  const life = await againWhenOvertaken(attempt).catch((error: unknown) => {
    throw retryLater(error);
  });
  if (life?.isTouched !== true) return false;
  countEvents(toldBy(life));
  wake?.();
  return true;
}

/** How a request changes lives. */
interface ChangingLives {
  /**
   * May be called again, when all that it wrote has been taken back.
   * @param told takes the types of the events that it writes
   */
  readonly effect: (transaction: Transaction, told: string[]) => Promise<Answer>;
  /** What is thrown in the place of an error; absent: `retryLater`. */
  readonly failed?: ((error: unknown) => unknown) | undefined;
  /** As of `once`. */
  readonly resource?: string | undefined;
}

/** A request that changes lives, once for its key, in one commit; tried again when it was overtaken. @throws Problem */
export async function changeOnce(
  dependencies: ChangeDependencies,
  request: Changing,
  { effect, failed = retryLater, resource }: ChangingLives,
): Promise<Answer> {
  let told: string[] = [];
  const attempt = (): Promise<Answer> => {
    told = [];
    return once(dependencies, request, (transaction) => effect(transaction, told), resource);
  };
  const answer = await againWhenOvertaken(attempt).catch((error: unknown) => {
    throw failed(error);
  });
  dependencies.countEvents(told);
  dependencies.wake();
  return answer;
}

/**
 * A request that changes a subscription; answers it as it stands then.
 * @param change as `effect` of `changeOnce`
 * @param failed what is thrown in the place of an error
 * @throws Problem
 */
export function handleChange<Body>(
  dependencies: ChangeDependencies,
  request: Request<Body>,
  change: (change: Change, cause: Cause, told: string[]) => Promise<void>,
  failed?: (error: unknown) => unknown,
): Promise<Answer> {
  const { projectId, credentialId } = request.caller;
  const cause: Cause = { requestId: request.id, credentialId };
  const effect: ChangingLives['effect'] = async (transaction, told) => {
    const shown = await named(request, 'sub', (id) =>
      changeLife(dependencies, transaction, projectId, id, async (found) => {
        // What is due, and happens before the change, nobody has been shown yet.
        requireMatch(request, show(found.life.stored).tag);
        await change(found, cause, told);
        told.push(...toldBy(found.life));
        return show(found.life.row);
      }),
    );
    return { status: 200, body: shown.body, headers: { etag: shown.tag } };
  };
  return changeOnce(dependencies, request, { effect, failed });
}

/** Whether a step that a life has taken gives it a market location. */
function claimsLocation({ stored, rows }: Life): boolean {
  return rows.some(({ malo }) => malo !== null && malo !== stored.malo);
}

function show(row: Life['row']): { readonly body: string; readonly tag: string } {
  const body = presentSubscription(row);
  return { body, tag: subscriptionTag(row.event_sequence, body) };
}
