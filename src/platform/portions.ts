/**
 * How much of what is due goes into one commit: less after a portion that the database could not write in time, and
 * more again after each that it could. The same portion, tried again, would be too late for ever.
 */
export interface Portions {
  /** The share of a whole portion of some work, from 1 down to `SMALLEST`. */
  shareOf(work: string): number;
  /** A portion was not written in time. */
  shrink(work: string): void;
  /** A portion was written. */
  grow(work: string): void;
}

const SHRINKING = 8;
const GROWTH = 2;
/** Small enough for a single life, whatever a portion is. */
const SMALLEST = 2 ** -10;

/** Portions are whole to begin with. */
export function createPortions(): Portions {
  // Only what is not whole: a few at a time, if any.
  const shares = new Map<string, number>();
  const shareOf = (work: string): number => shares.get(work) ?? 1;
  return {
    shareOf,
    shrink: (work) => void shares.set(work, Math.max(SMALLEST, shareOf(work) / SHRINKING)),
    grow(work) {
      const share = shareOf(work) * GROWTH;
      if (share < 1) shares.set(work, share);
      else shares.delete(work);
    },
  };
}
