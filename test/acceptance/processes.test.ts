import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import {
  METER_ORDER_STATUSES,
  METER_ORDER_STEPS,
  meterOrderStep,
  REDUCTION_STATUSES,
  REDUCTION_STEPS,
  reductionStep,
  type MeterOrderStatus,
  type ReductionStatus,
} from '#domain/orders/lifecycle.ts';
import { LIFECYCLE_EVENTS, STAGES, statusOf, transition, type Stage } from '#domain/subscription/lifecycle.ts';
import { changeLife, workOn, type SupplyDependencies } from '#features/subscriptions/index.ts';
import { listMessages } from '#features/subscriptions/messages/store.ts';
import { claimDueProcesses } from '#features/subscriptions/supply/store.ts';
import { formatInstant, wallClock } from '#platform/clock.ts';
import { DatabaseUnavailable, sqlState } from '#platform/database/errors.ts';
import { type Database } from '#platform/database/pool.ts';
import { sql, toStatement, type Sql } from '#platform/database/sql.ts';
import { noTraffic } from '#platform/reconcile/traffic.ts';
import { signUp, type Json } from '../support/builders.ts';
import { statementOf, unservedSteps } from '../support/plans.ts';
import { vacuumWhole } from '../support/rows.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';
import { supplyOf } from '../support/supply.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const uuidOf = (subscription: Json): string => parseId('sub', subscription.id as string) ?? '';
const read = async (subscription: Json): Promise<Json> =>
  (await service.call('GET', `/subscriptions/${subscription.id}`)).json;

describe('the database', () => {
  const CHECK_VIOLATION = '23514';
  let subscription: string;
  before(async () => {
    subscription = uuidOf(await signUp(service));
    await forceRows(service, sql`update subscriptions set start_at = now() where id = ${subscription}`);
  });

  /** What an update is answered with; it is taken back. */
  const tryUpdate = (columns: Sql): Promise<string> =>
    tryStatement(sql`update subscriptions set ${columns} where id = ${subscription}`);

  async function tryStatement(statement: Sql): Promise<string> {
    const rollBack = new Error('roll back');
    try {
      await service.database.transaction(async (transaction) => {
        await transaction.query(statement);
        throw rollBack;
      });
    } catch (error) {
      return error === rollBack ? 'done' : (sqlState(error) ?? String(error));
    }
    return 'never';
  }

  const stageColumns = (stage: Stage): Sql => sql`
    stage = ${stage}, status = ${statusOf(stage)},
    end_at = case when ${stage} = 'ended' then now() + interval '1 day' end,
    end_reason = case when ${stage} = 'ended' then 'terminated' end`;

  test('lets exactly the steps of the lifecycle through, and records each', async () => {
    for (const from of STAGES) {
      await forceRows(service, sql`update subscriptions set ${stageColumns(from)} where id = ${subscription}`);
      for (const to of STAGES.filter((stage) => stage !== from)) {
        const isPermitted = LIFECYCLE_EVENTS.some((event) => transition(from, event)?.to === to);
        const answer = await tryUpdate(sql`${stageColumns(to)}, revision = revision + 1`);
        assert.equal(answer, isPermitted ? 'done' : CHECK_VIOLATION, `${from} to ${to}`);
      }
    }
    await forceRows(service, sql`update subscriptions set ${stageColumns('confirmed')} where id = ${subscription}`);
    await service.database.query(sql`
      update subscriptions set ${stageColumns('supplying')}, revision = revision + 1 where id = ${subscription}`);
    const recorded = await service.database.query<Json>(sql`
      select from_stage, to_stage from subscription_transitions
      where subscription_id = ${subscription} order by revision desc limit 1`);
    assert.deepEqual({ ...recorded[0] }, { from_stage: 'confirmed', to_stage: 'supplying' });
  });

  test('lets exactly the steps of meter orders and grid-fee reductions through', async () => {
    const own = await signUp(service, {
      product_orders: [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_1: true } }],
    });
    const of = sql`subscription_id = ${uuidOf(own)}`;
    const tables = [
      {
        statuses: METER_ORDER_STATUSES,
        leads: (from: string, to: string) =>
          METER_ORDER_STEPS.some((step) => meterOrderStep(from as MeterOrderStatus, step)?.to === to),
        set: (status: string): Sql => sql`update meter_orders set status = ${status}, placed_at = now(),
          appointment_at = now(), installed_at = now(),
          activated_at = case when ${status} = 'activated' then now() end,
          cancelled_at = case when ${status} = 'cancelled' then now() end`,
      },
      {
        statuses: REDUCTION_STATUSES,
        leads: (from: string, to: string) =>
          REDUCTION_STEPS.some((step) => reductionStep(from as ReductionStatus, step)?.to === to),
        set: (status: string): Sql => sql`update grid_fee_reductions set status = ${status}, ordered_at = now(),
          effective_from = now(), rejection_code = case when ${status} = 'rejected' then 'module_not_possible' end,
          end_reason = case when ${status} = 'ended' then 'requested' end`,
      },
    ];
    for (const { statuses, leads, set } of tables) {
      for (const from of statuses) {
        await forceRows(service, sql`${set(from)} where ${of}`);
        for (const to of statuses) {
          const answer = await tryStatement(sql`${set(to)}, revision = revision + 1 where ${of}`);
          assert.equal(answer, leads(from, to) ? 'done' : CHECK_VIOLATION, `${from} to ${to}`);
        }
        assert.equal(await tryStatement(sql`${set(from)}, revision = revision + 2 where ${of}`), CHECK_VIOLATION);
      }
    }
  });

  test('refuses a change that skips a revision or keeps it, and a record that is rewritten', async () => {
    assert.equal(await tryUpdate(sql`updated_at = now()`), CHECK_VIOLATION);
    assert.equal(await tryUpdate(sql`revision = revision + 2`), CHECK_VIOLATION);
    for (const statement of [
      sql`update subscription_transitions set to_stage = 'ended'`,
      sql`delete from subscription_transitions`,
    ]) {
      await assert.rejects(service.database.query(statement), (error) => sqlState(error) === CHECK_VIOLATION);
    }
  });

  test('refuses an active subscription without a start, and an end before the start', async () => {
    await forceRows(service, sql`update subscriptions set ${stageColumns('supplying')} where id = ${subscription}`);
    assert.equal(await tryUpdate(sql`start_at = null, revision = revision + 1`), CHECK_VIOLATION);
    assert.equal(await tryUpdate(sql`end_at = start_at, revision = revision + 1`), CHECK_VIOLATION);
  });
});

