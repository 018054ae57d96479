/** The eleventh digit of a market location id: the even places count double (BDEW), filled up to the next ten. */
export function maloCheckDigit(tenDigits: string): number {
  let sum = 0;
  // Benches ask for millions.
  for (let index = 0; index < tenDigits.length; index += 1) sum += Number(tenDigits[index]) * (1 + (index % 2));
  return (10 - (sum % 10)) % 10;
}

/** A market location id; another for every number from 0 to 8,999,999,999. */
export function maloOf(number: number): string {
  const digits = String(1_000_000_000 + number);
  return `${digits}${maloCheckDigit(digits)}`;
}
