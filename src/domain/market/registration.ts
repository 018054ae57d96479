/**
 * Registering with the grid operator (Anmeldung, Lieferbeginn, GPKE part 2, 2.1; market-rules.md §1.4): answered by
 * 11:00 of the first working day. Nothing but his confirmation promises supply.
 */
import { statusOf } from '../subscription/lifecycle.ts';
import {
  consequenceOf,
  DIRECT_REGISTRATION_CODES,
  INQUIRY_CODES,
  REGISTRATION_CODES,
  type Consequence,
} from './codes.ts';
import { confirmedEnd, goOnUnlessTooEarly, leavesGap, requireClearedGap } from './cancellation.ts';
import type { DayText, InboundMessage } from './messages.ts';
import { ask, AUTOMATIC_ATTEMPTS, close, closeAll, closeUnwanted, correctionDeadline, earliestToday } from './draft.ts';
import {
  dropReplaced,
  endLife,
  forgetReplaced,
  isAwaiting,
  openQuestions,
  receiptOf,
  requestStart,
  requireAction,
  reverse,
  reverseAll,
  step,
} from './draft.ts';
import type { Draft } from './draft.ts';
import { endBeforeStart } from './end-answers.ts';
import { revokeStart } from './ending.ts';
import { isStartUnclear } from './next-action.ts';
import { isReached, latest, midnight } from './instants.ts';
import { mayStand, wishedStart, type MoveReason } from './state.ts';
import type { Outcome, Question, SupplyState } from './state.ts';

/** The day to register for, and why it is not the wished one where the market forbids that. */
function startToAskFor(draft: Draft): { readonly day: DayText; readonly moved: MoveReason } {
  const { notBefore } = draft.state;
  const day = latest(wishedStart(draft.state), notBefore, earliestToday(draft));
  return { day, moved: day === notBefore ? 'previous_contract' : 'lead_time' };
}

/** Registers for the intended day, or the first that the market permits; tells when and why that day has moved. */
export function register(draft: Draft, replaces?: string): void {
  const { marketLocation, customerName, previousSupplier } = draft.state.facts;
  if (marketLocation === null) throw new Error('a registration needs a market location');
  const { day, moved } = startToAskFor(draft);
  requestStart(draft, day, moved);
  // What was told before this registration says nothing of it; one that is still open it may concern.
  if (openQuestions(draft, 'registration').length === 0) {
    draft.state.revokedStart = null;
    if (draft.state.noticedEnd !== undefined) draft.state.noticedEnd = null;
    if (draft.state.shutDownOn !== undefined) draft.state.shutDownOn = null;
  }
  const reason = previousSupplier !== null || draft.state.isSwitch ? 'E03' : 'E01';
  const details = replaces === undefined ? { day } : { day, replaces };
  ask(draft, 'registration', { marketLocation, start: day, reason, customerName }, details);
}

/** What the grid operator tells of a supply before he confirms its start. */
type Told = { readonly revokedStart: DayText } | { readonly noticedEnd: DayText } | { readonly shutDownOn: DayText };

/** Of several ends of one supply the earliest counts; one before its start is that of another supply. */
export function earliestEndOf(start: DayText | null, known: DayText | null, told: DayText): DayText {
  const isOfIt = (day: DayText): boolean => start === null || day >= start;
  if (known === null || !isOfIt(known)) return told;
  return isOfIt(told) && told < known ? told : known;
}

/** What is remembered by now of a supply from such a day. */
function withTold(start: DayText | null, known: Pick<SupplyState, 'noticedEnd' | 'shutDownOn'>, told: Told): Told {
  if ('noticedEnd' in told) return { noticedEnd: earliestEndOf(start, known.noticedEnd ?? null, told.noticedEnd) };
  if ('shutDownOn' in told) return { shutDownOn: earliestEndOf(start, known.shutDownOn ?? null, told.shutDownOn) };
  return told;
}

