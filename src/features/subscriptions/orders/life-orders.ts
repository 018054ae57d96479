/**
 * The orders of one life while it is worked on. They are a part of its process: played in the same order of time, locked
 * and written with it. A life without orders carries nothing of this.
 */
import { decideOrders, dueAtOfOrders } from '#domain/orders/decide.ts';
import type { OrderChange, OrdersInput, OrdersState, SupplySight } from '#domain/orders/state.ts';
import type { SupplyState } from '#domain/market/state.ts';
import type { OrderDelivery } from '#market/gateway.ts';
import type { NewEvent } from '../../events/index.ts';
import type { Cause, Life, LifeTools } from '../supply/life.ts';
import type { CausedBy } from '../supply/traces.ts';
import { presentChange } from './present.ts';

/** What is kept of a life's orders between its steps; plain JSON. */
export interface LifeOrders {
  readonly state: OrdersState;
  /** What the simulated market will say. */
  readonly under_way: readonly OrderDelivery[];
}

/** A step of an order, to be written. */
export interface OrderTrace {
  readonly change: OrderChange;
  readonly event: Omit<NewEvent, 'projectId'>;
}

/** Who makes a step of an order happen. */
export interface OrderCause {
  readonly by: CausedBy;
  readonly cause?: Cause | undefined;
}

/** The orders of a life that has had none. */
export function noOrders(transport: OrdersState['transport'], hasSmartMeter: boolean): LifeOrders {
  return {
    state: { transport, has_smart_meter: hasSmartMeter, meter_order: null, reductions: [] },
    under_way: [],
  };
}

/** When something happens to an order of a life next; null when nothing does. */
export function ordersDueAt({ memory: { orders, supply } }: Pick<Life, 'memory'>): string | null {
  if (orders === undefined) return null;
  let first = dueAtOfOrders(orders.state, sightOf(supply));
  for (const { at } of orders.under_way) if (first === null || at < first) first = at;
  return first;
}

/** Does the first thing that is due of a life's orders: what the market says goes before what is waited for. */
export function playOrders(life: Life, now: Temporal.Instant, tools: LifeTools): void {
  const { orders } = life.memory;
  const at = ordersDueAt(life);
  if (orders === undefined) return;
  const delivery = orders.under_way.find((each) => each.at === at);
  if (delivery === undefined) {
    changeOrders(life, { type: 'due' }, now, tools, { by: 'time' });
    return;
  }
  const rest = orders.under_way.filter((each) => each !== delivery);
  life.memory = { ...life.memory, orders: { ...orders, under_way: rest } };
  changeOrders(life, { type: 'reported', id: delivery.order, report: delivery.report }, now, tools, { by: 'market' });
}

/** Lets something happen to the orders of a life; `refused` changes nothing. A life without orders has nothing to do. */
export function changeOrders(
  life: Life,
  input: OrdersInput,
  now: Temporal.Instant,
  tools: LifeTools,
  { by, cause }: OrderCause,
): 'done' | 'refused' {
  const { orders, supply } = life.memory;
  if (orders === undefined) return 'refused';
  const { state, outcome, changes } = decideOrders(orders.state, input, sightOf(supply), now);
  if (outcome === 'refused') return outcome;
  const owner = { subscription_id: life.row.id, meter_id: life.row.meter_id };
  const open = new Set([state.meter_order, ...state.reductions].map((order) => order?.id));
  const underWay = orders.under_way.filter(({ order }) => open.has(order));
  for (const change of changes) {
    const { kind, after, announces } = change;
    if (announces === 'meter_order.placed' || announces === 'grid_fee_reduction.ordered') {
      const place = { zip: supply.facts.zip };
      underWay.push(...tools.gateway.placeOrder({ kind, id: after.id }, place, now));
    }
    life.orders.push({
      change,
      event: {
        resourceId: after.id,
        type: announces,
        at: now,
        requestId: cause?.requestId ?? null,
        causedBy: by,
        credentialId: cause?.credentialId ?? null,
        data: presentChange(change, owner),
      },
    });
  }
  if (changes.length > 0) life.memory = { ...life.memory, orders: { state, under_way: underWay } };
  return outcome;
}

function sightOf({ stage, startAt, endAt }: SupplyState): SupplySight {
  return { stage, startAt, endAt };
}
