/** `doctor --deep`: silent about whatever the service has written, and names whatever it never would have. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { normaliseMeterNumber } from '#domain/identifiers.ts';
import { indexMetadata } from '#features/subscriptions/index.ts';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import { createDatabase, type Database } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { findViolations, invariants, type Violations } from '../../src/cli/invariants-store.ts';
import { legibles } from '../../src/cli/legibles.ts';
import { runCli } from '../../src/cli/run.ts';
import type { Json } from '../support/builders.ts';
import { LIFTED } from '../support/lifted.ts';
import { liveALife } from '../support/lively-life.ts';
import { eventually } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let database: Database;
/** What was opened, to be closed whatever goes wrong, the last first. */
const opened: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of opened.toReversed()) await close();
});
before(async () => {
  const receiver = await startReceiver();
  opened.push(() => receiver.close());
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  opened.push(() => service.stop());
  database = createDatabase({ connection: service.connection, maxConnections: 1, onIdleError: () => {} });
  opened.push(() => database.close());
  await liveALife(service, receiver.url);
});

async function examine(by?: Database): Promise<{ code: number; json: Json; text: string }> {
  const { foundation } = service.service;
  const open = async () => ({ ...foundation, database: by ?? foundation.database, close: async () => {} });
  const run = async (...more: readonly string[]): Promise<{ code: number; stdout: string }> => {
    const written = { stdout: '' };
    const output = { stdout: (text: string) => void (written.stdout += text), stderr: () => {} };
    const code = await runCli(['doctor', '--deep', ...more], open, () => assert.fail('there is data'), output);
    return { code, ...written };
  };
  const { code, stdout } = await run('--json');
  return { code, json: JSON.parse(stdout), text: (await run()).stdout };
}

/** How PostgreSQL would look for what breaks the invariants, as `doctor` asks for it. */
async function plansOfDoctor(): Promise<Map<string, string>> {
  const plans: string[] = [];
  const explaining: Database = {
    ...database,
    transaction: (work, kind) =>
      database.transaction(
        (transaction) =>
          work({
            ...transaction,
            async query<Row>(statement: Sql) {
              if (!statement.strings[0]?.includes('with violations')) return transaction.query<Row>(statement);
              const lines = await transaction.query<Json>(sql`explain ${statement}`);
              plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
              return [];
            },
          }),
        kind,
      ),
  };
  await findViolations(explaining, invariants, () => {});
  return new Map(invariants.map(({ name }, index) => [name, plans[index] ?? '']));
}

test('puts whole tables side by side, never row by row, whatever is known of how much they hold', async () => {
  for (const [name, plan] of await plansOfDoctor()) {
    assert.match(plan, /Scan|Result/, name);
    assert.doesNotMatch(plan, /Nested Loop (Anti|Semi) Join/, name);
  }
});

test('finds nothing wrong after a lively life, while the service runs', async () => {
  const { code, json, text } = await examine();
  assert.deepEqual(
    json.checks.filter(({ status }: Json) => status !== 'ok'),
    [],
  );
  assert.equal(code, 0);
  const deep = json.checks.filter(({ violations }: Json) => violations !== undefined);
  assert.deepEqual(
    deep.map(({ name }: Json) => name),
    [...invariants, ...legibles].map(({ name }) => name),
  );
  assert.ok(json.checks.every(({ duration_ms: duration }: Json) => Number.isInteger(duration)));
  assert.match(text, /^ok {7}events_count_without_gap: the events of .* without a gap \(\d\.\d s\)$/m);
});

test('looks at a database that is read-only, and writes nothing', async () => {
  const readOnly: Database = {
    ...database,
    query: (statement) => readOnly.transaction((transaction) => transaction.query(statement)),
    transaction: (work, kind) =>
      database.transaction(async (transaction) => {
        await transaction.query(sql`set transaction read only`);
        return work(transaction);
      }, kind),
  };
  await assert.rejects(readOnly.query(sql`delete from leads`), DatabaseUnavailable);
  assert.equal((await examine(readOnly)).code, 0);
});

