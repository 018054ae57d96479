-- Events of other resources than subscriptions. `sequence` counts per subscription, or else per resource.

alter table events
  alter column subscription_id drop not null,
  -- What the event tells of when that is no subscription; its type says which kind of resource.
  add column resource_id uuid,
  add check (num_nonnulls(subscription_id, resource_id) = 1);
create unique index events_resource on events (project_id, resource_id, sequence) where resource_id is not null;

-- Deliveries of one subscription, or else of one other resource, go one after the other.
alter table webhook_deliveries rename column subscription_id to subject_id;
