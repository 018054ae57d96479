/**
 * Finding the market location (MaLo-Identifikation, GPKE part 2, 1.1; market-rules.md §1.2): asked of the grid operator
 * by address, name and meter number, answered within two hours. Skipped when a market location is known.
 */
import { consequenceOf, IDENTIFICATION_CODES, type Consequence } from './codes.ts';
import { forgetSettlement } from './cancellation.ts';
import type { InboundMessage } from './messages.ts';
import { ask, AUTOMATIC_ATTEMPTS, close, closeAll, correctionDeadline, isAwaiting } from './draft.ts';
import { openQuestions, requestStart, requireAction, type Draft } from './draft.ts';
import type { Question } from './state.ts';

/** Searches the market location. */
export function identify(draft: Draft, retryOf: string | null = null): void {
  const { meterNumber, zip, address, customerName } = draft.state.facts;
  const { gridOperator } = draft.state;
  requestStart(draft, null, null);
  ask(draft, 'identification_request', { meterNumber, zip, address, customerName, gridOperator, retryOf });
}

/** The grid operator has found it; `isTaken`: for another open subscription of ours. `goOn` takes the next step. */
export function onMatch(
  draft: Draft,
  question: Question,
  message: InboundMessage<'identification_match'>,
  isTaken: boolean,
  goOn: (draft: Draft) => void,
): void {
  for (const each of openQuestions(draft, question.kind)) close(draft, each);
  if (isTaken) {
    requireAction(draft, 'market_location_taken', { dueAt: correctionDeadline(draft) });
    return;
  }
  const { settled } = draft.state;
  if (typeof settled?.marketLocation === 'string' && settled.marketLocation !== message.marketLocation) {
    // The contract that has been cancelled is that of another market location.
    forgetSettlement(draft);
    Object.assign(draft.state, { notBefore: null, chosenStart: null, isSwitch: false });
  }
  draft.state.facts = { ...draft.state.facts, marketLocation: message.marketLocation };
  draft.state.gridOperator = message.gridOperator ?? draft.state.gridOperator;
  draft.state.action = null;
  draft.state.redirections = 0;
  goOn(draft);
}

/** The grid operator has not found it, by a code of E_0594. */
export function onFailure(draft: Draft, question: Question, message: InboundMessage<'identification_failure'>): void {
  close(draft, question);
  // A second request may yet be answered otherwise, unless its time has passed too: silence is no reason to wait for ever.
  if (isAwaiting(draft, question.kind)) return;
  identificationFailed(draft, consequenceOf(IDENTIFICATION_CODES, message.code), message.gridOperator);
}

/**
 * Goes on after a failed search; also after an APERAK on it. What was not answered in time stays open, should it be found after
 * all, until it is searched elsewhere.
 */
export function identificationFailed(draft: Draft, consequence: Consequence, gridOperator: string | undefined): void {
  const dueAt = correctionDeadline(draft);
  if (consequence === 'ask_other_grid_operator' && gridOperator !== undefined) {
    draft.state.gridOperator = gridOperator;
    const redirections = (draft.state.redirections ?? 0) + 1;
    draft.state.redirections = redirections;
    if (redirections < AUTOMATIC_ATTEMPTS) {
      closeAll(draft, 'identification_request');
      identify(draft);
    } else requireAction(draft, 'identification_refused');
  } else if (consequence === 'location_not_found' || consequence === 'identify_again') {
    requireAction(draft, 'market_location_not_found', { dueAt });
  } else if (consequence === 'location_ambiguous') requireAction(draft, 'market_location_ambiguous', { dueAt });
  else if (consequence === 'location_shut_down') requireAction(draft, 'market_location_shut_down', { dueAt });
  else if (consequence === 'authority_doubted') requireAction(draft, 'power_of_attorney_doubted', { dueAt });
  else requireAction(draft, 'identification_refused');
}
