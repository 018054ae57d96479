import { Type } from 'typebox';
import type { OpenApiNode } from '#platform/http/openapi.ts';
import { eventSchema } from '../event-schema.ts';
import { testEventSchema } from '../webhooks/index.ts';

const header = (name: string, description: string): OpenApiNode => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** What the service sends to webhook endpoints, as OpenAPI 3.1 describes what is asked of its readers. */
export const WEBHOOKS: OpenApiNode = {
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Webhooks'],
      summary: 'Receive an event',
      description:
        'Sent to each endpoint that wants the type. Verify the signature over the body as it came, deal with each `webhook-id` once, and answer at once.',
      security: [],
      parameters: [
        header('webhook-id', 'ID of the event, the same in every attempt.'),
        header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
        header(
          'webhook-signature',
          '`v1,` and the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64; two with a blank between while a secret is rotated.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: Type.Union([eventSchema, testEventSchema]) } },
      },
      responses: {
        '2XX': { description: 'It is taken.' },
        410: { description: 'The endpoint is gone: it is disabled.' },
        default: { description: 'It is sent again later.' },
      },
    },
  },
};
