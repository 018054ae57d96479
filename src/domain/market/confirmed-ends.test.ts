/** Ends that a previous supplier has confirmed, and what people correct afterwards: none is forgotten, and none a dead end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  advance,
  give,
  hear,
  instant,
  MALO,
  newest,
  OTHER_MALO,
  quiet,
  sentOf,
  shown,
  supplierNamed,
  type Life,
} from '#test/support/market-life.ts';
import type { OutboundMessage } from './messages.ts';
import type { SupplyInput } from './supply.ts';

const [X, Y] = [supplierNamed('X'), supplierNamed('Y')];
const ON_JANUARY_20 = { nextPossibleStart: false, intendedStartDate: '2027-01-20', previousSupplier: X } as const;
const ALREADY_ENDED = { kind: 'cancellation_rejection', code: 'A04' } as const;
const FORGOTTEN = { kind: 'reversal_confirmation', reverses: 'ours' } as const;

const endsOn = (end: string) => ({ kind: 'cancellation_confirmation', code: 'A09', end }) as const;
const supplier = (previousSupplier: typeof X | null, more = {}): SupplyInput => ({
  type: 'corrected',
  changes: { previousSupplier, ...more },
});
const startOn = (intendedStartDate: string): SupplyInput => ({ type: 'corrected', changes: { intendedStartDate } });
const registered = (life: Life): OutboundMessage<'registration'> =>
  newest(life, 'registration') as OutboundMessage<'registration'>;

/** Cancelled for 2027-01-20, confirmed for 2026-12-15. */
function confirmedTooEarly(): Life {
  const life = quiet(ON_JANUARY_20);
  hear(life, endsOn('2026-12-15'), newest(life, 'cancellation'));
  return life;
}

/** Cancelled for 2026-12-15 and then for 2027-02-01; the supplier has confirmed the first, and so refuses the second. */
function endedAlready(): Life {
  const life = quiet({ ...ON_JANUARY_20, intendedStartDate: '2026-12-15' });
  const first = newest(life, 'cancellation');
  give(life, startOn('2027-02-01'));
  hear(life, endsOn('2026-12-15'), first);
  hear(life, ALREADY_ENDED, newest(life, 'cancellation'));
  return life;
}

/** Confirmed and registered, another supplier given, and the registration taken back. */
function givenAnother(end: string, facts: Parameters<typeof quiet>[0]): Life {
  const life = quiet(facts);
  hear(life, endsOn(end), newest(life, 'cancellation'));
  give(life, supplier(Y));
  hear(life, FORGOTTEN, newest(life, 'reversal'));
  return life;
}

function assertWaitsForOperator(life: Life, registrations: number): void {
  assert.deepEqual(shown(life), ['cancelled_too_early', 'operator', null]);
  assert.equal(sentOf(life, 'registration'), registrations);
}

test('an end confirmed too early stays the operator’s task over the removal of the supplier', () => {
  for (const life of [confirmedTooEarly(), endedAlready()]) {
    assertWaitsForOperator(life, 0);
    give(life, supplier(null));
    assertWaitsForOperator(life, 0);
    give(life, { type: 'operator_retry' });
    assert.deepEqual([shown(life), registered(life).reason], [[undefined, undefined, undefined], 'E03']);
  }
});

test('an end confirmed too early is not forgotten over another supplier or place that is given for a while', () => {
  for (const [away, back] of [
    [supplier(Y), supplier(X)],
    [
      { type: 'corrected', changes: { marketLocation: OTHER_MALO } },
      { type: 'corrected', changes: { marketLocation: MALO } },
    ],
  ] as const) {
    const life = confirmedTooEarly();
    for (const change of [away, back]) give(life, change);
    hear(life, ALREADY_ENDED, newest(life, 'cancellation'));
    assertWaitsForOperator(life, 0);
  }
});

test('a start is not put off further while an end confirmed too early is still to come', () => {
  for (const life of [confirmedTooEarly(), endedAlready()]) {
    const { outcome } = give(life, startOn('2027-03-01'));
    assert.deepEqual(outcome, { kind: 'refused', code: 'leaves_gap', earliest: '2026-12-15' });
    assertWaitsForOperator(life, 0);
  }
});

test('an operator who has cleared up an end that was too early is believed: the supplier is asked once more', () => {
  for (const life of [confirmedTooEarly(), endedAlready()]) {
    give(life, { type: 'operator_retry' });
    hear(life, ALREADY_ENDED, newest(life, 'cancellation'));
    assert.deepEqual([shown(life)[0], sentOf(life, 'registration')], [undefined, 1]);
  }
});

test('an end that was too early keeps no start waiting once it has come', () => {
  const life = endedAlready();
  life.now = instant('2026-12-20T09:00:00Z');
  give(life, startOn('2026-12-29'));
  hear(life, ALREADY_ENDED, newest(life, 'cancellation'));
  assert.equal(registered(life).start, '2026-12-29');
});

test('an end that a supplier has confirmed holds again when he who was given after him is removed', () => {
  const bound = givenAnother('2027-04-11', { previousSupplier: X });
  hear(bound, { kind: 'processing_error', code: 'Z18' }, newest(bound, 'cancellation'));
  assert.equal(shown(bound)[0], 'previous_supplier_unaware');
  give(bound, supplier(null));
  assert.deepEqual([registered(bound).start, registered(bound).reason], ['2027-04-11', 'E03']);
  const later = givenAnother('2027-01-20', ON_JANUARY_20);
  const { outcome } = give(later, supplier(null, { intendedStartDate: '2027-03-01' }));
  assert.deepEqual(outcome, { kind: 'refused', code: 'leaves_gap', earliest: '2027-01-20' });
});

