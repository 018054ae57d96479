/**
 * One decision in the making, and the few ways in which the machines of this folder change it. A machine works on a
 * draft: a copy of the state that lives for one decision only, so that every decision stays a pure function.
 */
import { berlinDay, earliestStart, endOfWorkingDay } from '../calendar.ts';
import { transition, type EndReason, type LifecycleEvent } from '../subscription/lifecycle.ts';
import type { SubscriptionEventType } from '../subscription/lifecycle.ts';
import type {
  DayText,
  InboundMessage,
  InstantText,
  MessageContents,
  OutboundKind,
  OutboundMessage,
} from './messages.ts';
import { nextAction, type ActionCode } from './next-action.ts';
import { answerBy, isAwaited, silenceOf, unawaited, visibleAction } from './state.ts';
import type { EventReason, MoveReason, Question, QuestionKind, StageEvent, SupplyEvent, SupplyState } from './state.ts';
import { newSubstituteSupply } from './substitute-supply.ts';

/** How many messages are remembered to recognise duplicates; a life has a few dozen. */
const REMEMBERED_MESSAGES = 200;

/** How often the same is asked without anybody's doing before a person has to look. */
export const AUTOMATIC_ATTEMPTS = 3;
/** Working days after which a partner's silence becomes our operator's task. */
const ESCALATION_WORKING_DAYS = 5;
/** Working days that a customer has to correct what a rejection names; then the sign-up is rejected for good. */
const CORRECTION_WORKING_DAYS = 20;

/** One decision in the making. Its messages are in the order in which they came about. */
export interface Draft {
  state: { -readonly [Member in keyof SupplyState]: SupplyState[Member] };
  readonly now: Temporal.Instant;
  readonly messages: OutboundMessage[];
  /** The one step of the lifecycle, once it is taken. */
  stageEvent: StageEvent | null;
  /** What the decision is told as; null: as an update, if anything that is seen changes. */
  announced: SubscriptionEventType | null;
  /** Why it is so, where that does not show. */
  reason: EventReason | null;
}

/** A draft of a decision on a state. */
export function draftOf(state: SupplyState, now: Temporal.Instant): Draft {
  return { state: { ...state }, now, messages: [], stageEvent: null, announced: null, reason: null };
}

// ---------------------------------------------------------------------------------------------------------------
// Days and instants

/** Today in Europe/Berlin. */
export function today(draft: Draft): Temporal.PlainDate {
  return berlinDay(draft.now);
}

/** How long somebody has to act who is given so many working days after today. */
export function inWorkingDays(draft: Draft, count: number): InstantText {
  return endOfWorkingDay(today(draft), count).toString();
}

/** The end of the time that a customer has to correct something. */
export function correctionDeadline(draft: Draft): InstantText {
  return inWorkingDays(draft, CORRECTION_WORKING_DAYS);
}

/** When a partner's silence becomes our operator's task. */
export function escalationDeadline(draft: Draft): InstantText {
  return inWorkingDays(draft, ESCALATION_WORKING_DAYS);
}

/** The earliest day for a start or an end that the grid operator is told of today. */
export function earliestToday(draft: Draft): DayText {
  return earliestStart(today(draft)).toString();
}

/** When a message was received: now, or before it is recorded. A partner's clock may be ahead of ours, and finer. */
export function receiptOf({ now }: Draft, { receivedAt }: { readonly receivedAt?: InstantText }): Temporal.Instant {
  if (receivedAt === undefined) return now;
  const told = Temporal.Instant.from(receivedAt).round({ smallestUnit: 'second', roundingMode: 'floor' });
  return Temporal.Instant.compare(told, now) > 0 ? now : told;
}

// ---------------------------------------------------------------------------------------------------------------
// Changes

/**
 * Takes the step of the lifecycle; a step that the table lacks, or a second one in a decision, is a bug. What an earlier
 * decision has told already (`isTold`) is an update only.
 */
export function step(draft: Draft, event: LifecycleEvent, isTold = false): void {
  const { stage } = draft.state;
  const found = transition(stage, event);
  if (found === undefined) throw new Error(`the lifecycle has no step ${event} from ${stage}`);
  if (draft.stageEvent !== null) throw new Error(`${event} would be a second step after ${draft.stageEvent.event}`);
  draft.state.stage = found.to;
  draft.stageEvent = { from: stage, event, to: found.to };
  if (found.announces !== 'subscription.updated' && !isTold) announce(draft, found.announces);
}

