/** The sandbox market: each row leads to its documented next_action, and doing what that says leads to supply. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { uniqueMalo, uniqueMeterNumber, type Json } from '../support/builders.ts';
import {
  addressIn,
  advanceUntil,
  berlin,
  eventTypes,
  follow,
  followToRest,
  messageCodes,
  meterOnly,
  must,
  openSandbox,
  outstanding,
  SUPPLIERS,
  type Follower,
  type Sandbox,
  type Strategy,
} from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** A Monday in a fortnight without holidays. */
const MONDAY = berlin('2030-06-24T10:00');

interface Row {
  readonly name: string;
  readonly supplier?: string;
  readonly zip?: string;
  readonly isSearched?: boolean;
}

async function signUpTo(sandbox: Sandbox, { supplier, zip, isSearched }: Row): Promise<Json> {
  return sandbox.signUp({
    ...(supplier === undefined ? {} : { previous_supplier: await sandbox.supplier(supplier) }),
    ...(zip === undefined ? {} : { address: addressIn(zip) }),
    ...(isSearched === true ? { meter: meterOnly() } : {}),
  });
}

interface ExpectedAction {
  readonly code: string;
  readonly actor: string;
  readonly fields: readonly string[];
  readonly resolve: 'PATCH' | 'retry' | null;
  readonly due: string | null;
  readonly retry: string | null;
}
const NAMES = ['/customer/first_name', '/customer/last_name'];
/** The 20th working day after Monday 24 and after Tuesday 25 June 2030; no holiday lies between. */
const TWENTY_DAYS = { mon: '2030-07-22', tue: '2030-07-23' } as const;

/** As docs/market.md has them for a sign-up on Monday, 24 June 2030, 10:00, by a person. */
const WITH_ACTION: readonly (Row & {
  expected: ExpectedAction;
  whenNobodyActs: 'rejected' | 'active' | 'operator' | 'waits';
})[] = [
  {
    name: 'the supplier is bound',
    supplier: 'bound',
    expected: {
      code: 'previous_contract_bound',
      actor: 'customer',
      fields: ['/intended_start_date', '/previous_supplier'],
      resolve: 'PATCH',
      due: null,
      retry: 'some',
    },
    whenNobodyActs: 'active',
  },
  {
    name: 'the supplier doubts the authority',
    supplier: 'doubts authority',
    expected: {
      code: 'power_of_attorney_doubted',
      actor: 'customer',
      fields: [...NAMES, '/previous_supplier'],
      resolve: 'PATCH',
      due: TWENTY_DAYS.tue,
      retry: null,
    },
    whenNobodyActs: 'rejected',
  },
  {
    name: 'the supplier is silent',
    supplier: 'silent',
    expected: {
      code: 'cancellation_unanswered',
      actor: 'previous_supplier',
      fields: ['/previous_supplier'],
      resolve: 'PATCH',
      due: 'some',
      retry: null,
    },
    whenNobodyActs: 'operator',
  },
  {
    name: '99901: no match',
    zip: '99901',
    isSearched: true,
    expected: {
      code: 'market_location_not_found',
      actor: 'customer',
      fields: ['/meter/malo', '/meter/number', '/address', ...NAMES],
      resolve: 'PATCH',
      due: TWENTY_DAYS.mon,
      retry: null,
    },
    whenNobodyActs: 'rejected',
  },
  {
    name: '99903: several matches',
    zip: '99903',
    isSearched: true,
    expected: {
      code: 'market_location_ambiguous',
      actor: 'customer',
      fields: ['/meter/malo', '/meter/number', '/address'],
      resolve: 'PATCH',
      due: TWENTY_DAYS.mon,
      retry: null,
    },
    whenNobodyActs: 'rejected',
  },
  {
    name: '99902: shut down',
    zip: '99902',
    expected: {
      code: 'market_location_shut_down',
      actor: 'customer',
      fields: ['/meter/malo', '/address', '/meter/number'],
      resolve: 'PATCH',
      due: TWENTY_DAYS.tue,
      retry: null,
    },
    whenNobodyActs: 'rejected',
  },
  {
    name: '99905: no balancing-group authority',
    zip: '99905',
    expected: {
      code: 'balancing_group_authority_missing',
      actor: 'operator',
      fields: [],
      resolve: 'retry',
      due: null,
      retry: null,
    },
    whenNobodyActs: 'waits',
  },
  {
    name: '99906: another registration is open',
    zip: '99906',
    expected: {
      code: 'concurrent_registration',
      actor: 'grid_operator',
      fields: [],
      resolve: null,
      due: null,
      retry: 'some',
    },
    whenNobodyActs: 'active',
  },
  {
    name: '99932: not a move-in',
    zip: '99932',
    expected: {
      code: 'not_a_move_in',
      actor: 'customer',
      fields: ['/previous_supplier'],
      resolve: 'PATCH',
      due: TWENTY_DAYS.tue,
      retry: null,
    },
    whenNobodyActs: 'rejected',
  },
  {
    name: '99935: the previous supplier objects',
    zip: '99935',
    expected: {
      code: 'previous_supplier_objects',
      actor: 'customer',
      fields: ['/previous_supplier', '/intended_start_date'],
      resolve: 'PATCH',
      due: TWENTY_DAYS.tue,
      retry: null,
    },
    whenNobodyActs: 'rejected',
  },
  {
    name: '99900 with a known market location: silence',
    zip: '99900',
    expected: {
      code: 'registration_unanswered',
      actor: 'grid_operator',
      fields: [],
      resolve: null,
      due: 'some',
      retry: null,
    },
    whenNobodyActs: 'operator',
  },
  {
    name: '99900 without one: silence',
    zip: '99900',
    isSearched: true,
    expected: {
      code: 'identification_unanswered',
      actor: 'grid_operator',
      fields: ['/meter/malo'],
      resolve: 'PATCH',
      due: 'some',
      retry: null,
    },
    whenNobodyActs: 'operator',
  },
];

