/**
 * The end of supply (Lieferende, market-rules.md §1.6): a termination by the customer, a withdrawal (Widerruf), the
 * deregistration (Abmeldung) at the grid operator, and taking a termination back. A contract ends on the day agreed, but
 * a life ends only when the grid operator has confirmed that our supply does.
 */
import {
  berlinDay,
  berlinDayText,
  earliestStart,
  latestReceipt,
  startOfBerlinDay,
  withdrawalDeadline,
} from '../calendar.ts';
import type { DayText } from './messages.ts';
import { isStartUnclear } from './next-action.ts';
import { announce, ask, closeAll, dropReplaced, earliestToday, endLife, forgetReplaced } from './draft.ts';
import { openQuestions, reverse, reverseAll, step, today, type Draft } from './draft.ts';
import { endOfReceipt, isReached, latest, midnight } from './instants.ts';
import type { Outcome, PlannedEnd } from './state.ts';

/** The customer's right to terminate when he moves: six weeks' notice (§ 41b (5) EnWG), or the plan's when shorter. */
const MOVE_OUT_NOTICE = 'P6W';

/** How many years after the earliest end a wished one may lie: a later one is a slip, and would bind the customer. */
const MAX_YEARS_AHEAD = 10;

/** On what ground a customer ends his contract. */
export const TERMINATION_REASONS = ['ordinary', 'move_out', 'withdrawal'] as const;
type TerminationReason = (typeof TERMINATION_REASONS)[number];

/** What somebody asks for. */
export interface TerminationRequest {
  readonly reason: TerminationReason;
  /** The first day without supply; null: the earliest possible. */
  readonly endDay: DayText | null;
  /**
   * When the customer gave notice; absent: now. His withdrawal is in time when it was sent in time (§ 355 (1) BGB), his
   * termination counts from the day on which it reached us (§ 130 (1) BGB).
   */
  readonly noticeDay?: DayText | undefined;
}

const DONE: Outcome = { kind: 'done' };

/** Accepts or refuses a termination; a refusal names the earliest day, or the last where a day is too late. */
export function terminate(draft: Draft, { reason, endDay, noticeDay }: TerminationRequest): Outcome {
  if (reason === 'withdrawal') return withdraw(draft, noticeDay);
  const { stage, end } = draft.state;
  if ((stage !== 'confirmed' && stage !== 'supplying') || end !== null) return refused('not_in_this_stage');
  const impossible = checkNotice(draft, noticeDay);
  if (impossible !== null) return impossible;
  const earliest = earliestEnd(draft, reason, noticeDay === undefined ? undefined : Temporal.PlainDate.from(noticeDay));
  if (endDay === null && reason === 'move_out') return refused('end_date_required', earliest);
  if (endDay !== null && endDay < earliest) return refused('end_date_too_early', earliest);
  const last = Temporal.PlainDate.from(earliest).add({ years: MAX_YEARS_AHEAD }).toString();
  if (endDay !== null && endDay > last) return refused('end_date_too_late', last);
  const isMoveOut = reason === 'move_out';
  schedule(draft, {
    day: endDay ?? earliest,
    endReason: isMoveOut ? 'moved_out' : 'terminated',
    canBeUndone: true,
    deregistrationReason: isMoveOut ? 'E01' : 'ZT5',
  });
  return DONE;
}

function refused(code: Extract<Outcome, { kind: 'refused' }>['code'], earliest: DayText | null = null): Outcome {
  return { kind: 'refused', code, earliest };
}

/** Nobody gives notice before there is a contract, nor tomorrow. */
function checkNotice(draft: Draft, noticeDay: DayText | undefined): Outcome | null {
  if (noticeDay === undefined) return null;
  const concluded = berlinDayText(draft.state.facts.concludedAt);
  if (noticeDay < concluded) return refused('notice_before_conclusion', concluded);
  const present = today(draft).toString();
  return noticeDay > present ? refused('notice_in_future', present) : null;
}

/**
 * The first day without supply that notice, lead time and start permit (§§ 187, 188 BGB: the last day counts whole).
 * @param noticedOn when the notice reached us
 */
export function earliestEnd(
  draft: Draft,
  reason: Exclude<TerminationReason, 'withdrawal'>,
  noticedOn = today(draft),
): DayText {
  const { cancellationPeriod } = draft.state.facts;
  const ordinary = noticedOn.add(Temporal.Duration.from(cancellationPeriod)).add({ days: 1 }).toString();
  const moving = noticedOn.add(Temporal.Duration.from(MOVE_OUT_NOTICE)).add({ days: 1 }).toString();
  const notice = reason === 'move_out' && moving < ordinary ? moving : ordinary;
  return latest(notice, earliestToday(draft), dayAfterStart(draft));
}

