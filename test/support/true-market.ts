/**
 * A market that knows the truth: a grid operator who keeps from which day until which each market location is assigned to us,
 * and a previous supplier who keeps the end of his contract. They know of us what they were really handed, whether or not
 * anybody has recorded that, and answer by the rules (market-rules.md §1.3–1.6); what they send waits until somebody records it.
 */
import { addWorkingDays, berlinDay, deadlineFor, earliestStart } from '#domain/calendar.ts';
import type { InboundKind, InboundMessage, MessageContents, OutboundMessage } from '#domain/market/messages.ts';
import { MALO, supplierNamed } from './market-life.ts';

/** A market location that is ours, by the grid operator's word. */
export interface Assignment {
  readonly marketLocation: string;
  readonly start: string;
  /** The first day without supply; null while none is known, and the start itself where that is revoked. */
  end: string | null;
  /** Whether we have asked for that end. */
  isEndedByUs: boolean;
}

/** A message of ours that a partner has, and has not acted on. */
interface Received {
  readonly message: OutboundMessage;
  readonly at: Temporal.Instant;
}

/** An end that the grid operator has asked or told us about, and takes silence for consent to. */
interface Announced {
  readonly kind: 'end_inquiry' | 'grid_operator_end';
  readonly processNumber: string;
  readonly marketLocation: string;
  readonly end: string;
  readonly answerBy: Temporal.Instant;
}

/** How a partner decides where the rules leave it to him. */
export interface Mood {
  readonly which: number;
  readonly days: number;
}

/** What all partners know, and what they have sent. */
export interface TrueMarket {
  assignments: Assignment[];
  pending: readonly Received[];
  announced: readonly Announced[];
  /** What they have sent and nobody has recorded, oldest first. */
  inbox: readonly InboundMessage[];
  /** Where the grid operator assigns nothing any more. */
  readonly shutDown: Set<string>;
  /** From when another supplier has them. */
  readonly rivals: Map<string, string>;
  /** Document numbers of ours that were really handed over. */
  readonly handedOver: Set<string>;
  /** The end of the previous supplier's contract at `MALO`; null while it runs on. */
  contractEnd: string | null;
  /** Until when that contract binds the customer. */
  readonly boundUntil: string;
  sent: number;
}

/** The one supplier who has a contract with the customer, at `MALO`. */
export const PREVIOUS = supplierNamed('previous');

/** A market in which nobody has heard of us. */
export function beginMarket(boundUntil: string): TrueMarket {
  return {
    assignments: [],
    pending: [],
    announced: [],
    inbox: [],
    shutDown: new Set(),
    rivals: new Map(),
    handedOver: new Set(),
    contractEnd: null,
    boundUntil,
    sent: 0,
  };
}

/** Whether a market location is ours on a day. */
export function isAssigned(assignments: readonly Assignment[], marketLocation: string, day: string): boolean {
  return assignments.some(
    (each) => each.marketLocation === marketLocation && each.start <= day && (each.end === null || day < each.end),
  );
}

function tell<Kind extends InboundKind>(
  market: TrueMarket,
  kind: Kind,
  contents: MessageContents[Kind],
  answers: string | null = null,
): string {
  market.sent += 1;
  const number = `market-${market.sent}`;
  const message = { kind, documentNumber: number, processNumber: number, answers, ...contents };
  market.inbox = [...market.inbox, message as unknown as InboundMessage];
  return number;
}

const plus = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();
const reachable = (at: Temporal.Instant): string => earliestStart(berlinDay(at)).toString();

// ---------------------------------------------------------------------------------------------------------------
// What we send

const ANSWERS_OF_OURS = new Set<string>([
  'end_inquiry_consent',
  'end_inquiry_refusal',
  'grid_operator_end_consent',
  'grid_operator_end_refusal',
]);
const QUESTIONS = new Set<string>([
  'identification_request',
  'cancellation',
  'registration',
  'deregistration',
  'reversal',
]);

/** A partner really receives a message of ours; he may acknowledge it at once, and acts on it later. */
export function handOver(
  market: TrueMarket,
  message: OutboundMessage,
  now: Temporal.Instant,
  isReceipted = false,
): void {
  market.handedOver.add(message.documentNumber);
  if (ANSWERS_OF_OURS.has(message.kind)) hearAnswer(market, message);
  if (!QUESTIONS.has(message.kind)) return;
  market.pending = [...market.pending, { message, at: now }];
  if (isReceipted) tell(market, 'acknowledgement', { receivedAt: now.toString() }, message.processNumber);
}

