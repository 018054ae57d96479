/** Endpoints with more waiting than one statement takes: changed, replayed, deleted; and attempts that end too late. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { formatId, parseId } from '#domain/identifiers.ts';
import { createEndpointNotes } from '#features/webhooks/delivery/note-endpoints.ts';
import { createResultWriter } from '#features/webhooks/delivery/results.ts';
import * as outcomes from '#features/webhooks/delivery/results-store.ts';
import { resend } from '#features/webhooks/delivery/replay-store.ts';
import * as store from '#features/webhooks/delivery/store.ts';
import { createPublisher } from '#features/events/index.ts';
import { createLog } from '#platform/log.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { createMaintenance } from '../../src/maintenance.ts';
import { signUpBody } from '../support/builders.ts';
import { addWaitingDeliveries } from '../support/deliveries.ts';
import { eventually } from '../support/process.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

const NOW = '2026-01-01T00:00:00Z';
const LATER = '2999-01-01T00:00:00Z';
/** A lease. */
const LEASE_MS = 1_000;
const URL_OF_MINE = 'https://hooks.example.com/wattline';

let service: TestService;
let endpointId: string;
let path: string;
before(async () => {
  service = await startService();
  // What is no matter of these tests: sending.
  await service.service.app.webhooks.stop();
  await service.service.app.feed.stop();
});
after(() => service.stop());
beforeEach(async () => {
  const created = await service.call('POST', '/webhook-endpoints', {
    body: { url: URL_OF_MINE, types: ['customer.*'] },
  });
  assert.equal(created.status, 201, created.text);
  path = `/webhook-endpoints/${created.json.id}`;
  endpointId = parseId('whe', created.json.id) ?? '';
});

/** Deliveries of the endpoint that wait, in the order of the feed. */
async function addDeliveries(count: number, dueAt: string, subjectId?: string): Promise<string[]> {
  await addWaitingDeliveries(service, { endpointId, count, dueAt, createdAt: NOW, subjectId });
  const found = await service.database.query<{ id: string }>(sql`
    select id from webhook_deliveries where endpoint_id = ${endpointId} order by position`);
  return found.map(({ id }) => id);
}

async function count(condition: Sql): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(sql`
    select count(*)::integer as count from webhook_deliveries where endpoint_id = ${endpointId} and ${condition}`);
  return row?.count ?? -1;
}

/** Takes a delivery over, whoever has it; answers until when. */
async function lease(id: string): Promise<string> {
  const [row] = await service.database.query<{ lease: string }>(sql`
    update webhook_deliveries set leased_until = clock_timestamp() where id = ${id} returning leased_until::text as lease`);
  return row?.lease ?? '';
}

