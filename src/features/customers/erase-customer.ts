import { changedAt } from '#domain/calendar.ts';
import { formatId } from '#domain/identifiers.ts';
import { isRevoking } from '#domain/market/revocations.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { Problem } from '#platform/http/problems.ts';
import { eraseReasons } from '../audit-log/index.ts';
import { eraseLead, readLeads } from '../leads/index.ts';
import { marketProblems } from '../problems.ts';
import {
  changeLife,
  changeOnce,
  indexMetadata,
  paymentContext,
  readSubscriptionsOf,
  toldBy,
  writeCustomerChange,
  type ChangeDependencies,
  type CustomerRow,
  type PaymentDetails,
  type SubscriptionRow,
} from '../subscriptions/index.ts';
import { eraseEvents, PORTION } from './erase-events.ts';
import {
  deleteKeys,
  eraseAddresses,
  eraseChanges,
  eraseMeters,
  erasePaymentMethods,
  eraseSubscriptions,
  findSupplied,
  readContents,
  readMemories,
  rewriteMessages,
  rewriteProcesses,
} from './erase-store.ts';
import { ERASED, ERASED_EMAIL, ERASED_ZIP, eraseContents, eraseMemory } from './erase-traces.ts';
import { addPartsOf, findHoldings, lockLeads, partsOf, portionsOf, type Holdings, type PartIds } from './holdings.ts';
import { contextOf, lockNamed } from './update-customer.ts';
import { keptUntil } from './retention.ts';
import type { HeldSubscription } from './store.ts';

/**
 * `POST /customers/{id}/erase`: removes everything personal of one customer, and of his subscriptions, in one commit (GDPR
 * art. 17). Once more it answers the same.
 */
export async function handleEraseCustomer(dependencies: ChangeDependencies, request: Request): Promise<Answer> {
  const { projectId } = request.caller;
  const effect = async (transaction: Transaction, told: string[]): Promise<Answer> => {
    const { customer, subscriptions } = await lockNamed(transaction, request);
    const again = customer.erased_at;
    await refuseWhileRunning(dependencies, transaction, projectId, subscriptions, told);
    await lockLeads(transaction, projectId, customer);
    const context = await contextOf(dependencies, transaction, request);
    const erasedAt = formatInstant(context.now);
    await eraseHoldings(
      dependencies.keys,
      transaction,
      projectId,
      await findHoldings(transaction, projectId, customer),
    );
    // Once more: what came in meanwhile, such as a late message of the market.
    if (again !== null) return answerOf(transaction, projectId, customer.id, again);
    await eraseChanges(transaction, projectId, customer.id);
    const fields = ['/first_name', '/last_name', '/company_name', '/email', '/vat_id'];
    const change = { type: 'erased', fields, previous: '{}' } as const;
    const written = await writeCustomerChange(context, erased(customer, erasedAt), change);
    told.push(...written.events);
    return answerOf(transaction, projectId, customer.id, erasedAt);
  };
  return changeOnce(dependencies, request, { effect });
}

/**
 * What has ended by now, but was not looked at yet, has ended. While the grid operator has not taken a start back that nobody
 * wants, the supply runs to him, and its place must be known. @throws Problem customer_has_running_supply
 */
async function refuseWhileRunning(
  dependencies: ChangeDependencies,
  transaction: Transaction,
  projectId: string,
  subscriptions: readonly HeldSubscription[],
  told: string[],
): Promise<void> {
  const running: string[] = [];
  for (const { id, goes_on: goesOn } of subscriptions) {
    if (!goesOn) continue;
    const isRunning = await changeLife(dependencies, transaction, projectId, id, async ({ life }) => {
      told.push(...toldBy(life));
      return life.row.status !== 'ended' || isRevoking(life.memory.supply);
    });
    if (isRunning === true) running.push(formatId('sub', id));
  }
  if (running.length === 0) return;
  throw new Problem(
    marketProblems.customer_has_running_supply,
    `${running.join(', ')} must have ended first.`,
    [],
    {},
    { subscriptions: running },
  );
}