/** Remembers it of what he has been asked there by now: it says nothing of what he is asked later. */
export function rememberTold(draft: Draft, marketLocation: string, told: Told): void {
  const note = (each: Question): Question =>
    each.kind === 'registration' && each.marketLocation === marketLocation
      ? { ...each, ...withTold(each.day, each, told) }
      : each;
  draft.state.questions = draft.state.questions.map(note);
  if (draft.state.replaced !== undefined) draft.state.replaced = draft.state.replaced.map(note);
  if (draft.state.dropped !== undefined) draft.state.dropped = draft.state.dropped.map(note);
  const start = newestStart(draft, marketLocation);
  if (start !== undefined) Object.assign(draft.state, withTold(start, draft.state, told));
}

/** The day of what may come to be supplied there; undefined where only what is open at another place may. */
function newestStart(draft: Draft, marketLocation: string): DayText | null | undefined {
  const open = openQuestions(draft, 'registration').findLast((each) => each.marketLocation === marketLocation);
  if (open !== undefined) return open.day;
  return mayStand(draft.state, marketLocation) ? (draft.state.unclearStart?.day ?? null) : undefined;
}

/** What counts from now on is what he has told of this registration. */
function recallTold({ state }: Draft, { revokedStart, noticedEnd, shutDownOn }: Question): void {
  if (revokedStart !== undefined) state.revokedStart = revokedStart;
  if (noticedEnd !== undefined) state.noticedEnd = noticedEnd;
  if (shutDownOn !== undefined) state.shutDownOn = shutDownOn;
}

/** By an end of his own (55007) no start comes to anything that is not before it, and one before it has that end. */
function heedShutDown({ state }: Draft, start: DayText): void {
  const { shutDownOn = null } = state;
  if (shutDownOn === null) return;
  if (shutDownOn <= start) state.revokedStart = start;
  else state.noticedEnd = earliestEndOf(start, state.noticedEnd ?? null, shutDownOn);
}

/** The grid operator confirms: only now is supply promised, and never for a day that had come when he said so. */
export function onConfirmation(
  draft: Draft,
  question: Question,
  message: InboundMessage<'registration_confirmation'>,
): void {
  recallTold(draft, question);
  heedShutDown(draft, message.start);
  if (isReached(midnight(message.start), receiptOf(draft, message))) {
    keepUnclear(draft, question, 'confirmed_too_late', message.start);
    return;
  }
  if (question.day !== null && message.start < question.day) {
    // Somebody else may supply until the day that was asked for.
    keepUnclear(draft, question, 'confirmed_too_early', message.start);
    return;
  }
  close(draft, question);
  if (isReplacedByAnother(draft, message.start)) {
    closeReversalOf(draft, question);
    return;
  }
  takeBackOthers(draft);
  promise(draft, question.marketLocation, message.start);
}

/** Whether a start is over before it is known, and another registration has been sent since that may come to something. */
function isReplacedByAnother(draft: Draft, start: DayText): boolean {
  if (draft.state.revokedStart !== start) return false;
  return openQuestions(draft, 'registration').some(({ day, revokedStart, shutDownOn = null }) => {
    const isShutDown = shutDownOn !== null && day !== null && shutDownOn <= day;
    return revokedStart !== start && !isShutDown;
  });
}

/** Nobody needs to forget what is answered, or forgotten. */
export function closeReversalOf(draft: Draft, { processNumber }: Question): void {
  for (const reversal of openQuestions(draft, 'reversal')) {
    if (reversal.reverses === processNumber) close(draft, reversal);
  }
}

/** Closes what the grid operator has agreed to forget: should he confirm a registration all the same, its start is taken back. */
export function closeForgotten(draft: Draft, question: Question): void {
  if (question.kind === 'registration') closeUnwanted(draft, { ...question, transmitted: true }, 'dropped');
  else close(draft, question);
}

/**
 * Takes back what was asked beside the registration of a start that stands: when that start comes to nothing, the grid
 * operator could confirm the other one, and his customer would be ours without our knowing.
 */
