import { equalDigests, type Keys } from '#platform/crypto.ts';
import type { Caller, Query } from './contract.ts';
import { invalid } from './problems.ts';

/** A page of rows and whether more follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Makes and reads cursors: the place after the last row, sealed with the list, its project and its filters. */
export interface Pager {
  /** The position a cursor stands for, `null` at the beginning. @throws Problem invalid_cursor */
  position(caller: Caller, list: string, query: Query): string | null;
  /** Cuts `rows`, read with one more than the limit, to a page. */
  page<Row>(
    caller: Caller,
    list: string,
    query: Query,
    rows: readonly Row[],
    positionOf: (row: Row) => string,
  ): Page<Row>;
}

const SEAL_BYTES = 16;

/** @param keys sign the cursors, so that one that was altered or moved to another list is refused */
export function createPager(keys: Keys): Pager {
  const seal = (caller: Caller, list: string, query: Query, position: string): Buffer => {
    const filters = query.filters.map((filter) => JSON.stringify(filter)).sort();
    return keys.sign(JSON.stringify([caller.projectId, list, filters, query.values, position]));
  };
  return {
    position(caller, list, query) {
      if (query.cursor === undefined) return null;
      const bytes = Buffer.from(query.cursor, 'base64url');
      const position = bytes.subarray(SEAL_BYTES).toString('utf8');
      const genuine =
        bytes.length > SEAL_BYTES &&
        bytes.toString('base64url') === query.cursor &&
        equalDigests(seal(caller, list, query, position), bytes.subarray(0, SEAL_BYTES));
      if (!genuine) {
        throw invalid([
          { field: '?cursor', code: 'invalid_cursor', message: 'is not a cursor of this list and filters' },
        ]);
      }
      return position;
    },
    page(caller, list, query, rows, positionOf) {
      const kept = rows.slice(0, query.limit);
      const last = kept.at(-1);
      if (rows.length <= query.limit || last === undefined) return { rows: kept, next: null };
      const position = positionOf(last);
      const next = Buffer.concat([seal(caller, list, query, position), Buffer.from(position)]).toString('base64url');
      return { rows: kept, next };
    },
  };
}

/** The body of a list; `items` are JSON texts. */
export function listBody(items: readonly string[], next: string | null): string {
  return `{"object":"list","items":[${items.join(',')}],"has_more":${next !== null},"next_page":${JSON.stringify(next)}}`;
}
