/** How a subscription ends: termination, moving out, withdrawal, and taking it back. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldErrors, type Json } from '../support/builders.ts';
import {
  addressIn,
  advanceUntil,
  berlin,
  eventTypes,
  later,
  messageCodes,
  meterOnly,
  must,
  openSandbox,
  signUpActive,
  signUpConfirmed,
  transitions,
  type Sandbox,
} from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** Monday; without a previous supplier supply starts on Wednesday, 9 January 2030. */
const MONDAY = berlin('2030-01-07T10:00');

/** A refusal that leaves the subscription, its timeline and its entity tag as they were. */
async function assertRefused(
  sandbox: Sandbox,
  id: string,
  request: () => Promise<Reply>,
  expected: readonly [status: number, code: string],
): Promise<Reply> {
  const read = (): Promise<Reply> => sandbox.call('GET', `/subscriptions/${id}`);
  await sandbox.settle();
  const [before, timeline] = [await read(), await sandbox.timeline(id)];
  const reply = await request();
  assert.deepEqual([reply.status, reply.json?.code], expected, reply.text);
  const after = await read();
  assert.equal(after.text, before.text);
  assert.equal(after.headers.get('etag'), before.headers.get('etag'));
  assert.deepEqual(await sandbox.timeline(id), timeline);
  return reply;
}

/** Ends in its day, with this reason, and the place is free for another sign-up. */
async function assertEnds(sandbox: Sandbox, id: string, end: string, reason: string): Promise<void> {
  await sandbox.advanceTo(later(end, { seconds: -1 }));
  const last = await sandbox.read(id);
  assert.deepEqual([last.status, last.stage, last.end_reason, last.end_at], ['active', 'ending', null, end]);
  await sandbox.advanceTo(end);
  const ended = await sandbox.read(id);
  assert.deepEqual([ended.status, ended.stage, ended.end_reason, ended.end_at], ['ended', 'ended', reason, end]);
  assert.equal(ended.next_action, null);
  assert.deepEqual(transitions(await sandbox.timeline(id)).slice(-2), ['supplying → ending', 'ending → ended']);
  assert.equal(eventTypes(await sandbox.timeline(id)).at(-1), 'ended');
  const { malo, number } = must(await sandbox.call('GET', `/subscriptions/${id}?expand[]=meter`), 200).meter;
  await sandbox.signUp({ meter: { malo, number, type: 'modern', estimated_usage: 1 } });
}

/**
 * The plan's notice, and the earliest first day without supply for a termination on Monday, 14 January 2030, 10:00:
 * the notice begins on that day, and ends with a day. Short ones yield to the lead time: told on Tuesday 15 at the
 * latest, next working day Wednesday 16, end on Thursday 17.
 */
const NOTICES = [
  ['P14D', '2030-01-29'],
  ['P2W', '2030-01-29'],
  ['P1M', '2030-02-15'],
  ['P6W', '2030-02-26'],
  ['P3M', '2030-04-15'],
] as const;