describe('a process that fails', () => {
  let quiet: TestService;
  let supply: SupplyDependencies;
  before(async () => {
    quiet = await startService();
    supply = supplyOf(quiet);
    await quiet.service.app.reconciler.stop();
  });
  after(() => quiet.stop());

  const work = async (): Promise<void> => {
    while ((await workOn(supply, quiet.projectId)) !== 'idle');
  };
  const see = async ({ id }: Json): Promise<Json> => (await quiet.call('GET', `/subscriptions/${id}`)).json;

  test('by a defect of its machine is parked with an action for the operator, harms no other, and can be retried', async () => {
    const bad = await signUp(quiet);
    await work();
    const ofBad = sql`subscription_id = ${uuidOf(bad)}`;
    const [whole] = await quiet.database.query<Json>(sql`select memory from market_processes where ${ofBad}`);
    await quiet.database.query(sql`
      update market_processes set due_at = now() - interval '1 minute', memory = '{"supply":{"stage":"registering"},"under_way":[]}'
      where ${ofBad}`);
    const good = await signUp(quiet);
    await work();
    const parked = await see(bad);
    assert.equal(parked.next_action.code, 'internal_error');
    assert.equal(parked.next_action.actor, 'operator');
    assert.equal((await quiet.call('GET', `/subscriptions/${good.id}/timeline`)).json.items.length, 2);
    // The defect is mended.
    await quiet.database.query(
      sql`update market_processes set memory = (${whole?.memory}::jsonb || '{"is_parked":true}')::json where ${ofBad}`,
    );
    // What concerns nobody but the caller leaves it set aside.
    const edited = await quiet.call('PATCH', `/subscriptions/${bad.id}`, { body: { metadata: { a: 1 } } });
    assert.deepEqual([edited.status, edited.json.next_action.code], [200, 'internal_error']);
    const { method, path } = parked.next_action.resolve;
    const retried = await quiet.call(method, path);
    assert.equal(retried.status, 200, retried.text);
    assert.equal(retried.json.next_action, null);
    assert.equal((await quiet.call('POST', path)).status, 409);
    const told = (await quiet.call('GET', `/subscriptions/${bad.id}/timeline?limit=100`)).json.items
      .filter(({ type }: Json) => type === 'event')
      .map(({ event }: Json) => event.type.replace('subscription.', ''));
    assert.deepEqual(told.slice(1, 5), ['action_required', 'updated', 'action_resolved', 'updated']);
  });

  test('after its subscription has ended is let go, harms no other, and leaves nothing to do', async () => {
    const bad = await signUp(quiet, { meter: { number: 'T3', type: 'modern', estimated_usage: 1 } });
    await work();
    await quiet.call('POST', `/subscriptions/${bad.id}/terminate`, { body: { reason: 'withdrawal' } });
    await quiet.database.query(sql`
      update market_processes set due_at = now() - interval '1 minute',
        memory = '{"supply":{"stage":"ended"},"under_way":[{"at":"2020-01-01T00:00:00Z"}]}'
      where subscription_id = ${uuidOf(bad)}`);
    const before = await see(bad);
    assert.equal(before.status, 'ended');
    const good = await signUp(quiet);
    await work();
    assert.deepEqual(await see(bad), before);
    assert.equal((await quiet.call('GET', `/subscriptions/${good.id}/timeline`)).json.items.length, 2);
  });

  /** Fails as many of its first transactions when all is written; then something happens before the next. */
  function overtaken(times: number, next: () => Promise<unknown> = async () => {}): Database {
    const { database } = quiet;
    let count = 0;
    return {
      ...database,
      async transaction(work, ...how) {
        count += 1;
        const isOvertaken = count <= times;
        if (count === times + 1) await next();
        return database.transaction(
          async (own) => {
            const result = await work(own);
            if (isOvertaken) throw new Error('somebody else was faster');
            return result;
          },
          ...how,
        );
      },
    };
  }

  test('because something came in its way in just one moment is tried again, and not parked', async () => {
    const unlucky = await signUp(quiet);
    await workOn({ ...supply, database: overtaken(2) }, quiet.projectId);
    const [process] = await quiet.database.query<Json>(sql`
      select memory from market_processes where subscription_id = ${uuidOf(unlucky)}`);
    assert.notEqual(process?.memory, null);
    assert.equal((await see(unlucky)).next_action, null);
  });

  test('is not parked when somebody else has carried it on meanwhile', async () => {
    const unlucky = await signUp(quiet);
    await workOn({ ...supply, database: overtaken(4, work) }, quiet.projectId);
    assert.equal((await see(unlucky)).next_action, null);
  });

  test('because the database refuses it is parked too, after the others of its batch are done', async () => {
    const malo = '51238696781';
    const taken = await signUp(quiet, { meter: { number: 'T1', type: 'modern', estimated_usage: 1, malo } });
    const bad = await signUp(quiet, { meter: { number: 'T2', type: 'modern', estimated_usage: 1 } });
    await work();
    await quiet.database.query(sql`
      update market_processes set due_at = now() - interval '1 minute',
        memory = jsonb_set(memory::jsonb, '{supply,facts,marketLocation}', to_jsonb(${malo}::text))::json
      where subscription_id = ${uuidOf(bad)}`);
    await quiet.database.query(sql`
      update market_processes set
        memory = replace(memory::text, '"answerBy": "', '"answerBy": "2020-01-01T00:00:00Z","was":"')::json
      where subscription_id = ${uuidOf(bad)}`);
    const next = await signUp(quiet);
    await work();
    assert.equal((await see(bad)).next_action.code, 'internal_error');
    assert.equal((await see(taken)).next_action, null);
    const [process] = await quiet.database.query<Json>(sql`
      select memory from market_processes where subscription_id = ${uuidOf(next)}`);
    assert.notEqual(process?.memory, null, 'what came after it was done');
  });
});

