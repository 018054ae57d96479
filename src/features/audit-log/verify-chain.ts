import { formatId } from '#domain/identifiers.ts';
import { erasureSeal, readReason, reasonDigest, sealOf } from '#platform/audit.ts';
import { equalDigests, type Keys } from '#platform/crypto.ts';
import type { Transaction } from '#platform/database/pool.ts';
import { blockHash, chainEntries, endSeal, hex, type ChainDependencies } from './chain.ts';
import {
  findBlock,
  findUnchained,
  readBlocksEnd,
  readLinked,
  readLinksEnd,
  readPlaced,
  type ChainEnd,
  type PlacedRow,
  type SealedRow,
} from './chain-store.ts';

/** Something that is wrong with the log. */
export interface Fault {
  /** In the chain, a decimal text; null: in none. */
  readonly position: string | null;
  /** The entry that stands there, or should, `aud_…`; null: it is not known, or a whole block is meant. */
  readonly entry: string | null;
  readonly kind: 'changed' | 'reordered' | 'removed' | 'unchained' | 'end_changed' | 'head_not_found';
}

/** What a verification found. */
export interface Verification {
  readonly entries: number;
  /** Entries whose reason is erased with the person it spoke of. */
  readonly erasedReasons: number;
  /** `position:hash` of the last entry, to be kept elsewhere; null: there is none. */
  readonly head: string | null;
  /** The first hundred. */
  readonly faults: readonly Fault[];
}

const MAX_FAULTS = 100;
const PORTION = 1_000;
/** Blocks are read so many entries at a time, or one at a time when it has more. */
const PLACED_PORTION = 4_000n;

/** What is known so far; of use while it is written. */
interface Survey {
  readonly transaction: Transaction;
  readonly keys: Keys;
  readonly head: string | null;
  readonly faults: Fault[];
  entries: number;
  erasedReasons: number;
  isHeadFound: boolean;
}

/** A place up to which a chain was followed. */
interface Reached {
  readonly position: bigint;
  /** Null: it is the beginning; `undefined`: it is not known, so that what follows can be checked by itself only. */
  readonly hash: Buffer | null | undefined;
}

const BEGINNING: Reached = { position: 0n, hash: null };

/**
 * Goes through the whole log, as it is at one instant: finds every entry that was changed, removed, added or moved by
 * anybody without the key. First through the chain from before there were blocks, then through the blocks.
 * @param head one that was kept from an earlier verification: shows that nothing up to it was rolled back together
 */
export async function verifyChain(dependencies: ChainDependencies, head: string | null): Promise<Verification> {
  while ((await chainEntries(dependencies)) === 'worked');
  const { database, keys } = dependencies;
  return database.transaction(async (transaction) => {
    const survey: Survey = { transaction, keys, head, faults: [], entries: 0, erasedReasons: 0, isHeadFound: false };
    const blocksEnd = await readBlocksEnd(transaction);
    const first = await findBlock(transaction, '0');
    const before = first === undefined ? BigInt(blocksEnd?.last_position ?? 0) : BigInt(first.first_position) - 1n;
    const { reached: lastLinked, joint } = await verifyLinks(survey, before);
    const lastPlaced = await verifyBlocks(survey, joint);
    checkEnd(survey, blocksEnd, lastPlaced);
    for (const id of await findUnchained(transaction, MAX_FAULTS)) report(survey, null, id, 'unchained');
    if (head !== null && !survey.isHeadFound) report(survey, head.split(':', 1)[0] ?? head, null, 'head_not_found');
    const { entries, erasedReasons, faults } = survey;
    const last = first === undefined ? lastLinked : lastPlaced;
    return { entries, erasedReasons, faults, head: headOf(last) };
  }, 'survey');
}

function headOf({ position, hash }: Reached): string | null {
  return hash === null || hash === undefined ? null : `${String(position)}:${hex(hash)}`;
}

function report({ faults }: Survey, position: bigint | string | null, id: string | null, kind: Fault['kind']): void {
  if (faults.length === MAX_FAULTS) return;
  faults.push({
    position: position === null ? null : String(position),
    entry: id === null ? null : formatId('aud', id),
    kind,
  });
}

/**
 * The chain from before there were blocks, in which each entry has its own place.
 * @param before the position that the first block follows
 */
async function verifyLinks(survey: Survey, before: bigint): Promise<{ reached: Reached; joint: Reached }> {
  const { transaction, keys, faults } = survey;
  const end = await readLinksEnd(transaction);
  let reached = BEGINNING;
  let joint: Reached = before === 0n ? BEGINNING : { position: before, hash: undefined };
  for (;;) {
    const rows = await readLinked(transaction, String(reached.position), PORTION);
    for (const row of rows) {
      const position = BigInt(row.position);
      for (let missing = reached.position + 1n; missing < position && faults.length < MAX_FAULTS; missing += 1n) {
        report(survey, missing, null, 'removed');
      }
      // What follows a removed entry can only be checked against its own hash.
      const isAfterGap = position !== reached.position + 1n;
      if (!isIntact(keys, row)) report(survey, position, row.id, 'changed');
      else if (!isAfterGap && !equalDigests(linkOf(keys, reached.hash ?? null, row.seal), row.hash)) {
        report(survey, position, row.id, 'reordered');
      }
      reached = { position, hash: row.hash };
      if (position === before) joint = reached;
      count(survey, row);
      lookForHead(survey, reached);
    }
    if (rows.length < PORTION) break;
  }
  checkEnd(survey, end, reached);
  // Up to its end it was told above that something is gone.
  if (joint.hash === undefined && before > BigInt(end?.last_position ?? 0)) {
    report(survey, reached.position + 1n, null, 'removed');
  }
  return { reached, joint };
}

