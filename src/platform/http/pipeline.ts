import { Type } from 'typebox';
import { contentTag } from '#platform/crypto.ts';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import { waitsUntil } from '#platform/deadline.ts';
import { createLockstep, type Lockstep } from '#platform/lockstep.ts';
import {
  scopesOf,
  type Answer,
  type Caller,
  type IdempotencyClaim,
  type Request,
  type Route,
  type RouteContract,
  type StreamedAnswer,
} from './contract.ts';
import {
  acceptsJson,
  claimOf,
  isJsonContent,
  isPlainContent,
  namesTag,
  pathOf,
  readIdempotencyKey,
  readText,
  MAX_IDEMPOTENCY_KEY,
  MAX_REASON_LENGTH,
} from './headers.ts';
import { isRemembered, remember, type IdempotencyDependencies } from './idempotency.ts';
import { parseStrictJson } from './json.ts';
import { invalid, MAX_ERRORS, Problem, problems, renderProblem, type FieldError } from './problems.ts';
import { readQuery } from './query.ts';
import { takeAllowance, type RateLimiter } from './rate-limit.ts';
import type { SchemaCompiler } from './validation.ts';

/** A request as it comes from the HTTP library. */
export interface RawRequest {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  /** Who asks; null until the request is let in, and for good where anybody may ask. */
  caller: Caller | null;
  readonly parameters: Record<string, string>;
  readonly pairs: [string, string][];
  readonly body: Buffer | undefined;
  header(name: string): string | undefined;
  isRepeated(name: string): boolean;
  waitAside<Result>(awaited: Promise<Result>): Promise<Result>;
  /** Whether it has waited aside, or for its body: much may have changed since it was let in. */
  readonly hasWaited: boolean;
  isAbandoned(): boolean;
  liftDeadline(): void;
}

type SetHeader = (name: string, value: string) => void;

/** The two steps of a request: before its body is read, and after. */
export interface Steps {
  /** Lets the request in: what is accepted, token, rate, scope; at once where the token is known. @throws Problem */
  admit(request: RawRequest, setHeader: SetHeader): Promise<void> | undefined;
  /** Checks query and body, performs the operation. @throws Problem */
  perform(request: RawRequest): Promise<Answer | StreamedAnswer>;
}

/** The credential behind an access token, `null` for one that gives no access; at once where it is known. */
export type Authenticate = (token: string) => Caller | null | Promise<Caller | null>;

interface PipelineDependencies extends IdempotencyDependencies {
  readonly schemas: SchemaCompiler;
  readonly rateLimiter: RateLimiter | null;
  readonly docsUrl: string;
  readonly authenticate: Authenticate;
}

/** What bodies that go on in one turn of the event loop have beyond that of an ordinary one; one alone may have more. */
const BYTES_A_TURN = 64 * 1024;
/**
 * What a body has that is not counted. Ordinary sign-ups, however many there are, go on together: in each turn some of those
 * are refused for whom there is no room, so that with more turns less is done by a service that has too much to do.
 */
const ORDINARY_BYTES = 1024;
const NO_MEMBERS = Type.Object({}, { additionalProperties: false });
const USED_UP = 'The credential has used up its allowance.';

const NOBODY: Caller = { projectId: '', mode: 'live', credentialId: '', scopes: [], apiVersion: '' };

/** What every route of the API has in common, as a function from contract and operation to the two steps. */
export function createPipeline(
  dependencies: PipelineDependencies,
): (contract: RouteContract, handle: Route['handle']) => Steps {
  const inStep = createLockstep(BYTES_A_TURN);
  return (contract, handle) => createSteps(dependencies, inStep, contract, handle);
}

