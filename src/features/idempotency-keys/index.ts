import { Type } from 'typebox';
import { readIdempotencyRecord, type IdempotencyRecord, UNANSWERED } from '#platform/database/idempotency.ts';
import type { Database } from '#platform/database/pool.ts';
import { route, type Answer, type Request, type Route } from '#platform/http/contract.ts';
import { readIdempotencyKey } from '#platform/http/headers.ts';
import { IDEMPOTENCY_DAYS } from '#platform/http/idempotency.ts';
import { encodeJson } from '#platform/http/json.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { notFound } from '#platform/http/problems.ts';
import { enumSchema, instantSchema } from '#platform/http/schema-parts.ts';

/** What became of a request with a key, as it is read. */
export const idempotencyKeySchema = Type.Object(
  {
    object: enumSchema(['idempotency_key'], 'Always `idempotency_key`.'),
    key: Type.String({ description: 'The key, without the quotes that it was sent in.', example: 'signup-4711' }),
    method: Type.String({ description: 'Method of the request.', example: 'POST' }),
    path: Type.String({ description: 'Path of the request.', example: '/subscriptions' }),
    response_status: Type.Integer({ description: 'Status it was answered with.', example: 201 }),
    location: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Path of what it created; null when it created nothing.',
      example: '/subscriptions/sub_01k9zr5x3hf8b9m2t4v6w8y0ac',
    }),
    request_id: Type.String({ description: 'ID of the request.', example: 'req_01k9zr5x3hf8b9m2t4v6w8y0ac' }),
    created_at: instantSchema('When it was answered.'),
    expires_at: instantSchema('Until when the same answer can be had again.'),
  },
  { title: 'IdempotencyKey', additionalProperties: false },
);

/** The route that tells what became of a request with a key. */
export function createIdempotencyKeyRoutes(dependencies: { readonly database: Database }): Route[] {
  return [
    route(
      {
        operationId: 'readIdempotencyKey',
        method: 'GET',
        path: '/idempotency-keys/:key',
        tag: 'Idempotency',
        summary: 'Read what became of a request',
        description:
          'Tells how the request with this `Idempotency-Key` was answered, for 30 days. 404: no such request has been answered in that time, and nothing of it is stored; or the customer or lead whom it was about has been erased since.',
        access: 'read:*',
        parameters: { key: 'The `Idempotency-Key`, percent-encoded, with its quotes or without.' },
        response: { status: 200, description: 'What became of it.', schema: idempotencyKeySchema },
      },
      (request) => handleReadIdempotencyKey(dependencies, request),
    ),
  ];
}

async function handleReadIdempotencyKey({ database }: { database: Database }, request: Request): Promise<Answer> {
  const { caller, parameters } = request;
  const { key = '' } = parameters;
  // PostgreSQL's text cannot hold U+0000, and no key has it.
  const read = async (text: string): Promise<IdempotencyRecord | undefined> =>
    text.includes('\0') ? undefined : readIdempotencyRecord(database, caller.projectId, text);
  // A key can have quotes of its own, so that it is looked for as it stands first.
  const known = (await read(key)) ?? (await read(readIdempotencyKey(key) ?? key));
  if (known === undefined || known.body === UNANSWERED) throw notFound();
  const body = present(known);
  return { status: 200, body, headers: { etag: entityTag(body) } };
}

function present({ key, method, path, status, headers, request_id, created_at }: IdempotencyRecord): string {
  const { location } = JSON.parse(headers) as { location?: string };
  const expiresAt = Temporal.Instant.from(created_at).add({ hours: 24 * IDEMPOTENCY_DAYS });
  return encodeJson({
    object: 'idempotency_key',
    key,
    method,
    path,
    response_status: status,
    location: location ?? null,
    request_id,
    created_at,
    expires_at: expiresAt.toString({ smallestUnit: 'second' }),
  });
}
