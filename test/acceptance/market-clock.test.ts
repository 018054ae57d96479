/** A sandbox project's own time: forward only, its own, and everything due happens on the way. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { wallClock } from '#platform/clock.ts';
import { sql } from '#platform/database/sql.ts';
import { createUuidMint } from '#platform/uuid.ts';
import { fieldErrors, otherProject, signUpBody, type Json } from '../support/builders.ts';
import {
  addressIn,
  berlin,
  eventTypes,
  followToRest,
  later,
  messageCodes,
  meterOnly,
  must,
  openSandbox,
  sandboxBody,
  signUpActive,
  type Sandbox,
} from '../support/sandbox.ts';
import { published } from '../support/feed.ts';
import { createAppBeside, send, startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const MONDAY = berlin('2030-01-07T10:00');

function advance(
  sandbox: Pick<Sandbox, 'call'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return sandbox.call('POST', '/sandbox/clock', { body, headers });
}

describe('the clock', { concurrency: 6 }, () => {
  test('goes with wall time until it is first advanced, and stands from then on', async () => {
    const project = await otherProject(service);
    const first = must(await project.call('GET', '/sandbox/clock'), 200);
    assert.deepEqual([first.object, first.ticking, first.advancing_to], ['sandbox_clock', true, null]);
    const wall = Temporal.Now.instant().epochMilliseconds;
    assert.ok(Math.abs(Temporal.Instant.from(first.now).epochMilliseconds - wall) < 60_000, first.now);
    const moved = must(await advance(project, { advance_to: MONDAY }), 200);
    assert.deepEqual(moved, { object: 'sandbox_clock', now: MONDAY, ticking: false, advancing_to: null });
    assert.deepEqual(must(await project.call('GET', '/sandbox/clock'), 200), moved);
    const plan = must(await project.call('POST', '/plans', { body: { name: 'Plan', price: 10 } }), 201);
    const created = must(
      await project.call('POST', '/subscriptions', { body: sandboxBody({ planId: plan.id } as Sandbox) }),
      201,
    );
    const changed = must(await project.call('PATCH', `/plans/${plan.id}`, { body: { price: 11 } }), 200);
    const times = [created.created_at, plan.created_at, changed.updated_at];
    assert.deepEqual(times, [MONDAY, MONDAY, MONDAY], 'what is written is written in the project’s time');
  });

  test('moves forward only', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const back = await advance(sandbox, { advance_to: later(MONDAY, { seconds: -1 }) });
    assert.deepEqual([back.status, back.json.code], [422, 'clock_moves_forward_only']);
    assert.equal(must(await advance(sandbox, { advance_to: MONDAY }), 200).now, MONDAY, 'to the present is nowhere');
    assert.equal(await sandbox.now(), MONDAY);
  });

  test(
    'is answered for when the feed has what happened, or when that takes too long',
    { timeout: 30_000 },
    async () => {
      const sandbox = await openSandbox(service, MONDAY);
      await sandbox.signUp();
      const held = new Client(service.connection);
      // A test that fails ends the database under it.
      held.on('error', () => {});
      await held.connect();
      const whileHeld = async (waits: (moving: Promise<Reply>) => Promise<unknown>): Promise<Reply> => {
        await held.query('begin; select from event_feed_state for update');
        const moving = advance(sandbox, { advance_by: 'P3D' });
        try {
          await waits(moving);
        } finally {
          await held.query('rollback');
        }
        return moving;
      };
      const all = async (): Promise<unknown[]> => must(await sandbox.call('GET', '/events?limit=500'), 200).items;
      await published(service.database);
      const before = await all();
      const answered: string[] = [];
      const moved = await whileHeld(async (moving) => {
        void moving.then(() => answered.push('too early'));
        while (must(await sandbox.call('GET', '/sandbox/clock'), 200).advancing_to !== null);
        for (let call = 0; call < 5; call += 1) assert.deepEqual(await all(), before);
        assert.deepEqual(answered, []);
      });
      must(moved, 200);
      const events = await all();
      await published(service.database);
      assert.deepEqual(await all(), events);
      assert.ok(events.length > before.length);
      await sandbox.signUp();
      must(await whileHeld((moving) => moving), 200);
      await held.end();
    },
  );

  test('repeats a refusal at once, also while it is on its way', { timeout: 30_000 }, async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const body = { advance_to: later(MONDAY, { seconds: -1 }) };
    const moveBack = (): Promise<Reply> =>
      sandbox.call('POST', '/sandbox/clock', { body, headers: { 'idempotency-key': 'back' } });
    const refused = await moveBack();
    assert.equal(refused.status, 422);
    const { id } = await sandbox.signUp();
    const { moving } = await service.database.transaction(async (transaction) => {
      // Somebody else is at what has to happen on the way.
      await transaction.query(sql`
        select from market_processes where subscription_id = ${parseId('sub', id)} for update`);
      const moving = advance(sandbox, { advance_by: 'P1D' });
      while (must(await sandbox.call('GET', '/sandbox/clock'), 200).advancing_to === null);
      assert.equal((await moveBack()).text, refused.text);
      return { moving };
    });
    must(await moving, 200);
  });

  test('moves only from where If-Match says that it stands', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const first = { 'if-match': (await sandbox.call('GET', '/sandbox/clock')).headers.get('etag') ?? '' };
    const moved = await advance(sandbox, { advance_by: 'PT1H' }, first);
    assert.deepEqual([moved.status, moved.json.now], [200, later(MONDAY, { hours: 1 })]);
    const refused = await advance(sandbox, { advance_by: 'PT1H' }, first);
    assert.deepEqual([refused.status, refused.json.code], [412, 'precondition_failed']);
    const second = { 'if-match': moved.headers.get('etag') ?? '' };
    assert.equal(must(await advance(sandbox, { advance_by: 'PT1H' }, second), 200).now, later(MONDAY, { hours: 2 }));
  });

  test('takes exactly one of advance_to and advance_by, each well-formed', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const cases: [body: unknown, errors: string[] | null][] = [
      [{}, [' invalid_advance']],
      [{ advance_to: '2031-01-01T00:00:00Z', advance_by: 'P1D' }, [' invalid_advance']],
      [{ advance_by: 'P1X' }, ['/advance_by invalid_duration']],
      [{ advance_by: '-P1D' }, ['/advance_by invalid_duration']],
      [{ advance_by: 'P' }, ['/advance_by invalid_duration']],
      [{ advance_by: 'PT' }, ['/advance_by invalid_duration']],
      [{ advance_by: '' }, ['/advance_by invalid_duration']],
      [{ advance_by: 'P5D1D' }, ['/advance_by invalid_duration']],
      [{ advance_by: 'PT30M1M' }, ['/advance_by invalid_duration']],
      [{ advance_by: 'PT1S1H' }, ['/advance_by invalid_duration']],
      [{ advance_by: 'PT0.5S' }, ['/advance_by invalid_duration']],
      [{ advance_by: 86_400 }, null],
      [{ advance_by: null }, null],
      [{ advance_to: '2031-01-01' }, null],
      [{ advance_to: '2031-01-01T00:00:00' }, null],
      [{ advance_to: '2031-02-29T00:00:00Z' }, null],
      [{ advance_to: '2101-01-01T00:00:00Z' }, ['/advance_to too_far_ahead']],
      [{ advance_by: 'P100Y' }, ['/advance_by too_far_ahead']],
      [{ advance_by: 'P9999999999Y' }, null],
      [{ now: '2031-01-01T00:00:00Z' }, null],
      [[], null],
    ];
    for (const [body, errors] of cases) {
      const reply = await advance(sandbox, body);
      assert.equal(reply.status, 400, `${JSON.stringify(body)} ${reply.text}`);
      if (errors !== null) assert.deepEqual(fieldErrors(reply), errors, JSON.stringify(body));
    }
    assert.equal(await sandbox.now(), MONDAY);
  });

  test('counts days in Berlin, across daylight-saving changes, and hours exactly', async () => {
    const sandbox = await openSandbox(service, '2030-03-30T11:00:00Z');
    const steps = [
      ['P1D', '2030-03-31T10:00:00Z'],
      ['PT24H', '2030-04-01T10:00:00Z'],
      ['P1M', '2030-05-01T10:00:00Z'],
      ['P30D', '2030-05-31T10:00:00Z'],
      ['P1M', '2030-06-30T10:00:00Z'],
      ['P1W', '2030-07-07T10:00:00Z'],
      ['PT1S', '2030-07-07T10:00:01Z'],
      ['P4M', '2030-11-07T11:00:01Z'],
      ['P1Y2M3DT4H5M6S', '2032-01-10T15:05:07Z'],
    ] as const;
    for (const [duration, now] of steps) {
      assert.equal(must(await advance(sandbox, { advance_by: duration }), 200).now, now, duration);
    }
  });

  test('is not there in a live project, nor without leave to write', async () => {
    const live = await otherProject(service, 'live');
    for (const reply of [await live.call('GET', '/sandbox/clock'), await advance(live, { advance_by: 'P1D' })]) {
      assert.deepEqual([reply.status, reply.json.code], [404, 'not_found']);
    }
    const reply = await service.call('POST', '/sandbox/clock', { body: { advance_by: 'P1D' }, token: null });
    assert.equal(reply.status, 401);
  });

  test('of one project does not move another’s', async () => {
    const [one, other] = [await openSandbox(service, MONDAY), await openSandbox(service, MONDAY)];
    const [mine, theirs] = [await one.signUp(), await other.signUp()];
    await other.settle();
    const before = [await other.read(theirs.id), await other.timeline(theirs.id)];
    await one.advanceBy('P1Y');
    assert.equal((await one.read(mine.id)).status, 'active');
    assert.equal(await other.now(), MONDAY);
    assert.deepEqual([await other.read(theirs.id), await other.timeline(theirs.id)], before);
    const bothAtOnce = await Promise.all([advance(one, { advance_by: 'P1M' }), advance(other, { advance_by: 'P2D' })]);
    assert.deepEqual(
      bothAtOnce.map(({ json }) => json.now),
      [berlin('2031-02-07T10:00'), berlin('2030-01-09T10:00')],
    );
    assert.equal((await other.read(theirs.id)).start_at, berlin('2030-01-09'));
  });
});

test('lists are newest first while the clock stands, whichever process creates, and nothing new comes behind a cursor', async () => {
  const project = await otherProject(service);
  const { token } = project;
  const plan = must(await project.call('POST', '/plans', { body: { name: 'Plan', price: 10 } }), 201);
  must(await advance(project, { advance_by: 'P20D' }), 200);
  const { http } = createAppBeside(service, { mintUuid: createUuidMint(wallClock) });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const urls = [service.baseUrl, `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`];
  const bodies: Readonly<Record<string, () => Json>> = {
    '/subscriptions': () => signUpBody(plan.id),
    '/leads': () => ({ plan: plan.id, address: { zip: '51147' } }),
  };
  try {
    for (const [path, body] of Object.entries(bodies)) {
      const created: string[] = [];
      const create = async (count: number): Promise<void> => {
        for (let index = 0; index < count; index += 1) {
          const url = urls[index % 2] ?? '';
          created.unshift(must(await send(url, 'POST', path, { token, body: body() }), 201).id);
        }
      };
      const page = async (query: string): Promise<{ ids: string[]; next: string }> => {
        const { items, next_page: next } = must(await project.call('GET', `${path}?${query}`), 200);
        return { ids: items.map(({ id }: Json) => id), next };
      };
      await create(12);
      const first = await page('limit=5');
      const known = [...created];
      await create(4);
      const second = await page(`limit=5&cursor=${first.next}`);
      const third = await page(`limit=5&cursor=${second.next}`);
      assert.deepEqual([...first.ids, ...second.ids, ...third.ids], known, path);
      assert.deepEqual((await page('limit=100')).ids, created, path);
    }
  } finally {
    await http.close();
  }
});

test('a sign-up or lead is judged by the clock as it stands, also by a process that knows where it stood a moment ago', async () => {
  const project = await otherProject(service);
  const { token } = project;
  const plan = must(await project.call('POST', '/plans', { body: { name: 'Plan', price: 10 } }), 201);
  must(await advance(project, { advance_to: MONDAY }), 200);
  const { http } = createAppBeside(service);
  await http.listen({ host: '127.0.0.1', port: 0 });
  const other = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  const wished = (day: string): Json => ({
    ...signUpBody(plan.id),
    next_possible_start: false,
    intended_start_date: day,
  });
  const post = (path: string, body: Json): Promise<Reply> => send(other, 'POST', path, { token, body });
  try {
    assert.equal((await post('/subscriptions?validate_only=true', wished('2030-12-01'))).status, 200);
    must(await advance(project, { advance_by: 'P1M' }), 200);
    assert.equal((await post('/subscriptions', wished('2031-02-01'))).status, 201, 'within a year by now');
    assert.equal((await post('/subscriptions?validate_only=true', wished('2030-12-01'))).status, 200);
    must(await advance(project, { advance_by: 'P1M' }), 200);
    const lead = { plan: plan.id, address: { zip: '51147' }, intended_start_date: '2030-03-01' };
    const { json } = await post('/leads', lead);
    assert.deepEqual(
      json.errors?.map(({ code }: Json) => code),
      ['not_in_future'],
    );
  } finally {
    await http.close();
  }
});

describe('an advance', { concurrency: 6 }, () => {
  test('answers when everything due until then has happened, each at its own time', async () => {
    const leap = await openSandbox(service, MONDAY);
    const steps = await openSandbox(service, MONDAY);
    const ids = [(await leap.signUp()).id, (await steps.signUp()).id];
    await leap.advanceTo(berlin('2030-01-31'));
    for (let day = 8; day <= 31; day += 1) await steps.advanceTo(berlin(`2030-01-${String(day).padStart(2, '0')}`));
    assert.deepEqual(await story(leap, ids[0]), await story(steps, ids[1]), 'in one leap or in steps');
  });

  test('lets one life pass from the sign-up to its end in one go', async () => {
    const sandbox = await openSandbox(service, MONDAY, { cancellation_period: 'P1M' });
    const { id } = await signUpActive(sandbox, { previous_supplier: await sandbox.supplier('confirms') });
    must(await sandbox.act(id, 'terminate', { reason: 'ordinary', intended_end_date: '2030-12-31' }), 200);
    await sandbox.advanceBy('P1Y');
    const read = await sandbox.read(id);
    assert.deepEqual([read.status, read.end_reason, read.end_at], ['ended', 'terminated', berlin('2030-12-31')]);
    assert.deepEqual(eventTypes(await sandbox.timeline(id)).slice(-4), [
      'confirmed',
      'activated',
      'terminated',
      'ended',
    ]);
  });

  test('at the same time as another: both answer, each from its start or from where the other led', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    const replies = await Promise.all(Array.from({ length: 6 }, () => advance(sandbox, { advance_by: 'P1D' })));
    for (const reply of replies) assert.equal(reply.status, 200, reply.text);
    const reached = replies.map(({ json }) => json.now as string).sort();
    assert.deepEqual(
      reached,
      [8, 9, 10, 11, 12, 13].map((day) => berlin(`2030-01-${String(day).padStart(2, '0')}T10:00`)),
      'each takes the clock a day further',
    );
    assert.equal(await sandbox.now(), reached.at(-1));
    assert.equal((await sandbox.read(id)).status, 'active');

    const targets = ['2030-03-01', '2030-02-01', '2030-03-15'].map(berlin);
    const to = await Promise.all(targets.map((target) => advance(sandbox, { advance_to: target })));
    for (const [index, reply] of to.entries()) {
      // One that comes after a later one is refused; the others lead where they say.
      if (reply.status === 200) assert.equal(reply.json.now, targets[index]);
      else assert.deepEqual([reply.status, reply.json.code], [422, 'clock_moves_forward_only']);
    }
    assert.equal(to[2]?.status, 200);
    assert.equal(await sandbox.now(), targets[2]);
  });

  test('loses no sign-up, and promises no start in the past, while it is under way', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const replies: Promise<Reply>[] = [];
    const advances: Promise<Reply>[] = [];
    for (let round = 0; round < 12; round += 1) {
      for (let count = 0; count < 5; count += 1) {
        const place = count % 2 === 0 ? {} : { meter: meterOnly() };
        const body = sandboxBody(sandbox, place);
        replies.push(sandbox.call('POST', '/subscriptions', { body }));
      }
      advances.push(advance(sandbox, { advance_by: 'PT31H' }));
      if (round % 3 === 0) await advances.at(-1);
    }
    for (const reply of await Promise.all(advances)) assert.equal(reply.status, 200, reply.text);
    const ids = (await Promise.all(replies)).map((reply) => must(reply, 201).id as string);
    await sandbox.advanceBy('P14D');
    for (const id of ids) {
      const read = await sandbox.read(id);
      assert.deepEqual([read.status, read.stage], ['active', 'supplying'], JSON.stringify(read));
      const timeline = await sandbox.timeline(id);
      const times = timeline.map(({ timestamp }) => timestamp);
      assert.deepEqual(times, times.toSorted());
      assert.ok((times[0] ?? '') >= MONDAY);
      const confirmed = timeline.find(({ event }) => event?.type === 'subscription.confirmed');
      assert.ok(confirmed !== undefined && confirmed.timestamp < read.start_at);
      const told = timeline.find(({ message }) => message?.identifier === '55001');
      assert.ok(told !== undefined && told.timestamp >= read.created_at);
      const activated = timeline.find(({ event }) => event?.type === 'subscription.activated');
      assert.equal(activated?.timestamp, read.start_at, 'at its midnight, not later');
    }
  });

  test('while edits come in: each is answered and none is lost', async () => {
    const sandbox = await openSandbox(service, MONDAY);
    const { id } = await sandbox.signUp();
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const patches = keys.map((key) => sandbox.patch(id, { metadata: { [key]: 1 } }));
    const moves = [1, 2, 3].map(() => advance(sandbox, { advance_by: 'P1D' }));
    for (const reply of await Promise.all([...patches, ...moves])) assert.equal(reply.status, 200, reply.text);
    const read = await sandbox.read(id);
    assert.deepEqual(Object.keys(read.metadata).sort(), keys.toSorted());
    assert.equal(read.status, 'active');
    const events = (await sandbox.timeline(id)).flatMap(({ event }) => (event === null ? [] : [event.sequence]));
    assert.deepEqual(
      events,
      events.map((_, index) => index + 1),
    );
  });
});

describe('the same scenario in two projects tells the same story', { concurrency: 4 }, () => {
  const scenarios: Record<string, (sandbox: Sandbox) => Promise<string[]>> = {
    'a plain switch': async (sandbox) => {
      const { id } = await sandbox.signUp({ previous_supplier: await sandbox.supplier('confirms') });
      await sandbox.advanceBy('P1M');
      return [id];
    },
    'next_action followed in each zip': async (sandbox) => {
      const ids: string[] = [];
      for (const zip of ['99901', '99902', '99903', '99905', '99906', '99907', '99932', '99935', '99938', '99900']) {
        const { id } = await sandbox.signUp({ address: addressIn(zip), meter: meterOnly() });
        await followToRest(sandbox, id, 'fields in order', undefined, 25);
        ids.push(id);
      }
      return ids;
    },
    'a correction, a termination, an undo and an end': async (sandbox) => {
      const { id } = await sandbox.signUp();
      await sandbox.advanceBy('PT2H');
      must(await sandbox.patch(id, { address: { street: 'Neue Straße' } }), 200);
      await sandbox.advanceBy('P7D');
      must(await sandbox.act(id, 'terminate', { reason: 'ordinary' }), 200);
      await sandbox.advanceBy('P1D');
      await sandbox.act(id, 'undo-termination');
      await sandbox.advanceBy('P3D');
      await sandbox.act(id, 'terminate', { reason: 'ordinary' });
      await sandbox.advanceBy('P3M');
      return [id];
    },
    'twenty sign-ups at one instant': async (sandbox) => {
      const ids: string[] = [];
      for (let count = 0; count < 20; count += 1) ids.push((await sandbox.signUp()).id);
      await sandbox.advanceBy('P7D');
      return ids;
    },
  };
  for (const [name, scenario] of Object.entries(scenarios)) {
    test(name, async () => {
      const stories: unknown[] = [];
      for (let time = 0; time < 2; time += 1) {
        const sandbox = await openSandbox(service, MONDAY);
        const told = [];
        for (const id of await scenario(sandbox)) told.push(await story(sandbox, id));
        stories.push(told);
      }
      assert.deepEqual(stories[0], stories[1]);
    });
  }
});

/** What happened to a subscription and when, without what is each one's own. */
async function story(sandbox: Sandbox, id = ''): Promise<Json> {
  const timeline = await sandbox.timeline(id);
  const {
    status,
    stage,
    start_at: start,
    end_at: end,
    end_reason: reason,
    next_action: action,
  } = await sandbox.read(id);
  const entries = timeline.map(({ type, timestamp, revision, actor, event, transition, message }) => {
    const told = event === null ? [] : [event.type, event.sequence, event.reason, event.fields];
    const sent = message === null ? [] : [message.identifier, message.direction, message.state, message.contents.code];
    return [timestamp, revision, type, actor.type, transition, ...told, ...sent];
  });
  const { resolve: _, ...shown } = action ?? { resolve: null };
  return { entries, codes: messageCodes(timeline), status, stage, start, end, reason, shown };
}
