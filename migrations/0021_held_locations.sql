-- A correction may name another market location while the grid operator can still confirm the registration for the one
-- before: until he has agreed to forget it, nobody else's supply there may be promised.
create table held_locations (
  project_id uuid not null,
  malo text not null,
  subscription_id uuid not null,
  primary key (project_id, malo),
  foreign key (project_id, subscription_id) references subscriptions (project_id, id)
);
alter table held_locations alter column project_id set (n_distinct = 1);

-- As in 0016, and held market locations are taken too. Who takes one while its holder gives it up as his own waits in the
-- unique index for that commit, and sees it held then.
create or replace function refuse_second_supply() returns trigger language plpgsql
-- Who loads in bulk does not have the settings of the service's connections.
set enable_seqscan = off
as $$
begin
  -- The room for locks is bounded; a bulk load gets the whole table instead.
  if (select count(*) from inserted) > 1000 then
    lock table subscriptions in share row exclusive mode;
  else
    perform case when malo is null then pg_advisory_xact_lock(place) else pg_advisory_xact_lock_shared(place) end
    from (
      select malo, hashtextextended(project_id || '/' || meter_number_normalised || '/' || zip, 0) as place
      from inserted
      order by place, malo nulls first
    ) as places;
  end if;
  if exists (
    select from inserted
    cross join lateral (
      select from subscriptions as other
      where inserted.malo is not null
        and other.project_id = inserted.project_id
        and other.meter_number_normalised = inserted.meter_number_normalised and other.zip = inserted.zip
        and other.malo is null and other.status <> 'ended'
      limit 1
    ) as taken
  ) or exists (
    select from inserted
    cross join lateral (
      select from subscriptions as other
      where inserted.malo is null
        and other.project_id = inserted.project_id
        and other.meter_number_normalised = inserted.meter_number_normalised and other.zip = inserted.zip
        and other.malo is not null and other.status <> 'ended'
      limit 1
    ) as taken
  ) or exists (
    select from inserted
    cross join lateral (
      select from held_locations as held
      where held.project_id = inserted.project_id and held.malo = inserted.malo
      limit 1
    ) as taken
  ) then
    raise unique_violation using message = 'the place of supply has an open subscription';
  end if;
  return null;
end
$$;

-- As in 0002, and held market locations are taken too.
create or replace function guard_subscription_change() returns trigger language plpgsql
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
      and (
        exists (
          select from subscriptions as other
          where other.project_id = after.project_id and other.id <> after.id
            and other.meter_number_normalised = after.meter_number_normalised and other.zip = after.zip
            and other.status <> 'ended' and (other.malo is null or after.malo is null)
        )
        or exists (
          select from held_locations as held
          where held.project_id = after.project_id and held.malo = after.malo and held.subscription_id <> after.id
        )
      )
  ) then
    raise unique_violation using message = 'the place of supply has an open subscription';
  end if;
  return null;
end
$$;
