import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { createVisitors } from './visitors.ts';

const MOST = 8;

/** Eight places, a clock that stands still, and what connections do, by their names. */
function openPlaces(): {
  clock: { now: number };
  come: (...names: string[]) => void;
  rest: (...names: string[]) => void;
  gone: () => string[];
} {
  const clock = { now: 0 };
  const those = new Map<string, Socket>();
  const visitors = createVisitors(MOST, () => clock.now);
  const come = (...names: string[]): void => {
    for (const name of names) {
      const socket = new Socket();
      those.set(name, socket);
      visitors.came(socket);
    }
  };
  return {
    clock,
    come,
    rest(...names) {
      for (const name of names) {
        come(name);
        const socket = those.get(name)!;
        visitors.asked(socket);
        visitors.answered(socket);
      }
    },
    gone: () => [...those].filter(([, socket]) => socket.destroyed).map(([name]) => name),
  };
}

test('two that come at once to a full house are both let in, for two that rest', () => {
  const { come, rest, gone } = openPlaces();
  rest('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  come('first', 'second');
  assert.deepEqual(gone(), ['a', 'b']);
});

test('one that has asked nothing for a second goes before those that rest, and not sooner', () => {
  const { clock, come, rest, gone } = openPlaces();
  rest('a', 'b', 'c', 'd', 'e', 'f', 'g');
  come('silent');
  clock.now = 999;
  come('first');
  assert.deepEqual(gone(), ['a']);
  clock.now = 1_000;
  come('second');
  assert.deepEqual(gone(), ['a', 'silent']);
});

test('however many come at once and say nothing, most of those that rest stay', () => {
  const { come, rest, gone } = openPlaces();
  const many = Array.from({ length: 20 }, (_, index) => `silent ${index + 1}`);
  rest('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  come(...many);
  assert.deepEqual(gone(), ['a', 'b', 'c', ...many.slice(0, -3)]);
});