describe('a database that is slow', () => {
  /** Writes no more than so many bytes before it is given up, as over a narrow link. */
  function narrow(database: Database, mostBytes: number): Database {
    return {
      ...database,
      transaction: (work, ...how) =>
        database.transaction(
          (own) => {
            let written = 0;
            const counted: typeof own.query = (statement, generation) => {
              written += JSON.stringify(toStatement(statement).values).length;
              if (written > mostBytes) throw new DatabaseUnavailable('the database is not available');
              return own.query(statement, generation);
            };
            return work({ ...own, query: counted });
          },
          ...how,
        ),
    };
  }

  test('is given as much at once as it can write, and in the end all of it', async () => {
    const slow = await startService();
    try {
      await slow.service.app.reconciler.stop();
      const supply = supplyOf(slow);
      const metadata = { text: 'x'.repeat(2_000) };
      const all = await Promise.all(Array.from({ length: 40 }, () => signUp(slow, { metadata })));
      const database = narrow(slow.database, 30_000);
      const results: string[] = [];
      for (let portion = 0; portion < 100 && results.at(-1) !== 'idle'; portion += 1) {
        results.push(await workOn({ ...supply, database }, slow.projectId).catch(() => 'failed'));
      }
      assert.equal(results.at(-1), 'idle', results.join(' '));
      assert.ok(results.includes('failed'), 'the test is too easy');
      const [{ begun }] = await slow.database.query<Json>(sql`
        select count(*)::integer as begun from market_processes where memory is not null`);
      assert.equal(begun, all.length);
    } finally {
      await slow.stop();
    }
  });
});

