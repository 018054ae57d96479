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
import type {
  MeterOrder,
  OrderChange,
  OrderReport,
  OrdersInput,
  OrdersState,
  Reduction,
  SupplySight,
} from './state.ts';

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
  { kind: 'confirmed', effective_from: null, received_at: '2026-12-01T09:00:00Z' },
  { kind: 'rejected', code: 'module_not_possible' },
  { kind: 'ended', effective_until: null },
  { kind: 'ended', effective_until: '2027-02-15' },
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
  { maxLength: 30, size: 'max' },
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

/** Whether something is awaited of an order that a partner has, or somebody has to act, or its day is known. */
function hasNext(order: OrderChange['after']): boolean {
  if (!['placed', 'scheduled', 'installed', 'ordered'].includes(order.status)) return true;
  const day = 'effective_from' in order ? order.effective_from : null;
  return order.due_at !== null || order.blocked !== null || day !== null;
}

/** The orders that a partner has and that are not done. */
function handedOver({ state: { meter_order: order, reductions } }: Played): string[] {
  return [
    ...(order === null || order.placed_at === null ? [] : [order.id]),
    ...reductions.filter((each) => each.ordered_at !== null).map(({ id }) => id),
  ];
}

/** What holds after every step, whatever happens. */
function check({ state, changes }: Played): void {
  const inForce = state.reductions.filter(({ status }) => status === 'activated');
  assert.ok(inForce.length <= 1 && state.reductions.length - inForce.length <= 1);
  assert.ok(state.meter_order === null || isOpenMeterOrder(state.meter_order.status));
  for (const change of changes) {
    const { before, after } = change;
    assert.equal(after.revision, (before?.revision ?? 0) + 1);
    assert.ok(hasNext(change.after), 'what a partner has waits for somebody');
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
            const known = handedOver(played);
            throwAt(played, each);
            check(played);
            if (transport === 'manual' && (each.what === 'cancel' || each.what === 'end')) {
              assert.deepEqual(handedOver(played), known, 'nothing that a partner has is dropped behind his back');
            }
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

function say(played: Played, id: string, report: OrderReport): 'done' | 'refused' {
  return give(played, { type: 'reported', id, report });
}

/** A meter order of a live project that the metering operator has, and of which he has said this. */
function withMeterOrder(...reports: readonly OrderReport[]): Played {
  const played = begin('manual', '51147', false);
  stand(played, 'supplying');
  give(played, { type: 'meter_order_added', order: newMeterOrder('m', BEGIN) });
  for (const report of [{ kind: 'handed_over' } as const, ...reports]) {
    assert.equal(say(played, 'm', report), 'done', report.kind);
  }
  return played;
}

function meterOrderOf({ state }: Played): MeterOrder {
  assert.ok(state.meter_order !== null);
  return state.meter_order;
}

/** A reduction of a live project that the grid operator was asked for at an instant. */
function withReduction(askedAt: string): Played {
  const played = begin('manual', '51147', false);
  stand(played, 'supplying');
  advance(played, Temporal.Instant.from(askedAt));
  give(played, { type: 'reduction_added', reduction: newReduction('r', { module_1: true }, askedAt) });
  assert.equal(say(played, 'r', { kind: 'handed_over' }), 'done');
  return played;
}

/** A reduction in force whose end was asked for on Monday, 7 December 2026. */
function inForceAndEnding(): Played {
  const played = withReduction('2026-12-01T09:00:00Z');
  say(played, 'r', { kind: 'confirmed', effective_from: null });
  advance(played, Temporal.Instant.from('2026-12-07T09:00:00Z'));
  give(played, { type: 'end_asked', id: 'r' });
  return played;
}

function reductionIn({ state }: Played): Reduction {
  const [reduction] = state.reductions;
  assert.ok(reduction !== undefined);
  return reduction;
}

/** As its last step has left it. */
function lastReduction({ changes }: Played): Reduction {
  const after = changes.at(-1)?.after;
  assert.ok(after !== undefined && 'effective_from' in after);
  return after;
}

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

  test('a reduction of a supply that never was has no day', () => {
    const played = begin('manual', '51147', false);
    stand(played, 'supplying');
    give(played, { type: 'reduction_added', reduction: newReduction('r', { module_1: true }, BEGIN) });
    give(played, { type: 'reported', id: 'r', report: { kind: 'handed_over' } });
    give(played, { type: 'reported', id: 'r', report: { kind: 'confirmed', effective_from: '2026-12-15' } });
    advance(played, Temporal.Instant.from('2026-12-20T09:00:00Z'));
    assert.equal(played.state.reductions[0]?.status, 'activated');
    played.supply = { stage: 'ended', startAt: null, endAt: '2026-12-20T09:00:00Z' };
    give(played, { type: 'supply_changed' });
    const ended = played.changes.at(-1)?.after;
    assert.ok(ended !== undefined && 'effective_until' in ended);
    assert.deepEqual(
      [ended.status, ended.effective_from, ended.effective_until],
      ['ended', '2026-12-15', '2026-12-15'],
    );
  });

  test('what the metering operator has is cancelled once he was told, and until then waits for the operator', () => {
    const appointment = { kind: 'appointment_made', appointment_at: '2026-12-14T08:00:00Z' } as const;
    const table: readonly (readonly OrderReport[])[] = [
      [],
      [appointment],
      [appointment, { kind: 'appointment_missed' }],
      [{ kind: 'fitting_refused', code: 'no_gateway_coverage' }],
    ];
    for (const reports of table) {
      const played = withMeterOrder(...reports);
      const { status } = meterOrderOf(played);
      assert.equal(give(played, { type: 'cancel_asked', id: 'm' }), 'done');
      assert.equal(give(played, { type: 'cancel_asked', id: 'm' }), 'refused', 'it is asked for already');
      for (const report of [{ kind: 'connected' }, { kind: 'appointment_missed' }] as const) {
        assert.equal(say(played, 'm', report), 'refused', report.kind);
      }
      advance(played, Temporal.Instant.from('2027-03-01T09:00:00Z'));
      const { status: same, blocked, due_at: due } = meterOrderOf(played);
      assert.deepEqual([same, blocked?.code, due], [status, 'transmit_order', null]);
      assert.equal(say(played, 'm', { kind: 'handed_over' }), 'done');
      const after = played.changes.at(-1)?.after;
      assert.ok(after !== undefined && 'cancelled_at' in after);
      assert.deepEqual([after.status, after.blocked, after.cancelled_at], ['cancelled', null, '2027-03-01T09:00:00Z']);
      assert.equal(played.state.meter_order, null);
    }
  });

  test('a fitting is refused before it is done only: a smart meter that hangs is no refused one', () => {
    const appointment = { kind: 'appointment_made', appointment_at: '2026-12-14T08:00:00Z' } as const;
    const table: readonly (readonly [readonly OrderReport[], string, 'done' | 'refused'])[] = [
      [[], 'placed', 'done'],
      [[appointment], 'scheduled', 'done'],
      [[appointment, { kind: 'fitted' }], 'installed', 'refused'],
    ];
    for (const [reports, status, outcome] of table) {
      const played = withMeterOrder(...reports);
      const before = meterOrderOf(played);
      assert.equal(before.status, status);
      assert.equal(say(played, 'm', { kind: 'fitting_refused', code: 'no_gateway_coverage' }), outcome, status);
      const { blocked } = meterOrderOf(played);
      assert.equal(blocked?.code, outcome === 'done' ? 'no_gateway_coverage' : before.blocked?.code, status);
    }
  });

  test('a fitter who comes in spite of a cancellation has fitted the smart meter, which stays', () => {
    const appointment = { kind: 'appointment_made', appointment_at: '2026-12-14T08:00:00Z' } as const;
    // The appointment may have been made before, or be made without having heard of the cancellation.
    for (const { before, after } of [
      { before: [appointment], after: [] },
      { before: [], after: [appointment] },
    ]) {
      const played = withMeterOrder(...before);
      give(played, { type: 'cancel_asked', id: 'm' });
      for (const report of after) assert.equal(say(played, 'm', report), 'done');
      const { status, blocked, due_at: due } = meterOrderOf(played);
      assert.deepEqual([status, blocked?.code, due], ['scheduled', 'transmit_order', null]);
      assert.equal(say(played, 'm', { kind: 'fitted' }), 'done');
      assert.deepEqual([meterOrderOf(played).status, meterOrderOf(played).blocked], ['installed', null]);
      assert.equal(give(played, { type: 'cancel_asked', id: 'm' }), 'refused');
    }
  });

  test('what nobody has yet is cancelled and ended at once', () => {
    const played = begin('manual', '51147', false);
    stand(played, 'supplying');
    give(played, { type: 'meter_order_added', order: newMeterOrder('m', BEGIN) });
    give(played, { type: 'reduction_added', reduction: newReduction('r', { module_1: true }, BEGIN) });
    give(played, { type: 'cancel_asked', id: 'm' });
    give(played, { type: 'end_asked', id: 'r' });
    assert.deepEqual([played.state.meter_order, played.state.reductions], [null, []]);
  });

  test('a reduction begins on a day after the answer, which may be recorded late, and within twelve months', () => {
    // Recorded on 3 December 2026, at 10:00 in Berlin; asked for on the first.
    const received_at = '2026-12-01T14:00:00Z';
    const table: readonly (readonly [Omit<Extract<OrderReport, { kind: 'confirmed' }>, 'kind'>, string | null])[] = [
      [{ effective_from: null }, '2026-12-04'],
      [{ effective_from: '2026-12-04' }, '2026-12-04'],
      [{ effective_from: '2027-12-03' }, '2027-12-03'],
      [{ effective_from: '2026-12-01' }, null],
      [{ effective_from: '2026-12-03' }, null],
      [{ effective_from: '2027-12-04' }, null],
      [{ effective_from: '9999-12-31' }, null],
      [{ effective_from: null, received_at }, '2026-12-02'],
      [{ effective_from: '2026-12-02', received_at }, '2026-12-02'],
      [{ effective_from: '2026-12-01', received_at }, null],
      // 00:30 in Berlin: the second.
      [{ effective_from: '2026-12-02', received_at: '2026-12-01T23:30:00Z' }, null],
      // Nobody answers before he is asked, nor tomorrow.
      [{ effective_from: null, received_at: '2026-11-30T14:00:00Z' }, null],
      [{ effective_from: null, received_at: '2026-12-03T09:00:01Z' }, null],
    ];
    for (const [said, from] of table) {
      const played = withReduction('2026-12-01T09:00:00Z');
      advance(played, Temporal.Instant.from('2026-12-03T09:00:00Z'));
      const outcome = say(played, 'r', { kind: 'confirmed', ...said });
      assert.deepEqual([outcome, reductionIn(played).effective_from], [from === null ? 'refused' : 'done', from]);
    }
  });

  test('where supply begins in years only, the twelve months are counted from its beginning', () => {
    for (const [from, outcome] of [
      ['2029-03-01', 'done'],
      ['2030-03-01', 'done'],
      ['2030-03-02', 'refused'],
    ] as const) {
      const played = withReduction('2026-12-01T09:00:00Z');
      played.supply = { stage: 'confirmed', startAt: '2029-02-28T23:00:00Z', endAt: null };
      assert.equal(say(played, 'r', { kind: 'confirmed', effective_from: from }), outcome, from);
    }
  });

  test('what the grid operator has granted ends when he says so, also before it is in force', () => {
    for (const [from, until, last] of [
      ['2026-12-15', '2026-12-15', null],
      ['2026-12-03', '2026-12-04', '2026-12-04'],
    ] as const) {
      const played = withReduction('2026-12-01T09:00:00Z');
      say(played, 'r', { kind: 'confirmed', effective_from: from });
      assert.equal(give(played, { type: 'end_asked', id: 'r' }), 'done');
      assert.equal(give(played, { type: 'end_asked', id: 'r' }), 'refused', 'it is asked for already');
      const { status, blocked, effective_until: asked } = reductionIn(played);
      assert.deepEqual([status, blocked?.code, asked], ['ordered', 'transmit_order', until]);
      const untold = { ...played };
      assert.equal(say(played, 'r', { kind: 'handed_over' }), 'done');
      assert.equal(say(played, 'r', { kind: 'handed_over' }), 'refused', 'it is recorded already');
      assert.deepEqual([reductionIn(played).blocked, reductionIn(played).due_at], [null, '2026-12-03T23:00:00Z']);
      assert.equal(say(played, 'r', { kind: 'ended', effective_until: null }), 'done');
      advance(played, Temporal.Instant.from('2026-12-04T09:00:00Z'));
      const ended = lastReduction(played);
      assert.deepEqual([ended.status, ended.end_reason, ended.effective_until], ['ended', 'requested', last]);

      // Nobody told him: he applies it.
      advance(untold, Temporal.Instant.from('2026-12-20T09:00:00Z'));
      assert.deepEqual(
        [reductionIn(untold).status, reductionIn(untold).blocked?.code],
        ['activated', 'transmit_order'],
      );
    }
  });

  test('what the grid operator was asked for and has not answered is still ended by his word, whatever he says first', () => {
    const asked = (): Played => {
      const played = withReduction('2026-12-01T09:00:00Z');
      give(played, { type: 'end_asked', id: 'r' });
      assert.deepEqual([reductionIn(played).status, reductionIn(played).blocked?.code], ['ordered', 'transmit_order']);
      return played;
    };
    const granted = asked();
    assert.equal(say(granted, 'r', { kind: 'confirmed', effective_from: '2026-12-10' }), 'done');
    const { blocked, effective_from: from, effective_until: until } = reductionIn(granted);
    assert.deepEqual([blocked?.code, from, until], ['transmit_order', '2026-12-10', '2026-12-10']);
    const refused = asked();
    say(refused, 'r', { kind: 'rejected', code: 'module_not_possible' });
    assert.deepEqual([lastReduction(refused).status, lastReduction(refused).effective_until], ['rejected', null]);
    const told = asked();
    say(told, 'r', { kind: 'handed_over' });
    say(told, 'r', { kind: 'ended', effective_until: null });
    assert.deepEqual([lastReduction(told).status, lastReduction(told).effective_until], ['ended', null]);
  });

  test('the end of a reduction is for a day after the grid operator was told, whose silence is somebody’s task', () => {
    const played = inForceAndEnding();
    assert.equal(reductionIn(played).effective_until, '2026-12-10');
    advance(played, Temporal.Instant.from('2026-12-21T09:00:00Z'));
    assert.equal(say(played, 'r', { kind: 'handed_over' }), 'done');
    const { status, blocked, due_at: due, effective_until: until } = reductionIn(played);
    assert.deepEqual([status, blocked, due, until], ['activated', null, '2026-12-23T23:00:00Z', '2026-12-24']);
    advance(played, Temporal.Instant.from('2026-12-28T09:00:00Z'));
    assert.deepEqual(
      [reductionIn(played).status, reductionIn(played).blocked?.code],
      ['activated', 'grid_operator_unanswered'],
    );
    for (const early of ['2026-12-10', '2026-12-23', '2027-12-29', '9999-12-31']) {
      assert.equal(say(played, 'r', { kind: 'ended', effective_until: early }), 'refused', early);
    }
    assert.equal(say(played, 'r', { kind: 'ended', effective_until: '2026-12-24' }), 'done');
    assert.deepEqual([lastReduction(played).status, lastReduction(played).effective_until], ['ended', '2026-12-24']);
  });

  test('an end that is recorded without a day is never before that day, nor before the one asked for', () => {
    const late = inForceAndEnding();
    advance(late, Temporal.Instant.from('2026-12-23T09:00:00Z'));
    say(late, 'r', { kind: 'ended', effective_until: null });
    assert.deepEqual([lastReduction(late).status, lastReduction(late).effective_until], ['ended', '2026-12-23']);

    const early = inForceAndEnding();
    advance(early, Temporal.Instant.from('2026-12-08T09:00:00Z'));
    say(early, 'r', { kind: 'ended', effective_until: null });
    const { status, blocked, effective_until: until } = reductionIn(early);
    assert.deepEqual([status, blocked, until], ['activated', null, '2026-12-10'], 'he has agreed');
    assert.equal(say(early, 'r', { kind: 'ended', effective_until: null }), 'refused', 'it is recorded already');
    advance(early, Temporal.Instant.from('2026-12-20T09:00:00Z'));
    assert.deepEqual(
      [lastReduction(early).status, lastReduction(early).end_reason, lastReduction(early).effective_until],
      ['ended', 'requested', '2026-12-10'],
    );
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
    say(played, 'r', { kind: 'ended', effective_until: null });
    assert.deepEqual(played.state.reductions, []);
  });
});
