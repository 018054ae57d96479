/**
 * What is remembered of one subscription's way through the market, and what follows from it alone. The state is plain
 * JSON, so that it is stored as it is.
 */
import { deadlineFor, previousWorkingDay, startOfBerlinDay, type DeadlineKind } from '../calendar.ts';
import type { EndReason, LifecycleEvent, Stage, SubscriptionEventType } from '../subscription/lifecycle.ts';
import type { CustomerType } from '../subscription/sign-up.ts';
import type { DayText, DeregistrationReason, InstantText, MarketPartner, OutboundKind } from './messages.ts';
import { earliest, endOfReceipt } from './instants.ts';
import { nextAction, type ActionCode, type NextAction } from './next-action.ts';

/** What the market has to know of the sign-up; the members that `PATCH` may correct are `Correctable`. */
export interface SupplyFacts extends Correctable {
  /**
   * Leads our document and process numbers: unique among all subscriptions, at most 26 characters, such as the id without
   * its prefix.
   */
  readonly reference: string;
  /** `manual`: nobody transmits for us, an operator does (a live project). */
  readonly transport: 'automatic' | 'manual';
  readonly nextPossibleStart: boolean;
  readonly customerType: CustomerType;
  /** When the contract was concluded; the right of withdrawal runs from here. */
  readonly concludedAt: InstantText;
  /** The plan's notice period as it was at the sign-up, an ISO 8601 duration such as `P1M`. */
  readonly cancellationPeriod: string;
}

/** What a rejection may ask the customer to correct. */
export interface Correctable {
  /** The MaLo-ID with a right check digit, or null while unknown. */
  readonly marketLocation: string | null;
  readonly meterNumber: string;
  readonly zip: string;
  /** Street, house number and city, as one text; the zip stands by itself. */
  readonly address: string;
  readonly customerName: string;
  readonly intendedStartDate: DayText | null;
  /** The supplier to cancel, compared by his id, or null when nobody has to be cancelled. */
  readonly previousSupplier: MarketPartner | null;
}

/** The questions that wait for an answer, each with its deadline (market-rules.md §1.1) and what silence leads to. */
const QUESTIONS = {
  identification_request: { deadline: 'identification_answer', silence: 'identification_unanswered' },
  cancellation: { deadline: 'cancellation_answer', silence: 'cancellation_unanswered' },
  registration: { deadline: 'registration_answer', silence: 'registration_unanswered' },
  deregistration: { deadline: 'deregistration_answer', silence: 'deregistration_unanswered' },
  // The rules name none for a reversal (55022); the registration's is the longest that a grid operator has.
  reversal: { deadline: 'registration_answer', silence: 'reversal_unanswered' },
} as const satisfies Partial<Record<OutboundKind, { deadline: DeadlineKind; silence: ActionCode }>>;
export type QuestionKind = keyof typeof QUESTIONS;

/** A message of ours that awaits an answer. */
export interface Question {
  readonly kind: QuestionKind;
  readonly documentNumber: string;
  readonly processNumber: string;
  /** The day asked for, where there is one. */
  readonly day: DayText | null;
  /** The market location that it is about; a correction may have changed the facts since. */
  readonly marketLocation: string | null;
  /** The last instant at which an answer is in time; null while it is not transmitted, or once that has passed. */
  readonly answerBy: InstantText | null;
  readonly transmitted: boolean;
  /** The process number of the message that a reversal takes back. */
  readonly reverses: string | null;
  /**
   * Of a registration, what the grid operator has told of its supply before he answered: that another supplier has taken
   * the start, that it ends, or that he ends it himself. Absent where that is remembered of the whole life only.
   */
  readonly revokedStart?: DayText | null;
  readonly noticedEnd?: DayText | null;
  readonly shutDownOn?: DayText | null;
  /** Of a deregistration, whether a start on its day is to be taken back (ZH2); absent where that is not remembered. */
  readonly revokes?: boolean;
}

