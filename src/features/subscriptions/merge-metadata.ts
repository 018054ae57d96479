import { verbatimMembers } from '#platform/http/json.ts';

/**
 * Metadata merged key by key: a member of the patch replaces that of its name or is added at the end, one with null
 * removes it, and a patch of null removes all. Works on texts, so that what is not named stays to the byte.
 * @param stored compact JSON text of an object, or null
 * @param patch compact JSON text of an object, or `null`
 */
export function mergeMetadata(stored: string | null, patch: string): string | null {
  if (patch === 'null') return null;
  const changes = verbatimMembers(patch);
  if (changes.size === 0) return stored;
  const members = new Map(stored === null ? [] : verbatimMembers(stored));
  for (const [name, value] of changes) {
    if (value === 'null') members.delete(name);
    else members.set(name, value);
  }
  if (stored === null && members.size === 0) return null;
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
