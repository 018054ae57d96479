import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ANSWER_KINDS, answersTo, ownNumberOf } from './answers.ts';
import { consequenceOf, REGISTRATION_CODES } from './codes.ts';
import {
  findSlips,
  inboundFields,
  isReferenceNumber,
  readInbound,
  UNASKED_KINDS,
  type InboundField,
  type InboundFields,
} from './inbound.ts';
import { MESSAGE_TYPES, type InboundKind, type MessageKind, type OutboundKind } from './messages.ts';

const MALO = '51238696781';

/** For every kind all that it can have, as a person would type it. */
const COMPLETE: { readonly [Kind in InboundKind]: InboundFields } = {
  identification_match: { marketLocation: MALO, gridOperator: '9900000000001', previousSupplier: '9900000000002' },
  identification_failure: { code: 'A07', gridOperator: '9900000000001' },
  registration_confirmation: { code: 'A51', start: '2026-12-01', receivedAt: '2026-11-22T09:00:00Z' },
  registration_rejection: {
    code: 'A06',
    supplierCode: 'A35',
    otherStart: '2026-12-01',
    acceptedFrom: '2026-12-02',
  },
  existing_assignment: { marketLocation: MALO },
  deregistration_confirmation: { code: 'A11', end: '2026-12-01' },
  deregistration_rejection: { code: 'A09', confirmedEnd: '2026-12-01' },
  grid_operator_end: { marketLocation: MALO, end: '2026-12-01', receivedAt: '2026-11-20T09:00:00Z' },
  end_inquiry: {
    marketLocation: MALO,
    end: '2026-12-01',
    reason: 'E03',
    registeredOn: '2026-11-20',
    customerName: 'Max Muster',
    receivedAt: '2026-11-20T09:00:00Z',
  },
  end_notice: { marketLocation: MALO, end: '2026-12-01' },
  start_revocation: { marketLocation: MALO, start: '2026-12-01' },
  cancellation: { marketLocation: MALO, end: '2026-12-01', receivedAt: '2026-11-20T09:00:00Z' },
  cancellation_confirmation: { code: 'A03', end: '2026-12-01' },
  cancellation_rejection: { code: 'A06', nextPossibleEnd: '2027-02-01' },
  reversal: { reverses: 'X.1' },
  reversal_confirmation: { reverses: 'X.1' },
  reversal_rejection: { reverses: 'X.1' },
  acknowledgement: { receivedAt: '2026-11-21T09:00:00Z' },
  processing_error: { code: 'Z16', gridOperator: '9900000000001' },
  syntax_error: { detail: 'UNH missing' },
  master_data: { identifier: '55616' },
};
const KINDS = Object.keys(COMPLETE) as InboundKind[];

test('what is complete is read as it stands', () => {
  for (const kind of KINDS) {
    assert.deepEqual([...inboundFields(kind)].sort(), Object.keys(COMPLETE[kind]).sort(), kind);
    const expected = kind === 'cancellation' ? { ...COMPLETE[kind], supplier: null } : COMPLETE[kind];
    assert.deepEqual(readInbound(kind, COMPLETE[kind]), { ok: true, contents: expected }, kind);
  }
});

test('what may be absent has a value of its own or is left out', () => {
  const read: [InboundKind, InboundFields, unknown][] = [
    ['identification_match', { marketLocation: MALO }, { marketLocation: MALO }],
    ['identification_failure', { code: 'A01' }, { code: 'A01' }],
    ['registration_confirmation', { start: '2026-12-01' }, { code: 'A51', start: '2026-12-01' }],
    ['deregistration_confirmation', { end: '2026-12-01' }, { code: 'A11', end: '2026-12-01' }],
    ['cancellation_confirmation', { end: '2026-12-01' }, { code: 'A09', end: '2026-12-01' }],
    ['registration_rejection', { code: 'A07' }, { code: 'A07' }],
    ['cancellation', { marketLocation: MALO }, { marketLocation: MALO, end: null, supplier: null }],
    ['acknowledgement', { receivedAt: '2026-11-21T10:00+01:00' }, { receivedAt: '2026-11-21T09:00:00Z' }],
  ];
  for (const [kind, fields, contents] of read)
    assert.deepEqual(readInbound(kind, fields), { ok: true, contents }, kind);
});

