/**
 * The names by which things are known: our own ids, and those of the German energy market, banks and people.
 * Pure: every function decides from its argument alone and none throws on hostile text, unless it says so.
 * Sources are the sections of `market-rules.md` (state November 2026).
 */
import { isSEPACountry, validateIBAN, ValidationErrorsIBAN } from 'ibantools';

/** What an id names; the part before the underscore. */
export type IdPrefix =
  | 'prj'
  | 'crd'
  | 'pln'
  | 'cus'
  | 'adr'
  | 'mtr'
  | 'pm'
  | 'mp'
  | 'sub'
  | 'lead'
  | 'evt'
  | 'whe'
  | 'whd'
  | 'mpr'
  | 'msg'
  | 'mor'
  | 'gfr'
  | 'req'
  | 'aud'
  | 'pord';

// ---------------------------------------------------------------------------------------------------------------
// TypeID: prefix, underscore, 26 characters of base32 over the 128 bits (TypeID specification 0.3)

const BASE32_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE32_LENGTH = 26;
const UUID_LENGTH = 36;
/** Where a dashed uuid has its dashes. */
const DASHES: readonly number[] = [8, 13, 18, 23];
/** The character code of the dash of a uuid. */
export const DASH = 0x2d;
const UNDERSCORE = 0x5f;
const BASE32_CODES = Uint8Array.from(BASE32_ALPHABET, (character) => character.charCodeAt(0));
const HEX_CODES = Uint8Array.from('0123456789abcdef', (character) => character.charCodeAt(0));
const HEX_DIGIT_VALUES = valuesByCharacterCode('0123456789abcdef');
const BASE32_VALUES = valuesByCharacterCode(BASE32_ALPHABET);

/** The value of each ASCII character in `alphabet`, and -1 for all others. */
function valuesByCharacterCode(alphabet: string): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;
  return values;
}

/** The value of the character at `index`; negative when it is not in the alphabet or beyond the end. */
function valueAt(values: Int8Array, text: string, index: number): number {
  return values[text.charCodeAt(index)] ?? -1;
}

/**
 * The id as the API shows it, such as `sub_01h455vb4pex5vsknk084sn02q`, for a dashed lower-case uuid.
 * Throws a RangeError on anything else: uuids come from us, so that would be a bug.
 */
export function formatId(prefix: IdPrefix, uuid: string): string {
  let invalid = uuid.length === UUID_LENGTH ? 0 : -1;
  for (const dash of DASHES) if (uuid.charCodeAt(dash) !== DASH) invalid = -1;
  // A byte, and six groups of five hexadecimal digits, each of which is four characters of base32.
  const byte = (valueAt(HEX_DIGIT_VALUES, uuid, 0) << 4) | valueAt(HEX_DIGIT_VALUES, uuid, 1);
  const a = hexBits(uuid, 2, 3, 4, 5, 6);
  const b = hexBits(uuid, 7, 9, 10, 11, 12);
  const c = hexBits(uuid, 14, 15, 16, 17, 19);
  const d = hexBits(uuid, 20, 21, 22, 24, 25);
  const e = hexBits(uuid, 26, 27, 28, 29, 30);
  const f = hexBits(uuid, 31, 32, 33, 34, 35);
  if ((invalid | byte | a | b | c | d | e | f) < 0) throw new RangeError(`not a lower-case dashed uuid: ${uuid}`);
  const at = base32Code;
  // At once, because a text that is put together of pieces is flattened when it is written: ten of these are in each row.
  // prettier-ignore
  return prefix + String.fromCharCode(UNDERSCORE, at(byte, 5), at(byte, 0),
    at(a, 15), at(a, 10), at(a, 5), at(a, 0), at(b, 15), at(b, 10), at(b, 5), at(b, 0),
    at(c, 15), at(c, 10), at(c, 5), at(c, 0), at(d, 15), at(d, 10), at(d, 5), at(d, 0),
    at(e, 15), at(e, 10), at(e, 5), at(e, 0), at(f, 15), at(f, 10), at(f, 5), at(f, 0));
}

/**
 * The dashed lower-case uuid behind an id, or null when `text` is not exactly what `formatId` writes for that prefix:
 * another prefix, another length, an upper-case letter or any other character, or more than 128 bits.
 */
