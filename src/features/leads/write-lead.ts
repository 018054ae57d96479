import { isDeepStrictEqual } from 'node:util';
import { formatId } from '#domain/identifiers.ts';
import { checkSignUp } from '#domain/subscription/sign-up.ts';
import { formatInstant, type Clock } from '#platform/clock.ts';
import type { Database, Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { once } from '#platform/http/idempotency.ts';
import { named, requireMatch } from '#platform/http/named.ts';
import { invalid, Problem } from '#platform/http/problems.ts';
import { soundPart } from '#platform/http/validation.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { recordEvents } from '../events/index.ts';
import { readPlans } from '../plans/index.ts';
import { readPresent, type ProjectClocks } from '../projects/index.ts';
import { marketProblems } from '../problems.ts';
import {
  examine,
  findReferences,
  indexMetadata,
  mergeMetadata,
  replaceEntries,
  type Finders,
  type SignUp,
} from '../subscriptions/index.ts';
import { checkMembers, mergeMembers, NOTHING_KNOWN, type LeadMembers } from './members.ts';
import {
  isErased,
  layOutMembers,
  leadTag,
  membersOf,
  presentLead,
  presentLeadEvent,
  type PresentLeadDependencies,
} from './present.ts';
import type { CreateLead, UpdateLead } from './schema.ts';
import { insertLead, LEAD_METADATA, lockLead, updateLead, type LeadRow } from './store.ts';

/** What writing leads needs. */
export interface WriteLeadDependencies extends PresentLeadDependencies, Finders {
  readonly database: Database;
  readonly clock: Clock;
  readonly clocks: ProjectClocks;
  readonly mintUuid: MintUuid;
  /** Told of events once they are committed. */
  readonly countEvents: (types: readonly string[]) => void;
}

/** `POST /leads` */
export async function handleCreateLead(
  dependencies: WriteLeadDependencies,
  request: Request<CreateLead>,
): Promise<Answer> {
  const { keys, mintUuid } = dependencies;
  const { body: input, caller } = request;
  const { projectId, credentialId } = caller;
  const references = await examineLead(dependencies, request);
  const written: string[] = [];
  const answer = await once(dependencies, request, async (transaction) => {
    const now = await readPresent(dependencies, transaction, projectId);
    const createdAt = formatInstant(now);
    const id = mintUuid(now);
    const row: LeadRow = {
      id,
      ...references,
      ...layOutMembers(keys, projectId, id, mergeMembers(NOTHING_KNOWN, input)),
      subscription_id: null,
      subscribed_at: null,
      created_by: credentialId,
      created_at: createdAt,
      updated_at: createdAt,
      revision: 1,
    };
    await insertLead(transaction, projectId, row);
    await replaceEntries(transaction, LEAD_METADATA, { projectId, id }, [], indexMetadata(references.metadata));
    const data = presentLeadEvent(dependencies, projectId, row, {});
    const cause = { requestId: request.id, causedBy: 'api', credentialId } as const;
    const event = { projectId, resourceId: id, type: 'lead.created', at: now, ...cause, data } as const;
    await recordEvents(transaction, mintUuid, [event]);
    written.push(event.type);
    const body = presentLead(dependencies, projectId, row);
    const location = `/leads/${formatId('lead', id)}`;
    return { status: 201, body, headers: { location, etag: leadTag(row, body) }, personal: true };
  });
  dependencies.countEvents(written);
  return answer;
}

/** Another process may have changed a plan a moment ago, too: each is read anew, as nothing that is written looks at it. */
function withPresentPlans<Given extends Finders>(given: Given): Given {
  const { plans } = given;
  const find: Finders['plans']['find'] = (projectId, id) => {
    plans.forget(projectId, id);
    return plans.find(projectId, id);
  };
  return { ...given, plans: { ...plans, find } };
}

/** Checks a new lead like a sign-up, but for what it lacks. @throws Problem with every wrong member */
async function examineLead(
  dependencies: WriteLeadDependencies,
  request: Request<CreateLead>,
): Promise<Pick<LeadRow, 'plan_id' | 'supplier_id' | 'metadata'>> {
  // Another process may have moved the clock a moment ago, and nothing that is written looks at it.
  dependencies.clocks.forget(request.caller.projectId);
  const { now } = await dependencies.clocks.read(request.caller);
  // Whether a day is needed is decided by the sign-up.
  const body = { ...request.body, next_possible_start: true } as SignUp;
  const finders = withPresentPlans(dependencies);
  const { errors, plan, supplier, metadata } = await examine(finders, { ...request, body }, now);
  if (errors.length > 0 || plan === null) throw invalid(errors);
  return { plan_id: plan.id, supplier_id: supplier?.id ?? null, metadata };
}

/** `PATCH /leads/{id}`: while a checkout goes on; what has become a subscription is changed there. */
export async function handleUpdateLead(
  dependencies: WriteLeadDependencies,
  request: Request<UpdateLead>,
): Promise<Answer> {
  const { keys } = dependencies;
  const { projectId } = request.caller;
  const input = soundPart(request.body, request.errors);
  const { plan, previous_supplier: asked } = input;
  const named = {
    ...(plan === undefined ? {} : { plan }),
    ...(asked === undefined || asked === null ? {} : { previous_supplier: asked }),
  };
  const found = await findReferences(
    withPresentPlans(dependencies),
    { body: named, caller: request.caller },
    () => false,
  );
  return once(dependencies, request, async (transaction) => {
    const known = await lockNamedLead(dependencies, transaction, request);
    if (isErased(known)) throw new Problem(marketProblems.lead_erased);
    const now = await readPresent(dependencies, transaction, projectId);
    const before = membersOf(keys, projectId, known);
    const members = mergeMembers(before, input);
    const patch = input.metadata === undefined ? null : request.rawMember('metadata');
    const metadata = patch === null ? known.metadata : mergeMetadata(known.metadata, patch);
    const planId = found.plan?.id ?? known.plan_id;
    const errors = [
      ...request.errors,
      ...found.errors,
      ...checkMembers(members, request.errors),
      ...(await checkRules(transaction, projectId, { planId, members, metadata, now }, input)),
    ];
    if (errors.length > 0) throw invalid(errors);
    const supplierId = asked === undefined ? known.supplier_id : (found.supplier?.id ?? null);
    const edited = { ...known, plan_id: planId, supplier_id: supplierId, metadata };
    // Bank details are encrypted anew each time they are laid out: whether they differ is seen in clear only.
    const isSame = isDeepStrictEqual(members, before) && isDeepStrictEqual(edited, known);
    const row = isSame ? known : await writeLead(dependencies, transaction, projectId, { known, edited, members, now });
    const body = presentLead(dependencies, projectId, row);
    return { status: 200, body, headers: { etag: leadTag(row, body) }, personal: true };
  });
}

async function writeLead(
  { keys }: PresentLeadDependencies,
  transaction: Transaction,
  projectId: string,
  {
    known,
    edited,
    members,
    now,
  }: Pick<Merged, 'members' | 'now'> & { readonly known: LeadRow; readonly edited: LeadRow },
): Promise<LeadRow> {
  const row: LeadRow = {
    ...edited,
    ...layOutMembers(keys, projectId, known.id, members),
    updated_at: formatInstant(now),
    revision: known.revision + 1,
  };
  await updateLead(transaction, projectId, row);
  const [before, after] = [known.metadata, row.metadata];
  if (before !== after) {
    const owner = { projectId, id: row.id };
    await replaceEntries(transaction, LEAD_METADATA, owner, indexMetadata(before), indexMetadata(after));
  }
  return row;
}

/**
 * Locks the lead that a request names, as it stands in `If-Match`, and which nobody has converted.
 * @throws Problem not_found, precondition_failed, lead_already_converted
 */
export async function lockNamedLead(
  dependencies: PresentLeadDependencies,
  transaction: Transaction,
  request: Request,
): Promise<LeadRow> {
  const { projectId } = request.caller;
  const row = await named(request, 'lead', (id) => lockLead(transaction, projectId, id));
  requireMatch(request, leadTag(row, presentLead(dependencies, projectId, row)));
  if (row.subscription_id !== null) throw new Problem(marketProblems.lead_already_converted);
  return row;
}

interface Merged {
  readonly planId: string;
  readonly members: LeadMembers;
  readonly metadata: string | null;
  readonly now: Temporal.Instant;
}

/**
 * The rules of a sign-up for what a change leaves behind; a day that has passed since, or a plan that has ceased to offer
 * what was ordered, is no fault of the change.
 */
async function checkRules(
  transaction: Transaction,
  projectId: string,
  { planId, members, metadata, now }: Merged,
  { plan: namedPlan, product_orders: namedOrders, intended_start_date: day }: UpdateLead,
): Promise<ReturnType<typeof checkSignUp>> {
  const { product_orders: orders, meter } = members;
  const isOfferAsked = orders !== null && (namedPlan !== undefined || namedOrders !== undefined);
  const [plan] = isOfferAsked ? await readPlans(transaction, projectId, [planId]) : [];
  const facts = {
    next_possible_start: true,
    ...(day === undefined || day === null ? {} : { intended_start_date: day }),
    meter: { type: meter?.type ?? 'smart' },
    ...(orders === null || orders === undefined ? {} : { product_orders: orders }),
  };
  const bytes = metadata === null ? 0 : Buffer.byteLength(metadata);
  return checkSignUp(facts, bytes, plan?.products ?? null, now);
}
