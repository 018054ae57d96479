import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { sandboxGateway } from '#market/sandbox/gateway.ts';
import type { OrderDelivery } from '#market/gateway.ts';
import type { Stage } from '../subscription/lifecycle.ts';
import { BLOCKED, BLOCKED_CODES } from './blocked.ts';
import { decideOrders, dueAtOfOrders } from './decide.ts';
import {
  isOpenMeterOrder,
  isOpenReduction,
  METER_ORDER_STATUSES,
  METER_ORDER_STEPS,
  meterOrderDiagram,
  meterOrderStep,
  REDUCTION_STATUSES,
  REDUCTION_STEPS,
  reductionDiagram,
  reductionStep,
} from './lifecycle.ts';
import { newMeterOrder, newReduction } from './state.ts';
import type { OrderChange, OrderReport, OrdersInput, OrdersState, SupplySight } from './state.ts';

const BEGIN = '2026-11-21T09:00:00Z';

describe('the tables', () => {
  test('let every status but the first be reached, and every one but the last be left', () => {
    for (const to of METER_ORDER_STATUSES) {
      const isReached = METER_ORDER_STATUSES.some((from) =>
        METER_ORDER_STEPS.some((step) => meterOrderStep(from, step)?.to === to),
      );
      assert.equal(isReached, true, to);
      assert.equal(isOpenMeterOrder(to), !['activated', 'cancelled'].includes(to), to);
    }
    for (const to of REDUCTION_STATUSES) {
      const isReached = REDUCTION_STATUSES.some((from) =>
        REDUCTION_STEPS.some((step) => reductionStep(from, step)?.to === to),
      );
      assert.equal(isReached, true, to);
      assert.equal(isOpenReduction(to), !['rejected', 'ended'].includes(to), to);
    }
  });

  test('tell each step into another status as what it leads to, or as what holds it up', () => {
    for (const [statuses, steps, find] of [
      [METER_ORDER_STATUSES, METER_ORDER_STEPS, meterOrderStep],
      [REDUCTION_STATUSES, REDUCTION_STEPS, reductionStep],
    ] as const) {
      for (const from of statuses) {
        for (const step of steps) {
          const found = find(from as never, step as never);
          if (found === undefined || found.to === from || step === 'appointment_missed') continue;
          assert.equal(found.announces.split('.')[1], found.to);
        }
      }
    }
  });

  test('stand in docs/market.md as they are printed', () => {
    const page = readFileSync(new URL('../../../docs/market.md', import.meta.url), 'utf8');
    const [, ...shown] = [...page.matchAll(/```mermaid\n(.*?)```/gs)].map((match) => match[1]);
    assert.deepEqual(shown, [meterOrderDiagram(), reductionDiagram()]);
    const section = page.slice(
      page.indexOf('## Smart meters'),
      page.indexOf('In a sandbox project the simulated market answers by'),
    );
    const codes = [...section.matchAll(/^\| `([a-z_]+)` +\| `([a-z_]+)`/gm)].map(([, code, actor]) => [code, actor]);
    assert.deepEqual(
      codes,
      BLOCKED_CODES.map((code) => [code, BLOCKED[code].actor]),
    );
  });
});

/** The orders of one subscription in memory, as the life of it plays them. */
interface Played {
  state: OrdersState;
  supply: SupplySight;
  now: Temporal.Instant;
  underWay: readonly OrderDelivery[];
  readonly zip: string;
  readonly changes: OrderChange[];
}

function begin(transport: OrdersState['transport'], zip: string, hasSmartMeter: boolean): Played {
  return {
    state: { transport, has_smart_meter: hasSmartMeter, meter_order: null, reductions: [] },
    supply: { stage: 'registering', startAt: null, endAt: null },
    now: Temporal.Instant.from(BEGIN),
    underWay: [],
    zip,
    changes: [],
  };
}

function give(played: Played, input: OrdersInput): 'done' | 'refused' {
  const { state, outcome, changes } = decideOrders(played.state, input, played.supply, played.now);
  played.state = state;
  played.changes.push(...changes);
  if (state.transport === 'manual') return outcome;
  for (const { kind, after, announces } of changes) {
    if (announces !== 'meter_order.placed' && announces !== 'grid_fee_reduction.ordered') continue;
    const said = sandboxGateway.placeOrder({ kind, id: after.id }, { zip: played.zip }, played.now);
    played.underWay = [...played.underWay, ...said];
  }
  return outcome;
}

