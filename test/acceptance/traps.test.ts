/** “Traps to refuse before they reach the database or the answer” (issue 2): each with its status, code and field. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  berlinDate,
  fieldErrors,
  otherProject,
  signUp,
  signUpBody,
  uniqueMalo,
  withMember,
  type Json,
} from '../support/builders.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

interface Trap {
  readonly name: string;
  readonly send: () => Promise<Reply>;
  readonly status: 400 | 413 | 415;
  /** `field code` of the one error, or the code of the problem when it names no member. */
  readonly error: string;
}

const RAW = '@raw@';

function post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Reply> {
  return service.call('POST', '/subscriptions', { body, headers });
}

/** A valid sign-up in which the member at a pointer is this JSON text. */
function withText(pointer: string, json: string): string {
  return JSON.stringify(withMember(signUpBody(service.planId), pointer, RAW)).replace(`"${RAW}"`, () => json);
}

const text = (name: string, pointer: string, json: string, error: string): Trap => ({
  name,
  send: () => post(withText(pointer, json)),
  status: 400,
  error: error.startsWith('/') || error.startsWith(' ') ? error : `${pointer} ${error}`,
});

/** Valid sign-up in which one name is these bytes. */
function withBytes(bytes: readonly number[]): Uint8Array {
  const [head = '', tail = ''] = withText('/customer/first_name', `"${RAW}"`).split(RAW);
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]);
}

/** `levels` containers in one another. */
function nested(levels: number, open = '[', close = ']'): string {
  return `${open.repeat(levels)}${close.repeat(levels)}`;
}

const STRINGS = [
  '/plan',
  '/customer/first_name',
  '/customer/last_name',
  '/customer/email',
  '/address/street',
  '/address/house_number',
  '/address/zip',
  '/address/city',
  '/meter/number',
  '/meter/malo',
  '/payment_method/sepa_debit/iban',
  '/payment_method/sepa_debit/account_holder',
  '/external_id',
  '/previous_supplier',
  '/lead',
  '/intended_start_date',
];
const NAMES = [
  '/customer/first_name',
  '/customer/last_name',
  '/address/street',
  '/address/house_number',
  '/address/city',
  '/payment_method/sepa_debit/account_holder',
  '/external_id',
];

const unicode: Trap[] = [
  ...STRINGS.map((pointer) => text(`U+0000 in ${pointer}`, pointer, String.raw`"a\u0000b"`, 'null_character')),
  ...STRINGS.map((pointer) =>
    text(`a lone high surrogate in ${pointer}`, pointer, String.raw`"a\ud800b"`, 'invalid_unicode'),
  ),
  text('a lone low surrogate', '/customer/last_name', String.raw`"\udc00"`, 'invalid_unicode'),
  text('surrogates in the wrong order', '/customer/last_name', String.raw`"\udc00\ud800"`, 'invalid_unicode'),
  text('U+0000 in metadata', '/metadata', String.raw`{"a":["\u0000"]}`, '/metadata/a/0 null_character'),
  text('U+0000 in a key of metadata', '/metadata', String.raw`{"a\u0000":1}`, '/metadata null_character'),
  text('a lone surrogate in metadata', '/metadata', String.raw`{"a":"\uDBFF"}`, '/metadata/a invalid_unicode'),
  text('a lone surrogate in a key of metadata', '/metadata', String.raw`{"\udfff":1}`, '/metadata invalid_unicode'),
  text('a raw U+0000', '/customer/first_name', '"\0"', 'null_character'),
  text('a raw control character', '/customer/first_name', '"\u0001"', ' invalid_json'),
  ...[[0xff], [0xc3], [0xc3, 0x28], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4]].map(
    (bytes): Trap => ({
      name: `invalid UTF-8 ${Buffer.from(bytes).toString('hex')}`,
      send: () => post(withBytes(bytes)),
      status: 400,
      error: ' invalid_utf8',
    }),
  ),
];

