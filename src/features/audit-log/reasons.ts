import { lowestUuidAt, parseId, uuidTime } from '#domain/identifiers.ts';
import { readReason } from '#platform/audit.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Queryable } from '#platform/database/pool.ts';
import { findReasonsOf } from './store.ts';

/** How long after a request has come its entry is made, at the latest: both have the time in their ids. */
const MINUTE_MS = 60_000;

/**
 * The reasons of requests, by the ids of these; of one that gave none there is none.
 * @param resources what the log may say that they changed, the likeliest first
 */
export async function readReasons(
  queryable: Queryable,
  keys: Keys,
  projectId: string,
  resources: readonly string[],
  requestIds: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, string | null>> {
  const requests = new Set(requestIds.filter((id) => id !== null));
  const asked = [...requests].flatMap((requestId) => {
    const uuid = parseId('req', requestId);
    if (uuid === null) return [];
    const came = uuidTime(uuid);
    return [{ requestId, from: lowestUuidAt(came), until: lowestUuidAt(came + MINUTE_MS) }];
  });
  if (asked.length === 0) return new Map();
  const found = await findReasonsOf(queryable, projectId, resources, asked);
  return new Map(
    found.map((row) => [row.request_id, readReason(keys, { projectId, id: row.id }, row.reason_encrypted)]),
  );
}