describe('an endpoint with a long backlog', () => {
  test('has all that waits sent at once when it gets another URL', async () => {
    await addDeliveries(12_000, LATER);
    const changed = await service.call('PATCH', path, { body: { url: `${URL_OF_MINE}/2` } });
    assert.equal(changed.status, 200, changed.text);
    await eventually(async () => (await count(sql`due_at = ${LATER}`)) === 0, 'all are due');
    assert.equal(await count(sql`due_at <= now()`), 12_000);
  });

  test('has all of it sent at once also when the database refuses a portion', async () => {
    await addDeliveries(12_000, LATER);
    // What counts is not undone with what is refused.
    await service.database.query(sql`create sequence portion`);
    await service.database.query(sql`
      create function refuse() returns trigger language plpgsql as
        $$ begin if nextval('portion') = 2 then raise 'refused'; end if; return null; end $$`);
    await service.database.query(sql`
      create trigger refuse before update on webhook_deliveries for each statement execute function refuse()`);
    try {
      const changed = await service.call('PATCH', path, { body: { url: `${URL_OF_MINE}/2` } });
      assert.equal(changed.status, 200, changed.text);
      await eventually(async () => (await count(sql`due_at = ${LATER}`)) === 0, 'all are due');
    } finally {
      await service.database.query(sql`drop function refuse cascade`);
      await service.database.query(sql`drop sequence portion`);
    }
  });

  test('is gone at once when it is deleted, and removed with its deliveries afterwards, at the latest by maintenance', async () => {
    const [id = ''] = await addDeliveries(12_000, LATER);
    assert.equal((await service.call('DELETE', path)).status, 204);
    assert.equal((await service.call('GET', path)).status, 404);
    for (const action of ['replay', 'test', 'rotate-secret']) {
      const body = action === 'replay' ? { failed: true } : {};
      assert.equal((await service.call('POST', `${path}/${action}`, { body })).status, 404, action);
    }
    assert.equal((await service.call('POST', `/webhook-deliveries/${formatId('whd', id)}/resend`)).status, 404);
    const listed = (await service.call('GET', '/webhook-endpoints')).json.items as { id: string }[];
    assert.ok(!listed.some(({ id }) => path.endsWith(id)));
    await createMaintenance(service.service.foundation, createLog('silent', 2)).run();
    const rows = (): Promise<unknown[]> =>
      service.database.query(sql`select from webhook_endpoints where id = ${endpointId}`);
    await eventually(async () => (await rows()).length === 0, 'it is removed');
    assert.equal(await count(sql`true`), 0);
  });

  test('has its deliveries removed also behind a portion that fell short', async () => {
    await addDeliveries(12_000, LATER);
    // As it befalls those that somebody writes at that moment.
    await service.database.query(sql`
      create function spare() returns trigger language plpgsql as 'begin return null; end'`);
    await service.database.query(sql`
      create trigger spare before delete on webhook_deliveries for each row when (old.position % 1000 = 0)
      execute function spare()`);
    try {
      assert.equal((await service.call('DELETE', path)).status, 204);
      await eventually(async () => (await count(sql`true`)) === 12, 'all others are removed');
    } finally {
      await service.database.query(sql`drop function spare cascade`);
    }
  });

  test('gets a long time replayed request by request', async () => {
    const [events, start, perSecond] = [45_000, Temporal.Instant.from('2026-02-01T00:00:00Z'), 7_000];
    await forceRows(
      service,
      sql`insert into events (project_id, id, resource_id, sequence, type, occurred_at, caused_by, data)
      select ${service.projectId}::uuid,
        (lpad(to_hex(${start.epochMilliseconds}::bigint + place * 1000 / ${perSecond}::integer), 12, '0')
          || '7' || substr(md5(place::text), 1, 3) || '8' || substr(md5(place::text), 4, 15))::uuid,
        gen_random_uuid(), 1, 'customer.updated', now(), 'operator', '{}'
      from generate_series(0, ${events - 1}::integer) as place`,
    );
    const publish = createPublisher(service.database, { notify: (): void => {} });
    await eventually(async () => (await publish()) === 'idle', 'all are published');
    const created = await service.call('POST', '/webhook-endpoints', {
      body: { url: URL_OF_MINE, types: ['customer.*'] },
    });
    const replayed = { deliveries: 0, requests: 0 };
    for (let from: string | null = start.toString(); from !== null;) {
      const body = { from, to: '2026-03-01T00:00:00Z' };
      const answer = await service.call('POST', `/webhook-endpoints/${created.json.id}/replay`, { body });
      const { deliveries, has_more: hasMore, next_from: nextFrom } = answer.json;
      replayed.deliveries += deliveries;
      replayed.requests += 1;
      // Whole seconds: about 20,000, or fewer where that takes too long.
      assert.ok(deliveries <= 21_000);
      const next = start.add({ seconds: Math.ceil(replayed.deliveries / perSecond) }).toString();
      assert.equal(nextFrom, hasMore ? next : null);
      from = nextFrom;
    }
    assert.equal(replayed.deliveries, events);
    assert.ok(replayed.requests >= 3);
  });
});

