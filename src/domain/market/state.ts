/**
 * What is remembered of one subscription's way through the market, and the few ways in which the machines of this
 * folder change it. The state is plain JSON, so that it is stored as it is. A machine works on a draft: a copy that
 * lives for one decision only, so that every decision stays a pure function.
 */
import {
  addWorkingDays,
  berlinDay,
  deadlineFor,
  earliestStart,
  latestReceipt,
  startOfBerlinDay,
  type DeadlineKind,
} from '../calendar.ts';
import { transition, type EndReason, type LifecycleEvent, type Stage } from '../subscription/lifecycle.ts';
import type { SubscriptionEventType } from '../subscription/lifecycle.ts';
import type { DayText, InstantText, MessageContents, OutboundKind, OutboundMessage } from './messages.ts';
import type { DeregistrationReason } from './messages.ts';
import { nextAction, type ActionCode, type NextAction } from './next-action.ts';

/** What the market has to know of the sign-up; the members that `PATCH` may correct are `Correctable`. */
export interface SupplyFacts extends Correctable {
  /** Leads our document and process numbers: unique among all subscriptions, at most 26 characters, such as the id without prefix. */
  readonly reference: string;
  /** `manual`: nobody transmits for us, an operator does (a live project). */
  readonly transport: 'automatic' | 'manual';
  readonly nextPossibleStart: boolean;
  /** When the contract was concluded; the right of withdrawal runs from here. */
  readonly concludedAt: InstantText;
  /** The plan's notice period, an ISO 8601 duration such as `P1M`. */
  readonly cancellationPeriod: string;
}

/** What a rejection may ask the customer to correct. */
export interface Correctable {
  /** The MaLo-ID with a right check digit, or null while unknown. */
  readonly marketLocation: string | null;
  readonly meterNumber: string;
  readonly zip: string;
  /** Street, house number and city, as one text: only whether it changes matters here. */
  readonly address: string;
  readonly customerName: string;
  readonly intendedStartDate: DayText | null;
  /** The supplier to cancel, by the key that the caller knows him by, or null when nobody has to be cancelled. */
  readonly previousSupplier: string | null;
}

/** The questions that wait for an answer, each with its deadline (market-rules.md §1.1) and what silence leads to. */
const QUESTIONS = {
  identification_request: { deadline: 'identification_answer', silence: 'identification_unanswered' },
  cancellation: { deadline: 'cancellation_answer', silence: 'cancellation_unanswered' },
  registration: { deadline: 'registration_answer', silence: 'registration_unanswered' },
  deregistration: { deadline: 'deregistration_answer', silence: 'deregistration_unanswered' },
  // The rules name none for a reversal (55022); the registration's is the longest that a grid operator has.
  reversal: { deadline: 'registration_answer', silence: 'reversal_unanswered' },
} as const satisfies Partial<Record<OutboundKind, { deadline: DeadlineKind; silence: ActionCode }>>;
export type QuestionKind = keyof typeof QUESTIONS;

/** A message of ours that awaits an answer. */
export interface Question {
  readonly kind: QuestionKind;
  readonly documentNumber: string;
  readonly processNumber: string;
  /** The day asked for, where there is one. */
  readonly day: DayText | null;
  /** The market location that it is about; a correction may have changed the facts since. */
  readonly marketLocation: string | null;
  /** The last instant at which an answer is in time; null while it is not transmitted, or once that has passed. */
  readonly answerBy: InstantText | null;
  readonly transmitted: boolean;
  /** The process number of the message that a reversal takes back. */
  readonly reverses: string | null;
}

/** An end of supply that is decided, whether or not the grid operator has confirmed it. */
export interface PlannedEnd {
  /** The first day without supply. */
  readonly day: DayText;
  readonly endReason: EndReason;
  readonly confirmed: boolean;
  /** Whether the customer may take it back until the grid operator has confirmed it; a withdrawal is final. */
  readonly canBeUndone: boolean;
  /** When the deregistration is sent; null when it has been, or the grid operator ends by himself. */
  readonly sendAt: InstantText | null;
  readonly deregistrationReason: DeregistrationReason;
}

