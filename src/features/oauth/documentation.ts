/**
 * The OAuth endpoints in the words of OpenAPI 3.1. They are written by hand because they follow RFCs, not our own
 * conventions: form bodies, other error bodies, client credentials instead of a token.
 */

import { UNKNOWN_CLIENT } from './outcome.ts';
import { ACCESS_TOKEN_SECONDS } from './tokens.ts';

type Json = Readonly<Record<string, unknown>>;

const TAGS = ['Authentication'];
const CLIENT = [{ client_basic: [] }];

const CLIENT_PARAMETERS = {
  client_id: { type: 'string', description: 'Client id, where the `Authorization` header is not used.' },
  client_secret: { type: 'string', description: 'Client secret, where the `Authorization` header is not used.' },
};

const TOKEN_PARAMETERS = {
  token: { type: 'string', description: 'An access or a refresh token.' },
  token_type_hint: {
    type: 'string',
    description: '`access_token` or `refresh_token`. Accepted and not needed: tokens tell their kind.',
  },
  ...CLIENT_PARAMETERS,
};

const ACCESS_TOKEN = 'es_at_8xLOxBtZp8GZ0fUzWvV1c2n0h9u1m3q5s7w9yAbCdEf';
const REFRESH_TOKEN = 'es_rt_tGzv3JOkF0XG5Qx2TlKWIA0b1c2d3e4f5g6h7i8j9k0';

const COMMON_HEADERS = {
  'X-Request-Id': { description: 'Names this request in the log.', schema: { type: 'string' } },
  'X-API-Version': { description: 'The version that answered.', schema: { type: 'string' } },
  'X-Client-Request-Id': {
    description: 'The caller’s own id of the request; absent when none was sent.',
    schema: { type: 'string' },
  },
};

/** Of every answer once the client is known; before, nothing is counted. */
const RATE_LIMIT = {
  RateLimit: {
    description:
      'What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is.',
    schema: { type: 'string' },
  },
};

const HEADERS = {
  'Cache-Control': { description: 'Always `no-store`.', schema: { type: 'string', const: 'no-store' } },
  ...COMMON_HEADERS,
};

function refusal(
  description: string,
  codes: readonly [string, ...string[]],
  example: string,
  headers: Json = {},
  isOfUnknown = false,
): Json {
  return {
    description,
    headers: { ...HEADERS, ...headers, ...(isOfUnknown ? {} : RATE_LIMIT) },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error', 'error_description'],
          properties: {
            error: { type: 'string', enum: codes, description: 'What is wrong, for programs.' },
            error_description: { type: 'string', description: 'What is wrong, for developers.' },
          },
        },
        example: { error: codes[0], error_description: example },
      },
    },
  };
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1, maximum: 60 } },
};

const CHALLENGE = {
  'WWW-Authenticate': { description: 'Always `Basic realm="wattline"`.', schema: { type: 'string' } },
};

/** What every endpoint that asks for client credentials can refuse with, beside its own 400. */
const REFUSALS = {
  '401': refusal(UNKNOWN_CLIENT, ['invalid_client'], UNKNOWN_CLIENT, CHALLENGE, true),
  '413': refusal('The body is larger than 16 KiB.', ['invalid_request'], 'The body is larger than 16 KiB.', {}, true),
  '429': refusal(
    'Too many wrong secrets for this client id from this address, or the credential has used up its allowance. `slow_down` is borrowed from RFC 8628.',
    ['slow_down'],
    'Too many failed attempts with this client id from this address. Wait Retry-After seconds.',
    RETRY_AFTER,
  ),
  '500': refusal(
    'A defect in the service.',
    ['server_error'],
    'Something went wrong on our side. Report the X-Request-Id to the operator.',
  ),
  '503': refusal(
    'The database is away. Nothing is known to be stored; send the request again.',
    ['temporarily_unavailable'],
    'The service is not available right now; nothing is known to be stored. Send the request again.',
    RETRY_AFTER,
  ),
};

function answer(description: string, schema: Json, examples: Json): Json {
  return { description, headers: { ...HEADERS, ...RATE_LIMIT }, content: { 'application/json': { schema, examples } } };
}

