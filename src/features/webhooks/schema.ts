import { Type, type Static } from 'typebox';
import { API_VERSIONS } from '#platform/http/headers.ts';
import { enumSchema, idSchema, instantSchema, listSchema, nullable } from '#platform/http/schema-parts.ts';

/** Why an endpoint is disabled. */
export const DISABLED_REASONS = ['requested', 'failing', 'gone'] as const;

const MAX_TYPES = 50;

const url = Type.Unsafe<string>({
  type: 'string',
  description:
    'Where events are sent to: an https URL of the public internet, without user name, password and fragment, at most 2000 characters, port 443 or one that the operator allows. Sandbox projects may use http on port 80.',
  example: 'https://example.com/webhooks',
});
const types = Type.Unsafe<string[]>({
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: MAX_TYPES,
  uniqueItems: true,
  description: 'The types of events that are sent, also `subscription.*`; `*`: all.',
  example: ['subscription.*'],
});
const description = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 2000,
  description: 'What the endpoint is for.',
  example: 'Our CRM',
});
const enabled = Type.Boolean({
  description: 'Whether events are sent. What happens meanwhile is sent when it is enabled again.',
  example: true,
});
const apiVersion = enumSchema(API_VERSIONS, 'The version of the interface that its events are written in.');

const members = {
  object: enumSchema(['webhook_endpoint'], 'Always `webhook_endpoint`.'),
  id: idSchema('whe', 'Unique webhook endpoint identifier.'),
  url,
  types,
  description,
  enabled,
  api_version: apiVersion,
  previous_secret_expires_at: nullable(
    instantSchema('Until then the secret before the last rotation signs too; null: it does not.'),
  ),
  status: Type.Object(
    {
      backlog: Type.Integer({
        description: 'Events that wait to be sent, counted up to 10000.',
        example: 0,
      }),
      failing_since: nullable(instantSchema('Since when every attempt fails; null: the last one succeeded.')),
      last_success_at: nullable(instantSchema('When an attempt last succeeded; null: never yet.')),
      disabled_reason: nullable(
        enumSchema(
          DISABLED_REASONS,
          '`requested`: by `enabled: false`; `failing`: nothing but failures for five days; `gone`: it answered 410; null: it is enabled.',
        ),
      ),
    },
    { additionalProperties: false, description: 'How sending goes. It is no part of the state that `If-Match` means.' },
  ),
  created_at: instantSchema('Creation time.'),
  updated_at: instantSchema('Time of the last change by a request.'),
};

/** An endpoint as it is read. */
export const webhookEndpointSchema = Type.Object(members, { title: 'WebhookEndpoint', additionalProperties: false });

/** An endpoint with its new secret, which is shown this once. */
export const webhookEndpointWithSecretSchema = Type.Object(
  {
    ...members,
    secret: Type.Unsafe<string>({
      type: 'string',
      pattern: '^whsec_[A-Za-z0-9+/]+=*$',
      description: 'Signs what is sent, as Standard Webhooks says. Shown this once.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
  },
  { title: 'WebhookEndpointWithSecret', additionalProperties: false },
);

/** The body that creates an endpoint. */
export const createWebhookEndpointSchema = Type.Object(
  {
    url,
    types: Type.Optional(types),
    description: Type.Optional(description),
    enabled: Type.Optional(enabled),
    api_version: Type.Optional(apiVersion),
  },
  { title: 'WebhookEndpointCreation', additionalProperties: false },
);
export type CreateWebhookEndpoint = Static<typeof createWebhookEndpointSchema>;

/** The body that changes an endpoint; what is absent stays. */
export const updateWebhookEndpointSchema = Type.Object(
  {
    url: Type.Optional(url),
    types: Type.Optional(types),
    description: Type.Optional(description),
    enabled: Type.Optional(enabled),
    api_version: Type.Optional(apiVersion),
  },
  { title: 'WebhookEndpointChange', additionalProperties: false, minProperties: 1 },
);
export type UpdateWebhookEndpoint = Static<typeof updateWebhookEndpointSchema>;

/** The body that rotates a secret. */
export const rotateSecretSchema = Type.Object(
  {
    overlap: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        format: 'overlap',
        description:
          'How long the present secret signs too, ISO 8601, at most `P7D`; `P1D` when absent, `PT0S`: no longer.',
        example: 'P1D',
      }),
    ),
  },
  { title: 'SecretRotation', additionalProperties: false },
);
export type RotateSecret = Static<typeof rotateSecretSchema>;

/** A page of webhook endpoints. */
export const webhookEndpointListSchema = listSchema('WebhookEndpointList', webhookEndpointSchema);

/** What a test of an endpoint sends it. */
export const testEventSchema = Type.Object(
  {
    object: enumSchema(['event'], 'Always `event`.'),
    id: idSchema('evt', 'ID that no event of the feed has.'),
    type: enumSchema(['webhook_endpoint.test'], 'Always `webhook_endpoint.test`.'),
    timestamp: instantSchema('When it was sent.'),
    sequence: Type.Null({ description: 'It is not counted.' }),
    request_id: Type.String({ description: 'The request that asked for the test.' }),
    data: Type.Object(
      {
        webhook_endpoint: Type.Object({ id: idSchema('whe', 'The endpoint.') }, { additionalProperties: false }),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'WebhookTestEvent', additionalProperties: false },
);
