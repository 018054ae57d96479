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
  const ids = (pick: (row: SubscriptionRow) => string | null): string[] => [
    ...new Set(rows.map(pick).filter((id) => id !== null)),
  ];
  const present = async <Row extends { readonly id: string }>(
    found: Promise<Row[]>,
    text: (row: Row) => string,
  ): Promise<ReadonlyMap<string, string>> => new Map((await found).map((row) => [row.id, text(row)]));
  const texts: Record<Expandable, () => Promise<ReadonlyMap<string, string>>> = {
    plan: () =>
      present(
        readPlans(
          queryable,
          projectId,
          ids((row) => row.plan_id),
        ),
        presentPlan,
      ),
    customer: () =>
      present(
        readCustomers(
          queryable,
          projectId,
          ids((row) => row.customer_id),
        ),
        presentCustomer,
      ),
    address: () =>
      present(
        readAddresses(
          queryable,
          projectId,
          ids((row) => row.address_id),
        ),
        presentAddress,
      ),
    meter: () =>
      present(
        readMeters(
          queryable,
          projectId,
          ids((row) => row.meter_id),
        ),
        presentMeter,
      ),
    payment_method: () =>
      present(
        readPaymentMethods(
          queryable,
          projectId,
          ids((row) => row.payment_method_id),
        ),
        (row) => presentPaymentMethod(keys, projectId, row),
      ),
    billing_address: () =>
      present(
        readAddresses(
          queryable,
          projectId,
          ids((row) => row.billing_address_id),
        ),
        presentAddress,
      ),
    supplier: () =>
      present(
        readSuppliers(
          queryable,
          ids((row) => row.supplier_id),
        ),
        presentSupplier,
      ),
  };
  const names = EXPANDABLE.filter((name) => asked.has(name));
  return new Map(await Promise.all(names.map(async (name) => [name, await texts[name]()] as const)));
}
