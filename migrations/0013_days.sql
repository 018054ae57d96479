-- no transaction
-- What happened on each day, in the order of the list: a long range of time is the newest of each of its days, put together.
drop index concurrently if exists subscriptions_updated_on;
create index concurrently subscriptions_updated_on on subscriptions
  (project_id, date_bin('1 day', updated_at, '2000-01-01T00:00:00Z'), id) include (updated_at);
drop index concurrently if exists subscriptions_start_on;
create index concurrently subscriptions_start_on on subscriptions
  (project_id, date_bin('1 day', start_at, '2000-01-01T00:00:00Z'), id) include (start_at) where start_at is not null;
drop index concurrently if exists subscriptions_end_on;
create index concurrently subscriptions_end_on on subscriptions
  (project_id, date_bin('1 day', end_at, '2000-01-01T00:00:00Z'), id) include (end_at) where end_at is not null;
