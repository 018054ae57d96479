import { route, type Route, type RouteContract } from '#platform/http/contract.ts';
import type { Pager } from '#platform/http/paging.ts';
import { problems } from '#platform/http/problems.ts';
import { marketProblems } from '../problems.ts';
import { handleListPlans, handleReadPlan } from './read-plan.ts';
import {
  createPlanSchema,
  planListSchema,
  planSchema,
  updatePlanSchema,
  type CreatePlan,
  type UpdatePlan,
} from './schema.ts';
import { handleCreatePlan, handleUpdatePlan, type PlanDependencies } from './write-plan.ts';

export { checkPlan } from './check.ts';
export { createKnownPlans, type KnownPlans } from './known-plans.ts';
export { presentPlan } from './present.ts';
export { planSchema, PRODUCTS } from './schema.ts';
export { readPlans, type PlanRow, type VersionedPlan } from './store.ts';
export { createPlan, type PlanDependencies } from './write-plan.ts';

const tag = 'Plans';
const id = { id: 'ID of the plan (`pln_…`).' };

const contracts = {
  listPlans: {
    operationId: 'listPlans',
    method: 'GET',
    path: '/plans',
    tag,
    summary: 'List plans',
    description: 'All plans of the project, newest first.',
    access: 'read:*',
    paged: true,
    filters: {
      active: { kind: 'enum', values: ['true', 'false'] },
      slug: { kind: 'text' },
      created_at: { kind: 'instant' },
      updated_at: { kind: 'instant' },
    },
    response: { status: 200, description: 'A page of plans.', schema: planListSchema },
  },
  createPlan: {
    operationId: 'createPlan',
    method: 'POST',
    path: '/plans',
    tag,
    summary: 'Create a plan',
    description: 'Creates a plan that sign-ups can name at once.',
    access: 'write:*',
    body: createPlanSchema,
    bodyExample: { name: 'Ökostrom 12', price: 12.9, cancellation_period: 'P1M', products: ['smart-meter'] },
    response: { status: 201, description: 'The plan.', schema: planSchema },
    problems: [marketProblems.duplicate_slug],
  },
  readPlan: {
    operationId: 'readPlan',
    method: 'GET',
    path: '/plans/:id',
    tag,
    summary: 'Read a plan',
    description: 'The plan as it stands.',
    access: 'read:*',
    parameters: id,
    response: { status: 200, description: 'The plan.', schema: planSchema },
  },
  updatePlan: {
    operationId: 'updatePlan',
    method: 'PATCH',
    path: '/plans/:id',
    tag,
    summary: 'Change or archive a plan',
    description:
      'Changes what the body names, for all subscriptions that name the plan; but those there are keep the `cancellation_period` that they were signed up with. A body that names only what is there already leaves `updated_at` and the entity tag as they are. `active: false` archives the plan: running subscriptions keep it, new sign-ups are refused.',
    access: 'write:*',
    parameters: id,
    body: updatePlanSchema,
    bodyExample: { active: false },
    response: { status: 200, description: 'The plan as it stands now.', schema: planSchema },
    problems: [marketProblems.duplicate_slug, problems.precondition_failed],
  },
} satisfies Record<string, RouteContract>;

/** The routes of plans. */
export function createPlanRoutes(dependencies: PlanDependencies & { readonly pager: Pager }): Route[] {
  return [
    route(contracts.listPlans, (request) => handleListPlans(dependencies, request)),
    route<CreatePlan>(contracts.createPlan, (request) => handleCreatePlan(dependencies, request)),
    route(contracts.readPlan, (request) => handleReadPlan(dependencies, request)),
    route<UpdatePlan>(contracts.updatePlan, (request) => handleUpdatePlan(dependencies, request)),
  ];
}
