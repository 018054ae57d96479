import { formatId } from '#domain/identifiers.ts';
import { invalid, Problem, type FieldError } from '#platform/http/problems.ts';
import { marketProblems } from '../../problems.ts';
import type { Refusal } from './refusal-store.ts';

/** What of the project's state stands in the way of a sign-up, in the order in which it is reported. */
export function conflictsOf(refusal: Refusal): FieldError[] {
  const taken = (code: keyof typeof marketProblems, field: string, id: string | null): FieldError[] =>
    id === null ? [] : [{ field, code, message: `subscription ${formatId('sub', id)} has it` }];
  return [
    ...(refusal.plan_archived ? [{ field: '/plan', code: 'plan_archived', message: 'takes no more sign-ups' }] : []),
    ...taken('duplicate_external_id', '/external_id', refusal.external_id_of),
    ...taken('lead_already_converted', '/lead', refusal.lead_of),
    ...(refusal.lead_erased ? [{ field: '/lead', code: 'lead_erased', message: 'is erased' }] : []),
    ...(refusal.location_of === null
      ? taken('market_location_taken', '/meter/number', refusal.meter_of)
      : taken('market_location_taken', '/meter/malo', refusal.location_of)),
  ];
}

/** Whether it is that somebody has the place of supply. */
export function isOfPlace({ code }: FieldError): boolean {
  return code === marketProblems.market_location_taken.code;
}

/** The problem that a sign-up is refused with: one conflict at a time, each with a status of its own. */
export function problemOf(conflict: FieldError): Problem {
  const definition = Object.values(marketProblems).find(({ code }) => code === conflict.code);
  return definition === undefined ? invalid([conflict]) : new Problem(definition, undefined, [conflict]);
}
