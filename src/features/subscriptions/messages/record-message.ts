/** Records what a partner sent: the answer to a message of ours, or something of his own accord. */
import { formatId, isMarketLocationId, parseId } from '#domain/identifiers.ts';
import { answersTo, ownNumberOf } from '#domain/market/answers.ts';
import { findSlips, isReferenceNumber, readInbound, type InboundFields } from '#domain/market/inbound.ts';
import { isNotOurs, mustSayReceipt } from '#domain/market/duties.ts';
import type { InboundKind, InboundMessage, OutboundKind } from '#domain/market/messages.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Transaction } from '#platform/database/pool.ts';
import { catchUp, type Change } from '../supply/change.ts';
import { takeStep } from '../supply/life.ts';
import { isTaken } from '../supply/play.ts';
import { findHolder } from '../supply/store.ts';
import type { MessageRow } from '../supply/traces.ts';
import {
  findProject,
  inProject,
  onSubscription,
  OPERATOR,
  ourMessage,
  seenMessages,
  type OperatorDependencies,
} from './on-subscription.ts';
import { seenMessage, seenSubscription, type Recording, type Refusal, type SeenSubscription } from './outcome.ts';
import { findReceived } from './store.ts';

/** The numbers that a partner gave his message, as far as they are known. */
interface Numbers {
  readonly documentNumber: string | null;
  readonly processNumber: string | null;
}

/** A partner's answer to a message of ours, as an operator has it before him. */
export interface AnswerInput extends Numbers {
  /** `prj_…` */
  readonly project: string;
  /** `msg_…`, the message of ours. */
  readonly message: string;
  readonly kind: InboundKind;
  readonly fields: InboundFields;
}

/** What a partner sent of his own accord. */
export interface ReceiptInput extends Numbers {
  /** `prj_…` */
  readonly project: string;
  /** `sub_…` */
  readonly subscription: string;
  readonly kind: InboundKind;
  readonly fields: InboundFields;
  readonly documentNumber: string;
}

/**
 * Records a partner's answer, which says that he was sent what it answers. Recorded once more, it changes nothing.
 */
export async function recordAnswer(
  dependencies: OperatorDependencies,
  input: AnswerInput,
): Promise<Recording | Refusal> {
  await catchUpHolder(dependencies, input);
  return inProject(dependencies, input.project, async (transaction, projectId) => {
    const asked = await ourMessage(transaction, projectId, input.message);
    if (!('id' in asked)) return asked;
    const possible = answersTo(asked.kind as OutboundKind);
    if (!possible.includes(input.kind)) {
      return { kind: 'answers_another_message', asked: asked.kind as OutboundKind, possible };
    }
    const number = ownNumberOf({ documentNumber: asked.document_number }, input.kind);
    const numbered = { ...input, documentNumber: input.documentNumber ?? number };
    return record(dependencies, transaction, projectId, asked.subscription_id, numbered, asked);
  });
}

/** Lets happen what is due of who has the market location that was found: his supply may be over, and nobody come to it yet. */
async function catchUpHolder(
  dependencies: OperatorDependencies,
  { project, kind, fields: { marketLocation } }: AnswerInput,
): Promise<void> {
  if (kind !== 'identification_match' || marketLocation === undefined || !isMarketLocationId(marketLocation)) return;
  const projectId = await findProject(dependencies.database, project);
  if (projectId === null) return;
  const holder = await findHolder(dependencies.database, projectId, marketLocation, []);
  if (holder !== null) await catchUp(dependencies, projectId, holder);
}

/** Records what a partner sent of his own accord; the machine answers him at once. */
export function receiveMessage(dependencies: OperatorDependencies, input: ReceiptInput): Promise<Recording | Refusal> {
  return inProject(dependencies, input.project, async (transaction, projectId) => {
    const subscriptionId = parseId('sub', input.subscription);
    if (subscriptionId === null) return { kind: 'subscription_not_found' };
    return record(dependencies, transaction, projectId, subscriptionId, input, null);
  });
}

type Numbered = Pick<ReceiptInput, 'kind' | 'fields' | 'documentNumber' | 'processNumber'>;

/** What a life made of a message. */
type Taken = Pick<Recording, 'kind' | 'outcome'> & {
  readonly subscription: SeenSubscription;
  readonly received: string;
  readonly sent: readonly string[];
};

