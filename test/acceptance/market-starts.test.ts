/** Supply starts at the earliest midnight that the market's lead time permits, or at the one asked for. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldErrors } from '../support/builders.ts';
import { advanceUntil, berlin, later, must, openSandbox, sandboxBody, type Sandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/**
 * Worked out by hand: the day on which the sign-up's registration is received (weekday, Berlin time), and the earliest
 * lawful start, which is the calendar day after the next working day. In winter a Berlin midnight is 23:00 UTC.
 */
const STARTS: readonly (readonly [received: string, start: string, why: string])[] = [
  ['Mon 2037-11-23T10:00', '2037-11-24T23:00:00Z', 'Tue 24 → Wed 25'],
  ['Fri 2037-11-27T23:59', '2037-11-30T23:00:00Z', 'Mon 30 → Tue 1'],
  ['Sat 2037-11-28T00:01', '2037-11-30T23:00:00Z', 'Mon 30 → Tue 1'],
  ['Sun 2037-11-29T23:59', '2037-11-30T23:00:00Z', 'Mon 30 → Tue 1'],
  ['Mon 2037-11-30T00:01', '2037-12-01T23:00:00Z', 'Tue 1 → Wed 2'],
  ['Mon 2037-12-21T00:01', '2037-12-22T23:00:00Z', 'Tue 22 → Wed 23'],
  ['Fri 2037-12-25T12:00', '2037-12-28T23:00:00Z', 'Christmas: Mon 28 → Tue 29'],
  ['Sun 2037-12-27T23:59', '2037-12-28T23:00:00Z', 'Mon 28 → Tue 29'],
  ['Mon 2037-12-28T00:01', '2037-12-29T23:00:00Z', 'Tue 29 → Wed 30'],
  ['Tue 2037-12-29T16:00', '2037-12-30T23:00:00Z', 'Wed 30 → Thu 31, a start on 31 December'],
  ['Fri 2038-01-01T00:01', '2038-01-04T23:00:00Z', 'New Year: Mon 4 → Tue 5'],
  ['Sun 2038-01-03T23:59', '2038-01-04T23:00:00Z', 'Mon 4 → Tue 5'],
  ['Mon 2038-01-04T00:01', '2038-01-05T23:00:00Z', 'Tue 5 → Wed 6, a start on a holiday'],
  ['Wed 2038-01-06T09:00', '2038-01-07T23:00:00Z', 'Epiphany: Thu 7 → Fri 8'],
  ['Sat 2038-03-06T09:00', '2038-03-09T23:00:00Z', 'Mon 8 is a holiday in Berlin: Tue 9 → Wed 10'],
  ['Mon 2038-03-08T23:59', '2038-03-09T23:00:00Z', 'Tue 9 → Wed 10'],
  ['Fri 2027-03-26T09:00', '2027-03-30T22:00:00Z', 'Good Friday: Tue 30 → Wed 31, in summer time'],
  ['Sun 2027-03-28T01:59', '2027-03-30T22:00:00Z', 'Easter and the last minute of winter time'],
  ['Sun 2027-03-28T03:01', '2027-03-30T22:00:00Z', 'Easter and the first minute of summer time'],
  ['Mon 2027-03-29T23:59', '2027-03-30T22:00:00Z', 'Easter Monday: Tue 30 → Wed 31'],
  ['Tue 2027-03-30T00:01', '2027-03-31T22:00:00Z', 'Wed 31 → Thu 1 April'],
  ['Thu 2038-04-29T12:00', '2038-04-30T22:00:00Z', 'Fri 30 → Sat 1 May, a start on a holiday'],
  ['Fri 2038-04-30T12:00', '2038-05-03T22:00:00Z', 'over 1 May: Mon 3 → Tue 4'],
  ['Thu 2027-05-06T00:01', '2027-05-07T22:00:00Z', 'Ascension: Fri 7 → Sat 8'],
  ['Fri 2027-05-14T23:59', '2027-05-18T22:00:00Z', 'Pentecost: Tue 18 → Wed 19'],
  ['Mon 2027-05-17T00:01', '2027-05-18T22:00:00Z', 'Whit Monday: Tue 18 → Wed 19'],
  ['Tue 2027-05-25T09:00', '2027-05-26T22:00:00Z', 'Wed 26 → Thu 27, a start on Corpus Christi'],
  ['Wed 2027-05-26T09:00', '2027-05-28T22:00:00Z', 'over Corpus Christi: Fri 28 → Sat 29'],
  ['Fri 2038-08-13T09:00', '2038-08-16T22:00:00Z', 'Mon 16 → Tue 17'],
  ['Fri 2038-09-17T23:59', '2038-09-21T22:00:00Z', 'Mon 20 is a holiday in Thuringia: Tue 21 → Wed 22'],
  ['Fri 2038-10-01T09:00', '2038-10-04T22:00:00Z', '3 October is a Sunday: Mon 4 → Tue 5'],
  ['Thu 2038-10-28T23:59', '2038-10-29T22:00:00Z', 'Fri 29 → Sat 30, the last start in summer time'],
  ['Sat 2038-10-30T12:00', '2038-11-02T23:00:00Z', 'All Saints: Tue 2 → Wed 3, in winter time'],
  ['Sun 2038-10-31T02:30', '2038-11-02T23:00:00Z', 'in the hour that comes twice'],
  ['Mon 2038-11-01T00:01', '2038-11-02T23:00:00Z', 'Tue 2 → Wed 3'],
  ['Mon 2038-11-15T23:59', '2038-11-16T23:00:00Z', 'Tue 16 → Wed 17, a start on Buß- und Bettag'],
  ['Tue 2038-11-16T00:01', '2038-11-18T23:00:00Z', 'over Buß- und Bettag: Thu 18 → Fri 19'],
  ['Wed 2038-12-22T18:00', '2038-12-23T23:00:00Z', 'Thu 23 → Fri 24, a start on Christmas Eve'],
  ['Thu 2038-12-23T00:01', '2038-12-27T23:00:00Z', 'over Christmas: Mon 27 → Tue 28'],
  ['Thu 2038-12-30T09:00', '2039-01-03T23:00:00Z', 'turn of the year: Mon 3 → Tue 4'],
  ['Fri 2038-12-31T23:59', '2039-01-03T23:00:00Z', 'turn of the year: Mon 3 → Tue 4'],
  ['Sat 2028-01-01T00:01', '2028-01-03T23:00:00Z', 'turn of the year: Mon 3 → Tue 4'],
  ['Wed 2028-01-05T09:00', '2028-01-07T23:00:00Z', 'over Epiphany: Fri 7 → Sat 8'],
  ['Fri 2028-02-25T09:00', '2028-02-28T23:00:00Z', 'Mon 28 → Tue 29, a start on a leap day'],
  ['Tue 2028-03-07T09:00', '2028-03-09T23:00:00Z', 'over 8 March: Thu 9 → Fri 10'],
  ['Sat 2028-03-25T23:59', '2028-03-27T22:00:00Z', 'the night to summer time: Mon 27 → Tue 28'],
  ['Wed 2028-04-12T23:59', '2028-04-13T22:00:00Z', 'Thu 13 → Fri 14, a start on Good Friday'],
  ['Thu 2028-04-13T00:01', '2028-04-18T22:00:00Z', 'over Easter: Tue 18 → Wed 19'],
  ['Sun 2028-04-16T12:00', '2028-04-18T22:00:00Z', 'Easter Sunday: Tue 18 → Wed 19'],
  ['Fri 2028-04-28T09:00', '2028-05-02T22:00:00Z', '1 May is a Monday: Tue 2 → Wed 3'],
  ['Wed 2028-05-24T09:00', '2028-05-26T22:00:00Z', 'over Ascension: Fri 26 → Sat 27'],
  ['Fri 2028-06-02T09:00', '2028-06-06T22:00:00Z', 'Pentecost: Tue 6 → Wed 7'],
  ['Wed 2028-06-14T09:00', '2028-06-16T22:00:00Z', 'over Corpus Christi: Fri 16 → Sat 17'],
  ['Mon 2028-08-14T09:00', '2028-08-16T22:00:00Z', 'over Assumption: Wed 16 → Thu 17'],
  ['Tue 2028-09-19T09:00', '2028-09-21T22:00:00Z', 'over 20 September: Thu 21 → Fri 22'],
  ['Fri 2028-09-29T09:00', '2028-10-02T22:00:00Z', 'Mon 2 → Tue 3, a start on a holiday'],
  ['Mon 2028-10-02T09:00', '2028-10-04T22:00:00Z', 'over 3 October: Wed 4 → Thu 5'],
  ['Fri 2028-10-27T09:00', '2028-10-30T23:00:00Z', 'over the end of summer time: Mon 30 → Tue 31'],
  ['Mon 2028-10-30T09:00', '2028-11-02T23:00:00Z', 'over Reformation and All Saints: Thu 2 → Fri 3'],
  ['Tue 2028-11-21T23:59', '2028-11-23T23:00:00Z', 'over Buß- und Bettag: Thu 23 → Fri 24'],
  ['Fri 2028-12-22T09:00', '2028-12-27T23:00:00Z', 'over Christmas: Wed 27 → Thu 28'],
  ['Fri 2028-12-29T09:00', '2029-01-02T23:00:00Z', 'turn of the year: Tue 2 → Wed 3'],
  ['Thu 2035-03-22T12:00', '2035-03-27T22:00:00Z', 'Easter on the day of summer time: Tue 27 → Wed 28'],
  ['Thu 2038-04-22T12:00', '2038-04-27T22:00:00Z', 'the latest Easter: Tue 27 → Wed 28'],
];

