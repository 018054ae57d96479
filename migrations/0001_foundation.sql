-- Everything of a tenant is keyed by its project first, so that a reference
-- across projects cannot exist and the tables can be distributed by project.

create extension if not exists pg_trgm;

-- A text encrypted with the configured key: the service refuses to start with another key.
create table encryption_check (
  only_row boolean primary key default true check (only_row),
  sample bytea not null
);

create table projects (
  id uuid primary key,
  name text not null check (name <> ''),
  mode text not null check (mode in ('live', 'sandbox')),
  created_at timestamptz not null
);

create table credentials (
  project_id uuid not null references projects (id),
  id uuid not null,
  client_id text not null unique check (client_id ~ '^[A-Za-z0-9_-]+$'),
  name text not null,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read:*', 'write:*']),
  api_version text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id)
);

-- Access and refresh tokens; looked up by hash before the project is known.
create table tokens (
  hash bytea primary key check (octet_length(hash) = 32),
  kind text not null check (kind in ('access', 'refresh')),
  project_id uuid not null,
  credential_id uuid not null,
  family_id uuid not null,
  scopes text[] not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  spent_at timestamptz,
  revoked_at timestamptz,
  foreign key (project_id, credential_id) references credentials (project_id, id),
  check (spent_at is null or kind = 'refresh')
);
create index tokens_family on tokens (family_id);
create index tokens_expiry on tokens (expires_at);

-- Shared by all projects; those of the simulated market are seen by sandbox projects only.
create table suppliers (
  id uuid primary key,
  name text not null check (name <> ''),
  code text check (code ~ '^[0-9]{13}$'),
  code_type text check (code_type in ('BDEW', 'DVGW', 'GLN')),
  country text not null check (country ~ '^[A-Z]{2}$'),
  sandbox boolean not null default false,
  search_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((code is null) = (code_type is null))
);
create unique index suppliers_code on suppliers (code) where code is not null;
create unique index suppliers_name_without_code on suppliers (search_name) where code is null;
create index suppliers_search_name on suppliers (search_name);
create index suppliers_search on suppliers using gin (search_name gin_trgm_ops);

create table plans (
  project_id uuid not null references projects (id),
  id uuid not null,
  name text not null,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  description text,
  price numeric(9, 2) not null check (price >= 0),
  currency text not null check (currency = 'EUR'),
  cancellation_period text not null,
  products text[] not null,
  active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, slug)
);

create table leads (
  project_id uuid not null references projects (id),
  id uuid not null,
  plan_id uuid not null,
  zip text not null,
  data json not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, plan_id) references plans (project_id, id)
);

create table customers (
  project_id uuid not null,
  id uuid not null,
  type text not null check (type in ('person', 'company')),
  company_name text,
  first_name text not null,
  last_name text not null,
  email text not null,
  vat_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  check ((type = 'company') = (company_name is not null))
);
create index customers_email on customers (project_id, lower(email), id);

create table addresses (
  project_id uuid not null,
  id uuid not null,
  street text not null,
  house_number text not null,
  zip text not null check (zip ~ '^[0-9]{5}$'),
  city text not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);

create table meters (
  project_id uuid not null,
  id uuid not null,
  number text not null,
  type text not null check (type in ('smart', 'modern', 'analog')),
  estimated_usage numeric not null check (estimated_usage > 0 and estimated_usage <= 100000),
  malo text check (malo ~ '^[1-9][0-9]{10}$'),
  created_at timestamptz not null,
  primary key (project_id, id)
);

create table payment_methods (
  project_id uuid not null,
  id uuid not null,
  type text not null check (type in ('sepa_debit')),
  iban_masked text not null,
  -- AES-256-GCM over {iban, account_holder}, bound to project and id; the key's id leads it.
  details_encrypted bytea not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);

create table subscriptions (
  project_id uuid not null,
  id uuid not null,
  number text not null check (number ~ '^[2-9A-HJ-NP-Z]{8}$'),
  external_id text check (length(external_id) between 1 and 200),
  status text not null check (status in ('pending', 'active', 'ended')),
  stage text not null check (
    stage in ('identifying', 'cancelling', 'registering', 'confirmed', 'supplying', 'ending', 'ended')
  ),
  end_reason text check (end_reason in ('terminated', 'moved_out', 'withdrawn', 'rejected', 'superseded')),
  plan_id uuid not null,
  customer_id uuid not null,
  address_id uuid not null,
  meter_id uuid not null,
  payment_method_id uuid not null,
  supplier_id uuid references suppliers (id),
  lead_id uuid,
  next_possible_start boolean not null,
  intended_start_date date,
  estimated_usage numeric not null,
  -- What identifies the place of supply, repeated here so that the database can refuse a second open supply.
  malo text,
  meter_number_normalised text not null check (meter_number_normalised <> ''),
  zip text not null,
  metadata json,
  -- {code, actor, …}: what must happen before it can go on.
  next_action jsonb,
  event_sequence integer not null check (event_sequence > 0),
  created_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  start_at timestamptz,
  terminated_at timestamptz,
  end_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, plan_id) references plans (project_id, id),
  foreign key (project_id, customer_id) references customers (project_id, id),
  foreign key (project_id, address_id) references addresses (project_id, id),
  foreign key (project_id, meter_id) references meters (project_id, id),
  foreign key (project_id, payment_method_id) references payment_methods (project_id, id),
  foreign key (project_id, lead_id) references leads (project_id, id),
  check (
    case status
      when 'pending' then stage in ('identifying', 'cancelling', 'registering', 'confirmed')
      when 'active' then stage in ('supplying', 'ending')
      else stage = 'ended'
    end
  ),
  check ((end_reason is not null) = (status = 'ended')),
  check (next_possible_start or intended_start_date is not null)
);
create unique index subscriptions_number on subscriptions (project_id, number);
create unique index subscriptions_external_id on subscriptions (project_id, external_id) where external_id is not null;
create unique index subscriptions_lead on subscriptions (project_id, lead_id) where lead_id is not null;
create unique index subscriptions_open_malo on subscriptions (project_id, malo)
  where malo is not null and status <> 'ended';
