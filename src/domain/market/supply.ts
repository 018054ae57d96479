/**
 * One subscription's whole way through the market, as a pure machine: what is remembered, something that happens and
 * the time give what is remembered next, the messages to send, the events to tell and when to look again. It is total:
 * every input in every state leads somewhere defined, if only to being ignored with a reason.
 */
import { berlinDay, earliestStart } from '../calendar.ts';
import { firstStage, type Stage } from '../subscription/lifecycle.ts';
import { ANSWER_KINDS, questionOf } from './answers.ts';
import * as cancellation from './cancellation.ts';
import { consequenceOf, PROCESSABILITY_CODES } from './codes.ts';
import { correct } from './correction.ts';
import * as dropped from './dropped.ts';
import * as duties from './duties.ts';
import * as endAnswers from './end-answers.ts';
import * as ending from './ending.ts';
import * as identification from './identification.ts';
import type { DayText, InboundMessage, InstantText, OutboundMessage } from './messages.ts';
import { isStartUnclear } from './next-action.ts';
import { settleOtherStarts } from './other-starts.ts';
import { acknowledge } from './receipts.ts';
import * as registration from './registration.ts';
import * as revocations from './revocations.ts';
import { AUTOMATIC_ATTEMPTS, close, closeAll, correctionDeadline, draftOf, eventsOf } from './draft.ts';
import { isAwaiting, openQuestions, remember, requireAction, reverseAll, step } from './draft.ts';
import { amend, takeUpReplaced, waitsNoLonger } from './draft.ts';
import type { Draft } from './draft.ts';
import { latest } from './instants.ts';
import {
  answerBy,
  isAwaited,
  isUnderWay,
  visibleAction,
  type Correctable,
  type Outcome,
  type Question,
} from './state.ts';
import type { StageEvent, SupplyEvent, SupplyFacts, SupplyState } from './state.ts';
import { dueAtOf, keepOverdueVisible, runDue } from './timers.ts';

/** Something that happens to a subscription. */
export type SupplyInput =
  | { readonly type: 'started' }
  /** `isTaken`: the market location of an identification match has another open subscription in the project. */
  | { readonly type: 'received'; readonly message: InboundMessage; readonly isTaken?: boolean }
  /** Its time has come; the earliest thing due is done, and `dueAt` tells whether more is. */
  | { readonly type: 'due' }
  /** The data that a rejection asked for; naming a field again as it is says that it is right. */
  | { readonly type: 'corrected'; readonly changes: Partial<Correctable> }
  | { readonly type: 'termination_asked'; readonly request: ending.TerminationRequest }
  | { readonly type: 'termination_undone' }
  /** An operator has cleared something up and asks to go on. */
  | { readonly type: 'operator_retry' }
  /** An operator ends what waits for somebody in vain. */
  | { readonly type: 'given_up' }
  /** An operator has heard that a start stands which we had not promised, since it was confirmed too late or too early. */
  | { readonly type: 'start_accepted' }
  /** An operator has handed a waiting message to the partner. */
  | { readonly type: 'transmitted'; readonly documentNumber: string };

/** What a decision leads to; all of it belongs into one commit. */
export interface Decision {
  readonly state: SupplyState;
  readonly outcome: Outcome;
  /** The one step of the lifecycle, if one was taken. */
  readonly stageEvent: StageEvent | null;
  readonly messages: readonly OutboundMessage[];
  /** `action_resolved`, then what has changed in at most one event, then `action_required`. */
  readonly events: readonly SupplyEvent[];
  /** When to decide next with `due`; in the past when something is due already. */
  readonly dueAt: InstantText | null;
}

const DONE: Outcome = { kind: 'done' };

/**
 * The first day of supply for which a sign-up can ask the market, if its market location is known or found on the same
 * day. It may have to be a later one, because the contract with the previous supplier ends later.
 */
export function earliestRequest(isCancelled: boolean, concludedAt: InstantText): DayText {
  const concludedOn = berlinDay(Temporal.Instant.from(concludedAt));
  return isCancelled ? cancellation.earliestContractEnd(concludedOn) : earliestStart(concludedOn).toString();
}

/** What a sign-up is going to ask for, known before anything was sent: the day, and why it is not the wished one. */
export function firstRequest(asked: {
  readonly isLocationKnown: boolean;
  readonly isCancelled: boolean;
  /** The intended day; null with the next possible start. */
  readonly wished: DayText | null;
  readonly concludedAt: InstantText;
}): Pick<SupplyState, 'requestedStart' | 'moveReason'> {
  const { isLocationKnown, isCancelled, wished, concludedAt } = asked;
  if (!isLocationKnown || (isCancelled && wished === null)) return { requestedStart: null, moveReason: null };
  const requestedStart = latest(wished, earliestRequest(isCancelled, concludedAt));
  return { requestedStart, moveReason: wished === null || requestedStart === wished ? null : 'lead_time' };
}

