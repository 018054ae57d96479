import { route, type Route } from '#platform/http/contract.ts';
import { problems } from '#platform/http/problems.ts';
import { searchParameter } from '#platform/http/search.ts';
import { marketProblems } from '../problems.ts';
import { leadSchema } from '../leads/index.ts';
import { customerSchema, type ChangeDependencies } from '../subscriptions/index.ts';
import { handleEraseCustomer } from './erase-customer.ts';
import { handleEraseLead, type EraseLeadDependencies } from './erase-lead.ts';
import { handleExportCustomer, type ExportDependencies } from './export-customer.ts';
import {
  handleListCustomers,
  handleReadCustomer,
  handleReadCustomerTimeline,
  type ReadDependencies,
} from './read-customer.ts';
import { createPartRoutes } from './read-parts.ts';
import {
  customerErasureSchema,
  customerExportSchema,
  customerListSchema,
  customerTimelineSchema,
  updateCustomerSchema,
  type UpdateCustomer,
} from './schema.ts';
import { customerFilters } from './filters.ts';
import { handleUpdateCustomer } from './update-customer.ts';

export { customerFilters } from './filters.ts';
export { mergeIntoSearch } from './search-store.ts';

const tag = 'Customers';
const parameters = { id: 'ID of the customer (`cus_…`).' };

/** The routes of customers and of what is stored with them. */
export function createCustomerRoutes(
  dependencies: ChangeDependencies & ReadDependencies & EraseLeadDependencies,
): Route[] {
  return [
    ...createReadRoutes(dependencies),
    ...createChangeRoutes(dependencies),
    ...createPartRoutes(dependencies),
    createLeadErasure(dependencies),
  ];
}

function createLeadErasure(dependencies: EraseLeadDependencies): Route {
  return route(
    {
      operationId: 'eraseLead',
      method: 'POST',
      path: '/leads/:id/erase',
      tag: 'Leads',
      summary: 'Erase a person who has not signed up',
      description:
        'Removes everything personal of a lead for good (GDPR art. 17), in one commit: customer, address, meter, payment method, wishes, metadata, external id (free again), and what events and kept requests with an `Idempotency-Key` repeat of these. Finds this lead only: find others of the same person with `filter[customer.email][eq]`. Once converted it is erased with its customer. An erased lead can neither be changed nor be named by a sign-up. Once more it answers the same.',
      access: 'write:*',
      parameters: { id: 'ID of the lead (`lead_…`).' },
      response: { status: 200, description: 'The lead, empty.', schema: leadSchema },
      problems: [marketProblems.lead_already_converted, problems.precondition_failed],
    },
    (request) => handleEraseLead(dependencies, request),
  );
}

function createReadRoutes(dependencies: ReadDependencies): Route[] {
  return [
    route(
      {
        operationId: 'listCustomers',
        method: 'GET',
        path: '/customers',
        tag,
        summary: 'List and search customers',
        description:
          'The customers of the project, newest first, also with `search`. Each sign-up has a customer of its own: a person who signed up twice is listed twice. The filter on `email` pays no regard to case.',
        access: 'read:*',
        query: {
          search: searchParameter(
            "Words of a name or an e-mail address, up to eight, all of which must be there in whatever order; one of three letters or more also inside a word, a shorter one where a word begins. Case and accents do not matter, and ü is ue, so that an `e` behind a, o or u does not count in Goethe either: `goe` finds him, `oet` does not, as two letters are left of it, and a word that begins with such an `e` needs four more. Punctuation parts words as a blank does, so that `o'brien` and `o brien` find O'Brien, `obrien` does not. A whole e-mail address that somebody has finds those who have it, and nobody else.",
            'erika must',
          ),
        },
        collectsErrors: true,
        paged: true,
        filters: customerFilters,
        response: { status: 200, description: 'A page of customers.', schema: customerListSchema },
      },
      (request) => handleListCustomers(dependencies, request),
    ),
    route(
      {
        operationId: 'readCustomer',
        method: 'GET',
        path: '/customers/:id',
        tag,
        summary: 'Read a customer',
        description: 'The customer as it stands; once erased with placeholders and `erased_at`.',
        access: 'read:*',
        parameters,
        response: { status: 200, description: 'The customer.', schema: customerSchema },
      },
      (request) => handleReadCustomer(dependencies, request),
    ),
    route(
      {
        operationId: 'readCustomerTimeline',
        method: 'GET',
        path: '/customers/:id/timeline',
        tag,
        summary: 'Read what was changed of a customer',
        description:
          'Every change since the sign-up with who made it and what was there before, oldest first; corrections by `PATCH /subscriptions/{id}` too.',
        access: 'read:*',
        parameters,
        paged: true,
        response: { status: 200, description: 'A page of changes.', schema: customerTimelineSchema },
      },
      (request) => handleReadCustomerTimeline(dependencies, request),
    ),
  ];
}

