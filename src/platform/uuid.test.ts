import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { lowestUuidAt, uuidTime } from '#domain/identifiers.ts';
import { createUuidMint, type MintUuid } from './uuid.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const BEGIN = Temporal.Instant.from('2026-11-21T09:00:00.123Z').epochMilliseconds;

const instantOf = (milliseconds: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(milliseconds);

/** A wall clock that goes when it is told to. */
function createWall(): { ms: number; now: () => Temporal.Instant } {
  const wall = { ms: BEGIN, now: () => instantOf(wall.ms) };
  return wall;
}

function assertRising(uuids: readonly string[]): void {
  for (const [index, uuid] of uuids.entries()) assert.ok(index === 0 || uuid > (uuids[index - 1] ?? ''), uuid);
}

/** What is minted next: how far the wall goes before, and of which instant, as it stands or relative to the wall. */
const steps = fc.array(
  fc.record({
    passed: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 }), fc.integer({ min: -2000, max: 5_000_000 })),
    instant: fc.oneof(
      { weight: 2, arbitrary: fc.integer({ min: -3, max: 0 }).map((ms) => ({ from: 'wall', ms }) as const) },
      {
        weight: 3,
        arbitrary: fc
          .constantFrom(-86_400_000, -1, 0, 1, 2500, 86_400_000, 1_728_000_000)
          .map((ms) => ({ from: 'begin', ms }) as const),
      },
    ),
  }),
  { minLength: 2, maxLength: 60 },
);

test('minted uuids are version 7, carry their millisecond and rise strictly', () => {
  const wall = createWall();
  const mint = createUuidMint(wall);
  const minted = Array.from({ length: 20_000 }, (_, index) => {
    if (index === 10_000) wall.ms += 1;
    return mint(wall.now());
  });
  for (const uuid of minted) assert.match(uuid, UUID_V7);
  assertRising(minted);
  assert.equal(uuidTime(minted[0] ?? ''), BEGIN);
  assert.equal(uuidTime(minted.at(-1) ?? ''), BEGIN + 1);
});

test('uuids rise strictly within each instant, whatever instants come in between and wherever the wall clock goes', () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const wall = createWall();
      const mint = createUuidMint(wall);
      const minted = new Map<number, string[]>();
      for (const { passed, instant } of steps) {
        wall.ms += passed;
        const ms = (instant.from === 'wall' ? wall.ms : BEGIN) + instant.ms;
        const uuid = mint(instantOf(ms));
        assert.match(uuid, UUID_V7);
        assert.ok(uuid >= lowestUuidAt(ms) && uuid < lowestUuidAt(ms + 1));
        minted.set(ms, [...(minted.get(ms) ?? []), uuid]);
      }
      for (const uuids of minted.values()) assertRising(uuids);
    }),
  );
});

test('uuids of an instant that stands rise with the wall clock over restarts, and over processes that take turns', () => {
  const standing = fc.constantFrom(-86_400_000, -2000, 1_728_000_000).map((ms) => instantOf(BEGIN + ms));
  const turn = fc.record({ who: fc.integer({ min: 0, max: 2 }), passed: fc.integer({ min: 1, max: 90_000_000 }) });
  const turns = fc.array(turn, { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(standing, turns, (standing, turns) => {
      const wall = createWall();
      const processes: MintUuid[] = [createUuidMint(wall), createUuidMint(wall)];
      const minted = turns.flatMap(({ who, passed }) => {
        wall.ms += passed;
        const mint = processes[who] ?? createUuidMint(wall);
        mint(wall.now());
        return [mint(standing), mint(standing)];
      });
      assertRising(minted);
    }),
  );
});

test('uuids come after those that earlier versions have minted in the same instant', () => {
  const wall = createWall();
  const mint = createUuidMint(wall);
  for (const passed of [-86_400_000, 0, 86_400_000]) {
    const at = instantOf(BEGIN + passed);
    // They began with a counter of 30 bits in a field of 32.
    assert.ok(mint(at) > `${lowestUuidAt(at.epochMilliseconds).slice(0, 14)}73ff-bfff-ffffffffffff`);
  }
});

test('processes that mint in the same millisecond do not mint the same', () => {
  const wall = createWall();
  const standing = wall.now().add({ hours: 480 });
  const minted = Array.from({ length: 50 }, () => createUuidMint(wall)).flatMap((mint) =>
    [standing, standing, wall.now(), wall.now()].map((at) => mint(at)),
  );
  assert.equal(new Set(minted).size, minted.length);
});