create unique index subscriptions_open_meter on subscriptions (project_id, meter_number_normalised, zip)
  where malo is null and status <> 'ended';
-- One index per filter, each ending in the list order.
create index subscriptions_status on subscriptions (project_id, status, id);
create index subscriptions_stage on subscriptions (project_id, stage, id);
create index subscriptions_plan on subscriptions (project_id, plan_id, id);
create index subscriptions_customer on subscriptions (project_id, customer_id, id);
create index subscriptions_meter_number on subscriptions (project_id, meter_number_normalised, id);
create index subscriptions_updated_at on subscriptions (project_id, updated_at, id);
create index subscriptions_malo on subscriptions (project_id, malo, id) where malo is not null;
create index subscriptions_supplier on subscriptions (project_id, supplier_id, id) where supplier_id is not null;
create index subscriptions_start_at on subscriptions (project_id, start_at, id) where start_at is not null;
create index subscriptions_next_actor on subscriptions (project_id, (next_action ->> 'actor'), id)
  where next_action is not null;
create index subscriptions_next_code on subscriptions (project_id, (next_action ->> 'code'), id)
  where next_action is not null;
create index subscriptions_end_at on subscriptions (project_id, end_at, id) where end_at is not null;

-- The unique indexes refuse a second open supply of one market location, and of one meter without. This refuses one
-- known with and once without its market location: several market locations can be measured by one meter, but one that
-- is not known yet may be any of them. The locks make the second of two concurrent sign-ups see the first.
create function refuse_second_supply() returns trigger language plpgsql
-- A plan made while the table was small would be kept while it grows.
set plan_cache_mode = force_custom_plan
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
    where exists (
        select from subscriptions as other
        where inserted.malo is not null
          and other.project_id = inserted.project_id
          and other.meter_number_normalised = inserted.meter_number_normalised and other.zip = inserted.zip
          and other.malo is null and other.status <> 'ended'
      )
      or exists (
        select from subscriptions as other
        where inserted.malo is null
          and other.project_id = inserted.project_id
          and other.meter_number_normalised = inserted.meter_number_normalised and other.zip = inserted.zip
          and other.malo is not null and other.status <> 'ended'
      )
  ) then
    raise unique_violation using message = 'the place of supply has an open subscription';
  end if;
  return null;
end
$$;
create trigger subscriptions_second_supply after insert on subscriptions
  referencing new table as inserted
  for each statement execute function refuse_second_supply();

-- The top-level scalar members of metadata, so that a filter on any key is an index range in list order.
create table subscription_metadata (
  project_id uuid not null,
  key_hash uuid not null,
  value_hash uuid not null,
  subscription_id uuid not null,
  primary key (project_id, key_hash, value_hash, subscription_id),
  foreign key (project_id, subscription_id) references subscriptions (project_id, id)
);

create table product_orders (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  position smallint not null,
  type text not null check (type in ('smart-meter', '14a_enwg')),
  details json,
  created_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, subscription_id, type),
  foreign key (project_id, subscription_id) references subscriptions (project_id, id)
);

create table market_processes (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  kind text not null check (kind in ('supply_start')),
  state text not null check (state in ('to_be_started')),
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, subscription_id) references subscriptions (project_id, id)
);
create index market_processes_subscription on market_processes (project_id, subscription_id);
create index market_processes_due on market_processes (due_at);

create table events (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  sequence integer not null check (sequence > 0),
  type text not null,
  occurred_at timestamptz not null,
  request_id text,
  data json not null,
  primary key (project_id, id),
  unique (project_id, subscription_id, sequence),
  foreign key (project_id, subscription_id) references subscriptions (project_id, id)
);

-- What a request with an Idempotency-Key was answered; commits with the effect itself.
create table idempotency_keys (
  project_id uuid not null,
  key text not null,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  method text not null,
  path text not null,
  status smallint not null check (status between 200 and 499),
  headers json not null,
  -- The answer; encrypted where it shows personal data.
  body text,
  body_encrypted bytea,
  request_id text not null,
  created_at timestamptz not null,
  primary key (project_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
