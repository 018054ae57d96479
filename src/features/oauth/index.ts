import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '#platform/http/pipeline.ts';
import { takeAllowance, type RateLimiter } from '#platform/http/rate-limit.ts';
import { createFailureNotes, isPassing } from '#platform/http/refusals.ts';
import type { PlainRoute } from '#platform/http/server.ts';
import { authenticateClient } from './authenticate-client.ts';
import { createTokenAuthenticator } from './authenticate-token.ts';
import { oauthOperations } from './documentation.ts';
import { introspectToken } from './introspect-token.ts';
import { issueToken } from './issue-token.ts';
import { authorizationServerMetadata } from './metadata.ts';
import {
  refuseDefect,
  refuseExcess,
  refuseUnavailable,
  renderRefusal,
  type OauthDependencies,
  type OauthOutcome,
} from './outcome.ts';
import { parseParameters, type OauthRequest, type Parameters } from './parse-parameters.ts';
import { revokeToken } from './revoke-token.ts';
import { deleteTokensExpiredBefore, type ClientRow } from './store.ts';
import { createThrottle, type Throttle } from './throttle.ts';

export { oauthErrors, renderProblemForOauth } from './outcome.ts';

/** Settings of `createOauth`. */
export interface OauthOptions extends OauthDependencies {
  /** Base URL that clients use; the issuer. */
  readonly publicUrl: string;
  /** Slows the guessing of secrets; absent: as `createThrottle` does. */
  readonly throttle?: Throttle;
  /** What each credential may ask for, here and in the API together; `null`: as much as it likes. */
  readonly rateLimiter: RateLimiter | null;
  /** Milliseconds on a clock that cannot be set; absent: the process's. */
  readonly monotonicMs?: () => number;
}

/** The authorization server. */
export interface Oauth {
  readonly routes: readonly PlainRoute[];
  /** The caller behind an access token; `null` when it gives no access. @throws DatabaseUnavailable */
  readonly authenticate: Authenticate;
  /** The routes for OpenAPI: path → path item. */
  readonly documentation: typeof oauthOperations;
}

/** What an endpoint does once the client is known. */
type Perform = (client: ClientRow, parameters: Parameters) => Promise<OauthOutcome>;

/** Builds the authorization server: its routes, and what tells the rest of the service who is calling. */
export function createOauth(options: OauthOptions): Oauth {
  const { publicUrl, throttle = createThrottle(options) } = options;
  const authenticator = createTokenAuthenticator(options);
  const dependencies = { ...options, familyRevoked: (id: string) => authenticator.forgetFamily(id) };
  const issuer = publicUrl.replace(/\/+$/, '');
  const noteFailure = createFailureNotes(options.log);

  const endpoint = (path: string, perform: Perform): PlainRoute => ({
    method: 'POST',
    path,
    async handle(request, reply) {
      try {
        const setHeader = (name: string, value: string): void => void reply.header(name, value);
        return send(reply, await answer({ ...options, throttle, setHeader }, readRequest(request), perform));
      } catch (error) {
        noteFailure(request.id, error);
        return send(reply, isPassing(error) ? refuseUnavailable() : refuseDefect());
      }
    },
  });
  const metadata: PlainRoute = {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    handle: async (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'public, max-age=300')
        .send(JSON.stringify(authorizationServerMetadata(issuer))),
  };
  return {
    routes: [
      endpoint('/oauth/token', (client, parameters) => issueToken(dependencies, client, parameters)),
      endpoint('/oauth/revoke', (client, parameters) => revokeToken(dependencies, client, parameters)),
      endpoint('/oauth/introspect', (client, parameters) => introspectToken(options, issuer, client, parameters)),
      metadata,
    ],
    authenticate: (token) => authenticator.authenticate(token),
    documentation: oauthOperations,
  };
}

/** Deletes tokens that have expired, at most `limit` of them; answers how many. For a maintenance job. */
export function deleteExpiredTokens(
  { database, clock }: Pick<OauthDependencies, 'database' | 'clock'>,
  limit: number,
): Promise<number> {
  return deleteTokensExpiredBefore(database, clock.now().toString(), limit);
}

interface Answering extends Pick<OauthOptions, 'database' | 'clock' | 'rateLimiter'> {
  readonly throttle: Throttle;
  /** Sets a header of the answer, whatever it is. */
  readonly setHeader: (name: string, value: string) => void;
}

async function answer(dependencies: Answering, request: OauthRequest, perform: Perform): Promise<OauthOutcome> {
  const { clock, rateLimiter, throttle, setHeader } = dependencies;
  const parsed = parseParameters(request);
  if (!parsed.ok) return parsed;
  const known = await authenticateClient(dependencies, throttle, request, parsed.parameters);
  if (!known.ok) return known;
  const taken = takeAllowance(rateLimiter, known.client.id, clock, setHeader);
  return taken?.allowed === false ? refuseExcess(taken.seconds) : perform(known.client, parsed.parameters);
}

function readRequest(request: FastifyRequest): OauthRequest {
  return {
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    authorization: request.headers.authorization,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    address: request.ip,
  };
}

/** Answers as RFC 6749 §5.1 and §5.2 say: JSON, and nothing that may be kept on the way. */
function send(reply: FastifyReply, outcome: OauthOutcome): FastifyReply {
  void reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').header('pragma', 'no-cache');
  if (outcome.ok) return reply.send(JSON.stringify(outcome.body));
  return reply.code(outcome.status).headers(outcome.headers).send(renderRefusal(outcome));
}
