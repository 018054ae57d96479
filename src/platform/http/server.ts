import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { formatId } from '#domain/identifiers.ts';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { MintUuid } from '#platform/uuid.ts';
import type { Admission } from './admission.ts';
import { answerClientError, bareProblem, refuseTunnel } from './client-errors.ts';
import type { Answer, Route, StreamedAnswer } from './contract.ts';
import type { IdempotencyDependencies } from './idempotency.ts';
import { Exchange, headerOf, holdTicket, ticketOf } from './exchange.ts';
import {
  CURRENT_API_VERSION,
  hasBody,
  hasTooManyHeaders,
  headerErrors,
  isClientRequestId,
  isPlainTransfer,
  isUnambiguous,
} from './headers.ts';
import { step, when } from './hooks.ts';
import { endLingering, lingering } from './linger.ts';
import { createListener, mostConnections, stopAccepting } from './listener.ts';
import { invalid, Problem, problems, renderProblem, RETRY_SOON } from './problems.ts';
import { createFailureNotes, toProblem, type NoteFailure } from './refusals.ts';
import { observeAnswer } from './observe-answer.ts';
import { createPace } from './pace.ts';
import { createPipeline, type Authenticate } from './pipeline.ts';
import { splitQuery } from './query.ts';
import type { RateLimiter } from './rate-limit.ts';
import { streamOf } from './streamed.ts';
import { createRefuseUnknown, isUnknownPath } from './unknown-paths.ts';
import type { SchemaCompiler } from './validation.ts';
import { createVisitors, type Visitors } from './visitors.ts';

/** Everything the HTTP side needs; given once, at the start. */
export interface HttpDependencies extends IdempotencyDependencies {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly mintUuid: MintUuid;
  readonly schemas: SchemaCompiler;
  readonly rateLimiter: RateLimiter | null;
  readonly admission: Admission;
  /** Proxies whose word is taken for the address of a caller. */
  readonly trustedProxies: readonly string[];
  /** Where the pages about errors are. */
  readonly docsUrl: string;
  /** Path before every path, as clients see it: empty, or such as `/energy`. A proxy takes it away on the way here. */
  readonly basePath: string;
  readonly authenticate: Authenticate;
  /** Refusals below this path are answered in a form of their own. */
  readonly ownProblems: {
    readonly below: string;
    readonly render: (problem: Problem) => { readonly status: number; readonly body: string };
  };
}

/** Routes that speak for themselves (OAuth, health, documents); they get the bare request. */
export interface PlainRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** More than fits into a request line: an ID that is too long is answered like any other that does not exist. */
const MAX_PARAMETER_LENGTH = 65_536;
const BODY_LIMIT_BYTES = 256 * 1024;
/** A smaller body needs no memory of its own until it has arrived. */
const SMALL_BODY_BYTES = 16 * 1024;
/** Answered however much there is to do: whoever watches the process must not take it for dead. */
const ALWAYS_ADMITTED = /^\/(?:health|ready)(?:\?|$)/;

/** Builds the HTTP server; `listen` and `close` are the caller's. */
export function createHttpServer(
  dependencies: HttpDependencies,
  routes: readonly Route[],
  plainRoutes: readonly PlainRoute[],
): FastifyInstance {
  const { log, clock, mintUuid, admission, docsUrl, trustedProxies } = dependencies;
  const visitors = createVisitors(mostConnections());
  const refuseInTurn = createPace();
  const noteFailure = createFailureNotes(log);
  const newRequestId = (): string => formatId('req', mintUuid(clock.now()));
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    serverFactory: (handle) =>
      createListener(
        (request, response) => {
          if (admit(admission, request, response)) handle(request, response);
          else refuseInTurn(() => refuseForNow(request, response, newRequestId(), dependencies));
        },
        { visitors, onAnswered: (answer) => observeAnswer(answer, dependencies) },
      ),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: newRequestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: (text) => ({ pairs: splitQuery(text) }) },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, newRequestId(), docsUrl),
    frameworkErrors: (_error, request, reply) => {
      // No hook sees it.
      giveTicketBack(request, admission);
      decorateAnswer(request, reply);
      sendProblem(request, reply, new Problem(problems.invalid_url), dependencies);
    },
  });
  app.decorateRequest('exchange');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const refuseUnknown = createRefuseUnknown([...routes.map(({ contract }) => contract), ...plainRoutes]);
  app.setNotFoundHandler(refuseUnknown);
  holdTickets(app, admission);
  app.addHook(
    'onRequest',
    step((request, reply) => {
      request.exchange = new Exchange(request, admission, visitors);
      decorateAnswer(request, reply);
      refuseMalformed(request);
      // Before a body is read, whatever the method.
      if (isUnknownPath(request)) refuseUnknown(request, reply);
      if ((request.query as { pairs: unknown }).pairs === null) throw new Problem(problems.invalid_url);
    }),
  );
  closeGently(app, admission);
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES);
    noteFailure(request.id, error);
    sendProblem(request, reply, problem, dependencies);
  });

  addRoutes(app, { ...dependencies, visitors, noteFailure }, routes, plainRoutes);
  refuseUnrouted(app, newRequestId, docsUrl);
  return app;
}

