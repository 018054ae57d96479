import { EVENT_TYPES } from '#domain/event-types.ts';

const families = new Map<string, readonly string[]>(Object.entries(EVENT_TYPES));

/** Whether a text is `*`, `<family>.*` or a type that there is: a mistyped one would never be heard of. */
export function isKnownTypePattern(text: string): boolean {
  if (text === '*') return true;
  const [family = ''] = text.split('.', 1);
  return families.has(family) && (text === `${family}.*` || families.get(family)?.includes(text) === true);
}
