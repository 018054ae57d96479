import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKeys } from '#platform/crypto.ts';
import { wallClock } from '#platform/clock.ts';
import { createUuidMint } from '#platform/uuid.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { importSuppliers, SANDBOX_SUPPLIER_NAMES } from './index.ts';

const keys = createKeys(Buffer.alloc(32, 7));

const shared: { service?: TestService } = {};

function service(): TestService {
  assert.ok(shared.service !== undefined);
  return shared.service;
}

before(async () => {
  shared.service = await startService();
  async function* file(): AsyncGenerator<Buffer> {
    yield Buffer.from('name;code\nStadtwerke Köln GmbH;9900000000001\nStadtwerke Bonn;\n');
  }
  const { database } = service();
  await importSuppliers({ database, clock: wallClock, mintUuid: createUuidMint(wallClock), keys }, file());
});

after(() => shared.service?.stop());

test('a sandbox project lists real suppliers and those of the simulated market', async () => {
  const { status, json } = await service().call('GET', '/suppliers?limit=100');
  assert.equal(status, 200);
  assert.deepEqual([json.object, json.has_more, json.next_page], ['list', false, null]);
  const names = json.items.map(({ name }: { name: string }) => name);
  assert.deepEqual(names.slice(0, 2), ['Stadtwerke Bonn', 'Stadtwerke Köln GmbH']);
  assert.deepEqual(names.slice(2).toReversed(), [...SANDBOX_SUPPLIER_NAMES]);
});

test('a supplier is found, read with its tag, and answered 304 to whoever has it', async () => {
  const found = await service().call('GET', `/suppliers?search=${encodeURIComponent('stadwerke koeln')}`);
  const [supplier] = found.json.items;
  assert.match(supplier.id, /^mp_[0-9a-z]{26}$/);
  assert.match(supplier.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const { id, created_at: createdAt } = supplier;
  assert.deepEqual(supplier, {
    object: 'supplier',
    id,
    name: 'Stadtwerke Köln GmbH',
    code: '9900000000001',
    code_type: 'BDEW',
    country: 'DE',
    created_at: createdAt,
  });
  const read = await service().call('GET', `/suppliers/${id}`);
  assert.deepEqual(read.json, supplier);
  const etag = read.headers.get('etag') ?? '';
  assert.match(etag, /^"[^"]+"$/);
  const again = await service().call('GET', `/suppliers/${id}`, { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, again.text], [304, '']);
});

test('searches are paged, and a cursor belongs to its search', async () => {
  const first = await service().call('GET', '/suppliers?search=stadtwerke&limit=1');
  assert.deepEqual([first.json.items[0].name, first.json.has_more], ['Stadtwerke Bonn', true]);
  const cursor = encodeURIComponent(first.json.next_page);
  const second = await service().call('GET', `/suppliers?search=stadtwerke&limit=1&cursor=${cursor}`);
  assert.equal(second.json.items[0].name, 'Stadtwerke Köln GmbH');
  for (const path of ['/suppliers?search=stadt&', '/suppliers?', '/plans?']) {
    const { status, json } = await service().call('GET', `${path}cursor=${cursor}`);
    assert.deepEqual([status, json.code], [400, 'invalid_cursor'], path);
  }
});

test('odd searches and ids are refused or find nothing', async () => {
  for (const search of ['', 'x'.repeat(101)]) {
    const { status, json } = await service().call('GET', `/suppliers?search=${search}`);
    assert.deepEqual([status, json.errors[0].field], [400, '?search']);
  }
  for (const search of ['%25', '_', '%F0%9F%98%80'.repeat(100), 'ﷺ'.repeat(100), 'a%20'.repeat(50), '%5C', "'%3B--"]) {
    const { status } = await service().call('GET', `/suppliers?search=${encodeURI(decodeURI(search))}`);
    assert.equal(status, 200, search);
  }
  for (const id of ['mp_01k9zr5x3hf8b9m2t4v6w8y0ac', 'pln_01k9zr5x3hf8b9m2t4v6w8y0ac', 'x', '%00']) {
    const { status } = await service().call('GET', `/suppliers/${id}`);
    assert.ok(status === 404 || (id === '%00' && status === 400), `${id} ${status}`);
  }
});
