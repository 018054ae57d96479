/**
 * The answer codes of the German electricity market, with what each means and what it leads to. The names of the tables
 * are those of the decision trees (Entscheidungsbaumdiagramme, EBD 4.3) of format version FV2610, valid from 2026-10-01;
 * source: market-rules.md §1.2–1.6 and §4.5. Only the branches for a consuming market location are here.
 */

/** What an answer leads to; the machines in this folder act on these words, never on a code. */
export type Consequence =
  | 'accepted'
  /** Ask again at the grid operator whom the answer names. */
  | 'ask_other_grid_operator'
  | 'location_not_found'
  | 'location_ambiguous'
  | 'location_shut_down'
  | 'authority_doubted'
  /** Ask again with a date that the market permits. */
  | 'later_date'
  /** The customer has no contract there any more: nobody to cancel. */
  | 'already_ended'
  /** The contract runs on; the answer names the next possible date. */
  | 'bound'
  /** Ask again on the day that the answer names. */
  | 'wait'
  /** The previous supplier objects: cancel first. */
  | 'supplier_objects'
  | 'not_a_move_in'
  /** Nothing was wrong with the question: ask it again. */
  | 'ask_again'
  | 'balancing_group_authority'
  | 'new_connection'
  /** The partner does not know the market location by this id. */
  | 'identify_again'
  /** The partner has already confirmed this end. */
  | 'already_confirmed'
  /** A person has to clear it up; also what an unknown code leads to. */
  | 'clearing';

/** One code of a decision tree. */
export interface AnswerCode {
  readonly meaning: string;
  readonly leadsTo: Consequence;
}

type Codes = Readonly<Record<string, AnswerCode>>;

const as =
  (leadsTo: Consequence) =>
  (meaning: string): AnswerCode => ({ meaning, leadsTo });
const accepted = as('accepted');
const clearing = as('clearing');

/** E_0594: the grid operator's answer to an identification of a market location (§1.2); a match has no code. */
export const IDENTIFICATION_CODES = {
  A01: as('location_not_found')('no match with one criterion'),
  A02: as('location_not_found')('no match with two criteria'),
  A03: as('location_ambiguous')('several matches, or none that takes part in market communication'),
  A04: as('ask_other_grid_operator')('the grid area was handed over within three years'),
  A05: as('location_not_found')('no match with another two criteria'),
  A06: as('location_ambiguous')('several matches, or none that takes part in market communication'),
  A07: as('ask_other_grid_operator')('the grid area was handed over within three years'),
  A08: as('location_not_found')('no match with three criteria'),
  A09: as('ask_other_grid_operator')('the grid area was handed over within three years'),
  A10: as('location_shut_down')('the market location is shut down'),
  A13: as('authority_doubted')('the power of attorney is not effective'),
  A14: as('location_not_found')('the market location id is unknown'),
} as const satisfies Codes;
export type IdentificationCode = keyof typeof IDENTIFICATION_CODES;

/** E_0614: a supplier's answer to a cancellation, 55017 and 55018 (§1.3); also what we answer. */
export const CANCELLATION_CODES = {
  A01: as('later_date')('the date lies in the past'),
  A03: accepted('already terminated for the same date'),
  A04: as('already_ended')('the contract ended before that date'),
  A05: as('bound')('bound; already terminated for a later date'),
  A06: as('bound')('bound by contract until a later date'),
  A08: as('authority_doubted')('the power of attorney is not effective'),
  A09: accepted('cancellation accepted'),
  A99: clearing('other reason (usable until 2027-04-01)'),
} as const satisfies Codes;
export type CancellationCode = keyof typeof CANCELLATION_CODES;

/** E_0622: the grid operator refuses a registration without asking the previous supplier, 55003 (§1.4). */
export const DIRECT_REGISTRATION_CODES = {
  A02: as('location_shut_down')('the market location takes no part in market communication, such as when shut down'),
  A04: as('new_connection')('a new connection, which has a process of its own (55600)'),
  A05: as('balancing_group_authority')('mandatory demands not met, typically the balancing-group authority is missing'),
  A06: as('wait')('another registration is in progress; the answer names the day from which ours is accepted'),
  A07: as('later_date')('lead time not met'),
  A08: clearing('concerns a customer installation (Kundenanlage)'),
  A09: clearing('concerns a customer installation (Kundenanlage)'),
  A37: clearing('concerns a dormant market location'),
  A46: clearing('concerns a dormant market location'),
  A47: clearing('concerns a dormant market location'),
} as const satisfies Codes;
export type DirectRegistrationCode = keyof typeof DIRECT_REGISTRATION_CODES;

