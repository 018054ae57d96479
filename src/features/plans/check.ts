import type { FieldError } from '#platform/http/problems.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import { formats } from '../formats.ts';
import { createPlanSchema, type CreatePlan } from './schema.ts';

/** What the API would find wrong with a plan that does not come by it. */
export function checkPlan(plan: CreatePlan): readonly FieldError[] {
  return createSchemaCompiler(formats).compile(createPlanSchema)(plan);
}
