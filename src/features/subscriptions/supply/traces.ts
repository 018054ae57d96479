/** What a step of a life leaves behind, as rows. */
import { identifierOf, MESSAGE_TYPES, type InboundMessage, type MarketMessage } from '#domain/market/messages.ts';
import type { SupplyEvent } from '#domain/market/state.ts';
import type { Decision } from '#domain/market/supply.ts';
import type { SubscriptionEventType } from '#domain/subscription/lifecycle.ts';
import { formatInstant } from '#platform/clock.ts';
import type { MintUuid } from '#platform/uuid.ts';

/** A message as it is stored; instants as `YYYY-MM-DDThh:mm:ssZ`. */
export interface MessageRow {
  readonly id: string;
  readonly subscription_id: string;
  readonly revision: number;
  readonly direction: 'in' | 'out';
  readonly kind: string;
  readonly identifier: string;
  readonly partner: string;
  readonly document_number: string;
  readonly process_number: string;
  readonly answers: string | null;
  /** JSON text. */
  readonly contents: string;
  state: MessageState;
  readonly occurred_at: string;
  transmitted_at: string | null;
}

/** Every state of a message: ours wait, are transmitted or obsolete, those of partners received or ignored. */
export const MESSAGE_STATES = ['waiting', 'transmitted', 'obsolete', 'received', 'ignored'] as const;
/** What has become of a message. */
export type MessageState = (typeof MESSAGE_STATES)[number];

/** Who makes a step happen: a caller of the API, an operator, a partner's message, or the passing of time. */
export type CausedBy = 'api' | 'operator' | 'market' | 'time';

/** Whose doing a step is; without a credential it is an operator's, without a cause the market's or the time's. */
export function causedBy({
  cause,
  isFromMarket,
}: {
  readonly cause?: { readonly credentialId: string | null };
  readonly isFromMarket?: boolean;
}): CausedBy {
  if (cause === undefined) return isFromMarket === true ? 'market' : 'time';
  return cause.credentialId === null ? 'operator' : 'api';
}

/** An event as it is stored; `data` is JSON text. */
export interface EventRow {
  readonly id: string;
  readonly subscription_id: string;
  readonly revision: number;
  readonly sequence: number;
  readonly type: SubscriptionEventType;
  readonly occurred_at: string;
  readonly request_id: string | null;
  readonly caused_by: CausedBy;
  readonly credential_id: string | null;
  readonly data: string;
}

/** A message stored earlier that has left `waiting`. */
export interface MarkedMessage {
  readonly subscription_id: string;
  readonly document_number: string;
  readonly state: MessageState;
  readonly at: string;
}

/** Notes what has become of a message stored earlier; of several notes the last counts. */
export function note(marked: MarkedMessage[], mark: MarkedMessage): void {
  const earlier = marked.findIndex((each) => each.document_number === mark.document_number);
  marked.splice(earlier < 0 ? marked.length : earlier, 1, mark);
}

/** Whose step it is, and when. */
export interface StepHead {
  readonly subscriptionId: string;
  readonly revision: number;
  readonly now: Temporal.Instant;
  readonly mintUuid: MintUuid;
}

/** A message of one step, as far as it is the same in both directions. */
export function messageRow(
  message: MarketMessage,
  { subscriptionId, revision, now, mintUuid }: StepHead,
): Omit<MessageRow, 'direction' | 'state' | 'transmitted_at'> {
  const { kind, documentNumber, processNumber, answers, ...contents } = message;
  const { replaces: _, ...said } = contents as typeof contents & { replaces?: unknown };
  return {
    id: mintUuid(now),
    subscription_id: subscriptionId,
    revision,
    kind,
    identifier: identifierOf(message),
    partner: MESSAGE_TYPES[kind].partner,
    document_number: documentNumber,
    process_number: processNumber,
    answers,
    contents: JSON.stringify(said),
    occurred_at: formatInstant(now),
  };
}

/** A message received, and whether it meant anything. */
export function inboundRow(message: InboundMessage, { outcome }: Decision, head: StepHead): MessageRow {
  return {
    ...messageRow(message, head),
    direction: 'in',
    state: outcome.kind === 'ignored' && outcome.reason !== 'no_change' ? 'ignored' : 'received',
    transmitted_at: null,
  };
}

/** What is told of a step: what the machine tells, that something was edited, and that a parked process is taken up. */
export function eventsOfStep(decision: Decision, isEdited: boolean, isTakenUp: boolean): readonly SupplyEvent[] {
  const isAction = ({ type }: SupplyEvent): boolean => type.startsWith('subscription.action_');
  const resolved = decision.events.filter(({ type }) => type === 'subscription.action_resolved');
  const required = decision.events.filter(({ type }) => type === 'subscription.action_required');
  const main = decision.events.filter((event) => !isAction(event));
  return [
    ...(isTakenUp && resolved.length === 0
      ? [{ type: 'subscription.action_resolved', reason: null } as const]
      : resolved),
    ...(isEdited && main.length === 0 ? [{ type: 'subscription.updated', reason: null } as const] : main),
    ...required,
  ];
}

/** What an edit names, and the market location that it makes unknown by correcting the place; undefined of no edit. */
export function fieldsOfEdit(
  named: readonly string[] | undefined,
  before: { readonly malo: string | null },
  after: { readonly malo: string | null },
): readonly string[] | undefined {
  return named !== undefined && before.malo !== null && after.malo === null ? [...named, '/meter/malo'] : named;
}
