/**
 * Our duties as the supplier whom another one follows (market-rules.md §1.3, §1.4, §1.6): every cancellation, inquiry
 * and end is answered at once, well within its deadline, by the decision trees of the market.
 */
import {
  berlinDay,
  berlinDayText,
  deadlineFor,
  previousWorkingDay,
  startOfBerlinDay,
  type DeadlineKind,
} from '../calendar.ts';
import { isSupply, statusOf } from '../subscription/lifecycle.ts';
import type { CancellationCode, InquiryCode } from './codes.ts';
import { boundEnd, endAsTold, endBeforeStart } from './end-answers.ts';
import { deregister, earliestEnd, earliestEndAfter, forgetDeregistrations, schedule, startDay } from './ending.ts';
import type { DayText, InboundMessage } from './messages.ts';
import { forgetOthers } from './other-starts.ts';
import { earliestEndOf, rememberTold } from './registration.ts';
import { answer, close, draftOf, openQuestions, receiptOf, sendAnswer, today, type Draft } from './draft.ts';
import { isReached, midnight } from './instants.ts';
import { mayStand, unawaited, type Outcome, type SupplyState } from './state.ts';

const DONE: Outcome = { kind: 'done' };
const IGNORED: Outcome = { kind: 'ignored', reason: 'not_in_this_stage' };

/** Whether the market location is ours: the grid operator has confirmed it and it has not ended. */
function isOurs({ stage, facts }: SupplyState, marketLocation: string): boolean {
  return isSupply(stage) && marketLocation === facts.marketLocation;
}

/**
 * Whether an inquiry is about a supply of ours, also where it overtakes the confirmation of its start: the grid operator
 * asks for consent to an end after it, and takes silence for that, as he does what counts as never received.
 */
function isAskedAbout(state: SupplyState, { marketLocation, end }: InboundMessage<'end_inquiry'>): boolean {
  const isRegistered = state.questions.some(
    ({ kind, day, ...asked }) =>
      kind === 'registration' && asked.marketLocation === marketLocation && (day === null || end > day),
  );
  return isRegistered || state.unclearLocation === marketLocation || isOurs(state, marketLocation);
}

/** A message that somebody sends of his own accord and wants answered. */
type Asked = InboundMessage<'cancellation' | 'end_inquiry' | 'grid_operator_end'>;

/** Whether something that wants an answer is about nothing that we supply there, have supplied, or may come to supply. */
export function isNotOurs(state: SupplyState, message: InboundMessage): boolean {
  if (message.kind === 'end_inquiry') return !isAskedAbout(state, message);
  if (message.kind !== 'cancellation' && message.kind !== 'grid_operator_end') return false;
  const { marketLocation } = message;
  if (isOurs(state, marketLocation)) return false;
  if (message.kind === 'grid_operator_end') return !isRegistering(state, marketLocation);
  const { stage, startAt, facts } = state;
  return stage !== 'ended' || startAt === null || marketLocation !== facts.marketLocation;
}

/** Says that the market location is not ours (APERAK Z18), which is no matter of the decision trees. */
function notOurs(draft: Draft, message: Asked): Outcome {
  answer(draft, 'processing_error', { code: 'Z18' }, aboutAnswer(draft, message, 'process_acknowledgement'));
  return DONE;
}

/** What an answer refers to, and until when it is in time. */
function aboutAnswer(
  draft: Draft,
  message: Asked,
  deadline: DeadlineKind,
): { readonly answers: string; readonly sendBy: Temporal.Instant } {
  return { answers: message.processNumber, sendBy: deadlineFor(deadline, receiptOf(draft, message)) };
}

/**
 * Whether nobody has said when a message reached us although it matters: if it had reached us only now, it would be too
 * late, and be refused for that alone, or promise nothing.
 */
export function mustSayReceipt(state: SupplyState, message: InboundMessage, now: Temporal.Instant): boolean {
  if ('receivedAt' in message && message.receivedAt !== undefined) return false;
  if (message.kind === 'registration_confirmation') {
    const open = [...state.questions, ...unawaited(state)];
    const isOpen = open.some(({ processNumber }) => processNumber === message.answers);
    return isOpen && isReached(midnight(message.start), now);
  }
  if (message.kind === 'end_inquiry') return isAskedAbout(state, message) && isInquiryLate(message, now);
  if (message.kind === 'grid_operator_end') {
    const isAboutUs = isRegistering(state, message.marketLocation) || isOurs(state, message.marketLocation);
    return isAboutUs && message.end < earliestEndAfter(now);
  }
  if (!('marketLocation' in message) || !isOurs(state, message.marketLocation)) return false;
  return message.kind === 'cancellation' && message.end !== null && isEndLost(state, message.end, now);
}

