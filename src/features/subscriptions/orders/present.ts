import { formatId } from '#domain/identifiers.ts';
import { REJECTIONS } from '#domain/orders/blocked.ts';
import type { MeterOrder, OrderChange, Reduction } from '#domain/orders/state.ts';

/** Whose order it is; ids are uuids. */
export interface Owner {
  readonly subscription_id: string;
  readonly meter_id: string;
}

/** A meter order as stored. */
export interface MeterOrderRow extends MeterOrder, Owner {}

/** A grid-fee reduction as stored. */
export interface ReductionRow extends Reduction, Pick<Owner, 'subscription_id'> {}

type Members = Readonly<Record<string, unknown>>;

function meterOrderMembers(row: MeterOrderRow): Members {
  return {
    object: 'meter_order',
    id: formatId('mor', row.id),
    subscription: formatId('sub', row.subscription_id),
    meter: formatId('mtr', row.meter_id),
    status: row.status,
    blocked: row.blocked,
    due_at: row.due_at,
    placed_at: row.placed_at,
    appointment_at: row.appointment_at,
    installed_at: row.installed_at,
    activated_at: row.activated_at,
    cancelled_at: row.cancelled_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function reductionMembers(row: ReductionRow): Members {
  const { rejection_code: code } = row;
  return {
    object: 'grid_fee_reduction',
    id: formatId('gfr', row.id),
    subscription: formatId('sub', row.subscription_id),
    module_1: row.module_1,
    module_2: row.module_2,
    module_3: row.module_3,
    status: row.status,
    blocked: row.blocked,
    due_at: row.due_at,
    ordered_at: row.ordered_at,
    effective_from: row.effective_from,
    effective_until: row.effective_until,
    rejection: code === null ? null : { code, message: REJECTIONS[code] },
    end_reason: row.end_reason,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A meter order as JSON text. */
export function presentMeterOrder(row: MeterOrderRow): string {
  return JSON.stringify(meterOrderMembers(row));
}

/** A grid-fee reduction as JSON text. */
export function presentReduction(row: ReductionRow): string {
  return JSON.stringify(reductionMembers(row));
}

/** What an event of a step carries, as JSON text: the order, and what its changed members were before. */
export function presentChange(change: OrderChange, owner: Owner): string {
  const { kind } = change;
  const membersAt = (side: 'before' | 'after'): Members | null => {
    if (kind === 'meter_order') return change[side] === null ? null : meterOrderMembers({ ...change[side], ...owner });
    return change[side] === null ? null : reductionMembers({ ...change[side], ...owner });
  };
  const [before, after] = [membersAt('before'), membersAt('after')];
  const previous = Object.entries(before ?? {}).filter(
    ([name, value]) => name !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(after?.[name]),
  );
  return JSON.stringify({ [kind]: after, previous_attributes: Object.fromEntries(previous) });
}
