/**
 * Thousands of odd requests, the same in every run: never a 5xx, never a hang, every refusal a documented problem, and
 * what is accepted reads back exactly as it was sent.
 */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { documentedCodes } from '#features/reference/index.ts';
import {
  berlinDate,
  germanIban,
  memberAt,
  seededRandom,
  signUpBody,
  withMember,
  type Json,
} from '../support/builders.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

const HANG_MS = 5_000;
const random = seededRandom(20_261_121);
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;

let service: TestService;
let token: string;
let supplierId: string;
before(async () => {
  service = await startService();
  token = await service.token();
  supplierId = (await service.call('GET', '/suppliers')).json.items[0].id;
});
after(() => service.stop());

// ---------------------------------------------------------------------------------------------------------------
// What every answer must keep

const KNOWN = new Set([...Object.keys(documentedCodes.problems), ...Object.keys(documentedCodes.fields)]);
const OAUTH_ERRORS = /^(invalid_(request|client|grant|scope)|unsupported_grant_type|slow_down)$/;
const LEAKS =
  /\n\s+at |node_modules|node:internal|\.ts:\d|insert into|delete from|\bselect\b.*\bfrom\b|violates|syntax error at|PostgreSQL|SQLSTATE|_pkey|FST_ERR|TypeError|RangeError/;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** What is wrong with an answer, or `null`. */
function fault({ status, type, text }: Answer): string | null {
  if (status >= 500) return `is ${status}`;
  if (LEAKS.test(text)) return 'tells of its inside';
  if (status < 400) return null;
  let body: Json;
  try {
    body = JSON.parse(text);
  } catch {
    return `is ${status} without JSON`;
  }
  if (typeof body.error === 'string') return OAUTH_ERRORS.test(body.error) ? null : `has the OAuth error ${body.error}`;
  if (!type.startsWith('application/problem+json')) return `is ${status} of the type ${type}`;
  if (!KNOWN.has(body.code)) return `has the undocumented code ${body.code}`;
  const unknown = (body.errors as { field: string; code: string }[]).find(({ code }) => !KNOWN.has(code));
  return unknown === undefined ? null : `has the undocumented code ${unknown.code} of a member`;
}

/** Gathers what goes wrong, so that one run shows all of it. */
class Findings {
  readonly seen = new Map<string, string[]>();
  requests = 0;
  readonly statuses = new Map<number, number>();

  note(what: string, problem: string | null, status: number): void {
    this.requests += 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (problem !== null) this.seen.set(problem, [...(this.seen.get(problem) ?? []), what.slice(0, 300)]);
  }

  assertNone(): void {
    const lines = [...this.seen].map(
      ([problem, whats]) => `${whats.length} × ${problem}: ${whats.slice(0, 3).join(' | ')}`,
    );
    assert.deepEqual(lines, []);
  }
}

async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${HANG_MS} ms: ${what.slice(0, 300)}`)),
    HANG_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the same work many times, some at once. */
async function many(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 12 }, lane));
}

const answerOf = (reply: Reply): Answer => ({ ...reply, type: reply.headers.get('content-type') ?? '' });

/** Writes bytes on a connection of their own, ends it, and reads what comes back: the first answer, or none. */
function exchange(bytes: string | Uint8Array): Promise<Answer | null> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A connection that is cut after the answer, or instead of one, is an answer as well.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const [head = '', ...rest] = text.split('\r\n\r\n');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
      const type = /^content-type: *(.*)$/im.exec(head)?.[1]?.trim() ?? '';
      resolve(status === undefined ? null : { status: Number(status), type, text: rest.join('\r\n\r\n') });
    });
  });
}

/** An HTTP request as text, closed after its answer. */
function rawRequest(method: string, target: string, headers: readonly string[] = [], body = ''): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${token}`,
    ...headers,
  ];
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

// ---------------------------------------------------------------------------------------------------------------
// Sign-ups

const nested = (levels: number, inside = '1'): unknown =>
  JSON.parse(`${'['.repeat(levels)}${inside}${']'.repeat(levels)}`);