describe('each row that needs somebody says who, what and by when', { concurrency: 8 }, () => {
  for (const { name, expected, ...row } of WITH_ACTION) {
    test(name, async () => {
      const sandbox = await openSandbox(service, MONDAY);
      const { id } = await signUpTo(sandbox, { name, ...row });
      const read = await advanceUntil(sandbox, id, ({ next_action: action }) => action !== null, 'PT6H');
      assert.equal(read.status, 'pending');
      assert.equal(read.start_at, null);
      const { message, due_at: due, retry_at: retry, resolve, ...rest } = read.next_action;
      const { code, actor, fields } = expected;
      assert.deepEqual(rest, { code, actor, fields });
      assert.ok(typeof message === 'string' && message.length > 20 && !message.includes('{'), message);
      const path = `/subscriptions/${id}${expected.resolve === 'retry' ? '/retry' : ''}`;
      const method = expected.resolve === 'retry' ? 'POST' : 'PATCH';
      assert.deepEqual(resolve, expected.resolve === null ? null : { method, path });
      assertWhen(due, expected.due, await sandbox.now());
      assertWhen(retry, expected.retry, await sandbox.now());

      const required = (await sandbox.timeline(id)).filter(
        ({ event }) => event?.type === 'subscription.action_required',
      );
      assert.equal(required.length, 1, 'one event tells of it');
      assert.equal(required[0]?.event.previous_attributes.next_action, null);
      const told = await sandbox.readAsOf(id, required[0]?.timestamp ?? '');
      assert.deepEqual(told.next_action, read.next_action, 'it stood there from the moment of the event on');
    });
  }
});

/** `null`: none; `some`: one to come; a day: the end of that day. */
function assertWhen(actual: string | null, expected: string | null, now: string): void {
  if (expected === null) assert.equal(actual, null);
  else if (expected === 'some') assert.ok(actual !== null && actual > now, `${actual} is to come`);
  else assert.equal(actual, berlin(Temporal.PlainDate.from(expected).add({ days: 1 }).toString()));
}