function createSteps(
  dependencies: PipelineDependencies,
  inStep: Lockstep,
  contract: RouteContract,
  handle: Route['handle'],
): Steps {
  const { schemas, docsUrl } = dependencies;
  // What takes no body takes `{}` too, and refuses any member of another.
  const isBare = contract.body === undefined && contract.method !== 'GET';
  const check =
    contract.body === undefined ? (isBare ? schemas.compile(NO_MEMBERS) : null) : schemas.compile(contract.body);
  const { access } = contract;
  const letIn = createGate(dependencies, access);
  return {
    admit(request, setHeader) {
      if (!acceptsJson(request.header('accept'))) throw new Problem(problems.not_acceptable);
      if (access === 'public') return undefined;
      const caller = authenticate(dependencies.authenticate, request.header('authorization'), access);
      return caller instanceof Promise
        ? caller.then((found) => letIn(request, found, setHeader))
        : letIn(request, caller, setHeader);
    },
    async perform(raw) {
      await inStep(Math.max(0, (raw.body?.length ?? 0) - ORDINARY_BYTES));
      // It costs most from here on, and nobody waits for it any longer.
      if (waitsUntil() < performance.now()) throw new DatabaseUnavailable('it waited too long for its turn');
      if (raw.hasWaited) await authenticateAgain(dependencies.authenticate, raw, access);
      const caller = raw.caller ?? NOBODY;
      const { claim, reason, errors: headerErrors } = readHeaders(contract, raw);
      // A key stands for method, URL and body: with its headers corrected the same request is to be carried out.
      const idempotency = isDryRun(contract, raw) || headerErrors.length > 0 ? undefined : claim;
      if (contract.isLengthy === true) raw.liftDeadline();
      try {
        const { query, errors: queryErrors } = readQuery(contract, raw.pairs);
        const refused = [...headerErrors, ...queryErrors];
        const isOptional = isBare || contract.isBodyOptional === true;
        const body = check === null ? undefined : readBody(check, isOptional, raw, refused);
        const errors = [...refused, ...(body?.errors ?? [])];
        const isCollected = contract.collectsErrors === true && errors.length <= MAX_ERRORS;
        if (errors.length > 0 && !isCollected) throw invalid(errors);
        const request: Request<never> = {
          id: raw.id,
          caller,
          parameters: raw.parameters,
          query,
          body: body?.value as never,
          errors,
          rawMember: body?.rawMember ?? ((): null => null),
          ifMatch: raw.header('if-match'),
          operationId: contract.operationId,
          reason,
          idempotency,
          waitAside: (awaited) => raw.waitAside(awaited),
          isAbandoned: () => raw.isAbandoned(),
        };
        const answer = await handle(request);
        // Of a change that was made its caller is told in any case. Thousands may have waited for the same.
        if (raw.hasWaited && contract.method === 'GET')
          await raw.waitAside(authenticateAgain(dependencies.authenticate, raw, access));
        return conditional(contract, raw, answer);
      } catch (error) {
        if (!(error instanceof Problem) || idempotency === undefined || !isRemembered(error)) throw error;
        return remember(dependencies, { id: raw.id, caller, idempotency }, refusalOf(error, raw.id, docsUrl));
      }
    },
  };
}

function refusalOf(problem: Problem, requestId: string, docsUrl: string): Answer {
  return {
    status: problem.definition.status,
    body: renderProblem(problem, requestId, docsUrl),
    headers: problem.headers,
  };
}

/** Lets a caller in who has allowance left, and the scopes that a route needs. @throws Problem */
type Gate = (request: RawRequest, caller: Caller, setHeader: SetHeader) => undefined;

function createGate({ rateLimiter, clock }: PipelineDependencies, access: RouteContract['access']): Gate {
  const needed = scopesOf(access);
  return (request, caller, setHeader) => {
    const taken = takeAllowance(rateLimiter, caller.credentialId, clock, setHeader);
    if (taken?.allowed === false) {
      throw new Problem(problems.rate_limited, USED_UP, [], { 'retry-after': String(taken.seconds) });
    }
    if (!needed.every((scope) => caller.scopes.includes(scope))) {
      throw new Problem(problems.insufficient_scope, `This needs ${needed.join(' and ')}.`, [], {
        'www-authenticate': `Bearer realm="wattline", error="insufficient_scope", scope="${access}"`,
      });
    }
    request.caller = caller;
  };
}

function authenticate(find: Authenticate, authorization: string | undefined, scope: string): Caller | Promise<Caller> {
  const challenge = `Bearer realm="wattline"`;
  // Of another scheme nothing is said, as if nothing had come (RFC 6750 §3.1).
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) {
    throw new Problem(problems.unauthorized, 'There is no access token.', [], {
      'www-authenticate': `${challenge}, scope="${scope}"`,
    });
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  const orRefuse = (caller: Caller | null): Caller => {
    if (caller !== null) return caller;
    throw new Problem(problems.unauthorized, 'The access token is malformed, unknown, expired or revoked.', [], {
      'www-authenticate': `${challenge}, error="invalid_token", error_description="malformed, unknown, expired or revoked"`,
    });
  };
  const found = token === undefined ? null : find(token);
  return found instanceof Promise ? found.then(orRefuse) : orRefuse(found);
}

