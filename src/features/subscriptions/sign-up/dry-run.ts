import { formatId, normaliseMeterNumber } from '#domain/identifiers.ts';
import { earliestRequest } from '#domain/market/supply.ts';
import { fasterWith, warningsAbout, type AdviceFacts } from '#domain/subscription/advice.ts';
import { formatInstant } from '#platform/clock.ts';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { encodeJson, RawJson } from '#platform/http/json.ts';
import { invalid, MAX_ERRORS, type FieldError } from '#platform/http/problems.ts';
import type { ProjectPresent } from '../../projects/index.ts';
import type { SubscriptionDependencies } from '../dependencies.ts';
import type { SignUp } from '../schema.ts';
import { examine, type Examined } from './check.ts';
import { conflictsOf, isOfPlace } from './conflicts.ts';
import { hasCaughtUp, MAX_ATTEMPTS, prepare } from './sign-up.ts';
import { findRefusal, type Wanted } from './refusal-store.ts';
import type { SignUpRows } from './rows.ts';

/** Whether a sign-up is to be checked only. */
export function isDryRun({ query }: Request<SignUp>): boolean {
  return query.values['validate_only'] === 'true';
}

/** The request, in whose errors `validate_only` is if it is neither true nor false. */
export function checkDryRun(request: Request<SignUp>): Request<SignUp> {
  const value = request.query.values['validate_only'] ?? 'false';
  if (value === 'true' || value === 'false') return request;
  const message = 'must be true or false';
  return { ...request, errors: [{ field: '?validate_only', code: 'invalid_parameter', message }, ...request.errors] };
}

/**
 * `POST /subscriptions?validate_only=true`: what a sign-up would come to now, by the very steps of one, but for the
 * writing. Asks the database once, beside what it reads of lead, plan, supplier and clock where these are not known from
 * the last second; waits for no commit, but where somebody has the place to whom something is due still: that happens first,
 * as before a sign-up. @throws Problem when query or headers are wrong, or the body no object
 */