describe('when nobody acts', { concurrency: 8 }, () => {
  for (const { name, whenNobodyActs, expected, ...row } of WITH_ACTION) {
    test(`${name}: ${whenNobodyActs}`, async () => {
      const sandbox = await openSandbox(service, MONDAY);
      const { id } = await signUpTo(sandbox, { name, ...row });
      const waiting = await advanceUntil(sandbox, id, ({ next_action: action }) => action !== null, 'PT12H');
      const when = waiting.next_action.due_at ?? waiting.next_action.retry_at;
      if (when !== null) {
        await sandbox.advanceTo(Temporal.Instant.from(when).subtract({ seconds: 1 }).toString());
        assert.deepEqual((await sandbox.read(id)).next_action, waiting.next_action, 'nothing happens a second before');
        await sandbox.advanceTo(when);
      }
      const then = await sandbox.read(id);
      if (whenNobodyActs === 'rejected') {
        const { status, stage, end_reason: reason, end_at: end, next_action: action, start_at: start } = then;
        assert.deepEqual([status, stage, reason, end, action, start], ['ended', 'ended', 'rejected', when, null, null]);
        assert.deepEqual(
          eventTypes(await sandbox.timeline(id))
            .slice(-2)
            .sort(),
          ['action_resolved', 'ended'],
        );
      } else if (whenNobodyActs === 'operator') {
        const { actor, code, due_at: due } = then.next_action;
        assert.deepEqual([actor, code, due], ['operator', expected.code, null]);
        assert.notEqual(then.next_action.resolve, null, 'the operator is told how');
      } else if (whenNobodyActs === 'active') {
        assert.equal(then.next_action, null);
        await sandbox.advanceBy('P4M');
        assert.equal((await sandbox.read(id)).status, 'active');
        const types = eventTypes(await sandbox.timeline(id));
        assert.equal(types.filter((type) => type === 'action_resolved').length, 1);
      } else {
        await sandbox.advanceBy('P60D');
        assert.deepEqual((await sandbox.read(id)).next_action, waiting.next_action);
      }
    });
  }
});

