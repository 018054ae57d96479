/**
 * Strict JSON (RFC 8259) in, verbatim JSON out.
 *
 * `JSON.parse` alone loses what a caller sent without a word: it rounds numbers, drops duplicate keys, reorders keys
 * that look like integers, and lets through texts that PostgreSQL refuses later. `parseStrictJson` refuses all of that
 * at the door and says where it is; one member (`metadata`) is kept as sent and goes out again through `RawJson`.
 */
import { scanJson, type JsonLimits, type JsonRefusal, type MemberSpan } from './json-scan.ts';

export type { JsonLimits, JsonRefusal, JsonRefusalCode } from './json-scan.ts';

/** A body that was read. */
export type ParsedJson = {
  readonly ok: true;
  /** As `JSON.parse` gives it. Numbers in the verbatim member may be rounded here. */
  readonly value: unknown;
  /**
   * The compact source text of a member of the top-level object, or null when there is none: white space is gone,
   * strings are in their shortest form (`"\u00e4"` becomes `"ä"`); order of keys and every digit are as sent.
   */
  readonly rawMember: (name: string) => string | null;
};

/** Metadata of its full size can have five thousand values; whatever else there is to name comes to some dozens. */
const DEFAULT_LIMITS: JsonLimits = {
  maxDepth: 64,
  maxValues: 6_000,
  maxValuesBeside: 500,
  verbatimMember: 'metadata',
};

/** A byte order mark is not swallowed but becomes a syntax error. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON text in UTF-8. Never throws; takes time linear in the length, and stack only to `maxDepth`.
 * The first fault in reading order decides the answer.
 */
export function parseStrictJson(body: Uint8Array, limits: Partial<JsonLimits> = {}): ParsedJson | JsonRefusal {
  let text: string;
  try {
    text = UTF8.decode(body);
  } catch {
    return { ok: false, field: '', code: 'invalid_utf8', message: 'The body is not valid UTF-8.' };
  }
  const scanned = scanJson(text, { ...DEFAULT_LIMITS, ...limits });
  if ('ok' in scanned) return scanned;
  return { ok: true, value: JSON.parse(text), rawMember: (name) => rawMemberOf(text, scanned, name) };
}

// ---------------------------------------------------------------------------------------------------------------
// Verbatim text

function rawMemberOf(text: string, members: readonly MemberSpan[], name: string): string | null {
  const span = members.find((member) => member.name === name);
  return span === undefined ? null : compact(text.slice(span.start, span.end));
}

/** The members of an object that was read before, as compact JSON texts in their order. */
export function verbatimMembers(text: string): ReadonlyMap<string, string> {
  const scanned = scanJson(text, { ...DEFAULT_LIMITS, verbatimMember: null });
  if ('ok' in scanned) throw new Error('only a text that was accepted before is taken apart');
  return new Map(scanned.map(({ name, start, end }) => [name, compact(text.slice(start, end))]));
}

/** Valid JSON text without white space outside strings and without needless escapes inside them. */
function compact(text: string): string {
  // A string, or a run of white space.
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[ \n\r\t]+/g, (found) => {
    if (!found.startsWith('"')) return '';
    return found.includes('\\') ? JSON.stringify(JSON.parse(found)) : found;
  });
}

/** JSON text that `encodeJson` puts out as it is. Whoever makes one answers for its being valid JSON. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The JSON text of a value, as `JSON.stringify` writes it, with every `RawJson` in it verbatim. For objects without a
 * class, arrays, strings, numbers, booleans and null; members that are undefined are left out, numbers that are not
 * finite become null. Throws a TypeError on anything else (a bigint, a function, a Temporal value): it would be lost.
 */
export function encodeJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  if (Array.isArray(value)) return encodeArray(value);
  if (typeof value !== 'object') throw new TypeError(`cannot write a ${typeof value} as JSON`);
  if (value instanceof RawJson) return value.text;
  return encodeObject(value);
}

function encodeArray(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${item === undefined ? 'null' : encodeJson(item)}`;
  return `[${text}]`;
}

function encodeObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`cannot write a ${value.constructor.name} as JSON`);
  }
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quote(key)}:${encodeJson(member)}`;
  }
  return `{${text}}`;
}

/** What a JSON string cannot hold as it is, and lone surrogates, which JSON.stringify escapes. */
const NEEDS_ESCAPE = /["\\\p{Cc}\p{Cs}]/u;

function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}
