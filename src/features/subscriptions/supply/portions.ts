/**
 * How much of what is due in a project goes into one commit: less after a portion that the database has not written in
 * time, and more again with each that it has. The same portion tried again would be as late again, for ever.
 */
export interface Portions {
  /** The share of a whole portion, from 1 down to `SMALLEST`. */
  shareOf(projectId: string): number;
  /** A portion was not written in time. */
  shrink(projectId: string): void;
  /** A portion was written. */
  grow(projectId: string): void;
}

const SHRINKING = 8;
const GROWTH = 2;
/** Small enough for a single life, whatever a portion is. */
const SMALLEST = 2 ** -10;

/** Portions are whole to begin with. */
export function createPortions(): Portions {
  // Only what is not whole: a few projects at a time, if any.
  const shares = new Map<string, number>();
  const shareOf = (projectId: string): number => shares.get(projectId) ?? 1;
  return {
    shareOf,
    shrink: (projectId) => void shares.set(projectId, Math.max(SMALLEST, shareOf(projectId) / SHRINKING)),
    grow(projectId) {
      const share = shareOf(projectId) * GROWTH;
      if (share < 1) shares.set(projectId, share);
      else shares.delete(projectId);
    },
  };
}
