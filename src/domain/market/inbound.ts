/**
 * What a person records of a partner's message: one table of every kind that we receive, with what each of its members
 * must be. It is typed against `MessageContents`: a member that is forgotten here does not compile.
 */
import { berlinDay, isDay } from '../calendar.ts';
import { hasVisibleText, isMarketLocationId, isMarketPartnerId } from '../identifiers.ts';
import { ANSWER_KINDS } from './answers.ts';
import {
  CANCELLATION_CODES,
  DEREGISTRATION_CODES,
  DIRECT_REGISTRATION_CODES,
  IDENTIFICATION_CODES,
  INQUIRY_CODES,
  PROCESSABILITY_CODES,
  REGISTRATION_CODES,
  type AnswerCode,
} from './codes.ts';
import { MASTER_DATA_IDENTIFIERS } from './messages.ts';
import type { DayText, InboundKind, InstantText, MessageContents, RegistrationReason } from './messages.ts';

/** What becomes of a member that is not given: refused, left out, or a value. */
type Absence<Value> = 'refused' | 'left_out' | { readonly value: Value };

/** How one member is read from a text. */
interface Rule<Value, Absent extends Absence<Value> = Absence<Value>> {
  /** `undefined` when the text is none; null when it never comes from a text. */
  readonly read: ((text: string) => Value | undefined) | null;
  /** What a text must be, after "must be". */
  readonly must: string;
  readonly absent: Absent;
}

/** Only a member that may be absent can be left out. */
type RuleFor<Contents, Member extends keyof Contents> = Rule<
  Required<Contents>[Member],
  | 'refused'
  | { readonly value: Required<Contents>[Member] }
  | (Contents extends Record<Member, unknown> ? never : 'left_out')
>;
type RulesOf<Contents> = { readonly [Member in keyof Contents]-?: RuleFor<Contents, Member> };
type Reader<Value> = Pick<Rule<Value>, 'must'> & { readonly read: (text: string) => Value | undefined };

// ---------------------------------------------------------------------------------------------------------------
// Texts

