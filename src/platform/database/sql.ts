/** A statement with its parameters, as `pg` takes it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const FRAGMENT = Symbol('sql fragment');

/** A piece of SQL with its parameters; made by `sql` only, so that text from outside can never become SQL. */
export interface Sql {
  readonly [FRAGMENT]: true;
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * Tags SQL: `sql\`select … where id = ${id}\``. A value becomes a parameter; another `sql` fragment is spliced in with
 * its parameters.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return { [FRAGMENT]: true, strings, values };
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && FRAGMENT in value;
}

/**
 * The id of a project, to look for its rows: `where project_id = ${asProject(projectId)}`. PostgreSQL plans for it as for
 * the largest project there is. Given the id itself, it would look it up in its statistics, take a project that is too new
 * for them for an empty one, and read all that the project has for each row that is asked for.
 */
export function asProject(projectId: string): Sql {
  return sql`(select ${projectId}::uuid)`;
}

/** The sizes of pages that most ask for and the bounds of what is counted, and the row that tells whether there is more. */
const USUAL_LIMITS = new Set([10, 20, 25, 50, 100, 1_000, 3_000, 10_000].map((size) => size + 1));

/**
 * So many rows at most: `limit ${atMost(limit)}`. A limit that is a parameter is taken for a tenth of all rows, for which a
 * plan for all values is too dear: each request is planned anew, which takes longer than its page. Usual ones are part
 * of the text, so that the plan is kept; not all, since every text takes room on each connection.
 */
export function atMost(limit: number): Sql {
  return USUAL_LIMITS.has(limit) ? { [FRAGMENT]: true, strings: [String(limit)], values: [] } : sql`${limit}`;
}

/** Fragments joined by a separator that is itself a fragment; `empty` when there are none. */
export function joinSql(fragments: readonly Sql[], separator: Sql, empty: Sql = sql``): Sql {
  if (fragments.length === 0) return empty;
  const values = fragments.flatMap((fragment, index) => (index === 0 ? [fragment] : [separator, fragment]));
  return { [FRAGMENT]: true, strings: Array.from({ length: values.length + 1 }, () => ''), values };
}

/** The text with `$1`, `$2` … and the parameters in that order. */
export function toStatement(fragment: Sql): Statement {
  const values: unknown[] = [];
  const render = ({ strings, values: parts }: Sql): string =>
    strings.reduce((text, piece, index) => {
      const part = parts[index - 1];
      if (isSql(part)) return text + render(part) + piece;
      values.push(part);
      return `${text}$${values.length}${piece}`;
    });
  const text = render(fragment);
  return { text, values };
}
