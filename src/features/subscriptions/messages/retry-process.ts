import { parseId } from '#domain/identifiers.ts';
import { takeUpAgain } from '../supply/life.ts';
import { inProject, onSubscription, OPERATOR, seenMessages, type OperatorDependencies } from './on-subscription.ts';
import { seenSubscription, type Refusal, type SeenMessage, type SeenSubscription } from './outcome.ts';

/** What became of `retryProcess`. */
export interface Retrial {
  readonly kind: 'retried';
  /** Our messages that came of it. */
  readonly sent: readonly SeenMessage[];
  readonly subscription: SeenSubscription;
}

/** An operator has cleared something up: the step that waits for him is taken again. */
export function retryProcess(
  dependencies: OperatorDependencies,
  input: { readonly project: string; readonly subscription: string },
): Promise<Retrial | Refusal> {
  return inProject(dependencies, input.project, async (transaction, projectId) => {
    const subscriptionId = parseId('sub', input.subscription);
    if (subscriptionId === null) return { kind: 'subscription_not_found' };
    const retried = await onSubscription(
      dependencies,
      transaction,
      projectId,
      subscriptionId,
      { operation: 'market retry' },
      async (change) => {
        const { life, now, tools } = change;
        const known = life.messages.length;
        if (takeUpAgain(life, now, tools, OPERATOR).kind !== 'done') return { kind: 'nothing_to_retry' };
        const sent = life.messages.slice(known).map(({ id }) => id);
        return { kind: 'retried', sent, subscription: seenSubscription(life.row) } as const;
      },
    );
    if (retried.kind !== 'retried') return retried;
    return { ...retried, sent: await seenMessages(transaction, projectId, retried.sent) };
  });
}
