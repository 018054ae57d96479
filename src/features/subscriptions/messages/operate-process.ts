import { parseId } from '#domain/identifiers.ts';
import type { SupplyInput } from '#domain/market/supply.ts';
import { stepOfOperator, takeUpAgain } from '../supply/life.ts';
import { inProject, onSubscription, OPERATOR, seenMessages, type OperatorDependencies } from './on-subscription.ts';
import { seenSubscription, type Refusal, type SeenMessage, type SeenSubscription } from './outcome.ts';

/** What became of an operator's step. */
export interface Operation {
  readonly kind: 'operated';
  /** Our messages that came of it. */
  readonly sent: readonly SeenMessage[];
  readonly subscription: SeenSubscription;
}

/** A subscription as a command names it, by `prj_…` and `sub_…`. */
interface Named {
  readonly project: string;
  readonly subscription: string;
}

/** An operator has cleared something up: the step that waits for him is taken again. */
export function retryProcess(dependencies: OperatorDependencies, named: Named): Promise<Operation | Refusal> {
  return operate(dependencies, named, 'market retry', takeUpAgain, { kind: 'nothing_to_retry' });
}

/** An operator ends a sign-up that waits for somebody in vain. */
export function giveUpProcess(dependencies: OperatorDependencies, named: Named): Promise<Operation | Refusal> {
  return operate(dependencies, named, 'market give-up', stepWith({ type: 'given_up' }), { kind: 'cannot_be_given_up' });
}

/** An operator has heard from the grid operator that a start stands which we had not promised. */
export function acceptStart(dependencies: OperatorDependencies, named: Named): Promise<Operation | Refusal> {
  const refusal = { kind: 'no_start_to_accept' } as const;
  return operate(dependencies, named, 'market accept-start', stepWith({ type: 'start_accepted' }), refusal);
}

type Step = typeof takeUpAgain;

function stepWith(input: SupplyInput): Step {
  return (life, now, tools, cause) => stepOfOperator(life, input, now, tools, cause);
}

function operate(
  dependencies: OperatorDependencies,
  named: Named,
  operation: string,
  step: Step,
  refusal: Refusal,
): Promise<Operation | Refusal> {
  return inProject(dependencies, named.project, async (transaction, projectId) => {
    const subscriptionId = parseId('sub', named.subscription);
    if (subscriptionId === null) return { kind: 'subscription_not_found' };
    const operated = await onSubscription(
      dependencies,
      transaction,
      projectId,
      subscriptionId,
      { operation },
      async ({ life, now, tools }) => {
        const known = life.messages.length;
        if (step(life, now, tools, OPERATOR).kind !== 'done') return refusal;
        const sent = life.messages.slice(known).map(({ id }) => id);
        return { kind: 'operated', sent, subscription: seenSubscription(life.row) } as const;
      },
    );
    if (operated.kind !== 'operated') return operated;
    return { ...operated, sent: await seenMessages(transaction, projectId, operated.sent) };
  });
}
