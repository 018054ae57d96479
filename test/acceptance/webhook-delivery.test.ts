/** Deliveries of webhooks, to receivers in this process. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '#config';
import { parseId } from '#domain/identifiers.ts';
import { formats } from '#features/formats.ts';
import { testEventSchema } from '#features/webhooks/index.ts';
import { sql } from '#platform/database/sql.ts';
import { deleteSettledDeliveries } from '#features/webhooks/delivery/store.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import { createLog } from '#platform/log.ts';
import { serve } from '../../src/serve.ts';
import { signUpBody, type Json } from '../support/builders.ts';
import { planByIndexes, statementOf } from '../support/plans.ts';
import { startReceiver, until, type Answering, type Received, type Receiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { isVerified, openProject, type WebhookProject } from '../support/webhooks.ts';

const WEBHOOKS = { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: '0.1,0.1,0.2,1,1,1,1,1,1' };

let service: TestService;
const receivers: Receiver[] = [];
before(async () => {
  service = await startService(WEBHOOKS);
});
after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await service.stop();
});

async function receive(answer?: Answering): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

const first = async (receiver: Receiver, count = 1): Promise<Received> => {
  await until(`${count} webhooks`, () => receiver.received.length >= count);
  return receiver.received[0] as Received;
};

/** What the metrics say of attempts so far. */
const countAttempts = async (): Promise<Record<'status' | 'succeeded' | 'seconds', number>> => {
  const text = await service.service.app.metrics.registry.metrics();
  const read = (name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  return {
    status: read('wattline_webhook_attempts_total{outcome="status"}'),
    succeeded: read('wattline_webhook_attempts_total{outcome="succeeded"}'),
    seconds: read('wattline_webhook_attempt_duration_seconds_count'),
  };
};

/** The event that tells of a disabled endpoint. */
const disabling = async ({ call }: WebhookProject): Promise<Json> => {
  const { items } = must(await call('GET', '/events?types=webhook_endpoint.disabled&wait=5'), 200);
  return items[0];
};

describe('a delivery', () => {
  test('is the event, signed; with both secrets while one rotates; a changed byte fails', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const { id, secret } = await own.endpoint(receiver.url);
    await own.signUp();
    const got = await first(receiver);
    assert.ok(isVerified(got, secret));
    assert.ok(!isVerified({ ...got, body: got.body.replace('pending', 'pendinG') }, secret));
    assert.equal(got.headers['content-type'], 'application/json');
    assert.equal(got.headers['webhook-id'], got.event.id);
    assert.ok(Math.abs(Number(got.headers['webhook-timestamp']) - Date.now() / 1000) < 5);
    const event = await own.call('GET', `/events/${got.event.id}`);
    assert.equal(event.text, got.body);
    const rotated = must(await own.call('POST', `/webhook-endpoints/${id}/rotate-secret`, { body: {} }), 200);
    await own.signUp();
    await first(receiver, 2);
    const second = receiver.received[1] as Received;
    assert.ok(isVerified(second, secret) && isVerified(second, rotated.secret));
    await until('noted', async () => (await own.deliveries('filter[state][eq]=succeeded')).length === 2);
    const [delivery] = await own.deliveries(`filter[event][eq]=${got.event.id}`);
    assert.deepEqual(
      [delivery.endpoint, delivery.event_type, delivery.attempts[0].status_code, delivery.attempts[0].error],
      [id, 'subscription.created', 204, null],
    );
    assert.equal(delivery.next_attempt_at, null);
    const single = await own.call('GET', `/webhook-deliveries/${delivery.id}`);
    assert.deepEqual([single.status, single.json], [200, delivery]);
    assert.equal((await own.deliveries(`filter[created_at][lt]=${delivery.created_at}`)).length, 0);
    assert.equal(
      (await own.deliveries(`filter[endpoint][eq]=${id}&filter[created_at][gte]=${delivery.created_at}`)).length,
      2,
    );
  });

  test('goes only where its type is asked for', async () => {
    const [own, all, some] = [await openProject(service), await receive(), await receive()];
    await own.endpoint(all.url);
    await own.endpoint(some.url, { types: ['subscription.activated'] });
    await own.signUp();
    await first(all);
    await own.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
    await first(some);
    await first(all, 3);
    assert.deepEqual(
      some.received.map(({ event }) => event.type),
      ['subscription.activated'],
    );
  });

  test('is attempted four times when three are answered 500, with one id and body', async () => {
    const [own, receiver] = [
      await openProject(service),
      await receive((response, index) => response.writeHead(index < 3 ? 500 : 200).end('x')),
    ];
    const before = await countAttempts();
    await own.endpoint(receiver.url);
    const [subscription] = await own.signUp();
    await until('noted', async () => (await own.deliveries('filter[state][eq]=succeeded')).length === 1);
    const now = await countAttempts();
    assert.deepEqual([now.status - before.status, now.succeeded - before.succeeded], [3, 1]);
    assert.equal(now.seconds - before.seconds, 4);
    const [{ attempts, next_attempt_at: next }] = await own.deliveries();
    assert.equal(next, null);
    assert.deepEqual(
      attempts.map((attempt: Json) => attempt.status_code),
      [500, 500, 500, 200],
    );
    // A fifth would come before what follows of the same subscription.
    must(await own.call('PATCH', `/subscriptions/${subscription}`, { body: { metadata: { a: 1 } } }), 200);
    await first(receiver, 5);
    const sent = receiver.received.map(({ headers, body }) => [headers['webhook-id'], body].join(' '));
    assert.equal(new Set(sent.slice(0, 4)).size, 1);
    assert.equal(receiver.received[4]?.event.type, 'subscription.updated');
  });

  test('waits as long as Retry-After asks', async () => {
    const [own, receiver] = [
      await openProject(service),
      await receive((response, index) => response.writeHead(index === 0 ? 503 : 200, { 'retry-after': '2' }).end()),
    ];
    await own.endpoint(receiver.url);
    await own.signUp();
    await first(receiver, 2);
    const [one, two] = receiver.received as [Received, Received];
    assert.ok(two.at - one.at > 1900 && two.at - one.at < 4000, String(two.at - one.at));
  });

  test('that has failed for good is made pending by replay; succeeded ones are sent anew by event and range', async () => {
    const [own, receiver] = [await openProject(service), await receive((response) => response.writeHead(500).end())];
    const { id } = await own.endpoint(receiver.url);
    await own.signUp();
    await until('failed', async () => (await own.deliveries('filter[state][eq]=failed')).length === 1, 30_000);
    const [failed] = await own.deliveries();
    assert.equal(failed.attempts.length, 10);
    receiver.answer = (response) => response.writeHead(200).end();
    const replay = async (body: object): Promise<Json> =>
      must(await own.call('POST', `/webhook-endpoints/${id}/replay`, { body }), 200);
    assert.deepEqual(await replay({ failed: true }), {
      object: 'webhook_replay',
      endpoint: id,
      deliveries: 1,
      has_more: false,
      next_from: null,
    });
    const succeeded = (count: number): Promise<void> =>
      until('sent', async () => (await own.deliveries('filter[state][eq]=succeeded')).length === count);
    await succeeded(1);
    assert.equal((await replay({ event: failed.event })).deliveries, 1);
    await succeeded(2);
    assert.equal((await replay({ from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' })).deliveries, 1);
    await succeeded(3);
    assert.equal((await replay({ from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' })).deliveries, 0);
    for (const body of [{}, { failed: true, event: failed.event }, { from: '2020-01-01T00:00:00Z' }, { event: 'x' }]) {
      assert.equal((await own.call('POST', `/webhook-endpoints/${id}/replay`, { body })).status, 400);
    }
    const before = receiver.received.length;
    const again = must(await own.call('POST', `/webhook-deliveries/${failed.id}/resend`), 200);
    assert.equal(again.state, 'pending');
    await until('sent again', () => receiver.received.length === before + 1);
  });

  test('is replayed at once, although a later one of its subscription waits for long', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const { id } = await own.endpoint(receiver.url);
    const [subscription] = await own.signUp();
    const { event } = await first(receiver);
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '3600' }).end();
    must(await own.call('PATCH', `/subscriptions/${subscription}`, { body: { metadata: { a: 1 } } }), 200);
    await first(receiver, 2);
    await until('it is put off', async () => (await own.deliveries())[0]?.attempts.length === 1);
    receiver.answer = (response) => response.writeHead(204).end();
    must(await own.call('POST', `/webhook-endpoints/${id}/replay`, { body: { event: event.id } }), 200);
    await first(receiver, 3);
    assert.equal(receiver.received[2]?.event.id, event.id);
  });

  test('is replayed to a disabled endpoint, too: what waits for it stays, and is sent once; of another type it is new', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const asked = await own.endpoint(receiver.url, { types: ['subscription.*'], enabled: false });
    const other = await own.endpoint(receiver.url, { types: ['lead.*'], enabled: false });
    await own.signUp();
    const [event] = must(await own.call('GET', '/events?wait=5'), 200).items;
    const replay = async ({ id }: Json): Promise<number> =>
      must(await own.call('POST', `/webhook-endpoints/${id}/replay`, { body: { event: event.id } }), 200).deliveries;
    assert.deepEqual([await replay(asked), await replay(other), await replay(other)], [0, 1, 0]);
    for (const { id } of [asked, other]) {
      must(await own.call('PATCH', `/webhook-endpoints/${id}`, { body: { enabled: true } }), 200);
    }
    await until('all sent', async () => (await own.deliveries('filter[state][eq]=succeeded')).length === 2);
    const endpoints = new Set((await own.deliveries()).map(({ endpoint }) => endpoint));
    assert.deepEqual(endpoints, new Set([asked.id, other.id]));
  });

  test('and its endpoint are sent to by hand only in the state that If-Match names', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const { id } = await own.endpoint(receiver.url);
    await own.signUp();
    const succeeded = 'filter[state][eq]=succeeded';
    await until('sent', async () => (await own.deliveries(succeeded)).length === 1);
    const [delivery] = await own.deliveries();
    const resend = `/webhook-deliveries/${delivery.id}`;
    const actions: [resource: string, action: string, body?: object][] = [
      [`/webhook-endpoints/${id}`, 'test'],
      [`/webhook-endpoints/${id}`, 'replay', { event: delivery.event }],
      [resend, 'resend'],
    ];
    for (const [resource, action, body] of actions) {
      const act = async (tag: string): Promise<number> =>
        (await own.call('POST', `${resource}/${action}`, { ...(body && { body }), headers: { 'if-match': tag } }))
          .status;
      const sent = receiver.received.length;
      assert.equal(await act('"another"'), 412, action);
      const settled = await own.deliveries(succeeded);
      assert.equal(settled.length, (await own.deliveries()).length, action);
      assert.equal(receiver.received.length, sent, action);
      assert.equal(await act((await own.call('GET', resource)).headers.get('etag') ?? ''), 200, action);
      assert.equal(await act('*'), 200, action);
      await until('sent', async () => (await own.deliveries('filter[state][eq]=pending')).length === 0);
    }
    const stale = (await own.call('GET', `/webhook-endpoints/${id}`)).headers.get('etag') ?? '';
    must(await own.call('PATCH', `/webhook-endpoints/${id}`, { body: { description: 'Another' } }), 200);
    const headers = { 'if-match': stale };
    const replayed = await own.call('POST', `/webhook-endpoints/${id}/replay`, { body: { failed: true }, headers });
    assert.equal(replayed.status, 412);
    assert.equal(replayed.json.code, 'precondition_failed');
  });
});

describe('a receiver', () => {
  test('that is down during 1,000 events gets all of them after it returns, in order per subscription', async () => {
    const [own, gone] = [await openProject(service), await startReceiver()];
    await gone.close();
    await own.endpoint(gone.url);
    const ids: string[] = [];
    for (let round = 0; round < 7; round += 1) ids.push(...(await own.signUp(50)));
    await own.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
    await until('attempts', async () => (await own.deliveries('filter[state][eq]=pending')).length >= 100);
    const back = await startReceiver(undefined, gone.port);
    receivers.push(back);
    await until('all', () => new Set(back.received.map(({ event }) => event.id)).size === 1050, 60_000);
    for (const id of ids) {
      const mine = back.received
        .filter(({ event }) => event.data.subscription.id === id)
        .map(({ event }) => event.sequence);
      assert.deepEqual(mine, [1, 2, 3]);
    }
  });

  test('that is slow does not delay another', async () => {
    const own = await openProject(service);
    const slow = await receive((response) => void setTimeout(() => response.writeHead(200).end(), 12_000));
    const fast = await receive();
    await own.endpoint(slow.url);
    await own.endpoint(fast.url);
    const begin = new Map<string, number>();
    for (let round = 0; round < 10; round += 1) {
      const at = performance.now();
      for (const id of await own.signUp(20)) begin.set(id, at);
    }
    await first(fast, 200);
    const delays = fast.received.map(({ at, event }) => at - (begin.get(event.data.subscription.id) ?? 0));
    assert.ok((delays.toSorted((a, b) => a - b)[190] ?? Infinity) < 2000);
  });

  test('that hangs, drips, floods, closes half-way or redirects is left within 20 s, and memory stays flat', async () => {
    const own = await openProject(service);
    const flood = Buffer.alloc(65_536, 'x');
    const other = await receive();
    const answers: Record<string, Answering> = {
      timeout: () => {},
      drip: (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'), 100);
        response.on('close', () => clearInterval(timer));
      },
      flood: (response) => {
        response.writeHead(500);
        const pour = (): void => {
          while (!response.destroyed && response.write(flood));
          if (!response.destroyed) response.once('drain', pour);
        };
        pour();
      },
      connection_closed: (response, _, socket) => {
        response.writeHead(200, { 'content-length': '100' }).write('x');
        setTimeout(() => socket.destroy(), 50);
      },
      reset: (_response, _, socket) => void socket.resetAndDestroy(),
      redirect: (response) => response.writeHead(307, { location: other.url }).end(),
      headers: (_response, _, socket) => {
        const timer = setInterval(() => socket.write(`x-${'y'.repeat(1000)}: z\r\n`), 1);
        socket.write('HTTP/1.1 200 OK\r\n');
        socket.on('close', () => clearInterval(timer)).on('error', () => {});
      },
    };
    const endpoints: Record<string, string> = {};
    for (const [name, answer] of Object.entries(answers)) {
      endpoints[name] = (await own.endpoint((await receive(answer)).url)).id;
    }
    const memory = process.memoryUsage().rss;
    const begin = performance.now();
    await own.signUp();
    const attempts: Record<string, Json> = {};
    await until(
      'first attempts',
      async () => {
        for (const delivery of await own.deliveries()) {
          const [name = ''] = Object.entries(endpoints).find(([, id]) => id === delivery.endpoint) ?? [];
          if (delivery.attempts.length > 0) attempts[name] = delivery.attempts[0];
        }
        return Object.keys(attempts).length === Object.keys(answers).length;
      },
      20_000,
    );
    assert.ok(performance.now() - begin < 20_000);
    assert.ok(process.memoryUsage().rss - memory < 100_000_000);
    const errors = Object.fromEntries(Object.entries(attempts).map(([name, { error }]) => [name, error]));
    assert.deepEqual(errors, {
      timeout: 'timeout',
      drip: 'timeout',
      flood: 'status',
      connection_closed: 'connection_closed',
      reset: 'connection_closed',
      redirect: 'redirect',
      headers: 'invalid_answer',
    });
    assert.equal(other.received.length, 0);
  });

  test('that answers 410 is disabled; what waits is sent once it is enabled again', async () => {
    const [own, receiver] = [await openProject(service), await receive((response) => response.writeHead(410).end())];
    const { id } = await own.endpoint(receiver.url);
    const read = async (): Promise<Json> => must(await own.call('GET', `/webhook-endpoints/${id}`), 200);
    await own.signUp();
    await until('disabled', async () => !(await read()).enabled);
    const disabled = await read();
    assert.equal(disabled.status.disabled_reason, 'gone');
    const told = await disabling(own);
    assert.deepEqual(
      [told.sequence, told.request_id, told.data],
      [
        1,
        null,
        // The event itself waits by now.
        {
          webhook_endpoint: { ...disabled, status: { ...disabled.status, backlog: 1 } },
          previous_attributes: {
            enabled: true,
            status: { ...disabled.status, backlog: 1, disabled_reason: null },
          },
        },
      ],
    );
    const other = await receive();
    await own.endpoint(other.url);
    // What is sent to one endpoint is claimed with what is due at all others, and has arrived before what comes next.
    for (const count of [1, 2]) {
      await own.signUp();
      await first(other, count);
    }
    assert.equal(receiver.received.length, 1);
    receiver.answer = (response) => response.writeHead(200).end();
    await own.call('PATCH', `/webhook-endpoints/${id}`, { body: { enabled: true } });
    await first(receiver, 5);
    assert.deepEqual(
      receiver.received
        .slice(1)
        .map(({ event }) => event.type as string)
        .toSorted(),
      ['subscription.created', 'subscription.created', 'subscription.created', 'webhook_endpoint.disabled'],
    );
  });

  test('that fails once its endpoint has another URL puts nothing off: what waits is sent there at once', async () => {
    const held: ServerResponse[] = [];
    const [own, before, now] = [
      await openProject(service),
      await receive((response) => void held.push(response)),
      await receive(),
    ];
    const { id } = await own.endpoint(before.url);
    const [subscription] = await own.signUp();
    must(await own.call('PATCH', `/subscriptions/${subscription}`, { body: { metadata: { a: 1 } } }), 200);
    await until('an attempt', () => held.length === 1);
    must(await own.call('PATCH', `/webhook-endpoints/${id}`, { body: { url: now.url } }), 200);
    held[0]?.writeHead(503, { 'retry-after': '3600' }).end();
    await first(now, 2);
    assert.deepEqual(
      now.received.map(({ event }) => event.type as string),
      ['subscription.created', 'subscription.updated'],
    );
  });

  test('that answers 410 to many at once is disabled once', async () => {
    const [own, held] = [await openProject(service), new Array<ServerResponse>()];
    const receiver = await receive((response) => void held.push(response));
    const { id } = await own.endpoint(receiver.url);
    await own.signUp(12);
    await until('all are on their way', () => held.length === 12);
    for (const [index, response] of held.entries()) {
      response.writeHead(410).end();
      // Each by itself: what comes of several together is noted together.
      await until('its attempt is kept', async () => {
        const deliveries = await own.deliveries(`filter[endpoint][eq]=${id}`);
        return deliveries.filter(({ attempts }) => attempts.length === 1).length === index + 1;
      });
    }
    const { items } = must(await own.call('GET', '/events?types=webhook_endpoint.disabled&wait=1'), 200);
    assert.deepEqual(
      items.map(({ sequence, data }: Json) => [sequence, data.webhook_endpoint.id]),
      [[1, id]],
    );
  });

  test('that does nothing but fail for five days is disabled', async () => {
    const [own, receiver] = [await openProject(service), await receive((response) => response.writeHead(500).end())];
    const { id } = await own.endpoint(receiver.url);
    await service.database.query(sql`
      update webhook_endpoints set failing_since = now() - interval '5 days' where id = ${parseId('whe', id as string)}`);
    await own.signUp();
    await until('disabled', async () => !must(await own.call('GET', `/webhook-endpoints/${id}`), 200).enabled);
    const { status } = must(await own.call('GET', `/webhook-endpoints/${id}`), 200);
    assert.equal(status.disabled_reason, 'failing');
    assert.equal((await disabling(own)).data.webhook_endpoint.status.disabled_reason, 'failing');
  });

  test('can be tested: a signed event that is not kept', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const { id, secret } = await own.endpoint(receiver.url);
    const test = async (): Promise<Json> => must(await own.call('POST', `/webhook-endpoints/${id}/test`), 200);
    const { succeeded, status_code: status, error } = await test();
    assert.deepEqual([succeeded, status, error], [true, 204, null]);
    const [got] = receiver.received as [Received];
    assert.ok(isVerified(got, secret));
    assert.deepEqual(createSchemaCompiler(formats).compile(testEventSchema)(got.event), []);
    assert.equal((await own.call('GET', `/events/${got.event.id}`)).status, 404);
    assert.deepEqual(await own.deliveries(), []);
    await receiver.close();
    assert.equal((await test()).error, 'connection_failed');
  });
});

describe('several processes', () => {
  test('deliver each once when none crashes; a lease that ran out is attempted again', async () => {
    const fresh = await startService(WEBHOOKS);
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: fresh.databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'error',
      RATE_LIMIT: 'off',
      ...WEBHOOKS,
    });
    const second = await serve(config, createLog('error', 2));
    const receiver = await receive();
    must(await fresh.call('POST', '/webhook-endpoints', { body: { url: receiver.url } }), 201);
    const signUp = async (): Promise<string> =>
      must(await fresh.call('POST', '/subscriptions', { body: signUpBody(fresh.planId) }), 201).id;
    const settled = (): Promise<void> =>
      until('written', async () => {
        const open = await fresh.database.query(sql`select from webhook_deliveries where state = 'pending' limit 1`);
        return open.length === 0;
      });
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 30 }, signUp));
    await settled();
    // Whatever else were on its way would have arrived before what comes now.
    await signUp();
    await first(receiver, 301);
    await settled();
    assert.equal(receiver.received.length, 301);
    assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, 301);
    // As a process leaves it that has died: claimed, and nothing written.
    const from = performance.now();
    await fresh.database.query(sql`
      update webhook_deliveries set state = 'pending', due_at = now(), leased_until = now() + interval '2 seconds'
      where id = (select id from webhook_deliveries limit 1)`);
    await first(receiver, 302);
    assert.ok((receiver.received[301] as Received).at - from >= 2_000);
    await settled();
    // The same, and then the clock was set back.
    await fresh.database.query(sql`
      update webhook_deliveries set state = 'pending', due_at = now(), leased_until = now() + interval '2 days'
      where id = (select id from webhook_deliveries limit 1)`);
    await first(receiver, 303);
    await second.stop();
    await fresh.stop();
  });
});

