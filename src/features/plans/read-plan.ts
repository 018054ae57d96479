import { parseId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { notFound } from '#platform/http/problems.ts';
import { planTag, presentPlan } from './present.ts';
import { listPlans, readPlans } from './store.ts';

/** `GET /plans/{id}` */
export async function handleReadPlan({ database }: { database: Database }, request: Request): Promise<Answer> {
  const id = parseId('pln', request.parameters['id'] ?? '');
  const [plan] = id === null ? [] : await readPlans(database, request.caller.projectId, [id]);
  if (plan === undefined) throw notFound();
  const body = presentPlan(plan);
  return { status: 200, body, headers: { etag: planTag(plan, body) } };
}

/** `GET /plans` */
export async function handleListPlans(
  { database, pager }: { database: Database; pager: Pager },
  { caller, query }: Request,
): Promise<Answer> {
  const after = pager.position(caller, 'plans', query);
  const rows = await listPlans(database, caller.projectId, query.filters, after, query.limit + 1);
  const page = pager.page(caller, 'plans', query, rows, ({ id }) => id);
  return { status: 200, body: listBody(page.rows.map(presentPlan), page.next) };
}
