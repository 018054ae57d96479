/**
 * Cancelling the previous supplier (Kündigung, GPKE part 2, 1.2; market-rules.md §1.3): answered by the end of the first
 * working day. The registration follows only once it is confirmed; silence is never taken for consent.
 */
import { addWorkingDays, earliestStart, latestReceipt, nextWorkingDay, startOfBerlinDay } from '../calendar.ts';
import { CANCELLATION_CODES, consequenceOf, type Consequence } from './codes.ts';
import type { DayText, InboundMessage, MarketPartner } from './messages.ts';
import { nextAction, uncorrectable } from './next-action.ts';
import { ask, AUTOMATIC_ATTEMPTS, close, closeAll, correctionDeadline, dropReplaced } from './draft.ts';
import { inWorkingDays, openQuestions, requestStart, requireAction, reverse, today, type Draft } from './draft.ts';
import { earliest, isReached, latest, midnight } from './instants.ts';
import { wishedStart } from './state.ts';
import type { Question, Settlement, SupplyState, TakenBack } from './state.ts';

/** Working days in which the customer may choose another day than the one that his old supplier names. */
const PROPOSAL_WORKING_DAYS = 10;

/**
 * The first day for which a previous contract can be cancelled on `day`: the one on which our supply can start when the
 * answer takes as long as it may.
 */
export function earliestContractEnd(day: Temporal.PlainDate): DayText {
  return earliestStart(nextWorkingDay(day)).toString();
}

/**
 * Cancels the previous contract for the day on which our supply shall start. With the next possible start that is the
 * next possible end, and once the supplier has named it, exactly that day. We register only after his answer, which may
 * take until the end of the next working day: so the contract is cancelled for no day before the first start that is
 * possible then, or days without a supplier would lie between.
 */
export function cancel(draft: Draft, replaces?: string): void {
  const { facts, notBefore } = draft.state;
  const { marketLocation, previousSupplier } = facts;
  if (marketLocation === null) throw new Error('a cancellation needs a market location');
  const wished = wishedStart(draft.state);
  const reachable = earliestContractEnd(today(draft));
  const end = wished === null && notBefore === null ? null : latest(wished, notBefore, reachable);
  requestStart(draft, end, end === notBefore ? 'previous_contract' : 'lead_time');
  const details = replaces === undefined ? { day: end } : { day: end, replaces };
  ask(draft, 'cancellation', { marketLocation, end, supplier: previousSupplier }, details);
}

/** The supplier confirms the end of his contract. An end before our start would leave days without a supplier. */
export function onConfirmation(
  draft: Draft,
  question: Question,
  message: InboundMessage<'cancellation_confirmation'>,
  goOn: (draft: Draft) => void,
): void {
  closeAll(draft, 'cancellation');
  const { previousSupplier: supplier } = draft.state.facts;
  if (question.day !== null && message.end < question.day && wishedStart(draft.state) !== null) {
    const { marketLocation } = question;
    if (supplier !== null) {
      rememberTakenBack(draft, { processNumber: null, supplier: supplier.id, marketLocation, end: message.end });
    }
    requireAction(draft, 'cancelled_too_early', { day: message.end });
    return;
  }
  settle(draft, message.end, goOn);
}

function settle(draft: Draft, end: DayText | null, goOn: (draft: Draft) => void): void {
  const { previousSupplier: supplier, marketLocation } = draft.state.facts;
  draft.state.settled = supplier === null ? null : { supplier: supplier.id, end, marketLocation };
  draft.state.notBefore = end;
  draft.state.action = null;
  draft.state.attempts = 0;
  goOn(draft);
}

/** The supplier refuses, by a code of E_0614. */
export function onRejection(
  draft: Draft,
  question: Question,
  message: InboundMessage<'cancellation_rejection'>,
  goOn: (draft: Draft) => void,
): void {
  close(draft, question);
  const consequence = consequenceOf(CANCELLATION_CODES, message.code);
  cancellationFailed(draft, consequence, message.nextPossibleEnd, goOn);
}

