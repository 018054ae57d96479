import { isDeepStrictEqual } from 'node:util';

type Node = Readonly<Record<string, unknown>>;

/**
 * The schema as the OpenAPI document shows it: those with a title are put among the components with a reference in their
 * place, and an `if` about one member is shown as the variants it stands for, because generators of clients ignore it. An
 * object that names no members says that it takes any: they hold it to be empty otherwise. A pattern is shown without the
 * separators U+2028 and U+2029: they write it as a literal, which these end, and no escape for them is known to all languages.
 * @throws Error when two different schemas have one title
 */
export function hoist(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { title, ...rest } = showFreedom(showVariants(schema as Node));
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'example' ? value : hoist(value, components)]),
  );
  if (typeof inner['pattern'] === 'string') inner['pattern'] = inner['pattern'].replaceAll(/[\u2028\u2029]/g, '');
  if (typeof title !== 'string') return inner;
  const known = components.get(title) ?? inner;
  if (!isDeepStrictEqual(known, inner)) throw new Error(`two schemas have the title ${title}`);
  components.set(title, inner);
  return { $ref: `#/components/schemas/${title}` };
}

/** The schema of an answer as clients are to read it: with members that are not known yet, which later versions add. */
export function openToMembers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openToMembers);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, key === 'example' ? value : openToMembers(value)]),
  );
}

function showFreedom(schema: Node): Node {
  const isObject = [schema['type']].flat().includes('object');
  const isFree = isObject && !('properties' in schema) && !('additionalProperties' in schema);
  return isFree ? { ...schema, additionalProperties: true } : schema;
}

/** What `then` and `else` may say: members that the variant requires, and members that it lacks (`false`). */
interface Branch {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** An object whose `if` is `{properties: {<tag>: {const}}, required: [<tag>]}`, as `oneOf` two objects. */
function showVariants(schema: Node): Node {
  const { if: condition, then: matching, else: other, title, description, properties, required, ...rest } = schema;
  const [[tag, asked] = []] = Object.entries((condition as Branch | undefined)?.properties ?? {});
  if (tag === undefined) return schema;
  const members = properties as Readonly<Record<string, Node>>;
  const value = (asked as Node)['const'];
  const variant = (branch: Branch, values: readonly unknown[], more: readonly string[]): Node => ({
    ...rest,
    properties: Object.fromEntries(
      Object.entries(members)
        .filter(([name]) => branch.properties?.[name] !== false)
        .map(([name, member]) => [name, name === tag ? { ...member, enum: values, example: values[0] } : member]),
    ),
    required: [...new Set([...more, ...((required as readonly string[]) ?? []), ...(branch.required ?? [])])],
  });
  const all = members[tag]?.['enum'] as readonly unknown[];
  const others = all.filter((each) => each !== value);
  return {
    ...(title === undefined ? {} : { title }),
    description,
    oneOf: [variant(other ?? {}, others, []), variant(matching ?? {}, [value], [tag])],
  };
}
