import { generationOf, type Queryable, type Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import { textArray } from '#platform/database/arrays.ts';
import { ERA, isMoved, originHere } from './origin-store.ts';

/** An event as it is stored; `data` is JSON text. */
export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly sequence: number;
  readonly request_id: string | null;
  readonly data: string;
}

/** An event with its place in the feed, a decimal text. */
export interface FeedRow extends EventRow {
  readonly position: string;
}

/** After about so many events a whole round ends. */
const ROUND_EVENTS = 20_000;

/** What a round of the feed came to. */
export interface Round {
  readonly published: number;
  /**
   * Events are, or may be, committed whose turn has not come: an older transaction is still in progress, or another
   * process is at it, which may have begun before them.
   */
  readonly is_waiting: boolean;
  /** The feed has got its places elsewhere so far, and `mendFeed` is to be asked before it gets any here. */
  readonly is_moved: boolean;
}

/** How far events have been published, and how far a round may go: transactions, decimal texts. */
interface PublishedRow {
  readonly origin: string | null;
  readonly here: string | null;
  readonly published: string;
  readonly oldest: string;
  readonly bound: string;
}

/** How a round is done. */
export interface RoundOptions {
  /** How much of a whole round, in (0, 1]. */
  readonly share?: number;
  /** Whether the server says what the origin of its places is, see `readOrigin`. */
  readonly tellsOrigin?: boolean;
}

/**
 * Gives positions to the events of all transactions that ended before the oldest one in progress; of many processes one
 * does it at a time. A transaction that waited for a subscription may be older than the one that it waited for: while
 * only the later of two events could have its turn, the bound is lowered, until both have it in one round.
 *
 * @param transaction of the kind `anew`: planned for other bounds, a statement would read all events that there are
 */
export async function publishEvents(
  transaction: Transaction,
  { share = 1, tellsOrigin = false }: RoundOptions = {},
): Promise<Round> {
  const [state] = await transaction.query<PublishedRow>(sql`
    -- So many events at a time, of whole transactions: a backlog of hours is published round by round.
    select origin, ${tellsOrigin ? originHere : sql`null::text`} as here, published, pg_snapshot_xmin(pg_current_snapshot()) as oldest, least(pg_snapshot_xmin(pg_current_snapshot()), (
      select next.transaction_id from events as next
      where next.transaction_id > (
        select transaction_id from events
        where transaction_id >= state.published
        order by transaction_id
        offset ${Math.ceil(ROUND_EVENTS * share)}
        limit 1
      )
      order by next.transaction_id
      limit 1
    )) as bound
    from event_feed_state as state
    for no key update skip locked`);
  if (state === undefined) return { published: 0, is_waiting: true, is_moved: false };
  const { published, oldest, origin, here } = state;
  if (isMoved(origin, here)) return { published: 0, is_waiting: true, is_moved: true };
  let bound = await lowerBound(transaction, published, state.bound);
  // What comes before the very first lies beyond the round: both have their turn in a longer one.
  if (bound === published && state.bound !== oldest) bound = await lowerBound(transaction, published, oldest);
  const [round] = await transaction.query<Omit<Round, 'is_moved'>>(sql`
    with fresh as materialized (
      select project_id, id, row_number() over (order by reached, timed, subject_id, sequence) as place
      from (
        select project_id, id, sequence, subject_id,
          -- Neither a transaction that waited nor a clock that was set back puts a later event of a subject first.
          max(transaction_id) over (partition by project_id, subject_id order by sequence) as reached,
          max(occurred_at) over (partition by project_id, subject_id order by sequence) as timed
        from events
        cross join lateral (select coalesce(subscription_id, resource_id) as subject_id) as subject
        where transaction_id >= ${published}::xid8 and transaction_id < ${bound}::xid8
      ) as looked_at
    ), inserted as (
      insert into event_feed (project_id, position, event_id)
      select project_id, last_position + place, id from fresh, event_feed_state
    ), moved as (
      update event_feed_state
      set published = ${bound}::xid8, last_position = last_position + (select count(*) from fresh)
      where ${bound}::xid8 > published
    )
    select
      (select count(*)::integer from fresh) as published,
      coalesce((select max(transaction_id) from events) >= ${bound}::xid8, false) as is_waiting`);
  if (round === undefined) throw new Error('a select without a table answers one row');
  return { ...round, is_moved: false };
}

