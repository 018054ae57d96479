/** A live project beside a market-communication provider: everything through the API and the operator's commands. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { berlinDay, earliestStart, nextWorkingDay } from '#domain/calendar.ts';
import { wallClock } from '#platform/clock.ts';
import { uniqueMalo, type Json } from '../support/builders.ts';
import { openLive, runCommand, type Live, type Run } from '../support/live.ts';
import { berlin, meterOnly, must, openSandbox, signUpActive, type Sandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let live: Live;

before(async () => {
  service = await startService();
  live = await openLive(service);
});
after(() => service.stop());

const cli = (...argv: string[]): Promise<Run> => runCommand(service, ...argv);
const today = (): Temporal.PlainDate => berlinDay(wallClock.now());

describe('a sign-up in a live project', () => {
  test('comes to supply by what the operator transmits and records', async () => {
    const malo = uniqueMalo();
    const { id, next_action: action } = await live.signUp({ meter: meterOnly() });
    assert.deepEqual([action.code, action.actor, action.resolve], ['transmit_message', 'operator', null]);
    const search = await live.waiting(id);
    assert.deepEqual(
      [search.subscription, search.kind, search.direction, search.partner, search.state],
      [id, 'identification_request', 'out', 'grid_operator', 'waiting'],
    );
    assert.equal(search.contents.zip, '51147');

    const found = await live.market('answer', search.id, 'identification_match', '--market-location', malo);
    assert.deepEqual([found.object, found.recorded, found.ignored], ['market_recording', true, null]);
    assert.deepEqual(
      found.sent.map(({ kind, state }: Json) => [kind, state]),
      [['registration', 'waiting']],
    );
    const registering = await live.read(id);
    assert.deepEqual(
      [registering.stage, registering.next_action.code, found.subscription.stage],
      ['registering', 'transmit_message', 'registering'],
    );
    const registration = await live.waiting(id);
    const start = earliestStart(today()).toString();
    assert.deepEqual(
      [registration.identifier, registration.name, registration.contents.start, registration.contents.marketLocation],
      ['55001', 'Anmeldung', start, malo],
    );
    // What was answered was transmitted.
    const sent = await live.market('messages', '--subscription', id, '--state', 'transmitted');
    assert.deepEqual(sent.items, [{ ...search, state: 'transmitted', transmitted_at: sent.items[0].transmitted_at }]);

    const handed = await live.market('transmitted', registration.id);
    assert.deepEqual([handed.changed, handed.message.state], [true, 'transmitted']);
    assert.equal((await live.read(id)).next_action, null);
    const again = await live.market('transmitted', registration.id);
    assert.deepEqual([again.changed, again.message], [false, handed.message]);

    const confirmed = await live.market('answer', registration.id, 'registration_confirmation', '--start', start);
    assert.deepEqual([confirmed.message.contents, confirmed.sent], [{ code: 'A51', start }, []]);
    const subscription = await live.read(id);
    assert.deepEqual(
      [subscription.stage, subscription.start_at, subscription.next_action],
      ['confirmed', berlin(start), null],
    );
    const events = (await live.story(id)).filter(({ type }) => type === 'event');
    assert.deepEqual(
      events.slice(1).map(({ event, actor }) => [event.type, actor.type]),
      [
        ['subscription.action_required', 'time'],
        ['subscription.action_resolved', 'operator'],
        ['subscription.updated', 'operator'],
        ['subscription.action_required', 'operator'],
        ['subscription.action_resolved', 'operator'],
        ['subscription.confirmed', 'operator'],
      ],
    );

    const whole = await live.story(id);
    for (const [message, ...argv] of [
      [search.id, 'identification_match', '--market-location', malo],
      [registration.id, 'registration_confirmation', '--start', start],
    ]) {
      const repeated = await live.market('answer', message ?? '', ...argv);
      assert.deepEqual([repeated.recorded, repeated.sent], [false, []]);
    }
    const other = Temporal.PlainDate.from(start).add({ days: 1 }).toString();
    const differing = [registration.id, 'registration_confirmation', '--start', other];
    assert.deepEqual((await live.refused('answer', ...differing)).slice(0, 2), [1, 'recorded_differently']);
    assert.deepEqual(await live.story(id), whole);
    assert.deepEqual(await live.read(id), subscription);
  });

  test('a previous supplier is cancelled first; a rejection names a day, and another one', async () => {
    const { id } = await live.signUp({ previous_supplier: live.supplierId });
    const cancellation = await live.waiting(id);
    assert.deepEqual(
      [cancellation.identifier, cancellation.partner, cancellation.contents.supplier.code],
      ['55016', 'other_supplier', '9900000000123'],
    );
    const end = today().add({ months: 2 }).toString();
    const bound = ['cancellation_rejection', '--code', 'A06', '--next-possible-end', end];
    const { subscription } = await live.market('answer', cancellation.id, ...bound);
    assert.equal(subscription.next_action.code, 'previous_contract_bound');
    must(await live.call('PATCH', `/subscriptions/${id}`, { intended_start_date: end }), 200);
    const second = await live.waiting(id);
    assert.equal(second.contents.end, end);
    await live.market('answer', second.id, 'cancellation_confirmation', '--end', end);
    const registration = await live.waiting(id);
    assert.deepEqual([registration.contents.start, registration.contents.reason], [end, 'E03']);

    const from = today().add({ days: 7 }).toString();
    const busy = ['registration_rejection', '--code', 'A06', '--accepted-from', from, '--other-start', end];
    await live.market('answer', registration.id, ...busy);
    assert.deepEqual((await live.read(id)).next_action.code, 'concurrent_registration');
    const ignored = await live.market('answer', registration.id, 'registration_confirmation', '--start', end);
    assert.deepEqual([ignored.ignored, ignored.message.state], ['late_or_unknown_reference', 'ignored']);
    assert.equal((await live.read(id)).stage, 'registering');
  });

  test('a receipt sets the deadline, an error asks anew, and a retry takes the step again', async () => {
    const { id } = await live.signUp();
    const registration = await live.waiting(id);
    await live.market('answer', registration.id, 'acknowledgement');
    assert.equal((await live.market('answer', registration.id, 'acknowledgement')).recorded, false);
    assert.equal((await live.read(id)).next_action, null);
    // Whose it is goes by what it answers: its kind may come from anybody.
    const told = (await live.story(id)).filter(({ type }) => type === 'message');
    assert.deepEqual(
      told.map(({ message }) => [message.kind, message.partner]),
      [
        ['registration', 'grid_operator'],
        ['acknowledgement', 'grid_operator'],
      ],
    );
    await live.market('answer', registration.id, 'registration_rejection', '--code', 'A05');
    assert.equal((await live.read(id)).next_action.code, 'balancing_group_authority_missing');
    const retried = await live.market('retry', id);
    assert.deepEqual([retried.object, retried.sent.map(({ kind }: Json) => kind)], ['market_retry', ['registration']]);
    assert.deepEqual(await live.refused('retry', id), [1, 'nothing_to_retry', 'nothing waits to be retried there']);
    const second = await live.waiting(id);
    const error = await live.market('answer', second.id, 'processing_error', '--code', 'Z14');
    assert.equal(error.message.partner, 'grid_operator');
    assert.equal(error.sent[0].kind, 'identification_request');
    assert.equal((await live.read(id)).stage, 'identifying');
  });

  test('a retry of the operator takes the step again whoever was to act, one of the API only where he was', async () => {
    const { id } = await live.signUp({ previous_supplier: live.supplierId });
    await live.market('answer', (await live.waiting(id)).id, 'cancellation_rejection', '--code', 'A08');
    const { code, actor } = (await live.read(id)).next_action;
    assert.deepEqual([code, actor], ['power_of_attorney_doubted', 'customer']);
    assert.equal(must(await live.call('POST', `/subscriptions/${id}/retry`), 409).code, 'nothing_to_retry');
    const { sent } = await live.market('retry', id);
    assert.deepEqual(
      sent.map(({ kind }: Json) => kind),
      ['cancellation'],
    );
  });

  test('a day that the previous supplier names can be chosen, however far ahead', async () => {
    const { id } = await live.signUp({
      previous_supplier: live.supplierId,
      meter: { ...meterOnly(), malo: uniqueMalo() },
    });
    const bound = today().add({ months: 14 });
    const rejection = ['cancellation_rejection', '--code', 'A06', '--next-possible-end', bound.toString()];
    const { subscription } = await live.market('answer', (await live.waiting(id)).id, ...rejection);
    assert.equal(subscription.next_action.code, 'previous_contract_bound');
    const tooFar = bound.add({ months: 12, days: 1 }).toString();
    const refusal = must(await live.call('PATCH', `/subscriptions/${id}`, { intended_start_date: tooFar }), 400);
    assert.equal(refusal.code, 'too_far_ahead');
    must(await live.call('PATCH', `/subscriptions/${id}`, { intended_start_date: bound.toString() }), 200);
    assert.equal((await live.waiting(id)).contents.end, bound.toString());
  });

  test('a start after a contract that runs for years is confirmed, and taken back, like any other', async () => {
    const { id } = await live.signUp({
      previous_supplier: live.supplierId,
      meter: { ...meterOnly(), malo: uniqueMalo() },
    });
    const end = today().add({ years: 3 }).toString();
    await live.market('answer', (await live.waiting(id)).id, 'cancellation_confirmation', '--end', end);
    const registration = await live.waiting(id);
    assert.equal(registration.contents.start, end);
    const { subscription } = await live.market('answer', registration.id, 'registration_confirmation', '--start', end);
    assert.equal(subscription.stage, 'confirmed');
    await live.market('receive', id, 'start_revocation', '--start', end, '--document-number', 'R-3');
    assert.equal((await live.read(id)).end_reason, 'superseded');
  });

  test('days between the end of the old contract and a later start are told in the feed and in the timeline', async () => {
    const wished = today().add({ days: 30 }).toString();
    const wish = { next_possible_start: false, intended_start_date: wished, previous_supplier: live.supplierId };
    const { id } = await live.signUp({ ...wish, meter: { ...meterOnly(), malo: uniqueMalo() } });
    await live.market('answer', (await live.waiting(id)).id, 'cancellation_confirmation', '--end', wished);
    const start = today().add({ days: 32 }).toString();
    await live.market('answer', (await live.waiting(id)).id, 'registration_confirmation', '--start', start);
    const days = { from: wished, until: start };
    const story = (await live.story(id)).flatMap(({ event }) => (event === null ? [] : [event]));
    assert.deepEqual(
      story.filter(({ substitute_supply: told }) => told !== null).map((event) => [event.type, event.reason]),
      [['subscription.confirmed', 'grid_operator']],
    );
    const { data } = must(await live.call('GET', `/events/${story.at(-1).id}`), 200);
    assert.deepEqual([data.substitute_supply, story.at(-1).substitute_supply], [days, days]);
    assert.equal((await live.read(id)).next_action, null);
  });

  test('a confirmation recorded after its start must say when it came', async () => {
    const { id } = await live.signUp({ meter: { ...meterOnly(), malo: uniqueMalo() } });
    const registration = await live.waiting(id);
    await live.market('transmitted', registration.id);
    const start = today().subtract({ days: 1 }).toString();
    const before = await live.read(id);
    const command = [registration.id, 'registration_confirmation', '--start', start];
    const [code, reason, message] = await live.refused('answer', ...command);
    assert.deepEqual([code, reason], [2, 'usage']);
    assert.match(message, /^--received-at must say when the message reached us/);
    assert.deepEqual(await live.read(id), before);
  });
});

describe('what cannot be recorded', () => {
  test('is refused with the option that is wrong, and changes nothing', async () => {
    const { id } = await live.signUp();
    const { id: message } = await live.waiting(id);
    const before = [await live.read(id), await live.story(id)];
    const calls: [string[], number, RegExp][] = [
      [
        ['cancellation_confirmation', '--end', '2027-01-01'],
        1,
        /^a registration is answered by one of registration_co/,
      ],
      [['nonsense'], 2, /^KIND must be one of identification_match, .*, not "nonsense"$/],
      [['end_notice', '--end', '2027-01-01'], 2, /^KIND must be one of/],
      [['registration_confirmation'], 2, /^--start is missing; it must be a day/],
      [['registration_confirmation', '--start', '2027-02-30'], 2, /^--start must be a day/],
      [['registration_confirmation', '--start', '2099-12-01'], 2, /^--start must be a day from 20\d\d-/],
      [
        ['registration_confirmation', '--start', '2027-1-1', '--code', 'A50', '--end', '2027-01-01'],
        2,
        /^--end is nothing that registration_confirmation has; --code must be one of A51; --start must be a day/,
      ],
      [['registration_rejection', '--code', 'A51'], 2, /^--code must be one of A02, A04/],
      [['registration_rejection', '--code', 'A06', '--accepted-from', 'soon'], 2, /^--accepted-from must be a day/],
      [['acknowledgement', '--received-at', 'noon'], 2, /^--received-at must be an instant/],
      [['acknowledgement', '--document-number', 'a b'], 2, /^--document-number must be 1 to 35/],
      [['acknowledgement', '--process-number', 'x'.repeat(36)], 2, /^--process-number must be 1 to 35/],
      [['processing_error'], 2, /^--code is missing; it must be one of Z10, /],
    ];
    for (const [argv, exit, words] of calls) {
      const [code, , text] = await live.refused('answer', message, ...argv);
      assert.deepEqual([code, words.test(text)], [exit, true], `${argv.join(' ')}: ${text}`);
    }
    assert.match((await live.refused('receive', id, 'end_notice'))[2], /^--document-number is missing/);
    assert.match((await live.refused('receive', id, 'end_notice', '--document-number', 'N1'))[2], /^--end is missing/);
    assert.match((await live.refused('messages', '--state', 'lost'))[2], /^--state must be one of/);
    assert.deepEqual([await live.read(id), await live.story(id)], before);
  });

  test('nor what reached somebody before it was asked, or us before the sign-up', async () => {
    const { id } = await live.signUp();
    const registration = await live.waiting(id);
    const yesterday = today().subtract({ days: 1 });
    const received = ['--received-at', `${yesterday.toString()}T10:00:00Z`];
    const words = /^--received-at must not be before 20\d\d-\d\d-\d\dT/;
    assert.match((await live.refused('answer', registration.id, 'acknowledgement', ...received))[2], words);
    const { start } = registration.contents;
    await live.market('answer', registration.id, 'registration_confirmation', '--start', start);
    const before = await live.read(id);
    const end = Temporal.PlainDate.from(start).add({ days: 1 });
    // Another supplier's cancellation, in time for the plan's notice had it come a year ago.
    const cancellation = ['--document-number', 'C1', '--end', end.toString(), '--received-at'];
    const longAgo = `${today().subtract({ years: 1 }).toString()}T10:00:00Z`;
    assert.match((await live.refused('receive', id, 'cancellation', ...cancellation, longAgo))[2], words);
    assert.deepEqual(await live.read(id), before);
  });

  test('nor can anything of what does not exist, or is somebody else’s', async () => {
    const { id } = await live.signUp();
    const { id: message } = await live.waiting(id);
    const other = (await cli('project', 'create', '--name', 'Other', '--mode', 'live', '--json')).json.id;
    const nowhere = 'prj_01k9zr5x3hf8b9m2t4v6w8y0ac';
    const calls: [string, string[], string][] = [
      ['messages', ['--project', nowhere], 'project_not_found'],
      ['messages', ['--project', 'nonsense'], 'project_not_found'],
      ['messages', ['--project', other, '--subscription', id], 'subscription_not_found'],
      ['messages', ['--project', live.id, '--subscription', 'sub_x'], 'subscription_not_found'],
      ['transmitted', ['--project', nowhere, message], 'project_not_found'],
      ['transmitted', ['--project', other, message], 'message_not_found'],
      ['transmitted', ['--project', live.id, 'msg_x'], 'message_not_found'],
      ['answer', ['--project', other, message, 'acknowledgement'], 'message_not_found'],
      ['receive', ['--project', other, id, 'master_data', '--document-number', '1'], 'subscription_not_found'],
      ['receive', ['--project', live.id, 'x', 'master_data', '--document-number', '1'], 'subscription_not_found'],
      ['retry', ['--project', other, id], 'subscription_not_found'],
      ['retry', ['--project', nowhere, id], 'project_not_found'],
    ];
    for (const [name, argv, reason] of calls) {
      const run = await cli('market', name, ...argv, '--json');
      assert.deepEqual([run.code, run.json.error.reason], [1, reason], `${name} ${argv.join(' ')}`);
    }
    const { message: received } = await live.market('answer', message, 'acknowledgement');
    const answer = await cli('market', 'answer', '--project', live.id, received.id, 'acknowledgement', '--json');
    assert.equal(answer.json.error.reason, 'not_our_message');
  });
});

describe('a sandbox project', () => {
  const supplied = async (): Promise<{ sandbox: Sandbox; project: string; id: string }> => {
    const sandbox = await openSandbox(service, berlin('2030-01-07T10:00'));
    const project = (await cli('project', 'list', '--json')).json.items.at(-1).id;
    const { id } = await signUpActive(sandbox);
    return { sandbox, project, id };
  };

  test('another supplier’s cancellation is answered, and ends the supply', async () => {
    const { sandbox, project, id } = await supplied();
    const receive = (kind: string, number: string, ...argv: string[]): Promise<Run> =>
      cli('market', 'receive', '--project', project, id, kind, '--document-number', number, ...argv, '--json');
    const early = await receive('cancellation', 'K1', '--end', '2030-01-10', '--process-number', 'P1');
    assert.deepEqual(
      early.json.sent.map(({ identifier, answers, contents }: Json) => [identifier, answers, contents.code]),
      [['55018', 'P1', 'A06']],
    );
    const taken = await receive('cancellation', 'K2');
    const [confirmation, deregistration] = taken.json.sent;
    assert.deepEqual(
      [confirmation.identifier, confirmation.contents.code, deregistration.identifier, confirmation.answers],
      ['55017', 'A09', '55004', 'K2'],
    );
    const { end } = confirmation.contents;
    assert.equal((await receive('cancellation', 'K2')).json.recorded, false);
    const clash = await receive('cancellation', 'K2', '--end', '2030-06-01');
    assert.deepEqual([clash.code, clash.json.error.reason], [1, 'recorded_differently']);
    await sandbox.advanceTo(berlin(end));
    const ended = await sandbox.read(id);
    assert.deepEqual([ended.status, ended.end_reason, ended.end_at], ['ended', 'terminated', berlin(end)]);
  });

  test('an inquiry, an end and master data are recorded in the project’s time', async () => {
    const { sandbox, project, id } = await supplied();
    const receive = async (kind: string, number: string, ...argv: string[]): Promise<Json> => {
      const run = await cli(
        'market',
        'receive',
        '--project',
        project,
        id,
        kind,
        '--document-number',
        number,
        ...argv,
        '--json',
      );
      assert.equal(run.code, 0, run.stderr);
      return run.json;
    };
    const now = await sandbox.now();
    const day = berlinDay(Temporal.Instant.from(now));
    const end = nextWorkingDay(nextWorkingDay(day)).add({ days: 1 }).toString();
    const about = ['--end', end, '--reason', 'E03', '--registered-on', day.toString(), '--customer-name', 'Max Muster'];
    const inquiry = await receive('end_inquiry', 'I1', ...about);
    assert.deepEqual([inquiry.sent[0].kind, inquiry.sent[0].contents.code], ['end_inquiry_refusal', 'A35']);
    assert.equal(inquiry.message.occurred_at, now);
    assert.equal((await receive('master_data', 'M1', '--identifier', '55616')).ignored, 'no_change');
    assert.equal((await receive('existing_assignment', 'M2')).ignored, 'no_change');
    const reversal = await receive('reversal', 'R1', '--reverses', 'I1');
    assert.deepEqual(
      reversal.sent.map(({ kind, partner }: Json) => [kind, partner]),
      [['reversal_rejection', 'grid_operator']],
    );
    assert.equal((await receive('start_revocation', 'S1', '--start', end)).ignored, 'not_in_this_stage');
    const shut = await receive('grid_operator_end', 'G1', '--end', end);
    assert.equal(shut.sent[0].kind, 'grid_operator_end_consent');
    const foreign = await receive('grid_operator_end', 'G2', '--end', end, '--market-location', uniqueMalo());
    assert.deepEqual([foreign.sent[0].kind, foreign.sent[0].partner], ['processing_error', 'grid_operator']);
    await receive('end_notice', 'E1', '--end', end);
    await sandbox.advanceTo(berlin(end));
    assert.equal((await sandbox.read(id)).status, 'ended');
    const list = ['market', 'messages', '--project', project, '--subscription', id, '--state'];
    const ignored = (await cli(...list, 'ignored', '--json')).json;
    assert.deepEqual([ignored.object, ignored.has_more, ignored.items.length], ['list', false, 1]);
    assert.match(
      (await cli(...list, 'received')).stdout,
      /55010 Anfrage zur Beendigung der Zuordnung \(end_inquiry\) from/,
    );
    assert.equal((await cli(...list, 'waiting')).stdout, 'No message is waiting.\n');
  });

  test('nothing happens before what happened last, whatever day an answer names', async () => {
    const sandbox = await openSandbox(service, berlin('2030-05-06T10:00'));
    const project = (await cli('project', 'list', '--json')).json.items.at(-1).id;
    const { id } = await sandbox.signUp();
    await sandbox.advanceBy('PT1H');
    const listed = await cli('market', 'messages', '--project', project, '--state', 'transmitted', '--json');
    const message = listed.json.items.find(({ kind }: Json) => kind === 'registration').id;
    const argv = ['--project', project, message, 'registration_rejection', '--code', 'A06'];
    assert.equal((await cli('market', 'answer', ...argv, '--accepted-from', '2030-01-11', '--json')).code, 0);
    await sandbox.advanceBy('P7D');
    const supplied = await sandbox.read(id);
    assert.ok(supplied.start_at > supplied.created_at, supplied.start_at);
    const end = ['--project', project, id, 'end_notice', '--document-number', 'E1', '--end', '2030-05-01'];
    assert.equal((await cli('market', 'receive', ...end, '--json')).code, 0);
    await sandbox.advanceBy('P1D');
    const times = (await sandbox.timeline(id)).map(({ timestamp }) => timestamp);
    assert.deepEqual(times, times.toSorted());
  });
});
