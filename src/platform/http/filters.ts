import { NIL_UUID, parseId, type IdPrefix } from '#domain/identifiers.ts';
import { isInstant } from '#platform/clock.ts';
import type { Condition, Operator } from './contract.ts';
import type { FieldError } from './problems.ts';

/** What a filter compares with; decides its operators and how its values are read. */
export type FilterType =
  | { readonly kind: 'text' }
  | { readonly kind: 'id'; readonly prefix: IdPrefix }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'instant' }
  | { readonly kind: 'key' };

/** The filters of a list, by field; `metadata` of kind `key` stands for `metadata.<key>`. */
export type FilterTable = Readonly<Record<string, FilterType>>;

const OPERATORS: Record<FilterType['kind'], readonly Operator[]> = {
  text: ['eq', 'ne', 'in', 'is_null'],
  id: ['eq', 'ne', 'in', 'is_null'],
  enum: ['eq', 'ne', 'in', 'is_null'],
  instant: ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'is_null'],
  key: ['eq'],
};

/** The operators a filter of this type understands. */
export function operatorsOf(type: FilterType): readonly Operator[] {
  return OPERATORS[type.kind];
}

/** How many values `in` takes. */
export const MAX_VALUES = 100;
/** How many characters a text has that is compared with. */
export const MAX_TEXT = 300;

/** Reads `filter[<field>][<op>]=<value>`; `null` when the parameter is no filter. */
export function parseFilter(table: FilterTable, name: string, value: string): Condition | FieldError | null {
  const match = /^filter\[(.+)\]\[([a-z_]+)\]$/s.exec(name);
  if (match === null) return name.startsWith('filter') ? unknownFilter(name) : null;
  const [, path = '', operatorText = ''] = match;
  const key = path.startsWith('metadata.') ? path.slice('metadata.'.length) : undefined;
  const field = key === undefined ? path : 'metadata';
  const type = Object.hasOwn(table, field) ? table[field] : undefined;
  if (type === undefined || (type.kind === 'key') !== (key !== undefined)) return unknownFilter(name);
  const operator = OPERATORS[type.kind].find((known) => known === operatorText);
  if (operator === undefined) return unknownFilter(name);
  const values = operator === 'in' ? value.split(',') : [value];
  if (values.length > MAX_VALUES) return invalidFilter(name, `at most ${MAX_VALUES} values`);
  if (operator === 'is_null') {
    return value === 'true' || value === 'false'
      ? { field, operator, values }
      : invalidFilter(name, 'must be true or false');
  }
  const read = values.map((text) => readValue(type, text));
  if (!read.every((text) => text !== null)) return invalidFilter(name, expectation(type));
  return { field, ...(key === undefined ? {} : { key }), operator, values: read };
}

function readValue(type: FilterType, text: string): string | null {
  switch (type.kind) {
    case 'id':
      // A malformed one finds what an unknown one finds.
      return parseId(type.prefix, text) ?? NIL_UUID;
    case 'enum':
      return type.values.includes(text) ? text : null;
    case 'instant':
      return isInstant(text) ? text : null;
    case 'text':
    case 'key':
      return Array.from(text).length <= MAX_TEXT ? text : null;
  }
}

function expectation(type: FilterType): string {
  switch (type.kind) {
    case 'enum':
      return `must be one of ${type.values.join(', ')}`;
    case 'instant':
      return 'must be an instant of the form YYYY-MM-DDThh:mm:ssZ';
    case 'id':
    case 'text':
    case 'key':
      return `must have at most ${MAX_TEXT} characters`;
  }
}

function unknownFilter(name: string): FieldError {
  return { field: `?${name}`, code: 'unknown_filter', message: 'there is no such filter here' };
}

function invalidFilter(name: string, message: string): FieldError {
  return { field: `?${name}`, code: 'invalid_filter', message };
}
