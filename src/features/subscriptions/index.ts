import { Type } from 'typebox';
import type { IdPrefix } from '#domain/identifiers.ts';
import { ACTORS, STAGES, STATUSES } from '#domain/subscription/lifecycle.ts';
import { route, type Route, type RouteContract } from '#platform/http/contract.ts';
import type { FilterTable, FilterType } from '#platform/http/filters.ts';
import { askedInstantSchema } from '#platform/http/schema-parts.ts';
import { marketProblems } from '../problems.ts';
import type { SubscriptionDependencies } from './dependencies.ts';
import { createLifeRoutes } from './life-routes.ts';
import { handleListSubscriptions, handleReadSubscription } from './read-subscription.ts';
import { EXPANDABLE, signUpSchema, subscriptionListSchema, subscriptionSchema, type SignUp } from './schema.ts';
import { signUpCheckSchema } from './sign-up/dry-run-schema.ts';
import { checkDryRun, handleDryRun, isDryRun } from './sign-up/dry-run.ts';
import { handleSignUp } from './sign-up/sign-up.ts';

export {
  changeCustomer,
  correctCustomerName,
  writeCustomerChange,
  type CustomerChangeContext,
} from './change-customer.ts';
export { customerColumns, lockCustomer } from './customer-store.ts';
export type { SubscriptionDependencies } from './dependencies.ts';
export { mergeMetadata } from './merge-metadata.ts';
export { encryptedPaymentMethods } from './payment-method.ts';
export { createSubscriptionParts } from './parts.ts';
export { nextPossibleStart, orderedProduct, productOrder, signUpSchema, type SignUp } from './schema.ts';
export * as signUpMembers from './schema-members.ts';
export { examine, findReferences, type Finders } from './sign-up/check.ts';
export * from './messages/index.ts';
export {
  listOpenOrders,
  MAX_LISTED_ORDERS,
  recordReport,
  type ReportRecording,
  type SeenOrder,
} from './orders/record-report.ts';
export { presentMeterOrder, presentReduction } from './orders/present.ts';
export { readOrdersOf } from './orders/store.ts';
export { meterOrderSchema, reductionSchema } from './orders/schema.ts';
export { createMeterOrderRoutes, createReductionRoutes, meterOrderFilters, reductionFilters } from './orders/routes.ts';
export { indexMetadata, type MetadataEntry } from './metadata-index.ts';
export { entriesFrom, replaceEntries, type MetadataIndex } from './metadata-store.ts';
export {
  customerTag,
  decryptPaymentDetails,
  paymentContext,
  presentAddress,
  presentCustomer,
  presentMeter,
  presentPaymentMethod,
  presentSubscription,
  type CustomerRow,
  type PaymentDetails,
  type SubscriptionRow,
  type VersionedCustomer,
} from './present.ts';
export { readWholeTimeline } from './read-timeline.ts';
export { timelineEntrySchema } from './timeline-schema.ts';
export { addressSchema, customerSchema, meterSchema, paymentMethodSchema, subscriptionSchema } from './schema.ts';
export { readAddresses, readCustomers, readMeters, readPaymentMethods, readSubscriptionsOf } from './store.ts';
export { changeLife, changeOnce, type ChangeDependencies } from './supply/change.ts';
export type { Memory } from './supply/life.ts';
export { toldBy } from './supply/load.ts';
export { findDueProjects, workOn, type SupplyDependencies } from './supply/reconcile.ts';
export { releaseForgottenLocations } from './supply/store.ts';

const id = (prefix: IdPrefix): FilterType => ({ kind: 'id', prefix });
const text: FilterType = { kind: 'text' };
const instant: FilterType = { kind: 'instant' };

/** The filters of `GET /subscriptions`. */
export const subscriptionFilters: FilterTable = {
  status: { kind: 'enum', values: STATUSES },
  stage: { kind: 'enum', values: STAGES },
  plan: id('pln'),
  customer: id('cus'),
  supplier: id('mp'),
  lead: id('lead'),
  external_id: text,
  number: text,
  'meter.number': text,
  'meter.malo': text,
  'customer.email': text,
  created_at: instant,
  updated_at: instant,
  start_at: instant,
  end_at: instant,
  created_by: id('crd'),
  'next_action.actor': { kind: 'enum', values: ACTORS },
  'next_action.code': text,
  metadata: { kind: 'key' },
};

