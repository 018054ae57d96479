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
          .headers({ 'retry-after': '1', 'content-type': 'application/json; charset=utf-8' })
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
        200: { description: 'The process lives.', content: status('ok') },
        406: { description: 'Cannot answer in what is accepted.' },
      },
    },
  },
  '/ready': {
    get: {
      operationId: 'readReadiness',
      tags: ['Operations'],
      summary: 'Read readiness',
      description:
        'Whether the database is reachable, its migrations are applied, and the service is not shutting down.',
      security: [],
      responses: {
        200: { description: 'Requests are welcome.', content: status('ready') },
        406: { description: 'Cannot answer in what is accepted.' },
        503: { description: 'Not ready; `reason` tells why.', content: status('not_ready') },
      },
    },
  },
};