/** The highest bound, not above this one, below which no event follows one beyond it. */
async function lowerBound(transaction: Transaction, published: string, highest: string): Promise<string> {
  let bound = highest;
  for (;;) {
    const lower = await findLowerBound(transaction, published, bound);
    if (lower === null) return bound;
    bound = lower;
  }
}

/** The first transaction below the bound with an event that follows one beyond it; null when there is none. */
async function findLowerBound(transaction: Transaction, published: string, bound: string): Promise<string | null> {
  const [found] = await transaction.query<{ lower: string | null }>(sql`
    with later as materialized (
      select project_id, subscription_id, resource_id, sequence, transaction_id from events
      where transaction_id >= ${published}::xid8 and transaction_id < ${bound}::xid8
    )
    select min(transaction_id) as lower from later
    where sequence > 1 and (
      exists (
        select from events as earlier
        where earlier.project_id = later.project_id and earlier.subscription_id = later.subscription_id
          and earlier.sequence = later.sequence - 1 and earlier.transaction_id >= ${bound}::xid8
      )
      or exists (
        select from events as earlier
        where earlier.project_id = later.project_id and earlier.resource_id = later.resource_id
          and earlier.sequence = later.sequence - 1 and earlier.transaction_id >= ${bound}::xid8
      )
    )`);
  return found?.lower ?? null;
}

/**
 * The newest transaction whose events are committed, a decimal text, for `isInFeed`; null when all of them have their places
 * in the feed.
 */
export async function newestOutsideFeed(queryable: Queryable): Promise<string | null> {
  const [row] = await queryable.query<{ newest: string }>(sql`
    select newest from (select max(transaction_id) as newest from events) as events, event_feed_state
    where newest >= published`);
  return row?.newest ?? null;
}

/** Whether the events of a transaction, and of all before it, have their places in the feed. */
export async function isInFeed(queryable: Queryable, transaction: string): Promise<boolean> {
  const [row] = await queryable.query(sql`select from event_feed_state where published > ${transaction}::xid8`);
  return row !== undefined;
}

/** What a reader of the feed has seen. */
export interface FeedPosition {
  /** Everything up to here, a decimal text. */
  readonly position: string;
  /** Beyond it, what was visible in this snapshot of the database (`pg_snapshot` as text); null: nothing. */
  readonly snapshot: string | null;
}

/** Looks at so many events at most in search of those that are asked for. */
const SCANNED = 5_000;

/** The contents of the events of a piece have about so many bytes at most; the first comes whatever it has. */
const MAX_PIECE_BYTES = 2 * 1024 * 1024;

/** A piece of the feed. */
export interface Piece {
  readonly rows: readonly FeedRow[];
  /** What has been seen with it; also past events that are not asked for. */
  readonly seen: FeedPosition;
  /** Whether there was more to look at. */
  readonly hasMore: boolean;
}

interface PieceRow extends FeedRow {
  readonly scanned: number;
  readonly fitting: number;
  readonly last: string | null;
  readonly is_passed: boolean | null;
}

/**
 * Events of a project after a position, in feed order.
 * @param types patterns of `like`; null: all
 */