/** The hash of an entry’s place in the chain from before there were blocks: of all that is before it, and of the entry. */
export function linkOf(keys: Keys, before: Uint8Array | null, seal: Uint8Array): Buffer {
  return keys.seal(JSON.stringify(['link', before === null ? null : hex(before), hex(seal)]));
}

/** The blocks, from where they begin. */
async function verifyBlocks(survey: Survey, begin: Reached): Promise<Reached> {
  const { transaction } = survey;
  let reached = begin;
  for (;;) {
    const next = await findBlock(transaction, String(reached.position));
    if (next === undefined) return reached;
    const least = reached.position + PLACED_PORTION;
    const upTo = BigInt(next.last_position) > least ? next.last_position : String(least);
    const rows = await readPlaced(transaction, String(reached.position), upTo);
    for (const block of Map.groupBy(rows, (row) => row.last_position).values()) {
      reached = verifyBlock(survey, reached, block);
    }
    if (reached.position >= BigInt(next.last_position)) continue;
    // One that names nothing: the service writes none.
    report(survey, next.last_position, null, 'reordered');
    reached = { position: BigInt(next.last_position), hash: undefined };
  }
}

/** @param rows what the block names, at least one */
function verifyBlock(survey: Survey, reached: Reached, rows: readonly PlacedRow[]): Reached {
  const [block] = rows;
  if (block === undefined) throw new Error('a block names something');
  const first = BigInt(block.first_position);
  const isAfterGap = first !== reached.position + 1n;
  if (isAfterGap) report(survey, reached.position + 1n, null, first > reached.position ? 'removed' : 'reordered');
  const whole: SealedRow[] = [];
  for (const [index, row] of rows.entries()) {
    const position = first + BigInt(index);
    if (row.seal === null) report(survey, position, row.placed_id, 'removed');
    else {
      if (isIntact(survey.keys, row)) whole.push(row);
      else report(survey, position, row.id, 'changed');
      // Of the others it is told above: instances of the version before have chained it too.
      if (row.position === null) count(survey, row);
    }
  }
  const { block_hash: hash, last_position: last } = block;
  // What was made of an entry that is gone or changed can be seen no more, nor what follows it but by its own hash.
  const isKnown = !isAfterGap && reached.hash !== undefined && whole.length === rows.length;
  if (isKnown && !equalDigests(blockHash(survey.keys, reached.hash ?? null, last, whole), hash)) {
    report(survey, last, null, 'reordered');
  }
  const next = { position: BigInt(last), hash };
  lookForHead(survey, next);
  return next;
}

function count(survey: Survey, row: SealedRow): void {
  survey.entries += 1;
  if (row.reason_digest !== null && row.reason_encrypted === null) survey.erasedReasons += 1;
}

function lookForHead(survey: Survey, reached: Reached): void {
  survey.isHeadFound ||= survey.head !== null && survey.head === headOf(reached);
}

function isIntact(keys: Keys, row: SealedRow): boolean {
  const facts = {
    projectId: row.project_id,
    id: row.id,
    occurredAt: row.occurred_at,
    credentialId: row.credential_id,
    requestId: row.request_id,
    operation: row.operation,
    resource: row.resource,
    fields: row.fields,
    reasonDigest: row.reason_digest,
  };
  if (!equalDigests(sealOf(keys, facts), row.seal)) return false;
  if (row.reason_digest === null) return row.reason_encrypted === null;
  if (row.reason_encrypted === null) {
    return row.erasure_seal !== null && equalDigests(erasureSeal(keys, facts), row.erasure_seal);
  }
  try {
    const reason = readReason(keys, facts, row.reason_encrypted);
    return reason !== null && equalDigests(reasonDigest(keys, reason), row.reason_digest);
  } catch {
    return false;
  }
}

/** The end that is written down must be where the chain ends: otherwise its last entries are gone. */
function checkEnd(survey: Survey, end: ChainEnd | undefined, reached: Reached): void {
  const isGenuine =
    end !== undefined &&
    (end.last_hash === null || end.seal === null
      ? end.last_position === '0'
      : equalDigests(endSeal(survey.keys, end.last_position, end.last_hash), end.seal));
  if (!isGenuine) {
    report(survey, end?.last_position ?? '0', null, 'end_changed');
    return;
  }
  const written = BigInt(end.last_position);
  if (reached.position < written) report(survey, written, null, 'removed');
  else if (reached.position > written || !isHash(end.last_hash, reached.hash)) {
    report(survey, written, null, 'end_changed');
  }
}

/** @param known what it must be; `undefined`: nobody can say */
function isHash(hash: Buffer | null, known: Buffer | null | undefined): boolean {
  if (hash === null || known === null || known === undefined) return known === undefined || hash === known;
  return equalDigests(hash, known);
}
