import type { Queryable } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';

/** What of the project's state a sign-up depends on; null where it names nothing, or nothing well-formed. */
export interface Wanted {
  readonly projectId: string;
  /** Where the project's own clock stood, or null. */
  readonly clockAt: string | null;
  readonly planId: string | null;
  /** As of which the plan is known; null with it. */
  readonly planVersion: string | null;
  readonly externalId: string | null;
  readonly leadId: string | null;
  readonly malo: string | null;
  readonly meterNumberNormalised: string | null;
  readonly zip: string | null;
}

/** What stands in the way of a sign-up that was not written; the id is that of the subscription in the way. */
export interface Refusal {
  readonly plan_archived: boolean;
  /** The plan is not as it was read. */
  readonly plan_changed: boolean;
  /** The project's clock has been advanced since it was read. */
  readonly clock_moved: boolean;
  readonly external_id_of: string | null;
  readonly lead_of: string | null;
  readonly lead_erased: boolean;
  /** Who has the market location. */
  readonly location_of: string | null;
  /** Who has the meter there, where either is known without its market location. */
  readonly meter_of: string | null;
}

/**
 * Looks up why `writeSignUps` left a sign-up out, or would. Nothing in the way of one that was left out: its number was
 * taken, or its lead has changed.
 */
export async function findRefusal(queryable: Queryable, wanted: Wanted): Promise<Refusal> {
  const { projectId, clockAt, planId, planVersion, externalId, leadId, malo, meterNumberNormalised, zip } = wanted;
  const [refusal] = await queryable.query<Refusal>(sql`
    select
      not exists (
        select from plans where project_id = ${asProject(projectId)} and id = ${planId} and active
      ) as plan_archived,
      exists (
        select from plans
        where project_id = ${asProject(projectId)} and id = ${planId} and xmin is distinct from ${planVersion}::xid
      ) as plan_changed,
      not exists (
        select from projects where id = ${projectId} and clock_at is not distinct from ${clockAt}::timestamptz
      ) as clock_moved,
      (
        select id from subscriptions where project_id = ${asProject(projectId)} and external_id = ${externalId}
      ) as external_id_of,
      (
        select id from subscriptions where project_id = ${asProject(projectId)} and lead_id = ${leadId}
      ) as lead_of,
      exists (
        select from leads
        where project_id = ${asProject(projectId)} and id = ${leadId} and subscription_id is null and personal is null
      ) as lead_erased,
      coalesce(
        (
          select id from subscriptions
          where project_id = ${asProject(projectId)} and malo = ${malo} and status <> 'ended'
        ),
        (select subscription_id from held_locations where project_id = ${asProject(projectId)} and malo = ${malo})
      ) as location_of,
      (
        select id from subscriptions
        where project_id = ${asProject(projectId)} and meter_number_normalised = ${meterNumberNormalised}
          and zip = ${zip} and status <> 'ended' and (malo is null or ${malo}::text is null)
        limit 1
      ) as meter_of`);
  if (refusal === undefined) throw new Error('a select without a table answers one row');
  return refusal;
}
