/** Whether a JSON number is an amount of EUR with at most two decimals, from 0 to 9,999,999.99. */
export function isPrice(value: number): boolean {
  return value >= 0 && value < 10_000_000 && /^\d+(\.\d{1,2})?$/.test(String(value));
}

/** `12.90` → `12.9`: a decimal text as the shortest JSON number of the same value. */
export function toJsonNumber(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
