import { takeStep } from '../supply/life.ts';
import {
  inProject,
  onSubscription,
  OPERATOR,
  ourMessage,
  seenMessages,
  type OperatorDependencies,
} from './on-subscription.ts';
import { seenSubscription, type Refusal, type SeenMessage, type SeenSubscription } from './outcome.ts';
import { readMessages } from './store.ts';

/** What became of `markTransmitted`. */
export interface Transmission {
  readonly kind: 'transmitted' | 'already_transmitted';
  readonly message: SeenMessage;
  readonly subscription: SeenSubscription;
}

/** An operator has handed a waiting message to the partner, whose time runs from now; also after the supply has ended. */
export function markTransmitted(
  dependencies: OperatorDependencies,
  input: { readonly project: string; readonly message: string },
): Promise<Transmission | Refusal> {
  return inProject(dependencies, input.project, async (transaction, projectId) => {
    const asked = await ourMessage(transaction, projectId, input.message);
    if (!('id' in asked)) return asked;
    const { document_number: documentNumber, subscription_id: subscriptionId } = asked;
    const marked = await onSubscription(
      dependencies,
      transaction,
      projectId,
      subscriptionId,
      { operation: 'market transmitted' },
      async (change) => {
        const { life, now, tools } = change;
        // Its place among what waits, and not its row, says how it stands: the time up to now has passed just before.
        const isWaiting = life.memory.supply.untransmitted.includes(documentNumber);
        // Since it was looked up somebody else may have said so, whom this has waited for.
        const [present] = isWaiting ? [] : await readMessages(transaction, projectId, [asked.id]);
        if (!isWaiting && present?.state !== 'transmitted') return { kind: 'obsolete' };
        const details = { cause: OPERATOR };
        if (isWaiting) takeStep(life, { type: 'transmitted', documentNumber }, now, tools, details);
        const kind = isWaiting ? 'transmitted' : 'already_transmitted';
        return { kind, subscription: seenSubscription(life.row) } as const;
      },
    );
    if (!('subscription' in marked)) return marked;
    const [message] = await seenMessages(transaction, projectId, [asked.id]);
    if (message === undefined) throw new Error('a message that was transmitted is not kept');
    return { ...marked, message };
  });
}
