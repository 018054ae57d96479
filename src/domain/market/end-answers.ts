/**
 * What the grid operator answers to a deregistration (E_0607, market-rules.md §1.6), and what he tells of an end without
 * being asked: a contract ends on the day agreed, but a life only when he has confirmed it.
 */
import { consequenceOf, DEREGISTRATION_CODES, type Consequence } from './codes.ts';
import { AUTOMATIC_ATTEMPTS, close, closeAll, isAwaiting, openQuestions, requireAction } from './draft.ts';
import { endLife, type Draft } from './draft.ts';
import { clearEnd, confirmEnd, finish, fix, forgetDeregistrations, sendAgain } from './ending.ts';
import type { DayText, InboundMessage } from './messages.ts';
import { isReached, midnight } from './instants.ts';
import type { Question } from './state.ts';

/**
 * Whether an end before the one planned follows from a day for which we had asked before: nobody had said that this was sent, or
 * nobody had answered it.
 */
function followsFromEarlier(draft: Draft, day: DayText): boolean {
  const { end, replaced = [] } = draft.state;
  const before = [
    ...replaced.filter(({ kind }) => kind === 'deregistration'),
    ...openQuestions(draft, 'deregistration'),
  ];
  return end !== null && day < end.day && before.some((each) => each.day !== null && each.day <= day);
}

/** The grid operator confirms the end (E_0607 A11). One before the days that were asked for is nobody's wish. */
export function onConfirmation(
  draft: Draft,
  question: Question,
  { end: day }: InboundMessage<'deregistration_confirmation'>,
): void {
  const isRevocation = draft.state.end?.deregistrationReason === 'ZH2';
  const isTooEarly = question.day !== null && day < question.day && !followsFromEarlier(draft, day);
  forgetDeregistrations(draft);
  if (!isRevocation && isTooEarly) endedTooEarly(draft, day);
  else confirmEnd(draft, day);
}

/** The grid operator knows of an end that nobody has asked for. It is not taken back behind his back. */
function endedTooEarly(draft: Draft, day: DayText): void {
  keepFromUndoing(draft);
  requireAction(draft, 'ended_too_early', { day });
}

function keepFromUndoing(draft: Draft): void {
  if (draft.state.end !== null) draft.state.end = { ...draft.state.end, canBeUndone: false };
}

/** The grid operator confirms an end that something else has replaced since; false when it says nothing of what is planned now. */
export function confirmFormer(
  draft: Draft,
  { answers, end: day }: InboundMessage<'deregistration_confirmation'>,
): boolean {
  const { formerDeregistrations = [] } = draft.state;
  return answers !== null && formerDeregistrations.includes(answers) && confirmBeside(draft, day);
}

/**
 * The grid operator confirms an end of this supply beside the one that is planned. A later one is the last day, should the
 * other come to nothing; an earlier one is what a withdrawal wants. False when it says nothing of what is planned now.
 */
export function confirmBeside(draft: Draft, day: DayText): boolean {
  const { end, withdrawn } = draft.state;
  if (end === null) return false;
  if (withdrawn && (day < end.day || (day === end.day && !end.confirmed))) {
    forgetDeregistrations(draft);
    confirmEnd(draft, day);
    return true;
  }
  if (end.confirmed || (day < end.day && !withdrawn)) return false;
  boundEnd(draft, day);
  return true;
}

/** The grid operator ends the supply himself, later than is wanted: what is wanted goes on, and that is the last day. */
export function boundEnd(draft: Draft, day: DayText): void {
  const { end, endsAtLatest = null } = draft.state;
  draft.state.endsAtLatest = endsAtLatest !== null && endsAtLatest < day ? endsAtLatest : day;
  if (draft.state.stage === 'ending' && end !== null && isReached(midnight(end.day), draft.now)) finish(draft);
}

/** The grid operator ends the supply himself. Where an end is planned already, it keeps the reason that it has. */
export function endAsTold(draft: Draft, day: DayText, endReason: 'superseded' | 'terminated' = 'terminated'): void {
  if (draft.state.end === null) {
    const planned = { endReason, canBeUndone: false, deregistrationReason: 'ZT5' } as const;
    fix(draft, { ...planned, day, confirmed: false, sendAt: null });
  }
  confirmEnd(draft, day);
}

/** The grid operator ends the supply before it begins. Whoever has withdrawn meanwhile has ended it himself. */
export function endBeforeStart(draft: Draft, as: 'superseded' | 'rejected'): void {
  const reason = draft.state.withdrawn ? 'withdrawn' : as;
  endLife(draft, reason, reason);
}

/** The grid operator refuses the end, by a code of E_0607. */
export function onRejection(draft: Draft, message: InboundMessage<'deregistration_rejection'>): void {
  const open = openQuestions(draft, 'deregistration');
  const asked = open.find(({ processNumber }) => processNumber === message.answers);
  const { confirmedEnd } = message;
  const isAskedFor =
    confirmedEnd !== undefined &&
    (open.some(({ day }) => day === confirmedEnd) || followsFromEarlier(draft, confirmedEnd));
  if (asked !== undefined) close(draft, asked);
  const consequence = consequenceOf(DEREGISTRATION_CODES, message.code);
  if (consequence === 'already_confirmed' && isAskedFor) {
    forgetDeregistrations(draft);
    confirmEnd(draft, confirmedEnd);
  } else if (!isAwaiting(draft, 'deregistration')) {
    // Whatever was not answered in time is no reason to wait for ever.
    deregistrationFailed(draft, consequence, message.confirmedEnd);
  }
}

/**
 * Goes on after a refused deregistration; also after an APERAK on it. What he has refused need not be taken back; what he
 * has not answered in time stays open, should he confirm it after all, unless he has confirmed an end already.
 */
export function deregistrationFailed(draft: Draft, consequence: Consequence, confirmedEnd: DayText | undefined): void {
  // What is taken back is off only with the last of what he was asked.
  if (draft.state.afterReversal === 'undo' && openQuestions(draft, 'deregistration').length > 0) return;
  closeAll(draft, 'reversal');
  const isUndo = draft.state.afterReversal === 'undo' && draft.state.end?.canBeUndone === true;
  draft.state.afterReversal = null;
  if (consequence === 'already_confirmed') {
    if (confirmedEnd !== undefined) forgetDeregistrations(draft);
    confirmedBefore(draft, confirmedEnd);
  } else if (isUndo) clearEnd(draft);
  else if (consequence === 'later_date' && draft.state.attempts + 1 < AUTOMATIC_ATTEMPTS) sendAgain(draft);
  else requireAction(draft, 'deregistration_refused');
}

/**
 * The grid operator has confirmed an end already. Later than the one asked for it is the last day, and what a withdrawal
 * wants earlier stays to be cleared up; one before that he has not told of is nobody's wish.
 */
function confirmedBefore(draft: Draft, day: DayText | undefined): void {
  const { end, endsAtLatest, withdrawn } = draft.state;
  if (end === null) return;
  if (day === undefined) {
    keepFromUndoing(draft);
    requireAction(draft, 'deregistration_refused');
  } else if (day > end.day && withdrawn) {
    boundEnd(draft, day);
    if (draft.state.end?.confirmed !== true) requireAction(draft, 'deregistration_refused');
  } else if (day >= end.day || day === endsAtLatest || end.deregistrationReason === 'ZH2') confirmEnd(draft, day);
  else endedTooEarly(draft, day);
}
