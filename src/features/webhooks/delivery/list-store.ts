import { lowestUuidAt } from '#domain/identifiers.ts';
import { comparisons } from '#platform/database/conditions.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { joinSql, sql, type Sql } from '#platform/database/sql.ts';
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
    select ${columns} from ${tables} where delivery.project_id = ${projectId} and delivery.id = ${id}`);
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
    state: (compare) => compare(sql`state`, 'text'),
    created_at: (_, condition) => createdAtFilter(condition),
  });
  const position = after === null ? sql`` : sql` and delivery.id < ${after}`;
  return queryable.query<DeliveryRow>(sql`
    select ${columns} from ${tables}
    where delivery.project_id = ${projectId}${filters}${position}
    order by delivery.id desc
    limit ${limit}`);
}

/** Ids carry the time of creation, so that a range of it is a range of ids, in list order. */
function createdAtFilter({ operator, values }: Condition): Sql {
  if (operator === 'is_null') return values[0] === 'true' ? sql`false` : sql`true`;
  const millisecondOf = (text = ''): number => Temporal.Instant.from(text).epochMilliseconds;
  const from = lowestUuidAt(millisecondOf(values[0]));
  const after = lowestUuidAt(millisecondOf(values[0]) + 1000);
  switch (operator) {
    case 'gt':
      return sql`delivery.id >= ${after}`;
    case 'gte':
      return sql`delivery.id >= ${from}`;
    case 'lt':
      return sql`delivery.id < ${from}`;
    case 'lte':
      return sql`delivery.id < ${after}`;
    case 'ne':
      return sql`(delivery.id < ${from} or delivery.id >= ${after})`;
    case 'eq':
    case 'in': {
      const ranges = values.map(
        (value) =>
          sql`(delivery.id >= ${lowestUuidAt(millisecondOf(value))} and delivery.id < ${lowestUuidAt(millisecondOf(value) + 1000)})`,
      );
      return sql`(${joinSql(ranges, sql` or `)})`;
    }
  }
}
