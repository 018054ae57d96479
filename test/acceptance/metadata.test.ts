/** `metadata` comes back as it was sent: order of keys, every digit, every character; and its size is counted in bytes. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldErrors, signUpBody, type Json } from '../support/builders.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** Signs up with `metadata` as JSON text. */
function create(metadata: string): Promise<Reply> {
  const body = JSON.stringify(signUpBody(service.planId)).replace(/\}$/, `,"metadata":${metadata}}`);
  return service.call('POST', '/subscriptions', { body });
}

function metadataText(reply: Reply): string {
  return /"metadata":([^]*)\}$/.exec(reply.text)?.[1] ?? '';
}

describe('metadata comes back to the letter', () => {
  const texts: Record<string, string> = {
    'order of keys': '{"b":1,"a":2,"":3,"c":{"z":1,"y":2}}',
    'keys that look like integers': '{"10":1,"9":2,"b":3,"1":4,"a":5,"-1":6,"4294967295":7}',
    'integers beyond 2^53': '{"a":9007199254740993,"b":[-9007199254740993,12345678901234567890123456789]}',
    'many decimals': '{"a":0.1000000000000000055511151231257827,"b":1.10,"c":1e2,"d":-0,"e":-0.0,"f":1E+2}',
    'the limits of a double': '{"a":1.7976931348623157e308,"b":5e-324}',
    unicode: '{"ä":"é","e\u0301":"😀","\u202e":"\u00a0\u2028","漢字":"\ufffd\ufeff"}',
    'names of Object.prototype': '{"constructor":1,"toString":2,"hasOwnProperty":3,"valueOf":{"prototype":{}}}',
    'empty things': '{"a":{},"b":[],"c":"","d":null,"e":false}',
    'strings that look like JSON': '{"a":"{\\"b\\":1}","c":"\\\\","d":"\\"","e":"a  b"}',
    'control characters': '{"a":"\\u0001\\u001f\\b\\f\\n\\r\\t\u007f"}',
  };
  for (const [name, text] of Object.entries(texts)) {
    test(name, async () => {
      const reply = await create(text);
      assert.equal(reply.status, 201, reply.text);
      assert.equal(metadataText(reply), text);
      const read = await service.call('GET', `/subscriptions/${reply.json.id}`);
      assert.equal(read.text, reply.text);
      const list = await service.call('GET', `/subscriptions?filter[number][eq]=${reply.json.number}`);
      assert.ok(list.text.includes(`"metadata":${text}`));
    });
  }

  test('wherever what it was before is told, and in an export', async () => {
    const all = `{${Object.values(texts)
      .map((text, index) => `"k${index}":${text}`)
      .join(',')}}`;
    const lead = { plan: service.planId, address: { zip: '51147' } };
    const text = JSON.stringify(lead).replace(/\}$/, `,"metadata":${all}}`);
    const { json } = await service.call('POST', '/leads', { body: text });
    const { id, customer } = (await create(`${all},"lead":"${json.id}"`)).json;
    const path = `/subscriptions/${id}`;
    assert.equal((await service.call('PATCH', path, { body: { metadata: null } })).status, 200);
    const told = `"previous_attributes":{"metadata":${all}}`;
    assert.ok((await service.call('GET', `${path}/timeline`)).text.includes(told));
    const exported = (await service.call('GET', `/customers/${customer}/export`)).text;
    const [, leads = ''] = exported.split('"leads":');
    assert.ok(exported.includes(told) && leads.includes(`"metadata":${all}`), exported);
  });

  test('white space outside strings is dropped and needless escapes are written out', async () => {
    const reply = await create('{ "a" : [ 1 , 2 ] ,\n\t"\\u0062" : "\\u00e4\\/\\ud83d\\ude00 \\n" }');
    assert.equal(reply.status, 201, reply.text);
    assert.equal(metadataText(reply), '{"a":[1,2],"b":"ä/😀 \\n"}');
  });
});

describe('metadata of 10,240 bytes is accepted and of 10,241 refused, counted as compact UTF-8 JSON', () => {
  const fill = (unit: string, bytes: number, escaped = unit): string => {
    const room = bytes - '{"t":""}'.length;
    const size = Buffer.byteLength(escaped);
    return `{"t":"${unit.repeat(Math.floor(room / size))}${'x'.repeat(room % size)}"}`;
  };
  const texts: Record<string, (bytes: number) => string> = {
    ASCII: (bytes) => fill('x', bytes),
    'two bytes a character': (bytes) => fill('ä', bytes),
    'four bytes a character': (bytes) => fill('😀', bytes),
    'escapes that stand for two bytes': (bytes) => fill('\\u00e4', bytes, 'ä'),
    'escapes that stay': (bytes) => fill('\\n', bytes),
    'with blanks between': (bytes) => fill('x', bytes).replace(':', `:${' '.repeat(5000)}`),
  };
  for (const [name, text] of Object.entries(texts)) {
    test(name, async () => {
      const accepted = await create(text(10_240));
      assert.equal(accepted.status, 201, accepted.text.slice(0, 300));
      assert.equal(Buffer.byteLength(metadataText(accepted)), 10_240);
      const refused = await create(text(10_241));
      assert.equal(refused.status, 400);
      assert.deepEqual(fieldErrors(refused), ['/metadata too_large']);
    });
  }
});

