import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { earliestRequest, firstRequest } from '../market/supply.ts';
import { fasterWith, warningsAbout, type AdviceFacts } from './advice.ts';

const nothing: AdviceFacts = {
  nextPossibleStart: null,
  intendedStart: null,
  earliestStart: null,
  hasMarketLocation: null,
  hasPreviousSupplier: null,
  meterType: null,
  estimatedUsage: null,
  productOrders: [],
};
const said = (facts: Partial<AdviceFacts>): string[] =>
  [...warningsAbout({ ...nothing, ...facts }), ...fasterWith({ ...nothing, ...facts })].map(
    ({ field, code }) => `${field} ${code}`,
  );

test('of what is not known nothing is said', () => {
  assert.deepEqual(said({}), []);
});

test('a day before the earliest is warned of, a later one could be sooner, the earliest itself is right', () => {
  const ask = (intendedStart: string, nextPossibleStart = false): string[] =>
    said({ intendedStart, nextPossibleStart, earliestStart: '2026-11-24' });
  assert.deepEqual(ask('2026-11-23'), ['/intended_start_date start_will_move']);
  assert.deepEqual(ask('2026-11-24'), []);
  assert.deepEqual(ask('2026-11-25'), ['/intended_start_date earlier_start_possible']);
  assert.deepEqual(ask('2026-11-23', true), ['/intended_start_date start_date_ignored']);
});

test('above 6,000 kWh, or beside a controlled device, a meter that is not smart is warned of, unless a smart one is ordered', () => {
  const ask = (meterType: string, estimatedUsage: number, ...types: string[]): string[] =>
    said({ meterType, estimatedUsage, productOrders: types.map((type) => ({ type })) });
  assert.deepEqual(ask('analog', 6_001), ['/meter/type smart_meter_due']);
  assert.deepEqual(ask('modern', 6_001), ['/meter/type smart_meter_due']);
  assert.deepEqual(ask('analog', 6_000), []);
  assert.deepEqual(ask('smart', 90_000), []);
  assert.deepEqual(ask('analog', 6_001, 'smart-meter'), []);
  assert.deepEqual(ask('analog', 3_000, '14a_enwg'), ['/meter/type smart_meter_due']);
  assert.deepEqual(ask('smart', 3_000, '14a_enwg'), []);
  assert.deepEqual(ask('analog', 3_000, '14a_enwg', 'smart-meter'), []);
});

test('module 2 is warned of where it is ordered', () => {
  const productOrders = [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_2: true } }];
  assert.deepEqual(said({ productOrders }), ['/product_orders/1/14a_enwg/module_2 separate_meter_needed']);
});

test('what is missing is named', () => {
  assert.deepEqual(said({ hasMarketLocation: false, hasPreviousSupplier: false }), [
    '/meter/malo market_location_missing',
    '/previous_supplier previous_supplier_missing',
  ]);
  assert.deepEqual(said({ hasMarketLocation: true, hasPreviousSupplier: true }), []);
});

test('the earliest day is the one that is asked for, and the warning of a move comes exactly when the request moves', () => {
  const first = Temporal.Instant.from('2026-01-01T00:00:00Z');
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 800 * 24 }),
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      (hours, ahead, isCancelled) => {
        const concludedAt = first.add({ hours }).toString();
        const earliestStart = earliestRequest(isCancelled, concludedAt);
        const today = Temporal.Instant.from(concludedAt).toZonedDateTimeISO('Europe/Berlin').toPlainDate();
        const wished = today.add({ days: ahead }).toString();
        const asked = firstRequest({ isLocationKnown: true, isCancelled, wished, concludedAt });
        const codes = said({ nextPossibleStart: false, intendedStart: wished, earliestStart });
        assert.equal(asked.requestedStart, wished < earliestStart ? earliestStart : wished);
        assert.equal(codes.includes('/intended_start_date start_will_move'), asked.moveReason === 'lead_time');
      },
    ),
    { numRuns: 500, seed: 4711 },
  );
});