function advance(played: Played, until: Temporal.Instant): void {
  for (let steps = 0; ; steps += 1) {
    assert.ok(steps < 200, 'it comes to rest');
    const [delivery] = played.underWay.toSorted((one, other) => (one.at < other.at ? -1 : 1));
    const due = dueAtOfOrders(played.state, played.supply);
    const isDelivery = delivery !== undefined && (due === null || delivery.at <= due);
    const at = isDelivery ? delivery.at : due;
    if (at === null || Temporal.Instant.compare(at, until) > 0) break;
    if (Temporal.Instant.compare(at, played.now) > 0) played.now = Temporal.Instant.from(at);
    if (isDelivery) {
      played.underWay = played.underWay.filter((each) => each !== delivery);
      give(played, { type: 'reported', id: delivery.order, report: delivery.report });
    } else give(played, { type: 'due' });
  }
  played.now = until;
}

function stand(played: Played, stage: Stage): void {
  const startAt = ['confirmed', 'supplying', 'ending'].includes(stage) ? '2026-11-24T23:00:00Z' : null;
  played.supply = { stage, startAt, endAt: stage === 'ended' ? played.now.toString() : null };
  give(played, { type: 'supply_changed' });
}

const reports: fc.Arbitrary<OrderReport> = fc.constantFrom<OrderReport[]>(
  { kind: 'handed_over' },
  { kind: 'appointment_made', appointment_at: '2026-12-14T08:00:00Z' },
  { kind: 'appointment_missed' },
  { kind: 'fitting_refused', code: 'no_gateway_coverage' },
  { kind: 'fitted' },
  { kind: 'connected' },
  { kind: 'confirmed', effective_from: null },
  { kind: 'confirmed', effective_from: '2026-01-01' },
  { kind: 'confirmed', effective_from: '2027-02-01' },
  { kind: 'rejected', code: 'module_not_possible' },
  { kind: 'ended' },
);
const STAGES = ['identifying', 'registering', 'confirmed', 'supplying', 'ending'] as const;
const throws = fc.array(
  fc.record({
    what: fc.constantFrom('report', 'report', 'cancel', 'end', 'order', 'reduce', 'stage', 'wait'),
    report: reports,
    which: fc.nat(3),
    stage: fc.constantFrom(...STAGES),
    hours: fc.integer({ min: 0, max: 400 }),
  }),
  { maxLength: 30 },
);
type Throw = typeof throws extends fc.Arbitrary<readonly (infer Each)[]> ? Each : never;

const SETS = [{ module_1: true }, { module_2: true }, { module_1: true, module_3: true }];

function throwAt(played: Played, { what, report, which, stage, hours }: Throw): void {
  const { state, now } = played;
  const ids = [state.meter_order?.id, ...state.reductions.map(({ id }) => id)];
  const id = ids[which % ids.length] ?? 'nothing';
  const count = String(played.changes.length);
  if (what === 'report') give(played, { type: 'reported', id, report });
  else if (what === 'cancel') give(played, { type: 'cancel_asked', id });
  else if (what === 'end') give(played, { type: 'end_asked', id });
  else if (what === 'stage') stand(played, stage);
  else if (what === 'wait') advance(played, now.add({ hours }));
  else if (what === 'order' && state.meter_order === null && !state.has_smart_meter) {
    give(played, { type: 'meter_order_added', order: newMeterOrder(`m${count}`, now.toString()) });
  } else if (what === 'reduce' && state.reductions.every(({ status }) => status === 'activated')) {
    const reduction = newReduction(`r${count}`, SETS[which % SETS.length] ?? {}, now.toString());
    give(played, { type: 'reduction_added', reduction });
  }
}

/** What holds after every step, whatever happens. */
function check({ state, changes }: Played): void {
  const inForce = state.reductions.filter(({ status }) => status === 'activated');
  assert.ok(inForce.length <= 1 && state.reductions.length - inForce.length <= 1);
  assert.ok(state.meter_order === null || isOpenMeterOrder(state.meter_order.status));
  for (const change of changes) {
    const { before, after } = change;
    assert.equal(after.revision, (before?.revision ?? 0) + 1);
    if (change.kind === 'meter_order') {
      const isPermitted = METER_ORDER_STEPS.some((step) => {
        const found = change.before === null ? undefined : meterOrderStep(change.before.status, step);
        return found?.to === change.after.status && found.announces === change.announces;
      });
      assert.ok(isPermitted || change.before === null, JSON.stringify(change));
      continue;
    }
    const isPermitted = REDUCTION_STEPS.some((step) => {
      const found = change.before === null ? undefined : reductionStep(change.before.status, step);
      return found?.to === change.after.status && found.announces === change.announces;
    });
    assert.ok(isPermitted || change.before === null, JSON.stringify(change));
    const { effective_from: from, effective_until: until, status } = change.after;
    assert.ok(status !== 'activated' || (from !== null && from >= '2026-11-25'), 'never before the supply');
    assert.ok(from === null || until === null || from <= until);
  }
}

