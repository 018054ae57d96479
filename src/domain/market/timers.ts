/**
 * What happens by itself when its time has come: midnights, deadlines passed in silence, retries. One thing at a time,
 * the earliest first, so that a process that was asleep for a week catches up in the right order.
 */
import { statusOf } from '../subscription/lifecycle.ts';
import { cancel } from './cancellation.ts';
import { endAsNoticed } from './duties.ts';
import { activate, beginToEnd, deregister, finish, sendAgain } from './ending.ts';
import { identify } from './identification.ts';
import type { InstantText } from './messages.ts';
import { escalated, lapseOf } from './next-action.ts';
import { register } from './registration.ts';
import * as revocations from './revocations.ts';
import {
  amend,
  closeUnwanted,
  endLife,
  escalationDeadline,
  openQuestions,
  requireAction,
  reverse,
  type Draft,
} from './draft.ts';
import { earliest, isReached } from './instants.ts';
import { isAwaited, silenceOf, staleOf, type Question, type SupplyState } from './state.ts';

interface Timer {
  readonly at: InstantText | null;
  readonly run: (draft: Draft, goOn: (draft: Draft) => void) => void;
}

/** Everything that a state waits for, in the order in which it happens when several are due at one instant. */
function timersOf(state: SupplyState): readonly Timer[] {
  const { stage, action } = state;
  if (stage === 'ended') return timersOfRevocations(state);
  if (state.sent === 0 && statusOf(stage) === 'pending') {
    return [{ at: state.facts.concludedAt, run: (draft, goOn) => goOn(draft) }];
  }
  const isNoticed = stage === 'confirmed' && (state.noticedEnd ?? null) !== null;
  return [
    // At once, and before supply begins: a start may have been accepted that lies before the sign-up.
    { at: isNoticed ? earliest([state.facts.concludedAt, state.startAt]) : null, run: endAsNoticed },
    { at: stage === 'ending' ? state.endAt : null, run: finish },
    { at: stage === 'confirmed' ? state.startAt : null, run: activate },
    { at: stage === 'supplying' && state.end !== null ? state.startAt : null, run: beginToEnd },
    { at: state.end?.sendAt ?? null, run: (draft) => deregister(draft) },
    ...state.questions.map((question): Timer => ({ at: question.answerBy, run: (draft) => overdue(draft, question) })),
    ...state.questions.map((question): Timer => {
      return { at: question.transmitted ? null : staleOf(question), run: (draft) => renew(draft, question) };
    }),
    { at: action?.retry_at ?? null, run: retry },
    { at: action === null || lapseOf(action.code) === 'wait' ? null : action.due_at, run: lapse },
    ...timersOfRevocations(state),
  ];
}

/** What starts wait for that nobody wants, also after the end of the life. */
function timersOfRevocations({ revocations: all = [] }: SupplyState): readonly Timer[] {
  return all.flatMap((each): Timer[] => {
    const { question, action = null } = each;
    if (question === undefined) return [];
    return [
      { at: question.answerBy, run: (draft) => revocations.overdue(draft, each) },
      { at: question.transmitted ? null : staleOf(question), run: (draft) => revocations.renew(draft, each) },
      { at: action?.due_at ?? null, run: (draft) => revocations.escalate(draft, each) },
    ];
  });
}

/** The next instant at which something happens by itself; null when nothing does. */
export function dueAtOf(state: SupplyState): InstantText | null {
  return earliest(timersOf(state).map(({ at }) => at));
}

/** Does the first thing that is due; false when nothing is. */
export function runDue(draft: Draft, goOn: (draft: Draft) => void): boolean {
  const at = dueAtOf(draft.state);
  if (at === null || !isReached(at, draft.now)) return false;
  const first = timersOf(draft.state).find((timer) => timer.at !== null && earliest([timer.at]) === at);
  first?.run(draft, goOn);
  return first !== undefined;
}

/** No answer in time. A search is repeated once; everything else is cleared up by people, and nothing is assumed. */
function overdue(draft: Draft, question: Question): void {
  amend(draft, question, { answerBy: null });
  if (question.kind === 'identification_request' && openQuestions(draft, question.kind).length === 1) {
    identify(draft, question.processNumber);
  } else if (draft.state.action === null)
    requireAction(draft, silenceOf(question.kind), { dueAt: escalationDeadline(draft) });
}

/** A message was not transmitted while its day could be reached: it is replaced by one for the next day that can. */
function renew(draft: Draft, question: Question): void {
  const { kind, documentNumber } = question;
  closeUnwanted(draft, question, 'replaced');
  if (kind === 'registration') register(draft, documentNumber);
  else if (kind === 'deregistration') sendAgain(draft, documentNumber);
  else if (kind === 'cancellation') cancel(draft, documentNumber);
}

function retry(draft: Draft, goOn: (draft: Draft) => void): void {
  draft.state.action = null;
  goOn(draft);
}

function lapse(draft: Draft): void {
  const { action } = draft.state;
  if (action === null) return;
  const isPending = statusOf(draft.state.stage) === 'pending' && draft.state.stage !== 'confirmed';
  if (lapseOf(action.code) === 'reject' && isPending && openQuestions(draft, 'registration').length === 0) {
    for (const question of openQuestions(draft, 'cancellation')) reverse(draft, question, false);
    endLife(draft, 'rejected', 'rejected');
  } else draft.state.action = escalated(action);
}

/**
 * A question whose time for an answer has passed stays somebody's task until it is answered, and so does an answer of
 * ours that counts as silence until it is cleared up.
 */
export function keepOverdueVisible(draft: Draft): void {
  if (draft.state.action !== null || draft.state.stage === 'ended') return;
  const { questions, hasUnprocessedAnswer } = draft.state;
  // What has been asked again, or is being taken back, is not forgotten.
  const isFollowed = ({ kind, processNumber }: Question): boolean =>
    questions.some((other) => isAwaited(other) && (other.kind === kind || other.reverses === processNumber));
  const unanswered = questions.filter((question) => !isAwaited(question) && !isFollowed(question));
  // Of what is being taken back no answer is wanted any more, but of its reversal.
  const isReversed = ({ processNumber }: Question): boolean =>
    questions.some(({ reverses }) => reverses === processNumber);
  const forgotten = unanswered.find((question) => !isReversed(question)) ?? unanswered[0];
  if (forgotten !== undefined) requireAction(draft, silenceOf(forgotten.kind), { dueAt: escalationDeadline(draft) });
  else if (hasUnprocessedAnswer === true) requireAction(draft, 'message_not_processed');
}