/** A partner acts on a message of ours that he has. */
export function act(market: TrueMarket, received: Received, now: Temporal.Instant, mood: Mood): void {
  market.pending = market.pending.filter((each) => each !== received);
  const { message } = received;
  if (message.kind === 'identification_request') {
    tell(market, 'identification_match', { marketLocation: MALO }, message.processNumber);
  } else if (message.kind === 'cancellation') answerCancellation(market, message, now, mood);
  else if (message.kind === 'registration') answerRegistration(market, message, received.at, now, mood);
  else if (message.kind === 'deregistration') answerDeregistration(market, message, received.at, mood);
  else if (message.kind === 'reversal') answerReversal(market, message);
}

/** What he has not acted on yet he forgets. */
function answerReversal(market: TrueMarket, { reverses, processNumber }: OutboundMessage<'reversal'>): void {
  const found = market.pending.find(({ message }) => message.processNumber === reverses);
  market.pending = market.pending.filter((each) => each !== found);
  tell(market, found === undefined ? 'reversal_rejection' : 'reversal_confirmation', { reverses }, processNumber);
}

/** E_0614. */
function answerCancellation(
  market: TrueMarket,
  { marketLocation, supplier, end, processNumber }: OutboundMessage<'cancellation'>,
  now: Temporal.Instant,
  { which }: Mood,
): void {
  const reject = (contents: MessageContents['cancellation_rejection']): string =>
    tell(market, 'cancellation_rejection', contents, processNumber);
  const confirm = (contents: MessageContents['cancellation_confirmation']): string =>
    tell(market, 'cancellation_confirmation', contents, processNumber);
  const today = berlinDay(now).toString();
  const { contractEnd, boundUntil } = market;
  if (supplier?.id !== PREVIOUS.id || marketLocation !== MALO)
    tell(market, 'processing_error', { code: 'Z18' }, processNumber);
  else if (end !== null && end <= today) reject({ code: 'A01' });
  else if (contractEnd !== null && (end === null || end === contractEnd) && contractEnd > today) {
    confirm({ code: 'A03', end: contractEnd });
  } else if (contractEnd !== null && (end === null || end > contractEnd)) reject({ code: 'A04' });
  else if (contractEnd !== null) reject({ code: 'A05', nextPossibleEnd: contractEnd });
  else if (which % 11 === 0) reject({ code: 'A08' });
  else if (end !== null && end < boundUntil) reject({ code: 'A06', nextPossibleEnd: boundUntil });
  else {
    const next = addWorkingDays(berlinDay(now), 2).toString();
    market.contractEnd = end ?? (next < boundUntil ? boundUntil : next);
    confirm({ code: 'A09', end: market.contractEnd });
  }
}

/** E_0622 and E_0623. */
function answerRegistration(
  market: TrueMarket,
  { marketLocation, start, reason, processNumber }: OutboundMessage<'registration'>,
  at: Temporal.Instant,
  now: Temporal.Instant,
  { which, days }: Mood,
): void {
  const reject = (contents: MessageContents['registration_rejection']): string =>
    tell(market, 'registration_rejection', contents, processNumber);
  const { pending, announced, contractEnd } = market;
  const isOther = pending.some(
    ({ message }) => message.kind === 'registration' && message.marketLocation === marketLocation,
  );
  const isRival = announced.some((each) => each.marketLocation === marketLocation);
  const rivalFrom = market.rivals.get(marketLocation);
  if (start < reachable(at) || (start <= berlinDay(now).toString() && which % 7 !== 0)) reject({ code: 'A07' });
  else if (market.shutDown.has(marketLocation)) reject({ code: 'A02' });
  else if (isRival || (isOther && which % 3 === 0)) {
    reject({ code: 'A06', acceptedFrom: plus(berlinDay(now).toString(), 2) });
  } else if (start <= (rivalFrom ?? '')) reject({ code: 'A06', acceptedFrom: plus(rivalFrom ?? start, 1) });
  else if (rivalFrom !== undefined && which % 2 === 0) reject({ code: 'A50', supplierCode: 'A35' });
  else if (which % 13 === 1) reject({ code: 'A99' });
  else if (which % 13 === 2) {
    const isBound = marketLocation === MALO && (contractEnd === null || contractEnd > start);
    reject({ code: 'A50', supplierCode: reason === 'E03' && isBound ? 'A35' : 'A32' });
  } else {
    // Mostly for the day asked for; for another one where he says so.
    const moved = which % 5 === 3 ? days % 14 : which % 29 === 4 ? -(days % 3) : 0;
    const day = plus(start, moved);
    if (isTakenOver(market, marketLocation, day)) {
      reject({ code: 'A06', acceptedFrom: plus(day > start ? day : start, 1) });
      return;
    }
    market.assignments.push({ marketLocation, start: day, end: null, isEndedByUs: false });
    tell(market, 'registration_confirmation', { code: 'A51', start: day, receivedAt: now.toString() }, processNumber);
  }
}

