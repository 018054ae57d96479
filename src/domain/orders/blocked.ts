/** What holds an order up: the table of all codes of `blocked`. */

/** Who has to act before a blocked order can go on. */
export const BLOCKED_ACTORS = ['customer', 'partner', 'operator', 'metering_operator'] as const;
export type BlockedActor = (typeof BLOCKED_ACTORS)[number];

/** Every code. */
export const BLOCKED = {
  transmit_order: {
    actor: 'operator',
    message:
      'This project has no connection to the market. An operator hands this over to the partner and records his answers.',
  },
  no_gateway_coverage: {
    actor: 'metering_operator',
    message:
      'The metering operator cannot fit a smart meter there yet: its gateway would have no connection. Wait until he can, or cancel.',
  },
  fitting_refused: {
    actor: 'operator',
    message: 'The metering operator refuses the order for a reason that an operator has to clear up with him.',
  },
  fitter_not_let_in: {
    actor: 'customer',
    message:
      'The fitter was not let in, or could not get to the meter. The metering operator names another appointment; see that somebody is there.',
  },
  metering_operator_unanswered: {
    actor: 'operator',
    message: 'The metering operator has not said in time how it went. An operator clears it up with him.',
  },
  smart_meter_missing: {
    actor: 'partner',
    message: 'Module 3 needs a smart meter, and none is ordered any more. Order one, or end this reduction.',
  },
  grid_operator_unanswered: {
    actor: 'operator',
    message: 'The grid operator has not answered in time. An operator clears it up with him.',
  },
} as const satisfies Readonly<Record<string, { readonly actor: BlockedActor; readonly message: string }>>;
export type BlockedCode = keyof typeof BLOCKED;

/** All codes, in the order of the table. */
export const BLOCKED_CODES: readonly BlockedCode[] = Object.keys(BLOCKED) as BlockedCode[];

/** Why the metering operator may refuse an order. */
export const FITTING_REFUSALS = ['no_gateway_coverage', 'fitting_refused'] as const satisfies readonly BlockedCode[];
export type FittingRefusal = (typeof FITTING_REFUSALS)[number];

/** `blocked` as the API shows it. */
export interface Blocked {
  readonly code: BlockedCode;
  readonly actor: BlockedActor;
  readonly message: string;
  /** An instant, ISO 8601 in UTC. */
  readonly since: string;
}

/** A code of the table, from an instant on. */
export function blockedBy(code: BlockedCode, since: string): Blocked {
  return { code, ...BLOCKED[code], since };
}

/** Why the grid operator may refuse a reduction; the reasons are ours, for his codes (E_0595) are not read yet. */
export const REJECTIONS = {
  module_not_possible: 'The grid operator does not grant this module at this market location.',
  no_controllable_device:
    'The grid operator knows of no controllable device (steuerbare Verbrauchseinrichtung) there; it has to be registered with him first.',
  no_separate_market_location: 'Module 2 needs a meter and a market location of its own for the controllable device.',
} as const;
export type RejectionCode = keyof typeof REJECTIONS;

/** All rejection codes, in the order of the table. */
export const REJECTION_CODES: readonly RejectionCode[] = Object.keys(REJECTIONS) as RejectionCode[];
