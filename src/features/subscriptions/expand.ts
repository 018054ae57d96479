import type { Keys } from '#platform/crypto.ts';
import type { Queryable } from '#platform/database/pool.ts';
import type { Caller } from '#platform/http/contract.ts';
import { presentPlan, readPlans, type PlanRow } from '../plans/index.ts';
import { presentSupplier, readSuppliers, type SupplierRow } from '../suppliers/index.ts';
import {
  presentAddress,
  presentCustomer,
  presentMeter,
  presentPaymentMethod,
  type AddressRow,
  type CustomerRow,
  type Expansions,
  type MeterRow,
  type PaymentMethodRow,
  type SubscriptionRow,
} from './present.ts';
import { EXPANDABLE, type Expandable } from './schema.ts';
import { readAddresses, readCustomers, readMeters, readPaymentMethods } from './store.ts';

/** The parts of a sign-up that is about to be written. */
interface NewParts {
  readonly plan: PlanRow;
  readonly supplier: SupplierRow | null;
  readonly customer: CustomerRow;
  readonly address: AddressRow;
  readonly meter: MeterRow & { readonly numberNormalised: string };
  readonly paymentMethod: PaymentMethodRow;
}

/** What `expand[]` asks for of a new subscription, from the rows at hand. */
export function expandNew(keys: Keys, caller: Caller, asked: ReadonlySet<string>, parts: NewParts): Expansions {
  const { plan, supplier, customer, address, paymentMethod } = parts;
  const { numberNormalised: _, ...meter } = parts.meter;
  const texts: Record<Expandable, () => readonly (readonly [string, string])[]> = {
    plan: () => [[plan.id, presentPlan(plan)]],
    customer: () => [[customer.id, presentCustomer(customer)]],
    address: () => [[address.id, presentAddress(address)]],
    meter: () => [[meter.id, presentMeter(meter)]],
    payment_method: () => [[paymentMethod.id, presentPaymentMethod(keys, caller.projectId, paymentMethod)]],
    // A sign-up has none; it is set later.
    billing_address: () => [],
    supplier: () => (supplier === null ? [] : [[supplier.id, presentSupplier(supplier)]]),
  };
  return new Map(EXPANDABLE.filter((name) => asked.has(name)).map((name) => [name, new Map(texts[name]())]));
}

/** What `expand[]` asks for of stored subscriptions: one statement for each kind, all at once. */
export async function expandStored(
  queryable: Queryable,
  keys: Keys,
  { projectId }: Caller,
  asked: ReadonlySet<string>,
  rows: readonly SubscriptionRow[],
): Promise<Expansions> {
  const textsOf = async <Row extends { readonly id: string }>(
    pick: (row: SubscriptionRow) => string | null,
    read: (queryable: Queryable, projectId: string, ids: readonly string[]) => Promise<Row[]>,
    present: (row: Row) => string,
  ): Promise<ReadonlyMap<string, string>> => {
    const ids = new Set(rows.map(pick).filter((id) => id !== null));
    return new Map((await read(queryable, projectId, [...ids])).map((row) => [row.id, present(row)]));
  };
  const texts: Record<Expandable, () => Promise<ReadonlyMap<string, string>>> = {
    plan: () => textsOf((row) => row.plan_id, readPlans, presentPlan),
    customer: () => textsOf((row) => row.customer_id, readCustomers, presentCustomer),
    address: () => textsOf((row) => row.address_id, readAddresses, presentAddress),
    meter: () => textsOf((row) => row.meter_id, readMeters, presentMeter),
    payment_method: () =>
      textsOf(
        (row) => row.payment_method_id,
        readPaymentMethods,
        (row) => presentPaymentMethod(keys, projectId, row),
      ),
    billing_address: () => textsOf((row) => row.billing_address_id, readAddresses, presentAddress),
    supplier: () =>
      textsOf(
        (row) => row.supplier_id,
        (from, _projectId, ids) => readSuppliers(from, ids),
        presentSupplier,
      ),
  };
  const names = EXPANDABLE.filter((name) => asked.has(name));
  return new Map(await Promise.all(names.map(async (name) => [name, await texts[name]()] as const)));
}
