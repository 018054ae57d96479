/** What HTTP itself asks of a service: closing, hosts, paths, challenges. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formats } from '#features/formats.ts';
import { renderProblemForOauth } from '#features/oauth/index.ts';
import { createAdmission } from '#platform/http/admission.ts';
import { createHttpServer } from '#platform/http/server.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';

import { signUpBody, type Json } from '../support/builders.ts';
import { exchange, rawRequest } from '../support/fuzz.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let token: string;
before(async () => {
  service = await startService();
  token = await service.token();
});
after(() => service.stop());

interface Spoken {
  readonly text: string;
  /** What the connection failed with. */
  readonly error: string | null;
}

/** Sends everything, piece by piece, before it looks at what comes, as simple clients do. */
async function sendAll(pieces: readonly string[], baseUrl = service.baseUrl): Promise<Spoken> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  let [text, error]: [string, string | null] = ['', null];
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', (failure: NodeJS.ErrnoException) => (error = failure.code ?? failure.message));
  for (const piece of pieces) {
    if (error === null) socket.write(piece);
    await sleep(20);
  }
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await closed;
  return { text, error };
}

function head(method: string, path: string, ...headers: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
}

describe('an answer reaches whoever is still sending, and the connection ends in order', () => {
  const parts = Array.from({ length: 10 }, () => 'x'.repeat(100_000));
  const json = 'Content-Type: application/json';
  const length = 'Content-Length: 1000000';
  const requests: [what: string, status: number, pieces: () => string[]][] = [
    ['a body that is too large', 413, () => [head('POST', '/plans', json, length), ...parts]],
    [
      'a chunked body that is too large',
      413,
      () => [
        head('POST', '/plans', json, 'Transfer-Encoding: chunked'),
        ...parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`),
        '0\r\n\r\n',
      ],
    ],
    [
      'a request that is refused before its body is read, by whom says that he closes',
      404,
      () => [head('POST', '/nothing', 'Connection: close', length), ...parts],
    ],
    ['an expectation that cannot be met', 417, () => [head('POST', '/plans', 'Expect: more', length), ...parts]],
  ];
  for (const [what, status, pieces] of requests) {
    test(what, async () => {
      const { text, error } = await sendAll(pieces());
      assert.equal(error, null);
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(text, /^connection: close\r$/im);
      assert.match(text, /"request_id":"req_\w{26}"/);
    });
  }

  test('a request for which there is no room', async () => {
    const { database, keys, clock, mintUuid } = service.service.foundation;
    const full = createHttpServer(
      {
        database,
        keys,
        clock,
        mintUuid,
        log: createLog('silent'),
        metrics: createMetrics(() => database.counts()),
        schemas: createSchemaCompiler(formats),
        rateLimiter: null,
        admission: { ...createAdmission(), admit: () => null },
        trustedProxies: [],
        docsUrl: 'http://127.0.0.1/docs',
        basePath: '',
        authenticate: async () => null,
        ownProblems: { below: '/oauth/', render: renderProblemForOauth },
      },
      [],
      [],
    );
    try {
      const url = await full.listen({ host: '127.0.0.1', port: 0 });
      for (const path of ['/plans', '/oauth/token']) {
        const { text, error } = await sendAll([head('POST', path, json, length), ...parts], url);
        assert.equal(error, null);
        assert.match(text, /^HTTP\/1\.1 503 /);
        assert.match(text, path === '/plans' ? /"code":"service_unavailable"/ : /"error":"temporarily_unavailable"/);
      }
    } finally {
      await full.close();
    }
  });

  test('who never stops sending is cut off', async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const begin = performance.now();
    await new Promise<void>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.write(head('POST', '/plans', json, 'Content-Length: 900000000'));
        const chunk = Buffer.alloc(1_000);
        const timer = setInterval(() => socket.write(chunk), 50);
        socket.on('close', () => {
          clearInterval(timer);
          resolve();
        });
      });
      socket.on('error', () => {});
    });
    assert.ok(performance.now() - begin < 10_000);
  });
});

test('a body at /oauth is measured by the limit there, and documented', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const options = { token: null, headers: form, body: `token=${'x'.repeat(20_000)}` };
  const reply = await service.call('POST', '/oauth/token', options);
  assert.equal(reply.status, 413);
  assert.deepEqual(reply.json, { error: 'invalid_request', error_description: 'The body is larger than 16 KiB.' });
  const document = (await service.call('GET', '/openapi.json')).json;
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
    const { example } = document.paths[path].post.responses['413'].content['application/json'];
    assert.deepEqual(example, reply.json);
  }
});

test('a Content-Type that cannot be read is refused at /oauth like one that is not read', async () => {
  for (const type of ['garbage', 'text/plain']) {
    const options = { token: null, headers: { 'content-type': type }, body: 'grant_type=client_credentials' };
    const reply = await service.call('POST', '/oauth/token', options);
    assert.equal(reply.status, 400, type);
    assert.equal(reply.json.error, 'invalid_request', type);
    assert.match(reply.json.error_description, /^The body must be application\/x-www-form-urlencoded/, type);
  }
});

test('another scheme than Bearer is answered as if there were no token: a challenge without an error', async () => {
  const none = await service.call('GET', '/subscriptions', { token: null });
  for (const authorization of ['Basic abc', 'Digest username="x"', 'Bearerx']) {
    const reply = await service.call('GET', '/subscriptions', { token: null, headers: { authorization } });
    assert.equal(reply.status, 401);
    const challenge = reply.headers.get('www-authenticate');
    assert.equal(challenge, none.headers.get('www-authenticate'), authorization);
    assert.doesNotMatch(challenge ?? '', /error/);
  }
  for (const authorization of ['Bearer', 'bearer !', 'Bearer es_at_x']) {
    const reply = await service.call('GET', '/subscriptions', { token: null, headers: { authorization } });
    assert.match(reply.headers.get('www-authenticate') ?? '', /error="invalid_token"/, authorization);
  }
});

test('a query with U+0000, which is percent-encoded as it should be, is told what is wrong with it', async () => {
  const reply = await service.call('GET', '/plans?filter[slug][eq]=a%00b');
  assert.deepEqual([reply.status, reply.json.code], [400, 'invalid_url']);
  assert.match(reply.json.detail, /U\+0000/);
});

test('a path that a route has but for its dots is no route', async () => {
  for (const path of ['/openapi-json', '/-well-known/oauth-authorization-server', '/docs/assets/start_js']) {
    const reply = await service.call('GET', path, { token: null });
    assert.deepEqual([reply.status, reply.json.code, reply.headers.get('allow')], [404, 'not_found', null], path);
  }
});

test('a collection with a slash at its end, or an empty id, is no route', async () => {
  const paths = ['/subscriptions/?limit=1', '/plans/', '/subscriptions//timeline', '/idempotency-keys/'];
  for (const path of paths) {
    const reply = await service.call('GET', path);
    assert.equal(reply.status, 404, path);
    assert.equal(reply.json.detail, 'There is no such route.', path);
  }
  const patched = await service.call('PATCH', '/plans/', { body: {} });
  assert.equal(patched.json.detail, 'There is no such route.');
});

test('monitoring and the reference overlook parameters, which monitors and caches add', async () => {
  for (const path of ['/health', '/ready', '/openapi.json', '/docs', '/docs/errors']) {
    assert.equal((await service.call('GET', `${path}?ts=1`)).status, 200, path);
  }
  assert.equal((await service.call('GET', '/plans?ts=1')).status, 400);
});

test('nothing is taken for fresh by a cache on the way that may be otherwise the next time', async () => {
  const isKept = async (method: string, path: string, options = {}): Promise<boolean> => {
    const { headers } = await service.call(method, path, options);
    return !/\bno-(?:cache|store)\b/.test(headers.get('cache-control') ?? '');
  };
  // By default some keep a 404 for seconds that says nothing of it: to whoever asks what became of his request, it would
  // say that nothing had.
  for (const path of ['/idempotency-keys/none', '/plans/none', '/none', '/plans?none=1', '/%zz', '/oauth/token']) {
    assert.equal(await isKept('GET', path), false, path);
  }
  assert.equal(await isKept('GET', '/plans', { token: null }), false, 'without a token');
  assert.equal(await isKept('DELETE', '/plans'), false, 'a wrong method');
  assert.equal(await isKept('POST', '/plans', { body: {} }), false, 'a wrong body');
  for (const path of ['/plans', '/health', '/ready', '/openapi.json', '/docs', '/docs/errors']) {
    assert.equal(await isKept('GET', path), false, path);
  }
  assert.equal(await isKept('GET', '/docs/assets/swagger-ui.css'), true);
});

test('a path with needless escapes has the methods of the path without them', async () => {
  assert.equal((await service.call('GET', '/%73ubscriptions')).status, 200);
  const reply = await service.call('PUT', '/%73ubscriptions');
  assert.equal(reply.status, 405);
  assert.equal(reply.headers.get('allow'), (await service.call('PUT', '/subscriptions')).headers.get('allow'));
  assert.equal((await service.call('PUT', '/subscriptions%2Fx')).status, 404);
  const malformed = await service.call('PUT', '/plans/%ff');
  assert.equal(malformed.status, 400);
  assert.equal(malformed.json.code, 'invalid_url');
});

describe('Host', () => {
  const ask = async (...lines: string[]): Promise<number | undefined> => {
    const version = lines.length === 0 ? '1.0' : '1.1';
    const text = [`GET /health HTTP/${version}`, ...lines, 'Connection: close', '', ''].join('\r\n');
    return (await exchange(service.baseUrl, text))?.status;
  };

  test('comes once and well-formed, or the request is 400', async () => {
    for (const host of ['a b', 'a/b', 'user@a', 'a:b', '[::1', '::1', '"a"', 'a\tb', 'ä']) {
      assert.equal(await ask(`Host: ${host}`), 400, host);
    }
    assert.equal(await ask('Host: a', 'Host: a'), 400);
    assert.equal(await ask('Host: a', 'host: b'), 400);
    assert.equal(await ask('X: y'), 400);
  });

  test('may be a name, an address, with a port, or empty, and by HTTP/1.0 be missing', async () => {
    for (const host of [
      'a.example',
      'a_b',
      'A.example:3000',
      '127.0.0.1:80',
      '[::1]',
      '[fe80::1%25eth0]:3000',
      'a:',
      '',
    ]) {
      assert.equal(await ask(`Host: ${host}`), 200, host);
    }
    assert.equal(await ask(), 200);
  });
});

describe('a header of which nobody can tell which of two is meant', () => {
  const json = 'Content-Type: application/json';
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const ask = async (method: string, path: string, ...lines: string[]): Promise<[number | undefined, Json]> => {
    const length = method === 'POST' ? ['Content-Length: 2'] : [];
    const text = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, ...length, '', '{}'];
    const answer = await exchange(service.baseUrl, text.join('\r\n'));
    return [answer?.status, JSON.parse(answer?.text ?? '')];
  };

  test('is 400 when it comes twice, the same or not, in whatever letter case, at every route', async () => {
    const bearer = `Authorization: Bearer ${token}`;
    const requests: [method: string, path: string, ...lines: string[]][] = [
      ['GET', '/plans', bearer, bearer],
      ['GET', '/plans', bearer, 'authorization: Bearer x'],
      ['GET', '/plans', 'AUTHORIZATION: Basic x', bearer],
      ['GET', '/plans', 'Authorization:', bearer],
      ['GET', '/health', bearer, bearer],
      ['GET', '/nothing', bearer, bearer],
      ['POST', '/plans', bearer, json, json],
      ['POST', '/plans', bearer, json, 'content-type: text/plain'],
      ['POST', '/plans', bearer, 'CONTENT-TYPE: text/plain', json],
    ];
    for (const request of requests) {
      const [status, { code }] = await ask(...request);
      assert.deepEqual([status, code], [400, 'bad_request'], request.join(' | '));
    }
  });

  test('is refused at /oauth in the form of errors there', async () => {
    const basic = 'Authorization: Basic eDp5';
    for (const lines of [
      [basic, basic, form],
      [basic, form, json],
    ]) {
      const [status, body] = await ask('POST', '/oauth/token', ...lines);
      assert.deepEqual(
        [status, body.error, Object.keys(body)],
        [400, 'invalid_request', ['error', 'error_description']],
      );
    }
  });

  test('may come once beside others of names as long', async () => {
    const others = ['Cache-Control: no-cache', 'If-None-Match: "x"', 'Accept-Label: a', 'Cookie-Token: b'];
    const [status] = await ask('GET', '/plans', `Authorization: Bearer ${token}`, json, ...others);
    assert.equal(status, 200);
  });
});

describe('Transfer-Encoding', () => {
  const body = '{}';
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const json = 'Content-Type: application/json';

  test('other than chunked is 400, and what is left on the connection is read as no request', async () => {
    const codings = ['gzip, chunked', 'identity, chunked', 'x,chunked', ', chunked'];
    for (const coding of codings) {
      for (const path of ['/plans', '/nothing', '/health', '/oauth/token']) {
        const request = head('POST', path, json, `Transfer-Encoding: ${coding}`) + chunks;
        const { text, error } = await sendAll([request + head('GET', '/ready')]);
        assert.equal(error, null);
        assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400'], `${coding} ${path}`);
        assert.match(text, /^connection: close\r$/im);
        assert.match(text, path === '/oauth/token' ? /"error":"invalid_request"/ : /"code":"bad_request"/);
      }
    }
    const twice = head('POST', '/plans', json, 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked') + chunks;
    assert.match((await sendAll([twice])).text, /"code":"bad_request"/);
  });

  test('of which the parser cannot tell where the body ends is 400 once, and the connection closed', async () => {
    for (const coding of ['gzip', 'chunked, chunked', 'chunked, gzip', 'chunked;q=1', '']) {
      const request = head('POST', '/plans', json, `Transfer-Encoding: ${coding}`) + chunks;
      const { text } = await sendAll([request + head('GET', '/ready')]);
      assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400'], coding);
      assert.match(text, /"code":"bad_request"/);
    }
  });

  test('chunked is read in whatever letter case', async () => {
    const plan = JSON.stringify({ name: 'In chunks', price: 1 });
    const chunk = `${plan.length.toString(16)}\r\n${plan}\r\n0\r\n\r\n`;
    for (const coding of ['chunked', 'Chunked', 'CHUNKED ']) {
      const request = head('POST', '/plans', json, 'Connection: close', `Transfer-Encoding: ${coding}`) + chunk;
      assert.match((await sendAll([request])).text, /^HTTP\/1\.1 201 /, coding);
    }
  });
});

test('an expectation that cannot be met is answered with the caller’s own id of the request', async () => {
  const headers = ['Expect: more', 'X-Client-Request-Id: mine-1'];
  const answer = await exchange(service.baseUrl, rawRequest(token, 'GET', '/plans', headers));
  assert.equal(answer?.status, 417);
  assert.match(answer.head ?? '', /^x-client-request-id: mine-1\r?$/im);
});

test('a request with more than 100 headers is 431 at any route, and its connection closed before its body', async () => {
  // Beside the two that each request has.
  const more = (count: number): string[] => Array.from({ length: count - 2 }, (_, index) => `X-${index}: y`);
  const { text } = await sendAll([head('GET', '/plans', 'Connection: close', ...more(99))]);
  assert.match(text, /^HTTP\/1\.1 200 /);
  const refused = [
    head('GET', '/plans', ...more(101)),
    head('GET', '/health', ...more(1_000)),
    head('POST', '/oauth/token', 'Content-Length: 5', ...more(100)),
    head('POST', '/plans', 'Transfer-Encoding: chunked', ...more(100)),
  ];
  for (const request of refused) {
    const { text: answer } = await sendAll([request]);
    assert.match(answer, /^HTTP\/1\.1 431 /, request.slice(0, 40));
    assert.match(answer, /^connection: close\r$/im);
  }
});

describe('what is no HTTP behind requests', () => {
  const garbage = 'garbage\r\n\r\n';
  const signUp = (): string => {
    const body = JSON.stringify(signUpBody(service.planId));
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    return head('POST', '/subscriptions', 'Content-Type: application/json', length) + body;
  };
  const chunked = (): string => head('POST', '/plans', 'Content-Type: application/json', 'Transfer-Encoding: chunked');
  const broken = (): string => `${chunked()}no size\r\n`;
  const cases: [what: string, pieces: () => string[], statuses: number[]][] = [
    ['at once', () => [signUp() + garbage], [201, 400]],
    ['in pieces', () => [signUp() + head('GET', '/ready') + garbage, garbage, garbage], [201, 200, 400]],
    ['a moment later', () => [head('GET', '/health'), garbage], [200, 400]],
    ['in the body of the last of them', () => [signUp() + broken()], [201, 400]],
    ['in the body of one that waits for its turn', () => [signUp() + broken().replace(token, 'x')], [201, 400]],
    ['in the body of the only one', () => [broken()], [400]],
    ['behind one that closes', () => [head('GET', '/ready', 'Connection: close') + garbage], [200]],
    ['that is too long', () => [signUp() + `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`], [201, 431]],
  ];
  for (const [what, pieces, statuses] of cases) {
    test(`${what}, is refused once these have their answers`, async () => {
      const { text } = await sendAll(pieces());
      assert.deepEqual(
        [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
        statuses,
      );
    });
  }

  test('in the body of one that has its refusal, is answered no more', async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(chunked().replace(token, 'x'));
    await once(socket, 'readable');
    socket.write('no size\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401']);
  });
});

test('who says that he sends nothing more gets the answers to all that he has asked', async () => {
  const { hostname, port } = new URL(service.baseUrl);
  const body = JSON.stringify(signUpBody(service.planId));
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const asked = [
    head('GET', '/plans'),
    head('POST', '/subscriptions', 'Content-Type: application/json', length) + body,
    head('GET', '/ready'),
  ];
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.end(asked.join(''));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 201', 'HTTP/1.1 200']);
});

test('a target in absolute form, as a proxy sends it, is that of its path', async () => {
  const ask = async (method: string, target: string): Promise<Awaited<ReturnType<typeof exchange>>> =>
    exchange(service.baseUrl, rawRequest(token, method, target, []));
  assert.equal((await ask('GET', 'http://x/plans?limit=1'))?.status, 200);
  assert.equal((await ask('GET', 'HTTPS://x:443/nothing'))?.status, 404);
  const refused = await ask('PUT', 'http://x/plans');
  assert.equal(refused?.status, 405);
  assert.match(refused.head ?? '', /^allow: GET, POST, HEAD\r?$/im);
});

test('a target with a fragment is no URL, whatever the method and the route, and never reaches one', async () => {
  const targets: [method: string, target: string][] = [
    ['GET', '/plans#limit=1'],
    ['GET', '/plans?limit=1#x'],
    ['GET', '/plans#'],
    ['PUT', '/plans#x'],
    ['GET', '/#/plans'],
    ['GET', '/nothing#x'],
    ['GET', '/health#x'],
    ['GET', 'http://x/plans#x'],
    ['GET', '/plans/%ff#x'],
  ];
  for (const [method, target] of targets) {
    const answer = await exchange(service.baseUrl, rawRequest(token, method, target));
    const { code } = JSON.parse(answer?.text ?? '');
    assert.deepEqual([answer?.status, code], [400, 'invalid_url'], `${method} ${target}`);
  }
  const atOauth = await exchange(service.baseUrl, rawRequest(token, 'POST', '/oauth/token#x', [], 'x'));
  assert.deepEqual([atOauth?.status, JSON.parse(atOauth?.text ?? '').error], [400, 'invalid_request']);
  // Percent-encoded it is text like any other.
  assert.equal((await service.call('GET', '/plans/%23x')).status, 404);
});

test('who asks for a tunnel is refused in his turn, and his connection closed', async () => {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`${head('GET', '/plans')}CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\nhello`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  assert.match(text, /"code":"bad_request"/);
});
