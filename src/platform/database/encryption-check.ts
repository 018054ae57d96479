import type { Keys } from '../crypto.ts';
import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

const CONTEXT = 'encryption_check';
const TEXT = 'wattline';

/** Whether the database was written with a key already. */
export async function hasEncryptionSample(queryable: Queryable): Promise<boolean> {
  return (await readSample(queryable)) !== null;
}

/** Null when there is none, or not even its table. */
async function readSample(queryable: Queryable): Promise<Buffer | null> {
  const [table] = await queryable.query(sql`select where to_regclass('encryption_check') is not null`);
  if (table === undefined) return null;
  const [row] = await queryable.query<{ sample: Buffer }>(sql`select sample from encryption_check`);
  return row?.sample ?? null;
}

/**
 * Keeps a sample encrypted with the key at the first start, and checks the key against it at every later one.
 * @throws Error when the database was written with another key
 */
export async function keepEncryptionSample(queryable: Queryable, keys: Keys): Promise<void> {
  await queryable.query(sql`
    insert into encryption_check (sample) values (${keys.encrypt(TEXT, CONTEXT)}) on conflict do nothing`);
  await checkEncryptionSample(queryable, keys);
}

/**
 * Checks the key against the sample; false when there is none.
 * @throws Error when the database was written with another key
 */
export async function checkEncryptionSample(queryable: Queryable, keys: Keys): Promise<boolean> {
  const sample = await readSample(queryable);
  if (sample === null) return false;
  try {
    if (keys.decrypt(sample, CONTEXT) === TEXT) return true;
  } catch {
    // Told below: the cause names nothing that helps.
  }
  throw new Error(`${keys.origin} is not the key this database was written with; restore that key`);
}