async function record(
  dependencies: OperatorDependencies,
  transaction: Transaction,
  projectId: string,
  subscriptionId: string,
  input: Numbered,
  asked: MessageRow | null,
): Promise<Recording | Refusal> {
  if (!isReferenceNumber(input.documentNumber)) return { kind: 'invalid_number', which: 'document' };
  if (input.processNumber !== null && !isReferenceNumber(input.processNumber)) {
    return { kind: 'invalid_number', which: 'process' };
  }
  const command = { operation: asked === null ? 'market receive' : 'market answer' };
  const taken = await onSubscription<Taken>(dependencies, transaction, projectId, subscriptionId, command, (change) =>
    take(change, input, asked),
  );
  if (!('received' in taken)) return taken;
  const { kind, outcome, subscription } = taken;
  const [message] = await seenMessages(transaction, projectId, [taken.received]);
  if (message === undefined) throw new Error('a message that was received is not kept');
  const sent = await seenMessages(transaction, projectId, taken.sent);
  return { kind, message, outcome, sent, subscription };
}

async function take(change: Change, input: Numbered, asked: MessageRow | null): Promise<Taken | Refusal> {
  const { transaction, projectId, life, now, tools } = change;
  const { kind, documentNumber } = input;
  const before = await findReceived(transaction, projectId, life.row.id, documentNumber);
  const read = readInbound(kind, withDefaults(change, input, asked, before));
  if (!read.ok) return { kind: 'invalid', errors: read.errors };
  if (before !== undefined) {
    const isSame =
      before.kind === kind &&
      before.answers === (asked?.process_number ?? null) &&
      canonical(JSON.parse(before.contents)) === canonical(read.contents);
    if (!isSame) return { kind: 'recorded_differently', recorded: seenMessage(before) };
    return {
      kind: 'already_recorded',
      outcome: null,
      received: before.id,
      sent: [],
      subscription: seenSubscription(life.row),
    };
  }
  const since = Temporal.Instant.from(asked?.occurred_at ?? life.row.created_at);
  const slips = findSlips(read.contents, now, since, life.memory.supply.requestedStart);
  if (slips.length > 0) return { kind: 'invalid', errors: slips };
  const message = {
    kind,
    documentNumber,
    processNumber: input.processNumber ?? documentNumber,
    answers: asked?.process_number ?? null,
    ...read.contents,
    // The contents were read for this very kind.
  } as unknown as InboundMessage;
  // Nothing that is recorded can be taken back, and what counts as never received is silence: consent to an end (§1.4).
  if ('marketLocation' in message && isNotOurs(life.memory.supply, message)) {
    const holder = await findHolder(transaction, projectId, message.marketLocation, [life.row.id]);
    if (holder !== null) return { kind: 'market_location_of_another', subscription: formatId('sub', holder) };
  }
  if (mustSayReceipt(life.memory.supply, message, now)) {
    const reason = 'must say when the message reached us: recorded only now, it would count as too late';
    return { kind: 'invalid', errors: [{ field: 'receivedAt', message: reason }] };
  }
  const known = life.messages.length;
  const details = { cause: OPERATOR };
  if (asked !== null && life.memory.supply.untransmitted.includes(asked.document_number)) {
    takeStep(life, { type: 'transmitted', documentNumber: asked.document_number }, now, tools, details);
  }
  const isOccupied =
    message.kind === 'identification_match' &&
    (await isTaken(transaction, projectId, message.marketLocation, life, [life]));
  const { outcome } = takeStep(life, { type: 'received', message, isTaken: isOccupied }, now, tools, details);
  const made = life.messages.slice(known);
  const received = made.find(({ direction }) => direction === 'in');
  if (received === undefined) throw new Error('the machine remembers a message that is not kept');
  return {
    kind: 'recorded',
    outcome,
    received: received.id,
    sent: made.filter(({ direction }) => direction === 'out').map(({ id }) => id),
    subscription: seenSubscription(life.row),
  };
}

/** What need not be typed because it is known: which location, what is reversed, and when, unless it is said. */
function withDefaults(
  { life, now }: Change,
  { kind, fields }: Numbered,
  asked: MessageRow | null,
  before: MessageRow | undefined,
): InboundFields {
  const known: { -readonly [Field in keyof InboundFields]: string } = {};
  const recorded =
    before?.kind === kind ? (JSON.parse(before.contents) as { receivedAt?: string }).receivedAt : undefined;
  if (kind === 'acknowledgement') known.receivedAt = recorded ?? formatInstant(now);
  else if (recorded !== undefined) known.receivedAt = recorded;
  if (asked?.kind === 'reversal' && (kind === 'reversal_confirmation' || kind === 'reversal_rejection')) {
    known.reverses = (JSON.parse(asked.contents) as { reverses: string }).reverses;
  }
  const hasLocation = asked === null && kind !== 'reversal' && kind !== 'master_data';
  if (hasLocation && life.row.malo !== null) known.marketLocation = life.row.malo;
  return { ...known, ...fields };
}

/** The same text for the same members, in whatever order. */
function canonical(contents: unknown): string {
  return JSON.stringify(Object.entries(contents as object).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
