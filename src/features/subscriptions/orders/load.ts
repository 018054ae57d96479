import type { MeterOrder, OrdersState, Reduction } from '#domain/orders/state.ts';
import type { Transaction } from '#platform/database/pool.ts';
import type { Life } from '../supply/life.ts';
import { noOrders } from './life-orders.ts';
import type { MeterOrderRow, ReductionRow } from './present.ts';
import { readOffers, readOpenOrders } from './store.ts';

/** Takes the orders of lives into their memories, as they are stored. */
export async function loadOrders(
  transaction: Transaction,
  projectId: string,
  lives: readonly Life[],
  transport: OrdersState['transport'],
): Promise<void> {
  const ids = lives.map(({ row }) => row.id);
  const { meterOrders, reductions } = await readOpenOrders(transaction, projectId, ids);
  const smart = new Set(
    (await readOffers(transaction, projectId, ids)).filter((row) => row.meter_type === 'smart').map(({ id }) => id),
  );
  for (const life of lives) {
    const isOfLife = (row: { readonly subscription_id: string }): boolean => row.subscription_id === life.row.id;
    const none = noOrders(transport, smart.has(life.row.id));
    const [meterOrder] = meterOrders.filter(isOfLife).map(ownMeterOrder);
    life.memory = {
      ...life.memory,
      orders: {
        ...none,
        state: {
          ...none.state,
          meter_order: meterOrder ?? null,
          reductions: reductions.filter(isOfLife).map(ownReduction),
        },
      },
    };
  }
}

/** Without what the life itself says of it. */
function ownMeterOrder(row: MeterOrderRow): MeterOrder {
  const { subscription_id: _, meter_id: __, ...order } = row;
  return order;
}

function ownReduction(row: ReductionRow): Reduction {
  const { subscription_id: _, ...reduction } = row;
  return reduction;
}
