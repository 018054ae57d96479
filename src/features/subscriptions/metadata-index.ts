import { hashUuid } from '#platform/crypto.ts';
import { RawJson } from '#platform/http/json.ts';

/** What the filter `metadata.<key>` compares: a text as it is, a number as it was written; `null` for what has no filter. */
function filterableText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value instanceof RawJson) return value.text;
  return typeof value === 'boolean' ? String(value) : null;
}

/** What a filter finds metadata by: hashes of a member's name and of its value, as uuids. */
export interface MetadataEntry {
  readonly keyHash: string;
  readonly valueHash: string;
}

/**
 * One entry for each top-level member that a filter can find.
 * @param text JSON text; null: there is no metadata
 * @param metadata what was read from the text, where that is at hand
 */
export function indexMetadata(
  text: string | null,
  metadata?: Readonly<Record<string, unknown>> | null,
): MetadataEntry[] {
  if (text === null) return [];
  const read = metadata ?? (JSON.parse(text) as Record<string, unknown>);
  const hasNumbers = Object.values(read).some((value) => typeof value === 'number');
  return Object.entries(hasNumbers ? readWithNumbersAsWritten(text) : read).flatMap(([key, value]) => {
    const filterable = filterableText(value);
    return filterable === null ? [] : [{ keyHash: hashUuid(key), valueHash: hashUuid(filterable) }];
  });
}

/** A double cannot tell all numbers apart that the text can. */
function readWithNumbersAsWritten(text: string): Record<string, unknown> {
  // The third argument is newer than the types of TypeScript's library.
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? new RawJson(context?.source ?? String(value)) : value;
  return JSON.parse(text, revive) as Record<string, unknown>;
}