const ODD: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    0.1,
    1e21,
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    2 ** 53 + 2,
    100_000,
    100_000.0001,
    3500.55,
  ],
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    'x\udc00',
    '\u202eabc',
    '\u200b',
    '\ufeffx',
    '\ufffe',
    '\u{10ffff}',
    '\u2028',
    '\u0085',
    '\u001b[31m',
  ],
  ...[
    'a'.repeat(200),
    'a'.repeat(201),
    'x'.repeat(9_000),
    '😀'.repeat(70),
    'e\u0301'.repeat(100),
    'ß',
    'İ',
    'ﬀ',
    '漢字',
    'مرحبا',
  ],
  ...[
    "'; drop table subscriptions; --",
    '${7*7}',
    '{{7*7}}',
    '%s%n%00',
    '../../etc/passwd',
    '<script>',
    '\\',
    '"',
    'a\r\nX: y',
    '\\u0041',
    'null',
    'NaN',
  ],
  ...[
    '2027-02-29',
    '2027-12-31',
    '+002027-01-01',
    '9999-12-31',
    'today',
    'sub_01h455vb4pex5vsknk084sn02q',
    'DE00',
    'a@b.c',
    'ä@ö.de',
    '01067',
    '99999',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    { a: 1 },
    { type: 'person' },
    { length: 1 },
    { toString: 1 },
    nested(30),
    nested(70),
    Array.from({ length: 500 }, (_, i) => i),
  ],
];
const POINTERS = [
  ...[
    '/plan',
    '/customer',
    '/customer/type',
    '/customer/first_name',
    '/customer/last_name',
    '/customer/email',
    '/customer/vat_id',
  ],
  ...[
    '/customer/company_name',
    '/address',
    '/address/street',
    '/address/house_number',
    '/address/zip',
    '/address/city',
  ],
  ...[
    '/meter',
    '/meter/number',
    '/meter/type',
    '/meter/estimated_usage',
    '/meter/malo',
    '/payment_method',
    '/payment_method/type',
  ],
  ...['/payment_method/sepa_debit', '/payment_method/sepa_debit/iban', '/payment_method/sepa_debit/account_holder'],
  ...[
    '/next_possible_start',
    '/previous_supplier',
    '/intended_start_date',
    '/lead',
    '/product_orders',
    '/product_orders/0',
  ],
  ...[
    '/product_orders/1/type',
    '/product_orders/1/14a_enwg',
    '/product_orders/1/14a_enwg/module_1',
    '/external_id',
    '/metadata',
    '/metadata/a',
  ],
];
const TEXT_CHANGES: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => ` ${text} `,
  (text) => `${text}\u00a0`,
  (text) => [...text].toReversed().join(''),
  (text) => text.slice(1),
  (text) => text.slice(0, -1),
  (text) => text + text,
  (text) => `${text}\u0301`,
  (text) => `${text.slice(0, 2)}\u200d${text.slice(2)}`,
  (text) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text) => text.normalize('NFD'),
  (text) => [...text].join(' '),
];
/** Keys that no body has, and those that every object has. */
const KEYS = [
  'x',
  '',
  '/',
  '~',
  '__proto__',
  'constructor',
  'toString',
  'type',
  '0',
  '\u0000',
  '\ud800',
  '😀',
  'k'.repeat(3_000),
];

function richBody(index: number): Json {
  const body = signUpBody(service.planId, {
    previous_supplier: supplierId,
    intended_start_date: berlinDate(40),
    product_orders: [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_1: true } }],
    external_id: `fuzz-${index}`,
    metadata: { a: 'ä', '2': [1, 2.5, null], '1': { deep: true } },
  });
  body.payment_method.sepa_debit.iban = germanIban(BigInt(index));
  if (index % 3 === 0)
    body.customer = { ...body.customer, type: 'company', company_name: 'Muster GmbH', vat_id: 'DE123456789' };
  return body;
}

