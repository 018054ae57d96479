import type { Keys } from '#platform/crypto.ts';
import type { Caller, Query } from './contract.ts';
import { INVALID_CURSOR, openCursor, sealCursor } from './cursor.ts';
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

/** @param keys sign the cursors, so that one that was altered or moved to another list is refused */
export function createPager(keys: Keys): Pager {
  const placeOf = ({ projectId }: Caller, list: string, { filters, values }: Query): readonly unknown[] => [
    projectId,
    list,
    filters.map((filter) => JSON.stringify(filter)).sort(),
    values,
  ];
  return {
    position(caller, list, query) {
      if (query.cursor === undefined) return null;
      const position = openCursor(keys, placeOf(caller, list, query), query.cursor);
      if (position === null) throw invalid([INVALID_CURSOR]);
      return position;
    },
    page(caller, list, query, rows, positionOf) {
      const kept = rows.slice(0, query.limit);
      const last = kept.at(-1);
      if (rows.length <= query.limit || last === undefined) return { rows: kept, next: null };
      return { rows: kept, next: sealCursor(keys, placeOf(caller, list, query), positionOf(last)) };
    },
  };
}

/** The body of a list; `items` are JSON texts. */
export function listBody(items: readonly string[], next: string | null): string {
  return `{"object":"list","items":[${items.join(',')}],"has_more":${next !== null},"next_page":${JSON.stringify(next)}}`;
}
