/** The parameter `search` of a list: documented and checked in one place. */
import type { Query, QueryParameter } from './contract.ts';
import { invalid } from './problems.ts';

const MAX_CHARACTERS = 100;

/** What a reference says of `search`. */
export function searchParameter(description: string, example: string): QueryParameter {
  return { description, schema: { type: 'string', minLength: 1, maxLength: MAX_CHARACTERS, example } };
}

/** The text that is searched for; `undefined` when nothing is. @throws Problem when it is empty or too long */
export function searchOf({ values: { search } }: Query): string | undefined {
  if (search === undefined) return undefined;
  const length = Array.from(search).length;
  if (length >= 1 && length <= MAX_CHARACTERS) return search;
  const message = `must have 1 to ${MAX_CHARACTERS} characters`;
  throw invalid([{ field: '?search', code: 'invalid_parameter', message }]);
}
