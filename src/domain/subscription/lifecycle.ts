/** What the given interface calls the status of a subscription. */
export const STATUSES = ['pending', 'active', 'ended'] as const;
export type Status = (typeof STATUSES)[number];

/** Where in its life a subscription stands, finer than its status. */
export const STAGES = [
  'identifying',
  'cancelling',
  'registering',
  'confirmed',
  'supplying',
  'ending',
  'ended',
] as const;
export type Stage = (typeof STAGES)[number];

/** Why a subscription ended. */
export const END_REASONS = ['terminated', 'moved_out', 'withdrawn', 'rejected', 'superseded'] as const;

/** Who has to act before a subscription can go on. */
export const ACTORS = ['customer', 'partner', 'operator', 'grid_operator', 'previous_supplier'] as const;

/**
 * The first stage of a new subscription. Only a market location is accepted by supplier and grid operator, so without
 * one it is identified first (GPKE part 2, 1.1); without a previous supplier nobody has to be cancelled.
 */
export function firstStage(hasMarketLocation: boolean, hasPreviousSupplier: boolean): Stage {
  if (!hasMarketLocation) return 'identifying';
  return hasPreviousSupplier ? 'cancelling' : 'registering';
}
