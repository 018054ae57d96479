import type { TSchema } from 'typebox';
import { scopesOf, type RouteContract } from './contract.ts';
import { MAX_TEXT, MAX_VALUES, operatorsOf } from './filters.ts';
import { API_VERSIONS, MAX_CLIENT_REQUEST_ID, MAX_IDEMPOTENCY_KEY, MAX_REASON_LENGTH, PRINTABLE } from './headers.ts';
import { hoist, openToMembers } from './openapi-schemas.ts';
import { IDEMPOTENCY_DAYS, REMEMBERED_STATUSES } from './idempotency.ts';
import { problems, type ProblemDefinition } from './problems.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from './query.ts';
import { ASKED_INSTANT } from './schema-parts.ts';

/** JSON of an OpenAPI document, loosely typed: it is checked by a linter, not by the compiler. */
export type OpenApiNode = Readonly<Record<string, unknown>>;

/** What the document says beyond the contracts. */
export interface OpenApiParts {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Path before every path, as clients see it: empty, or such as `/energy`. */
  readonly basePath: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Path items written by hand, for routes that do not speak JSON under a bearer token. */
  readonly paths: OpenApiNode;
  /** What clients are sent, by name: path items as above, with schemas as routes have them. */
  readonly webhooks: OpenApiNode;
}

/** The OpenAPI 3.1 document of these routes. Schemas with a `title` become components of that name. */
export function buildOpenApi(contracts: readonly RouteContract[], parts: OpenApiParts): OpenApiNode {
  const components = new Map<string, unknown>([['Problem', describeProblem(contracts)]]);
  const paths: Record<string, Record<string, unknown>> = {};
  const tagged = new Set(contracts.filter(readsResource).map(({ response }) => objectOf(response.schema)));
  for (const contract of contracts) {
    (paths[templateOf(contract.path)] ??= {})[contract.method.toLowerCase()] = operation(contract, tagged, components);
  }
  const webhooks = hoist(openToMembers(parts.webhooks), components);
  return {
    openapi: '3.1.0',
    info: {
      title: parts.title,
      version: parts.version,
      description: parts.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: parts.basePath === '' ? '/' : parts.basePath }],
    security: [{ access_token: [] }],
    tags: parts.tags,
    paths: { ...parts.paths, ...paths },
    webhooks,
    components: {
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      headers: HEADERS,
      securitySchemes: {
        access_token: {
          type: 'oauth2',
          description: 'OAuth 2.0 client credentials; the access token goes into `Authorization: Bearer …`.',
          flows: {
            clientCredentials: {
              tokenUrl: `${parts.basePath}/oauth/token`,
              refreshUrl: `${parts.basePath}/oauth/token`,
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

/** A path with `:name` as the document names it, with `{name}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:([a-z_]+)/g, '{$1}');
}

/** @param tagged the kinds of resources that have an entity tag */
function operation(
  contract: RouteContract,
  tagged: ReadonlySet<string | undefined>,
  components: Map<string, unknown>,
): OpenApiNode {
  const { operationId, tag, summary, description, access, body, bodyExample, response } = contract;
  const replayed: readonly HeaderName[] = takesKey(contract) ? ['Idempotency-Replayed'] : [];
  const limited: readonly HeaderName[] = access === 'public' ? [] : RATE_LIMIT;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: access === 'public' ? [] : [{ access_token: scopesOf(access) }],
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
        [response, ...(contract.alsoAnswers ?? [])].map(({ status, description, schema, headers }) => [
          status,
          {
            description,
            headers: {
              ...headersNamed([
                ...(status === 201 ? (['Location'] as const) : []),
                ...(status === 201 || tagged.has(objectOf(schema)) ? (['ETag'] as const) : []),
                ...replayed,
                ...limited,
              ]),
              ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, header(text)])),
            },
            ...(schema === undefined
              ? {}
              : { content: { 'application/json': { schema: hoist(openToMembers(schema), components) } } }),
          },
        ]),
      ),
      ...(readsResource(contract)
        ? {
            304: {
              description: 'The state that `If-None-Match` names is the present one.',
              headers: headersNamed(['ETag', ...limited]),
            },
          }
        : {}),
      ...refusals(contract),
    },
  };
}

/** Whether a single resource is read, which has an entity tag. */
function readsResource({ method, operationId, response }: RouteContract): boolean {
  return method === 'GET' && operationId.startsWith('read') && objectOf(response.schema) !== 'list';
}

/** What an answer says it is, in its member `object`. */
function objectOf(schema: TSchema | undefined): string | undefined {
  const shape: { properties?: Readonly<Record<string, { enum?: readonly string[] }>> } | undefined = schema;
  return shape?.properties?.['object']?.enum?.[0];
}

/** Whether an `Idempotency-Key` has an effect. */
function takesKey({ method, access }: RouteContract): boolean {
  return method !== 'GET' && access !== 'public';
}

function exampleOf(example: unknown): OpenApiNode {
  return example === undefined ? {} : { example };
}