describe('a sandbox on wall time, looked at again after days', () => {
  let slept: TestService;
  let supply: SupplyDependencies;
  before(async () => {
    slept = await startService();
    await slept.service.app.reconciler.stop();
    supply = supplyOf(slept);
  });
  after(() => slept.stop());

  test('has lived at the instants at which things were due, whoever looks first', async () => {
    const work = async (dependencies: SupplyDependencies): Promise<void> => {
      while ((await workOn(dependencies, slept.projectId)) !== 'idle');
    };
    const both = [await signUp(slept), await signUp(slept)];
    await work(supply);
    const later: SupplyDependencies = {
      ...supply,
      clock: { now: () => wallClock.now().add({ hours: 24 * 10 }) },
    };
    const [changed = ''] = both.map(uuidOf);
    await slept.database.transaction((transaction) =>
      changeLife(later, transaction, slept.projectId, changed, async () => {}),
    );
    await work(later);
    for (const { id } of both) {
      const { json: read } = await slept.call('GET', `/subscriptions/${id}`);
      assert.deepEqual([read.stage, read.next_action], ['supplying', null]);
      const { items } = (await slept.call('GET', `/subscriptions/${id}/timeline?limit=100`)).json;
      const told = (type: string): string =>
        items.find(({ event }: Json) => event?.type === `subscription.${type}`).timestamp;
      assert.ok(told('confirmed') < read.start_at);
      assert.equal(told('activated'), read.start_at);
    }
  });
});

describe('a process that nobody has begun', () => {
  let late: TestService;
  before(async () => {
    late = await startService();
    await late.service.app.reconciler.stop();
  });
  after(() => late.stop());

  test('keeps the notice under which its customer has signed up, whatever becomes of the plan meanwhile', async () => {
    const change = (cancellation_period: string): Promise<unknown> =>
      late.call('PATCH', `/plans/${late.planId}`, { body: { cancellation_period } });
    await change('P14D');
    const own = await signUp(late);
    await change('P3M');
    const later = await signUp(late);
    // Written by the version before, which does not write it.
    const earlier = await signUp(late);
    await late.database.query(
      sql`update market_processes set cancellation_period = null where subscription_id = ${uuidOf(earlier)}`,
    );
    await change('P1M');
    while ((await workOn(supplyOf(late), late.projectId)) !== 'idle');
    const begun = await late.database.query<{ id: string; notice: string }>(sql`
      select subscription_id as id, memory -> 'supply' -> 'facts' ->> 'cancellationPeriod' as notice
      from market_processes order by created_at, id`);
    assert.deepEqual(
      begun,
      [own, later, earlier].map((each, place) => ({ id: uuidOf(each), notice: ['P14D', 'P3M', 'P1M'][place] })),
    );
  });
});