test('an end confirmed too early is an operator’s task again when he who was given after is removed', () => {
  const life = confirmedTooEarly();
  for (const change of [supplier(Y), supplier(null)]) give(life, change);
  assertWaitsForOperator(life, 0);
});

test('a confirmed end is not forgotten when the search finds another market location', () => {
  const life = quiet({ ...ON_JANUARY_20, intendedStartDate: '2026-12-15' });
  hear(life, endsOn('2026-12-15'), newest(life, 'cancellation'));
  hear(life, { kind: 'processing_error', code: 'Z14' }, registered(life));
  hear(life, { kind: 'identification_match', marketLocation: OTHER_MALO }, newest(life, 'identification_request'));
  assert.equal(sentOf(life, 'cancellation'), 2);
  give(life, { type: 'corrected', changes: { marketLocation: MALO, intendedStartDate: '2027-02-01' } });
  hear(life, ALREADY_ENDED, newest(life, 'cancellation'));
  assertWaitsForOperator(life, 1);
});

test('of several ends that a supplier has confirmed the newest counts', () => {
  const life = givenAnother('2026-12-15', { ...ON_JANUARY_20, intendedStartDate: '2026-12-15' });
  give(life, supplier(X, { intendedStartDate: '2027-02-01' }));
  hear(life, ALREADY_ENDED, newest(life, 'cancellation'));
  give(life, { type: 'operator_retry' });
  hear(life, endsOn('2027-02-01'), newest(life, 'cancellation'));
  give(life, supplier(Y));
  hear(life, FORGOTTEN, newest(life, 'reversal'));
  give(life, supplier(X));
  hear(life, ALREADY_ENDED, newest(life, 'cancellation'));
  assert.deepEqual([shown(life)[0], registered(life).start], [undefined, '2027-02-01']);
});

test('an end that a supplier confirms late, once the later start is registered, is an operator’s task at once', () => {
  for (const change of [supplier(null, { intendedStartDate: '2027-02-01' }), startOn('2027-02-01')]) {
    const life = quiet({ ...ON_JANUARY_20, intendedStartDate: '2026-12-15' });
    const first = newest(life, 'cancellation');
    give(life, change);
    if (sentOf(life, 'registration') === 0) hear(life, ALREADY_ENDED, newest(life, 'cancellation'));
    assert.equal(registered(life).start, '2027-02-01');
    hear(life, endsOn('2026-12-15'), first);
    assertWaitsForOperator(life, 1);
    const { messages } = give(life, { type: 'operator_retry' });
    assert.deepEqual([messages, shown(life)[0]], [[], undefined]);
    assert.equal(
      hear(life, { kind: 'registration_confirmation', code: 'A51', start: '2027-02-01' }, registered(life)).state.stage,
      'confirmed',
    );
  }
});

test('the start is brought forward to an end that was confirmed late', () => {
  const life = quiet({ ...ON_JANUARY_20, intendedStartDate: '2026-12-15' });
  const first = newest(life, 'cancellation');
  give(life, supplier(null, { intendedStartDate: '2027-02-01' }));
  hear(life, endsOn('2026-12-15'), first);
  give(life, startOn('2026-12-15'));
  hear(life, FORGOTTEN, newest(life, 'reversal'));
  assert.deepEqual([registered(life).start, shown(life)[0]], ['2026-12-15', undefined]);
});

test('an end that holds again while the registration is taken back puts no days without a supplier before the start', () => {
  for (const [kind, answered] of [
    ['reversal_confirmation', 'reversal'],
    ['registration_rejection', 'registration'],
  ] as const) {
    const life = quiet(ON_JANUARY_20);
    hear(life, endsOn('2027-01-20'), newest(life, 'cancellation'));
    for (const change of [supplier(Y, { intendedStartDate: '2027-03-01' }), supplier(null)]) give(life, change);
    hear(life, { kind, code: 'A99', reverses: 'ours' }, newest(life, answered));
    assertWaitsForOperator(life, 1);
  }
});

test('the market location given again, after the grid operator did not know it, cancels nobody twice', () => {
  for (const isSearched of [true, false]) {
    const life = quiet({ previousSupplier: X });
    hear(life, endsOn('2027-01-20'), newest(life, 'cancellation'));
    hear(life, { kind: 'processing_error', code: 'Z14' }, registered(life));
    if (isSearched) {
      hear(life, { kind: 'identification_failure', code: 'A14' }, newest(life, 'identification_request'));
      assert.equal(shown(life)[0], 'market_location_not_found');
    }
    give(life, { type: 'corrected', changes: { marketLocation: MALO, meterNumber: '1EMH0012345679' } });
    assert.deepEqual([sentOf(life, 'cancellation'), sentOf(life, 'registration')], [1, 2]);
    assert.deepEqual([registered(life).start, shown(life)[0]], ['2027-01-20', undefined]);
  }
});

test('an earlier end that becomes known after a withdrawal is nobody’s task, and hides nobody’s silence', () => {
  const life = quiet({ ...ON_JANUARY_20, intendedStartDate: '2026-12-15' });
  const first = newest(life, 'cancellation');
  give(life, startOn('2026-12-20'));
  hear(life, endsOn('2026-12-20'), newest(life, 'cancellation'));
  give(life, { type: 'termination_asked', request: { reason: 'withdrawal', endDay: null } });
  hear(life, endsOn('2026-12-15'), first);
  assert.equal(shown(life)[0], undefined);
  advance(life, instant('2026-11-24T09:00:00Z'));
  assert.equal(shown(life)[0], 'registration_unanswered');
});
