/** The typed client against the real service, through a `fetch` that fails in every way on the first requests. */
import assert from 'node:assert/strict';
import { getEventListeners, setMaxListeners } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { createClient, WattlineError, type ClientOptions, type WattlineClient } from '#client';
import { signUpBody, type Json } from '#test/support/builders.ts';
import { foreignHeaders } from '#test/support/foreign-headers.ts';
import { startService, type TestService } from '#test/support/service.ts';

type Fetch = typeof globalThis.fetch;

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** A request that the client made; `attempt` counts those of one path, tokens apart. */
interface Sent {
  readonly path: string;
  readonly method: string;
  readonly headers: Headers;
}

/** What happens to the n-th request to the API in the place of being answered, or nothing. */
type Fault = (index: number, pass: () => Promise<Response>, init: RequestInit) => Promise<Response> | undefined;

/** A client, and the requests that it makes. */
function open(
  fault: Fault = () => undefined,
  options: Partial<ClientOptions> = {},
): { client: WattlineClient; sent: Sent[]; tokens: () => number } {
  const sent: Sent[] = [];
  let tokens = 0;
  const fetch: Fetch = (input, init = {}) => {
    const url = input as string;
    if (url.endsWith('/oauth/token')) {
      tokens += 1;
      return globalThis.fetch(url, init);
    }
    const { pathname } = new URL(url);
    sent.push({ path: pathname, method: init.method ?? 'GET', headers: new Headers(init.headers) });
    const pass = (): Promise<Response> => globalThis.fetch(url, init);
    return fault(sent.length - 1, pass, init) ?? pass();
  };
  const { clientId, clientSecret } = service.client;
  const client = createClient({ baseUrl: service.baseUrl, clientId, clientSecret, fetch, retryDelayMs: 1, ...options });
  return { client, sent, tokens: () => tokens };
}

/** Answers the first requests so, and lets the others pass. */
const firstly =
  (count: number, answer: Fault): Fault =>
  (index, pass, init) =>
    index < count ? answer(index, pass, init) : undefined;

const answering = (status: number, headers: Record<string, string> = {}, body = ''): Fault => {
  return async () => new Response(body, { status, headers });
};

/** Rejects with the reason of the signal. */
const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));

const refusal = (promise: Promise<unknown>): Promise<WattlineError> =>
  promise.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => {
      assert.ok(error instanceof WattlineError, String(error));
      return error;
    },
  );

const body = (overrides: Record<string, unknown> = {}): Json => signUpBody(service.planId, overrides);

describe('tokens', () => {
  test('many calls at once ask for one token, and later calls for none', async () => {
    const { client, tokens } = open();
    await Promise.all(Array.from({ length: 20 }, () => client.GET('/plans')));
    await client.GET('/suppliers');
    assert.equal(tokens(), 1);
  });

  test('a token is renewed before its end', async () => {
    let now = 0;
    const lives: number[] = [];
    // Nobody else's clock is to be set: the service runs in this process, and is asked nothing meanwhile.
    const fetch: Fetch = async (input) => {
      if (!(input as string).endsWith('/oauth/token')) return Response.json({ object: 'list', items: [] });
      lives.push(now);
      return Response.json({ access_token: `token-${now}`, token_type: 'Bearer', expires_in: 100 });
    };
    const { client } = open(undefined, { fetch });
    const { performance } = globalThis;
    try {
      Object.defineProperty(globalThis, 'performance', { value: { now: () => now }, configurable: true });
      for (now of [0, 50_000, 89_000, 91_000, 92_000, 181_500]) await client.GET('/plans');
    } finally {
      Object.defineProperty(globalThis, 'performance', { value: performance, configurable: true });
    }
    assert.deepEqual(lives, [0, 91_000, 181_500]);
  });

  test('one that is refused is replaced once, for all calls that used it, and the calls succeed', async () => {
    const refuse = answering(401, {}, '{}');
    const { client, sent, tokens } = open((index, pass, init) => (index < 5 ? refuse(index, pass, init) : undefined));
    await Promise.all(Array.from({ length: 5 }, () => client.GET('/plans')));
    assert.deepEqual([sent.length, tokens()], [10, 2]);
    const again = open(answering(401, {}, '{}'));
    assert.equal((await refusal(again.client.GET('/plans'))).status, 401);
    assert.deepEqual([again.sent.length, again.tokens()], [2, 2]);
  });

  test('a wrong secret is an error with the code of OAuth, and the next call asks anew', async () => {
    const { client, tokens } = open(undefined, { clientSecret: 'es_test_wrong: and/ünusual%' });
    for (const expected of [1, 2]) {
      const error = await refusal(client.GET('/plans'));
      assert.deepEqual([error.status, error.code, tokens()], [401, 'invalid_client', expected]);
    }
  });
});

