/**
 * Thousands of odd sign-ups, the same in every run: never a 5xx, never a hang, every refusal a documented problem, and
 * what is accepted reads back exactly as it was sent.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  anySupplier,
  berlinDate,
  germanIban,
  memberAt,
  signUpBody,
  withMember,
  type Json,
} from '../support/builders.ts';
import { answerOf, createDice, damage, fault, Findings, inTime, many } from '../support/fuzz.ts';
import { startService, type TestService } from '../support/service.ts';

const dice = createDice(Number(process.env.FUZZ_SEED ?? 20_261_121));
const { below, pick } = dice;

let service: TestService;
let supplierId: string;
before(async () => {
  service = await startService();
  supplierId = await anySupplier(service);
});
after(() => service.stop());

// ---------------------------------------------------------------------------------------------------------------
// Sign-ups

const nested = (levels: number, inside = '1'): unknown =>
  JSON.parse(`${'['.repeat(levels)}${inside}${']'.repeat(levels)}`);
const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  0.1,
  1e21,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  2 ** 53 + 2,
  100_000,
  100_000.0001,
  3500.55,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'x\udc00',
  '\u202eabc',
  '\u200b',
  '\ufeffx',
  '\ufffe',
  '\u{10ffff}',
  '\u2028',
  '\u0085',
  '\u001b[31m',
  'a'.repeat(200),
  'a'.repeat(201),
  'x'.repeat(9_000),
  '😀'.repeat(70),
  'e\u0301'.repeat(100),
  'ß',
  'İ',
  'ﬀ',
  '漢字',
  'مرحبا',
  "'; drop table subscriptions; --",
  '${7*7}',
  '{{7*7}}',
  '%s%n%00',
  '../../etc/passwd',
  '<script>',
  '\\',
  '"',
  'a\r\nX: y',
  '\\u0041',
  'null',
  'NaN',
  '2027-02-29',
  '2027-12-31',
  '+002027-01-01',
  '9999-12-31',
  'today',
  'sub_01h455vb4pex5vsknk084sn02q',
  'DE00',
  'a@b.c',
  'ä@ö.de',
  '01067',
  '99999',
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: 1 },
  { type: 'person' },
  { length: 1 },
  { toString: 1 },
  nested(30),
  nested(70),
  Array.from({ length: 500 }, (_, i) => i),
];
const POINTERS = [
  '/plan',
  '/customer',
  '/customer/type',
  '/customer/first_name',
  '/customer/last_name',
  '/customer/email',
  '/customer/vat_id',
  '/customer/company_name',
  '/address',
  '/address/street',
  '/address/house_number',
  '/address/zip',
  '/address/city',
  '/meter',
  '/meter/number',
  '/meter/type',
  '/meter/estimated_usage',
  '/meter/malo',
  '/payment_method',
  '/payment_method/type',
  '/payment_method/sepa_debit',
  '/payment_method/sepa_debit/iban',
  '/payment_method/sepa_debit/account_holder',
  '/next_possible_start',
  '/previous_supplier',
  '/intended_start_date',
  '/lead',
  '/product_orders',
  '/product_orders/0',
  '/product_orders/1/type',
  '/product_orders/1/14a_enwg',
  '/product_orders/1/14a_enwg/module_1',
  '/external_id',
  '/metadata',
  '/metadata/a',
];
const TEXT_CHANGES: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => ` ${text} `,
  (text) => `${text}\u00a0`,
  (text) => Array.from(text).toReversed().join(''),
  (text) => text.slice(1),
  (text) => text.slice(0, -1),
  (text) => text + text,
  (text) => `${text}\u0301`,
  (text) => `${text.slice(0, 2)}\u200d${text.slice(2)}`,
  (text) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text) => text.normalize('NFD'),
  (text) => Array.from(text).join(' '),
];
/** Keys that no body has, and those that every object has. */
const KEYS = [
  'x',
  '',
  '/',
  '~',
  '__proto__',
  'constructor',
  'toString',
  'type',
  '0',
  '\u0000',
  '\ud800',
  '😀',
  'k'.repeat(3_000),
];

function richBody(index: number): Json {
  const body = signUpBody(service.planId, {
    previous_supplier: supplierId,
    intended_start_date: berlinDate(40),
    product_orders: [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_1: true } }],
    external_id: `fuzz-${index}`,
    metadata: { a: 'ä', '2': [1, 2.5, null], '1': { deep: true } },
  });
  body.payment_method.sepa_debit.iban = germanIban(BigInt(index));
  if (index % 3 === 0)
    body.customer = { ...body.customer, type: 'company', company_name: 'Muster GmbH', vat_id: 'DE123456789' };
  return body;
}

/** Members that take almost any text, so that enough is accepted to be read back. */
const FREE = POINTERS.filter((pointer) =>
  /_name|street|city|house_number|account_holder|external_id|metadata/.test(pointer),
);

