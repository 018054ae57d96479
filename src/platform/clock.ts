/** The only place that asks the machine for the time. */
export interface Clock {
  /** The present instant. */
  now(): Temporal.Instant;
}

/** Wall time of this machine. */
export const wallClock: Clock = { now: () => Temporal.Now.instant() };

/** `YYYY-MM-DDThh:mm:ssZ`: how instants are shown and handed to the database; whole seconds, UTC, rounded down. */
export function formatInstant(instant: Temporal.Instant): string {
  // The same text as `toString({ smallestUnit: 'second' })`, in a fifth of the time; it is asked for several times a request.
  return `${new Date(instant.epochMilliseconds).toISOString().slice(0, 19)}Z`;
}
