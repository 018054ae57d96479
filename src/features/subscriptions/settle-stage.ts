import { STAGES, statusOf } from '#domain/subscription/lifecycle.ts';
import type { Condition } from '#platform/http/contract.ts';

/** Says of status and stage no more than there is to say: each stage has one status. Null: no subscription has both. */
export function settleStage(conditions: readonly Condition[]): readonly Condition[] | null {
  const [own, others] = [conditions.filter(isOfStage), conditions.filter((condition) => !isOfStage(condition))];
  if (own.length < 2) return conditions;
  const stages = STAGES.filter((stage) =>
    own.every((condition) => meets(condition, condition.field === 'stage' ? stage : statusOf(stage))),
  );
  if (stages.length > 1) return conditions;
  return stages.length === 0 ? null : [...others, { field: 'stage', operator: 'eq', values: stages }];
}

function isOfStage({ field }: Condition): boolean {
  return field === 'status' || field === 'stage';
}

function meets({ operator, values }: Condition, value: string): boolean {
  if (operator === 'is_null') return values[0] === 'false';
  return values.includes(value) !== (operator === 'ne');
}