/** An end of supply that is decided, whether or not the grid operator has confirmed it. */
export interface PlannedEnd {
  /** The first day without supply. */
  readonly day: DayText;
  readonly endReason: EndReason;
  readonly confirmed: boolean;
  /** Whether the customer may take it back until the grid operator has confirmed it; a withdrawal is final. */
  readonly canBeUndone: boolean;
  /** When the deregistration is sent; null when it has been, or the grid operator ends by himself. */
  readonly sendAt: InstantText | null;
  readonly deregistrationReason: DeregistrationReason;
}

/** What a previous supplier has agreed to. */
export interface Settlement {
  /** His id. */
  readonly supplier: string;
  /** The day on which his contract ends, or null: it has ended long ago. */
  readonly end: DayText | null;
  /** Where; absent of what was settled before this was remembered. */
  readonly marketLocation?: string | null;
}

/**
 * A cancellation that we no longer rely on: the supplier may have acted on it before he heard that it is taken back, or
 * had confirmed it before another place or supplier was given.
 */
export interface TakenBack extends Settlement {
  /** The process number by which he may still confirm it; null when he has. */
  readonly processNumber: string | null;
}

/** A start that the grid operator has confirmed and that we promise nobody. */
export interface UnclearStart {
  readonly marketLocation: string | null;
  /** The first day of supply, by his word. */
  readonly day: DayText;
  /** The end of that supply, when he has told one; absent when he has not. */
  readonly noticedEnd?: DayText | null;
}

/** A start that nobody wants and that we have told the grid operator to take back, until he has, or knows of none. */
export interface Revocation {
  /** That of the newest message to him. */
  readonly processNumber: string;
  readonly marketLocation: string;
  /** The first day of the supply that is not wanted. */
  readonly start: DayText;
  /** The message; absent of what an earlier version sent, which awaited no answer. */
  readonly question?: Question;
  /** What somebody has to clear up. */
  readonly action?: NextAction | null;
  /** Messages before it, which he may still confirm. */
  readonly former?: readonly Question[];
  /** How often it was repeated without anybody's doing. */
  readonly attempts?: number;
}

/** An answer of ours that a partner takes for consent when it does not come. */
export interface OwedAnswer {
  readonly documentNumber: string;
  /** The last instant at which it is in time. */
  readonly sendBy: InstantText;
}

/** Why the market moved a day that was asked for. */
export const MOVE_REASONS = ['lead_time', 'previous_contract', 'grid_operator'] as const;
export type MoveReason = (typeof MOVE_REASONS)[number];

