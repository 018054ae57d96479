import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { presentMeterOrder, presentReduction } from './present.ts';
import { listMeterOrders, listReductions, readMeterOrder, readReduction } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly pager: Pager;
}

/** `GET /meter-orders/{id}` */
export async function handleReadMeterOrder({ database }: Dependencies, request: Request): Promise<Answer> {
  const row = await named(request, 'mor', (id) => readMeterOrder(database, request.caller.projectId, id));
  return answerWith(presentMeterOrder(row));
}

/** `GET /grid-fee-reductions/{id}` */
export async function handleReadReduction({ database }: Dependencies, request: Request): Promise<Answer> {
  const row = await named(request, 'gfr', (id) => readReduction(database, request.caller.projectId, id));
  return answerWith(presentReduction(row));
}

function answerWith(body: string): Answer {
  return { status: 200, body, headers: { etag: entityTag(body) } };
}

/** `GET /meter-orders` */
export async function handleListMeterOrders(
  { database, pager }: Dependencies,
  { caller, query }: Request,
): Promise<Answer> {
  const after = pager.position(caller, 'meter-orders', query);
  const rows = await listMeterOrders(database, caller.projectId, {
    conditions: query.filters,
    after,
    limit: query.limit + 1,
  });
  const page = pager.page(caller, 'meter-orders', query, rows, ({ id }) => id);
  return { status: 200, body: listBody(page.rows.map(presentMeterOrder), page.next) };
}

/** `GET /grid-fee-reductions` */
export async function handleListReductions(
  { database, pager }: Dependencies,
  { caller, query }: Request,
): Promise<Answer> {
  const after = pager.position(caller, 'grid-fee-reductions', query);
  const rows = await listReductions(database, caller.projectId, {
    conditions: query.filters,
    after,
    limit: query.limit + 1,
  });
  const page = pager.page(caller, 'grid-fee-reductions', query, rows, ({ id }) => id);
  return { status: 200, body: listBody(page.rows.map(presentReduction), page.next) };
}
