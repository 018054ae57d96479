/** What every command of an operator about one subscription has in common: its life is locked, changed and written. */
import { formatId, parseId } from '#domain/identifiers.ts';
import type { Keys } from '#platform/crypto.ts';
import { auditOperator } from '#platform/database/audit.ts';
import { sqlState, UNIQUE_VIOLATION } from '#platform/database/errors.ts';
import { type Queryable, type Transaction } from '#platform/database/pool.ts';
import { readProjectTime } from '../../projects/index.ts';
import { againWhenOvertaken, changeLife, type Change } from '../supply/change.ts';
import type { Cause } from '../supply/life.ts';
import type { SupplyDependencies } from '../supply/reconcile.ts';
import type { MessageRow } from '../supply/traces.ts';
import { seenMessage, type Refusal, type SeenMessage } from './outcome.ts';
import { readMessages } from './store.ts';

/** Without a request and a credential it is an operator. */
export const OPERATOR: Cause = { requestId: null, credentialId: null };

/** What changing a subscription at the command line needs. */
export type OperatorDependencies = SupplyDependencies & { readonly keys: Keys };

/** A command as the audit log calls it, and what it changes when that is not the subscription itself. */
interface Command {
  readonly operation: string;
  readonly resource?: string;
}

/** The uuid of the project that a command names; null when there is none. */
export async function findProject(queryable: Queryable, project: string): Promise<string | null> {
  const id = parseId('prj', project);
  return id === null || (await readProjectTime(queryable, id)) === undefined ? null : id;
}

/** Runs a command in one commit; a market location that somebody else has taken meanwhile is a refusal. */
export async function inProject<Result>(
  { database }: SupplyDependencies,
  project: string,
  work: (transaction: Transaction, projectId: string) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const attempt = (): Promise<Result | Refusal> =>
    database.transaction(async (transaction) => {
      const projectId = await findProject(transaction, project);
      return projectId === null ? ({ kind: 'project_not_found' } as const) : work(transaction, projectId);
    });
  return againWhenOvertaken(attempt).catch((error: unknown) => {
    if (sqlState(error) === UNIQUE_VIOLATION) return { kind: 'market_location_taken' } as const;
    throw error;
  });
}

/** Changes the life of a subscription that may not exist. */
export async function onSubscription<Result>(
  dependencies: OperatorDependencies,
  transaction: Transaction,
  projectId: string,
  subscriptionId: string,
  command: Command,
  change: (change: Change) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const result = await changeLife(dependencies, transaction, projectId, subscriptionId, async (found) => {
    const before = found.life.memory;
    const changed = await change(found);
    if (found.life.memory !== before) {
      const { operation, resource = formatId('sub', subscriptionId) } = command;
      await auditOperator(transaction, dependencies, { projectId, operation, resource });
    }
    return changed;
  });
  return result ?? { kind: 'subscription_not_found' };
}

/** A message of ours, by its id. */
export async function ourMessage(
  transaction: Transaction,
  projectId: string,
  message: string,
): Promise<MessageRow | Extract<Refusal, { kind: 'message_not_found' | 'not_our_message' }>> {
  const id = parseId('msg', message);
  const [row] = id === null ? [] : await readMessages(transaction, projectId, [id]);
  if (row === undefined) return { kind: 'message_not_found' };
  return row.direction === 'out' ? row : { kind: 'not_our_message' };
}

/** Messages as they stand once a life is written, oldest first. */
export async function seenMessages(
  transaction: Transaction,
  projectId: string,
  ids: readonly string[],
): Promise<SeenMessage[]> {
  return (await readMessages(transaction, projectId, ids)).map(seenMessage);
}
