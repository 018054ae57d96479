-- no transaction
-- Supply starts at midnight in Berlin, so that the index by start has as many starts as another had days: lists read the
-- newest of each start from it. The version before, while it runs beside this one, finds ranges of starts more slowly.
drop index concurrently if exists subscriptions_start_on;
-- Subscriptions without an id of their own elsewhere; among very many that have one, the list was walked from end to end.
drop index concurrently if exists subscriptions_without_external_id;
create index concurrently subscriptions_without_external_id on subscriptions (project_id, id) where external_id is null;
