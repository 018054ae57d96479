import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  formatId,
  hasVisibleText,
  isEmailAddress,
  isGermanPostcode,
  isMarketLocationId,
  isMarketPartnerId,
  isVatId,
  lowestUuidAt,
  uuidTime,
  maskIban,
  normaliseMeterNumber,
  parseIban,
  electronicIban,
  parseId,
} from './identifiers.ts';

function all(predicate: (text: string) => boolean, expected: boolean, texts: readonly string[]): void {
  for (const text of texts) assert.equal(predicate(text), expected, JSON.stringify(text));
}

test('ids follow the TypeID specification', () => {
  const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
  // Vectors of the specification (valid.json).
  assert.equal(formatId('sub', uuid), 'sub_01h455vb4pex5vsknk084sn02q');
  assert.equal(formatId('pm', '00000000-0000-0000-0000-000000000000'), 'pm_00000000000000000000000000');
  assert.equal(formatId('pm', '00000000-0000-0000-0000-000000000020'), 'pm_00000000000000000000000010');
  assert.equal(formatId('pm', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), 'pm_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  assert.equal(formatId('pm', '0110c853-1d09-52d8-d73e-1194e95b5f19'), 'pm_0123456789abcdefghjkmnpqrs');
  assert.equal(parseId('sub', 'sub_01h455vb4pex5vsknk084sn02q'), uuid);
});

test('every uuid comes back from its id, and only from it', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const id = formatId('lead', one);
      assert.equal(parseId('lead', id), one);
      assert.equal(formatId('lead', other) < id, other < one, 'ids sort like their uuids');
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-z]{26}$/), (tail) => {
      const uuid = parseId('cus', `cus_${tail}`);
      if (uuid !== null) assert.equal(formatId('cus', uuid), `cus_${tail}`);
      else assert.match(tail, /[ilou]|^[89a-z]/);
    }),
  );
});

test('an id of another form is refused', () => {
  const good = 'sub_01h455vb4pex5vsknk084sn02q';
  all((text) => parseId('sub', text) === null, true, [
    '',
    'sub',
    'sub_',
    'cus_01h455vb4pex5vsknk084sn02q',
    good.toUpperCase(),
    good.replace('x', 'X'),
    good.slice(0, -1),
    `${good}0`,
    ` ${good}`,
    good.replace('_', '-'),
    'sub_81h455vb4pex5vsknk084sn02q',
    'sub_01h455vb4pex5vsknk084sn02u',
    'sub_01h455vb4pex5vsknk084sn02\u0000',
    'sub_01h455vb4pex5vsknk084sn02ä',
    'sub_é1h455vb4pex5vsknk084sn02q',
    'mtr_01h455vb4pex5vsknk084sn02q',
  ]);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseId('sub', text) === null));
});

test('formatting what is no uuid is a bug and throws', () => {
  for (const text of [
    '',
    '01890a5dac96774bbcceb302099a8057',
    '01890A5D-AC96-774B-BCCE-B302099A8057',
    '01890a5d-ac96-774b-bcce-b302099a805g',
    '01890a5d-ac96-774b-bcce-b302099a80577',
    'g1890a5d-ac96-774b-bcce-b302099a8057',
    '01890a5d0ac96-774b-bcce-b302099a8057',
  ]) {
    assert.throws(() => formatId('sub', text), RangeError, text);
  }
});

test('the lowest uuid of a millisecond bounds all that are minted in it', () => {
  assert.equal(lowestUuidAt(0x01890a5dac96), '01890a5d-ac96-7000-8000-000000000000');
  assert.equal(lowestUuidAt(0), '00000000-0000-7000-8000-000000000000');
  assert.equal(lowestUuidAt(-62_135_596_800_000), lowestUuidAt(0));
  assert.equal(lowestUuidAt(Number.MAX_SAFE_INTEGER), 'ffffffff-ffff-7000-8000-000000000000');
  assert.throws(() => lowestUuidAt(0.5), RangeError);
  assert.throws(() => lowestUuidAt(Number.NaN), RangeError);
  assert.equal(uuidTime('01890a5d-ac96-774b-bcce-b302099a8057'), 0x01890a5dac96);
  fc.assert(
    fc.property(fc.uuid({ version: 7 }), (uuid) => {
      const minted = uuidTime(uuid);
      assert.ok(lowestUuidAt(minted) <= uuid);
      assert.ok(minted + 1 >= 2 ** 48 || uuid < lowestUuidAt(minted + 1));
    }),
  );
});

