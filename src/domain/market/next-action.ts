/**
 * What must happen before a subscription that waits for somebody can go on: the table of all codes of `next_action`
 * (interface.md §6), one for each rejection of market-rules.md §1.5, for silence, and for what an operator has to
 * transmit himself. The machines fill in `due_at`, `retry_at` and the day that a message names.
 */
import type { Actor } from '../subscription/lifecycle.ts';
import type { CustomerType } from '../subscription/sign-up.ts';

/** What happens when `due_at` passes and nobody has acted. */
export type Lapse =
  /** The subscription ends, `rejected`. */
  | 'reject'
  /** The operator has to act from then on. */
  | 'escalate'
  /** Nothing: it waits on. */
  | 'wait';

interface ActionRule {
  readonly actor: Actor;
  /** For people; `{day}` is replaced. */
  readonly message: string;
  /** JSON Pointers of what may be corrected by PATCH; any one of them may be enough. */
  readonly fields: readonly string[];
  readonly lapse: Lapse;
}

const COMPANY_NAME = '/customer/company_name';
const NAMES = ['/customer/first_name', '/customer/last_name', COMPANY_NAME];

/** Every code. What resolves it follows from its fields and its actor: see `resolveOf`. */
export const ACTIONS = {
  market_location_not_found: {
    actor: 'customer',
    message:
      'The grid operator does not find the market location. Correct the meter number, the address or the name, or give the market location (MaLo) that stands on a bill.',
    fields: ['/meter/malo', '/meter/number', '/address', ...NAMES],
    lapse: 'reject',
  },
  market_location_ambiguous: {
    actor: 'customer',
    message:
      'The grid operator finds several market locations. Correct the meter number, or give the market location (MaLo) that stands on a bill.',
    fields: ['/meter/malo', '/meter/number', '/address'],
    lapse: 'reject',
  },
  market_location_taken: {
    actor: 'partner',
    message:
      'The market location found has another open subscription in this project. Correct the market location (MaLo), the meter number or the address; or end that one, and give the meter number again.',
    fields: ['/meter/malo', '/meter/number', '/address'],
    lapse: 'reject',
  },
  market_location_shut_down: {
    actor: 'customer',
    message:
      'The market location is shut down and cannot be supplied. Correct the market location (MaLo), the address or the meter number.',
    fields: ['/meter/malo', '/address', '/meter/number'],
    lapse: 'reject',
  },
  power_of_attorney_doubted: {
    actor: 'customer',
    message:
      'The power of attorney (Vollmacht) is doubted. Correct the name to that of the old contract, or remove the previous supplier if the customer has cancelled there himself. An operator can send the document and ask again.',
    fields: [...NAMES, '/previous_supplier'],
    lapse: 'reject',
  },
  previous_contract_bound: {
    actor: 'customer',
    message:
      'The contract with the previous supplier runs until {day}, and supply can start on that day. Confirm by setting it or a later one as the intended start date; without an answer we go on with {day}.',
    fields: ['/intended_start_date', '/previous_supplier'],
    lapse: 'wait',
  },
  previous_supplier_unaware: {
    actor: 'customer',
    message:
      'The previous supplier does not know the market location. Correct the previous supplier or the market location (MaLo), or remove the previous supplier.',
    fields: ['/previous_supplier', '/meter/malo'],
    lapse: 'reject',
  },
  previous_supplier_objects: {
    actor: 'customer',
    message:
      'The present supplier objects: the customer is bound by contract there. Name the supplier that has to be cancelled, or choose a later start.',
    fields: ['/previous_supplier', '/intended_start_date'],
    lapse: 'reject',
  },
  not_a_move_in: {
    actor: 'customer',
    message:
      'The present supplier says that the customer living there has not moved out, so this is a switch. Name the supplier that has to be cancelled, or null if nobody has to be.',
    fields: ['/previous_supplier'],
    lapse: 'reject',
  },
  concurrent_registration: {
    actor: 'grid_operator',
    message:
      'Another registration for the market location is open. The grid operator accepts ours again from {day}; we send it then.',
    fields: [],
    lapse: 'wait',
  },
  identification_unanswered: {
    actor: 'grid_operator',
    message:
      'The grid operator has not answered our search for the market location. Giving the market location (MaLo) makes the search unnecessary.',
    fields: ['/meter/malo'],
    lapse: 'escalate',
  },
  cancellation_unanswered: {
    actor: 'previous_supplier',
    message:
      'The previous supplier has not answered the cancellation in time. We clear it up with him; correct or remove the previous supplier if the customer has cancelled there himself.',
    fields: ['/previous_supplier'],
    lapse: 'escalate',
  },
  registration_unanswered: {
    actor: 'grid_operator',
    message: 'The grid operator has not answered the registration in time. We clear it up with him.',
    fields: [],
    lapse: 'escalate',
  },
  deregistration_unanswered: {
    actor: 'grid_operator',
    message: 'The grid operator has not answered the end of supply in time. We clear it up with him.',
    fields: [],
    lapse: 'escalate',
  },
  reversal_unanswered: {
    actor: 'grid_operator',
    message: 'The grid operator has not answered the reversal in time. We clear it up with him.',
    fields: [],
    lapse: 'escalate',
  },
  revocation_unanswered: {
    actor: 'grid_operator',
    message:
      'The grid operator has confirmed a start on {day} that nobody wants any more, and has not answered in time that we take it back. We clear it up with him.',
    fields: [],
    lapse: 'escalate',
  },
  revocation_refused: {
    actor: 'operator',
    message:
      'The grid operator has confirmed a start on {day} that nobody wants any more, and refuses to take it back: he has us supply the customer from then on. Clear it up with him, then retry, or record that he confirms.',
    fields: [],
    lapse: 'wait',
  },
  balancing_group_authority_missing: {
    actor: 'operator',
    message:
      'The balancing-group authority (Zuordnungsermächtigung) for this grid operator is missing. Have it activated, then retry.',
    fields: [],
    lapse: 'wait',
  },
  new_connection: {
    actor: 'operator',
    message:
      'The market location is a new connection (Neuanlage) and has a process of its own: register it by hand (55600), or retry when it exists.',
    fields: [],
    lapse: 'wait',
  },
  identification_refused: {
    actor: 'operator',
    message: 'The search for the market location was refused for a reason that a person has to clear up. Then retry.',
    fields: ['/meter/malo'],
    lapse: 'wait',
  },
  cancellation_refused: {
    actor: 'operator',
    message: 'The previous supplier refused the cancellation for a reason that a person has to clear up. Then retry.',
    fields: ['/previous_supplier'],
    lapse: 'wait',
  },
  cancelled_too_early: {
    actor: 'operator',
    message:
      'The previous supplier confirmed that his contract ends on {day}, before supply is to start. Clear it up with him, then retry; until the grid operator has confirmed the start, it is enough to set that day as the intended start date.',
    fields: ['/intended_start_date'],
    lapse: 'wait',
  },
  registration_refused: {
    actor: 'operator',
    message: 'The grid operator refused the registration for a reason that a person has to clear up. Then retry.',
    fields: [],
    lapse: 'wait',
  },
  deregistration_refused: {
    actor: 'operator',
    message: 'The grid operator refused the end of supply for a reason that a person has to clear up. Then retry.',
    fields: [],
    lapse: 'wait',
  },
  ended_too_early: {
    actor: 'operator',
    message:
      'The grid operator confirmed an end on {day}, before the day that was asked for. Clear up with him until when we supply, then retry.',
    fields: [],
    lapse: 'wait',
  },
  message_not_processed: {
    actor: 'operator',
    message:
      'A partner could not process an answer of ours, which counts as if we had been silent. Clear it up with him, then retry.',
    fields: [],
    lapse: 'wait',
  },
  confirmed_too_late: {
    actor: 'operator',
    message:
      'The grid operator confirmed a start on {day}, which had passed by then. Clear up with him from when we supply: an operator accepts that day, or retries once it is taken back.',
    fields: [],
    lapse: 'wait',
  },
  confirmed_too_early: {
    actor: 'operator',
    message:
      'The grid operator confirmed a start on {day}, before the day that was asked for. Clear up with him from when we supply: an operator accepts that day, or retries once it is taken back.',
    fields: [],
    lapse: 'wait',
  },
  /** Never asked for by a machine: it is what those see whose machine failed. */
  internal_error: {
    actor: 'operator',
    message: 'The process failed by a defect of the service. The log holds its cause; retry when it is mended.',
    fields: [],
    lapse: 'wait',
  },
  transmit_message: {
    actor: 'operator',
    message:
      'This project has no connection to the market. Transmit the waiting messages to the partner and record his answers.',
    fields: [],
    lapse: 'wait',
  },
} as const satisfies Readonly<Record<string, ActionRule>>;
export type ActionCode = keyof typeof ACTIONS;

