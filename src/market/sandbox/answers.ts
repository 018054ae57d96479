/**
 * The simulated market of sandbox projects (interface.md §9): who answers what, and when in project time. A pure
 * function of the message and the scenario that the customer's data choose, so that the same sign-up always lives the
 * same life.
 */
import { berlinDay, berlinTime, earliestStart, nextWorkingDay } from '#domain/calendar.ts';
import { isMarketLocationId } from '#domain/identifiers.ts';
import type { InboundMessage, OutboundMessage } from '#domain/market/messages.ts';
import type { Delivery } from '../gateway.ts';

/** What chooses the answers beside the message. */
export interface SandboxScenario {
  /** The zip of the place of supply. */
  readonly zip: string;
  /** Whether another meter number than the first is searched. */
  readonly isMeterCorrected: boolean;
  /** The market location that is shut down, if one is. */
  readonly shutDown: string | null;
  /** How many messages of the same kind this partner has been sent before in this life. */
  readonly timesAsked: number;
  /** Of a reversal: when the message that it takes back will be answered; null when it will not. */
  readonly answeredAt: string | null;
}

type Behaviour = 'confirms' | 'bound' | 'already_ended' | 'doubts_authority' | 'silent';

/** How the simulated suppliers answer a cancellation, by name; every other one confirms. */
export const SANDBOX_SUPPLIERS: Readonly<Record<string, Behaviour>> = {
  'Sandbox Supplier – confirms': 'confirms',
  'Sandbox Supplier – bound': 'bound',
  'Sandbox Supplier – already ended': 'already_ended',
  'Sandbox Supplier – doubts authority': 'doubts_authority',
  'Sandbox Supplier – silent': 'silent',
};

/** Here the first market location that is registered is shut down. */
export const SHUT_DOWN_ZIP = '99902';
/** The grid operators of the simulated market never answer here. */
const SILENT_ZIP = '99900';
const SANDBOX_GRID_OPERATOR = '9900000000001';
const BOUND_MONTHS = 3;
const CONCURRENT_DAYS = 7;

type Contents = InboundMessage extends infer Each
  ? Each extends InboundMessage
    ? Omit<Each, 'documentNumber' | 'processNumber' | 'answers'>
    : never
  : never;

/** All answers to a message sent at an instant, in the order of their delivery; none where the partner is silent. */
export function sandboxAnswers(
  message: OutboundMessage,
  scenario: SandboxScenario,
  sentAt: Temporal.Instant,
): readonly Delivery[] {
  let count = 0;
  const deliver = (at: Temporal.Instant, contents: Contents): Delivery => {
    count += 1;
    const number = `${message.processNumber}/${count}`;
    const head = { documentNumber: number, processNumber: number, answers: message.processNumber };
    return { at: at.toString(), message: { ...head, ...contents } };
  };
  const isSilent = message.kind === 'cancellation' ? behaviourOf(message) === 'silent' : scenario.zip === SILENT_ZIP;
  if (isSilent) return [];
  const acknowledged = (): Delivery =>
    deliver(sentAt.add({ minutes: 10 }), { kind: 'acknowledgement', receivedAt: sentAt.toString() });
  if (message.kind === 'identification_request') {
    return [deliver(sentAt.add({ minutes: 5 }), identificationAnswer(message, scenario))];
  }
  if (message.kind === 'cancellation') {
    const at = berlinTime(nextWorkingDay(berlinDay(sentAt)), '15:00');
    return [acknowledged(), deliver(at, cancellationAnswer(message, scenario.timesAsked, sentAt, at))];
  }
  if (message.kind === 'registration') {
    return [acknowledged(), ...registrationAnswers(message, scenario, sentAt).map(([at, each]) => deliver(at, each))];
  }
  if (message.kind === 'deregistration') {
    const at = berlinTime(nextWorkingDay(berlinDay(sentAt)), '05:00');
    return [acknowledged(), deliver(at, deregistrationAnswer(message, sentAt))];
  }
  if (message.kind === 'reversal') {
    const at = sentAt.add({ minutes: 30 });
    // What he has answered by then he cannot forget any more.
    const isTooLate =
      scenario.answeredAt !== null && Temporal.Instant.compare(Temporal.Instant.from(scenario.answeredAt), at) <= 0;
    const kind = isTooLate ? 'reversal_rejection' : 'reversal_confirmation';
    return [deliver(at, { kind, reverses: message.reverses })];
  }
  return [];
}

function identificationAnswer(
  { meterNumber, zip, address }: OutboundMessage<'identification_request'>,
  { isMeterCorrected }: SandboxScenario,
): Contents {
  if (zip === '99901' && !isMeterCorrected) return { kind: 'identification_failure', code: 'A02' };
  if (zip === '99903' && !isMeterCorrected) return { kind: 'identification_failure', code: 'A03' };
  return {
    kind: 'identification_match',
    marketLocation: sandboxMarketLocation(meterNumber, zip, address),
    gridOperator: SANDBOX_GRID_OPERATOR,
  };
}