export async function handleDryRun(dependencies: SubscriptionDependencies, request: Request<SignUp>): Promise<Answer> {
  const { clocks, database, plans } = dependencies;
  const { caller } = request;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const time = await clocks.read(caller);
    const examined = await examine(dependencies, request, time.now);
    if (request.errors.some(({ field }) => /^[?#]/.test(field))) throw invalid(examined.errors);
    const wanted = wantedBy(request, examined, time);
    const refusal = await findRefusal(database, wanted);
    if (refusal.clock_moved) clocks.forget(caller.projectId);
    if (refusal.plan_changed && wanted.planId !== null) plans.forget(caller.projectId, wanted.planId);
    if (refusal.clock_moved || refusal.plan_changed) continue;
    // It was said already of the plan, or there is none.
    const conflicts = conflictsOf({ ...refusal, plan_archived: false });
    if (conflicts.some(isOfPlace) && (await hasCaughtUp(dependencies, request, refusal))) continue;
    return { status: 200, body: present(dependencies, request, examined, conflicts, time) };
  }
  throw new DatabaseUnavailable('the project’s clock keeps moving, or its plan changing');
}

/** What of a body is well-formed as far as it claims something; the schema has refused the rest. */
function wantedBy({ caller, body }: Request<SignUp>, examined: Examined, { clockAt }: ProjectPresent): Wanted {
  const { plan, lead, wrong } = examined;
  // Anything may stand where the schema wants something else.
  const { meter, address } = body as Partial<Record<'meter' | 'address', Record<string, unknown> | null>>;
  const textOf = (field: string, value: unknown): string | null =>
    typeof value === 'string' && !wrong(field) ? value : null;
  const number = textOf('/meter/number', meter?.['number']);
  // Without knowing whether there is a market location nothing is known of the place.
  const isPlaceKnown = number !== null && !wrong('/meter/malo');
  return {
    projectId: caller.projectId,
    clockAt,
    planId: plan?.id ?? null,
    planVersion: plan?.version ?? null,
    externalId: textOf('/external_id', body.external_id),
    leadId: lead?.id ?? null,
    malo: textOf('/meter/malo', meter?.['malo']),
    meterNumberNormalised: isPlaceKnown ? normaliseMeterNumber(number) : null,
    zip: textOf('/address/zip', address?.['zip']),
  };
}

function present(
  dependencies: SubscriptionDependencies,
  request: Request<SignUp>,
  examined: Examined,
  conflicts: readonly FieldError[],
  time: ProjectPresent,
): string {
  const { errors, plan, supplier, lead, metadata } = examined;
  const facts = factsOf(request, examined, time);
  // What is wrong in itself cannot be laid out; what is only taken can.
  const rows =
    errors.length > 0 || plan === null
      ? null
      : prepare(dependencies, request, { plan, supplier, lead }, metadata, time).rows;
  const all = [...errors, ...conflicts];
  return encodeJson({
    object: 'sign_up_check',
    valid: all.length === 0,
    errors: all.slice(0, MAX_ERRORS).map(({ field, code, message }) => ({ field, code, message })),
    warnings: warningsAbout(facts),
    earliest_start_date: facts.earliestStart,
    requested_start_date: rows?.subscription.requested_start_date ?? null,
    faster: fasterWith(facts),
    normalised: rows === null ? null : normalised(request.body, rows),
  });
}

/** What is right of a body, for advice. */
function factsOf(
  { body }: Request<SignUp>,
  { errors, wrong, supplier }: Examined,
  { now }: ProjectPresent,
): AdviceFacts {
  const isWrong = (field: string): boolean => wrong(field) || errors.some((error) => error.field === field);
  const given = <Value>(field: string, value: () => Value | undefined): Value | null =>
    isWrong(field) ? null : (value() ?? null);
  const meter = body.meter as SignUp['meter'] | undefined;
  const hasPreviousSupplier = isWrong('/previous_supplier') ? null : supplier !== null;
  return {
    nextPossibleStart: given('/next_possible_start', () => body.next_possible_start),
    intendedStart: given('/intended_start_date', () => body.intended_start_date),
    earliestStart: hasPreviousSupplier === null ? null : earliestRequest(hasPreviousSupplier, formatInstant(now)),
    hasMarketLocation: given('/meter/malo', () => meter?.malo !== undefined),
    hasPreviousSupplier,
    meterType: given('/meter/type', () => meter?.type),
    estimatedUsage: given('/meter/estimated_usage', () => meter?.estimated_usage),
    productOrders: given('/product_orders', () => body.product_orders) ?? [],
  };
}

/** The body as it would be stored; every member is there. */
function normalised(
  { payment_method: payment }: SignUp,
  { subscription, customer, address, meter, paymentMethod }: SignUpRows,
): Readonly<Record<string, unknown>> {
  const { id: _customer, created_at: _created, updated_at: _updated, erased_at: _erased, ...person } = customer;
  const { id: _address, created_at: _since, ...place } = address;
  return {
    plan: formatId('pln', subscription.plan_id),
    customer: person,
    address: place,
    meter: {
      number: meter.number,
      number_normalised: meter.numberNormalised,
      type: meter.type,
      estimated_usage: Number(meter.estimated_usage),
      malo: meter.malo,
    },
    payment_method: {
      type: paymentMethod.type,
      sepa_debit: { iban: paymentMethod.iban_masked, account_holder: payment.sepa_debit.account_holder },
    },
    next_possible_start: subscription.next_possible_start,
    previous_supplier: subscription.supplier_id === null ? null : formatId('mp', subscription.supplier_id),
    intended_start_date: subscription.intended_start_date,
    lead: subscription.lead_id === null ? null : formatId('lead', subscription.lead_id),
    product_orders: new RawJson(subscription.product_orders),
    external_id: subscription.external_id,
    metadata: subscription.metadata === null ? null : new RawJson(subscription.metadata),
  };
}
