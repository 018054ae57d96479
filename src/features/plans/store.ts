import { comparisons } from '#platform/database/conditions.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';

/** A plan as stored. `price` is a decimal text in EUR per month, gross. */
export interface PlanRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly price: string;
  readonly currency: 'EUR';
  readonly cancellation_period: string;
  readonly products: readonly string[];
  readonly active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A plan with the transaction that has written it (`xmin`), which no change can forget to count. */
export interface VersionedPlan extends PlanRow {
  readonly version: string;
}

const columns = sql`id, name, slug, description, price, currency, cancellation_period, products, active, created_at, updated_at`;

const versioned = sql`${columns}, xmin::text as version`;

/** The plans of these ids, in no order; unknown ones are missing. */
export function readPlans(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<VersionedPlan[]> {
  return queryable.query<VersionedPlan>(sql`
    select ${versioned} from plans where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}

/** The plan, locked against changes by others until the transaction ends. */
export async function lockPlan(
  queryable: Queryable,
  projectId: string,
  id: string,
): Promise<VersionedPlan | undefined> {
  const [plan] = await queryable.query<VersionedPlan>(sql`
    select ${versioned} from plans
    where project_id = ${asProject(projectId)} and id = ${id}
    for no key update`);
  return plan;
}

/** A page of plans after a position, newest first. */
export function listPlans(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<PlanRow[]> {
  const filters = comparisons(conditions, {
    active: (compare) => compare(sql`active`, 'boolean'),
    slug: (compare) => compare(sql`slug`, 'text'),
    created_at: (compare) => compare(sql`created_at`, 'timestamptz'),
    updated_at: (compare) => compare(sql`updated_at`, 'timestamptz'),
  });
  const position = after === null ? sql`` : sql` and id < ${after}`;
  return queryable.query<PlanRow>(sql`
    select ${columns} from plans
    where project_id = ${asProject(projectId)}${filters}${position}
    order by id desc
    limit ${limit}`);
}

/** Writes a new plan; `undefined` when its slug is taken. */
export async function insertPlan(
  queryable: Queryable,
  projectId: string,
  plan: PlanRow,
): Promise<VersionedPlan | undefined> {
  const [row] = await queryable.query<VersionedPlan>(sql`
    insert into plans (project_id, ${columns})
    values (${projectId}, ${plan.id}, ${plan.name}, ${plan.slug}, ${plan.description}, ${plan.price}, ${plan.currency},
      ${plan.cancellation_period}, ${plan.products}, ${plan.active}, ${plan.created_at}, ${plan.updated_at})
    on conflict (project_id, slug) do nothing
    returning ${versioned}`);
  return row;
}

/** Writes the whole plan over the one of its id, which is locked. */
export async function updatePlan(queryable: Queryable, projectId: string, plan: PlanRow): Promise<VersionedPlan> {
  const [row] = await queryable.query<VersionedPlan>(sql`
    update plans set
      name = ${plan.name}, slug = ${plan.slug}, description = ${plan.description}, price = ${plan.price},
      cancellation_period = ${plan.cancellation_period}, products = ${plan.products}, active = ${plan.active},
      updated_at = ${plan.updated_at}
    where project_id = ${asProject(projectId)} and id = ${plan.id}
    returning ${versioned}`);
  if (row === undefined) throw new Error('a locked plan is there');
  return row;
}
