/** Whose a place of supply is in a live project, while the market has not said so. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { berlinDay } from '#domain/calendar.ts';
import { parseId } from '#domain/identifiers.ts';
import { wallClock } from '#platform/clock.ts';
import { sql } from '#platform/database/sql.ts';
import { findViolations, invariants } from '../../src/cli/invariants-store.ts';
import { signUpBody, uniqueMalo, type Json } from '../support/builders.ts';
import { openLive, runCommand, type Live, type Run } from '../support/live.ts';
import { addressIn, berlin, meterOnly, must, openSandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let live: Live;

before(async () => {
  service = await startService();
  live = await openLive(service);
});
after(() => service.stop());

describe('a market location', () => {
  test('that another subscription has is not taken from it', async () => {
    const malo = uniqueMalo();
    await live.signUp({ meter: { ...meterOnly(), malo } });
    const { id } = await live.signUp({ meter: meterOnly() });
    const { subscription } = await live.market(
      'answer',
      (await live.waiting(id)).id,
      'identification_match',
      '--market-location',
      malo,
    );
    assert.equal(subscription.next_action.code, 'market_location_taken');
  });

  test('nor the one that a correction has replaced, while the grid operator may still confirm it', async () => {
    const [malo, other] = [uniqueMalo(), uniqueMalo()];
    const { id } = await live.signUp({ meter: { ...meterOnly(), malo } });
    const registration = await live.waiting(id);
    await live.market('transmitted', registration.id);
    const corrected = must(await live.call('PATCH', `/subscriptions/${id}`, { meter: { malo: other } }), 200);
    assert.equal(corrected.stage, 'registering');
    const [reversal] = (await live.market('messages', '--subscription', id)).items;
    assert.equal(reversal.kind, 'reversal');

    // By a sign-up, alone and asked about, by a search, and by another correction.
    const body = signUpBody(live.planId, { meter: { ...meterOnly(), malo } });
    const clash = must(await live.call('POST', '/subscriptions', body), 409);
    const conflict = ['/meter/malo', 'market_location_taken', `subscription ${id} has it`];
    assert.deepEqual(Object.values(clash.errors[0]), conflict);
    const dry = must(await live.call('POST', '/subscriptions?validate_only=true', body), 200);
    assert.deepEqual(Object.values(dry.errors[0]), conflict);
    const searching = await live.signUp({ meter: meterOnly() });
    const match = ['identification_match', '--market-location', malo];
    const found = await live.market('answer', (await live.waiting(searching.id)).id, ...match);
    assert.equal(found.subscription.next_action.code, 'market_location_taken');
    must(await live.call('PATCH', `/subscriptions/${searching.id}`, { meter: { malo } }), 409);

    // What is remembered is held on, and nothing else.
    const held = (): Promise<{ readonly malo: string }[]> =>
      service.database.query(sql`select malo from held_locations where malo in (${malo}, ${other})`);
    await service.database.query(sql`
      insert into held_locations (project_id, malo, subscription_id)
      select project_id, ${other}, id from subscriptions where id = ${parseId('sub', id)}`);
    await service.service.app.maintenance.run();
    assert.deepEqual(await held(), [{ malo }]);

    // Confirmed after all, it is what is supplied, and the other is free.
    const start = registration.contents.start;
    const confirmed = await live.market('answer', registration.id, 'registration_confirmation', '--start', start);
    assert.equal(confirmed.subscription.stage, 'confirmed');
    must(
      await live.call('POST', '/subscriptions', signUpBody(live.planId, { meter: { ...meterOnly(), malo: other } })),
      201,
    );
    must(await live.call('POST', '/subscriptions', body), 409);
  });

  test('nor its own, which it may give up by the next edit while he may still confirm it', async () => {
    const malo = uniqueMalo();
    const { id } = await live.signUp({ meter: { ...meterOnly(), malo } });
    await live.market('transmitted', (await live.waiting(id)).id);
    // As where it is searched anew while a registration is open.
    const uuid = parseId('sub', id);
    await service.database.query(sql`
      insert into held_locations (project_id, malo, subscription_id)
      select project_id, malo, id from subscriptions where id = ${uuid}`);
    await service.service.app.maintenance.run();
    const held = await service.database.query(sql`select malo from held_locations where subscription_id = ${uuid}`);
    assert.deepEqual(held, [{ malo }]);
  });

  test('which is nothing that doctor complains of', async () => {
    const sandbox = await openSandbox(service, berlin('2030-01-07T10:00'));
    const project = (await runCommand(service, 'project', 'list', '--json')).json.items.at(-1).id;
    const market = async (...argv: string[]): Promise<Json> =>
      (await runCommand(service, 'market', ...argv, '--project', project, '--json')).json;
    const malo = uniqueMalo();
    // He answers nothing by himself here, but the second of two registrations with an error.
    const { id } = await sandbox.signUp({ meter: { ...meterOnly(), malo }, address: addressIn('99900') });
    await sandbox.advanceBy('P10D');
    must(await sandbox.act(id, 'retry'), 200);
    const { items } = await market('messages', '--subscription', id, '--state', 'transmitted');
    assert.deepEqual(
      items.map(({ kind }: Json) => kind),
      ['registration', 'registration'],
    );
    await market('answer', items[1].id, 'processing_error', '--code', 'Z10');
    const held = await service.database.query(sql`select subscription_id from held_locations where malo = ${malo}`);
    assert.deepEqual(held, [{ subscription_id: parseId('sub', id) }]);
    const broken: string[] = [];
    await findViolations(service.database, invariants, ({ name }, { count }) => void (count > 0 && broken.push(name)));
    assert.deepEqual(broken, []);
  });

  test('and is free once he has agreed to forget it', async () => {
    const [malo, other] = [uniqueMalo(), uniqueMalo()];
    const { id } = await live.signUp({ meter: { ...meterOnly(), malo } });
    await live.market('transmitted', (await live.waiting(id)).id);
    must(await live.call('PATCH', `/subscriptions/${id}`, { meter: { malo: other } }), 200);
    const body = signUpBody(live.planId, { meter: { ...meterOnly(), malo } });
    must(await live.call('POST', '/subscriptions', body), 409);
    await live.market('answer', (await live.waiting(id)).id, 'reversal_confirmation');
    assert.equal((await live.waiting(id)).contents.marketLocation, other);
    must(await live.call('POST', '/subscriptions', body), 201);
    const second = signUpBody(live.planId, { meter: { ...meterOnly(), malo: other } });
    must(await live.call('POST', '/subscriptions', second), 409);
  });

  test('stays the claim of its sign-up while it is searched anew, until an edit names a place', async () => {
    const meter = { ...meterOnly(), malo: uniqueMalo() };
    const sub = await live.signUp({ meter });
    await live.market('answer', (await live.waiting(sub.id)).id, 'processing_error', '--code', 'Z10');
    const corrected = signUpBody(live.planId, { meter: { ...meter, malo: uniqueMalo() } });
    must(await live.call('POST', '/subscriptions', corrected), 201);
    const edits: [path: string, body: unknown][] = [
      [`/subscriptions/${sub.id}`, { metadata: { note: 'searched' } }],
      [`/subscriptions/${sub.id}`, { customer: { last_name: 'Muster' } }],
      [`/customers/${sub.customer}`, { last_name: 'Beispiel' }],
    ];
    for (const [path, body] of edits) must(await live.call('PATCH', path, body), 200);
    assert.equal(must(await live.call('GET', `/meters/${sub.meter}`), 200).malo, meter.malo);
    for (const [body, field] of [
      [{ meter: { number: meter.number } }, '/meter/number'],
      [{ address: { street: 'Neue Straße' } }, '/address'],
    ] as const) {
      const { code, errors } = must(await live.call('PATCH', `/subscriptions/${sub.id}`, body), 409);
      assert.deepEqual([code, errors[0].field], ['market_location_taken', field]);
    }
  });

  test('nor by two answers that are recorded at once', async () => {
    const malo = uniqueMalo();
    const both = [await live.signUp({ meter: meterOnly() }), await live.signUp({ meter: meterOnly() })];
    const record = async ({ id }: Json, message: string): Promise<Run> => {
      const match = [message, 'identification_match', '--market-location', malo, '--json'];
      const run = await runCommand(service, 'market', 'answer', '--project', live.id, ...match);
      assert.ok(run.code === 0 || run.json.error.reason === 'market_location_taken', run.stderr);
      // Refused in the very moment, it is recorded when it is tried again.
      return run.code === 0 ? run : record({ id }, message);
    };
    const searches = await Promise.all(both.map(async ({ id }) => (await live.waiting(id)).id));
    const runs = await Promise.all(both.map((each, at) => record(each, searches[at])));
    const codes: string[] = runs.map(({ json }) => json.subscription.next_action.code);
    assert.deepEqual(codes.toSorted(), ['market_location_taken', 'transmit_message']);
  });
});

describe('what the grid operator asks of a market location', () => {
  const inquiry = ['--reason', 'E03', '--customer-name', 'Otto Neu', '--document-number'];

  test('that has another subscription by now is not answered for one that has ended: silence would cost its supply', async () => {
    const meter = { ...meterOnly(), malo: uniqueMalo() };
    const former = await live.signUp({ meter });
    must(await live.call('POST', `/subscriptions/${former.id}/terminate`, { reason: 'withdrawal' }), 200);
    const { id } = await live.signUp({ meter });
    const registration = await live.waiting(id);
    await live.market('answer', registration.id, 'registration_confirmation', '--start', registration.contents.start);
    const day = Temporal.PlainDate.from(registration.contents.start);
    const today = berlinDay(wallClock.now()).toString();
    const about = ['--end', day.add({ days: 9 }).toString(), '--registered-on', today, ...inquiry];
    for (const [kind, ...argv] of [
      ['end_inquiry', ...about, 'I1'],
      ['grid_operator_end', '--end', day.add({ days: 9 }).toString(), '--document-number', 'E1'],
    ]) {
      const [code, reason, message] = await live.refused('receive', former.id, kind ?? '', ...argv);
      assert.deepEqual([code, reason], [1, 'market_location_of_another']);
      assert.match(message, new RegExp(id));
    }
    assert.deepEqual((await live.market('messages', '--subscription', former.id)).items, []);
    const { sent } = await live.market('receive', id, 'end_inquiry', ...about, 'I1');
    assert.deepEqual([sent[0].kind, sent[0].contents.code], ['end_inquiry_refusal', 'A35']);
  });

  test('that nobody has is answered where it is recorded', async () => {
    const { id } = await live.signUp();
    const day = berlinDay(wallClock.now());
    const about = ['--end', day.add({ days: 9 }).toString(), '--registered-on', day.toString(), ...inquiry, 'I2'];
    const { sent } = await live.market('receive', id, 'end_inquiry', '--market-location', uniqueMalo(), ...about);
    assert.deepEqual([sent[0].kind, sent[0].contents.code], ['processing_error', 'Z18']);
  });
});
