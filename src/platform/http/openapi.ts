import type { RouteContract } from './contract.ts';
import { operatorsOf } from './filters.ts';
import { API_VERSIONS, MAX_REASON_LENGTH } from './headers.ts';
import { hoist } from './openapi-schemas.ts';
import { problems, type ProblemDefinition } from './problems.ts';

/** JSON of an OpenAPI document, loosely typed: it is checked by a linter, not by the compiler. */
export type OpenApiNode = Readonly<Record<string, unknown>>;

/** What the document says beyond the contracts. */
export interface OpenApiParts {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Path items written by hand, for routes that do not speak JSON under a bearer token. */
  readonly paths: OpenApiNode;
}

/** The OpenAPI 3.1 document of these routes. Schemas with a `title` become components of that name. */
export function buildOpenApi(contracts: readonly RouteContract[], parts: OpenApiParts): OpenApiNode {
  const components = new Map<string, unknown>([['Problem', problemSchema]]);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of contracts) {
    const path = contract.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    (paths[path] ??= {})[contract.method.toLowerCase()] = operation(contract, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: parts.title,
      version: parts.version,
      description: parts.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ access_token: [] }],
    tags: parts.tags,
    paths: { ...parts.paths, ...paths },
    components: {
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      securitySchemes: {
        access_token: {
          type: 'oauth2',
          description: 'OAuth 2.0 client credentials; the access token goes into `Authorization: Bearer …`.',
          flows: {
            clientCredentials: {
              tokenUrl: '/oauth/token',
              refreshUrl: '/oauth/token',
              scopes: { 'read:*': 'Read everything of the project.', 'write:*': 'Change everything of the project.' },
            },
          },
        },
        client_basic: {
          type: 'http',
          scheme: 'basic',
          description: 'Client id and secret; only for `/oauth/*`, and only from a server.',
        },
      },
    },
  };
}

function operation(contract: RouteContract, components: Map<string, unknown>): OpenApiNode {
  const { operationId, tag, summary, description, access, body, bodyExample, response } = contract;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: access === 'public' ? [] : [{ access_token: [access] }],
    parameters: parametersOf(contract),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: contract.isBodyOptional !== true,
            content: { 'application/json': { schema: hoist(body, components), ...exampleOf(bodyExample) } },
          },
        }),
    responses: {
      ...Object.fromEntries(
        [response, ...(contract.alsoAnswers ?? [])].map(({ status, description, schema }) => [
          status,
          {
            description,
            headers: status === 201 ? createdHeaders : commonHeaders,
            ...(schema === undefined ? {} : { content: { 'application/json': { schema: hoist(schema, components) } } }),
          },
        ]),
      ),
      ...(hasTag(contract)
        ? { 304: { description: 'The state that `If-None-Match` names is the present one.', headers: commonHeaders } }
        : {}),
      ...refusals(contract),
    },
  };
}

/** Whether a single resource is read, which has an entity tag. */
function hasTag({ method, operationId }: Pick<RouteContract, 'method' | 'operationId'>): boolean {
  return method === 'GET' && operationId.startsWith('read');
}

function exampleOf(example: unknown): OpenApiNode {
  return example === undefined ? {} : { example };
}

/** Every refusal the route can answer, gathered by status. */
function refusals(contract: RouteContract): OpenApiNode {
  const { access, method, parameters, problems: own = [] } = contract;
  const known: ProblemDefinition[] = [problems.validation_failed, problems.not_acceptable, ...own];
  if (access !== 'public') known.push(problems.unauthorized, problems.insufficient_scope, problems.rate_limited);
  if (parameters !== undefined) known.push(problems.not_found);
  if (method !== 'GET') known.push(problems.payload_too_large, problems.unsupported_media_type);
  if (method !== 'GET') known.push(problems.idempotency_key_reused, problems.idempotency_request_in_progress);
  known.push(problems.internal_error, problems.service_unavailable);
  const byStatus = Map.groupBy(known, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, definitions]) => [
        status,
        {
          description: definitions.map(({ code, title }) => `\`${code}\`: ${title}.`).join(' '),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
  );
}

