import { plainArray } from '#platform/database/arrays.ts';
import { generationOf, type Database, type Queryable, type Transaction } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { auditColumns, type AuditRow } from './store.ts';

/** The end of a chain. */
export interface ChainEnd {
  /** A decimal text; `0`: nothing is chained. */
  readonly last_position: string;
  readonly last_hash: Buffer | null;
  readonly seal: Buffer | null;
}

/** The end of the blocks, and what can be chained next; transaction ids are decimal texts. */
export interface BlocksEnd extends ChainEnd {
  /** Entries of transactions before this one are in blocks. */
  readonly chained: string;
  /** The oldest transaction in progress: all before it have ended. */
  readonly oldest: string;
  /** Whether entries from before there were blocks may be in no chain. */
  readonly has_earlier: boolean;
}

/** The end of the blocks. */
export async function readBlocksEnd(queryable: Queryable): Promise<BlocksEnd | undefined> {
  const [end] = await queryable.query<BlocksEnd>(sql`
    select last_position, last_hash, seal, chained, has_earlier, pg_snapshot_xmin(pg_current_snapshot()) as oldest
    from audit_blocks_state`);
  return end;
}

/** An entry as a block names it. */
export interface SettledEntry {
  readonly project_id: string;
  readonly id: string;
  readonly seal: Buffer;
  readonly transaction_id: string;
}

/**
 * The entries whose transactions have ended and that are in no block, in their order: about so many, of whole
 * transactions.
 */
export function readSettled(
  queryable: Queryable,
  { chained, oldest, last_position: lastPosition }: BlocksEnd,
  limit: number,
): Promise<SettledEntry[]> {
  return queryable.query<SettledEntry>(
    sql`
    select project_id, id, seal, transaction_id from audit_log
    where transaction_id >= ${chained}::xid8 and transaction_id < least(${oldest}::xid8, (
      select next.transaction_id from audit_log as next
      where next.transaction_id > (
        select transaction_id from audit_log
        -- Not as a parameter, for which the planner would expect few, and put all of a backlog in order.
        where transaction_id >= (select chained from audit_blocks_state)
        order by transaction_id
        offset ${limit - 1}
        limit 1
      )
      order by next.transaction_id
      limit 1
    ))
    order by transaction_id, id`,
    // A plan that was made while there were few entries reads all of them.
    generationOf(Number(lastPosition), limit),
  );
}

/** A block to be written, with the end that it makes. */
export interface NewBlock {
  readonly entries: readonly SettledEntry[];
  /** Entries of transactions before this one are in blocks with it. */
  readonly chained: string;
  /** A decimal text. */
  readonly lastPosition: string;
  readonly hash: Buffer;
  readonly seal: Buffer;
}

/** Writes a block after this end; `false`: the end is another one by now, and nothing was written. */
export async function appendBlock(queryable: Queryable, end: BlocksEnd, block: NewBlock): Promise<boolean> {
  const { entries, chained, lastPosition, hash, seal } = block;
  const written = await queryable.query(sql`
    with moved as (
      update audit_blocks_state
      set chained = ${chained}, last_position = ${lastPosition}, last_hash = ${hash}, seal = ${seal}
      where chained = ${end.chained} and last_position = ${end.last_position}
      returning true
    )
    insert into audit_blocks (first_position, last_position, project_ids, ids, hash)
    select ${end.last_position}::bigint + 1, ${lastPosition}, ${plainArray(entries.map((entry) => entry.project_id))}::uuid[],
      ${plainArray(entries.map(({ id }) => id))}::uuid[], ${hash}
    from moved
    returning true`);
  return written.length === 1;
}

/**
 * Gives a transaction id to some entries from before there were blocks that are in no chain, so that they have their turn
 * like new ones. All of them are seen: the migration waited for those who wrote before it. An instance of the version
 * before may chain them meanwhile.
 */
export async function takeUpEarlier(queryable: Queryable, limit: number): Promise<void> {
  await queryable.query(sql`
    with earlier as materialized (
      select project_id, id from audit_log
      where position is null and transaction_id is null
      order by id
      limit ${limit}
      for no key update
    ), taken_up as (
      update audit_log set transaction_id = pg_current_xact_id()
      from earlier
      where audit_log.project_id = earlier.project_id and audit_log.id = earlier.id
    )
    update audit_blocks_state set has_earlier = false where not exists (select from earlier)`);
}

/**
 * Takes up a log that comes from another server, whose transactions count otherwise: what is in no chain has its turn like
 * something new. A log from before there were blocks is left to the migration. Nobody else chains meanwhile.
 */