/** Says what the decision is told as. Two things to tell at once are a bug. */
export function announce(draft: Draft, type: SubscriptionEventType): void {
  if (draft.announced !== null) throw new Error(`${type} cannot be told together with ${draft.announced}`);
  draft.announced = type;
}

/**
 * Records the day that the market is asked for, or has confirmed, and why it is not the intended one; every move is
 * told. `null`: no certain day is asked for at present.
 */
export function requestStart(draft: Draft, day: DayText | null, reason: MoveReason | null): void {
  const { facts, requestedStart, moveReason } = draft.state;
  const intended = facts.nextPossibleStart ? null : facts.intendedStartDate;
  const before = requestedStart ?? intended;
  if (day !== null && before !== null && day !== before && day !== intended) draft.reason = reason;
  draft.state.requestedStart = day;
  // The same day asked for again has moved for the reason that it had.
  const cause = day === requestedStart && moveReason !== null ? moveReason : reason;
  draft.state.moveReason = day === null || intended === null || day === intended ? null : cause;
}

/**
 * Ends a life: nothing is awaited any more, and what was to be asked need not be transmitted; what is only told, such as
 * an answer, must be. Before the start it never comes to supply, and no start stays promised.
 */
export function endLife(
  draft: Draft,
  event: 'withdrawn' | 'rejected' | 'superseded' | 'supply_ended',
  reason: EndReason,
  neverWas = event !== 'supply_ended',
): void {
  step(draft, event);
  if (neverWas) {
    draft.state.startAt = null;
    draft.state.endAt = draft.now.toString();
  }
  const asked = new Set(draft.state.questions.map(({ documentNumber }) => documentNumber));
  draft.state.untransmitted = draft.state.untransmitted.filter((number) => !asked.has(number));
  const nothing = { questions: [], action: null, end: null, afterReversal: null, unclearLocation: null };
  Object.assign(draft.state, { endReason: reason, ...nothing });
  if (draft.state.unclearStart !== undefined) draft.state.unclearStart = null;
  dropReplaced(draft, 'registration', 'cancellation');
  forgetReplaced(draft);
}

/**
 * Sends a message. Its numbers are counted, so that the same life always writes the same. A partner has none of them twice,
 * whoever of his customers it is about: the whole id of the subscription leads them, as unlike any other of its millisecond
 * as 71 random bits make it (`createUuidMint`). They fit into the 35 characters of a number up to the count of 99,999,999.
 */
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

/** How many answers of ours are remembered: for longer than a partner takes to say that he could not process one. */
const REMEMBERED_ANSWERS = 20;

/** Sends an answer, and remembers it: one that a partner cannot process is silence to him. */
export function sendAnswer<Kind extends OutboundKind>(
  draft: Draft,
  kind: Kind,
  contents: MessageContents[Kind],
  answers: string,
): { readonly documentNumber: string } {
  const numbers = send(draft, kind, contents, { answers });
  draft.state.answered = [...(draft.state.answered ?? []), numbers.processNumber].slice(-REMEMBERED_ANSWERS);
  return numbers;
}

/** Answers a partner, who takes silence for consent after `sendBy`. */
export function answer<Kind extends OutboundKind>(
  draft: Draft,
  kind: Kind,
  contents: MessageContents[Kind],
  about: { readonly answers: string; readonly sendBy: Temporal.Instant },
): void {
  const { documentNumber } = sendAnswer(draft, kind, contents, about.answers);
  if (draft.state.facts.transport === 'automatic') return;
  const waiting = (draft.state.owed ?? []).filter((each) => draft.state.untransmitted.includes(each.documentNumber));
  draft.state.owed = [...waiting, { documentNumber, sendBy: about.sendBy.toString() }];
}

/** What is to be known of a question beside its contents. */
interface QuestionDetails {
  readonly day?: DayText | null;
  readonly reverses?: string;
  readonly replaces?: string | undefined;
  /** Absent: that of the sign-up. */
  readonly marketLocation?: string;
}

