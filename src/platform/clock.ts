/** The only place that asks the machine for the time. */
export interface Clock {
  /** The present instant. */
  now(): Temporal.Instant;
}

/** Wall time of this machine. */
export const wallClock: Clock = { now: () => Temporal.Now.instant() };

/** `YYYY-MM-DDThh:mm:ssZ`: how instants are shown and handed to the database; whole seconds, UTC, rounded down. */
export function formatInstant(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' });
}