test('market location ids: shape and check digit', () => {
  all(isMarketLocationId, true, ['41373559241', '51238696781', '57685676748']);
  // With zeros, computed by hand: 1 + 2 + 3 + 4 + 5, and 5, leave 5 to the next ten; 5 + 5 leaves none.
  all(isMarketLocationId, true, ['10203040505', '50000000005', '50005000000']);
  all(isMarketLocationId, false, [
    '51238696780', // valid under Luhn only
    '76419669205',
    '50052281648',
    '01373559241',
    '4137355924',
    '413735592411',
    '4137355924١',
    '41373559241\n',
    ' 41373559241',
    '',
  ]);
  const digits = '4137355924';
  const valid = Array.from({ length: 10 }, (_, last) => `${digits}${last}`).filter((text) => isMarketLocationId(text));
  assert.deepEqual(valid, ['41373559241']);
});

test('a market partner id has thirteen digits, and no check digit that all codes in use have', () => {
  all(isMarketPartnerId, true, ['9900357000004', '9800000000000', '4012345000009']);
  all(isMarketPartnerId, false, ['990035700000', '99003570000044', '99003570O0004', '']);
});

test('meter numbers match whatever blanks, dashes and case they are written with', () => {
  for (const text of [
    '1emh0012345678',
    '1 EMH 00 1234 5678',
    '1EMH00-12345678',
    ' 1EMH00–1234—5678\u00a0',
    '1EMH00\u221212345678\u200b',
  ]) {
    assert.equal(normaliseMeterNumber(text), '1EMH0012345678', JSON.stringify(text));
  }
  assert.equal(normaliseMeterNumber('1SM-8465929523'), '1SM8465929523');
  assert.equal(normaliseMeterNumber('12/34.5_6'), '12/34.5_6');
  assert.equal(normaliseMeterNumber('１ＥＭＨ9999'), '1EMH9999');
  assert.equal(normaliseMeterNumber('Za\u0308hler 1'), normaliseMeterNumber('Zähler 1'));
  assert.equal(normaliseMeterNumber(' - '), '');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = normaliseMeterNumber(text);
      assert.equal(normaliseMeterNumber(once), once);
    }),
  );
});

/** The example IBAN of the registry for each SEPA country (SWIFT IBAN registry). */
const IBAN_EXAMPLES =
  'AD1200012030200359100100 AL47212110090000000235698741 AT611904300234573201 BE68539007547034 BG80BNBG96611020345678 ' +
  'CH9300762011623852957 CY17002001280000001200527600 CZ6508000000192000145399 DE89370400440532013000 ' +
  'DK5000400440116243 EE382200221020145685 ES9121000418450200051332 FI2112345600000785 FR1420041010050500013M02606 ' +
  'GB29NWBK60161331926819 GI75NWBK000000007099453 GR1601101250000000012300695 HR1210010051863000160 ' +
  'HU42117730161111101800000000 IE29AIBK93115212345678 IS140159260076545510730339 IT60X0542811101000000123456 ' +
  'LI21088100002324013AA LT121000011101001000 LU280019400644750000 LV80BANK0000435195001 ' +
  'MC5811222000010123456789030 MD24AG000225100013104168 ME25505000012345678951 MK07250120000058984 ' +
  'MT84MALT011000012345MTLCAST001S NL91ABNA0417164300 NO9386011117947 PL61109010140000071219812874 ' +
  'PT50000201231234567890154 RO49AAAA1B31007593840000 RS35260005601001611379 SE4550000000058398257466 ' +
  'SI56263300012039086 SK3112000000198742637541 SM86U0322509800000000270100 VA59001123000012345678';

test('IBANs of all 41 SEPA countries and Gibraltar are accepted', () => {
  const examples = IBAN_EXAMPLES.split(' ');
  assert.equal(new Set(examples.map((iban) => iban.slice(0, 2))).size, 42);
  for (const iban of examples) {
    assert.deepEqual(parseIban(iban), { ok: true, iban });
    const last = iban.slice(-1);
    const changed = iban.slice(0, -1) + (last === '1' ? '2' : '1');
    if (/[0-9]/.test(last)) assert.deepEqual(parseIban(changed), { ok: false, reason: 'checksum' }, changed);
    const longer = parseIban(`${iban}0`);
    assert.ok(!longer.ok && longer.reason === (iban.length === 34 ? 'malformed' : 'length'), `${iban}0`);
  }
});