/** Days that have passed cannot be played through: a sandbox clock only moves forward. */
function isPast(local: string): boolean {
  return berlin(local) <= Temporal.Now.instant().toString();
}

/** Advances until confirmed; start and activation happen at that midnight and not a second before. */
async function assertStarts(sandbox: Sandbox, id: string, start: string): Promise<void> {
  const confirmed = await advanceUntil(sandbox, id, ({ start_at: at }) => at !== null, 'PT12H', 800);
  assert.equal(confirmed.start_at, start);
  const now = await sandbox.now();
  assert.ok(start > now, `confirmed before it starts, by ${now}`);
  assert.deepEqual([confirmed.status, confirmed.stage, confirmed.next_action], ['pending', 'confirmed', null]);
  await sandbox.advanceTo(later(start, { seconds: -1 }));
  assert.equal((await sandbox.read(id)).status, 'pending', 'not a second too early');
  await sandbox.advanceTo(start);
  const active = await sandbox.read(id);
  assert.deepEqual([active.status, active.stage, active.start_at], ['active', 'supplying', start]);
  assert.equal(active.updated_at, start);
}

describe('with next_possible_start supply starts on the day after the next working day', { concurrency: 8 }, () => {
  for (const [received, start, why] of STARTS) {
    const [weekday = '', local = ''] = received.split(' ');
    test(`signed up ${weekday} ${local.replace('T', ' ')}: ${why}`, { skip: isPast(local) }, async () => {
      const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
      assert.equal(
        names[Temporal.PlainDateTime.from(local).dayOfWeek - 1],
        weekday,
        'the table names the right weekday',
      );
      const sandbox = await openSandbox(service, berlin(local));
      const { id } = await sandbox.signUp();
      await assertStarts(sandbox, id, start);
    });
  }

  test('in both of the hours that come twice on 31 October 2038', async () => {
    for (const at of ['2038-10-31T00:30:00Z', '2038-10-31T01:30:00Z']) {
      const sandbox = await openSandbox(service, at);
      await assertStarts(sandbox, (await sandbox.signUp()).id, '2038-11-02T23:00:00Z');
    }
  });

  test('the UTC date does not matter: 23:30 UTC is the next day in Berlin', async () => {
    // Thu 2030-01-10, 00:30 in Berlin: next working day Fri 11, start Sat 12.
    const sandbox = await openSandbox(service, '2030-01-09T23:30:00Z');
    await assertStarts(sandbox, (await sandbox.signUp()).id, '2030-01-11T23:00:00Z');
  });
});