const structure: Trap[] = [
  text('a duplicate key in the body', '/plan', '"x","plan":"y"', 'duplicate_key'),
  text('a duplicate key in an object of it', '/customer/email', '"a@b.de","email":"c@d.de"', 'duplicate_key'),
  text('a duplicate key in metadata', '/metadata', '{"a":{"b":1,"b":2}}', '/metadata/a/b duplicate_key'),
  text('a duplicate key written otherwise', '/metadata', String.raw`{"a":1,"\u0061":2}`, '/metadata/a duplicate_key'),
  text('65 levels in metadata', '/metadata', `{"a":${nested(63)}}`, `/metadata/a${'/0'.repeat(62)} too_deep`),
  text('thousands of levels', '/metadata', nested(5_000), `/metadata${'/0'.repeat(63)} too_deep`),
  text(
    'thousands of levels that never close',
    '/metadata',
    '['.repeat(100_000),
    `/metadata${'/0'.repeat(63)} too_deep`,
  ),
  text(
    'thousands of levels of objects',
    '/metadata',
    nested(9_000, '{"a":', '}'),
    `/metadata${'/a'.repeat(63)} too_deep`,
  ),
  text('__proto__ in the body', '/__proto__x', '1,"__proto__":{}', '/__proto__ forbidden_key'),
  text('__proto__ in customer', '/customer/x', '1,"__proto__":{}', '/customer/__proto__ forbidden_key'),
  text(
    '__proto__ written otherwise',
    '/customer/x',
    String.raw`1,"\u005f_proto__":{}`,
    '/customer/__proto__ forbidden_key',
  ),
  text('constructor in the body', '/constructor', '1', 'unknown_field'),
  text('toString in customer', '/customer/toString', '1', 'unknown_field'),
  text('1e400', '/meter/estimated_usage', '1e400', 'number_out_of_range'),
  text('-1e400 in metadata', '/metadata', '{"a":-1e400}', '/metadata/a number_out_of_range'),
  text('1e-400', '/meter/estimated_usage', '1e-400', 'number_out_of_range'),
  text('2^53+1 where it cannot be kept', '/meter/estimated_usage', '9007199254740993', 'number_not_exact'),
  text('more digits than can be kept', '/meter/estimated_usage', '3500.00000000000001', 'number_not_exact'),
  text('an array as metadata', '/metadata', '[1]', 'invalid_type'),
  text('a text as metadata', '/metadata', '"text"', 'invalid_type'),
  text('a number as metadata', '/metadata', '1', 'invalid_type'),
  text('false as metadata', '/metadata', 'false', 'invalid_type'),
  text('metadata of 10,241 bytes', '/metadata', `{"a":"${'x'.repeat(10_233)}"}`, 'too_large'),
  text('metadata of 10,241 bytes in 5,125 characters', '/metadata', `{"a":"x${'ä'.repeat(5_116)}"}`, 'too_large'),
  ...[
    '',
    ' ',
    '{',
    '{}{}',
    '{"plan":}',
    '\ufeff{}',
    "{'plan':1}",
    '{"a":1,}',
    'NaN',
    '{"a":01}',
    '{"a":+1}',
    '// x\n{}',
    '{"a":.5}',
  ].map((body): Trap => ({
    name: `the body ${JSON.stringify(body)}`,
    send: () => post(body === '' ? Buffer.alloc(0) : body),
    status: 400,
    error: ' invalid_json',
  })),
];