describe('an ordinary termination', { concurrency: 6 }, () => {
  for (const [notice, earliest] of NOTICES) {
    test(`ends after the plan’s notice of ${notice}, and a day earlier is refused`, async () => {
      const sandbox = await openSandbox(service, MONDAY, { cancellation_period: notice });
      const { id } = await signUpActive(sandbox);
      await sandbox.advanceTo(berlin('2030-01-14T10:00'));
      const dayBefore = Temporal.PlainDate.from(earliest).subtract({ days: 1 }).toString();
      const ask = (day: string) => (): Promise<Reply> =>
        sandbox.act(id, 'terminate', { reason: 'ordinary', intended_end_date: day });
      const refused = await assertRefused(sandbox, id, ask(dayBefore), [422, 'end_date_too_early']);
      assert.equal(refused.json.earliest_end_date, earliest);
      assert.deepEqual(fieldErrors(refused), ['/intended_end_date end_date_too_early']);
      const terminated = must(await ask(earliest)(), 200);
      assert.deepEqual(
        [terminated.status, terminated.stage, terminated.terminated_at, terminated.end_at],
        ['active', 'ending', berlin('2030-01-14T10:00'), berlin(earliest)],
      );
      assert.equal(eventTypes(await sandbox.timeline(id)).at(-1), 'terminated');
      await assertEnds(sandbox, id, berlin(earliest), 'terminated');
    });
  }

  for (const notice of ['P1D', 'P0D']) {
    test(`respects the market’s lead time where the notice of ${notice} is shorter`, async () => {
      // Thursday before Easter 2030 (19 to 22 April): the next working day is Tuesday 23.
      const sandbox = await openSandbox(service, berlin('2030-04-08T10:00'), { cancellation_period: notice });
      const { id } = await signUpActive(sandbox);
      await sandbox.advanceTo(berlin('2030-04-18T10:00'));
      const { end_at: end } = must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
      assert.equal(end, berlin('2030-04-24'));
      await assertEnds(sandbox, id, end, 'terminated');
    });
  }

  test('is told to the grid operator in time for the end it promises', async () => {
    // The day on which the message is sent, and the earliest lawful end: the day after the next working day.
    const lawful: Record<string, string> = {
      '2030-01-14': '2030-01-16',
      '2030-01-15': '2030-01-17',
      '2030-01-18': '2030-01-22',
      '2030-01-19': '2030-01-22',
    };
    for (const day of ['2030-01-14', '2030-01-18']) {
      for (const time of ['00:00', '10:00', '23:59']) {
        const sandbox = await openSandbox(service, MONDAY, { cancellation_period: 'P0D' });
        const { id } = await signUpActive(sandbox);
        await sandbox.advanceTo(berlin(`${day}T${time}`));
        const { end_at: end } = must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
        await assertEnds(sandbox, id, end, 'terminated');
        const told = (await sandbox.timeline(id)).find(({ message }) => message?.identifier === '55004');
        const zoned = Temporal.Instant.from(told?.timestamp ?? '').toZonedDateTimeISO('Europe/Berlin');
        const earliest = lawful[zoned.toPlainDate().toString()];
        assert.ok(earliest !== undefined && end >= berlin(earliest), `told on ${zoned.toString()}, ends ${end}`);
      }
    }
  });

  test('without a date ends on the earliest, with a later one then', async () => {
    for (const [day, end] of [
      [undefined, '2030-02-15'],
      ['2030-07-01', '2030-07-01'],
    ] as const) {
      const sandbox = await openSandbox(service, MONDAY);
      const { id } = await signUpActive(sandbox);
      await sandbox.advanceTo(berlin('2030-01-14T10:00'));
      const body = { reason: 'ordinary', ...(day === undefined ? {} : { intended_end_date: day }) };
      assert.equal(must(await sandbox.act(id, 'terminate', body), 200).end_at, berlin(end));
      await assertEnds(sandbox, id, berlin(end), 'terminated');
      assert.ok(messageCodes(await sandbox.timeline(id)).includes('> 55004'), 'the grid operator is told');
      assert.ok(messageCodes(await sandbox.timeline(id)).some((code) => code.startsWith('< 55005')));
    }
  });

  test('before the start stays confirmed, and supply begins and ends', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id, start_at: start } = await signUpConfirmed(sandbox);
    const terminated = must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
    assert.deepEqual([terminated.status, terminated.stage, terminated.start_at], ['pending', 'confirmed', start]);
    assert.notEqual(terminated.terminated_at, null);
    await sandbox.advanceTo(start);
    const begun = await sandbox.read(id);
    assert.deepEqual([begun.status, begun.stage, begun.end_at], ['active', 'ending', terminated.end_at]);
    await assertEnds(sandbox, id, terminated.end_at, 'terminated');
  });

  test('needs the notice that the plan had at the sign-up, whatever becomes of the plan', async () => {
    const sandbox = await openSandbox(service, MONDAY, { cancellation_period: 'P14D' });
    const { id } = await signUpActive(sandbox);
    must(await sandbox.call('PATCH', `/plans/${sandbox.planId}`, { body: { cancellation_period: 'P1M' } }), 200);
    const { id: later } = await signUpActive(sandbox);
    await sandbox.advanceTo(berlin('2030-02-11T10:00'));
    const endOf = async (each: string): Promise<string> =>
      must(await sandbox.act(each, 'terminate', { reason: 'ordinary' }), 200).end_at;
    assert.deepEqual([await endOf(id), await endOf(later)], [berlin('2030-02-26'), berlin('2030-03-12')]);
  });
});

