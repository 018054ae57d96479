/** Lists by a range of time: the newest of what is in it, whatever that is beside all else. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { listSubscriptions } from '#features/subscriptions/list-store.ts';
import { lowestIdAt } from '#platform/database/conditions.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { Condition } from '#platform/http/contract.ts';
import { createPlan, seededRandom } from '../support/builders.ts';
import { connectAsService, explainSettled, spyOn, stepsOf } from '../support/plans.ts';
import { insertRows, vacuumWhole } from '../support/rows.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

const DAYS = 50;
const A_DAY = 100;
const LIMIT = 21;
const FIRST = Temporal.Instant.from('2026-02-01T00:00:00Z');

let service: TestService;

/** Signed up over fifty days; a third has not changed since, a third a fortnight later at midnight, a third much later. */
before(async () => {
  service = await startService();
  for (let day = 0; day < DAYS; day += 1) {
    const base = lowestIdAt(FIRST.add({ hours: 24 * day }));
    await insertRows(service, day * A_DAY + 1, (day + 1) * A_DAY, base);
  }
  const created = sql`(${FIRST.toString()}::timestamptz + (ordinal - 1) / ${A_DAY} * interval '1 day' + (ordinal - 1) % ${A_DAY} * interval '10 min')`;
  const fortnight = sql`date_trunc('day', ${created} + interval '14 days') + interval '23 hours' + ordinal % 9 * interval '1 s'`;
  await forceRows(
    service,
    sql`
    update subscriptions set created_at = ${created}, updated_at = case ordinal % 3
        when 0 then ${created} when 1 then ${fortnight} else ${created} + ordinal % 500 * interval '3 hours' end
    from (select id as numbered_id, (row_number() over (order by id))::integer as ordinal from subscriptions) as numbered
    where id = numbered_id`,
  );
  await vacuumWhole(service.database, sql`subscriptions`);
});
after(() => service.stop());

function rangeOf(from: Temporal.Instant, until: Temporal.Instant): Condition[] {
  return [
    { field: 'updated_at', operator: 'gte', values: [from.toString()] },
    { field: 'updated_at', operator: 'lt', values: [until.toString()] },
  ];
}

test('ranges from a second to all of it hold what they do row by row, page after page', async () => {
  const { database, projectId } = service;
  const random = seededRandom(11);
  for (const seconds of [1, 60, 100, 101, 3_600, 86_400, 8 * 86_400, 9 * 86_400, 30 * 86_400, 61 * 86_400]) {
    for (let round = 0; round < 8; round += 1) {
      // Every other one begins at midnight in Berlin, where most is in it.
      const hours = Math.floor(random() * 24 * (DAYS + 20));
      const from = FIRST.add({ hours: round % 2 === 0 ? hours : Math.floor(hours / 24) * 24 + 23 });
      const until = from.add({ seconds });
      const expected = await database.query<{ id: string }>(sql`
        select id from subscriptions where updated_at >= ${from.toString()} and updated_at < ${until.toString()}
        order by id desc limit ${3 * LIMIT}`);
      const found: string[] = [];
      for (let page = 0; page < 3; page += 1) {
        const rows = await listSubscriptions(database, projectId, rangeOf(from, until), found.at(-1) ?? null, LIMIT);
        found.push(...rows.map(({ id }) => id));
        if (rows.length < LIMIT) break;
      }
      assert.deepEqual(
        found,
        expected.map(({ id }) => id),
        `${seconds} s from ${from.toString()}`,
      );
    }
  }
});

test('of a minute that holds many, what is newer and of the same day is not read', async () => {
  const { database, asked } = spyOn(service.database);
  const midnight = FIRST.add({ hours: 24 * 30 + 23 });
  await forceRows(
    service,
    sql`
    update subscriptions set updated_at = case
      when id < ${lowestIdAt(FIRST.add({ hours: 24 * 20 }))} then ${midnight.toString()}::timestamptz
      else ${midnight.subtract({ hours: 9 }).toString()}::timestamptz end`,
  );
  await vacuumWhole(service.database, sql`subscriptions`);
  const found = await listSubscriptions(
    database,
    service.projectId,
    rangeOf(midnight, midnight.add({ seconds: 60 })),
    null,
    LIMIT,
  );
  const expected = await service.database.query<{ id: string }>(sql`
    select id from subscriptions where updated_at = ${midnight.toString()} order by id desc limit ${LIMIT}`);
  assert.deepEqual(
    found.map(({ id }) => id),
    expected.map(({ id }) => id),
  );
  const client = await connectAsService(service.connection);
  try {
    for (const statement of asked) {
      const steps = stepsOf(await explainSettled(client, statement));
      const discarded = steps.reduce((sum, step) => sum + step.discarded, 0);
      assert.ok(discarded <= LIMIT, `${discarded} rows were read in vain: ${statement.text}`);
    }
  } finally {
    await client.end();
  }
});

