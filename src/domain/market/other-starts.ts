/**
 * Starts that the grid operator has confirmed beside the one that counts: one that was unclear until another was, or until the
 * sign-up went on, and one whose registration was dropped while we supply there from another day. As long as they may be a part
 * of what is supplied there they do no harm. Else they are taken back: the customer would be ours without anybody's knowing.
 */
import { berlinDayText } from '../calendar.ts';
import { isSupply } from '../subscription/lifecycle.ts';
import type { Draft } from './draft.ts';
import type { DayText } from './messages.ts';
import { relinquish, revoke } from './revocations.ts';
import type { SupplyState, UnclearStart } from './state.ts';

/** How many such starts are remembered; a life has hardly one. */
const REMEMBERED_STARTS = 20;

function isSame(one: UnclearStart, other: UnclearStart | null): boolean {
  return one.marketLocation === other?.marketLocation && one.day === other.day;
}

/** Remembers a start that was confirmed beside. */
export function rememberOther({ state }: Draft, start: UnclearStart): void {
  const { otherStarts = [] } = state;
  if (otherStarts.some((each) => isSame(each, start))) return;
  state.otherStarts = [...otherStarts, start].slice(-REMEMBERED_STARTS);
}

/** Forgets such starts at a market location that are over; false when there are none. */
export function forgetOthers({ state }: Draft, marketLocation: string, isOver: (day: DayText) => boolean): boolean {
  const { otherStarts = [] } = state;
  const kept = otherStarts.filter((each) => each.marketLocation !== marketLocation || !isOver(each.day));
  if (kept.length === otherStarts.length) return false;
  state.otherStarts = kept;
  return true;
}

/**
 * Takes back what is no part of any supply of ours, once that is so, and nothing that is.
 * @param before the decision
 */
export function settleOtherStarts(draft: Draft, { unclearStart: former = null }: SupplyState): void {
  const { state } = draft;
  if (former !== null && !isSame(former, state.unclearStart ?? null) && !isOver(state, former)) {
    rememberOther(draft, former);
  }
  leaveWhatIsOurs(draft);
  const { otherStarts = [] } = state;
  if (otherStarts.length === 0) return;
  const { kept = [], unwanted = [] } = Object.groupBy(otherStarts, (each) => becomesOf(state, each));
  state.otherStarts = kept;
  for (const { marketLocation, day: start } of unwanted) {
    if (marketLocation !== null) revoke(draft, { marketLocation, start });
  }
}

/** What is being taken back, and is a part of a supply of ours by now, is left: its end would be that of ours. */
function leaveWhatIsOurs(draft: Draft): void {
  const { state } = draft;
  if (!isSupply(state.stage)) return;
  for (const each of state.revocations ?? []) {
    const start = { marketLocation: each.marketLocation, day: each.start };
    const becomes = becomesOf(state, start);
    if (becomes !== 'unwanted') relinquish(draft, each);
    if (becomes === 'kept') rememberOther(draft, start);
  }
}

/** Whether a start that was unclear has an end, by which nobody is supplied. */
function isOver(
  { revokedStart, endReason, facts }: SupplyState,
  { noticedEnd = null, ...start }: UnclearStart,
): boolean {
  const isSuperseded = endReason === 'superseded' && start.marketLocation === facts.marketLocation;
  return noticedEnd !== null || revokedStart === start.day || isSuperseded;
}

/** What such a start is by now: perhaps a part of a supply of ours, surely one, or what nobody wants. */
function becomesOf(state: SupplyState, start: UnclearStart): 'kept' | 'over' | 'unwanted' {
  const { stage, facts, startAt, endAt, end, unclearStart = null } = state;
  if (isSame(start, unclearStart)) return 'over';
  // Until a start is promised one there may be accepted yet.
  if (stage !== 'ended' && !isSupply(stage)) return 'kept';
  if (startAt === null || start.marketLocation !== facts.marketLocation) return 'unwanted';
  if (start.day === berlinDayText(startAt)) return 'over';
  if (isSupply(stage)) {
    const isWanted = end === null || (end.deregistrationReason !== 'ZH2' && start.day < end.day);
    return isWanted ? 'kept' : 'unwanted';
  }
  return endAt !== null && start.day < berlinDayText(endAt) ? 'over' : 'unwanted';
}
