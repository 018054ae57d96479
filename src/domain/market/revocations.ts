/**
 * Starts that nobody wants and that the grid operator has confirmed all the same: he is told to take them back (55004 ZH2),
 * or to end their supply as soon as he can (ZT5), until he has. That goes on beside a life, and after its end: the customer
 * would be ours without anybody's knowing.
 */
import { berlinDayText } from '../calendar.ts';
import { consequenceOf, DEREGISTRATION_CODES, PROCESSABILITY_CODES } from './codes.ts';
import { AUTOMATIC_ATTEMPTS, earliestToday, escalationDeadline } from './draft.ts';
import { pose, send, waitsNoLonger, type Draft } from './draft.ts';
import type { DayText, InboundMessage, InstantText } from './messages.ts';
import { escalated, nextAction, type ActionCode } from './next-action.ts';
import { answerByReceipt } from './receipts.ts';
import { endOfReceipt, isReached, latest } from './instants.ts';
import { answerBy, isAwaited, unawaited, visibleAction } from './state.ts';
import type { Question, Revocation, SupplyState } from './state.ts';

/** All that nobody waits for any more and that a partner may answer all the same, what took starts back before included. */
export function answerable(state: SupplyState): readonly Question[] {
  return [...unawaited(state), ...(state.revocations ?? []).flatMap(({ former = [] }) => former)];
}

/** Whether the grid operator has yet to take a start back that nobody wants, also when the life has ended. */
export function isRevoking({ revocations = [] }: SupplyState): boolean {
  return revocations.some(({ question }) => question !== undefined);
}

/** How many starts that are taken back are remembered; a life has hardly one. */
const REMEMBERED_REVOCATIONS = 20;
/** How many messages before the newest are remembered of each: more than anybody answers late. */
const REMEMBERED_FORMER = 20;

/**
 * Takes a start back; too late for that, its supply ends as soon as it can.
 * @param before what was sent for it already
 */
export function revoke(
  draft: Draft,
  { marketLocation, start }: Pick<Revocation, 'marketLocation' | 'start'>,
  before: Pick<Revocation, 'former' | 'attempts'> & { readonly replaces?: string | undefined } = {},
): void {
  const isInTime = !isReached(endOfReceipt(start), draft.now);
  const second = Temporal.PlainDate.from(start).add({ days: 1 }).toString();
  const end = isInTime ? start : latest(second, earliestToday(draft));
  const contents = { marketLocation, end, reason: isInTime ? 'ZH2' : 'ZT5' } as const;
  const { replaces, former = [], attempts = 0 } = before;
  const question = pose(draft, 'deregistration', contents, { day: end, marketLocation, replaces });
  const { processNumber } = question;
  const sent = { processNumber, marketLocation, start, question, action: null, former, attempts };
  draft.state.revocations = [...(draft.state.revocations ?? []), sent].slice(-REMEMBERED_REVOCATIONS);
}

/** Tells him anew, with new numbers; what he was told before he may confirm all the same. */
function revokeAgain(draft: Draft, revocation: Revocation, attempts: number): void {
  const { question, former = [] } = revocation;
  forget(draft, revocation);
  const replaces = question?.transmitted === false ? question.documentNumber : undefined;
  const sent = question === undefined ? former : [...former, question].slice(-REMEMBERED_FORMER);
  revoke(draft, revocation, { former: sent, attempts, replaces });
}

/** Forgets a start that is over, and that something waits to be sent for it. */
function forget(draft: Draft, revocation: Revocation): void {
  const { question } = revocation;
  draft.state.revocations = (draft.state.revocations ?? []).filter((each) => each !== revocation);
  if (question !== undefined) waitsNoLonger(draft, question.documentNumber);
}

/**
 * Takes a start back no longer, since it is a part of a supply of ours. What the grid operator has been sent for it he may confirm
 * all the same; where that would end ours he is asked to forget it.
 */
export function relinquish(draft: Draft, revocation: Revocation): void {
  const { start, question } = revocation;
  forget(draft, revocation);
  rememberSent(draft, revocation);
  if (question === undefined) return;
  const { startAt, withdrawn } = draft.state;
  // Whoever has withdrawn wants ours to end.
  if (withdrawn) return;
  const { day, processNumber } = question;
  const ours = startAt === null ? start : berlinDayText(startAt);
  const wouldEndOurs = start === ours || (day !== null && day > start && day > ours);
  if (wouldEndOurs && question.transmitted && isAwaited(question)) send(draft, 'reversal', { reverses: processNumber });
}

/** He has taken a start back by what he was sent before it was a part of ours; false when none on that day is taken back. */
export function forgetRevocation(draft: Draft, marketLocation: string, day: DayText): boolean {
  const { revocations = [] } = draft.state;
  const found = revocations.find((each) => each.marketLocation === marketLocation && each.start === day);
  if (found === undefined) return false;
  forget(draft, found);
  rememberSent(draft, found);
  return true;
}

/** What he has been sent for it he may confirm all the same, and then it ends what is ours there by that day. */
function rememberSent({ state }: Draft, { question, former = [] }: Revocation, answered: string | null = null): void {
  const sent = [...former, ...(question === undefined ? [] : [question])];
  const others = sent.filter(({ processNumber }) => processNumber !== answered);
  state.dropped = [...(state.dropped ?? []), ...others].slice(-REMEMBERED_FORMER);
}