function mutate(body: Json): Json {
  const pointer = pick(below(2) === 0 ? FREE : POINTERS);
  const parent = memberAt(body, pointer.slice(0, pointer.lastIndexOf('/')));
  if (parent === null || typeof parent !== 'object') return body;
  const value = memberAt(body, pointer);
  switch (below(8)) {
    case 0:
      return withMember(body, pointer, undefined);
    case 1:
      return withMember(body, pointer, [value]);
    case 2:
      return withMember(body, pointer, memberAt(body, pick(POINTERS)) ?? null);
    case 3: {
      const key = pick(KEYS);
      // As own member, which an assignment to __proto__ would not make.
      const extra = JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(pick(ODD))}}`);
      const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
      const names = Object.fromEntries(Object.entries(isPlain ? value : {}));
      return withMember(body, pointer, Object.defineProperties(names, Object.getOwnPropertyDescriptors(extra)));
    }
    case 4:
      return withMember(body, pointer, pick(ODD));
    default:
      return withMember(body, pointer, typeof value === 'string' ? pick(TEXT_CHANGES)(value) : pick(ODD));
  }
}

const EXPAND = 'expand[]=customer&expand[]=address&expand[]=meter&expand[]=payment_method';

/** What of a stored sign-up differs from what was sent, or `null`. */
function loss(sent: Json, stored: Json): string | null {
  const iban = String(sent.payment_method.sepa_debit.iban)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase();
  const expected: Record<string, unknown> = {
    plan: sent.plan,
    customer: { company_name: null, vat_id: null, type: 'person', ...sent.customer, erased_at: null },
    address: sent.address,
    meter: { malo: null, ...sent.meter },
    payment_method: {
      ...sent.payment_method,
      sepa_debit: {
        ...sent.payment_method.sepa_debit,
        iban: `${iban.slice(0, 4)}${'*'.repeat(iban.length - 8)}${iban.slice(-4)}`,
      },
    },
    supplier: sent.previous_supplier ?? null,
    next_possible_start: sent.next_possible_start,
    intended_start_date: sent.intended_start_date ?? null,
    product_orders: sent.product_orders ?? [],
    external_id: sent.external_id ?? null,
    estimated_usage: sent.meter.estimated_usage,
    metadata: sent.metadata ?? null,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = stored[name];
    const isPart = ['customer', 'address', 'meter', 'payment_method'].includes(name);
    const { object: _o, id: _i, created_at: _c, updated_at: _u, ...own } = isPart ? found : {};
    try {
      assert.deepStrictEqual(isPart ? own : found, value);
      // Nor may the order of keys be lost.
      if (name === 'metadata') assert.equal(JSON.stringify(found), JSON.stringify(value));
    } catch {
      return `altered ${name}: ${JSON.stringify(isPart ? own : found).slice(0, 200)}`;
    }
  }
  return null;
}

async function trySignUp(
  findings: Findings,
  text: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<void> {
  const what = Buffer.from(text).toString('utf8');
  const reply = await inTime(what, service.call('POST', `/subscriptions?${EXPAND}`, { body: text, headers }));
  let problem = fault(answerOf(reply));
  if (problem === null && reply.status === 201) {
    const read = await service.call('GET', `/subscriptions/${reply.json.id}?${EXPAND}`);
    problem =
      read.text === reply.text ? loss(JSON.parse(what), read.json) : 'reads back otherwise than it was answered';
  }
  findings.note(what, problem, reply.status);
}

describe('sign-ups', () => {
  test('1,800 with changed members keep the rules', async () => {
    const findings = new Findings();
    const bodies = Array.from({ length: 1_800 }, (_, index) => {
      let body = richBody(index);
      for (let left = 1 + below(3); left > 0; left -= 1) body = mutate(body);
      return JSON.stringify(body);
    });
    await many(bodies.length, (index) => trySignUp(findings, bodies[index] ?? ''));
    findings.assertNone();
    // Otherwise the mutations would prove nothing.
    assert.ok((findings.statuses.get(201) ?? 0) > 200, JSON.stringify([...findings.statuses]));
    assert.ok((findings.statuses.get(400) ?? 0) > 800, JSON.stringify([...findings.statuses]));
  });

  test('600 with changed bytes keep the rules', async () => {
    const findings = new Findings();
    const texts = Array.from({ length: 600 }, (_, index) =>
      damage(dice, Buffer.from(JSON.stringify(richBody(10_000 + index)))),
    );
    await many(texts.length, (index) => trySignUp(findings, texts[index] ?? Buffer.alloc(0)));
    findings.assertNone();
    assert.ok((findings.statuses.get(400) ?? 0) > 200);
  });

  test('150 under odd headers keep the rules', async () => {
    const findings = new Findings();
    const names = [
      'content-type',
      'accept',
      'idempotency-key',
      'x-api-version',
      'x-client-request-id',
      'if-match',
      'content-encoding',
      'accept-encoding',
      'x-forwarded-for',
      'origin',
      'cookie',
      'accept-language',
      'prefer',
    ];
    const odd = [
      '',
      ' ',
      '*',
      '*/*',
      'text/html',
      'application/json',
      'application/json;q=0',
      'gzip',
      'x'.repeat(300),
      '"',
      '""',
      '"a',
      ',',
      ';',
      'ü',
      '2026-11-21',
      'application/json; charset=utf-16',
      'application/*;q=0.0, text/plain',
      '\t',
      'null',
      '__proto__',
      'W/"x"',
    ];
    const cases = Array.from({ length: 150 }, (_, index) => ({
      body: JSON.stringify(richBody(20_000 + index)),
      headers: Object.fromEntries(Array.from({ length: 1 + below(3) }, () => [pick(names), pick(odd)])),
    }));
    await many(cases.length, async (index) => {
      const { body = '', headers = {} } = cases[index] ?? {};
      await trySignUp(findings, body, headers);
    });
    findings.assertNone();
  });
});