const INVISIBLE = [
  '',
  ' ',
  '   ',
  '\u00a0',
  '\u200b',
  '\u2060\ufeff',
  '\u3000',
  '\u180e',
  '\u2800',
  '\u00ad',
  '\u034f',
  '\u3164',
];
const values: Trap[] = [
  ...NAMES.flatMap((pointer) =>
    INVISIBLE.map((blank): Trap => {
      const name = `${pointer} of ${
        blank === ''
          ? 'nothing'
          : Array.from(blank)
              .map((c) => c.codePointAt(0)?.toString(16))
              .join(' ')
      }`;
      const send = (): Promise<Reply> => post(withText(pointer, JSON.stringify(blank)));
      return { name, send, status: 400, error: `${pointer} blank` };
    }),
  ),
  text('31 April', '/intended_start_date', '"2027-04-31"', 'invalid_date'),
  text('29 February in the wrong year', '/intended_start_date', '"2027-02-29"', 'invalid_date'),
  text('month 13', '/intended_start_date', '"2027-13-01"', 'invalid_date'),
  text('day 0', '/intended_start_date', '"2027-01-00"', 'invalid_date'),
  text('year 9999', '/intended_start_date', '"9999-12-31"', 'too_far_ahead'),
  text('year 0000', '/intended_start_date', '"0000-01-01"', 'not_in_future'),
  text('a year of five digits', '/intended_start_date', '"+12027-01-01"', 'invalid_date'),
  text('a date-time', '/intended_start_date', '"2027-01-01T00:00:00Z"', 'invalid_date'),
  text('a date with a blank', '/intended_start_date', '" 2027-01-01"', 'invalid_date'),
  text('a date in other digits', '/intended_start_date', '"２０２７-０１-０１"', 'invalid_date'),
  text('IBAN: wrong check sum', '/payment_method/sepa_debit/iban', '"DE88370400440532013000"', 'invalid_iban'),
  text('IBAN: wrong country length', '/payment_method/sepa_debit/iban', '"DE8937040044053201300"', 'invalid_iban'),
  text('IBAN: a non-SEPA country', '/payment_method/sepa_debit/iban', '"SA0380000000608010167519"', 'invalid_iban'),
  text(
    'IBAN: ß, which two letters replace',
    '/payment_method/sepa_debit/iban',
    '"ß89370400440532013000"',
    'invalid_iban',
  ),
  text('MaLo: wrong check digit', '/meter/malo', '"41373559242"', 'invalid_malo'),
  text('MaLo: other digits', '/meter/malo', '"４１３７３５５９２４１"', 'invalid_malo'),
  ...[
    'erika',
    'erika@',
    'erika@example',
    '@example.com',
    'a@b@c.de',
    'a b@c.de',
    'a@-c.de',
    'a@c..de',
    'a@c.de.',
    'a@[1.2.3.4]',
    'a@c.de\n',
  ].map((email) =>
    text(`the e-mail ${JSON.stringify(email)}`, '/customer/email', JSON.stringify(email), 'invalid_email'),
  ),
  ...['5114', '511470', 'D5114', '5114a', '51 47', '00000', '００１２３', '51147 ', ''].map((zip) =>
    text(`the zip ${JSON.stringify(zip)}`, '/address/zip', JSON.stringify(zip), 'invalid_zip'),
  ),
];

