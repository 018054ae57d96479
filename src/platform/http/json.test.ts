import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { encodeJson, parseStrictJson, RawJson, type JsonRefusalCode, type ParsedJson } from './json.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function accepted(text: string): ParsedJson {
  const parsed = parseStrictJson(bytes(text));
  if (!parsed.ok) assert.fail(`${text.slice(0, 100)} was refused: ${parsed.code} at ${parsed.field}`);
  return parsed;
}

function refused(text: string | Uint8Array): { field: string; code: JsonRefusalCode } {
  const parsed = parseStrictJson(typeof text === 'string' ? bytes(text) : text);
  if (parsed.ok) assert.fail(`accepted: ${String(text).slice(0, 100)}`);
  assert.ok(parsed.message.endsWith('.') && parsed.message.isWellFormed() && parsed.field.isWellFormed());
  return { field: parsed.field, code: parsed.code };
}

const refusals: readonly { title: string; cases: readonly (readonly [string, JsonRefusalCode, string])[] }[] = [
  {
    title: 'syntax errors',
    cases: [
      '',
      ' ',
      '{',
      '}',
      '[',
      '[1',
      '[1,',
      '[1,]',
      '[,1]',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{,}',
      '{a:1}',
      "{'a':1}",
      '{"a" 1}',
      '{"a":1 "b":2}',
      '{"a":1]',
      '[1}',
      '01',
      '-',
      '-a',
      '+1',
      '1.',
      '.5',
      '1.e5',
      '1e',
      '1e+',
      '0x10',
      'NaN',
      'Infinity',
      '-Infinity',
      'nul',
      'nullx',
      'True',
      'undefined',
      '"',
      '"a',
      '"\\',
      '"\\"',
      '"\\x41"',
      '"\\u12"',
      '"\\u12g4"',
      '"a\nb"',
      '"\u0001"',
      '1 2',
      '{} {}',
      '// a\n1',
      '[1,/**/2]',
      '\u00a01',
      '\ufeff{}',
      '\u0000',
      '[1]\u0000',
    ].map((text) => [text, 'invalid_json', ''] as const),
  },
  {
    title: 'null characters, escaped or raw, in values and keys',
    cases: [
      ['"\\u0000"', 'null_character', ''],
      ['"a\u0000"', 'null_character', ''],
      ['{"customer":{"first_name":"x\\u0000"}}', 'null_character', '/customer/first_name'],
      ['{"metadata":{"k":["a","\\u0000"]}}', 'null_character', '/metadata/k/1'],
      ['{"a":{"\\u0000k":1}}', 'null_character', '/a'],
    ],
  },
  {
    title: 'lone surrogates',
    cases: [
      ['{"a":"\\ud800"}', 'invalid_unicode', '/a'],
      ['{"a":"\\uDC00"}', 'invalid_unicode', '/a'],
      ['{"a":"\\ud83dx"}', 'invalid_unicode', '/a'],
      ['{"a":"\\ud83d\\ud83d"}', 'invalid_unicode', '/a'],
      ['{"a":"\\ud83d\\u0041"}', 'invalid_unicode', '/a'],
      ['{"a":{"\\ud800":1}}', 'invalid_unicode', '/a'],
    ],
  },
  {
    title: 'duplicate keys, compared unescaped, at any depth',
    cases: [
      ['{"a":1,"a":2}', 'duplicate_key', '/a'],
      ['{"a":1,"\\u0061":1}', 'duplicate_key', '/a'],
      ['{"a":[{"b/c~d":1,"x":2,"b/c~d":3}]}', 'duplicate_key', '/a/0/b~1c~0d'],
      ['{"metadata":{"":1,"":2}}', 'duplicate_key', '/metadata/'],
      ['{"metadata":{},"metadata":{}}', 'duplicate_key', '/metadata'],
    ],
  },
  {
    title: 'the key __proto__, also in the verbatim member',
    cases: [
      ['{"__proto__":{}}', 'forbidden_key', '/__proto__'],
      ['{"metadata":{},"a":{"\\u005f_proto__":1}}', 'forbidden_key', '/a/__proto__'],
      ['{"metadata":{"a":[{"__proto__":1}]}}', 'forbidden_key', '/metadata/a/0/__proto__'],
    ],
  },
  {
    title: 'numbers that a double cannot hold',
    cases: [
      ['{"a":1e400}', 'number_out_of_range', '/a'],
      ['{"a":-1e400}', 'number_out_of_range', '/a'],
      ['{"a":1e-400}', 'number_out_of_range', '/a'],
      ['{"metadata":{"a":1e400}}', 'number_out_of_range', '/metadata/a'],
      ['{"metadata":[-0.1e-999999999999999999999]}', 'number_out_of_range', '/metadata/0'],
      ['{"a":9007199254740993}', 'number_not_exact', '/a'],
      ['[12345678901234567890]', 'number_not_exact', '/0'],
      ['0.12345678901234567890', 'number_not_exact', ''],
      ['1.0000000000000000000001', 'number_not_exact', ''],
      ['4.9e-324', 'number_not_exact', ''],
      ['{"a":{"metadata":9007199254740993}}', 'number_not_exact', '/a/metadata'],
      ['{"metadata":9007199254740993,"a":9007199254740993}', 'number_not_exact', '/a'],
    ],
  },
];

