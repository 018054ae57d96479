import { parseId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { notFound } from '#platform/http/problems.ts';
import { presentMeterOrder, presentReduction } from './present.ts';
import { listMeterOrders, listReductions, readMeterOrder, readReduction } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly pager: Pager;
}

/** `GET /meter-orders/{id}` */
export async function handleReadMeterOrder({ database }: Dependencies, request: Request): Promise<Answer> {
  const id = parseId('mor', request.parameters['id'] ?? '');
  const row = id === null ? undefined : await readMeterOrder(database, request.caller.projectId, id);
  if (row === undefined) throw notFound();
  return answerWith(presentMeterOrder(row));
}

/** `GET /grid-fee-reductions/{id}` */
export async function handleReadReduction({ database }: Dependencies, request: Request): Promise<Answer> {
  const id = parseId('gfr', request.parameters['id'] ?? '');
  const row = id === null ? undefined : await readReduction(database, request.caller.projectId, id);
  if (row === undefined) throw notFound();
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
  const rows = await listMeterOrders(database, caller.projectId, query.filters, after, query.limit + 1);
  const page = pager.page(caller, 'meter-orders', query, rows, ({ id }) => id);
  return { status: 200, body: listBody(page.rows.map(presentMeterOrder), page.next) };
}

/** `GET /grid-fee-reductions` */
export async function handleListReductions(
  { database, pager }: Dependencies,
  { caller, query }: Request,
): Promise<Answer> {
  const after = pager.position(caller, 'grid-fee-reductions', query);
  const rows = await listReductions(database, caller.projectId, query.filters, after, query.limit + 1);
  const page = pager.page(caller, 'grid-fee-reductions', query, rows, ({ id }) => id);
  return { status: 200, body: listBody(page.rows.map(presentReduction), page.next) };
}
