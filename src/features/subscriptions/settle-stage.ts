import { STAGES, statusOf, type Stage } from '#domain/subscription/lifecycle.ts';
import type { Condition } from '#platform/http/contract.ts';

/** Stages that have something always, as the table's constraints say. */
const ALWAYS: Readonly<Record<string, readonly Stage[]>> = {
  start_at: ['confirmed', 'supplying', 'ending'],
  end_at: ['ended'],
};

/**
 * Says of status and stage what there is to say of the stage: each stage has one status, and what has a status is found by
 * its stages, but for those that cannot meet what else is asked. Null: no subscription can meet all of it.
 */
export function settleStage(conditions: readonly Condition[]): readonly Condition[] | null {
  const [own, others] = [conditions.filter(isOfStage), conditions.filter((condition) => !isOfStage(condition))];
  if (own.length === 0) return conditions;
  const asked = STAGES.filter((stage) =>
    own.every((condition) => meets(condition, condition.field === 'stage' ? stage : statusOf(stage))),
  );
  if (asked.length === STAGES.length) return others;
  const stages = asked.filter((stage) => others.every((condition) => canMeet(stage, condition)));
  if (stages.length === 0) return null;
  return [...others, { field: 'stage', operator: stages.length === 1 ? 'eq' : 'in', values: stages }];
}

function isOfStage({ field }: Condition): boolean {
  return field === 'status' || field === 'stage';
}

function meets({ operator, values }: Condition, value: string): boolean {
  if (operator === 'is_null') return values[0] === 'false';
  return values.includes(value) !== (operator === 'ne');
}

/** Whether a subscription of a stage can meet a condition on something else. */
function canMeet(stage: Stage, { field, operator, values }: Condition): boolean {
  const isLacking = operator === 'is_null' && values[0] === 'true';
  return !isLacking || ALWAYS[field]?.includes(stage) !== true;
}
