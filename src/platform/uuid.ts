import { DASH, hexCode } from '#domain/identifiers.ts';
import { createRandomSource } from './crypto.ts';

/** Mints time-ordered identifiers: UUIDv7 (RFC 9562 §5.7), strictly rising within one generator while the instants do not fall. */
export type MintUuid = (now: Temporal.Instant) => string;

/**
 * A generator of UUIDv7. The first 48 bits are exactly the given instant's millisecond, also when many are minted in
 * it: within one millisecond a 32-bit counter behind the time keeps them rising, so that a list ordered by id is
 * ordered by time, and a filter on creation time is a range of ids. An instant before the last one, of a clock set back or
 * of a project's own, is kept as well: its counter begins at random anew, and 64 random bits keep the ids apart.
 */
export function createUuidMint(): MintUuid {
  const draw = createRandomSource();
  const state = { millisecond: -1, counter: 0 };
  return (now) => {
    const millisecond = now.epochMilliseconds;
    const random = draw(10);
    if (millisecond === state.millisecond) state.counter += 1;
    else {
      state.millisecond = millisecond;
      // 30 random bits leave room for 2^31 more within the millisecond.
      state.counter = random.readUInt32BE(6) >>> 2;
    }
    const { counter } = state;
    const [a, b] = [Math.floor(millisecond / 0x10000), millisecond & 0xffff];
    const c = 0x7000 | ((counter >>> 20) & 0xfff);
    const d = 0x8000 | ((counter >>> 6) & 0x3fff);
    const e = ((counter & 0x3f) << 10) | ((byteOf(random, 0) & 0x03) << 8) | byteOf(random, 1);
    const f = (byteOf(random, 2) << 24) | (byteOf(random, 3) << 16) | (byteOf(random, 4) << 8) | byteOf(random, 5);
    const at = hexCode;
    // At once, because a text that is put together of pieces is flattened when it is written.
    // prettier-ignore
    return String.fromCharCode(at(a, 28), at(a, 24), at(a, 20), at(a, 16), at(a, 12), at(a, 8), at(a, 4), at(a, 0),
      DASH, at(b, 12), at(b, 8), at(b, 4), at(b, 0), DASH, at(c, 12), at(c, 8), at(c, 4), at(c, 0),
      DASH, at(d, 12), at(d, 8), at(d, 4), at(d, 0), DASH, at(e, 12), at(e, 8), at(e, 4), at(e, 0),
      at(f, 28), at(f, 24), at(f, 20), at(f, 16), at(f, 12), at(f, 8), at(f, 4), at(f, 0));
  };
}

function byteOf(bytes: Buffer, index: number): number {
  return bytes[index] ?? 0;
}
