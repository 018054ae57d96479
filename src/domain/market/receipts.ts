/** When a partner has received a question of ours: from then on his time for the answer runs. */
import { amend, receiptOf, waitsNoLonger, type Draft } from './draft.ts';
import type { InstantText } from './messages.ts';
import { isReached } from './instants.ts';
import { answerBy, isAwaited, silenceOf, type Question } from './state.ts';

/** Until when a question must be answered, by when its partner says that he received it; null where that has passed, too. */
export function answerByReceipt(draft: Draft, question: Question, receivedAt: InstantText): InstantText | null {
  const by = answerBy(question.kind, receiptOf(draft, { receivedAt }));
  return isAwaited(question) || !isReached(by, draft.now) ? by : null;
}

/** The partner says when he received a question: from then on his time runs, also where it seemed to have passed. */
export function acknowledge(draft: Draft, question: Question, receivedAt: InstantText): void {
  const by = answerByReceipt(draft, question, receivedAt);
  if (by === null) return;
  if (!isAwaited(question) && draft.state.action?.code === silenceOf(question.kind)) draft.state.action = null;
  amend(draft, question, { transmitted: true, answerBy: by });
  waitsNoLonger(draft, question.documentNumber);
}
