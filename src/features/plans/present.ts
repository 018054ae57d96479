import { formatId } from '#domain/identifiers.ts';
import { toJsonNumber } from '#domain/money.ts';
import { encodeJson, RawJson } from '#platform/http/json.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import type { PlanRow, VersionedPlan } from './store.ts';

/** A plan as JSON text. */
export function presentPlan(row: PlanRow): string {
  return encodeJson({
    object: 'plan',
    id: formatId('pln', row.id),
    name: row.name,
    slug: row.slug,
    description: row.description,
    type: 'consumption',
    price: new RawJson(toJsonNumber(row.price)),
    currency: row.currency,
    cancellation_period: row.cancellation_period,
    products: row.products,
    active: row.active,
    created_at: row.created_at,
    updated_at: row.updated_at,
  });
}

/**
 * The entity tag of a plan; its version is part of it, for a plan changed twice within a second may look as before.
 *
 * @param body the plan as it is shown
 */
export function planTag({ version }: Pick<VersionedPlan, 'version'>, body: string): string {
  return entityTag(`${version} ${body}`);
}
