import type { Keys } from '#platform/crypto.ts';
import type { Database } from '#platform/database/pool.ts';
import { decryptPaymentDetails } from './present.ts';
import { readPaymentMethodsAfter, type OwnedPaymentMethod } from './store.ts';

/** A few megabytes. */
const PORTION = 10_000;

/** Payment methods whose bank details cannot be read. */
export interface Illegible {
  readonly count: number;
  /** Some of their uuids. */
  readonly examples: readonly string[];
}

/**
 * Opens the bank details of every payment method, as they are at one instant: finds those that were encrypted with another
 * key, were changed, or belong to another payment method.
 * @param maxExamples so many ids are told at most
 * @param portion so many are read at a time
 */
export async function findIllegible(
  { database, keys }: { readonly database: Database; readonly keys: Keys },
  maxExamples: number,
  portion: number = PORTION,
): Promise<Illegible> {
  return database.transaction(async (transaction) => {
    const examples: string[] = [];
    let count = 0;
    let last: OwnedPaymentMethod | null = null;
    for (;;) {
      const rows: OwnedPaymentMethod[] = await readPaymentMethodsAfter(transaction, last, portion);
      for (const row of rows) {
        if (isLegible(keys, row)) continue;
        count += 1;
        if (examples.length < maxExamples) examples.push(row.id);
      }
      if (rows.length < portion) return { count, examples };
      last = rows.at(-1) ?? null;
    }
  }, 'survey');
}

function isLegible(keys: Keys, row: OwnedPaymentMethod): boolean {
  try {
    const { iban, account_holder: holder } = decryptPaymentDetails(keys, row.project_id, row);
    return typeof iban === 'string' && typeof holder === 'string';
  } catch {
    return false;
  }
}
