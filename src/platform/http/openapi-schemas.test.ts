import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoist, openToMembers } from './openapi-schemas.ts';

test('schemas with a title become components, once however often they are used', () => {
  const address = { type: 'object', title: 'Address', properties: { zip: { type: 'string' } } };
  const components = new Map<string, unknown>();
  const shown = hoist({ type: 'object', properties: { one: address, other: { ...address } } }, components);
  const reference = { $ref: '#/components/schemas/Address' };
  assert.deepEqual(shown, { type: 'object', properties: { one: reference, other: reference } });
  assert.deepEqual([...components.keys()], ['Address']);
});

test('two schemas under one title are a defect: one of them would be shown as the other', () => {
  const components = new Map<string, unknown>();
  hoist({ type: 'object', title: 'Address' }, components);
  assert.throws(() => hoist({ type: ['object', 'null'], title: 'Address' }, components), /two schemas .* Address/);
});

test('an answer may have members that its schema does not name, also within, and a request none', () => {
  const closed = { type: 'object', properties: { zip: { type: 'string' } }, additionalProperties: false };
  const list = { ...closed, properties: { items: { type: 'array', items: closed } } };
  const { additionalProperties, ...open } = closed;
  assert.equal(additionalProperties, false);
  assert.deepEqual(openToMembers(list), { ...open, properties: { items: { type: 'array', items: open } } });
  assert.deepEqual(hoist(list, new Map()), list);
  const texts = { type: 'object', additionalProperties: { type: 'string' } };
  assert.deepEqual(openToMembers(texts), texts);
});

test('a pattern is shown without the separators of lines and paragraphs, and with all else', () => {
  const line = { type: 'string', pattern: '^[^\\x00-\\x1f\u2028\u2029]*$' };
  assert.deepEqual(hoist(line, new Map()), { type: 'string', pattern: '^[^\\x00-\\x1f]*$' });
  const member = { type: 'object', properties: { pattern: line } };
  assert.deepEqual(hoist(member, new Map()), {
    type: 'object',
    properties: { pattern: { ...line, pattern: '^[^\\x00-\\x1f]*$' } },
  });
});

test('an object that names no members says that it takes any, and what says so itself is left alone', () => {
  const free = { type: ['object', 'null'], example: { type: 'object' } };
  assert.deepEqual(hoist(free, new Map()), { ...free, additionalProperties: true });
  const empty = { type: 'object', properties: {} };
  assert.deepEqual(hoist(empty, new Map()), empty);
});
