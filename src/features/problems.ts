import { defineProblems } from '#platform/http/problems.ts';

/** A day that a refusal names. */
const day = (description: string): object => ({ type: 'string', format: 'date', description, example: '2027-03-01' });

/** Refusals of this trade, beyond those of any service over HTTP. */
export const marketProblems = defineProblems({
  duplicate_external_id: {
    status: 409,
    title: 'The external id is taken',
    cause:
      'A subscription of this project has that `external_id` already; it stays taken until its customer is erased.',
    fix: 'Read the existing subscription with `filter[external_id][eq]`, or use another id.',
    actor: 'caller',
    retry: false,
  },
  market_location_taken: {
    status: 409,
    title: 'The place of supply has an open subscription',
    cause: 'A subscription that has not ended exists for the same market location, or for the same meter and postcode.',
    fix: 'Use the existing subscription, or end it first.',
    actor: 'caller',
    retry: false,
  },
  lead_already_converted: {
    status: 409,
    title: 'The lead has a subscription already',
    cause: 'A sign-up has named the lead: it can neither be named by another nor changed.',
    fix: 'Sign up without the lead, or use the existing subscription; what is stored of the person is erased with its customer.',
    actor: 'caller',
    retry: false,
  },
  lead_erased: {
    status: 409,
    title: 'The lead is erased',
    cause: 'Everything personal of this lead was removed for good: nobody can be told by it any more.',
    fix: 'Sign up without the lead, or create another one.',
    actor: 'caller',
    retry: false,
  },
  customer_erased: {
    status: 409,
    title: 'The customer is erased',
    cause: 'Everything personal of this customer was removed for good; `erased_at` says when.',
    fix: 'Nothing can be changed any more. Sign the person up again.',
    actor: 'caller',
    retry: false,
  },
  customer_has_running_supply: {
    status: 409,
    title: 'The customer has a running supply',
    cause:
      'A subscription of the customer is pending or active, and its contract needs the data; or the grid operator has not taken back yet a start of it that nobody wants. `subscriptions` lists them.',
    fix: 'Terminate or withdraw from these subscriptions, and erase when they have ended and their `next_action` is null, with another `Idempotency-Key`.',
    actor: 'caller',
    retry: true,
    members: {
      subscriptions: {
        type: 'array',
        description: 'Of `customer_has_running_supply` only: those that must have ended first.',
        items: { type: 'string' },
      },
    },
  },
  duplicate_slug: {
    status: 409,
    title: 'The slug is taken',
    cause: 'Another plan of this project has that `slug`.',
    fix: 'Use another slug.',
    actor: 'caller',
    retry: false,
  },
  too_many_webhook_endpoints: {
    status: 409,
    title: 'The project has as many webhook endpoints as it can',
    cause: 'A project has at most 20 webhook endpoints.',
    fix: 'Delete one that is no longer needed, or change it.',
    actor: 'caller',
    retry: false,
  },
  not_in_this_stage: {
    status: 409,
    title: 'Not possible in the present stage',
    cause: 'The subscription’s `stage` does not permit this: it is too early or too late in its life.',
    fix: 'Read the subscription; `stage` and `next_action` say what is possible.',
    actor: 'caller',
    retry: false,
  },
  termination_confirmed: {
    status: 409,
    title: 'The grid operator has confirmed the end',
    cause: 'A termination can be taken back until the grid operator has confirmed it; he has.',
    fix: 'Sign the customer up again.',
    actor: 'caller',
    retry: false,
  },
  nothing_to_retry: {
    status: 409,
    title: 'Nothing waits to be retried',
    cause:
      'The subscription has no `next_action` of the actor `operator` that could be retried; what somebody else has to do is not done by asking again.',
    fix: 'Read the subscription; `next_action` says who acts, and until when. `detail` says from when it can be retried, where it can.',
    actor: 'caller',
    retry: false,
  },
  meter_order_open: {
    status: 409,
    title: 'A smart meter is ordered already',
    cause: 'The meter of this subscription has an order that is neither activated nor cancelled.',
    fix: 'Read it with `GET /meter-orders?filter[subscription][eq]=…`; cancel it before ordering anew.',
    actor: 'caller',
    retry: false,
  },
  grid_fee_reduction_open: {
    status: 409,
    title: 'There is such a grid-fee reduction already',
    cause:
      'The subscription has a reduction that is under way (`intended` or `ordered`), or one with the same modules that is in force.',
    fix: 'Read it with `GET /grid-fee-reductions?filter[subscription][eq]=…`; end the one under way before asking anew.',
    actor: 'caller',
    retry: false,
  },
  not_in_this_status: {
    status: 409,
    title: 'Not possible in the present status',
    cause: 'The `status` of the order or reduction does not permit this, or it is done already.',
    fix: 'Read it; `status` says where it stands.',
    actor: 'caller',
    retry: false,
  },
  meter_already_smart: {
    status: 422,
    title: 'The meter is smart already',
    cause: 'A smart meter is ordered for a meter that is one.',
    fix: 'Nothing needs to be ordered; `GET /subscriptions/{id}?expand[]=meter` shows the meter’s type.',
    actor: 'caller',
    retry: false,
  },
  end_date_too_early: {
    status: 422,
    title: 'The end is too early',
    cause:
      'The notice period or the market’s lead time does not permit that day; `earliest_end_date` names the first that is.',
    fix: 'Ask for `earliest_end_date` or later, or leave the date out.',
    actor: 'caller',
    retry: false,
    members: { earliest_end_date: day('Of `end_date_too_early` only: the first day that can be asked for.') },
  },
  start_date_too_early: {
    status: 422,
    title: 'The start is too early',
    cause:
      'The contract with the previous supplier runs until a later day, for which `next_action` asks (`previous_contract_bound`); `earliest_start_date` names it.',
    fix: 'Choose `earliest_start_date` or a later day, or correct or remove the previous supplier.',
    actor: 'caller',
    retry: false,
    members: { earliest_start_date: day('Of `start_date_too_early` only: the first day that can be chosen.') },
  },
  start_leaves_gap: {
    status: 422,
    title: 'Days without a supplier',
    cause:
      'The contract with the previous supplier is cancelled already and ends before that day; `previous_contract_end` names it.',
    fix: 'Keep the intended start, or clear up with the previous supplier that his contract goes on.',
    actor: 'caller',
    retry: false,
    members: { previous_contract_end: day('Of `start_leaves_gap` only: the first day without the previous contract.') },
  },
  withdrawal_period_over: {
    status: 422,
    title: 'The withdrawal period is over',
    cause:
      'A contract can be withdrawn from within 14 days of its conclusion (§ 355 BGB), or until the next working day where the last is none (§ 193 BGB).',
    fix: 'Where it was sent in time, say when with `notice_date`; else terminate with reason `ordinary` or `move_out`, from `stage: confirmed` on.',
    actor: 'caller',
    retry: false,
  },
  clock_moves_forward_only: {
    status: 422,
    title: 'The clock moves forward only',
    cause: 'The instant asked for lies before the project’s present time.',
    fix: 'Read `GET /sandbox/clock`, and ask for a later instant.',
    actor: 'caller',
    retry: false,
  },
});

