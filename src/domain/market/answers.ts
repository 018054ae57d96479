/** Which message answers which: one table, from which everything else that is known of answers follows. */
import { MESSAGE_TYPES } from './messages.ts';
import type { InboundKind, OutboundKind } from './messages.ts';
import type { QuestionKind } from './state.ts';

/** The answers to each question of ours: yes, then no. */
const ANSWERS: Readonly<Record<QuestionKind, readonly InboundKind[]>> = {
  identification_request: ['identification_match', 'identification_failure'],
  registration: ['registration_confirmation', 'registration_rejection'],
  deregistration: ['deregistration_confirmation', 'deregistration_rejection'],
  cancellation: ['cancellation_confirmation', 'cancellation_rejection'],
  reversal: ['reversal_confirmation', 'reversal_rejection'],
};
/** What may answer any message, whether it is a question or not. */
const RECEIPTS = ['acknowledgement', 'processing_error', 'syntax_error'] as const satisfies readonly InboundKind[];

const QUESTION_OF: ReadonlyMap<InboundKind, QuestionKind> = new Map(
  Object.entries(ANSWERS).flatMap(([question, answers]) =>
    answers.map((answer) => [answer, question as QuestionKind] as const),
  ),
);

/** Every kind that answers a message of ours. */
export const ANSWER_KINDS: readonly InboundKind[] = [...QUESTION_OF.keys(), ...RECEIPTS];

/** The kinds by which a partner may answer a message of ours; an APERAK is never acknowledged (§1.0). */
export function answersTo(kind: OutboundKind): readonly InboundKind[] {
  const answers: Readonly<Partial<Record<OutboundKind, readonly InboundKind[]>>> = ANSWERS;
  const isAperak = MESSAGE_TYPES[kind].format === 'APERAK';
  return [...(answers[kind] ?? []), ...(isAperak ? (['syntax_error'] as const) : RECEIPTS)];
}

/** The one kind of question that a kind of message answers; undefined where it answers any, or none. */
export function questionOf(kind: InboundKind): QuestionKind | undefined {
  return QUESTION_OF.get(kind);
}

/**
 * The document number under which an answer is kept that has none of its partner's: the same for the same answer. At
 * most 35 characters, since ours end with a counter and have some to spare.
 */
export function ownNumberOf(answered: { readonly documentNumber: string }, kind: InboundKind): string {
  const sign = { acknowledgement: 'A', processing_error: 'E', syntax_error: 'S' } as const;
  if (kind in sign) return `${answered.documentNumber}/${sign[kind as keyof typeof sign]}`;
  return `${answered.documentNumber}/${/_(?:match|confirmation)$/.test(kind) ? 'Y' : 'N'}`;
}
