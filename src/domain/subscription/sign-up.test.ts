import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { berlinDay } from '../calendar.ts';
import { subscriptionNumber } from './number.ts';
import { checkSignUp, METADATA_LIMIT_BYTES, type SignUpFacts } from './sign-up.ts';

const now = Temporal.Instant.from('2026-11-21T09:00:00Z');
const fine: SignUpFacts = { next_possible_start: true, meter: { type: 'modern' } };
const codes = (facts: SignUpFacts, at = now, offered: string[] | null = ['smart-meter', '14a_enwg']): string[] =>
  checkSignUp(facts, 0, offered, at).map(({ field, code }) => `${field} ${code}`);

test('a start date is required when the next possible start is not asked for', () => {
  assert.deepEqual(codes({ ...fine, next_possible_start: false }), ['/intended_start_date required']);
  assert.deepEqual(codes(fine), []);
});

test('today and tomorrow are told apart in Berlin, around midnight in winter and summer', () => {
  const table: [string, string, boolean][] = [
    ['2026-11-21T22:59:59Z', '2026-11-22', true],
    ['2026-11-21T23:00:00Z', '2026-11-22', false],
    ['2026-11-21T23:00:00Z', '2026-11-23', true],
    ['2026-07-01T21:59:59Z', '2026-07-02', true],
    ['2026-07-01T22:00:00Z', '2026-07-02', false],
    ['2026-07-01T22:30:00Z', '2026-07-03', true],
  ];
  for (const [instant, day, allowed] of table) {
    const found = codes({ ...fine, intended_start_date: day }, Temporal.Instant.from(instant));
    assert.deepEqual(found, allowed ? [] : ['/intended_start_date not_in_future'], `${day} at ${instant}`);
  }
});

test('exactly the days from tomorrow to twelve months ahead are allowed', () => {
  const today = berlinDay(now);
  fc.assert(
    fc.property(fc.integer({ min: -800, max: 800 }), (days) => {
      const day = today.add({ days });
      const allowed = days >= 1 && Temporal.PlainDate.compare(day, today.add({ months: 12 })) <= 0;
      assert.equal(codes({ ...fine, intended_start_date: day.toString() }).length === 0, allowed);
    }),
  );
});

test('of the modules exactly 1, 2, and 1 with 3 are allowed, and 3 needs a smart meter or the order of one', () => {
  for (const one of [true, false])
    for (const two of [true, false])
      for (const three of [true, false])
        for (const meter of ['smart', 'modern'])
          for (const order of [true, false]) {
            const facts: SignUpFacts = {
              next_possible_start: true,
              meter: { type: meter },
              product_orders: [
                { type: '14a_enwg', '14a_enwg': { module_1: one, module_2: two, module_3: three } },
                ...(order ? [{ type: 'smart-meter' }] : []),
              ],
            };
            const set = [one && 1, two && 2, three && 3].filter(Boolean).join('+');
            const expected = !['1', '2', '1+3'].includes(set)
              ? ['/product_orders/0/14a_enwg invalid_module_set']
              : three && meter !== 'smart' && !order
                ? ['/product_orders/0/14a_enwg/module_3 smart_meter_needed']
                : [];
            assert.deepEqual(codes(facts), expected, JSON.stringify(facts));
          }
});

test('a product is ordered once, and only one that the plan offers', () => {
  const twice = { ...fine, product_orders: [{ type: 'smart-meter' }, { type: 'smart-meter' }] };
  assert.deepEqual(codes(twice), ['/product_orders/1/type duplicate_product_order']);
  const once = { ...fine, product_orders: [{ type: 'smart-meter' }] };
  assert.deepEqual(codes(once, now, []), ['/product_orders/0/type product_not_offered']);
  assert.deepEqual(codes(once, now, null), []);
});

test('metadata may have exactly 10,240 bytes', () => {
  assert.equal(METADATA_LIMIT_BYTES, 10_240);
  assert.deepEqual(checkSignUp(fine, 10_240, [], now), []);
  assert.deepEqual(
    checkSignUp(fine, 10_241, [], now).map(({ code }) => code),
    ['too_large'],
  );
});

test('a subscription number has 8 characters that nobody mistakes for one another', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (random) => {
      assert.match(subscriptionNumber(random), /^[2-9A-HJ-NP-Z]{8}$/);
    }),
  );
});
