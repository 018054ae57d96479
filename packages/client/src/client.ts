import createFetchClient, { type HeadersOptions, type ParamsOption, type RequestBodyOption } from 'openapi-fetch';
import type {
  FilterKeys,
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import type { paths } from './api.ts';
import { followFeed, type EventOptions, type FeedItem, type FeedPage } from './events.ts';
import { isHeaders } from './headers.ts';
import { createOwnSignals, type OwnSignal } from './signals.ts';
import { createTokenSource } from './tokens.ts';
import { transport } from './transport.ts';

/** The paths that are called with a token. */
export type ApiPaths = { [Path in keyof paths as Path extends `/oauth/${string}` ? never : Path]: paths[Path] };

type Operation<Path extends keyof ApiPaths, Method extends HttpMethod> = FilterKeys<ApiPaths[Path], Method>;
type Init<Path extends keyof ApiPaths, Method extends HttpMethod> = ParamsOption<Operation<Path, Method>> &
  RequestBodyOption<Operation<Path, Method>> & { readonly headers?: HeadersOptions; readonly signal?: AbortSignal };
type Optional<Options> = RequiredKeysOf<Options> extends never ? [init?: Options] : [init: Options];
/**
 * What a call is answered with; where a call can be a mere check as well, what it is answered with when carried out.
 */
type Success<Of> = Of extends { responses: infer Responses extends Record<number, unknown> }
  ? SuccessResponse<Responses extends { 200: unknown; 201: unknown } ? Omit<Responses, 200> : Responses>
  : never;
/** What `validate_only` is answered with. */
type Checked<Of> = Of extends { responses: infer Responses extends { 200: unknown; 201: unknown } }
  ? SuccessResponse<Pick<Responses, 200>>
  : never;
type CheckablePath<Method extends HttpMethod> = {
  [Path in PathsWithMethod<ApiPaths, Method>]: [Checked<Operation<Path, Method>>] extends [never] ? never : Path;
}[PathsWithMethod<ApiPaths, Method>];

/** What a call answers. */
export interface Answer<Data> {
  readonly data: Data;
  /** For its headers, such as `ETag` and `Idempotency-Replayed`; its body is read. */
  readonly response: Response;
}

/** Calls a path, with `params` (`path`, `query`, `header`), `body` and `signal`. @throws WattlineError */
export interface Call<Method extends HttpMethod> {
  /** Checks only, and changes nothing. */
  <Path extends CheckablePath<Method>>(
    path: Path,
    init: Init<Path, Method> & { readonly params: { readonly query: { readonly validate_only: true } } },
  ): Promise<Answer<Checked<Operation<Path, Method>>>>;
  <Path extends PathsWithMethod<ApiPaths, Method>>(
    path: Path,
    ...init: Optional<Init<Path, Method>>
  ): Promise<Answer<[Success<Operation<Path, Method>>] extends [never] ? undefined : Success<Operation<Path, Method>>>>;
}

type QueryOf<Path extends keyof ApiPaths> =
  Operation<Path, 'get'> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

/** The paths of lists. */
export type ListPath = {
  [Path in PathsWithMethod<ApiPaths, 'get'>]: 'cursor' extends keyof QueryOf<Path> ? Path : never;
}[PathsWithMethod<ApiPaths, 'get'>];

/** An item of a list. */
export type ItemOf<Path extends ListPath> =
  Success<Operation<Path, 'get'>> extends { items: readonly (infer Item)[] } ? Item : never;

/** The typed API. Types are those of `openapi.json`. */
export interface WattlineClient {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  /** Every item of a list, page after page, from `params.query.cursor` on if it is given. @throws WattlineError */
  list<Path extends ListPath>(
    path: Path,
    ...init: Optional<Init<Path, 'get'>>
  ): AsyncGenerator<ItemOf<Path>, void, undefined>;
  /** Every event of the project from a cursor on, and those to come as they happen. @throws WattlineError */
  events(options?: EventOptions): AsyncGenerator<FeedItem, void, undefined>;
}

/** Where the service is, who asks, and what may differ from the usual. */
export interface ClientOptions {
  /** Such as `https://energy.example`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** `X-API-Version`; absent: the version that the credential is pinned to. */
  readonly apiVersion?: string;
  /** Attempts after the first one; 4 unless given. */
  readonly maxRetries?: number;
  /** The first pause between attempts, in milliseconds, doubled with each; 500 unless given. */
  readonly retryDelayMs?: number;
  /** How long one attempt may take, in milliseconds, beside what it has the service `wait`; 60,000 unless given. */
  readonly timeoutMs?: number;
}

/** How long the service is asked to wait for something new, in each attempt to read the feed. */
const WAIT_SECONDS = 20;

/** A client of one project. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): WattlineClient {
  const { clientId, clientSecret, apiVersion = null } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const fetch = options.fetch ?? ((...parameters) => globalThis.fetch(...parameters));
  const { maxRetries = 4, retryDelayMs = 500, timeoutMs = 60_000 } = options;
  const policy = { maxRetries, retryDelayMs, timeoutMs };
  const tokens = createTokenSource({ url: `${baseUrl}/oauth/token`, clientId, clientSecret }, fetch, policy);
  const ownSignalOf = createOwnSignals();
  const requests = createFetchClient<ApiPaths>({
    baseUrl,
    fetch: (request) => transport({ ...policy, fetch, tokens, apiVersion }, request),
    querySerializer: writeQuery,
  });
  // What is answered without success has been thrown by the transport.
  const call = (method: 'get' | 'post' | 'patch' | 'delete') =>
    (async (path: never, init: AnyInit = {}) =>
      withOwnSignal(ownSignalOf, withReasonInBytes(withCheckedPath(path, init)), (own) =>
        requests.request(method, path, own as never),
      )) as unknown;
  const GET = call('get') as Call<'get'>;
  return {
    GET,
    POST: call('post') as Call<'post'>,
    PATCH: call('patch') as Call<'patch'>,
    DELETE: call('delete') as Call<'delete'>,
    list: (path, ...[init]) => walk(GET as never, path, init),
    events(options = {}) {
      const { types, signal } = options;
      const readPage = async (after: string | null): Promise<FeedPage> => {
        const query = {
          wait: WAIT_SECONDS,
          ...(after === null ? {} : { after }),
          ...(types !== undefined && types.length > 0 && { types: types.join(',') }),
        };
        return (await GET('/events', { params: { query }, ...(signal && { signal }) })).data;
      };
      return followFeed(options, readPage);
    },
  };
}

interface AnyInit {
  readonly params?: {
    readonly path?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly header?: object;
  };
  readonly headers?: object;
  readonly signal?: AbortSignal;
}
type AnyPage = { readonly items: readonly never[]; readonly next_page: string | null };

async function* walk<Item>(
  get: (path: string, init: AnyInit) => Promise<Answer<AnyPage>>,
  path: string,
  init: AnyInit | undefined,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null = null;
  do {
    const more: object = cursor === null ? {} : { cursor };
    const query = { ...init?.params?.query, ...more };
    const { data }: Answer<AnyPage> = await get(path, { ...init, params: { ...init?.params, query } });
    yield* data.items;
    cursor = data.next_page;
  } while (cursor !== null);
}

/** Runs a call with a signal of its own that ends with the given one. */
async function withOwnSignal<Result>(
  ownSignalOf: (signal: AbortSignal) => OwnSignal,
  init: AnyInit,
  run: (own: AnyInit) => Promise<Result>,
): Promise<Result> {
  const { signal: given } = init;
  if (given === undefined || given.aborted) return run(init);
  const own = ownSignalOf(given);
  try {
    return await run({ ...init, signal: own.signal });
  } finally {
    own.letGo();
  }
}

/** Refuses parameters of a path that every URL parser drops, which leads to another path. @throws TypeError */
function withCheckedPath(path: string, init: AnyInit): AnyInit {
  for (const [name, value] of Object.entries(init.params?.path ?? {})) {
    if (['', '.', '..'].includes(String(value))) {
      throw new TypeError(`${path}: ${name} must not be ${JSON.stringify(value)}, which no URL can have there`);
    }
  }
  return init;
}

/** The service reads the bytes of `X-Reason` as UTF-8; `fetch` takes no character beyond a byte in a header. */
function withReasonInBytes(init: AnyInit): AnyInit {
  const { params, headers } = init;
  return {
    ...init,
    ...(params?.header && { params: { ...params, header: reasonInBytes(params.header) } }),
    ...(headers && { headers: reasonInBytes(headers) }),
  };
}

function reasonInBytes(headers: object): object {
  // What is in there has been bytes before.
  if (isHeaders(headers)) return new Headers([...headers.entries()]);
  const inBytes = (text: string): string =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  const pairs: [string, unknown][] = Array.isArray(headers) ? headers : Object.entries(headers);
  return Object.fromEntries(
    pairs.map(([name, value]) => [
      name,
      name.toLowerCase() === 'x-reason' && typeof value === 'string' ? inBytes(value) : value,
    ]),
  );
}

/** `a=1&expand[]=x&expand[]=y`, names encoded too: keys of metadata stand in them. */
function writeQuery(query: object): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, QueryValue | readonly QueryValue[]][]) {
    for (const each of [value].flat()) if (each !== undefined && each !== null) written.append(name, String(each));
  }
  return written.toString();
}

type QueryValue = string | number | boolean | null | undefined;