/**
 * Whether a day has come, or is out of reach for a cancellation received now although it was not for one received on
 * the last working day, which can still be answered in time.
 */
function isEndLost(state: SupplyState, day: DayText, now: Temporal.Instant): boolean {
  if (isReached(midnight(day), now)) return true;
  const draft = draftOf(state, now);
  const firstInTime = earliestEnd(draft, 'ordinary', previousWorkingDay(today(draft)));
  return state.end === null && day >= firstInTime && day < earliestEnd(draft, 'ordinary');
}

/** The grid operator asks by 07:00 of the working day after the registration (§1.1). */
function isInquiryLate(
  { registeredOn }: Pick<InboundMessage<'end_inquiry'>, 'registeredOn'>,
  at: Temporal.Instant,
): boolean {
  const last = deadlineFor('assignment_end_inquiry', registeredAt(registeredOn));
  return Temporal.Instant.compare(at, last) > 0;
}

function registeredAt(day: DayText): Temporal.Instant {
  return startOfBerlinDay(Temporal.PlainDate.from(day));
}

/** Answers a cancellation (55016) by E_0614; what is accepted is told to the grid operator at once (55004 ZT5). */
export function answerCancellation(draft: Draft, message: InboundMessage<'cancellation'>): Outcome {
  if (isNotOurs(draft.state, message)) return notOurs(draft, message);
  const { code, day } = decideCancellation(draft, message);
  const about = aboutAnswer(draft, message, 'cancellation_answer');
  if (code === 'A09' || code === 'A03') answer(draft, 'cancellation_confirmation', { code, end: day ?? '' }, about);
  else {
    answer(draft, 'cancellation_rejection', day === null ? { code } : { code, nextPossibleEnd: day }, about);
  }
  if (code === 'A09' && day !== null) {
    schedule(draft, { day, endReason: 'terminated', canBeUndone: false, deregistrationReason: 'ZT5' });
  } else if (code === 'A03') commitToEnd(draft);
  return DONE;
}

/**
 * Somebody else relies on the planned end from now on (market-rules.md §1.3, §1.4, §1.6): it cannot be taken back, also
 * where the customer has asked for that already, and the grid operator is told at once.
 */
function commitToEnd(draft: Draft): void {
  const { end } = draft.state;
  if (end === null) return;
  draft.state.end = { ...end, canBeUndone: false };
  // A wish to take it back that the grid operator has not heard of yet he need not hear of.
  for (const reversal of openQuestions(draft, 'reversal')) if (!reversal.transmitted) close(draft, reversal);
  if (end.sendAt !== null) deregister(draft);
}

/** E_0614: what we answer to a cancellation for a day, or for the next possible when null. */
function decideCancellation(
  draft: Draft,
  message: InboundMessage<'cancellation'>,
): { readonly code: CancellationCode; readonly day: DayText | null } {
  const { stage, end } = draft.state;
  const { end: asked } = message;
  const hasCome = (day: DayText): boolean => isReached(midnight(day), receiptOf(draft, message));
  if (asked !== null && hasCome(asked)) return { code: 'A01', day: null };
  if (stage === 'ended' || (end !== null && hasCome(end.day))) return { code: 'A04', day: null };
  if (end !== null) {
    if (asked === null || asked === end.day) return { code: 'A03', day: end.day };
    return asked > end.day ? { code: 'A04', day: null } : { code: 'A05', day: end.day };
  }
  const earliest = earliestEnd(draft, 'ordinary', berlinDay(receiptOf(draft, message)));
  if (asked !== null && asked < earliest) return { code: 'A06', day: earliest };
  return { code: 'A09', day: asked ?? earliest };
}

/** Answers the grid operator's inquiry (55010) by E_0624, before 09:00; silence would be consent. */
export function answerInquiry(draft: Draft, message: InboundMessage<'end_inquiry'>): Outcome {
  if (isNotOurs(draft.state, message)) return notOurs(draft, message);
  const sendBy = deadlineFor('assignment_end_inquiry_answer', registeredAt(message.registeredOn));
  const about = { answers: message.processNumber, sendBy };
  const code = decideInquiry(draft, message);
  if (!CONSENTS.has(code)) {
    answer(draft, 'end_inquiry_refusal', { code }, about);
    return DONE;
  }
  commitToEnd(draft);
  const pending = pendingEnd(draft);
  if (pending !== null && pending <= message.end)
    answer(draft, 'end_inquiry_consent', { code: 'A31', end: pending }, about);
  else answer(draft, 'end_inquiry_consent', { code, end: message.end }, about);
  return DONE;
}