const list = (query: string, error: string): Trap => ({
  name: `GET /subscriptions?${query.slice(0, 60)}`,
  send: () => service.call('GET', `/subscriptions?${query}`),
  status: 400,
  error,
});
const queries: Trap[] = [
  ...['0', '101', '1.5', '-1', '', '1e1', '٣', ' 5', '5 ', '0x10', '9999999999999999999999', 'null', '+5', '05'].map(
    (limit) => list(`limit=${encodeURIComponent(limit)}`, '?limit invalid_parameter'),
  ),
  list('limit=5&limit=5', '?limit invalid_parameter'),
  ...['', 'x', 'AAAA', '🏠', 'a'.repeat(5_000)].map((cursor) =>
    list(`cursor=${encodeURIComponent(cursor)}`, '?cursor invalid_cursor'),
  ),
  list('sort=asc', '?sort unknown_parameter'),
  list('__proto__=1', '?__proto__ unknown_parameter'),
  list('constructor=1', '?constructor unknown_parameter'),
  list('filter[__proto__][eq]=1', '?filter[__proto__][eq] unknown_filter'),
  list('filter[constructor][eq]=1', '?filter[constructor][eq] unknown_filter'),
  list('filter[status][like]=1', '?filter[status][like] unknown_filter'),
  list('filter[status]=pending', '?filter[status] unknown_filter'),
  list('filter=1', '?filter unknown_filter'),
  list('filter[status][eq]=gone', '?filter[status][eq] invalid_filter'),
  list('filter[created_at][gte]=2026-02-30T00:00:00Z', '?filter[created_at][gte] invalid_filter'),
  list('filter[created_at][gte]=yesterday', '?filter[created_at][gte] invalid_filter'),
  list('filter[lead][is_null]=maybe', '?filter[lead][is_null] invalid_filter'),
  list('filter[number][in]=' + 'x,'.repeat(200), '?filter[number][in] invalid_filter'),
  list('%00=1', 'invalid_url'),
  list('limit=%00', 'invalid_url'),
  list('limit=%', 'invalid_url'),
  list('filter[number][eq]=%ff', 'invalid_url'),
  list('filter[number][eq]=%ed%a0%80', 'invalid_url'),
];

