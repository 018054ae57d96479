import { DASH, hexCode } from '#domain/identifiers.ts';
import type { Clock } from './clock.ts';
import { createRandomSource } from './crypto.ts';

/**
 * Mints time-ordered identifiers: UUIDv7 (RFC 9562 §5.7). Those of later milliseconds are higher, and those of one
 * millisecond rise strictly in the order in which one generator mints them, whatever it mints in between.
 */
export type MintUuid = (now: Temporal.Instant) => string;

/** How the instant of an id stands to the wall time of its minting, in the order of ids; ids of earlier versions have 0. */
const AHEAD = 1;
const PRESENT = 2;
const PAST = 3;

/** How long an instant counts as the present: whoever mints has read the clock a moment before. */
const MOMENT_MS = 1000;
/** How many ids are minted of the present before the wall clock is read again. */
const UNASKED = 64;
/** The lower 30 of 40 bits, which are kept in two numbers: V8 is fast with those of up to 31 bits. */
const LOW = 0x3fffffff;
/** 2026-01-01T00:00:00Z: 40 bits of milliseconds from here on last until November 2060. */
const WALL_BEGIN_MS = 1_767_225_600_000;

/**
 * A generator of UUIDv7. The first 48 bits are exactly the given instant's millisecond, also when many are minted in
 * it, so that a list ordered by id is ordered by time, and a filter on creation time is a range of ids. The other 74 are
 * two that tell the present from other instants, 40 that rise, and 32:
 *
 * - Of the present, the 40 count what this generator mints, from a random beginning, and the 32 are random. Several
 *   generators are in no order among themselves within its millisecond.
 * - Another instant is that of a project whose clock stands still, or of something due in the past. It lasts, so that other
 *   generators mint in it too, after a restart or at the same time: the 40 are the wall's millisecond, and the 32 count
 *   within it, from a random beginning. Their order is that of creation as finely as the wall clock tells it.
 *
 * A wall clock that is set back counts as standing still until it has caught up.
 */
export function createUuidMint(clock: Clock): MintUuid {
  const draw = createRandomSource();
  const draw32 = (): number => bitsOf(draw(4));
  const state = {
    /** Count what is minted of the present; with so small a beginning they never come to their end. */
    high: draw32() >>> 23,
    low: draw32() >>> 2,
    /** The instant last found to be the present, and how many ids more it is taken for that unasked. */
    present: -1,
    unasked: 0,
    /** The latest wall time seen. */
    wall: -1,
    /** Counts what is minted of other instants within that millisecond. */
    countInWall: 0,
  };

  function kindOf(millisecond: number): number {
    const wall = clock.now().epochMilliseconds;
    if (wall > state.wall) {
      state.wall = wall;
      state.countInWall = draw32() >>> 1;
    }
    if (millisecond > state.wall) return AHEAD;
    if (millisecond <= state.wall - MOMENT_MS) return PAST;
    state.present = millisecond;
    state.unasked = UNASKED;
    return PRESENT;
  }

  return (now) => {
    const millisecond = now.epochMilliseconds;
    // The wall is not asked again for each of the ids that are minted together; an instant that stands still goes by, though.
    const isPresent = millisecond === state.present && state.unasked > 0;
    if (isPresent) state.unasked -= 1;
    const kind = isPresent ? PRESENT : kindOf(millisecond);
    if (kind === PRESENT) {
      state.low = (state.low + 1) & LOW;
      if (state.low === 0) state.high += 1;
      return layOut(millisecond, kind, state.high, state.low, draw32());
    }
    state.countInWall += 1;
    const since = state.wall - WALL_BEGIN_MS;
    return layOut(millisecond, kind, Math.floor(since / (LOW + 1)), since & LOW, state.countInWall);
  };
}

/** Four bytes as a number; `readInt32BE` takes longer. */
function bitsOf(bytes: Buffer): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[0], bytes[1], bytes[2], bytes[3]];
  return (a << 24) | (b << 16) | (c << 8) | d;
}

/** The uuid of 48 bits of time, 2 of kind, 10 of `high`, 30 of `low` and 32 of `rest`. */
function layOut(millisecond: number, kind: number, high: number, low: number, rest: number): string {
  const [a, b] = [Math.floor(millisecond / 0x10000), millisecond & 0xffff];
  const c = 0x7000 | (kind << 10) | (high & 0x3ff);
  const d = 0x8000 | (low >>> 16);
  const at = hexCode;
  // At once, because a text that is put together of pieces is flattened when it is written.
  // prettier-ignore
  return String.fromCharCode(at(a, 28), at(a, 24), at(a, 20), at(a, 16), at(a, 12), at(a, 8), at(a, 4), at(a, 0),
    DASH, at(b, 12), at(b, 8), at(b, 4), at(b, 0), DASH, at(c, 12), at(c, 8), at(c, 4), at(c, 0),
    DASH, at(d, 12), at(d, 8), at(d, 4), at(d, 0), DASH, at(low, 12), at(low, 8), at(low, 4), at(low, 0),
    at(rest, 28), at(rest, 24), at(rest, 20), at(rest, 16), at(rest, 12), at(rest, 8), at(rest, 4), at(rest, 0));
}