describe('a program that only follows next_action comes to supply', { concurrency: 6 }, () => {
  const strategies: readonly Strategy[] = [
    'all fields',
    'fields in order',
    'fields in reverse',
    'wait where it goes on by itself',
  ];
  const repairable: readonly Row[] = [
    { name: 'any other zip' },
    { name: 'any other zip, searched', isSearched: true },
    { name: 'confirms', supplier: 'confirms' },
    { name: 'already ended', supplier: 'already ended' },
    { name: '99907: the first registration is too late', zip: '99907' },
    ...WITH_ACTION.filter(({ zip }) => zip !== '99900'),
  ];
  for (const row of repairable) {
    test(row.name, async () => {
      for (const strategy of strategies) {
        const sandbox = await openSandbox(service, MONDAY);
        const { id } = await signUpTo(sandbox, row);
        const rest = await followToRest(sandbox, id, strategy, (read) => assertSomethingIsComing(sandbox, read));
        assert.deepEqual([rest.status, rest.stage, rest.next_action], ['active', 'supplying', null], strategy);
        await assertTold(sandbox, id);
      }
    });
  }

  test('99938 is superseded before the start, whatever is done', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpTo(sandbox, { name: '', zip: '99938' });
    const rest = await followToRest(sandbox, id, 'all fields');
    assert.deepEqual(
      [rest.status, rest.stage, rest.end_reason, rest.next_action],
      ['ended', 'ended', 'superseded', null],
    );
    const timeline = await sandbox.timeline(id);
    assert.deepEqual(messageCodes(timeline).slice(0, 2), ['> 55001', '< 55002 A51']);
    assert.ok(messageCodes(timeline).some((code) => code.startsWith('< 55038')));
    assert.deepEqual(eventTypes(timeline).slice(-2), ['confirmed', 'ended']);
    assert.equal(eventTypes(timeline).includes('activated'), false);
    await sandbox.advanceBy('P60D');
    assert.deepEqual(await sandbox.read(id), rest, 'nothing happens afterwards');
  });

  for (const isSearched of [true, false]) {
    test(`99900 never comes to supply and always says who has to act${isSearched ? ', searched' : ''}`, async () => {
      const sandbox = await openSandbox(service, MONDAY);
      const { id } = await signUpTo(sandbox, { name: '', zip: '99900', isSearched });
      const rest = await followToRest(sandbox, id, 'all fields', (read) => assertSomethingIsComing(sandbox, read));
      assert.equal(rest.status, 'pending');
      assert.equal(rest.start_at, null);
      await assertTold(sandbox, id);
    });
  }

  test('each correction of 99901 and 99903 alone is enough: another meter number, or a market location', async () => {
    for (const zip of ['99901', '99903']) {
      for (const meter of [{ number: uniqueMeterNumber() }, { malo: uniqueMalo() }]) {
        const sandbox = await openSandbox(service, MONDAY);
        const { id } = await signUpTo(sandbox, { name: '', zip, isSearched: true });
        await advanceUntil(sandbox, id, ({ next_action: action }) => action !== null, 'PT1H');
        const patched = await sandbox.patch(id, { meter });
        assert.equal(patched.status, 200, patched.text);
        await advanceUntil(sandbox, id, ({ status }) => status === 'active');
      }
    }
  });

  test('saying that the name is right lets a doubted authority be asked again', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await signUpTo(sandbox, { name: '', supplier: 'doubts authority' });
    await advanceUntil(sandbox, id, ({ next_action: action }) => action !== null);
    const patched = await sandbox.patch(id, { customer: { first_name: 'Erika' } });
    assert.equal(patched.status, 200, patched.text);
    assert.equal(patched.json.next_action, null);
    await advanceUntil(sandbox, id, ({ status }) => status === 'active');
    assert.deepEqual(messageCodes(await sandbox.timeline(id)).slice(0, 4), [
      '> 55016',
      '< 55018 A08',
      '> 55016',
      '< 55017 A09',
    ]);
  });

  test('a market location found that another one has is asked for again when that one has ended', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const searched = meterOnly();
    const silent = { previous_supplier: await sandbox.supplier('silent') };
    const withdraw = async (id: string): Promise<void> =>
      void must(await sandbox.act(id, 'terminate', { reason: 'withdrawal' }), 200);
    const first = await sandbox.signUp({ meter: searched, ...silent });
    await sandbox.advanceBy('PT1H');
    const { malo } = must(await sandbox.call('GET', `/subscriptions/${first.id}?expand[]=meter`), 200).meter;
    assert.match(malo, /^\d{11}$/, 'what the search found is shown');
    await withdraw(first.id);
    const holder = await sandbox.signUp({ meter: { ...meterOnly(), malo }, ...silent });
    const { id } = await sandbox.signUp({ meter: searched });
    await sandbox.advanceBy('PT1H');
    const { code, actor, fields } = (await sandbox.read(id)).next_action;
    assert.deepEqual(
      [code, actor, fields],
      ['market_location_taken', 'partner', ['/meter/malo', '/meter/number', '/address']],
    );
    await withdraw(holder.id);
    must(await sandbox.patch(id, { meter: { number: searched.number } }), 200);
    await advanceUntil(sandbox, id, ({ status }) => status === 'active');
    await assertTold(sandbox, id);
  });

  test('nothing can be retried where nothing waits for an operator', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    const before = await sandbox.read(id);
    const reply = await sandbox.act(id, 'retry');
    assert.deepEqual([reply.status, reply.json.code], [409, 'nothing_to_retry']);
    assert.deepEqual(await sandbox.read(id), before);
  });

  test('what waits for somebody else is not retried yet, and who acts and from when the operator can is told', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp({ address: addressIn('99900') });
    const { next_action: action } = await advanceUntil(sandbox, id, ({ next_action: next }) => next !== null, 'P1D');
    assert.deepEqual([action.code, action.actor], ['registration_unanswered', 'grid_operator']);
    const early = await sandbox.act(id, 'retry');
    assert.deepEqual([early.status, early.json.code], [409, 'nothing_to_retry']);
    assert.equal(
      early.json.detail,
      `The next_action registration_unanswered is for the grid_operator to resolve. From ${action.due_at} on it is for the operator, and can be retried.`,
    );
    await sandbox.advanceTo(action.due_at);
    assert.equal((await sandbox.read(id)).next_action.actor, 'operator');
    must(await sandbox.act(id, 'retry'), 200);
  });
});

