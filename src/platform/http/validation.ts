import { Ajv2020, type ErrorObject, type Format as AjvFormat } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { nameOfStep, pointerStep } from './json-pointer.ts';
import { invalid, MAX_ERRORS, type FieldError } from './problems.ts';
import { LINE_PATTERN } from './schema-parts.ts';

/** A named format of a text or a number: its test, and the code and message of what fails it. */
export type Format = { readonly code: string; readonly message: string } & (
  | { readonly type?: 'string'; readonly test: (text: string) => boolean }
  | { readonly type: 'number'; readonly test: (value: number) => boolean }
);

/** Checks values against schemas and reports every wrong member at once. */
export interface SchemaCompiler {
  /**
   * A checker for one schema; it says of each wrong member one thing, and answers an empty list when the value fits. Beyond
   * `MAX_ERRORS` it looks for no more.
   */
  compile(schema: TSchema): (value: unknown) => readonly FieldError[];
}

/** @param formats what `format` in a schema can name; unknown ones stop the start */
export function createSchemaCompiler(formats: Readonly<Record<string, Format>>): SchemaCompiler {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    ownProperties: true,
    formats: Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, ajvFormat(format)])),
    keywords: ['example'],
  });
  return {
    compile(schema) {
      const validate = ajv.compile(schema);
      return (value) => {
        if (validate(value)) return [];
        return oneForEachField(formats, schema, validate.errors ?? []);
      };
    },
  };
}

/** From the most telling on: what has the wrong type or size breaks further rules only because of that. */
const MOST_TELLING: readonly string[] = [
  'false schema',
  'type',
  'const',
  'enum',
  'maxLength',
  'minimum',
  'maximum',
  'format',
  'minLength',
];

function oneForEachField(
  formats: Readonly<Record<string, Format>>,
  schema: TSchema,
  errors: readonly ErrorObject[],
): FieldError[] {
  const byField = new Map<string, { readonly rank: number; readonly told: FieldError }>();
  for (const error of certainErrors(formats, schema, errors)) {
    const at = MOST_TELLING.indexOf(error.keyword);
    const rank = at === -1 ? MOST_TELLING.length : at;
    for (const told of toFieldError(formats, error)) {
      const known = byField.get(told.field);
      if (known === undefined || rank < known.rank) byField.set(told.field, { rank, told });
    }
    // One more than is told, so that it shows.
    if (byField.size > MAX_ERRORS) break;
  }
  return [...byField.values()].map(({ told }) => told);
}

/** Errors without what a variant does not allow, where it is wrong itself which variant is meant. */
function certainErrors(
  formats: Readonly<Record<string, Format>>,
  schema: TSchema,
  errors: readonly ErrorObject[],
): readonly ErrorObject[] {
  const isOfVariant = ({ keyword }: ErrorObject): boolean => keyword === 'false schema';
  if (!errors.some(isOfVariant)) return errors;
  const others = errors.filter((error) => !isOfVariant(error)).flatMap((error) => toFieldError(formats, error));
  const wrong = new Set(others.map(({ field }) => field));
  return errors.filter((error) => !isOfVariant(error) || !tagsOf(schema, error).some((tag) => wrong.has(tag)));
}

/** The members that decide, by an `if`, whether the member of an error is allowed. */
function tagsOf(schema: TSchema, { instancePath, schemaPath }: ErrorObject): string[] {
  const steps = schemaPath
    .split('/')
    .slice(1)
    .map((step) => nameOfStep(decodeURIComponent(step)));
  const branch = steps.findLastIndex((step) => step === 'then' || step === 'else');
  const conditional = steps
    .slice(0, branch)
    .reduce((node, step) => node[step] as Record<string, unknown>, schema as Record<string, unknown>);
  const { properties = {} } = conditional['if'] as { readonly properties?: object };
  const holder = instancePath.slice(0, instancePath.lastIndexOf('/'));
  return Object.keys(properties).map((tag) => `${holder}/${tag}`);
}

