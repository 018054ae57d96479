import { setTimeout } from 'node:timers/promises';
import { formatId, normaliseMeterNumber } from '#domain/identifiers.ts';
import { firstStage } from '#domain/subscription/lifecycle.ts';
import { subscriptionNumber } from '#domain/subscription/number.ts';
import { auditEntry } from '#platform/audit.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { changeOf, recordOf, replay } from '#platform/http/idempotency.ts';
import { readIdempotencyRecord } from '#platform/database/idempotency.ts';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import { Problem } from '#platform/http/problems.ts';
import type { ProjectPresent } from '../../projects/index.ts';
import type { SubscriptionDependencies } from '../dependencies.ts';
import { expandNew } from '../expand.ts';
import { layOutPaymentMethod } from '../payment-method.ts';
import { presentSubscription, subscriptionTag, type SubscriptionRow } from '../present.ts';
import type { SignUp } from '../schema.ts';
import { catchUp } from '../supply/change.ts';
import { checkRequest, type References } from './check.ts';
import { indexMetadata } from '../metadata-index.ts';
import { conflictsOf, isOfPlace, problemOf } from './conflicts.ts';
import { layOutOrders } from './orders.ts';
import { findRefusal, type Refusal, type Wanted } from './refusal-store.ts';
import type { SignUpRows } from './rows.ts';

/** Numbers are random, and clocks are moved by hand: that either is in the way so often in a row does not happen. */
export const MAX_ATTEMPTS = 50;
/** A sign-up whose lead, or whose project's clock, somebody else is at is tried again after so long. */
const PAUSE_MS = 40;

/** `POST /subscriptions`: everything of a sign-up in one commit, answered after it. @throws Problem */
export async function handleSignUp(dependencies: SubscriptionDependencies, request: Request<SignUp>): Promise<Answer> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const time = await dependencies.clocks.read(request.caller);
    const checked = await checkRequest(dependencies, request, time.now).catch(async (error: unknown) => {
      // What is refused stays refused under its key: not by a clock that has been moved by another process meanwhile.
      if (error instanceof Problem && (await dependencies.clocks.hasMoved(request.caller, time))) return null;
      throw error;
    });
    if (checked === null) continue;
    const { references, metadata } = checked;
    const { rows, answer } = prepare(dependencies, request, references, metadata, time);
    if (await dependencies.signUps.submit(rows)) return answer;
    const earlier = await answeredBefore(dependencies, request);
    if (earlier !== undefined) return earlier;
    const refusal = await findRefusal(dependencies.database, wantedBy(rows));
    if (refusal.clock_moved) dependencies.clocks.forget(rows.projectId);
    if (refusal.plan_changed) dependencies.plans.forget(rows.projectId, rows.subscription.plan_id);
    const [conflict] = conflictsOf(refusal);
    if (conflict !== undefined) {
      if (isOfPlace(conflict) && (await hasCaughtUp(dependencies, request, refusal))) continue;
      throw problemOf(conflict);
    }
    const mayBeHeld = rows.conversion !== null || request.caller.mode === 'sandbox';
    if (mayBeHeld && !refusal.clock_moved && !refusal.plan_changed) await setTimeout(PAUSE_MS);
  }
  throw new DatabaseUnavailable('the project’s clock keeps moving, its plan changing, or the lead is held');
}

function wantedBy({ projectId, clockAt, planVersion, subscription, meter, address }: SignUpRows): Wanted {
  return {
    projectId,
    clockAt,
    planId: subscription.plan_id,
    planVersion,
    externalId: subscription.external_id,
    leadId: subscription.lead_id,
    malo: meter.malo,
    meterNumberNormalised: meter.numberNormalised,
    zip: address.zip,
  };
}

/**
 * Whether something was still due to happen to the holder of the place, which has happened now: where much is due, such as
 * at midnight, a supply that is over has its place until somebody comes to it, and a refusal would stand under its key.
 */
export async function hasCaughtUp(
  dependencies: SubscriptionDependencies,
  { caller }: Request<SignUp>,
  { location_of: locationOf, meter_of: meterOf }: Refusal,
): Promise<boolean> {
  const holder = locationOf ?? meterOf;
  return holder !== null && (await catchUp(dependencies, caller.projectId, holder));
}

async function answeredBefore(
  dependencies: SubscriptionDependencies,
  request: Request<SignUp>,
): Promise<Answer | undefined> {
  const { caller, idempotency } = request;
  if (idempotency === undefined) return undefined;
  const record = await readIdempotencyRecord(dependencies.database, caller.projectId, idempotency.key);
  return record === undefined ? undefined : replay(dependencies, request, record, idempotency);
}

