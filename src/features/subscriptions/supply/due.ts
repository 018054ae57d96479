import { dueAtOf } from '#domain/market/timers.ts';
import type { Delivery } from '#market/gateway.ts';
import type { Life } from './life.ts';

/** What the simulated market delivers next. */
export function firstDelivery({ memory }: Pick<Life, 'memory'>): Delivery | undefined {
  let first: Delivery | undefined;
  for (const delivery of memory.under_way) if (first === undefined || delivery.at < first.at) first = delivery;
  return first;
}

/** When something happens to the supply next, deliveries included. */
export function supplyDueAt(life: Pick<Life, 'memory'>): string | null {
  const own = dueAtOf(life.memory.supply);
  const delivery = firstDelivery(life)?.at ?? null;
  return own === null || (delivery !== null && delivery < own) ? delivery : own;
}
