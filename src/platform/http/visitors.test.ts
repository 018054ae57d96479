import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { createVisitors, MAX_UNTAKEN_BYTES } from './visitors.ts';

const MOST = 8;

/** Eight places, a clock that stands still, and what connections do, by their names. */
function openPlaces(): {
  clock: { now: number };
  come: (...names: string[]) => void;
  rest: (...names: string[]) => void;
  /** What one of them does. */
  of: (name: string) => {
    begins: () => void;
    asks: () => void;
    waits: () => void;
    isSent: (bytes: number) => void;
    hasTaken: () => void;
  };
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
    of(name) {
      const socket = those.get(name)!;
      return {
        begins: () => visitors.begun(socket),
        asks: () => visitors.asked(socket),
        waits: () => visitors.waits(socket),
        isSent: (bytes) => visitors.wrote(socket, bytes),
        hasTaken: () => visitors.answered(socket),
      };
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

test('one that does not bring its request to the end goes like one that has asked nothing', () => {
  const { clock, come, rest, of, gone } = openPlaces();
  come('a', 'b', 'c', 'd', 'e', 'f', 'g');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) of(name).begins();
  of('a').asks();
  rest('again');
  of('again').begins();
  clock.now = 1_000;
  come('first', 'second');
  assert.deepEqual(gone(), ['b', 'c'], 'those that came first');
  for (const name of ['d', 'e', 'f', 'g', 'first', 'second']) of(name).asks();
  come('third');
  assert.deepEqual(gone(), ['b', 'c', 'again'], 'also in the middle of a later request');
});

test('those that wait for something to happen shut nobody out, and stay while they are answered', () => {
  const { come, of, gone } = openPlaces();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  come(...names);
  for (const name of names) {
    of(name).asks();
    of(name).waits();
  }
  of('a').asks();
  come('first', 'second');
  assert.deepEqual(gone(), ['b', 'c']);
});

test('where none rests, who has not taken his answer for the longest goes before the last to come', () => {
  const { come, of, gone } = openPlaces();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  come(...names);
  for (const name of names) of(name).asks();
  for (const name of ['c', 'b', 'd']) of(name).isSent(10);
  of('c').hasTaken();
  of('c').asks();
  come('first');
  assert.deepEqual(gone(), ['b']);
  of('first').asks();
  of('d').hasTaken();
  of('d').asks();
  come('second');
  assert.deepEqual(gone(), ['b', 'second']);
});

test('of answers that are not taken so much is kept, and one however large', () => {
  const { come, of, gone } = openPlaces();
  const quarter = MAX_UNTAKEN_BYTES / 4;
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  come(...names);
  for (const name of names) of(name).asks();
  for (const name of ['a', 'b', 'c', 'd']) of(name).isSent(quarter);
  assert.deepEqual(gone(), []);
  of('a').hasTaken();
  of('e').isSent(quarter);
  assert.deepEqual(gone(), [], 'one was taken');
  of('f').isSent(1);
  assert.deepEqual(gone(), ['b']);
  of('a').asks();
  of('a').isSent(2 * MAX_UNTAKEN_BYTES);
  assert.deepEqual(gone(), ['b', 'c', 'd', 'e', 'f']);
});

test('whoever goes on taking his answer stays, and who took his last the longest ago goes', () => {
  const { come, of, gone } = openPlaces();
  come('steady', 'stuck', 'other');
  for (const name of ['steady', 'stuck', 'other']) of(name).asks();
  of('steady').isSent(1_000);
  of('stuck').isSent(MAX_UNTAKEN_BYTES / 2);
  // Nothing more is written to him before he has taken that.
  of('steady').isSent(1_000);
  of('other').isSent(MAX_UNTAKEN_BYTES / 2);
  assert.deepEqual(gone(), ['stuck']);
});
