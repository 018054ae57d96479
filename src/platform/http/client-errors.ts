import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CURRENT_API_VERSION } from './headers.ts';
import { STATUS_CODES } from './node-http.ts';
import { Problem, problems, renderProblem, type ProblemDefinition } from './problems.ts';

const LATEST = Symbol('latest answer');
const IS_REFUSED = Symbol('is refused');

/** A connection, and the answer to the latest request on it, given or not. */
interface Connection extends Socket {
  [LATEST]?: ServerResponse | undefined;
  [IS_REFUSED]?: boolean;
}

const CLIENT_ERRORS: ReadonlyMap<string | undefined, ProblemDefinition> = new Map([
  ['HPE_HEADER_OVERFLOW', problems.headers_too_large],
  ['ERR_HTTP_REQUEST_TIMEOUT', problems.request_timeout],
]);

/** Notes what is to be answered on a connection before anything else is, until it is forgotten. */
export function noteAnswer(connection: Connection, answer: ServerResponse): void {
  connection[LATEST] = answer;
}

/** To be called when an answer is closed: an idle connection keeps nothing of what was asked on it. */
export function forgetAnswer(connection: Connection, answer: ServerResponse): void {
  if (connection[LATEST] === answer && answer.req.complete) connection[LATEST] = undefined;
}

/** Answers what is not even HTTP, once all that came before it has its answer; there is no request to hang this one on. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  connection: Connection,
  requestId: string,
  docsUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !connection.writable) {
    connection.destroy();
    return;
  }
  // Whatever comes behind it cannot be read either, and tells so anew.
  if (connection[IS_REFUSED] === true) return;
  connection[IS_REFUSED] = true;
  const { status, headers, body } = bareProblem(
    CLIENT_ERRORS.get(error.code) ?? problems.bad_request,
    requestId,
    docsUrl,
  );
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
  const latest = connection[LATEST];
  const end = (): void => {
    // What is wrong may be the body of a request that has its answer already, and gets no second one.
    const isAnswered = latest !== undefined && !latest.req.complete && latest.headersSent;
    if (connection.writable) connection.end(isAnswered ? '' : text);
  };
  if (latest === undefined || latest.writableFinished) end();
  else if (latest.req.complete || latest.headersSent) latest.once('close', end);
  else if (latest.socket !== null) end();
  // It waits for its turn.
  else latest.once('socket', () => (latest.headersSent ? latest.once('close', end) : end()));
}

/** Answers who asks for a tunnel (CONNECT), as what is no request here; Node would end the connection without a word. */
export function refuseTunnel(connection: Connection, requestId: string, docsUrl: string): void {
  // Node has let go of it, with all that listened to it.
  connection.on('error', () => connection.destroy()).resume();
  answerClientError(new Error('CONNECT'), connection, requestId, docsUrl);
  connection.once('finish', () => connection.destroy());
}

/** The answer to what never became a request. */
export function bareProblem(
  definition: ProblemDefinition,
  requestId: string,
  docsUrl: string,
): { status: number; headers: Record<string, string>; body: string } {
  const body = renderProblem(new Problem(definition), requestId, docsUrl);
  const headers = {
    'x-request-id': requestId,
    'x-api-version': CURRENT_API_VERSION,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { status: definition.status, headers, body };
}
