import type { DayText } from '#domain/market/messages.ts';
import type { Outcome, RefusalCode } from '#domain/market/state.ts';
import { invalid, Problem } from '#platform/http/problems.ts';
import { marketProblems } from '../problems.ts';

const END = '/intended_end_date';
const START = '/intended_start_date';
const NOTICE = '/notice_date';

/** What the API says to each refusal of the machine; `day` is the one that it names. */
const PROBLEMS: Readonly<Record<RefusalCode, (day: DayText) => Problem>> = {
  not_in_this_stage: () => new Problem(marketProblems.not_in_this_stage),
  already_confirmed: () => new Problem(marketProblems.termination_confirmed),
  withdrawal_period_over: () => new Problem(marketProblems.withdrawal_period_over),
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

/** Turns the machine's refusal into that of the API. @throws Problem */
export function refuseUnlessDone(outcome: Outcome): void {
  if (outcome.kind === 'refused') throw PROBLEMS[outcome.code](outcome.earliest ?? '');
}