/** Why the market moved the day that we ask for. */
export type MoveReason = 'lead_time' | 'previous_contract' | 'grid_operator';

/** Everything that is remembered of one life. */
export interface SupplyState {
  readonly stage: Stage;
  readonly facts: SupplyFacts;
  readonly questions: readonly Question[];
  /** An action that the machines ask for; what the API shows is `visibleAction`. */
  readonly action: NextAction | null;
  /** Document numbers of ours that an operator has to transmit. */
  readonly untransmitted: readonly string[];
  readonly startAt: InstantText | null;
  readonly endAt: InstantText | null;
  readonly terminatedAt: InstantText | null;
  readonly endReason: EndReason | null;
  readonly end: PlannedEnd | null;
  /** Asked before the supply was confirmed or reversed: it shall never come to supply. */
  readonly withdrawn: boolean;
  /** What follows when the grid operator has agreed to forget our open registration, or our deregistration. */
  readonly afterReversal: 'end' | 'restart' | 'undo' | null;
  /** The previous supplier with whom all is settled: his contract ends on a day, or has ended long ago (null). */
  readonly settled: { readonly supplier: string; readonly end: DayText | null } | null;
  /** No start before this day, by an answer of the previous supplier. */
  readonly notBefore: DayText | null;
  /** The day that the customer chose when a later one had to be proposed; counts with the next possible start only. */
  readonly chosenStart: DayText | null;
  /** The grid operator to ask, when an answer has named one. */
  readonly gridOperator: string | null;
  /** A start that the grid operator revoked before he confirmed it (messages out of order). */
  readonly revokedStart: DayText | null;
  /** The present supplier has told that this is no move-in. */
  readonly isSwitch: boolean;
  /** How often the same was asked since somebody corrected something. */
  readonly attempts: number;
  /** The day last asked for, to tell when it moves. */
  readonly askedStart: DayText | null;
  /** How many messages we have sent: the next reference number. */
  readonly sent: number;
  /** Document numbers of the messages received, newest last. */
  readonly received: readonly string[];
}

/** Something that the outside is told, with what changed; `reason` where the market forced it. */
export interface SupplyEvent {
  readonly type: SubscriptionEventType;
  readonly changed: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  readonly reason?: MoveReason;
}

/** A step of the lifecycle taken in a decision. */
export interface StageEvent {
  readonly from: Stage;
  readonly event: LifecycleEvent;
  readonly to: Stage;
}

/** What became of an input. A refusal is for whoever asked; what is ignored goes to the log. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'ignored'; readonly reason: IgnoredReason }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly earliest: DayText | null };
export type IgnoredReason =
  'duplicate' | 'late_or_unknown_reference' | 'not_in_this_stage' | 'nothing_due' | 'no_change';
export type RefusalCode =
  'end_date_required' | 'end_date_too_early' | 'withdrawal_period_over' | 'not_in_this_stage' | 'already_confirmed';

/** One decision in the making. Its messages, events and steps are in the order in which they came about. */
export interface Draft {
  state: { -readonly [Member in keyof SupplyState]: SupplyState[Member] };
  readonly now: Temporal.Instant;
  readonly messages: OutboundMessage[];
  readonly events: SupplyEvent[];
  readonly stageEvents: StageEvent[];
}

/** So many messages are remembered for recognising duplicates; a life has a few dozen. */
const REMEMBERED_MESSAGES = 200;

// ---------------------------------------------------------------------------------------------------------------
// Days and instants

/** Today in Europe/Berlin. */
export function today(draft: Draft): Temporal.PlainDate {
  return berlinDay(draft.now);
}

/** The end of the n-th working day after today: how long somebody has to act. */
export function endOfWorkingDay(draft: Draft, count: number): InstantText {
  return startOfBerlinDay(addWorkingDays(today(draft), count).add({ days: 1 })).toString();
}

