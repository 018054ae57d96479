/** What is remembered of a subscription's meter order and grid-fee reductions. Plain JSON, so that it is stored as it is. */
import type { DayText, InstantText } from '../market/messages.ts';
import type { Stage } from '../subscription/lifecycle.ts';
import type { GridFeeModules } from '../subscription/sign-up.ts';
import type { Blocked, FittingRefusal, RejectionCode } from './blocked.ts';
import type { MeterOrderEventType, MeterOrderStatus, ReductionEventType, ReductionStatus } from './lifecycle.ts';

interface Order {
  /** A uuid. */
  readonly id: string;
  /** Counts the steps. */
  readonly revision: number;
  readonly blocked: Blocked | null;
  /** By when a partner should have answered, or have done what he promised; null when nothing of him is awaited. */
  readonly due_at: InstantText | null;
  readonly created_at: InstantText;
  readonly updated_at: InstantText;
}

/** The order of a smart meter; members as the API shows them. */
export interface MeterOrder extends Order {
  readonly status: MeterOrderStatus;
  readonly placed_at: InstantText | null;
  /** When the fitter comes, or came. */
  readonly appointment_at: InstantText | null;
  readonly installed_at: InstantText | null;
  readonly activated_at: InstantText | null;
  readonly cancelled_at: InstantText | null;
}

/** Why a reduction ended. */
export const REDUCTION_END_REASONS = ['requested', 'replaced', 'supply_ended'] as const;
export type ReductionEndReason = (typeof REDUCTION_END_REASONS)[number];

/** A grid-fee reduction; members as the API shows them. */
export interface Reduction extends Order, Required<GridFeeModules> {
  readonly status: ReductionStatus;
  readonly ordered_at: InstantText | null;
  /** The first day with it, once the grid operator has agreed. */
  readonly effective_from: DayText | null;
  /** The first day without it, once one is asked for. While it is `blocked` or `due_at` stands, he has not agreed to it. */
  readonly effective_until: DayText | null;
  readonly rejection_code: RejectionCode | null;
  readonly end_reason: ReductionEndReason | null;
}

/** What can still change. */
export interface OrdersState {
  /** `manual`: nobody talks to the market for us, an operator does (a live project). */
  readonly transport: 'automatic' | 'manual';
  readonly has_smart_meter: boolean;
  readonly meter_order: MeterOrder | null;
  /** At most one in force, and one that may come after it. */
  readonly reductions: readonly Reduction[];
}

/** What orders have to know of the supply. */
export interface SupplySight {
  readonly stage: Stage;
  readonly startAt: InstantText | null;
  readonly endAt: InstantText | null;
}

/** What a partner says, or does, about an order. */
export type OrderReport =
  /** An operator has handed the order over to the partner, or that it is cancelled or to be ended. */
  | { readonly kind: 'handed_over' }
  | { readonly kind: 'appointment_made'; readonly appointment_at: InstantText }
  | { readonly kind: 'appointment_missed' }
  | { readonly kind: 'fitting_refused'; readonly code: FittingRefusal }
  | { readonly kind: 'fitted' }
  | { readonly kind: 'connected' }
  /** Without a day from the first on which it can be; `received_at`: when it reached us, where it is recorded later. */
  | { readonly kind: 'confirmed'; readonly effective_from: DayText | null; readonly received_at?: InstantText }
  | { readonly kind: 'rejected'; readonly code: RejectionCode }
  /** The grid operator ends the reduction; without a day on the one asked for, or today when that has passed. */
  | { readonly kind: 'ended'; readonly effective_until: DayText | null };

/** Something that happens to the orders of a subscription. */
export type OrdersInput =
  /** Something may have become of the supply. */
  | { readonly type: 'supply_changed' }
  /** The time of the first thing that is due has come. */
  | { readonly type: 'due' }
  | { readonly type: 'meter_order_added'; readonly order: MeterOrder }
  | { readonly type: 'reduction_added'; readonly reduction: Reduction }
  | { readonly type: 'reported'; readonly id: string; readonly report: OrderReport }
  | { readonly type: 'cancel_asked'; readonly id: string }
  | { readonly type: 'end_asked'; readonly id: string };

/** One step of one order; `before` is null when it is new. */
export type OrderChange =
  | {
      readonly kind: 'meter_order';
      readonly before: MeterOrder | null;
      readonly after: MeterOrder;
      readonly announces: MeterOrderEventType;
    }
  | {
      readonly kind: 'grid_fee_reduction';
      readonly before: Reduction | null;
      readonly after: Reduction;
      readonly announces: ReductionEventType;
    };

/** What a decision leads to; all of it belongs into one commit, in its order. */
export interface OrdersDecision {
  readonly state: OrdersState;
  /** `refused`: the order's status does not permit it. */
  readonly outcome: 'done' | 'refused';
  readonly changes: readonly OrderChange[];
}

/** A new order of a smart meter. */
export function newMeterOrder(id: string, at: InstantText): MeterOrder {
  const never = { placed_at: null, appointment_at: null, installed_at: null, activated_at: null, cancelled_at: null };
  return { ...newOrder(id, at), status: 'created', ...never };
}

/** A new grid-fee reduction by an allowed set of modules. */
export function newReduction(id: string, modules: GridFeeModules, at: InstantText): Reduction {
  return {
    ...newOrder(id, at),
    status: 'intended',
    module_1: modules.module_1 === true,
    module_2: modules.module_2 === true,
    module_3: modules.module_3 === true,
    ordered_at: null,
    effective_from: null,
    effective_until: null,
    rejection_code: null,
    end_reason: null,
  };
}

function newOrder(id: string, at: InstantText): Order {
  return { id, revision: 1, blocked: null, due_at: null, created_at: at, updated_at: at };
}