function amend({ state }: Draft, revocation: Revocation, changes: Partial<Revocation>): void {
  state.revocations = (state.revocations ?? []).map((each) => (each === revocation ? { ...each, ...changes } : each));
}

/** Asks somebody to clear up what became of a start, which is awaited no longer. */
function requireAction(
  draft: Draft,
  revocation: Revocation,
  code: Extract<ActionCode, `revocation_${string}`>,
  dueAt: InstantText | null,
): void {
  const { question, start } = revocation;
  const action = nextAction(code, draft.state.facts.customerType, { dueAt, day: start });
  amend(draft, revocation, {
    ...(question === undefined ? {} : { question: { ...question, transmitted: true, answerBy: null } }),
    action,
  });
}

/** Hears what the grid operator says of a start that we have taken back; false when it is none of that, or says nothing new. */
export function hear(draft: Draft, message: InboundMessage): boolean {
  const { answers } = message;
  const { revocations = [] } = draft.state;
  const isOf = ({ processNumber }: { readonly processNumber: string }): boolean => processNumber === answers;
  const found = revocations.find((each) => isOf(each) || each.former?.some(isOf) === true);
  if (found === undefined) return false;
  const isOver = message.kind === 'deregistration_confirmation' || isUnknown(message) || isEnded(found, message);
  if (isOver) {
    forget(draft, found);
    rememberSent(draft, found, answers);
  } else if (!isOf(found)) return false;
  else if (message.kind === 'acknowledgement') return acknowledge(draft, found, message);
  else if (isUnheard(message)) {
    const attempts = (found.attempts ?? 0) + 1;
    if (attempts < AUTOMATIC_ATTEMPTS) revokeAgain(draft, found, attempts);
    else requireAction(draft, found, 'revocation_refused', null);
  } else if (message.kind === 'deregistration_rejection') requireAction(draft, found, 'revocation_refused', null);
  else return false;
  return true;
}

/** Whether he knows of no supply of ours there. */
function isUnknown(message: InboundMessage): boolean {
  if (message.kind !== 'processing_error') return false;
  const { code } = message;
  return consequenceOf(PROCESSABILITY_CODES, code) !== 'clearing' || code === 'Z17' || code === 'Z18';
}

/** Whether he refuses since it has ended already, by the day that was asked for. */
function isEnded({ question, start }: Revocation, message: InboundMessage): boolean {
  if (message.kind !== 'deregistration_rejection') return false;
  const isConfirmed = consequenceOf(DEREGISTRATION_CODES, message.code) === 'already_confirmed';
  return isConfirmed && (message.confirmedEnd ?? start) <= (question?.day ?? start);
}

/** Whether he has acted on nothing, since he heard of it too late or could not process it. */
function isUnheard(message: InboundMessage): boolean {
  if (message.kind === 'deregistration_rejection') {
    return consequenceOf(DEREGISTRATION_CODES, message.code) === 'later_date';
  }
  return message.kind === 'processing_error' || message.kind === 'syntax_error';
}

/** He says when he received it: from then on his time runs, also where it seemed to have passed. */
function acknowledge(draft: Draft, revocation: Revocation, message: InboundMessage<'acknowledgement'>): boolean {
  const { question, action } = revocation;
  if (question === undefined || action?.code === 'revocation_refused') return false;
  const by = answerByReceipt(draft, question, message.receivedAt);
  if (by === null) return false;
  handOver(draft, revocation, question, by);
  return true;
}

function handOver(draft: Draft, revocation: Revocation, question: Question, by: InstantText): void {
  amend(draft, revocation, { question: { ...question, transmitted: true, answerBy: by }, action: null });
  waitsNoLonger(draft, question.documentNumber);
}

/** An operator has handed it over: from now on the grid operator's time runs. */
export function transmit(draft: Draft, documentNumber: string): void {
  const found = draft.state.revocations?.find(({ question }) => question?.documentNumber === documentNumber);
  if (found?.question === undefined) return;
  handOver(draft, found, found.question, answerBy('deregistration', draft.now));
}

/** It was not answered in time: it is not assumed that the start is taken back. */
export function overdue(draft: Draft, revocation: Revocation): void {
  requireAction(draft, revocation, 'revocation_unanswered', escalationDeadline(draft));
}

/** It was not transmitted while its day could be reached: the next that can is asked for. */
export function renew(draft: Draft, revocation: Revocation): void {
  revokeAgain(draft, revocation, revocation.attempts ?? 0);
}

/** What is to be cleared up becomes the operator's. */
export function escalate(draft: Draft, revocation: Revocation): void {
  const { action = null } = revocation;
  if (action !== null) amend(draft, revocation, { action: escalated(action) });
}

/** An operator has cleared up why starts were not taken back: that is asked again. False when that is not what he was asked. */
export function retry(draft: Draft): boolean {
  const { revocations = [] } = draft.state;
  const code = visibleAction(draft.state)?.code;
  const open = revocations.filter(({ action }) => action !== null && action !== undefined);
  if (!open.some(({ action }) => action?.code === code)) return false;
  for (const revocation of open) revokeAgain(draft, revocation, 0);
  return true;
}
