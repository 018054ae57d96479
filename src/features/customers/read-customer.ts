import { formatId, parseId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { invalid, notFound } from '#platform/http/problems.ts';
import { customerTag, presentCustomer, readCustomers, type VersionedCustomer } from '../subscriptions/index.ts';
import { beginSearch, listCustomers, readChanges, type ChangeRow } from './store.ts';

/** What reading customers needs. */
export interface ReadDependencies {
  readonly database: Database;
  readonly pager: Pager;
}

/** A search has at most this many characters. */
export const MAX_SEARCH_CHARACTERS = 100;

/** What follows so many words is not looked at. */
const MAX_WORDS = 8;
/** A shorter text has no trigram of its own, and is looked for at the beginning of words only. */
const INFIX_CHARACTERS = 3;

/** The customer that a request names. @throws Problem not_found */
export async function namedCustomer(database: Pick<Database, 'query'>, request: Request): Promise<VersionedCustomer> {
  const id = parseId('cus', request.parameters['id'] ?? '');
  const [row] = id === null ? [] : await readCustomers(database, request.caller.projectId, [id]);
  if (row === undefined) throw notFound();
  return row;
}

/** `GET /customers/{id}` */
export async function handleReadCustomer({ database }: ReadDependencies, request: Request): Promise<Answer> {
  const customer = await namedCustomer(database, request);
  const body = presentCustomer(customer);
  return { status: 200, body, headers: { etag: customerTag(customer, body) } };
}

/** `GET /customers` */
export async function handleListCustomers({ database, pager }: ReadDependencies, request: Request): Promise<Answer> {
  const { caller, query } = request;
  const { projectId } = caller;
  const after = pager.position(caller, 'customers', query);
  const listing = { conditions: query.filters, patterns: [], after, limit: query.limit + 1 };
  const text = query.values['search'];
  const rows =
    text === undefined
      ? await listCustomers(database, projectId, listing)
      : await database.transaction(async (transaction) => {
          const patterns = patternsOf(await beginSearch(transaction, checked(text)));
          // Only punctuation was typed: no name holds it.
          return patterns.length === 0 ? [] : listCustomers(transaction, projectId, { ...listing, patterns });
        });
  const page = pager.page(caller, 'customers', query, rows, ({ id }) => id);
  return { status: 200, body: listBody(page.rows.map(presentCustomer), page.next) };
}

/** @throws Problem when a search is too long or empty */
function checked(text: string): string {
  const length = Array.from(text).length;
  if (length >= 1 && length <= MAX_SEARCH_CHARACTERS) return text;
  const message = `must have 1 to ${MAX_SEARCH_CHARACTERS} characters`;
  throw invalid([{ field: '?search', code: 'invalid_parameter', message }]);
}

/** A pattern for each word of a folded search; folded texts hold letters, digits and blanks only. */
function patternsOf(folded: string): string[] {
  const words = new Set(folded.split(' ').filter((word) => word !== ''));
  return [...words]
    .slice(0, MAX_WORDS)
    .map((word) => (Array.from(word).length < INFIX_CHARACTERS ? `% ${word}%` : `%${word}%`));
}

/** A change as JSON text. */
export function presentChange(row: ChangeRow): string {
  return JSON.stringify({
    object: 'customer_timeline_entry',
    sequence: row.sequence,
    type: row.type,
    timestamp: row.occurred_at,
    actor: {
      type: row.credential_id === null ? 'operator' : 'api',
      credential: row.credential_id === null ? null : formatId('crd', row.credential_id),
    },
    request_id: row.request_id,
    fields: row.fields,
    previous_attributes: JSON.parse(row.previous) as unknown,
  });
}

/** `GET /customers/{id}/timeline` */
export async function handleReadCustomerTimeline(
  { database, pager }: ReadDependencies,
  request: Request,
): Promise<Answer> {
  const { caller, query } = request;
  const { id } = await namedCustomer(database, request);
  const list = `customer-timeline/${id}`;
  const after = Number(pager.position(caller, list, query) ?? '0');
  const rows = await readChanges(database, caller.projectId, id, after, query.limit + 1);
  const page = pager.page(caller, list, query, rows, ({ sequence }) => String(sequence));
  return { status: 200, body: listBody(page.rows.map(presentChange), page.next) };
}
