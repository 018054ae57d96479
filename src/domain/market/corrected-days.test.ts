/** What people correct that changes nothing of what the market is asked for: nothing is taken back, and no day is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advance, beginLife, give, hear, instant, MALO, newest, quiet, shown } from '#test/support/market-life.ts';
import { supplierNamed, type Life } from '#test/support/market-life.ts';
import type { SupplyInput } from './supply.ts';

const X = supplierNamed('X');
const WISHED = { nextPossibleStart: false, intendedStartDate: '2026-11-23' } as const;

const startOn = (intendedStartDate: string): SupplyInput => ({ type: 'corrected', changes: { intendedStartDate } });
const given = (supplier: typeof X): SupplyInput => ({ type: 'corrected', changes: { previousSupplier: supplier } });

/** What the market is asked for, and why that is another day than the wished one. */
const requested = ({ last: { state } }: Life): unknown => [state.requestedStart, state.moveReason];

test('a start set to the day that is registered already takes nothing back', () => {
  const life = quiet(WISHED);
  assert.deepEqual(requested(life), ['2026-11-24', 'lead_time']);
  life.now = instant('2026-11-23T07:00:00Z');
  const { messages, outcome } = give(life, startOn('2026-11-24'));
  assert.deepEqual([messages, outcome.kind, requested(life)], [[], 'done', ['2026-11-24', null]]);
});

test('nor does one before the first day that was possible, or before the end of the old contract', () => {
  const early = quiet(WISHED);
  assert.deepEqual(give(early, startOn('2026-11-22')).messages, []);
  assert.deepEqual(requested(early), ['2026-11-24', 'lead_time']);
  const bound = quiet({ ...WISHED, intendedStartDate: '2026-11-24', previousSupplier: X });
  hear(bound, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-11-25' }, newest(bound, 'cancellation'));
  assert.deepEqual(give(bound, startOn('2026-11-23')).messages, []);
  assert.deepEqual(requested(bound), ['2026-11-25', 'lead_time']);
});

test('nor does one before a day that was itself wished, where none before it can be reached any more', () => {
  const first = quiet({ ...WISHED, intendedStartDate: '2026-11-24' });
  assert.deepEqual(give(first, startOn('2026-11-23')).messages, []);
  assert.deepEqual(requested(first), ['2026-11-24', 'lead_time']);
  const cancelled = quiet({ ...WISHED, intendedStartDate: '2026-11-25', previousSupplier: X });
  assert.deepEqual(give(cancelled, startOn('2026-11-24')).messages, []);
  assert.deepEqual(requested(cancelled), ['2026-11-25', 'lead_time']);
  const late = quiet({ ...WISHED, intendedStartDate: '2026-11-27' });
  late.now = instant('2026-11-25T09:00:00Z');
  assert.deepEqual(give(late, startOn('2026-11-26')).messages, []);
  assert.deepEqual(requested(late), ['2026-11-27', 'lead_time']);
});

test('a start set to the day for which the old contract is being cancelled asks nobody again', () => {
  const life = quiet({ ...WISHED, previousSupplier: X });
  const cancellation = newest(life, 'cancellation');
  assert.deepEqual(requested(life), ['2026-11-25', 'lead_time']);
  life.now = instant('2026-11-23T07:00:00Z');
  assert.deepEqual(give(life, startOn('2026-11-25')).messages, []);
  hear(life, { kind: 'cancellation_confirmation', code: 'A09', end: '2026-11-25' }, cancellation);
  assert.deepEqual([life.last.state.stage, requested(life)], ['registering', ['2026-11-25', null]]);
});

test('any other start takes back what was asked for, also one before a day that was itself wished', () => {
  const wished = { ...WISHED, intendedStartDate: '2026-12-15' };
  for (const day of ['2026-12-14', '2026-12-16']) {
    const life = quiet(wished);
    assert.deepEqual(
      give(life, startOn(day)).messages.map(({ kind }) => kind),
      ['reversal'],
    );
  }
});

test('another supplier given while the market location is searched neither asks again nor answers what is asked', () => {
  const life = quiet({ marketLocation: null });
  const request = newest(life, 'identification_request');
  assert.deepEqual(give(life, given(X)).messages, []);
  hear(life, { kind: 'identification_match', marketLocation: MALO }, request);
  assert.equal(life.last.state.stage, 'cancelling');
  const lost = quiet({ marketLocation: null });
  hear(lost, { kind: 'identification_failure', code: 'A02' }, newest(lost, 'identification_request'));
  assert.deepEqual(give(lost, given(X)).messages, []);
  assert.equal(shown(lost)[0], 'market_location_not_found');
});

test('a notice of an end before our start is none of ours, also during supply', () => {
  const life = beginLife();
  advance(life, instant('2027-03-01T11:00:00Z'));
  const notice = { kind: 'end_notice', marketLocation: MALO, end: '2026-11-01' } as const;
  assert.equal(hear(life, notice).outcome.kind, 'ignored');
  assert.equal(life.last.state.stage, 'supplying');
});

test('a start set to the day that is being taken back has not moved, whatever moved it before', () => {
  const life = quiet(WISHED);
  const asked = newest(life, 'registration');
  give(life, startOn('2026-12-15'));
  assert.deepEqual(life.last.state.afterReversal, 'restart');
  give(life, startOn('2026-11-24'));
  assert.deepEqual(requested(life), ['2026-11-24', null]);
  hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2026-11-24' }, asked);
  assert.deepEqual([life.last.state.stage, requested(life)], ['confirmed', ['2026-11-24', null]]);
});
