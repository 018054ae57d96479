import assert from 'node:assert/strict';
import { test } from 'node:test';
import { berlinDay, earliestStart, startOfBerlinDay } from '#domain/calendar.ts';
import { isMarketLocationId } from '#domain/identifiers.ts';
import { visibleAction, type Correctable, type SupplyFacts } from '#domain/market/state.ts';
import { advance, beginLife, give, type Life } from '#test/support/market-life.ts';
import { SANDBOX_SUPPLIERS, sandboxMarketLocation } from './answers.ts';

const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const CONFIRMS = 'Sandbox Supplier – confirms';
const MALO = '51238696781';

/** Where a life stands: its stage, its start, why it ended, and what is asked of whom. */
function summary({ last: { state } }: Life): (string | null)[] {
  const action = visibleAction(state);
  return [state.stage, state.startAt, state.endReason ?? (action === null ? null : `${action.actor} ${action.code}`)];
}

/** Rows of interface.md §9 as they stand on 2026-12-01, for a sign-up on Saturday 2026-11-21 that knows its MaLo or not. */
const ROWS: readonly [Partial<SupplyFacts>, (string | null)[]][] = [
  [{}, ['supplying', '2026-11-23T23:00:00Z', null]],
  [{ previousSupplier: CONFIRMS }, ['supplying', '2026-11-24T23:00:00Z', null]],
  [{ previousSupplier: 'Sandbox Supplier – bound' }, ['cancelling', null, 'customer previous_contract_bound']],
  [{ previousSupplier: 'Sandbox Supplier – already ended' }, ['supplying', '2026-11-24T23:00:00Z', null]],
  [
    { previousSupplier: 'Sandbox Supplier – doubts authority' },
    ['cancelling', null, 'customer power_of_attorney_doubted'],
  ],
  [
    { previousSupplier: 'Sandbox Supplier – silent' },
    ['cancelling', null, 'previous_supplier cancellation_unanswered'],
  ],
  [{ zip: '99901', marketLocation: null }, ['identifying', null, 'customer market_location_not_found']],
  [{ zip: '99903', marketLocation: null }, ['identifying', null, 'customer market_location_ambiguous']],
  [{ zip: '99902' }, ['registering', null, 'customer market_location_shut_down']],
  [{ zip: '99905' }, ['registering', null, 'operator balancing_group_authority_missing']],
  [{ zip: '99906' }, ['registering', null, 'grid_operator concurrent_registration']],
  [{ zip: '99907' }, ['supplying', '2026-11-24T23:00:00Z', null]],
  [{ zip: '99932' }, ['registering', null, 'customer not_a_move_in']],
  [{ zip: '99935' }, ['registering', null, 'customer previous_supplier_objects']],
  [{ zip: '99938' }, ['ended', null, 'superseded']],
  [{ zip: '99900' }, ['registering', null, 'grid_operator registration_unanswered']],
  [{ zip: '99900', marketLocation: null }, ['identifying', null, 'grid_operator identification_unanswered']],
];

test('each row of the sandbox tables leads where it is documented to', () => {
  for (const [facts, expected] of ROWS) {
    const life = beginLife({ marketLocation: MALO, ...facts });
    advance(life, instant('2026-11-26T23:30:00Z'));
    assert.deepEqual(summary(life), expected, JSON.stringify(facts));
  }
  assert.equal(Object.keys(SANDBOX_SUPPLIERS).length, 5);
});

/** What a program knows to put into the fields that a `next_action` names. */
const CORRECTIONS: Readonly<Record<string, (message: string) => Partial<Correctable>>> = {
  '/meter/malo': () => ({ marketLocation: '41373559241' }),
  '/meter/number': () => ({ meterNumber: '1EMH0099999999' }),
  '/address': () => ({ zip: '10117', address: 'Neue Straße 1, Berlin' }),
  '/previous_supplier': () => ({ previousSupplier: CONFIRMS }),
  '/customer/first_name': () => ({ customerName: 'Erika Muster' }),
  '/intended_start_date': (message) => ({ intendedStartDate: /\d{4}-\d\d-\d\d/.exec(message)?.[0] ?? null }),
};

