/** Days between the end of the old contract and our start: told with what moved the start. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askFor, give, hear, instant, newest, quiet, supplierNamed, type Life } from '#test/support/market-life.ts';
import type { SupplyEvent } from './state.ts';

const previousSupplier = supplierNamed('Old Supplier');

/** Signed up on Saturday 2026-11-21; the old contract ends on a day that its supplier confirms on the Monday after. */
function cancelled(end: string, wish: Parameters<typeof quiet>[0] = {}): Life {
  const life = quiet({ previousSupplier, ...wish });
  life.now = instant('2026-11-23T14:00:00Z');
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end }, newest(life, 'cancellation'));
  assert.equal(life.last.state.stage, 'registering');
  return life;
}

const WISH = { nextPossibleStart: false, intendedStartDate: '2026-12-15' } as const;
const told = (life: Life): unknown[] =>
  life.last.events.map(({ type, reason, substituteSupply }: SupplyEvent) => [type, reason, substituteSupply]);
const TOO_LATE = { kind: 'registration_rejection', code: 'A07' } as const;
const confirm = (life: Life, start: string): void =>
  void hear(life, { kind: 'registration_confirmation', code: 'A51', start }, newest(life, 'registration'));

test('a start that follows the end of the old contract at once tells of no days between', () => {
  const life = cancelled('2026-12-15', WISH);
  assert.deepEqual(told(life), [['subscription.updated', null, undefined]]);
  confirm(life, '2026-12-15');
  assert.deepEqual(told(life), [['subscription.confirmed', null, undefined]]);
});

test('an old contract that ends before we can start leaves days that are told, also with the next possible start', () => {
  const life = cancelled('2026-11-24');
  const days = { from: '2026-11-24', until: '2026-11-25' };
  assert.deepEqual(told(life), [['subscription.updated', null, days]]);
  confirm(life, '2026-11-25');
  assert.deepEqual(told(life), [['subscription.confirmed', null, days]]);
});

test('days that a later registration leaves are told with the reason, and anew with each day that moves', () => {
  const life = cancelled('2026-12-15', WISH);
  life.now = instant('2026-12-14T10:00:00Z');
  hear(life, TOO_LATE, newest(life, 'registration'));
  assert.deepEqual(told(life), [['subscription.updated', 'lead_time', { from: '2026-12-15', until: '2026-12-16' }]]);
  confirm(life, '2026-12-18');
  const days = { from: '2026-12-15', until: '2026-12-18' };
  assert.deepEqual(told(life), [['subscription.confirmed', 'grid_operator', days]]);
});

test('days that the grid operator leaves by confirming a later start are told with the confirmation', () => {
  const life = cancelled('2026-12-15', WISH);
  confirm(life, '2026-12-17');
  const days = { from: '2026-12-15', until: '2026-12-17' };
  assert.deepEqual(told(life), [['subscription.confirmed', 'grid_operator', days]]);
});

test('no days are told again of which nothing has changed, nor before a supply that nobody wants', () => {
  const life = cancelled('2026-11-24');
  give(life, askFor('withdrawal'));
  assert.deepEqual(told(life), [['subscription.terminated', 'withdrawal', undefined]]);
  confirm(life, '2026-11-27');
  assert.ok(told(life).length > 0);
  for (const { substituteSupply } of life.last.events) assert.equal(substituteSupply, undefined);
});
