import { sql, type Sql } from '#platform/database/sql.ts';
import type { Invariant } from './invariants-store.ts';
import { upgradeBy } from './upgrades-store.ts';

/**
 * Whether an order `o` of the project `p` has no event yet: what was ordered with sign-ups before there were events of orders
 * was taken over by a migration. A clock of their own hides when that was.
 */
const isTakenOver = sql`(
  last.status is null and o.revision = 1 and orders.came_later and (p.clock_at is not null or o.created_at <= orders.since)
)`;

/**
 * An instant by which a day of Berlin has begun, whatever its offset: a process that nobody wakes is found a day later, and
 * how a day is reckoned is told nowhere else than in the calendar.
 */
const begunBy = (day: Sql): Sql => sql`((${day} + 1)::timestamp at time zone 'UTC')`;

/**
 * Nothing is to happen so late: the longest notice a plan can have is 130 years, and an end is asked for ten years beyond it
 * at most. Who sleeps for longer never wakes.
 */
const LATEST = sql`interval '200 years'`;

/**
 * Rows of `parts` that no subscription names in `columns`, nor ever did: one that has been replaced was written at the instant
 * of an event.
 */
const nobodysParts = (parts: Sql, columns: Sql): Sql => sql`
  select part.id
  from (
    select project_id, id, created_at from ${parts}
    where not exists (
      select from (select s.project_id, unnest(array[${columns}]) as id from subscriptions as s) as named
      where named.project_id = ${parts}.project_id and named.id = ${parts}.id
    )
  ) as part
  where not exists (
    select from events as e where e.project_id = part.project_id and e.occurred_at = part.created_at
  )`;

/** Of `market_processes as p`: a start that nobody wants has yet to be taken back. One that an earlier version sent is not followed. */
const isRevoking = sql`exists (
  select from json_array_elements(p.memory -> 'supply' -> 'revocations') as revocation
  where revocation -> 'question' is not null
)`;

