import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Agent as HttpAgent, request as httpRequest } from '#platform/http/node-http.ts';

/** Why an attempt failed; `status`: it was answered, but not with 2xx. */
export const ATTEMPT_ERRORS = [
  'status',
  'redirect',
  'timeout',
  'connection_failed',
  'connection_closed',
  'name_not_found',
  'forbidden_target',
  'tls_failed',
  'invalid_answer',
] as const;
type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** What an attempt came to. */
export interface Outcome {
  readonly status: number | null;
  readonly latencyMs: number;
  /** `null`: it succeeded. */
  readonly error: AttemptError | null;
  readonly retryAfter: string | undefined;
}

/** What is sent. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends webhooks: connections are kept, redirects are not followed, answers are dropped. */
export interface WebhookClient {
  /** Ends within the time limit and never throws; `null` when it was aborted. */
  post(post: Post, signal: AbortSignal): Promise<Outcome | null>;
  /** Closes the connections that are kept, once nothing is on its way on them. */
  close(): Promise<void>;
}

/** The whole answer has to be there after so long. */
const LIMIT_MS = 15_000;
const MAX_BODY_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;
/** Answers such as 103 may come before the one that counts, so many at most. */
const MAX_INTERIM = 16;
/** Of several addresses the next one is tried after so long: time for a lost packet to be sent again. */
const CONNECTING = { autoSelectFamilyAttemptTimeout: 2_000 };
/** A server may close a connection that nothing is sent on; after so long we do. */
const IDLE_MS = 20_000;

const TLS_CODES = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL|HOSTNAME_MISMATCH)/;
const STALE_CODES = /^(ECONNRESET|EPIPE|HPE_)/;
const NAME_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT']);
/** Of the system that looks for a name: a name server that is not there is refused with the code of a connection. */
const NAME_CALLS = /^(query|getaddrinfo)/;
const CONNECT_CODES = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL']);

/** @param lookup finds addresses that may be connected to, and no others */
export function createWebhookClient(lookup: LookupFunction): WebhookClient {
  const options = { keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' as const };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  const underWay = new Set<Promise<unknown>>();
  const send = createSend(agents, lookup);
  const sweep = setInterval(() => {
    for (const agent of Object.values(agents)) trimIdle(agent);
  }, IDLE_MS);
  sweep.unref();
  return {
    async post(post, signal) {
      if (signal.aborted) return null;
      const begin = performance.now();
      try {
        const sending = send(post, signal, begin, false).finally(() => underWay.delete(sending));
        underWay.add(sending);
        return await sending;
      } catch {
        // Such as a URL that cannot be requested at all.
        return { status: null, latencyMs: 0, error: 'connection_failed', retryAfter: undefined };
      }
    },
    async close() {
      clearInterval(sweep);
      await Promise.allSettled(underWay);
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** One request; `isAgain`: over a connection of its own. */
type Send = (post: Post, signal: AbortSignal, begin: number, isAgain: boolean) => Promise<Outcome | null>;

function createSend(agents: { readonly http: Agent; readonly https: Agent }, lookup: LookupFunction): Send {
  const send: Send = (post, signal, begin, isAgain) => {
    const { promise, resolve } = Promise.withResolvers<Outcome | null>();
    const url = new URL(post.url);
    const isSecure = url.protocol === 'https:';
    const agent = isSecure ? agents.https : agents.http;
    let answer: IncomingMessage | undefined;
    let isSettled = false;
    let interim = 0;
    const settle = (error: AttemptError | null): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      const status = answer?.statusCode ?? null;
      const latencyMs = Math.round(performance.now() - begin);
      resolve({ status, latencyMs, error, retryAfter: answer?.headers['retry-after'] });
    };
    const abort = (): void => {
      isSettled = true;
      clearTimeout(timer);
      resolve(null);
      request.destroy();
    };
    const end = (error: AttemptError | null): void => {
      settle(error);
      request.destroy();
    };
    const request: ClientRequest = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...post.headers, 'content-length': post.body.length },
      agent: isAgain ? false : agent,
      lookup,
      ...CONNECTING,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const timer = setTimeout(() => end('timeout'), Math.max(0, LIMIT_MS - (performance.now() - begin)));
    signal.addEventListener('abort', abort);
    request.on('socket', (socket) => socket.setNoDelay(true));
    request.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM) end('invalid_answer');
    });
    request.on('response', (response) => {
      answer = response;
      followAnswer(response, settle, end);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = !isSettled && !isAgain && answer === undefined && request.reusedSocket;
      if (isStale && STALE_CODES.test(error.code ?? '')) {
        // The kept connection had been closed at the other end, or held more than the answer before.
        isSettled = true;
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        resolve(send(post, signal, begin, true));
        return;
      }
      // What follows a whole answer is no part of it (RFC 9112 section 6.3), such as the body that some send with a 204.
      settle(answer?.complete === true ? judge(answer.statusCode ?? 0) : reasonOf(error));
    });
    request.on('close', () => settle('connection_closed'));
    request.end(post.body);
    return promise;
  };
  return send;
}

type End = (error: AttemptError | null) => void;

/** @param settle says what came of the attempt; `end` also closes its connection */
function followAnswer(response: IncomingMessage, settle: End, end: End): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // What it says is known; the rest is not waited for.
    if (bytes > MAX_BODY_BYTES) end(judge(response.statusCode ?? 0));
  });
  response.on('end', () => settle(response.complete ? judge(response.statusCode ?? 0) : 'connection_closed'));
  response.on('error', () => end('connection_closed'));
  response.on('close', () => settle('connection_closed'));
}

function judge(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function reasonOf({ code = '', syscall = '', message }: NodeJS.ErrnoException): AttemptError {
  if (code === 'EFORBIDDEN') return 'forbidden_target';
  if (NAME_CODES.has(code) || NAME_CALLS.test(syscall)) return 'name_not_found';
  if (CONNECT_CODES.has(code)) return 'connection_failed';
  if (TLS_CODES.test(code) || /certificate/i.test(message)) return 'tls_failed';
  if (code.startsWith('HPE_')) return 'invalid_answer';
  return 'connection_closed';
}

/** What had been sent on a connection when it was last found idle. */
const sentBefore = new WeakMap<object, number>();

/** Closes connections that nothing was sent on since the last time. */
function trimIdle({ freeSockets }: Agent): void {
  for (const sockets of Object.values(freeSockets)) {
    for (const socket of sockets ?? []) {
      const bytes = socket.bytesWritten;
      if (sentBefore.get(socket) === bytes) socket.destroy();
      else sentBefore.set(socket, bytes);
    }
  }
}
