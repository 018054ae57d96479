/** Who can put a refused request right. */
export type ProblemActor = 'caller' | 'operator' | 'nobody';

/** A documented refusal: one code, one meaning, one status. */
export interface ProblemDefinition {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly actor: ProblemActor;
  /** Whether the same request may succeed later without being changed. */
  readonly retry: boolean;
  /** Further members of its body (RFC 9457 §3.2): the schema of each. */
  readonly members?: Readonly<Record<string, object>>;
}

/** One member of the request that is wrong. */
export interface FieldError {
  /** JSON Pointer into the body, `?name` for a query parameter, `#Header-Name` for a header. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The meaning of a field code. */
export interface FieldCodeDefinition {
  readonly code: string;
  readonly cause: string;
  readonly fix: string;
}

type Described = Omit<ProblemDefinition, 'code'>;

/** Names each definition by its key, so that a code is written once. */
export function defineProblems<Code extends string>(table: Record<Code, Described>): Record<Code, ProblemDefinition> {
  const entries = Object.entries<Described>(table).map(([code, rest]) => [code, { code, ...rest }]);
  return Object.fromEntries(entries) as Record<Code, ProblemDefinition>;
}

/** Refusals that any service over HTTP knows. */
export const problems = defineProblems({
  validation_failed: {
    status: 400,
    title: 'The request is not valid',
    cause: 'One or more members of the request are missing, unknown or wrong; `errors` names each.',
    fix: 'Correct every member that `errors` names and send the request again.',
    actor: 'caller',
    retry: false,
  },
  invalid_url: {
    status: 400,
    title: 'The URL is not valid',
    cause:
      'The path or query is not percent-encoded UTF-8, the query holds U+0000 (`%00`), or a fragment (`#`) is sent with them.',
    fix: 'Percent-encode the URL as RFC 3986 says, without `%00`.',
    actor: 'caller',
    retry: false,
  },
  bad_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    cause:
      'The request cannot be understood as HTTP/1.1, has `Host`, `Authorization` or `Content-Type` twice, or another `Transfer-Encoding` than `chunked`.',
    fix: 'Use a conforming HTTP client.',
    actor: 'caller',
    retry: false,
  },
  unauthorized: {
    status: 401,
    title: 'A valid access token is needed',
    cause: 'The access token is missing, malformed, unknown, expired or revoked.',
    fix: 'Ask for a new access token at `POST /oauth/token` and send it as `Authorization: Bearer …`.',
    actor: 'caller',
    retry: false,
  },
  insufficient_scope: {
    status: 403,
    title: 'The token does not allow this',
    cause: 'The scope of the access token does not cover this operation.',
    fix: 'Use a token with the scopes named in `WWW-Authenticate`.',
    actor: 'caller',
    retry: false,
  },
  not_found: {
    status: 404,
    title: 'Does not exist',
    cause: 'There is no such route, or no such resource in this project.',
    fix: 'Check the path and the identifier.',
    actor: 'caller',
    retry: false,
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    cause: 'The route exists, but not with this method; `Allow` names those it has.',
    fix: 'Use one of the methods in `Allow`.',
    actor: 'caller',
    retry: false,
  },
  not_acceptable: {
    status: 406,
    title: 'Cannot answer in what is accepted',
    cause: 'The `Accept` header excludes `application/json`.',
    fix: 'Send `Accept: application/json`, or none.',
    actor: 'caller',
    retry: false,
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    cause: 'The headers took longer than 10 seconds to arrive, or the whole request longer than 20.',
    fix: 'Send the request again, over a better connection.',
    actor: 'caller',
    retry: true,
  },
  idempotency_request_in_progress: {
    status: 409,
    title: 'A request with this key is still running',
    cause: 'Another request with the same `Idempotency-Key` has not been answered yet.',
    fix: 'Send the same request again after `Retry-After` seconds.',
    actor: 'caller',
    retry: true,
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    cause: '`If-Match` does not name the present state, or names it by a weak tag (`W/…`).',
    fix: 'Read the resource again, and decide anew. A proxy that compresses makes tags weak: send them without `W/`.',
    actor: 'caller',
    retry: false,
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    cause: 'The body is larger than 256 KiB, or than 16 KiB at `/oauth/*`.',
    fix: 'Send a smaller body.',
    actor: 'caller',
    retry: false,
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not JSON',
    cause: 'The `Content-Type` is not `application/json` in UTF-8, or the body is compressed.',
    fix: 'Send JSON with `Content-Type: application/json`, and no `Content-Encoding`.',
    actor: 'caller',
    retry: false,
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation cannot be met',
    cause: 'The `Expect` header asks for something else than `100-continue`.',
    fix: 'Send no `Expect` header.',
    actor: 'caller',
    retry: false,
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The key belongs to another request',
    cause:
      'This `Idempotency-Key` was used before with another method, path, query or body; bodies are compared byte by byte.',
    fix: 'Use a new key for a new request; send a repeated request unchanged.',
    actor: 'caller',
    retry: false,
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause:
      'The credential has used up its allowance, or too much of what is asked for is on its way; `detail` says which.',
    fix: 'Wait `Retry-After` seconds.',
    actor: 'caller',
    retry: true,
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause: 'The request line and headers together are larger than 16 KiB, or there are more than 100 headers.',
    fix: 'Send fewer or shorter headers.',
    actor: 'caller',
    retry: false,
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    cause: 'A defect in the service. The log holds its cause under the request id.',
    fix: 'Report the request id to the operator. A request with an `Idempotency-Key` may be repeated.',
    actor: 'operator',
    retry: true,
  },
  service_unavailable: {
    status: 503,
    title: 'The service is not available right now',
    cause:
      'The database is away or the service is overloaded or shutting down. Nothing was stored, unless the database went away during the commit, which may have gone through all the same.',
    fix: 'Send the same request again after `Retry-After` seconds, with the same `Idempotency-Key`.',
    actor: 'operator',
    retry: true,
  },
});