/** Follows `next_action` and nothing else, taking fields in the order in which they are named. */
function followNextAction(life: Life, rounds: number): void {
  const tried = new Set<string>();
  for (let round = 0; round < rounds && life.last.state.stage !== 'supplying'; round += 1) {
    const action = visibleAction(life.last.state);
    const field = action?.fields.find((name) => !tried.has(`${action.code} ${name}`) && name in CORRECTIONS);
    if (action !== null && field !== undefined) {
      tried.add(`${action.code} ${field}`);
      give(life, { type: 'corrected', changes: CORRECTIONS[field]?.(action.message) ?? {} });
    } else if (action?.actor === 'operator') give(life, { type: 'operator_retry' });
    advance(life, life.now.add({ hours: 24 }));
  }
}

test('a program that only follows next_action brings every repairable row to supply', () => {
  for (const [facts] of ROWS) {
    if (facts.zip === '99900' || facts.zip === '99938') continue;
    for (const nextPossibleStart of [true, false]) {
      const date = { nextPossibleStart, intendedStartDate: nextPossibleStart ? null : '2026-12-05' };
      const life = beginLife({ marketLocation: MALO, ...facts, ...date });
      followNextAction(life, 150);
      assert.equal(life.last.state.stage, 'supplying', JSON.stringify([facts, date, summary(life)]));
      assert.ok((life.last.state.startAt ?? '') >= '2026-11-23T23:00:00Z');
    }
  }
});

test('without an answer a grid operator stays the one to ask, then our operator; a customer is rejected in the end', () => {
  const silent = beginLife({ zip: '99900' });
  advance(silent, instant('2027-06-01T00:00:00Z'));
  assert.deepEqual(summary(silent), ['registering', null, 'operator registration_unanswered']);
  const shut = beginLife({ zip: '99902' });
  advance(shut, instant('2027-06-01T00:00:00Z'));
  assert.deepEqual(summary(shut), ['ended', null, 'rejected']);
  const bound = beginLife({ previousSupplier: 'Sandbox Supplier – bound' });
  advance(bound, instant('2027-06-01T00:00:00Z'));
  assert.deepEqual(summary(bound), ['supplying', '2027-02-20T23:00:00Z', null]);
});

test('whenever one signs up, supply starts on the first midnight that the lead time permits', () => {
  const first = instant('2026-12-01T16:30:00Z');
  for (let days = 0; days < 400; days += 1) {
    const concluded = first.add({ hours: 24 * days });
    const life = beginLife({ concludedAt: concluded.toString() });
    advance(life, concluded.add({ hours: 24 * 8 }));
    const { stage, startAt } = life.last.state;
    const expected = startOfBerlinDay(earliestStart(berlinDay(concluded))).toString();
    assert.deepEqual([stage, startAt], ['supplying', expected], concluded.toString());
  }
});

test('the same scenario lives the same life twice', () => {
  for (const [facts] of ROWS) {
    const [one, other] = [0, 1].map(() => {
      const life = beginLife({ marketLocation: MALO, ...facts });
      followNextAction(life, 40);
      give(life, { type: 'termination_asked', request: { reason: 'withdrawal', endDay: null } });
      advance(life, instant('2027-03-01T00:00:00Z'));
      return life.trace;
    });
    assert.deepEqual(one, other);
  }
});

test('the market location found for a meter has its check digit and is always the same', () => {
  for (let meter = 0; meter < 200; meter += 1) {
    const found = sandboxMarketLocation(`1emh ${meter}`, '10115');
    assert.ok(isMarketLocationId(found));
    assert.equal(found, sandboxMarketLocation(`1EMH-${meter}`, '10115'));
  }
});