/** The earliest day for a start or an end that the grid operator is told of today. */
export function earliestToday(draft: Draft): DayText {
  return earliestStart(today(draft)).toString();
}

/** The instant at which a day begins. */
export function midnight(day: DayText): InstantText {
  return startOfBerlinDay(Temporal.PlainDate.from(day)).toString();
}

/** Whether an instant has been reached. */
export function isReached(instant: InstantText, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(Temporal.Instant.from(instant), now) <= 0;
}

/** The end of the last day on which the grid operator may receive a message for a start or end on `day`. */
export function endOfReceipt(day: DayText): InstantText {
  return startOfBerlinDay(latestReceipt(Temporal.PlainDate.from(day)).add({ days: 1 })).toString();
}

/** The latest of some days; the empty text when there is none. */
export function latest(...days: readonly (DayText | null)[]): DayText {
  return days.reduce<DayText>((found, day) => (day !== null && day > found ? day : found), '');
}

// ---------------------------------------------------------------------------------------------------------------
// Changes

/** Takes a step of the lifecycle; a step that the table lacks is a bug. */
export function step(draft: Draft, event: LifecycleEvent): void {
  const { stage } = draft.state;
  const found = transition(stage, event);
  if (!found.ok) throw new Error(`the lifecycle has no step ${event} from ${stage}`);
  draft.state.stage = found.to;
  draft.stageEvents.push({ from: stage, event, to: found.to });
  draft.events.push({ type: found.announces, changed: { stage: { from: stage, to: found.to } } });
}

/** Ends a life: nothing is awaited any more. Before the start it never comes to supply, and no start stays promised. */
export function endLife(
  draft: Draft,
  event: 'withdrawn' | 'rejected' | 'superseded' | 'supply_ended',
  reason: EndReason,
): void {
  step(draft, event);
  if (event !== 'supply_ended') {
    draft.state.startAt = null;
    draft.state.endAt = draft.now.toString();
  }
  Object.assign(draft.state, { endReason: reason, questions: [], action: null, end: null, afterReversal: null });
}

/** Sends a message. Its numbers are counted, so that the same life always writes the same. */
export function send<Kind extends OutboundKind>(
  draft: Draft,
  kind: Kind,
  contents: MessageContents[Kind],
  about: { readonly answers?: string; readonly replaces?: string } = {},
): { readonly documentNumber: string; readonly processNumber: string } {
  draft.state.sent += 1;
  const { reference, transport } = draft.state.facts;
  const numbers = {
    documentNumber: `${reference}-${draft.state.sent}`,
    processNumber: `${reference}.${draft.state.sent}`,
  };
  const references = { answers: about.answers ?? null, replaces: about.replaces ?? null };
  draft.messages.push({ kind, ...numbers, ...references, ...contents } as unknown as OutboundMessage);
  if (transport === 'manual') {
    const kept = draft.state.untransmitted.filter((number) => number !== about.replaces);
    draft.state.untransmitted = [...kept, numbers.documentNumber];
  }
  return numbers;
}

/** Sends a message and awaits its answer until the deadline, counted from now as the receipt until we know better. */
export function ask<Kind extends QuestionKind>(
  draft: Draft,
  kind: Kind,
  contents: MessageContents[Kind],
  details: { readonly day?: DayText | null; readonly reverses?: string; readonly replaces?: string } = {},
): void {
  const numbers = send(draft, kind, contents, details.replaces === undefined ? {} : { replaces: details.replaces });
  const transmitted = draft.state.facts.transport === 'automatic';
  const question: Question = {
    kind,
    ...numbers,
    day: details.day ?? null,
    marketLocation: draft.state.facts.marketLocation,
    answerBy: transmitted ? answerBy(kind, draft.now) : null,
    transmitted,
    reverses: details.reverses ?? null,
  };
  draft.state.questions = [...draft.state.questions, question];
}

