import { sql } from '#platform/database/sql.ts';
import { forceRows, type TestService } from './service.ts';

/** Deliveries to be there; each of a subject of its own unless they share one. Instants are `YYYY-MM-DDThh:mm:ssZ`. */
export interface WaitingDeliveries {
  readonly endpointId: string;
  readonly count: number;
  readonly dueAt: string;
  readonly createdAt: string;
  readonly subjectId?: string | undefined;
}

/** Adds deliveries that wait, of events that there need not be. */
export function addWaitingDeliveries(
  service: TestService,
  { endpointId, count, dueAt, createdAt, subjectId }: WaitingDeliveries,
): Promise<void> {
  return forceRows(
    service,
    sql`insert into webhook_deliveries
      (project_id, id, endpoint_id, event_id, subject_id, position, state, due_at, created_at)
    select ${service.projectId}::uuid, gen_random_uuid(), ${endpointId}::uuid, gen_random_uuid(),
      coalesce(${subjectId ?? null}::uuid, gen_random_uuid()), place, 'pending', ${dueAt}, ${createdAt}
    from generate_series(1, ${count}::integer) as place`,
  );
}
