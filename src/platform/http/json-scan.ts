/**
 * One pass over a JSON text by recursive descent: checks everything that `parseStrictJson` promises and builds nothing,
 * which leaves the values to the far faster `JSON.parse`. Used by `json.ts` only.
 */
import { pointerStep } from './json-pointer.ts';

/** Bounds on a body, against input that is small to send and dear to handle, and the member that is kept as sent. */
export type JsonLimits = {
  /** How many objects and arrays may contain one another; 64. */
  readonly maxDepth: number;
  /** How many values there may be in all, counting objects and arrays themselves, not keys. */
  readonly maxValues: number;
  /** How many of them may be outside the member that is kept as text: of what a body can name there are few. */
  readonly maxValuesBeside: number;
  /**
   * The top-level member that is kept as text, so that numbers need not fit a double; null: all, of a text that was accepted
   * before.
   */
  readonly verbatimMember: string | null;
};

/** Why a body is refused. Syntax errors of every kind, a byte order mark and an empty body are `invalid_json`. */
export type JsonRefusalCode =
  | 'invalid_json'
  | 'invalid_utf8'
  | 'invalid_unicode'
  | 'null_character'
  | 'duplicate_key'
  | 'forbidden_key'
  | 'too_deep'
  | 'too_many_values'
  | 'number_out_of_range'
  | 'number_not_exact';

/** What was wrong first; `field` is a JSON Pointer (RFC 6901), '' for the whole body, always well-formed Unicode. */
export type JsonRefusal = {
  readonly ok: false;
  readonly field: string;
  readonly code: JsonRefusalCode;
  readonly message: string;
};

/** Where the value of a top-level member lies in the text: from `start` to before `end`. */
export type MemberSpan = { readonly name: string; readonly start: number; readonly end: number };

class Refusal extends Error {
  readonly field: string;
  readonly code: JsonRefusalCode;

  constructor(field: string, code: JsonRefusalCode, message: string) {
    super(message);
    this.field = field;
    this.code = code;
  }
}

/** The state of one scan. */
class Scan {
  readonly text: string;
  readonly limits: JsonLimits;
  /** The index of the next character to read. */
  at = 0;
  values = 0;
  valuesBeside = 0;
  /** Keys and indexes that lead to the value being read; one for each container around it. */
  readonly path: (string | number)[] = [];
  readonly members: MemberSpan[] = [];
  isVerbatim = false;
  /** Whether the last string had an escape. */
  hadEscape = false;

  constructor(text: string, limits: JsonLimits) {
    this.text = text;
    this.limits = limits;
  }
}

const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** A JSON Pointer to a path. */
function pointerTo(path: readonly (string | number)[]): string {
  return path.map(pointerStep).join('');
}

function refuse(scan: Scan, code: JsonRefusalCode, message: string): never {
  throw new Refusal(pointerTo(scan.path), code, message);
}

function refuseSyntax(scan: Scan, at: number): never {
  const before = scan.text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  const what = at >= scan.text.length ? 'it ends too early' : 'there is an error';
  throw new Refusal('', 'invalid_json', `The body is not valid JSON: ${what} at line ${line}, column ${column}.`);
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The next character that is not white space, '' at the end; the scan stands before it. */
function nextCharacter(scan: Scan): string {
  const { text } = scan;
  let { at } = scan;
  let code = text.charCodeAt(at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
    at += 1;
    code = text.charCodeAt(at);
  }
  scan.at = at;
  return text.charAt(at);
}

/**
 * Scans a whole text: where its top-level members lie (none when it is no object), or the first fault in reading order.
 * What it accepts, `JSON.parse` accepts. Never throws; takes linear time, and stack only to `limits.maxDepth`.
 */
export function scanJson(text: string, limits: JsonLimits): readonly MemberSpan[] | JsonRefusal {
  const scan = new Scan(text, limits);
  try {
    scanValue(scan);
    nextCharacter(scan);
    if (scan.at < text.length) refuseSyntax(scan, scan.at);
    return scan.members;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, field: error.field, code: error.code, message: error.message };
  }
}

