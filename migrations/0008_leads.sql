-- Leads: what is known of a customer before he signs up, who brought him, and what became of it.

alter table leads
  -- Beside `data`, {next_possible_start, intended_start_date, product_orders}:
  -- {customer, address, meter} as far as they are known, without the postcode: what erasing a person takes away.
  add column personal json,
  -- AES-256-GCM over the payment method, bound to project and id; the key's id leads it.
  add column payment_method_encrypted bytea,
  add column supplier_id uuid references suppliers (id),
  add column external_id text check (length(external_id) between 1 and 200),
  add column metadata json,
  -- The one sign-up that has converted it; written by that sign-up's statement.
  add column subscription_id uuid,
  add column subscribed_at timestamptz,
  -- Null: written before there was an API of leads.
  add column created_by uuid,
  add column updated_at timestamptz,
  -- Counts the changes: a sign-up converts the very state that it has read.
  add column revision integer not null default 1 check (revision > 0),
  add foreign key (project_id, subscription_id) references subscriptions (project_id, id),
  add check ((subscription_id is null) = (subscribed_at is null));
update leads set
  updated_at = coalesce(subscriptions.created_at, leads.created_at),
  subscription_id = subscriptions.id, subscribed_at = subscriptions.created_at
from leads as known
left join subscriptions on subscriptions.project_id = known.project_id and subscriptions.lead_id = known.id
where leads.project_id = known.project_id and leads.id = known.id;
alter table leads alter column updated_at set not null;

-- One index per filter, each ending in the list order.
create unique index leads_subscription on leads (project_id, subscription_id) where subscription_id is not null;
create index leads_open on leads (project_id, id) where subscription_id is null;
create index leads_converted on leads (project_id, id) where subscription_id is not null;
create index leads_subscribed_at on leads (project_id, subscribed_at, id) where subscribed_at is not null;
create index leads_plan on leads (project_id, plan_id, id);
create index leads_email on leads (project_id, lower(personal -> 'customer' ->> 'email'), id);
create index leads_external_id on leads (project_id, external_id, id) where external_id is not null;
create index leads_created_by on leads (project_id, created_by, id);

-- As with subscriptions: the top-level scalar members of metadata.
create table lead_metadata (
  project_id uuid not null,
  key_hash uuid not null,
  value_hash uuid not null,
  lead_id uuid not null,
  primary key (project_id, key_hash, value_hash, lead_id),
  foreign key (project_id, lead_id) references leads (project_id, id)
);

-- Which credential signed up.
create index subscriptions_created_by on subscriptions (project_id, created_by, id);