test('all that is wrong is told at once, each with its member', () => {
  const errors = (kind: InboundKind, fields: InboundFields): string[] => {
    const read = readInbound(kind, fields);
    return read.ok ? [] : read.errors.map(({ field, message }) => `${field} ${message}`);
  };
  assert.deepEqual(errors('end_inquiry', { marketLocation: '51238696780', end: '2026-02-30', reason: 'E02' }), [
    'marketLocation must be a market location (MaLo): eleven digits, the last a check digit',
    'end must be a day of the years 2000 to 2099 that exists, such as 2026-12-01',
    'reason must be one of E01, E03',
    'registeredOn is missing; it must be a day of the years 2000 to 2099 that exists, such as 2026-12-01',
    'customerName is missing; it must be a visible text of at most 200 characters in one line',
  ]);
  assert.deepEqual(errors('registration_confirmation', { code: 'A50', start: '2026-12-01', end: '2026-12-01' }), [
    'end is nothing that registration_confirmation has',
    'code must be one of A51',
  ]);
  const wrong: [InboundKind, InboundField, readonly string[]][] = [
    [
      'end_notice',
      'end',
      ['', '2026-12-1', '2026-13-01', '2026-02-29', '0001-01-01', '2100-01-01', '2026-12-01T00:00'],
    ],
    ['registration_rejection', 'code', ['A51', 'A01', 'a07', '', 'toString', '__proto__']],
    ['registration_rejection', 'supplierCode', ['A36', 'A50']],
    ['cancellation_rejection', 'code', ['A03', 'A09', 'A02']],
    ['cancellation_confirmation', 'code', ['A06', 'A11']],
    ['deregistration_rejection', 'code', ['A11', 'A03']],
    ['deregistration_confirmation', 'code', ['A09']],
    ['processing_error', 'code', ['Z11', 'A01']],
    ['identification_match', 'gridOperator', ['990000000000', '99000000000011', '990000000000x']],
    ['acknowledgement', 'receivedAt', ['2026-11-21', '2026-11-21T09:00:00', '2026-11-21T25:00:00Z', '09:00']],
    ['master_data', 'identifier', ['55001', '']],
    ['syntax_error', 'detail', ['', '  ', 'a\nb', 'x'.repeat(201), '\ud800']],
    ['reversal', 'reverses', ['', 'a b', 'x'.repeat(36)]],
  ];
  for (const [kind, field, texts] of wrong) {
    for (const text of texts) {
      const [error, ...more] = errors(kind, { ...COMPLETE[kind], [field]: text });
      assert.ok(error?.startsWith(`${field} must be `) === true && more.length === 0, `${kind} ${field} ${text}`);
    }
  }
});

test('nothing that is typed makes the reading fail, and what passes is as the table says', () => {
  const kinds = fc.constantFrom(...KINDS);
  const names = fc.constantFrom(...new Set(KINDS.flatMap(inboundFields)));
  const days = fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
  const texts = fc.oneof(fc.string({ unit: 'binary' }), days, fc.constantFrom('A51', 'Z10', MALO, 'E01', '55616'));
  fc.assert(
    fc.property(kinds, fc.dictionary(names, texts), (kind, fields) => {
      const read = readInbound(kind, fields);
      if (!read.ok) {
        assert.ok(read.errors.length > 0);
        return;
      }
      const known = new Set<string>([...inboundFields(kind), 'supplier']);
      assert.ok(Object.keys(read.contents).every((field) => known.has(field)));
      // What was read once is read again as the same.
      const again = Object.entries(read.contents).filter(([, value]) => value !== null);
      assert.deepEqual(readInbound(kind, Object.fromEntries(again) as InboundFields), read);
    }),
    { numRuns: 5_000 },
  );
});

test('a confirmation says yes and a rejection does not', () => {
  for (const [kind, code] of [
    ['registration_confirmation', 'A51'],
    ['registration_rejection', 'A50'],
  ] as const) {
    const isYes = consequenceOf(REGISTRATION_CODES, code) === 'accepted';
    assert.equal(isYes, kind === 'registration_confirmation');
    assert.equal(readInbound(kind, { ...COMPLETE[kind], code }).ok, true);
  }
});