function mutate(body: Json): Json {
  const pointer = pick(POINTERS);
  const parent = memberAt(body, pointer.slice(0, pointer.lastIndexOf('/')));
  if (parent === null || typeof parent !== 'object') return body;
  const value = memberAt(body, pointer);
  switch (below(8)) {
    case 0:
      return withMember(body, pointer, undefined);
    case 1:
      return withMember(body, pointer, [value]);
    case 2:
      return withMember(body, pointer, memberAt(body, pick(POINTERS)) ?? null);
    case 3: {
      const key = pick(KEYS);
      // As own member, which an assignment to __proto__ would not make.
      const extra = JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(pick(ODD))}}`);
      const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
      const names = Object.fromEntries(Object.entries(isPlain ? value : {}));
      return withMember(body, pointer, Object.defineProperties(names, Object.getOwnPropertyDescriptors(extra)));
    }
    case 4:
      return withMember(body, pointer, pick(ODD));
    default:
      return withMember(body, pointer, typeof value === 'string' ? pick(TEXT_CHANGES)(value) : pick(ODD));
  }
}

const EXPAND = 'expand[]=customer&expand[]=address&expand[]=meter&expand[]=payment_method';

/** What of a stored sign-up differs from what was sent, or `null`. */
function loss(sent: Json, stored: Json): string | null {
  const iban = String(sent.payment_method.sepa_debit.iban)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase();
  const expected: Record<string, unknown> = {
    plan: sent.plan,
    customer: { company_name: null, vat_id: null, type: 'person', ...sent.customer },
    address: sent.address,
    meter: { malo: null, ...sent.meter },
    payment_method: {
      ...sent.payment_method,
      sepa_debit: {
        ...sent.payment_method.sepa_debit,
        iban: `${iban.slice(0, 4)}${'*'.repeat(iban.length - 8)}${iban.slice(-4)}`,
      },
    },
    supplier: sent.previous_supplier ?? null,
    next_possible_start: sent.next_possible_start,
    intended_start_date: sent.intended_start_date ?? null,
    product_orders: sent.product_orders ?? [],
    external_id: sent.external_id ?? null,
    estimated_usage: sent.meter.estimated_usage,
    metadata: sent.metadata ?? null,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = stored[name];
    const isPart = ['customer', 'address', 'meter', 'payment_method'].includes(name);
    const { object: _o, id: _i, created_at: _c, updated_at: _u, ...own } = isPart ? found : {};
    try {
      assert.deepStrictEqual(isPart ? own : found, value);
      // Nor may the order of keys be lost.
      if (name === 'metadata') assert.equal(JSON.stringify(found), JSON.stringify(value));
    } catch {
      return `altered ${name}: ${JSON.stringify(isPart ? own : found).slice(0, 200)}`;
    }
  }
  return null;
}

async function trySignUp(
  findings: Findings,
  text: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<void> {
  const what = Buffer.from(text).toString('utf8');
  const reply = await inTime(what, service.call('POST', `/subscriptions?${EXPAND}`, { body: text, headers }));
  let problem = fault(answerOf(reply));
  if (problem === null && reply.status === 201) {
    const read = await service.call('GET', `/subscriptions/${reply.json.id}?${EXPAND}`);
    problem =
      read.text === reply.text ? loss(JSON.parse(what), read.json) : 'reads back otherwise than it was answered';
  }
  findings.note(what, problem, reply.status);
}

describe('sign-ups', () => {
  test('1,800 with changed members keep the rules', async () => {
    const findings = new Findings();
    const bodies = Array.from({ length: 1_800 }, (_, index) => {
      let body = richBody(index);
      for (let left = 1 + below(3); left > 0; left -= 1) body = mutate(body);
      return JSON.stringify(body);
    });
    await many(bodies.length, (index) => trySignUp(findings, bodies[index] ?? ''));
    findings.assertNone();
    // Otherwise the mutations would prove nothing.
    assert.ok((findings.statuses.get(201) ?? 0) > 200, JSON.stringify([...findings.statuses]));
    assert.ok((findings.statuses.get(400) ?? 0) > 800, JSON.stringify([...findings.statuses]));
  });

  test('600 with changed bytes keep the rules', async () => {
    const findings = new Findings();
    const texts = Array.from({ length: 600 }, (_, index) =>
      damage(Buffer.from(JSON.stringify(richBody(10_000 + index)))),
    );
    await many(texts.length, (index) => trySignUp(findings, texts[index] ?? Buffer.alloc(0)));
    findings.assertNone();
    assert.ok((findings.statuses.get(400) ?? 0) > 200);
  });

  test('150 under odd headers keep the rules', async () => {
    const findings = new Findings();
    const names = [
      'content-type',
      'accept',
      'idempotency-key',
      'x-api-version',
      'x-client-request-id',
      'if-match',
      'content-encoding',
      'accept-encoding',
      'x-forwarded-for',
      'origin',
      'cookie',
      'accept-language',
      'prefer',
    ];
    const odd = [
      '',
      ' ',
      '*',
      '*/*',
      'text/html',
      'application/json',
      'application/json;q=0',
      'gzip',
      'x'.repeat(300),
      '"',
      '""',
      '"a',
      ',',
      ';',
      'ü',
      '2026-11-21',
      'application/json; charset=utf-16',
      'application/*;q=0.0, text/plain',
      '\t',
      'null',
      '__proto__',
      'W/"x"',
    ];
    const cases = Array.from({ length: 150 }, (_, index) => ({
      body: JSON.stringify(richBody(20_000 + index)),
      headers: Object.fromEntries(Array.from({ length: 1 + below(3) }, () => [pick(names), pick(odd)])),
    }));
    await many(cases.length, async (index) => {
      const { body = '', headers = {} } = cases[index] ?? {};
      await trySignUp(findings, body, headers);
    });
    findings.assertNone();
  });
});

function damage(bytes: Buffer): Buffer {
  let damaged = bytes;
  for (let left = 1 + below(3); left > 0; left -= 1) {
    const at = below(damaged.length);
    const [head, tail] = [damaged.subarray(0, at), damaged.subarray(at)];
    const changes = [
      () => Buffer.concat([head, Buffer.of(below(256)), tail.subarray(1)]),
      () => Buffer.concat([head, tail.subarray(1)]),
      () => Buffer.concat([head, Buffer.of(below(256)), tail]),
      () =>
        Buffer.concat([
          head,
          Buffer.from(pick(['"', '{', '}', '[', ']', ',', ':', '\\', '\\u', '1e999', '-', ' '])),
          tail,
        ]),
      () => Buffer.concat([head, tail.subarray(0, 20), tail]),
      () => head,
      // A letter or digit for another, so that some stay valid.
      () => Buffer.concat([head, Buffer.from(String.fromCodePoint(97 + below(26))), tail.subarray(1)]),
    ];
    damaged = pick(changes)();
    if (damaged.length === 0) return damaged;
  }
  return damaged;
}

// ---------------------------------------------------------------------------------------------------------------
// Reads, OAuth, and what is hardly HTTP

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
  test('700 odd URLs keep the rules', async () => {
    const findings = new Findings();
    const targets = Array.from(
      { length: 700 },
      () => `${random() < 0.7 ? pick(['/subscriptions', '/plans', '/suppliers']) : pick(PATHS)}${oddQuery()}`,
    );
    await many(targets.length, async (index) => {
      const target = targets[index] ?? '/';
      const answer = await inTime(target, exchange(rawRequest('GET', target)));
      findings.note(target, answer === null ? 'is no answer' : fault(answer), answer?.status ?? 0);
    });
    findings.assertNone();
    assert.ok((findings.statuses.get(200) ?? 0) > 50, JSON.stringify([...findings.statuses]));
  });

  test('every method that Node knows, on every kind of path, keeps the rules', async () => {
    const findings = new Findings();
    const methods = [...METHODS, 'FOO', 'get', ''];
    for (const target of ['/subscriptions', '/plans/x', '/nothing', '/oauth/token', '/health', '*']) {
      await many(methods.length, async (index) => {
        const method = methods[index] ?? '';
        for (const body of ['', '{}']) {
          const answer = await inTime(`${method} ${target}`, exchange(rawRequest(method, target, [], body)));
          const silent = method === 'HEAD' || method === 'CONNECT';
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
      const answer = await inTime('OAuth', exchange(cases[index] ?? ''));
      findings.note(cases[index] ?? '', answer === null ? 'is no answer' : fault(answer), answer?.status ?? 0);
    });
    findings.assertNone();
  });

  test('250 pieces of garbage on the socket are answered with a problem or the end of the connection', async () => {
    const findings = new Findings();
    const valid = rawRequest(
      'POST',
      '/subscriptions',
      ['Content-Type: application/json'],
      JSON.stringify(richBody(30_000)),
    );
    const cases = Array.from({ length: 250 }, (): Uint8Array => {
      const kinds = [
        () => Buffer.from(Array.from({ length: 1 + below(400) }, () => below(256))),
        () => Buffer.from(valid.slice(0, below(valid.length))),
        () => damage(Buffer.from(valid.slice(0, 250))),
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
      const answer = await inTime(what, exchange(bytes));
      findings.note(what, answer === null ? null : fault(answer), answer?.status ?? 0);
    });
    findings.assertNone();
  });

  const requests: Record<string, () => [string, number]> = {
    'headers of 20 KiB': () => [rawRequest('GET', '/plans', [`X-Large: ${'x'.repeat(20_000)}`]), 431],
    'a URL of 20 KiB': () => [rawRequest('GET', `/plans?${'x'.repeat(20_000)}`), 431],
    '5,000 headers': () => [
      rawRequest(
        'GET',
        '/plans',
        Array.from({ length: 5_000 }, (_, i) => `X${i}: 1`),
      ),
      431,
    ],
    'no Host': () => [`GET /plans HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    'an expectation that cannot be met': () => [rawRequest('GET', '/plans', ['Expect: the-unexpected']), 417],
    'HTTP/2 at once': () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    'TLS at once': () => ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000', 400],
    'a header without name': () => [rawRequest('GET', '/plans', [': x']), 400],
    'a folded header': () => [rawRequest('GET', '/plans', ['X: a', ' b: c']), 400],
  };
  for (const [name, make] of Object.entries(requests)) {
    test(`${name} is a problem with X-Request-Id`, async () => {
      const [text, status] = make();
      const answer = await inTime(name, exchange(text));
      assert.ok(answer, 'there is an answer');
      assert.ok(answer.status === status || (answer.status >= 400 && answer.status < 500), `${answer.status}`);
      assert.equal(fault(answer), null);
      assert.match(JSON.parse(answer.text).request_id, /^req_/);
    });
  }

  test('after all that the service is well', async () => {
    assert.equal((await service.call('GET', '/ready')).status, 200);
    const reply = await service.call('POST', '/subscriptions', { body: signUpBody(service.planId) });
    assert.equal(reply.status, 201);
  });
});
