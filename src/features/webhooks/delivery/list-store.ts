import { comparisons, createdAt } from '#platform/database/conditions.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';

/** A delivery as stored. */
export interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  /** Null when the event belongs to another resource. */
  readonly subscription_id: string | null;
  readonly state: 'pending' | 'succeeded' | 'failed';
  readonly due_at: string | null;
  /** JSON text. */
  readonly attempts: string;
  readonly created_at: string;
}

const columns = sql`delivery.id, endpoint_id, event_id, events.type as event_type, events.subscription_id, state, due_at,
  attempts, delivery.created_at`;
const tables = sql`webhook_deliveries as delivery
  join events on events.project_id = delivery.project_id and events.id = delivery.event_id`;

/** The delivery of a project, or `undefined`. */
export async function readDelivery(
  queryable: Queryable,
  projectId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await queryable.query<DeliveryRow>(sql`
    select ${columns} from ${tables} where delivery.project_id = ${asProject(projectId)} and delivery.id = ${id}`);
  return row;
}

/** The same, locked: nothing comes of an attempt meanwhile. */
export async function lockDelivery(
  transaction: Transaction,
  projectId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await transaction.query<DeliveryRow>(sql`
    select ${columns} from ${tables} where delivery.project_id = ${asProject(projectId)} and delivery.id = ${id}
    for no key update of delivery`);
  return row;
}

/** A page of deliveries after a position, newest first. */
export function listDeliveries(
  queryable: Queryable,
  projectId: string,
  conditions: readonly Condition[],
  after: string | null,
  limit: number,
): Promise<DeliveryRow[]> {
  const filters = comparisons(conditions, {
    endpoint: (compare) => compare(sql`endpoint_id`, 'uuid'),
    event: (compare) => compare(sql`event_id`, 'uuid'),
    // As the index has it, which nothing else is to use.
    state: (compare) => compare(sql`lower(state)`, 'text'),
    created_at: (_, condition) => createdAt(sql`delivery.id`, condition),
  });
  const position = after === null ? sql`` : sql` and delivery.id < ${after}`;
  return queryable.query<DeliveryRow>(sql`
    select ${columns} from ${tables}
    where delivery.project_id = ${asProject(projectId)}${filters}${position}
    order by delivery.id desc
    limit ${limit}`);
}
