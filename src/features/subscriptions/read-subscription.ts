import { parseId } from '#domain/identifiers.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { listBody } from '#platform/http/paging.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { notFound } from '#platform/http/problems.ts';
import type { SubscriptionDependencies } from './dependencies.ts';
import { expandStored } from './expand.ts';
import { presentSubscription } from './present.ts';
import { listSubscriptions, readSubscription } from './store.ts';

type Dependencies = Pick<SubscriptionDependencies, 'database' | 'keys' | 'pager'>;

/** `GET /subscriptions/{id}` */
export async function handleReadSubscription({ database, keys }: Dependencies, request: Request): Promise<Answer> {
  const { caller, query } = request;
  const id = parseId('sub', request.parameters['id'] ?? '');
  const row = id === null ? undefined : await readSubscription(database, caller.projectId, id);
  if (row === undefined) throw notFound();
  const own = presentSubscription(row);
  if (query.expand.size === 0) return { status: 200, body: own, headers: { etag: entityTag(own) } };
  const shown = presentSubscription(row, await expandStored(database, keys, caller, query.expand, [row]));
  return { status: 200, body: shown, headers: { etag: entityTag(own, shown) } };
}

/** `GET /subscriptions` */
export async function handleListSubscriptions(
  { database, keys, pager }: Dependencies,
  { caller, query }: Request,
): Promise<Answer> {
  const after = pager.position(caller, 'subscriptions', query);
  const rows = await listSubscriptions(database, caller.projectId, query.filters, after, query.limit + 1);
  const page = pager.page(caller, 'subscriptions', query, rows, ({ id }) => id);
  const expansions = await expandStored(database, keys, caller, query.expand, page.rows);
  const items = page.rows.map((row) => presentSubscription(row, expansions));
  return { status: 200, body: listBody(items, page.next) };
}
