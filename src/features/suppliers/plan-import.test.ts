import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { foldName } from '#domain/supplier-name.ts';
import { planImport, type ImportPlan, type SupplierRecord } from './plan-import.ts';
import type { KnownSupplier } from './store.ts';

type Given = Partial<Omit<SupplierRecord, 'searchName'>> & { readonly name: string };

function row({ name, code = null, codeType = null, country = null }: Given): SupplierRecord {
  return { name, searchName: foldName(name), code, codeType, country };
}

/** Imports into a table and gives the table as it is then. */
function importInto(stored: readonly KnownSupplier[], rows: readonly SupplierRecord[]): [KnownSupplier[], ImportPlan] {
  let next = stored.length;
  const codes = new Set(rows.map(({ code }) => code));
  const names = new Set(rows.map(({ searchName }) => searchName));
  const known = stored.filter(({ code, searchName }) => (code !== null && codes.has(code)) || names.has(searchName));
  const plan = planImport(known, rows, () => `id ${String((next += 1)).padStart(3, '0')}`);
  const changed = new Map(plan.updates.map((supplier) => [supplier.id, supplier]));
  return [[...stored.map((supplier) => changed.get(supplier.id) ?? supplier), ...plan.inserts], plan];
}

const A = '9900000000001';
const B = '9800000000002';

test('a code comes with its type, by its beginning', () => {
  const [stored] = importInto(
    [],
    [row({ name: 'a', code: A }), row({ name: 'b', code: B }), row({ name: 'c', code: '4012345000009' })],
  );
  assert.deepEqual(
    stored.map(({ codeType }) => codeType),
    ['BDEW', 'DVGW', 'GLN'],
  );
  const [given] = importInto(stored, [row({ name: 'a', code: A, codeType: 'GLN' })]);
  assert.equal(given[0]?.codeType, 'GLN');
  assert.equal(importInto(given, [row({ name: 'a', code: A })])[0][0]?.codeType, 'GLN', 'what is not said stays');
});

test('a row with a code adopts the supplier of its name that has none, and keeps its id', () => {
  const [stored] = importInto([], [row({ name: 'Stadtwerke Köln', country: 'AT' })]);
  const [adopted, plan] = importInto(stored, [row({ name: 'STADTWERKE KOELN', code: A })]);
  assert.deepEqual(adopted, [
    { id: 'id 001', name: 'STADTWERKE KOELN', searchName: 'stadtwerke koln', code: A, codeType: 'BDEW', country: 'AT' },
  ]);
  assert.deepEqual([plan.inserts.length, plan.updates.length, plan.unchanged], [0, 1, 0]);
  const [two] = importInto(adopted, [row({ name: 'Stadtwerke Köln', code: B })]);
  assert.equal(two.length, 2, 'another code is another supplier');
});

test('a row without code finds the supplier of its name that has one', () => {
  const [stored] = importInto([], [row({ name: 'Köln', code: A })]);
  assert.deepEqual(importInto(stored, [row({ name: 'Köln' })])[1], { inserts: [], updates: [], unchanged: 1 });
});

test('the last of several rows wins and the supplier counts once', () => {
  const [stored, plan] = importInto([], [row({ name: 'One', code: A }), row({ name: 'Two', code: A })]);
  assert.deepEqual(
    stored.map(({ name }) => name),
    ['Two'],
  );
  assert.deepEqual([plan.inserts.length, plan.updates.length, plan.unchanged], [1, 0, 0]);
});

test('importing again changes nothing, and no two suppliers ever share a code or, without one, a name', () => {
  const anyRow = fc
    .record({
      name: fc.constantFrom('Köln', 'koeln', 'Bonn', 'Ulm'),
      code: fc.constantFrom(null, A, B, '4012345000009'),
    })
    .map(row);
  const rows = fc.array(anyRow, { maxLength: 12 });
  fc.assert(
    fc.property(rows, rows, (first, second) => {
      const [one] = importInto([], first);
      const [two] = importInto(one, second);
      assert.deepEqual(
        two.slice(0, one.length).map(({ id }) => id),
        one.map(({ id }) => id),
      );
      const keys = two.map(({ code, searchName }) => code ?? searchName);
      assert.equal(new Set(keys).size, keys.length);
      const [again] = importInto(two, second);
      assert.equal(again.length, two.length);
      // Rows that name one supplier differently take turns; where they agree, nothing changes any more.
      assert.deepEqual(again, two);
    }),
  );
});