const tag = 'Subscriptions';

const signUpExample = {
  plan: 'pln_01k9zr5x3hf8b9m2t4v6w8y0ac',
  customer: { type: 'person', first_name: 'Erika', last_name: 'Mustermann', email: 'erika@example.com' },
  address: { street: 'Heidestraße', house_number: '17', zip: '51147', city: 'Köln' },
  meter: { number: '1EMH0012345678', type: 'modern', estimated_usage: 3500, malo: '41373559241' },
  payment_method: {
    type: 'sepa_debit',
    sepa_debit: { iban: 'DE89370400440532013000', account_holder: 'Erika Mustermann' },
  },
  next_possible_start: true,
  external_id: 'order-4711',
  metadata: { channel: 'web' },
};

const contracts = {
  createSubscription: {
    operationId: 'createSubscription',
    method: 'POST',
    path: '/subscriptions',
    tag,
    summary: 'Sign up a customer',
    description:
      'Creates a subscription with its customer, delivery address, meter and payment method. All of it is stored before the answer is sent, or nothing is. Send an `Idempotency-Key`, so that a repeated request cannot sign up twice. With `validate_only=true` the same is checked and nothing stored: the answer is 200 with everything that a sign-up would be refused for, and an `Idempotency-Key` and `expand[]` have no effect. Only what cannot be read as a JSON object (also a key that occurs twice or is `__proto__`, nesting deeper than 64 levels, more values than a body may have, U+0000, half of a surrogate pair, a number that cannot be kept exactly), an unknown parameter, and more than 100 wrong members are refused as without it.',
    access: 'write:*',
    query: {
      validate_only: {
        description: 'True checks the sign-up and stores nothing.',
        schema: Type.Boolean({ default: false }),
      },
    },
    dryRun: 'validate_only',
    expand: EXPANDABLE,
    body: signUpSchema,
    collectsErrors: true,
    bodyExample: signUpExample,
    response: { status: 201, description: 'The subscription.', schema: subscriptionSchema },
    alsoAnswers: [
      {
        status: 200,
        description: 'With `validate_only=true`: what would become of it.',
        schema: signUpCheckSchema,
      },
    ],
    problems: [
      marketProblems.duplicate_external_id,
      marketProblems.market_location_taken,
      marketProblems.lead_already_converted,
      marketProblems.lead_erased,
    ],
  },
  listSubscriptions: {
    operationId: 'listSubscriptions',
    method: 'GET',
    path: '/subscriptions',
    tag,
    summary: 'List subscriptions',
    description:
      'The subscriptions of the project, newest first. The first page answers with `X-Event-Cursor`: `GET /events?after=` that cursor tells everything that happens after this page was read, without gap or overlap.',
    access: 'read:*',
    paged: true,
    expand: EXPANDABLE,
    filters: subscriptionFilters,
    response: {
      status: 200,
      description: 'A page of subscriptions.',
      schema: subscriptionListSchema,
      headers: { 'X-Event-Cursor': 'On the first page: where to read on in `GET /events`, as `after`.' },
    },
  },
  readSubscription: {
    operationId: 'readSubscription',
    method: 'GET',
    path: '/subscriptions/:id',
    tag,
    summary: 'Read a subscription',
    description: 'The subscription as it stands, or with `as_of` as it stood at an instant.',
    access: 'read:*',
    parameters: { id: 'ID of the subscription (`sub_…`).' },
    query: {
      as_of: {
        description:
          'Reads it as it stood at this instant of the project’s time, at one to come as it stands now; does not go with `expand[]`.',
        schema: askedInstantSchema('An instant.'),
      },
    },
    collectsErrors: true,
    expand: EXPANDABLE,
    response: { status: 200, description: 'The subscription.', schema: subscriptionSchema },
  },
} satisfies Record<string, RouteContract>;

/** The routes of subscriptions. */
export function createSubscriptionRoutes(dependencies: SubscriptionDependencies): Route[] {
  return [
    route<SignUp>(contracts.createSubscription, async (request) =>
      isDryRun(request) ? handleDryRun(dependencies, request) : handleSignUp(dependencies, checkDryRun(request)),
    ),
    route(contracts.listSubscriptions, (request) => handleListSubscriptions(dependencies, request)),
    route(contracts.readSubscription, (request) => handleReadSubscription(dependencies, request)),
    ...createLifeRoutes(dependencies),
  ];
}