function createChangeRoutes(dependencies: ChangeDependencies & ExportDependencies): Route[] {
  return [
    route<UpdateCustomer>(
      {
        operationId: 'updateCustomer',
        method: 'PATCH',
        path: '/customers/:id',
        tag,
        summary: 'Change a customer',
        description:
          'Changes what the body names, at any time. While the grid operator has not confirmed a subscription of the customer, its market process goes on with a corrected name by itself, and naming it as it is says that it is right: the same as `customer` of `PATCH /subscriptions/{id}`. Later a name is changed here only. `company_name` of a company only.',
        access: 'write:*',
        parameters,
        body: updateCustomerSchema,
        collectsErrors: true,
        bodyExample: { last_name: 'Musterfrau', email: 'erika.musterfrau@example.com' },
        response: { status: 200, description: 'The customer as it stands now.', schema: customerSchema },
        problems: [marketProblems.customer_erased, problems.precondition_failed],
      },
      (request) => handleUpdateCustomer(dependencies, request),
    ),
    route(
      {
        operationId: 'exportCustomer',
        method: 'GET',
        path: '/customers/:id/export',
        tag,
        summary: 'Export everything held about a person',
        description:
          'What a person can ask for (GDPR art. 15 and 20), as it stood at one instant: the customer with its history, subscriptions with their timelines and messages, addresses, meters, payment methods, events, deliveries, kept requests and leads. It shows the full IBAN, which nothing else does, and therefore needs `write:*` beside `read:*`. It covers this customer only: find others of the same person with `filter[email][eq]`. It is sent while it is read, without `Content-Length`; whenever it cannot be completed, as when the customer is erased meanwhile, it is refused, or the connection is cut where part of it was sent: ask again. An open lead that is changed, and a message that is handed over, while it is sent may be shown as they are then.',
        access: 'read:* write:*',
        parameters,
        isLengthy: true,
        response: { status: 200, description: 'All of it.', schema: customerExportSchema },
        problems: [marketProblems.customer_erased],
      },
      (request) => handleExportCustomer(dependencies, request),
    ),
    route(
      {
        operationId: 'eraseCustomer',
        method: 'POST',
        path: '/customers/:id/erase',
        tag,
        summary: 'Erase a person',
        description:
          'Removes everything personal for good (GDPR art. 17), in one commit: of the customer and its history, and of all its subscriptions with their addresses, meters, payment methods, metadata, external ids (free again), events, messages, leads and kept requests with an `Idempotency-Key` (do not put anything personal into the key of this request: it is kept for 30 days). What remains is the contract under its number; subscriptions and leads keep their `updated_at`: who mirrors them follows `customer.erased`. Refused while a subscription is pending or active. Erases this customer only: each sign-up has one of its own, find others of the same person with `filter[email][eq]` before. Once more it answers the same.',
        access: 'write:*',
        parameters,
        isLengthy: true,
        response: { status: 200, description: 'What was done, and what is kept.', schema: customerErasureSchema },
        problems: [marketProblems.customer_has_running_supply, problems.precondition_failed],
      },
      (request) => handleEraseCustomer(dependencies, request),
    ),
  ];
}
