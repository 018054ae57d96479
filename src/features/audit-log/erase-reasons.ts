import { erasureSeal } from '#platform/audit.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Transaction } from '#platform/database/pool.ts';
import { findReasons, updateErased } from './store.ts';

/** Forgets why these resources were changed: a reason may speak of a person. The chain holds, and tells that it was us. */
export async function eraseReasons(
  keys: Keys,
  transaction: Transaction,
  projectId: string,
  resources: readonly string[],
): Promise<void> {
  const ids = await findReasons(transaction, projectId, resources);
  const erased = ids.map((id) => ({ id, seal: erasureSeal(keys, { projectId, id }) }));
  if (erased.length > 0) await updateErased(transaction, projectId, erased);
}
