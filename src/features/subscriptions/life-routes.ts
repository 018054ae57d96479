import { route, type Route, type RouteContract } from '#platform/http/contract.ts';
import { problems } from '#platform/http/problems.ts';
import { marketProblems } from '../problems.ts';
import type { SubscriptionDependencies } from './dependencies.ts';
import { handleReadTimeline } from './read-timeline.ts';
import { subscriptionSchema } from './schema.ts';
import {
  handleRetry,
  handleTerminate,
  handleUndoTermination,
  terminateSchema,
  type Termination,
} from './terminate-subscription.ts';
import { timelineSchema } from './timeline-schema.ts';
import { updateSubscriptionSchema, type UpdateSubscription } from './update-schema.ts';
import { handleUpdateSubscription } from './update-subscription.ts';

const tag = 'Subscriptions';
const parameters = { id: 'ID of the subscription (`sub_…`).' };
const response = {
  status: 200,
  description: 'The subscription as it stands now.',
  schema: subscriptionSchema,
} as const;

const contracts = {
  updateSubscription: {
    operationId: 'updateSubscription',
    method: 'PATCH',
    path: '/subscriptions/:id',
    tag,
    summary: 'Change a subscription, or correct its data',
    description:
      'Payment method, billing address and metadata can be changed at any time. Meter, market location, address, names, intended start and previous supplier can be corrected until the grid operator has confirmed; the process then goes on by itself with the new data. Naming a member of `next_action.fields` with the same value as before says that it is right; whatever else is named as it is already changes nothing: no event, no `updated_at`, and the same entity tag.',
    access: 'write:*',
    parameters,
    body: updateSubscriptionSchema,
    collectsErrors: true,
    bodyExample: { meter: { number: '1EMH0012345679' }, metadata: { channel: null, campaign: 'spring' } },
    response,
    problems: [
      marketProblems.not_in_this_stage,
      marketProblems.market_location_taken,
      marketProblems.customer_erased,
      marketProblems.start_date_too_early,
      marketProblems.start_leaves_gap,
      problems.precondition_failed,
    ],
  },
  terminateSubscription: {
    operationId: 'terminateSubscription',
    method: 'POST',
    path: '/subscriptions/:id/terminate',
    tag,
    summary: 'Terminate or withdraw',
    description:
      'Ends a subscription: `ordinary` with the cancellation period that the plan had at the sign-up, `move_out` on a day with at most six weeks’ notice, `withdrawal` within 14 days of conclusion, or until the next working day where the last is none, before or after the start. The first two are taken from `stage: confirmed` on; until then there is only the withdrawal. What the customer sent or handed in on an earlier day counts from that day, `notice_date`. The grid operator is told in time; before his confirmation a termination can be undone.',
    access: 'write:*',
    parameters,
    body: terminateSchema,
    collectsErrors: true,
    bodyExample: { reason: 'ordinary' },
    response,
    problems: [
      marketProblems.not_in_this_stage,
      marketProblems.end_date_too_early,
      marketProblems.withdrawal_period_over,
      problems.precondition_failed,
    ],
  },
  undoTermination: {
    operationId: 'undoTermination',
    method: 'POST',
    path: '/subscriptions/:id/undo-termination',
    tag,
    summary: 'Take a termination back',
    description:
      'Until the grid operator has confirmed the end. Where he knows of it already he is asked to forget it first; the subscription stays `ending` until he agrees.',
    access: 'write:*',
    parameters,
    response,
    problems: [marketProblems.not_in_this_stage, marketProblems.termination_confirmed, problems.precondition_failed],
  },
  retrySubscription: {
    operationId: 'retrySubscription',
    method: 'POST',
    path: '/subscriptions/:id/retry',
    tag,
    summary: 'Go on after an operator has cleared something up',
    description: 'Takes the step again that `next_action` of the actor `operator` waits for.',
    access: 'write:*',
    parameters,
    response,
    problems: [marketProblems.nothing_to_retry, marketProblems.not_in_this_stage, problems.precondition_failed],
  },
  readTimeline: {
    operationId: 'readTimeline',
    method: 'GET',
    path: '/subscriptions/:id/timeline',
    tag,
    summary: 'Read a subscription’s story',
    description: 'Every transition, message, edit and event with who caused it, oldest first.',
    access: 'read:*',
    parameters,
    paged: true,
    response: {
      status: 200,
      description: 'A page of the timeline.',
      schema: timelineSchema,
    },
  },
} satisfies Record<string, RouteContract>;

/** The routes that change a subscription or tell its story. */
export function createLifeRoutes(dependencies: SubscriptionDependencies): Route[] {
  return [
    route<UpdateSubscription>(contracts.updateSubscription, (request) =>
      handleUpdateSubscription(dependencies, request),
    ),
    route<Termination>(contracts.terminateSubscription, (request) => handleTerminate(dependencies, request)),
    route(contracts.undoTermination, (request) => handleUndoTermination(dependencies, request)),
    route(contracts.retrySubscription, (request) => handleRetry(dependencies, request)),
    route(contracts.readTimeline, (request) => handleReadTimeline(dependencies, request)),
  ];
}
