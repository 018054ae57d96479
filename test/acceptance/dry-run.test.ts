/** `POST /subscriptions?validate_only=true`: says beforehand what a sign-up would be answered, and stores nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { Type } from 'typebox';
import { formatId } from '#domain/identifiers.ts';
import { formats } from '#features/formats.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import {
  anySupplier,
  berlinDate,
  createPlan,
  fieldErrors,
  otherProject,
  signUp,
  signUpBody,
  uniqueMalo,
  uniqueMeterNumber,
  withMember,
  type Json,
} from '../support/builders.ts';
import { createAppBeside, startService, type CallOptions, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
let supplierId: string;
before(async () => {
  service = await startService();
  supplierId = await anySupplier(service);
});
after(() => service.stop());

const PATH = '/subscriptions?validate_only=true';
const check = (body: unknown, options: CallOptions = {}): Promise<Reply> =>
  service.call('POST', PATH, { body, ...options });

/** @throws unless it is answered 200 */
async function checked(overrides: Json = {}): Promise<Json> {
  const reply = await check(signUpBody(service.planId, overrides));
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

const codes = (remarks: Json[]): string[] => remarks.map(({ field, code }) => `${field} ${code}`).toSorted();

/** How many rows there are of all that a request could store. */
async function countRows(): Promise<Json> {
  const [row] = await service.database.query<Json>(sql`
    select (select count(*) from subscriptions) as subscriptions, (select count(*) from customers) as customers,
      (select count(*) from events where type ~ 'created|converted') as events, (select count(*) from idempotency_keys) as keys,
      (select count(*) from market_processes) as processes, (select sum(revision) from leads) as leads`);
  return row;
}

describe('a dry run', () => {
  test('of a right sign-up shows the body as it would be stored', async () => {
    const body = {
      ...signUpBody(service.planId),
      customer: { first_name: 'Zoë', last_name: 'Öz', email: 'a@b.de' },
      meter: { number: ' 1 emh-00 12 ', type: 'smart', estimated_usage: 1234.5, malo: uniqueMalo() },
      payment_method: {
        type: 'sepa_debit',
        sepa_debit: { iban: 'de89 3704 0044 0532 0130 00', account_holder: 'Zoë Öz' },
      },
      previous_supplier: supplierId,
      product_orders: [{ '14a_enwg': { module_1: true }, type: '14a_enwg' }],
      external_id: 'order-1',
      metadata: { b: 1.0, a: 'ä' },
    };
    const { normalised, ...rest } = (await check(body)).json;
    assert.deepEqual(normalised, {
      ...body,
      customer: { ...body.customer, type: 'person', company_name: null, vat_id: null },
      meter: { ...body.meter, number_normalised: '1EMH0012' },
      payment_method: {
        type: 'sepa_debit',
        sepa_debit: { iban: 'DE89**************3000', account_holder: 'Zoë Öz' },
      },
      intended_start_date: null,
      lead: null,
    });
    const { object, valid, errors, warnings, faster, requested_start_date: requested, earliest_start_date: day } = rest;
    assert.deepEqual([object, valid, errors, warnings, faster, requested], ['sign_up_check', true, [], [], [], null]);
    assert.match(day, /^\d{4}-\d\d-\d\d$/);
  });

  test('names every conflict at once, beside what is wrong', async () => {
    const lead = (await service.call('POST', '/leads', { body: { plan: service.planId, address: { zip: '51147' } } }))
      .json.id;
    const malo = uniqueMalo();
    const meter = { number: uniqueMeterNumber(), type: 'modern', estimated_usage: 1000, malo };
    const taken = await signUp(service, { lead, external_id: 'all-taken', meter });
    const conflicts = [
      '/external_id duplicate_external_id',
      '/lead lead_already_converted',
      '/meter/malo market_location_taken',
    ];
    const clashing = signUpBody(service.planId, { lead, external_id: 'all-taken', meter });
    const clash = (await check(clashing)).json;
    assert.deepEqual([clash.valid, codes(clash.errors)], [false, conflicts]);
    assert.ok(clash.errors.every(({ message }: Json) => message.includes(taken.id)));
    assert.equal(clash.normalised.external_id, 'all-taken');
    const wrong = (await check({ ...clashing, address: 5, customer: { ...clashing.customer, email: 'x' } })).json;
    const alsoWrong = ['/address invalid_type', '/customer/email invalid_email', ...conflicts];
    assert.deepEqual([wrong.normalised, codes(wrong.errors)], [null, alsoWrong]);
    const { malo: _, ...withoutMalo } = meter;
    const numberTaken = await checked({ meter: withoutMalo });
    assert.deepEqual(codes(numberTaken.errors), ['/meter/number market_location_taken']);
    const maloWrong = await checked({ meter: { ...meter, malo: '1' } });
    assert.deepEqual(codes(maloWrong.errors), ['/meter/malo invalid_malo'], 'nothing is guessed of the place');
  });

  test('tells the day that will be asked for, and the first that can be', async () => {
    const earliest = (await checked()).earliest_start_date as string;
    const asking = (intended_start_date: string, overrides: Json = {}): Json => ({
      next_possible_start: false,
      intended_start_date,
      ...overrides,
    });
    for (const [overrides, codesOfWarnings, hints] of [
      [asking(berlinDate(1)), ['/intended_start_date start_will_move'], []],
      [asking(earliest), [], []],
      [asking(berlinDate(60)), [], ['/intended_start_date earlier_start_possible']],
      [{ intended_start_date: berlinDate(60) }, ['/intended_start_date start_date_ignored'], []],
    ] as const) {
      const found = await checked(overrides);
      assert.deepEqual(codes(found.warnings), codesOfWarnings);
      assert.deepEqual(
        codes(found.faster).filter((hint) => !hint.startsWith('/previous_supplier')),
        hints,
      );
      const created = await signUp(service, overrides);
      assert.equal(found.requested_start_date, created.requested_start_date);
    }
    const switching = await checked({ previous_supplier: supplierId });
    assert.ok(switching.earliest_start_date > earliest, 'a cancellation takes a working day more');
    const unknown = await checked({ previous_supplier: 'mp_x' });
    assert.equal(unknown.earliest_start_date, null);
    const meter = { number: uniqueMeterNumber(), type: 'analog', estimated_usage: 7000 };
    const slow = await checked({ meter });
    assert.deepEqual(codes(slow.warnings), ['/meter/type smart_meter_due']);
    assert.deepEqual(codes(slow.faster), [
      '/meter/malo market_location_missing',
      '/previous_supplier previous_supplier_missing',
    ]);
    assert.deepEqual([slow.earliest_start_date, slow.requested_start_date], [earliest, null]);
  });

  test('goes by the project’s own time', async () => {
    const other = await otherProject(service);
    const plan = (await other.call('POST', '/plans', { body: { name: 'P', price: 1 } })).json.id;
    await other.call('POST', '/sandbox/clock', { body: { advance_to: '2031-12-23T10:00:00Z' } });
    const reply = await other.call('POST', PATH, { body: signUpBody(plan) });
    // 24 to 28 December are holidays and a weekend, so that Monday 29 is the next working day.
    assert.equal(reply.json.earliest_start_date, '2031-12-30');
  });

  test('stores nothing, not even a key or a refusal', async () => {
    const before = await countRows();
    const headers = { 'idempotency-key': 'dry-run' };
    const body = signUpBody(service.planId);
    assert.equal((await check(body, { headers })).json.valid, true);
    assert.equal((await check({}, { headers })).json.valid, false, 'the key stands for nothing');
    for (const wrong of ['{', '[]', '{"plan":"a","plan":"b"}']) {
      assert.equal((await check(wrong, { headers })).status, 400);
    }
    assert.equal((await service.call('POST', `${PATH}&nothing=1`, { body, headers })).status, 400);
    assert.equal((await check(body, { headers: { 'idempotency-key': '' } })).status, 400);
    assert.deepEqual(await countRows(), before);
    assert.equal((await service.call('GET', '/idempotency-keys/dry-run')).status, 404);
    const created = await service.call('POST', '/subscriptions', { body, headers });
    assert.equal(created.status, 201, 'and the key is free for the sign-up');
    const again = (await check(body, { headers })).json;
    assert.deepEqual(codes(again.errors), ['/meter/malo market_location_taken']);
  });

  test('is refused where the text of the body is, for what the reference says', async () => {
    const { json: reference } = await service.call('GET', '/openapi.json');
    const said: string = reference.paths['/subscriptions'].post.description;
    const metadataOf = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const refused: readonly (readonly [metadata: string, code: string, words: RegExp])[] = [
      ['{"a":1,"a":2}', 'duplicate_key', /a key that occurs twice/],
      ['{"__proto__":1}', 'forbidden_key', /`__proto__`/],
      [metadataOf(64), 'too_deep', /deeper than 64 levels/],
      [`[${'1,'.repeat(50_000)}1]`, 'too_many_values', /more values than a body may have/],
      [String.raw`"\u0000"`, 'null_character', /U\+0000/],
      [String.raw`"\ud800"`, 'invalid_unicode', /half of a surrogate pair/],
    ];
    const body = JSON.stringify(signUpBody(service.planId, { metadata: 'placeholder' }));
    for (const [metadata, code, words] of refused) {
      const reply = await check(body.replace('"placeholder"', metadata));
      assert.deepEqual([reply.status, reply.json.code], [400, code], reply.text);
      assert.match(said, words, code);
    }
  });

  test('is asked for by true only: false signs up, anything else is refused', async () => {
    const body = signUpBody(service.planId);
    for (const value of ['', '1', 'TRUE', 'yes']) {
      const reply = await service.call('POST', `/subscriptions?validate_only=${value}`, { body });
      assert.deepEqual(fieldErrors(reply), ['?validate_only invalid_parameter'], value);
    }
    const twice = await service.call('POST', `${PATH}&validate_only=false`, { body });
    assert.deepEqual(fieldErrors(twice), ['?validate_only invalid_parameter']);
    assert.equal((await service.call('POST', '/subscriptions?validate_only=false', { body })).status, 201);
    const expanded = await service.call('POST', `${PATH}&expand[]=customer`, { body: signUpBody(service.planId) });
    assert.equal(expanded.json.valid, true);
  });

  test('asks the database once, or once more for a lead', async () => {
    const asked: Sql[] = [];
    const { database } = service;
    const spy = {
      ...database,
      query: <Row>(statement: Sql): Promise<Row[]> => {
        asked.push(statement);
        return database.query<Row>(statement);
      },
    };
    const app = createAppBeside(service, { database: spy });
    const headers = { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' };
    const lead = (await service.call('POST', '/leads', { body: { plan: service.planId, address: { zip: '51147' } } }))
      .json.id;
    const count = async (overrides: Json): Promise<number> => {
      asked.length = 0;
      const payload = JSON.stringify(signUpBody(service.planId, overrides));
      const reply = await app.http.inject({ method: 'POST', url: PATH, headers, payload });
      assert.equal(reply.json().valid, true, reply.body);
      return asked.length;
    };
    // The first request reads token, clock, plan and supplier, which are known then.
    await count({ previous_supplier: supplierId });
    assert.deepEqual([await count({ previous_supplier: supplierId }), await count({ lead })], [1, 2]);
  });
});

describe('what a dry run says', () => {
  /** What the project holds before the runs, for bodies to clash with. */
  async function prepareState(): Promise<Json> {
    const archived = await createPlan(service, { active: false });
    const bare = await createPlan(service, { products: [] });
    const lead = async (): Promise<string> =>
      (await service.call('POST', '/leads', { body: { plan: service.planId, address: { zip: '51147' } } })).json.id;
    const [converted, open] = [await lead(), await lead()];
    const malo = uniqueMalo();
    const [withMalo, without] = [uniqueMeterNumber(), uniqueMeterNumber()];
    const meter = { type: 'modern', estimated_usage: 1000 };
    await signUp(service, { external_id: 'prop', lead: converted, meter: { ...meter, number: withMalo, malo } });
    await signUp(service, { meter: { ...meter, number: without } });
    return { archived: archived.id, bare: bare.id, converted, open, malo, withMalo, without };
  }

  /** Values for a member, right and wrong; `undefined` leaves it out. */
  function choices(state: Json): Readonly<Record<string, readonly unknown[]>> {
    const nothing = (prefix: 'pln' | 'mp' | 'lead'): string => formatId(prefix, '01900000-0000-7000-8000-000000000001');
    const module = (chosen: number): object => ({ type: '14a_enwg', '14a_enwg': { [`module_${chosen}`]: true } });
    return {
      '/plan': [state.archived, state.bare, nothing('pln'), 'x', 1, undefined],
      '/customer': [null, undefined, { first_name: 'A' }, []],
      '/customer/email': ['x', '', 1, undefined, 'a@b.de'],
      '/customer/company_name': ['X', null],
      '/customer/type': ['company', 'firm', undefined],
      '/address/zip': ['51147', '1', 51147, undefined],
      '/address': ['x', null],
      '/meter': [undefined, null, 'x', {}],
      '/meter/number': [
        state.withMalo,
        state.without,
        `${String(state.without).slice(0, 4)} ${String(state.without).slice(4).toLowerCase()}`,
        '-',
        '',
        1,
        undefined,
      ],
      '/meter/malo': [state.malo, '41373559240', undefined, undefined, null],
      '/meter/type': ['smart', 'digital', undefined],
      '/meter/estimated_usage': [0, 7000, '1', undefined],
      '/payment_method/sepa_debit/iban': ['DE00', 'nl91 abna 0417 1643 00', undefined],
      '/payment_method/type': ['card', undefined],
      '/next_possible_start': [false, true, 'no', undefined],
      '/intended_start_date': [berlinDate(0), berlinDate(1), berlinDate(30), berlinDate(400), '2027-02-30', null],
      '/previous_supplier': [supplierId, nothing('mp'), '', 1],
      '/lead': [state.converted, state.open, nothing('lead'), 'x', null],
      '/external_id': ['prop', 'free', '', 'x'.repeat(201), 1],
      '/product_orders': [
        [],
        [{ type: 'smart-meter' }, { type: 'smart-meter' }],
        [module(1)],
        [module(2)],
        [module(3)],
        [{ type: '14a_enwg' }],
        [null],
        'x',
      ],
      '/metadata': [{ a: 1 }, null, [], { a: 'x'.repeat(10_300) }],
      '/unknown': [1],
    };
  }

  test('is what a sign-up in the same state is answered: valid exactly when created, the same fields and codes', async () => {
    const state = await prepareState();
    const table = choices(state);
    const change = fc
      .constantFrom(...Object.keys(table))
      .chain((pointer) => fc.tuple(fc.constant(pointer), fc.constantFrom(...(table[pointer] ?? []))));
    // Those that only the state of the project refuses, so that they come often enough.
    const clash = fc.subarray<[string, unknown]>(
      [
        ['/external_id', 'prop'],
        ['/lead', state.converted],
        ['/meter/malo', state.malo],
        ['/meter/number', state.without],
      ],
      { minLength: 1 },
    );
    const changes = fc.oneof(
      { arbitrary: fc.array(change, { maxLength: 4 }), weight: 3 },
      { arbitrary: fc.tuple(clash, fc.array(change, { maxLength: 1 })).map((parts) => parts.flat()), weight: 1 },
    );
    const contract = service.service.app.contracts.find(({ operationId }) => operationId === 'createSubscription');
    const fits = createSchemaCompiler(formats).compile(contract?.alsoAnswers?.[0]?.schema ?? Type.Never());
    const answers = new Map<string, number>();
    let clashes = 0;
    await fc.assert(
      fc.asyncProperty(changes, async (changes) => {
        let body: Json = signUpBody(service.planId);
        for (const [pointer, value] of changes) {
          const parent = pointer.split('/').length > 2 ? body[pointer.split('/')[1] ?? ''] : body;
          if (typeof parent === 'object' && parent !== null) body = withMember(body, pointer, value);
        }
        const before = await countRows();
        const dry = await check(body);
        assert.equal(dry.status, 200, dry.text);
        assert.deepEqual(await countRows(), before, 'nothing is stored');
        assert.deepEqual(fits(dry.json), [], 'the answer is as documented');
        const { valid, errors, normalised, requested_start_date: requested } = dry.json;
        const wet = await service.call('POST', '/subscriptions', { body });
        answers.set(`${wet.status}`, (answers.get(`${wet.status}`) ?? 0) + 1);
        assert.equal(valid, wet.status === 201, wet.text);
        assert.equal(errors.length === 0, valid);
        if (wet.status === 201) {
          assert.equal(requested, wet.json.requested_start_date);
          assert.equal(normalised.meter.estimated_usage, wet.json.estimated_usage);
          return;
        }
        const refused: Json[] = wet.json.errors;
        assert.deepEqual(errors.slice(0, refused.length), refused, 'what the sign-up reports comes first');
        assert.equal(normalised === null, wet.status === 400);
        if (errors.length > refused.length) clashes += 1;
      }),
      { numRuns: 300, seed: 20_261_121 },
    );
    assert.ok((answers.get('201') ?? 0) > 30 && (answers.get('400') ?? 0) > 100, JSON.stringify([...answers]));
    assert.ok((answers.get('409') ?? 0) > 10 && clashes > 5, JSON.stringify([...answers, clashes]));
  });

  test('is also so of what another process has archived a moment ago', async () => {
    const plan = await createPlan(service);
    await signUp(service, { plan: plan.id });
    await service.database.query(sql`update plans set active = false where name = ${plan.name}`);
    const body = signUpBody(plan.id);
    const dry = await check(body);
    assert.deepEqual(codes(dry.json.errors), ['/plan plan_archived']);
    assert.deepEqual(fieldErrors(await service.call('POST', '/subscriptions', { body })), ['/plan plan_archived']);
  });
});
