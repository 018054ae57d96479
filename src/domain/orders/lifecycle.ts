/**
 * The lives of meter orders (iMSys-Bestellung) and grid-fee reductions (Netzentgeltreduzierung, § 14a EnWG): their
 * statuses, and the two tables that say which may follow which and on what. The database repeats the tables; docs/market.md
 * shows them printed. The lives are ours (interface.md §7, §8); the market knows messages and days only.
 */

/** Where a meter order stands. */
export const METER_ORDER_STATUSES = ['created', 'placed', 'scheduled', 'installed', 'activated', 'cancelled'] as const;
export type MeterOrderStatus = (typeof METER_ORDER_STATUSES)[number];

/** Where a grid-fee reduction stands. */
export const REDUCTION_STATUSES = ['intended', 'ordered', 'activated', 'rejected', 'ended'] as const;
export type ReductionStatus = (typeof REDUCTION_STATUSES)[number];

/** What can happen to a meter order. */
export const METER_ORDER_STEPS = [
  /** The metering operator (Messstellenbetreiber) has the order. */
  'handed_over',
  /** He names when the fitter comes, or another time. */
  'appointment_made',
  /** The fitter could not do his work. */
  'appointment_missed',
  /** The smart meter hangs. */
  'fitted',
  /** Its gateway delivers values. */
  'connected',
  /** Somebody has to act before it can go on; `blocked` says who and why. */
  'held_up',
  /** The caller does not want it any more. */
  'cancelled',
  /** The subscription has ended. */
  'supply_ended',
] as const;
export type MeterOrderStep = (typeof METER_ORDER_STEPS)[number];

/** What can happen to a grid-fee reduction. */
export const REDUCTION_STEPS = [
  /** The grid operator was asked (ORDERS 17133). */
  'asked',
  /** He agrees, and names the first day. */
  'confirmed',
  /** He does not. */
  'refused',
  /** 00:00 of its first day. */
  'came_into_force',
  /** It has a last day: the caller does not want it any more, the grid operator was told so, or he agrees. */
  'end_scheduled',
  /** Somebody has to act before it can go on; `blocked` says who and why. */
  'held_up',
  /** What held it up is done. */
  'resumed',
  /** Ended before it was in force, or 00:00 of the first day without it. */
  'ended',
] as const;
export type ReductionStep = (typeof REDUCTION_STEPS)[number];

/** What the outside is told of meter orders (interface.md §8). */
export const METER_ORDER_EVENT_TYPES = [
  'meter_order.created',
  'meter_order.placed',
  'meter_order.scheduled',
  'meter_order.installed',
  'meter_order.activated',
  'meter_order.cancelled',
  'meter_order.blocked',
] as const;
export type MeterOrderEventType = (typeof METER_ORDER_EVENT_TYPES)[number];

/** What the outside is told of grid-fee reductions (interface.md §8). */
export const REDUCTION_EVENT_TYPES = [
  'grid_fee_reduction.created',
  'grid_fee_reduction.updated',
  'grid_fee_reduction.ordered',
  'grid_fee_reduction.activated',
  'grid_fee_reduction.rejected',
  'grid_fee_reduction.ended',
  'grid_fee_reduction.blocked',
] as const;
export type ReductionEventType = (typeof REDUCTION_EVENT_TYPES)[number];

/** One permitted step: where it leads, and the event that tells of it in the same commit. */
export interface Permitted<Status extends string, EventType extends string> {
  readonly to: Status;
  readonly announces: EventType;
}

type Table<Status extends string, Step extends string, EventType extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Step, Permitted<Status, EventType>>>>>
>;

const cancelled = { to: 'cancelled', announces: 'meter_order.cancelled' } as const;
const blocked = 'meter_order.blocked';