function scanValue(scan: Scan): void {
  const next = nextCharacter(scan);
  scan.values += 1;
  if (!scan.isVerbatim) scan.valuesBeside += 1;
  const { maxValues, maxValuesBeside, verbatimMember } = scan.limits;
  if (scan.valuesBeside > maxValuesBeside) {
    refuse(scan, 'too_many_values', `The body has more than ${maxValuesBeside} values beside \`${verbatimMember}\`.`);
  }
  if (scan.values > maxValues) refuse(scan, 'too_many_values', `The body has more than ${maxValues} values.`);
  if (next === '"') scanString(scan);
  else if (next === '{') scanObject(scan);
  else if (next === '[') scanArray(scan);
  else if (next === '-' || isDigit(next.charCodeAt(0))) scanNumber(scan);
  else scanLiteral(scan);
}

function scanLiteral(scan: Scan): void {
  for (const literal of ['true', 'false', 'null']) {
    if (scan.text.startsWith(literal, scan.at)) {
      scan.at += literal.length;
      return;
    }
  }
  refuseSyntax(scan, scan.at);
}

function enterContainer(scan: Scan): void {
  if (scan.path.length >= scan.limits.maxDepth) {
    refuse(scan, 'too_deep', `Objects and arrays are nested deeper than ${scan.limits.maxDepth} levels.`);
  }
  scan.at += 1;
}

function scanArray(scan: Scan): void {
  enterContainer(scan);
  if (nextCharacter(scan) === ']') {
    scan.at += 1;
    return;
  }
  for (let index = 0; ; index += 1) {
    scan.path.push(index);
    scanValue(scan);
    scan.path.pop();
    const next = nextCharacter(scan);
    if (next !== ',' && next !== ']') refuseSyntax(scan, scan.at);
    scan.at += 1;
    if (next === ']') return;
  }
}

function scanObject(scan: Scan): void {
  enterContainer(scan);
  if (nextCharacter(scan) === '}') {
    scan.at += 1;
    return;
  }
  const keys = new SeenKeys();
  for (;;) {
    scanMember(scan, keys);
    const next = nextCharacter(scan);
    if (next !== ',' && next !== '}') refuseSyntax(scan, scan.at);
    scan.at += 1;
    if (next === '}') return;
  }
}

/** The keys of one object: a short list is searched, being the fastest; a long one is a set, to stay linear. */
class SeenKeys {
  readonly few: string[] = [];
  many: Set<string> | null = null;
}

/** Notes a key; false when it was there already. */
function noteKey(seen: SeenKeys, key: string): boolean {
  if (seen.many !== null) return seen.many.size < seen.many.add(key).size;
  if (seen.few.includes(key)) return false;
  seen.few.push(key);
  if (seen.few.length > 16) seen.many = new Set(seen.few);
  return true;
}

function scanMember(scan: Scan, keys: SeenKeys): void {
  if (nextCharacter(scan) !== '"') refuseSyntax(scan, scan.at);
  const key = scanKey(scan);
  const isTopLevel = scan.path.length === 0;
  scan.path.push(key);
  // Whoever copies members by assignment would change what an object is, also who reads our answers. What is stored from
  // before it was refused everywhere is read still.
  if (key === '__proto__' && scan.limits.verbatimMember !== null)
    refuse(scan, 'forbidden_key', 'The key "__proto__" is not allowed.');
  if (!noteKey(keys, key)) refuse(scan, 'duplicate_key', 'The key occurs twice in its object.');
  if (nextCharacter(scan) !== ':') refuseSyntax(scan, scan.at);
  scan.at += 1;
  if (isTopLevel) {
    nextCharacter(scan);
    const start = scan.at;
    scan.isVerbatim = scan.limits.verbatimMember === null || key === scan.limits.verbatimMember;
    scanValue(scan);
    scan.isVerbatim = false;
    scan.members.push({ name: key, start, end: scan.at });
  } else {
    scanValue(scan);
  }
  scan.path.pop();
}

/** Reads a key and gives it unescaped. A fault in it is reported at its object: the key itself may be unprintable. */
function scanKey(scan: Scan): string {
  const start = scan.at;
  scanString(scan);
  const { text, at } = scan;
  return scan.hadEscape ? String(JSON.parse(text.slice(start, at))) : text.slice(start + 1, at - 1);
}

