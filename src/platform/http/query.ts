import type { Condition, Query, RouteContract } from './contract.ts';
import { canBeCursor, INVALID_CURSOR } from './cursor.ts';
import { parseFilter } from './filters.ts';
import type { FieldError } from './problems.ts';

/** How many items a page has when nobody asks for another number. */
export const DEFAULT_LIMIT = 20;
/** How many items the longest page of a list has. */
export const MAX_LIMIT = 100;
const MAX_PARAMETERS = 60;

/** The parameters of a query string in their order, or `null` when it is not percent-encoded UTF-8 or holds U+0000. */
export function splitQuery(text: string): [string, string][] | null {
  if (text === '') return [];
  try {
    return text
      .split('&')
      .filter((part) => part !== '')
      .map((part) => {
        const at = part.indexOf('=');
        return at === -1 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
      });
  } catch {
    return null;
  }
}

function decode(text: string): string {
  const decoded = decodeURIComponent(text.replaceAll('+', ' '));
  if (decoded.includes('\0')) throw new URIError('U+0000');
  return decoded;
}

/** Checks the parameters against what the route documents; everything else is an error, and left out of the query. */
export function readQuery(
  contract: RouteContract,
  pairs: readonly [string, string][],
): { readonly query: Query; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const refuse = (error: FieldError): void => {
    // A parameter that comes several times is wrong once.
    if (!errors.some(({ field }) => field === error.field)) errors.push(error);
  };
  const values: Record<string, string> = {};
  const expand = new Set<string>();
  const filters: Condition[] = [];
  const seen = new Set<string>();
  let limit = DEFAULT_LIMIT;
  let cursor: string | undefined;
  if (pairs.length > MAX_PARAMETERS) refuse(wrong('', `at most ${MAX_PARAMETERS} parameters`));
  for (const [name, value] of pairs.slice(0, MAX_PARAMETERS)) {
    if (name === 'expand[]' && contract.expand !== undefined) {
      if (contract.expand.includes(value)) expand.add(value);
      else refuse(wrong(name, `can be ${contract.expand.join(', ')}`));
      continue;
    }
    if (seen.has(name)) {
      refuse(wrong(name, 'must not be repeated'));
      continue;
    }
    seen.add(name);
    if (name === 'limit' && contract.paged === true) {
      limit = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : 0;
      if (limit < 1 || limit > MAX_LIMIT) refuse(wrong(name, `must be a whole number from 1 to ${MAX_LIMIT}`));
    } else if (name === 'cursor' && contract.paged === true) {
      cursor = value;
      if (!canBeCursor(value)) refuse(INVALID_CURSOR);
    } else if (contract.query !== undefined && Object.hasOwn(contract.query, name)) values[name] = value;
    else {
      const filter = parseFilter(contract.filters ?? {}, name, value);
      if (filter === null || (contract.filters === undefined && 'code' in filter)) refuse(unknown(name, contract));
      else if ('code' in filter) refuse(filter);
      else filters.push(filter);
    }
  }
  return { query: { values, expand, filters, limit, cursor }, errors };
}

/** All that is wrong with a query, each parameter once: what was refused already, and what its operation has found. */
export function queryErrors(refused: readonly FieldError[], found: readonly FieldError[]): FieldError[] {
  return [...refused, ...found.filter(({ field }) => !refused.some((error) => error.field === field))];
}

function wrong(name: string, message: string): FieldError {
  return { field: `?${name}`, code: 'invalid_parameter', message };
}

/** Some clients number what comes several times, or leave the brackets away. */
function unknown(name: string, { expand }: RouteContract): FieldError {
  const isMeant = expand !== undefined && /^expand(?:\[|$)/.test(name);
  const message = isMeant ? 'is written `expand[]=…`, once for each' : 'there is no such parameter here';
  return { field: `?${name}`, code: 'unknown_parameter', message };
}
