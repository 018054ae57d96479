-- no transaction
-- What is settled is removed after some weeks, and must be found past what waits for longer.
drop index concurrently if exists webhook_deliveries_settled;
create index concurrently webhook_deliveries_settled on webhook_deliveries (created_at) where due_at is null;
drop index concurrently if exists webhook_deliveries_created_at;
