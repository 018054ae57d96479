import type { OrdersInput } from '#domain/orders/state.ts';
import type { Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named, requireMatch } from '#platform/http/named.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { notFound, Problem } from '#platform/http/problems.ts';
import { marketProblems } from '../../problems.ts';
import { changeLife, changeOnce, type Change, type ChangeDependencies } from '../supply/change.ts';
import { takeOrderStep, type Cause } from '../supply/life.ts';
import { toldBy } from '../supply/load.ts';
import { presentMeterOrder, presentReduction, type MeterOrderRow, type ReductionRow } from './present.ts';
import { readMeterOrder, readReduction } from './store.ts';

/**
 * Runs a request that changes the orders of one subscription, in one commit.
 * @param subscription as the body names it; absent: the path names an order
 * @throws Problem
 */
export function handleOrders(
  dependencies: ChangeDependencies,
  request: Request,
  work: (
    transaction: Transaction,
    inLife: <Result>(
      subscriptionId: string,
      change: (change: Change, cause: Cause) => Promise<Result>,
    ) => Promise<Result | undefined>,
  ) => Promise<Answer>,
  subscription?: string,
): Promise<Answer> {
  const { projectId, credentialId } = request.caller;
  const cause: Cause = { requestId: request.id, credentialId };
  const effect = (transaction: Transaction, told: string[]): Promise<Answer> =>
    work(transaction, (subscriptionId, change) =>
      changeLife(dependencies, transaction, projectId, subscriptionId, async (found) => {
        const result = await change(found, cause);
        told.push(...toldBy(found.life));
        return result;
      }),
    );
  return changeOnce(dependencies, request, { effect, resource: subscription });
}

/** One kind of order, as far as acting on one needs it. */
interface Kind<Row> {
  readonly prefix: 'mor' | 'gfr';
  readonly read: (transaction: Transaction, projectId: string, id: string) => Promise<Row | undefined>;
  readonly present: (row: Row) => string;
}

const meterOrders: Kind<MeterOrderRow> = { prefix: 'mor', read: readMeterOrder, present: presentMeterOrder };
const reductions: Kind<ReductionRow> = { prefix: 'gfr', read: readReduction, present: presentReduction };

/** `POST /meter-orders/{id}/cancel` */
export function handleCancelMeterOrder(dependencies: ChangeDependencies, request: Request): Promise<Answer> {
  return act(dependencies, request, meterOrders, (id) => ({ type: 'cancel_asked', id }));
}

/** `POST /grid-fee-reductions/{id}/end` */
export function handleEndReduction(dependencies: ChangeDependencies, request: Request): Promise<Answer> {
  return act(dependencies, request, reductions, (id) => ({ type: 'end_asked', id }));
}

/** Brings the order up to the project's present, does what is asked, and answers it as it stands then. */
function act<Row extends { readonly id: string; readonly subscription_id: string }>(
  dependencies: ChangeDependencies,
  request: Request,
  { prefix, read, present }: Kind<Row>,
  inputOf: (id: string) => OrdersInput,
): Promise<Answer> {
  const { projectId } = request.caller;
  return handleOrders(dependencies, request, async (transaction, inLife) => {
    const known = await named(request, prefix, (asked) => read(transaction, projectId, asked));
    const { id } = known;
    await inLife(known.subscription_id, async ({ life, now, tools }, cause) => {
      const stored = (await read(transaction, projectId, id)) ?? known;
      // As everybody is shown it, whatever is due and has just happened.
      requireMatch(request, entityTag(present(stored)));
      if (takeOrderStep(life, inputOf(id), now, tools, cause) === 'refused') {
        throw new Problem(marketProblems.not_in_this_status);
      }
    });
    const row = await read(transaction, projectId, id);
    if (row === undefined) throw notFound();
    const body = present(row);
    return { status: 200, body, headers: { etag: entityTag(body) } };
  });
}