const CONSENTS: ReadonlySet<InquiryCode> = new Set(['A31', 'A34', 'A36']);

/** The day of a deregistration that the grid operator has been asked for and can still follow; null without one. */
function pendingEnd({ state, now }: Draft): DayText | null {
  const isAsked = state.questions.some(({ kind }) => kind === 'deregistration');
  return state.end !== null && isAsked && !isReached(midnight(state.end.day), now) ? state.end.day : null;
}

/**
 * E_0624. We know of a move only what our customer has told us, so a move-in by somebody else is consented to when our
 * contract ends by then, and refused (A33) while it runs: that keeps a mistaken registration from taking his supply.
 */
function decideInquiry(draft: Draft, message: InboundMessage<'end_inquiry'>): InquiryCode {
  const { end, facts, withdrawn } = draft.state;
  const { end: asked, reason, customerName } = message;
  if (isInquiryLate(message, receiptOf(draft, message))) return 'A43';
  const isOver = end === null && withdrawn;
  const endsByThen = isOver || (end !== null && end.day <= asked);
  if (endsByThen && end?.confirmed === true) return 'A30';
  if (endsByThen && pendingEnd(draft) !== null) return 'A31';
  if (reason === 'E01') {
    if (sameName(customerName, facts.customerName)) return 'A32';
    return endsByThen ? 'A34' : 'A33';
  }
  return endsByThen ? 'A36' : 'A35';
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  return plain(one) === plain(other);
}

/**
 * Another supplier takes the location during supply (55037), or on the day of our start. The message may overtake the
 * confirmation of that start, or come before an operator has cleared up that it stands.
 */
export function onEndNotice(draft: Draft, { marketLocation, end: day }: InboundMessage<'end_notice'>): Outcome {
  noteOfUnclearStart(draft, marketLocation, day);
  const hasEnded = forgetOthers(draft, marketLocation, (start) => start < day);
  if (isRegistering(draft.state, marketLocation)) {
    rememberTold(draft, marketLocation, { noticedEnd: day });
    return DONE;
  }
  if (isOurs(draft.state, marketLocation)) return endByNotice(draft, day);
  return hasEnded ? DONE : IGNORED;
}

/** Remembers an end of the supply from a start there that may stand. */
function noteOfUnclearStart({ state }: Draft, marketLocation: string, noticedEnd: DayText): void {
  const { unclearStart = null } = state;
  if (unclearStart === null || !mayStand(state, marketLocation)) return;
  const { day, noticedEnd: known = null } = unclearStart;
  state.unclearStart = { ...unclearStart, noticedEnd: earliestEndOf(day, known, noticedEnd) };
}

/** Ends the supply of which the start is confirmed now, as the grid operator told before. */
export function endAsNoticed(draft: Draft): void {
  const { noticedEnd = null, shutDownOn = null, startAt } = draft.state;
  draft.state.noticedEnd = null;
  if (noticedEnd === null || startAt === null) return;
  endByNotice(draft, noticedEnd, noticedEnd === shutDownOn ? 'terminated' : 'superseded');
}

/**
 * Whether a start there may come to be promised, or be taken back: we have asked for one, if only unseen, or it is unclear
 * whether the one confirmed stands.
 */
function isRegistering(state: SupplyState, marketLocation: string): boolean {
  const unseen = statusOf(state.stage) === 'pending' && !isSupply(state.stage) ? unawaited(state) : [];
  const isAsked = [...state.questions, ...unseen].some(
    (question) => question.kind === 'registration' && question.marketLocation === marketLocation,
  );
  return isAsked || mayStand(state, marketLocation);
}

/** Ends a supply as the grid operator tells; an end before its start is that of another one. */
export function endByNotice(
  draft: Draft,
  day: DayText,
  endReason: 'superseded' | 'terminated' = 'superseded',
): Outcome {
  const { end, stage, startAt } = draft.state;
  if (startAt === null || day < berlinDayText(startAt)) return IGNORED;
  if (end?.confirmed === true && end.day <= day) return { kind: 'ignored', reason: 'no_change' };
  if (endsEarlier(draft, day)) {
    boundEnd(draft, day);
    commitToEnd(draft);
    return DONE;
  }
  forgetDeregistrations(draft);
  if (stage === 'confirmed' && day === berlinDayText(startAt)) return supersede(draft);
  endAsTold(draft, day, endReason);
  return DONE;
}