describe('whatever happens', () => {
  for (const transport of ['automatic', 'manual'] as const) {
    test(`never leaves the tables, and every life comes to its end with the supply (${transport})`, () => {
      const zips = fc.constantFrom('51147', '99910', '99911', '99912', '99919');
      fc.assert(
        fc.property(zips, fc.boolean(), throws, (zip, hasSmartMeter, thrown) => {
          const played = begin(transport, zip, hasSmartMeter);
          for (const each of thrown) {
            throwAt(played, each);
            check(played);
          }
          advance(played, played.now.add({ hours: 24 * 200 }));
          stand(played, 'ended');
          check(played);
          assert.deepEqual([played.state.meter_order, played.state.reductions], [null, []]);
          assert.equal(dueAtOfOrders(played.state, played.supply), null);
        }),
        { numRuns: 500 },
      );
    });
  }

  test('gives the same again for the same', () => {
    fc.assert(
      fc.property(throws, (thrown) => {
        const [one, other] = [begin('automatic', '99911', false), begin('automatic', '99911', false)];
        for (const played of [one, other]) for (const each of thrown) throwAt(played, each);
        assert.deepEqual(one.changes, other.changes);
      }),
      { numRuns: 100 },
    );
  });
});

describe('in a live project', () => {
  test('an order waits for an operator, who records each step', () => {
    const played = begin('manual', '51147', false);
    give(played, { type: 'meter_order_added', order: newMeterOrder('m', BEGIN) });
    assert.equal(give(played, { type: 'reported', id: 'm', report: { kind: 'handed_over' } }), 'refused');
    stand(played, 'confirmed');
    assert.equal(played.state.meter_order?.blocked?.code, 'transmit_order');
    for (const report of [
      { kind: 'handed_over' },
      { kind: 'appointment_made', appointment_at: '2026-12-14T08:00:00Z' },
      { kind: 'fitted' },
      { kind: 'connected' },
    ] as const) {
      assert.equal(give(played, { type: 'reported', id: 'm', report }), 'done', report.kind);
    }
    assert.deepEqual([played.state.meter_order, played.state.has_smart_meter], [null, true]);
  });

  test('no reduction outlasts the supply, however late its end is known, nor ends before it began', () => {
    const table = [
      ['2027-01-01T23:00:00Z', '2027-01-02'],
      ['2026-12-01T23:00:00Z', '2026-12-15'],
    ];
    for (const [endAt = '', until] of table) {
      const played = begin('manual', '51147', false);
      stand(played, 'supplying');
      give(played, { type: 'reduction_added', reduction: newReduction('r', { module_1: true }, BEGIN) });
      give(played, { type: 'reported', id: 'r', report: { kind: 'handed_over' } });
      give(played, { type: 'reported', id: 'r', report: { kind: 'confirmed', effective_from: '2026-12-15' } });
      advance(played, Temporal.Instant.from('2027-01-10T09:00:00Z'));
      assert.equal(played.state.reductions[0]?.status, 'activated');
      played.supply = { ...played.supply, stage: 'ended', endAt };
      give(played, { type: 'supply_changed' });
      const ended = played.changes.at(-1)?.after;
      assert.ok(ended !== undefined && 'effective_until' in ended);
      assert.deepEqual([ended.end_reason, ended.effective_until], ['supply_ended', until]);
    }
  });

  test('a reduction in force ends when the operator says so', () => {
    const played = begin('manual', '51147', false);
    stand(played, 'supplying');
    give(played, { type: 'reduction_added', reduction: newReduction('r', { module_1: true }, BEGIN) });
    give(played, { type: 'reported', id: 'r', report: { kind: 'handed_over' } });
    give(played, { type: 'reported', id: 'r', report: { kind: 'confirmed', effective_from: null } });
    advance(played, Temporal.Instant.from('2026-12-10T09:00:00Z'));
    assert.equal(played.state.reductions[0]?.status, 'activated');
    give(played, { type: 'end_asked', id: 'r' });
    advance(played, Temporal.Instant.from('2027-01-10T09:00:00Z'));
    const [ending] = played.state.reductions;
    assert.deepEqual(
      [ending?.status, ending?.blocked?.code, ending?.effective_until],
      ['activated', 'transmit_order', '2026-12-15'],
    );
    give(played, { type: 'reported', id: 'r', report: { kind: 'ended' } });
    assert.deepEqual(played.state.reductions, []);
  });
});
