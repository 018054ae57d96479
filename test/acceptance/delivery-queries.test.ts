/** Lists of deliveries are read by an index as far as the page goes, however few of how many are asked for. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { listDeliveries } from '#features/webhooks/delivery/list-store.ts';
import { sql } from '#platform/database/sql.ts';
import type { Condition, Operator } from '#platform/http/contract.ts';
import { connectAsService, explainSettled, spyOn, stepsOf } from '../support/plans.ts';
import { vacuumWhole } from '../support/rows.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

const ROWS = 12_000;
const OLDEST = '01900000-0000-7000-8000-000000000001';
const PAGE = 20;
/** A page of each endpoint in each state. */
const MOST_ROWS = 3 * 3 * PAGE;

interface Held {
  readonly id: string;
  readonly endpoint_id: string;
  readonly state: string;
}

let service: TestService;
let client: Client;
/** The first has had all delivered but the very first ones, the second has failed, the third has nothing. */
let endpoints: readonly string[];
let held: readonly Held[];
before(async () => {
  service = await startService();
  await service.service.app.webhooks.stop();
  const { database, projectId: project } = service;
  const create = (): Promise<{ json: { id: string } }> =>
    service.call('POST', '/webhook-endpoints', { body: { url: 'https://example.com/', enabled: false } });
  endpoints = [await create(), await create(), await create()].map(({ json }) => parseId('whe', json.id) ?? '');
  const id = sql`(${OLDEST.slice(0, -5)} || lpad(to_hex(i), 5, '0'))::uuid`;
  const all = sql`generate_series(1, ${ROWS}::integer) as i`;
  await forceRows(
    service,
    sql`insert into events (project_id, id, resource_id, sequence, type, occurred_at, caused_by, data)
    select ${project}::uuid, ${id}, ${id}, 1, 'lead.created', now(), 'operator', '{}' from ${all}`,
  );
  await forceRows(
    service,
    sql`insert into webhook_deliveries
      (project_id, id, endpoint_id, event_id, subject_id, position, state, due_at, created_at)
    select ${project}::uuid, ${id}, case when i % 2 = 0 then ${endpoints[0]} else ${endpoints[1]} end::uuid, ${id}, ${id}, i,
      case when i % 2 = 1 then 'failed' when i > 60 then 'succeeded' when i > 30 then 'failed' else 'pending' end,
      case when i % 2 = 0 and i <= 30 then now() end, now()
    from ${all}`,
  );
  await vacuumWhole(database, sql`events`, sql`webhook_deliveries`, sql`webhook_endpoints`);
  held = await database.query<Held>(sql`
    select id, endpoint_id, state from webhook_deliveries where project_id = ${project} order by id desc`);
  client = await connectAsService(service.connection);
});
after(async () => {
  await client.end();
  await service.stop();
});

const asks = (field: string, operator: Operator, ...values: readonly string[]): Condition => ({
  field,
  operator,
  values,
});

function meets({ field, operator, values }: Condition, row: Held): boolean {
  return values.includes(field === 'state' ? row.state : row.endpoint_id) !== (operator === 'ne');
}

test('pages of endpoints and states hold what was asked for, in order, and no more is read', async (context) => {
  const [delivered = '', failed = '', idle = ''] = endpoints;
  const { database, asked } = spyOn(service.database);
  for (const conditions of [
    [asks('endpoint', 'eq', delivered)],
    [asks('endpoint', 'in', idle, delivered)],
    [asks('endpoint', 'ne', failed)],
    [asks('state', 'eq', 'pending')],
    [asks('state', 'ne', 'failed')],
    [asks('state', 'in', 'succeeded', 'pending')],
    [asks('endpoint', 'eq', delivered), asks('state', 'eq', 'failed')],
    [asks('endpoint', 'eq', delivered), asks('state', 'ne', 'succeeded')],
    [asks('endpoint', 'eq', failed), asks('state', 'eq', 'succeeded')],
    [asks('endpoint', 'in', delivered, idle), asks('state', 'in', 'failed', 'pending')],
    [asks('endpoint', 'ne', failed), asks('state', 'ne', 'succeeded'), asks('state', 'ne', 'pending')],
  ]) {
    await context.test(conditions.map((each) => `${each.field} ${each.operator}`).join(', '), async () => {
      const expected = held.filter((row) => conditions.every((each) => meets(each, row))).map(({ id }) => id);
      for (const place of [null, expected[4] ?? OLDEST]) {
        asked.length = 0;
        const rows = await listDeliveries(database, service.projectId, conditions, place, PAGE);
        assert.deepEqual(
          rows.map(({ id }) => id),
          expected.filter((id) => place === null || id < place).slice(0, PAGE),
        );
        for (const statement of asked) {
          const steps = stepsOf(await explainSettled(client, statement));
          const most = Math.max(...steps.map(({ rows: read, discarded }) => read + discarded));
          assert.ok(most <= MOST_ROWS, `${most} rows: ${statement.text}`);
        }
      }
    });
  }
});

test('so do those of one event, whatever else is asked', async () => {
  const [one] = held;
  assert.ok(one !== undefined);
  const conditions = [asks('event', 'eq', one.id), asks('state', 'eq', one.state)];
  const { database, asked } = spyOn(service.database);
  const rows = await listDeliveries(database, service.projectId, conditions, null, PAGE);
  assert.deepEqual(
    rows.map(({ id, event_type: type }) => [id, type]),
    [[one.id, 'lead.created']],
  );
  for (const statement of asked) {
    const steps = stepsOf(await explainSettled(client, statement));
    assert.ok(steps.every(({ rows: read, discarded }) => read + discarded <= 1));
  }
});
