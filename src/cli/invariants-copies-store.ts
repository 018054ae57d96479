import { sql, type Sql } from '#platform/database/sql.ts';
import type { Invariant } from './invariants-store.ts';
import { upgradeBy } from './upgrades-store.ts';

/**
 * A meter number as the sign-up matches it, as far as PostgreSQL can tell: of one with other letters than ASCII's, whose
 * capitals and invisible characters every library has its own mind about, it is null.
 */
const normalised = (number: Sql): Sql => sql`
  substring(
    upper(regexp_replace(
      normalize(${number}, nfkc), '[\\u0001-\\u0020\\u007f\\u00ad\\u2010-\\u2015\\u2212-]+', '', 'g'
    ) collate "C")
    from '^[!-~]*$'
  )`;

/** As `hashUuid`. */
const hashed = (text: Sql): Sql => sql`encode(substr(sha256(convert_to(${text}, 'UTF8')), 1, 16), 'hex')::uuid`;

/** Finds owners of metadata whose entries for the filters are not those that the metadata has, or who do not exist. */
function misindexed(owners: Sql, index: Sql, owner: Sql): Sql {
  return sql`
    select distinct owner as id
    from (
      select project_id, ${owner} as owner, key_hash, value_hash, 1 as side from ${index}
      union all
      select o.project_id, o.id, ${hashed(sql`member.key`)}, ${hashed(sql`member.value #>> '{}'`)}, -1
      from ${owners} as o
      cross join lateral json_each(o.metadata) as member
      where json_typeof(member.value) in ('string', 'number', 'boolean')
    ) as entries
    group by project_id, owner, key_hash, value_hash
    having sum(side) <> 0`;
}

/** What must be true of what is kept twice: beside its source, or in the memory of a process. */
export const invariantsOfCopies: readonly Invariant[] = [
  {
    name: 'place_is_that_of_its_parts',
    // Who supplies where is judged by the copies.
    promise: 'market location, meter number, usage and postcode of a subscription are those of its meter and address',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      join meters as m on m.project_id = s.project_id and m.id = s.meter_id
      join addresses as a on a.project_id = s.project_id and a.id = s.address_id
      where (s.malo, s.estimated_usage, s.zip) is distinct from (m.malo, m.estimated_usage, a.zip)
        or s.meter_number_normalised <> ${normalised(sql`m.number`)}`,
  },
  {
    name: 'metadata_is_found',
    promise: 'the filters find a subscription by the members of its metadata, and by nothing else',
    prefix: 'sub',
    violations: misindexed(sql`subscriptions`, sql`subscription_metadata`, sql`subscription_id`),
  },
  {
    name: 'metadata_of_leads_is_found',
    promise: 'the filters find a lead by the members of its metadata, and by nothing else',
    prefix: 'lead',
    violations: misindexed(sql`leads`, sql`lead_metadata`, sql`lead_id`),
  },
  {
    name: 'process_remembers_its_subscription',
    // The market location stays claimed by the subscription while the process searches it anew.
    promise:
      'stage, start, end and market location of a subscription are those that its process remembers, unless that was set aside',
    prefix: 'sub',
    violations: sql`
      select s.id
      from subscriptions as s
      join market_processes as p on p.project_id = s.project_id and p.subscription_id = s.id
      cross join lateral json_to_record(p.memory) as memory (supply json, is_parked boolean)
      cross join lateral json_to_record(memory.supply) as supply (
        stage text, "startAt" timestamptz, "endAt" timestamptz, facts json
      )
      where p.memory is not null and memory.is_parked is not true and (
        (s.stage, s.start_at, s.end_at) is distinct from (supply.stage, supply."startAt", supply."endAt")
        or coalesce(supply.facts ->> 'marketLocation', s.malo) is distinct from s.malo
      )`,
  },
  {
    name: 'process_holds_what_it_may_be_confirmed',
    // Of what was asked for before there was a table of them, nothing is held.
    promise: 'a market location that the grid operator may yet confirm to a subscription is its own, or held for it',
    prefix: 'sub',
    violations: sql`
      select distinct s.id
      from subscriptions as s
      join projects as j on j.id = s.project_id
      join market_processes as p on p.project_id = s.project_id and p.subscription_id = s.id
      cross join ${upgradeBy('held_locations')} as held
      cross join lateral json_to_record(p.memory) as memory (supply json, is_parked boolean)
      cross join lateral (
        select question ->> 'marketLocation' as location
        from json_array_elements(memory.supply -> 'questions') as question
        where question ->> 'kind' = 'registration'
        union all
        select memory.supply ->> 'unclearLocation'
      ) as asked
      left join held_locations as h
        on h.project_id = s.project_id and h.malo = asked.location and h.subscription_id = s.id
      where s.status = 'pending' and (not held.came_later or (j.clock_at is null and s.created_at > held.since))
        and memory.is_parked is not true and asked.location <> coalesce(s.malo, '') and h.malo is null`,
  },
  {
    name: 'waiting_message_is_remembered',
    promise: 'the messages that wait to be transmitted are those that their processes remember as such',
    prefix: 'sub',
    violations: sql`
      select distinct subscription_id as id
      from (
        select project_id, subscription_id, document_number, 1 as side from market_messages
        where direction = 'out' and state = 'waiting'
        union all
        select p.project_id, p.subscription_id, document_number, -1
        from market_processes as p
        cross join lateral json_array_elements_text(p.memory -> 'supply' -> 'untransmitted') as document_number
        -- Most have none: looking for that is cheaper than reading what they remember.
        where p.memory::text not like '%"untransmitted":[]%'
      ) as messages
      group by project_id, subscription_id, document_number
      having sum(side) <> 0`,
  },
  {
    name: 'message_is_kept',
    // Of what was received, the newest are remembered only.
    promise: 'the messages that a process has sent, and remembers to have received, are kept',
    prefix: 'sub',
    violations: sql`
      select p.subscription_id as id
      from market_processes as p
      cross join lateral json_to_record(p.memory -> 'supply') as supply (sent integer, received json)
      left join (
        select project_id, subscription_id, count(*) filter (where direction = 'out') as sent,
          count(*) filter (where direction = 'in') as received
        from market_messages
        group by project_id, subscription_id
      ) as kept on kept.project_id = p.project_id and kept.subscription_id = p.subscription_id
      where coalesce(kept.sent, 0) <> supply.sent or coalesce(kept.received, 0) < json_array_length(supply.received)`,
  },
  {
    name: 'open_order_is_remembered',
    // What the process remembers decides; the rows show it. Orders of sign-ups are taken into a memory later.
    promise: 'what is open of meter orders and reductions stands in its rows as the process remembers it',
    prefix: 'sub',
    violations: sql`
      with remembering as materialized (
        select project_id, subscription_id, memory -> 'orders' -> 'state' as orders from market_processes
        where memory::text like '%"orders"%' and memory -> 'orders' -> 'state' is not null
      )
      select distinct subscription_id as id
      from (
        select o.project_id, o.subscription_id, o.id::text, o.revision::text, o.status, o.due_at, 1 as side
        from remembering
        join (
          select project_id, subscription_id, id, revision, status, due_at from meter_orders
          where status not in ('activated', 'cancelled')
          union all
          select project_id, subscription_id, id, revision, status, due_at from grid_fee_reductions
          where status not in ('rejected', 'ended')
        ) as o using (project_id, subscription_id)
        union all
        select r.project_id, r.subscription_id, o ->> 'id', o ->> 'revision', o ->> 'status',
          (o ->> 'due_at')::timestamptz, -1
        from remembering as r
        cross join lateral (
          select r.orders -> 'meter_order' as o where json_typeof(r.orders -> 'meter_order') = 'object'
          union all
          select json_array_elements(r.orders -> 'reductions')
        ) as remembered
      ) as orders
      group by project_id, subscription_id, id, revision, status, due_at
      having sum(side) <> 0`,
  },
];
