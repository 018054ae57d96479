/**
 * What a correction, a withdrawal or an operator has made superfluous before anybody had said that it was handed over to
 * the partner. Where he answers it, it had been: nobody wants it any more, and he is told so, also once the life has ended.
 * The same of a start for which another registration was written, where that one is not wanted any more, and of one whose
 * registration was taken back beside another that came to nothing.
 */
import { isSupply } from '../subscription/lifecycle.ts';
import { send, type Draft } from './draft.ts';
import { endByNotice } from './duties.ts';
import { confirmBeside } from './end-answers.ts';
import { startDay } from './ending.ts';
import type { DayText, InboundMessage } from './messages.ts';
import { forgetOthers, rememberOther } from './other-starts.ts';
import { forgetRevocation, revoke } from './revocations.ts';
import { unawaited, type Question } from './state.ts';

/** Takes back what a partner answers although it was dropped; false when that is none of it, or needs no taking back. */
export function takeBack(draft: Draft, message: InboundMessage): boolean {
  const { dropped = [], replaced = [], stage, facts } = draft.state;
  const found = unawaited(draft.state).find(({ processNumber }) => processNumber === message.answers);
  if (found === undefined) return false;
  const isDropped = dropped.includes(found);
  // What is known to be with him he has been asked to forget already.
  const isHeardOf = message.kind === 'acknowledgement' || message.kind === 'cancellation_confirmation';
  if (isDropped && isHeardOf && !found.transmitted) {
    send(draft, 'reversal', { reverses: found.processNumber });
    return true;
  }
  const { marketLocation } = found;
  if (marketLocation === null) return false;
  if (message.kind === 'deregistration_confirmation') return endOther(draft, { ...found, marketLocation }, message.end);
  if (message.kind !== 'registration_confirmation') return false;
  const isOurs = isSupply(stage) && marketLocation === facts.marketLocation;
  if (isOurs && message.start === startDay(draft)) return false;
  if (isDropped) draft.state.dropped = dropped.filter((each) => each !== found);
  else draft.state.replaced = replaced.filter((each) => each !== found);
  // A part of what we supply there, as long as that is to be supplied.
  if (isOurs) rememberOther(draft, { marketLocation, day: message.start });
  else revoke(draft, { marketLocation, start: message.start });
  return true;
}

/** A start beside ours is revoked (ZH2), or the supply from one is over by then (ZT5), and ours where it has begun before. */
function endOther(
  draft: Draft,
  { marketLocation, revokes }: Pick<Question, 'revokes'> & { readonly marketLocation: string },
  end: DayText,
): boolean {
  const mayRevoke = revokes !== false;
  if (mayRevoke && forgetOthers(draft, marketLocation, (day) => day === end)) return true;
  if (mayRevoke && forgetRevocation(draft, marketLocation, end)) return true;
  const isOver = revokes !== true && forgetOthers(draft, marketLocation, (day) => day < end);
  const isOurStart = end === startDay(draft);
  if (isOurStart ? isOver : revokes === true) return isOver;
  return endAllTheSame(draft, marketLocation, end) || isOver;
}

/**
 * A termination, or the end of an earlier supply there, was taken back too late: the grid operator has acted on it, and our
 * supply ends as he tells, whatever else was to end it by now. A withdrawal wants the earlier day.
 */
function endAllTheSame(draft: Draft, marketLocation: string, day: DayText): boolean {
  const { stage, facts, end, withdrawn } = draft.state;
  if (!isSupply(stage) || marketLocation !== facts.marketLocation) return false;
  const start = startDay(draft);
  if (start === null || day < start) return false;
  if (end !== null && withdrawn) return confirmBeside(draft, day);
  return day > start && endByNotice(draft, day, 'terminated').kind === 'done';
}
