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

/** `GET /customers` */
export async function handleListCustomers({ database, pager }: ReadDependencies, request: Request): Promise<Answer> {
  const { caller, query } = request;
  const { projectId } = caller;
  const text = searchOf(request);
  const position = pager.position(caller, 'customers', query);
  const search = await searchFor(text, database, projectId, position);
  const after = position === null ? null : position.slice(search.mark.length);
  const rows = await search.list({ conditions: query.filters, after, limit: query.limit + 1 });
  const page = pager.page(caller, 'customers', query, rows, ({ id }) => `${search.mark}${id}`);
  return { status: 200, body: listBody(page.rows.map(presentCustomer), page.next) };
}

/** How customers are looked for, on all pages alike. */
interface Search {
  /** What positions in such a list begin with. */
  readonly mark: string;
  readonly list: (listing: Listing) => Promise<CustomerRow[]>;
}

/** Marks positions among those who have an e-mail address. */
const BY_ADDRESS = '@';

/**
 * By a whole e-mail address where somebody has it: its words are in very many others. By words else. What the first page
 * was listed by holds for those after it, also when somebody has come or gone meanwhile.
 */
async function searchFor(
  text: string | undefined,
  database: Database,
  projectId: string,
  position: string | null,
): Promise<Search> {
  if (text === undefined) return { mark: '', list: (listing) => listCustomers(database, projectId, listing) };
  const whole: Condition = { field: 'email', operator: 'eq', values: [text.trim()] };
  const isByAddress =
    position === null
      ? text.includes('@') && (await hasAny(database, projectId, whole))
      : position.startsWith(BY_ADDRESS);
  if (isByAddress) {
    const list = (listing: Listing): Promise<CustomerRow[]> =>
      listCustomers(database, projectId, { ...listing, conditions: [...listing.conditions, whole] });
    return { mark: BY_ADDRESS, list };
  }
  const words = wordsOf(await foldForSearch(database, text));
  // Only punctuation was typed: no name holds it.
  if (words.length === 0) return { mark: '', list: () => Promise.resolve([]) };
  return { mark: '', list: (listing) => searchCustomers(database, projectId, { ...listing, words }) };
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