function scanString(scan: Scan): void {
  const { text } = scan;
  let at = scan.at + 1;
  let hadEscape = false;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) {
      hadEscape = true;
      at = endOfEscape(scan, at);
    } else if (code >= FIRST_PRINTABLE) {
      at += 1;
    } else {
      if (code === 0) refuseNull(scan);
      refuseSyntax(scan, at);
    }
  }
  scan.hadEscape = hadEscape;
  scan.at = at + 1;
}

function refuseNull(scan: Scan): never {
  refuse(scan, 'null_character', 'Text must not contain the null character (U+0000).');
}

/** The index behind the escape (behind both, for a surrogate pair) that begins with the backslash at `at`. */
function endOfEscape(scan: Scan, at: number): number {
  const { text } = scan;
  if (text.charAt(at + 1) !== 'u') {
    if (at + 1 >= text.length || !'"\\/bfnrt'.includes(text.charAt(at + 1))) refuseSyntax(scan, at);
    return at + 2;
  }
  const unit = escapedUnit(text, at);
  if (unit < 0) refuseSyntax(scan, at);
  if (unit === 0) refuseNull(scan);
  if (unit < 0xd800 || unit > 0xdfff) return at + 6;
  const low = unit < 0xdc00 ? escapedUnit(text, at + 6) : -1;
  if (low < 0xdc00 || low > 0xdfff) {
    refuse(scan, 'invalid_unicode', 'Text must not contain half of a surrogate pair (U+D800 to U+DFFF).');
  }
  return at + 12;
}

/** The UTF-16 unit of an escape `\uXXXX` at an index; -1 when there is none. */
function escapedUnit(text: string, at: number): number {
  const escape = text.slice(at, at + 6);
  return /^\\u[0-9A-Fa-f]{4}$/.test(escape) ? Number.parseInt(escape.slice(2), 16) : -1;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers

/** Every decimal of up to fifteen digits comes back from a double as it was (IEEE 754; DBL_DIG). */
const ALWAYS_EXACT_LENGTH = 15;

function scanNumber(scan: Scan): void {
  const { text } = scan;
  const start = scan.at;
  let at = text.charAt(start) === '-' ? start + 1 : start;
  at = text.charCodeAt(at) === ZERO ? at + 1 : endOfDigits(scan, at);
  if (text.charAt(at) === '.') at = endOfDigits(scan, at + 1);
  const hasExponent = text.charAt(at) === 'e' || text.charAt(at) === 'E';
  if (hasExponent) {
    const sign = text.charAt(at + 1);
    at = endOfDigits(scan, sign === '+' || sign === '-' ? at + 2 : at + 1);
  }
  scan.at = at;
  if (hasExponent || at - start > ALWAYS_EXACT_LENGTH) requireDouble(scan, text.slice(start, at));
}

/** The index behind a run of digits, of which there must be one at least. */
function endOfDigits(scan: Scan, start: number): number {
  const { text } = scan;
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === start) refuseSyntax(scan, at);
  return at;
}

/** Refuses a number that a double turns into another one; within the verbatim member only into infinity or zero. */
function requireDouble(scan: Scan, source: string): void {
  const unsigned = source.startsWith('-') ? source.slice(1) : source;
  const double = Number(unsigned);
  const isZero = !/^[^eE]*[1-9]/.test(unsigned);
  if (double === Infinity || (double === 0 && !isZero)) {
    refuse(scan, 'number_out_of_range', 'The number is too large or too small (IEEE 754 double precision).');
  }
  if (!scan.isVerbatim && !isZero && decimalForm(unsigned) !== decimalForm(String(double))) {
    refuse(scan, 'number_not_exact', 'The number cannot be kept exactly (IEEE 754 double precision).');
  }
}

/** One text for all ways to write a positive decimal: `1.10`, `11e-1` and `0.11E1` are all `11e-1`. */
function decimalForm(source: string): string {
  const [mantissa = '', exponent = '0'] = source.split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let first = 0;
  while (digits.charCodeAt(first) === ZERO) first += 1;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
