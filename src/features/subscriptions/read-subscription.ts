import { parseId } from '#domain/identifiers.ts';
import type { Answer, Condition, Request } from '#platform/http/contract.ts';
import { listBody } from '#platform/http/paging.ts';
import { invalid, notFound, type FieldError } from '#platform/http/problems.ts';
import { queryErrors } from '#platform/http/query.ts';
import type { SubscriptionDependencies } from './dependencies.ts';
import { expandStored } from './expand.ts';
import { presentSubscription, subscriptionTag } from './present.ts';
import { isInstant } from '#platform/clock.ts';
import { readAsOf } from './timeline-store.ts';
import type { AskedPage, FoundPage } from './list-pages-store.ts';
import { listNewest, listSubscriptions } from './list-store.ts';

type Dependencies = Pick<SubscriptionDependencies, 'database' | 'keys' | 'pager' | 'feedCursors' | 'reader' | 'pages'>;

/** `GET /subscriptions/{id}` */
export async function handleReadSubscription(
  { database, keys, reader }: Pick<Dependencies, 'database' | 'keys' | 'reader'>,
  request: Request,
): Promise<Answer> {
  const { caller, query } = request;
  const id = parseId('sub', request.parameters['id'] ?? '');
  const asOf = query.values['as_of'];
  if (asOf !== undefined) return readAsItStood(database, request, id, asOf);
  if (request.errors.length > 0) throw invalid(request.errors);
  const found = id === null ? undefined : await reader.read(caller.projectId, id);
  if (found === undefined) throw notFound();
  const { row, body, tag } = found;
  if (query.expand.size === 0) return { status: 200, body, headers: { etag: tag } };
  const expanded = presentSubscription(row, await expandStored(database, keys, caller, query.expand, [row]));
  return { status: 200, body: expanded, headers: { etag: subscriptionTag(row.event_sequence, body, expanded) } };
}

/** @throws Problem not_found when it did not exist at that instant */
async function readAsItStood(
  database: SubscriptionDependencies['database'],
  { caller, query, errors: refused }: Request,
  id: string | null,
  asOf: string,
): Promise<Answer> {
  const refuse = (field: string, message: string): FieldError => ({ field, code: 'invalid_parameter', message });
  const errors = queryErrors(refused, [
    ...(isInstant(asOf) ? [] : [refuse('?as_of', 'must be an instant YYYY-MM-DDThh:mm:ssZ')]),
    // What the parts were then is not kept.
    ...(query.expand.size > 0 ? [refuse('?expand[]', 'does not go with as_of')] : []),
  ]);
  if (errors.length > 0) throw invalid(errors);
  const found = id === null ? undefined : await readAsOf(database, caller.projectId, id, asOf);
  if (found === undefined) throw notFound();
  const { subscription: body, sequence } = found;
  return { status: 200, body, headers: { etag: subscriptionTag(sequence, body) } };
}

/** `GET /subscriptions` */
export async function handleListSubscriptions(dependencies: Dependencies, { caller, query }: Request): Promise<Answer> {
  const { database, keys, pager, feedCursors } = dependencies;
  const after = pager.position(caller, 'subscriptions', query);
  const asked = { projectId: caller.projectId, after, limit: query.limit + 1 };
  const { rows, feed } = await readPage(dependencies, asked, query.filters);
  const page = pager.page(caller, 'subscriptions', query, rows, ({ id }) => id);
  const expansions = await expandStored(database, keys, caller, query.expand, page.rows);
  const items = page.rows.map((row) => presentSubscription(row, expansions));
  const headers = feed === null ? {} : { 'x-event-cursor': feedCursors.format(caller.projectId, feed) };
  return { status: 200, body: listBody(items, page.next), headers };
}

/** Of all subscriptions with others that are asked for at the same time; of some of them, with a search of its own. */
async function readPage(
  { database, pages }: Pick<Dependencies, 'database' | 'pages'>,
  asked: AskedPage,
  filters: readonly Condition[],
): Promise<FoundPage> {
  const { projectId, after, limit } = asked;
  if (filters.length === 0) return pages.submit(asked);
  if (after === null) return listNewest(database, projectId, filters, limit);
  return { rows: await listSubscriptions(database, projectId, filters, after, limit), feed: null };
}
