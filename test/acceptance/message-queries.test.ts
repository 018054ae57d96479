/** Lists of messages are read by an index as far as the page goes, however few are in a state. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Client } from 'pg';
import { listMessages } from '#features/subscriptions/messages/store.ts';
import { MESSAGE_STATES } from '#features/subscriptions/supply/traces.ts';
import { sql } from '#platform/database/sql.ts';
import { connectAsService, explainSettled, spyOn, stepsOf } from '../support/plans.ts';
import { vacuumWhole } from '../support/rows.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

const ROWS = 12_000;
const PAGE = 20;
/** The last so many of each state that is rare. */
const FEW = 3;

interface Held {
  readonly id: string;
  readonly state: string;
}

let service: TestService;
let client: Client;
let held: readonly Held[];
before(async () => {
  service = await startService();
  const { database, projectId } = service;
  const id = sql`('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`;
  const state = sql`(case
    when i > ${ROWS - FEW}::integer then 'ignored' when i > ${ROWS - 2 * FEW}::integer then 'obsolete'
    when i > ${ROWS - 3 * FEW}::integer then 'waiting' when i % 2 = 0 then 'transmitted' else 'received' end)`;
  await forceRows(
    service,
    sql`insert into market_messages (project_id, id, subscription_id, revision, direction, kind, identifier, partner,
      document_number, process_number, contents, state, occurred_at, transmitted_at)
    select ${projectId}::uuid, ${id}, ${id}, 1, case when ${state} in ('ignored', 'received') then 'in' else 'out' end,
      'registration', '55001', 'grid_operator', i::text, i::text, '{}', ${state}, now(),
      case when ${state} = 'transmitted' then now() end
    from generate_series(1, ${ROWS}::integer) as i`,
  );
  await vacuumWhole(database, sql`market_messages`);
  held = await database.query<Held>(sql`
    select id, state from market_messages where project_id = ${projectId} order by id`);
  client = await connectAsService(service.connection);
});
after(async () => {
  await client.end();
  await service.stop();
});

for (const state of MESSAGE_STATES) {
  test(`a page of messages ${state} holds what was asked for, in order, and no more than that is read`, async () => {
    const expected = held.filter((row) => row.state === state).map(({ id }) => id);
    const { database, asked } = spyOn(service.database);
    for (const place of [null, expected[1] ?? null]) {
      const rows = await listMessages(database, service.projectId, { subscriptionId: null, state, after: place }, PAGE);
      assert.deepEqual(
        rows.map(({ id }) => id),
        expected.filter((id) => place === null || id > place).slice(0, PAGE),
      );
    }
    assert.equal(asked.length, 2);
    for (const statement of asked) {
      const steps = stepsOf(await explainSettled(client, statement));
      const most = Math.max(...steps.map(({ rows, discarded }) => rows + discarded));
      assert.ok(most <= 3 * PAGE, `${most} rows: ${statement.text}`);
    }
  });
}