for (const { title, cases } of refusals) {
  test(`refused: ${title}`, () => {
    for (const [text, code, field] of cases) assert.deepEqual(refused(text), { field, code }, text);
  });
}

test('refused: invalid UTF-8 and a byte order mark', () => {
  for (const sequence of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
    assert.deepEqual(refused(Uint8Array.of(0x22, ...sequence, 0x22)), { field: '', code: 'invalid_utf8' });
  }
  assert.deepEqual(refused(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31)), { field: '', code: 'invalid_json' });
  assert.deepEqual(refused(Uint8Array.of()), { field: '', code: 'invalid_json' });
});

test('a syntax error is located', () => {
  const parsed = parseStrictJson(bytes('{\n  "a": 1,\n  "b": oops\n}'));
  assert.equal(parsed.ok ? '' : parsed.message, 'The body is not valid JSON: there is an error at line 3, column 8.');
});

test('64 levels are accepted, 65 refused, and no depth overflows the stack', () => {
  accepted('['.repeat(64) + ']'.repeat(64));
  accepted('{"a":'.repeat(63) + '{}' + '}'.repeat(63));
  assert.equal(refused('['.repeat(65) + ']'.repeat(65)).code, 'too_deep');
  assert.deepEqual(refused('['.repeat(65_000)), { field: '/0'.repeat(64), code: 'too_deep' });
  assert.equal(refused('{"a":'.repeat(50_000)).code, 'too_deep');
  assert.equal(refused('{"a":['.repeat(50_000)).code, 'too_deep');
  const parsed = parseStrictJson(bytes('[[1]]'), { maxDepth: 1 });
  assert.equal(parsed.ok, false);
});

test('500 values are accepted, and with those of the verbatim member 6,000; one more is refused', () => {
  accepted(`[${'1,'.repeat(498)}1]`);
  assert.deepEqual(refused(`[${'1,'.repeat(499)}1]`), { field: '/499', code: 'too_many_values' });
  assert.equal(refused(`[${'[],'.repeat(499)}1]`).code, 'too_many_values');
  const beside = `{${Array.from({ length: 499 }, (_, index) => `"${index}":1`).join(',')}`;
  accepted(`${beside},"metadata":[${'1,'.repeat(5_498)}1]}`);
  assert.deepEqual(refused(`${beside},"metadata":[${'1,'.repeat(5_499)}1]}`), {
    field: '/metadata/5499',
    code: 'too_many_values',
  });
  assert.deepEqual(refused(`${beside},"metadata":1,"another":1}`), { field: '/another', code: 'too_many_values' });
  // As many as its 10,240 bytes can have.
  accepted(`{"metadata":[${'1,'.repeat(5_118)}1]}`);
});

test('hostile bodies take linear time', () => {
  const hostile = [
    `{${Array.from({ length: 19_000 }, (_, index) => `"${index}":1`).join(',')}}`,
    `{"metadata":"${'\\n'.repeat(125_000)}"}`,
    `{"metadata":[${' '.repeat(250_000)}]}`,
    `[0.${'0'.repeat(250_000)}1]`,
    `[${'1'.repeat(250_000)}]`,
    `[1.${'0'.repeat(250_000)}1]`,
    `[0e${'9'.repeat(250_000)}]`,
    '"'.repeat(250_000),
    '\\'.repeat(250_000),
    `"${'\\'.repeat(249_998)}"`,
  ];
  const start = performance.now();
  for (const text of hostile) {
    const parsed = parseStrictJson(bytes(text));
    if (parsed.ok) parsed.rawMember('metadata');
  }
  // About 60 ms in all here; a quadratic step would take minutes.
  assert.ok(performance.now() - start < 5000);
});

