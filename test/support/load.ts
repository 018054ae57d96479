import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { maloOf } from './malo.ts';

/** Where a load goes; the service may be killed and come back there. */
export interface Site {
  readonly port: number;
  readonly planId: string;
  /** Sent with every request; may be replaced on the way. */
  token: string;
}

/** What one request came to. */
export interface Outcome {
  /** 0 is a connection that broke, or an answer that did not come in time. */
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
  readonly retryAfter: string | undefined;
  /** When it was sent, and when its answer was there or had failed: `performance.now()`. */
  readonly begunAt: number;
  readonly endedAt: number;
}

/** One sign-up from the first attempt to its answer; every attempt sends the same bytes under the same key. */
export interface Attempt {
  readonly key: string;
  readonly malo: string;
  readonly body: string;
  readonly orders: number;
  tries: number;
}

/** A sign-up that was answered 201. */
export interface Acknowledged extends Attempt {
  readonly id: string;
  readonly answer: string;
  /** Whether an earlier attempt, of which nothing was known, had been stored. */
  readonly replayed: boolean;
}

/** Clients that sign customers up until stopped, and repeat under its key what came to no answer. */
export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  /** Answers that a client does not expect, whatever is broken: neither 201 nor 503. */
  readonly odd: readonly Outcome[];
  /** Lets no client begin another sign-up while something is done that takes the longer the more of them there are. */
  pauseDuring<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Lets no client begin another sign-up; resolves when each that was begun has its answer. */
  stop(): Promise<void>;
}

/** Settings of `startLoad`. */
export interface LoadOptions {
  readonly clients: number;
  /** Each client rests for so long after an answer. */
  readonly pauseMs?: number;
  /** Sign-ups are numbered from here on, hence unique among loads of one database. */
  readonly from?: number;
  /** Called when the token is not taken any more; without it, that is odd. */
  readonly renewToken?: () => Promise<void>;
  /** Told of each answer, 503 and broken connections included. */
  readonly observe?: (outcome: Outcome) => void;
}

/** A sign-up that has no answer by then is given up, and odd. */
const PATIENCE_MS = 120_000;
/** A client that was refused or cut off comes back after so long; sooner than it is asked to. */
const RETRY_MS = 20;
/** The market locations of a load lie apart from those of `signUpOf` in bench/generator.ts. */
const FIRST_MALO = 3_000_000_000;

/** An agent with one connection. */
export function oneConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/** One request on a connection of the agent. Never fails: a broken connection is an outcome, too. */
export function exchange(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  {
    body = '',
    headers = {},
    timeoutMs = 30_000,
  }: { body?: string; headers?: Record<string, string>; timeoutMs?: number } = {},
): Promise<Outcome> {
  const begunAt = performance.now();
  return new Promise((resolve) => {
    const ended = (status: number, rest: Pick<Outcome, 'text' | 'replayed' | 'retryAfter'>): void =>
      resolve({ status, ...rest, begunAt, endedAt: performance.now() });
    const broken = (): void => ended(0, { text: '', replayed: false, retryAfter: undefined });
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        ended(response.statusCode ?? 0, {
          text,
          replayed: response.headers['idempotency-replayed'] === 'true',
          retryAfter: response.headers['retry-after'],
        }),
      );
      response.on('error', broken);
      response.on('aborted', broken);
    });
    sent.on('error', broken);
    sent.setTimeout(timeoutMs, () => sent.destroy());
    sent.end(body);
  });
}

function newAttempt(number: number, planId: string): Attempt {
  const malo = maloOf(FIRST_MALO + number);
  const orders = number % 5 === 0 ? [{ type: 'smart-meter' }] : [];
  const body = JSON.stringify({
    plan: planId,
    customer: { first_name: 'Erika', last_name: `Mustermann ${number}`, email: `erika.${number}@example.com` },
    address: { street: 'Heidestraße', house_number: String(number), zip: '51147', city: 'Köln' },
    meter: { number: `M-${number}`, type: 'modern', estimated_usage: 3500, malo },
    payment_method: {
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89370400440532013000', account_holder: `Erika Mustermann ${number}` },
    },
    next_possible_start: true,
    external_id: `order-${number}`,
    metadata: { number, channel: 'torture' },
    ...(orders.length > 0 ? { product_orders: orders } : {}),
  });
  return { key: `key-${number}`, malo, body, orders: orders.length, tries: 0 };
}

/** Sends a sign-up once. */
export function sendSignUp(agent: Agent, site: Site, { key, body }: Pick<Attempt, 'key' | 'body'>): Promise<Outcome> {
  const headers = {
    authorization: `Bearer ${site.token}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  return exchange(agent, site.port, 'POST', '/subscriptions', { body, headers });
}

/** Starts clients that sign customers up, each on a connection of its own. */
export function startLoad(site: Site, { clients, pauseMs = 0, from = 0, renewToken, observe }: LoadOptions): Load {
  const acknowledged: Acknowledged[] = [];
  const odd: Outcome[] = [];
  const running = { on: true, next: from, pause: Promise.resolve() };
  const persist = async (agent: Agent, attempt: Attempt): Promise<void> => {
    const begin = performance.now();
    for (;;) {
      attempt.tries += 1;
      const outcome = await sendSignUp(agent, site, attempt);
      observe?.(outcome);
      const { status, text, replayed } = outcome;
      if (status === 201) {
        const { id } = JSON.parse(text) as { id: string };
        acknowledged.push({ ...attempt, id, answer: text, replayed });
        return;
      }
      if (status === 401 && renewToken !== undefined) {
        await renewToken();
        continue;
      }
      // Killed (0) or its database away (503): nothing is known of this sign-up, so it is sent again.
      if (![0, 503].includes(status) || performance.now() - begin > PATIENCE_MS) {
        odd.push(outcome);
        return;
      }
      await sleep(RETRY_MS);
    }
  };
  const work = async (): Promise<void> => {
    const agent = oneConnection();
    for (;;) {
      await running.pause;
      if (!running.on) break;
      await persist(agent, newAttempt((running.next += 1), site.planId));
      if (pauseMs > 0) await sleep(pauseMs);
    }
    agent.destroy();
  };
  const working = Array.from({ length: clients }, work);
  return {
    acknowledged,
    odd,
    async pauseDuring(work) {
      const over = Promise.withResolvers<void>();
      running.pause = over.promise;
      return work().finally(over.resolve);
    },
    async stop() {
      running.on = false;
      await Promise.all(working);
    },
  };
}
