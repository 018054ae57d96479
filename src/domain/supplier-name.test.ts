import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { foldName, readSearch } from './supplier-name.ts';

test('spellings of one name fold to the same', () => {
  const same: readonly (readonly string[])[] = [
    [
      'stadtwerke munchen',
      'Stadtwerke München',
      'STADTWERKE MUENCHEN',
      'Stadtwerke-Mu\u0308nchen',
      ' stadtwerke  (munchen) ',
    ],
    ['grosskraftwerk', 'Großkraftwerk', 'GROSSKRAFTWERK', 'Groß\u00adkraft\u200bwerk'],
    ['e on', 'E.ON', 'e-on', 'E. ON'],
    ['ol', 'Öl', 'Oel', 'ØL', 'œl'],
    ['chateau', 'Château', 'CHATEAU'],
    ['fjordkraft 24 7', 'Fjordkraft 24/7', 'FJORDKRAFT ²4%⑦'],
    ['lodz', 'Łódź'],
    ['', '', ' ', '%_%', '–', '\u200b'],
  ];
  for (const [folded = '', ...names] of same) {
    for (const name of names) assert.equal(foldName(name), folded, JSON.stringify(name));
  }
});

test('a folded name is stable and holds nothing that LIKE could misread', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const folded = foldName(name);
      assert.equal(foldName(folded), folded);
      assert.match(folded, /^(|[\p{L}\p{N}]+( [\p{L}\p{N}]+)*)$/u);
    }),
  );
});

test('whoever types a name from its beginning never loses it', () => {
  const letters = fc.constantFrom(...Array.from('aeouäöüßÄÖÜ sStTnN.-&ée1'));
  fc.assert(
    fc.property(fc.array(letters), fc.nat(), (characters, cut) => {
      const whole = foldName(characters.join(''));
      const typed = foldName(characters.slice(0, cut % (characters.length + 1)).join(''));
      assert.ok(whole.startsWith(typed), `${typed} ↛ ${whole}`);
    }),
  );
});

test('a single letter and the word after it are one word and two', () => {
  assert.deepEqual(readSearch('E.ON')?.words, [['eon', 'e on']]);
  assert.deepEqual(readSearch('eon')?.words, [['eon', 'e on']]);
  assert.deepEqual(readSearch('stadtwerke m')?.words, [['stadtwerke', 's tadtwerke'], ['m']]);
  assert.ok(readSearch('n-ergie strom')?.phrases.includes('nergie strom'));
  assert.ok(readSearch('nergie strom')?.phrases.includes('n ergie strom'));
});

test('words are also taken for one, and an abbreviation beside another word for what it is short for', () => {
  assert.equal(readSearch('Rhein-Energie')?.fused, 'rheinenergie');
  assert.equal(readSearch('RheinEnergie')?.fused, null);
  assert.equal(readSearch('Bio Energie')?.fused, foldName('BioEnergie'));
  assert.deepEqual(readSearch('SW Essen')?.words, [
    ['sw', 's w', 'stadtwerke'],
    ['essen', 'e ssen'],
  ]);
  assert.deepEqual(readSearch('SW Essen')?.similar, ['stadtwerke', 'essen']);
  assert.deepEqual(readSearch('SW')?.words, [['sw', 's w']]);
});

test('a name need not have the legal form that was typed, unless nothing else was typed', () => {
  assert.deepEqual(readSearch('EnBW AG')?.similar, ['enbw']);
  assert.deepEqual(readSearch('EnBW AG')?.words, [['enbw', 'e nbw']]);
  assert.deepEqual(readSearch('EnBW AG')?.forms, ['ag']);
  assert.deepEqual(readSearch('Mark-E GmbH')?.words, [['mark', 'm ark'], ['e']]);
  assert.deepEqual(readSearch('GmbH & Co. KG')?.forms, []);
  assert.deepEqual(readSearch('GmbH & Co. KG')?.similar, ['gmbh', 'co', 'kg']);
  assert.equal(readSearch(' … '), null);
});

test('no search, however long, asks for more than a few words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      const search = readSearch(text);
      if (search !== null)
        assert.ok(search.words.length >= 1 && search.words.length <= 8 && search.similar.length >= 1);
    }),
  );
});

test('a word that is the name of something in JavaScript is a word like any other', () => {
  const search = readSearch('constructor energie');
  assert.deepEqual(
    [search?.similar, search?.words[0]],
    [
      ['constructor', 'energie'],
      ['constructor', 'c onstructor'],
    ],
  );
});