/** The state of a sign-up before anything was sent; `started` begins it. */
export function beginSupply(facts: SupplyFacts): SupplyState {
  return {
    ...firstRequest({
      isLocationKnown: facts.marketLocation !== null,
      isCancelled: facts.previousSupplier !== null,
      wished: facts.nextPossibleStart ? null : facts.intendedStartDate,
      concludedAt: facts.concludedAt,
    }),
    stage: firstStage(facts.marketLocation !== null, facts.previousSupplier !== null),
    facts,
    questions: [],
    action: null,
    untransmitted: [],
    answered: [],
    startAt: null,
    endAt: null,
    terminatedAt: null,
    endReason: null,
    end: null,
    withdrawn: false,
    afterReversal: null,
    settled: null,
    notBefore: null,
    chosenStart: null,
    gridOperator: null,
    revokedStart: null,
    isSwitch: false,
    attempts: 0,
    sent: 0,
    received: [],
  };
}

/**
 * Decides what an input leads to in a state. It reads no clock and keeps nothing: the same arguments always give the
 * same decision. `now` is a whole second, and so is every instant of the state.
 */
export function decide(state: SupplyState, input: SupplyInput, now: Temporal.Instant): Decision {
  const draft = draftOf(state, now);
  const outcome = apply(draft, input);
  if (outcome.kind === 'done') {
    settleOtherStarts(draft, state);
    keepOverdueVisible(draft);
  }
  const { messages, stageEvent } = draft;
  const events = eventsOf(draft, state);
  return { state: draft.state, outcome, stageEvent, messages, events, dueAt: dueAtOf(draft.state) };
}

function apply(draft: Draft, input: SupplyInput): Outcome {
  switch (input.type) {
    case 'started':
      if (draft.state.sent > 0 || draft.state.stage === 'ended') return { kind: 'ignored', reason: 'no_change' };
      goOn(draft);
      return DONE;
    case 'received':
      return receive(draft, input.message, input.isTaken === true);
    case 'due':
      return runDue(draft, goOn) ? DONE : { kind: 'ignored', reason: 'nothing_due' };
    case 'corrected':
      return correct(draft, input.changes, goOn);
    case 'termination_asked':
      return ending.terminate(draft, input.request);
    case 'termination_undone':
      return ending.undo(draft);
    case 'operator_retry':
      return retry(draft);
    case 'given_up':
      return registration.giveUp(draft);
    case 'start_accepted':
      return registration.acceptStart(draft);
    case 'transmitted':
      return transmitted(draft, input.documentNumber);
  }
}