/** The day on which supply begins, or has begun; null: no start is promised. */
export function startDay(draft: Draft): DayText | null {
  const { startAt } = draft.state;
  return startAt === null ? null : berlinDayText(startAt);
}

function dayAfterStart(draft: Draft): DayText | null {
  const start = startDay(draft);
  return start === null ? null : Temporal.PlainDate.from(start).add({ days: 1 }).toString();
}

/**
 * Fixes the end. What the customer may take back is sent at the next midnight where the lead time allows, so that he
 * can do so on the same day without troubling anybody; everything else is sent at once.
 */
export function schedule(
  draft: Draft,
  planned: Pick<PlannedEnd, 'day' | 'endReason' | 'canBeUndone' | 'deregistrationReason'>,
): void {
  const tomorrow = today(draft).add({ days: 1 });
  const lastReceipt = latestReceipt(Temporal.PlainDate.from(planned.day));
  const canWait = planned.canBeUndone && Temporal.PlainDate.compare(tomorrow, lastReceipt) <= 0;
  fix(draft, { ...planned, confirmed: false, sendAt: canWait ? startOfBerlinDay(tomorrow).toString() : null });
  if (!canWait) deregister(draft);
}

/** Records an end and tells of it. Before the start the stage stays: supply begins, and then ends on that day. */
export function fix(draft: Draft, end: PlannedEnd): void {
  const isNew = draft.state.terminatedAt === null;
  draft.state.end = end;
  draft.state.endAt = midnight(end.day);
  draft.state.attempts = 0;
  if (isNew) draft.state.terminatedAt = draft.now.toString();
  if (draft.state.stage === 'supplying') step(draft, 'end_scheduled', !isNew);
  else if (isNew) announce(draft, 'subscription.terminated');
}

/**
 * Sends the deregistration of the planned end, for the earliest day when its own can no longer be reached; none where the
 * grid operator ends the supply by then himself.
 */
export function deregister(draft: Draft, replaces?: string): void {
  const { end, facts, action } = draft.state;
  if (end === null) return;
  if (facts.marketLocation === null) throw new Error('a deregistration needs a market location');
  // What is asked anew waits for nobody to clear up what was answered before.
  if (action?.code === 'deregistration_refused' || action?.code === 'ended_too_early') draft.state.action = null;
  const isRevocation = end.deregistrationReason === 'ZH2';
  const day = isRevocation ? end.day : latest(end.day, earliestToday(draft));
  const known = draft.state.endsAtLatest ?? null;
  if (!isRevocation && known !== null && day >= known) {
    confirmEnd(draft, known);
    return;
  }
  if (day !== end.day) draft.reason = 'lead_time';
  draft.state.end = { ...end, day, sendAt: null };
  draft.state.endAt = isRevocation ? null : midnight(day);
  const contents = { marketLocation: facts.marketLocation, end: day, reason: end.deregistrationReason };
  ask(draft, 'deregistration', contents, replaces === undefined ? { day } : { day, replaces });
}

// ---------------------------------------------------------------------------------------------------------------
// Withdrawal

/**
 * Withdraws within the period (§ 355 BGB). What the grid operator knows of is reversed before the life ends. Whatever was
 * to end the contract before, from now on this does; it is told also where nothing else is seen of it before the end.
 */
function withdraw(draft: Draft, noticeDay: DayText | undefined): Outcome {
  const { stage, facts, withdrawn } = draft.state;
  if (stage === 'ended' || withdrawn) return refused('not_in_this_stage');
  const impossible = checkNotice(draft, noticeDay);
  if (impossible !== null) return impossible;
  const sentAt = noticeDay === undefined ? draft.now : startOfBerlinDay(Temporal.PlainDate.from(noticeDay));
  if (isReached(withdrawalDeadline(Temporal.Instant.from(facts.concludedAt)).toString(), sentAt)) {
    return refused('withdrawal_period_over');
  }
  draft.state.withdrawn = true;
  // Days without a supplier are none any more before a supply that is not wanted.
  if (stage === 'confirmed' && draft.state.action?.code === 'cancelled_too_early') draft.state.action = null;
  if (stage === 'confirmed') revokeStart(draft);
  else if (stage === 'supplying' || stage === 'ending') endSoon(draft);
  else withdrawBeforeConfirmation(draft);
  draft.state.terminatedAt = draft.now.toString();
  draft.reason = 'withdrawal';
  if (draft.announced === null) announce(draft, 'subscription.updated');
  return DONE;
}

