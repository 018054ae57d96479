import { messageOf } from '../message-of.ts';
import { sqlState } from './errors.ts';

const DUPLICATE_TABLE = '42P07';

/** Why a migration failed, in one line: what the database says, where it stumbled, and what to do where that is known. */
export function reasonOf(migration: { readonly version: number; readonly text: string }, error: unknown): string {
  return `${messageOf(error)}${lineOf(migration.text, error)}${adviceOn(migration.version, error)}`;
}

/** ` (line 12)` when the database tells where in the text it stumbled. */
function lineOf(text: string, error: unknown): string {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN;
  if (Number.isNaN(position)) return '';
  return ` (line ${text.slice(0, position).split('\n').length})`;
}

function adviceOn(version: number, error: unknown): string {
  // Whoever meets it has just chosen a database.
  if (version === 1 && sqlState(error) === DUPLICATE_TABLE)
    return '; Wattline needs a database in which nothing of that name is, best one of its own';
  // Such as which right, or which package of PostgreSQL, an extension needs.
  return error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? `; ${error.hint}` : '';
}
