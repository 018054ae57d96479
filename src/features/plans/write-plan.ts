import { formatId, parseId } from '#domain/identifiers.ts';
import { formatInstant, type Clock } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import { sqlState, UNIQUE_VIOLATION } from '#platform/database/errors.ts';
import { type Database, type Queryable, type Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { once } from '#platform/http/idempotency.ts';
import { requireMatch } from '#platform/http/named.ts';
import { notFound, Problem } from '#platform/http/problems.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { marketProblems } from '../problems.ts';
import { readPresent } from '../projects/index.ts';
import type { KnownPlans } from './known-plans.ts';
import { planTag, presentPlan } from './present.ts';
import { PRODUCTS, type CreatePlan, type UpdatePlan } from './schema.ts';
import { insertPlan, lockPlan, updatePlan, type PlanRow, type VersionedPlan } from './store.ts';

/** What writing a plan needs. */
export interface PlanDependencies {
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly plans: KnownPlans;
}

/** Notice of a plan that names none: one month, the longest that BGB §309 no. 9 allows after the first term. */
const DEFAULT_CANCELLATION_PERIOD = 'P1M';

/** Creates a plan at the project's present. @throws Problem duplicate_slug */
export async function createPlan(
  { clock, mintUuid }: Pick<PlanDependencies, 'clock' | 'mintUuid'>,
  queryable: Queryable,
  projectId: string,
  input: CreatePlan,
): Promise<VersionedPlan> {
  const now = await readPresent({ clock }, queryable, projectId);
  const createdAt = formatInstant(now);
  const id = mintUuid(now);
  const plan: PlanRow = {
    id,
    name: input.name,
    slug: input.slug ?? (slugOf(input.name) || formatId('pln', id).replace('_', '-')),
    description: input.description ?? null,
    price: String(input.price),
    currency: 'EUR',
    cancellation_period: input.cancellation_period ?? DEFAULT_CANCELLATION_PERIOD,
    products: input.products ?? PRODUCTS,
    active: input.active ?? true,
    created_at: createdAt,
    updated_at: createdAt,
  };
  const inserted = await insertPlan(queryable, projectId, plan);
  if (inserted !== undefined) return inserted;
  // A slug made of the name gives way; one that was asked for does not.
  const own = { ...plan, slug: `${plan.slug}-${id.slice(-6)}` };
  const renamed = input.slug === undefined ? await insertPlan(queryable, projectId, own) : undefined;
  if (renamed !== undefined) return renamed;
  throw slugTaken(plan.slug);
}

/** `POST /plans` */
export function handleCreatePlan(dependencies: PlanDependencies, request: Request<CreatePlan>): Promise<Answer> {
  return once(dependencies, request, async (transaction) => {
    const plan = await createPlan(dependencies, transaction, request.caller.projectId, request.body);
    const body = presentPlan(plan);
    const location = `/plans/${formatId('pln', plan.id)}`;
    return { status: 201, body, headers: { location, etag: planTag(plan, body) } };
  });
}

/** `PATCH /plans/{id}` */
export async function handleUpdatePlan(dependencies: PlanDependencies, request: Request<UpdatePlan>): Promise<Answer> {
  const { projectId } = request.caller;
  const id = parseId('pln', request.parameters['id'] ?? '');
  const answer = await once(dependencies, request, async (transaction) => {
    const known = id === null ? undefined : await lockPlan(transaction, projectId, id);
    if (known === undefined) throw notFound();
    requireMatch(request, planTag(known, presentPlan(known)));
    const { price, ...changes } = request.body;
    const edited = { ...known, ...changes, ...(price === undefined ? {} : { price: String(price) }) };
    const updated =
      presentPlan(edited) === presentPlan(known)
        ? known
        : await writePlan(dependencies, transaction, projectId, edited);
    const body = presentPlan(updated);
    return { status: 200, body, headers: { etag: planTag(updated, body) } };
  });
  if (id !== null) dependencies.plans.forget(projectId, id);
  return answer;
}

/** @throws Problem duplicate_slug */
async function writePlan(
  dependencies: Pick<PlanDependencies, 'clock'>,
  transaction: Transaction,
  projectId: string,
  edited: PlanRow,
): Promise<VersionedPlan> {
  const now = await readPresent(dependencies, transaction, projectId);
  const plan = { ...edited, updated_at: formatInstant(now) };
  return updatePlan(transaction, projectId, plan).catch((error: unknown) => {
    throw sqlState(error) === UNIQUE_VIOLATION ? slugTaken(plan.slug) : error;
  });
}

function slugTaken(slug: string): Problem {
  return new Problem(marketProblems.duplicate_slug, undefined, [
    { field: '/slug', code: 'duplicate_slug', message: `another plan has the slug ${slug}` },
  ]);
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 90)
    .replace(/-+$/, '');
}