/** Sends a question, and gives it; its deadline is counted from now as the receipt until we know better. */
export function pose<Kind extends QuestionKind>(
  draft: Draft,
  kind: Kind,
  contents: MessageContents[Kind],
  details: QuestionDetails = {},
): Question {
  const numbers = send(draft, kind, contents, details.replaces === undefined ? {} : { replaces: details.replaces });
  const transmitted = draft.state.facts.transport === 'automatic';
  return {
    kind,
    ...numbers,
    day: details.day ?? null,
    marketLocation: details.marketLocation ?? draft.state.facts.marketLocation,
    answerBy: transmitted ? answerBy(kind, draft.now) : null,
    transmitted,
    reverses: details.reverses ?? null,
    ...(kind === 'registration' ? { revokedStart: null, noticedEnd: null, shutDownOn: null } : {}),
    ...('end' in contents && 'reason' in contents ? { revokes: contents.reason === 'ZH2' } : {}),
  };
}

/** Sends a question and awaits its answer until the deadline. */
export function ask<Kind extends QuestionKind>(
  draft: Draft,
  kind: Kind,
  contents: MessageContents[Kind],
  details: QuestionDetails = {},
): void {
  draft.state.questions = [...draft.state.questions, pose(draft, kind, contents, details)];
}

/** The open questions of a kind. */
export function openQuestions(draft: Draft, kind: QuestionKind): readonly Question[] {
  return draft.state.questions.filter((question) => question.kind === kind);
}

/** Whether a question of a kind may still be answered in time. */
export function isAwaiting(draft: Draft, kind: QuestionKind): boolean {
  return openQuestions(draft, kind).some(isAwaited);
}

/** A message does not wait to be transmitted any more: it is on its way, or need not be sent. */
export function waitsNoLonger(draft: Draft, documentNumber: string): void {
  draft.state.untransmitted = draft.state.untransmitted.filter((number) => number !== documentNumber);
}

/** Closes a question; whether its silence was what somebody had to clear up, that is resolved. */
export function close(draft: Draft, question: Question): void {
  draft.state.questions = draft.state.questions.filter(({ processNumber }) => processNumber !== question.processNumber);
  waitsNoLonger(draft, question.documentNumber);
  if (draft.state.action?.code === silenceOf(question.kind)) draft.state.action = null;
}

/** Closes all questions of a kind. */
export function closeAll(draft: Draft, kind: QuestionKind): void {
  for (const question of openQuestions(draft, kind)) close(draft, question);
}

/** How many questions that nobody waits for are remembered: more than anybody forgets or changes. */
const REMEMBERED_UNAWAITED = 20;

/**
 * Closes a question that nobody has said to be transmitted: because another one replaces it when its day can no longer be
 * reached, or because it was dropped. It may have been handed over all the same, and be answered: see `takeUpReplaced` and
 * `dropped.ts`. The same of one that is taken back while nothing waits for that.
 */
export function closeUnwanted(draft: Draft, question: Question, as: 'replaced' | 'dropped'): void {
  draft.state[as] = [...(draft.state[as] ?? []), question].slice(-REMEMBERED_UNAWAITED);
  close(draft, question);
}

/** Nothing that was replaced unsent matters any more. */
export function forgetReplaced(draft: Draft): void {
  if (draft.state.replaced !== undefined) draft.state.replaced = [];
}

/** Nobody wants any more what of these kinds was replaced unsent; it may have been handed over, as what is dropped. */
export function dropReplaced(draft: Draft, ...kinds: readonly QuestionKind[]): void {
  const { replaced = [], dropped = [] } = draft.state;
  const unwanted = replaced.filter(({ kind }) => kinds.includes(kind));
  if (unwanted.length === 0) return;
  draft.state.replaced = replaced.filter(({ kind }) => !kinds.includes(kind));
  draft.state.dropped = [...dropped, ...unwanted].slice(-REMEMBERED_UNAWAITED);
}

/**
 * The question that a confirmation answers although it was replaced, or a registration that was dropped: it had been
 * transmitted after all, and nobody had said so in time. It is open again; undefined where it is none, or of another place,
 * step or end by now.
 */