/** Codes of single members that any API over JSON knows. */
export const fieldCodes = {
  required: { cause: 'The member is missing.', fix: 'Send it.' },
  unknown_field: { cause: 'The body has a member that is not documented.', fix: 'Remove it; check its spelling.' },
  unknown_parameter: { cause: 'The query has a parameter that is not documented.', fix: 'Remove it.' },
  invalid_parameter: {
    cause: 'A query parameter has a value it cannot have.',
    fix: 'See the parameter’s description.',
  },
  unknown_filter: {
    cause: 'There is no filter on that field, or not with that operator.',
    fix: 'See the list’s filters.',
  },
  invalid_filter: { cause: 'The value of a filter does not fit its field.', fix: 'See the filter’s type.' },
  invalid_cursor: {
    cause: 'The cursor is cut, altered, of another list, or the filters have changed since it was issued.',
    fix: 'Start again without a cursor.',
  },
  unknown_api_version: { cause: '`X-API-Version` names no version.', fix: 'Send `2026-11-21` or no such header.' },
  invalid_header: { cause: 'A header has a value it cannot have.', fix: 'See the header’s description.' },
  invalid_type: { cause: 'The member has another JSON type than documented.', fix: 'Send the documented type.' },
  invalid_value: {
    cause: 'The member is none of the allowed values.',
    fix: 'Send one of the values that `message` names.',
  },
  invalid_format: { cause: 'The text does not have the documented form.', fix: 'See the member’s description.' },
  out_of_range: { cause: 'The number is outside its limits.', fix: 'See the limits in `message`.' },
  too_short: { cause: 'The text or array is shorter than allowed.', fix: 'See the limit in `message`.' },
  too_long: { cause: 'The text or array is longer than allowed.', fix: 'See the limit in `message`.' },
  too_large: { cause: 'The member is larger than allowed.', fix: 'See the limit in `message`.' },
  blank: { cause: 'The text has no visible character.', fix: 'Send a text that can be read.' },
  not_allowed: {
    cause: 'The member does not go with the others.',
    fix: 'Remove it, or change the member it depends on.',
  },
  invalid_reference: {
    cause: 'The identifier names nothing in this project.',
    fix: 'Send the id of an existing resource.',
  },
  invalid_json: { cause: 'The body is not JSON.', fix: 'Send one JSON value as RFC 8259 says.' },
  invalid_utf8: { cause: 'The body is not UTF-8.', fix: 'Encode the body in UTF-8.' },
  invalid_unicode: { cause: 'A text holds half of a surrogate pair.', fix: 'Send whole characters.' },
  null_character: { cause: 'A text holds the character U+0000.', fix: 'Remove it.' },
  duplicate_key: { cause: 'An object has the same member twice.', fix: 'Send each member once.' },
  forbidden_key: { cause: 'An object has a member named `__proto__`.', fix: 'Rename it.' },
  too_deep: { cause: 'Objects and arrays are nested deeper than 64 levels.', fix: 'Flatten the value.' },
  too_many_values: {
    cause: 'The body holds more than 6,000 values, or more than 500 beside `metadata`.',
    fix: 'Send less.',
  },
  number_out_of_range: { cause: 'A number is too large or too small to be held.', fix: 'Send it as text.' },
  number_not_exact: { cause: 'A number has more digits than can be held exactly.', fix: 'Round it.' },
  empty_patch: { cause: 'The body names nothing to change.', fix: 'Name at least one member.' },
} as const satisfies Record<string, Omit<FieldCodeDefinition, 'code'>>;

/** A refusal on its way to the caller. Thrown by operations, rendered in one place. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly definition: ProblemDefinition;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the body, which the definition describes. */
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(
    definition: ProblemDefinition,
    detail: string = definition.cause,
    errors: readonly FieldError[] = [],
    headers: Readonly<Record<string, string>> = {},
    extensions: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.definition = definition;
    this.detail = detail;
    this.errors = errors;
    this.headers = headers;
    this.extensions = extensions;
  }
}

/** Header of a refusal whose reason passes by itself, if only in part, within a second (RFC 9110 §10.2.3). */
export const RETRY_SOON = { 'retry-after': '1' } as const;

/** No answer lists more wrong members than this. */
export const MAX_ERRORS = 100;

/** A 400 for wrong members; its code is theirs when they all share one. */
export function invalid(errors: readonly FieldError[]): Problem {
  const codes = new Set(errors.map((error) => error.code));
  const [only] = codes;
  const code = codes.size === 1 && only !== undefined ? only : problems.validation_failed.code;
  const detail =
    errors.length === 1
      ? `${errors[0]?.field ?? ''}: ${errors[0]?.message ?? ''}`.replace(/^: /, '')
      : `${errors.length > MAX_ERRORS ? `More than ${MAX_ERRORS}` : errors.length} members of the request are wrong.`;
  return new Problem({ ...problems.validation_failed, code }, detail, errors.slice(0, MAX_ERRORS));
}

/** A 404 that looks the same whether the resource is missing or another project's. */
export function notFound(): Problem {
  return new Problem(problems.not_found, 'There is no such resource.');
}

/** The body of a problem as RFC 9457 with our extension members. */
export function renderProblem(problem: Problem, requestId: string, docsUrl: string): string {
  const { definition, detail, errors, extensions } = problem;
  return JSON.stringify({
    type: `${docsUrl}/errors#${definition.code}`,
    title: definition.title,
    status: definition.status,
    detail,
    code: definition.code,
    request_id: requestId,
    errors,
    ...extensions,
  });
}
