/** Digits and capitals that nobody mistakes for one another: no 0, 1, I, O. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A subscription's human-readable number: 8 characters from 8 random bytes. */
export function subscriptionNumber(random: Uint8Array): string {
  let number = '';
  for (let index = 0; index < 8; index += 1) number += ALPHABET.charAt((random[index] ?? 0) & 31);
  return number;
}