describe('an attempt that ends too late', () => {
  const news = { wasFailing: false, hasSucceeded: false, isGone: true };

  test('says nothing of an endpoint that has another URL since', async () => {
    const projectId = service.projectId;
    const late = { ...news, projectId, endpointId, url: `${URL_OF_MINE}/before` };
    assert.deepEqual(await outcomes.updateEndpoints(service.database, [late], NOW, NOW), []);
    assert.equal((await service.call('GET', path)).json.enabled, true);
    const inTime = { ...late, url: URL_OF_MINE };
    assert.equal((await outcomes.updateEndpoints(service.database, [inTime], NOW, NOW)).length, 1);
    assert.equal((await service.call('GET', path)).json.enabled, false);
  });

  test('puts nothing off when others have taken its delivery over', async () => {
    const subjectId = randomUUID();
    const [id = ''] = await addDeliveries(3, NOW, subjectId);
    const result = { projectId: service.projectId, id, endpointId, subjectId, url: URL_OF_MINE, attempt: '{}' };
    const putOff = { state: 'pending', begunAt: NOW, dueAt: LATER, followersDueAt: LATER } as const;
    const late = { ...result, ...putOff, lease: await lease(id) };
    await lease(id);
    await outcomes.moveFollowers(service.database, [late], 0);
    assert.equal(await count(sql`due_at = ${LATER}`), 0);
    await outcomes.moveFollowers(service.database, [{ ...late, lease: await lease(id) }], 0);
    assert.equal(await count(sql`due_at = ${LATER}`), 2);
  });

  test('is left out when its delivery was asked for again, and is attempted by others, since', async () => {
    const [id = ''] = await addDeliveries(1, NOW);
    const result = { projectId: service.projectId, id, endpointId, subjectId: id, url: URL_OF_MINE, attempt: '{}' };
    const settled = { begunAt: NOW, dueAt: null, followersDueAt: null };
    const late = { ...result, ...settled, state: 'failed', lease: await lease(id) } as const;
    // Its lease ran out; another attempt succeeded, and an operator asked for one more: attempts count from none again.
    const success = { ...late, state: 'succeeded', lease: await lease(id) } as const;
    await outcomes.writeResults(service.database, [success], 0);
    assert.equal(await resend(service.database, service.projectId, id, NOW), true);
    const resent = { ...success, lease: await lease(id) };
    await outcomes.writeResults(service.database, [late], 0);
    assert.equal(await count(sql`state = 'pending' and leased_until is not null and attempt_count = 0`), 1);
    await outcomes.writeResults(service.database, [resent], 0);
    assert.equal(await count(sql`state = 'succeeded' and leased_until is null and attempt_count = 1`), 1);
  });
});

test('of a delivery that is asked for again and again the last hundred attempts are kept', async () => {
  const [id = ''] = await addDeliveries(1, NOW);
  const result = { projectId: service.projectId, id, endpointId, subjectId: id, url: URL_OF_MINE, begunAt: NOW };
  for (let attempt = 1; attempt <= 105; attempt += 1) {
    const succeeded = { ...result, state: 'succeeded', dueAt: null, followersDueAt: null } as const;
    await outcomes.writeResults(
      service.database,
      [{ ...succeeded, lease: await lease(id), attempt: JSON.stringify({ attempt }) }],
      0,
    );
    assert.equal(await resend(service.database, service.projectId, id, NOW), true);
  }
  const [row] = await service.database.query<{ attempts: string }>(sql`
    select attempts from webhook_deliveries where id = ${id}`);
  const kept = JSON.parse(row?.attempts ?? '[]') as { attempt: number }[];
  assert.deepEqual(
    kept.map(({ attempt }) => attempt),
    Array.from({ length: 100 }, (_, index) => 6 + index),
  );
});

test('an attempt that fails puts nothing off when its result could not be written', async () => {
  const subjectId = randomUUID();
  const [id = ''] = await addDeliveries(3, NOW, subjectId);
  const leased = await lease(id);
  const foundation = { ...service.service.foundation, log: createLog('silent', 2), countEvents: (): void => {} };
  const writer = createResultWriter(
    { ...foundation, webhooks: { retrySchedule: [60] }, randomBytes },
    { generation: () => 0, isStopping: () => true, onSettled: () => {} },
  );
  const row = {
    project_id: service.projectId,
    id,
    endpoint_id: endpointId,
    subject_id: subjectId,
    attempt_count: 0,
    lease: leased,
    url: URL_OF_MINE,
    is_failing: false,
  } as store.ClaimedRow;
  const outcome = { status: 503, latencyMs: 1, error: 'status', retryAfter: '3600' } as const;
  const fail = async (): Promise<void> => {
    writer.add({ row, at: service.service.foundation.clock.now(), outcome });
    await writer.settled();
  };
  await service.database.query(sql`alter table webhook_deliveries rename column attempts to away`);
  await fail();
  await service.database.query(sql`alter table webhook_deliveries rename column away to attempts`);
  assert.equal(await count(sql`due_at = ${NOW}`), 3);
  await fail();
  assert.equal(await count(sql`due_at > now() + interval '50 minutes'`), 3);
});

