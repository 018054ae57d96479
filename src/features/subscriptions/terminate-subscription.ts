import { Type, type Static } from 'typebox';
import { TERMINATION_REASONS } from '#domain/market/ending.ts';
import { lapseOf, type NextAction } from '#domain/market/next-action.ts';
import type { RefusalCode } from '#domain/market/state.ts';
import { statusOf } from '#domain/subscription/lifecycle.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { invalid, Problem, type FieldError } from '#platform/http/problems.ts';
import { daySchema, enumSchema } from '#platform/http/schema-parts.ts';
import { soundPart } from '#platform/http/validation.ts';
import { marketProblems } from '../problems.ts';
import { refuseUnlessDone } from './refusals.ts';
import { handleChange, type ChangeDependencies } from './supply/change.ts';
import { takeStep, takeUpAgain, type Life } from './supply/life.ts';

/** The body of a termination. */
export const terminateSchema = Type.Object(
  {
    reason: enumSchema(
      TERMINATION_REASONS,
      'Why: with the plan’s notice, because the customer moves out, or by withdrawing within 14 days of conclusion.',
    ),
    intended_end_date: Type.Optional(
      daySchema(
        'The first day without supply; `end_at` is its 00:00 in Europe/Berlin. Absent: the earliest possible; at most ten years after it. Required with `move_out`, not allowed with `withdrawal`.',
        '2027-03-01',
      ),
    ),
    notice_date: Type.Optional(
      daySchema(
        'The day, in Europe/Berlin, on which the customer sent his withdrawal (§ 355 (1) BGB), or on which his termination reached you (§ 130 (1) BGB): the withdrawal period, or the notice, is counted by it. Absent: today. Neither before the conclusion nor in the future.',
        '2027-01-29',
      ),
    ),
  },
  { additionalProperties: false, title: 'Termination' },
);
export type Termination = Static<typeof terminateSchema>;

/** `POST /subscriptions/{id}/terminate` */
export function handleTerminate(dependencies: ChangeDependencies, request: Request<Termination>): Promise<Answer> {
  const errors = [...request.errors, ...checkTermination(soundPart(request.body, request.errors), request.body)];
  if (errors.length > 0) throw invalid(errors);
  const { reason, intended_end_date: endDay, notice_date: noticeDay } = request.body;
  return handleChange(dependencies, request, async ({ life, now, tools }, cause) => {
    const input = { type: 'termination_asked', request: { reason, endDay: endDay ?? null, noticeDay } } as const;
    const { outcome } = takeStep(life, input, now, tools, { cause });
    refuseUnlessDone(outcome, outcome.kind === 'refused' ? refusedMember(outcome.code, request.body, life) : []);
  });
}

/** What of a termination another day or reason would mend; nothing where the contract is ended or withdrawn from already. */
function refusedMember(code: RefusalCode, { reason, notice_date: noticeDay }: Termination, life: Life): string[] {
  if (code === 'withdrawal_period_over') return [noticeDay === undefined ? '/reason' : '/notice_date'];
  const { stage, withdrawn } = life.memory.supply;
  const isTooEarly = statusOf(stage) === 'pending' && stage !== 'confirmed' && !withdrawn;
  return isTooEarly && reason !== 'withdrawal' ? ['/reason'] : [];
}

/** @param sent with what is malformed: it is not missing */
function checkTermination(
  { reason, intended_end_date: endDay }: Partial<Termination>,
  sent: Termination,
): FieldError[] {
  const field = '/intended_end_date';
  if (reason === 'withdrawal' && endDay !== undefined) {
    const message = 'is not allowed with a withdrawal, which takes effect at once';
    return [{ field, code: 'not_allowed', message }];
  }
  return reason === 'move_out' && sent.intended_end_date === undefined
    ? [{ field, code: 'required', message: 'is required with move_out' }]
    : [];
}

/** `POST /subscriptions/{id}/undo-termination` */
export function handleUndoTermination(dependencies: ChangeDependencies, request: Request): Promise<Answer> {
  return handleChange(dependencies, request, async ({ life, now, tools }, cause) => {
    refuseUnlessDone(takeStep(life, { type: 'termination_undone' }, now, tools, { cause }).outcome);
  });
}

/** `POST /subscriptions/{id}/retry` */
export function handleRetry(dependencies: ChangeDependencies, request: Request): Promise<Answer> {
  return handleChange(dependencies, request, async ({ life, now, tools }, cause) => {
    const action = life.row.next_action === null ? null : (JSON.parse(life.row.next_action) as NextAction);
    // What somebody else has to do is not done by asking again.
    if (action?.actor !== 'operator') throw new Problem(marketProblems.nothing_to_retry, whoActs(action));
    const outcome = takeUpAgain(life, now, tools, cause);
    if (outcome.kind === 'ignored') throw new Problem(marketProblems.nothing_to_retry);
    refuseUnlessDone(outcome);
  });
}

/** Who acts before the operator, and from when he does. */
function whoActs(action: NextAction | null): string | undefined {
  if (action === null) return undefined;
  const { code, actor, due_at: dueAt } = action;
  const whose = `The next_action ${code} is for the ${actor} to resolve.`;
  return lapseOf(code) === 'escalate' && dueAt !== null
    ? `${whose} From ${dueAt} on it is for the operator, and can be retried.`
    : whose;
}
