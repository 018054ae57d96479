/**
 * Corrected data (PATCH while pending and not confirmed, interface.md §6): the process resumes by itself where the new
 * data changes what was asked. What the grid operator has been asked already is reversed first.
 */
import { normaliseMeterNumber } from '../identifiers.ts';
import { confirmedEnd, earliestContractEnd, forgetSettlement, goOnUnlessTooEarly } from './cancellation.ts';
import { leavesGap, takeBack } from './cancellation.ts';
import { reverseRegistrations } from './ending.ts';
import { isStartUnclear } from './next-action.ts';
import { close, earliestToday, openQuestions, requestStart, today, type Draft } from './draft.ts';
import type { DayText, MarketPartner } from './messages.ts';
import {
  silenceOf,
  type Correctable,
  type Outcome,
  type Question,
  type Settlement,
  type SupplyState,
} from './state.ts';

/** How the fields of an action begin that ask for a member. */
const POINTERS: Readonly<Record<keyof Correctable, string>> = {
  marketLocation: '/meter/malo',
  meterNumber: '/meter/number',
  zip: '/address',
  address: '/address',
  customerName: '/customer/',
  intendedStartDate: '/intended_start_date',
  previousSupplier: '/previous_supplier',
};

/** Whether anything may be corrected still: until the grid operator has confirmed a start, or somebody has withdrawn. */
export function isCorrectable(state: SupplyState): boolean {
  const { stage, withdrawn } = state;
  const isOpen = stage === 'identifying' || stage === 'cancelling' || stage === 'registering';
  return isOpen && !withdrawn && !isStartUnclear(state);
}

/** Takes corrected data. An action is resolved by any of the fields that it names, even when it is given again as it was. */
export function correct(draft: Draft, changes: Partial<Correctable>, goOn: (draft: Draft) => void): Outcome {
  const { stage, facts, action } = draft.state;
  if (!isCorrectable(draft.state)) return { kind: 'refused', code: 'not_in_this_stage', earliest: null };
  const changed = changedBy(changes, facts);
  const answersAction = (Object.keys(changes) as (keyof Correctable)[]).some(
    (name) => action?.fields.some((field) => field.startsWith(POINTERS[name])) === true,
  );
  if (changed.size === 0 && !answersAction) return { kind: 'ignored', reason: 'no_change' };
  const isElsewhere = namesAnotherPlace(draft.state, changes, changed);
  const settled = settlementFor(draft.state, changes, isElsewhere);
  const isOther =
    isElsewhere || (changed.has('previousSupplier') && (settled === null || draft.state.settled === null));
  const end = endToMeet(draft.state, changes, isElsewhere, settled);
  if (leavesGap(draft, end, changes.intendedStartDate ?? null)) {
    return { kind: 'refused', code: 'leaves_gap', earliest: end };
  }
  if (isRuledOut(draft, changes, isOther))
    return { kind: 'refused', code: 'start_date_too_early', earliest: draft.state.notBefore };
  draft.state.facts = { ...facts, ...changes };
  Object.assign(draft.state, { attempts: 0, redirections: 0 });
  const isRevived = settled !== null && draft.state.settled === null;
  forgetWhatNoLongerHolds(draft, changes, isElsewhere, isOther);
  if (isRevived) Object.assign(draft.state, { settled, notBefore: settled.end });
  if (action?.fields.includes('/intended_start_date') === true && changes.intendedStartDate !== undefined) {
    draft.state.chosenStart = changes.intendedStartDate;
  }
  // Who is removed supplies there all the same (market-rules.md §1.3, §1.4), unless he says that he does not know the place.
  const isRemoved = changed.has('previousSupplier') && changes.previousSupplier === null;
  if (isRemoved && !isElsewhere && (isRevived || action?.code !== 'previous_supplier_unaware')) {
    draft.state.isSwitch = true;
  }
  // Whom to cancel is nothing that the search for the market location asks for.
  const isOtherStep = isElsewhere || changed.has('marketLocation') || (isOther && stage !== 'identifying');
  if (answersAction || isOtherStep || affectsOpenQuestion(draft, changed, facts.intendedStartDate)) {
    restart(draft, facts.previousSupplier, isRevived ? (each) => goOnUnlessTooEarly(each, goOn) : goOn);
  } else if (changed.has('intendedStartDate')) keepRequest(draft);
  return { kind: 'done' };
}

/** Goes on asking for the same day, which is now another than the wished one, or that very day. */
function keepRequest(draft: Draft): void {
  const { questions, requestedStart, moveReason, notBefore } = draft.state;
  const isAsked = questions.some(({ kind }) => kind === 'cancellation' || kind === 'registration');
  const reason = isAsked ? (requestedStart === notBefore ? 'previous_contract' : 'lead_time') : null;
  requestStart(draft, requestedStart, moveReason ?? reason);
}

/** What differs from before. Suppliers are compared by id, meter numbers without regard to blanks, dashes and case. */
function changedBy(changes: Partial<Correctable>, facts: Correctable): ReadonlySet<keyof Correctable> {
  const isSame = (name: keyof Correctable): boolean => {
    if (name === 'previousSupplier') return changes.previousSupplier?.id === facts.previousSupplier?.id;
    if (name === 'meterNumber') {
      return normaliseMeterNumber(changes.meterNumber ?? '') === normaliseMeterNumber(facts.meterNumber);
    }
    return changes[name] === facts[name];
  };
  return new Set((Object.keys(changes) as (keyof Correctable)[]).filter((name) => !isSame(name)));
}

