/** The feed of events: complete, in an order that is safe to read by cursor, while others write. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { sql } from '#platform/database/sql.ts';
import { signUp, signUpBody, type Json } from '../support/builders.ts';
import { askFeed as ask, openFeed, type FeedProject } from '../support/feed.ts';
import { fetchToken, startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** A test beside this one may write for longer than a wait in one transaction, which holds back every feed of the server. */
const PATIENCE_MS = 30_000;

/** Reads on from a cursor until so many events are there, waiting for them. */
async function readEvents(caller: FeedProject, count: number, cursor: string | null, limit = 500): Promise<Json[]> {
  const events: Json[] = [];
  let from = cursor;
  const begin = performance.now();
  while (events.length < count) {
    const page = await ask(caller, `limit=${limit}&wait=5${from === null ? '' : `&after=${from}`}`);
    assert.ok(
      page.items.length > 0 || performance.now() - begin < PATIENCE_MS,
      `${events.length} of ${count} events came`,
    );
    events.push(...page.items);
    from = page.next_page;
  }
  return events;
}

describe('GET /events', () => {
  test('tells everything from the very first event, each subscription in its order, on pages of any size', async () => {
    const own = await openFeed(service);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push((await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json.id);
    }
    await own.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
    const all = await readEvents(own, 15, null);
    assert.equal(all.length, 15);
    for (const id of ids) {
      const mine = all.filter(({ data }) => data.subscription.id === id);
      assert.deepEqual(
        mine.map(({ sequence, type }) => [sequence, type]),
        [
          [1, 'subscription.created'],
          [2, 'subscription.confirmed'],
          [3, 'subscription.activated'],
        ],
      );
      assert.equal(mine[2]?.data.subscription.status, 'active');
      assert.equal(mine[2]?.data.previous_attributes.status, 'pending');
    }
    for (const limit of [1, 2, 7]) assert.deepEqual(await readEvents(own, 15, null, limit), all);
    for (const event of all) {
      const { id, object, timestamp } = event;
      assert.equal(object, 'event');
      assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      const one = await own.call('GET', `/events/${id}`);
      assert.deepEqual([one.status, one.json], [200, event]);
    }
    const end = await ask(own, 'limit=500');
    const nothing = await ask(own, `after=${end.next_page}`);
    assert.deepEqual([nothing.items, nothing.has_more], [[], false]);
  });

  test('tells large events on shorter pages, and says that there are more', async () => {
    const own = await openFeed(service);
    const { id } = (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json;
    const begin = (await ask(own, 'limit=500&wait=5')).next_page;
    const count = 150;
    for (let index = 0; index < count; index += 1) {
      const body = { metadata: { text: `${index}${'x'.repeat(10_000)}` } };
      assert.equal((await own.call('PATCH', `/subscriptions/${id}`, { body })).status, 200);
    }
    const events = await readEvents(own, count, begin);
    assert.deepEqual(
      events.map(({ data }) => Number.parseInt(data.subscription.metadata.text, 10)),
      Array.from({ length: count }, (_, index) => index),
    );
    const first = await own.call('GET', `/events?limit=500&after=${begin}`);
    assert.ok(first.text.length > 1_000_000 && first.text.length < 2_500_000, `${first.text.length} bytes`);
    assert.equal(first.json.has_more, true);
    assert.deepEqual(await readEvents(own, count, begin, 7), events);
    const rest = await ask(own, `limit=500&after=${first.json.next_page}`);
    assert.deepEqual([...first.json.items, ...rest.items], events);
    assert.equal(rest.has_more, false);
    const ofType = await ask(own, `limit=500&after=${begin}&types=subscription.updated`);
    assert.deepEqual([ofType.items, ofType.has_more], [first.json.items, true]);
  });

  test('says that there is more only where there is, also of a page that is just full', async () => {
    const own = await openFeed(service);
    const { headers } = await own.call('GET', '/subscriptions');
    await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) });
    await own.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
    await readEvents(own, 3, null);
    for (const rest of ['', '&types=subscription.*', `&after=${headers.get('x-event-cursor')}`]) {
      const pages = await Promise.all([2, 3, 4].map((limit) => ask(own, `limit=${limit}${rest}`)));
      assert.deepEqual(
        pages.map(({ items, has_more: hasMore }) => [items.length, hasMore]),
        [
          [2, true],
          [3, false],
          [3, false],
        ],
        rest,
      );
      assert.deepEqual((await ask(own, `after=${pages[0]?.next_page}`)).items.length, 1);
    }
  });

  test('tells only the types that are asked for, also by pattern', async () => {
    const own = await openFeed(service);
    await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) });
    await own.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
    await readEvents(own, 3, null);
    const typesOf = async (types: string): Promise<string[]> =>
      (await ask(own, `types=${types}`)).items.map(({ type }: Json) => String(type).replace('subscription.', ''));
    assert.deepEqual(await typesOf('subscription.confirmed'), ['confirmed']);
    assert.deepEqual(await typesOf('subscription.confirmed,subscription.created'), ['created', 'confirmed']);
    assert.deepEqual(await typesOf('subscription.*'), ['created', 'confirmed', 'activated']);
    assert.deepEqual(await typesOf('*'), ['created', 'confirmed', 'activated']);
    assert.deepEqual(await typesOf('lead.*'), []);
    assert.deepEqual(await typesOf('subscription.action_required'), []);
  });

  test('waits for something new, and answers as soon as it is there', async () => {
    const own = await openFeed(service);
    const { next_page: cursor } = await ask(own, '');
    const waiting = ask(own, `after=${cursor}&wait=30`);
    const created = await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) });
    const { items } = await waiting;
    assert.deepEqual(
      items.map(({ data }: Json) => data.subscription.id),
      [created.json.id],
    );
    const { next_page: then } = await ask(own, '');
    assert.deepEqual((await ask(own, `after=${then}&wait=1`)).items, []);
  });

  test('tells nothing to who waits while his token is revoked, and answers 401', async () => {
    const own = await openFeed(service);
    const { next_page: cursor } = await ask(own, '');
    const waiting = own.call('GET', `/events?after=${cursor}&wait=30`);
    assert.equal((await own.call('GET', '/plans')).status, 200);
    const { clientId, clientSecret } = own.client;
    const form = { token: own.token, client_id: clientId, client_secret: clientSecret };
    const revoked = await fetch(`${service.baseUrl}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(form) });
    assert.equal(revoked.status, 200);
    while ((await own.call('GET', '/plans')).status === 200);
    const token = await fetchToken(service.baseUrl, own.client);
    const created = await own.call('POST', '/subscriptions', { body: signUpBody(own.planId), token });
    assert.equal(created.status, 201);
    const { status, json, headers } = await waiting;
    assert.deepEqual([status, json.code, json.items], [401, 'unauthorized', undefined]);
    assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  });

  test('refuses wrong parameters, and a cursor of another project', async () => {
    const [own, other] = [await openFeed(service), await openFeed(service)];
    const { next_page: cursor } = await ask(own, '');
    for (const query of [
      'limit=0',
      'limit=01',
      'limit=501',
      'limit=x',
      'wait=31',
      'wait=-1',
      'wait=01',
      'types=',
      'types=Subscription.created',
      'types=subscription.%25',
      'after=x',
      `after=${cursor}x`,
      'cursor=x',
    ]) {
      assert.equal((await own.call('GET', `/events?${query}`)).status, 400, query);
    }
    const foreign = await other.call('GET', `/events?after=${cursor}`);
    assert.deepEqual([foreign.status, foreign.json.code], [400, 'invalid_cursor']);
  });
});

describe('a transaction that commits late', () => {
  test('never slips behind a reader: what was committed meanwhile waits for it', async () => {
    const own = await openFeed(service);
    const first = (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json.id;
    const [created] = await readEvents(own, 1, null);
    const client = new Client(service.connection);
    await client.connect();
    await client.query('begin');
    await client.query(
      `insert into events (project_id, id, subscription_id, sequence, type, occurred_at, data)
       select project_id, gen_random_uuid(), subscription_id, 2, 'subscription.updated', now(), data from events
       where data -> 'subscription' ->> 'id' = $1`,
      [first],
    );
    const second = (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json.id;
    const cursor = (await ask(own, '')).next_page;
    assert.deepEqual((await ask(own, `after=${cursor}&wait=1`)).items, [], 'the second waits for the first');
    assert.equal(created?.data.subscription.id, first);
    await client.query('commit');
    await client.end();
    const late = await readEvents(own, 2, cursor);
    assert.deepEqual(
      new Set(late.map(({ type, data }) => `${type} ${data.subscription.id}`)),
      new Set([`subscription.created ${second}`, `subscription.updated ${first}`]),
    );
  });
});

describe('an older transaction that waited for a newer one', () => {
  test('is never told before it, nor is what was timed earlier by a clock that was set back', async () => {
    const own = await openFeed(service);
    const { id } = (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json;
    const begin = async (): Promise<Client> => {
      const client = new Client(service.connection);
      await client.connect();
      await client.query('begin');
      await client.query('select pg_current_xact_id()');
      return client;
    };
    const write = async (client: Client, sequence: number): Promise<void> => {
      await client.query(
        `insert into events (project_id, id, subscription_id, sequence, type, occurred_at, data)
         select project_id, gen_random_uuid(), subscription_id, $2::integer, 'subscription.updated',
           occurred_at - make_interval(secs => $2::integer), data
         from events where data -> 'subscription' ->> 'id' = $1 and sequence = 1`,
        [id, sequence],
      );
      await client.query('commit');
      await client.end();
    };
    const sequences = async (query: string): Promise<number[]> =>
      (await ask(own, query)).items.map(({ sequence }: Json) => sequence);
    const first = await ask(own, 'wait=5');
    assert.equal(first.items.length, 1);
    const [older, between, newer] = [await begin(), await begin(), await begin()];
    await write(newer, 2);
    await write(older, 3);
    assert.deepEqual(await sequences(`after=${first.next_page}&wait=1`), []);
    await between.query('commit');
    await between.end();
    assert.deepEqual(await sequences(`after=${first.next_page}&wait=5`), [2, 3]);
  });
});

describe('changes of one subscription after the other', () => {
  test('are told in that order, also where they come into the feed together and a clock stands', async () => {
    const own = await openFeed(service);
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push((await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json.id);
    }
    await own.call('POST', '/sandbox/clock', { body: { advance_by: 'PT1S' } });
    await readEvents(own, 3, null);
    const { next_page: cursor } = await ask(own, 'limit=500');
    const held = new Client(service.connection);
    await held.connect();
    await held.query('begin');
    await held.query('select pg_current_xact_id()');
    const order = [2, 0, 1].map((index) => ids[index] ?? '');
    for (const id of order) {
      const body = { metadata: { changed: 'one after the other' } };
      assert.equal((await own.call('PATCH', `/subscriptions/${id}`, { body })).status, 200);
    }
    assert.deepEqual((await ask(own, `after=${cursor}&wait=1`)).items, []);
    await held.query('commit');
    await held.end();
    const told = await readEvents(own, 3, cursor);
    assert.deepEqual(
      told.map(({ data }) => data.subscription.id),
      order,
    );
  });
});

describe('X-Event-Cursor of GET /subscriptions', () => {
  test('goes on without gap or overlap, whatever is written at that moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const own = await openFeed(service);
      const writing = Array.from({ length: 60 }, () =>
        own.call('POST', '/subscriptions', { body: signUpBody(own.planId) }),
      );
      await Promise.race(writing);
      const list = await own.call('GET', '/subscriptions?limit=100');
      const cursor = list.headers.get('x-event-cursor');
      assert.ok(cursor !== null);
      const created = (await Promise.all(writing)).map(({ json }) => json.id as string);
      const listed = list.json.items.map(({ id }: Json) => id as string);
      const told = await readEvents(own, created.length - listed.length, cursor);
      const after = told.filter(({ type }) => type === 'subscription.created').map(({ data }) => data.subscription.id);
      assert.equal(listed.length + after.length, created.length);
      assert.deepEqual(new Set([...listed, ...after]), new Set(created));
      const rest = await ask(own, `after=${cursor}&limit=500&types=subscription.created`);
      assert.equal(rest.items.length, after.length);
    }
  });

  test('stands on the first page only, and also when there is nothing', async () => {
    const own = await openFeed(service);
    const empty = await own.call('GET', '/subscriptions');
    const cursor = empty.headers.get('x-event-cursor');
    assert.ok(cursor !== null);
    for (let index = 0; index < 3; index += 1) {
      await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) });
    }
    const first = await own.call('GET', '/subscriptions?limit=2');
    const second = await own.call('GET', `/subscriptions?limit=2&cursor=${first.json.next_page}`);
    assert.equal(second.headers.get('x-event-cursor'), null);
    assert.equal((await readEvents(own, 3, cursor)).length, 3);
  });
});

describe('a backlog', () => {
  test('of more events than one round takes is published round by round, each subscription in its order', async () => {
    const own = await openFeed(service);
    const { id } = (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json;
    await ask(own, 'wait=5');
    const client = new Client(service.connection);
    const holder = new Client(service.connection);
    for (const each of [client, holder]) await each.connect();
    // As long as this one is open nothing has its turn.
    await holder.query('begin');
    await holder.query('select pg_current_xact_id()');
    const [PORTIONS, SIZE] = [5, 9_000];
    for (let portion = 0; portion < PORTIONS; portion += 1) {
      await client.query(
        `insert into events (project_id, id, subscription_id, sequence, type, occurred_at, data)
         select project_id, uuidv7(), subscription_id, $2::integer + i, type, occurred_at, '{"previous_attributes":{}}'
         from events, generate_series(1, $3::integer) as i
         where data -> 'subscription' ->> 'id' = $1 and sequence = 1`,
        [id, 1 + portion * SIZE, SIZE],
      );
    }
    await holder.query('commit');
    for (const each of [client, holder]) await each.end();
    let [seen, after] = [0, ''];
    for (const begin = performance.now(); seen < 1 + PORTIONS * SIZE && performance.now() - begin < 20_000;) {
      const page = await ask(own, `limit=500&wait=5${after}`);
      for (const { sequence } of page.items) assert.equal(sequence, (seen += 1));
      after = `&after=${page.next_page}`;
    }
    assert.equal(seen, 1 + PORTIONS * SIZE);
  });
});

/** What each operation that changes something is told by, or why it has no event. */
const TOLD_BY: Readonly<Record<string, { readonly event: string } | { readonly reason: string }>> = {
  createSubscription: { event: 'subscription.created' },
  updateSubscription: { event: 'subscription.updated' },
  terminateSubscription: { event: 'subscription.terminated' },
  undoTermination: { event: 'subscription.termination_undone' },
  retrySubscription: { event: 'subscription.action_resolved' },
  createLead: { event: 'lead.created' },
  updateLead: { reason: 'interface.md §8 has no event of a lead between its creation and its conversion' },
  eraseLead: { reason: 'interface.md §8 has no event of a lead between its creation and its conversion' },
  createMeterOrder: { event: 'meter_order.created' },
  cancelMeterOrder: { event: 'meter_order.cancelled' },
  createGridFeeReduction: { event: 'grid_fee_reduction.created' },
  endGridFeeReduction: { event: 'grid_fee_reduction.ended' },
  updateCustomer: { event: 'customer.updated' },
  eraseCustomer: { event: 'customer.erased' },
  createPlan: { reason: 'the operator’s own catalogue; interface.md §8 has no event of plans' },
  updatePlan: { reason: 'the operator’s own catalogue; interface.md §8 has no event of plans' },
  createWebhookEndpoint: { reason: 'how the caller is told, nothing that it is told of' },
  updateWebhookEndpoint: { reason: 'the caller’s own wish; `webhook_endpoint.disabled` tells of what we decide' },
  deleteWebhookEndpoint: { reason: 'nobody is left to be told' },
  resendWebhookDelivery: { reason: 'sends an event again; nothing has happened beyond' },
  replayWebhookEndpoint: { reason: 'sends events again; nothing has happened beyond' },
  testWebhookEndpoint: { reason: 'sends an event that is no event, and changes nothing' },
  rotateWebhookSecret: { reason: 'an event would be signed with the secret that it tells of' },
  advanceSandboxClock: { reason: 'changes no resource; what becomes due has events of its own' },
};

describe('every route that changes something', () => {
  test('has its event, written under the id of its request, or a reason why not', async () => {
    const fresh = await startService();
    const operations = fresh.service.app.contracts.filter(({ method }) => method !== 'GET');
    assert.deepEqual(operations.map(({ operationId }) => operationId).toSorted(), Object.keys(TOLD_BY).toSorted());
    const { address } = signUpBody(fresh.planId) as { address: object };
    const [supplied, stuck] = [await signUp(fresh), await signUp(fresh, { address: { ...address, zip: '99905' } })];
    const withdrawn = await signUp(fresh);
    await fresh.call('POST', `/subscriptions/${withdrawn.id}/terminate`, { body: { reason: 'withdrawal' } });
    await fresh.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
    const requests: Record<string, () => Promise<Reply>> = {
      createSubscription: () => fresh.call('POST', '/subscriptions', { body: signUpBody(fresh.planId) }),
      updateSubscription: () => fresh.call('PATCH', `/subscriptions/${supplied.id}`, { body: { metadata: { a: 1 } } }),
      terminateSubscription: () =>
        fresh.call('POST', `/subscriptions/${supplied.id}/terminate`, { body: { reason: 'ordinary' } }),
      undoTermination: () => fresh.call('POST', `/subscriptions/${supplied.id}/undo-termination`),
      createLead: () => fresh.call('POST', '/leads', { body: { plan: fresh.planId, address: { zip: '51147' } } }),
      retrySubscription: () => fresh.call('POST', `/subscriptions/${stuck.id}/retry`),
      createMeterOrder: () => ask('meter-orders', {}),
      cancelMeterOrder: async () => fresh.call('POST', `/meter-orders/${await first('meter-orders')}/cancel`),
      createGridFeeReduction: () => ask('grid-fee-reductions', { module_1: true }),
      endGridFeeReduction: async () =>
        fresh.call('POST', `/grid-fee-reductions/${await first('grid-fee-reductions')}/end`),
      updateCustomer: () => fresh.call('PATCH', `/customers/${supplied.customer}`, { body: { last_name: 'Neu' } }),
      eraseCustomer: () => fresh.call('POST', `/customers/${withdrawn.customer}/erase`),
    };
    const ask = (list: string, body: object): Promise<Reply> =>
      fresh.call('POST', `/${list}`, { body: { subscription: supplied.id, ...body } });
    const first = async (list: string): Promise<string> => (await fresh.call('GET', `/${list}`)).json.items[0].id;
    for (const [operation, told] of Object.entries(TOLD_BY)) {
      if (!('event' in told)) continue;
      const reply = await requests[operation]?.();
      assert.ok(reply !== undefined && reply.status < 300, `${operation}: ${reply?.text}`);
      const rows = await fresh.database.query<Json>(sql`
        select type from events where request_id = ${reply.headers.get('x-request-id')}`);
      assert.ok(
        rows.some(({ type }) => type === told.event),
        `${operation}: ${JSON.stringify(rows)}`,
      );
    }
    await fresh.stop();
  });
});
