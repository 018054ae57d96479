import { comparisons, createdAt } from '#platform/database/conditions.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import { DELIVERY_STATES } from './schema.ts';

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
  const kinds = conditions.filter(({ field }) => field === 'endpoint' || field === 'state');
  const others = comparisons(
    conditions.filter((condition) => !kinds.includes(condition)),
    {
      event: (compare) => compare(sql`event_id`, 'uuid'),
      created_at: (_, condition) => createdAt(sql`id`, condition),
    },
  );
  const place = sql`project_id = ${asProject(projectId)}${others}${after === null ? sql`` : sql` and id < ${after}`}`;
  const isOfEvents = conditions.some(({ field, operator }) => field === 'event' && /^(eq|in)$/.test(operator));
  const page =
    isOfEvents || kinds.length === 0
      ? sql`select * from webhook_deliveries where ${place}${ofKinds(kinds, sql`endpoint_id`, sql`lower(state)`)}`
      : newestOfKinds(projectId, place, kinds, limit);
  return queryable.query<DeliveryRow>(sql`
    select ${columns} from (${page} order by id desc limit ${limit}) as delivery
    -- One by one, however many the planner takes a page for.
    cross join lateral (
      select type, subscription_id from events
      where events.project_id = delivery.project_id and events.id = delivery.event_id
      limit 1
    ) as events
    order by delivery.id desc
    limit ${limit}`);
}

/**
 * The newest of each endpoint in each state. The index has the order of the list for both together, and a project has few
 * endpoints; how many of them are in a state, and how far back, is what the planner cannot know.
 */
function newestOfKinds(projectId: string, place: Sql, kinds: readonly Condition[], limit: number): Sql {
  return sql`
    select newest.* from webhook_endpoints as endpoint
    cross join unnest(${DELIVERY_STATES}::text[]) as known (state)
    cross join lateral (
      select * from webhook_deliveries
      -- As the index has it, which nothing else is to use.
      where ${place} and endpoint_id = endpoint.id and lower(webhook_deliveries.state) = known.state
      order by id desc
      limit ${limit}
    ) as newest
    where endpoint.project_id = ${asProject(projectId)}${ofKinds(kinds, sql`endpoint.id`, sql`known.state`)}`;
}

function ofKinds(kinds: readonly Condition[], endpoint: Sql, state: Sql): Sql {
  return comparisons(kinds, {
    endpoint: (compare) => compare(endpoint, 'uuid'),
    state: (compare) => compare(state, 'text'),
  });
}
