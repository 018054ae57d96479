import { NO_PROJECT } from '#platform/audit.ts';
import { sql } from '#platform/database/sql.ts';
import type { Invariant } from './invariants-store.ts';
import { upgradeBy } from './upgrades-store.ts';

/** What must be true of events, the feed, webhooks, kept answers and the audit log. */
export const invariantsOfRecords: readonly Invariant[] = [
  {
    name: 'states_are_kept',
    // Many others are judged by these rows, and would hold of nothing without them.
    promise: 'how far the feed and the audit log have come, and what time it was last, is written down',
    prefix: null,
    violations: sql`
      select name as id from (values
        ('event_feed_state', (select count(*) from event_feed_state)),
        ('audit_chain', (select count(*) from audit_chain)),
        ('audit_blocks_state', (select count(*) from audit_blocks_state)),
        ('maintenance_clock', (select count(*) from maintenance_clock))
      ) as states (name, count)
      where count <> 1`,
  },
  {
    name: 'events_count_without_gap',
    promise: 'the events of a subscription are numbered from 1 to its event_sequence without a gap',
    prefix: 'sub',
    violations: sql`
      select coalesce(s.id, e.subscription_id) as id
      from subscriptions as s
      full join (
        select project_id, subscription_id, count(*) as count, min(sequence) as first, max(sequence) as last,
          count(distinct sequence) as numbers
        from events
        where subscription_id is not null
        group by project_id, subscription_id
      ) as e on e.project_id = s.project_id and e.subscription_id = s.id
      where s.event_sequence is distinct from e.last or e.first <> 1 or e.count <> e.last or e.numbers <> e.last`,
  },
  {
    name: 'resource_events_count_without_gap',
    promise: 'the events of any other resource are numbered from 1 without a gap',
    prefix: null,
    violations: sql`
      select resource_id as id from events
      where resource_id is not null
      group by project_id, resource_id
      having min(sequence) <> 1 or count(*) <> max(sequence) or count(distinct sequence) <> max(sequence)`,
  },
  {
    name: 'event_tells_of_what_exists',
    // Endpoints are deleted; what they were told by stays.
    promise: 'an event of a lead, customer, meter order or grid-fee reduction tells of one that exists',
    prefix: 'evt',
    violations: sql`
      select e.id
      from events as e
      left join leads as l on l.project_id = e.project_id and l.id = e.resource_id
      left join customers as c on c.project_id = e.project_id and c.id = e.resource_id
      left join meter_orders as m on m.project_id = e.project_id and m.id = e.resource_id
      left join grid_fee_reductions as g on g.project_id = e.project_id and g.id = e.resource_id
      where e.resource_id is not null and case split_part(e.type, '.', 1)
        when 'lead' then l.id
        when 'customer' then c.id
        when 'meter_order' then m.id
        when 'grid_fee_reduction' then g.id
        else e.resource_id
      end is null`,
  },
  {
    name: 'settled_event_is_in_the_feed_once',
    promise: 'an event that the feed has passed has exactly one position',
    prefix: 'evt',
    violations: sql`
      select e.id
      from event_feed_state as state
      join events as e on e.transaction_id is null or e.transaction_id < state.published
      left join event_feed as f on f.project_id = e.project_id and f.event_id = e.id
      where f.event_id is null
      union all
      select event_id from event_feed group by project_id, event_id having count(*) > 1`,
  },
  {
    name: 'feed_names_events',
    promise: 'a position of the feed names an event of its project, and is not beyond its end',
    prefix: null,
    violations: sql`
      select f.position as id
      from event_feed_state as state
      cross join event_feed as f
      left join events as e on e.project_id = f.project_id and e.id = f.event_id
      where e.id is null or f.position > state.last_position`,
  },
  {
    name: 'feed_counts_without_gap',
    // Each restore begins a new era at the next multiple, see `takeUpFeed`.
    promise: 'the positions of the feed are given once, and without a gap between two restores',
    prefix: null,
    violations: sql`
      select position as id
      from (select position, lag(position, 1, 0::bigint) over (order by position) as before from event_feed) as placed
      where position <> before + 1 and (position = before or position % 1000000000 <> 1)
      union all
      select last_position from event_feed_state
      where last_position <> coalesce((select max(position) from event_feed), 0) and last_position % 1000000000 <> 0`,
  },
  {
    name: 'feed_keeps_the_order_of_events',
    promise: 'the events of a resource stand in the feed in the order of their sequence',
    prefix: 'evt',
    violations: sql`
      select id from (
        select e.id, f.position < lag(f.position) over (
          partition by e.project_id, coalesce(e.subscription_id, e.resource_id) order by e.sequence
        ) as is_before
        from event_feed as f
        join events as e on e.project_id = f.project_id and e.id = f.event_id
      ) as placed
      where is_before`,
  },
  {
    name: 'delivery_names_its_event',
    promise: 'a delivery of a webhook names an endpoint, and an event with its subject and position',
    prefix: 'whd',
    violations: sql`
      select d.id
      from webhook_deliveries as d
      left join webhook_endpoints as w on w.project_id = d.project_id and w.id = d.endpoint_id
      left join events as e on e.project_id = d.project_id and e.id = d.event_id
      left join event_feed as f on f.project_id = d.project_id and f.position = d.position
      where w.id is null or e.id is null or f.event_id is distinct from d.event_id
        or coalesce(e.subscription_id, e.resource_id) is distinct from d.subject_id`,
  },
  {
    name: 'endpoint_is_within_the_feed',
    promise: 'no webhook endpoint is beyond the end of the feed, where it would miss what comes',
    prefix: 'whe',
    violations: sql`
      select id from webhook_endpoints where position > (select last_position from event_feed_state)`,
  },
  {
    name: 'kept_answer_names_what_exists',
    // An entry of the audit log is written with whatever is created; `subscription_has_an_audit_entry` closes the circle.
    // Answers from before the migration that brought the log have none; earlier versions kept some by a project's own clock.
    promise: 'a kept answer that something was created names what the same request has created',
    prefix: null,
    violations: sql`
      select k.request_id as id
      from idempotency_keys as k
      join projects as p on p.id = k.project_id
      cross join ${upgradeBy('audit_log')} as log
      where k.status = 201 and k.headers ->> 'location' is not null
        and (not log.came_later or (p.clock_at is null and k.created_at > log.since))
        and not exists (
          select from audit_log as a
          where a.project_id = k.project_id and a.resource = split_part(k.headers ->> 'location', '/', 3)
            and a.request_id = k.request_id
        )
      union all
      select k.request_id
      from idempotency_keys as k
      where k.status = 201 and k.path = '/subscriptions' and not exists (
        select from events as e
        where e.project_id = k.project_id and e.request_id = k.request_id and e.type = 'subscription.created'
          and e.data #>> '{subscription,id}' = split_part(k.headers ->> 'location', '/', 3)
      )`,
  },
  {
    name: 'kept_answer_is_whole',
    promise: 'a kept answer that something was created has a body, in clear or encrypted',
    prefix: null,
    violations: sql`
      select request_id as id from idempotency_keys
      where num_nonnulls(body, body_encrypted) <> 1 and status <> 204`,
  },
  {
    name: 'subscription_has_an_audit_entry',
    // Those from before the migration that brought the log have none; a clock of their own hides when that was.
    promise: 'the sign-up of a subscription has its entry in the audit log',
    prefix: 'evt',
    violations: sql`
      select e.id
      from events as e
      join projects as p on p.id = e.project_id
      cross join ${upgradeBy('audit_log')} as log
      where e.type = 'subscription.created'
        and (not log.came_later or (p.clock_at is null and e.occurred_at > log.since))
        and not exists (
          select from audit_log as a
          where a.project_id = e.project_id and a.resource = e.data #>> '{subscription,id}'
            and a.request_id = e.request_id
        )`,
  },
  {
    name: 'audit_chain_counts_without_gap',
    promise: 'the entries that were chained before there were blocks are numbered from 1 to the end without a gap',
    prefix: null,
    violations: sql`
      select last_position as id
      from audit_chain
      cross join (select count(*) as count, coalesce(max(position), 0) as last from audit_log where position is not null) as log
      where log.count <> last_position or log.last <> last_position`,
  },
  {
    name: 'audit_blocks_count_without_gap',
    promise: 'the blocks of the audit log follow each other, the first one what was chained before, up to their end',
    prefix: null,
    violations: sql`
      select first_position as id
      from (select first_position, lag(last_position) over (order by last_position) as before from audit_blocks) as block
      where case
        when before is not null then first_position <> before + 1
        else first_position <> 1 and not exists (select from audit_log where position = first_position - 1)
      end
      union all
      select last_position from audit_blocks_state
      where last_position <> coalesce(
        (select max(last_position) from audit_blocks),
        -- Without a block, the end of what was chained before there were any.
        (select position from audit_log where position = audit_blocks_state.last_position),
        0
      )`,
  },
  {
    name: 'audit_block_names_entries',
    promise: 'what a block of the audit log names is there, and in no other block',
    prefix: 'aud',
    violations: sql`
      with placed as materialized (
        select placed.project_id, placed.id from audit_blocks, unnest(project_ids, ids) as placed (project_id, id)
      )
      select placed.id
      from placed
      left join audit_log as a on a.project_id = placed.project_id and a.id = placed.id
      where a.id is null
      union all
      select id from placed group by project_id, id having count(*) > 1`,
  },
  {
    name: 'settled_audit_entry_is_chained',
    promise: 'an entry of the audit log that the chain has passed is in it',
    prefix: 'aud',
    violations: sql`
      select id from (
        select a.project_id, a.id, false as is_placed
        from audit_blocks_state as state
        join audit_log as a on a.transaction_id < state.chained or (a.transaction_id is null and not state.has_earlier)
        where a.position is null
        union all
        select placed.project_id, placed.id, true from audit_blocks, unnest(project_ids, ids) as placed (project_id, id)
      ) as named
      group by project_id, id
      having not bool_or(is_placed)`,
  },
  {
    name: 'row_belongs_to_a_project',
    // Beside what belongs to a subscription; an entry of the audit log may belong to no project.
    promise: 'every row belongs to a project that exists',
    prefix: 'prj',
    violations: sql`
      select distinct project_id as id from (
        select project_id from addresses
        union all select project_id from customers
        union all select project_id from meters
        union all select project_id from payment_methods
        union all select project_id from events
        union all select project_id from event_feed
        union all select project_id from idempotency_keys
        union all select project_id from subscriptions
        union all select project_id from credentials
        union all select project_id from customer_changes
        union all select project_id from lead_metadata
        union all select project_id from leads
        union all select project_id from plans
        union all select project_id from webhook_endpoints
        union all select project_id from audit_log where project_id <> ${NO_PROJECT}
      ) as owned
      where not exists (select from projects as p where p.id = owned.project_id)`,
  },
  {
    name: 'credential_exists',
    promise: 'whoever has signed up, changed or asked for something is a credential of the project',
    prefix: 'crd',
    violations: sql`
      select distinct credential_id as id from (
        select project_id, created_by as credential_id from subscriptions
        union all select project_id, created_by from leads
        union all select project_id, credential_id from events
        union all select project_id, credential_id from audit_log
        union all select project_id, credential_id from customer_changes
      ) as acted
      where credential_id is not null and not exists (
        select from credentials as c where c.project_id = acted.project_id and c.id = acted.credential_id
      )`,
  },
  {
    name: 'customer_changes_count_without_gap',
    promise: 'the history of a customer is numbered from 1 without a gap, and an erased one tells of it',
    prefix: 'cus',
    violations: sql`
      select customer_id as id from customer_changes
      group by project_id, customer_id
      having min(sequence) <> 1 or count(*) <> max(sequence)
      union all
      select c.id from customers as c
      where c.erased_at is not null and not exists (
        select from customer_changes as h
        where h.project_id = c.project_id and h.customer_id = c.id and h.type = 'erased'
      )`,
  },
];