/**
 * Whether an earlier end is wanted, which the grid operator has yet to confirm. It may be on its way to him, or refused and
 * somebody's task; its day may have passed, and his answer still count.
 */
function endsEarlier({ state: { end } }: Draft, day: DayText): boolean {
  return end !== null && !end.confirmed && end.day < day;
}

/** Another supplier has taken the location before our start (55038). It may overtake the confirmation that it revokes. */
export function onStartRevocation(draft: Draft, message: InboundMessage<'start_revocation'>): Outcome {
  const { marketLocation, start } = message;
  const isOther = forgetOthers(draft, marketLocation, (day) => day === start);
  if (isRegistering(draft.state, marketLocation)) {
    rememberTold(draft, marketLocation, { revokedStart: start });
    return DONE;
  }
  if (!isOurs(draft.state, marketLocation) || startDay(draft) !== start) return isOther ? DONE : IGNORED;
  // Recorded after the start it ends a supply that has begun.
  return draft.state.stage === 'confirmed'
    ? supersede(draft)
    : onEndNotice(draft, { ...message, kind: 'end_notice', end: start });
}

function supersede(draft: Draft): Outcome {
  endBeforeStart(draft, 'superseded');
  return DONE;
}

/**
 * The grid operator ends the supply, such as when the location is shut down (55007); answered by E_0609. Where he has not
 * confirmed its start yet, or nobody has told us, an error would count as silence, and silence is consent to him.
 */
export function answerGridOperatorEnd(draft: Draft, message: InboundMessage<'grid_operator_end'>): Outcome {
  if (isNotOurs(draft.state, message)) return notOurs(draft, message);
  const isExpected = isRegistering(draft.state, message.marketLocation);
  const about = aboutAnswer(draft, message, 'grid_operator_end_answer');
  const { end, startAt } = draft.state;
  if (end?.confirmed === true && end.day <= message.end) {
    answer(draft, 'grid_operator_end_refusal', { code: 'A02' }, about);
    return DONE;
  }
  if (message.end < earliestEndAfter(receiptOf(draft, message))) {
    answer(draft, 'grid_operator_end_refusal', { code: 'A03' }, about);
    return DONE;
  }
  answer(draft, 'grid_operator_end_consent', { code: 'A10', end: message.end }, about);
  if (isExpected) return rememberShutDown(draft, message);
  if (endsEarlier(draft, message.end)) {
    boundEnd(draft, message.end);
    commitToEnd(draft);
    return DONE;
  }
  forgetDeregistrations(draft);
  if (draft.state.stage === 'confirmed' && startAt !== null && message.end <= berlinDayText(startAt)) {
    endBeforeStart(draft, 'rejected');
    return DONE;
  }
  endAsTold(draft, message.end);
  return DONE;
}

/** Remembers an end of a supply that is not promised yet; by its start that comes to nothing. */
function rememberShutDown(draft: Draft, { marketLocation, end }: InboundMessage<'grid_operator_end'>): Outcome {
  noteOfUnclearStart(draft, marketLocation, end);
  rememberTold(draft, marketLocation, { shutDownOn: end });
  return DONE;
}

/** A partner asks to forget a message of his (55022). We have acted on it already, so we refuse; he starts a new one. */
export function answerReversal(draft: Draft, message: InboundMessage<'reversal'>): Outcome {
  const { reverses, processNumber } = message;
  sendAnswer(draft, 'reversal_rejection', { reverses }, processNumber);
  return DONE;
}

/**
 * Whether an answer of ours, such as that to an inquiry (55012), counts as never received: the partner takes it for
 * silence, and silence may cost the supply. Of a question of ours that is answered already it means nothing.
 */
export function isErrorOfOurs(
  { state: { stage, facts, answered } }: Draft,
  { kind, answers }: InboundMessage,
): boolean {
  const isError = kind === 'processing_error' || kind === 'syntax_error';
  if (!isError || answers === null || stage === 'ended') return false;
  return answered?.includes(answers) ?? (isSupply(stage) && answers.startsWith(`${facts.reference}.`));
}