/** Whether a start there on that very day was revoked for another supplier: of two, 55038 would not say which is meant. */
function isTakenOver({ assignments }: TrueMarket, marketLocation: string, day: string): boolean {
  return assignments.some(
    (each) => each.marketLocation === marketLocation && each.start === day && each.end === day && !each.isEndedByUs,
  );
}

/** E_0607. */
function answerDeregistration(
  market: TrueMarket,
  message: OutboundMessage<'deregistration'>,
  at: Temporal.Instant,
  { which, days }: Mood,
): void {
  const { marketLocation, end, reason, processNumber } = message;
  const reject = (contents: MessageContents['deregistration_rejection']): string =>
    tell(market, 'deregistration_rejection', contents, processNumber);
  const confirm = (day: string): string =>
    tell(market, 'deregistration_confirmation', { code: 'A11', end: day }, processNumber);
  const ours = market.assignments.filter((each) => each.marketLocation === marketLocation);
  const found = ours.filter((each) => (reason === 'ZH2' ? each.start === end : each.start < end));
  const open = found.filter((each) => each.end === null || each.end > end);
  const own = market.announced.find(
    (each) => each.kind === 'grid_operator_end' && each.marketLocation === marketLocation,
  );
  const known = latestEnd(open) ?? (open.length === 0 ? latestEnd(found) : (own?.end ?? null));
  if (end < reachable(at)) reject({ code: 'A02' });
  else if (ours.every((each) => each.end === each.start) && (found.length === 0 || which % 2 === 0)) {
    tell(market, 'processing_error', { code: 'Z17' }, processNumber);
  } else if (found.length === 0) reject({ code: 'A06' });
  // What he has confirmed, or told himself, he does not bring forward; he need not say which day that is.
  else if (known !== null) reject(which % 2 === 0 ? { code: 'A10' } : { code: 'A09', confirmedEnd: known });
  else {
    const day = reason !== 'ZH2' && which % 17 === 5 ? plus(end, days % 10) : end;
    for (const each of ours) {
      const isMeant = reason === 'ZH2' ? each.start === day : each.start < day;
      if (isMeant && (each.end === null || each.end > day)) Object.assign(each, { end: day, isEndedByUs: true });
    }
    confirm(day);
  }
}

function latestEnd(assignments: readonly Assignment[]): string | null {
  return assignments
    .map(({ end }) => end)
    .reduce((last, end) => (end !== null && end > (last ?? '') ? end : last), null);
}

// ---------------------------------------------------------------------------------------------------------------
// What others do

function isOpenAt({ end, marketLocation }: Assignment, place: string, day: string): boolean {
  return marketLocation === place && (end === null || end > day);
}

/** Another supplier registers for a day; where we supply by then, we are asked, and where we were to, that is revoked. */
export function rivalRegisters(market: TrueMarket, marketLocation: string, end: string, now: Temporal.Instant): void {
  const day = end < reachable(now) ? reachable(now) : end;
  const isBusy =
    market.rivals.has(marketLocation) ||
    market.announced.some((each) => each.marketLocation === marketLocation) ||
    market.pending.some(({ message }) => message.kind === 'registration' && message.marketLocation === marketLocation);
  const ours = market.assignments.filter((each) => isOpenAt(each, marketLocation, day) && each.end !== each.start);
  if (isBusy || ours.length === 0 || market.shutDown.has(marketLocation)) return;
  if (ours.every(({ start }) => start >= day)) {
    takeOver(market, marketLocation, day);
    return;
  }
  const registeredOn = berlinDay(now).toString();
  const asked = { marketLocation, end: day, reason: 'E03', registeredOn, customerName: 'Max Muster' } as const;
  const processNumber = tell(market, 'end_inquiry', { ...asked, receivedAt: now.toString() });
  const answerBy = deadlineFor('assignment_end_inquiry_answer', now);
  market.announced = [...market.announced, { kind: 'end_inquiry', processNumber, marketLocation, end: day, answerBy }];
}