describe('more that is due than one portion holds', () => {
  let waiting: TestService;
  let supply: SupplyDependencies;
  before(async () => {
    waiting = await startService();
    await waiting.service.app.reconciler.stop();
    supply = {
      ...supplyOf(waiting),
      // All that is planned for the next days is due.
      clock: { now: () => wallClock.now().add({ hours: 24 * 10 }) },
      traffic: { ...noTraffic, isVisited: () => true },
    };
  });
  after(() => waiting.stop());

  /** So many sign-ups in the midst of their process. */
  async function manyWaiting(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let signed = 0; signed < count; signed += 1) ids.push(uuidOf(await signUp(waiting)));
    await workOn({ ...supply, clock: waiting.service.foundation.clock, traffic: noTraffic }, waiting.projectId);
    return ids;
  }

  /** Works once, on some of plenty; answers whose process went on. */
  async function worksOn(): Promise<string[]> {
    const remembered = (): Promise<{ id: string; memory: string | null }[]> =>
      waiting.database.query(sql`select subscription_id as id, memory from market_processes`);
    const before = new Map((await remembered()).map(({ id, memory }) => [id, memory]));
    assert.equal(await workOn(supply, waiting.projectId), 'plenty');
    return (await remembered()).filter(({ id, memory }) => memory !== before.get(id)).map(({ id }) => id);
  }

  test('keeps no new customer waiting, and is begun with who has waited longest', async () => {
    const ids = await manyWaiting(40);
    await waiting.database.query(sql`
      update market_processes set due_at = date_trunc('second', now()) + place * interval '1 second'
      from unnest(${ids}::uuid[]) with ordinality as waiting (id, place) where subscription_id = waiting.id`);
    const fresh = uuidOf(await signUp(waiting));
    await waiting.database.query(sql`
      update market_processes set due_at = now() + interval '10 days -30 seconds' where subscription_id = ${fresh}`);
    const worked = await worksOn();
    assert.deepEqual(worked.toSorted(), [...ids.slice(0, 25), fresh].toSorted());
    while ((await workOn(supply, waiting.projectId)) !== 'idle');
    const now = formatInstant(supply.clock.now());
    assert.deepEqual(await waiting.database.query(sql`select id from market_processes where due_at <= ${now}`), []);
  });

  test('is done in its order where the project has a clock of its own', async () => {
    await waiting.call('POST', '/sandbox/clock', { body: { advance_by: 'PT1S' } });
    await manyWaiting(40);
    await waiting.database.query(sql`update projects set clock_target = clock_at + interval '10 days'`);
    assert.equal((await worksOn()).length, 25);
  });
});

describe('what the processes ask the database', () => {
  test('is served by indexes: what is due in a project, and the waiting messages', async () => {
    const { database, projectId } = service;
    await vacuumWhole(database, sql`market_processes`, sql`market_messages`);
    const [by, after] = [formatInstant(wallClock.now()), formatInstant(wallClock.now().subtract({ minutes: 1 }))];
    const waiting = { subscriptionId: null, state: 'waiting', after: null } as const;
    const statements = {
      'what is due': await statementOf((asked) => claimDueProcesses(asked, projectId, { after: null, by }, 200)),
      'what became due just now': await statementOf((asked) => claimDueProcesses(asked, projectId, { after, by }, 200)),
      messages: await statementOf((asked) => listMessages(asked, projectId, waiting, 200)),
    };
    for (const [name, statement] of Object.entries(statements)) {
      assert.deepEqual(await unservedSteps(database, statement), [], name);
    }
  });
});

describe('an open subscription', () => {
  test('has at every moment a due date or a next action', async () => {
    const zips = ['51147', '99900', '99901', '99902', '99905', '99906', '99932', '99935'];
    const fresh = await startService();
    for (const zip of zips) {
      await signUp(fresh, { address: { street: 'A', house_number: '1', zip, city: 'B' } });
    }
    for (let step = 0; step < 20; step += 1) {
      await fresh.call('POST', '/sandbox/clock', { body: { advance_by: 'PT37H' } });
      const left = await fresh.database.query<Json>(sql`
        select s.id, s.stage from subscriptions s
        join market_processes p on p.project_id = s.project_id and p.subscription_id = s.id
        where s.status <> 'ended' and s.stage <> 'supplying' and p.due_at is null and s.next_action is null`);
      assert.deepEqual(left, []);
    }
    await fresh.stop();
  });

  test('is read the same after its first step as it was answered, but for its revision', async () => {
    const created = await signUp(service);
    assert.deepEqual(await read(created), created);
  });
});