/** The deadline of an answer, counted from the receipt of the question. */
export function answerBy(kind: QuestionKind, receipt: Temporal.Instant): InstantText {
  return deadlineFor(QUESTIONS[kind].deadline, receipt).toString();
}

/** The action that silence on a question leads to. */
export function silenceOf(kind: QuestionKind): ActionCode {
  return QUESTIONS[kind].silence;
}

/** The open questions of a kind. */
export function openQuestions(draft: Draft, kind: QuestionKind): readonly Question[] {
  return draft.state.questions.filter((question) => question.kind === kind);
}

/** Closes a question; whether its silence was what somebody had to clear up, that is resolved. */
export function close(draft: Draft, question: Question): void {
  draft.state.questions = draft.state.questions.filter(({ processNumber }) => processNumber !== question.processNumber);
  draft.state.untransmitted = draft.state.untransmitted.filter((number) => number !== question.documentNumber);
  if (draft.state.action?.code === silenceOf(question.kind)) draft.state.action = null;
}

/** Closes all questions of a kind. */
export function closeAll(draft: Draft, kind: QuestionKind): void {
  for (const question of openQuestions(draft, kind)) close(draft, question);
}

/** Replaces a question by a changed one. */
export function amend(draft: Draft, question: Question, changes: Partial<Question>): void {
  draft.state.questions = draft.state.questions.map((each) =>
    each.processNumber === question.processNumber ? { ...each, ...changes } : each,
  );
}

/** Asks the partner to forget a message of ours; without `awaited` it is told and nothing waits for the answer. */
export function reverse(draft: Draft, question: Question, awaited: boolean): void {
  if (!question.transmitted) {
    close(draft, question);
    return;
  }
  if (awaited) ask(draft, 'reversal', { reverses: question.processNumber }, { reverses: question.processNumber });
  else {
    close(draft, question);
    send(draft, 'reversal', { reverses: question.processNumber });
  }
}

/** Asks somebody to act. */
export function requireAction(
  draft: Draft,
  code: ActionCode,
  times: { readonly dueAt?: InstantText | null; readonly retryAt?: InstantText | null; readonly day?: DayText } = {},
): void {
  draft.state.action = nextAction(code, times);
}

/** What the API shows as `next_action`: what the machines ask for, else that messages wait to be transmitted. */
export function visibleAction(state: SupplyState): NextAction | null {
  if (state.stage === 'ended') return null;
  if (state.action !== null) return state.action;
  return state.untransmitted.length > 0 ? nextAction('transmit_message', { dueAt: staleAt(state) }) : null;
}

/** When the first question not transmitted becomes pointless because the day it asks for can no longer be reached. */
export function staleAt(state: SupplyState): InstantText | null {
  return earliest(state.questions.filter(({ transmitted }) => !transmitted).map(staleOf));
}

/** When a question that is not transmitted becomes pointless. A cancellation needs a day in the future only. */
export function staleOf({ kind, day }: Question): InstantText | null {
  if (day === null) return null;
  return kind === 'cancellation' ? midnight(day) : endOfReceipt(day);
}

/** The first of some instants; null when there is none. */
export function earliest(instants: readonly (InstantText | null)[]): InstantText | null {
  let first: Temporal.Instant | null = null;
  for (const text of instants) {
    if (text === null) continue;
    const instant = Temporal.Instant.from(text);
    if (first === null || Temporal.Instant.compare(instant, first) < 0) first = instant;
  }
  return first?.toString() ?? null;
}

/** Remembers a message; false when it had been received before. */
export function remember(draft: Draft, documentNumber: string): boolean {
  if (draft.state.received.includes(documentNumber)) return false;
  draft.state.received = [...draft.state.received, documentNumber].slice(-REMEMBERED_MESSAGES);
  return true;
}

/** The day that the customer wants: none with the next possible start, unless he chose one when he was asked. */
export function wishedStart({ facts, chosenStart }: SupplyState): DayText | null {
  return facts.nextPossibleStart ? chosenStart : facts.intendedStartDate;
}
