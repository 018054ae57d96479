import { route, type Route, type RouteContract } from '#platform/http/contract.ts';
import { problems } from '#platform/http/problems.ts';
import type { DeliveryDependencies } from './dependencies.ts';
import { handleListDeliveries, handleReadDelivery } from './read-deliveries.ts';
import { handleReplay, MAX_REPLAYED } from './replay.ts';
import { handleResend } from './resend-delivery.ts';
import { createTestHandler, PROJECT_TESTS } from './test-endpoint.ts';
import {
  DELIVERY_STATES,
  deliveryListSchema,
  deliverySchema,
  replayAnswerSchema,
  replaySchema,
  testAnswerSchema,
  type ReplayBody,
} from './schema.ts';

const tag = 'Webhooks';
const delivery = { id: 'ID of the delivery (`whd_…`).' };
const endpoint = { id: 'ID of the endpoint (`whe_…`).' };

const contracts = {
  listWebhookDeliveries: {
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhook-deliveries',
    tag,
    summary: 'List webhook deliveries',
    description:
      'What became of each event at each endpoint, newest first. Kept 30 days from its creation on, and as long as it is pending.',
    access: 'read:*',
    paged: true,
    filters: {
      endpoint: { kind: 'id', prefix: 'whe' },
      event: { kind: 'id', prefix: 'evt' },
      state: { kind: 'enum', values: DELIVERY_STATES },
      created_at: { kind: 'instant' },
    },
    response: { status: 200, description: 'A page of deliveries.', schema: deliveryListSchema },
  },
  readWebhookDelivery: {
    operationId: 'readWebhookDelivery',
    method: 'GET',
    path: '/webhook-deliveries/:id',
    tag,
    summary: 'Read a webhook delivery',
    description: 'The delivery with all its attempts.',
    access: 'read:*',
    parameters: delivery,
    response: { status: 200, description: 'The delivery.', schema: deliverySchema },
  },
  resendWebhookDelivery: {
    operationId: 'resendWebhookDelivery',
    method: 'POST',
    path: '/webhook-deliveries/:id/resend',
    tag,
    summary: 'Send a webhook delivery again',
    description:
      'Has it attempted as soon as possible, whatever became of it: a pending one before its time, a succeeded or failed one from the first attempt on. The receiver knows it by its `webhook-id`.',
    access: 'write:*',
    parameters: delivery,
    response: { status: 200, description: 'The delivery, pending.', schema: deliverySchema },
    problems: [problems.precondition_failed],
  },
  replayWebhookEndpoint: {
    operationId: 'replayWebhookEndpoint',
    method: 'POST',
    path: '/webhook-endpoints/:id/replay',
    tag,
    summary: 'Send events to an endpoint again',
    description: `Sends one \`event\`, the events \`from\` an instant \`to\` another that the endpoint’s types name, or all that has \`failed\` and has not come through since, each event once; about ${MAX_REPLAYED} deliveries at once, or as many as are written in some seconds, of a time up to the end of a second. Failed deliveries are made pending again, pending ones stay, and of the others there are new ones. With \`has_more\` ask again, for a time from \`next_from\` on.`,
    access: 'write:*',
    parameters: endpoint,
    body: replaySchema,
    collectsErrors: true,
    bodyExample: { failed: true },
    isLengthy: true,
    response: { status: 200, description: 'How many deliveries that makes.', schema: replayAnswerSchema },
    problems: [problems.precondition_failed],
  },
  testWebhookEndpoint: {
    operationId: 'testWebhookEndpoint',
    method: 'POST',
    path: '/webhook-endpoints/:id/test',
    tag,
    summary: 'Test a webhook endpoint',
    description: `Sends a signed event of the type \`webhook_endpoint.test\` at once, also to a disabled endpoint, and answers what came of it within 20 s. The event is not stored and not repeated; its \`sequence\` is null, and of the endpoint it has the \`id\` alone. At most ${PROJECT_TESTS} tests of a project are on their way at once in each process of the service; any other is refused \`rate_limited\`.`,
    access: 'write:*',
    parameters: endpoint,
    response: { status: 200, description: 'What came of it.', schema: testAnswerSchema },
    problems: [problems.precondition_failed],
  },
} satisfies Record<string, RouteContract>;

/** The routes of deliveries, and those that send to an endpoint by hand. */
export function createDeliveryRoutes(dependencies: DeliveryDependencies): Route[] {
  return [
    route(contracts.listWebhookDeliveries, (request) => handleListDeliveries(dependencies, request)),
    route(contracts.readWebhookDelivery, (request) => handleReadDelivery(dependencies, request)),
    route(contracts.resendWebhookDelivery, (request) => handleResend(dependencies, request)),
    route<ReplayBody>(contracts.replayWebhookEndpoint, (request) => handleReplay(dependencies, request)),
    route(contracts.testWebhookEndpoint, createTestHandler(dependencies)),
  ];
}