/** The form alone, JSON only in the text: of two content types some generators of clients, such as orval, send neither. */
function form(required: readonly string[], properties: Json, examples: Json): Json {
  const schema = { type: 'object', required, properties };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema, examples } } };
}

const TOKEN_RESPONSE = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
  properties: {
    access_token: { type: 'string', description: 'Opaque; goes into `Authorization: Bearer …`.' },
    token_type: { type: 'string', const: 'Bearer', description: 'Always `Bearer`.' },
    expires_in: {
      type: 'integer',
      minimum: 1,
      maximum: ACCESS_TOKEN_SECONDS,
      example: ACCESS_TOKEN_SECONDS,
      description: 'Life of the access token in seconds: 3600, or less where the credential expires sooner.',
    },
    refresh_token: {
      type: 'string',
      description: 'Opaque; valid for 30 days and for one use. Using it again revokes all tokens that stem from it.',
    },
    scope: { type: 'string', description: 'What the access token allows, separated by blanks.' },
  },
};

const token = {
  operationId: 'createToken',
  tags: TAGS,
  summary: 'Get an access token',
  description:
    'Exchanges client credentials (`grant_type=client_credentials`) or a refresh token (`grant_type=refresh_token`) for ' +
    'an access token of 60 minutes, or of less where the credential expires sooner, and a new refresh token. `scope` ' +
    'narrows the access token; with a refresh token it can never exceed what was granted at first. A refresh token ' +
    'works once: using a spent one is taken for theft and revokes all tokens of its family at once. A JSON object is ' +
    'accepted in place of a form.',
  security: CLIENT,
  requestBody: form(
    ['grant_type'],
    {
      grant_type: {
        type: 'string',
        enum: ['client_credentials', 'refresh_token'],
        description: 'What is exchanged for a token.',
      },
      refresh_token: { type: 'string', description: 'Required with `grant_type=refresh_token`.' },
      scope: {
        type: 'string',
        description: '`read:*`, `write:*`, or both separated by a blank. Absent: all that the credential allows.',
      },
      ...CLIENT_PARAMETERS,
    },
    {
      client_credentials: { summary: 'With the credential', value: { grant_type: 'client_credentials' } },
      narrowed: {
        summary: 'For reading only',
        value: { grant_type: 'client_credentials', scope: 'read:*' },
      },
      refresh_token: {
        summary: 'With a refresh token',
        value: { grant_type: 'refresh_token', refresh_token: REFRESH_TOKEN },
      },
    },
  ),
  responses: {
    '200': answer('An access token and the next refresh token.', TOKEN_RESPONSE, {
      token: {
        summary: 'Everything allowed',
        value: {
          access_token: ACCESS_TOKEN,
          token_type: 'Bearer',
          expires_in: ACCESS_TOKEN_SECONDS,
          refresh_token: REFRESH_TOKEN,
          scope: 'read:* write:*',
        },
      },
    }),
    '400': refusal(
      'A parameter is missing, repeated or wrong, or the refresh token cannot be used (any more).',
      ['invalid_grant', 'invalid_request', 'invalid_scope', 'unsupported_grant_type'],
      'The refresh token is unknown, expired, revoked, already used, or of another client.',
    ),
    ...REFUSALS,
    // The client is known where its credential is about to expire.
    '401': refusal(
      `${UNKNOWN_CLIENT} One with less than a second left counts as expired here.`,
      ['invalid_client'],
      UNKNOWN_CLIENT,
      CHALLENGE,
    ),
  },
};

const revoke = {
  operationId: 'revokeToken',
  tags: TAGS,
  summary: 'Revoke a token',
  description:
    'Revokes a token as RFC 7009 says. A refresh token takes all tokens of its family with it; an access token goes ' +
    'alone. A token that is unknown, expired or revoked already is answered with success as well. The revocation is ' +
    'effective within a second in every process. A JSON object is accepted in place of a form.',
  security: CLIENT,
  requestBody: form(['token'], TOKEN_PARAMETERS, {
    refresh_token: {
      summary: 'A refresh token and all that stems from it',
      value: { token: REFRESH_TOKEN, token_type_hint: 'refresh_token' },
    },
  }),
  responses: {
    '200': answer(
      'The token gives no access any more.',
      { type: 'object', description: 'Empty.', properties: {} },
      { done: { summary: 'Done', value: {} } },
    ),
    '400': refusal(
      'The parameter `token` is missing, or the token was issued to another credential of the project.',
      ['invalid_request', 'invalid_grant'],
      'The parameter token is missing.',
    ),
    ...REFUSALS,
  },
};