describe('a previous supplier that confirms costs one more working day', { concurrency: 8 }, () => {
  // He answers on the next working day; the earliest start is counted from there.
  const cases = [
    ['2037-11-23T10:00', '2037-11-25T23:00:00Z'],
    ['2027-03-23T10:00', '2027-03-25T23:00:00Z'],
    ['2027-03-24T10:00', '2027-03-30T22:00:00Z'],
    ['2027-03-25T10:00', '2027-03-31T22:00:00Z'],
    ['2038-12-30T10:00', '2039-01-04T23:00:00Z'],
    ['2028-04-13T10:00', '2028-04-19T22:00:00Z'],
  ] as const;
  for (const [local, start] of cases) {
    test(`signed up ${local.replace('T', ' ')}`, { skip: isPast(local) }, async () => {
      const sandbox = await openSandbox(service, berlin(local));
      const { id, stage } = await sandbox.signUp({ previous_supplier: await sandbox.supplier('confirms') });
      assert.equal(stage, 'cancelling');
      await assertStarts(sandbox, id, start);
    });
  }
});

describe('with an intended start date', { concurrency: 8 }, () => {
  const exact = [
    ['2030-01-07T10:00', '2030-02-01', '2030-01-31T23:00:00Z', 'in the same season'],
    ['2030-01-07T10:00', '2030-06-01', '2030-05-31T22:00:00Z', 'in summer, asked for in winter'],
    ['2030-07-08T10:00', '2030-12-24', '2030-12-23T23:00:00Z', 'in winter, asked for in summer'],
    ['2030-03-11T10:00', '2030-03-31', '2030-03-30T23:00:00Z', 'on the day summer time begins (31 March 2030)'],
    ['2030-10-07T10:00', '2030-10-27', '2030-10-26T22:00:00Z', 'on the day summer time ends (27 October 2030)'],
    ['2030-01-07T10:00', '2031-01-07', '2031-01-06T23:00:00Z', 'twelve months ahead'],
    ['2030-01-07T23:59', '2030-01-09', '2030-01-08T23:00:00Z', 'the earliest permitted, asked for in the last minute'],
  ] as const;
  for (const [at, day, start, why] of exact) {
    for (const supplier of [null, 'confirms'] as const) {
      if (supplier !== null && day === '2030-01-09') continue;
      test(`supply starts exactly then: ${why}${supplier === null ? '' : ', with a supplier to cancel'}`, async () => {
        const sandbox = await openSandbox(service, berlin(at));
        const { id } = await sandbox.signUp({
          next_possible_start: false,
          intended_start_date: day,
          ...(supplier === null ? {} : { previous_supplier: await sandbox.supplier(supplier) }),
        });
        await assertStarts(sandbox, id, start);
        const read = await sandbox.read(id);
        assert.deepEqual(
          [read.intended_start_date, read.requested_start_date, read.requested_start_reason],
          [day, day, null],
        );
      });
    }
  }

  const moved = [
    // Easter 2030 is 21 April: Good Friday 19, Monday 22; after Thursday 18 the next working day is Tuesday 23.
    ['2030-04-18T10:00', '2030-04-19', '2030-04-24', 'over Easter'],
    ['2030-04-18T10:00', '2030-04-23', '2030-04-24', 'over Easter, a day short'],
    // Monday 7 January 2030; one minute into Tuesday the Wednesday cannot be reached any more.
    ['2030-01-08T00:01', '2030-01-09', '2030-01-10', 'a minute too late'],
    ['2030-01-07T10:00', '2030-01-08', '2030-01-09', 'tomorrow'],
  ] as const;
  for (const [at, day, start, why] of moved) {
    test(`too near, it moves by the lead time, with the reason: ${why}`, async () => {
      const sandbox = await openSandbox(service, berlin(at));
      const { id } = await sandbox.signUp({ next_possible_start: false, intended_start_date: day });
      await assertStarts(sandbox, id, berlin(start));
      await assertMovedBy(sandbox, id, 'lead_time', { intended: day, requested: start });
    });
  }

  test('too near for a cancellation first, it moves by the lead time as well', async () => {
    // Mon 7 January: the supplier answers on Tue 8, next working day Wed 9, start Thu 10.
    const sandbox = await openSandbox(service, berlin('2030-01-07T10:00'));
    const { id } = await sandbox.signUp({
      next_possible_start: false,
      intended_start_date: '2030-01-09',
      previous_supplier: await sandbox.supplier('confirms'),
    });
    await assertStarts(sandbox, id, berlin('2030-01-10'));
    await assertMovedBy(sandbox, id, 'lead_time', { intended: '2030-01-09', requested: '2030-01-10' });
  });

  test('a bound contract moves it, with that reason', async () => {
    const sandbox = await openSandbox(service, berlin('2030-01-07T10:00'));
    const { id } = await sandbox.signUp({
      next_possible_start: false,
      intended_start_date: '2030-02-01',
      previous_supplier: await sandbox.supplier('bound'),
    });
    const { requested_start_date: requested } = await advanceUntil(sandbox, id, (each) => each.start_at !== null);
    assert.equal(requested, '2030-04-07', 'three months on');
    await assertMovedBy(sandbox, id, 'previous_contract', { intended: '2030-02-01', requested: '2030-04-07' });
  });

  test('not moved by the caller past the end of the contract that is cancelled, which the contract of the route tells', async () => {
    const sandbox = await openSandbox(service, berlin('2030-01-07T10:00'));
    const { id } = await sandbox.signUp({
      next_possible_start: false,
      intended_start_date: '2030-02-01',
      previous_supplier: await sandbox.supplier('confirms'),
    });
    await advanceUntil(sandbox, id, ({ stage }) => stage === 'registering', 'PT3H');
    const reply = await sandbox.patch(id, { intended_start_date: '2030-03-01' });
    const { status, json } = reply;
    assert.deepEqual(
      [status, json.code, json.previous_contract_end],
      [422, 'start_leaves_gap', '2030-02-01'],
      reply.text,
    );
    assert.deepEqual(fieldErrors(reply), ['/intended_start_date start_leaves_gap']);
    const { paths } = must(await service.call('GET', '/openapi.json'), 200);
    assert.match(paths['/subscriptions/{id}'].patch.responses['422'].description, /`start_leaves_gap`/);
  });

  test('not chosen before the day from which on the old contract no longer binds, as next_action says', async () => {
    const sandbox = await openSandbox(service, berlin('2030-01-07T10:00'));
    for (const wish of [{}, { next_possible_start: false, intended_start_date: '2030-02-01' }]) {
      const { id } = await sandbox.signUp({ ...wish, previous_supplier: await sandbox.supplier('bound') });
      const asked = await advanceUntil(sandbox, id, ({ next_action: action }) => action !== null, 'PT6H');
      const earliest = /\d{4}-\d\d-\d\d/.exec(asked.next_action.message)?.[0] ?? '';
      const timeline = await sandbox.timeline(id);
      const dayBefore = Temporal.PlainDate.from(earliest).subtract({ days: 1 }).toString();
      for (const day of [dayBefore, '2030-02-01']) {
        const reply = await sandbox.patch(id, { intended_start_date: day, metadata: { a: 1 } });
        const { status, json } = reply;
        assert.deepEqual(
          [status, json.code, json.earliest_start_date, fieldErrors(reply)],
          [422, 'start_date_too_early', earliest, ['/intended_start_date start_date_too_early']],
          reply.text,
        );
        assert.deepEqual(await sandbox.read(id), asked);
        assert.deepEqual(await sandbox.timeline(id), timeline);
      }
      const chosen = must(await sandbox.patch(id, { intended_start_date: earliest }), 200);
      assert.deepEqual([chosen.next_action, chosen.requested_start_date], [null, earliest]);
    }
    const { paths } = must(await service.call('GET', '/openapi.json'), 200);
    assert.match(paths['/subscriptions/{id}'].patch.responses['422'].description, /`start_date_too_early`/);
  });

  test('“in the future” and “twelve months” are counted by the project’s clock', async () => {
    const sandbox = await openSandbox(service, berlin('2030-01-07T23:59'));
    const cases: [day: string, errors: string[]][] = [
      ['2030-01-07', ['/intended_start_date not_in_future']],
      ['2026-12-24', ['/intended_start_date not_in_future']],
      ['2031-01-08', ['/intended_start_date too_far_ahead']],
    ];
    for (const [day, errors] of cases) {
      const body = sandboxBody(sandbox, { next_possible_start: false, intended_start_date: day });
      const reply = await sandbox.call('POST', '/subscriptions', { body });
      assert.equal(reply.status, 400, `${day} ${reply.text}`);
      assert.deepEqual(fieldErrors(reply), errors);
    }
  });
});

interface Move {
  readonly intended: string;
  readonly requested: string;
}

/** The move stands on the subscription, and one event (that of the sign-up, or a later one) says why. */
async function assertMovedBy(
  sandbox: Sandbox,
  id: string,
  reason: string,
  { intended, requested }: Move,
): Promise<void> {
  const read = await sandbox.read(id);
  assert.deepEqual(
    [read.intended_start_date, read.requested_start_date, read.requested_start_reason],
    [intended, requested, reason],
  );
  const reasons = (await sandbox.timeline(id)).flatMap(({ event }) => event?.reason ?? []);
  assert.deepEqual(reasons, [reason], 'one event tells why it moved');
}
