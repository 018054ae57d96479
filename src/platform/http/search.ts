/** The parameter `search` of a list: documented and checked in one place. */
import type { QueryParameter, Request } from './contract.ts';
import { invalid } from './problems.ts';
import { queryErrors } from './query.ts';

const MAX_CHARACTERS = 100;

/** What a reference says of `search`. */
export function searchParameter(description: string, example: string): QueryParameter {
  return { description, schema: { type: 'string', minLength: 1, maxLength: MAX_CHARACTERS, example } };
}

/** The text that is searched for; `undefined` when nothing is. @throws Problem with every wrong parameter of the list */
export function searchOf({ query, errors: refused }: Pick<Request, 'query' | 'errors'>): string | undefined {
  const { search } = query.values;
  const length = Array.from(search ?? '').length;
  const isWrong = search !== undefined && (length < 1 || length > MAX_CHARACTERS);
  const message = `must have 1 to ${MAX_CHARACTERS} characters`;
  const errors = queryErrors(refused, isWrong ? [{ field: '?search', code: 'invalid_parameter', message }] : []);
  if (errors.length > 0) throw invalid(errors);
  return search;
}
