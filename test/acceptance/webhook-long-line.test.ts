/** A subscription that was changed very often while its endpoint takes its time: nobody else waits for what waits there. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { moveFollowers, type ResultRow } from '#features/webhooks/delivery/results-store.ts';
import { claimDeliveries, insertDeliveries, type ClaimLimits } from '#features/webhooks/delivery/store.ts';
import { sql } from '#platform/database/sql.ts';
import { signUpBody } from '../support/builders.ts';
import { addWaitingDeliveries } from '../support/deliveries.ts';
import { spyOn, explainSettled, connectAsService, stepsOf } from '../support/plans.ts';
import { startService, type TestService } from '../support/service.ts';

const LINE = 30_000;
const MOST_ROWS = 1_000;
const EARLIER = '2026-01-01T00:00:00Z';
const NOW = '2026-01-01T00:00:01Z';
const LATER = '2026-01-01T01:00:00Z';
const LEASE_MS = 30_000;
const URL_OF_MINE = 'https://hooks.example.com/wattline';

let service: TestService;
let eventId: string;
let endpointId: string;
before(async () => {
  service = await startService();
  // What is no matter of these tests: sending.
  await service.service.app.webhooks.stop();
  assert.equal((await service.call('POST', '/subscriptions', { body: signUpBody(service.planId) })).status, 201);
  const [event] = await service.database.query<{ id: string }>(sql`select id from events limit 1`);
  eventId = event?.id ?? '';
});
after(() => service.stop());
beforeEach(async () => {
  await service.database.query(sql`update webhook_endpoints set enabled = false, disabled_reason = 'requested'`);
  const created = await service.call('POST', '/webhook-endpoints', { body: { url: URL_OF_MINE } });
  endpointId = parseId('whe', created.json.id) ?? '';
});

async function addLine(subjectId: string, count: number, dueAt = EARLIER): Promise<void> {
  await addWaitingDeliveries(service, { endpointId, count, dueAt, createdAt: EARLIER, subjectId });
  // They are about an event that there is, so that they can be sent.
  await service.database.query(sql`
    update webhook_deliveries set event_id = ${eventId}
    where endpoint_id = ${endpointId} and subject_id = ${subjectId} and position = 1`);
}

const limits: ClaimLimits = { total: 64, each: 64, eachFailing: 4, inFlight: new Map() };
const claim = (generation: number): Promise<{ subject_id: string; lease: string; id: string }[]> =>
  claimDeliveries(service.database, NOW, LEASE_MS, limits, generation);

async function countOf(subjectId: string, dueAt: string): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(sql`
    select count(*)::integer as count from webhook_deliveries
    where endpoint_id = ${endpointId} and subject_id = ${subjectId} and due_at = ${dueAt}`);
  return row?.count ?? -1;
}

test('a claim reads little of a long line, whose first is on its way, and finds what became due behind it', async () => {
  const subjects = Array.from({ length: 3 }, () => randomUUID());
  const [long = '', ...others] = subjects;
  await addLine(long, LINE);
  assert.deepEqual(
    (await claim(0)).map(({ subject_id: subject }) => subject),
    [long],
  );
  for (const other of others) await addLine(other, 2, NOW);
  const { database, asked } = spyOn(service.database);
  const found = new Set<string>();
  // Where it begins to look is left to chance.
  for (let count = 0; count < 64 && found.size < others.length; count += 1) {
    const rows = await claimDeliveries(database, NOW, LEASE_MS, limits, 0);
    for (const { subject_id: subject } of rows) found.add(subject);
  }
  assert.deepEqual(found, new Set(others));
  const [statement] = asked;
  assert.ok(statement);
  const client = await connectAsService(service.connection);
  const steps = stepsOf(await explainSettled(client, statement)).map(({ rows, discarded }) => rows + discarded);
  await client.end();
  assert.ok(Math.max(...steps) <= MOST_ROWS, `reads ${Math.max(...steps)} rows`);
});

test('an attempt that fails puts little of a long line off, and its success puts all of that on', async () => {
  const subjectId = randomUUID();
  await addLine(subjectId, LINE);
  const [first] = await claim(1);
  assert.ok(first);
  const row = { projectId: service.projectId, endpointId, subjectId, url: URL_OF_MINE, attempt: '{}' };
  const attempted: Omit<ResultRow, 'state' | 'dueAt' | 'followersDueAt'> = {
    ...row,
    id: first.id,
    lease: first.lease,
    begunAt: EARLIER,
  };
  const failed = { ...attempted, state: 'pending', dueAt: LATER, followersDueAt: LATER } as const;
  await moveFollowers(service.database, [failed], 0);
  const putOff = await countOf(subjectId, LATER);
  assert.ok(putOff > 0 && putOff <= MOST_ROWS, `puts ${putOff} off`);
  await moveFollowers(service.database, [{ ...attempted, state: 'succeeded', dueAt: null, followersDueAt: NOW }], 0);
  assert.equal(await countOf(subjectId, LATER), 0);
  assert.equal(await countOf(subjectId, NOW), putOff);
});

test('what comes behind a long line that is put off is put on with it', async () => {
  const subjectId = randomUUID();
  await addLine(subjectId, 90, LATER);
  const add = async (from: number): Promise<void> => {
    const more = Array.from({ length: 1_000 }, (_, index) => ({
      projectId: service.projectId,
      id: randomUUID(),
      endpointId,
      eventId,
      subjectId,
      position: String(from + index),
    }));
    await insertDeliveries(service.database, more, NOW);
  };
  await add(1_000);
  assert.equal(await countOf(subjectId, LATER), 1_090);
  // Of so long a line the rest waits for those in front anyway.
  await add(2_000);
  assert.equal(await countOf(subjectId, LATER), 1_090);
  const [first] = await service.database.query<{ id: string; lease: string }>(sql`
    update webhook_deliveries set leased_until = clock_timestamp()
    where endpoint_id = ${endpointId} and position = 1
    returning id, leased_until::text as lease`);
  assert.ok(first);
  const row = { projectId: service.projectId, endpointId, subjectId, url: URL_OF_MINE, attempt: '{}' };
  const succeeded = { ...first, state: 'succeeded', dueAt: null, followersDueAt: NOW, begunAt: EARLIER } as const;
  await moveFollowers(service.database, [{ ...row, ...succeeded }], 0);
  assert.equal(await countOf(subjectId, LATER), 1);
});
