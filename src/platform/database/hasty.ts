import { TookTooLong } from './errors.ts';

/** What a hasty transaction found; null when it was not done in its time. */
export async function inItsTime<Result>(found: Promise<Result>): Promise<Result | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof TookTooLong) return null;
    throw error;
  }
}