/**
 * Whether the place of supply is another one. The market knows it by its market location alone (market-rules.md §1.4):
 * where that is given, whether anew or as it was, it decides; else the meter and the address do. One that the grid operator
 * said he does not know is as it was when it is given again.
 */
function namesAnotherPlace(
  { facts, settled }: SupplyState,
  changes: Partial<Correctable>,
  changed: ReadonlySet<keyof Correctable>,
): boolean {
  const { marketLocation } = changes;
  if (typeof marketLocation === 'string') return marketLocation !== (facts.marketLocation ?? settled?.marketLocation);
  if (changed.has('marketLocation')) return true;
  return changed.has('zip') || changed.has('address') || changed.has('meterNumber');
}

/**
 * What a supplier has confirmed, as far as it holds for the previous supplier who is given now. His contract ends even
 * if he is removed, and when he is given again he is not asked twice. While another supplier is given it says nothing
 * of that one's contract.
 */
function settlementFor(
  state: SupplyState,
  { previousSupplier }: Partial<Correctable>,
  isElsewhere: boolean,
): Settlement | null {
  const { settled } = state;
  if (isElsewhere) return null;
  if (settled !== null) return !previousSupplier || previousSupplier.id === settled.supplier ? settled : null;
  return previousSupplier === null ? confirmedEnd(state, null) : null;
}

/**
 * The end of the old contract that a start must not come after, or there would be days without a supplier. Where a later
 * start is what we have asked for, there is none.
 */
function endToMeet(
  state: SupplyState,
  { previousSupplier }: Partial<Correctable>,
  isElsewhere: boolean,
  settled: Settlement | null,
): DayText | null {
  const { facts, action } = state;
  const isTooEarly = action?.code === 'cancelled_too_early';
  const isOffered = !isTooEarly && action?.fields.includes('/intended_start_date') === true;
  if (isElsewhere || isOffered || facts.nextPossibleStart) return null;
  const confirmed = isTooEarly ? confirmedEnd(state, previousSupplier) : null;
  return (settled ?? confirmed)?.end ?? null;
}

/**
 * Whether a start is named that the action itself rules out: the customer is asked for a day from which on his old
 * contract no longer binds him. Another place or supplier has another contract.
 */
function isRuledOut(
  { state }: Draft,
  { intendedStartDate: day = null }: Partial<Correctable>,
  isOther: boolean,
): boolean {
  const { action, notBefore } = state;
  const isAsked = action?.code === 'previous_contract_bound' && !isOther;
  return isAsked && day !== null && notBefore !== null && day < notBefore;
}

/** Another place of supply needs another market location; another contract there or here, another cancellation. */
function forgetWhatNoLongerHolds(
  draft: Draft,
  changes: Partial<Correctable>,
  isElsewhere: boolean,
  isOther: boolean,
): void {
  if (isElsewhere && changes.marketLocation === undefined) {
    draft.state.facts = { ...draft.state.facts, marketLocation: null };
  }
  if (isOther) {
    forgetSettlement(draft);
    Object.assign(draft.state, { notBefore: null, chosenStart: null });
  }
  if (isElsewhere) Object.assign(draft.state, { gridOperator: null, isSwitch: false });
}

/** Whether a name or a date changes what is being asked right now. */
function affectsOpenQuestion(
  draft: Draft,
  changed: ReadonlySet<keyof Correctable>,
  formerStart: DayText | null,
): boolean {
  const { stage, facts, action, questions, afterReversal } = draft.state;
  if (stage === 'identifying') return changed.has('customerName');
  if (!changed.has('intendedStartDate') || facts.nextPossibleStart) return false;
  const asked = questions.filter(({ kind }) => kind === 'cancellation' || kind === 'registration');
  // What an action asks for beside the day is not cleared up by another day.
  if (asked.length === 0) return action === null;
  return afterReversal !== null || asked.some((question) => !isAskedFor(draft, question, formerStart));
}

/**
 * Whether a day that the market is asked for is what is wished now: that very day, or the first that was possible when
 * an earlier one was wished, as it is now, or still is. Asked anew, it would be lost.
 */
function isAskedFor(draft: Draft, { kind, day }: Question, formerStart: DayText | null): boolean {
  const { intendedStartDate: start } = draft.state.facts;
  if (day === null || start === null || start >= day) return start !== null && start === day;
  const first = kind === 'cancellation' ? earliestContractEnd(today(draft)) : earliestToday(draft);
  return (formerStart !== null && formerStart < day) || first >= day;
}

/** Takes the step again with the new data, once nothing open contradicts it. */
function restart(draft: Draft, formerSupplier: MarketPartner | null, goOn: (draft: Draft) => void): void {
  const { action } = draft.state;
  draft.state.action = null;
  for (const question of openQuestions(draft, 'identification_request')) close(draft, question);
  takeBack(draft, formerSupplier);
  reverseRegistrations(draft, 'restart');
  if (openQuestions(draft, 'registration').length === 0) {
    goOn(draft);
    return;
  }
  // The reversal is waited for as before: nobody's task to clear that up is done, nor put off.
  if (action?.code === silenceOf('reversal')) draft.state.action = action;
  // Until it is forgotten that day is still asked for, and may be the one that is wished now.
  const { facts, requestedStart } = draft.state;
  if (facts.intendedStartDate === requestedStart) draft.state.moveReason = null;
}
