import { equalDigests, type Keys } from '#platform/crypto.ts';
import type { FieldError } from './problems.ts';

/** What is answered to a cursor that is none of its list. */
export const INVALID_CURSOR: FieldError = {
  field: '?cursor',
  code: 'invalid_cursor',
  message: 'is not a cursor of this list and filters',
};

/** Length of what `Keys.sign` makes. */
const SEAL_BYTES = 16;

/** A text for callers to keep and bring back: opaque, tamper-proof, and good in its own place only. */
export function sealCursor(keys: Keys, place: readonly unknown[], text: string): string {
  return Buffer.concat([seal(keys, place, text), Buffer.from(text)]).toString('base64url');
}

/** Whether a text may be a cursor of any place, as far as can be told without knowing which. */
export function canBeCursor(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > SEAL_BYTES && bytes.toString('base64url') === text;
}

/** The text that a cursor of this place stands for; `null` for what is none. */
export function openCursor(keys: Keys, place: readonly unknown[], cursor: string): string | null {
  if (!canBeCursor(cursor)) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(SEAL_BYTES).toString('utf8');
  return equalDigests(seal(keys, place, text), bytes.subarray(0, SEAL_BYTES)) ? text : null;
}

function seal(keys: Keys, place: readonly unknown[], text: string): Buffer {
  return keys.sign(JSON.stringify([...place, text]));
}