/** Rows that the checks look at: where there are none, a check that finds nothing has shown nothing. */
test('the lively life has left rows in every table that the checks look at', async () => {
  const [counts] = await database.query<Record<string, string>>(sql`
    select (select count(*) from subscription_transitions) as transitions, (select count(*) from leads) as leads,
      (select count(*) from meter_orders) as meter_orders, (select count(*) from grid_fee_reductions) as reductions,
      (select count(*) from webhook_deliveries) as deliveries, (select count(*) from event_feed) as feed,
      (select count(*) from idempotency_keys where status = 201) as kept, (select count(*) from audit_log) as audited,
      (select count(*) from customers where erased_at is not null) as erased,
      (select count(*) from subscriptions where status = 'ended') as ended,
      (select count(*) from subscriptions where status = 'active') as active,
      (select count(*) from subscriptions where next_action is not null) as waiting`);
  assert.deepEqual(
    Object.entries(counts ?? {}).filter(([, count]) => count === '0'),
    [],
  );
});

/** The newest subscription that is supplied, of which there are several. */
const active = sql`(select id from subscriptions where stage = 'supplying' order by id desc limit 1)`;
const pending = sql`(select id from subscriptions where status = 'pending' order by id desc limit 1)`;
const ended = sql`(select id from subscriptions where status = 'ended' order by id desc limit 1)`;
const nowhere = sql`'01900000-0000-7000-8000-000000000000'::uuid`;

/** The process of `active` wakes up then. */
const sleeping = (dueAt: Sql): Sql => sql`
  update market_processes set due_at = ${dueAt}, memory = coalesce(memory, '{}') where subscription_id = ${active}`;

/** The process of `pending` remembers this of its supply and its orders, as JSON, and nothing else. */
const remembering = (supply: Sql, orders: Sql = sql`null`): Sql => sql`
  update market_processes set memory = json_build_object('supply', ${supply}::json, 'orders', ${orders}::json)
  where subscription_id = ${pending}`;