export async function readFeed(
  queryable: Queryable,
  projectId: string,
  { position, snapshot }: FeedPosition,
  types: readonly string[] | null,
  limit: number,
): Promise<Piece> {
  // One more than is told says whether there is more.
  const scanLimit = types === null && snapshot === null ? limit + 1 : SCANNED;
  const found = await queryable.query<PieceRow>(
    sql`
    with places as materialized (
      select position, event_id from event_feed
      where project_id = ${asProject(projectId)} and position > ${position}
      order by position
      limit ${scanLimit}
    ), matching as materialized (
      select places.position, id, type, occurred_at, sequence, request_id, data
      from places
      -- One by one, whatever number the planner believes there to be: as a join it may read all events of the project.
      cross join lateral (
        select id, type, occurred_at, sequence, request_id, data, transaction_id from events
        where project_id = ${asProject(projectId)} and id = places.event_id
        limit 1
      ) as event
      where (${types}::text[] is null or type like any(${types}::text[]))
        and (
          ${snapshot}::text is null
          -- A snapshot of another server says nothing about what came into the feed of this one; told twice is not lost.
          or places.position / ${String(ERA)}::bigint > ${position}::bigint / ${String(ERA)}::bigint or transaction_id is null
          or not pg_visible_in_snapshot(transaction_id, ${snapshot}::text::pg_snapshot)
        )
      order by places.position
      limit ${limit}
    ), found as (
      select position, id, type, occurred_at, sequence, request_id, data
      from (
        select *, coalesce(sum(octet_length(data::text)) over earlier, 0) as bytes_before
        from matching
        window earlier as (order by position rows between unbounded preceding and 1 preceding)
      ) as measured
      where bytes_before < ${MAX_PIECE_BYTES}
    )
    select found.*, (select count(*)::integer from places) as scanned,
      (select count(*)::integer from matching) as fitting, (select max(position) from places) as last,
      published >= pg_snapshot_xmax(${snapshot}::text::pg_snapshot) as is_passed
    from event_feed_state
    left join found on true
    order by found.position`,
    // A plan that was made while there were few events reads all of them: it is made anew as a reader comes further.
    generationOf(Number(position), SCANNED),
  );
  const [first] = found;
  if (first === undefined) throw new Error('the feed has no state');
  const rows = found.filter(({ id }) => (id as string | null) !== null);
  const isFull = rows.length === limit || rows.length < first.fitting;
  const reached = isFull ? (rows.at(-1)?.position ?? position) : (first.last ?? position);
  const isAtEnd = first.scanned < scanLimit && (first.last === null || reached === first.last);
  // Once every transaction that the snapshot knew of has its positions behind us, the position alone says what was seen;
  // also beyond a restore.
  const isPast = (isAtEnd && first.is_passed === true) || BigInt(reached) / ERA > BigInt(position) / ERA;
  return { rows, seen: { position: reached, snapshot: isPast ? null : snapshot }, hasMore: !isAtEnd };
}

/** The event of a project, or `undefined`. */
export async function readEvent(queryable: Queryable, projectId: string, id: string): Promise<EventRow | undefined> {
  const [row] = await queryable.query<EventRow>(sql`
    select id, type, occurred_at, sequence, request_id, data from events
    where project_id = ${asProject(projectId)} and id = ${id}`);
  return row;
}

/** An event of another resource than a subscription, to be written. */
export interface ResourceEvent {
  readonly projectId: string;
  readonly id: string;
  readonly resourceId: string;
  readonly type: string;
  /** The project's time. */
  readonly occurredAt: string;
  readonly requestId: string | null;
  readonly causedBy: 'api' | 'operator' | 'market' | 'time';
  readonly credentialId: string | null;
  /** JSON text. */
  readonly data: string;
}

/** Writes events, each after those that its resource has; the caller has locked the resources. */
export async function insertResourceEvents(transaction: Transaction, events: readonly ResourceEvent[]): Promise<void> {
  const of = <Value>(pick: (event: ResourceEvent) => Value): Value[] => events.map(pick);
  await transaction.query(sql`
    insert into events
      (project_id, id, resource_id, sequence, type, occurred_at, request_id, caused_by, credential_id, data)
    select project_id, id, resource_id,
      row_number() over (partition by project_id, resource_id order by place) + coalesce((
        select max(sequence) from events
        where events.project_id = input.project_id and events.resource_id = input.resource_id
      ), 0),
      type, occurred_at, request_id, caused_by, credential_id, data::json
    from unnest(
      ${of(({ projectId }) => projectId)}::uuid[], ${of(({ id }) => id)}::uuid[],
      ${of(({ resourceId }) => resourceId)}::uuid[], ${of(({ type }) => type)}::text[],
      ${of(({ occurredAt }) => occurredAt)}::timestamptz[], ${of(({ requestId }) => requestId)}::text[],
      ${of(({ causedBy }) => causedBy)}::text[], ${of(({ credentialId }) => credentialId)}::uuid[],
      ${textArray(of(({ data }) => data))}::text[]
    ) with ordinality
      as input (project_id, id, resource_id, type, occurred_at, request_id, caused_by, credential_id, data, place)`);
}