test('numbers that a double holds are accepted however they are written', () => {
  for (const text of [
    '0',
    '-0',
    '0.0',
    '0e99999',
    '-0.0e-5',
    '1.10',
    '1.10e0',
    '110e-2',
    '0.011e+2',
    '1E3',
    '9007199254740992',
    '-9007199254740991',
    '1e21',
    '100000000000000000000000',
    '123456789012345.6',
    '0.1',
    '1.7976931348623157e308',
    '5e-324',
    '2.2250738585072014e-308',
    '0.30000000000000004',
    `1.${'0'.repeat(400)}`,
    `1${'0'.repeat(22)}`,
  ]) {
    assert.equal(accepted(text).value, JSON.parse(text), text);
  }
  // 1e23 is not a double, but its shortest form is itself: it comes back as sent.
  assert.equal(accepted('1e23').value, 1e23);
});

test('constructor, toString and other inherited names are plain data', () => {
  const { value } = accepted('{"constructor":1,"toString":2,"hasOwnProperty":3,"prototype":{"valueOf":4}}');
  assert.deepEqual(
    Object.entries(value as object).map(([key]) => key),
    ['constructor', 'toString', 'hasOwnProperty', 'prototype'],
  );
});

test('a raw member is as sent, but for white space and needless escapes', () => {
  const metadata = '{"b":1,"10":2,"9":9007199254740993,"n":[-0,1.10,1E+2,0.1e-7,123456789012345678901234567890]}';
  const spaced =
    '{ "b" : 1 ,\r\n\t"10":2,"9":9007199254740993, "n" : [ -0 , 1.10,1E+2,0.1e-7,\n123456789012345678901234567890 ] }';
  assert.equal(accepted(`{"a":1,"metadata":${metadata},"z":2}`).rawMember('metadata'), metadata);
  assert.equal(accepted(` { "a":1, "metadata" : ${spaced} , "z":2 } `).rawMember('metadata'), metadata);
  const escapes = accepted('{"metadata":{"\\u00e4\\/":"a \\u0062\\n\\"\\\\ \\ud83d\\ude42 \\u001f"}}').rawMember(
    'metadata',
  );
  assert.equal(escapes, '{"ä/":"a b\\n\\"\\\\ 🙂 \\u001f"}');
  const other = accepted('{"a":{"metadata":1},"toString":"x","meta\\u0064ata": null }');
  assert.equal(other.rawMember('metadata'), 'null');
  assert.equal(other.rawMember('a'), '{"metadata":1}');
  assert.equal(other.rawMember('toString'), '"x"');
  assert.equal(other.rawMember('constructor'), null);
  assert.equal(accepted('[{"metadata":1}]').rawMember('metadata'), null);
  assert.equal(accepted('"metadata"').rawMember('metadata'), null);
});

test('raw text goes out as it came in', () => {
  const raw = accepted('{"metadata":{"2":1,"1":9007199254740993}}').rawMember('metadata') ?? '';
  assert.equal(
    encodeJson({ id: 'x', metadata: new RawJson(raw), list: [new RawJson('-0')] }),
    `{"id":"x","metadata":${raw},"list":[-0]}`,
  );
  assert.equal(encodeJson(new RawJson('1.10')), '1.10');
});

test('encoding: undefined is left out, what would be lost is refused', () => {
  assert.equal(encodeJson({ a: undefined, b: null, c: [undefined, Number.NaN, -0] }), '{"b":null,"c":[null,null,0]}');
  assert.equal(encodeJson({ a: '\ud800"\\\u0000\u2028ä' }), JSON.stringify({ a: '\ud800"\\\u0000\u2028ä' }));
  const lossy = [1n, Symbol('s'), () => 1, new Map(), new Uint8Array(1), Temporal.Instant.fromEpochMilliseconds(0)];
  for (const value of lossy) assert.throws(() => encodeJson({ list: [{ value }] }), TypeError);
  assert.throws(() => encodeJson(undefined), TypeError);
  assert.equal(encodeJson(Object.assign(Object.create(null) as object, { a: 1 })), '{"a":1}');
});

/** Any JSON text: values written with odd white space and escapes, keys that may repeat, numbers of many forms. */
const anyJsonText = fc.letrec<{ value: string; key: string }>((tie) => {
  const space = fc.constantFrom('', '', ' ', '\n', '\t\r ');
  const string = fc.string({ unit: 'binary', maxLength: 6 }).map((text) => JSON.stringify(text));
  const escaped = fc.array(fc.constantFrom('\\u0061', '\\n', '\\ud83d', '\\ude42', '\\u0000', 'a', '\\/', 'é'), {
    maxLength: 4,
  });
  const number = fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,20})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?$/);
  return {
    key: fc.oneof(string, fc.constantFrom('"a"', '"\\u0061"', '"1"', '"metadata"', '"__proto__"', '"constructor"')),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('true', 'false', 'null'),
      string,
      escaped.map((parts) => `"${parts.join('')}"`),
      number,
      fc
        .tuple(space, fc.array(tie('value'), { maxLength: 4 }))
        .map(([blank, items]) => `[${blank}${items.join(`${blank},`)}]`),
      fc
        .tuple(space, fc.array(fc.tuple(tie('key'), tie('value')), { maxLength: 4 }))
        .map(
          ([blank, members]) =>
            `{${members.map(([key, value]) => `${blank}${key}${blank}:${value}`).join(',')}${blank}}`,
        ),
    ),
  };
}).value;

