/** What an operator records of orders, where nobody talks to the market for him: for the command line. */
import { parseId } from '#domain/identifiers.ts';
import type { OrderReport } from '#domain/orders/state.ts';
import type { Database } from '#platform/database/pool.ts';
import {
  findProject,
  inProject,
  onSubscription,
  OPERATOR,
  type OperatorDependencies,
} from '../messages/on-subscription.ts';
import type { Refusal } from '../messages/outcome.ts';
import { takeOrderStep } from '../supply/life.ts';
import { presentMeterOrder, presentReduction } from './present.ts';
import { listOpenMeterOrders, listOpenReductions, readMeterOrder, readReduction } from './store.ts';

/** How many orders of each kind are listed at most. */
export const MAX_LISTED_ORDERS = 200;

/** An order as `GET` reads it. */
export type SeenOrder = Readonly<Record<string, unknown>>;

/** What became of `listOpenOrders`. */
export type OrderList =
  | { readonly kind: 'listed'; readonly orders: readonly SeenOrder[]; readonly hasMore: boolean }
  | Extract<Refusal, { kind: 'project_not_found' }>;

/** The orders of a project that are under way, about to end, or wait for an operator, of each kind the oldest first. */
export async function listOpenOrders(
  { database }: { readonly database: Database },
  { project }: { readonly project: string },
): Promise<OrderList> {
  const projectId = await findProject(database, project);
  if (projectId === null) return { kind: 'project_not_found' };
  const meterOrders = await listOpenMeterOrders(database, projectId, MAX_LISTED_ORDERS + 1);
  const reductions = await listOpenReductions(database, projectId, MAX_LISTED_ORDERS + 1);
  return {
    kind: 'listed',
    orders: [
      ...meterOrders.slice(0, MAX_LISTED_ORDERS).map((row) => seen(presentMeterOrder(row))),
      ...reductions.slice(0, MAX_LISTED_ORDERS).map((row) => seen(presentReduction(row))),
    ],
    hasMore: Math.max(meterOrders.length, reductions.length) > MAX_LISTED_ORDERS,
  };
}

/** What an operator records. */
export interface ReportInput {
  /** `prj_…` */
  readonly project: string;
  /** `mor_…` or `gfr_…` */
  readonly order: string;
  readonly report: OrderReport;
}

/** What became of `recordReport`. */
export type ReportRecording =
  | { readonly kind: 'recorded'; readonly order: SeenOrder }
  | { readonly kind: 'order_not_found' }
  /** Its status does not permit it; nothing was written. */
  | { readonly kind: 'not_in_this_status'; readonly status: string };

/** Records that an order was handed over, or what the partner said or did. */
export function recordReport(
  dependencies: OperatorDependencies,
  { project, order, report }: ReportInput,
): Promise<ReportRecording | Refusal> {
  return inProject<ReportRecording>(dependencies, project, async (transaction, projectId) => {
    const kind = order.startsWith('mor_') ? 'mor' : 'gfr';
    const id = parseId(kind, order);
    const read = async (): Promise<{ subscriptionId: string; shown: SeenOrder } | undefined> => {
      if (id === null) return undefined;
      if (kind === 'mor') {
        const row = await readMeterOrder(transaction, projectId, id);
        return row && { subscriptionId: row.subscription_id, shown: seen(presentMeterOrder(row)) };
      }
      const row = await readReduction(transaction, projectId, id);
      return row && { subscriptionId: row.subscription_id, shown: seen(presentReduction(row)) };
    };
    const known = await read();
    if (id === null || known === undefined) return { kind: 'order_not_found' };
    const taken = await onSubscription<{ readonly kind: 'taken'; readonly outcome: 'done' | 'refused' }>(
      dependencies,
      transaction,
      projectId,
      known.subscriptionId,
      { operation: 'market order', resource: order },
      async ({ life, now, tools }) => ({
        kind: 'taken',
        outcome: takeOrderStep(life, { type: 'reported', id, report }, now, tools, OPERATOR),
      }),
    );
    if (taken.kind !== 'taken') return taken;
    const { shown } = (await read()) ?? known;
    if (taken.outcome === 'done') return { kind: 'recorded', order: shown };
    return { kind: 'not_in_this_status', status: String(shown['status']) };
  });
}

function seen(text: string): SeenOrder {
  return JSON.parse(text) as SeenOrder;
}
