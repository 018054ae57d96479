import type { OrderChange } from '#domain/orders/state.ts';
import type { Transaction } from '#platform/database/pool.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { recordEvents } from '../../events/index.ts';
import type { Life } from '../supply/life.ts';
import { insertMeterOrders, insertReductions, makeMetersSmart, updateMeterOrders, updateReductions } from './store.ts';

/** Writes the steps that the orders of lives have taken, each with its event. */
export async function saveOrders(
  transaction: Transaction,
  projectId: string,
  lives: readonly Life[],
  mintUuid: MintUuid,
): Promise<void> {
  const busy = lives.filter(({ orders }) => orders.length > 0);
  if (busy.length === 0) return;
  const rounds = Math.max(...busy.map(({ orders }) => orders.length));
  // The database lets an order take one step at a time only, and one take the place of another only when that has ended.
  for (let round = 0; round < rounds; round += 1) {
    const steps = busy.flatMap((life) => {
      const change = life.orders[round]?.change;
      return change === undefined ? [] : [{ life, change }];
    });
    await saveRound(transaction, projectId, steps);
  }
  const smart = busy.filter(({ orders }) => orders.some(({ event }) => event.type === 'meter_order.activated'));
  await makeMetersSmart(
    transaction,
    projectId,
    smart.map(({ row }) => row.meter_id),
  );
  const events = busy.flatMap(({ orders }) => orders.map(({ event }) => ({ ...event, projectId })));
  await recordEvents(
    transaction,
    mintUuid,
    events.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at)),
  );
}

async function saveRound(
  transaction: Transaction,
  projectId: string,
  steps: readonly { readonly life: Life; readonly change: OrderChange }[],
): Promise<void> {
  const meterOrders = steps.flatMap(({ life: { row }, change }) =>
    change.kind === 'meter_order' ? [{ ...change, owner: { subscription_id: row.id, meter_id: row.meter_id } }] : [],
  );
  const reductions = steps.flatMap(({ life: { row }, change }) =>
    change.kind === 'grid_fee_reduction' ? [{ ...change, owner: { subscription_id: row.id } }] : [],
  );
  const isNew = ({ before }: { readonly before: object | null }): boolean => before === null;
  const isOld = ({ before }: { readonly before: object | null }): boolean => before !== null;
  await insertMeterOrders(
    transaction,
    projectId,
    meterOrders.filter(isNew).map(({ after, owner }) => ({ ...after, ...owner })),
  );
  await insertReductions(
    transaction,
    projectId,
    reductions.filter(isNew).map(({ after, owner }) => ({ ...after, ...owner })),
  );
  await updateMeterOrders(
    transaction,
    projectId,
    meterOrders.filter(isOld).map(({ after }) => after),
  );
  await updateReductions(
    transaction,
    projectId,
    reductions.filter(isOld).map(({ after }) => after),
  );
}
