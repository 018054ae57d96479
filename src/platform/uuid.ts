import { createRandomSource } from './crypto.ts';

/** Mints time-ordered identifiers: UUIDv7 (RFC 9562 §5.7), strictly rising within one generator while the instants do not fall. */
export type MintUuid = (now: Temporal.Instant) => string;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * A generator of UUIDv7. The first 48 bits are exactly the given instant's millisecond, also when many are minted in
 * it: within one millisecond a 32-bit counter behind the time keeps them rising, so that a list ordered by id is
 * ordered by time, and a filter on creation time is a range of ids. An instant before the last one, of a clock set back or
 * of a project's own, is kept as well: its counter begins at random anew, and 64 random bits keep the ids apart.
 */
export function createUuidMint(): MintUuid {
  const draw = createRandomSource();
  const state = { millisecond: -1, counter: 0, time: '' };
  return (now) => {
    const millisecond = now.epochMilliseconds;
    const random = draw(10);
    if (millisecond === state.millisecond) state.counter += 1;
    else {
      state.millisecond = millisecond;
      const time = millisecond.toString(16).padStart(12, '0');
      state.time = `${time.slice(0, 8)}-${time.slice(8)}`;
      // 30 random bits leave room for 2^31 more within the millisecond.
      state.counter = random.readUInt32BE(6) >>> 2;
    }
    const { counter } = state;
    const high = (0x7000 | ((counter >>> 20) & 0xfff)).toString(16);
    const middle = (0x8000 | ((counter >>> 6) & 0x3fff)).toString(16);
    const low = ((counter & 0x3f) << 2) | (byteOf(random, 0) & 0x03);
    const tail = `${HEX[low]}${HEX[byteOf(random, 1)]}${HEX[byteOf(random, 2)]}${HEX[byteOf(random, 3)]}${HEX[byteOf(random, 4)]}${HEX[byteOf(random, 5)]}`;
    return `${state.time}-${high}-${middle}-${tail}`;
  };
}

function byteOf(bytes: Buffer, index: number): number {
  return bytes[index] ?? 0;
}
