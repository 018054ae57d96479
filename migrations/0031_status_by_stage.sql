-- no transaction
-- Each stage has one status, so that what has a status is found by its stages. The version before lists by status without
-- this index, from others and more slowly, until it is stopped.
drop index concurrently if exists subscriptions_status;