/** @throws Problem for what no route would take, whatever it is asked for */
function refuseMalformed(request: FastifyRequest): void {
  if (hasTooManyHeaders(request.raw)) {
    throw new Problem(problems.headers_too_large, undefined, [], { connection: 'close' });
  }
  // Where such a body ends a proxy may see otherwise: nothing that follows it is a request (RFC 9112 §6.1).
  if (!isPlainTransfer(request.headers['transfer-encoding'])) {
    throw new Problem(problems.bad_request, undefined, [], { connection: 'close' });
  }
  const errors = headerErrors(headerOf(request, 'x-client-request-id'), headerOf(request, 'x-api-version'));
  if (errors.length > 0) throw invalid(errors);
  if (!isUnambiguous(request.raw)) throw new Problem(problems.bad_request);
  // The router takes a fragment for a query; a target has none (RFC 9112 §3.2).
  if (request.url.includes('#')) throw new Problem(problems.invalid_url);
}

/** Tells those on connections that are to be closed, and closes none before its answer was taken. */
function closeGently(app: FastifyInstance, admission: Admission): void {
  const draining = { now: false };
  app.addHook('preClose', async () => {
    draining.now = true;
    await stopAccepting(app.server);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (draining.now) void reply.header('connection', 'close');
    giveTicketBack(request, admission);
    const closes = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive;
    if (!closes || typeof payload !== 'string' || !hasBody(request.raw) || request.raw.complete) return done();
    void reply.header('content-length', Buffer.byteLength(payload));
    done(null, lingering(payload, request.raw));
  });
}

/** Refuses what comes past the router: a tunnel, and an expectation that nobody meets. */
function refuseUnrouted({ server }: FastifyInstance, newRequestId: () => string, docsUrl: string): void {
  server.on('connect', (_request, connection: Socket) => refuseTunnel(connection, newRequestId(), docsUrl));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = bareProblem(problems.expectation_failed, newRequestId(), docsUrl);
    response.writeHead(status, { ...headers, ...echo(request) });
    endLingering(request, response, body);
  });
}

/** What routes need beside what the server is given. */
interface RouteDependencies extends HttpDependencies {
  readonly visitors: Visitors;
  readonly noteFailure: NoteFailure;
}

/** Has each route admit and perform its requests by the pipeline, and the plain ones speak for themselves. */
function addRoutes(
  app: FastifyInstance,
  dependencies: RouteDependencies,
  routes: readonly Route[],
  plainRoutes: readonly PlainRoute[],
): void {
  const pipeline = createPipeline(dependencies);
  for (const { contract, handle } of routes) {
    const run = pipeline(contract, handle);
    app.route({
      method: contract.method,
      url: contract.path,
      onRequest: (request, reply, done) => {
        const { exchange } = request;
        const setHeader = (name: string, value: string): void => void reply.header(name, value);
        exchange.inTime(() => when(() => run.admit(exchange, setHeader), done));
      },
      handler: async (request, reply) => {
        const { exchange } = request;
        const answer = await exchange.answerInTime(() => run.perform(exchange));
        sendAnswer(request, reply, answer, dependencies);
        noteUntaken(reply.raw, dependencies.visitors);
        return reply;
      },
    });
  }
  // Anybody may call these; none of them takes a large body.
  const bodyLimit = SMALL_BODY_BYTES;
  for (const { method, path, handle } of plainRoutes) {
    const handler: PlainRoute['handle'] = async (request, reply) => {
      await request.exchange.answerInTime(() => handle(request, reply));
      noteUntaken(reply.raw, dependencies.visitors);
      return reply;
    };
    app.route({ method, url: path, bodyLimit, handler });
  }
}

/** What is left of an answer that the connection has not taken at once is kept until it is. */
function noteUntaken({ socket }: ServerResponse, visitors: Visitors): void {
  if (socket !== null && socket.writableLength > 0) visitors.wrote(socket, socket.writableLength);
}

/** Whether the request may go on; if so, its ticket is given back when it has its answer, or will never have one. */
function admit(admission: Admission, request: IncomingMessage, response: ServerResponse): boolean {
  if (ALWAYS_ADMITTED.test(request.url ?? '')) return true;
  const ticket = admission.admit();
  if (ticket === null) return false;
  holdTicket(request, ticket);
  // What has no body has its handler at once, and with it an answer, whether anybody still listens or not.
  if (!hasBody(request)) return true;
  // Who goes away before his answer leaves work behind, which is counted until it is done.
  response.once('close', () => {
    if (!ticket.isHandled) admission.leave(ticket);
  });
  return true;
}

function giveTicketBack({ raw }: FastifyRequest, admission: Admission): void {
  const ticket = ticketOf(raw);
  if (ticket !== undefined) admission.leave(ticket);
}

