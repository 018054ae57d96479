/**
 * The messages between us and the market, in words of the domain. Each carries what EDIFACT or REST needs to know it by
 * (check identifier, Prüfidentifikator, PID; reference numbers; answer code), so that a transport can be put under the
 * port without touching the processes. Source: market-rules.md §1.1–1.6. Plain JSON: days are `YYYY-MM-DD` and mean
 * 00:00 Europe/Berlin, instants are ISO 8601 in UTC.
 */
import type {
  CancellationCode,
  DeregistrationCode,
  DirectRegistrationCode,
  GridOperatorEndCode,
  IdentificationCode,
  InquiryCode,
  ProcessabilityCode,
  RegistrationCode,
} from './codes.ts';

/** Who sends or receives: `supplier` is we, `other_supplier` the previous or the next one. */
type MarketRole = 'supplier' | 'other_supplier' | 'grid_operator';

type Direction = 'out' | 'in' | 'both';

/** How one kind of message is known to the market. */
export interface MessageType<Way extends Direction = Direction> {
  /** The check identifier (PID) of an EDIFACT message, or the operation of the REST API; `master_data` has one each. */
  readonly identifier: string;
  readonly format: 'UTILMD' | 'APERAK' | 'CONTRL' | 'REST';
  /** Who we exchange it with; `either`: whoever sent or received what it is about. */
  readonly partner: Exclude<MarketRole, 'supplier'> | 'either';
  /** Whether we send it, receive it, or both, depending on which side of a switch we are on. */
  readonly direction: Way;
  readonly germanName: string;
}

const type = <Way extends Direction>(
  identifier: string,
  partner: MessageType['partner'],
  direction: Way,
  germanName: string,
  format: MessageType['format'] = 'UTILMD',
): MessageType<Way> => ({ identifier, format, partner, direction, germanName });

/** Every message of the processes (§1.1). */
export const MESSAGE_TYPES = {
  identification_request: type('POST /maloId/request/v1', 'grid_operator', 'out', 'MaLo-Identifikation', 'REST'),
  identification_match: type(
    'POST /maloId/dataForMarketLocationPositive/v1',
    'grid_operator',
    'in',
    'Positive Antwort MaLo-Identifikation',
    'REST',
  ),
  identification_failure: type(
    'POST /maloId/dataForMarketLocationNegative/v1',
    'grid_operator',
    'in',
    'Negative Antwort MaLo-Identifikation',
    'REST',
  ),
  registration: type('55001', 'grid_operator', 'out', 'Anmeldung'),
  registration_confirmation: type('55002', 'grid_operator', 'in', 'Bestätigung Anmeldung'),
  registration_rejection: type('55003', 'grid_operator', 'in', 'Ablehnung Anmeldung'),
  existing_assignment: type('55036', 'grid_operator', 'in', 'Information über existierende Zuordnung'),
  deregistration: type('55004', 'grid_operator', 'out', 'Abmeldung'),
  deregistration_confirmation: type('55005', 'grid_operator', 'in', 'Bestätigung Abmeldung'),
  deregistration_rejection: type('55006', 'grid_operator', 'in', 'Ablehnung Abmeldung'),
  grid_operator_end: type('55007', 'grid_operator', 'in', 'Beendigung der Zuordnung durch den Netzbetreiber'),
  grid_operator_end_consent: type('55008', 'grid_operator', 'out', 'Bestätigung Beendigung der Zuordnung'),
  grid_operator_end_refusal: type('55009', 'grid_operator', 'out', 'Ablehnung Beendigung der Zuordnung'),
  end_inquiry: type('55010', 'grid_operator', 'in', 'Anfrage zur Beendigung der Zuordnung'),
  end_inquiry_consent: type('55011', 'grid_operator', 'out', 'Bestätigung der Anfrage'),
  end_inquiry_refusal: type('55012', 'grid_operator', 'out', 'Ablehnung der Anfrage'),
  end_notice: type('55037', 'grid_operator', 'in', 'Beendigung der Zuordnung'),
  start_revocation: type('55038', 'grid_operator', 'in', 'Aufhebung einer zukünftigen Zuordnung'),
  cancellation: type('55016', 'other_supplier', 'both', 'Kündigung'),
  cancellation_confirmation: type('55017', 'other_supplier', 'both', 'Bestätigung Kündigung'),
  cancellation_rejection: type('55018', 'other_supplier', 'both', 'Ablehnung Kündigung'),
  reversal: type('55022', 'either', 'both', 'Anfrage nach Stornierung'),
  reversal_confirmation: type('55023', 'either', 'both', 'Bestätigung Stornierung'),
  reversal_rejection: type('55024', 'either', 'both', 'Ablehnung Stornierung'),
  acknowledgement: type('APERAK 312', 'either', 'in', 'Anerkennungsmeldung', 'APERAK'),
  processing_error: type('APERAK 313', 'either', 'both', 'Verarbeitbarkeitsfehlermeldung', 'APERAK'),
  syntax_error: type('CONTRL', 'either', 'in', 'Syntaxfehlermeldung', 'CONTRL'),
  master_data: type('master data', 'grid_operator', 'in', 'Stammdaten und Abrechnungsdaten'),
} as const satisfies Readonly<Record<string, MessageType>>;
export type MessageKind = keyof typeof MESSAGE_TYPES;