/** What must be true of subscriptions, their parts, processes and orders. */
export const invariantsOfSupply: readonly Invariant[] = [
  {
    name: 'subscription_has_its_parts',
    promise:
      'a subscription has its customer, addresses, meter, payment method, plan and process, and the supplier that it names',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      left join customers as c on c.project_id = s.project_id and c.id = s.customer_id
      left join addresses as a on a.project_id = s.project_id and a.id = s.address_id
      left join meters as m on m.project_id = s.project_id and m.id = s.meter_id
      left join payment_methods as p on p.project_id = s.project_id and p.id = s.payment_method_id
      left join plans as l on l.project_id = s.project_id and l.id = s.plan_id
      left join market_processes as r on r.project_id = s.project_id and r.subscription_id = s.id
      left join addresses as b on b.project_id = s.project_id and b.id = s.billing_address_id
      left join suppliers as v on v.id = s.supplier_id
      where c.id is null or a.id is null or m.id is null or p.id is null or l.id is null or r.id is null
        or b.id is distinct from s.billing_address_id or v.id is distinct from s.supplier_id`,
  },
  {
    name: 'customer_has_a_subscription',
    promise: 'a customer is written with a subscription, never alone',
    prefix: 'cus',
    violations: sql`
      select c.id from customers as c
      where not exists (
        select from subscriptions as s where s.project_id = c.project_id and s.customer_id = c.id
      )`,
  },
  {
    name: 'meter_has_a_subscription',
    promise: 'a meter is written with a subscription, never alone',
    prefix: 'mtr',
    violations: sql`
      select m.id from meters as m
      where not exists (select from subscriptions as s where s.project_id = m.project_id and s.meter_id = m.id)`,
  },
  {
    name: 'address_has_a_subscription',
    promise: 'an address is, or was, one of a subscription',
    prefix: 'adr',
    violations: nobodysParts(sql`addresses`, sql`s.address_id, s.billing_address_id`),
  },
  {
    name: 'payment_method_has_a_subscription',
    promise: 'a payment method is, or was, that of a subscription',
    prefix: 'pm',
    violations: nobodysParts(sql`payment_methods`, sql`s.payment_method_id`),
  },
  {
    name: 'one_open_supply_by_market_location',
    promise: 'a market location has at most one subscription that has not ended',
    prefix: 'sub',
    violations: sql`
      select min(id::text) as id from subscriptions
      where status <> 'ended' and malo is not null
      group by project_id, malo
      having count(*) > 1`,
  },
  {
    name: 'held_location_is_nobody_elses',
    promise:
      'a market location that a subscription holds beside its own is held by one that has not ended, and free otherwise',
    prefix: 'sub',
    violations: sql`
      select held.subscription_id as id
      from held_locations as held
      left join subscriptions as s on s.project_id = held.project_id and s.id = held.subscription_id
      where s.id is null or s.status = 'ended' or exists (
        -- One that is searched anew while its registration is open is claimed and held by the same.
        select from subscriptions as other
        where other.project_id = held.project_id and other.malo = held.malo and other.status <> 'ended'
          and other.id <> held.subscription_id
      )`,
  },
  {
    name: 'one_open_supply_by_meter',
    // Several may hang on one meter number when the market location of each is known.
    promise:
      'while a market location is unknown, its meter and postcode have at most one subscription that has not ended',
    prefix: 'sub',
    violations: sql`
      select min(id::text) as id from subscriptions
      where status <> 'ended'
      group by project_id, meter_number_normalised, zip
      having count(*) > 1 and count(*) filter (where malo is null) > 0`,
  },
  {
    name: 'status_is_told_by_the_last_event',
    promise: 'status, stage, end, next action and product orders of a subscription are those of its last event',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      left join events as e
        on e.project_id = s.project_id and e.subscription_id = s.id and e.sequence = s.event_sequence
      -- In one go: each operator would read the whole text anew.
      left join lateral json_to_record(e.data -> 'subscription') as told (
        status text, stage text, end_reason text, next_action json, start_at timestamptz, terminated_at timestamptz,
        end_at timestamptz, updated_at timestamptz, product_orders json
      ) on true
      left join (
        select project_id, subscription_id, count(*) as count from product_orders group by project_id, subscription_id
      ) as o on o.project_id = s.project_id and o.subscription_id = s.id
      where (s.status, s.stage, s.end_reason, s.start_at, s.terminated_at, s.end_at, s.updated_at)
          is distinct from (told.status, told.stage, told.end_reason, told.start_at, told.terminated_at, told.end_at,
            told.updated_at)
        or s.next_action::jsonb is distinct from told.next_action::jsonb
        -- Those of an erased customer lack their details, in both places; events of before there were any name none.
        or coalesce(o.count, 0) is distinct from
          case json_typeof(told.product_orders) when 'array' then json_array_length(told.product_orders) else 0 end`,
  },
  {
    name: 'stage_is_reached_by_transitions',
    promise: 'the transitions of a subscription lead from the stage of its first event to its own, one after the other',
    prefix: 'sub',
    violations: sql`
      select coalesce(s.id, t.subscription_id) as id
      from subscriptions as s
      full join (
        select project_id, subscription_id, max(revision) as last_revision,
          (array_agg(from_stage order by revision))[1] as beginning,
          (array_agg(to_stage order by revision desc))[1] as reached,
          bool_or(came_from <> from_stage) as is_broken
        from (
          select *, lag(to_stage) over (partition by project_id, subscription_id order by revision) as came_from
          from subscription_transitions
        ) as steps
        group by project_id, subscription_id
      ) as t on t.project_id = s.project_id and t.subscription_id = s.id
      left join events as e on e.project_id = s.project_id and e.subscription_id = s.id and e.sequence = 1
      where s.id is null or t.is_broken or s.revision < t.last_revision or t.reached <> s.stage
        or coalesce(t.beginning, s.stage) is distinct from e.data -> 'subscription' ->> 'stage'`,
  },
  {
    name: 'unfinished_process_goes_on',
    // Whoever has to act beside, a start and an end that are fixed come by themselves.
    promise:
      'what is not in supply or ended has a due date, or a next action that says who has to act; a fixed start or end is ' +
      'due, and no due date is centuries ahead',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      join projects as project on project.id = s.project_id
      left join market_processes as p on p.project_id = s.project_id and p.subscription_id = s.id
      where p.due_at > coalesce(project.clock_at, now()) + ${LATEST} or case s.stage
        when 'confirmed' then coalesce(p.due_at, 'infinity') > s.start_at
        when 'ending' then case
          -- The last day has passed without the grid operator's word: it is awaited, or to be cleared up.
          when s.end_at is null then s.next_action is null and p.due_at is null
          else coalesce(p.due_at, 'infinity') > s.end_at
        end
        else s.stage not in ('supplying', 'ended') and s.next_action is null and p.due_at is null
      end`,
  },
  {
    name: 'ended_process_is_over',
    // What the simulated market still has under way is delivered after the end, too.
    promise:
      'nothing is due of a subscription that has ended, but what the market has under way, or a start that is taken back',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      join market_processes as p on p.project_id = s.project_id and p.subscription_id = s.id
      where s.status = 'ended' and p.due_at is not null and coalesce(json_array_length(p.memory -> 'under_way'), 0) = 0
        and not ${isRevoking}`,
  },
  {
    name: 'unwanted_start_is_followed',
    promise: 'a start that nobody wants has a due date, or a next action, until the grid operator has taken it back',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      join market_processes as p on p.project_id = s.project_id and p.subscription_id = s.id
      where case when p.due_at is null and s.next_action is null then ${isRevoking} end`,
  },
  {
    name: 'order_ends_with_its_subscription',
    promise: 'a subscription that has ended has no meter order and no grid-fee reduction that could go on',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      where s.status = 'ended' and (
        exists (
          select from meter_orders as o
          where o.project_id = s.project_id and o.subscription_id = s.id and o.status not in ('activated', 'cancelled')
        )
        or exists (
          select from grid_fee_reductions as o
          where o.project_id = s.project_id and o.subscription_id = s.id and o.status not in ('rejected', 'ended')
        )
      )`,
  },
  {
    name: 'meter_order_is_told_by_the_last_event',
    promise: 'a meter order is of its subscription’s meter, and its status is that of its last event',
    prefix: 'mor',
    // Earlier versions took the status out of the events of erased customers’ orders.
    violations: sql`
      select o.id
      from meter_orders as o
      join projects as p on p.id = o.project_id
      cross join ${upgradeBy('orders')} as orders
      left join subscriptions as s on s.project_id = o.project_id and s.id = o.subscription_id
      left join customers as c on c.project_id = s.project_id and c.id = s.customer_id
      left join lateral (
        select coalesce(
            e.data -> 'meter_order' ->> 'status', case when c.erased_at is not null then o.status end
          ) as status
        from events as e
        where e.project_id = o.project_id and e.resource_id = o.id
        order by e.sequence desc
        limit 1
      ) as last on true
      where s.meter_id is distinct from o.meter_id
        or (o.status is distinct from last.status and not ${isTakenOver})`,
  },
  {
    name: 'reduction_is_told_by_the_last_event',
    promise: 'the status of a grid-fee reduction is that of its last event',
    prefix: 'gfr',
    // As with meter orders.
    violations: sql`
      select o.id
      from grid_fee_reductions as o
      join projects as p on p.id = o.project_id
      cross join ${upgradeBy('orders')} as orders
      left join subscriptions as s on s.project_id = o.project_id and s.id = o.subscription_id
      left join customers as c on c.project_id = s.project_id and c.id = s.customer_id
      left join lateral (
        select coalesce(
            e.data -> 'grid_fee_reduction' ->> 'status', case when c.erased_at is not null then o.status end
          ) as status
        from events as e
        where e.project_id = o.project_id and e.resource_id = o.id
        order by e.sequence desc
        limit 1
      ) as last on true
      where o.status is distinct from last.status and not ${isTakenOver}`,
  },
  {
    name: 'unfinished_order_goes_on',
    promise: 'an order that waits for a partner has a due date, or says what blocks it',
    prefix: 'sub',
    violations: sql`
      select subscription_id as id from meter_orders
      where status in ('placed', 'scheduled', 'installed') and due_at is null and blocked is null
      union all
      select subscription_id from grid_fee_reductions
      where status = 'ordered' and due_at is null and blocked is null and effective_from is null`,
  },
  {
    name: 'next_step_of_an_order_is_due',
    // The date of an order wakes nobody: its process does. What an agreed start waits for until then is the supply.
    promise: 'a process is due no later than the next step of its orders, unless it was set aside',
    prefix: 'sub',
    violations: sql`
      select distinct s.id
      from (
        select project_id, subscription_id, due_at, false as needs_supply from meter_orders
        where status not in ('activated', 'cancelled')
        union all
        select project_id, subscription_id,
          coalesce(due_at, case when blocked is null then ${begunBy(sql`effective_until`)} end), false
        from grid_fee_reductions where status not in ('rejected', 'ended')
        union all
        select project_id, subscription_id, ${begunBy(sql`effective_from`)}, true
        from grid_fee_reductions where status = 'ordered'
      ) as next
      join subscriptions as s on s.project_id = next.project_id and s.id = next.subscription_id
      join market_processes as p on p.project_id = s.project_id and p.subscription_id = s.id
      where s.status <> 'ended' and (s.status = 'active' or not next.needs_supply)
        -- Memories are long: those are read only of which something is amiss.
        and case
          when coalesce(p.due_at, 'infinity') > next.due_at then p.memory ->> 'is_parked' is distinct from 'true'
          else false
        end`,
  },
  {
    name: 'lead_and_subscription_name_each_other',
    promise: 'a converted lead names the subscription that names it',
    prefix: 'lead',
    violations: sql`
      select coalesce(l.id, s.lead_id) as id
      from (select * from leads where subscription_id is not null) as l
      full join (select * from subscriptions where lead_id is not null) as s
        on s.project_id = l.project_id and s.lead_id = l.id
      where s.id is distinct from l.subscription_id`,
  },
  {
    name: 'message_belongs_to_a_subscription',
    promise: 'a message of the market, a product order and a process belong to a subscription of their project',
    prefix: 'sub',
    violations: sql`
      select subscription_id as id from (
        select project_id, subscription_id from market_messages
        union all select project_id, subscription_id from market_processes
        union all select project_id, subscription_id from product_orders
        union all select project_id, subscription_id from subscription_metadata
        union all select project_id, subscription_id from meter_orders
        union all select project_id, subscription_id from grid_fee_reductions
      ) as part
      where not exists (
        select from subscriptions as s where s.project_id = part.project_id and s.id = part.subscription_id
      )`,
  },
];
