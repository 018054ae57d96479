-- The plan's notice as it was at the sign-up, where the process begins later; null of what the version before signed up,
-- which begins with the plan's of then.
alter table market_processes add column cancellation_period text;
