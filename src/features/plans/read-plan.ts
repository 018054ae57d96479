import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { planTag, presentPlan } from './present.ts';
import { listPlans, readPlans } from './store.ts';

/** `GET /plans/{id}` */
export async function handleReadPlan({ database }: { database: Database }, request: Request): Promise<Answer> {
  const { projectId } = request.caller;
  const plan = await named(request, 'pln', async (id) => (await readPlans(database, projectId, [id]))[0]);
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