describe('moving out', { concurrency: 6 }, () => {
  test('needs six weeks’ notice where the plan has more', async () => {
    const sandbox = await openSandbox(service, MONDAY, { cancellation_period: 'P3M' });
    const { id } = await signUpActive(sandbox);
    await sandbox.advanceTo(berlin('2030-01-14T10:00'));
    const ask = (day: string) => (): Promise<Reply> =>
      sandbox.act(id, 'terminate', { reason: 'move_out', intended_end_date: day });
    const refused = await assertRefused(sandbox, id, ask('2030-01-20'), [422, 'end_date_too_early']);
    const { earliest_end_date: earliest } = refused.json;
    assert.equal(earliest, '2030-02-26');
    const terminated = must(await ask(earliest)(), 200);
    assert.equal(terminated.end_at, berlin(earliest));
    await assertEnds(sandbox, id, terminated.end_at, 'moved_out');
    const told = (await sandbox.timeline(id)).find(({ message }) => message?.identifier === '55004');
    assert.equal(told?.message.contents.reason, 'E01');
  });

  test('needs no more than the plan’s notice where that is shorter', async () => {
    const sandbox = await openSandbox(service, MONDAY, { cancellation_period: 'P14D' });
    const { id } = await signUpActive(sandbox);
    await sandbox.advanceTo(berlin('2030-01-14T10:00'));
    const body = { reason: 'move_out', intended_end_date: '2030-01-29' };
    assert.equal(must(await sandbox.act(id, 'terminate', body), 200).end_at, berlin('2030-01-29'));
  });

  test('is counted from the day on which the notice came, also where it is recorded later', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    await sandbox.advanceTo(berlin('2030-01-14T10:00'));
    const asked = { reason: 'ordinary', intended_end_date: '2030-02-10' };
    await assertRefused(sandbox, id, () => sandbox.act(id, 'terminate', asked), [422, 'end_date_too_early']);
    const noticed = { ...asked, notice_date: '2030-01-09' };
    const { end_at: end, terminated_at: at } = must(await sandbox.act(id, 'terminate', noticed), 200);
    assert.deepEqual([end, at], [berlin('2030-02-10'), await sandbox.now()]);
  });

  test('has a date; a withdrawal has none; reason and date are checked', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    const cases: [body: unknown, errors: string[]][] = [
      [{ reason: 'move_out' }, ['/intended_end_date required']],
      [{ reason: 'withdrawal', intended_end_date: '2030-03-01' }, ['/intended_end_date not_allowed']],
      [{ reason: 'ordinary', intended_end_date: '2030-02-30' }, ['/intended_end_date invalid_date']],
      // A year mistyped: once the grid operator has confirmed it, there would be no other end.
      [{ reason: 'ordinary', intended_end_date: '2300-03-01' }, ['/intended_end_date too_far_ahead']],
      [{ reason: 'move_out', intended_end_date: '9999-12-31' }, ['/intended_end_date too_far_ahead']],
      [{}, ['/reason required']],
      [{ reason: 'rejected' }, ['/reason invalid_value']],
      [{ reason: 'ordinary', at: '2030-03-01' }, ['/at unknown_field']],
      [{ reason: 'ordinary', notice_date: '2030-02-30' }, ['/notice_date invalid_date']],
      [{ reason: 'ordinary', notice_date: '2030-01-06' }, ['/notice_date before_conclusion']],
      [{ reason: 'withdrawal', notice_date: '2030-03-01' }, ['/notice_date in_future']],
    ];
    for (const [body, errors] of cases) {
      const reply = await sandbox.act(id, 'terminate', body);
      assert.equal(reply.status, 400, reply.text);
      if (!errors[0]?.startsWith('/reason')) assert.deepEqual(fieldErrors(reply), errors);
    }
    assert.equal((await sandbox.read(id)).stage, 'supplying');
  });
});

