import assert from 'node:assert/strict';
import { test } from 'node:test';
import { berlinDay, earliestStart, startOfBerlinDay } from '#domain/calendar.ts';
import { isMarketLocationId } from '#domain/identifiers.ts';
import { visibleAction, type Correctable, type SupplyFacts } from '#domain/market/state.ts';
import { advance, beginLife, give, supplierNamed, type Life } from '#test/support/market-life.ts';
import { SANDBOX_SUPPLIERS, sandboxMarketLocation } from './answers.ts';

const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const CONFIRMS = supplierNamed('Sandbox Supplier – confirms');
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
  [
    { previousSupplier: supplierNamed('Sandbox Supplier – bound') },
    ['cancelling', null, 'customer previous_contract_bound'],
  ],
  [
    { previousSupplier: supplierNamed('Sandbox Supplier – already ended') },
    ['supplying', '2026-11-24T23:00:00Z', null],
  ],
  [
    { previousSupplier: supplierNamed('Sandbox Supplier – doubts authority') },
    ['cancelling', null, 'customer power_of_attorney_doubted'],
  ],
  [
    { previousSupplier: supplierNamed('Sandbox Supplier – silent') },
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

const NAMES = ['/customer/first_name', '/customer/last_name'];
const PATCH = 'PATCH /subscriptions/{subscription}';
const RETRY = 'POST /subscriptions/{subscription}/retry';

/** The first next_action of each row that has one: its fields, what resolves it, and when something happens by itself. */
const FIRST_ACTIONS: readonly [Partial<SupplyFacts>, unknown[]][] = [
  [
    { previousSupplier: supplierNamed('Sandbox Supplier – bound') },
    ['previous_contract_bound', ['/intended_start_date', '/previous_supplier'], PATCH, null, '2026-12-07T23:00:00Z'],
  ],
  [
    { previousSupplier: supplierNamed('Sandbox Supplier – doubts authority') },
    ['power_of_attorney_doubted', [...NAMES, '/previous_supplier'], PATCH, '2026-12-21T23:00:00Z', null],
  ],
  [
    { previousSupplier: supplierNamed('Sandbox Supplier – silent') },
    ['cancellation_unanswered', ['/previous_supplier'], PATCH, '2026-12-01T23:00:00Z', null],
  ],
  [
    { zip: '99901', marketLocation: null },
    [
      'market_location_not_found',
      ['/meter/malo', '/meter/number', '/address', ...NAMES],
      PATCH,
      '2026-12-18T23:00:00Z',
      null,
    ],
  ],
  [
    { zip: '99903', marketLocation: null },
    ['market_location_ambiguous', ['/meter/malo', '/meter/number', '/address'], PATCH, '2026-12-18T23:00:00Z', null],
  ],
  [
    { zip: '99902' },
    ['market_location_shut_down', ['/meter/malo', '/address', '/meter/number'], PATCH, '2026-12-21T23:00:00Z', null],
  ],
  [{ zip: '99905' }, ['balancing_group_authority_missing', [], RETRY, null, null]],
  [{ zip: '99906' }, ['concurrent_registration', [], null, null, '2026-11-29T23:00:00Z']],
  [{ zip: '99932' }, ['not_a_move_in', ['/previous_supplier'], PATCH, '2026-12-21T23:00:00Z', null]],
  [
    { zip: '99935' },
    ['previous_supplier_objects', ['/previous_supplier', '/intended_start_date'], PATCH, '2026-12-21T23:00:00Z', null],
  ],
  [{ zip: '99900' }, ['registration_unanswered', [], null, '2026-11-30T23:00:00Z', null]],
  [
    { zip: '99900', marketLocation: null },
    ['identification_unanswered', ['/meter/malo'], PATCH, '2026-11-27T23:00:00Z', null],
  ],
];

test('the next_action of each row says what to correct and how, and when something happens by itself', () => {
  for (const [facts, expected] of FIRST_ACTIONS) {
    const life = beginLife({ marketLocation: MALO, ...facts });
    while (visibleAction(life.last.state) === null) advance(life, life.now.add({ minutes: 30 }));
    const action = visibleAction(life.last.state);
    const resolve = action?.resolve ?? null;
    const call = resolve === null ? null : `${resolve.method} ${resolve.path}`;
    assert.deepEqual([action?.code, action?.fields, call, action?.due_at, action?.retry_at], expected);
  }
});

/** What a program knows to put into the fields that a `next_action` names: another value, or the same again. */
const CORRECTIONS: Readonly<Record<string, (life: Life, message: string) => Partial<Correctable>[]>> = {
  '/meter/malo': ({ last }) => [
    { marketLocation: '41373559241' },
    { marketLocation: last.state.facts.marketLocation ?? MALO },
  ],
  '/meter/number': ({ last }) => [{ meterNumber: '1EMH0099999999' }, { meterNumber: last.state.facts.meterNumber }],
  '/address': ({ last: { state } }) => [
    { zip: '10117', address: 'Neue Straße 1, Berlin' },
    { zip: state.facts.zip, address: 'Andere Straße 9, Berlin' },
    { zip: state.facts.zip, address: state.facts.address },
  ],
  '/previous_supplier': ({ last }) => [
    { previousSupplier: CONFIRMS },
    { previousSupplier: null },
    { previousSupplier: last.state.facts.previousSupplier },
  ],
  '/customer/first_name': ({ last }) => [
    { customerName: 'Erika Muster' },
    { customerName: last.state.facts.customerName },
  ],
  '/intended_start_date': ({ last }, message) => [
    { intendedStartDate: /\d{4}-\d\d-\d\d/.exec(message)?.[0] ?? '2027-01-05' },
    ...(last.state.facts.nextPossibleStart ? [] : [{ intendedStartDate: last.state.facts.intendedStartDate }]),
  ],
};

type Order = (candidates: readonly Partial<Correctable>[]) => readonly Partial<Correctable>[];

/** Follows `next_action` and nothing else, trying what it may correct in some order. */
function followNextAction(life: Life, rounds: number, order: Order = (all) => all): void {
  const tried = new Set<string>();
  for (let round = 0; round < rounds && life.last.state.stage !== 'supplying'; round += 1) {
    const action = visibleAction(life.last.state);
    const candidates = action?.fields.flatMap((field) => CORRECTIONS[field]?.(life, action.message) ?? []) ?? [];
    const keyOf = (changes: Partial<Correctable>): string => `${action?.code} ${JSON.stringify(changes)}`;
    const next = order(candidates).find((changes) => !tried.has(keyOf(changes)));
    if (action?.resolve?.method === 'PATCH' && next !== undefined) {
      tried.add(keyOf(next));
      give(life, { type: 'corrected', changes: next });
    } else if (action?.resolve?.method === 'POST') give(life, { type: 'operator_retry' });
    advance(life, life.now.add({ hours: 24 }));
  }
}

test('a program that only follows next_action brings every repairable row to supply', () => {
  const orders: Order[] = [(all) => all, (all) => all.toReversed(), (all) => [...all.slice(1), ...all.slice(0, 1)]];
  for (const [facts] of ROWS) {
    if (facts.zip === '99900' || facts.zip === '99938') continue;
    for (const nextPossibleStart of [true, false]) {
      for (const order of orders) {
        const date = { nextPossibleStart, intendedStartDate: nextPossibleStart ? null : '2026-12-05' };
        const life = beginLife({ marketLocation: MALO, ...facts, ...date });
        followNextAction(life, 150, order);
        assert.equal(life.last.state.stage, 'supplying', JSON.stringify([facts, date, summary(life)]));
        assert.ok((life.last.state.startAt ?? '') >= '2026-11-23T23:00:00Z');
      }
    }
  }
});

test('each field that is named leads on by another value, whatever the others are', () => {
  const table: readonly [Partial<SupplyFacts>, Partial<Correctable>][] = [
    [{ zip: '99901', marketLocation: null }, { marketLocation: MALO }],
    [{ zip: '99901', marketLocation: null }, { meterNumber: 'other' }],
    [{ zip: '99903', marketLocation: null }, { zip: '10117' }],
    [{ zip: '99902' }, { marketLocation: '41373559241' }],
    [{ zip: '99902' }, { meterNumber: 'other' }],
    [{ zip: '99902' }, { address: 'Andere Straße 9, Berlin' }],
    [{ zip: '99932' }, { previousSupplier: null }],
    [{ zip: '99935' }, { intendedStartDate: '2027-01-05' }],
    [{ previousSupplier: supplierNamed('Sandbox Supplier – doubts authority') }, { customerName: 'Erika Muster' }],
    [{ previousSupplier: supplierNamed('Sandbox Supplier – silent') }, { previousSupplier: null }],
    [{ previousSupplier: supplierNamed('Sandbox Supplier – bound') }, { previousSupplier: CONFIRMS }],
  ];
  for (const [facts, changes] of table) {
    const life = beginLife({ marketLocation: MALO, ...facts });
    advance(life, instant('2026-11-25T09:00:00Z'));
    give(life, { type: 'corrected', changes });
    advance(life, instant('2027-01-10T00:00:00Z'));
    assert.equal(life.last.state.stage, 'supplying', JSON.stringify([facts, changes, summary(life)]));
  }
});

test('a registration is forgotten as long as it is not answered, whatever is told meanwhile', () => {
  const life = beginLife({ previousSupplier: supplierNamed('Sandbox Supplier – already ended') });
  // Who supplies there is told at 06:30 and the registration answered at 10:00.
  advance(life, instant('2026-11-24T05:15:00Z'));
  give(life, { type: 'termination_asked', request: { reason: 'withdrawal', endDay: null } });
  advance(life, instant('2026-11-24T06:00:00Z'));
  assert.deepEqual(summary(life), ['ended', null, 'withdrawn']);
});

test('what is taken back before its answer was not asked: the row leads on as it is documented', () => {
  const rows: readonly [Partial<SupplyFacts>, string][] = [
    [{ previousSupplier: supplierNamed('Sandbox Supplier – bound') }, 'previous_contract_bound'],
    [{ previousSupplier: supplierNamed('Sandbox Supplier – doubts authority') }, 'power_of_attorney_doubted'],
    [{ zip: '99905' }, 'balancing_group_authority_missing'],
    [{ zip: '99906' }, 'concurrent_registration'],
    [{ zip: '99935' }, 'previous_supplier_objects'],
  ];
  for (const [facts, code] of rows) {
    const life = beginLife({ ...facts, nextPossibleStart: false, intendedStartDate: '2026-12-10' });
    for (const intendedStartDate of ['2026-12-11', '2026-12-12']) {
      advance(life, life.now.add({ hours: 2 }));
      give(life, { type: 'corrected', changes: { intendedStartDate } });
    }
    advance(life, instant('2026-11-26T23:30:00Z'));
    assert.equal(visibleAction(life.last.state)?.code, code, JSON.stringify(facts));
  }
});

test('a shut-down location stays shut down, and what the gateway remembers is plain JSON', () => {
  const life = beginLife({ zip: '99902' });
  for (let round = 0; round < 3; round += 1) {
    advance(life, life.now.add({ hours: 72 }));
    give(life, { type: 'corrected', changes: { marketLocation: MALO } });
  }
  assert.equal(life.last.state.stage, 'registering');
  assert.equal(life.memory?.asked['registration'], 4);
  assert.deepEqual(JSON.parse(JSON.stringify(life.memory)), life.memory);
});

test('without an answer a grid operator stays the one to ask, then our operator; a customer is rejected in the end', () => {
  const silent = beginLife({ zip: '99900' });
  advance(silent, instant('2027-06-01T00:00:00Z'));
  assert.deepEqual(summary(silent), ['registering', null, 'operator registration_unanswered']);
  assert.equal(visibleAction(silent.last.state)?.resolve?.path, '/subscriptions/{subscription}/retry');
  const shut = beginLife({ zip: '99902' });
  advance(shut, instant('2027-06-01T00:00:00Z'));
  assert.deepEqual(summary(shut), ['ended', null, 'rejected']);
  const bound = beginLife({ previousSupplier: supplierNamed('Sandbox Supplier – bound') });
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
    const found = sandboxMarketLocation(`1emh ${meter}`, '10115', 'Musterstraße 1');
    assert.ok(isMarketLocationId(found));
    assert.equal(found, sandboxMarketLocation(`1EMH-${meter}`, '10115', 'Musterstraße 1'));
  }
});
