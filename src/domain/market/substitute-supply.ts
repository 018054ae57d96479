/**
 * Days between the confirmed end of the previous contract and our start, when the start has come to lie later. Nobody has to
 * act: the default supplier supplies the customer then by law (substitute supply, Ersatzversorgung, § 38 EnWG), for three
 * months at most, the grid operator assigns him by himself (GPKE part 2, 2.3.2), and our registration ends it without notice
 * (market-rules.md §1.7). But the customer pays that supplier for these days, so they are told.
 */
import type { SupplyEvent, SupplyState } from './state.ts';

type Days = NonNullable<SupplyEvent['substituteSupply']>;

/** The days that lie between as it stands; null where there are none, or no supply is wanted any more. */
function substituteSupply({ stage, settled, requestedStart, withdrawn }: SupplyState): Days | null {
  const from = settled?.end ?? null;
  const isComing = !withdrawn && (stage === 'registering' || stage === 'confirmed');
  return isComing && from !== null && requestedStart !== null && from < requestedStart
    ? { from, until: requestedStart }
    : null;
}

/** The days that a change is to tell of: those that lie between since, and once more what is confirmed. */
export function newSubstituteSupply(before: SupplyState, after: SupplyState): Days | null {
  const [known, days] = [substituteSupply(before), substituteSupply(after)];
  const isSame = known !== null && days !== null && known.from === days.from && known.until === days.until;
  return isSame && before.stage === after.stage ? null : days;
}
