/**
 * The life of a subscription: its stages, and the one table that says which of them may follow which and on what.
 * Sources: interface.md §6, market-rules.md §9. The database repeats the table; docs/market.md shows it printed.
 */

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
export type EndReason = (typeof END_REASONS)[number];

/** Who has to act before a subscription can go on. */
export const ACTORS = ['customer', 'partner', 'operator', 'grid_operator', 'previous_supplier'] as const;
export type Actor = (typeof ACTORS)[number];

/**
 * The first stage of a new subscription. Only a market location is accepted by supplier and grid operator, so without
 * one it is identified first (GPKE part 2, 1.1); without a previous supplier nobody has to be cancelled.
 */
export function firstStage(hasMarketLocation: boolean, hasPreviousSupplier: boolean): Stage {
  if (!hasMarketLocation) return 'identifying';
  return hasPreviousSupplier ? 'cancelling' : 'registering';
}

/** What can happen to a subscription that changes its stage. */
export const LIFECYCLE_EVENTS = [
  /** The market location has to be found, at first or because a partner does not know the one we named. */
  'location_unknown',
  /** The previous supplier has to be cancelled, at first or because he objected to our registration (E_0624 A35). */
  'cancellation_needed',
  /** Nothing stands between us and the registration at the grid operator. */
  'registration_ready',
  /** The grid operator has confirmed our registration (55002). */
  'supply_confirmed',
  /** 00:00 of the first day of supply. */
  'supply_started',
  /** The last day of supply is fixed: by the customer, another supplier or the grid operator. */
  'end_scheduled',
  /** The termination was taken back before the grid operator confirmed it. */
  'end_undone',
  /** 00:00 of the first day without supply. */
  'supply_ended',
  /** Withdrawn (§ 355 BGB), and whatever was under way at the grid operator is reversed. */
  'withdrawn',
  /** It will never come to supply. */
  'rejected',
  /** Another supplier has taken the market location before our start (55038). */
  'superseded',
] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

/** The events that the outside is told of (interface.md §8). */
export const SUBSCRIPTION_EVENT_TYPES = [
  'subscription.created',
  'subscription.updated',
  'subscription.confirmed',
  'subscription.activated',
  'subscription.action_required',
  'subscription.action_resolved',
  'subscription.terminated',
  'subscription.termination_undone',
  'subscription.ended',
] as const;
export type SubscriptionEventType = (typeof SUBSCRIPTION_EVENT_TYPES)[number];

/** One permitted step: where it leads, and the event that tells of it in the same commit. */
export interface Transition {
  readonly to: Stage;
  readonly announces: SubscriptionEventType;
}

const toIdentifying: Transition = { to: 'identifying', announces: 'subscription.updated' };
const toCancelling: Transition = { to: 'cancelling', announces: 'subscription.updated' };
const toRegistering: Transition = { to: 'registering', announces: 'subscription.updated' };
const toEnded: Transition = { to: 'ended', announces: 'subscription.ended' };

/** Every permitted step; what is not here does not happen. `end_reason` of `supply_ended` is that of the end scheduled. */
const TRANSITIONS: Readonly<Record<Stage, Readonly<Partial<Record<LifecycleEvent, Transition>>>>> = {
  identifying: {
    cancellation_needed: toCancelling,
    registration_ready: toRegistering,
    withdrawn: toEnded,
    rejected: toEnded,
  },
  cancelling: {
    location_unknown: toIdentifying,
    registration_ready: toRegistering,
    withdrawn: toEnded,
    rejected: toEnded,
  },
  registering: {
    location_unknown: toIdentifying,
    cancellation_needed: toCancelling,
    supply_confirmed: { to: 'confirmed', announces: 'subscription.confirmed' },
    withdrawn: toEnded,
    rejected: toEnded,
    superseded: toEnded,
  },
  confirmed: {
    supply_started: { to: 'supplying', announces: 'subscription.activated' },
    withdrawn: toEnded,
    rejected: toEnded,
    superseded: toEnded,
  },
  supplying: {
    end_scheduled: { to: 'ending', announces: 'subscription.terminated' },
  },
  ending: {
    end_undone: { to: 'supplying', announces: 'subscription.termination_undone' },
    supply_ended: toEnded,
  },
  ended: {},
};

const STATUS_OF_STAGE: Readonly<Record<Stage, Status>> = {
  identifying: 'pending',
  cancelling: 'pending',
  registering: 'pending',
  confirmed: 'pending',
  supplying: 'active',
  ending: 'active',
  ended: 'ended',
};

/** The status that a stage belongs to (interface.md §6). */
export function statusOf(stage: Stage): Status {
  return STATUS_OF_STAGE[stage];
}

/** Whether the market knows us as the supplier in a stage: the grid operator has confirmed it, and it has not ended. */
export function isSupply(stage: Stage): boolean {
  return stage === 'confirmed' || stage === 'supplying' || stage === 'ending';
}

/** Looks one step up in the table, which is the only way to a new stage; `undefined` when it is not permitted. */
export function transition(stage: Stage, event: LifecycleEvent): Transition | undefined {
  return TRANSITIONS[stage][event];
}

/** The table as a Mermaid state diagram, grouped by status, as printed in docs/market.md. */
export function lifecycleDiagram(): string {
  const groups = STATUSES.filter((status) => status !== 'ended').map((status) => {
    const stages = STAGES.filter((stage) => statusOf(stage) === status);
    return [`  state ${status} {`, ...stages.map((stage) => `    ${stage}`), '  }'];
  });
  const firsts = [...new Set([firstStage(false, false), firstStage(true, true), firstStage(true, false)])];
  const steps = STAGES.flatMap((stage) =>
    LIFECYCLE_EVENTS.flatMap((event) => {
      const found = TRANSITIONS[stage][event];
      return found === undefined ? [] : [`  ${stage} --> ${found.to}: ${event}`];
    }),
  );
  return [
    'stateDiagram-v2',
    ...groups.flat(),
    ...firsts.map((stage) => `  [*] --> ${stage}`),
    ...steps,
    '  ended --> [*]',
    '',
  ].join('\n');
}
