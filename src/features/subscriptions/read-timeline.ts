import { formatId } from '#domain/identifiers.ts';
import { MESSAGE_TYPES, type MessageKind } from '#domain/market/messages.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Queryable } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { encodeJson, RawJson } from '#platform/http/json.ts';
import { named } from '#platform/http/named.ts';
import { listBody } from '#platform/http/paging.ts';
import { readReasons } from '../audit-log/index.ts';
import type { SubscriptionDependencies } from './dependencies.ts';
import type { SubscriptionRow } from './present.ts';
import { readSubscription } from './store.ts';
import { readTimeline, type TimelinePosition, type TimelineRow } from './timeline-store.ts';

/** How many entries are in memory at a time where all are read; each may hold twice the largest metadata. */
const PORTION = 50;

/** `GET /subscriptions/{id}/timeline` */
export async function handleReadTimeline(
  { database, keys, pager }: Pick<SubscriptionDependencies, 'database' | 'keys' | 'pager'>,
  request: Request,
): Promise<Answer> {
  const { caller, query } = request;
  const subscription = await named(request, 'sub', (asked) => readSubscription(database, caller.projectId, asked));
  const { id } = subscription;
  const list = `timeline/${id}`;
  const after = parsePosition(pager.position(caller, list, query));
  const rows = await readTimeline(database, caller.projectId, id, after, query.limit + 1);
  const page = pager.page(caller, list, query, rows, (row) => `${row.revision}/${row.rank}/${row.id}`);
  const reasons = await reasonsOf(database, keys, caller.projectId, subscription, page.rows);
  return {
    status: 200,
    body: listBody(
      page.rows.map((row) => presentEntry(row, reasons)),
      page.next,
    ),
  };
}

type Owner = Pick<SubscriptionRow, 'id' | 'customer_id'>;

/** The reasons of the requests that these entries tell of, by their ids. */
function reasonsOf(
  queryable: Queryable,
  keys: Keys,
  projectId: string,
  { id, customer_id: customerId }: Owner,
  rows: readonly TimelineRow[],
): Promise<Reasons> {
  const requests = rows.map(({ request_id: request }) => request);
  return readReasons(queryable, keys, projectId, [formatId('sub', id), formatId('cus', customerId)], requests);
}

type Reasons = Awaited<ReturnType<typeof readReasons>>;

/**
 * The whole timeline of a subscription, oldest first, as JSON texts in portions.
 * @param until the revision that it goes up to
 */
export async function* readWholeTimeline(
  queryable: Queryable,
  keys: Keys,
  projectId: string,
  subscription: Owner,
  until: number,
): AsyncGenerator<readonly string[], void, undefined> {
  for (let after: TimelinePosition | null = null; ;) {
    const rows: readonly TimelineRow[] = await readTimeline(queryable, projectId, subscription.id, after, PORTION);
    const wanted = rows.filter(({ revision }) => revision <= until);
    const reasons = await reasonsOf(queryable, keys, projectId, subscription, wanted);
    yield wanted.map((row) => presentEntry(row, reasons));
    if (wanted.length < PORTION) return;
    after = rows.at(-1) ?? null;
  }
}

function parsePosition(text: string | null): TimelinePosition | null {
  if (text === null) return null;
  const [revision = '', rank = '', id = ''] = text.split('/');
  return { revision: Number(revision), rank: Number(rank), id };
}

function presentEntry(row: TimelineRow, reasons: Reasons): string {
  const details = JSON.parse(row.details) as Record<string, unknown>;
  return encodeJson({
    object: 'timeline_entry',
    type: row.type,
    timestamp: row.occurred_at,
    revision: row.revision,
    actor: {
      type: row.caused_by ?? 'service',
      credential: row.credential_id === null ? null : formatId('crd', row.credential_id),
    },
    request_id: row.request_id,
    reason: reasons.get(row.request_id) ?? null,
    transition: row.type === 'transition' ? details : null,
    event: row.type === 'event' ? presentEvent(row, details) : null,
    message: row.type === 'message' ? presentMessage(row.id, details) : null,
  });
}

function presentEvent(
  { id, previous_attributes: previous }: TimelineRow,
  { type, sequence, ...rest }: Record<string, unknown>,
): Record<string, unknown> {
  const attributes = previous === null ? null : new RawJson(previous);
  return { id: formatId('evt', id), type, sequence, previous_attributes: attributes, ...rest };
}

function presentMessage(id: string, details: Record<string, unknown>): Record<string, unknown> {
  const kind = details['kind'] as MessageKind;
  const { germanName, format } = MESSAGE_TYPES[kind];
  return { id: formatId('msg', id), format, name: germanName, ...details };
}