export function parseId(prefix: IdPrefix, text: string): string | null {
  const start = prefix.length + 1;
  if (text.length !== start + BASE32_LENGTH || !text.startsWith(prefix) || text.charAt(prefix.length) !== '_') {
    return null;
  }
  const byte = base32Bits(text, start, 2);
  const a = base32Bits(text, start + 2, 4);
  const b = base32Bits(text, start + 6, 4);
  const c = base32Bits(text, start + 10, 4);
  const d = base32Bits(text, start + 14, 4);
  const e = base32Bits(text, start + 18, 4);
  const f = base32Bits(text, start + 22, 4);
  if ((byte | (255 - byte) | a | b | c | d | e | f) < 0) return null;
  const at = hexCode;
  // prettier-ignore
  return String.fromCharCode(at(byte, 4), at(byte, 0), at(a, 16), at(a, 12), at(a, 8), at(a, 4), at(a, 0), at(b, 16),
    DASH, at(b, 12), at(b, 8), at(b, 4), at(b, 0), DASH, at(c, 16), at(c, 12), at(c, 8), at(c, 4),
    DASH, at(c, 0), at(d, 16), at(d, 12), at(d, 8), DASH, at(d, 4), at(d, 0), at(e, 16), at(e, 12), at(e, 8), at(e, 4),
    at(e, 0), at(f, 16), at(f, 12), at(f, 8), at(f, 4), at(f, 0));
}

/** The character code of the five bits from `shift` on. */
function base32Code(bits: number, shift: number): number {
  return BASE32_CODES[(bits >> shift) & 31] ?? 0;
}

/** The character code of the hexadecimal digit for the four bits from `shift` on. */
export function hexCode(bits: number, shift: number): number {
  return HEX_CODES[(bits >> shift) & 15] ?? 0;
}

/** The five hexadecimal digits at these places as a number; negative when one is none. */
function hexBits(text: string, a: number, b: number, c: number, d: number, e: number): number {
  return (
    (valueAt(HEX_DIGIT_VALUES, text, a) << 16) |
    (valueAt(HEX_DIGIT_VALUES, text, b) << 12) |
    (valueAt(HEX_DIGIT_VALUES, text, c) << 8) |
    (valueAt(HEX_DIGIT_VALUES, text, d) << 4) |
    valueAt(HEX_DIGIT_VALUES, text, e)
  );
}

/** `count` base32 characters from `start` as a number; negative when one is not in the alphabet. */
function base32Bits(text: string, start: number, count: number): number {
  let bits = 0;
  for (let at = start; at < start + count; at += 1) {
    const value = valueAt(BASE32_VALUES, text, at);
    if (value < 0) return -1;
    bits = (bits << 5) | value;
  }
  return bits;
}

const LATEST_UUID_TIME_MS = 2 ** 48 - 1;

/**
 * The lowest UUIDv7 (RFC 9562 §5.7) minted in a millisecond since 1970, so that a range of creation times becomes a
 * range of ids: created before T is below `lowestUuidAt(T)`, created at T or later is not. Instants that 48 bits
 * cannot hold are taken to the nearest that they can. Throws a RangeError on a fraction of a millisecond.
 */
export function lowestUuidAt(instantMs: number): string {
  if (!Number.isInteger(instantMs)) throw new RangeError(`not a whole millisecond: ${instantMs}`);
  const time = Math.min(Math.max(instantMs, 0), LATEST_UUID_TIME_MS).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The lowest of all uuids (RFC 9562 §5.9): before every other, and nothing has it. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** The millisecond since 1970 that a UUIDv7 was minted in. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

// ---------------------------------------------------------------------------------------------------------------
// The energy market

/**
 * Whether the last digit is the check digit of the BDEW: the even places count double as a sum (no cross-sum, so this is
 * not Luhn), and the digit fills up to the next ten. Source: market-rules.md §3.1.
 */
function hasBdewCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length - 1; index += 1) {
    sum += (index % 2 === 0 ? 1 : 2) * (digits.charCodeAt(index) - 0x30);
  }
  return (10 - (sum % 10)) % 10 === digits.charCodeAt(digits.length - 1) - 0x30;
}

/** Whether this is a market location id (MaLo-ID): eleven digits, the first not 0, the last a check digit (§3.1). */
export function isMarketLocationId(text: string): boolean {
  return /^[1-9][0-9]{10}$/.test(text) && hasBdewCheckDigit(text);
}

/**
 * Whether this is a market partner id (MP-ID): thirteen digits. No check digit is asked for: codes in use violate the
 * BDEW rule (§3.5).
 */
export function isMarketPartnerId(text: string): boolean {
  return /^[0-9]{13}$/.test(text);
}

/** Blanks, control and invisible characters, and everything that looks like a dash, in any script. */
const BLANKS_AND_DASHES = /[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Dash}\u2043\u2800]/gu;

/**
 * A meter number as it is matched: upper case, without blanks and dashes, however its characters are put together (NFKC,
 * Unicode Annex 15). It may come out empty. The number as given is kept beside it, since old meters carry any text (§3.4).
 */
export function normaliseMeterNumber(text: string): string {
  return text.normalize('NFKC').replace(BLANKS_AND_DASHES, '').toUpperCase();
}

// ---------------------------------------------------------------------------------------------------------------
// Bank accounts