function takeBackOthers(draft: Draft): void {
  // A wish of which he has not heard yet is sent anew, for nobody waits for its answer any more.
  for (const reversal of openQuestions(draft, 'reversal')) if (!reversal.transmitted) close(draft, reversal);
  reverseAll(draft, 'registration', false);
  for (const question of openQuestions(draft, 'registration')) closeUnwanted(draft, question, 'dropped');
}

/** Supply is going to begin, or has begun, on a day that the grid operator has confirmed. */
function promise(draft: Draft, marketLocation: string | null, start: DayText): void {
  closeAll(draft, 'reversal');
  Object.assign(draft.state, { afterReversal: null, unclearLocation: null, action: null });
  if (draft.state.unclearStart !== undefined) draft.state.unclearStart = null;
  dropReplaced(draft, 'registration');
  forgetReplaced(draft);
  // A correction that came too late for its reversal: what was registered is what we supply.
  draft.state.facts = { ...draft.state.facts, marketLocation };
  if (draft.state.revokedStart === start) {
    // Messages out of order: the start is over before it is known, so it is never promised.
    const { shutDownOn = null } = draft.state;
    endBeforeStart(draft, shutDownOn !== null && shutDownOn <= start ? 'rejected' : 'superseded');
    return;
  }
  draft.state.startAt = midnight(start);
  step(draft, 'supply_confirmed');
  requestStart(draft, start, 'grid_operator');
  // He may have confirmed it although the customer has withdrawn.
  if (draft.state.withdrawn) revokeStart(draft);
  else keepGap(draft, start);
}

/** Days without a supplier are not over with a start that comes after them, until they are cleared up, or it has come. */
function keepGap(draft: Draft, start: DayText): void {
  const end = confirmedEnd(draft.state)?.end ?? null;
  if (leavesGap(draft, end, start)) requireClearedGap(draft, end);
}

/**
 * An operator has cleared up that a start stands which the grid operator had confirmed too late or too early: we supply from
 * that day. Nobody else can say so, also once the operator has retried in vain; what was asked anew is taken back.
 */
export function acceptStart(draft: Draft): Outcome {
  const { stage, facts, unclearStart = null, unclearLocation = null } = draft.state;
  const place = unclearLocation ?? facts.marketLocation;
  if (stage !== 'registering' || unclearStart === null || unclearStart.marketLocation !== place) {
    return { kind: 'refused', code: 'not_in_this_stage', earliest: null };
  }
  takeBackOthers(draft);
  // What he has told of its end holds, also where he has been asked anew since.
  draft.state.noticedEnd = unclearStart.noticedEnd ?? draft.state.noticedEnd ?? null;
  heedShutDown(draft, unclearStart.day);
  promise(draft, place, unclearStart.day);
  return { kind: 'done' };
}

/** Promises nothing of what was confirmed; another registration that is open may still come to something. */
function keepUnclear(
  draft: Draft,
  question: Question,
  code: 'confirmed_too_late' | 'confirmed_too_early',
  day: DayText,
): void {
  close(draft, question);
  closeReversalOf(draft, question);
  if (openQuestions(draft, 'registration').length === 0) draft.state.afterReversal = null;
  draft.state.unclearLocation = question.marketLocation;
  const { noticedEnd = null } = draft.state;
  draft.state.unclearStart = { marketLocation: question.marketLocation, day, noticedEnd };
  requireAction(draft, code, { day });
}

/**
 * Ends a sign-up that waits for somebody in vain. Refused once the grid operator has confirmed it, and while he still may:
 * his customer would be ours without our knowing. What the previous supplier has agreed to stands.
 */
export function giveUp(draft: Draft): Outcome {
  const { stage } = draft.state;
  const isAsked = openQuestions(draft, 'registration').some(({ transmitted }) => transmitted);
  if (statusOf(stage) !== 'pending' || stage === 'confirmed' || isAsked || isStartUnclear(draft.state)) {
    return { kind: 'refused', code: 'not_in_this_stage', earliest: null };
  }
  for (const kind of ['cancellation', 'registration'] as const) {
    for (const question of openQuestions(draft, kind)) reverse(draft, question, false);
  }
  endLife(draft, 'rejected', 'rejected');
  return { kind: 'done' };
}