export async function takeUpLog(transaction: Transaction): Promise<void> {
  const [blocks] = await transaction.query(sql`select where to_regclass('audit_blocks_state') is not null`);
  if (blocks === undefined) return;
  await transaction.query(sql`
    -- Otherwise they had their turn again once this server has come to these numbers.
    update audit_log set transaction_id = null where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())`);
  await transaction.query(sql`
    with forgotten as materialized (
      ${inNoBlock(sql`true`)}
    ), taken_up as (
      update audit_log set transaction_id = pg_current_xact_id()
      from forgotten
      where audit_log.project_id = forgotten.project_id and audit_log.id = forgotten.id
    )
    update audit_blocks_state set chained = pg_snapshot_xmin(pg_current_snapshot()), has_earlier = false`);
}

/**
 * Entries that are in no chain, of those that a condition holds for. Counted out and not joined: where the planner takes
 * them for few, it would go through all blocks for each.
 */
function inNoBlock(condition: Sql): Sql {
  return sql`
    select project_id, id from (
      select audit_log.project_id, audit_log.id, false as is_placed from audit_log, audit_blocks_state
      where position is null and (${condition})
      union all
      select placed.project_id, placed.id, true from audit_blocks, unnest(project_ids, ids) as placed (project_id, id)
    ) as named
    group by project_id, id
    having not bool_or(is_placed)`;
}

/**
 * After a restore into another server, whose transactions count anew, takes the log up; does nothing otherwise. Takes as
 * long as it needs: there may be very many entries.
 */
export async function mendLog(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const [state] = await transaction.query(sql`
      select from audit_blocks_state where chained > pg_snapshot_xmax(pg_current_snapshot()) for update`);
    if (state !== undefined) await takeUpLog(transaction);
  }, 'unhurried');
}

/** The end of the chain from before there were blocks. */
export async function readLinksEnd(queryable: Queryable): Promise<ChainEnd | undefined> {
  const [end] = await queryable.query<ChainEnd>(sql`select last_position, last_hash, seal from audit_chain`);
  return end;
}

/** An entry with what makes changes to it seen. */
export interface SealedRow extends AuditRow {
  readonly seal: Buffer;
}

/** An entry of the chain from before there were blocks, in which each entry is chained to the one before. */
export interface LinkedRow extends SealedRow {
  /** A decimal text. */
  readonly position: string;
  readonly hash: Buffer;
}

/** The columns of a `SealedRow`, and where it stands in the chain from before there were blocks. */
const columns = sql`${auditColumns}, seal, position`;

/** Entries of the chain from before there were blocks after a position, in its order. */
export function readLinked(queryable: Queryable, after: string, limit: number): Promise<LinkedRow[]> {
  return queryable.query<LinkedRow>(sql`
    select ${columns}, hash from audit_log
    where position > ${after}
    order by position
    limit ${limit}`);
}

/** The positions of a block, decimal texts. */
export interface BlockPlace {
  readonly first_position: string;
  readonly last_position: string;
}

/** The first block that ends after a position. */
export async function findBlock(queryable: Queryable, after: string): Promise<BlockPlace | undefined> {
  const [place] = await queryable.query<BlockPlace>(sql`
    select first_position, last_position from audit_blocks
    where last_position > ${after}
    order by last_position
    limit 1`);
  return place;
}

/** What a block names, and its entry; `seal` null: that is gone. */
export type PlacedRow = BlockPlace & {
  readonly block_hash: Buffer;
  readonly placed_id: string;
  /** Its place in the chain from before there were blocks, a decimal text. */
  readonly position: string | null;
} & (SealedRow | { readonly seal: null });

/** What blocks name that end within these positions, in their order. */
export function readPlaced(queryable: Queryable, after: string, upTo: string): Promise<PlacedRow[]> {
  return queryable.query<PlacedRow>(sql`
    select first_position, last_position, block.hash as block_hash, placed.id as placed_id, entry.*
    from audit_blocks as block
    cross join unnest(project_ids, ids) with ordinality as placed (project_id, id, place)
    -- One by one by their key, however many the planner takes them for.
    left join lateral (
      select ${columns} from audit_log
      where audit_log.project_id = placed.project_id and audit_log.id = placed.id
      limit 1
    ) as entry on true
    where last_position > ${after} and last_position <= ${upTo}
    order by last_position, place`);
}

/**
 * Entries that are in no chain although their time is over: they were put in, or the end of the blocks was moved. A
 * transaction that has not begun cannot have written either; unless all come from another server.
 */
export async function findUnchained(queryable: Queryable, limit: number): Promise<string[]> {
  const rows = await queryable.query<{ id: string }>(sql`
    ${inNoBlock(sql`
      transaction_id < chained or (transaction_id is null and not has_earlier)
      or (
        transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
        and chained <= pg_snapshot_xmax(pg_current_snapshot())
      )`)}
    limit ${limit}`);
  return rows.map(({ id }) => id);
}