/**
 * Members of SEPA that ibantools 4.5.4 does not know as such. With these the list is that of EPC409-09 ("EPC list of
 * SEPA scheme countries"): 41 countries, and Gibraltar. The other territories use their country's code in an IBAN:
 * GB for Guernsey, Jersey and the Isle of Man, FR for the French overseas parts, FI for Åland. Joined: Albania and
 * Montenegro November 2024, Moldova and North Macedonia March 2025, Serbia May 2025.
 * From memory, to be checked at europeanpaymentscouncil.eu; state 2026-11-21.
 */
const SEPA_COUNTRIES_MISSING_IN_IBANTOOLS: ReadonlySet<string> = new Set(['AL', 'MD', 'ME', 'MK', 'RS']);

/** An IBAN in electronic form (upper case, no blanks), or the first reason why the text is none that can be debited. */
export type ParsedIban =
  { ok: true; iban: string } | { ok: false; reason: 'malformed' | 'not_sepa' | 'length' | 'checksum' };

const withoutBlanks = (text: string): string => text.replace(/[\s\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '');

/** An IBAN in electronic form, of a text that `parseIban` has accepted. */
export function electronicIban(accepted: string): string {
  return withoutBlanks(accepted).toUpperCase();
}

/**
 * Reads an IBAN of any SEPA country (refusing some would break Art. 9 of Regulation 260/2012). Blanks of any kind and
 * lower case are accepted. Checked in this order: shape, country, length, form of the account part, check digits
 * (ISO 7064, mod 97). National check digits inside the account part are not checked: they have exceptions.
 */
export function parseIban(text: string): ParsedIban {
  const compact = withoutBlanks(text);
  // The shape is asked before the case is changed: 'ß' would become 'SS'.
  if (!/^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{1,30}$/.test(compact)) return { ok: false, reason: 'malformed' };
  const iban = compact.toUpperCase();
  const country = iban.slice(0, 2);
  if (!isSEPACountry(country) && !SEPA_COUNTRIES_MISSING_IN_IBANTOOLS.has(country)) {
    return { ok: false, reason: 'not_sepa' };
  }
  const errors = validateIBAN(iban).errorCodes;
  if (errors.includes(ValidationErrorsIBAN.WrongBBANLength)) return { ok: false, reason: 'length' };
  if (errors.includes(ValidationErrorsIBAN.WrongBBANFormat)) return { ok: false, reason: 'malformed' };
  // 00, 01 and 99 satisfy mod 97 but are never issued: check digits are 98 minus a remainder (ISO 13616).
  const isIssuable = !['00', '01', '99'].includes(iban.slice(2, 4));
  if (!isIssuable || errors.includes(ValidationErrorsIBAN.WrongIBANChecksum)) return { ok: false, reason: 'checksum' };
  return { ok: true, iban };
}

/** An IBAN as answers show it: country, check digits and the last four, of the same length: `DE89**************3000`. */
export function maskIban(iban: string): string {
  return iban.length <= 8
    ? '*'.repeat(iban.length)
    : `${iban.slice(0, 4)}${'*'.repeat(iban.length - 8)}${iban.slice(-4)}`;
}

// ---------------------------------------------------------------------------------------------------------------
// People and companies

const EMAIL_LOCAL_PART = /^[^\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}@<>()[\]\\,;:"]{1,64}$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
const TOP_LEVEL_LABEL = /^(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,63})$/iu;

/**
 * Whether mail could be sent there: one `@`, 1–64 characters before it without blanks, quotes or stray dots, a domain
 * of at least two labels behind it (letters of any script), 254 characters in all. Whether it exists is another matter.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.indexOf('@');
  if (at < 1 || text.length > 254) return false;
  const local = text.slice(0, at);
  if (!EMAIL_LOCAL_PART.test(local) || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return false;
  const labels = text.slice(at + 1).split('.');
  return (
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    TOP_LEVEL_LABEL.test(labels[labels.length - 1] ?? '')
  );
}

/** Whether this has the form of a German postcode: five digits from 01001 on. The sandbox's 99900–99938 are among them. */
export function isGermanPostcode(text: string): boolean {
  return /^[0-9]{5}$/.test(text) && text >= '01001';
}

/**
 * The prefixes of VAT ids in the EU (Directive 2006/112/EC Art. 215): the member states, Greece as EL, and XI for
 * Northern Ireland.
 */
const VAT_PREFIXES: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);

/** Whether this has the form of an EU VAT id: upper case, no blanks; a German one is DE and nine digits. */
export function isVatId(text: string): boolean {
  const country = text.slice(0, 2);
  if (!VAT_PREFIXES.has(country)) return false;
  return country === 'DE' ? /^DE[0-9]{9}$/.test(text) : /^[A-Z]{2}[A-Z0-9]{2,13}$/.test(text);
}

/** A character that leaves a mark: not white space, control, format, unassigned, default-ignorable, or a blank glyph. */
const VISIBLE_CHARACTER = /[^\s\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a reader would see anything: false for text of only blanks, control, zero-width and filler characters. */
export function hasVisibleText(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}