/** Has a request give its place to others while its body is on its way, which may take long. */
function holdTickets(app: FastifyInstance, admission: Admission): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const ticket = ticketOf(request.raw);
    const { 'content-length': length } = request.headers;
    if (ticket === undefined || !hasBody(request.raw)) return done();
    if (!request.raw.complete) {
      admission.stepAside(ticket);
      request.exchange.awaitBody();
    }
    // What is longer than the route takes is refused before it is kept.
    const bytes = Math.min(Number(length ?? BODY_LIMIT_BYTES), request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES);
    if (bytes <= SMALL_BODY_BYTES || admission.reserve(ticket, bytes, request.exchange.caller?.projectId ?? ''))
      return done();
    done(unavailable());
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const ticket = ticketOf(request.raw);
    if (ticket !== undefined) {
      admission.stepBack(ticket);
      request.exchange.takeBody();
      ticket.isHandled = true;
    }
    done();
  });
}

function unavailable(): Problem {
  const headers = { ...RETRY_SOON, connection: 'close' };
  return new Problem(problems.service_unavailable, undefined, [], headers);
}

/** Answers 503 before anything was read but the headers: it must cost next to nothing. */
function refuseForNow(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { docsUrl, ownProblems, metrics }: Pick<HttpDependencies, 'docsUrl' | 'ownProblems' | 'metrics'>,
): void {
  metrics.requestsShed.inc();
  const problem = new Problem(problems.service_unavailable);
  const own = request.url?.startsWith(ownProblems.below) === true ? ownProblems.render(problem) : null;
  const body = own?.body ?? renderProblem(problem, requestId, docsUrl);
  const isLarge = Number(request.headers['content-length'] ?? 0) > SMALL_BODY_BYTES;
  const isEndless = request.headers['transfer-encoding'] !== undefined;
  const closes = isLarge || isEndless;
  response.writeHead(own?.status ?? problem.definition.status, {
    'x-request-id': requestId,
    'x-api-version': CURRENT_API_VERSION,
    'x-content-type-options': 'nosniff',
    ...RETRY_SOON,
    'cache-control': 'no-store',
    'content-type': own === null ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...echo(request),
    ...(closes ? { connection: 'close' } : {}),
  });
  if (closes) endLingering(request, response, body);
  else response.end(body);
}

function decorateAnswer(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  void reply.header('x-api-version', CURRENT_API_VERSION);
  void reply.header('x-content-type-options', 'nosniff');
  // Unless it says otherwise: of some statuses, 404 among them, a cache may keep what says nothing (RFC 9110 §15.1).
  void reply.header('cache-control', 'no-cache');
  void reply.headers(echo(request.raw));
}

/** The caller's own id of a request, as the header of its answer. */
function echo({ headers }: IncomingMessage): Record<string, string> {
  const id = headers['x-client-request-id'];
  return typeof id === 'string' && isClientRequestId(id) ? { 'x-client-request-id': id } : {};
}

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Answer | StreamedAnswer,
  { basePath, noteFailure, visitors }: Pick<RouteDependencies, 'basePath' | 'noteFailure' | 'visitors'>,
): void {
  void reply.code(status).headers({ 'cache-control': 'private, no-cache', ...headers });
  const location = headers?.['location'];
  if (location !== undefined && basePath !== '') void reply.header('location', `${basePath}${location}`);
  if (body !== null) {
    void reply.type(status >= 400 ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8');
  }
  if (typeof body === 'string') return void reply.send(body);
  // Of what HEAD asks for nothing is written; a stream, as the length of nothing would be told (RFC 9110 §8.6).
  if (request.method === 'HEAD') return void reply.send(Readable.from([]));
  if (body === null) return void reply.send();
  const { socket } = reply.raw;
  const stream = streamOf(body, (bytes) => {
    if (socket !== null) visitors.wrote(socket, socket.writableLength + bytes);
  });
  stream.once('error', (error) => {
    // As long as nothing is sent it is refused as usual.
    if (!reply.raw.headersSent) return;
    noteFailure(request.id, error);
    // By HTTP/1.0 the end of the connection is that of the answer, unless it is a reset (RFC 9112 §8).
    if (!reply.raw.chunkedEncoding) socket?.resetAndDestroy();
  });
  void reply.send(stream);
}

function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  { docsUrl, ownProblems }: Pick<HttpDependencies, 'docsUrl' | 'ownProblems'>,
): void {
  void reply.headers({ ...problem.headers, 'cache-control': 'no-store' });
  if (request.url.startsWith(ownProblems.below)) {
    const { status, body } = ownProblems.render(problem);
    void reply.code(status).header('pragma', 'no-cache').type('application/json; charset=utf-8').send(body);
    return;
  }
  void reply
    .code(problem.definition.status)
    .type('application/problem+json; charset=utf-8')
    .send(renderProblem(problem, request.id, docsUrl));
}