/** What breaks each invariant, in the words of the database, with neither triggers nor foreign keys in the way. */
const BREAKS: Readonly<Record<string, readonly Sql[]>> = {
  subscription_has_its_parts: [
    sql`delete from addresses where id = (select address_id from subscriptions where id = ${active})`,
    sql`delete from market_processes where subscription_id = ${active}`,
    sql`update subscriptions set payment_method_id = ${nowhere} where id = ${active}`,
    sql`update subscriptions set billing_address_id = ${nowhere} where id = ${active}`,
    sql`update subscriptions set supplier_id = ${nowhere} where id = ${active}`,
  ],
  customer_has_a_subscription: [
    sql`update subscriptions set customer_id = (select customer_id from subscriptions where id = ${pending})
      where id = ${active}`,
  ],
  meter_has_a_subscription: [sql`delete from subscriptions where id = ${active}`],
  address_has_a_subscription: [
    sql`insert into addresses select project_id, ${nowhere}, street, house_number, zip, city, created_at + interval '1 us'
      from addresses limit 1`,
  ],
  payment_method_has_a_subscription: [
    sql`insert into payment_methods select project_id, ${nowhere}, type, iban_masked, details_encrypted,
      created_at + interval '1 us' from payment_methods limit 1`,
  ],
  one_open_supply_by_market_location: [
    sql`update subscriptions set malo = (select malo from subscriptions where id = ${active}) where id = ${pending}`,
  ],
  held_location_is_nobody_elses: [
    sql`insert into held_locations (project_id, malo, subscription_id)
      select project_id, '41373559241', id from subscriptions where id = ${ended}`,
    sql`insert into held_locations (project_id, malo, subscription_id)
      select project_id, '41373559241', ${nowhere} from subscriptions where id = ${ended}`,
    sql`insert into held_locations (project_id, malo, subscription_id)
      select project_id, (select malo from subscriptions where id = ${active}), id from subscriptions where id = ${pending}`,
  ],
  one_open_supply_by_meter: [
    sql`update subscriptions set malo = null, zip = other.zip, meter_number_normalised = other.meter_number_normalised
      from (select * from subscriptions where id = ${active}) as other where subscriptions.id = ${pending}`,
  ],
  status_is_told_by_the_last_event: [
    sql`update subscriptions set stage = 'ending' where id = ${active}`,
    sql`update subscriptions set next_action = null
      where id = (select id from subscriptions where next_action is not null limit 1)`,
    sql`update subscriptions set next_action = (next_action::jsonb || '{"due_at": "2031-01-01T00:00:00.000Z"}')::json
      where id = (select id from subscriptions where next_action is not null limit 1)`,
    sql`update subscriptions set start_at = start_at + interval '1 day' where id = ${active}`,
    sql`update events set data = '{}' where subscription_id = ${active}`,
    sql`delete from product_orders where id = (select id from product_orders limit 1)`,
    sql`update product_orders set subscription_id = ${active} where id = (select id from product_orders limit 1)`,
  ],
  stage_is_reached_by_transitions: [
    sql`delete from subscription_transitions where from_stage = 'identifying' and to_stage = 'registering'`,
    sql`delete from subscription_transitions where subscription_id = ${active} and to_stage = 'confirmed'`,
    sql`delete from subscription_transitions where subscription_id = ${active} and to_stage = 'supplying'`,
    sql`delete from subscription_transitions where subscription_id = ${active}`,
    sql`update subscription_transitions set subscription_id = ${nowhere} where subscription_id = ${active}`,
  ],
  unfinished_process_goes_on: [
    sleeping(sql`'3000-01-01'`),
    sql`update market_processes set due_at = 'infinity' where subscription_id = ${pending}`,
    sql`update market_processes set due_at = null, memory = coalesce(memory, '{}')
      where subscription_id in (select id from subscriptions where status = 'pending' and next_action is null)`,
    sql`with ending as (
        update subscriptions set stage = 'ending', end_at = null, next_action = null where id = ${active} returning id
      )
      update market_processes set due_at = null where subscription_id in (select id from ending)`,
    ...[sql`null`, sql`due_at + interval '1 year'`].flatMap((dueAt) => [
      sql`with ending as (
          update subscriptions set stage = 'ending', end_at = now() + interval '1 day', next_action = '{}'
          where id = ${active} returning id
        )
        update market_processes set due_at = ${dueAt} where subscription_id in (select id from ending)`,
      sql`with confirmed as (
          update subscriptions set stage = 'confirmed', start_at = now() + interval '1 day', next_action = '{}'
          where id = ${pending} returning id
        )
        update market_processes set due_at = ${dueAt} where subscription_id in (select id from confirmed)`,
    ]),
  ],
  ended_process_is_over: [
    sql`update market_processes set due_at = now(), memory = '{"under_way":[]}' where subscription_id = ${ended}`,
  ],
  unwanted_start_is_followed: [
    sql`update market_processes set due_at = null, memory = '{"supply":{"revocations":[{"question":{}}]}}'
      where subscription_id = ${ended}`,
  ],
  order_ends_with_its_subscription: [
    sql`update meter_orders set subscription_id = ${ended}, status = 'created', activated_at = null,
      cancelled_at = null`,
    sql`update grid_fee_reductions set subscription_id = ${ended}, status = 'intended', end_reason = null
      where id = (select id from grid_fee_reductions limit 1)`,
    sql`update grid_fee_reductions set status = 'activated', end_reason = null where status = 'ended'`,
  ],
  meter_order_is_told_by_the_last_event: [
    sql`update meter_orders set status = 'created', activated_at = null, cancelled_at = null`,
    sql`update meter_orders set meter_id = ${nowhere}`,
    sql`delete from events where type like 'meter_order.%'`,
    sql`update events set data = '{"meter_order":{}}' where type like 'meter_order.%'`,
  ],
  reduction_is_told_by_the_last_event: [
    sql`update grid_fee_reductions set status = 'intended', end_reason = null where status = 'ended'`,
    sql`update events set data = '{"grid_fee_reduction":{}}' where type like 'grid_fee_reduction.%'`,
  ],
  unfinished_order_goes_on: [
    sql`update meter_orders set status = 'placed', placed_at = now(), due_at = null, blocked = null,
      activated_at = null, cancelled_at = null`,
    sql`update grid_fee_reductions set status = 'ordered', ordered_at = now(), due_at = null, effective_from = null,
      effective_until = null, end_reason = null, blocked = null
      where id = (select id from grid_fee_reductions limit 1)`,
  ],
  next_step_of_an_order_is_due: [sql`null`, sql`'2099-01-01'`].flatMap((dueAt) => [
    sql`with asleep as (${sleeping(dueAt)})
        update meter_orders set subscription_id = ${active}, status = 'placed', due_at = '2038-01-01', blocked = null,
          placed_at = '2037-12-01', activated_at = null, cancelled_at = null
        where id = (select id from meter_orders limit 1)`,
    ...[
      sql`status = 'ordered', due_at = '2038-01-01', effective_until = null`,
      sql`status = 'ordered', due_at = null, effective_from = '2038-01-01', effective_until = null`,
      sql`status = 'activated', due_at = null, effective_from = '2037-01-01', effective_until = '2038-01-01'`,
    ].map(
      (changes) => sql`with asleep as (${sleeping(dueAt)})
          update grid_fee_reductions set subscription_id = ${active}, ordered_at = '2037-12-01', end_reason = null,
            blocked = null, ${changes}
          where id = (select id from grid_fee_reductions limit 1)`,
    ),
  ]),
  lead_and_subscription_name_each_other: [
    sql`update leads set subscription_id = null, subscribed_at = null`,
    sql`update subscriptions set lead_id = null where lead_id is not null`,
  ],
  message_belongs_to_a_subscription: [
    sql`update market_messages set subscription_id = ${nowhere} where subscription_id = ${active}`,
    sql`update product_orders set subscription_id = ${nowhere}
      where id = (select id from product_orders limit 1)`,
  ],
  place_is_that_of_its_parts: [
    sql`update meters set malo = null where id = (select meter_id from subscriptions where id = ${active})`,
    sql`update meters set number = number || ' 0' where id = (select meter_id from subscriptions where id = ${active})`,
    sql`update meters set estimated_usage = estimated_usage + 1
      where id = (select meter_id from subscriptions where id = ${active})`,
    sql`update addresses set zip = '99998' where id = (select address_id from subscriptions where id = ${active})`,
    sql`update subscriptions set malo = null where id = ${active}`,
    sql`update subscriptions set meter_number_normalised = lower(meter_number_normalised) where id = ${active}`,
  ],
  metadata_is_found: [
    sql`delete from subscription_metadata`,
    sql`update subscription_metadata set subscription_id = ${nowhere}`,
    sql`update subscription_metadata set value_hash = gen_random_uuid()`,
    sql`insert into subscription_metadata (project_id, key_hash, value_hash, subscription_id)
      select project_id, gen_random_uuid(), gen_random_uuid(), id from subscriptions where id = ${active}`,
    sql`update subscriptions set metadata = '{"a":1}' where id = ${active}`,
    sql`update subscriptions set metadata = null`,
  ],
  metadata_of_leads_is_found: [
    sql`delete from lead_metadata`,
    sql`update lead_metadata set lead_id = ${nowhere}`,
    sql`update leads set metadata = '{"b":1}'`,
  ],
  process_remembers_its_subscription: [
    sql`update subscriptions set stage = 'ending' where id = ${active}`,
    sql`update subscriptions set start_at = start_at + interval '1 day' where id = ${active}`,
    sql`update subscriptions set end_at = start_at + interval '1 year' where id = ${active}`,
    sql`update subscriptions set malo = null where id = ${active}`,
    ...[{ stage: 'ending' }, { endAt: '2039-01-01T00:00:00Z' }, { facts: { marketLocation: '41373559241' } }].map(
      (other) => sql`
        update market_processes
        set memory = jsonb_set(memory::jsonb, '{supply}', memory::jsonb -> 'supply' || ${JSON.stringify(other)}::jsonb)
        where subscription_id = ${active}`,
    ),
  ],
  process_holds_what_it_may_be_confirmed: [
    remembering(sql`'{"questions":[{"kind":"registration","marketLocation":"41373559241"}]}'`),
    remembering(sql`'{"questions":[],"unclearLocation":"41373559241"}'`),
  ],
  waiting_message_is_remembered: [
    sql`delete from market_messages where state = 'waiting'`,
    sql`update market_messages set state = 'transmitted', transmitted_at = occurred_at where state = 'waiting'`,
    sql`update market_messages set state = 'waiting', transmitted_at = null
      where subscription_id = ${active} and direction = 'out'`,
    remembering(sql`'{"untransmitted":["1-1"]}'`),
  ],
  message_is_kept: [
    sql`delete from market_messages where id = (select id from market_messages where direction = 'out' limit 1)`,
    sql`delete from market_messages where id = (select id from market_messages where direction = 'in' limit 1)`,
    sql`delete from market_messages where subscription_id = ${active}`,
  ],
  open_order_is_remembered: [
    sql`with remembering as (${remembering(sql`'{}'`, sql`'{"state":{"meter_order":null,"reductions":[]}}'`)})
      update grid_fee_reductions set subscription_id = ${pending}, status = 'intended', end_reason = null
      where id = (select id from grid_fee_reductions limit 1)`,
    remembering(sql`'{}'`, sql`'{"state":{"meter_order":{"id":"1","revision":1,"status":"created","due_at":null}}}'`),
    remembering(sql`'{}'`, sql`'{"state":{"reductions":[{"id":"1","revision":1,"status":"intended","due_at":null}]}}'`),
  ],
  states_are_kept: [
    sql`delete from event_feed_state`,
    sql`delete from audit_chain`,
    sql`delete from audit_blocks_state`,
    sql`delete from maintenance_clock`,
  ],
  events_count_without_gap: [
    sql`delete from events where subscription_id = ${active} and sequence = 2`,
    sql`delete from events where subscription_id = ${active}`,
    sql`update subscriptions set event_sequence = event_sequence + 1 where id = ${active}`,
  ],
  resource_events_count_without_gap: [sql`delete from events where resource_id is not null and sequence = 1`],
  event_tells_of_what_exists: [
    sql`delete from leads`,
    sql`update events set resource_id = ${nowhere}
      where id = (select id from events where type = 'customer.erased' limit 1)`,
  ],
  settled_event_is_in_the_feed_once: [
    sql`delete from event_feed where event_id = (select id from events where subscription_id = ${active} limit 1)`,
    sql`insert into event_feed select project_id, position + 100000, event_id from event_feed limit 1`,
  ],
  feed_names_events: [
    sql`delete from events where subscription_id = ${active} and sequence = 1`,
    sql`update event_feed_state set last_position = last_position - 1`,
  ],
  feed_counts_without_gap: [
    sql`delete from event_feed where position = 1`,
    sql`update event_feed_state set last_position = last_position + 1`,
  ],
  feed_keeps_the_order_of_events: [
    sql`update event_feed set position = -position
      where event_id = (select id from events where subscription_id = ${active} and sequence = 2)`,
  ],
  delivery_names_its_event: [
    sql`update webhook_deliveries set event_id = ${nowhere} where id = (select id from webhook_deliveries limit 1)`,
    sql`update webhook_deliveries set position = position + 1 where id = (select id from webhook_deliveries limit 1)`,
    sql`delete from webhook_endpoints`,
  ],
  endpoint_is_within_the_feed: [sql`update webhook_endpoints set position = position + 100000`],
  kept_answer_names_what_exists: [
    sql`delete from audit_log where operation = 'createSubscription'`,
    sql`delete from events where type = 'subscription.created'`,
  ],
  kept_answer_is_whole: [sql`update idempotency_keys set body = null, body_encrypted = null`],
  subscription_has_an_audit_entry: [
    sql`delete from audit_log where id = (select id from audit_log where operation = 'createSubscription' limit 1)`,
  ],
  audit_chain_counts_without_gap: [
    sql`update audit_log set position = 1, hash = seal where id = (select id from audit_log order by id limit 1)`,
    sql`update audit_chain set last_position = last_position + 1`,
  ],
  audit_blocks_count_without_gap: [
    sql`delete from audit_blocks`,
    sql`delete from audit_blocks where first_position = 1`,
    sql`delete from audit_blocks where last_position = (select max(last_position) from audit_blocks)`,
    sql`update audit_blocks_state set last_position = last_position + 1`,
  ],
  audit_block_names_entries: [
    sql`delete from audit_log where operation = 'createSubscription'`,
    sql`insert into audit_blocks select first_position + 100000, last_position + 100000, project_ids, ids, hash
      from audit_blocks`,
  ],
  settled_audit_entry_is_chained: [
    sql`delete from audit_blocks where first_position = 1`,
    sql`insert into audit_log (project_id, id, occurred_at, operation, seal, transaction_id)
      select project_id, gen_random_uuid(), occurred_at, operation, seal, null from audit_log limit 1`,
  ],
  row_belongs_to_a_project: [
    sql`update audit_log set project_id = ${nowhere}`,
    sql`delete from projects where mode = 'live'`,
    sql`update credentials set project_id = ${nowhere}`,
    sql`update customer_changes set project_id = ${nowhere}`,
    sql`update lead_metadata set project_id = ${nowhere}`,
    sql`update leads set project_id = ${nowhere}`,
    sql`update plans set project_id = ${nowhere}`,
    sql`update webhook_endpoints set project_id = ${nowhere}`,
  ],
  credential_exists: [sql`delete from credentials`],
  customer_changes_count_without_gap: [
    sql`delete from customer_changes where type = 'erased'`,
    sql`update customer_changes set sequence = sequence + 1`,
  ],
};

