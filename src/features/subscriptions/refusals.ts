import type { DayText } from '#domain/market/messages.ts';
import type { Outcome, RefusalCode } from '#domain/market/state.ts';
import { invalid, Problem, type ProblemDefinition } from '#platform/http/problems.ts';
import { marketProblems } from '../problems.ts';

const END = '/intended_end_date';
const START = '/intended_start_date';
const NOTICE = '/notice_date';

/** A refusal for the state as it is, which names the members of the body that another state would permit. */
export function refusal(definition: ProblemDefinition, fields: readonly string[], message: string): Problem {
  const { code } = definition;
  const errors = fields.map((field) => ({ field, code, message }));
  return new Problem(definition, undefined, errors);
}

/**
 * What the API says to each refusal of the machine; `day` is the one that it names, `fields` are the members of the body
 * that are refused, where not all of it is.
 */
const PROBLEMS: Readonly<Record<RefusalCode, (day: DayText, fields: readonly string[]) => Problem>> = {
  not_in_this_stage: (_, fields) =>
    refusal(marketProblems.not_in_this_stage, fields, 'is not possible in the present stage'),
  already_confirmed: () => new Problem(marketProblems.termination_confirmed),
  withdrawal_period_over: (_, fields) =>
    refusal(marketProblems.withdrawal_period_over, fields, 'comes after the withdrawal period'),
  leaves_gap(day) {
    const message = `the contract with the previous supplier ends on ${day}`;
    const errors = [{ field: START, code: 'start_leaves_gap', message }];
    return new Problem(marketProblems.start_leaves_gap, undefined, errors, {}, { previous_contract_end: day });
  },
  start_date_too_early(day) {
    const message = `the earliest is ${day}, when the contract with the previous supplier ends`;
    const errors = [{ field: START, code: 'start_date_too_early', message }];
    return new Problem(marketProblems.start_date_too_early, undefined, errors, {}, { earliest_start_date: day });
  },
  end_date_required: () => invalid([{ field: END, code: 'required', message: 'is required with move_out' }]),
  end_date_too_early(day) {
    const message = `the earliest is ${day}`;
    const errors = [{ field: END, code: 'end_date_too_early', message }];
    const detail = `The end is too early; ${message}.`;
    return new Problem(marketProblems.end_date_too_early, detail, errors, {}, { earliest_end_date: day });
  },
  notice_before_conclusion(day) {
    const message = `must not lie before ${day}, the day of conclusion`;
    return invalid([{ field: NOTICE, code: 'before_conclusion', message }]);
  },
  notice_in_future(day) {
    const message = `must be by ${day}, today in Europe/Berlin`;
    return invalid([{ field: NOTICE, code: 'in_future', message }]);
  },
  end_date_too_late: (day) => invalid([{ field: END, code: 'too_far_ahead', message: `must be by ${day}` }]),
};

/**
 * Turns the machine's refusal into that of the API.
 * @param fields JSON Pointers of the members of the body without which it would not be refused
 * @throws Problem
 */
export function refuseUnlessDone(outcome: Outcome, fields: readonly string[] = []): void {
  if (outcome.kind === 'refused') throw PROBLEMS[outcome.code](outcome.earliest ?? '', fields);
}