describe('a withdrawal', { concurrency: 6 }, () => {
  const withdraw = (sandbox: Sandbox, id: string): Promise<Reply> =>
    sandbox.act(id, 'terminate', { reason: 'withdrawal' });

  const assertWithdrawn = (read: Json, start: string | null = null): void => {
    assert.deepEqual(
      [read.status, read.stage, read.end_reason, read.start_at, read.next_action],
      ['ended', 'ended', 'withdrawn', start, null],
    );
    assert.ok(read.terminated_at !== null && read.end_at !== null && read.end_at >= read.terminated_at);
  };

  test('while the market location is searched or the old supplier cancelled ends it at once', async () => {
    for (const stage of ['identifying', 'cancelling']) {
      const sandbox = await openSandbox(service, MONDAY);
      const place = stage === 'identifying' ? { meter: meterOnly() } : {};
      const { id } = await sandbox.signUp({ ...place, previous_supplier: await sandbox.supplier('confirms') });
      assert.equal((await sandbox.read(id)).stage, stage);
      await sandbox.settle();
      assertWithdrawn(must(await withdraw(sandbox, id), 200));
      await sandbox.advanceBy('P30D');
      assertWithdrawn(await sandbox.read(id));
      assert.equal(
        messageCodes(await sandbox.timeline(id)).includes('> 55001'),
        false,
        'nothing is registered any more',
      );
    }
  });

  test('while somebody has to act ends it, and nothing is required any more', async () => {
    for (const zip of ['99901', '99902', '99905', '99906', '99932']) {
      const sandbox = await openSandbox(service, MONDAY);
      const { id } = await sandbox.signUp({
        address: addressIn(zip),
        ...(zip === '99901' ? { meter: meterOnly() } : {}),
      });
      await advanceUntil(sandbox, id, ({ next_action: action }) => action !== null, 'PT6H');
      must(await withdraw(sandbox, id), 200);
      await sandbox.advanceBy('P3D');
      assertWithdrawn(await sandbox.read(id));
      const types = eventTypes(await sandbox.timeline(id));
      assert.ok(types.includes('ended') && types.includes('action_resolved'), String(types));
    }
  });

  test('while the registration is unanswered reverses it first', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    await sandbox.advanceBy('PT1H');
    const asked = must(await withdraw(sandbox, id), 200);
    assert.equal(asked.terminated_at, await sandbox.now());
    await sandbox.settle();
    assert.equal(messageCodes(await sandbox.timeline(id)).at(-1), '> 55022');
    await sandbox.advanceBy('P3D');
    assertWithdrawn(await sandbox.read(id));
    const codes = messageCodes(await sandbox.timeline(id));
    assert.deepEqual([codes[0], codes[1]], ['> 55001', '> 55022']);
    assert.ok(codes.includes('< 55023'), String(codes));
    assert.equal(eventTypes(await sandbox.timeline(id)).includes('activated'), false);
  });

  test('of a confirmed start in time revokes exactly that day, and it never starts', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id, start_at: start } = await signUpConfirmed(sandbox, {
      next_possible_start: false,
      intended_start_date: '2030-01-31',
    });
    must(await withdraw(sandbox, id), 200);
    await sandbox.advanceTo(later(start, { hours: -24 }));
    const read = await sandbox.read(id);
    assert.deepEqual([read.status, read.end_reason], ['ended', 'withdrawn']);
    const told = (await sandbox.timeline(id)).find(({ message }) => message?.identifier === '55004');
    assert.deepEqual([told?.message.contents.reason, told?.message.contents.end], ['ZH2', '2030-01-31']);
    await sandbox.advanceBy('P30D');
    assert.equal(eventTypes(await sandbox.timeline(id)).includes('activated'), false);
  });

  test('too late to revoke the start: supply begins, and ends as soon as the lead time permits', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id, start_at: start } = await signUpConfirmed(sandbox);
    must(await withdraw(sandbox, id), 200);
    await sandbox.advanceBy('P14D');
    const read = await sandbox.read(id);
    assert.deepEqual([read.status, read.end_reason, read.start_at], ['ended', 'withdrawn', start]);
    // Told on Tuesday 8, or at the next midnight: the end is Thursday 10 or Friday 11.
    assert.ok(read.end_at > start && read.end_at <= berlin('2030-01-11'), read.end_at);
    assert.deepEqual(eventTypes(await sandbox.timeline(id)).slice(-1), ['ended']);
  });

  // Start on Thursday 17: to revoke it the grid operator must be told by Tuesday 15, the day before a working day.
  for (const [at, isInTime] of [
    ['2030-01-15T23:59:59', true],
    ['2030-01-16T00:00', false],
    ['2030-01-16T23:59:59', false],
  ] as const) {
    test(`of a start on Thursday, told on ${at}, ${isInTime ? 'prevents' : 'cannot prevent'} it`, async () => {
      const sandbox = await openSandbox(service, MONDAY);
      const asked = { next_possible_start: false, intended_start_date: '2030-01-17' };
      const { id, start_at: start } = await signUpConfirmed(sandbox, asked);
      await sandbox.advanceTo(berlin(at));
      must(await withdraw(sandbox, id), 200);
      await sandbox.advanceTo(start);
      const then = await sandbox.read(id);
      assert.deepEqual([then.status, then.end_reason], isInTime ? ['ended', 'withdrawn'] : ['active', null]);
      if (!isInTime) await assertEnds(sandbox, id, berlin('2030-01-18'), 'withdrawn');
      assert.equal(eventTypes(await sandbox.timeline(id)).includes('activated'), !isInTime);
    });
  }

  test('during supply, in its 14 days, ends supply', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    await sandbox.advanceTo(berlin('2030-01-14T10:00'));
    const { end_at: end, stage } = must(await withdraw(sandbox, id), 200);
    assert.equal(stage, 'ending');
    assert.ok(end >= berlin('2030-01-16') && end <= berlin('2030-01-17'), end);
    await assertRefused(sandbox, id, () => sandbox.act(id, 'undo-termination'), [409, 'not_in_this_stage']);
    await assertEnds(sandbox, id, end, 'withdrawn');
  });

  test('after a termination shows its own moment, and tells whose doing the end is', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    const { terminated_at: earlier } = must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
    await sandbox.advanceBy('PT2H');
    const withdrawn = must(await withdraw(sandbox, id), 200);
    assert.equal(withdrawn.terminated_at, await sandbox.now());
    const { event } = (await sandbox.timeline(id)).findLast(({ type }) => type === 'event')!;
    assert.deepEqual(
      [event.type, event.reason, event.previous_attributes.terminated_at],
      ['subscription.updated', 'withdrawal', earlier],
    );
    await assertEnds(sandbox, id, withdrawn.end_at, 'withdrawn');
    assert.equal((await sandbox.read(id)).terminated_at, withdrawn.terminated_at);
  });

  // Conclusion day, last day: the 14th after it, or the next working day where that one is none (§ 193 BGB).
  const periods = [
    ['2030-01-07T10:00', '2030-01-21', 'a Monday'],
    ['2030-01-07T00:00', '2030-01-21', 'concluded in the first second of its day'],
    ['2030-01-07T23:59:59', '2030-01-21', 'concluded in the last second of its day'],
    ['2030-03-20T10:00', '2030-04-03', 'over the beginning of summer time'],
    ['2030-01-13T10:00', '2030-01-28', 'the 14th day is a Sunday: the Monday after'],
    ['2030-04-05T10:00', '2030-04-23', 'the 14th day is Good Friday: the Tuesday after Easter'],
  ] as const;
  for (const [concluded, lastDay, why] of periods) {
    test(`is possible until the end of the 14th day, after it only where it was sent by then: ${why}`, async () => {
      const midnight = berlin(Temporal.PlainDate.from(lastDay).add({ days: 1 }).toString());
      for (const isInTime of [true, false]) {
        const sandbox = await openSandbox(service, berlin(concluded));
        const { id } = await sandbox.signUp();
        await sandbox.advanceTo(isInTime ? later(midnight, { seconds: -1 }) : midnight);
        assert.equal((await sandbox.read(id)).status, 'active');
        if (isInTime) must(await withdraw(sandbox, id), 200);
        else {
          await assertRefused(sandbox, id, () => withdraw(sandbox, id), [422, 'withdrawal_period_over']);
          must(await sandbox.act(id, 'terminate', { reason: 'withdrawal', notice_date: lastDay }), 200);
        }
      }
    });
  }

  test('after its period is refused in every stage before supply as well', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp({ address: addressIn('99905') });
    await sandbox.advanceBy('P20D');
    await assertRefused(sandbox, id, () => withdraw(sandbox, id), [422, 'withdrawal_period_over']);
  });
});