/** Everything that is remembered of one life. */
export interface SupplyState {
  readonly stage: Stage;
  readonly facts: SupplyFacts;
  readonly questions: readonly Question[];
  /** An action that the machines ask for; what the API shows is `visibleAction`. */
  readonly action: NextAction | null;
  /** Document numbers of ours that an operator has to transmit. */
  readonly untransmitted: readonly string[];
  /** By when those of them that answer somebody are to be transmitted; absent of a life that never owed an answer. */
  readonly owed?: readonly OwedAnswer[];
  /** Process numbers of our newest answers; absent of a life that began before they were remembered. */
  readonly answered?: readonly string[];
  /** A partner could not process an answer of ours, and nobody has cleared that up yet. */
  readonly hasUnprocessedAnswer?: boolean;
  /** Questions that another one replaced because nobody had said that they were transmitted; absent: none. */
  readonly replaced?: readonly Question[];
  /**
   * Questions that became superfluous before anybody had said that they were transmitted, and registrations that were taken
   * back without waiting for the answer; absent when there are none.
   */
  readonly dropped?: readonly Question[];
  /** Starts of what was dropped that were confirmed and are taken back, also after the end of the life; absent: none. */
  readonly revocations?: readonly Revocation[];
  readonly startAt: InstantText | null;
  readonly endAt: InstantText | null;
  readonly terminatedAt: InstantText | null;
  readonly endReason: EndReason | null;
  readonly end: PlannedEnd | null;
  /** The first day without supply by the grid operator's own word; an earlier one may be asked for. Absent: none named. */
  readonly endsAtLatest?: DayText | null;
  /** Process numbers of deregistrations that nobody relies on any more, though they were sent, or may have been; absent: none. */
  readonly formerDeregistrations?: readonly string[];
  /** Asked before the supply was confirmed or reversed: it shall never come to supply. */
  readonly withdrawn: boolean;
  /** What follows when the grid operator has agreed to forget our open registration, or our deregistration. */
  readonly afterReversal: 'end' | 'restart' | 'undo' | null;
  /** With which previous supplier all is settled. */
  readonly settled: Settlement | null;
  /** Cancellations that a correction made void when they were with the supplier already; absent when there are none. */
  readonly takenBack?: readonly TakenBack[];
  /** No start before this day, by an answer of the previous supplier. */
  readonly notBefore: DayText | null;
  /** The day that the customer chose when a later one had to be proposed; counts with the next possible start only. */
  readonly chosenStart: DayText | null;
  /** The grid operator to ask, when an answer has named one. */
  readonly gridOperator: string | null;
  /** The market location of a start that he has confirmed and that we promise nobody, until that is cleared up. */
  readonly unclearLocation?: string | null;
  /** The newest such start, until we supply from it or another day; remembered longer than it is unclear. */
  readonly unclearStart?: UnclearStart | null;
  /** Starts confirmed beside that one, or the one promised; absent: none. See `other-starts.ts`. */
  readonly otherStarts?: readonly UnclearStart[];
  /** A start that the grid operator revoked before he confirmed it (messages out of order). */
  readonly revokedStart: DayText | null;
  /** An end of supply that the grid operator told before he confirmed its start; absent when he has not. */
  readonly noticedEnd?: DayText | null;
  /** The day of an end that he told before when he ends the supply himself (55007); absent when he has not. */
  readonly shutDownOn?: DayText | null;
  /** The present supplier has told that this is no move-in. */
  readonly isSwitch: boolean;
  /** How often the same was asked since somebody corrected something. */
  readonly attempts: number;
  /** How often the search for the market location was passed on since then; absent of a life without one. */
  readonly redirections?: number;
  /** The start that the market is asked for at present, or has confirmed; null while no certain day is asked for. */
  readonly requestedStart: DayText | null;
  /** Why that is not the intended day; null when it is, or when the next possible start is wanted. */
  readonly moveReason: MoveReason | null;
  /** How many messages we have sent: the next reference number. */
  readonly sent: number;
  /** Document numbers of the messages received, newest last. */
  readonly received: readonly string[];
}

/** What an event tells as its reason: why the market moved a day, or that the customer withdraws. */
export const EVENT_REASONS = [...MOVE_REASONS, 'withdrawal'] as const;
export type EventReason = (typeof EVENT_REASONS)[number];

/** Something that the outside is told; what has changed follows from what the API shows before and after. */
export interface SupplyEvent {
  readonly type: SubscriptionEventType;
  readonly reason: EventReason | null;
  /** Days on which neither the previous supplier nor we supply, until that of our start; absent: none, or told before. */
  readonly substituteSupply?: { readonly from: DayText; readonly until: DayText };
}

/** A step of the lifecycle taken in a decision. */
export interface StageEvent {
  readonly from: Stage;
  readonly event: LifecycleEvent;
  readonly to: Stage;
}

/** What became of an input. A refusal is for whoever asked; what is ignored goes to the log. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'ignored'; readonly reason: IgnoredReason }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly earliest: DayText | null };
/** Why an input changes nothing. */
export type IgnoredReason =
  'duplicate' | 'late_or_unknown_reference' | 'not_in_this_stage' | 'nothing_due' | 'no_change';
/** Why an input is not possible. */
export type RefusalCode =
  | 'end_date_required'
  | 'leaves_gap'
  | 'start_date_too_early'
  | 'end_date_too_early'
  | 'end_date_too_late'
  | 'notice_before_conclusion'
  | 'notice_in_future'
  | 'withdrawal_period_over'
  | 'not_in_this_stage'
  | 'already_confirmed';

// ---------------------------------------------------------------------------------------------------------------
// What follows from a state

/** The deadline of an answer, counted from the receipt of the question. */
export function answerBy(kind: QuestionKind, receipt: Temporal.Instant): InstantText {
  return deadlineFor(QUESTIONS[kind].deadline, receipt).toString();
}

/** Whether an answer to a question may still come in time. */
export function isAwaited({ transmitted, answerBy: by }: Question): boolean {
  return !transmitted || by !== null;
}