/** Codes of single members of this trade. */
export const marketFieldCodes = {
  invalid_iban: {
    cause: 'The IBAN has a wrong check sum, a wrong length, or no SEPA country.',
    fix: 'Ask the customer for the IBAN again.',
  },
  invalid_malo: {
    cause: 'The market location ID has a wrong form or check digit.',
    fix: 'Correct it, or leave it out: it is then identified.',
  },
  invalid_email: { cause: 'The text is no e-mail address.', fix: 'Ask the customer for the address again.' },
  invalid_zip: { cause: 'The text is no German postcode.', fix: 'Send 5 digits.' },
  invalid_vat_id: { cause: 'The text is no VAT identification number of the EU.', fix: 'Correct it, or leave it out.' },
  invalid_date: { cause: 'The day does not exist or has another form than YYYY-MM-DD.', fix: 'Send an existing day.' },
  invalid_duration: { cause: 'The text is no ISO 8601 period.', fix: 'Send a period such as P1M.' },
  invalid_price: { cause: 'The amount has more than two decimals.', fix: 'Round it to cents.' },
  in_future: { cause: 'The day has not come yet, in Europe/Berlin.', fix: 'Choose today or an earlier day.' },
  before_conclusion: {
    cause: 'The day lies before that on which the contract was concluded, in Europe/Berlin.',
    fix: 'Choose the day of conclusion or a later one.',
  },
  not_in_future: { cause: 'The day is today or past, in Europe/Berlin.', fix: 'Choose a later day.' },
  too_far_ahead: {
    cause: 'The day or instant is later than allowed.',
    fix: 'Choose an earlier one; `message` names the last.',
  },
  duplicate_product_order: { cause: 'The same product is ordered twice.', fix: 'Order it once.' },
  product_not_offered: {
    cause: 'The plan’s `products` do not name this product.',
    fix: 'Leave the order out, or choose another plan.',
  },
  invalid_module_set: {
    cause: 'The modules do not go together.',
    fix: 'Choose module 1, module 2, or modules 1 and 3.',
  },
  smart_meter_needed: {
    cause: 'Module 3 needs a smart meter.',
    fix: 'Order a `smart-meter` too, or leave module 3 out.',
  },
  invalid_advance: {
    cause: 'A clock is advanced either to an instant or by a duration.',
    fix: 'Send one of `advance_to` and `advance_by`.',
  },
  invalid_target: {
    cause: 'Webhooks are not sent to this URL: its form, port or host is not permitted.',
    fix: 'Send an https URL of the public internet; `message` says what is wrong with this one.',
  },
  invalid_event_type: {
    cause: 'There is no such type of events.',
    fix: 'Send types as `GET /events` shows them, `subscription.*`, or `*`.',
  },
  start_will_move: {
    cause: 'A warning of a dry run: the intended day is earlier than the market’s lead time permits.',
    fix: 'Nothing, or tell the customer the day in `message`.',
  },
  start_date_ignored: {
    cause: 'A warning of a dry run: with `next_possible_start` the intended day is not looked at.',
    fix: 'Nothing, or send `next_possible_start: false`.',
  },
  smart_meter_due: {
    cause: 'A warning of a dry run: for that usage, or a device that is controlled, the law asks for a smart meter.',
    fix: 'Nothing, or order a `smart-meter`.',
  },
  separate_meter_needed: {
    cause: 'A warning of a dry run: module 2 is for a device with a meter of its own.',
    fix: 'Make sure that `meter` is that of the device, or choose module 1.',
  },
  market_location_missing: {
    cause: 'A hint of a dry run: the market location has to be found first.',
    fix: 'Ask the customer for it; it stands on his bill.',
  },
  previous_supplier_missing: {
    cause: 'A hint of a dry run: a contract with another supplier that still runs is not cancelled.',
    fix: 'Send `previous_supplier`, unless the customer moves in or has cancelled himself.',
  },
  earlier_start_possible: {
    cause: 'A hint of a dry run: supply could start before the intended day.',
    fix: 'Send `next_possible_start: true`, or an earlier day.',
  },
  plan_archived: { cause: 'The plan takes no more sign-ups.', fix: 'Choose an active plan.' },
} as const;