test('a success is noted in the second of another one, when another process has noted a failure between them', async () => {
  const { database, mintUuid, clock } = service.service.foundation;
  const now = clock.now();
  const process = { database, mintUuid, clock: { now: () => now }, log: createLog('silent', 2), countEvents: () => {} };
  const [one, other] = [createEndpointNotes(process), createEndpointNotes(process)];
  const { projectId } = service;
  assert.equal((await service.call('POST', '/subscriptions', { body: signUpBody(service.planId) })).status, 201);
  const attempted = { projectId, endpointId, url: URL_OF_MINE, isGone: false };
  const isFailing = async (): Promise<boolean> => (await service.call('GET', path)).json.status.failing_since !== null;
  await one.note([{ ...attempted, wasFailing: false, hasSucceeded: true }]);
  await other.note([{ ...attempted, wasFailing: false, hasSucceeded: false }]);
  assert.equal(await isFailing(), true);
  const [id = ''] = await addDeliveries(1, NOW);
  await database.query(sql`update webhook_deliveries set event_id = (select id from events limit 1) where id = ${id}`);
  const limits = { total: 1_000, each: 1, eachFailing: 1, inFlight: new Map() };
  const claimed = await store.claimDeliveries(database, LATER, LEASE_MS, limits, 0);
  await database.query(sql`update webhook_deliveries set leased_until = null where leased_until is not null`);
  const row = claimed.find((each) => each.id === id);
  assert.equal(row?.is_failing, true);
  await one.note([{ ...attempted, wasFailing: row.is_failing, hasSucceeded: true }]);
  assert.equal(await isFailing(), false);
});

test('of many endpoints that are behind each has its turn', async () => {
  for (let index = 0; index < 2; index += 1) {
    await service.call('POST', '/webhook-endpoints', { body: { url: URL_OF_MINE } });
  }
  assert.equal((await service.call('POST', '/subscriptions', { body: signUpBody(service.planId) })).status, 201);
  const publish = createPublisher(service.database, { notify: (): void => {} });
  await eventually(async () => (await publish()) === 'idle', 'its event is published');
  await service.database.query(sql`update webhook_endpoints set position = 0 where deleted_at is null and enabled`);
  const seen = new Set<string>();
  await eventually(async () => {
    await service.database.transaction(async (transaction) => {
      for (const { endpoint_id: id } of await store.lockBacklog(transaction, 1, 1)) seen.add(id);
    });
    return seen.size > 2;
  }, 'three of them were served');
});

test('an endpoint with nothing on its way has its turn before those with more to send than may be on its way', async () => {
  await service.database.query(sql`update webhook_endpoints set enabled = false, disabled_reason = 'requested'`);
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const created = await service.call('POST', '/webhook-endpoints', { body: { url: URL_OF_MINE } });
    ids.push(parseId('whe', created.json.id) ?? '');
  }
  for (const id of ids) await addWaitingDeliveries(service, { endpointId: id, count: 10, dueAt: NOW, createdAt: NOW });
  const limits = { total: 2, each: 4, eachFailing: 4 };
  for (const waiting of ids) {
    const inFlight = new Map(ids.filter((id) => id !== waiting).map((id) => [id, 1]));
    await store.claimDeliveries(service.database, LATER, LEASE_MS, { ...limits, inFlight }, 0);
    const claimed = await service.database.query(sql`
      update webhook_deliveries set leased_until = null where leased_until is not null returning endpoint_id`);
    assert.deepEqual(claimed, [{ endpoint_id: waiting }, { endpoint_id: waiting }]);
  }
});