/** The grid operator refuses, by a code of E_0622 or E_0623; A50 carries the previous supplier's of E_0624. */
export function onRejection(
  draft: Draft,
  question: Question,
  message: InboundMessage<'registration_rejection'>,
  goOn: (draft: Draft) => void,
): void {
  close(draft, question);
  const consequence = consequenceOfRejection(message);
  afterRefusal(draft, goOn, () => registrationFailed(draft, consequence, message.acceptedFrom, goOn));
}

/** What follows when a registration is off: the withdrawal or the correction that waited for it, else `failed`. */
export function afterRefusal(draft: Draft, goOn: (draft: Draft) => void, failed: () => void): void {
  if (endIfWithdrawn(draft)) return;
  // A second registration may yet be confirmed in time; one whose time has passed stays open, should he confirm it after all.
  if (isAwaiting(draft, 'registration')) return;
  const isRestart = draft.state.afterReversal === 'restart';
  // What is taken back is off only with the last of what he was asked.
  if ((draft.state.withdrawn || isRestart) && openQuestions(draft, 'registration').length > 0) return;
  closeAll(draft, 'reversal');
  draft.state.afterReversal = null;
  // What he has confirmed beside is cleared up before anything else is asked.
  if (isStartUnclear(draft.state)) return;
  if (isRestart) goOnUnlessTooEarly(draft, goOn);
  else failed();
}

/** Ends a withdrawn life once no registration is open any more, and no start is to be cleared up. */
export function endIfWithdrawn(draft: Draft): boolean {
  const isOpen = openQuestions(draft, 'registration').length > 0 || isStartUnclear(draft.state);
  if (!draft.state.withdrawn || isOpen) return false;
  endLife(draft, 'withdrawn', 'withdrawn');
  return true;
}

function consequenceOfRejection({ code, supplierCode }: InboundMessage<'registration_rejection'>): Consequence {
  if (!Object.hasOwn(REGISTRATION_CODES, code)) return consequenceOf(DIRECT_REGISTRATION_CODES, code);
  const consequence = consequenceOf(REGISTRATION_CODES, code);
  return consequence === 'supplier_objects' && supplierCode !== undefined
    ? consequenceOf(INQUIRY_CODES, supplierCode)
    : consequence;
}

/** Goes on after a refused registration; also after an APERAK on it. */
export function registrationFailed(
  draft: Draft,
  consequence: Consequence,
  acceptedFrom: DayText | undefined,
  goOn: (draft: Draft) => void,
): void {
  const { facts, settled } = draft.state;
  const dueAt = correctionDeadline(draft);
  const isCancelled = settled !== null && settled.supplier === facts.previousSupplier?.id;
  if (consequence === 'later_date' || consequence === 'ask_again') {
    draft.state.attempts += 1;
    if (draft.state.attempts < AUTOMATIC_ATTEMPTS) register(draft);
    else requireAction(draft, 'registration_refused');
  } else if (consequence === 'wait' && acceptedFrom !== undefined) {
    requireAction(draft, 'concurrent_registration', { retryAt: midnight(acceptedFrom), day: acceptedFrom });
  } else if (consequence === 'supplier_objects') {
    if (facts.previousSupplier !== null && !isCancelled) goOn(draft);
    else requireAction(draft, 'previous_supplier_objects', { dueAt });
  } else if (consequence === 'not_a_move_in') {
    draft.state.isSwitch = true;
    requireAction(draft, 'not_a_move_in', { dueAt });
  } else if (consequence === 'location_shut_down') requireAction(draft, 'market_location_shut_down', { dueAt });
  else if (consequence === 'balancing_group_authority') requireAction(draft, 'balancing_group_authority_missing');
  else if (consequence === 'new_connection') requireAction(draft, 'new_connection');
  else requireAction(draft, 'registration_refused');
}
