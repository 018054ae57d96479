import { parseId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import { readSubscription } from '../store.ts';
import type { MessageState } from '../supply/traces.ts';
import { findProject } from './on-subscription.ts';
import { seenMessage, type Refusal, type SeenMessage } from './outcome.ts';
import { listMessages } from './store.ts';

/** How many messages are listed at most. */
export const MAX_LISTED_MESSAGES = 200;

/** What became of `listMarketMessages`. */
export type MessageList =
  | { readonly kind: 'listed'; readonly messages: readonly SeenMessage[]; readonly hasMore: boolean }
  | Extract<Refusal, { kind: 'project_not_found' | 'subscription_not_found' | 'message_not_found' }>;

/**
 * The messages of a project in a state, oldest first; those of ended subscriptions too, which may still wait.
 * @param asked `after`: the last message of the page before (`msg_…`), or null
 */
export async function listMarketMessages(
  { database }: { readonly database: Database },
  asked: {
    readonly project: string;
    readonly subscription: string | null;
    readonly state: MessageState;
    readonly after: string | null;
  },
): Promise<MessageList> {
  const projectId = await findProject(database, asked.project);
  if (projectId === null) return { kind: 'project_not_found' };
  const subscriptionId = asked.subscription === null ? null : parseId('sub', asked.subscription);
  if (asked.subscription !== null) {
    const known = subscriptionId === null ? undefined : await readSubscription(database, projectId, subscriptionId);
    if (known === undefined) return { kind: 'subscription_not_found' };
  }
  const after = asked.after === null ? null : parseId('msg', asked.after);
  if (asked.after !== null && after === null) return { kind: 'message_not_found' };
  const listing = { subscriptionId, state: asked.state, after };
  const rows = await listMessages(database, projectId, listing, MAX_LISTED_MESSAGES + 1);
  return {
    kind: 'listed',
    messages: rows.slice(0, MAX_LISTED_MESSAGES).map(seenMessage),
    hasMore: rows.length > MAX_LISTED_MESSAGES,
  };
}