function withdrawBeforeConfirmation(draft: Draft): void {
  if (isStartUnclear(draft.state)) {
    // Nobody has told the grid operator yet that his confirmation does not count.
    announce(draft, 'subscription.terminated');
    return;
  }
  draft.state.action = null;
  for (const question of openQuestions(draft, 'cancellation')) reverse(draft, question, false);
  reverseRegistrations(draft, 'end');
  if (openQuestions(draft, 'registration').length === 0) endLife(draft, 'withdrawn', 'withdrawn');
  else announce(draft, 'subscription.terminated');
}

/** Asks the grid operator to forget every open registration, and what to do when he has. */
export function reverseRegistrations(draft: Draft, afterReversal: 'end' | 'restart'): void {
  reverseAll(draft, 'registration');
  draft.state.afterReversal = openQuestions(draft, 'registration').length > 0 ? afterReversal : null;
}

/** Takes the confirmed start back (55004 ZH2 on exactly that day); too late for that, supply ends as soon as it can. */
export function revokeStart(draft: Draft): void {
  const start = startDay(draft);
  if (start === null) return;
  if (isReached(endOfReceipt(start), draft.now)) {
    endSoon(draft);
    return;
  }
  forgetDeregistrations(draft);
  const common = { endReason: 'withdrawn', canBeUndone: false, confirmed: false, sendAt: null } as const;
  fix(draft, { ...common, day: start, deregistrationReason: 'ZH2' });
  deregister(draft);
}

/** How many deregistrations that nobody relies on any more are remembered; a life replaces a few. */
const REMEMBERED_DEREGISTRATIONS = 20;

/**
 * Awaits no answer to a deregistration any more, nor to the wish to take one back. The grid operator may have acted on what
 * was sent to him, also where nobody has said that it was: his confirmation may still come.
 */
export function forgetDeregistrations(draft: Draft): void {
  const former = [
    ...(draft.state.replaced ?? []).filter(({ kind }) => kind === 'deregistration'),
    ...openQuestions(draft, 'deregistration'),
  ];
  forgetReplaced(draft);
  if (former.length > 0) {
    const numbers = [...(draft.state.formerDeregistrations ?? []), ...former.map(({ processNumber }) => processNumber)];
    draft.state.formerDeregistrations = numbers.slice(-REMEMBERED_DEREGISTRATIONS);
  }
  closeAll(draft, 'deregistration');
  closeAll(draft, 'reversal');
  draft.state.afterReversal = null;
}

/** The earliest day on which a withdrawal can end a supply that has begun. */
function earliestForWithdrawal(draft: Draft): DayText {
  return latest(earliestToday(draft), dayAfterStart(draft));
}

/** Whether the end that is confirmed, or that the grid operator has been asked for, is as early as can be. */
function endsSoon(draft: Draft): boolean {
  const { end } = draft.state;
  if (end === null || end.day > earliestForWithdrawal(draft)) return false;
  if (end.confirmed) return true;
  // The revocation of a start that has come ends nothing.
  return (
    end.deregistrationReason !== 'ZH2' && openQuestions(draft, 'deregistration').some(({ day }) => day === end.day)
  );
}

/** Ends the supply as soon as can be; an end that is as early is not asked for anew. */
function endSoon(draft: Draft): void {
  if (!endsSoon(draft)) forgetDeregistrations(draft);
  endForWithdrawal(draft);
}

function endForWithdrawal(draft: Draft): void {
  const { end } = draft.state;
  const common = { endReason: 'withdrawn', canBeUndone: false } as const;
  if (end !== null && endsSoon(draft)) draft.state.end = { ...end, ...common };
  else schedule(draft, { ...common, day: earliestForWithdrawal(draft), deregistrationReason: 'ZT5' });
}

// ---------------------------------------------------------------------------------------------------------------
// Confirmed, or asked for again

/**
 * The end is final. Of several that the grid operator has told the earliest is, whichever he is heard to tell last. On or
 * before the start it is the revocation of a supply that never was; of a withdrawn one also where that is heard after the start.
 */
