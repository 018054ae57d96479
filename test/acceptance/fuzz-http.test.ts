/** Thousands of odd requests of other kinds: never a 5xx, never a hang, every refusal a documented problem. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { signUpBody } from '../support/builders.ts';
import { answerOf, createDice, damage, exchange, fault, Findings, inTime, many, rawRequest } from '../support/fuzz.ts';
import { startService, type TestService } from '../support/service.ts';

const dice = createDice(Number(process.env.FUZZ_SEED ?? 20_261_121));
const { random, below, pick } = dice;

let service: TestService;
let token: string;
before(async () => {
  service = await startService();
  token = await service.token();
});
after(() => service.stop());

test('paths that cannot be decoded take nobody’s place', async () => {
  for (let round = 0; round < 12; round += 1) {
    const asked = Array.from({ length: 100 }, () => fetch(`${service.baseUrl}/plans/%ff`));
    for (const reply of await Promise.all(asked)) assert.equal(reply.status, 400, await reply.text());
  }
  assert.equal((await service.call('GET', '/plans')).status, 200);
});

const VALUES = [
  '',
  '0',
  '1',
  '100',
  '101',
  '-1',
  '1.5',
  'x',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%c3%a4',
  '%F0%9F%98%80',
  '%ed%a0%80',
  '+',
  ' ',
  'true',
  'false',
  'pending',
  'pending,active',
  ',',
  ',,,',
  '2026-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-01-01',
  '-000001-01-01T00:00:00Z',
  'sub_',
  'cus_01h455vb4pex5vsknk084sn02q',
  'customer',
  '[]',
  '%5B%5D',
  "'",
  '"',
  '\\',
  '__proto__',
  'a'.repeat(400),
  'x,'.repeat(150),
];
const FIELDS = [
  'status',
  'stage',
  'plan',
  'customer',
  'supplier',
  'lead',
  'external_id',
  'number',
  'meter.number',
  'meter.malo',
  'customer.email',
  'created_at',
  'updated_at',
  'start_at',
  'end_at',
  'next_action.actor',
  'next_action.code',
  'metadata.a',
  'metadata.',
  'metadata',
  '__proto__',
  '',
  'active',
  'slug',
  'id',
];
const OPERATORS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'is_null', 'like', '', 'EQ', '__proto__'];
const PATHS = [
  '/subscriptions',
  '/plans',
  '/suppliers',
  '/subscriptions/x',
  '/plans/x',
  '/idempotency-keys/x',
  '/nothing',
  '/health',
  '/openapi.json',
  '/docs/errors',
  '/suppliers/%00',
  '/plans/%ff',
  '/idempotency-keys/%2F%2e%2e',
  '/idempotency-keys/%00',
  '/subscriptions/%E0%A4',
  '/subscriptions//',
  '/;',
  '/%',
  '/subscriptions/' + 'x'.repeat(600),
  '//',
  '/./subscriptions',
  '/../etc/passwd',
  '/subscriptions%3Flimit=1',
  '*',
  'http://other/subscriptions',
  '/subscriptions#x',
  '/\u00e4',
  '/subscriptions\\x',
];

function oddQuery(): string {
  const parameters = Array.from({ length: below(4) }, () => {
    const filter = `filter[${pick(FIELDS)}][${pick(OPERATORS)}]`;
    const name = pick([
      'limit',
      'cursor',
      'expand[]',
      'expand%5B%5D',
      'search',
      'expand',
      'x',
      filter,
      filter,
      filter,
      filter,
      filter.replaceAll('[', '%5b'),
      `${filter}[]`,
      'filter[',
      '',
      '=',
    ]);
    return random() < 0.05 ? name : `${name}=${pick(VALUES)}`;
  });
  return parameters.length === 0 ? '' : `?${parameters.join(pick(['&', '&', '&&', ';']))}`;
}

describe('other requests', () => {
  test('2,000 odd URLs keep the rules', async () => {
    const findings = new Findings();
    const targets = Array.from(
      { length: 2_000 },
      () => `${random() < 0.7 ? pick(['/subscriptions', '/plans', '/suppliers']) : pick(PATHS)}${oddQuery()}`,
    );
    await many(targets.length, async (index) => {
      const target = targets[index] ?? '/';
      const answer = await inTime(target, exchange(service.baseUrl, rawRequest(token, 'GET', target)));
      findings.note(target, answer === null ? 'is no answer' : fault(answer), answer?.status ?? 0);
    });
    findings.assertNone();
    assert.ok((findings.statuses.get(200) ?? 0) > 50, JSON.stringify([...findings.statuses]));
  });

  test('400 odd plans keep the rules and read back as they were sent', async () => {
    const findings = new Findings();
    const odd: Record<string, readonly unknown[]> = {
      name: ['P', '', ' ', 'x'.repeat(200), 'x'.repeat(201), '漢字', '-', '\u0000', '\ud800', 1, null, [], 'a\nb'],
      slug: ['a', 'a-b', '-', 'A', 'a--b', '', 'a'.repeat(101), `${'a-'.repeat(40_000)}!`, 1, null],
      description: [null, '', 'x'.repeat(2_000), 'x'.repeat(2_001), '\u0001\n\u2028', 1, {}],
      price: [0, -0, 1, 0.1, 12.345, 1e-7, 9_999_999.99, 1e7, -1, 1e300, '1', null],
      cancellation_period: ['P1M', 'P99Y99M999W999D', 'P', '1M', '', 'P1H', null, `P${'1'.repeat(50_000)}M`],
      products: [
        [],
        ['smart-meter'],
        ['smart-meter', 'smart-meter'],
        ['x'],
        [1],
        {},
        null,
        Array.from({ length: 9_000 }, () => 'x'),
      ],
      active: [true, false, 'true', null, 0],
      type: ['consumption', 'x'],
      currency: ['EUR', 'USD', 'eur'],
      __proto__x: [1],
    };
    const bodies = Array.from({ length: 400 }, () => ({
      name: 'Plan',
      price: 1,
      ...Object.fromEntries(
        Array.from({ length: below(4) }, () => pick(Object.entries(odd))).map(([name, values]) => [name, pick(values)]),
      ),
    }));
    await many(bodies.length, async (index) => {
      const sent = bodies[index] ?? {};
      const what = JSON.stringify(sent);
      const reply = await inTime(what, service.call('POST', '/plans', { body: sent }));
      let problem = fault(answerOf(reply));
      if (problem === null && reply.status === 201) {
        const read = await service.call('GET', `/plans/${reply.json.id}`);
        const isSame = Object.entries(sent).every(([name, value]) =>
          isDeepStrictEqual(read.json[name], value === 0 ? 0 : value),
        );
        if (read.text !== reply.text || !isSame) problem = 'reads back otherwise than it was sent';
        const patch = await inTime(
          what,
          service.call('PATCH', `/plans/${reply.json.id}`, { body: bodies[index + 1] ?? {} }),
        );
        problem ??= fault(answerOf(patch));
      }
      findings.note(what, problem, reply.status);
    });
    findings.assertNone();
    assert.ok((findings.statuses.get(201) ?? 0) > 60, JSON.stringify([...findings.statuses]));
  });

  test('every method that Node knows, on every kind of path, keeps the rules', async () => {
    const findings = new Findings();
    const methods = [...METHODS, 'FOO', 'get', ''];
    for (const target of ['/subscriptions', '/plans/x', '/nothing', '/oauth/token', '/health', '*']) {
      await many(methods.length, async (index) => {
        const method = methods[index] ?? '';
        for (const body of ['', '{}']) {
          const answer = await inTime(
            `${method} ${target}`,
            exchange(service.baseUrl, rawRequest(token, method, target, [], body)),
          );
          const silent = method === 'HEAD';
          const problem =
            answer === null ? (silent ? null : 'is no answer') : silent && answer.status < 500 ? null : fault(answer);
          findings.note(`${method} ${target} ${body}`, problem, answer?.status ?? 0);
        }
      });
    }
    findings.assertNone();
  });

  test('250 odd OAuth requests keep the rules', async () => {
    const findings = new Findings();
    const { clientId, clientSecret } = service.client;
    const credentials = [
      `${clientId}:${clientSecret}`,
      `${clientId}:wrong`,
      ':',
      'x',
      '',
      `${clientId}:`,
      '%zz:%zz',
      '\u0000:\u0000',
      'ü:ü',
      'x'.repeat(5_000),
    ];
    const bodies = [
      'grant_type=client_credentials',
      'grant_type=refresh_token',
      'grant_type=refresh_token&refresh_token=es_rt_x',
      'grant_type=password',
      '',
      '&&&',
      '=',
      'grant_type=client_credentials&grant_type=client_credentials',
      '%zz=%zz',
      'grant_type=%00',
      'token=%00',
      `token=${token.slice(0, 10)}`,
      'scope=read:*&grant_type=client_credentials',
      'scope=%ff',
      '{"grant_type":"client_credentials"}',
      '{"grant_type":1}',
      '[',
      `token=${'x'.repeat(100_000)}`,
      'x=y&'.repeat(20_000),
    ];
    const types = [
      'application/x-www-form-urlencoded',
      'application/json',
      'text/plain',
      '',
      'application/x-www-form-urlencoded; charset=latin1',
    ];
    const cases = Array.from({ length: 250 }, () => {
      const schemes = [
        `Basic ${Buffer.from(pick(credentials)).toString('base64')}`,
        'Basic',
        'Basic !!!',
        `Bearer ${token}`,
        'Basic //79',
      ];
      const headers = [`Content-Type: ${pick(types)}`];
      const lines = rawRequest(
        token,
        'POST',
        pick(['/oauth/token', '/oauth/revoke', '/oauth/introspect']),
        headers,
        pick(bodies),
      );
      return lines.replace(
        /^Authorization: .*$/m,
        `Authorization: ${random() < 0.5 ? (schemes[0] ?? '') : pick(schemes)}`,
      );
    });
    await many(cases.length, async (index) => {
      const answer = await inTime('OAuth', exchange(service.baseUrl, cases[index] ?? ''));
      findings.note(cases[index] ?? '', answer === null ? 'is no answer' : fault(answer), answer?.status ?? 0);
    });
    findings.assertNone();
  });

  test('250 pieces of garbage on the socket are answered with a problem or the end of the connection', async () => {
    const findings = new Findings();
    const valid = rawRequest(
      token,
      'POST',
      '/subscriptions',
      ['Content-Type: application/json'],
      JSON.stringify(signUpBody(service.planId)),
    );
    const cases = Array.from({ length: 250 }, (): Uint8Array => {
      const kinds = [
        () => Buffer.from(Array.from({ length: 1 + below(400) }, () => below(256))),
        () => Buffer.from(valid.slice(0, below(valid.length))),
        () => damage(dice, Buffer.from(valid.slice(0, 250))),
        () => Buffer.from(valid.replaceAll('\r\n', '\n')),
        () => Buffer.from(valid.replace('HTTP/1.1', pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1', '']))),
        () =>
          Buffer.from(
            valid.replace(
              /Content-Length: \d+/,
              `Content-Length: ${pick(['-1', '0', '1', 'x', '99999999999999999999', '1, 2', ' ', '300000'])}`,
            ),
          ),
        () => Buffer.from(valid.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')),
        () => Buffer.from(valid.replace('Content-Type', 'Transfer-Encoding: chunked\r\nContent-Type')),
      ];
      return pick(kinds)();
    });
    await many(cases.length, async (index) => {
      const bytes = cases[index] ?? Buffer.alloc(0);
      const what = Buffer.from(bytes).toString('latin1');
      const answer = await inTime(what, exchange(service.baseUrl, bytes, false));
      findings.note(what, answer === null ? null : fault(answer), answer?.status ?? 0);
    });
    findings.assertNone();
  });

  const requests: Record<string, () => [string, number]> = {
    'headers of 20 KiB': () => [rawRequest(token, 'GET', '/plans', [`X-Large: ${'x'.repeat(20_000)}`]), 431],
    'a URL of 20 KiB': () => [rawRequest(token, 'GET', `/plans?${'x'.repeat(20_000)}`), 431],
    '5,000 headers': () => [
      rawRequest(
        token,
        'GET',
        '/plans',
        Array.from({ length: 5_000 }, (_, i) => `X${i}: 1`),
      ),
      431,
    ],
    'no Host': () => [`GET /plans HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    'an expectation that cannot be met': () => [rawRequest(token, 'GET', '/plans', ['Expect: the-unexpected']), 417],
    'HTTP/2 at once': () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    'TLS at once': () => ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000', 400],
    'a header without name': () => [rawRequest(token, 'GET', '/plans', [': x']), 400],
    'a folded header': () => [rawRequest(token, 'GET', '/plans', ['X: a', ' b: c']), 400],
  };
  for (const [name, make] of Object.entries(requests)) {
    test(`${name} is a problem with X-Request-Id`, async () => {
      const [text, status] = make();
      const answer = await inTime(name, exchange(service.baseUrl, text, name !== 'TLS at once'));
      assert.ok(answer, 'there is an answer');
      assert.ok(answer.status === status || (answer.status >= 400 && answer.status < 500), `${answer.status}`);
      assert.equal(fault(answer), null);
      assert.match(JSON.parse(answer.text).request_id, /^req_/);
    });
  }

  test('an answer to what is not HTTP carries X-Request-Id and X-API-Version like any other', async () => {
    const answer = await inTime('garbage', exchange(service.baseUrl, 'GET / HTTP/9\r\n\r\n'));
    assert.match(answer?.head ?? '', /^x-request-id: req_/im);
    assert.match(answer?.head ?? '', /^x-api-version: 2026-11-21/im);
  });

  test('two Idempotency-Key headers are refused, since nobody can tell which one is meant', async () => {
    const headers = ['Content-Type: application/json', 'Idempotency-Key: one', 'Idempotency-Key: two'];
    const body = JSON.stringify(signUpBody(service.planId));
    const answer = await exchange(service.baseUrl, rawRequest(token, 'POST', '/subscriptions', headers, body));
    assert.equal(answer?.status, 400);
    assert.equal(JSON.parse(answer.text).code, 'invalid_header');
  });

  test('after all that the service is well', async () => {
    assert.equal((await service.call('GET', '/ready')).status, 200);
    const reply = await service.call('POST', '/subscriptions', { body: signUpBody(service.planId) });
    assert.equal(reply.status, 201);
  });
});
