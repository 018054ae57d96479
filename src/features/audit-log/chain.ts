import { formatId } from '#domain/identifiers.ts';
import { erasureSeal, readReason, reasonDigest, sealOf } from '#platform/audit.ts';
import { equalDigests, type Keys } from '#platform/crypto.ts';
import type { Database } from '#platform/database/pool.ts';
import type { PortionResult } from '#platform/reconcile/reconciler.ts';
import {
  lockChain,
  readChain,
  readChained,
  readUnchained,
  writeLinks,
  type ChainedRow,
  type ChainEnd,
} from './store.ts';

/** What the chain needs. */
export interface ChainDependencies {
  readonly database: Database;
  readonly keys: Keys;
}

const PORTION = 1_000;

/** Chains some entries that are not chained yet; of many processes one does it at a time. */
export function chainEntries({ database, keys }: ChainDependencies): Promise<PortionResult> {
  return database.transaction(async (transaction) => {
    const end = await lockChain(transaction);
    if (end === undefined) return 'idle';
    const rows = await readUnchained(transaction, PORTION);
    let [position, hash] = [BigInt(end.last_position), end.last_hash];
    const links = rows.map(({ project_id: projectId, id, seal }) => {
      position += 1n;
      hash = linkOf(keys, hash, seal);
      return { projectId, id, position: String(position), hash };
    });
    if (hash === null || links.length === 0) return 'idle';
    const last = String(position);
    await writeLinks(transaction, links, { position: last, hash, seal: endSeal(keys, last, hash) });
    return links.length === PORTION ? 'worked' : 'idle';
  });
}

/** The hash of an entry’s place: of all that is before it, and of the entry. */
export function linkOf(keys: Keys, before: Uint8Array | null, seal: Uint8Array): Buffer {
  return keys.seal(JSON.stringify(['link', before === null ? null : hex(before), hex(seal)]));
}

/** What shows that the chain ends where it is written. */
export function endSeal(keys: Keys, position: string, hash: Uint8Array): Buffer {
  return keys.seal(JSON.stringify(['end', position, hex(hash)]));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** What is wrong at a place of the chain. */
export interface Fault {
  /** A decimal text. */
  readonly position: string;
  /** The entry that stands there, `aud_…`; null: none does. */
  readonly entry: string | null;
  readonly kind: 'changed' | 'reordered' | 'removed' | 'end_changed' | 'head_not_found';
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

/**
 * Goes through the whole log: finds every entry that was changed, removed, added or moved by anybody without the key.
 * @param head one that was kept from an earlier verification: shows that nothing up to it was rolled back together
 */
export async function verifyChain({ database, keys }: ChainDependencies, head: string | null): Promise<Verification> {
  while ((await chainEntries({ database, keys })) === 'worked');
  const found = { entries: 0, erasedReasons: 0, faults: [] as Fault[], isHeadFound: false };
  const report = (position: string, row: ChainedRow | null, kind: Fault['kind']): void => {
    if (found.faults.length === MAX_FAULTS) return;
    found.faults.push({ position, entry: row === null ? null : formatId('aud', row.id), kind });
  };
  const end = await readChain(database);
  let [last, hash] = [0n, null as Buffer | null];
  for (;;) {
    const rows = await readChained(database, String(last), PORTION);
    for (const row of rows) {
      const position = BigInt(row.position);
      for (let missing = last + 1n; missing < position; missing += 1n) {
        report(String(missing), null, 'removed');
        if (found.faults.length === MAX_FAULTS) break;
      }
      // What follows a removed entry can only be checked against its own hash.
      const isAfterGap = position !== last + 1n;
      if (!isIntact(keys, row)) report(row.position, row, 'changed');
      else if (!isAfterGap && !equalDigests(linkOf(keys, hash, row.seal), row.hash))
        report(row.position, row, 'reordered');
      if (row.reason_digest !== null && row.reason_encrypted === null) found.erasedReasons += 1;
      found.isHeadFound ||= head === `${row.position}:${hex(row.hash)}`;
      [last, hash] = [position, row.hash];
      found.entries += 1;
    }
    if (rows.length < PORTION) break;
  }
  checkEnd(keys, end, last, hash, report);
  if (head !== null && !found.isHeadFound) report(head.split(':', 1)[0] ?? head, null, 'head_not_found');
  const { entries, erasedReasons, faults } = found;
  return { entries, erasedReasons, faults, head: hash === null ? null : `${String(last)}:${hex(hash)}` };
}

function isIntact(keys: Keys, row: ChainedRow): boolean {
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
function checkEnd(
  keys: Keys,
  end: ChainEnd | undefined,
  last: bigint,
  hash: Buffer | null,
  report: (position: string, row: null, kind: Fault['kind']) => void,
): void {
  const isGenuine =
    end !== undefined &&
    (end.last_hash === null || end.seal === null
      ? end.last_position === '0'
      : equalDigests(endSeal(keys, end.last_position, end.last_hash), end.seal));
  if (!isGenuine) {
    report(end?.last_position ?? '0', null, 'end_changed');
    return;
  }
  const written = BigInt(end.last_position);
  if (last < written) report(end.last_position, null, 'removed');
  else if (last === written && hash !== null && end.last_hash !== null && !equalDigests(end.last_hash, hash)) {
    report(end.last_position, null, 'end_changed');
  }
}
