/** The only place that asks the machine for the time. */
export interface Clock {
  /** The present instant. */
  now(): Temporal.Instant;
}

/** Wall time of this machine, in milliseconds. */
export const wallClock: Clock = createWallClock();

/** Makes one instant for all who ask in the same millisecond: making one takes as long as half of a request's routing. */
function createWallClock(): Clock {
  let present = Temporal.Now.instant();
  return {
    now() {
      const milliseconds = Date.now();
      if (milliseconds !== present.epochMilliseconds) present = Temporal.Instant.fromEpochMilliseconds(milliseconds);
      return present;
    },
  };
}

/** An instant without its fraction of a second: the market and the API count whole ones. */
export function wholeSecond(instant: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(instant.epochMilliseconds / 1000) * 1000);
}

/** `YYYY-MM-DDThh:mm:ssZ`: how instants are shown and handed to the database; whole seconds, UTC, rounded down. */
export function formatInstant(instant: Temporal.Instant): string {
  const second = Math.floor(instant.epochMilliseconds / 1000);
  // The same text as `toString({ smallestUnit: 'second' })`, in a fifth of the time; and it is asked for several times a
  // request, mostly of the present second.
  if (second !== formatted.second) {
    formatted.second = second;
    formatted.text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return formatted.text;
}

/** The second that was formatted last. */
const formatted = { second: NaN, text: '' };

/** An instant with its milliseconds, for the database. */
export function preciseInstant(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'millisecond' });
}

/** Whether a text is an existing instant in the one form that is shown and taken, `YYYY-MM-DDThh:mm:ssZ`, from the year 1 on. */
export function isInstant(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return false;
  try {
    return Temporal.Instant.from(text).toString({ smallestUnit: 'second' }) === text;
  } catch {
    return false;
  }
}