function erased(customer: CustomerRow, at: string): CustomerRow {
  return {
    ...customer,
    company_name: customer.company_name === null ? null : ERASED,
    first_name: ERASED,
    last_name: ERASED,
    email: ERASED_EMAIL,
    vat_id: null,
    updated_at: changedAt(customer.created_at, at),
    erased_at: at,
  };
}

/** Empties everything beside the customer itself. The search and all other indexes follow their rows. */
async function eraseHoldings(
  keys: Keys,
  transaction: Transaction,
  projectId: string,
  { subscriptions, subjects, leadIds, resources, keys: kept }: Holdings,
): Promise<void> {
  const ids = subscriptions.map(({ id }) => id);
  const parts = partsOf(subscriptions);
  await eraseEvents(transaction, projectId, subjects, (events) => addPartsOf(parts, events));
  await eraseParts(keys, transaction, projectId, parts);
  await eraseSubscriptions(transaction, projectId, ids, subscriptions.flatMap(indexOf));
  for (const portion of portionsOf(await readContents(transaction, projectId, ids), PORTION)) {
    const rewritten = portion.map(({ id, text }) => ({ id, text: eraseContents(text) }));
    await rewriteMessages(transaction, projectId, rewritten);
  }
  const memories = await readMemories(transaction, projectId, ids);
  await rewriteProcesses(
    transaction,
    projectId,
    memories.map(({ id, text }) => ({ id, text: eraseMemory(text) })),
  );
  for (const portion of portionsOf(leadIds, PORTION)) {
    const leads = await readLeads(transaction, projectId, portion);
    for (const lead of leads) await eraseLead(transaction, projectId, lead, ERASED_ZIP);
  }
  await eraseReasons(keys, transaction, projectId, resources);
  await deleteKeys(
    transaction,
    projectId,
    kept.map(({ key }) => key),
  );
}

/** Empties addresses, meters and bank accounts, former ones too. */
async function eraseParts(
  keys: Keys,
  transaction: Transaction,
  projectId: string,
  { addresses, meters, payment_methods: paymentMethods }: PartIds,
): Promise<void> {
  await eraseAddresses(transaction, projectId, [...addresses]);
  await eraseMeters(transaction, projectId, [...meters]);
  const nothing: PaymentDetails = { iban: ERASED, account_holder: ERASED };
  for (const portion of portionsOf([...paymentMethods], PORTION)) {
    const methods = portion.map((id) => {
      return { id, encrypted: keys.encrypt(JSON.stringify(nothing), paymentContext(projectId, id)) };
    });
    await erasePaymentMethods(transaction, projectId, methods);
  }
}

function indexOf({ id, metadata }: SubscriptionRow): Parameters<typeof eraseSubscriptions>[3] {
  return indexMetadata(metadata).map((entry) => ({ ...entry, subscriptionId: id }));
}

/** What was erased when, and which records of contracts are kept without anything personal. */
async function answerOf(
  transaction: Transaction,
  projectId: string,
  customerId: string,
  erasedAt: string,
): Promise<Answer> {
  const subscriptions = await readSubscriptionsOf(transaction, projectId, customerId);
  const supplied = new Set(
    await findSupplied(
      transaction,
      projectId,
      subscriptions.map(({ id }) => id),
    ),
  );
  const kept = subscriptions.flatMap(({ id, end_at: endAt }) => {
    if (!supplied.has(id) || endAt === null) return [];
    return {
      what: `subscription ${formatId('sub', id)} (number, plan, dates, status, amounts)`,
      reason: '§ 147 AO, § 257 HGB: accounting records',
      until: keptUntil(endAt),
    };
  });
  const body = JSON.stringify({
    object: 'customer_erasure',
    customer: formatId('cus', customerId),
    erased_at: erasedAt,
    kept,
  });
  return { status: 200, body, forgetsReason: true };
}