test('IBANs are normalised, and refused with their reason', () => {
  for (const text of ['de89 3704 0044 0532 0130 00', ' DE89\u00a03704\u202f0044\t0532013000\u200b']) {
    assert.deepEqual(parseIban(text), { ok: true, iban: 'DE89370400440532013000' });
    assert.equal(electronicIban(text), 'DE89370400440532013000');
  }
  const reasons: readonly [string, string][] = [
    ['', 'malformed'],
    ['DE', 'malformed'],
    ['370400440532013000', 'malformed'],
    ['DE89-3704-0044-0532-0130-00', 'malformed'],
    ['DE8937040044053201300O', 'malformed'],
    ['DE893704004405320130ß', 'malformed'],
    ['DE8937040044053201300', 'length'],
    ['DE893704004405320130000', 'length'],
    ['DE88370400440532013000', 'checksum'],
    ['US64SVBKUS6S3300958879', 'not_sepa'],
    ['TR330006100519786457841326', 'not_sepa'],
    ['UA213223130000026007233566001', 'not_sepa'],
    ['XX89370400440532013000', 'not_sepa'],
  ];
  for (const [text, reason] of reasons) assert.deepEqual(parseIban(text), { ok: false, reason }, text);
});

test('a masked IBAN shows country, check digits and the last four', () => {
  assert.equal(maskIban('DE89370400440532013000'), 'DE89**************3000');
  assert.equal(maskIban('NO9386011117947'), 'NO93*******7947');
  assert.equal(maskIban('DE893000'), '********');
});

test('e-mail addresses', () => {
  all(isEmailAddress, true, [
    'erika@example.com',
    'e.m+strom@mail.example.co.uk',
    "o'hara_1@ex-ample.de",
    'jörg@müller.de',
    'a@xn--mller-kva.de',
    `${'a'.repeat(64)}@example.com`,
    'a@उदाहरण.भारत',
  ]);
  all(isEmailAddress, false, [
    '',
    'erika',
    '@example.com',
    'erika@',
    'erika@example',
    'erika@@example.com',
    'a@b@example.com',
    'erika @example.com',
    'erika@exa mple.com',
    'erika@example.com\n',
    'erika@-example.com',
    'erika@example-.com',
    'erika@example..com',
    'erika@.com',
    'erika@example.com.',
    'erika@127.0.0.1',
    'eri\u0000ka@example.com',
    'eri\u200bka@example.com',
    '.erika@example.com',
    'e..a@example.com',
    'Erika <erika@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b'.repeat(60)}.${'b'.repeat(60)}.${'b'.repeat(60)}.${'b'.repeat(60)}.${'b'.repeat(10)}.com`,
  ]);
});

test('postcodes and VAT ids', () => {
  all(isGermanPostcode, true, ['01067', '10115', '99998', '99900', '99938', '01001', '99999']);
  all(isGermanPostcode, false, ['', '1067', '101150', '1011A', '00000', '01000', ' 10115', '10115\n', '１０１１５']);
  all(isVatId, true, ['DE136695976', 'ATU13585627', 'ESX1234567X', 'EL123456789', 'XI123456789']);
  all(isVatId, false, [
    '',
    'DE',
    'DE12345678',
    'DE1234567890',
    'de136695976',
    'DE 136695976',
    'GB123456789',
    'GR123456789',
  ]);
});

test('text that shows nothing is recognised', () => {
  all(hasVisibleText, true, ['a', ' ä ', '李', '0', '.', '\u200bx', '🙂']);
  all(hasVisibleText, false, [
    '',
    ' \t\n',
    '\u00a0\u2003\u3000',
    '\u200b\u200c\u200d\ufeff\u2060',
    '\u00ad',
    '\u2800',
    '\u3164\u115f\u1160\uffa0',
    '\u0001\u007f\u0085',
    '\u202e\u2066',
    '\ufe0f\u034f\u180e',
    '\u{e0001}\u{e0020}',
  ]);
});
