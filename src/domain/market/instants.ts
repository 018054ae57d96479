/** Days and instants as the state of a life keeps them: as text. */
import { endOfBerlinDay, latestReceipt, startOfBerlinDay } from '../calendar.ts';
import type { DayText, InstantText } from './messages.ts';

/** The instant at which a day begins. */
export function midnight(day: DayText): InstantText {
  return startOfBerlinDay(Temporal.PlainDate.from(day)).toString();
}

/** Whether an instant has been reached. */
export function isReached(instant: InstantText, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(Temporal.Instant.from(instant), now) <= 0;
}

/** The end of the last day on which the grid operator may receive a message for a start or end on `day`. */
export function endOfReceipt(day: DayText): InstantText {
  return endOfBerlinDay(latestReceipt(Temporal.PlainDate.from(day))).toString();
}

/** The latest of some days; the empty text when there is none. */
export function latest(...days: readonly (DayText | null)[]): DayText {
  return days.reduce<DayText>((found, day) => (day !== null && day > found ? day : found), '');
}

/** The first of some instants; null when there is none. */
export function earliest(instants: readonly (InstantText | null)[]): InstantText | null {
  let first: Temporal.Instant | null = null;
  for (const text of instants) {
    if (text === null) continue;
    const instant = Temporal.Instant.from(text);
    if (first === null || Temporal.Instant.compare(instant, first) < 0) first = instant;
  }
  return first?.toString() ?? null;
}