/** Whoever has waited may have lost his token meanwhile. @throws Problem */
async function authenticateAgain(
  find: Authenticate,
  raw: Pick<RawRequest, 'header'>,
  access: RouteContract['access'],
): Promise<void> {
  if (access !== 'public') await authenticate(find, raw.header('authorization'), access);
}

/** The headers of a change, and the wrong ones among them. */
interface ChangeHeaders {
  readonly claim: IdempotencyClaim | undefined;
  readonly reason: string | null;
  readonly errors: readonly FieldError[];
}

function readHeaders(contract: RouteContract, raw: RawRequest): ChangeHeaders {
  const errors: FieldError[] = [];
  if (contract.method === 'GET') return { claim: undefined, reason: null, errors };
  const refuse = (field: string, message: string): void => void errors.push({ field, code: 'invalid_header', message });
  const keyHeader = contract.access === 'public' ? undefined : raw.header('idempotency-key');
  // Nobody can tell which of two is meant.
  const key = keyHeader === undefined || raw.isRepeated('idempotency-key') ? null : readIdempotencyKey(keyHeader);
  if (keyHeader !== undefined && key === null) {
    const form = `1 to ${MAX_IDEMPOTENCY_KEY} printable ASCII characters, bare or in double quotes`;
    refuse('#Idempotency-Key', `must be one key of ${form}`);
  }
  const reasonHeader = raw.header('x-reason');
  const reason = reasonHeader === undefined ? null : readText(reasonHeader);
  if (reasonHeader !== undefined && reason === null) {
    refuse('#X-Reason', `must be 1 to ${MAX_REASON_LENGTH} printable characters, in UTF-8`);
  }
  return { claim: key === null ? undefined : claimTo(contract, raw, key), reason, errors };
}

function claimTo(contract: RouteContract, raw: RawRequest, key: string): IdempotencyClaim {
  // By their paths the answers are found that are about a person who is erased.
  const path = pathOf(contract.path, raw.parameters);
  return claimOf(key, { method: raw.method, url: raw.url, path }, raw.body ?? Buffer.alloc(0));
}

/** Whether nothing may be stored for this request, not even its refusal. */
function isDryRun({ dryRun }: RouteContract, { pairs }: RawRequest): boolean {
  return dryRun !== undefined && pairs.some(([name, value]) => name === dryRun && value === 'true');
}

interface CheckedBody {
  readonly value: unknown;
  readonly rawMember: (name: string) => string | null;
  readonly errors: ReturnType<ReturnType<SchemaCompiler['compile']>>;
}

/** @param refused what is wrong beside the body. @throws Problem with it too when the body is no JSON */
function readBody(
  check: ReturnType<SchemaCompiler['compile']>,
  isOptional: boolean,
  raw: RawRequest,
  refused: readonly FieldError[],
): CheckedBody {
  if (isOptional && (raw.body === undefined || raw.body.length === 0)) {
    return { value: {}, rawMember: () => null, errors: [] };
  }
  if (!isPlainContent(raw.header('content-encoding'))) {
    const detail = 'The body is compressed (`Content-Encoding`); send it as it is.';
    throw new Problem(problems.unsupported_media_type, detail, [], { 'accept-encoding': 'identity' });
  }
  if (!isJsonContent(raw.header('content-type'))) throw new Problem(problems.unsupported_media_type);
  const parsed = parseStrictJson(raw.body ?? Buffer.alloc(0));
  if (!parsed.ok) {
    const { field, code, message } = parsed;
    throw invalid([...refused, { field, code, message }]);
  }
  return { value: parsed.value, rawMember: parsed.rawMember, errors: check(parsed.value) };
}

/** Gives a single resource its entity tag and answers 304 where the caller has that state already. */
function conditional(
  contract: RouteContract,
  raw: RawRequest,
  answer: Answer | StreamedAnswer,
): Answer | StreamedAnswer {
  if (answer.headers?.['etag'] === undefined || contract.method !== 'GET') return answer;
  const known = raw.header('if-none-match');
  if (known === undefined || !namesTag(known, answer.headers['etag'])) return answer;
  return { status: 304, body: null, headers: { etag: answer.headers['etag'] } };
}

/**
 * The strong entity tag of a resource. With `expand[]` the text shown differs from the resource's own, and the tag
 * names both, so that it still serves `If-Match`.
 */
export function entityTag(own: string, shown: string = own): string {
  return own === shown ? `"${contentTag(own)}"` : `"${contentTag(own)}.${contentTag(shown)}"`;
}
