import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readCsv, type CsvRow } from './read-csv.ts';

const COLUMNS = { needed: ['name'], optional: ['code'] };

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function read(content: string | Uint8Array, size = 7): Promise<CsvRow[]> {
  return Array.fromAsync(readCsv(chunks(Buffer.from(content), size), COLUMNS));
}

function lines(rows: readonly CsvRow[]): (readonly [number, string])[] {
  return rows.map((row) => [row.line, row.ok ? (row.values['name'] ?? '') : `! ${row.message}`]);
}

test('columns are found by their names, whatever their case, order and neighbours', async () => {
  assert.deepEqual(await read('zip; Name ;CODE\n1; A ;2\n'), [
    { ok: true, line: 2, values: { zip: '1', name: 'A', code: '2' } },
  ]);
});

test('the delimiter is the one of the header line', async () => {
  assert.deepEqual(lines(await read('name;code\nA, B & C;1\n')), [[2, 'A, B & C']]);
  assert.deepEqual(lines(await read('name,code\nA; B & C,1\n')), [[2, 'A; B & C']]);
  assert.deepEqual(lines(await read('name\nA\n')), [[2, 'A']]);
  assert.deepEqual(lines(await read('"a,b,c";name\n1;A\n')), [[2, 'A']]);
});

test('a BOM, CRLF, quotes, line ends in quotes and blank lines keep the line numbers right', async () => {
  for (const size of [1, 2, 3, 5, 1000]) {
    const content = '\ufeff\r\nname;x\r\n\r\n"A\r\n""B""";1\r\n\r\n;\r\nMüller "Strom" KG;2\rC;3;4\r\nD;5';
    assert.deepEqual(lines(await read(content, size)), [
      [4, 'A\n"B"'],
      [8, 'Müller "Strom" KG'],
      [9, '! has 3 fields, the header has 2'],
      [10, 'D'],
    ]);
  }
});

test('a line that is not UTF-8 is a bad row, and its neighbours are good', async () => {
  const content = Buffer.concat([Buffer.from('name\nA\n'), Buffer.from('M\xfcnchen\n', 'latin1'), Buffer.from('Ö\n')]);
  for (const size of [1, 4, 100]) {
    assert.deepEqual(lines(await read(content, size)), [
      [2, 'A'],
      [3, '! is not valid UTF-8; save the file in UTF-8'],
      [4, 'Ö'],
    ]);
  }
});

test('a quote that is never closed is told with the line it was opened in', async () => {
  const message = '! opens a quote that is never closed, or is longer than 64 KiB; nothing after it was read';
  for (const ending of ['', '\n']) {
    const expected = [[2, 'A'] as const, [5, message] as const];
    assert.deepEqual(lines(await read(`name\nA\n\n\n"B\nC\nD${ending}`)), expected);
    assert.deepEqual(lines(await read(`name\nA\n\n\n"B\n${'C\n'.repeat(50_000)}${ending}`, 4096)), expected);
  }
});

test('a quote that is closed in a later row, or not as a quote is, swallows no row without a word', async () => {
  const contents: readonly (readonly [rows: string, lastLine: number])[] = [
    ['name;code\n"Nord;1\nMitte;2\n"Süd";3', 4],
    ['name;code\n"Nord;1\nMitte;2\n"', 4],
    ['name;code\n"Nord;1\nMitte;2";3', 3],
    ['name;code;note\nA;1;"see\nB;2;12" pipe', 3],
    ['name;code;note\nA;1;"see\n\nB;2;12"', 4],
  ];
  for (const [rows, lastLine] of contents) {
    const message = `opens a quote that runs on to line ${lastLine}, over rows of their own; none of them was read`;
    const good = `E${rows.startsWith('name;code;note') ? ';4;' : ';4'}`;
    const expected = [[2, `! ${message}`] as const, [lastLine + 1, 'E'] as const];
    assert.deepEqual(lines(await read(`${rows}\n${good}\n`)), expected, rows);
  }
});

test('a field over several lines is whole where it is quoted as it should be', async () => {
  assert.deepEqual(lines(await read('name;code;note\n"A\nB";1;"x; y\n\n""z"" "\nC;2;\n')), [
    [2, 'A\nB'],
    [6, 'C'],
  ]);
  assert.deepEqual(lines(await read('name\n"A\nB"\nC\n')), [
    [2, 'A\nB'],
    [4, 'C'],
  ]);
});

test('a file without header, without the needed column, or with one that is read twice, says so', async () => {
  await assert.rejects(read(''), /the file is empty/);
  await assert.rejects(read('\n\n'), /the file is empty/);
  await assert.rejects(read('firma,ort\nA,B\n'), /lacks the column "name"; its columns are "firma", "ort"/);
  await assert.rejects(read('name,Name\nA,B\n'), /the column "name" twice/);
  await assert.rejects(
    read('name;code;Code \nA;1;2\n'),
    /the column "code" twice; its columns are "name", "code", "code"/,
  );
  assert.deepEqual(lines(await read('name;;;zip;zip\nA;1;2;3;4\n')), [[2, 'A']], 'what is not read may be there twice');
  await assert.rejects(read('x'.repeat(100_000), 1000), /does not begin with a header line/);
});

test('a file in another encoding than UTF-8 is told so, and not by columns that nobody has written', async () => {
  await assert.rejects(read(Buffer.from('\ufeffname;city\nA;B\n', 'utf16le')), /save the file in UTF-8/);
  await assert.rejects(read(Buffer.from('name\nA\n', 'utf16le')), /save the file in UTF-8/);
  await assert.rejects(read(Buffer.from('straße\nA\n', 'latin1')), /save the file in UTF-8/);
});

test('an error of the source comes through', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('name\nA\n');
    throw new Error('disk gone');
  }
  await assert.rejects(Array.fromAsync(readCsv(broken(), COLUMNS)), /disk gone/);
});

test('the source is read no faster than the rows are taken', async () => {
  const taken = { chunks: 0 };
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('name\n');
    for (;;) {
      taken.chunks += 1;
      yield Buffer.from(`${'A'.repeat(1000)}\n`.repeat(16));
    }
  }
  let rows = 0;
  for await (const _ of readCsv(endless(), COLUMNS)) if ((rows += 1) === 100) break;
  assert.ok(taken.chunks < 60, String(taken.chunks));
});

/** For the first of two columns. */
function looksLikeRows(name: string): boolean {
  const begun = name.split('\n').slice(0, -1);
  if (begun.length === 0) return false;
  return name.startsWith('"') || begun.every((line) => line.trim() === '' || line.includes(';'));
}

test('whatever a table holds comes back, or is refused for what looks like rows in it, wherever the chunks end', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...Array.from('ab"\n;, üß€😀')) }).map((text) => text.trim());
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell.filter((text) => text !== '')),
      fc.integer({ min: 1, max: 9 }),
      async (names, size) => {
        const content = ['name;n', ...names.map((name, at) => `"${name.replaceAll('"', '""')}";${at}`)].join('\n');
        const rows = await read(content, size);
        assert.deepEqual(
          rows.map((row) => (row.ok ? row.values['name'] : null)),
          names.map((name) => (looksLikeRows(name) ? null : name)),
        );
      },
    ),
    { numRuns: 60 },
  );
});
