import { parseId } from '#domain/identifiers.ts';
import { checkMeterNumber, checkSignUp, type SignUpError, type SignUpFacts } from '#domain/subscription/sign-up.ts';
import type { Caller, Request } from '#platform/http/contract.ts';
import { invalid, type FieldError } from '#platform/http/problems.ts';
import { requireObject } from '#platform/http/validation.ts';
import type { VersionedPlan } from '../../plans/index.ts';
import type { SupplierRow } from '../../suppliers/index.ts';
import type { NamedLead, SubscriptionDependencies } from '../dependencies.ts';
import type { SignUp } from '../schema.ts';

/** What the ids of a sign-up name. */
export interface References {
  readonly plan: VersionedPlan;
  readonly supplier: SupplierRow | null;
  readonly lead: NamedLead | null;
}

/** A sign-up in which nothing is wrong. `metadata` is compact JSON text. */
export interface CheckedRequest {
  readonly references: References;
  readonly metadata: string | null;
}

/** Whether a member, or something in it, is known to be wrong. */
type Wrong = (field: string) => boolean;

/** Where what a request names is looked up. */
export type Finders = Pick<SubscriptionDependencies, 'plans' | 'suppliers' | 'leads'>;

/** What came out about a sign-up. */
export interface Examined {
  /** Every wrong member, and every wrong parameter of the query. */
  readonly errors: readonly FieldError[];
  readonly wrong: Wrong;
  readonly plan: VersionedPlan | null;
  readonly supplier: SupplierRow | null;
  readonly lead: NamedLead | null;
  /** Compact JSON text; null also where it is wrong. */
  readonly metadata: string | null;
}

/** Checks a sign-up. @throws Problem with everything that is wrong */
export async function checkRequest(
  finders: Finders,
  request: Request<SignUp>,
  now: Temporal.Instant,
): Promise<CheckedRequest> {
  const { errors, plan, supplier, lead, metadata } = await examine(finders, request, now);
  if (errors.length > 0 || plan === null) throw invalid(errors);
  return { references: { plan, supplier, lead }, metadata };
}

/**
 * Finds everything that is wrong with a sign-up: what query and schema refused, references that name nothing, and rules
 * between members as far as these are well-formed. @throws Problem when the body is no object
 */
export async function examine(
  finders: Finders,
  request: Pick<Request<SignUp>, 'body' | 'errors' | 'rawMember' | 'caller'>,
  now: Temporal.Instant,
): Promise<Examined> {
  const { body, errors: refused, rawMember } = request;
  requireObject(refused);
  const wrong: Wrong = (field) => refused.some((error) => error.field === field || error.field.startsWith(`${field}/`));
  const found = await findReferences(finders, request, wrong);
  const raw = rawMember('metadata');
  const metadata = raw === null || raw === 'null' || wrong('/metadata') ? null : raw;
  const meterNumber: unknown = (body.meter as SignUp['meter'] | undefined)?.number;
  const errors: FieldError[] = [
    ...refused,
    ...found.errors,
    ...checkRules(body, wrong, findOrders(body, refused), found.plan, metadata, now),
    ...(typeof meterNumber === 'string' && !wrong('/meter/number') ? checkMeterNumber(meterNumber) : []),
  ];
  return { ...found, errors, wrong, metadata };
}

type Order = NonNullable<SignUp['product_orders']>[number];

/** What is ordered, with its place; `areAll`: none is malformed. */
interface Orders {
  readonly sound: readonly (readonly [place: number, order: Order])[];
  readonly areAll: boolean;
}

function findOrders({ product_orders: orders }: SignUp, refused: readonly FieldError[]): Orders {
  if (!Array.isArray(orders)) return { sound: [], areAll: orders === undefined };
  const wrong = new Set(refused.map(({ field }) => /^\/product_orders\/(\d+)/.exec(field)?.[1]));
  const sound = [...orders.entries()].filter(([place]) => !wrong.has(String(place)));
  return { sound, areAll: sound.length === orders.length };
}