export function confirmEnd(draft: Draft, told: DayText): void {
  const { end, stage, endsAtLatest, withdrawn } = draft.state;
  if (end === null) return;
  const day = typeof endsAtLatest === 'string' && endsAtLatest < told ? endsAtLatest : told;
  draft.state.action = null;
  const isRevoked = day <= (startDay(draft) ?? '');
  if (stage === 'confirmed' && isRevoked) {
    endLife(draft, end.endReason === 'withdrawn' ? 'withdrawn' : 'rejected', end.endReason);
    return;
  }
  if (stage === 'ending' && withdrawn && isRevoked) {
    endLife(draft, 'supply_ended', end.endReason, true);
    return;
  }
  // Any other supply that has begun lasts a day at least.
  const last = latest(day, dayAfterStart(draft));
  if (last !== end.day) draft.reason = 'grid_operator';
  draft.state.end = { ...end, day: last, confirmed: true, sendAt: null };
  draft.state.endAt = midnight(last);
  draft.state.endsAtLatest = last;
}

/** Deregisters for the next day that can be reached; a start that can no longer be revoked is ended instead. */
export function sendAgain(draft: Draft, replaces?: string): void {
  const { end } = draft.state;
  if (end === null) return;
  // What was never transmitted was not asked.
  const attempts = draft.state.attempts + (replaces === undefined ? 1 : 0);
  if (end.deregistrationReason === 'ZH2') {
    if (draft.state.stage === 'confirmed' && attempts === 1 && !isReached(endOfReceipt(end.day), draft.now)) {
      deregister(draft, replaces);
    } else {
      forgetDeregistrations(draft);
      endForWithdrawal(draft);
    }
  } else deregister(draft, replaces);
  draft.state.attempts = attempts;
}

// ---------------------------------------------------------------------------------------------------------------
// Taking back, and midnight

/** Takes a termination back: at once while the grid operator does not know of it, else by a reversal (55022). */
export function undo(draft: Draft): Outcome {
  const { end, stage, afterReversal } = draft.state;
  if (end === null || !end.canBeUndone || stage === 'ended') return refused('not_in_this_stage');
  if (end.confirmed) return refused('already_confirmed');
  if (afterReversal === 'undo') return { kind: 'ignored', reason: 'no_change' };
  for (const question of openQuestions(draft, 'deregistration')) reverse(draft, question, true);
  if (openQuestions(draft, 'deregistration').length === 0) clearEnd(draft);
  else draft.state.afterReversal = 'undo';
  return DONE;
}

/**
 * The grid operator knows of no end any more, as the customer has asked. Where another supplier has come to rely on the
 * end meanwhile (market-rules.md §1.3, §1.4), it stands, and the grid operator is told of it again.
 */
export function forgetEnd(draft: Draft): void {
  if (draft.state.end?.canBeUndone !== false) {
    clearEnd(draft);
    return;
  }
  draft.state.action = null;
  deregister(draft);
}

/** Forgets the end: supply goes on. */
export function clearEnd(draft: Draft): void {
  Object.assign(draft.state, {
    end: null,
    endAt: null,
    endsAtLatest: null,
    terminatedAt: null,
    afterReversal: null,
    action: null,
  });
  dropReplaced(draft, 'deregistration');
  forgetReplaced(draft);
  if (draft.state.stage === 'ending') step(draft, 'end_undone');
  else announce(draft, 'subscription.termination_undone');
}

/** Supply starts; days without a supplier before it are over. */
export function activate(draft: Draft): void {
  if (draft.state.action?.code === 'cancelled_too_early') draft.state.action = null;
  step(draft, 'supply_started');
}

/**
 * An end that was planned before the start, and told then, comes into sight. A revocation of the start that the grid
 * operator has not confirmed came too late: supply ends as soon as it can. His answer may still come, and then counts.
 */
export function beginToEnd(draft: Draft): void {
  const { end } = draft.state;
  step(draft, 'end_scheduled', true);
  if (end?.deregistrationReason !== 'ZH2' || end.confirmed) return;
  draft.state.action = null;
  endForWithdrawal(draft);
}

/**
 * The last day is over. Unless the grid operator has confirmed it, supply goes on: until the later day that he has named
 * himself, else the last day is unknown again. What was to end it earlier is not forgotten before that day.
 */
export function finish(draft: Draft): void {
  const { end, endsAtLatest = null } = draft.state;
  if (end?.confirmed === true) endLife(draft, 'supply_ended', end.endReason);
  else if (endsAtLatest === null) draft.state.endAt = null;
  else if (isReached(midnight(endsAtLatest), draft.now)) confirmEnd(draft, endsAtLatest);
  else {
    draft.state.endAt = midnight(endsAtLatest);
    draft.reason = 'grid_operator';
  }
}

/** The first day on which an end could be told the grid operator in time, counted from an instant. */
export function earliestEndAfter(receipt: Temporal.Instant): DayText {
  return earliestStart(berlinDay(receipt)).toString();
}
