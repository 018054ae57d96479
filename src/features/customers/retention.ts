import { berlinDay } from '#domain/calendar.ts';

/** How many years accounting records are kept from the end of their year (§ 147 (3) AO, § 257 (4) HGB, since 2025). */
const RETENTION_YEARS = 8;

/**
 * The last day on which the records of a supply are kept.
 * @param endAt the first instant without supply: one that ends with a year has its last day in that year
 */
export function keptUntil(endAt: string): string {
  const { year } = berlinDay(Temporal.Instant.from(endAt).subtract({ seconds: 1 }));
  return `${year + RETENTION_YEARS}-12-31`;
}
