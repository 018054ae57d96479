import type { components } from './api.ts';

/** A refusal as the service words it (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** One wrong member of a request. */
export type FieldError = Problem['errors'][number];

/** A request that was answered, but not with success. When no answer came at all, the error of `fetch` is thrown. */
export class WattlineError extends Error {
  override readonly name = 'WattlineError';
  readonly status: number;
  /** What programs look at; `/docs/errors` of the service has them all. `unknown` when something else answered. */
  readonly code: string;
  /** Every wrong member of the request. */
  readonly errors: readonly FieldError[];
  /** The service's id of the request, for its operator. */
  readonly requestId: string | null;
  /** Seconds after which the answer asks to try again. */
  readonly retryAfterSeconds: number | null;
  /** The whole problem as it was answered. */
  readonly problem: Problem;

  constructor(problem: Problem, retryAfterSeconds: number | null = null) {
    const fields = problem.errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    super(`${problem.status} ${problem.code}: ${problem.detail}${fields === '' ? '' : ` (${fields})`}`);
    this.problem = problem;
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors;
    this.requestId = problem.request_id === '' ? null : problem.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reads a refusal, also one of `/oauth/*` (RFC 6749) or of a proxy. @param text the body */
export function toProblem(response: Response, text: string): Problem {
  const body = readObject(text);
  const { error, error_description: description } = body;
  const problem = {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: typeof description === 'string' ? description : `The answer was ${response.status}.`,
    code: typeof error === 'string' ? error : 'unknown',
    request_id: response.headers.get('x-request-id') ?? '',
    errors: [],
  };
  const isProblem = typeof body['code'] === 'string' && Array.isArray(body['errors']);
  return isProblem ? { ...problem, ...body } : problem;
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