test('every kind that we receive answers something, or is sent unasked', () => {
  assert.deepEqual([...ANSWER_KINDS, ...UNASKED_KINDS].sort(), KINDS.toSorted());
  const received = (Object.keys(MESSAGE_TYPES) as MessageKind[]).filter(
    (kind) => MESSAGE_TYPES[kind].direction !== 'out',
  );
  assert.deepEqual(received.sort(), KINDS.toSorted());
  assert.deepEqual(answersTo('processing_error'), ['syntax_error']);
  assert.deepEqual(answersTo('registration'), [
    'registration_confirmation',
    'registration_rejection',
    'acknowledgement',
    'processing_error',
    'syntax_error',
  ]);
});

test('each answer to a message has a number of its own, short enough for EDIFACT', () => {
  const outbound = (Object.keys(MESSAGE_TYPES) as MessageKind[]).filter(
    (kind): kind is OutboundKind => MESSAGE_TYPES[kind].direction !== 'in',
  );
  for (const kind of outbound) {
    const numbers = answersTo(kind).map((answer) =>
      ownNumberOf({ documentNumber: `${'0'.repeat(26)}-999999` }, answer),
    );
    assert.equal(new Set(numbers).size, numbers.length, kind);
    assert.ok(numbers.every(isReferenceNumber), kind);
  }
});

test('nothing is received before it was asked, by a clock that is an hour behind at most', () => {
  const since = Temporal.Instant.from('2026-11-21T09:00:00Z');
  const slips = (receivedAt: string): string[] =>
    findSlips({ receivedAt }, Temporal.Instant.from('2026-11-22T11:00:00Z'), since).map(({ message }) => message);
  assert.deepEqual(slips('2026-11-21T08:00:00Z'), []);
  assert.deepEqual(slips('2026-11-21T07:59:59Z'), ['must not be before 2026-11-21T09:00:00Z']);
});

test('nothing was received, nor registered, later than now, but by a clock that is an hour ahead', () => {
  const now = Temporal.Instant.from('2026-11-22T22:30:00Z');
  const since = Temporal.Instant.from('2026-11-20T09:00:00Z');
  const slips = (contents: object): string[] => findSlips(contents, now, since).map(({ message }) => message);
  assert.deepEqual(slips({ receivedAt: '2026-11-22T23:30:00Z', registeredOn: '2026-11-23' }), []);
  assert.deepEqual(slips({ receivedAt: '2026-11-22T23:30:01Z', registeredOn: '2026-11-24' }), [
    'must be a day from 2024-11-22 to 2026-11-23',
    'must not be after 2026-11-22T22:30:00Z',
  ]);
});

test('a start more than two years away, or an end more than twelve, is a slip of the pen; everything nearer is believed', () => {
  const now = Temporal.Instant.from('2026-11-22T11:00:00Z');
  const since = Temporal.Instant.from('2026-11-20T09:00:00Z');
  const fieldsOf = (contents: object): string[] => findSlips(contents, now, since).map(({ field }) => field);
  assert.deepEqual(fieldsOf({ start: '2028-11-22', otherStart: '2024-11-22', end: '2038-11-22', code: 'A51' }), []);
  assert.deepEqual(fieldsOf({ start: '2028-11-23', acceptedFrom: '2024-11-21', registeredOn: '2062-01-01' }), [
    'start',
    'acceptedFrom',
    'registeredOn',
  ]);
  assert.deepEqual(fieldsOf({ end: '2038-11-23', nextPossibleEnd: '2014-11-21' }), ['end', 'nextPossibleEnd']);
  assert.deepEqual(fieldsOf({ end: null }), []);
  for (const kind of KINDS) {
    const read = readInbound(kind, COMPLETE[kind]);
    assert.deepEqual(read.ok ? findSlips(read.contents, now, since) : read, [], kind);
  }
});

test('a start that we ask for after a contract of many years, and an end after it, may lie as much further away', () => {
  const now = Temporal.Instant.from('2026-11-22T11:00:00Z');
  const since = Temporal.Instant.from('2026-11-20T09:00:00Z');
  const fieldsOf = (contents: object): string[] =>
    findSlips(contents, now, since, '2031-03-01').map(({ field }) => field);
  assert.deepEqual(fieldsOf({ start: '2031-03-01', end: '2043-03-01', acceptedFrom: '2033-03-01' }), []);
  assert.deepEqual(fieldsOf({ start: '2033-03-02', end: '2043-03-02' }), ['start', 'end']);
  assert.deepEqual(fieldsOf({ start: '2024-11-21', registeredOn: '2027-03-01' }), ['start', 'registeredOn']);
});