/** All codes, in the order of the table. */
export const ACTION_CODES: readonly ActionCode[] = Object.keys(ACTIONS) as ActionCode[];

/** `next_action` as the API shows it; instants as ISO 8601 in UTC. */
export interface NextAction {
  readonly code: ActionCode;
  readonly actor: Actor;
  readonly message: string;
  readonly fields: readonly string[];
  /** `{subscription}` stands for the id. */
  readonly resolve: { readonly method: 'PATCH' | 'POST'; readonly path: string } | null;
  /** By when the actor should have acted; see `lapseOf`. */
  readonly due_at: string | null;
  /** When we go on by ourselves, if nobody acts before. */
  readonly retry_at: string | null;
}

/** An action of the table with its instants; `day` stands in the message. Only a company has a name to correct. */
export function nextAction(
  code: ActionCode,
  customerType: CustomerType,
  times: { readonly dueAt?: string | null; readonly retryAt?: string | null; readonly day?: string },
): NextAction {
  const rule: ActionRule = ACTIONS[code];
  const fields = rule.fields.filter((field) => customerType === 'company' || field !== COMPANY_NAME);
  return {
    code,
    actor: rule.actor,
    message: rule.message.replaceAll('{day}', times.day ?? 'a later day'),
    fields,
    resolve: resolveOf(code, rule.actor, fields),
    due_at: times.dueAt ?? null,
    retry_at: times.retryAt ?? null,
  };
}