describe('a call', () => {
  test('whose answer was lost is repeated under its key and has its effect once', async () => {
    const lose: Fault = async (_, pass) => {
      await pass();
      throw new TypeError('fetch failed');
    };
    const { client, sent } = open(firstly(2, lose));
    const { data, response } = await client.POST('/subscriptions', { body: body({ external_id: 'lost-answer' }) });
    assert.equal(response.headers.get('idempotency-replayed'), 'true');
    const keys = new Set(sent.map(({ headers }) => headers.get('idempotency-key')));
    assert.deepEqual([sent.length, keys.size], [3, 1]);
    const list = await client.GET('/subscriptions', {
      params: { query: { 'filter[external_id][eq]': 'lost-answer' } },
    });
    assert.deepEqual(
      list.data.items.map(({ id }) => id),
      [data.id],
    );
  });

  test('that changes something has a key of its own, or the one that it was given; one that reads has none', async () => {
    const { client, sent } = open();
    await client.POST('/plans', { body: { name: 'One', price: 1 } });
    await client.POST('/plans', { body: { name: 'Two', price: 1 } });
    const header = { 'Idempotency-Key': 'mine' };
    const { data } = await client.POST('/plans', { body: { name: 'Three', price: 1 }, params: { header } });
    await client.PATCH('/plans/{id}', { params: { path: { id: data.id } }, body: { name: 'Four' } });
    await client.GET('/plans');
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    assert.equal(new Set(keys).size, 5);
    assert.deepEqual([keys[2], keys[4]], ['mine', null]);
  });

  const SHAPES: Readonly<
    Record<string, (pairs: [string, string][]) => Headers | [string, string][] | Record<string, string>>
  > = {
    'a list of pairs': (pairs) => pairs,
    'an object': (pairs) => Object.fromEntries(pairs),
    Headers: (pairs) => new Headers(pairs),
    'Headers of a library': foreignHeaders,
  };
  for (const [shape, headersOf] of Object.entries(SHAPES)) {
    test(`sends its headers, which were given as ${shape}`, async () => {
      const { client, sent } = open();
      const { data } = await client.POST('/plans', { body: { name: `Plan with ${shape}`, price: 1 } });
      const headers = headersOf([
        ['If-Match', '"stale"'],
        ['Idempotency-Key', `mine, with ${shape}`],
      ]);
      const options = { params: { path: { id: data.id } }, body: { name: 'Lost' }, headers };
      assert.equal((await refusal(client.PATCH('/plans/{id}', options))).code, 'precondition_failed');
      assert.equal(sent.at(-1)?.headers.get('idempotency-key'), `mine, with ${shape}`);
    });
  }

  for (const name of ['', '.', '..']) {
    test(`is not sent to another path than is meant, by a name such as '${name}'`, async () => {
      const { client, sent } = open();
      await assert.rejects(client.GET('/idempotency-keys/{key}', { params: { path: { key: name } } }), TypeError);
      assert.deepEqual(sent, []);
    });
  }

  for (const status of [408, 429, 502, 503, 504]) {
    test(`that is answered ${status} is repeated`, async () => {
      const { client, sent } = open(firstly(2, answering(status)));
      await client.POST('/plans', { body: { name: 'Repeated', price: 1 } });
      assert.equal(sent.length, 3);
    });
  }

  test('that another request with its key is busy with is repeated; another 409 is not', async () => {
    const code = (name: string): string => JSON.stringify({ code: name, errors: [], status: 409 });
    const busy = open(firstly(2, answering(409, {}, code('idempotency_request_in_progress'))));
    await busy.client.POST('/plans', { body: { name: 'Busy', price: 1 } });
    assert.equal(busy.sent.length, 3);
    const taken = open();
    const twice = body();
    await taken.client.POST('/subscriptions', { body: twice });
    const error = await refusal(taken.client.POST('/subscriptions', { body: twice }));
    assert.deepEqual([error.status, error.code, taken.sent.length], [409, 'market_location_taken', 2]);
  });

  test('waits as long as the answer asks, and not at all when that is more than a minute', async () => {
    const { client } = open(firstly(1, answering(503, { 'retry-after': '1' })));
    const begin = performance.now();
    await client.GET('/plans');
    assert.ok(performance.now() - begin >= 990);
    const long = open(answering(503, { 'retry-after': '61' }));
    const error = await refusal(long.client.GET('/plans'));
    assert.deepEqual([error.status, error.retryAfterSeconds, long.sent.length], [503, 61, 1]);
    const date = new Date(Date.now() + 7_200_000).toUTCString();
    const dated = await refusal(open(answering(429, { 'retry-after': date })).client.GET('/plans'));
    assert.ok((dated.retryAfterSeconds ?? 0) > 7_100);
  });

  test('gives up after its attempts, with the last answer or the last failure', async () => {
    const answered = open(answering(502, {}, '<html>Bad gateway</html>'), { maxRetries: 2 });
    const error = await refusal(answered.client.GET('/plans'));
    assert.deepEqual([error.status, error.code, answered.sent.length], [502, 'unknown', 3]);
    const unanswered = open(async () => Promise.reject(new TypeError('fetch failed')), { maxRetries: 1 });
    await assert.rejects(unanswered.client.GET('/plans'), new TypeError('fetch failed'));
    assert.equal(unanswered.sent.length, 2);
  });

  test('is not repeated when it was refused for good', async () => {
    for (const status of [400, 403, 404, 422, 500]) {
      const { client, sent } = open(answering(status));
      assert.equal((await refusal(client.GET('/plans'))).status, status);
      assert.equal(sent.length, 1);
    }
  });

  test('whose answer breaks off, or does not come in time, is repeated', async () => {
    const broken: Fault = async () =>
      new Response(new ReadableStream({ start: (stream) => stream.error(new Error('cut')) }), { status: 200 });
    const cut = open(firstly(1, broken));
    await cut.client.GET('/plans');
    assert.equal(cut.sent.length, 2);
    const silent: Fault = (_, __, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    const late = open(firstly(1, silent), { timeoutMs: 500 });
    await late.client.GET('/plans');
    assert.equal(late.sent.length, 2);
  });

  test('ends with the reason of its signal, before, during and between its attempts', async () => {
    const reason = new Error('enough');
    const early = open();
    await assert.rejects(early.client.GET('/plans', { signal: AbortSignal.abort(reason) }), reason);
    assert.deepEqual([early.sent.length, early.tokens()], [0, 0]);
    const stop = new AbortController();
    const between = open(
      async () => {
        setImmediate(() => stop.abort(reason));
        return new Response('', { status: 503, headers: { 'retry-after': '50' } });
      },
      { maxRetries: 9 },
    );
    await assert.rejects(between.client.GET('/plans', { signal: stop.signal }), reason);
    assert.equal(between.sent.length, 1);
    const during = new AbortController();
    const waiting = open((_, pass) => {
      setImmediate(() => during.abort(reason));
      return pass();
    });
    const call = waiting.client.GET('/events', {
      params: { query: { wait: 30, types: 'nothing.ever' } },
      signal: during.signal,
    });
    await assert.rejects(call, reason);
  });

  test('leaves nothing behind at its signal, which may be given to any number of calls', async () => {
    const { client } = open();
    const { signal } = new AbortController();
    await client.POST('/subscriptions', { body: body(), signal });
    await refusal(client.GET('/plans/{id}', { params: { path: { id: 'nothing' } }, signal }));
    await client.events({ signal }).next();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  test('has a signal in common with any number of others that are under way, of which Node gives no warning', async () => {
    const { client } = open((_index, _pass, { signal }) => aborted(signal));
    const [stop, reason] = [new AbortController(), new Error('enough')];
    // As Node 20 has it by itself.
    setMaxListeners(10, stop.signal);
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    try {
      const calls = Array.from({ length: 20 }, () => client.GET('/plans', { signal: stop.signal }));
      setImmediate(() => stop.abort(reason));
      for (const { status, reason: why } of (await Promise.allSettled(calls)) as PromiseRejectedResult[])
        assert.deepEqual([status, why], ['rejected', reason]);
    } finally {
      process.off('warning', warned);
    }
    assert.deepEqual(warnings, []);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });

  test('that is refused throws the problem with every wrong member', async () => {
    const wrong = body({ address: { street: '', house_number: '1', zip: '1', city: 'Köln' } });
    const error = await refusal(open().client.POST('/subscriptions', { body: wrong }));
    assert.equal(error.status, 400);
    assert.deepEqual(
      error.errors.map(({ field }) => field),
      ['/address/street', '/address/zip'],
    );
    assert.match(error.requestId ?? '', /^req_/);
    assert.equal(error.problem.request_id, error.requestId);
    assert.match(error.message, /^400 .+\/address\/zip/);
  });

  test('tells the version that was asked for, and carries entity tags both ways', async () => {
    const { client, sent } = open(undefined, { apiVersion: '2026-11-21', baseUrl: `${service.baseUrl}/` });
    const { data: plan, response } = await client.POST('/plans', { body: { name: 'Tagged', price: 1 } });
    assert.equal(sent[0]?.headers.get('x-api-version'), '2026-11-21');
    const etag = response.headers.get('etag') ?? '';
    const path = { id: plan.id };
    const unchanged = await refusal(client.GET('/plans/{id}', { params: { path, header: { 'If-None-Match': etag } } }));
    assert.equal(unchanged.status, 304);
    await client.PATCH('/plans/{id}', { params: { path, header: { 'If-Match': etag } }, body: { price: 2 } });
    const stale = client.PATCH('/plans/{id}', { params: { path, header: { 'If-Match': etag } }, body: { price: 3 } });
    assert.equal((await refusal(stale)).status, 412);
    const unknown = open(undefined, { apiVersion: '1999-01-01' });
    assert.equal((await refusal(unknown.client.GET('/plans'))).code, 'unknown_api_version');
  });

  test('that deletes gives no data', async () => {
    const { client } = open();
    const { data } = await client.POST('/webhook-endpoints', { body: { url: 'https://example.com/' } });
    const deleted = await client.DELETE('/webhook-endpoints/{id}', { params: { path: { id: data.id } } });
    assert.deepEqual([deleted.data, deleted.response.status], [undefined, 204]);
  });
});

describe('lists', () => {
  test('give every item over all pages, filtered and expanded, and go on after a failure in the midst', async () => {
    const metadata = { 'a&b=c ü': 'x y' };
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push((await open().client.POST('/subscriptions', { body: body({ metadata }) })).data.id);
    }
    const { client, sent } = open((index) =>
      index === 1 ? Promise.resolve(new Response('', { status: 503 })) : undefined,
    );
    const found: string[] = [];
    const query = {
      limit: 2,
      'filter[metadata.a&b=c ü][eq]': 'x y',
      'expand[]': ['customer' as const, 'plan' as const],
    };
    for await (const { id, customer, plan } of client.list('/subscriptions', { params: { query } })) {
      assert.ok(typeof customer === 'object' && customer.last_name === 'Mustermann');
      assert.ok(typeof plan === 'object' && plan.object === 'plan');
      found.push(id);
    }
    assert.deepEqual(found, ids.toReversed());
    assert.equal(sent.length, 4);
  });

  test('ask for no more pages than are read', async () => {
    const { client, sent } = open();
    for await (const supplier of client.list('/suppliers', { params: { query: { limit: 1 } } })) {
      assert.equal(supplier.object, 'supplier');
      break;
    }
    assert.equal(sent.length, 1);
  });
});

describe('events', () => {
  /** The cursor behind what has happened until now: the feed shows it a moment after it was answered. */
  const endOfFeed = async (): Promise<string | null> => {
    const { client } = open();
    const { data: last } = await client.POST('/subscriptions', { body: body() });
    for await (const { event, cursor } of client.events({ types: ['subscription.created'] })) {
      assert.ok(event.type === 'subscription.created');
      if (event.data.subscription.id === last.id) return cursor;
    }
    throw new Error('the feed ended');
  };

  test('come in order, as they happen, with a cursor from which nothing is missed', async () => {
    const { client } = open();
    const after = await endOfFeed();
    const stop = new AbortController();
    const ids: string[] = [];
    const sign = async (): Promise<void> =>
      void ids.push((await client.POST('/subscriptions', { body: body() })).data.id);
    await sign();
    await sign();
    const seen: { id: string; cursor: string | null }[] = [];
    const options = { after, types: ['subscription.created'] as const, signal: stop.signal };
    for await (const { event, cursor } of client.events(options)) {
      assert.ok(event.type === 'subscription.created');
      // Typed by the type of the event.
      seen.push({ id: event.data.subscription.id, cursor });
      if (seen.length === 2) await sign();
      if (seen.length === 3) stop.abort();
    }
    assert.deepEqual(
      seen.map(({ id }) => id),
      ids,
    );
    for (const [index, { cursor }] of seen.slice(0, -1).entries()) {
      const rest: string[] = [];
      for await (const { event } of client.events({ after: cursor, types: ['subscription.*'] })) {
        rest.push((event.data as Json).subscription.id);
        if (rest.at(-1) === ids.at(-1)) break;
      }
      for (const id of ids.slice(index + 1)) assert.ok(rest.includes(id), `after ${index}`);
    }
  });

  test('are waited for beyond the time that an attempt may take', async () => {
    const after = await endOfFeed();
    const options = { timeoutMs: 1_000, maxRetries: 0 };
    const next = open(undefined, options)
      .client.events({ after, types: ['subscription.created'] })
      .next();
    const unanswered = open((_index, _pass, { signal }) => aborted(signal), options).client.GET('/plans');
    await assert.rejects(unanswered, { name: 'TimeoutError' });
    const { data: late } = await open().client.POST('/subscriptions', { body: body() });
    const { value } = await next;
    assert.ok(value?.event.type === 'subscription.created');
    assert.equal(value.event.data.subscription.id, late.id);
  });

  test('are asked for once a second at most by who is told at once that there are none', async () => {
    const stop = new AbortController();
    const asked: number[] = [];
    const { client } = open(() => {
      asked.push(performance.now());
      if (asked.length === 3) stop.abort();
      return Promise.resolve(Response.json({ object: 'list', items: [], next_page: 'same' }));
    });
    for await (const { event } of client.events({ signal: stop.signal })) assert.fail(event.type);
    const [first = 0, , third = 0] = asked;
    assert.ok(asked.length === 3 && third - first >= 1_900, `${third - first} ms`);
  });

  test('end without a word when their signal aborts while they wait, and with the error when they are refused', async () => {
    const stop = new AbortController();
    const { client } = open((_, pass) => {
      setImmediate(() => stop.abort());
      return pass();
    });
    for await (const { event } of client.events({ types: ['webhook_endpoint.*'], signal: stop.signal })) {
      assert.fail(event.type);
    }
    const ofNone = open((_, pass) => {
      setImmediate(() => stop.abort());
      return pass();
    }).client.events({ types: [], signal: stop.signal });
    assert.deepEqual(await ofNone.next(), { done: true, value: undefined }, 'as if none were named');
    const wrong = open().client.events({ after: 'no cursor' });
    assert.equal((await refusal(wrong.next())).code, 'invalid_cursor');
  });
});

test('a reason in any script reaches the audit log, wherever it is given', async () => {
  const { client } = open();
  const reasons = ['Für 王 😀 – „geprüft“', 'größer'];
  const path = { params: { path: { id: service.planId } }, body: { description: 'Another' } };
  await client.PATCH('/plans/{id}', { ...path, params: { ...path.params, header: { 'X-Reason': reasons[0] ?? '' } } });
  await client.PATCH('/plans/{id}', { ...path, headers: { 'x-reason': reasons[1] ?? '' } });
  const { data } = await client.GET('/audit-log', { params: { query: { limit: 2 } } });
  assert.deepEqual(data.items.map(({ reason }) => reason).toReversed(), reasons);
});
