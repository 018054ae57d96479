import { STAGES, statusOf } from '#domain/subscription/lifecycle.ts';
import type { Condition } from '#platform/http/contract.ts';

/**
 * Says of status and stage what there is to say of the stage: each stage has one status, and what has a status is found by
 * its stages. Null: no subscription has all that is asked of both.
 */
export function settleStage(conditions: readonly Condition[]): readonly Condition[] | null {
  const [own, others] = [conditions.filter(isOfStage), conditions.filter((condition) => !isOfStage(condition))];
  const stages = STAGES.filter((stage) =>
    own.every((condition) => meets(condition, condition.field === 'stage' ? stage : statusOf(stage))),
  );
  if (stages.length === 0) return null;
  if (stages.length === STAGES.length) return others;
  return [...others, { field: 'stage', operator: stages.length === 1 ? 'eq' : 'in', values: stages }];
}

function isOfStage({ field }: Condition): boolean {
  return field === 'status' || field === 'stage';
}

function meets({ operator, values }: Condition, value: string): boolean {
  if (operator === 'is_null') return values[0] === 'false';
  return values.includes(value) !== (operator === 'ne');
}
