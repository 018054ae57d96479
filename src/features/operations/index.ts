import { headersNamed } from '#platform/http/openapi.ts';
import { RETRY_SOON } from '#platform/http/problems.ts';
import type { PlainRoute } from '#platform/http/server.ts';
import { isReady, type Readiness } from '#platform/readiness.ts';

/** `GET /health` and `GET /ready`, for whoever watches the process. */
export function createOperationsRoutes(readiness: Readiness): PlainRoute[] {
  return [
    {
      method: 'GET',
      path: '/health',
      handle: async (_request, reply) => reply.type('application/json; charset=utf-8').send('{"status":"ok"}'),
    },
    {
      method: 'GET',
      path: '/ready',
      handle: async (_request, reply) => {
        const { ready, reason } = await isReady(readiness);
        if (ready) return reply.type('application/json; charset=utf-8').send('{"status":"ready"}');
        return reply
          .code(503)
          .headers({ ...RETRY_SOON, 'content-type': 'application/json; charset=utf-8' })
          .send(JSON.stringify({ status: 'not_ready', reason }));
      },
    },
  ];
}

const status = (value: string): object => ({
  'application/json': {
    schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', example: value } } },
  },
});

const malformed = {
  description: 'A header that every route knows is malformed, such as `X-API-Version`.',
  headers: headersNamed([]),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** These routes in OpenAPI. */
export const operationsPaths = {
  '/health': {
    get: {
      operationId: 'readHealth',
      tags: ['Operations'],
      summary: 'Read liveness',
      description: 'Answers as long as the process lives, whatever the database does.',
      security: [],
      responses: {
        200: { description: 'The process lives.', headers: headersNamed([]), content: status('ok') },
        400: malformed,
      },
    },
  },
  '/ready': {
    get: {
      operationId: 'readReadiness',
      tags: ['Operations'],
      summary: 'Read readiness',
      description:
        'Whether the database is reachable and takes writes, its migrations are applied, and the service is not shutting down.',
      security: [],
      responses: {
        200: { description: 'Requests are welcome.', headers: headersNamed([]), content: status('ready') },
        400: malformed,
        503: {
          description: 'Not ready; `reason` tells why.',
          headers: headersNamed(['Retry-After']),
          content: status('not_ready'),
        },
      },
    },
  },
};