describe('a stop', () => {
  test('waits a little for attempts on their way, then leaves them to whoever comes next', async () => {
    const fresh = await startService(WEBHOOKS);
    const receiver = await receive(() => {});
    must(await fresh.call('POST', '/webhook-endpoints', { body: { url: receiver.url } }), 201);
    await fresh.call('POST', '/subscriptions', { body: signUpBody(fresh.planId) });
    await first(receiver);
    const begin = performance.now();
    await fresh.stop();
    assert.ok(performance.now() - begin < 9_000);
  });
});

describe('maintenance', () => {
  test('removes what was settled, 30 days after it was written, and never what is pending', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const { id } = await own.endpoint(receiver.url);
    await own.signUp(4);
    await until('settled', async () => (await own.deliveries('filter[state][eq]=succeeded')).length === 4);
    await own.call('PATCH', `/webhook-endpoints/${id}`, { body: { enabled: false } });
    const [young, settled, failed, pending] = (await own.deliveries()).map((each) => each.id as string);
    const age = (name = '', state: string, days: number): Promise<unknown[]> =>
      service.database.query(sql`
        update webhook_deliveries set
          state = ${state}, due_at = case when ${state} = 'pending' then now() end,
          created_at = now() - make_interval(days => ${days}::integer)
        where id = ${parseId('whd', name)}`);
    await age(young, 'succeeded', 29);
    await age(settled, 'succeeded', 31);
    await age(failed, 'failed', 31);
    await age(pending, 'pending', 31);
    await service.service.app.maintenance.run();
    assert.deepEqual(
      (await own.deliveries()).map((each) => each.id),
      [young, pending],
    );
  });

  test('finds it by an index', async () => {
    const statement = await statementOf((asked) => deleteSettledDeliveries(asked, '2020-01-01T00:00:00Z', 10));
    const plan = await planByIndexes(service.database, statement);
    assert.match(plan, /webhook_deliveries_settled/);
    assert.doesNotMatch(plan, /Seq Scan|"Sort"/);
  });
});