/** The other supplier supplies from a day on: we hear of the end of what we supply, or of the start that comes to nothing. */
function takeOver(market: TrueMarket, marketLocation: string, day: string): void {
  market.rivals.set(marketLocation, day);
  for (const each of market.assignments.filter((known) => isOpenAt(known, marketLocation, day))) {
    if (each.end === each.start) continue;
    if (each.start >= day) {
      tell(market, 'start_revocation', { marketLocation, start: each.start });
      each.end = each.start;
    } else {
      tell(market, 'end_notice', { marketLocation, end: day });
      each.end = day;
    }
  }
}

/**
 * Asked by the operator, the grid operator stays with the end that he knows of a supply, or of any there; false when he knows none.
 * @param about the start, and the process number of the message that shall have been confirmed by that
 */
export function repeatEnd(
  market: TrueMarket,
  marketLocation: string,
  about?: { readonly start: string; readonly processNumber: string },
): boolean {
  const end = latestEnd(
    market.assignments.filter(
      (each) => each.marketLocation === marketLocation && (about === undefined || each.start === about.start),
    ),
  );
  if (end === null) return false;
  if (about === undefined) tell(market, 'end_notice', { marketLocation, end });
  else tell(market, 'deregistration_confirmation', { code: 'A11', end }, about.processNumber);
  return true;
}

/** The grid operator shuts the market location down from a day on. */
export function shutDown(market: TrueMarket, marketLocation: string, end: string, now: Temporal.Instant): void {
  const day = end < reachable(now) ? reachable(now) : end;
  const isBusy = market.announced.some((each) => each.marketLocation === marketLocation);
  const isOurs = market.assignments.some((each) => isOpenAt(each, marketLocation, day) && each.end !== each.start);
  if (isBusy || !isOurs || market.shutDown.has(marketLocation)) return;
  market.shutDown.add(marketLocation);
  const processNumber = tell(market, 'grid_operator_end', { marketLocation, end: day, receivedAt: now.toString() });
  const answerBy = deadlineFor('grid_operator_end_answer', now);
  market.announced = [
    ...market.announced,
    { kind: 'grid_operator_end', processNumber, marketLocation, end: day, answerBy },
  ];
}

/** What objects to an inquiry, or to an end; A30 and A02 say that one by then is confirmed already. */
function hearAnswer(market: TrueMarket, message: OutboundMessage): void {
  const found = market.announced.find(({ processNumber }) => processNumber === message.answers);
  if (found === undefined) return;
  market.announced = market.announced.filter((each) => each !== found);
  if (message.kind === 'end_inquiry_consent') takeOver(market, found.marketLocation, message.end);
  else if (message.kind === 'end_inquiry_refusal' && message.code === 'A30')
    takeOver(market, found.marketLocation, found.end);
  else if (message.kind === 'grid_operator_end_consent') endBy(market, found);
  else if (message.kind === 'grid_operator_end_refusal' && message.code === 'A02') endBy(market, found);
  else market.shutDown.delete(found.marketLocation);
}

/** What nobody has objected to in time comes about. */
export function hearSilence(market: TrueMarket, now: Temporal.Instant): void {
  for (const each of market.announced) {
    if (Temporal.Instant.compare(each.answerBy, now) >= 0) continue;
    market.announced = market.announced.filter((other) => other !== each);
    if (each.kind === 'grid_operator_end') endBy(market, each);
    else takeOver(market, each.marketLocation, each.end);
  }
}

/** The grid operator ends all that is ours himself, of which he has told us. */
function endBy(market: TrueMarket, { marketLocation, end }: Announced): void {
  for (const each of market.assignments) {
    if (isOpenAt(each, marketLocation, end)) each.end = each.start < end ? end : each.start;
  }
}