/** E_0623: the grid operator's answer after the previous supplier's, 55002 and 55003 (§1.4). */
export const REGISTRATION_CODES = {
  A50: as('supplier_objects')('the previous supplier objected; the reason is a code of E_0624'),
  A51: accepted('registration confirmed'),
  A99: clearing('other reason'),
} as const satisfies Codes;
export type RegistrationCode = keyof typeof REGISTRATION_CODES;

/** E_0624: the previous supplier's answer to the grid operator's inquiry, 55011 and 55012 (§1.4); also what we answer. */
export const INQUIRY_CODES = {
  A30: clearing('the end was confirmed by the grid operator already (which the grid operator takes for consent)'),
  A31: accepted('consent, to the date of the own pending deregistration'),
  A32: as('not_a_move_in')('the same customer: not a move-in'),
  A33: as('not_a_move_in')('the customer has not moved out'),
  A34: accepted('consent to the move-in'),
  A35: as('supplier_objects')('the customer is bound by contract'),
  A36: accepted('consent to the switch'),
  A38: accepted('consent, the substitute supply (Ersatzversorgung) has ended'),
  A43: as('ask_again')('the inquiry came after 07:00'),
} as const satisfies Codes;
export type InquiryCode = keyof typeof INQUIRY_CODES;

/** E_0607: the grid operator's answer to a deregistration, 55005 and 55006 (§1.6). */
export const DEREGISTRATION_CODES = {
  A01: clearing('not a customer installation (Kundenanlage)'),
  A02: as('later_date')('lead time not met'),
  A05: clearing('no substitute supply in the last three months'),
  A06: clearing('the date is not the confirmed start that is to be revoked'),
  A09: as('already_confirmed')('an end was confirmed already'),
  A10: as('already_confirmed')('an end was confirmed already'),
  A11: accepted('deregistration confirmed'),
  A99: clearing('other reason'),
} as const satisfies Codes;
export type DeregistrationCode = keyof typeof DEREGISTRATION_CODES;

/** E_0609: our answer to an end by the grid operator, 55008 and 55009 (§1.6). */
export const GRID_OPERATOR_END_CODES = {
  A02: as('already_confirmed')('an end was confirmed already'),
  A03: as('later_date')('lead time not met'),
  A04: clearing('the market location is not shut down'),
  A06: as('balancing_group_authority')('concerns the balancing-group authority'),
  A07: as('balancing_group_authority')('concerns the balancing-group authority'),
  A09: clearing('the message came too late'),
  A10: accepted('consent'),
  A99: clearing('other reason'),
} as const satisfies Codes;
export type GridOperatorEndCode = keyof typeof GRID_OPERATOR_END_CODES;

/** ERC of an APERAK error message (BGM 313, §1.4 and §4.5): the message counts as never received. */
export const PROCESSABILITY_CODES = {
  Z10: as('identify_again')('id unknown'),
  Z14: as('identify_again')('object not found'),
  Z15: as('identify_again')('object not unique'),
  Z16: as('ask_other_grid_operator')('no longer in this grid area'),
  Z17: clearing('sender not assigned to the object'),
  Z18: clearing('receiver not assigned to the object'),
  Z19: clearing('device number unknown'),
  Z20: clearing('OBIS code unknown'),
  Z21: clearing('internal reference unknown'),
  Z24: clearing('combination of values unknown'),
  Z25: clearing('combination of values unknown'),
  Z26: clearing('combination of values unknown'),
  Z27: clearing('combination of values unknown'),
  Z29: clearing('mandatory value missing'),
  Z30: clearing('value not permitted here'),
  Z31: clearing('transaction sent back'),
  Z33: clearing('preceding message missing'),
  Z34: clearing('interval wrong'),
  Z35: clearing('format wrong'),
  Z37: clearing('sender may not send this'),
  Z38: clearing('package wrong'),
  Z39: clearing('code not permitted'),
  Z40: clearing('repetition not permitted'),
  Z41: clearing('time wrong'),
  Z42: clearing('configuration id wrong'),
  Z43: clearing('property of the object does not fit'),
  Z44: clearing('property of the object does not fit'),
} as const satisfies Codes;
export type ProcessabilityCode = keyof typeof PROCESSABILITY_CODES;

/** What a code of a table leads to; a code that is not in it, such as one of a later format version, to clearing. */
export function consequenceOf(codes: Codes, code: string): Consequence {
  return Object.hasOwn(codes, code) ? (codes[code]?.leadsTo ?? 'clearing') : 'clearing';
}