/** Whether the step of a sign-up is taken already, and its answer may still come in time. */
export function isUnderWay({ questions }: SupplyState, cleared: ActionCode): boolean {
  const isOther = cleared === 'message_not_processed';
  return questions.some((each) => isAwaited(each) && (isOther || each.kind === 'registration'));
}

/** The action that silence on a question leads to. */
export function silenceOf(kind: QuestionKind): ActionCode {
  return QUESTIONS[kind].silence;
}

/**
 * What the API shows as `next_action`: what the machines ask for, else what is to be done of a start that nobody wants, else
 * that messages wait to be transmitted. A question or an answer that waits goes before: nobody can clear up what has not been
 * asked, and silence may cost the supply. Once a life has ended only such a start is of any matter.
 */
export function visibleAction(state: SupplyState): NextAction | null {
  const { stage, untransmitted, revocations = [] } = state;
  const asked = state.action ?? revocations.find(({ action }) => action)?.action ?? null;
  const isWaiting = stage !== 'ended' && asked === null && untransmitted.length > 0;
  if (!isWaiting && pressing(state).length === 0) return asked;
  return nextAction('transmit_message', state.facts.customerType, { dueAt: transmitBy(state) });
}

/** By when what waits to be transmitted and matters must be; null where there is no such instant. */
function pressing({
  stage,
  questions,
  untransmitted,
  owed = [],
  revocations = [],
}: SupplyState): (InstantText | null)[] {
  const asked = [...questions, ...revocations.flatMap(({ question }) => question ?? [])];
  const answers = stage === 'ended' ? [] : owed;
  return [
    ...asked.filter(({ transmitted }) => !transmitted).map(staleOf),
    ...answers.filter(({ documentNumber }) => untransmitted.includes(documentNumber)).map(({ sendBy }) => sendBy),
  ];
}

/** By when the first message that waits must be transmitted: after that it is pointless, or its absence is consent. */
function transmitBy(state: SupplyState): InstantText | null {
  return earliest(pressing(state));
}

/** The day that the customer has been asked to choose as his start, or a later one; null when he has not been asked. */
export function proposedStart({ action, notBefore }: SupplyState): DayText | null {
  return action?.fields.includes('/intended_start_date') === true ? notBefore : null;
}

/**
 * When a question that is not transmitted becomes pointless. A cancellation may be answered on the working day after, and
 * the registration that follows must reach the grid operator in time: a day lost here is one without a supplier.
 */
export function staleOf({ kind, day }: Question): InstantText | null {
  if (day === null) return null;
  if (kind !== 'cancellation') return endOfReceipt(day);
  const lastAnswer = previousWorkingDay(previousWorkingDay(Temporal.PlainDate.from(day)));
  return startOfBerlinDay(lastAnswer).toString();
}

/**
 * Market locations beside that of the facts which the grid operator may still confirm, or has: a correction has replaced
 * them, and he has not agreed yet to forget the registration. Until then nobody else's supply there may be promised.
 */
export function heldLocations({ questions, facts, unclearLocation }: SupplyState): readonly string[] {
  const asked = questions.filter(({ kind }) => kind === 'registration').map(({ marketLocation }) => marketLocation);
  const held = [...asked, unclearLocation ?? null].filter((location) => location !== null);
  return [...new Set(held)].filter((location) => location !== facts.marketLocation);
}

/** Questions that nobody waits for any more, most of them never said to be transmitted: a partner may answer them all the same. */
export function unawaited({ replaced = [], dropped = [] }: SupplyState): readonly Question[] {
  return [...replaced, ...dropped];
}

/** Whether a start at a market location that the grid operator has confirmed, and we promise nobody, may stand after all. */
export function mayStand({ stage, unclearStart }: SupplyState, marketLocation: string): boolean {
  return stage === 'registering' && unclearStart?.marketLocation === marketLocation;
}

/** The day that the customer wants: none with the next possible start, unless he chose one when he was asked. */
export function wishedStart({ facts, chosenStart }: SupplyState): DayText | null {
  return facts.nextPossibleStart ? chosenStart : facts.intendedStartDate;
}