test('a range far back, of which more is asked, is found by its days, page after page', async () => {
  const crowded = await startService();
  const client = await connectAsService(crowded.connection);
  const { projectId: project, planId } = crowded;
  const plans = [planId, (await createPlan(crowded)).id].map((id) => parseId('pln', id) ?? '');
  const START = FIRST.add({ hours: -1 });
  const END = START.add({ hours: 24 * 365 });
  try {
    // More than are put in order, behind more than are looked through first.
    await insertRows(crowded, 1, 32_000, '01900000-0000-7000-8000-000000000001');
    await forceRows(
      crowded,
      sql`
      update subscriptions set plan_id = case when ordinal % 3 = 0 then ${plans[1]} else ${plans[0]} end::uuid,
        start_at = case when ordinal < 11500 then ${START.toString()}::timestamptz + (ordinal % 41) * interval '1 day' end,
        end_at = case when ordinal < 11500 then ${END.toString()}::timestamptz + (ordinal % 41) * interval '1 day' end
      from (select id as numbered_id, (row_number() over (order by id))::integer as ordinal from subscriptions) as numbered
      where id = numbered_id`,
    );
    await vacuumWhole(crowded.database, sql`subscriptions`);
    const { database, asked } = spyOn(crowded.database);
    const range = [
      { field: 'start_at', operator: 'gte', values: [START.toString()] },
      { field: 'start_at', operator: 'lt', values: [START.add({ hours: 24 * 38 }).toString()] },
    ] as const;
    const second = Temporal.Instant.fromEpochMilliseconds(0x019000000000).toString({ smallestUnit: 'second' });
    const starts = Array.from({ length: 41 }, (_, day) => START.add({ hours: 24 * day }).toString());
    const early = sql`start_at < ${range[1].values[0]}::timestamptz`;
    for (const [conditions, which] of [
      [
        [...range, { field: 'plan', operator: 'eq', values: [plans[1] ?? ''] }],
        sql`${early} and plan_id = ${plans[1]}`,
      ],
      [
        [...range, { field: 'plan', operator: 'ne', values: [plans[1] ?? ''] }],
        sql`${early} and plan_id = ${plans[0]}`,
      ],
      [
        [
          ...range,
          { field: 'stage', operator: 'eq', values: ['identifying'] },
          { field: 'external_id', operator: 'is_null', values: ['true'] },
        ],
        sql`${early} and external_id is null`,
      ],
      [
        [
          ...range,
          { field: 'plan', operator: 'eq', values: [plans[0] ?? ''] },
          { field: 'end_at', operator: 'gte', values: [END.add({ hours: 24 }).toString()] },
        ],
        sql`${early} and plan_id = ${plans[0]} and end_at > ${END.toString()}::timestamptz`,
      ],
      // All were signed up in one second, as their ids tell.
      [[...range, { field: 'created_at', operator: 'ne', values: [second] }], sql`false`],
      [
        [
          { field: 'start_at', operator: 'in', values: starts },
          { field: 'created_at', operator: 'ne', values: ['2020-01-01T00:00:00Z'] },
        ],
        sql`start_at is not null`,
      ],
    ] as readonly (readonly [readonly Condition[], Sql])[]) {
      const expected = await database.query<{ id: string }>(sql`
        select id from subscriptions where ${which} order by id desc limit ${3 * LIMIT}`);
      const found: string[] = [];
      for (let page = 0; page < 3; page += 1) {
        asked.length = 0;
        const rows = await listSubscriptions(database, project, conditions, found.at(-1) ?? null, LIMIT);
        found.push(...rows.map(({ id }) => id));
        const [last] = asked.slice(-1);
        if (last !== undefined && rows.length === LIMIT) {
          const steps = stepsOf(await explainSettled(client, last));
          const read = Math.max(...steps.map(({ rows: returned, discarded }) => returned + discarded));
          assert.ok(read <= 2_000, `${read} rows: ${last.text}`);
        }
      }
      assert.deepEqual(
        found,
        expected.map(({ id }) => id),
        which.strings.join('?'),
      );
    }
  } finally {
    await client.end();
    await crowded.stop();
  }
});