const INTROSPECTION_RESPONSE = {
  type: 'object',
  required: ['active'],
  properties: {
    active: { type: 'boolean', description: 'Whether the token can be used now. If not, nothing else is told.' },
    scope: { type: 'string', description: 'What the token allows, separated by blanks.' },
    client_id: { type: 'string', description: 'The client it was issued to.' },
    sub: { type: 'string', description: 'The same: a client acts for itself.' },
    token_type: { type: 'string', const: 'Bearer', description: 'Present on access tokens.' },
    iss: { type: 'string', description: 'Who issued it.' },
    iat: { type: 'integer', description: 'When it was issued, in seconds since 1970.' },
    exp: { type: 'integer', description: 'When it expires, in seconds since 1970.' },
  },
};

const introspect = {
  operationId: 'introspectToken',
  tags: TAGS,
  summary: 'Ask about a token',
  description:
    'Tells whether a token is active, and what it allows, as RFC 7662 says. Any credential of a project may ask about ' +
    'any token of that project; tokens of other projects are answered like unknown ones. A JSON object is accepted in ' +
    'place of a form.',
  security: CLIENT,
  requestBody: form(['token'], TOKEN_PARAMETERS, {
    access_token: { summary: 'An access token', value: { token: ACCESS_TOKEN } },
  }),
  responses: {
    '200': answer('What is known about the token.', INTROSPECTION_RESPONSE, {
      active: {
        summary: 'An access token that can be used',
        value: {
          active: true,
          scope: 'read:* write:*',
          client_id: 'crd_01kaj3n2v5e8r9t0w1y2z3a4b5',
          sub: 'crd_01kaj3n2v5e8r9t0w1y2z3a4b5',
          token_type: 'Bearer',
          iss: 'https://energy.example.org',
          iat: 1_795_248_000,
          exp: 1_795_251_600,
        },
      },
      inactive: { summary: 'Anything else', value: { active: false } },
    }),
    '400': refusal('The parameter `token` is missing.', ['invalid_request'], 'The parameter token is missing.'),
    ...REFUSALS,
  },
};

const urlProperty = (description: string): Json => ({ type: 'string', format: 'uri', description });
const listProperty = (description: string): Json => ({ type: 'array', items: { type: 'string' }, description });

const metadata = {
  operationId: 'getAuthorizationServerMetadata',
  tags: TAGS,
  summary: 'Discover the endpoints',
  description: 'Describes this authorization server to OAuth clients that configure themselves (RFC 8414).',
  security: [],
  responses: {
    '200': {
      description: 'The metadata.',
      headers: COMMON_HEADERS,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['issuer', 'token_endpoint', 'response_types_supported'],
            properties: {
              issuer: urlProperty('The base URL of this service.'),
              token_endpoint: urlProperty('Where tokens are issued.'),
              token_endpoint_auth_methods_supported: listProperty('How clients name themselves there.'),
              revocation_endpoint: urlProperty('Where tokens are revoked.'),
              revocation_endpoint_auth_methods_supported: listProperty('How clients name themselves there.'),
              introspection_endpoint: urlProperty('Where tokens are described.'),
              introspection_endpoint_auth_methods_supported: listProperty('How clients name themselves there.'),
              grant_types_supported: listProperty('What can be exchanged for a token.'),
              response_types_supported: listProperty('Empty: there is no authorization endpoint.'),
              scopes_supported: listProperty('The scopes there are.'),
              service_documentation: urlProperty('The documentation for people.'),
            },
          },
        },
      },
    },
    '400': {
      description: 'A header that every route knows is malformed, such as `X-API-Version`.',
      headers: COMMON_HEADERS,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
};

/** Path → path item, ready to be merged into `paths`; needs a security scheme `client_basic`, the schema `Problem`, and the tag. */
export const oauthOperations: Readonly<Record<string, Json>> = {
  '/oauth/token': { post: token },
  '/oauth/revoke': { post: revoke },
  '/oauth/introspect': { post: introspect },
  '/.well-known/oauth-authorization-server': { get: metadata },
};
