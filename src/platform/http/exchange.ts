import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { within, type Deadline } from '../deadline.ts';
import type { Admission, Ticket } from './admission.ts';
import type { Caller } from './contract.ts';
import type { RawRequest } from './pipeline.ts';
import type { Visitors } from './visitors.ts';

const EXCHANGE = Symbol('exchange');
const TICKET = Symbol('ticket');
/** A request is answered within five seconds, also when the database hangs: some time is left for all else that it takes. */
const ANSWER_MS = 4_400;
/** Longer than a body takes that is sent with its headers. */
const LATE_BODY_MS = 100;

/** A request that was let in, before the HTTP library has looked at it. */
interface Admitted extends IncomingMessage {
  [TICKET]?: Ticket;
  [EXCHANGE]?: Exchange;
}

/** Notes the ticket with which a request was let in. */
export function holdTicket(request: IncomingMessage, ticket: Ticket): void {
  (request as Admitted)[TICKET] = ticket;
}

/** The ticket of a request; what is always let in has none. */
export function ticketOf(request: IncomingMessage): Ticket | undefined {
  return (request as Admitted)[TICKET];
}

/** A request on its way, for who has seen no more of it; `undefined` of one that was refused before it began. */
export function exchangeOf(request: IncomingMessage): Exchange | undefined {
  return (request as Admitted)[EXCHANGE];
}

/** A request on its way through the service: made once, and the same for all of its steps. */
export class Exchange implements RawRequest {
  hasWaited = false;
  /** When it began, as by `performance.now()`. */
  readonly since = performance.now();
  readonly #request: FastifyRequest;
  readonly #admission: Admission;
  readonly #visitors: Visitors;
  readonly #deadline: Deadline = { untilMs: this.since + ANSWER_MS };
  #bodyAwaitedSince: number | null = null;
  #caller: Caller | null = null;

  constructor(request: FastifyRequest, admission: Admission, visitors: Visitors) {
    this.#request = request;
    this.#admission = admission;
    this.#visitors = visitors;
    (request.raw as Admitted)[EXCHANGE] = this;
  }

  get caller(): Caller | null {
    return this.#caller;
  }

  /** From now on everything is done for his project. */
  set caller(caller: Caller | null) {
    this.#caller = caller;
    if (caller !== null) this.#deadline.party = caller.projectId;
  }

  get id(): string {
    return this.#request.id;
  }

  /** The path of its route, as it was registered; `unknown` where there is none. */
  get route(): string {
    return this.#request.routeOptions.url ?? 'unknown';
  }

  get url(): string {
    return this.#request.url;
  }

  get method(): string {
    return this.#request.method;
  }

  get parameters(): Record<string, string> {
    return this.#request.params as Record<string, string>;
  }

  get pairs(): [string, string][] {
    return (this.#request.query as { pairs: [string, string][] }).pairs;
  }

  get body(): Buffer | undefined {
    const { body } = this.#request;
    return Buffer.isBuffer(body) ? body : undefined;
  }

  header(name: string): string | undefined {
    return headerOf(this.#request, name);
  }

  isRepeated(name: string): boolean {
    return (this.#request.raw.headersDistinct[name]?.length ?? 0) > 1;
  }

  isAbandoned(): boolean {
    const { destroyed, readableEnded } = this.#request.raw.socket;
    return destroyed || readableEnded;
  }

  /** Does one of its steps, measured against the one deadline that all of them have. */
  inTime<Result>(step: () => Result): Result {
    return within(this.#deadline, step);
  }

  /** Does the last of its steps: what is left to be done then, nobody waits for. */
  async answerInTime<Result>(step: () => Promise<Result>): Promise<Result> {
    try {
      return await this.inTime(step);
    } finally {
      this.liftDeadline();
    }
  }

  /** Its body is on its way, for as long as that takes. */
  awaitBody(): void {
    this.#bodyAwaitedSince = performance.now();
  }

  /** What its body took is not counted; whoever sends it slowly waits for himself. */
  takeBody(): void {
    if (this.#bodyAwaitedSince === null) return;
    const took = performance.now() - this.#bodyAwaitedSince;
    this.#deadline.untilMs += took;
    this.#bodyAwaitedSince = null;
    if (took > LATE_BODY_MS) this.hasWaited = true;
  }

  /** It takes as long as it needs. */
  liftDeadline(): void {
    this.#deadline.untilMs = Infinity;
  }

  async waitAside<Result>(awaited: Promise<Result>): Promise<Result> {
    const { raw } = this.#request;
    this.hasWaited = true;
    const ticket = ticketOf(raw);
    if (ticket !== undefined) this.#admission.stepAside(ticket);
    // A client from whom nothing is heard is not silent while it is he who waits.
    const silenceMs = raw.socket.timeout ?? 0;
    raw.socket.setTimeout(0);
    this.#visitors.waits(raw.socket);
    this.liftDeadline();
    return awaited.finally(() => {
      this.#deadline.untilMs = performance.now() + ANSWER_MS;
      raw.socket.setTimeout(silenceMs);
      this.#visitors.asked(raw.socket);
      if (ticket !== undefined) this.#admission.stepBack(ticket);
    });
  }
}

/** A header of a request; what came several times is joined. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any step looks at the request. */
    exchange: Exchange;
  }
}
