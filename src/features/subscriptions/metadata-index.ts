import { hashUuid } from '#platform/crypto.ts';
import { RawJson } from '#platform/http/json.ts';

/** What the filter `metadata.<key>` compares: a text as it is, a number as it was written; `null` for what has no filter. */
function filterableText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value instanceof RawJson) return value.text;
  return typeof value === 'boolean' ? String(value) : null;
}

/**
 * One entry for each top-level member that a filter can find.
 * @param text the JSON text that `metadata` was read from
 */
export function indexMetadata(
  metadata: Readonly<Record<string, unknown>>,
  text: string,
): { keyHash: string; valueHash: string }[] {
  const hasNumbers = Object.values(metadata).some((value) => typeof value === 'number');
  return Object.entries(hasNumbers ? readWithNumbersAsWritten(text) : metadata).flatMap(([key, value]) => {
    const text = filterableText(value);
    return text === null ? [] : [{ keyHash: hashUuid(key), valueHash: hashUuid(text) }];
  });
}

/** A double cannot tell all numbers apart that the text can. */
function readWithNumbersAsWritten(text: string): Record<string, unknown> {
  // The third argument is newer than the types of TypeScript's library.
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? new RawJson(context?.source ?? String(value)) : value;
  return JSON.parse(text, revive) as Record<string, unknown>;
}
