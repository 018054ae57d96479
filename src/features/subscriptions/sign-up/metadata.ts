import { hashUuid } from '#platform/crypto.ts';

/** What the filter `metadata.<key>` compares: a text as it is, another scalar as JSON; `null` for what has no filter. */
export function filterableText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : null;
}

/** One entry for each top-level member that a filter can find. */
export function indexMetadata(metadata: Readonly<Record<string, unknown>>): { keyHash: string; valueHash: string }[] {
  return Object.entries(metadata).flatMap(([key, value]) => {
    const text = filterableText(value);
    return text === null ? [] : [{ keyHash: hashUuid(key), valueHash: hashUuid(text) }];
  });
}
