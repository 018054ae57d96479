-- An endpoint with millions of deliveries takes minutes to remove: it is gone for everybody at once, and removed in portions.
alter table webhook_endpoints add column deleted_at timestamptz;
