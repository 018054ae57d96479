import { formatId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Condition, Request } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { searchOf } from '#platform/http/search.ts';
import {
  customerTag,
  presentCustomer,
  readCustomers,
  type CustomerRow,
  type VersionedCustomer,
} from '../subscriptions/index.ts';
import { foldForSearch, searchCustomers, type Word } from './search-store.ts';
import { hasAny, listCustomers, readChanges, type ChangeRow, type Listing } from './store.ts';

/** What reading customers needs. */
export interface ReadDependencies {
  readonly database: Database;
  readonly pager: Pager;
}

/** What follows so many words is not looked at. */
const MAX_WORDS = 8;
/** A shorter text has no trigram of its own, and is looked for at the beginning of words only. */
const INFIX_CHARACTERS = 3;
/** With fewer letters after its `e`, a word stands by chance in very many names. */
const LEAST_HIDDEN = 4;

/** The customer that a request names. @throws Problem not_found */
export async function namedCustomer(database: Pick<Database, 'query'>, request: Request): Promise<VersionedCustomer> {
  const { projectId } = request.caller;
  return named(request, 'cus', async (id) => (await readCustomers(database, projectId, [id]))[0]);
}

/** `GET /customers/{id}` */
export async function handleReadCustomer({ database }: ReadDependencies, request: Request): Promise<Answer> {
  const customer = await namedCustomer(database, request);
  const body = presentCustomer(customer);
  return { status: 200, body, headers: { etag: customerTag(customer, body) } };
}

/** Marks positions among those who have an e-mail address. */
const BY_ADDRESS = '@';

/**
 * `GET /customers`, searched by a whole e-mail address where somebody has it: its words are in very many others. What the
 * first page was searched by holds for those after it, also when somebody has got or lost the address meanwhile.
 */
export async function handleListCustomers({ database, pager }: ReadDependencies, request: Request): Promise<Answer> {
  const { caller, query } = request;
  const { projectId } = caller;
  const text = searchOf(request);
  const position = pager.position(caller, 'customers', query);
  const address: Condition = { field: 'email', operator: 'eq', values: [text?.trim() ?? ''] };
  const isByAddress =
    position === null
      ? text?.includes('@') === true && (await hasAny(database, projectId, address))
      : position.startsWith(BY_ADDRESS);
  const mark = isByAddress ? BY_ADDRESS : '';
  const listing = {
    conditions: isByAddress ? [...query.filters, address] : query.filters,
    after: position?.slice(mark.length) ?? null,
    limit: query.limit + 1,
  };
  const rows =
    text === undefined || isByAddress
      ? await listCustomers(database, projectId, listing)
      : await searchByWords(text, database, projectId, listing);
  const page = pager.page(caller, 'customers', query, rows, ({ id }) => `${mark}${id}`);
  return { status: 200, body: listBody(page.rows.map(presentCustomer), page.next) };
}

async function searchByWords(
  text: string,
  database: Database,
  projectId: string,
  listing: Listing,
): Promise<CustomerRow[]> {
  const words = wordsOf(await foldForSearch(database, text));
  // Only punctuation was typed: no name holds it.
  return words.length === 0 ? [] : searchCustomers(database, projectId, { ...listing, words });
}

/** The words of a folded search; folded texts hold letters, digits and blanks only. */
function wordsOf(folded: string): Word[] {
  const words = new Set(folded.split(' ').filter((word) => word !== ''));
  return [...words].slice(0, MAX_WORDS).map(wordOf);
}

function wordOf(word: string): Word {
  if (Array.from(word).length < INFIX_CHARACTERS) return { pattern: `% ${word}%`, swallowed: null };
  const rest = word.replace(/^e+/, '');
  const isHidden = rest !== word && rest.length >= LEAST_HIDDEN;
  const folded = ['a', 'o', 'u'].map((vowel) => `%${vowel}${rest}%`);
  return { pattern: `%${word}%`, swallowed: isHidden ? { folded, literal: `%${word}%` } : null };
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