/** Takes the next step of a sign-up: find the market location, then cancel the previous supplier, then register. */
export function goOn(draft: Draft): void {
  const { facts, settled } = draft.state;
  const isSettled = facts.previousSupplier === null || settled?.supplier === facts.previousSupplier.id;
  const target: Stage = facts.marketLocation === null ? 'identifying' : isSettled ? 'registering' : 'cancelling';
  if (target !== 'registering' && openQuestions(draft, 'registration').length > 0) {
    // What the grid operator may still confirm is taken back before anything else is asked.
    ending.reverseRegistrations(draft, 'restart');
    if (openQuestions(draft, 'registration').length > 0) return;
  }
  if (target !== 'identifying') closeAll(draft, 'identification_request');
  if (target !== 'cancelling') closeAll(draft, 'cancellation');
  if (target === 'identifying') {
    if (draft.state.stage !== target) step(draft, 'location_unknown');
    identification.identify(draft);
  } else if (target === 'cancelling') {
    if (draft.state.stage !== target) step(draft, 'cancellation_needed');
    cancellation.cancel(draft);
  } else {
    if (draft.state.stage !== target) step(draft, 'registration_ready');
    registration.register(draft);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Messages

/** Takes a message: one received before changes nothing, nor does an answer to a question that is not open. */
function receive(draft: Draft, message: InboundMessage, isTaken: boolean): Outcome {
  if (!remember(draft, message.documentNumber)) return { kind: 'ignored', reason: 'duplicate' };
  const answered =
    draft.state.questions.find(({ processNumber }) => processNumber === message.answers) ??
    takeUpReplaced(draft, message);
  if (!ANSWER_KINDS.includes(message.kind)) return receiveUnasked(draft, message);
  if (answered === undefined && revocations.hear(draft, message)) return DONE;
  if (answered === undefined && duties.isErrorOfOurs(draft, message)) {
    draft.state.hasUnprocessedAnswer = true;
    return DONE;
  }
  if (message.kind === 'cancellation_confirmation' && cancellation.rememberConfirmation(draft, message)) return DONE;
  if (message.kind === 'deregistration_confirmation' && endAnswers.confirmFormer(draft, message)) return DONE;
  if (answered === undefined && dropped.takeBack(draft, message)) return DONE;
  if (message.kind === 'reversal_confirmation' && answered === undefined && takeLateConsent(draft, message))
    return DONE;
  const expected = questionOf(message.kind);
  if (answered === undefined || (expected !== undefined && answered.kind !== expected)) {
    return { kind: 'ignored', reason: 'late_or_unknown_reference' };
  }
  receiveAnswer(draft, answered, message, isTaken);
  return DONE;
}

function receiveAnswer(draft: Draft, question: Question, message: InboundMessage, isTaken: boolean): void {
  if (message.kind === 'acknowledgement') acknowledge(draft, question, message.receivedAt);
  else if (message.kind === 'processing_error' || message.kind === 'syntax_error')
    notProcessed(draft, question, message);
  else if (message.kind === 'identification_match') identification.onMatch(draft, question, message, isTaken, goOn);
  else if (message.kind === 'identification_failure') identification.onFailure(draft, question, message);
  else if (message.kind === 'cancellation_confirmation') cancellation.onConfirmation(draft, question, message, goOn);
  else if (message.kind === 'cancellation_rejection') cancellation.onRejection(draft, question, message, goOn);
  else if (message.kind === 'registration_confirmation') registration.onConfirmation(draft, question, message);
  else if (message.kind === 'registration_rejection') {
    registration.onRejection(draft, question, message, goOn);
  } else if (message.kind === 'deregistration_confirmation') endAnswers.onConfirmation(draft, question, message);
  else if (message.kind === 'deregistration_rejection') endAnswers.onRejection(draft, message);
  else if (message.kind === 'reversal_confirmation') onReversal(draft, question, true);
  else if (message.kind === 'reversal_rejection') onReversal(draft, question, false);
}

/** What partners send of their own accord. */
function receiveUnasked(draft: Draft, message: InboundMessage): Outcome {
  if (message.kind === 'cancellation') return duties.answerCancellation(draft, message);
  if (message.kind === 'end_inquiry') return duties.answerInquiry(draft, message);
  if (message.kind === 'end_notice') return duties.onEndNotice(draft, message);
  if (message.kind === 'start_revocation') return duties.onStartRevocation(draft, message);
  if (message.kind === 'grid_operator_end') return duties.answerGridOperatorEnd(draft, message);
  if (message.kind === 'reversal') return duties.answerReversal(draft, message);
  // 55036 says only that somebody supplies there now, as is to be expected; master data is for billing.
  return { kind: 'ignored', reason: 'no_change' };
}

/** A message that counts as never received (APERAK, CONTRL): asked anew with what can be corrected, or cleared up. */
function notProcessed(
  draft: Draft,
  question: Question,
  message: InboundMessage<'processing_error' | 'syntax_error'>,
): void {
  const isError = message.kind === 'processing_error';
  const consequence = isError ? consequenceOf(PROCESSABILITY_CODES, message.code) : 'clearing';
  const gridOperator = isError ? message.gridOperator : undefined;
  if (question.kind === 'reversal') {
    onReversal(draft, question, false);
    return;
  }
  close(draft, question);
  // What is asked again already may yet be answered, unless its time has passed too.
  if (isAwaiting(draft, question.kind)) return;
  if (question.kind === 'deregistration') endAnswers.deregistrationFailed(draft, consequence, undefined);
  else if (question.kind === 'identification_request') {
    identification.identificationFailed(draft, consequence, gridOperator);
  } else if (question.kind === 'cancellation') {
    // E_0614 has no code for a market location that he does not supply.
    const isUnaware = isError && message.code === 'Z18';
    cancellation.cancellationFailed(draft, isUnaware ? 'identify_again' : consequence, undefined, goOn);
  } else {
    const isUnknown = consequence === 'identify_again' || consequence === 'ask_other_grid_operator';
    registration.afterRefusal(draft, goOn, () => {
      if (isUnknown) locationUnknown(draft, gridOperator);
      else registration.registrationFailed(draft, consequence, undefined, goOn);
    });
  }
}

/** The grid operator does not know the market location after all: it is searched, or the customer asked for it. */
function locationUnknown(draft: Draft, gridOperator: string | undefined): void {
  const attempts = draft.state.attempts + 1;
  draft.state.facts = { ...draft.state.facts, marketLocation: null };
  Object.assign(draft.state, { attempts, gridOperator: gridOperator ?? draft.state.gridOperator });
  if (attempts < AUTOMATIC_ATTEMPTS) goOn(draft);
  else {
    // One that was never answered may still be confirmed: until it is taken back, the sign-up stays where that leads on.
    if (openQuestions(draft, 'registration').length === 0) step(draft, 'location_unknown');
    requireAction(draft, 'market_location_not_found', { dueAt: correctionDeadline(draft) });
  }
}

/** He agrees to a wish that was repeated since; false where what he forgets is not open any more. */
function takeLateConsent(draft: Draft, { reverses }: InboundMessage<'reversal_confirmation'>): boolean {
  const reversed = draft.state.questions.find(({ processNumber }) => processNumber === reverses);
  if (reversed === undefined) return false;
  registration.closeReversalOf(draft, reversed);
  registration.closeForgotten(draft, reversed);
  goOnAfterReversal(draft);
  return true;
}

/** The grid operator agrees to forget a message of ours (55023), or has acted on it already (55024). */
function onReversal(draft: Draft, reversal: Question, agreed: boolean): void {
  close(draft, reversal);
  const reversed = draft.state.questions.find(({ processNumber }) => processNumber === reversal.reverses);
  if (agreed && reversed !== undefined) registration.closeForgotten(draft, reversed);
  goOnAfterReversal(draft);
}

/** What a wish to be forgotten was made for comes about, once nothing else of its kind is open. */
function goOnAfterReversal(draft: Draft): void {
  const { afterReversal } = draft.state;
  const kind = afterReversal === 'undo' ? 'deregistration' : 'registration';
  // His answer to the message itself is still to come, and decides; the wish stays what it was.
  if (openQuestions(draft, kind).length > 0) return;
  closeAll(draft, 'reversal');
  draft.state.afterReversal = null;
  if (afterReversal === 'undo') ending.forgetEnd(draft);
  else if (!registration.endIfWithdrawn(draft) && afterReversal === 'restart' && !isStartUnclear(draft.state)) {
    cancellation.goOnUnlessTooEarly(draft, goOn);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// People

/** An operator has cleared something up: the same step is taken again, with new process numbers. */
function retry(draft: Draft): Outcome {
  const { stage, withdrawn, end, afterReversal } = draft.state;
  if (revocations.retry(draft)) return DONE;
  const nothing: Outcome = { kind: 'ignored', reason: 'no_change' };
  if (stage === 'ended' && !revocations.isRevoking(draft.state)) {
    return { kind: 'refused', code: 'not_in_this_stage', earliest: null };
  }
  // What waits to be transmitted comes first, and what is asked of others is not done by asking again.
  const code = draft.state.action?.code;
  if (code === undefined || visibleAction(draft.state)?.code !== code) return nothing;
  if (code === 'message_not_processed') draft.state.hasUnprocessedAnswer = false;
  if (code === 'cancelled_too_early') cancellation.forgetConfirmedEnd(draft);
  Object.assign(draft.state, { action: null, attempts: 0, redirections: 0, unclearLocation: null });
  if (afterReversal !== null && reverseAgain(draft)) return DONE;
  if (stage === 'identifying' || stage === 'cancelling' || stage === 'registering') {
    if (withdrawn) {
      ending.reverseRegistrations(draft, 'end');
      registration.endIfWithdrawn(draft);
      // What was under way already when something else had to be cleared up is not asked twice.
    } else if (!isUnderWay(draft.state, code)) goOn(draft);
    return DONE;
  }
  if (end === null || end.confirmed || end.sendAt !== null) return DONE;
  if (isAwaiting(draft, 'deregistration')) return DONE;
  if (end.deregistrationReason !== 'ZH2') ending.deregister(draft);
  // A start that could not be revoked is ended by its own timer.
  else if (stage === 'confirmed') ending.revokeStart(draft);
  return DONE;
}

/** Asks once more to forget what is to be forgotten; false when nothing is open that could be. */
function reverseAgain(draft: Draft): boolean {
  const { afterReversal, end } = draft.state;
  const kind = afterReversal === 'undo' ? 'deregistration' : 'registration';
  for (const reversal of openQuestions(draft, 'reversal')) if (!isAwaited(reversal)) close(draft, reversal);
  // Another supplier relies on the end by now: nobody is asked again to forget it.
  if (afterReversal === 'undo' && end?.canBeUndone === false) return false;
  reverseAll(draft, kind);
  if (openQuestions(draft, kind).length > 0) return true;
  draft.state.afterReversal = null;
  if (afterReversal === 'undo') ending.forgetEnd(draft);
  return afterReversal === 'undo';
}

/** A waiting message is on its way: from now on the partner's time runs. */
function transmitted(draft: Draft, documentNumber: string): Outcome {
  if (!draft.state.untransmitted.includes(documentNumber)) return { kind: 'ignored', reason: 'no_change' };
  waitsNoLonger(draft, documentNumber);
  const question = draft.state.questions.find((each) => each.documentNumber === documentNumber);
  if (question !== undefined) {
    amend(draft, question, { transmitted: true, answerBy: answerBy(question.kind, draft.now) });
  }
  revocations.transmit(draft, documentNumber);
  return DONE;
}