/** Goes on after a refused cancellation; also after an APERAK on it. */
export function cancellationFailed(
  draft: Draft,
  consequence: Consequence,
  nextPossibleEnd: DayText | undefined,
  goOn: (draft: Draft) => void,
): void {
  const dueAt = correctionDeadline(draft);
  if (consequence === 'bound' && nextPossibleEnd !== undefined) propose(draft, nextPossibleEnd, goOn);
  else if (consequence === 'already_ended') alreadyEnded(draft, goOn);
  else if (consequence === 'authority_doubted') requireAction(draft, 'power_of_attorney_doubted', { dueAt });
  else if (consequence === 'identify_again' || consequence === 'ask_other_grid_operator') {
    requireAction(draft, 'previous_supplier_unaware', { dueAt });
  } else if (consequence === 'later_date' && draft.state.attempts + 1 < AUTOMATIC_ATTEMPTS) {
    draft.state.attempts += 1;
    cancel(draft);
  } else requireAction(draft, 'cancellation_refused');
}

/**
 * The supplier says that his contract ends before the day asked for. If a cancellation of ours has ended it on which we
 * no longer rely, and that end is still to come, the days until our start would be without a supplier: somebody must
 * clear that up. Otherwise we go on, with no start before the end that he has confirmed.
 */
function alreadyEnded(draft: Draft, goOn: (draft: Draft) => void): void {
  const end = confirmedEnd(draft.state)?.end ?? null;
  if (leavesGap(draft, end, wishedStart(draft.state))) requireAction(draft, 'cancelled_too_early', { day: end });
  else settle(draft, end, goOn);
}

/** Whether days without a supplier would lie between the end of a contract that is still to come and a start. */
export function leavesGap({ now }: Draft, end: DayText | null, start: DayText | null): end is DayText {
  return end !== null && start !== null && end < start && !isReached(midnight(end), now);
}

/** Goes on after a correction, unless the end of the previous contract now leaves days without a supplier. */
export function goOnUnlessTooEarly(draft: Draft, goOn: (draft: Draft) => void): void {
  const end = draft.state.settled?.end ?? null;
  if (leavesGap(draft, end, wishedStart(draft.state))) requireAction(draft, 'cancelled_too_early', { day: end });
  else goOn(draft);
}

/**
 * The newest end that was confirmed to a cancellation on which we no longer rely: by the supplier given, or, when none
 * is given (any more), by any.
 */
export function confirmedEnd(
  { takenBack = [], facts }: SupplyState,
  previousSupplier = facts.previousSupplier,
): Settlement | null {
  const confirmed = takenBack.findLast(
    ({ supplier, marketLocation, end }) =>
      (previousSupplier === null || supplier === previousSupplier.id) &&
      marketLocation === facts.marketLocation &&
      end !== null,
  );
  if (confirmed === undefined) return null;
  const { supplier, end } = confirmed;
  return { supplier, end, marketLocation: facts.marketLocation };
}

/**
 * An operator has cleared up an end that was too early: what the supplier says from now on counts, and nothing before.
 */
export function forgetConfirmedEnd(draft: Draft): void {
  const confirmed = confirmedEnd(draft.state);
  draft.state.settled = null;
  draft.state.takenBack = (draft.state.takenBack ?? []).filter(
    ({ supplier, marketLocation, end }) =>
      end === null || supplier !== confirmed?.supplier || marketLocation !== confirmed.marketLocation,
  );
}

/** How many cancellations that were taken back are remembered: nobody makes as many corrections in a day. */
const REMEMBERED_CANCELLATIONS = 20;

/**
 * Takes back what the previous supplier has not answered. Nobody waits for his consent, but his confirmation may be under
 * way already, and would end the contract all the same.
 * @param supplier whom it was sent to
 */