/** Mints the ids and lays out every row and the answer; nothing is written yet. */
export function prepare(
  dependencies: SubscriptionDependencies,
  request: Request<SignUp>,
  references: References,
  metadata: string | null,
  { now, clockAt }: ProjectPresent,
): { rows: SignUpRows; answer: Answer } {
  const { mintUuid, keys } = dependencies;
  const { body, caller } = request;
  const createdAt = formatInstant(now);
  const mint = (): string => mintUuid(now);
  // Members in the order in which they are read back, whatever order they came in.
  const orders = (body.product_orders ?? []).map(({ type, '14a_enwg': modules }) =>
    modules === undefined ? { type } : { type, '14a_enwg': modules },
  );
  const kept = { metadata, product_orders: JSON.stringify(orders), created_at: createdAt };
  const subscription = layOutSubscription(dependencies, request, references, mint, kept);
  const parts = layOutParts(body, subscription);
  const paymentMethod = layOutPaymentMethod(keys, caller.projectId, body.payment_method, {
    id: subscription.payment_method_id,
    created_at: createdAt,
  });
  const presentation = presentSubscription(subscription);
  const { expand } = request.query;
  const shown =
    expand.size === 0
      ? presentation
      : presentSubscription(subscription, expandNew(keys, caller, expand, { ...parts, paymentMethod, ...references }));
  const answer: Answer = {
    status: 201,
    body: shown,
    personal: expand.size > 0,
    headers: {
      location: `/subscriptions/${formatId('sub', subscription.id)}`,
      etag: subscriptionTag(subscription.event_sequence, presentation, shown),
    },
  };
  const productOrders = orders.map((order) => ({
    id: mint(),
    type: order.type,
    details: '14a_enwg' in order ? JSON.stringify(order['14a_enwg']) : null,
  }));
  const rows: SignUpRows = {
    projectId: caller.projectId,
    clockAt,
    planVersion: references.plan.version,
    subscription,
    ...parts,
    paymentMethod,
    productOrders,
    orders: productOrders.length === 0 ? [] : layOutOrders(body, subscription, productOrders, mint),
    metadataIndex: indexMetadata(metadata, body.metadata),
    processId: mint(),
    eventId: mint(),
    conversion: references.lead === null ? null : layOutConversion(references.lead, subscription, mint),
    requestId: request.id,
    presentation,
    idempotency:
      request.idempotency === undefined ? null : recordOf(dependencies, request, request.idempotency, answer),
    audit: auditEntry(dependencies, changeOf(request, answer)),
  };
  return { rows, answer };
}

function layOutConversion(
  lead: NonNullable<References['lead']>,
  { id, created_at }: SubscriptionRow,
  mint: () => string,
): SignUpRows['conversion'] {
  return { leadRevision: lead.revision, eventId: mint(), eventData: lead.presentConverted(id, created_at) };
}

/** The subscription itself, as it begins. */
function layOutSubscription(
  { firstRequests, randomBytes }: SubscriptionDependencies,
  { body, caller }: Request<SignUp>,
  references: References,
  mint: () => string,
  { metadata, product_orders, created_at }: Pick<SubscriptionRow, 'metadata' | 'product_orders' | 'created_at'>,
): SubscriptionRow {
  const malo = body.meter.malo ?? null;
  const { requestedStart, moveReason } = firstRequests.of(
    malo !== null,
    references.supplier !== null,
    body.next_possible_start ? null : (body.intended_start_date ?? null),
    created_at,
  );
  return {
    id: mint(),
    plan_id: references.plan.id,
    customer_id: mint(),
    address_id: mint(),
    meter_id: mint(),
    payment_method_id: mint(),
    supplier_id: references.supplier?.id ?? null,
    lead_id: references.lead?.id ?? null,
    number: subscriptionNumber(randomBytes(8)),
    external_id: body.external_id ?? null,
    status: 'pending',
    stage: firstStage(malo !== null, references.supplier !== null),
    end_reason: null,
    next_action: null,
    estimated_usage: String(body.meter.estimated_usage),
    next_possible_start: body.next_possible_start,
    intended_start_date: body.intended_start_date ?? null,
    created_at,
    updated_at: created_at,
    start_at: null,
    terminated_at: null,
    end_at: null,
    created_by: caller.credentialId,
    metadata,
    billing_address_id: null,
    requested_start_date: requestedStart,
    requested_start_reason: moveReason,
    product_orders,
    event_sequence: 1,
  };
}

function layOutParts(
  { customer, address, meter }: SignUp,
  { customer_id, address_id, meter_id, estimated_usage, created_at }: SubscriptionRow,
): Pick<SignUpRows, 'customer' | 'address' | 'meter'> {
  return {
    customer: {
      id: customer_id,
      type: customer.type ?? 'person',
      company_name: customer.company_name ?? null,
      first_name: customer.first_name,
      last_name: customer.last_name,
      email: customer.email,
      vat_id: customer.vat_id ?? null,
      created_at,
      updated_at: created_at,
      erased_at: null,
    },
    address: {
      id: address_id,
      street: address.street,
      house_number: address.house_number,
      zip: address.zip,
      city: address.city,
      created_at,
    },
    meter: {
      id: meter_id,
      number: meter.number,
      numberNormalised: normaliseMeterNumber(meter.number),
      type: meter.type,
      estimated_usage,
      malo: meter.malo ?? null,
      created_at,
    },
  };
}