/** A smart meter that hangs stays where it is: only the end of the supply takes the order back then. */
const METER_ORDER_TABLE: Table<MeterOrderStatus, MeterOrderStep, MeterOrderEventType> = {
  created: {
    handed_over: { to: 'placed', announces: 'meter_order.placed' },
    held_up: { to: 'created', announces: blocked },
    cancelled,
    supply_ended: cancelled,
  },
  placed: {
    appointment_made: { to: 'scheduled', announces: 'meter_order.scheduled' },
    held_up: { to: 'placed', announces: blocked },
    cancelled,
    supply_ended: cancelled,
  },
  scheduled: {
    appointment_made: { to: 'scheduled', announces: 'meter_order.scheduled' },
    appointment_missed: { to: 'placed', announces: blocked },
    fitted: { to: 'installed', announces: 'meter_order.installed' },
    held_up: { to: 'scheduled', announces: blocked },
    cancelled,
    supply_ended: cancelled,
  },
  installed: {
    connected: { to: 'activated', announces: 'meter_order.activated' },
    held_up: { to: 'installed', announces: blocked },
    supply_ended: cancelled,
  },
  activated: {},
  cancelled: {},
};

const ended = { to: 'ended', announces: 'grid_fee_reduction.ended' } as const;
const updated = 'grid_fee_reduction.updated';

const REDUCTION_TABLE: Table<ReductionStatus, ReductionStep, ReductionEventType> = {
  intended: {
    asked: { to: 'ordered', announces: 'grid_fee_reduction.ordered' },
    held_up: { to: 'intended', announces: 'grid_fee_reduction.blocked' },
    resumed: { to: 'intended', announces: updated },
    ended,
  },
  ordered: {
    confirmed: { to: 'ordered', announces: updated },
    refused: { to: 'rejected', announces: 'grid_fee_reduction.rejected' },
    came_into_force: { to: 'activated', announces: 'grid_fee_reduction.activated' },
    end_scheduled: { to: 'ordered', announces: updated },
    held_up: { to: 'ordered', announces: 'grid_fee_reduction.blocked' },
    ended,
  },
  activated: {
    end_scheduled: { to: 'activated', announces: updated },
    held_up: { to: 'activated', announces: 'grid_fee_reduction.blocked' },
    ended,
  },
  rejected: {},
  ended: {},
};

/** Looks one step of a meter order up in its table; `undefined` when there is none. */
export function meterOrderStep(
  status: MeterOrderStatus,
  step: MeterOrderStep,
): Permitted<MeterOrderStatus, MeterOrderEventType> | undefined {
  return METER_ORDER_TABLE[status][step];
}

/** Looks one step of a grid-fee reduction up in its table; `undefined` when there is none. */
export function reductionStep(
  status: ReductionStatus,
  step: ReductionStep,
): Permitted<ReductionStatus, ReductionEventType> | undefined {
  return REDUCTION_TABLE[status][step];
}

/** Whether something can still happen to a meter order. */
export function isOpenMeterOrder(status: MeterOrderStatus): boolean {
  return Object.keys(METER_ORDER_TABLE[status]).length > 0;
}

/** Whether something can still happen to a grid-fee reduction. */
export function isOpenReduction(status: ReductionStatus): boolean {
  return Object.keys(REDUCTION_TABLE[status]).length > 0;
}

/** The table of meter orders as a Mermaid state diagram, as printed in docs/market.md. */
export function meterOrderDiagram(): string {
  return diagramOf(METER_ORDER_TABLE, METER_ORDER_STATUSES, METER_ORDER_STEPS);
}

/** The table of grid-fee reductions as a Mermaid state diagram, as printed in docs/market.md. */
export function reductionDiagram(): string {
  return diagramOf(REDUCTION_TABLE, REDUCTION_STATUSES, REDUCTION_STEPS);
}

function diagramOf<Status extends string, Step extends string>(
  table: Table<Status, Step, string>,
  statuses: readonly Status[],
  steps: readonly Step[],
): string {
  const lines = statuses.flatMap((status) =>
    steps.flatMap((step) => {
      const found = table[status][step];
      return found === undefined ? [] : [`  ${status} --> ${found.to}: ${step}`];
    }),
  );
  const finals = statuses.filter((status) => Object.keys(table[status]).length === 0);
  const first = statuses[0] ?? '';
  return ['stateDiagram-v2', `  [*] --> ${first}`, ...lines, ...finals.map((each) => `  ${each} --> [*]`), ''].join(
    '\n',
  );
}