export function takeBack(draft: Draft, supplier: MarketPartner | null): void {
  const open = openQuestions(draft, 'cancellation');
  const replaced = (draft.state.replaced ?? []).filter(({ kind }) => kind === 'cancellation');
  for (const { processNumber, marketLocation } of [...replaced, ...open]) {
    if (supplier !== null) {
      const taken: TakenBack = { processNumber, supplier: supplier.id, marketLocation, end: null };
      rememberTakenBack(draft, taken);
    }
  }
  // One that was replaced has been handed over at most unseen; nobody relies on it any more.
  dropReplaced(draft, 'cancellation');
  for (const question of open) reverse(draft, question, false);
}

function rememberTakenBack(draft: Draft, taken: TakenBack): void {
  draft.state.takenBack = [...(draft.state.takenBack ?? []), taken].slice(-REMEMBERED_CANCELLATIONS);
}

/** No longer relies on what is settled. An end that was confirmed is remembered: it holds if he is given again. */
export function forgetSettlement(draft: Draft): void {
  const { settled } = draft.state;
  if (settled !== null && settled.end !== null) rememberTakenBack(draft, { ...settled, processNumber: null });
  draft.state.settled = null;
}

/**
 * Asks the operator to clear up days without a supplier; once the start is confirmed, nobody can correct it any more.
 */
export function requireClearedGap(draft: Draft, end: DayText): void {
  const action = nextAction('cancelled_too_early', draft.state.facts.customerType, { day: end });
  draft.state.action = draft.state.stage === 'confirmed' ? uncorrectable(action) : action;
}

/**
 * Remembers a confirmation of what we had taken back; false when it is none of ours. Where no supplier is asked any more
 * who could tell of that end, it is somebody's task at once: the later start is registered already. Before a supply that
 * is not wanted any more it is nobody's.
 */
export function rememberConfirmation(
  draft: Draft,
  { answers, end }: InboundMessage<'cancellation_confirmation'>,
): boolean {
  const { takenBack = [], stage, action, facts, requestedStart, withdrawn } = draft.state;
  const confirmed = takenBack.find(({ processNumber }) => processNumber === answers);
  if (answers === null || confirmed === undefined) return false;
  draft.state.takenBack = takenBack.map((each) => (each === confirmed ? { ...each, end } : each));
  const isWanted = !withdrawn && (stage === 'registering' || stage === 'confirmed');
  const isHere = isWanted && confirmed.marketLocation === facts.marketLocation;
  const isOfNobodyElse = facts.previousSupplier === null || facts.previousSupplier.id === confirmed.supplier;
  if (isHere && isOfNobodyElse && action === null && leavesGap(draft, end, requestedStart)) {
    requireClearedGap(draft, end);
  }
  return true;
}

/**
 * Proposes the next possible day to the customer. We go on with it unless he chooses another in time: the market leaves
 * no earlier one, and waiting longer would lose it too. Where there is no time to ask, we go on at once.
 */
function propose(draft: Draft, nextPossibleEnd: DayText, goOn: (draft: Draft) => void): void {
  draft.state.notBefore = nextPossibleEnd;
  const patience = inWorkingDays(draft, PROPOSAL_WORKING_DAYS);
  // A working day for the answer to the cancellation, one for that to the registration, one to spare.
  const lastSafe = addWorkingDays(latestReceipt(Temporal.PlainDate.from(nextPossibleEnd)), -3);
  const retryAt = earliest([patience, startOfBerlinDay(lastSafe).toString()]);
  if (retryAt !== null && !isReached(retryAt, draft.now)) {
    requireAction(draft, 'previous_contract_bound', { retryAt, day: nextPossibleEnd });
    return;
  }
  draft.state.attempts += 1;
  if (draft.state.attempts < AUTOMATIC_ATTEMPTS) goOn(draft);
  else requireAction(draft, 'cancellation_refused');
}