describe('every supplier with every zip', () => {
  const zips = ['10115', '99900', '99901', '99902', '99903', '99905', '99906', '99907', '99932', '99935', '99938'];
  const suppliers = [undefined, ...SUPPLIERS];
  for (const isSearched of [false, true]) {
    test(`comes to supply or to its documented end, never stuck${isSearched ? ', searched' : ''}`, async () => {
      const sandbox = await openSandbox(service, MONDAY);
      const lives = new Map<string, Follower & { readonly name: string; readonly zip: string }>();
      for (const zip of zips) {
        for (const supplier of suppliers) {
          const name = `${zip} ${supplier ?? 'nobody'}`;
          const from = supplier === undefined ? {} : { supplier };
          const { id } = await signUpTo(sandbox, { name, zip, isSearched, ...from });
          lives.set(id, { name, zip, ...follow(sandbox, 'fields in order') });
        }
      }
      for (let day = 0; day < 30; day += 1) {
        const now = await sandbox.settle();
        const { items } = must(await sandbox.call('GET', '/subscriptions?limit=100'), 200);
        assert.equal(items.length, lives.size);
        for (const subscription of items) {
          const life = lives.get(subscription.id);
          await assertSomethingIsComing(sandbox, subscription, life?.name);
          await life?.act(subscription, now);
        }
        await sandbox.advanceBy('P1D');
      }
      await sandbox.advanceBy('P4M');
      const ends: Record<string, string> = {};
      const expected: Record<string, string> = {};
      for (const [id, { name, zip }] of lives) {
        const { status, end_reason: reason, next_action: action } = await sandbox.read(id);
        ends[name] = status === 'active' ? 'active' : (reason ?? action?.code ?? 'stuck');
        expected[name] = 'active';
        if (zip === '99938') expected[name] = 'superseded';
        if (zip === '99900') expected[name] = 'registration_unanswered';
        await assertTold(sandbox, id);
      }
      assert.deepEqual(ends, expected);
    });
  }
});

/** What is pending and asks nobody waits for an answer of the market, or for its confirmed start. */
async function assertSomethingIsComing(sandbox: Sandbox, subscription: Json, name = ''): Promise<void> {
  const { id, status, stage, next_action: action } = subscription;
  if (status !== 'pending' || stage === 'confirmed' || action !== null) return;
  const timeline = await sandbox.timeline(id);
  assert.notEqual(
    outstanding(timeline).length,
    0,
    `${name} ${stage} waits for nothing: ${messageCodes(timeline).join()}`,
  );
}

/** Requests and their resolution take turns, sequences have no gaps, and the start was never in the past. */
async function assertTold(sandbox: Sandbox, id: string): Promise<void> {
  const timeline = await sandbox.timeline(id);
  const events = timeline.flatMap(({ event }) => (event === null ? [] : [event]));
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  );
  assert.equal(events[0].type, 'subscription.created');
  const { next_action: action, start_at: start, status } = await sandbox.read(id);
  let isOpen = false;
  for (const { type, previous_attributes: before } of events) {
    if (type !== 'subscription.action_required' && type !== 'subscription.action_resolved') continue;
    // One that takes the place of another, such as an escalation, tells so itself.
    assert.equal(before.next_action !== null, isOpen, `${type} fits what was: ${eventTypes(timeline).join()}`);
    isOpen = type === 'subscription.action_required';
  }
  assert.equal(isOpen, action !== null, `what is required is shown: ${eventTypes(timeline).join()}`);
  const confirmed = timeline.find(({ event }) => event?.type === 'subscription.confirmed');
  if (confirmed !== undefined && status !== 'ended') assert.ok(start !== null && start > confirmed.timestamp);
}
