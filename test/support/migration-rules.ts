import { splitStatements } from '#platform/database/statements.ts';

/**
 * Tables that do not grow with the number of subscriptions: what has to look at every row of theirs takes no time. All
 * others are taken for big.
 */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  'credentials',
  'plans',
  'projects',
  'suppliers',
  'webhook_endpoints',
]);

/** What a table is called in a statement. */
const NAME = String.raw`(?:if (?:not )?exists )?(?:only )?(?:public\.)?"?(\w+)"?`;

/** Defaults that are the same for every row, so that adding a column with one rewrites nothing. */
const CONSTANT_DEFAULT =
  /\bdefault\s+(?:'(?:[^']|'')*'|-?[\d.]+|true|false|null|now\(\)|current_timestamp|current_date)(?:::[\w\s[\]]+?)?(?=$|\s+not null|\s+null)/;

/** What the text of a migration is known by while its statements are looked at. */
interface Surroundings {
  readonly isInTransaction: boolean;
  /** Tables that the same file creates: nobody uses them yet. */
  readonly created: ReadonlySet<string>;
  /** All its statements, simplified. */
  readonly statements: readonly string[];
}

/**
 * The statements of a migration that the version before, or traffic on a big database, would not survive; a sentence each.
 * A file with a line `-- contract` may do anything but keep all waiting: it comes one release after nobody uses what it
 * takes away. How to write what is refused here: docs/migrations.md.
 */
export function refuseStatements(text: string): string[] {
  const statements = splitStatements(text).map(simplify);
  const surroundings: Surroundings = {
    isInTransaction: !/^-- no transaction\s*$/.test(text.split('\n', 1)[0] ?? ''),
    created: new Set(
      statements.flatMap((statement) => matchOf(statement, `^create (?:unlogged )?table ${NAME}`) ?? []),
    ),
    statements,
  };
  const isContract = /^-- contract\b/m.test(text);
  return statements.flatMap((statement) => {
    const refusal = refuse(statement, surroundings);
    if (refusal === null || (isContract && refusal.kind === 'breaks')) return [];
    return [`${refusal.reason}: ${statement.slice(0, 120)}`];
  });
}

/** `breaks`: the version before; `blocks`: everybody, on a big table. */
interface Refusal {
  readonly kind: 'breaks' | 'blocks';
  readonly reason: string;
}

const breaks = (reason: string): Refusal => ({ kind: 'breaks', reason });
const blocks = (reason: string): Refusal => ({ kind: 'blocks', reason });

/** One line in lower case without comments; bodies of functions are left out. */
function simplify(statement: string): string {
  return statement
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, '$body$')
    .replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function matchOf(statement: string, pattern: string): string | null {
  return new RegExp(pattern).exec(statement)?.[1] ?? null;
}

function refuse(statement: string, surroundings: Surroundings): Refusal | null {
  const isFree = (table: string | null): boolean =>
    table !== null && (surroundings.created.has(table) || SMALL_TABLES.has(table));
  if (/^(set|reset|select|comment|grant|analyze|insert)\b/.test(statement)) return null;
  if (
    /^create (or replace )?(function|procedure|trigger|view|type|domain|sequence|extension|aggregate)\b/.test(statement)
  ) {
    return null;
  }
  if (/^create (unlogged )?table\b/.test(statement)) return null;
  if (/^create (unique )?index\b/.test(statement)) return refuseIndex(statement, surroundings, isFree);
  if (/^drop index concurrently if exists\b/.test(statement)) {
    return surroundings.isInTransaction ? blocks('needs `-- no transaction`') : null;
  }
  if (statement.startsWith('reindex')) return refuseRebuilding(statement, surroundings);
  if (/^(update|delete)\b/.test(statement)) {
    const table = matchOf(statement, `^(?:update|delete from) ${NAME}`);
    return isFree(table) ? null : blocks('locks the rows of a big table until it ends: fill in portions');
  }
  if (statement.startsWith('alter table')) return refuseAlteration(statement, surroundings, isFree);
  // How it is written from now on; nothing in it is touched.
  if (matchOf(statement, `^alter index ${NAME} (?:set|reset) \\(`) !== null) return null;
  if (/^alter (type|sequence|function|domain)\b/.test(statement)) {
    return /^alter type \S+ add value\b|^alter function\b/.test(statement)
      ? null
      : breaks('may break the version before');
  }
  if (statement.startsWith('drop')) return breaks('takes away what the version before may use');
  return breaks('is not known to be safe');
}