/**
 * A market location with a right check digit that the simulated grid operator keeps for a meter at a place; blanks,
 * dashes and capitals make no difference.
 */
export function sandboxMarketLocation(meterNumber: string, zip: string, address: string): string {
  // FNV-1a over 64 bits: a fixed spreading of texts over the ten digits.
  let hash = 0xcbf29ce484222325n;
  for (const character of `${zip}/${meterNumber}/${address}`.toUpperCase().replaceAll(/[\s-]/gu, '')) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  const body = (4_000_000_000n + (hash % 6_000_000_000n)).toString();
  for (let digit = 0; digit < 10; digit += 1) {
    if (isMarketLocationId(`${body}${digit}`)) return `${body}${digit}`;
  }
  throw new Error('one of ten digits is the check digit');
}

function behaviourOf({ supplier }: OutboundMessage<'cancellation'>): Behaviour {
  const name = supplier?.name ?? '';
  return Object.hasOwn(SANDBOX_SUPPLIERS, name) ? (SANDBOX_SUPPLIERS[name] ?? 'confirms') : 'confirms';
}

function cancellationAnswer(
  message: OutboundMessage<'cancellation'>,
  timesAsked: number,
  sentAt: Temporal.Instant,
  answeredAt: Temporal.Instant,
): Contents {
  const { end } = message;
  const behaviour = behaviourOf(message);
  const isFirst = timesAsked === 0;
  if (behaviour === 'already_ended') return { kind: 'cancellation_rejection', code: 'A04' };
  if (behaviour === 'doubts_authority' && isFirst) return { kind: 'cancellation_rejection', code: 'A08' };
  if (behaviour === 'bound' && isFirst) {
    const nextPossibleEnd = berlinDay(sentAt).add({ months: BOUND_MONTHS }).toString();
    if (end === null || end < nextPossibleEnd) {
      return { kind: 'cancellation_rejection', code: 'A06', nextPossibleEnd };
    }
  }
  // The next possible end is the first on which the next supply can start, so that no day is without a supplier.
  const confirmed = end ?? earliestStart(berlinDay(answeredAt)).toString();
  return { kind: 'cancellation_confirmation', code: 'A09', end: confirmed };
}

function registrationAnswers(
  message: OutboundMessage<'registration'>,
  scenario: SandboxScenario,
  sentAt: Temporal.Instant,
): readonly (readonly [Temporal.Instant, Contents])[] {
  const workingDay = nextWorkingDay(berlinDay(sentAt));
  const at = berlinTime(workingDay, '10:00');
  const isLate = message.start < earliestStart(berlinDay(sentAt)).toString();
  const refusal: Contents | null = isLate
    ? { kind: 'registration_rejection', code: 'A07' }
    : registrationRefusal(message, scenario, at);
  const existing: Contents = { kind: 'existing_assignment', marketLocation: message.marketLocation };
  const notices: readonly (readonly [Temporal.Instant, Contents])[] =
    message.reason === 'E03' ? [[berlinTime(workingDay, '06:30'), existing]] : [];
  if (refusal !== null) return [...notices, [at, refusal]];
  const confirmation: Contents = { kind: 'registration_confirmation', code: 'A51', start: message.start };
  const { marketLocation, start } = message;
  const revocation: Contents = { kind: 'start_revocation', marketLocation, start };
  const taken = scenario.zip === '99938' ? [[berlinTime(workingDay, '12:00'), revocation] as const] : [];
  return [...notices, [at, confirmation], ...taken];
}

/** Refusals by zip; all but those of a location that is shut down and of a move-in are for the first registration only. */
function registrationRefusal(
  { marketLocation, reason }: OutboundMessage<'registration'>,
  { zip, shutDown, timesAsked }: SandboxScenario,
  at: Temporal.Instant,
): Contents | null {
  const kind = 'registration_rejection';
  if (zip === SHUT_DOWN_ZIP && marketLocation === shutDown) return { kind, code: 'A02' };
  if (zip === '99932' && reason === 'E01') return { kind, code: 'A50', supplierCode: 'A32' };
  if (timesAsked > 0) return null;
  switch (zip) {
    case '99905':
      return { kind, code: 'A05' };
    case '99906': {
      const otherStart = berlinDay(at).add({ days: 1 }).toString();
      return { kind, code: 'A06', otherStart, acceptedFrom: berlinDay(at).add({ days: CONCURRENT_DAYS }).toString() };
    }
    case '99907':
      return { kind, code: 'A07' };
    case '99932':
      return { kind, code: 'A50', supplierCode: 'A32' };
    case '99935':
      return { kind, code: 'A50', supplierCode: 'A35' };
    default:
      return null;
  }
}

/** Lead times are checked as the real market does; revoking a start (ZH2) has the same one. */
function deregistrationAnswer({ end }: OutboundMessage<'deregistration'>, sentAt: Temporal.Instant): Contents {
  return end < earliestStart(berlinDay(sentAt)).toString()
    ? { kind: 'deregistration_rejection', code: 'A02' }
    : { kind: 'deregistration_confirmation', code: 'A11', end };
}