/** The events of the orders of a kind that erased customers have. */
const ofErased = (kind: 'meter_order' | 'grid_fee_reduction'): Sql => sql`(
  select e.id from events as e
  join customers as c on c.project_id = e.project_id
  join subscriptions as s on s.project_id = c.project_id and s.customer_id = c.id
  join (select id, subscription_id from meter_orders union all select id, subscription_id from grid_fee_reductions) as o
    on o.subscription_id = s.id and o.id = e.resource_id
  where c.erased_at is not null and starts_with(e.type, ${kind})
) as told`;

class Undo extends Error {}

/** Breaks, looks for the violations of one invariant, and undoes it. */
async function violationsAfter(change: Sql, name: string): Promise<Violations> {
  const found: Violations[] = [];
  await database
    .transaction(async (transaction) => {
      await transaction.query(sql`set local session_replication_role = replica`);
      await transaction.query(LIFTED);
      await transaction.query(change);
      const here: Database = { ...database, transaction: (work) => work(transaction) };
      const wanted = invariants.filter((invariant) => invariant.name === name);
      await findViolations(here, wanted, (_, violations) => void found.push(violations));
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  const [violations] = found;
  assert.ok(violations !== undefined);
  return violations;
}

describe('every invariant', () => {
  before(async () => {
    // Nobody waits for the tables that are taken apart.
    const { app } = service.service;
    await eventually(async () => {
      const [row] = await database.query<{ count: string }>(sql`
        select count(*) from audit_log where transaction_id >= (select chained from audit_blocks_state)`);
      return row?.count === '0';
    }, 'the audit log is chained');
    const workers = [app.reconciler, app.webhooks, app.feed, app.auditChain, app.customerSearch];
    await Promise.all(workers.map((each) => each.stop()));
  });

  test('is broken here in some way', () => {
    assert.deepEqual(
      Object.keys(BREAKS),
      invariants.map(({ name }) => name),
    );
  });

  for (const [name, changes] of Object.entries(BREAKS)) {
    test(`${name} is seen when it is broken, and names some of what breaks it`, async () => {
      for (const change of changes) {
        const { count, examples } = await violationsAfter(change, name);
        assert.ok(count > 0, change.strings.join('…'));
        assert.equal(examples.length, Math.min(count, 5));
      }
    });
  }

  test('lets the events of erased customers’ orders be, which earlier versions have emptied', async () => {
    for (const [kind, name] of [
      ['meter_order', 'meter_order_is_told_by_the_last_event'],
      ['grid_fee_reduction', 'reduction_is_told_by_the_last_event'],
    ] as const) {
      const [erased] = await database.query<{ count: string }>(sql`select count(*) from ${ofErased(kind)}`);
      assert.ok(Number(erased?.count) > 1);
      const emptied = sql`
        update events set data = json_build_object(${kind}::text, json_build_object('id', data -> ${kind} -> 'id'))
        where id in (select id from ${ofErased(kind)})`;
      assert.equal((await violationsAfter(emptied, name)).count, 0);
    }
  });

  test('lets the orders of a process be that was set aside, which waits for an operator', async () => {
    const asleep = sql`
      update market_processes set due_at = null, memory = (memory::jsonb || '{"is_parked":true}')::json
        where subscription_id = ${active};`;
    const ordered = sql`
      update grid_fee_reductions set subscription_id = ${active}, status = 'ordered', ordered_at = '2037-12-01',
          due_at = '2038-01-01', end_reason = null, blocked = null, effective_from = null, effective_until = null
        where id = (select id from grid_fee_reductions limit 1);`;
    const change = sql`do $$ begin ${asleep} ${ordered} end $$`;
    assert.equal((await violationsAfter(change, 'next_step_of_an_order_is_due')).count, 0);
  });

  test('lets a meter number be however it is written, and metadata of any kind', async () => {
    const numbers = [
      '1 emh 00-42',
      '\u00a01EMH\u2013\u2212\u00ad42',
      '\uff11\uff25\uff2d',
      'gro\u00df-1',
      '\u0131 i\u0307 \ufb01',
      '\u00e9',
    ];
    for (const number of numbers) {
      const change = sql`
        with meter as (
          update meters set number = ${number} where id = (select meter_id from subscriptions where id = ${active})
        )
        update subscriptions set meter_number_normalised = ${normaliseMeterNumber(number)} where id = ${active}`;
      assert.equal((await violationsAfter(change, 'place_is_that_of_its_parts')).count, 0, number);
    }
    const metadata = `{"a":1.50,"b":-1E3,"c":12345678901234567890.1,"d":true,"e":null,"f":[1],"g":{"h":1},"":"",
      "7":"\\n\\u0001\\"\\\\","\u00e4\ud83d\ude00":"\u00df","__proto__":"x","i":false}`;
    const entries = indexMetadata(metadata);
    assert.equal(entries.length, 9);
    const change = sql`
      with subscription as (update subscriptions set metadata = ${metadata} where id = ${active} returning project_id, id)
      insert into subscription_metadata (project_id, key_hash, value_hash, subscription_id)
      select project_id, key_hash, value_hash, id
      from subscription, unnest(
        ${entries.map(({ keyHash }) => keyHash)}::uuid[], ${entries.map(({ valueHash }) => valueHash)}::uuid[]
      ) as entry (key_hash, value_hash)`;
    assert.equal((await violationsAfter(change, 'metadata_is_found')).count, 0);
  });

  test('lets a location be that is held, and what was set aside', async () => {
    const asked = '{"questions":[{"kind":"registration","marketLocation":"41373559241"}]}';
    const held = sql`with asked as (${remembering(sql`${asked}`)})
      insert into held_locations (project_id, malo, subscription_id)
      select project_id, '41373559241', id from subscriptions where id = ${pending}`;
    assert.equal((await violationsAfter(held, 'process_holds_what_it_may_be_confirmed')).count, 0);
    const parked = sql`update market_processes set memory = ${`{"supply":${asked},"is_parked":true}`}::json
      where subscription_id = ${pending}`;
    for (const name of ['process_holds_what_it_may_be_confirmed', 'process_remembers_its_subscription']) {
      assert.equal((await violationsAfter(parked, name)).count, 0, name);
    }
  });

  test('lets be what versions before the audit log, and before events of orders, have left', async () => {
    /** As if a database of a version before had been brought to this one an hour from now. */
    const [auditLater, ordersLater, heldLater] = [
      sql`update wattline_migrations set applied_at = applied_at + interval '1 hour' where version >= 6;`,
      sql`update wattline_migrations set applied_at = applied_at + interval '1 hour' where version >= 9;`,
      sql`update wattline_migrations set applied_at = applied_at + interval '1 hour' where version >= 21;`,
    ];
    const withoutAudit = sql`delete from audit_log;`;
    const left: Readonly<Record<string, readonly [later: Sql, left: Sql]>> = {
      kept_answer_names_what_exists: [auditLater, withoutAudit],
      subscription_has_an_audit_entry: [auditLater, withoutAudit],
      meter_order_is_told_by_the_last_event: [
        ordersLater,
        sql`update meter_orders set revision = 1; delete from events where type like 'meter_order.%';`,
      ],
      reduction_is_told_by_the_last_event: [
        ordersLater,
        sql`update grid_fee_reductions set revision = 1; delete from events where type like 'grid_fee_reduction.%';`,
      ],
      process_holds_what_it_may_be_confirmed: [
        heldLater,
        sql`${remembering(sql`'{"questions":[{"kind":"registration","marketLocation":"41373559241"}]}'`)};`,
      ],
    };
    for (const [name, [later, rows]] of Object.entries(left)) {
      assert.equal((await violationsAfter(sql`do $$ begin ${later} ${rows} end $$`, name)).count, 0, name);
      assert.ok((await violationsAfter(sql`do $$ begin ${rows} end $$`, name)).count > 0, name);
    }
  });

  test('that is broken makes the command fail, with the public id', async () => {
    await database.query(sql`update event_feed_state set last_position = last_position + 1`);
    await database.query(sql`
      update subscriptions set event_sequence = event_sequence + 1, revision = revision + 1 where id = ${active}`);
    const { code, json, text } = await examine();
    assert.equal(code, 1);
    const broken = json.checks.filter(({ status }: Json) => status === 'failed');
    assert.deepEqual(
      broken.map(({ name }: Json) => name),
      ['status_is_told_by_the_last_event', 'events_count_without_gap', 'feed_counts_without_gap'],
    );
    assert.equal(broken[1].violations, 1);
    assert.match(broken[1].examples[0], /^sub_\w{26}$/);
    assert.match(text, /^failed {3}events_count_without_gap: not true that .*: 1 found, such as sub_\w{26} \(/m);
  });
});