function refuseIndex(
  statement: string,
  { isInTransaction, statements }: Surroundings,
  isFree: (table: string | null) => boolean,
): Refusal | null {
  const table = matchOf(statement, ` on ${NAME}`);
  if (!/\bconcurrently\b/.test(statement)) {
    return isFree(table) ? null : blocks('keeps all writers of a big table waiting: `concurrently`');
  }
  if (isInTransaction) return blocks('needs `-- no transaction`');
  const name = matchOf(statement, `index concurrently ${NAME} on`);
  const before = statements.slice(0, statements.indexOf(statement));
  return before.includes(`drop index concurrently if exists ${name}`)
    ? null
    : blocks(`must follow \`drop index concurrently if exists ${name}\`, to bear being cut short`);
}

/** Making an index anew; cut short it leaves one beside it, or the old one under another name. */
function refuseRebuilding(statement: string, { isInTransaction, statements }: Surroundings): Refusal | null {
  const name = matchOf(statement, `^reindex index concurrently ${NAME}$`);
  if (name === null) return blocks('keeps all writers of a big table waiting: `reindex index concurrently`');
  if (isInTransaction) return blocks('needs `-- no transaction`');
  const before = new Set(statements.slice(0, statements.indexOf(statement)));
  const left = [`${name}_ccnew`, `${name}_ccold`].find(
    (rest) => !before.has(`drop index concurrently if exists ${rest}`),
  );
  return left === undefined
    ? null
    : blocks(`must follow \`drop index concurrently if exists ${left}\`, to bear being cut short`);
}

/** Each action of an `alter table` is looked at by itself. */
function refuseAlteration(
  statement: string,
  surroundings: Surroundings,
  isFree: (table: string | null) => boolean,
): Refusal | null {
  const table = matchOf(statement, `^alter table ${NAME}`);
  const actions = splitActions(statement.replace(new RegExp(`^alter table ${NAME} `), ''));
  for (const action of actions) {
    const refusal = refuseAction(action, actions, surroundings, isFree(table), surroundings.created.has(table ?? ''));
    if (refusal !== null) return refusal;
  }
  return null;
}

/** What stands between commas outside of brackets and quotes. */
function splitActions(text: string): string[] {
  const actions = [''];
  let depth = 0;
  for (const [piece] of text.matchAll(/'(?:[^']|'')*'|[^]/g)) {
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (piece === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += piece;
  }
  return actions.map((action) => action.trim());
}

function refuseAction(
  action: string,
  actions: readonly string[],
  { isInTransaction, statements }: Surroundings,
  isFree: boolean,
  isNew: boolean,
): Refusal | null {
  if (isNew) return null;
  if (/^add constraint\b|^add (check|foreign key|unique|primary key|exclude)\b/.test(action)) {
    if (isFree || /\bnot valid$|\busing index\b/.test(action)) return null;
    return blocks('looks at every row of a big table under a lock: `not valid`, and validate in another migration');
  }
  if (action.startsWith('add')) return refuseColumn(action, isFree);
  if (action.startsWith('validate constraint')) {
    const name = matchOf(action, String.raw`^validate constraint "?(\w+)`);
    const isAddedHere = statements.some((other) => other.includes(`add constraint ${name} `));
    return isInTransaction && isAddedHere
      ? blocks('validates under the lock of the statement that added it: put it into another migration')
      : null;
  }
  if (
    /^alter (column )?"?\w+"? (set default\b|drop default\b|drop not null\b|set statistics\b|set storage\b|set \()/.test(
      action,
    )
  ) {
    return null;
  }
  if (/^alter (column )?"?\w+"? set not null/.test(action)) {
    return breaks('refuses what the version before writes');
  }
  if (/^(set|reset) \(|^(enable|disable) row level|^owner to\b/.test(action)) return null;
  if (action.startsWith('drop constraint')) {
    const name = matchOf(action, `^drop constraint ${NAME}`);
    const isReplaced = [...actions, ...statements].some((other) => other.includes(`add constraint ${name} `));
    return isReplaced ? null : breaks('takes a rule away without one in its place');
  }
  return breaks('may break the version before');
}

function refuseColumn(action: string, isFree: boolean): Refusal | null {
  const hasDefault = /\bdefault\b/.test(action);
  if (/\bnot null\b/.test(action) && !hasDefault) {
    return breaks('refuses what the version before writes: nullable, or with a default');
  }
  if (isFree) return null;
  if (/\b(references|check|unique|primary key)\b/.test(action)) {
    return blocks('looks at every row of a big table under a lock: add the constraint as `not valid`');
  }
  if (/\b(generated|serial|bigserial)\b/.test(action) || (hasDefault && !CONSTANT_DEFAULT.test(action))) {
    return blocks('rewrites a big table under a lock: a constant default, or none');
  }
  return null;
}