function parametersOf(contract: RouteContract): OpenApiNode[] {
  const query = (name: string, description: string, schema: unknown, more: OpenApiNode = {}): OpenApiNode => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
    ...more,
  });
  const list: OpenApiNode[] = Object.entries(contract.parameters ?? {}).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  for (const [name, { description, schema }] of Object.entries(contract.query ?? {})) {
    list.push(query(name, description, schema));
  }
  if (contract.paged === true) {
    list.push(
      query('limit', 'How many items a page has.', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
      query('cursor', 'The `next_page` of the page before; only with the same filters.', { type: 'string' }),
    );
  }
  for (const [field, type] of Object.entries(contract.filters ?? {})) {
    for (const operator of operatorsOf(type)) {
      const name = type.kind === 'key' ? `${field}.{key}` : field;
      list.push(query(`filter[${name}][${operator}]`, filterDescription(name, operator), filterSchema(type, operator)));
    }
  }
  if (contract.expand !== undefined) {
    list.push(
      query(
        'expand[]',
        'Shows the object in the place of its ID; can be repeated.',
        { type: 'array', items: { type: 'string', enum: contract.expand } },
        { style: 'form', explode: true },
      ),
    );
  }
  return [...list, ...headerParameters(contract)];
}

function filterDescription(field: string, operator: string): string {
  const readings: Record<string, string> = {
    eq: 'is this value',
    ne: 'is another value, or none',
    in: 'is one of these values, separated by commas',
    gt: 'is after this',
    gte: 'is this or after',
    lt: 'is before this',
    lte: 'is this or before',
    is_null: 'has no value (`true`) or one (`false`)',
  };
  return `Only those whose \`${field}\` ${readings[operator] ?? operator}.`;
}

function filterSchema(type: { kind: string; values?: readonly string[] }, operator: string): OpenApiNode {
  if (operator === 'is_null') return { type: 'boolean' };
  if (operator === 'in') return { type: 'string' };
  if (type.kind === 'enum') return { type: 'string', enum: type.values };
  return type.kind === 'instant' ? { type: 'string', format: 'date-time' } : { type: 'string' };
}

function headerParameters({ method, access, operationId, problems: own }: RouteContract): OpenApiNode[] {
  const header = (name: string, description: string, schema: OpenApiNode): OpenApiNode => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  });
  const list = [
    header('X-API-Version', 'Version of the interface; absent: the one the credential is pinned to.', {
      type: 'string',
      enum: [...API_VERSIONS],
    }),
    header('X-Client-Request-Id', 'The caller’s own id of the request; echoed and logged.', {
      type: 'string',
      minLength: 1,
      maxLength: 200,
    }),
  ];
  if (method !== 'GET' && access !== 'public') {
    list.push(
      header('Idempotency-Key', 'Makes repeating the request safe for 30 days: the same answer comes back.', {
        type: 'string',
        minLength: 1,
        maxLength: 255,
      }),
      header('X-Reason', 'Why the change is made; kept in the audit log.', {
        type: 'string',
        minLength: 1,
        maxLength: MAX_REASON_LENGTH,
      }),
    );
  }
  if (own?.includes(problems.precondition_failed) === true) {
    list.push(header('If-Match', 'Change only this state (an `ETag`).', { type: 'string' }));
  }
  if (hasTag({ method, operationId })) {
    list.push(
      header('If-None-Match', 'Answer 304 when this state (an `ETag`) is the present one.', { type: 'string' }),
    );
  }
  return list;
}

const commonHeaders = {
  'X-Request-Id': { description: 'Our id of the request (`req_…`).', schema: { type: 'string' } },
  'X-API-Version': { description: 'The version that answered.', schema: { type: 'string' } },
};
const createdHeaders = {
  ...commonHeaders,
  Location: { description: 'Path of what was created.', schema: { type: 'string' } },
  ETag: { description: 'Strong entity tag of what was created.', schema: { type: 'string' } },
};

const problemSchema = {
  type: 'object',
  description: 'A refusal, as RFC 9457 with extension members.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'],
  properties: {
    type: { type: 'string', description: 'URL of the page about the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'One of the codes listed at `/docs/errors`.', example: 'invalid_iban' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      description: 'Every wrong member of the request.',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: {
          field: {
            type: 'string',
            description: 'JSON Pointer into the body, `?name` for a query parameter, `#Name` for a header.',
            example: '/payment_method/sepa_debit/iban',
          },
          code: { type: 'string', example: 'invalid_iban' },
          message: { type: 'string' },
        },
      },
    },
  },
};