/** The call that resolves an action: corrected data, or an operator's word that he has cleared it up. */
function resolveOf(code: ActionCode, actor: Actor, fields: readonly string[]): NextAction['resolve'] {
  if (fields.length > 0) return { method: 'PATCH', path: '/subscriptions/{subscription}' };
  if (actor !== 'operator' || code === 'transmit_message') return null;
  return { method: 'POST', path: '/subscriptions/{subscription}/retry' };
}

/** The same action once nobody else has acted in time: the operator's task, for as long as it takes. */
export function escalated(action: NextAction): NextAction {
  const resolve = resolveOf(action.code, 'operator', action.fields);
  return { ...action, actor: 'operator', resolve, due_at: null };
}

/** The same action once the grid operator has confirmed the start: nothing is corrected any more. */
export function uncorrectable(action: NextAction): NextAction {
  return { ...action, fields: [], resolve: resolveOf(action.code, action.actor, []) };
}

/** Whether the grid operator has confirmed a start that we promise nobody, and a person has to clear up. */
export function isStartUnclear({ action }: { readonly action: NextAction | null }): boolean {
  return action?.code === 'confirmed_too_late' || action?.code === 'confirmed_too_early';
}

/** What happens when `due_at` of an action passes. */
export function lapseOf(code: ActionCode): Lapse {
  return ACTIONS[code].lapse;
}
