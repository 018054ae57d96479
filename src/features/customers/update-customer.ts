import type { Transaction } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named, requireMatch } from '#platform/http/named.ts';
import { invalid, notFound, Problem, type FieldError } from '#platform/http/problems.ts';
import { soundPart } from '#platform/http/validation.ts';
import { presentOf, readProjectTime } from '../projects/index.ts';
import { marketProblems } from '../problems.ts';
import {
  changeCustomer,
  changeOnce,
  correctCustomerName,
  customerTag,
  presentCustomer,
  type ChangeDependencies,
  type CustomerChangeContext,
  type CustomerRow,
} from '../subscriptions/index.ts';
import type { UpdateCustomer } from './schema.ts';
import { lockWithSubscriptions, type LockedCustomer } from './store.ts';

/** The members that the market knows a customer by. */
const NAMES = ['first_name', 'last_name', 'company_name'] as const;

/** `PATCH /customers/{id}` */
export async function handleUpdateCustomer(
  dependencies: ChangeDependencies,
  request: Request<UpdateCustomer>,
): Promise<Answer> {
  const edits = soundPart(request.body, request.errors);
  const effect = async (transaction: Transaction, told: string[]): Promise<Answer> => {
    const locked = await lockNamed(transaction, request);
    const { customer, subscriptions } = locked;
    if (customer.erased_at !== null) throw new Problem(marketProblems.customer_erased);
    const errors = [...request.errors, ...checkEdits(edits, customer)];
    if (errors.length > 0) throw invalid(errors);
    const context = await contextOf(dependencies, transaction, request);
    const named = NAMES.filter((name) => edits[name] !== undefined);
    const corrected = {
      names: { ...customer, ...edits },
      fields: named.map((name) => `/customer/${name}`),
      isChanged: named.some((name) => edits[name] !== customer[name]),
    };
    const open = named.length === 0 ? [] : subscriptions.filter(({ status }) => status !== 'ended');
    for (const { id } of open) {
      told.push(...(await correctCustomerName(dependencies, context, id, corrected)));
    }
    const changed = await changeCustomer(context, customer, edits);
    told.push(...changed.events);
    const body = presentCustomer(changed.customer);
    return { status: 200, body, headers: { etag: customerTag(changed.customer, body) }, personal: true };
  };
  return changeOnce(dependencies, request, { effect });
}

function checkEdits({ company_name: name }: UpdateCustomer, { type }: CustomerRow): FieldError[] {
  const isAllowed = name === undefined || type === 'company';
  return isAllowed ? [] : [{ field: '/company_name', code: 'not_allowed', message: 'is not allowed of a person' }];
}

/** Locks the customer that a request names, as it stands in `If-Match`. @throws Problem not_found, precondition_failed */
export async function lockNamed(transaction: Transaction, request: Request): Promise<LockedCustomer> {
  const { projectId } = request.caller;
  const locked = await named(request, 'cus', (id) => lockWithSubscriptions(transaction, projectId, id));
  requireMatch(request, customerTag(locked.customer, presentCustomer(locked.customer)));
  return locked;
}

/** Where, when and by whom a request changes a customer. */
export async function contextOf(
  { clock, mintUuid }: ChangeDependencies,
  transaction: Transaction,
  { id, caller }: Request,
): Promise<CustomerChangeContext> {
  const { projectId, credentialId } = caller;
  const project = await readProjectTime(transaction, projectId);
  if (project === undefined) throw notFound();
  return { transaction, projectId, mintUuid, now: presentOf(project, clock), cause: { requestId: id, credentialId } };
}