/** The PIDs that `master_data` stands for: what grid and metering point operators tell a supplier of a location (§1.1). */
export const MASTER_DATA_IDENTIFIERS = [
  '55126',
  '55175',
  '55218',
  '55615',
  '55616',
  '55617',
  '55618',
  '55620',
  '55649',
  '55650',
  '55651',
  '55652',
  '55653',
  '55691',
] as const;

/** A day `YYYY-MM-DD` in Europe/Berlin. Such texts compare like the days they name. */
export type DayText = string;
/** An instant as `Temporal.Instant` writes it. */
export type InstantText = string;

/** Another supplier. `id` is whatever the caller knows him by; `code` his 13-digit market partner id, where known. */
export interface MarketPartner {
  readonly id: string;
  readonly name: string;
  readonly code: string | null;
}

/** Why a deregistration is sent: the transaction reason (Transaktionsgrund) of 55004 (§1.6). */
export type DeregistrationReason = 'E01' | 'ZH2' | 'ZT4' | 'ZT5';
/** Why a registration is sent: E01 move-in (Einzug), E03 switch (Wechsel). */
export type RegistrationReason = 'E01' | 'E03';

/** What each kind says beyond its head. */
export interface MessageContents {
  /** `retryOf`: the transaction first asked with (header initialTransactionId); `gridOperator` null: by the address. */
  identification_request: {
    readonly meterNumber: string;
    readonly zip: string;
    readonly address: string;
    readonly customerName: string;
    readonly gridOperator: string | null;
    readonly retryOf: string | null;
  };
  identification_match: {
    readonly marketLocation: string;
    readonly gridOperator?: string;
    readonly previousSupplier?: string;
  };
  /** `gridOperator`: the MP-ID to ask instead, with A04, A07 and A09. */
  identification_failure: { readonly code: IdentificationCode; readonly gridOperator?: string };
  registration: {
    readonly marketLocation: string;
    readonly start: DayText;
    readonly reason: RegistrationReason;
    readonly customerName: string;
  };
  /** `receivedAt`: when it reached us, where it is recorded later than that. */
  registration_confirmation: {
    readonly code: RegistrationCode;
    readonly start: DayText;
    readonly receivedAt?: InstantText;
  };
  /** `supplierCode` explains A50 (STS+Z35); the two days come with A06 (DTM+Z07, Z08). */
  registration_rejection: {
    readonly code: DirectRegistrationCode | RegistrationCode;
    readonly supplierCode?: InquiryCode;
    readonly otherStart?: DayText;
    readonly acceptedFrom?: DayText;
  };
  existing_assignment: { readonly marketLocation: string };
  deregistration: { readonly marketLocation: string; readonly end: DayText; readonly reason: DeregistrationReason };
  deregistration_confirmation: { readonly code: DeregistrationCode; readonly end: DayText };
  /** `confirmedEnd`: the end confirmed before, with A09 and A10. */
  deregistration_rejection: { readonly code: DeregistrationCode; readonly confirmedEnd?: DayText };
  /** `receivedAt`: when it reached us, where it is recorded later than that; here and below. */
  grid_operator_end: { readonly marketLocation: string; readonly end: DayText; readonly receivedAt?: InstantText };
  grid_operator_end_consent: { readonly code: GridOperatorEndCode; readonly end: DayText };
  grid_operator_end_refusal: { readonly code: GridOperatorEndCode };
  /** `registeredOn`: the day on which the grid operator received the other registration (DTM+154). */
  end_inquiry: {
    readonly marketLocation: string;
    readonly end: DayText;
    readonly reason: RegistrationReason;
    readonly registeredOn: DayText;
    readonly customerName: string;
    readonly receivedAt?: InstantText;
  };
  end_inquiry_consent: { readonly code: InquiryCode; readonly end: DayText };
  end_inquiry_refusal: { readonly code: InquiryCode };
  end_notice: { readonly marketLocation: string; readonly end: DayText };
  start_revocation: { readonly marketLocation: string; readonly start: DayText };
  /** `end` null asks for the next possible date (DTM+471) instead of a fixed one (DTM+93); `supplier`: to whom we send it. */
  cancellation: {
    readonly marketLocation: string;
    readonly end: DayText | null;
    readonly supplier: MarketPartner | null;
    readonly receivedAt?: InstantText;
  };
  cancellation_confirmation: { readonly code: CancellationCode; readonly end: DayText };
  cancellation_rejection: { readonly code: CancellationCode; readonly nextPossibleEnd?: DayText };
  /** `reverses`: the process number of the message that shall not have been. */
  reversal: { readonly reverses: string };
  reversal_confirmation: { readonly reverses: string };
  reversal_rejection: { readonly reverses: string };
  /** `receivedAt`: the receipt from which deadlines run (Übertragungszeitpunkt). */
  acknowledgement: { readonly receivedAt: InstantText };
  /** `gridOperator`: the MP-ID of the new grid operator, with Z16. */
  processing_error: { readonly code: ProcessabilityCode; readonly gridOperator?: string };
  syntax_error: { readonly detail: string };
  /** `identifier`: the PID, one of `MASTER_DATA_IDENTIFIERS`. */
  master_data: { readonly identifier: string };
}

