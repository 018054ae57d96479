/** What an operator's commands about the messages of the market answer. */
import { formatId } from '#domain/identifiers.ts';
import type { InboundError } from '#domain/market/inbound.ts';
import { MESSAGE_TYPES, type InboundKind, type MessageKind } from '#domain/market/messages.ts';
import type { Outcome } from '#domain/market/state.ts';
import type { MessageRow, MessageState } from '../supply/traces.ts';
import type { LifeRow } from '../supply/life.ts';

/** A message as an operator is shown it. */
export interface SeenMessage {
  readonly object: 'market_message';
  /** `msg_…` */
  readonly id: string;
  /** `sub_…` */
  readonly subscription: string;
  readonly direction: 'in' | 'out';
  readonly kind: MessageKind;
  /** The PID, or the operation of the REST API. */
  readonly identifier: string;
  readonly format: string;
  /** What it is called in German. */
  readonly name: string;
  readonly partner: string;
  readonly document_number: string;
  readonly process_number: string;
  readonly answers: string | null;
  readonly state: MessageState;
  readonly contents: Readonly<Record<string, unknown>>;
  /** When it was written or received, in the project's time. */
  readonly occurred_at: string;
  readonly transmitted_at: string | null;
}

/** Where a subscription stands after a command. */
export interface SeenSubscription {
  readonly object: 'subscription';
  /** `sub_…` */
  readonly id: string;
  readonly status: string;
  readonly stage: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly next_action: Readonly<Record<string, unknown>> | null;
}

/** Why nothing was done; each is a tag, and the words are for whoever asks. */
export type Refusal =
  | { readonly kind: 'project_not_found' }
  | { readonly kind: 'subscription_not_found' }
  | { readonly kind: 'message_not_found' }
  /** The message came from a partner, and can be neither transmitted nor answered by him. */
  | { readonly kind: 'not_our_message' }
  /** The message is answered by other kinds than the one given. */
  | { readonly kind: 'answers_another_message'; readonly asked: MessageKind; readonly possible: readonly InboundKind[] }
  | { readonly kind: 'invalid'; readonly errors: readonly InboundError[] }
  /** The number of the document, or of the process, is none. */
  | { readonly kind: 'invalid_number'; readonly which: 'document' | 'process' }
  /** Under this number something else was received before. */
  | { readonly kind: 'recorded_differently'; readonly recorded: SeenMessage }
  /** The message need no longer be sent: its question was closed, or another replaces it. */
  | { readonly kind: 'obsolete' }
  | { readonly kind: 'market_location_taken' }
  /** It would be answered that the market location is not ours, which another subscription has: `sub_…`. */
  | { readonly kind: 'market_location_of_another'; readonly subscription: string }
  | { readonly kind: 'nothing_to_retry' }
  /** It has ended, or the grid operator has confirmed it, or still may. */
  | { readonly kind: 'cannot_be_given_up' }
  /** The grid operator has confirmed none that we had not promised, or not for this market location. */
  | { readonly kind: 'no_start_to_accept' };

/** What came of a message that was recorded. */
export interface Recording {
  /** Whether it was new; what was recorded before changes nothing. */
  readonly kind: 'recorded' | 'already_recorded';
  readonly message: SeenMessage;
  /** What the machine made of it; null when it was recorded before. */
  readonly outcome: Outcome | null;
  /** Our messages that came of it. */
  readonly sent: readonly SeenMessage[];
  readonly subscription: SeenSubscription;
}

/** A stored message as an operator is shown it. */
export function seenMessage(row: MessageRow): SeenMessage {
  const kind = row.kind as MessageKind;
  const { format, germanName } = MESSAGE_TYPES[kind];
  return {
    object: 'market_message',
    id: formatId('msg', row.id),
    subscription: formatId('sub', row.subscription_id),
    direction: row.direction,
    kind,
    identifier: row.identifier,
    format,
    name: germanName,
    partner: row.partner,
    document_number: row.document_number,
    process_number: row.process_number,
    answers: row.answers,
    state: row.state,
    contents: JSON.parse(row.contents) as Record<string, unknown>,
    occurred_at: row.occurred_at,
    transmitted_at: row.transmitted_at,
  };
}

/** A subscription as an operator is shown it after a command. */
export function seenSubscription(row: LifeRow): SeenSubscription {
  return {
    object: 'subscription',
    id: formatId('sub', row.id),
    status: row.status,
    stage: row.stage,
    start_at: row.start_at,
    end_at: row.end_at,
    next_action: row.next_action === null ? null : (JSON.parse(row.next_action) as Record<string, unknown>),
  };
}
