import { formatInstant, wholeSecond } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import { DatabaseUnavailable, sqlState, UNIQUE_VIOLATION, type Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { once } from '#platform/http/idempotency.ts';
import { named, requireMatch } from '#platform/http/named.ts';
import { precisePresentOf, readProjectTime } from '../../projects/index.ts';
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
  const project = await readProjectTime(transaction, projectId);
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
  const result = await change({ transaction, projectId, life, now, preciseNow, tools });
  await saveLives(transaction, projectId, lives, mintUuid);
  return result;
}

/**
 * The error of a change that claims no place of supply itself: what is due of the life came first, and lost its market
 * location to another one in this moment, which is seen next time.
 */
export function overtaken(error: unknown): unknown {
  return sqlState(error) === UNIQUE_VIOLATION
    ? new DatabaseUnavailable('somebody else was faster', { cause: error })
    : error;
}

/** So often a request is tried in all whose subscription loses a market location in this moment. */
const ATTEMPTS = 3;

/**
 * A request that changes a subscription; answers it as it stands then. Where what is due of the life loses its market location
 * to another one in this moment, the request is tried again: nothing is known yet of what becomes of its own change.
 * @param change may be called again, when all that it wrote has been taken back
 * @param failed what is thrown in the place of an error
 * @throws Problem
 */
export async function handleChange<Body>(
  dependencies: ChangeDependencies,
  request: Request<Body>,
  change: (change: Change, cause: Cause) => Promise<void>,
  failed: (error: unknown) => unknown = overtaken,
): Promise<Answer> {
  const { projectId, credentialId } = request.caller;
  const cause: Cause = { requestId: request.id, credentialId };
  for (let attempt = 1; ; attempt += 1) {
    const written: string[] = [];
    let isClaiming = false;
    try {
      const answer = await once(dependencies, request, async (transaction) => {
        const shown = await named(request, 'sub', (id) =>
          changeLife(dependencies, transaction, projectId, id, async (found) => {
            isClaiming = claimsLocation(found.life);
            // What is due, and happens before the change, nobody has been shown yet.
            requireMatch(request, show(found.life.stored).tag);
            await change(found, cause);
            written.push(...toldBy(found.life));
            return show(found.life.row);
          }),
        );
        return { status: 200, body: shown.body, headers: { etag: shown.tag } };
      });
      dependencies.countEvents(written);
      dependencies.wake();
      return answer;
    } catch (error) {
      if (!isClaiming || attempt === ATTEMPTS || sqlState(error) !== UNIQUE_VIOLATION) throw failed(error);
    }
  }
}

/** Whether a step that a life has taken gives it a market location. */
function claimsLocation({ stored, rows }: Life): boolean {
  return rows.some(({ malo }) => malo !== null && malo !== stored.malo);
}

function show(row: Life['row']): { readonly body: string; readonly tag: string } {
  const body = presentSubscription(row);
  return { body, tag: subscriptionTag(row.event_sequence, body) };
}