/** What every message has. */
interface Head {
  /** Unique among its sender's messages (BGM 1004), at most 35 characters. */
  readonly documentNumber: string;
  /** The process number (Vorgangsnummer, IDE+24): new with every message, also when the same is asked again. */
  readonly processNumber: string;
  /** The process number that this answers (RFF+TN), or null. */
  readonly answers: string | null;
}

/** A message of one of the kinds, or of any. */
export type MarketMessage<Kind extends MessageKind = MessageKind> = {
  [Each in Kind]: Head & { readonly kind: Each } & MessageContents[Each];
}[Kind];

type KindsWithout<Way extends Direction> = {
  [Kind in MessageKind]: (typeof MESSAGE_TYPES)[Kind]['direction'] extends Way ? never : Kind;
}[MessageKind];
/** The kinds that we send. */
export type OutboundKind = KindsWithout<'in'>;
/** The kinds that partners send. */
export type InboundKind = KindsWithout<'out'>;

/** A message that we send. `replaces`: the document number of one not yet transmitted that must no longer be sent. */
export type OutboundMessage<Kind extends OutboundKind = OutboundKind> = MarketMessage<Kind> & {
  readonly replaces: string | null;
};

/** A message that we receive. */
export type InboundMessage<Kind extends InboundKind = InboundKind> = MarketMessage<Kind>;

/** The PID of a message, or the operation of the REST API. */
export function identifierOf(message: MarketMessage): string {
  return message.kind === 'master_data' ? message.identifier : MESSAGE_TYPES[message.kind].identifier;
}
