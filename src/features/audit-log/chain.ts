import type { Keys } from '#platform/crypto.ts';
import type { Database } from '#platform/database/pool.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import { appendBlock, readBlocksEnd, readSettled, takeUpEarlier, type SettledEntry } from './chain-store.ts';

/** What the chain needs. */
export interface ChainDependencies {
  readonly database: Database;
  readonly keys: Keys;
}

/** About so many entries are in a block at most. */
const BLOCK_ENTRIES = 4_000;

/**
 * Chains the entries of transactions that have ended, in a block of their own. Nothing is locked meanwhile: of many
 * processes at it the first moves the end, and what the others have made for nothing is not written.
 */
export async function chainEntries({ database, keys }: ChainDependencies): Promise<PortionResult> {
  const end = await readBlocksEnd(database);
  if (end === undefined) return 'idle';
  if (end.has_earlier) {
    await takeUpEarlier(database, BLOCK_ENTRIES);
    return 'worked';
  }
  const entries = await readSettled(database, end, BLOCK_ENTRIES);
  const last = entries.at(-1);
  if (last === undefined) return 'idle';
  const isFull = entries.length >= BLOCK_ENTRIES;
  const lastPosition = String(BigInt(end.last_position) + BigInt(entries.length));
  const hash = blockHash(keys, end.last_hash, lastPosition, entries);
  const isWritten = await appendBlock(database, end, {
    entries,
    chained: isFull ? String(BigInt(last.transaction_id) + 1n) : end.oldest,
    lastPosition,
    hash,
    seal: endSeal(keys, lastPosition, hash),
  });
  return isFull || !isWritten ? 'worked' : 'idle';
}

/**
 * The hash of a block: of all that is before it, and of its entries in their order.
 * @param lastPosition of its last entry, a decimal text
 */
export function blockHash(
  keys: Keys,
  before: Uint8Array | null,
  lastPosition: string,
  entries: readonly Pick<SettledEntry, 'project_id' | 'id' | 'seal'>[],
): Buffer {
  return keys.seal(
    JSON.stringify([
      'block',
      before === null ? null : hex(before),
      lastPosition,
      entries.map((entry) => entry.project_id),
      entries.map(({ id }) => id),
      hex(Buffer.concat(entries.map(({ seal }) => seal))),
    ]),
  );
}

/** What shows that a chain ends where it is written. */
export function endSeal(keys: Keys, position: string, hash: Uint8Array): Buffer {
  return keys.seal(JSON.stringify(['end', position, hex(hash)]));
}

/** Bytes as they stand in what is sealed, and in heads. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
