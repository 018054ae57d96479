/** When a partner has received a message of ours: from then on his time for the answer runs. */
import { amend, receiptOf, type Draft } from './draft.ts';
import type { InstantText } from './messages.ts';
import * as revocations from './revocations.ts';
import { answerBy, isReached, silenceOf, type Outcome, type Question } from './state.ts';

/** The partner says when he received a question: from then on his time runs, also where it seemed to have passed. */
export function acknowledge(draft: Draft, question: Question, receivedAt: InstantText): void {
  const by = answerBy(question.kind, receiptOf(draft, { receivedAt }));
  if (question.answerBy === null && question.transmitted) {
    if (isReached(by, draft.now)) return;
    if (draft.state.action?.code === silenceOf(question.kind)) draft.state.action = null;
  }
  amend(draft, question, { transmitted: true, answerBy: by });
  draft.state.untransmitted = draft.state.untransmitted.filter((number) => number !== question.documentNumber);
}

/** A waiting message is on its way: from now on the partner's time runs. */
export function transmitted(draft: Draft, documentNumber: string): Outcome {
  if (!draft.state.untransmitted.includes(documentNumber)) return { kind: 'ignored', reason: 'no_change' };
  draft.state.untransmitted = draft.state.untransmitted.filter((number) => number !== documentNumber);
  const question = draft.state.questions.find((each) => each.documentNumber === documentNumber);
  if (question !== undefined) {
    amend(draft, question, { transmitted: true, answerBy: answerBy(question.kind, draft.now) });
  }
  revocations.transmit(draft, documentNumber);
  return { kind: 'done' };
}
