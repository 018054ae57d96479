-- Planned once for a connection instead of for each statement, which took a tenth of what a single sign-up costs. Whatever
-- number of rows the plan was made for, each new subscription is looked up by itself, and by an index.
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
  ) then
    raise unique_violation using message = 'the place of supply has an open subscription';
  end if;
  return null;
end
$$;
