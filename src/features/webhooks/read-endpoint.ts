import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import type { CountBacklogs } from './backlogs.ts';
import { presentWebhookEndpoint, webhookEndpointTag } from './present.ts';
import { listWebhookEndpoints, readWebhookEndpoint } from './store.ts';

/** What reading endpoints needs. */
export interface ReadEndpointDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly pager: Pager;
  readonly countBacklogs: CountBacklogs;
}

/** `GET /webhook-endpoints/{id}` */
export async function handleReadWebhookEndpoint(
  { database, clock, countBacklogs }: ReadEndpointDependencies,
  request: Request,
): Promise<Answer> {
  const { projectId } = request.caller;
  const row = await named(request, 'whe', (id) => readWebhookEndpoint(database, projectId, id));
  const backlog = (await countBacklogs(projectId, [row.id])).get(row.id) ?? 0;
  const body = presentWebhookEndpoint(row, { backlog, now: clock.now() });
  return { status: 200, body, headers: { etag: webhookEndpointTag(row, body) } };
}

/** `GET /webhook-endpoints` */
export async function handleListWebhookEndpoints(
  { database, clock, pager, countBacklogs }: ReadEndpointDependencies,
  { caller, query }: Request,
): Promise<Answer> {
  const after = pager.position(caller, 'webhook-endpoints', query);
  const rows = await listWebhookEndpoints(database, caller.projectId, after, query.limit + 1);
  const page = pager.page(caller, 'webhook-endpoints', query, rows, ({ id }) => id);
  const ids = page.rows.map(({ id }) => id);
  const backlogs = await countBacklogs(caller.projectId, ids);
  const now = clock.now();
  const items = page.rows.map((row) => presentWebhookEndpoint(row, { backlog: backlogs.get(row.id) ?? 0, now }));
  return { status: 200, body: listBody(items, page.next) };
}