export function takeUpReplaced(draft: Draft, { kind, answers }: InboundMessage): Question | undefined {
  const { replaced = [], dropped = [], stage, facts, end } = draft.state;
  const found = unawaited(draft.state).find(({ processNumber }) => processNumber === answers);
  const isHere = found?.marketLocation === facts.marketLocation;
  const isDropped = dropped.some((each) => each === found);
  // One that he has agreed to forget is not.
  const isAwaitedStart = stage === 'registering' && isHere && !(isDropped && found.transmitted);
  const isAwaitedEnd = end !== null && !end.confirmed && !isDropped;
  const isAwaitedCancellation = stage === 'cancelling' && isHere && !isDropped;
  const counts =
    (found?.kind === 'cancellation' && kind === 'cancellation_confirmation' && isAwaitedCancellation) ||
    (found?.kind === 'registration' && kind === 'registration_confirmation' && isAwaitedStart) ||
    (found?.kind === 'deregistration' && kind === 'deregistration_confirmation' && isAwaitedEnd);
  if (found === undefined || !counts) return undefined;
  const question = { ...found, transmitted: true };
  if (draft.state.replaced !== undefined) draft.state.replaced = replaced.filter((each) => each !== found);
  if (draft.state.dropped !== undefined) draft.state.dropped = dropped.filter((each) => each !== found);
  draft.state.questions = [...draft.state.questions, question];
  return question;
}

/** Replaces a question by a changed one. */
export function amend(draft: Draft, question: Question, changes: Partial<Question>): void {
  draft.state.questions = draft.state.questions.map((each) =>
    each.processNumber === question.processNumber ? { ...each, ...changes } : each,
  );
}

/**
 * Asks the partner to forget a message of ours; without `awaited` it is told and nothing waits for the answer. A registration
 * may be confirmed all the same, when he has acted on it already: see `dropped.ts`.
 */
export function reverse(draft: Draft, question: Question, awaited: boolean): void {
  if (!question.transmitted) {
    closeUnwanted(draft, question, 'dropped');
    return;
  }
  if (awaited) ask(draft, 'reversal', { reverses: question.processNumber }, { reverses: question.processNumber });
  else {
    if (question.kind === 'registration') closeUnwanted(draft, question, 'dropped');
    else close(draft, question);
    send(draft, 'reversal', { reverses: question.processNumber });
  }
}

/** Asks the partner to forget every open message of a kind that he has not been asked to forget already; see `reverse`. */
export function reverseAll(draft: Draft, kind: QuestionKind, awaited = true): void {
  const asked = new Set(openQuestions(draft, 'reversal').map(({ reverses }) => reverses));
  for (const question of openQuestions(draft, kind)) {
    if (!asked.has(question.processNumber)) reverse(draft, question, awaited);
  }
}

/** Asks somebody to act. */
export function requireAction(
  draft: Draft,
  code: ActionCode,
  times: { readonly dueAt?: InstantText | null; readonly retryAt?: InstantText | null; readonly day?: DayText } = {},
): void {
  draft.state.action = nextAction(code, draft.state.facts.customerType, times);
}

/** Remembers a message; false when it had been received before. */
export function remember(draft: Draft, documentNumber: string): boolean {
  if (draft.state.received.includes(documentNumber)) return false;
  draft.state.received = [...draft.state.received, documentNumber].slice(-REMEMBERED_MESSAGES);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Events

/** What the outside sees of a state beside `next_action`. */
function seen(state: SupplyState): string {
  const { stage, startAt, endAt, terminatedAt, endReason, requestedStart, moveReason, facts } = state;
  const dates = [startAt, endAt, terminatedAt, requestedStart];
  return JSON.stringify([stage, ...dates, endReason, moveReason, facts.marketLocation]);
}

/** Tells what has changed for the outside, in one event; then whose turn it no longer is, and whose it is. */
export function eventsOf(draft: Draft, before: SupplyState): readonly SupplyEvent[] {
  const from = visibleAction(before);
  const to = visibleAction(draft.state);
  const isSame = JSON.stringify(from) === JSON.stringify(to);
  const events: SupplyEvent[] = [];
  // What was asked for is over before what follows from it; so the end of a life is the last that is told of it.
  if (!isSame && from !== null && from.code !== to?.code) {
    events.push({ type: 'subscription.action_resolved', reason: null });
  }
  const days = newSubstituteSupply(before, draft.state);
  const told = { reason: draft.reason, ...(days === null ? {} : { substituteSupply: days }) };
  if (draft.announced !== null) events.push({ type: draft.announced, ...told });
  else if (days !== null || seen(before) !== seen(draft.state)) events.push({ type: 'subscription.updated', ...told });
  if (!isSame && to !== null) events.push({ type: 'subscription.action_required', reason: null });
  return events;
}
