-- The time that maintenance has seen last: by a clock that has just been set forward nothing is removed for good.
create table maintenance_clock (
  only_row boolean primary key default true check (only_row),
  seen_at timestamptz not null,
  rests_until timestamptz not null
);
insert into maintenance_clock (seen_at, rests_until) values (now(), now());