/** Keys of all objects of a text, found by a reviver: fewer than were written when some were duplicates. */
function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + countKeys(item), 0);
}

test('every valid text is accepted with its value, or refused for a documented reason', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyJsonText, (text) => {
      const expected: unknown = JSON.parse(text);
      const parsed = parseStrictJson(bytes(text));
      // A raw lone surrogate cannot be written in UTF-8; the encoder has replaced it.
      if (!text.isWellFormed()) return;
      seen.add(parsed.ok ? 'ok' : parsed.code);
      if (parsed.ok) {
        assert.deepEqual(parsed.value, expected);
        assert.ok(!/\\u0000/.test(JSON.stringify(expected)) || /\\\\u0000/.test(JSON.stringify(expected)));
        assert.ok(!JSON.stringify(expected).includes('"__proto__":'));
        if (typeof expected === 'object' && expected !== null && !Array.isArray(expected)) {
          for (const [name, value] of Object.entries(expected)) {
            const raw = parsed.rawMember(name);
            assert.ok(raw !== null);
            assert.deepEqual(JSON.parse(raw), value);
            assert.ok(raw.length <= text.length);
            // What came out goes in again and comes out the same.
            const again = accepted(`{"metadata":${raw}}`);
            assert.equal(again.rawMember('metadata'), raw);
          }
        }
      } else {
        assert.ok(
          !['invalid_json', 'invalid_utf8', 'too_deep', 'too_many_values'].includes(parsed.code),
          `${parsed.code} ${text}`,
        );
        if (parsed.code === 'duplicate_key') assert.ok(countKeys(expected) < [...text.matchAll(/:/g)].length);
      }
    }),
    { numRuns: 3000 },
  );
  for (const outcome of [
    'ok',
    'number_not_exact',
    'duplicate_key',
    'forbidden_key',
    'null_character',
    'invalid_unicode',
    'number_out_of_range',
  ]) {
    assert.ok(seen.has(outcome), `the texts never led to ${outcome}`);
  }
});

test('texts that are cut or changed are refused exactly when JSON.parse refuses them', () => {
  const changed = fc
    .tuple(
      anyJsonText,
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', ':', '{', '}', '[', ']', '0', '-', '.', 'e', ' ', '\n', 'u'),
    )
    .map(([text, at, piece]) => {
      const index = at % (text.length + 1);
      return text.slice(0, index) + piece + text.slice(index + 1);
    });
  fc.assert(
    fc.property(changed, (text) => {
      if (!text.isWellFormed()) return;
      let isValid = true;
      try {
        JSON.parse(text);
      } catch {
        isValid = false;
      }
      const parsed = parseStrictJson(bytes(text));
      if (isValid) assert.ok(parsed.ok || parsed.code !== 'invalid_json', text);
      else assert.ok(!parsed.ok, text);
    }),
    { numRuns: 5000 },
  );
});

test('any bytes are answered', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (body) => typeof parseStrictJson(body).ok === 'boolean'));
  const reasons = new Set(['null_character', 'invalid_unicode', 'forbidden_key', 'number_not_exact']);
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      const parsed = parseStrictJson(bytes(text));
      if (parsed.ok) assert.deepEqual(parsed.value, JSON.parse(new TextDecoder().decode(bytes(text))));
      else assert.ok(reasons.has(parsed.code), `${parsed.code} ${text}`);
    }),
  );
});

test('numbers are accepted exactly when writing their double gives the same decimal', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
      assert.equal(accepted(String(double)).value, JSON.parse(String(double)));
      assert.equal(accepted(double.toExponential()).value, JSON.parse(String(double)));
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (integer) => {
      const parsed = parseStrictJson(bytes(String(integer)));
      // Shortest forms, written out, end in zeros where the double has more digits.
      const comesBack = BigInt(Number(integer).toLocaleString('en', { useGrouping: false })) === integer;
      assert.equal(parsed.ok, comesBack, String(integer));
    }),
  );
});

test('encoding equals JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      assert.equal(encodeJson(value), JSON.stringify(value));
    }),
    { numRuns: 1000 },
  );
});
