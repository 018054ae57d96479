import { newMeterOrder, newReduction, type OrderChange } from '#domain/orders/state.ts';
import type { GridFeeModules } from '#domain/subscription/sign-up.ts';
import { presentChange } from '../orders/present.ts';
import type { SubscriptionRow } from '../present.ts';
import type { SignUp } from '../schema.ts';

/** A meter order or grid-fee reduction that begins with a sign-up. */
export interface NewOrder {
  /** That of the product order that it comes of. */
  readonly id: string;
  readonly kind: OrderChange['kind'];
  readonly modules: GridFeeModules;
  readonly eventId: string;
  /** JSON text. */
  readonly eventData: string;
}

/** What the product orders of a sign-up begin; a meter that is smart already is not exchanged. */
export function layOutOrders(
  { meter, product_orders: given = [] }: Pick<SignUp, 'meter' | 'product_orders'>,
  { id: subscriptionId, meter_id: meterId, created_at: at }: SubscriptionRow,
  productOrders: readonly { readonly id: string }[],
  mint: () => string,
): NewOrder[] {
  const owner = { subscription_id: subscriptionId, meter_id: meterId };
  const begin = (modules: GridFeeModules, change: OrderChange): NewOrder => ({
    id: change.after.id,
    kind: change.kind,
    modules,
    eventId: mint(),
    eventData: presentChange(change, owner),
  });
  return productOrders.flatMap(({ id }, index): NewOrder[] => {
    const modules = given[index]?.['14a_enwg'];
    const before = null;
    if (modules !== undefined) {
      const after = newReduction(id, modules, at);
      return [begin(modules, { kind: 'grid_fee_reduction', before, after, announces: 'grid_fee_reduction.created' })];
    }
    if (meter.type === 'smart') return [];
    const after = newMeterOrder(id, at);
    return [begin({}, { kind: 'meter_order', before, after, announces: 'meter_order.created' })];
  });
}
