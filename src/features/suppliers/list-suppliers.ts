import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { listBody, type Pager } from '#platform/http/paging.ts';
import { searchOf } from '#platform/http/search.ts';
import { readSearch, type Search } from '#domain/supplier-name.ts';
import { presentSupplier } from './present.ts';
import {
  inSearchSession,
  pageSuppliers,
  searchLiterally,
  searchPartially,
  searchSimilar,
  type FoundSupplier,
  type SearchPosition,
} from './store.ts';

/** Literal matches score at least this much, similar ones less. */
const LOWEST_LITERAL_SCORE = 1000;
/** Similar matches score at least this much, partial ones less. */
const LOWEST_SIMILAR_SCORE = 400;

interface ListDependencies {
  readonly database: Database;
  readonly pager: Pager;
}

/** `GET /suppliers` */
export async function handleListSuppliers({ database, pager }: ListDependencies, request: Request): Promise<Answer> {
  const { caller, query } = request;
  const text = searchOf(request);
  const position = pager.position(caller, 'suppliers', query);
  if (text === undefined) {
    const rows = await pageSuppliers(database, caller.mode, position, query.limit + 1);
    const page = pager.page(caller, 'suppliers', query, rows, ({ id }) => id);
    return { status: 200, body: listBody(page.rows.map(presentSupplier), page.next) };
  }
  const after = position === null ? null : parsePosition(position);
  const rows = await findSuppliers(database, caller.mode, readSearch(text), after, query.limit + 1);
  const page = pager.page(caller, 'suppliers', query, rows, formatPosition);
  return { status: 200, body: listBody(page.rows.map(presentSupplier), page.next) };
}

/**
 * The best fits after a position. Similar names are looked for only where the literal fits do not fill the page: typing
 * a name correctly costs one statement. Names without one of the words are found only where there is nothing else.
 */
function findSuppliers(
  database: Database,
  mode: 'live' | 'sandbox',
  search: Search | null,
  after: SearchPosition | null,
  limit: number,
): Promise<FoundSupplier[]> {
  // Only punctuation was typed: no name holds it.
  if (search === null) return Promise.resolve([]);
  return inSearchSession(database, async (session) => {
    if (after !== null && after.score < LOWEST_SIMILAR_SCORE) {
      return searchPartially(session, mode, search, after, limit);
    }
    const literal =
      after === null || after.score >= LOWEST_LITERAL_SCORE
        ? await searchLiterally(session, mode, search, after, limit)
        : [];
    if (literal.length === limit) return literal;
    const similar = await searchSimilar(session, mode, search, after, limit - literal.length);
    const isFound = after !== null || literal.length + similar.length > 0;
    return isFound ? [...literal, ...similar] : searchPartially(session, mode, search, after, limit);
  });
}

function formatPosition({ score, search_name: name, id }: FoundSupplier): string {
  return JSON.stringify([score, name, id]);
}

/** The pager has sealed it, so it is what `formatPosition` wrote. */
function parsePosition(text: string): SearchPosition {
  const [score, name, id] = JSON.parse(text) as [number, string, string];
  return { score, name, id };
}
