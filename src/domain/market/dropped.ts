/**
 * What a correction, a withdrawal or an operator has made superfluous before anybody had said that it was handed over to
 * the partner. Where he answers it, it had been: nobody wants it any more, and he is told so, also once the life has ended.
 * The same of a start for which another registration was written, where that one is not wanted any more, and of one whose
 * registration was taken back beside another that came to nothing.
 */
import { isSupply } from '../subscription/lifecycle.ts';
import { consequenceOf, DEREGISTRATION_CODES, PROCESSABILITY_CODES } from './codes.ts';
import { earliestToday, send, type Draft } from './draft.ts';
import { confirmEnd, fix } from './ending.ts';
import type { DayText, InboundMessage } from './messages.ts';
import { endOfReceipt, isReached, latest, unawaited } from './state.ts';

/** Takes back what a partner answers although it was dropped; false when that is none of it, or needs no taking back. */
export function takeBack(draft: Draft, message: InboundMessage): boolean {
  const { dropped = [], replaced = [], stage, facts, end } = draft.state;
  if (revokeAgain(draft, message)) return true;
  const found = unawaited(draft.state).find(({ processNumber }) => processNumber === message.answers);
  if (found === undefined) return false;
  const isDropped = dropped.includes(found);
  // What is known to be with him he has been asked to forget already.
  const isHeardOf = message.kind === 'acknowledgement' || message.kind === 'cancellation_confirmation';
  if (isDropped && isHeardOf && !found.transmitted) {
    send(draft, 'reversal', { reverses: found.processNumber });
    return true;
  }
  if (message.kind === 'deregistration_confirmation') return endAllTheSame(draft, message.end);
  const { marketLocation } = found;
  if (message.kind !== 'registration_confirmation' || marketLocation === null) return false;
  const isAfterwards = end !== null && message.start >= end.day;
  if (isSupply(stage) && marketLocation === facts.marketLocation && !isAfterwards) return false;
  if (isDropped) draft.state.dropped = dropped.filter((each) => each !== found);
  else draft.state.replaced = replaced.filter((each) => each !== found);
  revoke(draft, marketLocation, message.start);
  return true;
}

/** A termination was taken back too late: the grid operator has acted on it. */
function endAllTheSame(draft: Draft, day: DayText): boolean {
  if (!isSupply(draft.state.stage) || draft.state.end !== null) return false;
  const planned = { endReason: 'terminated', canBeUndone: false, deregistrationReason: 'ZT5' } as const;
  fix(draft, { ...planned, day, confirmed: false, sendAt: null });
  confirmEnd(draft, day);
  return true;
}

/** How many starts that are taken back are remembered; a life has hardly one. */
const REMEMBERED_REVOCATIONS = 20;

/** Takes a start back that nobody wants; too late for that, its supply ends as soon as it can. */
function revoke(draft: Draft, marketLocation: string, start: DayText): void {
  const isInTime = !isReached(endOfReceipt(start), draft.now);
  const second = Temporal.PlainDate.from(start).add({ days: 1 }).toString();
  const end = isInTime ? start : latest(second, earliestToday(draft));
  const { processNumber } = send(draft, 'deregistration', { marketLocation, end, reason: isInTime ? 'ZH2' : 'ZT5' });
  const { revocations = [] } = draft.state;
  draft.state.revocations = [...revocations, { processNumber, marketLocation, start }].slice(-REMEMBERED_REVOCATIONS);
}

/** What was not heard in time, or could not be processed, is told anew: the customer would be ours without our knowing. */
function revokeAgain(draft: Draft, message: InboundMessage): boolean {
  const { revocations = [] } = draft.state;
  const found = revocations.find(({ processNumber }) => processNumber === message.answers);
  if (found === undefined || !isUnheard(message)) return false;
  draft.state.revocations = revocations.filter((each) => each !== found);
  revoke(draft, found.marketLocation, found.start);
  return true;
}

/** Whether the grid operator has acted on nothing, though he may know us as the supplier there. */
function isUnheard(message: InboundMessage): boolean {
  if (message.kind === 'deregistration_rejection') {
    return consequenceOf(DEREGISTRATION_CODES, message.code) === 'later_date';
  }
  if (message.kind !== 'processing_error') return message.kind === 'syntax_error';
  const { code } = message;
  return consequenceOf(PROCESSABILITY_CODES, code) === 'clearing' && code !== 'Z17' && code !== 'Z18';
}