function ajvFormat(format: Format): AjvFormat {
  return format.type === 'number'
    ? { type: 'number', validate: format.test }
    : { type: 'string', validate: format.test };
}

function toFieldError(formats: Readonly<Record<string, Format>>, error: ErrorObject): FieldError[] {
  const { keyword, instancePath: field } = error;
  const parameters = error.params as Record<string, unknown>;
  const at = (member: unknown): string => `${field}${pointerStep(String(member))}`;
  switch (keyword) {
    case 'required':
      return [{ field: at(parameters['missingProperty']), code: 'required', message: 'is required' }];
    case 'additionalProperties':
      return [
        { field: at(parameters['additionalProperty']), code: 'unknown_field', message: 'there is no such member here' },
      ];
    case 'type':
      return [{ field, code: 'invalid_type', message: `must be ${article(parameters['type'])}` }];
    case 'enum':
    case 'const': {
      const allowed = keyword === 'enum' ? (parameters['allowedValues'] as unknown[]) : [parameters['allowedValue']];
      return [
        { field, code: 'invalid_value', message: `must be ${allowed.map((value) => String(value)).join(' or ')}` },
      ];
    }
    case 'format': {
      const format = formats[String(parameters['format'])];
      return [{ field, code: format?.code ?? 'invalid_format', message: format?.message ?? 'has the wrong form' }];
    }
    case 'pattern': {
      const isLine = parameters['pattern'] === LINE_PATTERN;
      const message = isLine ? 'must be one line, without control characters' : (error.message ?? 'has the wrong form');
      return [{ field, code: 'invalid_format', message }];
    }
    case 'false schema':
      return [{ field, code: 'not_allowed', message: 'does not go with the other members' }];
    case 'if':
      // Its branches report for themselves.
      return [];
    case 'minLength':
      return [{ field, code: 'too_short', message: `must have at least ${String(parameters['limit'])} characters` }];
    case 'maxLength':
      return [{ field, code: 'too_long', message: `must have at most ${String(parameters['limit'])} characters` }];
    case 'minItems':
      return [{ field, code: 'too_short', message: `must have at least ${String(parameters['limit'])} items` }];
    case 'maxItems':
      return [{ field, code: 'too_long', message: `must have at most ${String(parameters['limit'])} items` }];
    case 'uniqueItems':
      return [{ field, code: 'invalid_value', message: 'must not name anything twice' }];
    case 'minProperties':
      return [{ field, code: 'empty_patch', message: 'names nothing to change' }];
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return [
        {
          field,
          code: 'out_of_range',
          message: `must be ${String(parameters['comparison'])} ${String(parameters['limit'])}`,
        },
      ];
    default:
      return [{ field, code: 'invalid_format', message: error.message ?? 'has the wrong form' }];
  }
}

function article(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map((name) => {
    if (name === 'null') return 'null';
    return `${name === 'object' || name === 'array' || name === 'integer' ? 'an' : 'a'} ${String(name)}`;
  });
  return names.join(' or ');
}

/** To be called before members of a body with errors are looked at. @throws Problem when the body as a whole is wrong */
export function requireObject(errors: readonly FieldError[]): void {
  if (errors.some(({ field }) => field === '')) throw invalid(errors);
}

/**
 * A body without the members that its errors name, so that the rules between members can be asked about the rest. What is
 * wrong in an array takes the array with it. @throws Problem when the body as a whole is wrong
 */
export function soundPart<Body extends object>(body: Body, errors: readonly FieldError[]): Partial<Body> {
  if (errors.length === 0) return body;
  requireObject(errors);
  const sound = structuredClone(body);
  for (const { field } of errors) {
    const [kind, ...path] = field.split('/').map(nameOfStep);
    if (kind === '') removeMember(sound as Record<string, unknown>, path);
  }
  return sound;
}

function removeMember(holder: Record<string, unknown>, [name = '', ...below]: readonly string[]): void {
  const member = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (below.length > 0 && typeof member === 'object' && member !== null && !Array.isArray(member)) {
    removeMember(member as Record<string, unknown>, below);
  } else {
    delete holder[name];
  }
}
