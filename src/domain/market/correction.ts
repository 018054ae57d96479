/**
 * Corrected data (PATCH while pending and not confirmed, interface.md §6): the process resumes by itself where the new
 * data changes what was asked. What the grid operator has been asked already is reversed first.
 */
import { reverseRegistrations } from './ending.ts';
import { close, openQuestions, reverse, type Draft } from './draft.ts';
import type { Correctable, Outcome } from './state.ts';

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

/** Takes corrected data. An action is resolved by any of the fields that it names, even when it is given again as it was. */
export function correct(draft: Draft, changes: Partial<Correctable>, goOn: (draft: Draft) => void): Outcome {
  const { stage, facts, action } = draft.state;
  const isOpen = stage === 'identifying' || stage === 'cancelling' || stage === 'registering';
  if (!isOpen || draft.state.withdrawn) return { kind: 'refused', code: 'not_in_this_stage', earliest: null };
  const isSame = (name: keyof Correctable): boolean =>
    name === 'previousSupplier'
      ? changes.previousSupplier?.id === facts.previousSupplier?.id
      : changes[name] === facts[name];
  const changed = new Set((Object.keys(changes) as (keyof Correctable)[]).filter((name) => !isSame(name)));
  if (leavesGap(draft, changes))
    return { kind: 'refused', code: 'leaves_gap', earliest: draft.state.settled?.end ?? null };
  const answersAction = (Object.keys(changes) as (keyof Correctable)[]).some(
    (name) => action?.fields.some((field) => field.startsWith(POINTERS[name])) === true,
  );
  if (changed.size === 0 && !answersAction) return { kind: 'ignored', reason: 'no_change' };
  draft.state.facts = { ...facts, ...changes };
  draft.state.attempts = 0;
  if (action?.fields.includes('/intended_start_date') === true && changes.intendedStartDate !== undefined) {
    draft.state.chosenStart = changes.intendedStartDate;
  }
  const hasMoved = forgetWhatNoLongerHolds(draft, changed);
  if (answersAction || hasMoved || affectsOpenQuestion(draft, changed)) restart(draft, goOn);
  return { kind: 'done' };
}

/** Whether a later start would leave days without a supplier: the old contract is cancelled for a day before it. */
function leavesGap(draft: Draft, changes: Partial<Correctable>): boolean {
  const { settled, facts } = draft.state;
  const { intendedStartDate: day = null, previousSupplier } = changes;
  const isSameSupplier = previousSupplier === undefined || previousSupplier?.id === settled?.supplier;
  const isElsewhere = (['zip', 'address', 'meterNumber', 'marketLocation'] as const).some(
    (name) => changes[name] !== undefined && changes[name] !== facts[name],
  );
  const end = settled?.end ?? null;
  return day !== null && end !== null && isSameSupplier && !isElsewhere && !facts.nextPossibleStart && day > end;
}

/** Another place of supply needs another market location; another place or supplier, another cancellation. */
function forgetWhatNoLongerHolds(draft: Draft, changed: ReadonlySet<keyof Correctable>): boolean {
  const isElsewhere = changed.has('zip') || changed.has('address') || changed.has('meterNumber');
  if (isElsewhere && !changed.has('marketLocation')) {
    draft.state.facts = { ...draft.state.facts, marketLocation: null };
  }
  const hasMoved = isElsewhere || changed.has('marketLocation');
  if (hasMoved || changed.has('previousSupplier')) {
    draft.state.settled = null;
    draft.state.notBefore = null;
  }
  if (hasMoved) Object.assign(draft.state, { gridOperator: null, isSwitch: false });
  return hasMoved || changed.has('previousSupplier');
}

/** Whether a name or a date changes what is being asked right now. */
function affectsOpenQuestion(draft: Draft, changed: ReadonlySet<keyof Correctable>): boolean {
  const { stage, facts, action } = draft.state;
  if (stage === 'identifying') return changed.has('customerName');
  // While another registration is open, a new day waits with ours.
  return changed.has('intendedStartDate') && !facts.nextPossibleStart && action?.code !== 'concurrent_registration';
}

/** Takes the step again with the new data, once nothing open contradicts it. */
function restart(draft: Draft, goOn: (draft: Draft) => void): void {
  draft.state.action = null;
  for (const question of openQuestions(draft, 'identification_request')) close(draft, question);
  for (const question of openQuestions(draft, 'cancellation')) reverse(draft, question, false);
  reverseRegistrations(draft, 'restart');
  if (openQuestions(draft, 'registration').length === 0) goOn(draft);
}