describe('taking a termination back', { concurrency: 6 }, () => {
  async function openTerminated(): Promise<{ sandbox: Sandbox; id: string; undo: () => Promise<Reply> }> {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    await sandbox.advanceTo(berlin('2030-01-14T10:00'));
    must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
    return { sandbox, id, undo: () => sandbox.act(id, 'undo-termination') };
  }

  test('before anybody was told takes effect at once', async () => {
    const { sandbox, id, undo } = await openTerminated();
    await sandbox.settle();
    const { status, stage, terminated_at: terminatedAt, end_at: end } = must(await undo(), 200);
    assert.deepEqual([status, stage, terminatedAt, end], ['active', 'supplying', null, null]);
    const timeline = await sandbox.timeline(id);
    assert.deepEqual(eventTypes(timeline).slice(-2), ['terminated', 'termination_undone']);
    await sandbox.advanceBy('P1Y');
    assert.equal((await sandbox.read(id)).stage, 'supplying');
    assert.equal(messageCodes(await sandbox.timeline(id)).includes('> 55004'), false, 'nobody ever hears of it');
    await assertRefused(sandbox, id, undo, [409, 'not_in_this_stage']);
    must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
  });

  test('after the grid operator was told asks him to forget it, then supply goes on', async () => {
    const { sandbox, id, undo } = await openTerminated();
    await advanceUntilSent(sandbox, id, '> 55004');
    assert.equal(must(await undo(), 200).stage, 'ending', 'until he agrees');
    await sandbox.advanceBy('P3D');
    const { stage, terminated_at: terminatedAt, end_at: end } = await sandbox.read(id);
    assert.deepEqual([stage, terminatedAt, end], ['supplying', null, null]);
    const codes = messageCodes(await sandbox.timeline(id));
    assert.ok(codes.indexOf('> 55022') > codes.indexOf('> 55004') && codes.includes('< 55023'), String(codes));
    assert.deepEqual(eventTypes(await sandbox.timeline(id)).slice(-1), ['termination_undone']);
    await sandbox.advanceBy('P1Y');
    assert.equal((await sandbox.read(id)).status, 'active');
  });

  test('after he has confirmed is refused, and it ends', async () => {
    const { sandbox, id, undo } = await openTerminated();
    await advanceUntilSent(sandbox, id, '< 55005 A11');
    await assertRefused(sandbox, id, undo, [409, 'termination_confirmed']);
    await assertEnds(sandbox, id, berlin('2030-02-15'), 'terminated');
    await assertRefused(sandbox, id, undo, [409, 'not_in_this_stage']);
  });

  /** In steps of two hours, until a message was sent or received. */
  async function advanceUntilSent(sandbox: Sandbox, id: string, code: string): Promise<void> {
    for (let step = 0; step < 12 * 40; step += 1) {
      if (messageCodes(await sandbox.timeline(id)).includes(code)) return;
      await sandbox.advanceBy('PT2H');
    }
    assert.fail(`never ${code}: ${messageCodes(await sandbox.timeline(id)).join()}`);
  }
});