const ANY = problems.validation_failed.code;
/** As `invalid` has it. */
const CODE_OF_MEMBERS = '; where all `errors` have one code, that code instead';

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
          description: definitions
            .map(({ code, title }) => `\`${code}\`: ${title}${code === ANY ? CODE_OF_MEMBERS : ''}.`)
            .join(' '),
          headers: headersNamed([
            ...definitions.flatMap(({ code }) => HEADERS_OF_PROBLEMS[code] ?? []),
            ...(takesKey(contract) && REMEMBERED_STATUSES.has(status) ? (['Idempotency-Replayed'] as const) : []),
            ...(access === 'public' || BEFORE_RATE_LIMIT.has(status) ? [] : RATE_LIMIT),
          ]),
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
      query('limit', 'How many items a page has.', {
        type: 'integer',
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
      }),
      query('cursor', 'The `next_page` of the page before; only with the same filters.', { type: 'string' }),
    );
  }
  for (const [field, type] of Object.entries(contract.filters ?? {})) {
    for (const operator of operatorsOf(type)) {
      const name = type.kind === 'key' ? `${field}.{key}` : field;
      const description = filterDescription(name, operator) + (type.kind === 'key' ? KEY_VALUES : '');
      list.push(query(`filter[${name}][${operator}]`, description, filterSchema(type, operator)));
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

/** What a filter on keys of metadata compares. */
const KEY_VALUES = ' Texts, `true`, `false`, and numbers as they were written can be found.';

function filterDescription(field: string, operator: string): string {
  const readings: Record<string, string> = {
    eq: 'is this value',
    ne: 'is another value, or none',
    in: `is one of these values, separated by commas, ${MAX_VALUES} at most`,
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
  if (type.kind === 'instant') return ASKED_INSTANT;
  return { type: 'string', ...(type.kind === 'id' ? {} : { maxLength: MAX_TEXT }) };
}

function headerParameters(contract: RouteContract): OpenApiNode[] {
  const parameter = (name: string, description: string, schema: OpenApiNode): OpenApiNode => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  });
  const list = [
    parameter('X-API-Version', 'Version of the interface; absent: the one the credential is pinned to.', {
      type: 'string',
      enum: [...API_VERSIONS],
    }),
    parameter('X-Client-Request-Id', 'The caller’s own id of the request; echoed and logged.', {
      type: 'string',
      minLength: 1,
      maxLength: MAX_CLIENT_REQUEST_ID,
      pattern: PRINTABLE.source,
    }),
  ];
  if (takesKey(contract)) {
    list.push(
      parameter(
        'Idempotency-Key',
        `Makes repeating the request safe for ${IDEMPOTENCY_DAYS} days: the same answer comes back.`,
        { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY, pattern: PRINTABLE.source },
      ),
      parameter('X-Reason', 'Why the change is made: its entry in the audit log keeps it, unless it is an erasure.', {
        type: 'string',
        minLength: 1,
        maxLength: MAX_REASON_LENGTH,
      }),
    );
  }
  if (contract.problems?.includes(problems.precondition_failed) === true) {
    list.push(parameter('If-Match', 'Change only this state (an `ETag`).', { type: 'string' }));
  }
  if (readsResource(contract)) {
    list.push(
      parameter('If-None-Match', 'Answer 304 when this state (an `ETag`) is the present one.', { type: 'string' }),
    );
  }
  return list;
}

function header(description: string, schema: OpenApiNode = { type: 'string' }): OpenApiNode {
  return { description, schema };
}

const HEADERS = {
  'X-Request-Id': header('Our id of the request (`req_…`).'),
  'X-API-Version': header('The version that answered.'),
  'X-Client-Request-Id': header('The caller’s own id of the request; absent when none was sent.'),
  Location: header('Path of what was created.'),
  ETag: header('Strong entity tag of the resource, for `If-Match` and `If-None-Match`.'),
  'Idempotency-Replayed': header('`true` when the answer to an earlier request with the same key comes back.', {
    type: 'string',
    enum: ['true'],
  }),
  'WWW-Authenticate': header('What access takes, as RFC 6750 says.'),
  'Retry-After': header('Seconds after which the same request may succeed.', { type: 'integer', minimum: 0 }),
  'Accept-Encoding': header('`identity` when the body was compressed.'),
  RateLimit: header('What is left: `r` requests, and in `t` seconds all of them; absent when nothing is limited.'),
  'RateLimit-Policy': header('What is allowed: `q` requests in `w` seconds; absent when nothing is limited.'),
};
type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];
/** Refusals of requests whose credential is not known yet, and so are not counted. */
const BEFORE_RATE_LIMIT: ReadonlySet<number> = new Set([401, 406]);

/** What refusals come with beyond the headers of every answer. */
const HEADERS_OF_PROBLEMS: Readonly<Record<string, readonly HeaderName[]>> = {
  [problems.unauthorized.code]: ['WWW-Authenticate'],
  [problems.insufficient_scope.code]: ['WWW-Authenticate'],
  [problems.unsupported_media_type.code]: ['Accept-Encoding'],
  [problems.idempotency_request_in_progress.code]: ['Retry-After'],
  [problems.rate_limited.code]: ['Retry-After'],
  [problems.service_unavailable.code]: ['Retry-After'],
};

/** Headers by reference, with those of every answer before them. */
export function headersNamed(names: readonly HeaderName[]): OpenApiNode {
  const all: readonly HeaderName[] = ['X-Request-Id', 'X-API-Version', 'X-Client-Request-Id', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A refusal, with all members that those of these routes have. */
function describeProblem(contracts: readonly RouteContract[]): OpenApiNode {
  const members = contracts.flatMap(({ problems: own = [] }) => own).map((definition) => definition.members ?? {});
  return { ...problemSchema, properties: Object.assign({}, problemSchema.properties, ...members) as OpenApiNode };
}

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
      description:
        'Every wrong member of the request; of a 409 or 422 those that the present state does not permit, if any.',
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
