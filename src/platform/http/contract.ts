import type { TSchema } from 'typebox';
import type { FilterTable } from './filters.ts';
import type { FieldError, ProblemDefinition } from './problems.ts';

/** Who is asking: the credential behind an access token. Ids are uuids. */
export interface Caller {
  readonly projectId: string;
  readonly mode: 'live' | 'sandbox';
  readonly credentialId: string;
  readonly scopes: readonly string[];
  readonly apiVersion: string;
}

/** A documented query parameter that is neither paging, filter nor `expand[]`. */
export interface QueryParameter {
  readonly description: string;
  readonly schema: TSchema;
}

/** An answer that is no refusal. */
interface Success {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema?: TSchema;
  /** Headers that only this answer has: what each says. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route promises; drives checks, OpenAPI and the access matrix. */
export interface RouteContract {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for path parameters. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** `public`: no token; otherwise the scopes that the token must have, all of them, as a challenge has them (RFC 6750 §3). */
  readonly access: 'public' | 'read:*' | 'write:*' | 'read:* write:*';
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly expand?: readonly string[];
  readonly filters?: FilterTable;
  readonly paged?: boolean;
  readonly body?: TSchema;
  readonly bodyExample?: unknown;
  /** No body at all is the same as `{}`. */
  readonly isBodyOptional?: boolean;
  /**
   * The operation reports what is wrong with headers and query, and what the schema refuses, together with what it finds
   * itself, unless that is more than an answer lists.
   */
  readonly collectsErrors?: boolean;
  /** There may be so much to do that its statements are measured one by one, and not all that it takes together. */
  readonly isLengthy?: boolean;
  readonly response: Success;
  /** What a success is answered with under circumstances that the description names. */
  readonly alsoAnswers?: readonly Success[];
  /** The query parameter with which, being `true`, the request stores nothing: its `Idempotency-Key` has no effect. */
  readonly dryRun?: string;
  /** Refusals of this operation beyond those that any route can answer. */
  readonly problems?: readonly ProblemDefinition[];
}

/** The scopes that a token must have; none for what is public. */
export function scopesOf(access: RouteContract['access']): string[] {
  return access === 'public' ? [] : access.split(' ');
}

/** What an operation gets to see of a request. */
export interface Request<Body = unknown> {
  readonly id: string;
  readonly caller: Caller;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /**
   * What is wrong with headers and query, and what the schema refuses; empty unless the contract `collectsErrors`. The
   * operation then has to refuse the request with them; `query` lacks what is wrong, and `body` may be anything.
   */
  readonly errors: readonly FieldError[];
  /** The source text of a top-level member of the body, white space removed; `null` when absent. */
  readonly rawMember: (name: string) => string | null;
  readonly ifMatch: string | undefined;
  /** The operation of the contract. */
  readonly operationId: string;
  /** Why the caller wants a change (`X-Reason`). */
  readonly reason: string | null;
  /** The key and what it stands for, when the caller sent one. */
  readonly idempotency: IdempotencyClaim | undefined;
  /** Waits for something to happen; the request is in nobody's way meanwhile. */
  readonly waitAside: <Result>(awaited: Promise<Result>) => Promise<Result>;
  /** Whether its caller has gone: nobody waits for the answer. */
  readonly isAbandoned: () => boolean;
}

/** A query, taken apart and checked against the contract. */
export interface Query {
  readonly values: Readonly<Record<string, string>>;
  readonly expand: ReadonlySet<string>;
  readonly filters: readonly Condition[];
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** One filter of a list, its values typed and checked. */
export interface Condition {
  readonly field: string;
  /** For `metadata.<key>`: the key. */
  readonly key?: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** How a filter compares. */
export type Operator = 'eq' | 'ne' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'is_null';

/** An `Idempotency-Key` with the digest of the request it came with. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly method: string;
  readonly path: string;
}

/** What an operation answers. `body` is JSON text. */
export interface Answer {
  readonly status: number;
  readonly body: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the body shows personal data, and is kept for repetition only in encrypted form. */
  readonly personal?: boolean;
  /** The reason of the request is not kept, because it may speak of what was just removed. */
  readonly forgetsReason?: boolean;
}

/**
 * An answer that may be of any size: its JSON text comes in pieces while it is sent. When it cannot be brought to its end the
 * connection is cut.
 */
export interface StreamedAnswer extends Omit<Answer, 'body'> {
  readonly body: AsyncIterable<string>;
}

/** A route: its contract and the operation behind it. */
export interface Route {
  readonly contract: RouteContract;
  readonly handle: (request: Request<never>) => Promise<Answer | StreamedAnswer>;
}

/** Joins contract and operation; the operation's body type follows the schema by its own declaration. */
export function route<Body>(
  contract: RouteContract,
  handle: (request: Request<Body>) => Promise<Answer | StreamedAnswer>,
): Route {
  return { contract, handle };
}
