import { Type, type TSchema, type TUnsafe } from 'typebox';

/** An identifier of the given prefix, as answers show it. */
export function idSchema(prefix: string, description: string): TUnsafe<string> {
  const example = `${prefix}_01k9zr5x3hf8b9m2t4v6w8y0ac`;
  return Type.Unsafe<string>({
    type: 'string',
    pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    description,
    example,
  });
}

/** An identifier in a request: any text, because a malformed one is refused like one that names nothing. */
export function referenceSchema(prefix: string, description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', description, example: `${prefix}_01k9zr5x3hf8b9m2t4v6w8y0ac` });
}

const INSTANT_EXAMPLE = '2026-11-21T09:30:00Z';

/** An instant in an answer: `YYYY-MM-DDThh:mm:ssZ`. */
export function instantSchema(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', description, example: INSTANT_EXAMPLE });
}

/** How an instant in a request is described: of `date-time`, clients write forms that are not taken. */
export const ASKED_INSTANT = {
  type: 'string',
  format: 'instant',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
  example: INSTANT_EXAMPLE,
} as const;

/** An instant in a request: `YYYY-MM-DDThh:mm:ssZ`, and nothing else. */
export function askedInstantSchema(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ ...ASKED_INSTANT, description });
}

/** A day, `YYYY-MM-DD`. */
export function daySchema(description: string, example: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date', description, example });
}

/** The same schema, or null. */
export function nullable(schema: TSchema): TSchema {
  const { type, enum: values, ...rest } = schema as { type?: unknown; enum?: unknown[] } & Record<string, unknown>;
  return Type.Unsafe({
    ...rest,
    type: [type ?? 'string', 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  });
}

/** Text without control characters, line breaks among them; in the escapes that all languages have in common. */
export const LINE_PATTERN = '^[^\\x00-\\x1f\\x7f-\\x9f\u2028\u2029]*$';

/** One line of text that somebody reads: something visible in it, no control characters. */
export function lineSchema(description: string, maxLength: number, example: string): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    maxLength,
    format: 'visible-text',
    pattern: LINE_PATTERN,
    description,
    example,
  });
}

/** A list of items as every collection answers it. */
export function listSchema(title: string, item: TSchema): TSchema {
  return Type.Object(
    {
      object: Type.Unsafe<'list'>({ type: 'string', enum: ['list'] }),
      items: Type.Array(item),
      has_more: Type.Boolean({ description: 'Whether another page follows.' }),
      next_page: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The `cursor` of the next page; null on the last one.',
      }),
    },
    { title, additionalProperties: false },
  );
}

/** One of a few texts. */
export function enumSchema<const Values extends readonly string[]>(
  values: Values,
  description: string,
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description, example: values[0] });
}
