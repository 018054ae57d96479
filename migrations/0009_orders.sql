-- Meter orders and grid-fee reductions. What is decided about them lies in the memory of the subscription's process; these
-- rows show it, and are written in the commit of each step.

create table meter_orders (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  meter_id uuid not null,
  status text not null check (status in ('created', 'placed', 'scheduled', 'installed', 'activated', 'cancelled')),
  -- {code, actor, message, since}: what must happen before it can go on; as text, so that its members keep their order.
  blocked json,
  -- By when a partner should have answered, or have done what he promised.
  due_at timestamptz,
  placed_at timestamptz,
  appointment_at timestamptz,
  installed_at timestamptz,
  activated_at timestamptz,
  cancelled_at timestamptz,
  revision integer not null check (revision > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, subscription_id) references subscriptions (project_id, id),
  foreign key (project_id, meter_id) references meters (project_id, id),
  check (placed_at is not null or status in ('created', 'cancelled')),
  check (appointment_at is not null or status not in ('scheduled', 'installed', 'activated')),
  check (installed_at is not null or status not in ('installed', 'activated')),
  check ((activated_at is not null) = (status = 'activated')),
  check ((cancelled_at is not null) = (status = 'cancelled')),
  check (blocked is null or status not in ('activated', 'cancelled'))
);
-- A meter is exchanged once at a time.
create unique index meter_orders_open on meter_orders (project_id, meter_id)
  where status not in ('activated', 'cancelled');
create index meter_orders_subscription on meter_orders (project_id, subscription_id, id);
create index meter_orders_status on meter_orders (project_id, status, id);
create index meter_orders_updated_at on meter_orders (project_id, updated_at, id);

create table grid_fee_reductions (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  module_1 boolean not null,
  module_2 boolean not null,
  module_3 boolean not null,
  status text not null check (status in ('intended', 'ordered', 'activated', 'rejected', 'ended')),
  blocked json,
  due_at timestamptz,
  ordered_at timestamptz,
  -- The first day with it, and the first day without.
  effective_from date,
  effective_until date,
  rejection_code text,
  end_reason text check (end_reason in ('requested', 'replaced', 'supply_ended')),
  revision integer not null check (revision > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, subscription_id) references subscriptions (project_id, id),
  -- BK8-22/010-A: module 1, module 2, or 1 and 3.
  check (module_1 <> module_2 and (module_1 or not module_3)),
  check (ordered_at is not null or status in ('intended', 'ended')),
  check (effective_from is not null or status <> 'activated'),
  check (effective_until >= effective_from),
  check ((rejection_code is not null) = (status = 'rejected')),
  check ((end_reason is not null) = (status = 'ended')),
  check (blocked is null or status not in ('rejected', 'ended'))
);
-- One is in force; another may be under way, and takes its place when it comes into force.
create unique index grid_fee_reductions_under_way on grid_fee_reductions (project_id, subscription_id)
  where status in ('intended', 'ordered');
create unique index grid_fee_reductions_in_force on grid_fee_reductions (project_id, subscription_id)
  where status = 'activated';
create index grid_fee_reductions_subscription on grid_fee_reductions (project_id, subscription_id, id);
create index grid_fee_reductions_status on grid_fee_reductions (project_id, status, id);
create index grid_fee_reductions_open on grid_fee_reductions (project_id, id)
  where status in ('intended', 'ordered') or blocked is not null;
create index grid_fee_reductions_updated_at on grid_fee_reductions (project_id, updated_at, id);

-- Repeat the tables of src/domain/orders/lifecycle.ts: let no other step through.
create function guard_meter_order_change() returns trigger language plpgsql as $$
begin
  if exists (
    select from before join after using (project_id, id)
    where after.revision <> before.revision + 1 or (before.status, after.status) not in (
      values
        ('created', 'created'), ('created', 'placed'), ('created', 'cancelled'),
        ('placed', 'placed'), ('placed', 'scheduled'), ('placed', 'cancelled'),
        ('scheduled', 'scheduled'), ('scheduled', 'placed'), ('scheduled', 'installed'), ('scheduled', 'cancelled'),
        ('installed', 'installed'), ('installed', 'activated'), ('installed', 'cancelled')
    )
  ) then
    raise check_violation using message = 'the life of a meter order has no such step';
  end if;
  return null;
end
$$;
create trigger meter_orders_guard after update on meter_orders
  referencing old table as before new table as after
  for each statement execute function guard_meter_order_change();

create function guard_grid_fee_reduction_change() returns trigger language plpgsql as $$
begin
  if exists (
    select from before join after using (project_id, id)
    where after.revision <> before.revision + 1 or (before.status, after.status) not in (
      values
        ('intended', 'intended'), ('intended', 'ordered'), ('intended', 'ended'),
        ('ordered', 'ordered'), ('ordered', 'activated'), ('ordered', 'rejected'), ('ordered', 'ended'),
        ('activated', 'activated'), ('activated', 'ended')
    )
  ) then
    raise check_violation using message = 'the life of a grid-fee reduction has no such step';
  end if;
  return null;
end
$$;
create trigger grid_fee_reductions_guard after update on grid_fee_reductions
  referencing old table as before new table as after
  for each statement execute function guard_grid_fee_reduction_change();

-- What was ordered with sign-ups before begins now, under the id of the order as it was given. A meter that is smart
-- already is not exchanged.
insert into meter_orders (project_id, id, subscription_id, meter_id, status, revision, created_at, updated_at)
select o.project_id, o.id, o.subscription_id, s.meter_id, 'created', 1, o.created_at, o.created_at
from product_orders o
join subscriptions s on s.project_id = o.project_id and s.id = o.subscription_id and s.status <> 'ended'
join meters m on m.project_id = s.project_id and m.id = s.meter_id and m.type <> 'smart'
where o.type = 'smart-meter';
insert into grid_fee_reductions
  (project_id, id, subscription_id, module_1, module_2, module_3, status, revision, created_at, updated_at)
select o.project_id, o.id, o.subscription_id, coalesce((o.details ->> 'module_1')::boolean, false),
  coalesce((o.details ->> 'module_2')::boolean, false), coalesce((o.details ->> 'module_3')::boolean, false),
  'intended', 1, o.created_at, o.created_at
from product_orders o
join subscriptions s on s.project_id = o.project_id and s.id = o.subscription_id and s.status <> 'ended'
where o.type = '14a_enwg';
update market_processes as p set due_at = least(p.due_at, coalesce(j.clock_at, date_trunc('second', now())))
from projects j
where j.id = p.project_id and coalesce((p.memory ->> 'is_parked')::boolean, false) = false
  and (
    exists (select from meter_orders o where o.project_id = p.project_id and o.subscription_id = p.subscription_id)
    or exists (select from grid_fee_reductions o where o.project_id = p.project_id and o.subscription_id = p.subscription_id)
  );
