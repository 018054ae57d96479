-- Carries subscriptions through the market: their processes, messages and transitions, and the clocks of sandbox
-- projects.

-- A sandbox project's own time: null goes with wall time; once set it stands still and moves towards `clock_target`,
-- as fast as everything due until then is done.
alter table projects
  add column clock_at timestamptz,
  add column clock_target timestamptz,
  add check (mode = 'sandbox' or clock_at is null),
  add check (clock_target is null or (clock_at is not null and clock_target >= clock_at));

alter table subscriptions
  -- As text, so that its members keep their order and an entity tag its value.
  alter column next_action type json using next_action::json,
  -- Counts every step of the life, visible or not; messages, events and transitions carry it.
  add column revision integer not null default 1 check (revision > 0),
  add column billing_address_id uuid,
  -- The day asked of the market at present, and why it is not the intended one.
  add column requested_start_date date,
  add column requested_start_reason text
    check (requested_start_reason in ('lead_time', 'previous_contract', 'grid_operator')),
  add foreign key (project_id, billing_address_id) references addresses (project_id, id),
  add check (stage not in ('confirmed', 'supplying', 'ending') or start_at is not null),
  add check (status <> 'ended' or (end_at is not null and next_action is null)),
  add check (end_at is null or start_at is null or end_at > start_at);

-- One process carries a subscription from the sign-up to its end. Without a memory it is to be started; without a due
-- date it waits for somebody, or for ever.
alter table market_processes
  drop column kind,
  drop column state,
  alter column due_at drop not null,
  -- {supply, gateway, under_way}: what the machines and the way to the market remember.
  add column memory json,
  add check (memory is not null or due_at is not null),
  add unique (project_id, subscription_id);
drop index market_processes_subscription;
drop index market_processes_due;
create index market_processes_due on market_processes (project_id, due_at) where due_at is not null;

-- Every message sent or received. Contents are what the domain calls them, plain JSON.
create table market_messages (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  revision integer not null,
  direction text not null check (direction in ('out', 'in')),
  kind text not null,
  -- The check identifier (PID) of an EDIFACT message, or the operation of the REST API.
  identifier text not null,
  partner text not null,
  document_number text not null,
  process_number text not null,
  answers text,
  contents json not null,
  state text not null,
  occurred_at timestamptz not null,
  transmitted_at timestamptz,
  primary key (project_id, id),
  -- What arrives twice is received once.
  unique (project_id, subscription_id, direction, document_number),
  foreign key (project_id, subscription_id) references subscriptions (project_id, id),
  check (
    case direction
      when 'out' then state in ('waiting', 'transmitted', 'obsolete')
      else state in ('received', 'ignored')
    end
  ),
  check ((transmitted_at is not null) = (state = 'transmitted'))
);
create index market_messages_waiting on market_messages (project_id, id) where state = 'waiting';

alter table events
  add column revision integer not null default 1,
  add column caused_by text not null default 'api' check (caused_by in ('api', 'operator', 'market', 'time')),
  add column credential_id uuid,
  add check (credential_id is null or caused_by = 'api');

-- Every step of the lifecycle that was taken; written by the trigger below and by nobody else.
create table subscription_transitions (
  project_id uuid not null,
  subscription_id uuid not null,
  revision integer not null,
  from_stage text not null,
  to_stage text not null,
  occurred_at timestamptz not null,
  -- No foreign key: the trigger copies what it refers to from the row itself.
  primary key (project_id, subscription_id, revision)
);

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise check_violation using message = format('%s is append-only', tg_table_name);
end
$$;
create trigger subscription_transitions_append_only before update or delete on subscription_transitions
  for each statement execute function refuse_rewriting();

-- Repeats the table of the lifecycle (src/domain/subscription/lifecycle.ts): lets no other step through, and keeps a
-- record of each that is taken. Also guards the place of supply, like the trigger for inserted rows.
create function guard_subscription_change() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan
as $$
begin
  if exists (
    select from before join after using (project_id, id) where after.revision <> before.revision + 1
  ) then
    raise check_violation using message = 'a subscription changes by exactly one revision at a time';
  end if;
  if exists (
    select from before join after using (project_id, id)
    where before.stage <> after.stage and (before.stage, after.stage) not in (
      values
        ('identifying', 'cancelling'), ('identifying', 'registering'), ('identifying', 'ended'),
        ('cancelling', 'identifying'), ('cancelling', 'registering'), ('cancelling', 'ended'),
        ('registering', 'identifying'), ('registering', 'cancelling'), ('registering', 'confirmed'),
        ('registering', 'ended'),
        ('confirmed', 'supplying'), ('confirmed', 'ended'),
        ('supplying', 'ending'),
        ('ending', 'supplying'), ('ending', 'ended')
    )
  ) then
    raise check_violation using message = 'the lifecycle of a subscription has no such step';
  end if;
  insert into subscription_transitions (project_id, subscription_id, revision, from_stage, to_stage, occurred_at)
  select after.project_id, after.id, after.revision, before.stage, after.stage, after.updated_at
  from before join after using (project_id, id)
  where before.stage <> after.stage;

  perform case when malo is null then pg_advisory_xact_lock(place) else pg_advisory_xact_lock_shared(place) end
  from (
    select after.malo,
      hashtextextended(after.project_id || '/' || after.meter_number_normalised || '/' || after.zip, 0) as place
    from before join after using (project_id, id)
    where after.status <> 'ended'
      and (before.malo, before.meter_number_normalised, before.zip)
        is distinct from (after.malo, after.meter_number_normalised, after.zip)
    order by place, malo nulls first
  ) as places;
  if found and exists (
    select from before join after using (project_id, id)
    where after.status <> 'ended'
      and (before.malo, before.meter_number_normalised, before.zip)
        is distinct from (after.malo, after.meter_number_normalised, after.zip)
      and exists (
        select from subscriptions as other
        where other.project_id = after.project_id and other.id <> after.id
          and other.meter_number_normalised = after.meter_number_normalised and other.zip = after.zip
          and other.status <> 'ended' and (other.malo is null or after.malo is null)
      )
  ) then
    raise unique_violation using message = 'the place of supply has an open subscription';
  end if;
  return null;
end
$$;
create trigger subscriptions_guard after update on subscriptions
  referencing old table as before new table as after
  for each statement execute function guard_subscription_change();