describe('what is asked in a wrong stage, of a stale state or twice', { concurrency: 6 }, () => {
  test('ordinary and move_out are refused before the start is confirmed', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    for (const body of [{ reason: 'ordinary' }, { reason: 'move_out', intended_end_date: '2030-06-01' }]) {
      await assertRefused(sandbox, id, () => sandbox.act(id, 'terminate', body), [409, 'not_in_this_stage']);
    }
    await assertRefused(sandbox, id, () => sandbox.act(id, 'undo-termination'), [409, 'not_in_this_stage']);
  });

  test('what has ended cannot be ended, withdrawn or taken back', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp({ previous_supplier: await sandbox.supplier('confirms') });
    must(await sandbox.act(id, 'terminate', { reason: 'withdrawal' }), 200);
    for (const reason of ['ordinary', 'withdrawal']) {
      await assertRefused(sandbox, id, () => sandbox.act(id, 'terminate', { reason }), [409, 'not_in_this_stage']);
    }
    await assertRefused(sandbox, id, () => sandbox.act(id, 'undo-termination'), [409, 'not_in_this_stage']);
    await assertRefused(sandbox, id, () => sandbox.act(id, 'retry'), [409, 'nothing_to_retry']);
  });

  test('a second ordinary termination is refused', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
    const again = (): Promise<Reply> => sandbox.act(id, 'terminate', { reason: 'ordinary' });
    await assertRefused(sandbox, id, again, [409, 'not_in_this_stage']);
  });

  test('of several terminations at once one is accepted, and of several undos one', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    for (const [action, body] of [['terminate', { reason: 'ordinary' }], ['undo-termination']] as const) {
      const replies = await Promise.all([1, 2, 3, 4].map(() => sandbox.act(id, action, body)));
      assert.deepEqual(replies.map(({ status }) => String(status)).sort(), ['200', '409', '409', '409'], action);
    }
    assert.deepEqual(eventTypes(await sandbox.timeline(id)).slice(-2), ['terminated', 'termination_undone']);
  });

  test('If-Match of another state is 412, of the present one goes through', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    const stale = { 'if-match': '"stale"' };
    const code = 'precondition_failed';
    await assertRefused(sandbox, id, () => sandbox.act(id, 'terminate', { reason: 'ordinary' }, stale), [412, code]);
    await assertRefused(sandbox, id, () => sandbox.patch(id, { metadata: { a: 1 } }, stale), [412, code]);
    const tag = async (): Promise<Record<string, string>> => ({
      'if-match': (await sandbox.call('GET', `/subscriptions/${id}`)).headers.get('etag') ?? '',
    });
    must(await sandbox.patch(id, { metadata: { a: 1 } }, await tag()), 200);
    const old = await tag();
    const terminated = await sandbox.act(id, 'terminate', { reason: 'ordinary' }, old);
    assert.equal(terminated.status, 200, terminated.text);
    assert.notEqual(terminated.headers.get('etag'), old['if-match']);
    assert.equal(terminated.headers.get('etag'), (await tag())['if-match'], 'the answer carries the new tag');
    await assertRefused(sandbox, id, () => sandbox.act(id, 'undo-termination', undefined, old), [412, code]);
    must(await sandbox.act(id, 'undo-termination', undefined, await tag()), 200);
  });

  test('an Idempotency-Key makes terminate, undo, PATCH and the clock happen once', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    const requests: [key: string, send: (headers: Record<string, string>) => Promise<Reply>][] = [
      ['patch', (headers) => sandbox.patch(id, { metadata: { a: 1 } }, headers)],
      ['terminate', (headers) => sandbox.act(id, 'terminate', { reason: 'ordinary' }, headers)],
      ['undo', (headers) => sandbox.act(id, 'undo-termination', undefined, headers)],
      ['clock', (headers) => sandbox.call('POST', '/sandbox/clock', { body: { advance_by: 'P1D' }, headers })],
    ];
    for (const [key, send] of requests) {
      const first = await send({ 'idempotency-key': key });
      assert.equal(first.status, 200, first.text);
      const [now, timeline] = [await sandbox.now(), await sandbox.timeline(id)];
      const second = await send({ 'idempotency-key': key });
      assert.deepEqual([second.status, second.text], [200, first.text], key);
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.equal(await sandbox.now(), now);
      assert.deepEqual(await sandbox.timeline(id), timeline, `${key} happened once`);
    }
    const other = await sandbox.patch(id, { metadata: { a: 2 } }, { 'idempotency-key': 'terminate' });
    assert.deepEqual([other.status, other.json.code], [422, 'idempotency_key_reused']);
    assert.deepEqual((await sandbox.read(id)).metadata, { a: 1 });
  });

  test('a refusal is replayed as well', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpActive(sandbox);
    const body = { reason: 'ordinary', intended_end_date: '2030-01-10' };
    const ask = (): Promise<Reply> => sandbox.act(id, 'terminate', body, { 'idempotency-key': 'too early' });
    const first = await ask();
    assert.equal(first.status, 422, first.text);
    await sandbox.advanceBy('P7D');
    const second = await ask();
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal(second.json.earliest_end_date, first.json.earliest_end_date);
  });

  test('of another project there is nothing to see or do', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const other = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    const replies = [
      await other.patch(id, { metadata: { a: 1 } }),
      await other.act(id, 'terminate', { reason: 'withdrawal' }),
      await other.act(id, 'undo-termination'),
      await other.act(id, 'retry'),
      await other.call('GET', `/subscriptions/${id}/timeline`),
      await other.call('GET', `/subscriptions/${id}?as_of=${MONDAY}`),
    ];
    for (const reply of replies) assert.deepEqual([reply.status, reply.json.code], [404, 'not_found']);
    assert.equal((await sandbox.read(id)).status, 'pending');
  });
});