function checkRules(
  body: SignUp,
  wrong: Wrong,
  orders: Orders,
  plan: VersionedPlan | null,
  metadata: string | null,
  now: Temporal.Instant,
): SignUpError[] {
  const dateKnown = !wrong('/intended_start_date');
  const meterType = (body.meter as { type?: unknown } | null | undefined)?.type;
  // A malformed order may have been that of a smart meter.
  const isMeterKnown = typeof meterType === 'string' && !wrong('/meter/type') && orders.areAll;
  // What is malformed already is left out; a rule then has nothing to say about it.
  const facts: SignUpFacts = {
    next_possible_start: wrong('/next_possible_start') || !dateKnown || body.next_possible_start,
    ...(dateKnown && body.intended_start_date !== undefined ? { intended_start_date: body.intended_start_date } : {}),
    meter: { type: isMeterKnown ? meterType : 'smart' },
    product_orders: orders.sound.map(([, order]) => order),
  };
  const bytes = metadata === null ? 0 : Buffer.byteLength(metadata);
  return checkSignUp(facts, bytes, plan?.products ?? null, now).map(({ field, ...rest }) => ({
    field: field.replace(/(?<=^\/product_orders\/)\d+/, (place) => String(orders.sound[Number(place)]?.[0])),
    ...rest,
  }));
}

interface Found {
  readonly plan: VersionedPlan | null;
  readonly supplier: SupplierRow | null;
  readonly lead: NamedLead | null;
  readonly errors: readonly FieldError[];
}

/** Looks up what the ids of a sign-up, or of a part of one, name. */
export async function findReferences(
  { plans, suppliers, leads }: Finders,
  { body, caller }: { readonly body: Partial<SignUp>; readonly caller: Caller },
  wrong: Wrong,
): Promise<Found> {
  const errors: FieldError[] = [];
  const refuse = (field: string, code = 'invalid_reference', message = 'names nothing in this project'): void => {
    errors.push({ field, code, message });
  };
  const idOf = (prefix: 'pln' | 'mp' | 'lead', field: string, text: string | undefined): string | null => {
    if (text === undefined || wrong(field)) return null;
    const id = parseId(prefix, text);
    if (id === null) refuse(field);
    return id;
  };
  const planId = idOf('pln', '/plan', body.plan);
  const supplierId = idOf('mp', '/previous_supplier', body.previous_supplier);
  const leadId = idOf('lead', '/lead', body.lead);
  const [plan, supplier, lead] = await Promise.all([
    planId === null ? null : findPlan(plans, caller.projectId, planId, body),
    supplierId === null ? null : suppliers.find(caller.mode, supplierId),
    leadId === null ? null : leads.find(caller.projectId, leadId),
  ]);
  if (planId !== null && plan === null) refuse('/plan');
  if (plan !== null && !plan.active) refuse('/plan', 'plan_archived', 'takes no more sign-ups');
  if (supplierId !== null && supplier === null) refuse('/previous_supplier');
  if (leadId !== null && lead === null) refuse('/lead');
  return { plan, supplier, lead, errors };
}

/** A plan that refuses the sign-up may have been changed a moment ago: it is read again before it does. */
async function findPlan(
  plans: SubscriptionDependencies['plans'],
  projectId: string,
  id: string,
  { product_orders: orders }: Partial<SignUp>,
): Promise<VersionedPlan | null> {
  const plan = await plans.find(projectId, id);
  const refuses = (orders: unknown): boolean =>
    plan !== null &&
    (!plan.active ||
      (Array.isArray(orders) &&
        orders.some((order: { readonly type?: string } | null) => !plan.products.includes(order?.type ?? ''))));
  if (!refuses(orders)) return plan;
  plans.forget(projectId, id);
  return plans.find(projectId, id);
}