const day: Reader<DayText> = {
  must: 'a day of the years 2000 to 2099 that exists, such as 2026-12-01',
  read: (text) => (/^20\d\d-\d\d-\d\d$/.test(text) && isDay(text) ? text : undefined),
};
const instant: Reader<InstantText> = {
  must: 'an instant such as 2026-12-01T09:30:00Z',
  read: (text) => {
    if (!/^20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
    return attempt(() => Temporal.Instant.from(text).toString({ smallestUnit: 'second' }));
  },
};
const marketLocation: Reader<string> = {
  must: 'a market location (MaLo): eleven digits, the last a check digit',
  read: (text) => (isMarketLocationId(text) ? text : undefined),
};
const partner: Reader<string> = {
  must: 'a market partner id (MP-ID) of 13 digits',
  read: (text) => (isMarketPartnerId(text) ? text : undefined),
};
/** Visible text in one line. */
const words: Reader<string> = {
  must: 'a visible text of at most 200 characters in one line',
  read: (text) => {
    const isFine = hasVisibleText(text) && text.length <= 200 && !/\p{Cc}/u.test(text);
    return isFine && text.isWellFormed() ? text.trim() : undefined;
  },
};
const number: Reader<string> = {
  must: 'a number of a message: 1 to 35 letters, digits and signs without blanks',
  read: (text) => (isReferenceNumber(text) ? text : undefined),
};

function oneOf<Value extends string>(values: readonly Value[]): Reader<Value> {
  return { must: `one of ${values.join(', ')}`, read: (text) => values.find((value) => value === text) };
}

/** The codes of decision trees that say yes, or those that do not. */
function codes<Code extends string>(table: Readonly<Record<Code, AnswerCode>>, accepts: boolean): Reader<Code> {
  const all = Object.entries<AnswerCode>(table);
  const fitting = all.filter(([, { leadsTo }]) => (leadsTo === 'accepted') === accepts);
  return oneOf(fitting.map(([code]) => code as Code));
}

function attempt(work: () => string): string | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a text can be the number of a message or of a process (EDIFACT an..35). */
export function isReferenceNumber(text: string): boolean {
  return /^[\x21-\x7e]{1,35}$/.test(text);
}

const needed = <Value>(reader: Reader<Value>): Rule<Value, 'refused'> => ({ ...reader, absent: 'refused' });
const optional = <Value>(reader: Reader<Value>): Rule<Value, 'left_out'> => ({ ...reader, absent: 'left_out' });
const usually = <Value, Usual extends Value>(
  reader: Reader<Value>,
  value: Usual,
): Rule<Value, { readonly value: Usual }> => ({ ...reader, absent: { value } });

// ---------------------------------------------------------------------------------------------------------------
// The table

const RULES: { readonly [Kind in InboundKind]: RulesOf<MessageContents[Kind]> } = {
  identification_match: {
    marketLocation: needed(marketLocation),
    gridOperator: optional(partner),
    previousSupplier: optional(partner),
  },
  identification_failure: { code: needed(codes(IDENTIFICATION_CODES, false)), gridOperator: optional(partner) },
  registration_confirmation: {
    code: usually(codes(REGISTRATION_CODES, true), 'A51'),
    start: needed(day),
    receivedAt: optional(instant),
  },
  registration_rejection: {
    code: needed(codes({ ...DIRECT_REGISTRATION_CODES, ...REGISTRATION_CODES }, false)),
    supplierCode: optional(codes(INQUIRY_CODES, false)),
    otherStart: optional(day),
    acceptedFrom: optional(day),
  },
  existing_assignment: { marketLocation: needed(marketLocation) },
  deregistration_confirmation: { code: usually(codes(DEREGISTRATION_CODES, true), 'A11'), end: needed(day) },
  deregistration_rejection: { code: needed(codes(DEREGISTRATION_CODES, false)), confirmedEnd: optional(day) },
  grid_operator_end: { marketLocation: needed(marketLocation), end: needed(day), receivedAt: optional(instant) },
  end_inquiry: {
    marketLocation: needed(marketLocation),
    end: needed(day),
    reason: needed(oneOf<RegistrationReason>(['E01', 'E03'])),
    registeredOn: needed(day),
    customerName: needed(words),
    receivedAt: optional(instant),
  },
  end_notice: { marketLocation: needed(marketLocation), end: needed(day) },
  start_revocation: { marketLocation: needed(marketLocation), start: needed(day) },
  cancellation: {
    marketLocation: needed(marketLocation),
    end: usually<DayText | null, null>(day, null),
    // He is named when we cancel; here we are the one.
    supplier: { read: null, must: '', absent: { value: null } },
    receivedAt: optional(instant),
  },
  cancellation_confirmation: { code: usually(codes(CANCELLATION_CODES, true), 'A09'), end: needed(day) },
  cancellation_rejection: { code: needed(codes(CANCELLATION_CODES, false)), nextPossibleEnd: optional(day) },
  reversal: { reverses: needed(number) },
  reversal_confirmation: { reverses: needed(number) },
  reversal_rejection: { reverses: needed(number) },
  acknowledgement: { receivedAt: needed(instant) },
  processing_error: { code: needed(codes(PROCESSABILITY_CODES, false)), gridOperator: optional(partner) },
  syntax_error: { detail: needed(words) },
  master_data: { identifier: needed(oneOf(MASTER_DATA_IDENTIFIERS)) },
};

type MemberOf<Kind extends InboundKind> = Kind extends InboundKind ? keyof MessageContents[Kind] : never;
/** The name of a member of any kind that we receive. */
export type InboundField = Exclude<MemberOf<InboundKind>, 'supplier'>;
/** Members as somebody typed them. */
export type InboundFields = Readonly<Partial<Record<InboundField, string>>>;

/** What is wrong with one member, to be read after its name. */
export interface InboundError {
  readonly field: InboundField;
  readonly message: string;
}

/** The contents of a message, or everything that is wrong with them. */
export type InboundReading<Kind extends InboundKind> =
  | { readonly ok: true; readonly contents: MessageContents[Kind] }
  | { readonly ok: false; readonly errors: readonly InboundError[] };

/** The members that a kind has. */
export function inboundFields(kind: InboundKind): readonly InboundField[] {
  return rulesOf(kind)
    .filter(([, { read }]) => read !== null)
    .map(([field]) => field);
}

/** Reads the contents of a message of a kind; all errors at once. */
export function readInbound<Kind extends InboundKind>(kind: Kind, fields: InboundFields): InboundReading<Kind> {
  const known = inboundFields(kind);
  const given = Object.keys(fields) as InboundField[];
  const errors: InboundError[] = given
    .filter((field) => fields[field] !== undefined && !known.includes(field))
    .map((field) => ({ field, message: `is nothing that ${kind} has` }));
  const contents: Record<string, unknown> = {};
  for (const [field, { read, must, absent }] of rulesOf(kind)) {
    const text = read === null ? undefined : fields[field];
    if (text !== undefined) {
      const value = read?.(text);
      if (value === undefined) errors.push({ field, message: `must be ${must}` });
      else contents[field] = value;
    } else if (absent === 'refused') errors.push({ field, message: `is missing; it must be ${must}` });
    else if (absent !== 'left_out') contents[field] = absent.value;
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, contents: contents as unknown as MessageContents[Kind] };
}

/** How many years from today, or behind the start asked for, a day can lie: an end is asked for ten years ahead. */
const YEARS_AROUND: Readonly<Partial<Record<InboundField, number>>> = {
  start: 2,
  otherStart: 2,
  acceptedFrom: 2,
  registeredOn: 2,
  end: 12,
  nextPossibleEnd: 12,
  confirmedEnd: 12,
};
/** Days of what has happened: none lies ahead. */
const PAST: ReadonlySet<string> = new Set<InboundField>(['registeredOn']);

/** How far a partner's clock may be from ours. */
const CLOCK_TOLERANCE = { hours: 1 };

/**
 * Days and receipts that nobody can have meant: once recorded, a supply would wait for a day, and a notice or a deadline
 * run from a receipt.
 * @param since when that was which a message answers, or the sign-up: nothing of it was received before
 * @param requested the start that the market is asked for, or has confirmed: as far ahead as an old contract runs
 */
export function findSlips(
  contents: object,
  now: Temporal.Instant,
  since: Temporal.Instant,
  requested: DayText | null = null,
): InboundError[] {
  const texts = contents as Readonly<Partial<Record<string, string | null>>>;
  const [today, latest] = [berlinDay(now), now.add(CLOCK_TOLERANCE)];
  const furthest = requested !== null && requested > today.toString() ? Temporal.PlainDate.from(requested) : today;
  const errors = Object.entries(YEARS_AROUND).flatMap(([field, years]): InboundError[] => {
    const text = texts[field] ?? null;
    const first = today.subtract({ years }).toString();
    const last = (PAST.has(field) ? berlinDay(latest) : furthest.add({ years })).toString();
    if (text === null || (text >= first && text <= last)) return [];
    return [{ field: field as InboundField, message: `must be a day from ${first} to ${last}` }];
  });
  const receipt = texts['receivedAt'] ?? null;
  if (receipt === null) return errors;
  const late = `must not be after ${now.toString()}`;
  const early = `must not be before ${since.toString()}`;
  if (Temporal.Instant.compare(receipt, latest) > 0) return [...errors, { field: 'receivedAt', message: late }];
  if (Temporal.Instant.compare(receipt, since.subtract(CLOCK_TOLERANCE)) >= 0) return errors;
  return [...errors, { field: 'receivedAt', message: early }];
}

function rulesOf(kind: InboundKind): readonly (readonly [InboundField, Rule<unknown>])[] {
  return Object.entries(RULES[kind]) as unknown as readonly (readonly [InboundField, Rule<unknown>])[];
}

/** Every kind that partners send of their own accord. */
export const UNASKED_KINDS: readonly InboundKind[] = (Object.keys(RULES) as InboundKind[]).filter(
  (kind) => !ANSWER_KINDS.includes(kind),
);
