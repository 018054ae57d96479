/** Digits and capitals that nobody mistakes for one another: no 0, 1, I, O. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A subscription's human-readable number: 8 characters from 8 random bytes. */
export function subscriptionNumber(random: Uint8Array): string {
  return Array.from(random.subarray(0, 8), (byte) => ALPHABET[byte & 31]).join('');
}