const transport: Trap[] = [
  {
    name: 'a body over 256 KiB',
    send: () => post(withText('/metadata', `{"a":"${'x'.repeat(256 * 1024)}"}`)),
    status: 413,
    error: 'payload_too_large',
  },
  {
    name: 'a chunked body over 256 KiB',
    send: async () => {
      const response = await fetch(`${service.baseUrl}/subscriptions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' },
        body: new Blob([' '.repeat(300_000)]).stream(),
        duplex: 'half',
      });
      return { status: response.status, headers: response.headers, text: '', json: await response.json() };
    },
    status: 413,
    error: 'payload_too_large',
  },
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/json; charset=latin1',
    'application/jsonp',
    'json',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
  ].map((type): Trap => ({
    name: `the content type ${type}`,
    send: () => post(JSON.stringify(signUpBody(service.planId)), { 'content-type': type }),
    status: 415,
    error: 'unsupported_media_type',
  })),
  {
    name: 'a compressed body',
    send: () => post(gzipSync(JSON.stringify(signUpBody(service.planId))), { 'content-encoding': 'gzip' }),
    status: 415,
    error: 'unsupported_media_type',
  },
  {
    name: 'no content type',
    send: () => service.call('POST', '/subscriptions', { body: Buffer.from('{}'), headers: { 'content-type': '' } }),
    status: 415,
    error: 'unsupported_media_type',
  },
  {
    name: 'an unknown API version',
    send: () => post('{}', { 'x-api-version': '2020-01-01' }),
    status: 400,
    error: '#X-API-Version unknown_api_version',
  },
  {
    name: 'a client request id of 201 characters',
    send: () => post('{}', { 'x-client-request-id': 'x'.repeat(201) }),
    status: 400,
    error: '#X-Client-Request-Id invalid_header',
  },
  ...['x'.repeat(256), '""', ' ', 'schlüssel'].map((key): Trap => ({
    name: `the Idempotency-Key ${JSON.stringify(key.slice(0, 20))}`,
    send: () => post(JSON.stringify(signUpBody(service.planId)), { 'idempotency-key': key }),
    status: 400,
    error: '#Idempotency-Key invalid_header',
  })),
];

for (const [title, traps] of Object.entries({ unicode, structure, values, queries, transport })) {
  describe(title, () => {
    for (const { name, send, status, error } of traps) {
      test(`${name}: ${status} ${error.trim().slice(0, 80)}`, async () => {
        const reply = await send();
        assert.equal(reply.status, status, reply.text.slice(0, 500));
        assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
        const blank = error.endsWith(' blank');
        const errors = fieldErrors(reply);
        if (!error.includes(' ')) assert.equal(reply.json.code, error);
        // An empty name is too short as well.
        else if (blank) assert.ok(errors.includes(error), errors.join());
        else
          assert.ok(
            errors.some((found) => found === error),
            `${errors.join()} is not ${error}`,
          );
        if (error.includes(' ') && !blank) assert.equal(errors.length, 1, errors.join());
      });
    }
  });
}

describe('each member of another JSON type', () => {
  const pointers = [
    ...STRINGS,
    '/customer',
    '/address',
    '/meter',
    '/meter/type',
    '/meter/estimated_usage',
    '/payment_method',
    '/payment_method/type',
    '/payment_method/sepa_debit',
    '/next_possible_start',
    '/product_orders',
    '/product_orders/0',
    '/product_orders/0/type',
    '/product_orders/0/14a_enwg',
    '/metadata',
  ];
  for (const pointer of pointers) {
    test(`is 400 and nothing worse: ${pointer}`, async () => {
      const orders = [{ type: '14a_enwg', '14a_enwg': { module_1: true } }, { type: 'smart-meter' }];
      for (const value of [null, true, 1.5, 'text', [], [null], {}, { type: null }]) {
        const base = signUpBody(service.planId, { product_orders: orders, intended_start_date: berlinDate(30) });
        const reply = await service.call('POST', '/subscriptions', { body: withMember(base, pointer, value) });
        const what = `${pointer} = ${JSON.stringify(value)}: ${reply.text.slice(0, 200)}`;
        const isText = value === 'text' && NAMES.includes(pointer);
        const isFine = pointer === '/meter/estimated_usage' && value === 1.5;
        const isEmpty = pointer === '/product_orders' && Array.isArray(value) && value.length === 0;
        const isMetadata =
          pointer === '/metadata' && (value === null || (typeof value === 'object' && !Array.isArray(value)));
        const isMeterNumber = pointer === '/meter/number' && value === 'text';
        const isStart = pointer === '/next_possible_start' && value === true;
        const accepted = isText || isFine || isEmpty || isMetadata || isMeterNumber || isStart;
        assert.equal(reply.status, accepted ? 201 : 400, what);
        if (!accepted)
          assert.ok(
            fieldErrors(reply).some((error) => error.startsWith(pointer)),
            what,
          );
      }
    });
  }
});

describe('a body with more errors than an answer lists', () => {
  const wrong: [string, unknown][] = [
    ['/meter', null],
    ['/meter', 'text'],
    ['/meter/type', null],
    ['/meter/number', 1],
    ['/customer', null],
    ['/address', [1]],
    ['/payment_method', null],
    ['/next_possible_start', 'no'],
    ['/intended_start_date', 'soon'],
    ['/intended_start_date', {}],
    ['/product_orders', [null, 1, 'x', {}]],
    ['/product_orders', {}],
    ['/product_orders', Array.from({ length: 200 }, () => null)],
    ['/metadata', 'text'],
    ['/metadata', []],
    ['/external_id', {}],
    ['/plan', {}],
    ['/lead', []],
    ['/previous_supplier', 1],
  ];
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`unknown_${index}`, 1]));
  for (const [pointer, value] of wrong) {
    test(`is 400, whatever else is wrong: ${pointer} = ${JSON.stringify(value).slice(0, 30)}`, async () => {
      const body: Json = withMember(signUpBody(service.planId), pointer, value);
      for (const parent of ['', '/customer', '/address', '/meter', '/payment_method']) {
        if (parent !== '' && (pointer === parent || pointer.startsWith(`${parent}/`))) continue;
        const spoilt = structuredClone(body);
        Object.assign(parent === '' ? spoilt : spoilt[parent.slice(1)], many);
        const reply = await service.call('POST', '/subscriptions', { body: spoilt });
        assert.equal(reply.status, 400, `${parent}: ${reply.text.slice(0, 300)}`);
        assert.ok(fieldErrors(reply).length >= 100, 'and the list is full');
      }
    });
  }
});

describe('what comes close to a trap and is none', () => {
  test('constructor and toString as keys of metadata are plain data and kept', async () => {
    const metadata = { constructor: 1, toString: 'x', hasOwnProperty: null, prototype: {} };
    const { id } = await signUp(service, { metadata });
    assert.equal(
      JSON.stringify((await service.call('GET', `/subscriptions/${id}`)).json.metadata),
      JSON.stringify(metadata),
    );
  });

  test('64 levels are accepted and come back', async () => {
    const metadata = `{"a":${nested(62)}}`;
    const reply = await post(withText('/metadata', metadata));
    assert.equal(reply.status, 201, reply.text);
    assert.ok(reply.text.includes(metadata));
  });

  test('2^53+1 in metadata comes back as sent', async () => {
    const reply = await post(withText('/metadata', '{"n":9007199254740993}'));
    assert.equal(reply.status, 201);
    assert.ok(reply.text.includes('{"n":9007199254740993}'));
  });

  test('1e2, 3500.0 and 35e2 are numbers like others', async () => {
    for (const [source, value] of [
      ['1e2', 100],
      ['3500.0', 3500],
      ['35e2', 3500],
      ['1E+2', 100],
    ] as const) {
      const reply = await post(withText('/meter/estimated_usage', source));
      assert.equal(reply.status, 201, reply.text);
      assert.equal(reply.json.estimated_usage, value);
    }
  });

  test('29 February in a leap year, names of one character, e-mail with umlauts and plus are accepted', async () => {
    const valid: [string, unknown][] = [
      ['/customer/first_name', 'Ö'],
      ['/customer/last_name', 'O’Brien-王 😀'],
      ['/customer/email', 'jörg+test@münchen.de'],
      ['/address/zip', '01067'],
      ['/intended_start_date', berlinDate(1)],
      ['/meter/malo', uniqueMalo()],
    ];
    for (const [pointer, value] of valid) {
      const body: Json = withMember(signUpBody(service.planId), pointer, value);
      const reply = await service.call('POST', '/subscriptions', { body });
      // Midnight may pass between choosing tomorrow and asking.
      if (pointer === '/intended_start_date' && berlinDate(1) !== value) continue;
      assert.equal(reply.status, 201, `${pointer}: ${reply.text}`);
    }
  });

  test('a body of exactly 256 KiB is read', async () => {
    const body = JSON.stringify(signUpBody(service.planId));
    const reply = await post(`${' '.repeat(256 * 1024 - Buffer.byteLength(body))}${body}`);
    assert.equal(reply.status, 201, reply.text);
  });

  test('application/json in any case with charset=utf-8 is JSON', async () => {
    for (const type of ['Application/JSON', 'application/json;charset=UTF-8', 'application/json; charset="utf-8"']) {
      const reply = await post(JSON.stringify(signUpBody(service.planId)), { 'content-type': type });
      assert.equal(reply.status, 201, type);
    }
  });
});

describe('a cursor', () => {
  test('cut short anywhere, altered, or of another project is 400 invalid_cursor', async () => {
    for (let count = 0; count < 3; count += 1) await signUp(service);
    const cursor: string = (await service.call('GET', '/subscriptions?limit=1')).json.next_page;
    const altered = [...Array(cursor.length).keys()].flatMap((at) => [
      cursor.slice(0, at),
      `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`,
    ]);
    for (const text of [...altered, `${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.toUpperCase()]) {
      const reply = await service.call('GET', `/subscriptions?limit=1&cursor=${encodeURIComponent(text)}`);
      assert.equal(reply.status, 400, text);
      assert.deepEqual(fieldErrors(reply), ['?cursor invalid_cursor'], text);
    }
    const other = await otherProject(service);
    const reply = await other.call('GET', `/subscriptions?limit=1&cursor=${cursor}`);
    assert.deepEqual(fieldErrors(reply), ['?cursor invalid_cursor']);
    assert.equal((await service.call('GET', `/subscriptions?limit=1&cursor=${cursor}`)).status, 200);
  });
});
