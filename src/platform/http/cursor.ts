import { equalDigests, type Keys } from '#platform/crypto.ts';

/** Length of what `Keys.sign` makes. */
const SEAL_BYTES = 16;

/** A text for callers to keep and bring back: opaque, tamper-proof, and good in its own place only. */
export function sealCursor(keys: Keys, place: readonly unknown[], text: string): string {
  return Buffer.concat([seal(keys, place, text), Buffer.from(text)]).toString('base64url');
}

/** The text that a cursor of this place stands for; `null` for what is none. */
export function openCursor(keys: Keys, place: readonly unknown[], cursor: string): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(SEAL_BYTES).toString('utf8');
  const isGenuine =
    bytes.length > SEAL_BYTES &&
    bytes.toString('base64url') === cursor &&
    equalDigests(seal(keys, place, text), bytes.subarray(0, SEAL_BYTES));
  return isGenuine ? text : null;
}

function seal(keys: Keys, place: readonly unknown[], text: string): Buffer {
  return keys.sign(JSON.stringify([...place, text]));
}
