-- Webhooks: where events are pushed to, and what became of each.

create table webhook_endpoints (
  project_id uuid not null references projects (id),
  id uuid not null,
  url text not null,
  -- As they were given, such as `subscription.*`.
  types text[] not null check (cardinality(types) > 0),
  description text,
  enabled boolean not null,
  -- Why it is disabled: by a caller, after days of nothing but failures, or because it answered 410.
  disabled_reason text check (disabled_reason in ('requested', 'failing', 'gone')),
  api_version text not null,
  -- AES-256-GCM, bound to project and id.
  secret_encrypted bytea not null,
  -- The one before, which signs too until then.
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz,
  -- Events up to this place of the feed have their deliveries.
  position bigint not null,
  failing_since timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  check (enabled = (disabled_reason is null)),
  check ((previous_secret_encrypted is null) = (previous_secret_expires_at is null))
);

-- Times of deliveries are wall time.
create table webhook_deliveries (
  project_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  -- Deliveries of one subscription to one endpoint go one after the other, in this order.
  subscription_id uuid not null,
  position bigint not null,
  state text not null check (state in ('pending', 'succeeded', 'failed')),
  -- When it is attempted next, unless an earlier one of its subscription is still pending.
  due_at timestamptz,
  -- Until then a process works on it.
  leased_until timestamptz,
  attempt_count integer not null default 0,
  -- [{at, status, latency_ms, error}], oldest first.
  attempts json not null default '[]',
  created_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, endpoint_id) references webhook_endpoints (project_id, id) on delete cascade,
  foreign key (project_id, event_id) references events (project_id, id),
  check ((state = 'pending') = (due_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (project_id, endpoint_id, due_at) where state = 'pending';
create index webhook_deliveries_order on webhook_deliveries (project_id, endpoint_id, subscription_id, position)
  where state = 'pending';
create index webhook_deliveries_endpoint on webhook_deliveries (project_id, endpoint_id, id);
create index webhook_deliveries_created_at on webhook_deliveries (created_at);
-- Filters of the list; replays look events and failed ones up.
create index webhook_deliveries_event on webhook_deliveries (project_id, event_id);
create index webhook_deliveries_state on webhook_deliveries (project_id, state, id);
