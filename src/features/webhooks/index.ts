import { route, type Route, type RouteContract } from '#platform/http/contract.ts';
import { problems } from '#platform/http/problems.ts';
import { marketProblems } from '../problems.ts';
import { createBacklogCounter } from './backlogs.ts';
import {
  handleListWebhookEndpoints,
  handleReadWebhookEndpoint,
  type ReadEndpointDependencies,
} from './read-endpoint.ts';
import {
  createWebhookEndpointSchema,
  rotateSecretSchema,
  updateWebhookEndpointSchema,
  webhookEndpointListSchema,
  webhookEndpointSchema,
  webhookEndpointWithSecretSchema,
  type CreateWebhookEndpoint,
  type RotateSecret,
  type UpdateWebhookEndpoint,
} from './schema.ts';
import {
  handleCreateWebhookEndpoint,
  handleDeleteWebhookEndpoint,
  handleRotateSecret,
  handleUpdateWebhookEndpoint,
  type WriteEndpointDependencies,
} from './write-endpoint.ts';

export { encryptedWebhookSecrets } from './secrets.ts';
export { testEventSchema, webhookEndpointSchema } from './schema.ts';
export { deleteRemovedEndpoints } from './store.ts';
export { createSafeLookup } from './targets.ts';

const tag = 'Webhooks';
const id = { id: 'ID of the webhook endpoint (`whe_…`).' };

const contracts = {
  listWebhookEndpoints: {
    operationId: 'listWebhookEndpoints',
    method: 'GET',
    path: '/webhook-endpoints',
    tag,
    summary: 'List webhook endpoints',
    description: 'All webhook endpoints of the project, newest first, with how sending goes.',
    access: 'read:*',
    paged: true,
    response: { status: 200, description: 'A page of webhook endpoints.', schema: webhookEndpointListSchema },
  },
  createWebhookEndpoint: {
    operationId: 'createWebhookEndpoint',
    method: 'POST',
    path: '/webhook-endpoints',
    tag,
    summary: 'Create a webhook endpoint',
    description:
      'From now on events are sent to this URL, signed as Standard Webhooks says. The answer shows the `secret`, this once. A project has at most 20 endpoints. What happened before can be sent by a replay.',
    access: 'write:*',
    body: createWebhookEndpointSchema,
    collectsErrors: true,
    bodyExample: { url: 'https://example.com/webhooks', types: ['subscription.*'], description: 'Our CRM' },
    response: {
      status: 201,
      description: 'The webhook endpoint with its secret.',
      schema: webhookEndpointWithSecretSchema,
    },
    problems: [marketProblems.too_many_webhook_endpoints],
  },
  readWebhookEndpoint: {
    operationId: 'readWebhookEndpoint',
    method: 'GET',
    path: '/webhook-endpoints/:id',
    tag,
    summary: 'Read a webhook endpoint',
    description: 'The webhook endpoint as it stands, without its secret, and how sending goes.',
    access: 'read:*',
    parameters: id,
    response: { status: 200, description: 'The webhook endpoint.', schema: webhookEndpointSchema },
  },
  updateWebhookEndpoint: {
    operationId: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: '/webhook-endpoints/:id',
    tag,
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'Changes what the body names. Another `url`, or `enabled: true` for one that was disabled, starts anew: `failing_since` is null again, and what waits is sent at once; what has failed for good meanwhile is sent by a replay of `failed`.',
    access: 'write:*',
    parameters: id,
    body: updateWebhookEndpointSchema,
    collectsErrors: true,
    bodyExample: { types: ['subscription.confirmed', 'subscription.ended'], enabled: true },
    response: {
      status: 200,
      description: 'The webhook endpoint as it stands now.',
      schema: webhookEndpointSchema,
    },
    problems: [problems.precondition_failed],
  },
  deleteWebhookEndpoint: {
    operationId: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/webhook-endpoints/:id',
    tag,
    summary: 'Delete a webhook endpoint',
    description:
      'Nothing is sent there any more; what waited for it is dropped. Its deliveries are removed soon afterwards.',
    access: 'write:*',
    parameters: id,
    response: { status: 204, description: 'It is gone.' },
    problems: [problems.precondition_failed],
  },
  rotateWebhookSecret: {
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhook-endpoints/:id/rotate-secret',
    tag,
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Answers a new secret, this once. Until `overlap` is over (a day when absent, at most `P7D`), each delivery carries the signatures of both; a secret before the present one signs no longer. `PT0S` ends the present one at once.',
    access: 'write:*',
    parameters: id,
    body: rotateSecretSchema,
    isBodyOptional: true,
    bodyExample: { overlap: 'P1D' },
    response: {
      status: 200,
      description: 'The webhook endpoint with its new secret.',
      schema: webhookEndpointWithSecretSchema,
    },
    problems: [problems.precondition_failed],
  },
} satisfies Record<string, RouteContract>;

/** The routes of webhook endpoints. */
export function createWebhookEndpointRoutes(
  given: Omit<ReadEndpointDependencies, 'countBacklogs'> & WriteEndpointDependencies,
): Route[] {
  const dependencies = { ...given, countBacklogs: createBacklogCounter(given.database) };
  return [
    route(contracts.listWebhookEndpoints, (request) => handleListWebhookEndpoints(dependencies, request)),
    route<CreateWebhookEndpoint>(contracts.createWebhookEndpoint, (request) =>
      handleCreateWebhookEndpoint(dependencies, request),
    ),
    route(contracts.readWebhookEndpoint, (request) => handleReadWebhookEndpoint(dependencies, request)),
    route<UpdateWebhookEndpoint>(contracts.updateWebhookEndpoint, (request) =>
      handleUpdateWebhookEndpoint(dependencies, request),
    ),
    route(contracts.deleteWebhookEndpoint, (request) => handleDeleteWebhookEndpoint(dependencies, request)),
    route<RotateSecret>(contracts.rotateWebhookSecret, (request) => handleRotateSecret(dependencies, request)),
  ];
}