test('the largest bodies of nothing but escapes, numbers or brackets are refused in good time', async () => {
  const texts = [
    `{"t":"${'\\n'.repeat(120_000)}"}`,
    `{"t":"${'\\\\'.repeat(120_000)}"}`,
    `{"t":"${'\\u00e4'.repeat(40_000)}"}`,
    `{"t":[${'1,'.repeat(19_000)}1]}`,
    `{"t":${'9'.repeat(250_000)}}`,
    `{"t":0.${'1'.repeat(250_000)}}`,
    `{${Array.from({ length: 15_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    `{"t":"${'"\\"'.slice(1).repeat(80_000)}"}`,
  ];
  for (const text of texts) {
    const started = performance.now();
    const reply = await create(text);
    assert.equal(reply.status, 400, `${text.slice(0, 20)}: ${reply.status} ${reply.text.slice(0, 200)}`);
    assert.ok(performance.now() - started < 5_000, text.slice(0, 20));
  }
});

describe('filter[metadata.<key>][eq]', () => {
  const found = async (key: string, value: string): Promise<string[]> => {
    const query = `filter[metadata.${encodeURIComponent(key)}][eq]=${encodeURIComponent(value)}`;
    const reply = await service.call('GET', `/subscriptions?${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json.items.map((item: Json) => item.id);
  };

  test('finds texts, numbers and booleans of the top level by what was sent, and nothing else', async () => {
    const { id } = (
      await create(
        '{"text":"Grün & Blau","count":42,"on":true,"constructor":"x","":"empty","10":"ten","deep":{"a":1},"none":null}',
      )
    ).json;
    for (const [key, value] of [
      ['text', 'Grün & Blau'],
      ['count', '42'],
      ['on', 'true'],
      ['constructor', 'x'],
      ['10', 'ten'],
    ] as const) {
      assert.deepEqual(await found(key, value), [id], key);
    }
    for (const [key, value] of [
      ['text', 'grün & blau'],
      ['text', ''],
      ['toString', 'x'],
      ['a', '1'],
      ['deep', '{"a":1}'],
      ['count', '43'],
    ] as const) {
      assert.deepEqual(await found(key, value), [], `${key}=${value}`);
    }
  });

  test('tells integers beyond 2^53 apart', async () => {
    const odd = (await create('{"big":9007199254740993}')).json.id;
    const even = (await create('{"big":9007199254740992}')).json.id;
    assert.deepEqual(await found('big', '9007199254740993'), [odd]);
    assert.deepEqual(await found('big', '9007199254740992'), [even]);
  });
});

test('a member named __proto__ is refused wherever metadata is taken, at any depth, and nothing is changed', async () => {
  const { id } = (await create('{"a":1}')).json;
  const lead = { body: { plan: service.planId, address: { zip: '51147' } } };
  const { id: leadId } = (await service.call('POST', '/leads', lead)).json;
  const signUp = JSON.stringify(signUpBody(service.planId)).replace(/\}$/, '');
  for (const [method, path, begin] of [
    ['POST', '/subscriptions', `${signUp},`],
    ['POST', '/subscriptions?validate_only=true', `${signUp},`],
    ['PATCH', `/subscriptions/${id}`, '{'],
    ['POST', '/leads', `{"plan":"${service.planId}","address":{"zip":"51147"},`],
    ['PATCH', `/leads/${leadId}`, '{'],
  ] as const) {
    for (const [text, field] of [
      ['{"__proto__":{"polluted":true}}', '/metadata/__proto__'],
      ['{"a":[{"\\u005f_proto__":null}]}', '/metadata/a/0/__proto__'],
    ] as const) {
      const reply = await service.call(method, path, { body: `${begin}"metadata":${text}}` });
      assert.equal(reply.status, 400, reply.text);
      assert.deepEqual(
        (reply.json.errors as Json[]).map((error) => [error.field, error.code]),
        [[field, 'forbidden_key']],
      );
    }
  }
  assert.equal(metadataText(await service.call('GET', `/subscriptions/${id}`)), '{"a":1}');
});

test('a key of metadata with brackets can be filtered by', async () => {
  const { id } = (await create('{"a]b[":"x","a][eq":"y","]":"z"}')).json;
  for (const [key, value] of [
    ['a]b[', 'x'],
    ['a][eq', 'y'],
    [']', 'z'],
  ] as const) {
    const query = `filter[metadata.${encodeURIComponent(key)}][eq]=${value}`;
    const reply = await service.call('GET', `/subscriptions?${query}`);
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(
      reply.json.items.map((item: Json) => item.id),
      [id],
      key,
    );
  }
});
