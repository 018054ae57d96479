/** When a delivery is attempted next, and how many may be on their way at once. Pure. */

/** Deliveries on their way at once in one process. */
export const MAX_IN_FLIGHT = 512;
/** To one endpoint. */
const ENDPOINT_IN_FLIGHT = 64;
/** To one endpoint while many are on their way, or while it does nothing but fail: the others keep their room. */
export const CAREFUL_IN_FLIGHT = 4;

/** What is kept for those who have nothing on its way yet. */
const RESERVED = 64;

/** How many deliveries may be begun, and be on their way to one endpoint that works, while so many are to all. */
export function roomBeside(inFlight: number): { readonly total: number; readonly each: number } {
  const steps = [
    { upTo: MAX_IN_FLIGHT / 2, each: ENDPOINT_IN_FLIGHT },
    { upTo: MAX_IN_FLIGHT - RESERVED, each: CAREFUL_IN_FLIGHT },
  ];
  const { upTo, each } = steps.find((step) => inFlight < step.upTo) ?? { upTo: MAX_IN_FLIGHT, each: 1 };
  return { total: upTo - inFlight, each };
}

const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
/** A pause that was asked for and was too short is so many times as long when it is asked for again. */
const DISBELIEF = 4;

/**
 * Milliseconds until the next attempt; `null` when there is none. What an endpoint asks for is waited for at least. Who asks
 * for less than the schedule has, is believed at first: otherwise a second asked each time would use all attempts up
 * within seconds, and an outage of a minute lose what the schedule keeps for days.
 * @param schedule the pause after each failed attempt, in seconds
 * @param failures attempts that have failed, this one included
 * @param retryAfterMs what the endpoint asked for, if it did
 * @param random in [0, 1)
 */
export function nextPause(
  schedule: readonly number[],
  failures: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const pause = schedule[failures - 1];
  if (pause === undefined) return null;
  const usual = Math.round(1000 * pause * (1 - JITTER + 2 * JITTER * random));
  if (retryAfterMs === null || retryAfterMs === 0) return usual;
  const asked = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
  return Math.max(asked, Math.min(usual, asked * DISBELIEF ** (failures - 1)));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The three forms that a recipient takes (RFC 9110 §5.6.7), all but the first obsolete. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]+day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];
/** A year of two digits is not so many years ahead. */
const MOST_YEARS_AHEAD = 50;

/** `Retry-After` in milliseconds from now: seconds or an HTTP date (RFC 9110 §10.2.3); `null` for anything else. */
export function readRetryAfter(header: string | undefined, now: Temporal.Instant): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  const date = readHttpDate(text, now);
  return date === null ? null : Math.max(0, date.epochMilliseconds - now.epochMilliseconds);
}

function readHttpDate(text: string, now: Temporal.Instant): Temporal.Instant | null {
  const parts = HTTP_DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  const month = MONTHS.indexOf(parts?.['month'] ?? '') + 1;
  if (parts === undefined || month === 0) return null;
  const { day = '', year = '', time = '' } = parts;
  const date = [fullYear(year, now), String(month).padStart(2, '0'), day.replace(' ', '0')].join('-');
  try {
    return Temporal.Instant.from(`${date}T${time}Z`);
  } catch {
    return null;
  }
}

function fullYear(year: string, now: Temporal.Instant): string {
  if (year.length > 2) return year;
  const present = now.toZonedDateTimeISO('UTC').year;
  const inThisCentury = present - (present % 100) + Number(year);
  return String(inThisCentury > present + MOST_YEARS_AHEAD ? inThisCentury - 100 : inThisCentury);
}

/** Whether events of a type are sent to an endpoint with these patterns. */
export function matchesTypes(patterns: readonly string[], type: string): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}
