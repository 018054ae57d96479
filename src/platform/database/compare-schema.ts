import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { describeSchema } from './describe-schema.ts';
import { isOfNewerVersion, MIGRATIONS } from './migrate.ts';

const FUNCTION = 'CREATE OR REPLACE ';

/**
 * What the migrations make and a database lacks, or has otherwise, each in the words of `migrations/schema.sql`: tables,
 * columns, constraints, indexes, triggers, functions, extensions. An incomplete `pg_restore` leaves such gaps, of which the
 * list of applied migrations says nothing. What an operator has added, and how he has tables and indexes stored, is let be.
 *
 * @returns `null` where a newer version has made the schema, of which nothing is known here
 */
export async function findLost(connection: ClientConfig): Promise<readonly string[] | null> {
  if (await isOfNewerVersion({ connection, directory: MIGRATIONS })) return null;
  const wanted = partsOf(await readMadeSchema());
  const found = partsOf(await describeSchema(connection));
  const owners = new Set([...found.values()].map(({ owner }) => owner));
  // Of a table that is gone its parts need not be told.
  const lost = [...wanted].filter(([text, { owner, isPart }]) => !found.has(text) && (!isPart || owners.has(owner)));
  return lost.map(([text]) => nameOf(text));
}

/** The names of the tables among what `findLost` finds; none where a newer version has made the schema. */
export async function findLostTables(connection: ClientConfig): Promise<string[]> {
  const lost = (await findLost(connection)) ?? [];
  return lost.flatMap((text) => /^table (\w+)(?!.*:)/.exec(text)?.[1] ?? []);
}

/** The names of the tables that the migrations make. */
export async function readMadeTables(): Promise<string[]> {
  return [...(await readMadeSchema()).matchAll(/^table (\w+)/gm)].map(([, name = '']) => name);
}

function readMadeSchema(): Promise<string> {
  return readFile(join(MIGRATIONS, 'schema.sql'), 'utf8');
}

interface Place {
  /** The table, or whatever else the text stands under. */
  readonly owner: string;
  readonly isPart: boolean;
}

/** All that a description of a schema tells of, by its text. */
function partsOf(description: string): Map<string, Place> {
  const [objects = '', ...functions] = description.split(new RegExp(`^(?=${FUNCTION})`, 'm'));
  const parts = new Map<string, Place>();
  let owner = '';
  for (const line of objects.split('\n').filter((text) => text !== '')) {
    const text = withoutStorage(line.trim());
    const isPart = line.startsWith(' ');
    if (!isPart) owner = /^\w+(?: \w+)?/.exec(line)?.[0] ?? line;
    parts.set(isPart ? `${owner}: ${text}` : text, { owner, isPart });
  }
  for (const text of functions) parts.set(text.trim(), { owner: text, isPart: false });
  return parts;
}

/** Without what an operator may set, such as how full pages are, and without remarks but ours on what is out of use. */
function withoutStorage(line: string): string {
  return line.replace(/ with \([^)]*\)/i, '').replace(/ -- (?!INVALID$|DISABLED$).*$/, '');
}

/** What to show of a part: of a function its name, which stands in the first line. */
function nameOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.startsWith(FUNCTION) ? first.slice(FUNCTION.length) : first;
}
